/* The report of report.h. Stalls in progress are counted up to the present cycle. */
#include "observe/report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "observe/hang/chip.h"
#include "observe/hang/hang.h"
#include "observe/hang/limit.h"
#include "observe/words.h"
#include "sim/text.h"

bool obs_report_failed(const struct obs_report *r, struct dbg_failure *failure) {
  return r->program && dbg_program_failure(r->program, r->t, failure);
}

/* The result of this tile; `r` has that of the run. */
static const char *end_of_tile(const struct obs_report *r) {
  struct dbg_failure failure;
  if (obs_report_failed(r, &failure)) return "fault";
  switch (r->end) {
    case SIM_END_DONE: return "done";
    case SIM_END_BLOCKED: return "hang";
    case SIM_END_TIME: return r->code > OBS_CODE_SIGNAL + 1 ? "interrupted" : "limit";
    default: return r->t->fault.kind == SIM_FAULT_HAZARD ? "hazard" : r->t->fault.kind ? "fault" : "stopped";
  }
}

const char *obs_end_name(const struct obs_report *r) {
  if (r->code == OBS_CODE_FAULT + 1) return "fault";
  return r->code == OBS_CODE_HANG + 1 ? "hang" : end_of_tile(r);
}

static bool has_findings(const struct tx_tile *t, uint32_t least) {
  for (unsigned id = 0; id < TX_DIAG_COUNT; id++)
    if (t->diag.counts[id] && tx_diag_infos[id].severity >= least) return true;
  return false;
}

int obs_report_code(const struct obs_report *r) {
  if (r->code) return r->code - 1;
  struct dbg_failure failure;
  const uint32_t kind = r->t->fault.kind;
  if ((kind && kind != SIM_FAULT_HAZARD) || obs_report_failed(r, &failure)) return OBS_CODE_FAULT;
  if (r->end == SIM_END_BLOCKED) return OBS_CODE_HANG;
  if (has_findings(r->t, r->t->diag.strict ? SIM_WARNING : SIM_ERROR)) return OBS_CODE_FINDING;
  return r->end == SIM_END_TIME && !r->wanted ? OBS_CODE_LIMIT : OBS_CODE_OK;
}

/* For a hang: up to the last progress. The clock of a chip advances to the end of its slice. */
uint64_t obs_report_cycles(const struct obs_report *r) {
  sim_time failed;
  if (r->program && dbg_program_failed_at(r->program, r->t, &failed)) return failed;
  if (r->t->fault.kind) return r->t->fault.cycle;
  if (r->end != SIM_END_BLOCKED) return r->ended ? r->ended : r->t->engine.now;
  if (r->chip_hang) return r->chip_hang->cycle;
  const struct obs_report *hung = r->hung ? r->hung : r;
  struct obs_hang *hang = obs_hang_new(hung->t, hung->program);
  const uint64_t cycle = hang ? hang->cycle : r->t->engine.now;
  free(hang);
  return cycle;
}

/* --- places --- */

static unsigned core_behind(unsigned agent) {
  return agent <= TX_AGENT_THREAD2                              ? agent
         : agent >= TX_AGENT_TRISC0 && agent <= TX_AGENT_NCRISC ? agent - TX_AGENT_TRISC0
                                                                : TX_CORES;
}

void obs_finding_place(const struct obs_report *r, const struct tx_finding *f, struct dbg_source *out) {
  dbg_program_source(r->program, core_behind(f->agent), f->pc, out);
}

static const struct dbg_program *program_beyond(const struct obs_report *r, const struct tx_finding *f, unsigned at[2]) {
  return f->other.tile && r->peer ? r->peer(r->peers, f->other.tile - 1, at) : NULL;
}

bool obs_other_tile(const struct obs_report *r, const struct tx_finding *f, unsigned at[2]) {
  return program_beyond(r, f, at) != NULL;
}

void obs_other_place(const struct obs_report *r, const struct tx_finding *f, struct dbg_source *out) {
  unsigned at[2];
  const struct dbg_program *program = f->other.tile ? program_beyond(r, f, at) : r->program;
  dbg_program_source(program, core_behind(f->other.agent), f->other.known ? f->other.pc : 0, out);
}

void obs_fault_place(const struct obs_report *r, struct dbg_source *out) {
  struct dbg_jump jump;
  if (dbg_program_wild_jump(r->program, r->t, &jump)) *out = jump.place;
  else dbg_program_source(r->program, core_behind(r->t->fault.agent), r->t->fault.kind ? r->t->fault.pc : 0, out);
}

/* "reader.c:14 (deliver, in cb_wait_front): ", or "" */
static void add_place(struct sim_text *out, const struct dbg_source *place) {
  char line[160];
  dbg_source_text(place, line, sizeof line);
  if (!line[0]) return;
  sim_text_add(out, "%s", line);
  if (place->function[0]) sim_text_add(out, " (%s%s%s)", place->function, place->call[0] ? ", in " : "", place->call);
  sim_text_add(out, ": ");
}

static double share(uint64_t part, uint64_t whole) { return whole ? 100.0 * (double)part / (double)whole : 0.0; }

uint64_t obs_thread_stalled(const struct tx_tile *t, unsigned thread, unsigned kind, uint64_t end) {
  const struct sim_wait *wait = &t->engine.agents[tx_agent_of_thread(thread)].wait;
  uint64_t cycles = tx_gate_stalled(t, thread, kind), behind = 0;
  if (wait->kind == kind && t->engine.now > end) behind = t->engine.now - (wait->since > end ? wait->since : end);
  return cycles > behind ? cycles - behind : 0;
}

static void add_threads(struct sim_text *out, const struct tx_tile *t, uint64_t end) {
  sim_text_add(out, "\n%-18s %10s %10s   stalled by\n", "thread", "issued", "stalled");
  for (unsigned thread = 0; thread < TX_THREADS; thread++) {
    uint64_t sum = 0;
    for (unsigned kind = 1; kind < TX_BLOCKED_COUNT; kind++)
      if (kind != TX_BLOCKED_LATCH) sum += obs_thread_stalled(t, thread, kind, end);
    sim_text_add(out, "%-18s %10llu %10llu  ", obs_agent_name(tx_agent_of_thread(thread)),
                 (unsigned long long)t->gate[thread].issued, (unsigned long long)sum);
    for (unsigned kind = 1; kind < TX_BLOCKED_COUNT; kind++) {
      uint64_t stalled = obs_thread_stalled(t, thread, kind, end);
      if (stalled && kind != TX_BLOCKED_LATCH)
        sim_text_add(out, " %s %llu", obs_wait_name(kind), (unsigned long long)stalled);
    }
    sim_text_add(out, "\n");
  }
}

static void add_units(struct sim_text *out, const struct tx_tile *t, uint64_t end) {
  bool any = false;
  for (unsigned unit = 0; unit < TX_UNIT_COUNT; unit++) {
    const struct tx_unit_state *u = &t->units[unit];
    uint64_t accepted = u->accepted[0] + u->accepted[1] + u->accepted[2];
    uint64_t busy = u->busy_cycles < end ? u->busy_cycles : end;
    if (!accepted) continue;
    if (!any) sim_text_add(out, "\n%-18s %10s %8s\n", "unit", "accepted", "occupied");
    any = true;
    sim_text_add(out, "%-18s %10llu %7.1f%%\n", obs_unit_name(unit), (unsigned long long)accepted, share(busy, end));
  }
}

struct obs_hang *obs_report_hang(const struct obs_report *r) {
  return r->end != SIM_END_BLOCKED || r->t->fault.kind ? NULL : obs_hang_new(r->t, r->program);
}

const char *obs_core_state(const struct tx_tile *t, const struct obs_hang *hang, unsigned core) {
  static const char *const states[] = {"held", "running", "ebreak"};
  const char *in_hang = hang && t->core[core].state == TX_CORE_RUNNING ? obs_hang_core_state(hang, core) : NULL;
  return in_hang ? in_hang : states[t->core[core].state % 3];
}

uint64_t obs_core_cycles(const struct obs_report *r, unsigned core, uint64_t end) {
  uint64_t cycles = tx_core_cycles(r->t, core), started = r->t->core[core].started_at;
  if (r->t->core[core].state != TX_CORE_RUNNING) return cycles;
  return end > started && cycles > end - started ? end - started : cycles;
}

/* Cores that have run: instructions, cycles since they left reset, cycles per instruction. */
static void add_cores(struct sim_text *out, const struct obs_report *r) {
  const struct tx_tile *t = r->t;
  struct obs_hang *hang = obs_report_hang(r);
  bool any = false;
  const uint64_t end = obs_report_cycles(r);
  for (unsigned core = 0; core < TX_CORES; core++) {
    const struct tx_core *c = &t->core[core];
    uint64_t cycles = obs_core_cycles(r, core, end);
    if (c->state == TX_CORE_HELD && !c->retired) continue;
    if (!any) sim_text_add(out, "\n%-18s %10s %10s %8s  state\n", "core", "instr.", "cycles", "cyc/in.");
    any = true;
    sim_text_add(out, "%-18s %10llu %10llu %8.2f  %s\n", tx_core_name(core), (unsigned long long)c->retired,
                 (unsigned long long)cycles, c->retired ? (double)cycles / (double)c->retired : 0.0,
                 obs_core_state(t, hang, core));
  }
  free(hang);
}

/* The matrix unit accepts at most one instruction per cycle. */
double obs_matrix_share(const struct obs_report *r) {
  const uint64_t *a = r->t->units[TX_UNIT_MATRIX].accepted;
  return share(a[0] + a[1] + a[2], obs_report_cycles(r));
}

const char *obs_severity_name(uint32_t severity) {
  return severity == SIM_NOTE ? "note" : severity == SIM_WARNING ? "warning" : "error";
}

static void add_finding_counts(struct sim_text *out, const struct tx_tile *t) {
  sim_text_add(out, "\nfindings, counted only\n");
  for (unsigned id = 0; id < TX_DIAG_COUNT; id++)
    if (t->diag.counts[id])
      sim_text_add(out, "%-8s %-24s %10llu\n", obs_severity_name(tx_diag_infos[id].severity), tx_diag_infos[id].name,
                   (unsigned long long)t->diag.counts[id]);
}

const char *obs_finding_advice(uint32_t id) {
  switch (id) {
    case TX_DIAG_CB_RACE:
      return "the producer calls cb_reserve_back before it fills and cb_push_back after everything that fills; the "
             "consumer calls "
             "cb_wait_front before it reads and cb_pop_front after everything that reads";
    case TX_DIAG_CB_COUNT: return "push what was reserved, pop what was waited for";
    case TX_DIAG_CB_TWO_SIDES: return "a circular buffer has one producer and one consumer: give each pair of cores its own";
    case TX_DIAG_CB_NOT_HELD: return "pop after the last use, push after the fill, reserve as many pages as are filled";
    case TX_DIAG_CB_OUTSIDE: return "compare the page size, the data format and the index of the tile";
    case TX_DIAG_CB_OVERLAP: return "move one of them: addresses come from the host's launch block";
    case TX_DIAG_CB_LEFT: return "pop them, or push fewer";
    case TX_DIAG_DST_RACE:
      return "math: tile_regs_acquire before, tile_regs_commit after; pack: tile_regs_wait before, tile_regs_release "
             "after. By hand: "
             "SEMWAIT before the first use, STALLWAIT for the unit before SEMPOST or SEMGET";
    case TX_DIAG_GPR_RACE: return "STALLWAIT for THCON (a core's store: TRISC_CFG) that blocks the reader";
    case TX_DIAG_CFG_RACE:
      return "STALLWAIT that blocks CFG until the unit is idle, or tensix_sync before a core's store; after the store a "
             "STALLWAIT for "
             "TRISC_CFG that blocks the unit";
    case TX_DIAG_MOP_RACE: return "mop_sync() before the template is written";
    case TX_DIAG_L1_RACE:
    case TX_DIAG_L1_UNORDERED:
      return "let one wait for the other: a circular buffer, a semaphore, a barrier, a flag that is polled";
    case TX_DIAG_DRAM_UNORDERED: return "noc_async_write_barrier, then a semaphore or a flag; the reader waits for it";
    case TX_DIAG_NOC_LEFT: return "a barrier at the end of the kernel, or the last request of a linked transaction";
    case TX_DIAG_TENSOR_FORMAT: return "name the tensor in place of the buffer's format: 'buffer INDEX PAGES TENSOR'";
    case TX_DIAG_OPERATION_MISMATCH: return "the operation's own init before it, again after every other operation";
    case TX_DIAG_REDUCE_UNFINISHED: return "reduce_row_done between the last reduce_tile and tile_regs_commit";
    case TX_DIAG_L1_UNDEFINED:
      return "fill the page before cb_push_back, wait for the NoC read, clear what is added to, or write it from the host";
    case TX_DIAG_DST_CLEARED: return "compare the tile index with the one that the math core writes";
    case TX_DIAG_CODE_WRITTEN: return "compare the address with the launch block's buffers";
    case TX_DIAG_STACK_OVERFLOW: return "smaller local arrays, or static ones in L1";
    case TX_DIAG_STACK_UNDEFINED: return "initialise the variable on every path";
    case TX_DIAG_DRAM_OUTSIDE:
      return "compare the page number, the page size and the address with the tensor's; declare scratch memory as a tensor";
    case TX_DIAG_GPR_UNDEFINED: return "write the register first: SETDMAREG, LOADIND or a store of the core";
    case TX_DIAG_FORMAT_MISMATCH: return "reconfigure the unit for this buffer, or give the buffer the intended format";
    case TX_DIAG_REPLAY_OVERWRITTEN: return "other slots for one of them, or its recording again before it is played";
    case TX_DIAG_SEM_LEFT: return "tile_regs_release for every tile_regs_commit; by hand: SEMGET for every SEMPOST";
    case TX_DIAG_MUTEX_LEFT: return "ATRELM (t6_mutex_release) on every exit path";
    case TX_DIAG_DST_FORMAT:
      return "one DST_ACCUM_MODE for math and pack: ALU_ACC_CTRL_Fp32_enabled is PCK_DEST_RD_CTRL_Read_32b_data";
    case TX_DIAG_GPR_UNWAITED: return "STALLWAIT for THCON that blocks CFG, as in the vendor's kernels";
    case TX_DIAG_SRC_LEDGER: return "count the UNPACRs with dvalid against the instructions that clear it";
    default: return "";
  }
}

void obs_finding_page(struct sim_text *out, uint32_t id) {
  sim_text_add(out, "docs/reference/diagnostics.md#"); /* anchors of the built site are in lower case */
  for (const char *name = tx_diag_infos[id].name; *name; name++)
    sim_text_add(out, "%c", *name >= 'A' && *name <= 'Z' ? *name - 'A' + 'a' : *name);
}

void obs_finding_help(struct sim_text *out, uint32_t id) {
  const char *advice = obs_finding_advice(id);
  sim_text_add(out, "%s%stessera explain %s (", advice, advice[0] ? "; " : "", tx_diag_infos[id].name);
  obs_finding_page(out, id);
  sim_text_add(out, ")");
}

/* "thread 2 (pack), PACR 0x41000000", "NCRISC, pc 0x8140"; what is left at the end of a run has no word: "thread 2 (pack)" */
static void add_actor(struct sim_text *out, unsigned agent, uint32_t word, uint32_t pc) {
  const char *name = tx_ops[word >> 24].name;
  if (agent >= TX_AGENT_TRISC0) sim_text_add(out, "%s, pc 0x%x", obs_agent_name(agent), pc);
  else if (!word) sim_text_add(out, "%s", obs_agent_name(agent));
  else sim_text_add(out, "%s, %s 0x%08x", obs_agent_name(agent), name ? name : "word", word);
}

static void add_other_side(struct sim_text *out, const struct obs_report *r, const struct tx_finding *f) {
  struct dbg_source place;
  unsigned at[2];
  if (f->other.known) {
    obs_other_place(r, f, &place);
    sim_text_add(out, "  other side: ");
    add_place(out, &place);
    add_actor(out, f->other.agent, f->other.word, f->other.pc);
    if (obs_other_tile(r, f, at)) sim_text_add(out, ", tile (%u, %u)", at[0], at[1]);
    if (f->other.cycle) sim_text_add(out, ", cycle %llu", (unsigned long long)f->other.cycle);
    sim_text_add(out, "\n");
  }
  sim_text_add(out, "  help: ");
  obs_finding_help(out, f->id);
  sim_text_add(out, "\n");
}

static void add_finding(struct sim_text *out, const struct obs_report *r, const struct tx_finding *f) {
  const struct tx_diag_info *info = &tx_diag_infos[f->id];
  struct dbg_source place;
  obs_finding_place(r, f, &place);
  add_place(out, &place);
  sim_text_add(out, "%s: %s%s%s [", obs_severity_name(info->severity), info->what, f->why[0] ? ": " : "", f->why);
  add_actor(out, f->agent, f->word, f->pc);
  sim_text_add(out, ", first at cycle %llu, %llu time%s; %s]\n", (unsigned long long)f->first_cycle,
               (unsigned long long)f->count, f->count == 1 ? "" : "s", info->name);
  add_other_side(out, r, f);
}

size_t obs_finding_text(const struct obs_report *r, const struct tx_finding *f, char *text, size_t size) {
  struct sim_text out = {.data = text, .size = size};
  add_finding(&out, r, f);
  return out.length;
}

/* Errors first. A hang shows few of them: its own lines come first. */
#define FINDINGS_OF_HANG 4u

static void add_findings(struct sim_text *out, const struct obs_report *r) {
  const struct tx_diag *diag = &r->t->diag;
  uint32_t most = r->end == SIM_END_BLOCKED && !r->verbose ? FINDINGS_OF_HANG : TX_FINDINGS_MAX, shown = 0;
  if (!diag->finding_count) return;
  if (diag->quiet) {
    add_finding_counts(out, r->t);
    return;
  }
  sim_text_add(out, "\nfindings\n");
  for (uint32_t severity = SIM_ERROR + 1; severity-- > 0;)
    for (uint32_t i = 0; i < diag->finding_count; i++)
      if (tx_diag_infos[diag->findings[i].id].severity == severity && shown++ < most)
        add_finding(out, r, &diag->findings[i]);
  if (shown > most) sim_text_add(out, "and %u more\n", shown - most);
}

void obs_fault_words(const struct tx_tile *t, const struct dbg_program *program, char *text, size_t size) {
  struct dbg_jump jump;
  int used = 0;
  if (dbg_program_wild_jump(program, t, &jump))
    used = snprintf(text, size, "%s jumped to 0x%08x, outside its program: ", tx_core_name(jump.core), jump.to);
  if ((size_t)used < size) obs_fault_line(t, text + used, size - (size_t)used);
}

static void add_fault(struct sim_text *out, const struct obs_report *r) {
  char line[1024];
  struct dbg_source place;
  obs_fault_words(r->t, r->program, line, sizeof line);
  obs_fault_place(r, &place);
  add_place(out, &place);
  sim_text_add(out, "%s\n", line);
}

static void add_tables(struct sim_text *out, const struct obs_report *r) {
  add_cores(out, r);
  const uint64_t end = obs_report_cycles(r);
  add_threads(out, r->t, end);
  add_units(out, r->t, end);
  sim_text_add(out, "\nFPU share of peak: %.1f%% (matrix instructions per cycle)\n", obs_matrix_share(r));
}

static void add_limit(struct sim_text *out, const struct obs_report *r) {
  char words[2048] = "";
  struct sim_text text = {.data = words, .size = sizeof words};
  obs_limit_words(r->t, r->program, &text);
  if (words[0]) sim_text_add(out, ": %s", words);
}

size_t obs_report_text(const struct obs_report *r, char *text, size_t size) {
  struct sim_text out = {.data = text, .size = size};
  struct dbg_failure failure;
  if (obs_report_failed(r, &failure)) {
    sim_text_add(&out, "fault after %llu cycles: ", (unsigned long long)obs_report_cycles(r));
    add_place(&out, &failure.place);
    sim_text_add(&out, "%s stopped: %s\n", tx_core_name(failure.core), failure.text);
  } else if (r->end == SIM_END_BLOCKED) {
    struct obs_hang *hang = obs_hang_new(r->t, r->program);
    if (hang) obs_hang_text(hang, r->verbose, &out);
    else sim_text_add(&out, "hang: out of memory\n");
    free(hang);
  } else {
    sim_text_add(&out, "%s after %llu cycles", obs_end_name(r), (unsigned long long)obs_report_cycles(r));
    if (r->end == SIM_END_TIME && !r->wanted) add_limit(&out, r);
    sim_text_add(&out, "%s", r->t->fault.kind ? ": " : "\n");
  }
  if (r->t->fault.kind) add_fault(&out, r);
  add_findings(&out, r);
  if (r->checked_from)
    sim_text_add(&out, "\nthe checkers know what happened after cycle %llu\n", (unsigned long long)r->checked_from);
  if (r->end != SIM_END_BLOCKED || r->verbose) add_tables(&out, r);
  return out.length;
}
