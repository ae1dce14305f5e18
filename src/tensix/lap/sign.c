/* The sign of sign.h: what the cores, threads and units do next, and the addresses that they use. */
#include "tensix/lap/sign.h"

#include <string.h>

#include "sim/keep.h"

#define OLD_CYCLES 2048u

static inline uint64_t mix(uint64_t h, uint64_t value) {
  h = (h ^ value) * UINT64_C(0x9e3779b97f4a7c15);
  return h ^ h >> 32;
}

/* Four sums at once: a multiplication takes three cycles of the host. */
static uint64_t mix_words(uint64_t h, const void *words, size_t bytes) {
  uint64_t sums[4] = {h, 1, 2, 3}, w[4];
  const unsigned char *at = words;
  for (; bytes >= sizeof w; bytes -= sizeof w, at += sizeof w) {
    memcpy(w, at, sizeof w);
    for (unsigned i = 0; i < 4; i++) sums[i] = mix(sums[i], w[i]);
  }
  memset(w, 0, sizeof w);
  memcpy(w, at, bytes);
  for (unsigned i = 0; i < 4; i++) sums[i] = mix(sums[i], w[i]);
  return mix(mix(sums[0], sums[1]), mix(sums[2], sums[3]));
}

/* A time, seen from now: one that has passed is like any other. */
static inline uint64_t distance(const struct tx_tile *t, sim_time at) {
  return at == SIM_NEVER ? UINT64_MAX : at > t->engine.now ? at - t->engine.now : 0;
}

/* The same of a time that has passed, of which older ones are alike. */
static inline uint64_t age(const struct tx_tile *t, sim_time at) {
  return at && at <= t->engine.now && t->engine.now - at < OLD_CYCLES ? 1 + t->engine.now - at : 0;
}

static uint64_t mix_fifo(uint64_t h, const struct tx_fifo *fifo) {
  h = mix(h, fifo->count);
  for (uint32_t i = 0; i < fifo->count; i++) h = mix(h, fifo->slot[(fifo->head + i) % TX_FIFO_SLOTS].word);
  return h;
}

static uint64_t mix_thread(uint64_t h, const struct tx_tile *t, unsigned thread) {
  const struct tx_frontend *fe = sim_keep(&t->frontend[thread]);
  h = mix_fifo(mix_fifo(mix_fifo(h, &fe->fifo1), &fe->fifo2), &fe->fifo3);
  h = mix_words(h, &fe->mop, sizeof fe->mop);
  h = mix(h, (uint64_t)fe->replay.playing << 32 | fe->replay.index);
  h = mix(h, (uint64_t)t->gate[thread].latch.opcode << 32 | t->gate[thread].latch.condition);
  h = mix_words(h, t->config.thread_words[thread], sizeof t->config.thread_words[thread]);
  return mix_words(h, &t->adc[thread], sizeof t->adc[thread]);
}

static uint64_t mix_core(uint64_t h, const struct tx_tile *t, unsigned core) {
  const struct tx_core *c = sim_keep(&t->core[core]);
  h = mix(h, (uint64_t)c->pc << 32 | c->queue_count << 8 | c->spin.parked);
  return mix(h, distance(t, c->clock));
}

uint64_t tx_lap_sign(const struct tx_tile *t, uint32_t apart) {
  uint64_t h = t->engine.effect_count;
  for (unsigned i = 0; i <= TX_AGENT_NCRISC; i++) {
    if (i >= TX_AGENT_TRISC0 && apart >> (i - TX_AGENT_TRISC0) & 1u) continue;
    const struct sim_agent *a = &t->engine.agents[i];
    h = mix(mix(h, distance(t, a->at)), (uint64_t)a->state << 32 | a->wait.kind);
    h = mix(h, age(t, a->woken_at) << 32 | age(t, a->wait.since));
  }
  if (t->engine.effect_count) h = mix(h, distance(t, t->engine.effects[0].at));
  for (unsigned i = 0; i < TX_CORES; i++)
    if (!(apart >> i & 1u)) h = mix_core(h, t, i);
  for (unsigned i = 0; i < TX_THREADS; i++) h = mix_thread(h, t, i);
  for (unsigned i = 0; i < TX_UNIT_COUNT; i++) h = mix(h, distance(t, t->units[i].free_at));
  for (unsigned i = 0; i < TX_SEMAPHORES; i++) h = mix(h, t->sync.sem[i].value);
  h = mix(h, (uint64_t)t->src.matrix_bank[0] << 24 | t->src.matrix_bank[1] << 16 | t->src.unpack_bank[0] << 8 |
                 t->src.unpack_bank[1]);
  h = mix(h, (uint64_t)t->unpack.jobs[0] << 40 | (uint64_t)t->unpack.jobs[1] << 32 | t->pack.count);
  h = mix_words(h, t->rwc, sizeof t->rwc);
  h = mix_words(h, t->scalar.gpr, sizeof t->scalar.gpr);
  return mix_words(h, t->config.words, sizeof t->config.words);
}
