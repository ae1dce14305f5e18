/* Requests between tiles of a chip: data, counters, both NoCs, timing on and off. */
#include "chip_rig.h"

#include "check/delay.h"
#include "noc/niu.h"
#include "tensix/machine.h"
#include "tensix/mem/inflight.h"

enum { READ = 0, ATOMIC = 1, WRITE = 2, INLINE = 8, RESP = 0x10, BRCST = 0x20, PATH = 0x100, SRC_INCL = 1 << 17 };

static void fill(uint8_t *bytes, size_t length, unsigned seed) {
  for (size_t i = 0; i < length; i++) bytes[i] = (uint8_t)(i * 7 + seed + (i >> 8));
}

#define EACH(timing, noc) \
  for (unsigned timing = 0; timing < 2; timing++) \
    for (unsigned noc = 0; noc < 2; noc++)

static void reads_and_writes_move_data_and_count(void **state) {
  (void)state;
  EACH(timing, noc) {
    struct chip *c = rig_chip(timing, 1);
    unsigned a = rig_tile_at(c, 3, 4), b = rig_tile_at(c, 14, 9);
    uint8_t out[1024], in[1024];
    fill(out, sizeof out, 1);
    assert_true(chip_write(c, a, 0x30000, out, sizeof out));
    rig_fire(c, a, noc, 0,
             (struct rig_request){.targ = 0x30000,
                                  .targ_xy = rig_xy(3, 4),
                                  .ret = 0x40000,
                                  .ret_xy = rig_xy(14, 9),
                                  .ctrl = WRITE | RESP,
                                  .length = sizeof out});
    assert_int_equal(chip_run(c, 2000), CHIP_END_DONE);
    assert_true(chip_read(c, b, 0x40000, in, sizeof in));
    assert_memory_equal(in, out, sizeof in);
    assert_int_equal(rig_counter(c, a, noc, NOC_MST_WR_ACK), 1);
    assert_int_equal(rig_counter(c, a, noc, NOC_MST_NP_WR), 1);
    assert_int_equal(rig_counter(c, a, noc, NOC_MST_NP_WORDS), 16);
    assert_int_equal(rig_counter(c, b, noc, NOC_SLV_NP_WR), 1);
    assert_int_equal(rig_counter(c, b, noc, NOC_SLV_WR_ACK), 1);
    rig_fire(c, a, noc, 1,
             (struct rig_request){.targ = 0x40000,
                                  .targ_xy = rig_xy(14, 9),
                                  .ret = 0x50000,
                                  .ret_xy = rig_xy(3, 4),
                                  .ctrl = READ | RESP,
                                  .length = 256,
                                  .tag = 5u << 10});
    assert_int_equal(rig_counter(c, a, noc, NOC_MST_OUTSTANDING + 5), 1);
    assert_int_equal(chip_run(c, 4000), CHIP_END_DONE);
    assert_true(chip_read(c, a, 0x50000, in, 256));
    assert_memory_equal(in, out, 256);
    assert_int_equal(rig_counter(c, a, noc, NOC_MST_RD_RESP), 1);
    assert_int_equal(rig_counter(c, a, noc, NOC_MST_OUTSTANDING + 5), 0);
    chip_destroy(c);
  }
}

static void atomics_answer_the_old_word(void **state) {
  (void)state;
  EACH(timing, noc) {
    struct chip *c = rig_chip(timing, 1);
    unsigned a = rig_tile_at(c, 1, 2), b = rig_tile_at(c, 16, 11);
    rig_put(c, b, 0x1000, 41);
    rig_fire(c, a, noc, 3,
             (struct rig_request){.targ = 0x1000,
                                  .targ_xy = rig_xy(16, 11),
                                  .ret = 0x2000,
                                  .ret_xy = rig_xy(1, 2),
                                  .ctrl = ATOMIC | RESP,
                                  .length = 0x107c,
                                  .data = 2});
    assert_int_equal(chip_run(c, 2000), CHIP_END_DONE);
    assert_int_equal(rig_get(c, b, 0x1000), 43);
    assert_int_equal(rig_get(c, a, 0x2000), 41);
    assert_int_equal(rig_counter(c, a, noc, NOC_MST_ATOMIC_RESP), 1);
    chip_destroy(c);
  }
}

/* The old word goes to L1 only, of this tile or another; DRAM took it. */
static void an_atomic_s_answer_to_dram_is_a_fault(void **state) {
  (void)state;
  EACH(timing, noc) {
    struct chip *c = rig_chip(timing, 1);
    unsigned a = rig_tile_at(c, 1, 2), tile;
    rig_fire(c, a, noc, 3,
             (struct rig_request){.targ = 0x1000,
                                  .targ_xy = rig_xy(16, 11),
                                  .ret = 0x2000,
                                  .ret_xy = rig_xy(17, 12),
                                  .ctrl = ATOMIC | RESP,
                                  .length = 0x107c,
                                  .data = 2});
    assert_int_equal(chip_run(c, 2000), CHIP_END_FAULT);
    assert_non_null(strstr(chip_fault(c, &tile)->why, "the result's address is not in L1"));
    chip_destroy(c);
  }
}

/* A write and then an increment on one virtual channel: a core that reads the increment also reads the data. ISA:
 * NoC/Ordering.md (Wormhole) */
static void packets_of_one_channel_stay_in_order(void **state) {
  (void)state;
  EACH(timing, noc) {
    struct chip *c = rig_chip(timing, 1);
    unsigned a = rig_tile_at(c, 3, 4), b = rig_tile_at(c, 14, 9);
    rig_put(c, a, 0x30000 + 4092, 77);
    rig_fire(c, a, noc, 0,
             (struct rig_request){.targ = 0x30000,
                                  .targ_xy = rig_xy(3, 4),
                                  .ret = 0x40000,
                                  .ret_xy = rig_xy(14, 9),
                                  .ctrl = WRITE | RESP | 0x2080,
                                  .length = 4096});
    rig_fire(c, a, noc, 3,
             (struct rig_request){.targ = 0x1000,
                                  .targ_xy = rig_xy(14, 9),
                                  .ret = 0x2000,
                                  .ret_xy = rig_xy(3, 4),
                                  .ctrl = ATOMIC | RESP | 0x2080,
                                  .length = 0x107c,
                                  .data = 1});
    for (unsigned cycle = 0; cycle < 2000 && !rig_get(c, b, 0x1000); cycle++) chip_run(c, chip_now(c) + 1);
    assert_int_equal(rig_get(c, b, 0x1000), 1);
    assert_int_equal(rig_get(c, b, 0x40000 + 4092), 77);
    chip_destroy(c);
  }
}

/* explore holds the NoC of a tile (check/delay.h) while a write is leaving it: the acknowledgement never comes before the last flit has left. */
static void a_held_noc_does_not_hold_what_has_departed(void **state) {
  (void)state;
  for (unsigned noc = 0; noc < 2; noc++)
    for (unsigned when = 1; when < 120; when += 3) {
      struct chip *c = rig_chip(true, 1);
      unsigned a = rig_tile_at(c, 3, 4);
      rig_fire(c, a, noc, 0,
               (struct rig_request){.targ = 0x30000,
                                    .targ_xy = rig_xy(3, 4),
                                    .ret = 0x40000,
                                    .ret_xy = rig_xy(4, 4),
                                    .ctrl = WRITE | RESP,
                                    .length = 2048});
      chip_run(c, when);
      chk_delay_apply(chip_tensix(c, a), CHK_DELAY_NOC, 833);
      while (chip_now(c) < 4000 && !rig_counter(c, a, noc, NOC_MST_WR_ACK)) {
        chip_run(c, chip_now(c) + 1);
        assert_true(rig_counter(c, a, noc, NOC_MST_WR_ACK) <= rig_counter(c, a, noc, NOC_MST_NP_WR));
      }
      assert_int_equal(rig_counter(c, a, noc, NOC_MST_WR_ACK), 1);
      chip_destroy(c);
    }
}

static void broadcasts_reach_the_rectangle(void **state) {
  (void)state;
  EACH(timing, noc) {
    struct chip *c = rig_chip(timing, 1);
    unsigned a = rig_tile_at(c, 2, 3);
    rig_put(c, a, 0x3000, 0xabcd1234);
    uint32_t r = noc == 0 ? rig_rectangle(2, 3, 11, 5) : rig_rectangle(11, 5, 2, 3);
    rig_fire(c, a, noc, 0,
             (struct rig_request){.targ = 0x3000,
                                  .targ_xy = rig_xy(2, 3),
                                  .ret = 0x3000 + 16,
                                  .ret_xy = r,
                                  .ctrl = WRITE | RESP | BRCST | PATH,
                                  .length = 4});
    assert_int_equal(chip_run(c, 2000), CHIP_END_DONE);
    for (unsigned x = 1; x < 17; x++)
      for (unsigned y = 2; y < 12; y++) {
        if (x == 8 || x == 9) continue;
        bool inside = x >= 2 && x <= 11 && y >= 3 && y <= 5 && !(x == 2 && y == 3);
        assert_int_equal(rig_get(c, rig_tile_at(c, x, y), 0x3010), inside ? 0xabcd1234 : 0);
      }
    assert_int_equal(rig_counter(c, a, noc, NOC_MST_WR_ACK), 8 * 3 - 1);
    chip_destroy(c);
  }
}

static void inline_writes_reach_registers(void **state) {
  (void)state;
  EACH(timing, noc) {
    struct chip *c = rig_chip(timing, 1);
    unsigned a = rig_tile_at(c, 2, 3), b = rig_tile_at(c, 7, 3);
    rig_fire(c, a, noc, 2,
             (struct rig_request){
                 .targ = 0xFFB70438u, .targ_xy = rig_xy(7, 3), .ctrl = WRITE | INLINE, .length = 0xf, .data = 3 << 6});
    assert_int_equal(chip_run(c, 2000), CHIP_END_DONE);
    assert_int_equal(rig_get(c, b, 0xFFB70000u + 297 * 4), 3);
    chip_destroy(c);
  }
}

static void illegal_requests_name_both_places(void **state) {
  (void)state;
  EACH(timing, noc) {
    struct chip *c = rig_chip(timing, 1);
    unsigned a = rig_tile_at(c, 2, 3), tile;
    rig_fire(
        c, a, noc, 2,
        (struct rig_request){
            .targ = 0x1000, .targ_xy = rig_xy(2, 3), .ret = 0x1008, .ret_xy = rig_xy(7, 4), .ctrl = WRITE, .length = 0x20});
    assert_int_equal(chip_run(c, 2000), CHIP_END_FAULT);
    assert_non_null(strstr(chip_fault(c, &tile)->why, noc ? "(14,8) to (9,7)" : "(2,3) to (7,4)"));
    assert_int_equal(tile, rig_tile_at(c, 7, 4));
    chip_destroy(c);
  }
}

static uint64_t races_of_store(struct tx_tile *t, uint32_t address) {
  uint64_t before = t->diag.counts[TX_DIAG_L1_RACE];
  t->current = (struct tx_current){.agent = TX_AGENT_BRISC};
  tx_inflight_touch(t, address, 4u, true);
  return t->diag.counts[TX_DIAG_L1_RACE] - before;
}

/* A store into the source of a write is a race until the last flit of its last packet has left (the counter that noc_async_writes_flushed
 * polls), not only until its first packet is on the network. */
static void the_source_of_a_write_is_in_use_until_it_has_left(void **state) {
  (void)state;
  for (unsigned noc = 0; noc < 2; noc++) {
    struct chip *c = rig_chip(true, 1);
    unsigned a = rig_tile_at(c, 3, 4), raced = 0;
    struct tx_tile *t = chip_tensix(c, a);
    rig_fire(c, a, noc, 0,
             (struct rig_request){.targ = 0x30000,
                                  .targ_xy = rig_xy(3, 4),
                                  .ret = 0x40000,
                                  .ret_xy = rig_xy(14, 9),
                                  .ctrl = WRITE | RESP,
                                  .length = 16384 + 2048});
    assert_int_equal(rig_counter(c, a, noc, NOC_MST_OUTGOING), 2);
    for (sim_time now = 50; rig_counter(c, a, noc, NOC_MST_OUTGOING); now += 50) {
      assert_true(now < 2000);
      assert_int_equal(races_of_store(t, 0x30000 + 16384 + 2044), 1);
      assert_int_equal(races_of_store(t, 0x30000 + 16384 + 2048), 0);
      raced++;
      chip_run(c, now);
    }
    assert_true(raced > 5); /* 288 flits, one in a cycle */
    assert_int_equal(races_of_store(t, 0x30000), 0);
    assert_int_equal(t->inflight.used, 0);
    assert_int_equal(chip_run(c, 4000), CHIP_END_DONE);
    /* one flit: one access to L1, which is over while the broadcast still reserves its path */
    rig_fire(c, a, noc, 0,
             (struct rig_request){.targ = 0x30000,
                                  .targ_xy = rig_xy(3, 4),
                                  .ret = 0x40000,
                                  .ret_xy = noc ? rig_rectangle(7, 5, 1, 3) : rig_rectangle(1, 3, 7, 5),
                                  .ctrl = WRITE | RESP | BRCST | PATH,
                                  .length = 4});
    assert_int_equal(races_of_store(t, 0x30000), 1);
    chip_run(c, 4003);
    assert_int_equal(rig_counter(c, a, noc, NOC_MST_OUTGOING), 1);
    assert_int_equal(races_of_store(t, 0x30000), 0);
    assert_int_equal(chip_run(c, 8000), CHIP_END_DONE);
    chip_destroy(c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reads_and_writes_move_data_and_count),
      cmocka_unit_test(atomics_answer_the_old_word),
      cmocka_unit_test(an_atomic_s_answer_to_dram_is_a_fault),
      cmocka_unit_test(packets_of_one_channel_stay_in_order),
      cmocka_unit_test(a_held_noc_does_not_hold_what_has_departed),
      cmocka_unit_test(broadcasts_reach_the_rectangle),
      cmocka_unit_test(inline_writes_reach_registers),
      cmocka_unit_test(illegal_requests_name_both_places),
      cmocka_unit_test(the_source_of_a_write_is_in_use_until_it_has_left),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
