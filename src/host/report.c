#include "host/report.h"

#include <stdlib.h>
#include <string.h>

#include "debug/program.h"
#include "observe/hang.h"
#include "observe/report.h"
#include "observe/words.h"
#include "sim/text.h"
#include "tensix/tile/tile.h"

#define TEXT_BYTES 65536u

static void tile_name(const struct chip *chip, unsigned tile, char *text, size_t size) {
  const struct chip_slot *slot = &chip_grid(chip)->slot[tile];
  snprintf(text, size, "(%u,%u)", slot->logical & 63u, slot->logical >> 6 & 63u);
}

/* The Tensix tile, if it was created before. */
static struct tx_tile *tensix_at(struct chip *chip, unsigned tile) {
  struct chip_endpoint *endpoint = chip_endpoint_peek(chip, tile);
  if (!endpoint || !endpoint->self || endpoint->slot->kind != CHIP_TENSIX) return NULL;
  return chip_tensix(chip, tile);
}

/* The cores of a tile, with functions and lines of their kernels. */
static void add_cores(struct host_kernels *kernels, const struct tx_tile *t, char *text, size_t size) {
  host_kernels_find(kernels, t);
  dbg_program_cores(&kernels->program, t, text, size);
  size_t used = strlen(text);
  for (unsigned i = 0; i < TX_CORES; i++)
    if (kernels->program.loaded[i] && used < size)
      used += (size_t)snprintf(text + used, size - used, "%s runs %s\n", tx_core_name(i), kernels->names[i]);
}

/* "NCRISC at 0x0000a2fc kernel_main+0x60 (reader.cpp:9)", or the thread whose instruction it was. */
static void side_text(struct host_kernels *kernels, const struct tx_tile *t, unsigned agent, uint32_t pc, char *text,
                      size_t size) {
  struct sim_text out = {text, size, 0};
  uint32_t pcs[TX_CORES] = {0};
  char where[256] = "";
  unsigned core = agent - TX_AGENT_TRISC0;
  for (unsigned thread = 0; thread < TX_THREADS; thread++)
    if (tx_agent_of_thread(thread) == agent) core = thread;
  sim_text_add(&out, "%s", obs_agent_name(agent));
  if (!pc || core >= TX_CORES) return;
  pcs[core] = pc;
  host_kernels_find_at(kernels, t, pcs);
  dbg_program_where(&kernels->program, core, pc, where, sizeof where);
  sim_text_add(&out, " at 0x%08x%s%s", pc, where[0] ? " " : "", where);
}

void host_report_error(struct chip *chip, struct host_kernels *kernels, char *text, size_t size) {
  unsigned tile = CHIP_NO_TILE;
  const struct sim_fault *fault = chip_fault(chip, &tile);
  struct sim_text out = {text, size, 0};
  char name[16] = "", line[512];
  text[0] = '\0';
  if (!fault) return;
  if (tile < CHIP_TILES) tile_name(chip, tile, name, sizeof name);
  struct tx_tile *t = tile < CHIP_TILES ? tensix_at(chip, tile) : NULL;
  if (!t || !t->fault.kind) {
    sim_text_add(&out, "error at tile %s, cycle %llu: %s: %s [%s]", name, (unsigned long long)fault->cycle,
                 sim_fault_kind_name(fault->kind), fault->why, fault->document);
    return;
  }
  obs_fault_line(t, line, sizeof line);
  sim_text_add(&out, "error at tile %s: %s\n", name, line);
  side_text(kernels, t, t->fault.agent, t->fault.pc, line, sizeof line);
  if (t->fault.pc) sim_text_add(&out, "  by %s\n", line);
  if (out.length < size) add_cores(kernels, t, text + out.length, size - out.length);
}

/* --- the whole report --- */

/* pc and state of the five cores of a tile. The report shows tiles in which both are equal as one group. */
struct core_states {
  uint32_t pc[TX_CORES], state[TX_CORES];
};

static struct core_states states_of(const struct tx_tile *t) {
  struct core_states states;
  for (unsigned i = 0; i < TX_CORES; i++) {
    states.state[i] = t->core[i].state;
    states.pc[i] = states.state[i] == TX_CORE_HELD ? 0 : t->core[i].pc;
  }
  return states;
}

static void write_group(struct chip *chip, struct host_kernels *kernels, bool idle, unsigned first, bool shown[CHIP_TILES],
                        FILE *file) {
  struct tx_tile *t = tensix_at(chip, first);
  struct core_states states = states_of(t);
  char name[16], *text = malloc(TEXT_BYTES);
  unsigned count = 0;
  for (unsigned tile = first; tile < CHIP_TILES; tile++) {
    struct tx_tile *other = shown[tile] ? NULL : tensix_at(chip, tile);
    if (!other) continue;
    struct core_states others = states_of(other);
    if (memcmp(&states, &others, sizeof states) != 0) continue;
    shown[tile] = true;
    tile_name(chip, tile, name, sizeof name);
    fprintf(file, "%s%s", count++ ? " " : "tiles ", name);
  }
  fprintf(file, ": %u in this state\n", count);
  if (!text) return;
  add_cores(kernels, t, text, TEXT_BYTES);
  fputs(text[0] ? text : "all cores are held in reset\n", file);
  if (idle && sim_blocked(&t->engine)) { /* while other tiles still act, a waiting tile is not a hang */
    obs_hang_report(t, text, TEXT_BYTES);
    fputs(text, file);
  }
  fputc('\n', file);
  free(text);
}

static void write_tiles(struct chip *chip, struct host_kernels *kernels, bool idle, FILE *file) {
  bool shown[CHIP_TILES] = {false};
  for (unsigned tile = 0; tile < CHIP_TILES; tile++)
    if (!shown[tile] && tensix_at(chip, tile)) write_group(chip, kernels, idle, tile, shown, file);
}

/* --- findings --- */

uint64_t host_report_findings(struct chip *chip) {
  uint64_t count = 0;
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
    const struct tx_tile *t = tensix_at(chip, tile);
    count += t ? t->diag.finding_count : 0;
  }
  return count;
}

static void write_findings(struct chip *chip, struct host_kernels *kernels, FILE *file) {
  char name[16], side[512];
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
    const struct tx_tile *t = tensix_at(chip, tile);
    for (unsigned i = 0; t && i < t->diag.finding_count; i++) {
      const struct tx_finding *f = &t->diag.findings[i];
      const struct tx_diag_info *info = &tx_diag_infos[f->id];
      tile_name(chip, tile, name, sizeof name);
      side_text(kernels, t, f->agent, f->pc, side, sizeof side);
      fprintf(file, "%s at tile %s, cycle %llu, %llu time%s: %s: %s%s%s\n  by %s\n", obs_severity_name(info->severity), name,
              (unsigned long long)f->first_cycle, (unsigned long long)f->count, f->count == 1 ? "" : "s", info->name,
              info->what, f->why[0] ? ": " : "", f->why, side);
      side_text(kernels, t, f->other.agent, f->other.pc, side, sizeof side);
      if (f->other.known) fprintf(file, "  against %s\n", side);
      struct sim_text help = {side, sizeof side, 0};
      obs_finding_help(&help, f->id);
      fprintf(file, "  help: %s\n\n", side);
    }
  }
}

void host_report_write(struct chip *chip, const struct host *host, struct host_kernels *kernels, const char *when,
                       FILE *file) {
  char *text = malloc(TEXT_BYTES);
  fprintf(file, "Tessera report (%s), cycle %llu\n\n", when, (unsigned long long)chip_now(chip));
  if (text) {
    host_report_error(chip, kernels, text, TEXT_BYTES);
    fprintf(file, "%s%s", text, text[0] ? "\n" : "");
    free(text);
  }
  if (host->lost) fprintf(file, "accesses of the host to unmapped addresses: %llu\n\n", (unsigned long long)host->lost);
  write_findings(chip, kernels, file);
  write_tiles(chip, kernels, host->idle, file);
}
