/* Breakpoints of the debugger that share a cycle, in both directions, with timing on and off; and searches without memory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "gdb/access.h"
#include "gdb/debugger.h"
#include "tessera/chip.h"
#include "tessera/debugger.h"
#include "tessera/tensix.h"

#define BRISC 0x4000u
#define TRISC1 0x5000u
#define ROUNDS 12u
#define AFTER_POLL (TRISC1 + 12u)

/* BRISC stores a counter to a register, with a delay between two stores that lets TRISC1 be parked; TRISC1 polls it until the last one. */
static void load_tile(struct tessera_tile *tile) {
  static const uint32_t brisc[] = {
      0xffb402b7,                /* lui t0, 0xffb40 */
      0x00000313,                /* addi t1, zero, 0 */
      0x00000393 | ROUNDS << 20, /* addi t2, zero, ROUNDS */
      0x0c800e13,                /* loop: addi t3, zero, 200 */
      0xfffe0e13,                /* delay: addi t3, t3, -1 */
      0xfe0e1ee3,                /* bne t3, zero, delay */
      0x00130313,                /* addi t1, t1, 1 */
      0x0262a423,                /* sw t1, 40(t0): pages received of CB 0 */
      0xfe7316e3,                /* bne t1, t2, loop */
      0x00100073,                /* ebreak */
  };
  static const uint32_t trisc1[] = {
      0xffb402b7,                /* lui t0, 0xffb40 */
      0x00000393 | ROUNDS << 20, /* addi t2, zero, ROUNDS */
      0x0282a303,                /* poll: lw t1, 40(t0) */
      0x00138e13,                /* addi t3, t2, 1: does not wait for the load */
      0xfe731ce3,                /* bne t1, t2, poll */
      0x00100073,                /* ebreak */
  };
  tessera_tile_write(tile, BRISC, brisc, sizeof brisc);
  tessera_tile_write(tile, TRISC1, trisc1, sizeof trisc1);
  tessera_tile_set_reset_pc(tile, TESSERA_BRISC, BRISC);
  tessera_tile_set_reset_pc(tile, TESSERA_TRISC1, TRISC1);
  tessera_tile_start(tile, 1u << TESSERA_BRISC | 1u << TESSERA_TRISC1);
}

struct rig {
  struct tessera_tile *tile;
  struct tessera_chip *chip;
  struct tessera_debugger *d;
};

static uint32_t checks; /* TESSERA_OPTION_CHECK of the tile */

static struct rig make_rig(enum tessera_timing timing, bool on_chip) {
  struct rig r = {0};
  if (on_chip) {
    r.chip = tessera_chip_create(&(struct tessera_chip_options){.timing = timing, .threads = 1});
    assert_non_null(r.chip);
    load_tile(tessera_chip_tile(r.chip, 1, 2));
    tessera_tile_set_option(tessera_chip_tile(r.chip, 1, 2), TESSERA_OPTION_CHECK, checks);
    r.d = tessera_debugger_open_chip(r.chip);
    assert_int_equal(tessera_debugger_add_tile(r.d, 1, 2), TESSERA_OK);
  } else {
    r.tile = tessera_tile_create(timing);
    assert_non_null(r.tile);
    load_tile(r.tile);
    tessera_tile_set_option(r.tile, TESSERA_OPTION_CHECK, checks);
    r.d = tessera_debugger_open(r.tile);
  }
  assert_non_null(r.d);
  return r;
}

static void free_rig(struct rig r) {
  tessera_debugger_close(r.d);
  tessera_tile_destroy(r.tile);
  tessera_chip_destroy(r.chip);
}

static uint64_t hash_of(const struct rig *r) { return r->tile ? tessera_tile_hash(r->tile) : tessera_chip_hash(r->chip); }

static void add_break(const struct rig *r, const char *core, uint32_t pc) {
  char line[64];
  snprintf(line, sizeof line, "break %s 0x%x", core, pc);
  assert_non_null(strstr(tessera_debugger_command(r->d, line), "breakpoint: "));
}

/* Moves until no breakpoint stops the run. Returns how often it stopped; each time the core must be before its breakpoint. */
static unsigned count_stops(const struct rig *r, const char *move, const char *core, uint32_t pc, const char *end) {
  char place[64];
  unsigned count = 0;
  snprintf(place, sizeof place, "%s 0x%05x ", core, pc);
  for (;;) {
    const char *text = tessera_debugger_command(r->d, move);
    if (strncmp(text, "breakpoint at", 13) != 0) {
      assert_non_null(strstr(text, end));
      return count;
    }
    assert_non_null(strstr(text, place));
    assert_true(++count < 1000);
  }
}

/* A breakpoint in each loop of BRISC, one at a time: as many stops as executions, forwards and backwards. */
static void each_execution_stops_once(enum tessera_timing timing, bool on_chip) {
  static const struct {
    uint32_t pc;
    unsigned count;
  } cases[] = {{BRISC + 4, 1}, {BRISC + 12, ROUNDS}, {BRISC + 24, ROUNDS}, {BRISC + 28, ROUNDS}, {BRISC + 32, ROUNDS}};
  struct rig straight = make_rig(timing, on_chip);
  tessera_debugger_command(straight.d, "continue");
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct rig r = make_rig(timing, on_chip);
    add_break(&r, "brisc", cases[i].pc);
    assert_int_equal(count_stops(&r, "continue", "BRISC", cases[i].pc, "everything has completed"), cases[i].count);
    assert_true(hash_of(&r) == hash_of(&straight));
    assert_int_equal(count_stops(&r, "reverse", "BRISC", cases[i].pc, "the history begins"), cases[i].count);
    assert_int_equal(count_stops(&r, "continue", "BRISC", cases[i].pc, "everything has completed"), cases[i].count);
    assert_true(hash_of(&r) == hash_of(&straight));
    free_rig(r);
  }
  free_rig(straight);
}

static void executions_of_a_tile(void **state) {
  (void)state;
  each_execution_stops_once(TESSERA_TIMING_CYCLE, false);
  each_execution_stops_once(TESSERA_TIMING_OFF, false);
}

static void executions_of_a_chip(void **state) {
  (void)state;
  each_execution_stops_once(TESSERA_TIMING_CYCLE, true);
}

/* Checkers cannot go back: a breakpoint in the middle of a cycle must not stop the run that they watch. */
static void executions_under_checkers(void **state) {
  (void)state;
  checks = TESSERA_CHECK_ALL;
  each_execution_stops_once(TESSERA_TIMING_CYCLE, false);
  each_execution_stops_once(TESSERA_TIMING_OFF, false);
  each_execution_stops_once(TESSERA_TIMING_CYCLE, true);
  checks = 0;
}

/* The instruction behind the load of a parked core: the core wakes and executes both in one turn. */
static void a_parked_core_stops_behind_its_load(void **state) {
  (void)state;
  for (unsigned on_chip = 0; on_chip < 2; on_chip++) {
    struct rig r = make_rig(TESSERA_TIMING_CYCLE, on_chip);
    tessera_debugger_command(r.d, "goto 150");
    add_break(&r, "trisc1", AFTER_POLL);
    unsigned count = count_stops(&r, "continue", "TRISC1", AFTER_POLL, "everything has completed");
    assert_in_range(count, ROUNDS, 1000);
    assert_in_range(count_stops(&r, "reverse", "TRISC1", AFTER_POLL, "the history begins"), ROUNDS, 1000);
    free_rig(r);
  }
}

/* In the middle of a cycle: registers are those of the instruction, hash and last-write do not move, a write holds. */
static void the_middle_of_a_cycle_can_be_changed(void **state) {
  struct rig r = make_rig(TESSERA_TIMING_OFF, false);
  (void)state;
  add_break(&r, "brisc", BRISC + 28);
  for (unsigned i = 0; i < 3; i++) tessera_debugger_command(r.d, "continue");
  tessera_debugger_command(r.d, "core brisc");
  assert_non_null(strstr(tessera_debugger_command(r.d, "registers pc"), "0x401c"));
  tessera_debugger_command(r.d, "hash");
  tessera_debugger_command(r.d, "last-write 0x8000");
  assert_non_null(strstr(tessera_debugger_command(r.d, "registers pc"), "0x401c"));
  assert_non_null(strstr(tessera_debugger_command(r.d, "registers t1"), "0x3"));
  assert_int_equal(count_stops(&r, "continue", "BRISC", BRISC + 28, "everything has completed"), ROUNDS - 3);
  tessera_debugger_command(r.d, "reset");
  for (unsigned i = 0; i < 3; i++) tessera_debugger_command(r.d, "continue");
  assert_true(
      gdb_set_register(r.d, (struct gdb_where){0, TESSERA_BRISC}, TESSERA_FILE_CORE, TESSERA_BRISC, 6, ROUNDS)); /* t1 */
  assert_non_null(strstr(tessera_debugger_command(r.d, "registers pc"), "0x401c"));
  assert_int_equal(count_stops(&r, "continue", "BRISC", BRISC + 28, "everything has completed"), 0);
  tessera_debugger_command(r.d, "reverse"); /* to the changed instruction */
  assert_non_null(strstr(tessera_debugger_command(r.d, "registers t1"), "0xc"));
  assert_int_equal(count_stops(&r, "reverse", "BRISC", BRISC + 28, "the history begins"), 2);
  free_rig(r);
}

/* Two cores before breakpoints of the same cycle: each is reported once. */
static void cores_of_one_cycle_stop_once_each(void **state) {
  (void)state;
  for (unsigned on_chip = 0; on_chip < 2; on_chip++) {
    struct rig r = make_rig(TESSERA_TIMING_CYCLE, on_chip);
    unsigned brisc = 0, trisc1 = 0;
    add_break(&r, "brisc", BRISC + 4);
    add_break(&r, "trisc1", TRISC1 + 4);
    for (unsigned i = 0; i < 2; i++) {
      const char *text = tessera_debugger_command(r.d, "continue");
      brisc += strstr(text, "BRISC 0x04004") != NULL;
      trisc1 += strstr(text, "TRISC1 0x05004") != NULL;
    }
    assert_true(brisc == 1 && trisc1 == 1);
    assert_non_null(strstr(tessera_debugger_command(r.d, "continue"), "everything has completed"));
    free_rig(r);
  }
}

/* From any of the cycles before a write: the watchpoint stops behind it. */
static void a_watchpoint_sees_the_next_cycle(void **state) {
  static const enum tessera_timing timings[] = {TESSERA_TIMING_CYCLE, TESSERA_TIMING_OFF};
  (void)state;
  for (unsigned i = 0; i < 2; i++) {
    struct rig r = make_rig(timings[i], false);
    tessera_debugger_command(r.d, "watch 0xffb40028");
    tessera_debugger_command(r.d, "continue");
    tessera_debugger_command(r.d, "continue");
    uint64_t cycle = tessera_debugger_cycle(r.d);
    for (unsigned before = 1; before < 40; before++) {
      char line[32];
      snprintf(line, sizeof line, "goto %llu", (unsigned long long)(cycle - before));
      tessera_debugger_command(r.d, "delete");
      tessera_debugger_command(r.d, line);
      tessera_debugger_command(r.d, "watch 0xffb40028");
      assert_non_null(strstr(tessera_debugger_command(r.d, "continue"), "watchpoint at"));
      assert_int_equal(tessera_debugger_cycle(r.d), cycle);
    }
    free_rig(r);
  }
}

/* A write at the first cycle and one later: both hold on the way back and forth, and a reset undoes both. */
static void a_reset_undoes_changes(void **state) {
  struct rig straight = make_rig(TESSERA_TIMING_CYCLE, false);
  (void)state;
  tessera_debugger_command(straight.d, "continue");
  for (unsigned first = 0; first < 2; first++) {
    struct rig r = make_rig(TESSERA_TIMING_CYCLE, false);
    const uint32_t at_0 = 77, later = 88;
    if (first) assert_true(gdb_write(r.d, (struct gdb_where){0, TESSERA_BRISC}, 0x8000, &at_0, 4));
    tessera_debugger_command(r.d, "goto 100");
    assert_true(gdb_write(r.d, (struct gdb_where){0, TESSERA_BRISC}, 0x8004, &later, 4));
    tessera_debugger_command(r.d, "goto 0");
    assert_int_equal(r.tile->tile.l1[0x8000], first ? at_0 : 0);
    tessera_debugger_command(r.d, "goto 150");
    assert_int_equal(r.tile->tile.l1[0x8004], later);
    assert_non_null(strstr(tessera_debugger_command(r.d, "reset"), "at cycle 0,"));
    assert_int_equal(r.tile->tile.l1[0x8000], 0);
    tessera_debugger_command(r.d, "continue");
    assert_int_equal(r.tile->tile.l1[0x8004], 0);
    assert_true(hash_of(&r) == hash_of(&straight));
    free_rig(r);
  }
  free_rig(straight);
}

/* --- timing off: a core that was behind executes many instructions in one cycle --- */

#define WORD 0x8000u
/* BRISC counts in L1, in local RAM and in a register; it follows TRISC0, which runs 1024 cycles first. */
static struct rig make_burst(void) {
  static const uint32_t brisc[] = {
      0x000082b7,                /* lui t0, 8 */
      0xffb00eb7,                /* lui t4, 0xffb00 */
      0xffb40f37,                /* lui t5, 0xffb40 */
      0x00000313,                /* addi t1, zero, 0 */
      0x00000393 | ROUNDS << 20, /* addi t2, zero, ROUNDS */
      0x00130313,                /* loop: addi t1, t1, 1 */
      0x0062a023,                /* sw t1, 0(t0) */
      0x006ea023,                /* sw t1, 0(t4) */
      0x026f2423,                /* sw t1, 40(t5): pages received of CB 0 */
      0x0002a023,                /* sw zero, 0(t0): the word is as before */
      0x000eae03,                /* lw t3, 0(t4) */
      0xfe7314e3,                /* bne t1, t2, loop */
      0x00100073,                /* ebreak */
  };
  static const uint32_t trisc0[] = {
      0x7d000313, /* addi t1, zero, 2000 */
      0xfff30313, /* delay: addi t1, t1, -1 */
      0xfe031ee3, /* bne t1, zero, delay */
      0x00100073, /* ebreak */
  };
  struct rig r = {.tile = tessera_tile_create(TESSERA_TIMING_OFF)};
  assert_non_null(r.tile);
  tessera_tile_write(r.tile, BRISC, brisc, sizeof brisc);
  tessera_tile_write(r.tile, TRISC1, trisc0, sizeof trisc0);
  tessera_tile_set_reset_pc(r.tile, TESSERA_BRISC, BRISC);
  tessera_tile_set_reset_pc(r.tile, TESSERA_TRISC0, TRISC1);
  tessera_tile_start(r.tile, 1u << TESSERA_BRISC | 1u << TESSERA_TRISC0);
  r.d = tessera_debugger_open(r.tile);
  assert_non_null(r.d);
  tessera_debugger_command(r.d, "core brisc");
  return r;
}
#define LOOP 7u /* instructions of its loop */

static uint64_t retired(const struct rig *r) { return r->tile->tile.core[TESSERA_BRISC].retired; }

static unsigned count_watches(const struct rig *r, const char *move, const char *end) {
  unsigned count = 0;
  for (;;) {
    const char *text = tessera_debugger_command(r->d, move);
    if (strncmp(text, "watchpoint at", 13) != 0) {
      assert_non_null(strstr(text, end));
      return count;
    }
    assert_true(++count < 1000);
  }
}

static void each_access_stops_once(void **state) {
  static const struct {
    const char *command;
    unsigned count;
  } cases[] = {{"watch 0x8000", 2 * ROUNDS},
               {"watch 0xffb00000", ROUNDS},
               {"rwatch 0xffb00000", ROUNDS},
               {"awatch 0xffb00000", 2 * ROUNDS},
               {"watch 0xffb40028", ROUNDS}};
  struct rig straight = make_burst();
  (void)state;
  tessera_debugger_command(straight.d, "continue");
  for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct rig r = make_burst();
    assert_non_null(strstr(tessera_debugger_command(r.d, cases[i].command), "watchpoint: "));
    for (unsigned again = 0; again < 2; again++) {
      assert_int_equal(count_watches(&r, "continue", "everything has completed"), cases[i].count);
      assert_true(hash_of(&r) == hash_of(&straight));
      assert_int_equal(count_watches(&r, "reverse", "the history begins"), cases[i].count);
    }
    free_rig(r);
  }
  free_rig(straight);
}

/* The state is that directly behind the access, or before it when going back. */
static void an_access_shows_its_value(void **state) {
  struct rig r = make_burst();
  (void)state;
  tessera_debugger_command(r.d, "watch 0x8000");
  for (uint32_t i = 0; i < 2 * ROUNDS; i++) {
    const char *text = tessera_debugger_command(r.d, "continue");
    assert_non_null(strstr(text, i % 2 ? "written by BRISC at 0x04024" : "written by BRISC at 0x04018"));
    assert_int_equal(r.tile->tile.l1[WORD], i % 2 ? 0 : i / 2 + 1);
  }
  for (uint32_t i = 2 * ROUNDS; i-- > 0;) {
    assert_non_null(strstr(tessera_debugger_command(r.d, "reverse"), "watchpoint at"));
    assert_int_equal(r.tile->tile.l1[WORD], i % 2 ? i / 2 + 1 : 0);
  }
  free_rig(r);
}

static void a_step_is_one_instruction(void **state) {
  struct rig r = make_burst();
  const unsigned steps = 5 + LOOP * ROUNDS;
  uint32_t pcs[5 + LOOP * ROUNDS + 1];
  (void)state;
  for (unsigned i = 0; i < steps; i++) {
    pcs[i] = r.tile->tile.core[TESSERA_BRISC].pc;
    assert_int_equal(retired(&r), i);
    tessera_debugger_command(r.d, "step");
  }
  assert_int_equal(retired(&r), steps);
  for (unsigned i = steps; i-- > 0;) {
    tessera_debugger_command(r.d, "back");
    assert_int_equal(retired(&r), i);
    assert_int_equal(r.tile->tile.core[TESSERA_BRISC].pc, pcs[i]);
  }
  free_rig(r);
}

/* A breakpoint and accesses of one cycle: in the order of the program, in both directions. */
static void breakpoints_and_accesses_keep_their_order(void **state) {
  struct rig r = make_burst();
  (void)state;
  tessera_debugger_command(r.d, "watch 0xffb00000");
  add_break(&r, "brisc", BRISC + 20);
  for (unsigned i = 0; i < ROUNDS; i++) {
    assert_non_null(strstr(tessera_debugger_command(r.d, "continue"), "breakpoint at"));
    assert_non_null(strstr(tessera_debugger_command(r.d, "continue"), "watchpoint at"));
    assert_int_equal(retired(&r), 5 + LOOP * i + 3);
  }
  for (unsigned i = ROUNDS; i-- > 0;) {
    assert_non_null(strstr(tessera_debugger_command(r.d, "reverse"), "watchpoint at"));
    assert_int_equal(retired(&r), 5 + LOOP * i + 2);
    assert_non_null(strstr(tessera_debugger_command(r.d, "reverse"), "breakpoint at"));
    assert_int_equal(retired(&r), 5 + LOOP * i);
  }
  free_rig(r);
}

#if !defined __SANITIZE_ADDRESS__
/* Leaves no block of memory free. */
static void use_up_memory(void) {
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_DATA, &none);
  for (size_t bytes = 1u << 24; bytes >= 16; bytes /= 2)
    while (malloc(bytes)) {}
}

/* In a child: 0 if both commands report what is missing. */
static int search_without_memory(void) {
  struct rig r = make_rig(TESSERA_TIMING_CYCLE, false), late = make_rig(TESSERA_TIMING_CYCLE, false);
  tessera_debugger_command(late.d, "help"); /* the longest text */
  tessera_debugger_command(r.d, "help");
  tessera_debugger_command(r.d, "rwatch 0x8000");
  use_up_memory();
  if (!strstr(tessera_debugger_command(late.d, "rwatch 0x8000"), "out of memory: no watchpoint is set")) return 1;
  if (!strstr(tessera_debugger_command(r.d, "continue"), "no memory is left to look for stops")) return 2;
  return strstr(tessera_debugger_command(r.d, "reverse"), "no memory is left to look for stops") ? 0 : 3;
}
#endif

static void a_search_without_memory_is_an_error(void **state) {
  (void)state;
#if defined __SANITIZE_ADDRESS__
  skip(); /* its allocator ends the process instead */
#else
  int status = -1;
  pid_t child = fork();
  if (child == 0) _exit(search_without_memory());
  assert_true(child > 0 && waitpid(child, &status, 0) == child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
#endif
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(executions_of_a_tile),
      cmocka_unit_test(executions_of_a_chip),
      cmocka_unit_test(executions_under_checkers),
      cmocka_unit_test(a_parked_core_stops_behind_its_load),
      cmocka_unit_test(the_middle_of_a_cycle_can_be_changed),
      cmocka_unit_test(cores_of_one_cycle_stop_once_each),
      cmocka_unit_test(a_watchpoint_sees_the_next_cycle),
      cmocka_unit_test(a_reset_undoes_changes),
      cmocka_unit_test(each_access_stops_once),
      cmocka_unit_test(an_access_shows_its_value),
      cmocka_unit_test(a_step_is_one_instruction),
      cmocka_unit_test(breakpoints_and_accesses_keep_their_order),
      cmocka_unit_test(a_search_without_memory_is_an_error),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
