/* A tile started as test benches and drivers start one: cores held, code and data written over the network, reset vectors set, BRISC
 * released at 0; BRISC initialises semaphores and releases the T cores. No cross compiler: the code is built here. */
#include "rig.h"
#include "rv_builder.h"
#include "tensix/tile/outside.h"

#define CONTROL 0xFFB12000u
#define SOFT_RESET (CONTROL + 0x1B0u)
#define WALL_CLOCK (CONTROL + 0x1F0u)
#define FLAGS 0x20000u
#define PUSH0 0xFFE40000u

static struct tx_tile *new_tile(bool timing) {
  struct tx_tile *t = tile_take();
  tx_tile_reset(t, timing);
  return t;
}

static void write_word(struct tx_tile *t, uint32_t address, uint32_t value) {
  const uint8_t raw[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
  assert_true(tx_outside_write(t, address, raw, 4));
}

static uint32_t read_word(struct tx_tile *t, uint32_t address) {
  uint8_t raw[4];
  assert_true(tx_outside_read(t, address, raw, 4));
  return (uint32_t)raw[0] | (uint32_t)raw[1] << 8 | (uint32_t)raw[2] << 16 | (uint32_t)raw[3] << 24;
}

static void write_code(struct tx_tile *t, uint32_t address, const struct rv *code) {
  for (uint32_t i = 0; i < code->count; i++) write_word(t, address + 4 * i, code->word[i]);
}

static void expect_end(struct tx_tile *t, enum sim_end expected) {
  enum sim_end end = tx_tile_run(t, 1000000);
  if (end == expected) return;
  char text[4096] = "";
  if (t->fault.kind) obs_fault_line(t, text, sizeof text);
  else obs_hang_report(t, text, sizeof text);
  fail_msg("ended with %d, not %d, at cycle %llu: %s", (int)end, (int)expected, (unsigned long long)t->engine.now, text);
}

/* --- reset --- */

static void all_cores_are_held_after_power_on(void **state) {
  (void)state;
  struct tx_tile *t = new_tile(true);
  assert_int_equal(read_word(t, SOFT_RESET), 0x47800);
  expect_end(t, SIM_END_DONE);
  for (unsigned core = 0; core < TX_CORES; core++) assert_int_equal(t->core[core].state, TX_CORE_HELD);
  tile_give_back(t);
}

/* SoftReset.md: fixed vectors, and those of the override registers. */
static void reset_vectors(void **state) {
  (void)state;
  static const uint32_t fixed[TX_CORES] = {0x06000, 0x0A000, 0x0E000, 0x00000, 0x12000};
  struct tx_tile *t = new_tile(true);
  for (unsigned core = 0; core < TX_CORES; core++) assert_int_equal(tx_control_reset_pc(t, core), fixed[core]);
  for (unsigned i = 0; i < 3; i++) write_word(t, CONTROL + 0x228 + 4 * i, 0x1000 * (i + 2));
  write_word(t, CONTROL + 0x238, 0x9000);
  for (unsigned core = 0; core < TX_CORES; core++) assert_int_equal(tx_control_reset_pc(t, core), fixed[core]);
  write_word(t, CONTROL + 0x234, 5);
  write_word(t, CONTROL + 0x23C, 1);
  assert_int_equal(tx_control_reset_pc(t, 0), 0x2000);
  assert_int_equal(tx_control_reset_pc(t, 1), 0x0A000);
  assert_int_equal(tx_control_reset_pc(t, 2), 0x4000);
  assert_int_equal(tx_control_reset_pc(t, 4), 0x9000);
  assert_int_equal(tx_control_reset_pc(t, 3), 0);
  tile_give_back(t);
}

/* --- the whole start --- */

/* Waits 600 cycles by the wall clock, as firmware does. */
static void wait_600_cycles(struct rv *p) {
  rv_li(p, A4, WALL_CLOCK);
  rv_load(p, 2, S0, A4, 0);
  rv_load(p, 2, S1, A4, 8);
  rv_li(p, A2, 600);
  rv_load(p, 2, A3, A4, 0);
  rv_sub(p, A3, A3, S0);
  rv_bltu(p, A3, A2, p->count - 2);
}

static void build_brisc(struct rv *p) {
  *p = (struct rv){0};
  for (unsigned sem = 1; sem < 8; sem += sem == 1 ? 1 : 5) /* 1, 2 and 7: maximum 1, value 0, through thread 0 */
    rv_poke(p, PUSH0, 0xA3000000u | 1u << 20 | 1u << (2 + sem));
  wait_600_cycles(p);
  rv_poke(p, CONTROL + 0x234, 7);
  rv_peek(p, A3, SOFT_RESET); /* release the T cores: clear bits 12 to 14 */
  rv_li(p, A5, ~0x7000u);
  rv_and(p, A3, A3, A5);
  rv_li(p, A4, SOFT_RESET);
  rv_store(p, 2, A3, A4, 0);
  for (unsigned i = 0; i < 3; i++) rv_wait(p, FLAGS + 4 * i, 0x100 + i);
  rv_poke(p, FLAGS + 0x20, 0xdead);
  rv_ebreak(p);
}

/* A T core posts semaphore 1, reads it back and its maximum's effect, and stores its own number. */
static void build_trisc(struct rv *p, unsigned core) {
  *p = (struct rv){0};
  rv_li(p, SP, 0xFFB00FF0u); /* a stack in local RAM */
  rv_li(p, A5, 0x100 + core);
  rv_store(p, 2, A5, SP, 0);
  rv_load(p, 2, A2, SP, 0);
  if (core == 1) rv_poke(p, 0xFFE80024u, 0); /* post MATH_PACK */
  if (core == 2) rv_wait(p, 0xFFE80024u, 1);
  rv_li(p, A4, FLAGS + 4 * core);
  rv_store(p, 2, A2, A4, 0);
  rv_loop_for_ever(p); /* as kernels end */
}

static void the_way_test_benches_start_a_tile(void **state) {
  (void)state;
  static const uint32_t places[3] = {0x6000, 0x7000, 0x8000};
  for (unsigned timing = 0; timing < 2; timing++) {
    struct tx_tile *t = new_tile(timing);
    struct rv code;
    write_word(t, SOFT_RESET, 0x47800);
    build_brisc(&code);
    write_code(t, 0, &code);
    for (unsigned i = 0; i < 3; i++) {
      build_trisc(&code, i);
      write_code(t, places[i], &code);
      write_word(t, CONTROL + 0x228 + 4 * i, places[i]);
    }
    const struct tx_watch_word flag = {.address = FLAGS + 0x20, .mask = UINT32_MAX, .value = 0xdead};
    assert_int_equal(tx_watch_condition(t, &flag, 1), 0);
    write_word(t, SOFT_RESET, 0x47000);
    expect_end(t, SIM_END_STOPPED);
    assert_int_equal(tx_watch_take(t), 0);
    assert_true(t->engine.now > 600);
    assert_int_equal(read_word(t, SOFT_RESET), 0x40000);
    for (unsigned i = 0; i < 3; i++) assert_int_equal(read_word(t, FLAGS + 4 * i), 0x100 + i);
    assert_int_equal(t->sync.sem[1].max, 1);
    assert_int_equal(t->sync.sem[1].value, 1);
    assert_int_equal(t->sync.sem[2].max, 1);
    assert_int_equal(t->sync.sem[7].max, 1);
    assert_int_equal(t->sync.sem[3].max, 0);
    /* The T cores' stacks, as a debugger sees them over the network. */
    for (unsigned i = 0; i < 3; i++) assert_int_equal(read_word(t, 0xFFB18000u + 0x2000u * i + 0xff0u), 0x100 + i);
    /* Cores that are reset again restart. */
    write_word(t, SOFT_RESET, 0x47800);
    for (unsigned core = 0; core < TX_CORES; core++) assert_int_equal(t->core[core].state, TX_CORE_HELD);
    write_word(t, FLAGS + 0, 0);
    write_word(t, SOFT_RESET, 0x46800);
    for (unsigned i = 0; i < 3000 && read_word(t, FLAGS) != 0x100; i++) tx_tile_run(t, t->engine.now + 1);
    assert_int_equal(read_word(t, FLAGS), 0x100);
    tile_give_back(t);
  }
}

/* BRISC starts a T core through its PC buffer, as older firmware does. BRISC's read returns when everything has been consumed. */
static void pc_buffers_pass_words_and_wait(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct tx_tile *t = new_tile(timing);
    struct rv b = {0}, c = {0};
    for (unsigned i = 1; i <= 3; i++) rv_poke(&b, 0xFFE90000u, 0x11 * i); /* to T1 */
    rv_peek(&b, A0, 0xFFE90000u);
    rv_addi(&b, A0, A0, 0);
    rv_poke(&b, FLAGS + 0x10, 1);
    rv_ebreak(&b);
    rv_li(&c, A4, 0xFFE80000u);
    rv_li(&c, A2, FLAGS);
    for (unsigned i = 0; i < 3; i++) {
      rv_load(&c, 2, A0, A4, 0);
      rv_store(&c, 2, A0, A2, (int32_t)(4 * i));
    }
    rv_load(&c, 2, A0, A4, 0); /* waits forever */
    rv_addi(&c, A0, A0, 0);
    rv_ebreak(&c);
    write_code(t, 0, &b);
    write_code(t, 0xA000, &c);
    write_word(t, SOFT_RESET, 0x45000); /* BRISC and T1 */
    expect_end(t, SIM_END_BLOCKED);
    for (unsigned i = 0; i < 3; i++) assert_int_equal(read_word(t, FLAGS + 4 * i), 0x11 * (i + 1));
    assert_int_equal(read_word(t, FLAGS + 0x10), 1);
    assert_int_equal(t->core[3].state, TX_CORE_EBREAK);
    assert_int_equal(t->engine.agents[TX_AGENT_TRISC1].wait.kind, TX_BLOCKED_PCBUF);
    tile_give_back(t);
  }
}

/* Mailboxes: T0 sends a request, T2 answers, BRISC reads without removing a word. */
static void mailboxes_pass_words(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct tx_tile *t = new_tile(timing);
    struct rv a = {0}, c = {0}, b = {0};
    for (unsigned i = 0; i < 8; i++) rv_poke(&a, 0xFFEC3000u, 0x500 + i); /* T0 to T2: twice what the mailbox holds */
    rv_peek(&a, A0, 0xFFEC3000u);                                         /* the answer */
    rv_li(&a, A4, FLAGS);
    rv_store(&a, 2, A0, A4, 0);
    rv_poke(&a, 0xFFEC0000u, 0x77); /* to BRISC */
    rv_ebreak(&a);
    rv_li(&c, A4, 0xFFEC1000u); /* T2 from T0 */
    rv_li(&c, S0, 0);
    for (unsigned i = 0; i < 8; i++) {
      rv_load(&c, 2, A0, A4, 0);
      rv_put(&c, 0x00050433u | (uint32_t)S0 << 20); /* add s0, a0, s0 */
    }
    rv_store(&c, 2, S0, A4, 0); /* T2 to T0 */
    rv_ebreak(&c);
    rv_wait(&b, 0xFFEC1004u, 1); /* anything from T0? */
    rv_peek(&b, A0, 0xFFEC1000u);
    rv_li(&b, A4, FLAGS + 4);
    rv_store(&b, 2, A0, A4, 0);
    rv_ebreak(&b);
    write_code(t, 0, &b);
    write_code(t, 0x6000, &a);
    write_code(t, 0xE000, &c);
    write_word(t, SOFT_RESET, 0x42000); /* all but T1 and NCRISC */
    expect_end(t, SIM_END_DONE);
    assert_int_equal(read_word(t, FLAGS), 8 * 0x500 + 28);
    assert_int_equal(read_word(t, FLAGS + 4), 0x77);
    tile_give_back(t);
  }
}

/* DISABLE_RESET: local RAM keeps the data that a loader wrote over the network. */
static void local_ram_is_cleared_unless_told_otherwise(void **state) {
  (void)state;
  for (unsigned keep = 0; keep < 2; keep++) {
    struct tx_tile *t = new_tile(true);
    struct rv c = {0};
    rv_peek(&c, A0, 0xFFB00100u);
    rv_li(&c, A4, FLAGS);
    rv_store(&c, 2, A0, A4, 0);
    rv_ebreak(&c);
    write_code(t, 0x6000, &c);
    write_word(t, 0xFFB18100u, 0x1234567);
    write_word(t, CONTROL + 0x224, keep ? 1 : 0);
    write_word(t, SOFT_RESET, 0x46800);
    expect_end(t, SIM_END_DONE);
    assert_int_equal(read_word(t, FLAGS), keep ? 0x1234567 : 0);
    tile_give_back(t);
  }
}

/* --- a debugger on the network (DebugInterface.md) --- */

static void write_dr(struct tx_tile *t, unsigned which, unsigned dr, uint32_t value) {
  write_word(t, CONTROL + 0x84, value);
  write_word(t, CONTROL + 0x80, 0);
  write_word(t, CONTROL + 0x80, 0x80000000u | which << 17 | 1u << 16 | dr);
  assert_int_equal(read_word(t, CONTROL + 0x88), 0x80000000u | 1u << (13 + which) | dr);
}

static uint32_t read_dr(struct tx_tile *t, unsigned which, unsigned dr) {
  write_word(t, CONTROL + 0x80, 0);
  write_word(t, CONTROL + 0x80, 0x80000000u | which << 17 | dr);
  assert_int_equal(read_word(t, CONTROL + 0x88), 0xC0000000u | dr);
  return read_word(t, CONTROL + 0x8C);
}

static void a_debugger_pauses_a_core_and_lets_it_go_on(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct tx_tile *t = new_tile(timing);
    struct rv c = {0};
    rv_li(&c, S1, 0x5150);
    rv_wait(&c, FLAGS + 0x40, 7); /* polls forever */
    rv_poke(&c, FLAGS, 0x600D);
    rv_ebreak(&c);
    rv_poke(&c, FLAGS + 16, 0x600E);
    rv_ebreak(&c);
    write_code(t, 0xA000, &c);
    write_word(t, SOFT_RESET, 0x45800); /* T1 */
    tx_tile_run(t, 3000);
    assert_int_equal(read_dr(t, 2, 0), 0);
    write_dr(t, 2, 1, 1); /* pause */
    tx_tile_run(t, t->engine.now + 50);
    assert_int_equal(read_dr(t, 2, 0), 1);
    write_dr(t, 2, 2, S1);
    write_dr(t, 2, 1, 1u << 3);
    assert_int_equal(read_dr(t, 2, 4), 0x5150);
    write_dr(t, 2, 2, 32); /* pc: in the loop */
    write_dr(t, 2, 1, 1u << 3);
    assert_in_range(read_dr(t, 2, 4), 0xA000, 0xA000 + 4 * 10);
    write_dr(t, 2, 2, 0xFFB12000u + 0x1B0); /* memory through the core */
    write_dr(t, 2, 1, 1u << 5);
    assert_int_equal(read_dr(t, 2, 4), 0x45800);
    write_dr(t, 2, 2, FLAGS + 0x40);
    write_dr(t, 2, 3, 7);
    write_dr(t, 2, 1, 1u << 6); /* what it waits for */
    tx_tile_run(t, t->engine.now + 50);
    assert_int_equal(read_word(t, FLAGS), 0);
    write_dr(t, 2, 1, 1u << 2); /* on */
    expect_end(t, SIM_END_DONE);
    assert_int_equal(read_word(t, FLAGS), 0x600D);
    assert_int_equal(read_dr(t, 2, 0), 1u | 1u << 3); /* paused by ebreak */
    assert_int_equal(read_word(t, FLAGS + 16), 0);
    write_dr(t, 2, 1, 1u << 2);
    expect_end(t, SIM_END_DONE);
    assert_int_equal(read_word(t, FLAGS + 16), 0x600E);
    write_word(t, SOFT_RESET, 0x47800);
    assert_int_equal(read_dr(t, 2, 2), 0); /* DR registers are cleared with the core */
    tile_give_back(t);
  }
}

/* 0xA000: ebreak; li a0, 0x10000 (one word); li a1, 5; loop: addi a1, a1, 1; sw a1, 0(a0); lw a2, 0(a0); j loop */
static struct tx_tile *paused_at_ebreak(bool timing) {
  static const uint32_t code[] = {0x00100073, 0x00010537, 0x00500593, 0x00158593, 0x00b52023, 0x00052603, 0xff5ff06f};
  struct tx_tile *t = new_tile(timing);
  for (unsigned i = 0; i < 7; i++) write_word(t, 0xA000 + 4 * i, code[i]);
  write_word(t, SOFT_RESET, 0x45800); /* T1 */
  expect_end(t, SIM_END_DONE);
  assert_int_equal(read_dr(t, 2, 0), 1u | 1u << 3);
  return t;
}

static uint32_t debugged(struct tx_tile *t, unsigned number) {
  write_dr(t, 2, 2, number);
  write_dr(t, 2, 1, 1u << 31 | 1u << 3);
  return read_dr(t, 2, 4);
}

static void command(struct tx_tile *t, uint32_t bits) {
  write_dr(t, 2, 1, 1u << 31 | bits);
  tx_tile_run(t, t->engine.now + 200);
  assert_int_equal(t->fault.kind, 0);
}

/* The pcs that tt-exalens' own tests expect of the hardware: after an ebreak the next instruction; two commands per step. */
static void a_debugger_steps_a_core(void **state) {
  (void)state;
  static const uint32_t pcs[] = {0xA008, 0xA00C, 0xA010, 0xA014, 0xA018, 0xA00C, 0xA010, 0xA014, 0xA018};
  for (unsigned timing = 0; timing < 2; timing++) {
    struct tx_tile *t = paused_at_ebreak(timing);
    assert_int_equal(debugged(t, 32), 0xA004);
    for (unsigned i = 0; i < sizeof pcs / sizeof *pcs; i++) {
      uint32_t before = debugged(t, 32);
      command(t, 1u << 1);
      assert_int_equal(debugged(t, 32), before);
      command(t, 1u << 1);
      assert_int_equal(read_dr(t, 2, 0), 1);
      assert_int_equal(debugged(t, 32), pcs[i]);
    }
    assert_int_equal(debugged(t, 11), 7);
    assert_int_equal(debugged(t, 12), 7);
    assert_int_equal(read_word(t, 0x10000), 7);
    tile_give_back(t);
  }
}

static void breakpoints_and_watchpoints_pause_a_core(void **state) {
  (void)state;
  static const struct {
    uint32_t mode, address, status, pc;
  } cases[] = {{8, 0xA00C, 1u << 1, 0xA010},
               {9, 0x10000, 1u << 2, 0xA018},
               {10, 0x10000, 1u << 2, 0xA014},
               {11, 0x10003, 1u << 2, 0xA014},
               {8, 0xA018, 1u << 1, 0xA00C}};
  for (unsigned timing = 0; timing < 2; timing++) {
    struct tx_tile *t = paused_at_ebreak(timing);
    for (unsigned i = 0; i < 5; i++) {
      unsigned number = 2 * i % 8;
      write_dr(t, 2, 10 + number, cases[i].address);
      write_dr(t, 2, 5, cases[i].mode << (4 * number));
      assert_int_equal(read_dr(t, 2, 5), cases[i].mode << (4 * number));
      for (unsigned round = 0; round < 3; round++) {
        command(t, 1u << 2);
        assert_int_equal(read_dr(t, 2, 0), 1u | cases[i].status | 1u << (8 + number));
        uint32_t lw = cases[i].mode == 11 && round != 1 ? 4 : 0; /* the load, the store, the load */
        assert_int_equal(debugged(t, 32), cases[i].pc + lw);
      }
    }
    write_dr(t, 2, 5, 12u << 8 | 7u); /* both are disabled */
    command(t, 1u << 2);
    assert_int_equal(read_dr(t, 2, 0), 0);
    write_dr(t, 2, 5, 10u << 8);
    write_dr(t, 2, 12, 0x10000); /* for a running core */
    tx_tile_run(t, t->engine.now + 200);
    assert_int_equal(read_dr(t, 2, 0), 1u | 1u << 2 | 1u << 10);
    tile_give_back(t);
  }
}

/* The stores of the loop are in its queue all the time; a pause does not wait for them. */
static void a_pause_does_not_wait_for_stores(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct tx_tile *t = paused_at_ebreak(timing);
    write_dr(t, 2, 3, 0xA010); /* the new pc */
    command(t, 1u << 8 | 1u << 1);
    assert_int_equal(read_dr(t, 2, 0), 1);
    assert_int_equal(debugged(t, 32), 0xA010);
    write_word(t, 0xA014, 0x00b52023); /* sw in place of lw: stores alone */
    command(t, 1u << 2);
    for (unsigned i = 0; i < 20; i++) {
      tx_tile_run(t, t->engine.now + 3 + i);
      write_dr(t, 2, 1, 1u << 31 | 1);
      assert_int_equal(read_dr(t, 2, 0), 1);
      command(t, 1u << 2);
    }
    tile_give_back(t);
  }
}

/* What cannot be carried out has no effect: no fault, a note, and a defined result. */
static void a_refused_debug_command_does_not_stop_the_tile(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct tx_tile *t = paused_at_ebreak(timing);
    write_dr(t, 2, 2, 0x90000000u);
    command(t, 1u << 5); /* nothing is mapped there */
    assert_non_null(strstr(t->diag.findings[t->diag.finding_count - 1].why, "nothing is mapped there"));
    assert_int_equal(read_dr(t, 2, 4), 0xffffffffu);
    write_dr(t, 2, 2, 0x10002);
    command(t, 1u << 6);                            /* unaligned */
    assert_int_equal(debugged(t, 33), 0xffffffffu); /* keeps the last result */
    assert_int_equal(debugged(t, 32), 0xA004);
    command(t, 1u << 2);
    assert_int_equal(debugged(t, 11), 0xA004); /* the core runs */
    write_dr(t, 2, 1, 1u << 31 | 1);
    assert_int_equal(read_dr(t, 2, 0), 1);
    tile_give_back(t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_cores_are_held_after_power_on),
      cmocka_unit_test(reset_vectors),
      cmocka_unit_test(the_way_test_benches_start_a_tile),
      cmocka_unit_test(pc_buffers_pass_words_and_wait),
      cmocka_unit_test(mailboxes_pass_words),
      cmocka_unit_test(local_ram_is_cleared_unless_told_otherwise),
      cmocka_unit_test(a_debugger_pauses_a_core_and_lets_it_go_on),
      cmocka_unit_test(a_debugger_steps_a_core),
      cmocka_unit_test(breakpoints_and_watchpoints_pause_a_core),
      cmocka_unit_test(a_pause_does_not_wait_for_stores),
      cmocka_unit_test(a_refused_debug_command_does_not_stop_the_tile),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
