/* Time of the matrix unit, measured through the whole front end with scripted cores: the figures of the ISA pages and of silicon
 * (docs/reference/matrix-unit.md), the shadows of the moves, waits for banks. */
#include "matrix_rig.h"

/* --- a program per thread, and the cycles in which the matrix unit started each of its instructions --- */

#define WORDS_MAX 4096
#define ACCEPTED_MAX 8192

static struct tx_script_op ops[TX_THREADS][WORDS_MAX];
static uint32_t op_count[TX_THREADS];
static struct tx_script scripts[TX_THREADS];

static sim_time accepted_at[TX_THREADS][ACCEPTED_MAX]; /* when the unit took it; it starts `hold` later */
static uint64_t accepted[TX_THREADS];

static void begin(void) {
  rig_reset(NUM_BF16);
  rig->engine.now = 0;
  memset(op_count, 0, sizeof op_count);
}

static void push(unsigned thread, uint32_t word) {
  assert_true(op_count[thread] < WORDS_MAX);
  ops[thread][op_count[thread]++] = (struct tx_script_op){.kind = TX_SCRIPT_PUSH, .a = word};
}

/* Runs to the end, one cycle at a time. Returns the cycle in which all is done. */
static sim_time run(void) {
  memset(accepted, 0, sizeof accepted);
  for (unsigned thread = 0; thread < TX_THREADS; thread++) {
    scripts[thread] = (struct tx_script){.ops = ops[thread], .count = op_count[thread]};
    tx_script_attach(rig, thread, &scripts[thread]);
  }
  for (sim_time cycle = 1; cycle < 100000; cycle++) {
    enum sim_end end = tx_tile_run(rig, cycle);
    for (unsigned thread = 0; thread < TX_THREADS; thread++) {
      uint64_t now = rig->units[TX_UNIT_MATRIX].accepted[thread];
      assert_true(now < ACCEPTED_MAX);
      for (; accepted[thread] < now; accepted[thread]++) accepted_at[thread][accepted[thread]] = cycle;
    }
    assert_int_equal(rig->fault.kind, SIM_FAULT_NONE);
    if (end != SIM_END_TIME) return rig->engine.now;
  }
  fail_msg("does not end");
  return 0;
}

/* Cycles between the n-th last and the last acceptance of a thread, independent of the start of the stream. */
static uint64_t last_cycles(unsigned thread, uint64_t n) {
  assert_true(accepted[thread] > n);
  return accepted_at[thread][accepted[thread] - 1] - accepted_at[thread][accepted[thread] - 1 - n];
}

static void dst_increment(unsigned thread, unsigned section, unsigned rows) {
  rig->config.thread_words[thread][TX_CFG_ADDR_MOD_DST_SEC0_DestIncr_ADDR + section] = (uint16_t)rows;
}

/* Address modes of the 32x32 matmul, as in LLK. */
static void matmul_address_modes(unsigned thread, unsigned fidelity_increment) {
  static const uint16_t ab[8] = {
      8 << 8, 16 | 1 << 14, 1 << 6 | 32 << 8 | 1 << 14, 0, 32 | 1 << 6 | 48 << 8 | 1 << 14, 1 << 7 | 1 << 15};
  const uint16_t dst[8] = {8, 8, 8, 0, 1 << 10, (uint16_t)(1 << 11 | fidelity_increment << 13)};
  for (unsigned i = 0; i < 8; i++) {
    rig->config.thread_words[thread][TX_CFG_ADDR_MOD_AB_SEC0_SrcAIncr_ADDR + i] = ab[i];
    rig->config.thread_words[thread][TX_CFG_ADDR_MOD_DST_SEC0_DestIncr_ADDR + i] = dst[i];
  }
}

static const unsigned matmul_modes[16] = {0, 1, 0, 2, 0, 1, 0, 4, 0, 1, 0, 2, 0, 1, 0, 5};

/* --- one block and many --- */

/* docs/evidence/time.md: 6/12/18 cycles for 1/2/3 threads on one block, for MVMUL, ELWADD and ELWMUL alike. */
static void test_one_block(void **state) {
  (void)state;
  static const uint32_t words[] = {OP(MVMUL), OP(ELWADD), OP(ELWMUL)};
  for (unsigned i = 0; i < 3; i++)
    for (unsigned threads = 1; threads <= 3; threads++) {
      begin();
      for (unsigned thread = 0; thread < threads; thread++)
        for (unsigned n = 0; n < 128; n++) push(thread, words[i]);
      run();
      for (unsigned thread = 0; thread < threads; thread++) assert_int_equal(last_cycles(thread, 64), 64 * 6 * threads);
    }
}

/* The document's rule instead of silicon's. */
static void test_one_block_by_the_document(void **state) {
  (void)state;
  begin();
  rig->params.dst_block_busy = 5;
  for (unsigned n = 0; n < 128; n++) push(0, OP(MVMUL));
  run();
  assert_int_equal(last_cycles(0, 64), 64 * 5);
}

/* How many blocks in turn are needed for one instruction per cycle: six by silicon, five by the document. */
static void test_blocks_in_flight(void **state) {
  (void)state;
  for (unsigned busy = 5; busy <= 6; busy++)
    for (unsigned blocks = 1; blocks <= 8; blocks++) {
      begin();
      rig->params.dst_block_busy = busy;
      push(0, OP(REPLAY) | TX_PUT(REPLAY, len, blocks) | TX_PUT(REPLAY, load_mode, 1));
      for (unsigned n = 0; n < blocks; n++) push(0, OP(MVMUL) | TX_PUT(MVMUL, dst, 8 * n));
      for (unsigned n = 0; n < 60; n++) push(0, OP(REPLAY) | TX_PUT(REPLAY, len, blocks));
      run();
      uint64_t cycles = last_cycles(0, 20 * blocks);
      if (blocks >= busy) assert_int_equal(cycles, 20 * blocks);
      else assert_int_equal(cycles, 20 * busy); /* every round of blocks waits for its first one */
    }
}

/* docs/evidence/time.md: thread 1 goes over fresh blocks, the others stay on one: 390 and 774 of its cycles per 64. A held
 * instruction holds the unit, so thread 1 gets one turn for each of theirs. Once in 64 of its blocks it meets theirs (or
 * the one 64 further, which the interlock does not distinguish) and then waits itself. */
static void test_mixed_threads(void **state) {
  (void)state;
  static const unsigned expected[] = {64, 390, 774};
  for (unsigned others = 0; others < 3; others++) {
    begin();
    dst_increment(1, 0, 8);
    push(1, OP(REPLAY) | TX_PUT(REPLAY, len, 8) | TX_PUT(REPLAY, load_mode, 1));
    for (unsigned n = 0; n < 8; n++) push(1, OP(MVMUL));
    for (unsigned n = 0; n < 40; n++) push(1, OP(REPLAY) | TX_PUT(REPLAY, len, 8));
    static const unsigned other[] = {0, 2};
    for (unsigned i = 0; i < others; i++)
      for (unsigned n = 0; n < 400; n++) push(other[i], OP(MVMUL));
    run();
    uint64_t cycles = accepted_at[1][256] - accepted_at[1][192]; /* 64 of its instructions, while all threads are busy */
    printf("note: thread 1 on fresh blocks beside %u on one block: %llu cycles per 64\n", others,
           (unsigned long long)cycles);
    assert_int_equal(cycles, expected[others]);
  }
}

/* Without the alias only every second 64 meet. */
static void test_no_alias(void **state) {
  (void)state;
  begin();
  rig->params.dst_alias_blocks = 128;
  push(0, OP(MVMUL));
  push(0, OP(MVMUL) | TX_PUT(MVMUL, dst, 512));
  push(0, OP(MVMUL) | TX_PUT(MVMUL, dst, 8));
  run();
  assert_int_equal(last_cycles(0, 2), 2);
  begin();
  push(0, OP(MVMUL));
  push(0, OP(MVMUL) | TX_PUT(MVMUL, dst, 512));
  push(0, OP(MVMUL) | TX_PUT(MVMUL, dst, 8));
  run();
  assert_int_equal(last_cycles(0, 2), 7);
}

/* --- a tile --- */

/* MOP template 1: the loop counts, then start op, end ops, two loop ops and the last-iteration forms. */
static void mop_of_replay(unsigned thread, unsigned phases) {
  uint32_t replay = OP(REPLAY) | TX_PUT(REPLAY, start_idx, 16) | TX_PUT(REPLAY, len, 16);
  const uint32_t cfg[9] = {1, phases, OP(NOP), OP(NOP), OP(NOP), replay, OP(NOP), replay, replay};
  for (unsigned i = 0; i < 9; i++)
    ops[thread][op_count[thread]++] = (struct tx_script_op){.kind = TX_SCRIPT_STORE, .a = 0xffb80000u + 4 * i, .b = cfg[i]};
}

/* 16 MVMULs per tile and phase: LoFi 16, HiFi2 32, HiFi3 48, HiFi4 64 cycles. */
static void test_tile_cycles(void **state) {
  (void)state;
  for (unsigned phases = 1; phases <= 4; phases++) {
    begin();
    matmul_address_modes(1, phases > 1);
    push(1, OP(REPLAY) | TX_PUT(REPLAY, start_idx, 16) | TX_PUT(REPLAY, len, 16) | TX_PUT(REPLAY, load_mode, 1));
    for (unsigned n = 0; n < 16; n++) push(1, OP(MVMUL) | TX_PUT(MVMUL, addr_mode, matmul_modes[n]));
    mop_of_replay(1, phases);
    for (unsigned tile = 0; tile < 8; tile++) push(1, OP(MOP) | TX_PUT(MOP, mop_type, 1));
    run();
    assert_int_equal(accepted[1], 8 * 16 * phases);
    /* from the first MVMUL of a tile to its last, both included */
    sim_time first = accepted_at[1][3 * 16 * phases], last = accepted_at[1][4 * 16 * phases - 1];
    unsigned long long cycles = last - first + 1;
    printf("note: 32x32 tile, %u phase%s: %llu cycles\n", phases, phases > 1 ? "s" : "", cycles);
    assert_int_equal(cycles, 16 * phases);
  }
}

/* Dst.md: the fidelity loop goes outside the loop over blocks. Eight blocks, four phases. */
static void test_fidelity_loop_inside_and_outside(void **state) {
  (void)state;
  uint64_t cycles[2];
  for (unsigned inside = 0; inside < 2; inside++) {
    begin();
    push(0, OP(REPLAY) | TX_PUT(REPLAY, load_mode, 1)); /* len 0: 32 */
    for (unsigned n = 0; n < 32; n++) push(0, OP(MVMUL) | TX_PUT(MVMUL, dst, 8 * (inside ? n / 4 : n % 8)));
    for (unsigned n = 0; n < 8; n++) push(0, OP(REPLAY));
    run();
    cycles[inside] = last_cycles(0, 4 * 32) / 4;
  }
  printf("note: 8 blocks x 4 phases: %llu cycles with the phases outside, %llu inside\n", (unsigned long long)cycles[0],
         (unsigned long long)cycles[1]);
  assert_int_equal(cycles[0], 32);
  assert_int_equal(cycles[1], 8 * 19); /* a block: 1, then three times 6 */
}

/* Throttle levels of LLK: MVMULs per slots, NOPs in the rest. */
static void test_throttle_levels(void **state) {
  (void)state;
  static const struct {
    unsigned mvmuls, slots, percent;
  } levels[] = {{16, 16, 100}, {8, 11, 73}, {8, 12, 67}, {8, 16, 50}, {4, 10, 40}, {4, 12, 33}};
  for (unsigned level = 0; level < 6; level++) {
    begin();
    dst_increment(0, 0, 8);
    unsigned slots = levels[level].slots, mvmuls = levels[level].mvmuls;
    push(0, OP(REPLAY) | TX_PUT(REPLAY, len, slots) | TX_PUT(REPLAY, load_mode, 1));
    for (unsigned n = 0; n < slots; n++) push(0, (n + 1) * mvmuls / slots != n * mvmuls / slots ? OP(MVMUL) : OP(NOP));
    for (unsigned n = 0; n < 60; n++) push(0, OP(REPLAY) | TX_PUT(REPLAY, len, slots));
    run();
    uint64_t cycles = last_cycles(0, 20 * mvmuls), percent = (20 * mvmuls * 100 + cycles / 2) / cycles;
    printf("note: throttle level %u: %llu %% of one MVMUL a cycle\n", level, (unsigned long long)percent);
    assert_int_equal(percent, levels[level].percent);
  }
}

/* --- shadows: the "Instruction scheduling" of the pages --- */

static uint64_t cycles_between(uint32_t first, uint32_t second) {
  begin();
  for (unsigned n = 0; n < 4; n++) push(0, OP(SETRWC)); /* lets the pipe fill */
  push(0, first);
  push(0, second);
  run();
  return last_cycles(0, 1);
}

#define FOUR_ROWS (2u << 12)

static void test_move_shadows(void **state) {
  (void)state;
  uint32_t movd2a = OP(MOVD2A) | FOUR_ROWS, movd2b = OP(MOVD2B) | FOUR_ROWS, movb2a = OP(MOVB2A) | FOUR_ROWS;
  uint32_t mova2d = OP(MOVA2D) | FOUR_ROWS | 64, movb2d = OP(MOVB2D) | TX_PUT(MOVB2D, movb2d_instr_mod, 4) | 64;
  /* MOVD2A, MOVB2A: in the next cycle only those two */
  assert_int_equal(cycles_between(movd2a, movd2a), 1);
  assert_int_equal(cycles_between(movd2a, movb2a), 1);
  assert_int_equal(cycles_between(movb2a, movd2a), 1);
  assert_int_equal(cycles_between(movd2a, OP(MVMUL)), 2);
  assert_int_equal(cycles_between(movd2a, OP(SETRWC)), 2);
  assert_int_equal(cycles_between(movb2a, OP(ELWADD)), 2);
  assert_int_equal(cycles_between(movd2a, movd2b), 2);
  /* MOVD2B: in the next three only MOVD2B */
  assert_int_equal(cycles_between(movd2b, movd2b), 1);
  assert_int_equal(cycles_between(movd2b, OP(MVMUL)), 4);
  assert_int_equal(cycles_between(movd2b, movd2a), 4);
  assert_int_equal(cycles_between(movd2b, OP(SETRWC)), 4);
  /* MOVA2D, MOVB2D: three cycles before a listed reader of Dst, at any row; others issue at once */
  static const uint32_t stalled[] = {OP(MOVD2A), OP(MOVD2B), OP(ELWMUL), OP(MVMUL), OP(DOTPV), OP(GMPOOL) | 1u << 19,
                                     OP(GAPOOL)};
  for (unsigned i = 0; i < 7; i++) {
    assert_int_equal(cycles_between(mova2d, stalled[i]), 4);
    assert_int_equal(cycles_between(movb2d, stalled[i]), 4);
    assert_int_equal(cycles_between(OP(MOVDBGA2D) | FOUR_ROWS | 64, stalled[i]), 4);
  }
  static const uint32_t free_to_go[] = {OP(ELWADD), OP(ELWSUB), OP(SETRWC), OP(ZEROACC), OP(MOVA2D) | 72, OP(MOVB2D) | 72};
  for (unsigned i = 0; i < 6; i++) assert_int_equal(cycles_between(mova2d, free_to_go[i]), 1);
  /* SHIFTXB: two cycles before any instruction */
  assert_int_equal(cycles_between(OP(SHIFTXB), OP(SETRWC)), 2);
  assert_int_equal(cycles_between(OP(SHIFTXA) | 2, OP(SETRWC)), 1);
}

/* MOVD2A reads Dst: a busy block holds it. Blocks are physical: rows 0..7 of the 32-bit view are rows 0..15 of storage. */
static void test_moves_wait_for_blocks(void **state) {
  (void)state;
  begin();
  push(0, OP(MVMUL));
  push(0, OP(MOVD2A));
  push(0, OP(MOVD2A) | 8); /* held after the first one; its own block is free */
  run();
  assert_int_equal(accepted_at[0][2] - accepted_at[0][0], 7); /* 6 until the block, 1 more */
}

/* --- banks --- */

static void bank_to_unpackers(unsigned which) {
  for (unsigned bank = 0; bank < 2; bank++) rig->src.bank[which][bank].owner = TX_CLIENT_UNPACKERS;
}

/* An MVMUL waits at the gate for both banks; it passes in the cycle after the one that handed the last of them over. */
static void test_waits_for_banks(void **state) {
  (void)state;
  static const struct {
    uint32_t word;
    unsigned needs; /* bit 0 SrcA, bit 1 SrcB, by the page of the instruction */
  } rows[] = {{OP(MVMUL), 3},     {OP(DOTPV), 3},     {OP(ELWADD), 3},
              {OP(ELWSUB), 3},    {OP(ELWMUL), 3},    {OP(GMPOOL) | 1u << 19, 3},
              {OP(GAPOOL), 3},    {OP(MOVA2D), 1},    {OP(SHIFTXA) | 2, 1},
              {OP(MOVB2D), 2},    {OP(MOVB2A), 2},    {OP(SHIFTXB), 2},
              {OP(TRNSPSRCB), 2}, {OP(MOVD2A), 0},    {OP(MOVD2B), 0},
              {OP(ZEROSRC), 0},   {OP(MOVDBGA2D), 0}, {OP(MOVDBGB2D), 0}};
  for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    begin();
    bank_to_unpackers(TX_SRCA);
    bank_to_unpackers(TX_SRCB);
    push(1, rows[i].word);
    for (unsigned n = 0; n < 40; n++) push(0, OP(NOP));
    push(0, OP(SETDVALID) | 1);
    for (unsigned n = 0; n < 10; n++) push(0, OP(NOP));
    push(0, OP(SETDVALID) | 2);
    for (unsigned n = 0; n < 10; n++) push(0, OP(NOP));
    run();
    sim_time at = accepted_at[1][0];
    assert_int_equal(accepted[1], 1);
    if (rows[i].needs == 0) assert_in_range(at, 1, 20);
    if (rows[i].needs == 1) assert_in_range(at, 40, 52);
    if (rows[i].needs & 2) assert_in_range(at, 52, 64);
  }
}

/* Double buffering: clear_dvalid frees the bank in the next cycle, so a hand-over that waits for it can come one cycle
 * later. */
static void test_released_bank_is_seen_in_the_next_cycle(void **state) {
  (void)state;
  begin();
  bank_to_unpackers(TX_SRCB);
  rig->src.bank[TX_SRCB][0].owner = TX_CLIENT_MATRIX;
  push(1, OP(MVMUL) | TX_PUT(MVMUL, clear_dvalid, 2));
  push(1, OP(MVMUL) | TX_PUT(MVMUL, dst, 8)); /* bank 1 was not handed over: waits forever */
  for (unsigned thread = 0; thread < TX_THREADS; thread++) {
    scripts[thread] = (struct tx_script){.ops = ops[thread], .count = op_count[thread]};
    tx_script_attach(rig, thread, &scripts[thread]);
  }
  while (rig->units[TX_UNIT_MATRIX].accepted[1] == 0) tx_tile_run(rig, rig->engine.now + 1);
  assert_int_equal(rig->src.bank[TX_SRCB][0].owner, TX_CLIENT_MATRIX);
  tx_tile_run(rig, rig->engine.now + 1);
  assert_int_equal(rig->src.bank[TX_SRCB][0].owner, TX_CLIENT_UNPACKERS);
  assert_int_equal(rig->src.matrix_bank[TX_SRCB], 1);
  assert_int_equal(tx_tile_run(rig, rig->engine.now + 1000), SIM_END_BLOCKED);
  assert_int_equal(rig->engine.agents[tx_agent_of_thread(1)].wait.kind, TX_BLOCKED_SRCB);
}

/* With timing off one instruction issues per cycle, on any block. */
static void test_timing_off(void **state) {
  (void)state;
  begin();
  rig->timing = 0;
  push(0, OP(REPLAY) | TX_PUT(REPLAY, len, 4) | TX_PUT(REPLAY, load_mode, 1));
  push(0, OP(MVMUL));
  push(0, OP(MOVD2B));
  push(0, OP(ELWMUL));
  push(0, OP(SHIFTXB));
  for (unsigned n = 0; n < 16; n++) push(0, OP(REPLAY) | TX_PUT(REPLAY, len, 4));
  run();
  assert_int_equal(last_cycles(0, 40), 40);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_block),
      cmocka_unit_test(test_one_block_by_the_document),
      cmocka_unit_test(test_blocks_in_flight),
      cmocka_unit_test(test_mixed_threads),
      cmocka_unit_test(test_no_alias),
      cmocka_unit_test(test_tile_cycles),
      cmocka_unit_test(test_fidelity_loop_inside_and_outside),
      cmocka_unit_test(test_throttle_levels),
      cmocka_unit_test(test_move_shadows),
      cmocka_unit_test(test_moves_wait_for_blocks),
      cmocka_unit_test(test_waits_for_banks),
      cmocka_unit_test(test_released_bank_is_seen_in_the_next_cycle),
      cmocka_unit_test(test_timing_off),
  };
  return cmocka_run_group_tests(tests, rig_new, rig_free);
}
