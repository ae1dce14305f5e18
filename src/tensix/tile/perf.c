/* Performance counters of control.h: five groups, each with a reference period, a mode and a start/stop register; two output
 * registers give the cycles counted and the count that the mode register selects.
 *
 *   mode  [7:0] 0 or 2 count until stopped, 1 stop after the reference period    [16:8] which count the output shows
 *
 * All counts of a group run together; the selection only says which one is shown. Follows the vendor's counters.h and its
 * performance_counters.md; what counts as "busy" is inferred. */
#include "tensix/tile/perf.h"

#include "tensix/frontend/gate.h"
#include "tensix/machine.h"

enum group { INSTRN_THREAD, TDMA_UNPACK, TDMA_PACK, DBG_L1, FPU };

static const uint16_t group_base[TX_PERF_GROUPS] = {TX_CONTROL_PERF_CNT_INSTRN_THREAD0, TX_CONTROL_PERF_CNT_TDMA_UNPACK0,
                                                    TX_CONTROL_PERF_CNT_TDMA_PACK0, TX_CONTROL_PERF_CNT_L1_0,
                                                    TX_CONTROL_PERF_CNT_FPU0};
static const char *const group_name[TX_PERF_GROUPS] = {"INSTRN_THREAD", "TDMA_UNPACK", "TDMA_PACK", "DBG_L1", "FPU"};

static const struct {
  uint8_t group, count;
  uint16_t select;
} counts[] = {
    {INSTRN_THREAD, TX_PERF_STALLED0, 24},
    {INSTRN_THREAD, TX_PERF_STALLED1, 25},
    {INSTRN_THREAD, TX_PERF_STALLED2, 26},
    {INSTRN_THREAD, TX_PERF_SRCA_VALID, 29},
    {INSTRN_THREAD, TX_PERF_SRCB_VALID, 30},
    {INSTRN_THREAD, TX_PERF_ISSUED0, 256},
    {INSTRN_THREAD, TX_PERF_ISSUED1, 264},
    {INSTRN_THREAD, TX_PERF_ISSUED2, 272},
    {FPU, TX_PERF_MATRIX, 0},
    {FPU, TX_PERF_VECTOR, 1},
    {TDMA_UNPACK, TX_PERF_MATRIX, 3},
};

static void take_counts(const struct tx_tile *t, uint64_t out[TX_PERF_COUNTS]) {
  for (unsigned i = 0; i < TX_PERF_COUNTS; i++) out[i] = 0;
  for (unsigned thread = 0; thread < TX_THREADS; thread++) {
    out[TX_PERF_ISSUED0 + thread] = t->gate[thread].issued;
    for (unsigned kind = 1; kind < TX_BLOCKED_COUNT; kind++)
      if (kind != TX_BLOCKED_LATCH) out[TX_PERF_STALLED0 + thread] += tx_gate_stalled(t, thread, kind);
    out[TX_PERF_SRCA_VALID] += tx_gate_stalled(t, thread, TX_BLOCKED_SRCA);
    out[TX_PERF_SRCB_VALID] += tx_gate_stalled(t, thread, TX_BLOCKED_SRCB);
    out[TX_PERF_MATRIX] += t->units[TX_UNIT_MATRIX].accepted[thread];
    out[TX_PERF_VECTOR] += t->units[TX_UNIT_VECTOR].accepted[thread];
  }
}

static void start_stop(struct tx_tile *t, unsigned group, uint32_t rising) {
  struct tx_perf_group *g = &t->control.perf[group];
  if (rising & 1u) {
    *g = (struct tx_perf_group){.started_at = t->engine.now + 1};
    take_counts(t, g->at_start);
  }
  if ((rising & 2u) && g->started_at && !g->stopped_at) {
    g->stopped_at = t->engine.now + 1;
    take_counts(t, g->at_stop);
  }
}

void tx_perf_write(struct tx_tile *t, uint32_t offset, uint32_t value) {
  uint32_t rising = value & ~t->control.word[offset / 4];
  t->control.word[offset / 4] = value;
  if (offset == TX_CONTROL_PERF_CNT_ALL) { /* these two groups */
    start_stop(t, INSTRN_THREAD, rising);
    start_stop(t, FPU, rising);
  }
  for (unsigned group = 0; group < TX_PERF_GROUPS; group++) {
    if (offset == group_base[group] + 8u) start_stop(t, group, rising);
    if (offset == group_base[group] + 4u && (value & 0xffu) == 1)
      tx_fault(t, SIM_FAULT_UNSUPPORTED, "performance_counters.md",
               "performance counters %s: mode 1 (stop after a reference period) is not modelled", group_name[group]);
  }
}

bool tx_perf_read(struct tx_tile *t, uint32_t offset, uint32_t *value) {
  unsigned group = (offset - TX_CONTROL_PERF_CNT_OUT_L_INSTRN_THREAD) / 8;
  const struct tx_perf_group *g = &t->control.perf[group];
  sim_time until = g->stopped_at ? g->stopped_at : t->engine.now + 1;
  uint32_t select = t->control.word[(group_base[group] + 4u) / 4] >> 8 & 0x1ffu;
  uint64_t now[TX_PERF_COUNTS];
  *value = g->started_at ? (uint32_t)(until - g->started_at) : 0;
  if (offset % 8 == 0) return true;
  take_counts(t, now);
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
    if (counts[i].group != group || counts[i].select != select) continue;
    uint64_t end = g->stopped_at ? g->at_stop[counts[i].count] : now[counts[i].count];
    *value = g->started_at ? (uint32_t)(end - g->at_start[counts[i].count]) : 0;
    return true;
  }
  tx_fault(t, SIM_FAULT_UNSUPPORTED, "performance_counters.md", "performance counter %u of group %s is not modelled", select,
           group_name[group]);
  return false;
}
