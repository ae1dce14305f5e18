/* Ring shadow: the legal sequence of a slot's states, and each finding by the shortest sequence that causes it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sim/ring.h"

static struct sim_ring ring;

static int start(void **state) {
  (void)state;
  memset(&ring, 0xa5, sizeof ring);
  sim_ring_init(&ring, 4);
  return 0;
}

static uint32_t occupied(void) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < ring.slot_count; i++) count += ring.slots[i].state != SIM_SLOT_FREE;
  return count;
}

static void a_slot_goes_round(void **state) {
  (void)state;
  assert_int_equal(occupied(), 0);
  for (uint64_t version = 0; version < 9; version++) {
    uint32_t slot = (uint32_t)(version % 4);
    assert_int_equal(sim_ring_begin_write(&ring, slot, version, 7, 10), SIM_RING_FINE);
    assert_int_equal(ring.slots[slot].state, SIM_SLOT_WRITING);
    assert_int_equal(occupied(), 1);
    assert_int_equal(sim_ring_end_write(&ring, slot, 12), SIM_RING_FINE);
    assert_int_equal(ring.slots[slot].state, SIM_SLOT_READY);
    assert_int_equal(sim_ring_begin_read(&ring, slot, version, 9, 14), SIM_RING_FINE);
    assert_int_equal(ring.slots[slot].since, 14);
    assert_int_equal(ring.slots[slot].writer, 7);
    assert_int_equal(ring.slots[slot].reader, 9);
    assert_int_equal(sim_ring_end_read(&ring, slot, 16), SIM_RING_FINE);
    assert_int_equal(ring.slots[slot].state, SIM_SLOT_FREE);
    assert_int_equal(ring.slots[slot].version, version);
  }
  assert_int_equal(occupied(), 0);
}

static void fill(uint32_t slot, uint64_t version) {
  sim_ring_begin_write(&ring, slot, version, 1, 1);
  sim_ring_end_write(&ring, slot, 2);
}

static void overwrites(void **state) {
  (void)state;
  fill(0, 0);
  assert_int_equal(sim_ring_begin_write(&ring, 0, 4, 1, 3), SIM_RING_OVERWRITE_UNREAD);
  assert_int_equal(ring.slots[0].version, 4);
  assert_int_equal(sim_ring_begin_write(&ring, 0, 8, 1, 3), SIM_RING_WRITE_WRITE);
  fill(1, 1);
  sim_ring_begin_read(&ring, 1, 1, 2, 3);
  assert_int_equal(sim_ring_begin_write(&ring, 1, 5, 1, 4), SIM_RING_OVERWRITE_READING);
}

static void bad_reads(void **state) {
  (void)state;
  assert_int_equal(sim_ring_begin_read(&ring, 2, 2, 2, 1), SIM_RING_READ_EMPTY);
  sim_ring_begin_write(&ring, 2, 2, 1, 2);
  assert_int_equal(sim_ring_begin_read(&ring, 2, 2, 2, 3), SIM_RING_READ_PARTIAL);
  sim_ring_end_write(&ring, 2, 4);
  assert_int_equal(sim_ring_begin_read(&ring, 2, 6, 2, 5), SIM_RING_READ_STALE);
  sim_ring_end_read(&ring, 2, 6);
  assert_int_equal(sim_ring_begin_read(&ring, 2, 2, 2, 7), SIM_RING_READ_STALE); /* given back already */
}

static void bad_frees(void **state) {
  (void)state;
  assert_int_equal(sim_ring_end_read(&ring, 3, 1), SIM_RING_DOUBLE_FREE);
  fill(3, 3);
  assert_int_equal(sim_ring_end_read(&ring, 3, 3), SIM_RING_FREE_UNREAD);
  assert_int_equal(ring.slots[3].state, SIM_SLOT_FREE);
  sim_ring_begin_write(&ring, 3, 7, 1, 4);
  assert_int_equal(sim_ring_end_read(&ring, 3, 5), SIM_RING_FREE_UNREAD);
  assert_int_equal(ring.slots[3].state, SIM_SLOT_WRITING); /* the writer keeps it */
}

static void two_readers_free_once(void **state) {
  (void)state;
  fill(0, 0);
  assert_int_equal(sim_ring_begin_read(&ring, 0, 0, 2, 3), SIM_RING_FINE);
  assert_int_equal(sim_ring_begin_read(&ring, 0, 0, 2, 3), SIM_RING_FINE);
  assert_int_equal(sim_ring_end_read(&ring, 0, 4), SIM_RING_FINE);
  assert_int_equal(ring.slots[0].state, SIM_SLOT_READING);
  assert_int_equal(sim_ring_end_read(&ring, 0, 5), SIM_RING_FINE);
  assert_int_equal(ring.slots[0].state, SIM_SLOT_FREE);
  assert_int_equal(sim_ring_end_read(&ring, 0, 6), SIM_RING_DOUBLE_FREE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(a_slot_goes_round, start),
      cmocka_unit_test_setup(overwrites, start),
      cmocka_unit_test_setup(bad_reads, start),
      cmocka_unit_test_setup(bad_frees, start),
      cmocka_unit_test_setup(two_readers_free_once, start),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
