/* The public C API of include/tessera/tensix.h over the tile. The only file of the library that allocates after a tile exists:
 * the queues of words that a caller pushes and the copies of executables. Registers are read in registers.c. */
#include "tessera/tensix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/tile.h"
#include "observe/progress.h"
#include "observe/report.h"
#include "observe/words.h"

struct tessera_tile *tessera_tile_create(enum tessera_timing timing) {
  struct tessera_tile *tile = calloc(1, sizeof *tile);
  if (!tile) return NULL;
  tx_tile_reset(&tile->tile, timing == TESSERA_TIMING_CYCLE);
  for (unsigned i = 0; i < TX_THREADS; i++) tile->tile.unsaved.scripts[i] = &tile->script[i];
  tile->end = SIM_END_DONE;
  return tile;
}

void tessera_tile_destroy(struct tessera_tile *tile) {
  if (!tile) return;
  for (unsigned i = 0; i < TX_THREADS; i++) free(tile->ops[i]);
  for (unsigned i = 0; i < TX_CORES; i++) free(tile->files[i]);
  free(tile);
}

static enum tessera_result access_result(const struct tessera_tile *tile, bool done) {
  if (done) return TESSERA_DONE;
  return tile->tile.fault.kind ? TESSERA_FAULT : TESSERA_INVALID;
}

enum tessera_result tessera_tile_write(struct tessera_tile *tile, uint32_t address, const void *bytes, size_t length) {
  if (length > UINT32_MAX || tile->tile.fault.kind) return tile->tile.fault.kind ? TESSERA_FAULT : TESSERA_INVALID;
  return access_result(tile, tx_outside_write(&tile->tile, address, bytes, (uint32_t)length));
}

enum tessera_result tessera_tile_read(struct tessera_tile *tile, uint32_t address, void *bytes, size_t length) {
  if (length > UINT32_MAX) return TESSERA_INVALID;
  return access_result(tile, tx_outside_read(&tile->tile, address, bytes, (uint32_t)length));
}

/* --- programs --- */

enum tessera_result tessera_tile_load_elf(struct tessera_tile *tile, enum tessera_core core, const void *file, size_t size) {
  unsigned c = (unsigned)core;
  void *copy = c < TX_CORES && size ? malloc(size) : NULL;
  snprintf(tile->text, sizeof tile->text, "%s", c < TX_CORES ? "no such file or no memory" : "no such core");
  if (!copy) return TESSERA_INVALID;
  memcpy(copy, file, size);
  free(tile->files[c]);
  tile->files[c] = copy;
  if (dbg_program_load(&tile->program, &tile->tile, c, copy, size, tile->text, sizeof tile->text)) {
    tile->text[0] = '\0';
    return TESSERA_DONE;
  }
  tile->refused = true;
  return TESSERA_INVALID;
}

enum tessera_result tessera_tile_start(struct tessera_tile *tile, unsigned cores) {
  uint32_t brisc_pc = tile->program.loaded[TX_CORE_BRISC] ? tile->program.elf[TX_CORE_BRISC].entry : 0;
  if (!cores || cores >> TX_CORES) return TESSERA_INVALID;
  dbg_program_start(&tile->tile, cores, brisc_pc);
  return tile->tile.fault.kind ? TESSERA_FAULT : TESSERA_DONE;
}

/* --- words pushed without a core --- */

/* Appends an op to a core's list. A core that had come to the end of its list goes on with it. */
static enum tessera_result append(struct tessera_tile *tile, unsigned thread, struct tx_script_op op) {
  struct tx_script *script = &tile->script[thread];
  if (script->count == tile->capacity[thread]) {
    size_t wanted = tile->capacity[thread] ? 2 * tile->capacity[thread] : 1024;
    struct tx_script_op *moved = wanted < UINT32_MAX ? realloc(tile->ops[thread], wanted * sizeof *moved) : NULL;
    if (!moved) return TESSERA_INVALID;
    tile->ops[thread] = moved;
    tile->capacity[thread] = wanted;
    script->ops = moved;
  }
  tile->ops[thread][script->count++] = op;
  tx_script_continue(&tile->tile, thread);
  return TESSERA_DONE;
}

enum tessera_result tessera_tile_push(struct tessera_tile *tile, unsigned thread, const uint32_t *words, size_t count) {
  if (thread >= TX_THREADS) return TESSERA_INVALID;
  for (size_t i = 0; i < count; i++) {
    enum tessera_result result = append(tile, thread, (struct tx_script_op){.kind = TX_SCRIPT_PUSH, .a = words[i]});
    if (result != TESSERA_DONE) return result;
  }
  return TESSERA_DONE;
}

enum tessera_result tessera_tile_store(struct tessera_tile *tile, unsigned thread, uint32_t address, uint32_t value) {
  if (thread >= TX_THREADS) return TESSERA_INVALID;
  return append(tile, thread, (struct tx_script_op){.kind = TX_SCRIPT_STORE, .a = address, .b = value});
}

enum tessera_result tessera_tile_run(struct tessera_tile *tile, uint64_t cycles) {
  sim_time now = tile->tile.engine.now, until = cycles < SIM_NEVER - 1 - now ? now + cycles : SIM_NEVER - 1;
  tile->refused = false;
  if (cycles < TESSERA_FOREVER && tx_tile_rest(&tile->tile, until)) tile->end = SIM_END_DONE;
  else tile->end = obs_run(&tile->tile, until);
  switch (tile->end) {
    case SIM_END_DONE: return TESSERA_DONE;
    case SIM_END_TIME: return TESSERA_LIMIT;
    case SIM_END_BLOCKED: return TESSERA_HANG;
    default: return tile->tile.fault.kind ? TESSERA_FAULT : TESSERA_STOPPED;
  }
}

enum tessera_result tessera_tile_until(struct tessera_tile *tile, uint32_t address, uint32_t mask, uint32_t value) {
  if (mask == 0) {
    tx_watch_clear(&tile->tile);
    return TESSERA_DONE;
  }
  return !(value & ~mask) && tx_watch_set(&tile->tile, address, mask, value) ? TESSERA_DONE : TESSERA_INVALID;
}

enum tessera_result tessera_tile_break(struct tessera_tile *tile, enum tessera_core core, uint32_t pc) {
  if ((unsigned)core >= TX_CORES) return TESSERA_INVALID;
  tile->tile.core[core].break_at = pc + 1; /* UINT32_MAX becomes 0: none */
  return TESSERA_DONE;
}

uint64_t tessera_tile_cycle(const struct tessera_tile *tile) { return tile->tile.engine.now; }

/* The hang or the fault, and then where the cores stand in their sources. */
const char *tessera_tile_explain(struct tessera_tile *tile) {
  size_t used = 0;
  if (tile->refused) return tile->text;
  tile->text[0] = '\0';
  if (tile->tile.fault.kind) {
    char where[256];
    obs_fault_line(&tile->tile, tile->text, sizeof tile->text / 2);
    used = strlen(tile->text);
    dbg_program_fault_place(&tile->program, &tile->tile, where, sizeof where);
    snprintf(tile->text + used, sizeof tile->text - used, "\n%s%s%s", where[0] ? "  in " : "", where, where[0] ? "\n" : "");
  } else if (tile->end == SIM_END_BLOCKED) {
    obs_hang_report(&tile->tile, tile->text, sizeof tile->text);
    used = strlen(tile->text);
    dbg_program_cores(&tile->program, &tile->tile, tile->text + used, sizeof tile->text - used);
  }
  return tile->text;
}

int tessera_tile_fault(const struct tessera_tile *tile, struct tessera_fault *fault) {
  const struct sim_fault *f = &tile->tile.fault;
  memset(fault, 0, sizeof *fault);
  if (!f->kind) return 0;
  fault->cycle = f->cycle;
  fault->kind = sim_fault_kind_name(f->kind);
  fault->who = obs_agent_name(f->agent);
  fault->pc = f->pc;
  fault->word = f->word;
  memcpy(fault->why, f->why, sizeof fault->why - 1);
  memcpy(fault->document, f->document, sizeof fault->document - 1);
  return 1;
}

const char *tessera_tile_report(struct tessera_tile *tile) {
  obs_report_text(&tile->tile, tile->end, tile->text, sizeof tile->text);
  return tile->text;
}

const char *tessera_tile_report_json(struct tessera_tile *tile) {
  obs_report_json(&tile->tile, tile->end, tile->text, sizeof tile->text);
  return tile->text;
}

size_t tessera_tile_state_size(void) { return offsetof(struct tx_tile, unsaved); }

void tessera_tile_save(const struct tessera_tile *tile, void *state) {
  memcpy(state, &tile->tile, tessera_tile_state_size());
}

void tessera_tile_restore(struct tessera_tile *tile, const void *state) {
  tx_tile_copy_state(&tile->tile, state);
  tile->end = SIM_END_TIME;
}

uint64_t tessera_tile_hash(const struct tessera_tile *tile) { return tx_tile_hash(&tile->tile); }

const char *tessera_version(void) { return TESSERA_VERSION; }
