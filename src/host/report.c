#include "host/report.h"

#include <stdlib.h>
#include <string.h>

#include "debug/program.h"
#include "observe/hang/chip.h"
#include "observe/hang/hang.h"
#include "observe/report/report.h"
#include "observe/words.h"
#include "sim/text.h"
#include "tensix/tile/tile.h"

#define TEXT_BYTES 65536u
#define NAMED_MAX 8u /* more tiles than this are only counted */
#define PAIRS_MAX 256u
#define HANG_CYCLES \
  100000u /* of kernels that wait while firmware still polls: 0.1 ms is longer than any transfer that they wait for */

static void tile_name(const struct chip *chip, unsigned tile, char *text, size_t size) {
  const struct chip_slot *slot = &chip_grid(chip)->slot[tile];
  snprintf(text, size, "(%u,%u)", slot->logical & 63u, slot->logical >> 6 & 63u);
}

/* The cores of a tile, with functions and lines of their kernels. */
static void add_cores(struct host_kernels *kernels, const struct tx_tile *t, char *text, size_t size) {
  host_kernels_find(kernels, t);
  dbg_program_cores(&kernels->program, t, NULL, NULL, text, size);
  struct sim_text out = {text, size, strlen(text)};
  for (unsigned i = 0; i < TX_CORES; i++) {
    if (!kernels->program.loaded[i]) continue;
    sim_text_add(&out, "%s runs %s", tx_core_name(i), kernels->names[i]);
    for (unsigned k = 0; k < DBG_TWINS && kernels->twin_names[i][k]; k++)
      sim_text_add(&out, " or %s", kernels->twin_names[i][k]);
    sim_text_add(&out, "%s\n", kernels->twin_names[i][0] ? ": their code is the same" : "");
  }
  for (unsigned i = 0; i < TX_THREADS; i++)
    if (kernels->second_names[i])
      sim_text_add(&out, "%s runs %s\n", obs_agent_name(tx_agent_of_thread(i)), kernels->second_names[i]);
}

/* The core of an agent, or TX_CORES. */
static unsigned core_of(unsigned agent) {
  for (unsigned thread = 0; thread < TX_THREADS; thread++)
    if (tx_agent_of_thread(thread) == agent) return thread;
  return agent - TX_AGENT_TRISC0 < TX_CORES ? agent - TX_AGENT_TRISC0 : TX_CORES;
}

static void find_at(struct host_kernels *kernels, const uint8_t *l1, unsigned core, uint32_t pc) {
  uint32_t pcs[TX_CORES] = {0};
  pcs[core] = pc;
  host_kernels_find_at(kernels, l1, pcs);
}

/* "NCRISC at 0x0000a2fc kernel_main+0x60 (reader.cpp:9)", or the thread whose instruction it was. */
static void side_text(struct host_kernels *kernels, const uint8_t *l1, unsigned agent, uint32_t pc, char *text,
                      size_t size) {
  struct sim_text out = {text, size, 0};
  char where[256] = "";
  unsigned core = core_of(agent);
  sim_text_add(&out, "%s", obs_agent_name(agent));
  if (!pc || core >= TX_CORES) return;
  find_at(kernels, l1, core, pc);
  dbg_program_where(&kernels->program, core, pc, where, sizeof where);
  sim_text_add(&out, " at 0x%08x%s%s", pc, where[0] ? " " : "", where);
}

/* ", to (8,14)": the coordinates that the sender gave, if they are not the tile's name; several translated ones stand for one tile. */
static void add_given(const struct chip *chip, const struct tx_tile *sender, unsigned tile, struct sim_text *out) {
  const struct chip_grid *grid = chip_grid(chip);
  for (unsigned noc = 0; noc < NOC_NOCS; noc++)
    for (unsigned i = 0; i < NOC_INITIATORS; i++) {
      const uint32_t *w = sender->niu[noc].initiator[i];
      bool reads = (w[NOC_CTRL] & NOC_CTRL_TYPE) == NOC_READ;
      uint32_t place = w[reads ? NOC_TARG_HI : NOC_RET_HI], x = place & 63u, y = place >> 6 & 63u;
      if (chip_tile_of(grid, noc, x, y) != tile || (place & 0xfffu) == (grid->slot[tile].logical & 0xfffu)) continue;
      sim_text_add(out, ", to (%u,%u)", x, y);
      return;
    }
}

/* A tile has rejected a request: who sent it, in the words of a tile's own fault. */
static void add_sender(struct chip *chip, struct host_kernels *kernels, const struct sim_fault *fault, unsigned tile,
                       struct sim_text *out) {
  char name[16], line[512];
  unsigned agent = fault->agent == TX_AGENT_NETWORK ? fault->word : fault->agent;
  const struct tx_tile *t = agent != SIM_NO_AGENT && fault->unit < CHIP_TILES ? chip_tensix_seen(chip, fault->unit) : NULL;
  if (!t) return;
  tile_name(chip, fault->unit, name, sizeof name);
  side_text(kernels, t->l1, agent, fault->pc, line, sizeof line);
  sim_text_add(out, "  by %s of tile %s", line, name);
  if (tile < CHIP_TILES) add_given(chip, t, tile, out);
  sim_text_add(out, "\n");
  if (out->length < out->size) add_cores(kernels, t, out->data + out->length, out->size - out->length);
}

/* A core that faults outside all code came there by a jump: its line. */
static void add_jump(struct host_kernels *kernels, const struct tx_tile *t, struct sim_text *out) {
  struct dbg_jump jump;
  char where[256];
  host_kernels_find(kernels, t);
  if (!dbg_program_wild_jump(&kernels->program, t, &jump)) return;
  dbg_program_where(&kernels->program, jump.core, jump.from, where, sizeof where);
  sim_text_add(out, "  which it reached by a jump from 0x%08x%s%s to 0x%08x\n", jump.from, where[0] ? " " : "", where,
               jump.to);
}

/* "(17,12), NoC 0 (0,0)": as in reports of hangs, the place too where it differs from the name. */
static void full_name(const struct chip *chip, unsigned tile, char *text, size_t size) {
  const struct chip_slot *slot = &chip_grid(chip)->slot[tile];
  struct sim_text out = {text, size, 0};
  unsigned x = slot->logical & 63u, y = slot->logical >> 6 & 63u;
  sim_text_add(&out, "(%u,%u)", x, y);
  if (x != slot->x || y != slot->y) sim_text_add(&out, ", NoC 0 (%u,%u)", slot->x, slot->y);
}

void host_report_error(struct chip *chip, struct host_kernels *kernels, char *text, size_t size) {
  unsigned tile = CHIP_NO_TILE;
  const struct sim_fault *fault = chip_fault(chip, &tile);
  struct sim_text out = {text, size, 0};
  char name[48] = "", line[512];
  text[0] = '\0';
  if (!fault) return;
  if (tile < CHIP_TILES) full_name(chip, tile, name, sizeof name);
  const struct tx_tile *t = tile < CHIP_TILES ? chip_tensix_seen(chip, tile) : NULL;
  if (!t || !t->fault.kind) {
    sim_text_add(&out, "error at tile %s, cycle %llu: %s: %s [%s]\n", name, (unsigned long long)fault->cycle,
                 sim_fault_kind_name(fault->kind), fault->why, fault->document);
    add_sender(chip, kernels, fault, tile, &out);
    return;
  }
  obs_fault_line(t, line, sizeof line);
  sim_text_add(&out, "error at tile %s: %s\n", name, line);
  if (fault->agent == TX_AGENT_NETWORK && fault->word) {
    add_sender(chip, kernels, fault, tile, &out);
    return;
  }
  side_text(kernels, t->l1, t->fault.agent, t->fault.pc, line, sizeof line);
  if (t->fault.pc) sim_text_add(&out, "  by %s\n", line);
  add_jump(kernels, t, &out);
  if (out.length < size) add_cores(kernels, t, text + out.length, size - out.length);
}

/* --- the whole report --- */

/* Of each core that is not held in reset: its ELF file, and its function and line, or its pc where there are no symbols. */
struct places {
  const char *file[TX_CORES];
  char core[TX_CORES][128];
};

/* Tiles whose cores are in the same functions are one group: idle tiles poll at different lines of one loop. */
struct groups {
  struct places places[CHIP_TILES];
  unsigned first[CHIP_TILES]; /* the first tile of this tile's group; CHIP_NO_TILE: not a Tensix tile */
  unsigned count[CHIP_TILES]; /* of a first tile: tiles in its group */
};

static void remove_offset(char *where) {
  char *plus = strstr(where, "+0x");
  if (!plus) return;
  const char *rest = plus + strcspn(plus, " ");
  memmove(plus, rest, strlen(rest) + 1);
}

static void find_places(struct host_kernels *kernels, const struct tx_tile *t, struct places *places) {
  host_kernels_find(kernels, t);
  memset(places, 0, sizeof *places);
  for (unsigned core = 0; core < TX_CORES; core++) {
    uint32_t pc = dbg_program_holding_pc(&t->core[core]);
    char *where = places->core[core];
    if (t->core[core].state == TX_CORE_HELD) continue;
    snprintf(where, sizeof places->core[core], "%s", host_kernels_place(kernels, core, pc)->where);
    remove_offset(where);
    if (!where[0]) snprintf(where, sizeof places->core[core], "0x%08x", pc);
    places->file[core] = kernels->program.loaded[core] ? kernels->names[core] : NULL;
  }
}

static bool same_functions(const struct places *a, const struct places *b) {
  for (unsigned core = 0; core < TX_CORES; core++) {
    size_t length = strcspn(a->core[core], " ");
    if (a->file[core] != b->file[core] || length != strcspn(b->core[core], " ")) return false;
    if (strncmp(a->core[core], b->core[core], length) != 0) return false;
  }
  return true;
}

static void find_groups(struct chip *chip, struct host_kernels *kernels, struct groups *g) {
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
    const struct tx_tile *t = chip_tensix_seen(chip, tile);
    unsigned first;
    g->first[tile] = CHIP_NO_TILE;
    if (!t) continue;
    find_places(kernels, t, &g->places[tile]);
    for (first = 0; first < tile; first++)
      if (g->first[first] == first && same_functions(&g->places[first], &g->places[tile])) break;
    g->first[tile] = first;
    g->count[first]++;
  }
}

/* "NCRISC is at kernel_main (reader.cpp:9) on (3,2)": the tiles of a group whose core is not where that of its first tile is. */
static void write_elsewhere(struct chip *chip, const struct groups *g, unsigned first, unsigned core, FILE *file) {
  bool shown[CHIP_TILES] = {false};
  char name[16];
  for (unsigned one = first; one < CHIP_TILES; one++) {
    const char *place = g->places[one].core[core];
    unsigned count = 0;
    if (g->first[one] != first || shown[one]) continue;
    for (unsigned tile = one; tile < CHIP_TILES; tile++) {
      shown[tile] |= g->first[tile] == first && !strcmp(place, g->places[tile].core[core]);
      count += g->first[tile] == first && !strcmp(place, g->places[tile].core[core]);
    }
    if (!strcmp(place, g->places[first].core[core])) continue;
    fprintf(file, "%s is at %s on", tx_core_name(core), place);
    if (count > NAMED_MAX) fprintf(file, " %u of them", count);
    for (unsigned tile = one; tile < CHIP_TILES && count <= NAMED_MAX; tile++) {
      if (g->first[tile] != first || strcmp(place, g->places[tile].core[core]) != 0) continue;
      tile_name(chip, tile, name, sizeof name);
      fprintf(file, " %s", name);
    }
    fputc('\n', file);
  }
}

/* The waits of a tile's kernels, with the agents that could end them. */
static void write_waits(const struct host_kernels *kernels, const struct tx_tile *t, char *text, FILE *file) {
  struct obs_hang *hang = malloc(sizeof *hang);
  struct sim_text out = {.data = text, .size = TEXT_BYTES};
  if (!hang) return;
  obs_hang_find(t, &kernels->program, hang);
  for (uint32_t i = 0; i < hang->party_count; i++) /* it may never have run a kernel */
    if (hang->parties[i].state == OBS_PARTY_RETURNED) hang->parties[i].state = OBS_PARTY_IDLE;
  obs_hang_text(hang, true, &out);
  const char *behind = strchr(text, '\n'); /* the sentence of the chip's hang is above */
  if (hang->waiter_count && behind) fputs(behind + 1, file);
  free(hang);
}

static void write_group(struct chip *chip, struct host_kernels *kernels, bool hangs, const struct groups *g, unsigned first,
                        FILE *file) {
  const struct tx_tile *t = chip_tensix_seen(chip, first);
  char name[16], *text = malloc(TEXT_BYTES);
  for (unsigned tile = first; tile < CHIP_TILES; tile++) {
    if (g->first[tile] != first) continue;
    tile_name(chip, tile, name, sizeof name);
    fprintf(file, "%s%s", tile == first ? "tiles " : " ", name);
  }
  fprintf(file, ": %u with cores in these functions%s\n", g->count[first], g->count[first] > 1 ? "; the first:" : "");
  if (!text) return;
  add_cores(kernels, t, text, TEXT_BYTES);
  fputs(text[0] ? text : "all cores are held in reset\n", file);
  if (hangs) write_waits(kernels, t, text, file);
  for (unsigned core = 0; core < TX_CORES; core++) write_elsewhere(chip, g, first, core, file);
  fputc('\n', file);
  free(text);
}

/* The smallest groups first: most tiles of a chip are idle, and the tile with the mistake is among the others. */
static void write_tiles(struct chip *chip, struct host_kernels *kernels, bool hangs, FILE *file) {
  struct groups *g = calloc(1, sizeof *g);
  if (!g) {
    fputs("no memory for the states of the tiles\n", file);
    return;
  }
  find_groups(chip, kernels, g);
  for (unsigned size = 1; size <= CHIP_TILES; size++)
    for (unsigned tile = 0; tile < CHIP_TILES; tile++)
      if (g->first[tile] == tile && g->count[tile] == size) write_group(chip, kernels, hangs, g, tile, file);
  free(g);
}

/* --- the hang --- */

/* Firmware and the dispatcher, which wait for work, are no part of a hang: only kernels of the user's program count. */
static bool is_hang(const struct chip *chip, bool idle, const struct obs_chip_hang *hang) {
  if (!hang->waiter_count) return false;
  for (uint32_t i = 0; i < hang->party_count; i++)
    if (hang->parties[i].party.state == OBS_PARTY_RUNNING && !idle) return false;
  return idle || chip_now(chip) - hang->cycle >= HANG_CYCLES;
}

/* Is a core in code that is neither firmware nor the dispatcher's? */
static bool runs_kernel(struct host_kernels *kernels, const struct tx_tile *t) {
  for (unsigned core = 0; core < TX_CORES; core++) {
    if (t->core[core].state == TX_CORE_HELD) continue;
    if (!host_kernels_place(kernels, core, dbg_program_holding_pc(&t->core[core]))->library) return true;
  }
  for (unsigned thread = 0; thread < TX_THREADS; thread++) { /* its core may be back in firmware */
    uint32_t pc = host_kernels_thread_pc(t, thread);
    if (pc && host_kernels_place(kernels, thread, pc)->user) return true;
  }
  return false;
}

struct kernel_tiles {
  struct dbg_program program[CHIP_TILES];
  bool runs[CHIP_TILES];
};

static const struct dbg_program *program_of(void *tiles, unsigned tile) {
  return &((struct kernel_tiles *)tiles)->program[tile];
}

/* Writes the cause. false: no hang, or out of memory. */
static bool write_hang(struct chip *chip, struct host_kernels *kernels, bool idle, FILE *file) {
  struct kernel_tiles *tiles = calloc(1, sizeof *tiles);
  bool hangs = false;
  for (unsigned tile = 0; tile < CHIP_TILES && tiles; tile++) {
    const struct tx_tile *t = chip_tensix_seen(chip, tile);
    if (!t) continue;
    host_kernels_find(kernels, t);
    tiles->program[tile] = kernels->program;
    tiles->runs[tile] = runs_kernel(kernels, t);
  }
  struct obs_chip_hang *hang = tiles ? obs_chip_hang_find_in(chip, tiles->runs, program_of, tiles) : NULL;
  if (hang && (hangs = is_hang(chip, idle, hang))) {
    fprintf(file, "hang after %llu cycles: %s\n", (unsigned long long)hang->cycle, hang->cause);
    fprintf(file, "kernels of %u tile%s wait; the waits are with the tiles\n\n", hang->tiles, hang->tiles == 1 ? "" : "s");
  }
  free(hang);
  free(tiles);
  return hangs;
}

/* --- findings --- */

uint64_t host_report_findings(struct chip *chip, bool errors) {
  uint64_t count = 0;
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
    const struct tx_tile *t = chip_tensix_seen(chip, tile);
    for (unsigned i = 0; t && i < t->diag.finding_count; i++)
      count += !errors || tx_diag_infos[t->diag.findings[i].id].severity == SIM_ERROR;
  }
  return count;
}

/* One side of a finding as "BRISC cq_dispatch.cpp:307", if its code is the vendor's firmware or dispatcher. */
static bool is_vendors(struct host_kernels *kernels, const uint8_t *l1, unsigned agent, uint32_t pc, char *text,
                       size_t size) {
  struct dbg_source source;
  char line[128];
  unsigned core = core_of(agent);
  if (!pc || core >= TX_CORES) return false;
  find_at(kernels, l1, core, pc);
  if (!host_kernels_run_library(kernels, core)) return false;
  dbg_program_source(&kernels->program, core, pc, &source);
  dbg_source_text(&source, line, sizeof line);
  snprintf(text, size, "%s %.80s", obs_agent_name(agent), line);
  return true;
}

static void write_finding(struct chip *chip, struct host_kernels *kernels, struct host_findings *findings, unsigned tile,
                          unsigned i, FILE *file) {
  const struct tx_tile *t = chip_tensix_seen(chip, tile);
  const struct tx_finding *f = &t->diag.findings[i];
  const struct tx_diag_info *info = &tx_diag_infos[f->id];
  char name[16], side[512];
  tile_name(chip, tile, name, sizeof name);
  side_text(kernels, host_findings_l1(findings, t, tile, i, 0), f->agent, f->pc, side, sizeof side);
  fprintf(file, "%s at tile %s, cycle %llu, %llu time%s: %s: %s%s%s\n  by %s\n", obs_severity_name(info->severity), name,
          (unsigned long long)f->first_cycle, (unsigned long long)f->count, f->count == 1 ? "" : "s", info->name, info->what,
          f->why[0] ? ": " : "", f->why, side);
  side_text(kernels, host_findings_l1(findings, t, tile, i, 1), f->other.agent, f->other.pc, side, sizeof side);
  if (f->other.tile) tile_name(chip, f->other.tile - 1, name, sizeof name);
  if (f->other.known) fprintf(file, "  against %s%s%s\n", side, f->other.tile ? " of tile " : "", f->other.tile ? name : "");
  struct sim_text help = {side, sizeof side, 0};
  obs_finding_help(&help, f->id);
  fprintf(file, "  help: %s\n\n", side);
}

/* Unordered accesses of which both sides are the vendor's own code, by their lines. */
struct vendors {
  unsigned pairs, count;
  struct {
    char by[96], against[96];
    unsigned count;
  } pair[PAIRS_MAX];
};

static bool add_vendors(struct vendors *v, const char *by, const char *against) {
  unsigned i = 0;
  while (i < v->pairs && (strcmp(v->pair[i].by, by) != 0 || strcmp(v->pair[i].against, against) != 0)) i++;
  if (i == PAIRS_MAX) return false;
  if (i == v->pairs) {
    snprintf(v->pair[i].by, sizeof v->pair[i].by, "%s", by);
    snprintf(v->pair[i].against, sizeof v->pair[i].against, "%s", against);
    v->pairs++;
  }
  v->pair[i].count++;
  v->count++;
  return true;
}

static bool takes_finding(struct vendors *v, struct host_kernels *kernels, struct host_findings *findings,
                          const struct tx_tile *t, unsigned tile, unsigned i) {
  const struct tx_finding *f = &t->diag.findings[i];
  char by[96], against[96];
  if (f->id != TX_DIAG_L1_UNORDERED || !f->other.known) return false;
  return is_vendors(kernels, host_findings_l1(findings, t, tile, i, 0), f->agent, f->pc, by, sizeof by) &&
         is_vendors(kernels, host_findings_l1(findings, t, tile, i, 1), f->other.agent, f->other.pc, against,
                    sizeof against) &&
         add_vendors(v, by, against);
}

static void write_vendors(const struct vendors *v, FILE *file) {
  if (!v->count) return;
  fprintf(file,
          "%u finding%s L1_UNORDERED between lines of the vendor's own firmware and dispatcher (docs/guide/ttnn.md):\n",
          v->count, v->count == 1 ? "" : "s");
  for (unsigned i = 0; i < v->pairs; i++)
    fprintf(file, "  %u: %s against %s\n", v->pair[i].count, v->pair[i].by, v->pair[i].against);
  fputc('\n', file);
}

/* What a mistake of the user's program causes comes first. */
static void write_findings(struct chip *chip, struct host_kernels *kernels, struct host_findings *findings, FILE *file) {
  struct vendors *v = calloc(1, sizeof *v);
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
    const struct tx_tile *t = chip_tensix_seen(chip, tile);
    for (unsigned i = 0; t && i < t->diag.finding_count; i++)
      if (!v || !takes_finding(v, kernels, findings, t, tile, i)) write_finding(chip, kernels, findings, tile, i, file);
  }
  findings->vendors = v ? v->count : 0;
  if (v) write_vendors(v, file);
  free(v);
}

void host_report_write(struct chip *chip, const struct host *host, struct host_kernels *kernels,
                       struct host_findings *findings, const char *when, const char *process, FILE *file) {
  char *text = malloc(TEXT_BYTES);
  fprintf(file, "Tessera report (%s), cycle %llu, process %s\n\n", when, (unsigned long long)chip_now(chip), process);
  if (text) {
    host_report_error(chip, kernels, text, TEXT_BYTES);
    fprintf(file, "%s%s", text, text[0] ? "\n" : "");
    free(text);
  }
  if (host->lost) fprintf(file, "accesses of the host to unmapped addresses: %llu\n\n", (unsigned long long)host->lost);
  bool hangs = !chip_fault(chip, NULL) && write_hang(chip, kernels, host->time->idle, file);
  write_findings(chip, kernels, findings, file);
  write_tiles(chip, kernels, hangs, file);
}
