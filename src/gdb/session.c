/* The public session (include/tessera/debugger.h). */
#include <stdlib.h>
#include <string.h>

#include "gdb/breaks.h"
#include "gdb/debugger.h"
#include "gdb/monitor.h"
#include "gdb/place.h"
#include "tessera/debugger.h"

/* A session on a machine that runs refuses calls from its hooks. */
static bool is_debugger(const struct tessera_debugger *d) {
  if (!api_is(d, API_DEBUGGER)) return false;
  return !api_is_running(d->machine.tile ? &d->machine.tile->handle : &d->machine.chip->handle);
}

/* The machine counts its sessions: it is not destroyed before they are closed. */
static void count_session(const struct gdb_machine *m, bool opens) {
  struct api_handle *handle = m->tile ? &m->tile->handle : &m->chip->handle;
  if (opens) handle->sessions++;
  else handle->sessions--;
}

static struct tessera_debugger *create(void) {
  struct tessera_debugger *d = calloc(1, sizeof *d);
  if (!d) return NULL;
  d->handle.magic = API_DEBUGGER;
  d->cycle_max = TESSERA_FOREVER;
  d->plain = true;
  return d;
}

/* The session begins at the machine's present cycle. */
static struct tessera_debugger *begin(struct tessera_debugger *d) {
  if (d && gdb_history_begin(&d->history, &d->machine)) {
    d->cycle = gdb_now(&d->machine);
    count_session(&d->machine, true);
    return d;
  }
  if (d) gdb_history_free(&d->history);
  free(d);
  return NULL;
}

static unsigned first_core(const struct tx_tile *t) {
  for (unsigned core = 0; core < TX_CORES; core++)
    if (t->core[core].state != TX_CORE_HELD) return core;
  return 0;
}

struct tessera_debugger *tessera_debugger_open(struct tessera_tile *tile) {
  struct tessera_debugger *d = api_is_tile(tile) && !tile->in_chip ? create() : NULL;
  if (!d) return NULL;
  d->machine.tile = tile;
  d->machine.unit[0].tile = tile;
  d->machine.count = 1;
  d->focus.core = first_core(&tile->tile);
  d->stop.where = d->focus;
  return begin(d);
}

struct tessera_debugger *tessera_debugger_open_chip(struct tessera_chip *chip) {
  struct tessera_debugger *d = api_is_chip(chip) ? create() : NULL;
  if (!d) return NULL;
  d->machine.chip = chip;
  return begin(d);
}

void tessera_debugger_close(struct tessera_debugger *d) {
  if (!is_debugger(d)) return;
  if (!d->plain && d->end == GDB_END_TIME) gdb_go_to(d, d->cycle);
  gdb_arm(d, false);
  d->handle.magic = 0;
  count_session(&d->machine, false);
  gdb_history_free(&d->history);
  gdb_front_end(&d->machine);
  gdb_machine_free(&d->machine);
  free(d->looks);
  free(d->looks_back);
  free(d->reads);
  free(d->end_text);
  free(d->text);
  free(d);
}

enum tessera_result tessera_debugger_add_tile(struct tessera_debugger *d, unsigned x, unsigned y) {
  if (!is_debugger(d) || !d->machine.chip || d->machine.count == GDB_UNITS) return TESSERA_INVALID;
  struct tessera_tile *tile = tessera_chip_tile(d->machine.chip, x, y);
  for (unsigned i = 0; i < d->machine.count; i++)
    if (d->machine.unit[i].tile == tile) return TESSERA_INVALID;
  if (!tile) return TESSERA_INVALID;
  d->machine.unit[d->machine.count++] = (struct gdb_unit){tile, x, y};
  if (d->machine.count > 1) return TESSERA_OK;
  d->focus = (struct gdb_where){0, first_core(&tile->tile)};
  d->stop.where = d->focus;
  return TESSERA_OK;
}

enum tessera_result tessera_debugger_limit_cycles(struct tessera_debugger *d, uint64_t cycle) {
  if (!is_debugger(d)) return TESSERA_INVALID;
  d->cycle_max = cycle && cycle < TESSERA_FOREVER ? cycle : TESSERA_FOREVER;
  return TESSERA_OK;
}

enum tessera_result tessera_debugger_limit_memory(struct tessera_debugger *d, uint64_t bytes) {
  if (!is_debugger(d) || bytes > SIZE_MAX) return TESSERA_INVALID;
  gdb_history_limit(&d->history, (size_t)bytes);
  return TESSERA_OK;
}

enum tessera_result tessera_debugger_on_run(struct tessera_debugger *d, tessera_stop_fn *stop, void *context) {
  if (!is_debugger(d)) return TESSERA_INVALID;
  d->interrupted = stop;
  d->interrupted_context = context;
  return TESSERA_OK;
}

const char *tessera_debugger_command(struct tessera_debugger *d, const char *line) {
  return is_debugger(d) && line && d->machine.count ? gdb_monitor(d, line) : "";
}

uint64_t tessera_debugger_cycle(const struct tessera_debugger *d) { return is_debugger(d) ? d->cycle : 0; }
const char *tessera_debugger_error(const struct tessera_debugger *d) { return is_debugger(d) ? d->error : ""; }
