/* Laps (tensix/lap/same.h) of kernels with the shapes of the vendor's (tests/llk-like) in their steady loop. The frozen part of a state that
 * is moved forward by n laps is compared, byte by byte and without the tables of the code under test, with the state of the real run n laps
 * later. States that were changed in one word are not the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <tessera/tensix.h>
#include <cmocka.h>

#include "../kernels/include/launch.h"
#include "api/tile_value.h"
#include "beside.h"
#include "tensix/frontend/frontend.h"
#include "tensix/lap/same.h"

#define BUFFER_BYTES 0x10000u
#define ROUNDS 100000u

static char programs[512];
static uint8_t in[2][BUFFER_BYTES];

/* --- a kernel in its loop --- */

static void load(struct tessera_tile *tile, const char *name) {
  static const char *const cores[] = {"trisc0", "trisc1", "trisc2", "brisc"};
  static unsigned char file[1 << 20];
  for (unsigned core = 0; core < 4; core++) {
    char path[1024];
    snprintf(path, sizeof path, "%s/llk_%s/%s.elf", programs, name, cores[core]);
    FILE *f = fopen(path, "rb");
    if (!f) fail_msg("cannot read %s", path);
    size_t size = fread(file, 1, sizeof file, f);
    fclose(f);
    assert_int_equal(tessera_tile_load_elf(tile, (enum tessera_core)core, file, size), TESSERA_OK);
  }
}

static struct tessera_tile *start(const char *name, bool timing) {
  struct tessera_tile *tile = tessera_tile_create(timing ? TESSERA_TIMING_CYCLE : TESSERA_TIMING_OFF);
  struct launch l;
  assert_non_null(tile);
  load(tile, name);
  for (unsigned b = 0; b < 2; b++)
    for (unsigned i = 0; i < BUFFER_BYTES / 2; i++) {
      uint16_t x = (uint16_t)(0x3f00u + ((i + b) * 2654435761u >> 20 & 0xffu)); /* BFLOAT16, 0.5 .. 2 */
      if (b && !strcmp(name, "reduce_row")) x = i % 256 < 16 ? 0x3f80u : 0;     /* its scaler */
      memcpy(&in[b][2 * i], &x, 2);
    }
  memset(&l, 0, sizeof l);
  for (unsigned b = 0; b < 3; b++)
    l.buffer[b == 2 ? 16 : b] = (struct launch_buffer){LAUNCH_HEAP + b * BUFFER_BYTES, 2048, 16, NUM_BF16};
  l.args[0] = ROUNDS;
  l.go = RUN_SYNC_MSG_GO;
  for (unsigned b = 0; b < 2; b++) tessera_tile_write(tile, LAUNCH_HEAP + b * BUFFER_BYTES, in[b], BUFFER_BYTES);
  tessera_tile_start(tile, 0xf);
  tessera_tile_write(tile, LAUNCH_ADDRESS, &l, sizeof l);
  tessera_tile_until(tile, LAUNCH_FIELD(go), UINT32_MAX, RUN_SYNC_MSG_DONE, NULL);
  return tile;
}

static struct tx_lap_same *same;

static void run_to(struct tx_tile *t, sim_time now) { assert_int_equal(tx_tile_run(t, now), SIM_END_TIME); }

/* From a noted state to the next one that is the same; its period. */
static sim_time find(struct tx_tile *t, const char *name, sim_time at_most) {
  const sim_time from = t->engine.now;
  const char *where = NULL;
  tx_lap_note(same, t, 0);
  while (t->engine.now < from + at_most) {
    run_to(t, t->engine.now + 1);
    if (tx_lap_is_same(same, t, &where)) return t->engine.now - from;
  }
  fail_msg("%s, timing %u: no lap in %u cycles", name, t->timing, (unsigned)at_most);
  return 0;
}

static struct tx_tile *copy_of(const struct tx_tile *t) {
  struct tx_tile *copy = malloc(sizeof *copy);
  assert_non_null(copy);
  memcpy(copy, t, sizeof *copy);
  return copy;
}

/* --- the frozen part, byte by byte --- */

#define EQUAL(field) \
  do { \
    if (memcmp(&a->field, &b->field, sizeof a->field) != 0) fail_msg("%s: " #field, name); \
  } while (0)

static void clear_passed(struct tx_fifo *fifo) {
  for (uint32_t i = fifo->count; i < TX_FIFO_SLOTS; i++)
    memset(&fifo->slot[(fifo->head + i) % TX_FIFO_SLOTS], 0, sizeof fifo->slot[0]);
}

/* Marks of words that have entered FIFO 1 are not read, nor are words that have left it. */
static void clear_marks(struct tx_frontend *fe, const struct tx_tile *t) {
  for (uint32_t i = fe->fifo1.count; i < TX_FIFO_SLOTS; i++) fe->pushed_at[(fe->fifo1.head + i) % TX_FIFO_SLOTS] = 0;
  clear_passed(&fe->fifo1);
  clear_passed(&fe->fifo2);
  clear_passed(&fe->fifo3);
  for (unsigned slot = 0; slot < TX_FIFO_SLOTS; slot++)
    if (fe->pushed_at[slot] < t->engine.now) fe->fifo1.slot[slot].flags &= ~TX_WORD_QUEUED;
  if (!t->timing) memset(fe->pushed_at, 0, sizeof fe->pushed_at);
}

/* Without data, what is native, and with timing off what is not kept. */
static void clear_core(struct tx_core *c, bool timing) {
  memset(c->r, 0, sizeof c->r);
  memset(c->local, 0, sizeof c->local);
  c->l1_arrival = 0;
  c->l1_under_way = 0;
  memset(c->spin.registers, 0, sizeof c->spin.registers); /* copies of r */
  if (!tx_spin_has_begun(&c->spin)) {
    const struct tx_core_spin s = c->spin;
    c->spin = (struct tx_core_spin){.pc = s.pc, .seen = s.seen, .count = s.count, .keys = {s.keys[0]}, .jumps = s.jumps};
  }
  if (timing) return;
  memset(c->retire, 0, sizeof c->retire);
  memset(c->waiting.complete, 0, sizeof c->waiting.complete);
  c->retire_next = c->waiting.slot = 0;
  c->port_free = 0;
}

static void expect_frozen(const struct tx_tile *a, const struct tx_tile *b, const char *name) {
  static struct tx_core cores[2];
  for (unsigned i = 0; i < TX_AGENT_COUNT; i++) EQUAL(engine.agents[i]);
  for (unsigned i = 0; i < TX_THREADS; i++) {
    struct tx_frontend x = a->frontend[i], y = b->frontend[i];
    clear_marks(&x, a);
    clear_marks(&y, b);
    if (memcmp(&x, &y, sizeof x) != 0) fail_msg("%s: frontend %u", name, i);
    struct tx_gate g = a->gate[i], h = b->gate[i];
    g.wants = g.granted = g.latch_met = h.wants = h.granted = h.latch_met = 0; /* of one cycle */
    if (memcmp(&g, &h, sizeof g) != 0) fail_msg("%s: gate %u", name, i);
    EQUAL(autosync[i]);
  }
  for (unsigned i = 0; i < TX_CORES; i++) {
    cores[0] = a->core[i];
    cores[1] = b->core[i];
    for (unsigned k = 0; k < 2; k++) clear_core(&cores[k], a->timing);
    for (size_t k = 0; k < sizeof cores[0]; k++)
      if (((uint8_t *)&cores[0])[k] != ((uint8_t *)&cores[1])[k]) fail_msg("%s: core %u, byte %zu", name, i, k);
    EQUAL(port[i]);
    EQUAL(l1_ports.client[i]);
    EQUAL(unsaved.memo.last_tile_access[i]);
  }
  EQUAL(engine.signalled);
  EQUAL(engine.signalled_at);
  EQUAL(engine.turn);
  EQUAL(engine.turn_end);
  EQUAL(engine.turn_reached);
  EQUAL(engine.parked);
  EQUAL(config.pipe_at);
  EQUAL(config.pipe);
  EQUAL(config.stream_leaves_at);
  EQUAL(matrix.release_by);
  EQUAL(pcbufs);
}

/* tx_lap_skip leaves these alone. */
static void expect_native(const struct tx_tile *a, const struct tx_tile *b, const char *name) {
  struct tx_l1_ports ports[2] = {a->l1_ports, b->l1_ports};
  for (unsigned i = 0; i < 2; i++) memset(ports[i].client, 0, sizeof ports[i].client);
  if (memcmp(&ports[0], &ports[1], sizeof ports[0]) != 0) fail_msg("%s: l1_ports", name);
  EQUAL(engine.now);
  EQUAL(engine.effects);
  EQUAL(engine.effect_seq);
  EQUAL(units);
  EQUAL(sync);
  EQUAL(config.words);
  EQUAL(config.thread_words);
  EQUAL(config.busy_until);
  EQUAL(config.version);
  EQUAL(config.pending_until);
  EQUAL(mailboxes);
  EQUAL(arbiter);
  EQUAL(rwc);
  EQUAL(adc);
  EQUAL(adc_watch);
  EQUAL(scalar);
  EQUAL(src);
  EQUAL(dst);
  EQUAL(matrix.movd2a_until);
  EQUAL(matrix.prng);
  EQUAL(vector);
  EQUAL(unpack);
  EQUAL(inflight);
  EQUAL(mover);
  EQUAL(pack);
  for (unsigned i = 0; i < TX_CORES; i++) {
    EQUAL(core[i].r);
    EQUAL(core[i].local);
    EQUAL(core[i].l1_arrival);
  }
}

/* --- real laps --- */

struct kernel {
  const char *name;
  bool timing;
  sim_time from, at_most;
};

/* With timing off agents act in turns of 1024 cycles, which do not divide a pass of most kernels over their tiles: laps may be long. */
static const struct kernel kernels[] = {
    {"datacopy", true, 20000, 2000},       {"eltwise_add", true, 20000, 2000},   {"matmul_lofi", true, 20000, 4000},
    {"transpose", true, 20000, 10000},     {"tilize", true, 20000, 10000},       {"untilize", true, 40000, 20000},
    {"pack_untilize", true, 40000, 30000}, {"reduce_row", true, 20000, 20000},   {"sfpu_typecast", true, 40000, 50000},
    {"datacopy", false, 60000, 4000},      {"eltwise_add", false, 60000, 4000},  {"matmul_lofi", false, 60000, 8000},
    {"transpose", false, 60000, 4000},     {"reduce_row", false, 60000, 100000},
};
#define KERNELS (sizeof kernels / sizeof kernels[0])

/* Of the words that a lap moves, and of their amounts. */
static uint64_t sum_of_moves(void) {
  uint64_t sum = same->period;
  for (uint32_t i = 0; i < same->move_count; i++)
    sum = sum * 31u + same->move[i].offset * UINT64_C(0x9e3779b97f4a7c15) + same->move[i].by;
  for (unsigned i = 0; i < TX_LAP_BANDS; i++) sum = sum * 31u + same->turn[i].by * 32u + same->turn[i].moved;
  return sum;
}

static void check_lap(const struct kernel *k) {
  static const uint64_t laps[] = {1, 2, 7};
  struct tessera_tile *tile = start(k->name, k->timing);
  struct tx_tile *t = &tile->tile;
  run_to(t, k->from);
  const sim_time period = find(t, k->name, k->at_most);
  const uint64_t sum = sum_of_moves(), packed = t->gate[2].issued;
  const sim_time again = find(t, k->name, k->at_most);
  assert_int_equal(again, period);
  if (sum_of_moves() != sum)
    fail_msg("%s, timing %s: two laps in succession move other words or by other amounts", k->name,
             k->timing ? "on" : "off");
  const uint64_t words = t->gate[2].issued - packed;
  assert_true(words > 0);
  struct tx_tile *before = copy_of(t), *moved = copy_of(t);
  for (unsigned i = 0; i < sizeof laps / sizeof laps[0]; i++) {
    memcpy(moved, before, sizeof *moved);
    tx_lap_skip(same, moved, laps[i]);
    expect_native(moved, before, k->name);
    run_to(t, before->engine.now + laps[i] * period);
    assert_true(t->gate[2].issued == before->gate[2].issued + laps[i] * words);
    moved->engine.now = t->engine.now;
    expect_frozen(moved, t, k->name);
  }
  const char *where = "not asked";
  if (!tx_lap_is_same(same, t, &where)) fail_msg("%s: %s differs eight laps later", k->name, where);
  assert_null(where);
  assert_true(sum_of_moves() != sum); /* of eight laps */
  free(before);
  free(moved);
  tessera_tile_destroy(tile);
}

static void the_frozen_part_is_that_of_the_real_run(void **state) {
  (void)state;
  for (unsigned i = 0; i < KERNELS; i++) check_lap(&kernels[i]);
}

/* Skips add up. */
static void two_skips_are_one(void **state) {
  struct tessera_tile *tile = start("datacopy", true);
  struct tx_tile *t = &tile->tile;
  (void)state;
  run_to(t, 20000);
  find(t, "datacopy", 2000);
  struct tx_tile *a = copy_of(t), *b = copy_of(t);
  tx_lap_skip(same, a, 3);
  tx_lap_skip(same, a, 1000002);
  tx_lap_skip(same, b, 1000005);
  assert_memory_equal(a, b, offsetof(struct tx_tile, l1));
  tx_lap_skip(same, t, 0);
  for (unsigned i = 0; i < 2; i++) tx_lap_skip(same, i ? t : a, i ? 1000005 : 0);
  assert_memory_equal(a, t, offsetof(struct tx_tile, l1));
  free(a);
  free(b);
  tessera_tile_destroy(tile);
}

/* --- changed states --- */

struct pair {
  struct tessera_tile *tile;
  struct tx_tile *first, *second; /* the states at both ends of a lap */
};

static struct pair make_pair(const char *name, sim_time from) {
  struct pair p = {.tile = start(name, true)};
  struct tx_tile *t = &p.tile->tile;
  run_to(t, from);
  const sim_time period = find(t, name, 5000);
  find(t, name, 5000);
  p.first = copy_of(t);
  run_to(t, t->engine.now + period);
  p.second = copy_of(t);
  return p;
}

static void drop_pair(struct pair *p) {
  free(p->first);
  free(p->second);
  tessera_tile_destroy(p->tile);
}

static bool alike(const struct pair *p, const char **where) {
  tx_lap_note(same, p->first, 0);
  return tx_lap_is_same(same, p->second, where);
}

struct member {
  const char *name;
  size_t offset, size;
};
#define MEMBER(field) \
  { #field, offsetof(struct tx_tile, field), sizeof(((struct tx_tile *)0)->field) }

static void flip_each(struct pair *p, const struct member *m, bool expected) {
  tx_lap_note(same, p->first, 0);
  const size_t step = m->size > 4096 ? 61 : m->size > 256 ? 7 : 1;
  for (size_t i = 0; i < m->size; i += step) {
    const char *where = NULL;
    uint8_t *byte = (uint8_t *)p->second + m->offset + i;
    *byte ^= 0x10;
    const bool got = tx_lap_is_same(same, p->second, &where);
    *byte ^= 0x10;
    if (got != expected) fail_msg("%s, byte %zu: %s", m->name, i, got ? "not noticed" : where);
    if (!got) assert_non_null(where);
  }
}

static void a_change_of_the_state_is_noticed(void **state) {
  static const struct member members[] = {
      MEMBER(engine.parked),
      MEMBER(engine.signalled_at),
      MEMBER(engine.effect_count),
      MEMBER(engine.takers),
      MEMBER(engine.agents[1]),
      MEMBER(engine.agents[3]),
      MEMBER(frontend[0].fifo2.count),
      MEMBER(frontend[1].fifo1.count),
      MEMBER(frontend[1].fifo3.count),
      MEMBER(frontend[2].mop),
      MEMBER(frontend[2].replay),
      MEMBER(frontend[2].brisc),
      MEMBER(autosync),
      MEMBER(gate[1].latch),
      MEMBER(gate[1].accesses),
      MEMBER(arbiter.last),
      MEMBER(arbiter.sync_taken_at),
      MEMBER(units[3].free_at),
      MEMBER(units[3].drained_at),
      MEMBER(sync.sem[1].value),
      MEMBER(sync.mutex_holder),
      MEMBER(sync.posted),
      MEMBER(config.words),
      MEMBER(config.thread_words),
      MEMBER(config.pipe_at),
      MEMBER(config.pending_until),
      MEMBER(config.reads),
      MEMBER(rwc),
      MEMBER(adc),
      MEMBER(adc_watch),
      MEMBER(scalar.gpr),
      MEMBER(scalar.waiting_word),
      MEMBER(scalar.hold_until),
      MEMBER(src.bank[1][0].owner),
      MEMBER(src.matrix_bank),
      MEMBER(src.released),
      MEMBER(dst.valid),
      MEMBER(matrix.srca_row),
      MEMBER(vector.lane_config),
      MEMBER(vector.macro),
      MEMBER(vector.occupied),
      MEMBER(vector.now.use),
      MEMBER(unpack.jobs),
      MEMBER(unpack.context_counter),
      MEMBER(unpack.stream_end),
      MEMBER(inflight.used),
      MEMBER(l1_ports.bank_last),
      MEMBER(l1_ports.delay),
      MEMBER(mover),
      MEMBER(pack.config.race),
      MEMBER(pack.config.compress),
      MEMBER(pack.position),
      MEMBER(pack.count),
      MEMBER(pack.last_done_at),
      MEMBER(streams),
      MEMBER(control),
      MEMBER(perf.counting),
      MEMBER(core_debug),
      MEMBER(mailboxes.box[0][1].word),
      MEMBER(mailboxes.box[0][1].count),
      MEMBER(pcbufs.buf[2].word),
      MEMBER(pic),
      MEMBER(watch),
      MEMBER(niu),
      MEMBER(script),
      MEMBER(diag.counts),
      MEMBER(params),
      MEMBER(timing),
      MEMBER(fault.kind),
      MEMBER(core[0].pc),
      MEMBER(core[1].state),
      MEMBER(core[2].clock),
      MEMBER(core[0].retire),
      MEMBER(core[0].lsu_slot),
      MEMBER(core[0].queue),
      MEMBER(core[0].csr),
      MEMBER(core[1].l0_tag),
      MEMBER(core[1].l0_hits),
      MEMBER(core[1].fetch.tag),
      MEMBER(core[1].fetch.outcomes),
      MEMBER(core[3].spin.at),
      MEMBER(port[1].pending),
      MEMBER(port[1].outstanding),
  };
  struct pair p = make_pair("datacopy", 20000);
  (void)state;
  for (unsigned i = 0; i < sizeof members / sizeof members[0]; i++) flip_each(&p, &members[i], false);
  drop_pair(&p);
}

static void data_and_counts_may_differ(void **state) {
  static const struct member members[] = {MEMBER(core[0].r),
                                          MEMBER(core[1].local),
                                          MEMBER(core[2].retired),
                                          MEMBER(src.bank[0][1].datum),
                                          MEMBER(dst.bits),
                                          MEMBER(vector.lreg),
                                          MEMBER(vector.now.flags),
                                          MEMBER(matrix.prng),
                                          MEMBER(gate[0].stalled),
                                          MEMBER(frontend[0].pushed),
                                          MEMBER(units[2].accepted),
                                          MEMBER(sync.sem[2].posts),
                                          MEMBER(config.version),
                                          MEMBER(engine.watched),
                                          MEMBER(engine.stop),
                                          MEMBER(gate[1].wants),
                                          MEMBER(pack.stream[0].buffer),
                                          MEMBER(pack_stats),
                                          MEMBER(current),
                                          MEMBER(core[0].spin.registers),
                                          MEMBER(unpack.bytes),
                                          MEMBER(vector.hidden[0].old)};
  struct pair p = make_pair("datacopy", 20000);
  (void)state;
  for (unsigned i = 0; i < sizeof members / sizeof members[0]; i++) flip_each(&p, &members[i], true);
  drop_pair(&p);
}

/* A word that has left a FIFO is not read. */
static void fifos_are_compared_as_far_as_they_hold_words(void **state) {
  struct pair p = make_pair("datacopy", 20000);
  unsigned held = 0, left = 0;
  (void)state;
  for (unsigned thread = 0; thread < TX_THREADS; thread++)
    for (uint32_t i = 0; i < TX_FIFO_SLOTS; i++) {
      struct tx_frontend *fe = &p.second->frontend[thread];
      const uint32_t slot = (fe->fifo1.head + i) % TX_FIFO_SLOTS;
      const bool holds = i < fe->fifo1.count;
      held += holds;
      left += !holds;
      fe->fifo1.slot[slot].word ^= 1;
      assert_int_equal(alike(&p, NULL), !holds);
      fe->fifo1.slot[slot].word ^= 1;
      fe->pushed_at[slot] ^= 1;
      assert_int_equal(alike(&p, NULL), !holds);
      fe->pushed_at[slot] ^= 1;
    }
  assert_true(held && left);
  assert_true(alike(&p, NULL));
  drop_pair(&p);
}

/* An equal time is the same if it is long past, 0 or SIM_NEVER; one in the future or of the last cycles is absolute. */
static void an_equal_time_is_past(void **state) {
  struct pair p = make_pair("datacopy", 20000);
  const sim_time now = p.first->engine.now;
  const struct {
    sim_time at;
    bool same;
  } cases[] = {{0, true},
               {1, true},
               {now - 1000, true},
               {now - 1, false},
               {now, false},
               {now + 1, false},
               {p.second->engine.now, false},
               {p.second->engine.now + 1000000, false},
               {SIM_NEVER, true}};
  (void)state;
  for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const char *where = NULL;
    p.first->matrix.movd2b_until = p.second->matrix.movd2b_until = cases[i].at;
    assert_int_equal(alike(&p, &where), cases[i].same);
    if (!cases[i].same) assert_string_equal(where, "tx_matrix.movd2a_until");
  }
  p.first->matrix.movd2b_until = 5; /* grown, but not by the period */
  p.second->matrix.movd2b_until = 6;
  assert_false(alike(&p, NULL));
  p.first->matrix.movd2b_until = 0;
  p.second->matrix.movd2b_until = p.second->engine.now - now;
  assert_false(alike(&p, NULL));
  drop_pair(&p);
}

/* Every 125th hit of L0 flushes it, unless a core's configuration keeps it from that. */
static void hits_of_l0_count_by_125(void **state) {
  struct pair p = make_pair("datacopy", 20000);
  (void)state;
  const uint32_t hits = p.first->core[1].l0_hits;
  p.second->core[1].l0_hits = hits + 124;
  assert_false(alike(&p, NULL));
  p.second->core[1].l0_hits = hits + 250;
  assert_true(alike(&p, NULL));
  struct tx_tile *moved = copy_of(p.second);
  tx_lap_skip(same, moved, 4);
  assert_int_equal(moved->core[1].l0_hits, hits + 5 * 250);
  free(moved);
  p.second->core[1].l0_hits = hits + 124;
  for (unsigned i = 0; i < 2; i++) (i ? p.first : p.second)->core[1].csr[TX_CSR_CFG0] |= TX_CFG0_NO_L0_FLUSH;
  assert_true(alike(&p, NULL));
  drop_pair(&p);
}

/* --- lists whose entries move --- */

static void pending_effects_are_compared_in_their_order(void **state) {
  struct pair p = make_pair("datacopy", 20000);
  struct sim_engine *a = &p.first->engine, *b = &p.second->engine;
  const sim_time period = b->now - a->now;
  (void)state;
  a->effect_count = b->effect_count = 3;
  for (unsigned i = 0; i < 3; i++) {
    a->effects[i] = (struct sim_effect){.at = a->now + 5 + i, .seq = 100 + i, .kind = TX_EFFECT_GPR_WRITE, .w = {i}};
    b->effects[i ? 3 - i : 0] =
        (struct sim_effect){.at = b->now + 5 + i, .seq = 900 + i, .kind = TX_EFFECT_GPR_WRITE, .w = {i}};
  }
  /* The packer's batches name their effects: none here, so that only the list itself counts. */
  p.first->pack.count = p.second->pack.count = 0;
  assert_true(alike(&p, NULL));
  b->effects[2].w[5] = 1;
  assert_false(alike(&p, NULL));
  b->effects[2].w[5] = 0;
  b->effects[2].at = a->effects[1].at + period + 1;
  assert_false(alike(&p, NULL));
  b->effects[2].at = a->effects[1].at + period;
  assert_true(alike(&p, NULL));
  for (unsigned i = 0; i < 3; i++) a->effects[i].at = a->now + 5, b->effects[i].at = b->now + 5; /* now by number */
  assert_true(alike(&p, NULL));
  b->effects[0].seq = 903;
  assert_false(alike(&p, NULL));
  drop_pair(&p);
}

static void batches_of_the_packer_are_compared_from_the_first_on(void **state) {
  struct pair p = make_pair("datacopy", 20000);
  (void)state;
  for (unsigned i = 0; i < 2; i++) {
    struct tx_tile *t = i ? p.second : p.first;
    t->pack.first = i ? 15 : 4;
    t->pack.count = 2;
    for (unsigned k = 0; k < 2; k++) {
      struct tx_pack_batch *batch = &t->pack.batch[(t->pack.first + k) % TX_PACK_BATCHES];
      memset(batch, 0, sizeof *batch);
      batch->done_at = t->engine.now + 3 + k;
      batch->effect = t->engine.effect_seq - 5 + k;
      batch->agent = k;
      batch->bytes[7] = (uint8_t)i; /* data */
    }
  }
  assert_true(alike(&p, NULL));
  p.second->pack.batch[0].agent = 2;
  assert_false(alike(&p, NULL));
  p.second->pack.batch[0].agent = 1;
  assert_true(alike(&p, NULL));
  p.second->pack.batch[0].effect++;
  assert_false(alike(&p, NULL));
  p.second->pack.batch[0].effect--;
  p.second->pack.batch[15].done_at++;
  assert_false(alike(&p, NULL));
  drop_pair(&p);
}

static void jobs_ranges_and_hidden_rows_are_compared_while_they_live(void **state) {
  struct pair p = make_pair("datacopy", 20000);
  (void)state;
  assert_true(p.second->unpack.jobs[1] < TX_UNPACK_JOBS);
  p.second->unpack.job[1][TX_UNPACK_JOBS - 1].word ^= 1;
  p.second->inflight.range[TX_INFLIGHT_MAX - 1].base ^= 16;
  p.second->vector.hidden[p.second->engine.now & 1u].at = p.second->engine.now - 2;
  assert_true(alike(&p, NULL));
  p.second->vector.hidden[p.second->engine.now & 1u].at = p.second->engine.now;
  assert_false(alike(&p, NULL));
  p.first->vector.hidden[p.first->engine.now & 1u] = p.second->vector.hidden[p.second->engine.now & 1u];
  p.first->vector.hidden[p.first->engine.now & 1u].at = p.first->engine.now;
  assert_true(alike(&p, NULL));
  p.second->vector.hidden[p.second->engine.now & 1u].wanted_rows ^= 1;
  assert_false(alike(&p, NULL));
  p.second->vector.hidden[p.second->engine.now & 1u].wanted_rows ^= 1;
  for (unsigned i = 0; i < 2; i++) (i ? p.first : p.second)->unpack.jobs[1] = TX_UNPACK_JOBS;
  assert_false(alike(&p, NULL));
  drop_pair(&p);
}

/* A load that waits has a place in the ring of retirement, which rotates. */
static void a_waiting_load_rotates_with_its_ring(void **state) {
  struct pair p = make_pair("datacopy", 20000);
  (void)state;
  for (unsigned i = 0; i < 2; i++) {
    struct tx_core *c = i ? &p.second->core[0] : &p.first->core[0];
    const uint32_t next = i ? 1 : 6;
    c->retire_next = next;
    c->waiting.kind = TX_WAITING_LOAD;
    for (unsigned k = 0; k < TX_CORE_RETIRE; k++) {
      c->retire[(next + k) % TX_CORE_RETIRE] = k == 5 ? SIM_NEVER : k + 1;
      c->waiting.complete[(next + k) % TX_CORE_RETIRE] = (uint16_t)(100 + k);
    }
    c->waiting.slot = (uint8_t)((next + 5) % TX_CORE_RETIRE);
  }
  assert_true(alike(&p, NULL));
  struct tx_core *c = &p.second->core[0];
  struct tx_tile *moved = copy_of(p.second);
  tx_lap_skip(same, moved, 3); /* by 3 places each */
  assert_int_equal(moved->core[0].retire_next, (1 + 3 * 3) % TX_CORE_RETIRE);
  assert_int_equal(moved->core[0].waiting.slot, (c->waiting.slot + 3 * 3) % TX_CORE_RETIRE);
  assert_true(moved->core[0].retire[moved->core[0].waiting.slot] == SIM_NEVER);
  assert_int_equal(moved->core[0].waiting.complete[moved->core[0].retire_next], 100);
  free(moved);
  c->waiting.slot = (uint8_t)((c->waiting.slot + 1) % TX_CORE_RETIRE);
  assert_false(alike(&p, NULL));
  drop_pair(&p);
}

/* --- the tables --- */

/* Every byte before L1 lies in a section, and the parts of a section are in order. */
static void the_tables_have_every_byte(void **state) {
  static uint8_t seen[offsetof(struct tx_tile, l1)];
  (void)state;
  for (size_t i = 0; i < tx_lap_section_count; i++) {
    const struct tx_lap_section *s = &tx_lap_sections[i];
    const struct tx_lap_part *part = s->parts;
    assert_true(part->offset == 0 && s->offset + s->size * s->count <= sizeof seen);
    for (; part->name; part++) {
      const size_t bytes = part[1].offset - part->offset;
      const bool words = part->kind == TX_LAP_WORD || part->kind == TX_LAP_NATIVE_WORD;
      assert_true(part[1].offset > part->offset);
      if (part->kind != TX_LAP_EXACT && part->kind != TX_LAP_DATA) assert_int_equal(bytes % (words ? 4 : 8), 0);
    }
    if (part->offset != s->size) fail_msg("section %zu ends at %zu, not %zu", i, part->offset, s->size);
    memset(seen + s->offset, 1, s->size * s->count);
  }
#ifndef TESSERA_INVARIANTS /* guards lie between the blocks */
  for (size_t i = 0; i < sizeof seen; i++)
    if (!seen[i]) {
      if (i % 8 != 4 || seen[i + 3]) fail_msg("byte %zu of the tile is in no section", i);
      i += 3; /* half a word before an aligned block */
    }
#endif
  struct tx_lap_band band;
  unsigned bands = 0;
  while (tx_lap_band(bands, &band)) bands++;
  assert_true(bands <= TX_LAP_BANDS);
}

int main(int argc, char **argv) {
  (void)argc;
  test_kernels_directory(programs, sizeof programs, argv[0]);
  same = malloc(sizeof *same);
  if (!same) return 1;
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_tables_have_every_byte),
      cmocka_unit_test(the_frozen_part_is_that_of_the_real_run),
      cmocka_unit_test(two_skips_are_one),
      cmocka_unit_test(fifos_are_compared_as_far_as_they_hold_words),
      cmocka_unit_test(a_change_of_the_state_is_noticed),
      cmocka_unit_test(data_and_counts_may_differ),
      cmocka_unit_test(an_equal_time_is_past),
      cmocka_unit_test(hits_of_l0_count_by_125),
      cmocka_unit_test(pending_effects_are_compared_in_their_order),
      cmocka_unit_test(batches_of_the_packer_are_compared_from_the_first_on),
      cmocka_unit_test(jobs_ranges_and_hidden_rows_are_compared_while_they_live),
      cmocka_unit_test(a_waiting_load_rotates_with_its_ring),
  };
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  free(same);
  return failed;
}
