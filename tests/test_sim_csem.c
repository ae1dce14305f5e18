/* Counting semaphores: each end of the range and each fan, against counts computed here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/csem.h"

static struct sim_csem ascend(enum sim_csem_fan fan, uint8_t sources) {
  return sim_csem_make(4, 15, SIM_FULL_ERROR, SIM_ZERO_BLOCK, fan, sources);
}

static void four_bits_hold_fifteen(void **state) {
  (void)state;
  struct sim_csem sem = ascend(SIM_FAN_P2P, 1);
  assert_int_equal(sim_csem_full(&sem), 15);
  for (int i = 0; i < 15; i++) assert_int_equal(sim_csem_post(&sem, 0), SIM_CSEM_OK);
  assert_int_equal(sem.value, 15);
  assert_int_equal(sim_csem_post(&sem, 0), SIM_CSEM_OVERFLOW);
  assert_int_equal(sem.value, 15);
  assert_int_equal(sem.posts, 15);
}

static void zero_blocks_or_saturates(void **state) {
  (void)state;
  struct sim_csem block = ascend(SIM_FAN_P2P, 1);
  assert_int_equal(sim_csem_get(&block), SIM_CSEM_WOULD_BLOCK);
  sim_csem_post(&block, 0);
  assert_int_equal(sim_csem_get(&block), SIM_CSEM_OK);
  assert_int_equal(sim_csem_get(&block), SIM_CSEM_WOULD_BLOCK);
  assert_int_equal(block.gets, 1);
  struct sim_csem tensix = sim_csem_make(4, 2, SIM_FULL_SATURATE, SIM_ZERO_SATURATE, SIM_FAN_P2P, 1);
  assert_int_equal(sim_csem_get(&tensix), SIM_CSEM_SATURATED);
  assert_int_equal(tensix.value, 0);
}

/* Tensix: the maximum is only compared with by waits; posts go on to 15. */
static void full_saturates_at_width_not_max(void **state) {
  (void)state;
  struct sim_csem sem = sim_csem_make(4, 2, SIM_FULL_SATURATE, SIM_ZERO_SATURATE, SIM_FAN_P2P, 1);
  for (int i = 0; i < 15; i++) assert_int_equal(sim_csem_post(&sem, 0), SIM_CSEM_OK);
  assert_int_equal(sim_csem_post(&sem, 0), SIM_CSEM_SATURATED);
  assert_int_equal(sem.value, 15);
  assert_int_equal(sem.max, 2);
}

static void full_may_block(void **state) {
  (void)state;
  struct sim_csem sem = sim_csem_make(1, 1, SIM_FULL_BLOCK, SIM_ZERO_BLOCK, SIM_FAN_P2P, 1);
  assert_int_equal(sim_csem_post(&sem, 0), SIM_CSEM_OK);
  assert_int_equal(sim_csem_post(&sem, 0), SIM_CSEM_WOULD_BLOCK);
  sim_csem_get(&sem);
  assert_int_equal(sim_csem_post(&sem, 0), SIM_CSEM_OK);
}

/* A2/A3: the Cube sees min(sets by AIV0, sets by AIV1) - waits, for every interleaving of a fixed random walk. */
static void reduce_takes_the_minimum(void **state) {
  (void)state;
  struct sim_csem sem = ascend(SIM_FAN_REDUCE_MIN, 2);
  unsigned sets[2] = {0, 0}, waits = 0;
  uint32_t random = 12345;
  for (int step = 0; step < 20000; step++) {
    random = random * 1664525u + 1013904223u;
    unsigned what = (random >> 16) % 3;
    if (what < 2 && sets[what] - waits < 15) {
      assert_int_equal(sim_csem_post(&sem, what), SIM_CSEM_OK);
      sets[what]++;
    } else if (what < 2) {
      assert_int_equal(sim_csem_post(&sem, what), SIM_CSEM_OVERFLOW);
    } else {
      unsigned credits = (sets[0] < sets[1] ? sets[0] : sets[1]) - waits;
      assert_int_equal(sim_csem_get(&sem), credits ? SIM_CSEM_OK : SIM_CSEM_WOULD_BLOCK);
      waits += credits != 0;
    }
    assert_int_equal(sem.value, (sets[0] < sets[1] ? sets[0] : sets[1]) - waits);
  }
  assert_true(waits > 1000);
}

static void one_source_alone_gives_nothing(void **state) {
  (void)state;
  struct sim_csem sem = ascend(SIM_FAN_REDUCE_MIN, 2);
  for (int i = 0; i < 3; i++) sim_csem_post(&sem, 0);
  assert_int_equal(sem.value, 0);
  assert_int_equal(sim_csem_get(&sem), SIM_CSEM_WOULD_BLOCK);
  sim_csem_post(&sem, 1);
  assert_int_equal(sem.value, 1);
  assert_int_equal(sem.posted[0], 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(four_bits_hold_fifteen),          cmocka_unit_test(zero_blocks_or_saturates),
      cmocka_unit_test(full_saturates_at_width_not_max), cmocka_unit_test(full_may_block),
      cmocka_unit_test(reduce_takes_the_minimum),        cmocka_unit_test(one_source_alone_gives_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
