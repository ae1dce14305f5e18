/* A linked transaction keeps its virtual channel in every router on its way until its last request has passed (NoC/MemoryMap.md, NOC_CMD_VC_LINKED): requests
 * of other tiles on it wait, all others pass, and a chip that is saved meanwhile goes on in the same way. */
#include "chip_rig.h"

#include "chip/stream.h"
#include "noc/niu.h"

#define FIRST 3u, 4u
#define SECOND 5u, 4u /* on the way of FIRST to TARGET */
#define THIRD 6u, 8u
#define TARGET 12u, 4u
#define ANSWERED 0x12u
#define LINKED 0x40u
#define STATIC 0x80u
#define BROADCAST (0x120u | STATIC | 4u << 13) /* channel 4, with the path reserved */

static struct rig_request to_target(uint32_t ctrl, unsigned channel) {
  return (struct rig_request){
      .targ = 0x20000, .ret = 0x40000, .ret_xy = rig_xy(TARGET), .ctrl = ANSWERED | ctrl | channel << 13, .length = 64};
}

static void fire(struct chip *c, unsigned x, unsigned y, unsigned initiator, struct rig_request q) {
  q.targ_xy = rig_xy(x, y);
  rig_fire(c, rig_tile_at(c, x, y), 0, initiator, q);
}

static uint32_t acks(struct chip *c, unsigned x, unsigned y) {
  return rig_counter(c, rig_tile_at(c, x, y), 0, NOC_MST_WR_ACK);
}

static enum chip_end run(struct chip *c) { return chip_run(c, chip_now(c) + 2000); }

/* Of the requests that pass the same links, only those that are bound to the channel wait. */
static void only_the_channel_is_held(void **state) {
  (void)state;
  static const struct {
    uint32_t ctrl;
    unsigned channel;
    bool waits;
  } rows[] = {{STATIC, 1, true}, {STATIC, 2, false}, {0, 1, false}, {STATIC, 0, false}};
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    struct chip *c = rig_chip(true, 1);
    struct chip_waiting held;
    fire(c, FIRST, 0, to_target(STATIC | LINKED, 1));
    assert_int_equal(run(c), CHIP_END_DONE);
    fire(c, SECOND, 0, to_target(rows[i].ctrl, rows[i].channel));
    assert_int_equal(run(c), rows[i].waits ? CHIP_END_BLOCKED : CHIP_END_DONE);
    assert_int_equal(acks(c, SECOND), !rows[i].waits);
    assert_int_equal(chip_waiting(c, 0, &held), rows[i].waits);
    if (rows[i].waits) {
      assert_int_equal(held.owner, rig_tile_at(c, FIRST));
      assert_int_equal(held.at, rig_tile_at(c, SECOND));
      assert_int_equal(held.packet->tile, rig_tile_at(c, SECOND));
      assert_false(chip_waiting(c, 1, &held));
    }
    fire(c, FIRST, 0, to_target(STATIC, 1));
    assert_int_equal(run(c), CHIP_END_DONE);
    assert_int_equal(acks(c, FIRST), 2);
    assert_int_equal(acks(c, SECOND), 1);
    assert_false(chip_waiting(c, 0, &held));
    chip_destroy(c);
  }
}

/* A linked broadcast whose tree crosses that of another one waits in its tile, and its tile goes on answering. */
static void a_second_transaction_waits_at_its_source(void **state) {
  (void)state;
  struct chip *c = rig_chip(true, 1);
  struct rig_request first = {.targ = 0x20000, .ret = 0x40000, .ret_xy = rig_rectangle(4, 4, 7, 6), .length = 64},
                     second = {.targ = 0x20000, .ret = 0x50000, .ret_xy = rig_rectangle(6, 4, 12, 4), .length = 64},
                     read = {
                         .targ = 0x30000, .targ_xy = rig_xy(SECOND), .ret = 0x60000, .ret_xy = rig_xy(THIRD), .length = 64};
  first.ctrl = second.ctrl = ANSWERED | BROADCAST | LINKED;
  read.ctrl = STATIC;
  fire(c, FIRST, 0, first);
  assert_int_equal(run(c), CHIP_END_DONE);
  assert_int_equal(acks(c, FIRST), 12);
  fire(c, SECOND, 0, second);
  assert_int_equal(run(c), CHIP_END_BLOCKED);
  rig_fire(c, rig_tile_at(c, THIRD), 0, 0, read);
  run(c);
  assert_int_equal(rig_counter(c, rig_tile_at(c, THIRD), 0, NOC_MST_RD_RESP), 1);
  assert_int_equal(acks(c, SECOND), 0);
  first.ctrl &= ~LINKED, second.ctrl &= ~LINKED;
  fire(c, FIRST, 0, first);
  run(c);
  assert_int_equal(acks(c, SECOND), 5); /* columns 8 and 9 have no Tensix tile */
  fire(c, SECOND, 0, second);
  assert_int_equal(run(c), CHIP_END_DONE);
  assert_int_equal(acks(c, SECOND), 10);
  chip_destroy(c);
}

/* Transactions of many tiles with crossing trees, begun in the same cycle and ended only when all their data has arrived: one after the other, no deadlock. */
static void crossing_transactions_take_turns(void **state) {
  (void)state;
  struct chip *c = rig_chip(true, 1);
  uint32_t ended = 0;
  for (unsigned i = 0; i < 6; i++) {
    struct rig_request q = {.targ = 0x20000,
                            .targ_xy = rig_xy(2 + i, 3 + i),
                            .ret = 0x40000 + 0x100 * i,
                            .ret_xy = rig_rectangle(1, 2, 7, 11),
                            .ctrl = ANSWERED | BROADCAST | LINKED | (i & 1u) << 16,
                            .length = 64};
    rig_fire(c, rig_tile_at(c, 2 + i, 3 + i), 0, 0, q);
  }
  for (unsigned round = 0; ended != 63 && round < 20; round++) {
    run(c);
    for (unsigned i = 0; i < 6; i++) {
      if ((ended >> i & 1u) || acks(c, 2 + i, 3 + i) != 69) continue;
      struct rig_request q = {.targ = 0x20000,
                              .targ_xy = rig_xy(2 + i, 3 + i),
                              .ret = 0x40000 + 0x100 * i,
                              .ret_xy = rig_rectangle(1, 2, 7, 11),
                              .ctrl = ANSWERED | BROADCAST | (i & 1u) << 16,
                              .length = 64};
      rig_fire(c, rig_tile_at(c, 2 + i, 3 + i), 0, 0, q);
      ended |= 1u << i;
    }
  }
  assert_int_equal(ended, 63);
  assert_int_equal(run(c), CHIP_END_DONE);
  chip_destroy(c);
}

/* Saved while transactions are open and one waits: restored, it goes on as the original does. */
static void an_open_transaction_is_saved(void **state) {
  (void)state;
  static const uint32_t kinds[] = {0, 1u << 16, 1u << 17};
  for (unsigned timing = 0; timing < 2; timing++)
    for (unsigned i = 0; i < 3; i++) {
      struct chip *a = rig_chip(timing, 1), *b = rig_chip(timing, 1);
      struct chip_stream stream = {0};
      struct rig_request q = {.targ = 0x20000, .ret = 0x40000, .ret_xy = rig_rectangle(2, 4, 12, 6), .length = 64};
      q.ctrl = ANSWERED | BROADCAST | LINKED | kinds[i];
      fire(a, FIRST, 0, q);
      run(a);
      struct rig_request other = q;
      other.ctrl &= ~LINKED;
      fire(a, SECOND, 0, other);
      run(a);
      assert_true(chip_save(a, &stream));
      stream.at = 0;
      assert_null(chip_restore(b, &stream));
      assert_true(chip_hash(a) == chip_hash(b));
      q.ctrl &= ~LINKED;
      for (unsigned k = 0; k < 2; k++) {
        fire(k ? b : a, FIRST, 0, q);
        assert_int_equal(run(k ? b : a), CHIP_END_DONE);
      }
      assert_true(chip_hash(a) == chip_hash(b));
      assert_int_equal(acks(a, FIRST), acks(b, FIRST));
      assert_int_equal(acks(a, SECOND), acks(b, SECOND));
      assert_true(acks(a, SECOND) > 0);
      free(stream.bytes);
      chip_destroy(a);
      chip_destroy(b);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(only_the_channel_is_held),
      cmocka_unit_test(a_second_transaction_waits_at_its_source),
      cmocka_unit_test(crossing_transactions_take_turns),
      cmocka_unit_test(an_open_transaction_is_saved),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
