/* Instruction cache and branch predictor of a baby core.
 *
 * The cache: 4 KiB, two ways, lines of 16 bytes, LRU replacement. No Blackhole page gives its shape; this one reproduces silicon's loops
 * of 4096 to 8192 bytes (docs/evidence/time.md) to half a per cent. It holds copies and is not coherent: code written to L1 is not
 * visible until the line is replaced, the core is reset, or RISCV_IC_INVALIDATE is written. A missing line arrives five cycles after it
 * is needed, and the lines after it every five cycles (silicon: one line per 5.0 cycles); the prefetcher has no other effect.
 *
 * The predictor: per branch, with its address as a tag, the last outcome selects a bit that holds the outcome that followed it last
 * time; without one the prediction is the last outcome, at first not taken. Indirect jumps are predicted to their last target. Silicon:
 * a loop of i = 2, 4, 8 ... 64 iterations takes its body i times and eight cycles more (two mispredictions), which one bit matches and
 * two outcomes of history do not; branches never and always taken cost one cycle; the unpack thread of matmul_tiles, whose branches
 * alternate, takes 34.7 cycles per call, which the last outcome alone does not match; BRISC's first pass over 64 taken branches costs
 * about 4 cycles each. The number of entries is inferred. */
#include "tensix/riscv/fetch.h"

#include <string.h>

#include "sim/keep.h"

/* --- instruction cache --- */

static void invalidate(struct tx_core *c) {
  memset(c->fetch.tag, 0, sizeof c->fetch.tag);
  c->fetch.line = 0;
}

static bool fetchable(struct tx_core_run *run, uint32_t pc) {
  if (pc <= run->t->l1_bytes - 4 && !(pc & 3u)) return true;
  run->t->current = (struct tx_current){.agent = run->agent, .pc = pc, .unit = TX_UNIT_FRONTEND};
  tx_fault(run->t, SIM_FAULT_ADDRESS, "BabyRISCV/README.md",
           "%s: pc 0x%08x: instructions are fetched from L1 only (below 0x%x), aligned to four bytes",
           tx_core_name_in(run->t, run->core), pc, run->t->l1_bytes);
  return false;
}

/* Silicon: a first line costs about five cycles, a stream of them five each. */
static sim_time line_arrival(struct tx_core_run *run, uint32_t line) {
  struct tx_core *c = run->c;
  uint32_t cycles = run->t->params.fetch_line_cycles;
  sim_time needed = c->clock, streaming = c->fetch.arrival + cycles;
  if (c->fetch.arrival && (needed <= streaming || line == c->fetch.fetched + 16)) return tx_later_of(needed, streaming);
  return needed + cycles;
}

/* L1 was written since the line was fetched: hardware executes the old words, and so does the model. */
static void check_stale(struct tx_core_run *run, uint32_t line, uint32_t pc) {
  const struct tx_core_fetch *f = &run->c->fetch;
  tx_assert(f->slot < TX_IC_LINES && line < TX_L1_BYTES && !(line & 15u));
  const uint32_t *words = &f->words[f->slot * TX_IC_WORDS];
  if (memcmp(words, &run->t->l1[line], 16) == 0) return;
  run->t->current =
      (struct tx_current){.agent = run->agent, .word = words[pc >> 2 & 3u], .pc = pc, .unit = TX_UNIT_FRONTEND};
  tx_diag(run->t, TX_DIAG_STALE_CODE, "%s at 0x%x", tx_core_name_in(run->t, run->core), pc);
}

const struct tx_insn *tx_fetch_decode(struct tx_core_run *run, uint32_t slot) {
  struct tx_core_cache *cache = &run->t->unsaved.cores;
  tx_assert(slot < TX_IC_LINES);
  const uint32_t *words = &run->c->fetch.words[slot * TX_IC_WORDS];
  const uint32_t line = cache->code ? tx_code_find(cache->code, words) : 0;
  cache->line[run->core][slot] = line;
  if (line) return cache->code->line[line];
  struct tx_insn *own = cache->own[run->core];
  for (unsigned i = 0; i < TX_IC_WORDS; i++) own[i] = tx_rv_decode(words[i]);
  return own;
}

int tx_fetch_slot(const struct tx_core *c, uint32_t pc) {
  uint32_t line = pc & ~15u, set = line >> 4 & (TX_IC_SETS - 1);
  for (unsigned way = 0; way < TX_IC_WAYS; way++)
    if (c->fetch.tag[set * TX_IC_WAYS + way] == line + 1) return (int)(set * TX_IC_WAYS + way);
  return -1;
}

/* The fill of a line, an invalidation and a fault belong to their cycle: other agents may write before. false: a core that
 * runs ahead has to wait for it. */
static bool in_its_cycle(struct tx_core_run *run) {
  const bool in_turn = !run->t->timing && !sim_must_return(&run->t->engine, run->c->clock); /* no effect before */
  if (in_turn || tx_core_reach_load(run, run->c->clock)) return true;
  run->wake = run->c->clock;
  return false;
}

/* Fills the line from L1 into the least recently used way. */
static void fill(struct tx_core_run *run, uint32_t line, uint32_t set) {
  struct tx_core_fetch *f = &run->c->fetch;
  unsigned way = !f->recent[set];
  if (!f->tag[set * TX_IC_WAYS]) way = 0;
  f->recent[set] = (uint8_t)way;
  f->slot = set * TX_IC_WAYS + way;
  tx_assert(f->slot < TX_IC_LINES && line < TX_L1_BYTES);
  f->tag[f->slot] = f->line = line + 1;
  memcpy(&f->words[f->slot * TX_IC_WORDS], &run->t->l1[line], 16);
  run->t->unsaved.cores.line[run->core][f->slot] = 0;
  if (run->t->timing) f->ready = f->arrival = line_arrival(run, line);
  f->fetched = line;
  if (run->c->spin.seen > 1) run->c->spin.seen = 0; /* the loop fetches lines again, which may be others: it is not parked */
}

bool tx_fetch_line(struct tx_core_run *run, uint32_t pc) {
  struct tx_core_fetch *f = &run->c->fetch;
  uint32_t line = pc & ~15u, set = line >> 4 & (TX_IC_SETS - 1), wanted = tx_core_cache_bit(run->core);
  bool invalidates = run->t->config.ic_invalidate & wanted;
  int slot = invalidates ? -1 : tx_fetch_slot(run->c, pc);
  if (slot >= 0 && !(pc & 3u)) { /* a line in the cache was fetched before */
    f->recent[set] = (uint8_t)((uint32_t)slot - set * TX_IC_WAYS);
    f->slot = (uint32_t)slot;
    f->line = line + 1;
    f->ready = 0;
    check_stale(run, line, pc);
    return !run->t->fault.kind; /* strict mode stops the core */
  }
  if (!in_its_cycle(run)) return false;
  if (invalidates) {
    run->t->config.ic_invalidate &= ~wanted;
    invalidate(run->c);
  }
  if (!fetchable(run, pc)) return false;
  fill(run, line, set);
  return true;
}

/* --- branch predictor --- */

/* The state of a branch: its last outcome, and for each outcome the one that followed it last time, if any. */
enum { LAST = 1, SEEN = 2, NEXT = 8 }; /* SEEN and NEXT: shifted by the previous outcome */

static bool predict(unsigned entry) {
  unsigned before = entry & LAST, seen = (unsigned)SEEN << before, next = (unsigned)NEXT << before;
  return (entry & seen) ? (entry & next) != 0 : before;
}

static uint8_t learn(unsigned entry, bool taken) {
  unsigned before = entry & LAST, next = (unsigned)NEXT << before;
  entry |= (unsigned)SEEN << before;
  entry = taken ? entry | next : entry & ~next;
  return (uint8_t)((entry & ~(unsigned)LAST) | taken);
}

bool tx_fetch_mispredicts(struct tx_core *c, uint32_t pc, bool taken, uint32_t target, bool indirect) {
  uint32_t index = pc >> 2 & (TX_BP_ENTRIES - 1);
  struct tx_core_fetch *f = &c->fetch;
  if (c->csr[TX_CSR_CFG0] & TX_CFG0_NO_PREDICTOR) return taken;
  if (f->branch[index] != pc + 1) { /* a new branch, or its entry was replaced: as if it had not been taken */
    if (!taken) return false;
    f->branch[index] = pc + 1;
    f->outcomes[index] = 0;
  }
  bool wrong = predict(f->outcomes[index]) != taken;
  if (indirect) {
    wrong |= f->target[index] != target;
    f->target[index] = target;
  }
  f->outcomes[index] = learn(f->outcomes[index], taken);
  return wrong;
}
