/* Used by every block of the tile: time, delayed effects, signals, faults and findings. */
#ifndef TESSERA_TENSIX_MACHINE_H
#define TESSERA_TENSIX_MACHINE_H

#include "sim/assert.h"
#include "tensix/state.h"

#define tx_assert(condition) sim_assert(condition)

#define TX_TURN_CYCLES 1024u /* timing off: the longest turn of an agent */

static inline bool tx_is_wall_clock(uint32_t address) {
  const uint32_t offset = address - TX_ADDR_CONTROL;
  return offset == TX_CONTROL_WALL_CLOCK_0 || offset == TX_CONTROL_WALL_CLOCK_1 || offset == TX_CONTROL_WALL_CLOCK_1_AT;
}

static inline sim_time tx_now(const struct tx_tile *t) { return t->engine.now; }
/* The instruction whose body runs now, as a trail. */
static inline struct tx_trail tx_trail_now(const struct tx_tile *t) {
  return (struct tx_trail){.cycle = t->engine.now, .pc = t->current.pc, .agent = (uint16_t)t->current.agent, .known = 1};
}
/* A change by an effect is visible in this cycle, a change by an instruction in the next. */
static inline void tx_signal(struct tx_tile *t, unsigned channel) {
  tx_assert(channel < TX_CH_COUNT);
  sim_signal(&t->engine, TX_CH(channel), t->engine.now + (t->engine.in_effects ? 0 : 1));
}

/* A word of Config in a thread's bank, and of its ThreadConfig. */
static inline uint32_t tx_config_word(const struct tx_tile *t, unsigned thread, unsigned index) {
  return t->config.words[TX_CFG_BANK(t, thread)][index];
}
static inline uint16_t tx_thread_config_word(const struct tx_tile *t, unsigned thread, unsigned index) {
  return t->config.thread_words[thread][index];
}

/* Records an event (events.def). Events, faults and findings are cold: their code is placed out of line. */
__attribute__((cold)) void tx_emit_slow(struct tx_tile *t, enum tx_event kind, unsigned agent, uint32_t a, uint32_t b,
                                        uint64_t c);
static inline void tx_emit(struct tx_tile *t, enum tx_event kind, unsigned agent, uint32_t a, uint32_t b, uint64_t c) {
  if (sim_log_wants(&t->unsaved.log, kind)) tx_emit_slow(t, kind, agent, a, b, c);
}
/* The agent is blocked on this resource from now on (sim_block); kind 0: it is no longer blocked. */
void tx_block_slow(struct tx_tile *t, unsigned agent, const struct sim_wait *wait);
static inline void tx_block(struct tx_tile *t, unsigned agent, const struct sim_wait *wait) {
  if (wait->kind || t->engine.agents[agent].wait.kind) tx_block_slow(t, agent, wait);
}

/* A signal of the performance counters (tile/perf.h) has changed, and no event reports it. */
static inline void tx_perf_touch(struct tx_tile *t) {
  if (__builtin_expect(t->perf.counting != 0, 0)) t->unsaved.ports->perf_look(t, NULL);
}
/* Requests at a port of L1, granted now after some cycles of waiting. The next signal in the enum counts the grants. */
static inline void tx_perf_request(struct tx_tile *t, enum tx_perf_signal requests, uint32_t granted, uint32_t waited) {
  if (__builtin_expect(!t->perf.counting, 1)) return;
  t->unsaved.ports->perf_look(t, NULL);
  t->perf.sum[requests] += granted + waited;
  t->perf.sum[requests + 1] += granted;
}

/* A state was put in place of the present one: what was decoded from configuration is not valid any more. */
void tx_forget_decoded(struct tx_tile *t);

/* Schedules an effect `cycles` from now (timing off: next cycle). */
void tx_later(struct tx_tile *t, uint32_t cycles, enum tx_effect_kind kind, const uint32_t w[SIM_EFFECT_WORDS]);

/* Records the first fault and stops the machine; later ones are dropped. Agent and instruction come from t->current. */
void tx_fault(struct tx_tile *t, enum sim_fault_kind kind, const char *document, const char *format, ...)
    __attribute__((cold, format(printf, 4, 5)));

/* Counts a finding, and keeps the first at each place. Agent and instruction come from t->current. printf-style detail, may be NULL. */
void tx_diag(struct tx_tile *t, enum tx_diag_id id, const char *detail, ...) __attribute__((cold, format(printf, 3, 4)));

/* The same with the instruction of the other side; a place is then a pair of lines, independent of the words. */
void tx_diag_pair(struct tx_tile *t, enum tx_diag_id id, const struct tx_side *other, const char *detail, ...)
    __attribute__((cold, format(printf, 4, 5)));

/* The same with the last agent of a trail as the other side; a trail of no agent: one side. */
void tx_diag_after(struct tx_tile *t, enum tx_diag_id id, const struct tx_trail *last, const char *detail, ...)
    __attribute__((cold, format(printf, 4, 5)));

extern const struct tx_diag_info tx_diag_infos[TX_DIAG_COUNT];

#endif
