/* Windows of the chip: cores that run ahead of a window's end see the same times as in a tile alone, regardless of arriving packets, and
 * arithmetic on all tiles needs few windows. */
#include "chip/internal.h"
#include "chip_flow.h"
#include "chip_rig.h"
#include "tensix/riscv/core.h"
#include "tensix/tile/tile.h"

#define CLOCKS 0x30000u
#define ROUNDS 400u

/* ROUNDS + 37 * core rounds of arithmetic, then the wall clock to CLOCKS + 4 * core. */
static void put_program(struct tx_tile *t, unsigned core) {
  const uint32_t words[] = {
      0x00040337u,
      0x00830313u,
      0x7c032073u,                                                 /* cfg0 as firmware sets it */
      (ROUNDS + 37u * core) << 20 | 5u << 7 | 0x13u,               /* li t0 */
      0x02528533u,                                                 /* mul a0, t0, t0 */
      0x00a585b3u,                                                 /* add a1, a1, a0 */
      0xfff28293u,                                                 /* addi t0, t0, -1 */
      0xfe029ae3u,                                                 /* bnez t0, -12 */
      0xffb12637u,                                                 /* lui a2 */
      0x1f062683u,                                                 /* lw a3, 0x1f0(a2): the wall clock */
      CLOCKS | 14u << 7 | 0x37u,                                   /* lui a4 */
      (4u * core) << 7 | 13u << 20 | 14u << 15 | 2u << 12 | 0x23u, /* sw a3, 4 core(a4) */
      0x00100073u,
  };
  memcpy(&t->l1[0x1000 * (core + 1)], words, sizeof words);
  tx_core_start(t, core, 0x1000 * (core + 1));
}

static uint32_t result(const struct tx_tile *t, unsigned core) {
  uint32_t word;
  memcpy(&word, &t->l1[CLOCKS + 4 * core], 4);
  return word;
}

/* Writes from another tile arrive all the time, and the run is cut into pieces. */
static void run_in_chip(struct chip *c, struct tx_tile *t, uint64_t piece) {
  for (unsigned core = 0; core < TX_CORES; core++) put_program(t, core);
  for (unsigned i = 0; i < 40; i++) {
    rig_fire(
        c, rig_tile_at(c, 7, 7), i & 1, i & 3,
        (struct rig_request){
            .targ = 0x20000, .targ_xy = rig_xy(7, 7), .ret = 0x50000, .ret_xy = rig_xy(3, 3), .ctrl = 0x2, .length = 64});
    chip_run(c, chip_now(c) + piece);
  }
  assert_int_equal(chip_run(c, 200000), CHIP_END_DONE);
}

static void cores_ahead_see_the_same_times(void **state) {
  (void)state;
  struct tx_tile *alone = calloc(1, sizeof *alone);
  assert_non_null(alone);
  tx_tile_reset(alone, true);
  for (unsigned core = 0; core < TX_CORES; core++) put_program(alone, core);
  tx_tile_run(alone, 200000);
  static const uint64_t pieces[] = {1, 37, 150, 700};
  for (unsigned i = 0; i < 4; i++) {
    struct chip *c = rig_chip(true, 1);
    struct tx_tile *t = chip_tensix(c, rig_tile_at(c, 3, 3));
    run_in_chip(c, t, pieces[i]);
    for (unsigned core = 0; core < TX_CORES; core++) {
      assert_true(result(t, core) > 1000);
      assert_int_equal(result(t, core), result(alone, core));
      assert_int_equal(t->core[core].retired, alone->core[core].retired);
      assert_int_equal(t->core[core].clock, alone->core[core].clock);
    }
    chip_destroy(c);
  }
  free(alone);
}

/* A run that ends in the middle leaves no core past its end. */
static void no_core_passes_the_end_of_a_run(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct chip *c = rig_chip(timing, 1);
    struct tx_tile *t[2] = {chip_tensix(c, rig_tile_at(c, 3, 3)), chip_tensix(c, rig_tile_at(c, 4, 3))};
    for (unsigned i = 0; i < 2; i++)
      for (unsigned core = 0; core < TX_CORES; core++) put_program(t[i], core);
    for (unsigned end = 100; end < 1200; end += 111) {
      chip_run(c, end);
      for (unsigned core = 0; core < TX_CORES; core++) {
        assert_true(t[0]->core[core].retired <= end);
        assert_true(t[0]->core[core].clock <= end + 40); /* at most a mispredicted branch or a fetch is in flight */
        assert_int_equal(t[0]->core[core].retired, t[1]->core[core].retired);
      }
    }
    chip_destroy(c);
  }
}

/* All tiles execute arithmetic only: a window lasts for hundreds of cycles. */
static void arithmetic_needs_few_windows(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct chip *c = rig_chip(timing, 1);
    for (unsigned x = 1; x < 8; x++)
      for (unsigned core = 0; core < TX_CORES; core++) put_program(chip_tensix(c, rig_tile_at(c, x, 5)), core);
    assert_int_equal(chip_run(c, 100000), CHIP_END_DONE);
    sim_time last = chip_tensix(c, rig_tile_at(c, 1, 5))->core[TX_CORES - 1].clock;
    assert_true(last > 2000);
#ifndef TESSERA_INVARIANTS /* there cores run ahead by a few instructions only */
    assert_true(c->windows < last / 100);
#endif
    chip_destroy(c);
  }
}

/* Twelve tiles write to and read from each other, with arithmetic on their other cores. */
static struct chip *busy_chip(bool timing) {
  struct chip *c = rig_chip(timing, 1);
  for (unsigned i = 0; i < 12; i++) {
    const struct flow f = {1 + i % 4, 3 + i / 4, 1 + (i + 1) % 4, 3 + (i / 4 + i % 2) % 3, 64u << i % 4, 6 + i, i % 3 == 0};
    unsigned tile = rig_tile_at(c, f.x, f.y);
    load_program(c, &f);
    for (unsigned core = 0; core < TX_THREADS; core++) put_program(chip_tensix(c, tile), core);
  }
  return c;
}

/* The state at a time does not depend on where the run was divided. */
static void cuts_leave_no_trace(void **state) {
  (void)state;
  uint32_t random = 5;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct chip *whole = busy_chip(timing);
    struct chip *cut[4];
    for (unsigned i = 0; i < 4; i++) cut[i] = busy_chip(timing);
    for (sim_time end = 700; end < 6000; end += 1313) {
      chip_run(whole, end);
      for (unsigned i = 0; i < 4; i++) {
        static const uint32_t longest[4] = {9, 70, 400, 3000};
        while (chip_now(cut[i]) < end) {
          random = random * 1664525u + 1013904223u;
          sim_time to = chip_now(cut[i]) + 1 + (random >> 8) % longest[i];
          chip_run(cut[i], to < end ? to : end);
        }
        assert_int_equal(chip_hash(cut[i]), chip_hash(whole));
      }
    }
    for (unsigned i = 0; i < 4; i++) chip_destroy(cut[i]);
    chip_destroy(whole);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cores_ahead_see_the_same_times),
      cmocka_unit_test(no_core_passes_the_end_of_a_run),
      cmocka_unit_test(arithmetic_needs_few_windows),
      cmocka_unit_test(cuts_leave_no_trace),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
