/* Timing of the unpackers: address phase, rates, order, waits for a bank, hand-over, ranges of L1 in flight. The figures
 * are those of the documents and of params.def, summed here, and silicon's. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "unpack_rig.h"

enum { ADDRESS = 2, FILL = 2 };

static const struct setup bf16_tile = {
    .unpacker = 0, .in = NUM_BF16, .out = NUM_BF16, .base = 0x20000, .xdim = 1024, .ydim = 1, .zdim = 1, .last = 1023};

static struct setup of(unsigned u, unsigned in, unsigned out, uint32_t datums, bool dst) {
  return (struct setup){u, in, out, 0x20000, datums, 1, 1, 0, datums - 1, dst};
}

/* Cycles from now until unpacker u has nothing left. */
static sim_time time_to_drain(struct tx_tile *t, unsigned u) {
  sim_time start = t->engine.now;
  while (t->unpack.jobs[u] && !t->fault.kind && t->engine.now - start < 10000) pass_cycles(t, 1);
  return t->engine.now - start;
}

static sim_time time_of(const struct setup *s, void (*more)(struct tx_tile *t)) {
  struct tx_tile *t = new_tile(true);
  configure(t, s);
  if (more) more(t);
  give(t, 0, UNPACR_PLAIN(s->unpacker));
  sim_time time = time_to_drain(t, s->unpacker);
  assert_int_equal(t->fault.kind, SIM_FAULT_NONE);
  free(t);
  return time;
}

static void throttle_x1(struct tx_tile *t) { PUT_SEC(t, 0, REG1_ovrd_default_throttle_mode, 1); }
static void throttle_x2(struct tx_tile *t) {
  throttle_x1(t);
  PUT_SEC(t, 0, REG2_Throttle_mode, 1);
}
static void throttle_x4(struct tx_tile *t) {
  throttle_x1(t);
  PUT_SEC(t, 0, REG2_Throttle_mode, 2);
}
static void upsample1(struct tx_tile *t) { PUT_SEC(t, 0, REG2_Upsample_rate, 1); }
static void upsample2(struct tx_tile *t) { PUT_SEC(t, 0, REG2_Upsample_rate, 2); }

/* Two address cycles, bytes by rate, and the fill. */
static void rates(void **state) {
  (void)state;
  struct setup bf16 = of(0, NUM_BF16, NUM_BF16, 1024, false), fp32 = of(0, NUM_FP32, NUM_TF32, 1024, false);
  struct setup bfp8 = of(1, NUM_BFP8, NUM_BFP8, 1024, false), int8 = of(0, NUM_INT8, NUM_INT8, 1024, false);
  struct setup bfp4 = of(0, NUM_BFP4, NUM_BFP4, 1024, false), bfp2 = of(0, NUM_BFP2, NUM_BFP2, 1024, false);
  struct setup dst = of(0, NUM_FP32, NUM_FP32, 1024, true), dst4 = of(0, NUM_BFP4, NUM_BFP4, 1024, true);
  struct setup few = of(0, NUM_BF16, NUM_BF16, 128, false);
  assert_int_equal(time_of(&bf16, NULL), ADDRESS + 2048 / 128 + FILL);
  assert_int_equal(time_of(&fp32, NULL), ADDRESS + 4096 / 128 + FILL);
  assert_int_equal(time_of(&bfp8, NULL), ADDRESS + 1024 / 128 + FILL);
  assert_int_equal(time_of(&int8, NULL), ADDRESS + 1024 / 128 + FILL);
  assert_int_equal(time_of(&bfp4, NULL), ADDRESS + 512 / 64 + FILL);
  assert_int_equal(time_of(&bfp2, NULL), ADDRESS + 256 / 16 + FILL);
  assert_int_equal(time_of(&dst, NULL), ADDRESS + 4096 / 128 + FILL);
  assert_int_equal(time_of(&dst4, NULL), ADDRESS + 512 / 32 + FILL);
  assert_int_equal(time_of(&bf16, throttle_x1), ADDRESS + 2048 / 16 + FILL);
  assert_int_equal(time_of(&bf16, throttle_x2), ADDRESS + 2048 / 32 + FILL);
  assert_int_equal(time_of(&bf16, throttle_x4), ADDRESS + 2048 / 128 + FILL);
  assert_int_equal(time_of(&int8, throttle_x4), ADDRESS + 1024 / 64 + FILL);
  assert_int_equal(time_of(&few, upsample1), ADDRESS + 256 / 32 + FILL);
  assert_int_equal(time_of(&few, upsample2), ADDRESS + 256 / 16 + FILL);
}

static void the_address_phase_holds_thread_and_unit(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(true);
  configure(t, &bf16_tile);
  struct tx_cost cost = give(t, 0, UNPACR_PLAIN(0));
  assert_int_equal(cost.thread, 2);
  assert_int_equal(cost.issue, 2);
  drain(t);
  put(t, SECTION(0, REG2_Disable_zero_compress_cntx0), 0, 1, 0);
  t->l1[0x20012] = 1; /* one compressed datum */
  cost = give(t, 0, UNPACR_PLAIN(0));
  assert_int_equal(cost.thread, 2 + t->params.unpack_row_start_cycles);
  cost = give(t, 0, 0x43000002u); /* UNPACR_NOP */
  assert_int_equal(cost.thread, 1);
  assert_int_equal(cost.issue, 1);
  free(t);
}

/* A second UNPACR of one unpacker streams right after the first; the fill of the first overlaps. */
static void jobs_follow_each_other(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(true);
  configure(t, &bf16_tile);
  give(t, 0, UNPACR_PLAIN(0) | SET_VALID);
  pass_cycles(t, 2);
  give(t, 0, UNPACR_PLAIN(0) | SET_VALID);
  assert_int_equal(time_to_drain(t, 0), 16 + 16 + FILL); /* counted from the end of the first address phase */
  assert_int_equal(t->src.bank[0][0].owner, TX_CLIENT_MATRIX);
  assert_int_equal(t->src.bank[0][1].owner, TX_CLIENT_MATRIX);
  free(t);
}

/* Silicon, banks out of phase (mesham/tt-sim, perfbench): the matrix unit looks at the bank that is filled second, so two pairs
 * of tiles are unpacked, then both are multiplied. Phases, and cycles per call of matmul_tiles took; several phases have an end op. This
 * op list lacks what the unpack thread of the kernel does between the pairs (posts, waits, addresses), so it lies below the card by a
 * little and never above. test_kernels_cores has the whole kernel. */
static void serialised_matmul(void **state) {
  (void)state;
  static const struct {
    unsigned phases;
    double silicon;
  } probe[] = {{1, 34.77}, {2, 51.52}, {4, 83.50}};
  enum { CALLS = 100 };
  struct tx_script_op *ops = calloc(2 * CALLS * 70, sizeof *ops);
  assert_non_null(ops);
  for (unsigned k = 0; k < 3; k++) {
    struct tx_tile *t = new_tile(true);
    struct tx_script_op *unpack = ops, *math = ops + CALLS * 70;
    uint32_t unpacks = 0, maths = 0;
    struct setup s = bf16_tile;
    configure(t, &s);
    s.unpacker = 1;
    s.base = 0x28000;
    configure(t, &s);
    t->src.matrix_bank[0] = t->src.matrix_bank[1] = 1;
    for (unsigned call = 0; call < CALLS; call++) {
      for (unsigned u = 0; u < 2; u++)
        unpack[unpacks++] = (struct tx_script_op){.kind = TX_SCRIPT_PUSH, .a = UNPACR_PLAIN(u) | SET_VALID};
      unsigned count = 16 * probe[k].phases;
      for (unsigned i = 0; i < count; i++) {
        uint32_t release = probe[k].phases == 1 && i + 1 == count ? TX_PUT(MVMUL, clear_dvalid, 3) : 0;
        math[maths++] = (struct tx_script_op){.kind = TX_SCRIPT_PUSH,
                                              .a = (uint32_t)TX_MVMUL << 24 | release | TX_PUT(MVMUL, dst, i * 8 % 64)};
      }
      if (probe[k].phases > 1)
        math[maths++] =
            (struct tx_script_op){.kind = TX_SCRIPT_PUSH, .a = (uint32_t)TX_SETRWC << 24 | TX_PUT(SETRWC, clear_ab_vld, 3)};
    }
    struct tx_script scripts[2] = {{.ops = unpack, .count = unpacks}, {.ops = math, .count = maths}};
    for (unsigned thread = 0; thread < 2; thread++) tx_script_attach(t, thread, &scripts[thread]);
    assert_int_equal(tx_tile_run(t, 1000000), SIM_END_DONE);
    double here = (double)t->engine.now / CALLS;
    print_message("note: serialised, %u phase%s: silicon %.2f, here %.2f\n", probe[k].phases, probe[k].phases > 1 ? "s" : "",
                  probe[k].silicon, here);
    assert_true(here > probe[k].silicon * 0.95 && here <= probe[k].silicon);
    free(t);
  }
  free(ops);
}

static void unpackers_stream_together(void **state) {
  (void)state;
  for (unsigned percent = 50; percent <= 100; percent += 50) {
    struct tx_tile *t = new_tile(true);
    t->params.unpack_pair_percent = percent;
    struct setup s = bf16_tile;
    configure(t, &s);
    s.unpacker = 1;
    s.base = 0x28000;
    configure(t, &s);
    give(t, 0, UNPACR_PLAIN(0) | SET_VALID);
    pass_cycles(t, 2);
    give(t, 0, UNPACR_PLAIN(1) | SET_VALID);
    /* at half rate: unpacker 0 has 14 cycles of work left when the other begins, and takes 28 for them */
    sim_time a = time_to_drain(t, 0), b = time_to_drain(t, 1);
    assert_int_equal(a, percent == 100 ? 16 + FILL : 2 + 28 + FILL);
    assert_int_equal(a + b, percent == 100 ? 2 + 16 + FILL : 2 + 28 + 2 + FILL);
    free(t);
  }
}

/* The bank belongs to the matrix unit: the job waits inside, the thread does not, condition C1 covers it; a release lets it begin. */
static void waits_for_its_bank_inside(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(true);
  configure(t, &bf16_tile);
  t->src.bank[0][0].owner = TX_CLIENT_MATRIX;
  struct tx_cost cost = give(t, 0, UNPACR_PLAIN(0) | SET_VALID);
  assert_int_equal(cost.thread, 2);
  pass_cycles(t, 500);
  assert_true(tx_unpack_busy(t, 0, 0));
  assert_non_null(tx_unpack_waiting(t, 0));
  assert_int_equal(tx_conditions_unmet(t, 0, 1u << TX_C1_UNPACK0), 1u << TX_C1_UNPACK0);
  assert_int_equal(tx_conditions_unmet(t, 1, 1u << TX_C1_UNPACK0), 0);
  tx_src_release(t, 0, TX_SRCA);
  /* the release lands a cycle later; the address phase is long over */
  assert_int_equal(time_to_drain(t, 0), 1 + 16 + FILL);
  assert_null(tx_unpack_waiting(t, 0));
  assert_int_equal(t->unpack.bank_wait_cycles[0], 501 - 2);
  assert_int_equal(t->src.bank[0][0].owner, TX_CLIENT_MATRIX);
  assert_int_equal(t->src.unpack_bank[0], 1);
  free(t);
}

/* With both banks full the queue fills up, then the gate holds the thread. */
static void a_full_queue_holds_the_thread(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(true);
  struct tx_answer answer;
  configure(t, &bf16_tile);
  for (unsigned i = 0; i < 6; i++) { /* two fill the banks, four wait */
    answer = (struct tx_answer){.ok = true};
    tx_unpack_ready(t, 0, UNPACR_PLAIN(0), &answer);
    assert_true(answer.ok);
    give(t, 0, UNPACR_PLAIN(0) | SET_VALID);
    pass_cycles(t, 100);
  }
  tx_unpack_ready(t, 0, UNPACR_PLAIN(0), &answer);
  assert_false(answer.ok);
  assert_int_equal(answer.wait.kind, TX_BLOCKED_UNPACK_BANK);
  assert_int_equal(answer.wait.object, 0);
  answer = (struct tx_answer){.ok = true};
  tx_unpack_ready(t, 0, UNPACR_PLAIN(1), &answer); /* the other unpacker is free */
  assert_true(answer.ok);
  for (unsigned i = 0; i < 4; i++) {
    assert_int_equal(t->unpack.jobs[0], 4 - i);
    tx_src_release(t, 0, TX_SRCA);
    pass_cycles(t, 100);
  }
  assert_int_equal(t->unpack.jobs[0], 0);
  free(t);
}

/* UNPACR_NOP waits for the matrix unit's bank, or (stall_clr_cntrl) for its own. */
static void clearing_waits(void **state) {
  (void)state;
  for (unsigned own = 0; own < 2; own++) {
    struct tx_tile *t = new_tile(true);
    t->src.bank[1][0].owner = TX_CLIENT_MATRIX;
    t->src.unpack_bank[1] = 1; /* the unpacker is one ahead */
    t->src.bank[1][1].datum[0][0] = 5;
    give(t, 0, 0x43000001u | TX_PUT(UNPACR_NOP, unpacker_select, 1) | TX_PUT(UNPACR_NOP, stall_clr_cntrl, own));
    pass_cycles(t, 50);
    assert_int_equal(tx_unpack_busy(t, 1, 0), !own);
    assert_int_equal(t->src.bank[1][1].datum[0][0], own ? 0 : 5);
    tx_src_release(t, 0, TX_SRCB);
    pass_cycles(t, 50);
    assert_false(tx_unpack_busy(t, 1, 0));
    assert_int_equal(t->src.bank[1][1].datum[0][0], 0);
    free(t);
  }
}

/* An earlier job hands over the bank whose release the clearing job waits for. */
static void clearing_waits_for_what_is_before_it(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(true);
  configure(t, &bf16_tile);
  t->src.bank[0][1].datum[0][0] = 5;
  give(t, 0, UNPACR_PLAIN(0) | SET_VALID);
  give(t, 0, 0x43000001u);
  pass_cycles(t, 500);
  assert_true(tx_unpack_busy(t, 0, 0)); /* the matrix unit has bank 0 */
  assert_int_equal(t->src.bank[0][1].datum[0][0], 5);
  tx_src_release(t, 0, TX_SRCA);
  pass_cycles(t, 2);
  assert_int_equal(t->src.bank[0][1].datum[0][0], 0);
  assert_int_equal(t->src.clear_at[0], 1 + 502);
  assert_false(tx_unpack_busy(t, 0, 0));
  free(t);
}

static void timing_off_lands_in_the_next_cycle(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(false);
  uint64_t seed = 1;
  configure(t, &bf16_tile);
  random_l1(t, 0x20000, 0x1000, &seed);
  give(t, 0, UNPACR_PLAIN(0) | SET_VALID);
  give(t, 0, UNPACR_PLAIN(0) | SET_VALID);
  give(t, 0, UNPACR_PLAIN(0) | SET_VALID);
  assert_int_equal(t->src.bank[0][0].owner, TX_CLIENT_UNPACKERS);
  pass_cycles(t, 1);
  assert_int_equal(t->src.bank[0][0].owner, TX_CLIENT_MATRIX);
  pass_cycles(t, 1);
  assert_int_equal(t->src.bank[0][1].owner, TX_CLIENT_MATRIX);
  pass_cycles(t, 10);
  assert_true(tx_unpack_busy(t, 0, 0));
  tx_src_release(t, 0, TX_SRCA);
  pass_cycles(t, 1); /* the release */
  assert_int_equal(t->src.bank[0][0].owner, TX_CLIENT_UNPACKERS);
  pass_cycles(t, 1); /* the data */
  assert_int_equal(t->src.bank[0][0].owner, TX_CLIENT_MATRIX);
  assert_false(tx_unpack_busy(t, 0, 0));
  free(t);
}

/* Timing off: without a hand-over no agent can tell this cycle from the next, and the data move at once. A job before it, a
 * bank that the matrix unit owns and a hand-over take the way of the queue; both leave the same state. */
static void timing_off_moves_at_once(void **state) {
  (void)state;
  uint64_t seed = 11;
  struct tx_tile *t = new_tile(false), *other = new_tile(false);
  random_l1(t, bf16_tile.base, 4096, &seed);
  memcpy(other->l1, t->l1, sizeof t->l1);
  configure(t, &bf16_tile);
  configure(other, &bf16_tile);
  other->perf.counting = 1; /* performance counters look at the queue */
  give(t, 0, UNPACR_PLAIN(0));
  assert_int_equal(t->unpack.jobs[0], 0);
  assert_int_equal(t->inflight.used, 0);
  for (unsigned i = 0; i < 1024; i++)
    assert_int_equal(src(t, 0, 0, i / 16, i % 16),
                     convert(NUM_BF16, NUM_BF16, false, l1_datum(t, bf16_tile.base + 16, i, 16), 0));
  give(other, 0, UNPACR_PLAIN(0));
  assert_int_equal(other->unpack.jobs[0], 1);
  other->perf.counting = 0;
  drain(other);
  pass_cycles(t, other->engine.now - t->engine.now);
  assert_memory_equal(&t->unpack, &other->unpack, sizeof t->unpack);
  assert_memory_equal(&t->src, &other->src, sizeof t->src);
  assert_memory_equal(&t->inflight, &other->inflight, sizeof t->inflight);
  give(t, 0, UNPACR_PLAIN(0) | SET_VALID);
  give(t, 0, UNPACR_PLAIN(0)); /* in order, behind the other */
  assert_int_equal(t->unpack.jobs[0], 2);
  drain(t);
  t->src.bank[0][t->src.unpack_bank[0]].owner = TX_CLIENT_MATRIX;
  give(t, 0, UNPACR_PLAIN(0));
  assert_int_equal(t->unpack.jobs[0], 1);
  free(t);
  free(other);
}

/* Rows of equal UNPACRs that only their counters tell apart, at once and through the queue: the same registers, counters, findings and
 * faults. */
static void rows_at_once_are_those_of_the_queue(void **state) {
  (void)state;
  uint64_t seed = 5;
  struct tx_tile *t = new_tile(false), *other = new_tile(false);
  uint64_t moved = 0;
  random_l1(t, 0x20000, 0x4000, &seed);
  memcpy(other->l1, t->l1, sizeof t->l1);
  for (unsigned round = 0; round < 400; round++) {
    struct setup s = of(round & 1u, round % 3 ? NUM_BF16 : NUM_FP32, round % 3 ? NUM_BF16 : NUM_TF32, 256, false);
    s.ydim = s.zdim = 4;
    uint32_t word = UNPACR_PLAIN(s.unpacker) | TX_PUT(UNPACR, addr_mode, random_word(&seed) & 0xffu);
    struct tx_tile *both[2] = {t, other};
    for (unsigned i = 0; i < 2; i++) {
      configure(both[i], &s);
      PUT_SEC(both[i], s.unpacker, REG2_Tileize_mode, round % 5 == 1);
      PUT_CFG(both[i], UNP0_ADDR_CTRL_XY_REG_1_Ystride, 64);
      PUT_CFG(both[i], UNP1_ADDR_CTRL_XY_REG_1_Ystride, 64);
      PUT_CFG(both[i], UNP0_ADD_DEST_ADDR_CNTR_add_dest_addr_cntr, 1);
      PUT_SEC(both[i], s.unpacker, REG2_Unpack_Src_Reg_Set_Upd, round % 7 == 1);
      PUT_SEC(both[i], s.unpacker, REG2_Unpack_limit_address, round % 11 ? 0x1ffff : 0x2040);
      PUT_SEC(both[i], s.unpacker, REG2_Unpack_fifo_size, round % 11 ? 0 : 0x40);
      if (round % 13 == 1) both[i]->config.thread_words[0][TX_CFG_SRCA_SET_SetOvrdWithAddr_ADDR] = 0;
    }
    for (unsigned k = 0; k < 20; k++) {
      const uint32_t x = random_word(&seed) % 4 * 16, rows = 1 + random_word(&seed) % 3, odd = !(random_word(&seed) % 8);
      const uint32_t y = random_word(&seed) % 4, to = random_word(&seed) % 16;
      for (unsigned i = 0; i < 2; i++) {
        struct tx_adc_channel *ch = both[i]->adc[0].unit[s.unpacker];
        ch[0].c[TX_ADC_X] = x;
        ch[1].c[TX_ADC_X] = x + 16 * rows - 1 - odd;
        ch[0].c[TX_ADC_Y] = y;
        ch[1].c[TX_ADC_Y] = to;
        both[i]->perf.counting = i;
        give(both[i], 0, word);
        both[i]->perf.counting = 0;
      }
      moved += !t->unpack.jobs[s.unpacker];
      assert_int_equal(t->fault.kind, other->fault.kind);
      drain(other);
      drain(t);
      memset(&t->fault, 0, sizeof t->fault);
      memset(&other->fault, 0, sizeof other->fault);
      assert_memory_equal(&t->unpack, &other->unpack, sizeof t->unpack);
      assert_memory_equal(&t->src, &other->src, sizeof t->src);
      assert_memory_equal(&t->adc, &other->adc, sizeof t->adc);
    }
  }
  assert_true(moved > 1000);
  free(t);
  free(other);
}

/* The data is what L1 holds when the job completes; nothing of it is in the bank before. */
static void nothing_is_seen_early(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(true);
  configure(t, &bf16_tile);
  memset(&t->l1[0x20010], 0x40, 2048);
  give(t, 0, UNPACR_PLAIN(0) | SET_VALID);
  pass_cycles(t, ADDRESS + 16 + FILL - 1);
  assert_int_equal(src(t, 0, 0, 0, 0), 0);
  assert_int_equal(t->src.bank[0][0].owner, TX_CLIENT_UNPACKERS);
  pass_cycles(t, 1);
  assert_int_equal(src(t, 0, 0, 0, 0), convert(5, 5, false, 0x4040, 0));
  assert_int_equal(t->src.bank[0][0].owner, TX_CLIENT_MATRIX);
  free(t);
}

/* --- L1 in flight --- */

static void touch(struct tx_tile *t, uint32_t address, uint32_t length, bool write) {
  t->current = (struct tx_current){.agent = TX_AGENT_BRISC, .word = 0, .pc = 0x44};
  tx_inflight_touch(t, address, length, write);
}

static void races_are_reported(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(true);
  configure(t, &bf16_tile);
  give(t, 0, UNPACR_PLAIN(0) | SET_VALID);
  uint64_t *races = &t->diag.counts[TX_DIAG_L1_RACE];
  touch(t, 0x20010, 4, false); /* two readers */
  touch(t, 0x2000c, 4, true);  /* just before */
  touch(t, 0x20810, 4, true);  /* just after */
  assert_int_equal(*races, 0);
  touch(t, 0x2000e, 4, true);
  assert_int_equal(*races, 1);
  touch(t, 0x2080f, 1, true);
  assert_int_equal(*races, 2);
  assert_non_null(strstr(t->diag.findings[0].why, "UNPACR"));
  assert_int_equal(t->diag.findings[0].agent, TX_AGENT_BRISC);
  drain(t);
  touch(t, 0x20010, 4, true);
  assert_int_equal(*races, 2);
  assert_int_equal(t->inflight.used, 0);
  free(t);
}

/* Tilized rows are not contiguous: the bytes between them are free. The exponents of a block format are in flight as well. */
static void only_what_is_read_is_in_flight(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(true);
  struct setup s = of(0, NUM_BF16, NUM_BF16, 128, false);
  configure(t, &s);
  PUT_SEC(t, 0, REG2_Tileize_mode, 1);
  put(t, TX_CFG_THCON_SEC0_REG2_Shift_amount_cntx0_ADDR, 16, 16, 0x100 / 16); /* 64 of every 256 bytes */
  give(t, 0, UNPACR_PLAIN(0));
  uint64_t *races = &t->diag.counts[TX_DIAG_L1_RACE];
  for (uint32_t row = 0; row < 5; row++) touch(t, 0x20010 + row * 0x100 + 64, 0xc0, true);
  touch(t, 0x20010 + 4 * 0x100, 64, true);
  assert_int_equal(*races, 0);
  for (uint32_t row = 0; row < 4; row++) touch(t, 0x20010 + row * 0x100 + 63, 1, true);
  assert_int_equal(*races, 4);
  touch(t, 0x20010 + 64, 0xc1, true); /* reaches into the next row */
  assert_int_equal(*races, 5);
  drain(t);
  s = of(1, NUM_BFP8, NUM_BFP8, 1024, false);
  configure(t, &s);
  give(t, 0, UNPACR_PLAIN(1));
  touch(t, 0x20010 + 63, 1, true);
  assert_int_equal(*races, 6);
  touch(t, 0x20010 + 64 + 1024, 1, true);
  assert_int_equal(*races, 6);
  free(t);
}

/* A range that another unit writes: the race is reported when the second one is added, in either order. */
static void units_race(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(true);
  configure(t, &bf16_tile);
  struct tx_range range = {.base = 0x20400, .width = 16, .rows = 1, .word = 0x41000001u, .unit = TX_UNIT_PACK, .write = 1};
  unsigned handle = tx_inflight_add(t, &range);
  give(t, 0, UNPACR_PLAIN(0));
  assert_int_equal(t->diag.counts[TX_DIAG_L1_RACE], 1);
  assert_non_null(strstr(t->diag.findings[0].why, "PACR"));
  tx_inflight_remove(t, handle);
  handle = tx_inflight_add(t, &range);
  assert_int_equal(t->diag.counts[TX_DIAG_L1_RACE], 2);
  touch(t, 0x20400, 4, false); /* a read of what is being written */
  assert_int_equal(t->diag.counts[TX_DIAG_L1_RACE], 3);
  unsigned second = tx_inflight_add(t, &range); /* the same unit again: ordered, but UNPACR still races */
  assert_int_equal(t->diag.counts[TX_DIAG_L1_RACE], 4);
  tx_inflight_remove(t, handle);
  tx_inflight_remove(t, second);
  drain(t);
  assert_int_equal(t->inflight.used, 0);
  handle = tx_inflight_add(t, &range);
  second = tx_inflight_add(t, &range);
  assert_int_equal(t->diag.counts[TX_DIAG_L1_RACE], 4);
  tx_inflight_remove(t, handle);
  assert_int_equal(t->inflight.low, 0x20400);
  tx_inflight_remove(t, second);
  assert_int_equal(t->inflight.high, 0);
  assert_int_equal(tx_inflight_add(t, &(struct tx_range){.base = 5}), TX_INFLIGHT_NONE);
  free(t);
}

static void the_list_has_an_end(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(true);
  struct tx_range range = {.base = 0, .width = 16, .rows = 1, .unit = TX_UNIT_PACK};
  for (unsigned i = 0; i < TX_INFLIGHT_MAX - 1; i++) assert_int_equal(tx_inflight_add(t, &range), i + 1);
  assert_int_equal(t->fault.kind, SIM_FAULT_NONE);
  assert_int_equal(tx_inflight_add(t, &range), TX_INFLIGHT_NONE);
  assert_int_equal(t->fault.kind, SIM_FAULT_CAPACITY);
  free(t);
}

/* Equal histories give equal states, byte for byte. */
static void state_is_clean(void **state) {
  (void)state;
  struct tx_tile *a = new_tile(true), *b = new_tile(true);
  configure(a, &bf16_tile);
  configure(b, &bf16_tile);
  give(a, 0, UNPACR_PLAIN(0));
  give(b, 0, UNPACR_PLAIN(0));
  pass_cycles(a, 7);
  pass_cycles(b, 7);
  assert_int_equal(tx_tile_hash(a), tx_tile_hash(b));
  drain(a);
  pass_cycles(b, 3);
  drain(b);
  assert_memory_equal(&a->unpack.job, &b->unpack.job, sizeof a->unpack.job);
  assert_memory_equal(&a->inflight, &b->inflight, sizeof a->inflight);
  for (unsigned i = 0; i < sizeof a->unpack.job; i++) assert_int_equal(((unsigned char *)&a->unpack.job)[i], 0);
  free(a);
  free(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rates),
      cmocka_unit_test(the_address_phase_holds_thread_and_unit),
      cmocka_unit_test(jobs_follow_each_other),
      cmocka_unit_test(unpackers_stream_together),
      cmocka_unit_test(serialised_matmul),
      cmocka_unit_test(waits_for_its_bank_inside),
      cmocka_unit_test(a_full_queue_holds_the_thread),
      cmocka_unit_test(clearing_waits),
      cmocka_unit_test(clearing_waits_for_what_is_before_it),
      cmocka_unit_test(timing_off_lands_in_the_next_cycle),
      cmocka_unit_test(timing_off_moves_at_once),
      cmocka_unit_test(rows_at_once_are_those_of_the_queue),
      cmocka_unit_test(nothing_is_seen_early),
      cmocka_unit_test(races_are_reported),
      cmocka_unit_test(only_what_is_read_is_in_flight),
      cmocka_unit_test(units_race),
      cmocka_unit_test(the_list_has_an_end),
      cmocka_unit_test(state_is_clean),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
