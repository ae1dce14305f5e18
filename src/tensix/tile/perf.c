/* The registers of the performance counters of perf.h. */
#include "tensix/tile/perf.h"

#include "chips/blackhole/perf_map.h"
#include "tensix/machine.h"

enum group { INSTRN_THREAD, TDMA_UNPACK, TDMA_PACK, DBG_L1, FPU };
enum evidence { DOCUMENT, INFERRED, NONE };

static const uint16_t group_base[TX_PERF_GROUPS] = {TX_CONTROL_PERF_CNT_INSTRN_THREAD0, TX_CONTROL_PERF_CNT_TDMA_UNPACK0,
                                                    TX_CONTROL_PERF_CNT_TDMA_PACK0, TX_CONTROL_PERF_CNT_L1_0,
                                                    TX_CONTROL_PERF_CNT_FPU0};
static const char *const group_name[TX_PERF_GROUPS] = {"INSTRN_THREAD", "TDMA_UNPACK", "TDMA_PACK", "DBG_L1", "FPU"};

struct count {
  uint8_t group, mux, signal, evidence;
  uint16_t select;
  const char *name;
};
static const struct count counts[] = {
#define PERF(group, mux, select, name, signal, evidence, what) {group, mux, TX_PERF_##signal, evidence, select, #name},
#include "chips/blackhole/perf.def"
#undef PERF
};

/* The vendor's inventory has one row for grants that share a signal (perf_map.h). tt-llk reads some of them. */
static uint32_t without_aliases(unsigned group, uint32_t select) {
  if (group != INSTRN_THREAD) return select;
  uint32_t grant = select - TX_PERF_GRANT_FIRST, stall = select - TX_PERF_STALL_FIRST;
  if (grant < TX_THREADS * TX_PERF_GRANT_CLASSES) return select - grant % TX_PERF_GRANT_CLASSES;
  if (stall < TX_THREADS * TX_PERF_STALL_REASONS) return TX_PERF_STALL_ROW + stall / TX_PERF_STALL_REASONS;
  return select;
}

static const struct count *find(unsigned group, uint32_t mux, uint32_t select) {
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    if (counts[i].group == group && counts[i].mux == mux && counts[i].select == select) return &counts[i];
  return NULL;
}

/* --- writes --- */

static uint32_t l1_mux(const struct tx_tile *t) { return t->control.word[TX_CONTROL_PERF_CNT_MUX_CTRL / 4] >> 4 & 7u; }

static void start(struct tx_tile *t, unsigned group) {
  struct tx_perf_group *g = &t->perf.group[group];
  uint32_t period = t->control.word[group_base[group] / 4], mode = t->control.word[group_base[group] / 4 + 1] & 0xffu;
  if (mode > 2 || (mode == 1 && !period)) {
    tx_fault(t, SIM_FAULT_UNDEFINED, "performance_counters.md",
             mode == 1 ? "performance counters %s: mode 1 with a reference period of 0"
                       : "performance counters %s: no document defines this mode",
             group_name[group]);
    return;
  }
  tx_perf_begin(t, group, mode == 1 ? period : 0);
  g->started = 1;
  g->mode = mode;
  g->mux = group == DBG_L1 ? l1_mux(t) : 0;
}

/* Rising edges. Start clears the counts. */
static void start_stop(struct tx_tile *t, unsigned group, uint32_t rising) {
  if (rising & 1u) start(t, group);
  if ((rising & 2u) && (t->perf.counting >> group & 1u)) tx_perf_end(t, group);
}

void tx_perf_write(struct tx_tile *t, uint32_t offset, uint32_t value) {
  uint32_t before = t->control.word[offset / 4], rising = value & ~before;
  t->control.word[offset / 4] = value;
  if (offset == TX_CONTROL_PERF_CNT_ALL) { /* these two groups */
    start_stop(t, INSTRN_THREAD, rising);
    start_stop(t, FPU, rising);
  }
  if (offset == TX_CONTROL_PERF_CNT_MUX_CTRL && ((before ^ value) & 0x70u) && (t->perf.counting >> DBG_L1 & 1u))
    tx_diag(t, TX_DIAG_PERF_MUX, "PERF_CNT_MUX_CTRL[6:4] from %u to %u", before >> 4 & 7u, value >> 4 & 7u);
  for (unsigned group = 0; group < TX_PERF_GROUPS; group++)
    if (offset == group_base[group] + 8u) start_stop(t, group, rising);
}

/* --- reads --- */

static uint32_t cycles(const struct tx_tile *t, const struct tx_perf_group *g, bool counting) {
  if (!g->started || g->mode == 2) return 0;
  return (uint32_t)((counting ? t->engine.now : g->stopped_at) - g->started_at);
}

bool tx_perf_read(struct tx_tile *t, uint32_t offset, uint32_t *value) {
  unsigned group = (offset - TX_CONTROL_PERF_CNT_OUT_L_INSTRN_THREAD) / 8;
  const struct tx_perf_group *g = &t->perf.group[group];
  if (t->perf.counting) tx_perf_look(t, NULL);
  bool counting = t->perf.counting >> group & 1u;
  *value = cycles(t, g, counting);
  if (offset % 8 == 0) return true;
  uint32_t select = t->control.word[(group_base[group] + 4u) / 4] >> 8 & 0x1ffu;
  uint32_t mux = group != DBG_L1 ? 0 : g->started ? g->mux : l1_mux(t);
  const struct count *count = find(group, mux, without_aliases(group, select));
  if (!count) {
    tx_fault(t, SIM_FAULT_UNSUPPORTED, "performance_counters.md",
             group == DBG_L1 ? "performance counter %u of group %s (PERF_CNT_MUX_CTRL[6:4] %u): no document lists it"
                             : "performance counter %u of group %s: no document lists it",
             select, group_name[group], mux);
    return false;
  }
  if (count->evidence == NONE) tx_diag(t, TX_DIAG_PERF_NO_SIGNAL, "%s reads 0", count->name);
  *value = counting ? t->perf.sum[count->signal] - g->base[count->signal] : g->base[count->signal];
  return true;
}
