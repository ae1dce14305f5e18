/* A tile on which tests run single instructions of the matrix unit: registers are set directly, and the tile runs until all
 * effects have landed. */
#ifndef TESSERA_TESTS_MATRIX_RIG_H
#define TESSERA_TESTS_MATRIX_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scale.h"
#include "tensix/num/format.h"
#include "tensix/num/num_fpu_vec.h"
#include "tensix/tile/tile.h"

#define OP(name) ((uint32_t)TX_##name << 24)

static struct tx_tile *rig;

static inline int rig_new(void **state) {
  (void)state;
  rig = malloc(sizeof *rig);
  return rig == NULL;
}

static inline int rig_free(void **state) {
  (void)state;
  free(rig);
  return 0;
}

static uint64_t rig_random = UINT64_C(0x2545f4914f6cdd1d);

static inline uint32_t rig_random32(void) {
  rig_random ^= rig_random << 13;
  rig_random ^= rig_random >> 7;
  rig_random ^= rig_random << 17;
  return (uint32_t)(rig_random >> 16);
}

static inline void rig_config(unsigned address, unsigned shift, unsigned width, uint32_t value) {
  uint32_t mask = (width == 32 ? 0xffffffffu : (1u << width) - 1u) << shift;
  for (unsigned bank = 0; bank < 2; bank++)
    rig->config.words[bank][address] = (rig->config.words[bank][address] & ~mask) | (value << shift & mask);
  rig->config.version++;
}

static inline void rig_thread_config(unsigned thread, unsigned address, unsigned shift, unsigned width, uint32_t value) {
  uint32_t mask = ((1u << width) - 1u) << shift;
  rig->config.thread_words[thread][address] =
      (uint16_t)((rig->config.thread_words[thread][address] & ~mask) | (value << shift & mask));
  rig->config.version++;
}

#define CONFIG(NAME, value) rig_config(TX_CFG_##NAME##_ADDR, TX_CFG_##NAME##_SHIFT, TX_CFG_##NAME##_WIDTH, (value))
#define THREAD_CONFIG(thread, NAME, value) \
  rig_thread_config((thread), TX_CFG_##NAME##_ADDR, TX_CFG_##NAME##_SHIFT, TX_CFG_##NAME##_WIDTH, (value))

/* Gives both banks of SrcA and SrcB to the matrix unit, in this format, and clears Dst. */
static inline void rig_reset(unsigned format) {
  tx_tile_reset(rig, true);
  for (unsigned which = 0; which < 2; which++)
    for (unsigned bank = 0; bank < 2; bank++) {
      rig->src.bank[which][bank].owner = TX_CLIENT_MATRIX;
      rig->src.bank[which][bank].format = (uint8_t)format;
      rig->src.bank[which][bank].filled = 1;
    }
  memset(rig->dst.valid, TX_DST_UNDEFINED, sizeof rig->dst.valid);
  rig->engine.now = 100;
}

static inline void rig_fill(enum tx_src_which which, unsigned bank, uint32_t keep) {
  for (unsigned row = 0; row < 64; row++)
    for (unsigned c = 0; c < 16; c++) rig->src.bank[which][bank].datum[row][c] = rig_random32() & keep;
  rig->src.bank[which][bank].version++;
}

/* Random numbers near 1 for formats with eight or five exponent bits. */
static inline void rig_fill_near_one(unsigned exponent) {
  for (unsigned which = 0; which < 2; which++)
    for (unsigned bank = 0; bank < 2; bank++) {
      for (unsigned row = 0; row < 64; row++)
        for (unsigned c = 0; c < 16; c++)
          rig->src.bank[which][bank].datum[row][c] = (rig_random32() & 0x7f800u) | (exponent - 3 + rig_random32() % 6);
      rig->src.bank[which][bank].version++;
    }
}

/* Executes one instruction now and returns its cost in cycles. */
static inline struct tx_cost rig_exec_only(unsigned thread, uint32_t word) {
  const struct tx_op *op = &tx_ops[word >> 24];
  struct tx_cost cost = {.issue = op->issue_cycles, .latency = op->latency_cycles};
  rig->current = (struct tx_current){.agent = tx_agent_of_thread(thread), .word = word, .unit = TX_UNIT_MATRIX};
  assert_non_null(tx_bodies[word >> 24]);
  tx_bodies[word >> 24](rig, thread, word, &cost);
  return cost;
}

/* Advances time. The run ends early when no work is left. */
static inline void rig_wait(unsigned cycles) {
  sim_time until = rig->engine.now + cycles;
  tx_tile_run(rig, until);
  rig->engine.now = until;
}

/* The same, then advances time until its effects have landed and no interlock is active. */
static inline struct tx_cost rig_exec(unsigned thread, uint32_t word) {
  struct tx_cost cost = rig_exec_only(thread, word);
  rig_wait(20 + cost.hold);
  return cost;
}

static inline uint64_t rig_found(enum tx_diag_id id) { return rig->diag.counts[id]; }

static inline uint64_t rig_found_any(void) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < TX_DIAG_COUNT; i++) sum += rig->diag.counts[i];
  return sum;
}

#endif
