/* Test rig of a tile: op lists for the three threads, and a log of the words that passed the gates with their cycles. */
#ifndef TESSERA_TESTS_RIG_H
#define TESSERA_TESTS_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "observe/hang/hang.h"
#include "observe/words.h"
#include "tensix/tile/bus.h"
#include "tensix/tile/tile.h"
#include "tile_pool.h"

#define RIG_FOREVER (UINT64_C(1) << 40)

struct rig_issue {
  sim_time at;
  unsigned thread;
  uint32_t word;
};

struct rig {
  struct tx_tile *t;
  struct tx_script_op *ops[TX_THREADS];
  uint32_t count[TX_THREADS], capacity[TX_THREADS];
  struct tx_script script[TX_THREADS];
  struct rig_issue *issues;
  size_t issue_count, issue_capacity;
};

static inline void rig_on_issue(void *context, const struct sim_event *e) {
  struct rig *r = context;
  if (r->issue_count == r->issue_capacity) {
    r->issue_capacity = r->issue_capacity ? 2 * r->issue_capacity : 1024;
    r->issues = realloc(r->issues, r->issue_capacity * sizeof *r->issues);
    assert_non_null(r->issues);
  }
  r->issues[r->issue_count++] = (struct rig_issue){.at = e->at, .thread = e->agent, .word = e->a};
}

static inline struct rig *rig_new(bool timing) {
  struct rig *r = calloc(1, sizeof *r);
  assert_non_null(r);
  r->t = tile_take();
  tx_tile_reset(r->t, timing);
  sim_log_attach(&r->t->unsaved.log, rig_on_issue, r, 1u << TX_EVENT_ISSUE);
  return r;
}

/* A tile without scripts for its cores, at a cycle after 0. Release it with tile_give_back. */
static inline struct tx_tile *rig_tile(bool timing) {
  struct tx_tile *t = tile_take();
  tx_tile_reset(t, timing);
  t->engine.now = 100;
  return t;
}

static inline void rig_free(struct rig *r) {
  for (unsigned i = 0; i < TX_THREADS; i++) free(r->ops[i]);
  free(r->issues);
  tile_give_back(r->t);
  free(r);
}

static inline void rig_op(struct rig *r, unsigned thread, struct tx_script_op op) {
  if (r->count[thread] == r->capacity[thread]) {
    r->capacity[thread] = r->capacity[thread] ? 2 * r->capacity[thread] : 64;
    r->ops[thread] = realloc(r->ops[thread], r->capacity[thread] * sizeof op);
    assert_non_null(r->ops[thread]);
  }
  r->ops[thread][r->count[thread]++] = op;
}

static inline void rig_push(struct rig *r, unsigned thread, uint32_t word) {
  rig_op(r, thread, (struct tx_script_op){.kind = TX_SCRIPT_PUSH, .a = word});
}
static inline void rig_push_times(struct rig *r, unsigned thread, uint32_t word, unsigned times) {
  while (times--) rig_push(r, thread, word);
}
static inline void rig_store(struct rig *r, unsigned thread, uint32_t address, uint32_t value) {
  rig_op(r, thread, (struct tx_script_op){.kind = TX_SCRIPT_STORE, .a = address, .b = value});
}
static inline void rig_poll(struct rig *r, unsigned thread, uint32_t address, uint32_t mask, uint32_t value) {
  rig_op(r, thread, (struct tx_script_op){.kind = TX_SCRIPT_WAIT, .a = address, .b = mask, .c = value});
}
static inline void rig_sync(struct rig *r, unsigned thread) {
  rig_op(r, thread, (struct tx_script_op){.kind = TX_SCRIPT_SYNC});
}
static inline void rig_copy(struct rig *r, unsigned thread, uint32_t from, uint32_t to) {
  rig_op(r, thread, (struct tx_script_op){.kind = TX_SCRIPT_COPY, .a = from, .b = to});
}

static inline void rig_attach(struct rig *r) {
  for (unsigned i = 0; i < TX_THREADS; i++) {
    r->script[i] = (struct tx_script){.ops = r->ops[i], .count = r->count[i]};
    tx_script_attach(r->t, i, &r->script[i]);
  }
}

static inline enum sim_end rig_run(struct rig *r) {
  rig_attach(r);
  return tx_tile_run(r->t, RIG_FOREVER);
}

/* Runs and asserts that every program completed. */
static inline void rig_run_well(struct rig *r) {
  enum sim_end end = rig_run(r);
  if (end != SIM_END_DONE) {
    char text[4096];
    if (r->t->fault.kind) obs_fault_line(r->t, text, sizeof text);
    else obs_hang_report(r->t, text, sizeof text);
    fail_msg("did not end well (%d): %s", (int)end, text);
  }
}

/* The n-th word with this opcode that passed the thread's gate. */
static inline const struct rig_issue *rig_issued(const struct rig *r, unsigned thread, uint8_t opcode, unsigned n) {
  for (size_t i = 0; i < r->issue_count; i++)
    if (r->issues[i].thread == thread && r->issues[i].word >> 24 == opcode && n-- == 0) return &r->issues[i];
  fail_msg("thread %u passed too few of opcode 0x%02x", thread, opcode);
  return NULL;
}

static inline uint64_t rig_findings(const struct rig *r) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < TX_DIAG_COUNT; i++)
    if (tx_diag_infos[i].severity != SIM_NOTE) sum += r->t->diag.counts[i];
  return sum;
}

/* Words the tests build: opcode and parameter bits. */
#define OP(name, bits) ((uint32_t)TX_##name << 24 | (uint32_t)(bits))
#define STALL(block, condition) OP(STALLWAIT, (uint32_t)(block) << 15 | (uint32_t)(condition))

/* A small generator for test inputs: splitmix64. */
static inline uint64_t rig_random(uint64_t *state) {
  uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

#endif
