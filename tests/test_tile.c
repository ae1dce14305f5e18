/* The tile as a value: determinism, save and restore, many tiles at once, size, the reset state, faults that leave it readable. */
#include <pthread.h>
#include <time.h>

#include "rig.h"
#include "scale.h"

/* A program that uses all units of the foundation on three threads, with semaphores, mutexes, MOPs and replays between them. */
static void make_program(struct rig *r, uint64_t seed) {
  static const uint32_t cfg[9] = {3,
                                  2,
                                  OP(NOP, 0),
                                  OP(INCRWC, 1u << 6),
                                  OP(NOP, 0),
                                  OP(ADDDMAREG, 1u << 23 | 1u << 6),
                                  OP(DMANOP, 0),
                                  OP(NOP, 0),
                                  OP(SETRWC, 5)};
  for (unsigned thread = 0; thread < 3; thread++) {
    rig_push(r, thread, OP(SEMINIT, 15u << 20 | 4u << (thread + 2)));
    for (unsigned i = 0; i < 9; i++) rig_store(r, thread, TX_ADDR_MOP_CFG + 4 * i, cfg[i]);
    rig_push(r, thread, OP(REPLAY, 3u << 14 | 4u << 4 | 3));
    for (unsigned i = 0; i < 4; i++) rig_push(r, thread, OP(SETDMAREG, (i * 37 + thread) << 8 | (i + 2)));
    for (unsigned i = 0; i < 200; i++) {
      switch (rig_random(&seed) % 12) {
        case 0: rig_push(r, thread, OP(MOP, 1u << 23)); break;
        case 1: rig_push(r, thread, OP(REPLAY, 3u << 14 | 4u << 4)); break;
        case 2:
          rig_push(r, thread, OP(ATGETM, 0));
          rig_push(r, thread, OP(DMANOP, 0));
          rig_push(r, thread, OP(ATRELM, 0));
          break;
        case 3:
          rig_push(r, thread, OP(SEMPOST, 4u << (thread + 2)));
          rig_push(r, thread, OP(SEMGET, 4u << (thread + 2)));
          break;
        case 4:
          rig_push(r, thread, OP(WRCFG, 2u << 16 | 13));
          rig_push(r, thread, OP(NOP, 0));
          break;
        case 5: rig_push(r, thread, OP(RDCFG, 9u << 16 | 13)); break;
        case 6: rig_push(r, thread, OP(RMWCIB0, 0xffu << 16 | (i & 0xff) << 8 | 20)); break;
        case 7: rig_push(r, thread, STALL(0x1ff, 1u << TX_C4_MATRIX | 1)); break;
        case 8: rig_push(r, thread, OP(SETC16, 12u << 16 | (i & 0xff))); break;
        case 9: rig_push(r, thread, OP(INCADCXY, 7u << 21 | 1u << 6)); break;
        case 10: rig_push(r, thread, OP(MULDMAREG, 5u << 12 | 3u << 6 | 4)); break;
        default: rig_store(r, thread, 0x20000 + 4 * thread, i); break;
      }
    }
    rig_sync(r, thread);
    rig_copy(r, thread, TX_ADDR_GPR + 4 * 5, 0x21000 + 4 * thread);
  }
}

static uint64_t hash_of_run(uint64_t seed, bool timing) {
  struct rig *r = rig_new(timing);
  make_program(r, seed);
  rig_run_well(r);
  uint64_t hash = tx_tile_hash(r->t);
  rig_free(r);
  return hash;
}

static void same_program_same_hash(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 8; seed++) assert_true(hash_of_run(seed, true) == hash_of_run(seed, true));
  assert_true(hash_of_run(1, true) != hash_of_run(2, true));
  assert_true(hash_of_run(1, true) != hash_of_run(1, false));
}

static void stopping_and_going_on_changes_nothing(void **state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 6; seed++) {
    uint64_t whole = hash_of_run(seed, true);
    struct rig *r = rig_new(true);
    make_program(r, seed);
    rig_attach(r);
    enum sim_end end;
    do end = tx_tile_run(r->t, r->t->engine.now + 1 + seed * 7);
    while (end == SIM_END_TIME);
    assert_int_equal(end, SIM_END_DONE);
    assert_true(tx_tile_hash(r->t) == whole);
    rig_free(r);
  }
}

/* A run that a breakpoint, a print buffer or the end of a kernel has stopped leaves a mark in the engine; the next run, even of no cycle, removes it. */
static void what_stopped_a_run_is_not_in_the_hash(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct rig *r = rig_new(timing);
    make_program(r, 5);
    rig_attach(r);
    tx_tile_run(r->t, 300);
    const uint64_t plain = tx_tile_hash(r->t);
    sim_pause(&r->t->engine);
    assert_true(tx_tile_hash(r->t) == plain);
    rig_free(r);
  }
}

static void saving_restoring_and_going_on_gives_the_same_hash(void **state) {
  (void)state;
  uint64_t seed = 42;
  for (uint64_t n = test_scaled(20); n; n--) {
    uint64_t program = rig_random(&seed), whole = hash_of_run(program, true);
    sim_time stop = 1 + rig_random(&seed) % 800;
    struct rig *r = rig_new(true);
    make_program(r, program);
    rig_attach(r);
    tx_tile_run(r->t, stop);
    struct tx_tile *saved = malloc(sizeof *saved);
    memcpy(saved, r->t, sizeof *saved);
    uint64_t at_stop = tx_tile_hash(r->t);
    assert_int_equal(tx_tile_run(r->t, RIG_FOREVER), SIM_END_DONE); /* runs on and is discarded */
    tx_tile_copy_state(r->t, saved);
    assert_true(tx_tile_hash(r->t) == at_stop);
    assert_int_equal(tx_tile_run(r->t, RIG_FOREVER), SIM_END_DONE);
    assert_true(tx_tile_hash(r->t) == whole);
    free(saved);
    rig_free(r);
  }
}

struct job {
  uint64_t seed, hash;
};

static void *run_job(void *context) {
  struct job *job = context;
  for (unsigned i = 0; i < 5; i++) job->hash = hash_of_run(job->seed, true);
  return NULL;
}

static void two_tiles_in_two_threads_agree_with_one_after_the_other(void **state) {
  (void)state;
  struct job jobs[2] = {{.seed = 100}, {.seed = 200}};
  pthread_t threads[2];
  for (unsigned i = 0; i < 2; i++) assert_int_equal(pthread_create(&threads[i], NULL, run_job, &jobs[i]), 0);
  for (unsigned i = 0; i < 2; i++) pthread_join(threads[i], NULL);
  for (unsigned i = 0; i < 2; i++) assert_true(jobs[i].hash == hash_of_run(jobs[i].seed, true));
}

static void tile_is_small_and_quickly_made(void **state) {
  (void)state;
  assert_true(sizeof(struct tx_tile) <= 4u * 1024 * 1024);
  double best = 1;
  for (unsigned i = 0; i < 20; i++) {
    struct timespec a, b;
    clock_gettime(CLOCK_MONOTONIC, &a);
    struct tx_tile *t = malloc(sizeof *t);
    tx_tile_reset(t, true);
    clock_gettime(CLOCK_MONOTONIC, &b);
    free(t);
    double seconds = (double)(b.tv_sec - a.tv_sec) + (double)(b.tv_nsec - a.tv_nsec) * 1e-9;
    if (seconds < best) best = seconds;
  }
  printf("note: a tile takes %zu KiB and is created in %.0f us (bounds: 4096 KiB, 2000 us)\n", sizeof(struct tx_tile) / 1024,
         best * 1e6);
#ifndef __SANITIZE_ADDRESS__
  assert_true(best < 0.002);
#endif
}

static void reset_state_is_what_the_documents_say(void **state) {
  (void)state;
  struct rig *r = rig_new(true);
  for (unsigned i = 0; i < TX_SEMAPHORES; i++) assert_int_equal(r->t->sync.sem[i].value, 0);
  for (unsigned which = 0; which < 2; which++) {
    assert_int_equal(r->t->src.matrix_bank[which], 0);
    assert_int_equal(r->t->src.unpack_bank[which], 0);
    for (unsigned bank = 0; bank < 2; bank++) assert_int_equal(r->t->src.bank[which][bank].owner, TX_CLIENT_UNPACKERS);
  }
  assert_int_equal(tx_tile_run(r->t, RIG_FOREVER), SIM_END_DONE); /* an idle tile ends at once */
  assert_int_equal(r->t->engine.now, 0);
  rig_free(r);
}

static void after_a_fault_the_tile_stays_readable_and_can_go_back(void **state) {
  (void)state;
  struct rig *r = rig_new(true);
  rig_push(r, 0, OP(SETDMAREG, 77u << 8 | 6));
  rig_push_times(r, 0, OP(NOP, 0), 20);
  rig_push(r, 0, 0xee000000u);
  rig_attach(r);
  tx_tile_run(r->t, 12);
  struct tx_tile *saved = malloc(sizeof *saved);
  memcpy(saved, r->t, sizeof *saved);
  assert_int_equal(tx_tile_run(r->t, RIG_FOREVER), SIM_END_STOPPED);
  assert_int_equal(r->t->scalar.gpr[0][3], 77);
  sim_time cycle = r->t->fault.cycle;
  assert_int_equal(tx_tile_run(r->t, RIG_FOREVER), SIM_END_STOPPED); /* stays where it is */
  assert_int_equal(r->t->fault.cycle, cycle);
  tx_tile_copy_state(r->t, saved);
  assert_int_equal(r->t->fault.kind, SIM_FAULT_NONE);
  assert_int_equal(tx_tile_run(r->t, RIG_FOREVER), SIM_END_STOPPED);
  assert_int_equal(r->t->fault.cycle, cycle);
  free(saved);
  rig_free(r);
}

/* BRISC waits for a word of NCRISC and forwards it; both run op lists. */
static void data_movement_cores_follow_op_lists(void **state) {
  (void)state;
  static const struct tx_script_op brisc[] = {{.kind = TX_SCRIPT_WAIT, .a = 0x20000, .b = 0xff, .c = 0x34},
                                              {.kind = TX_SCRIPT_COPY, .a = 0x20000, .b = 0x20010}};
  static const struct tx_script_op ncrisc[] = {{.kind = TX_SCRIPT_STORE, .a = 0x20020, .b = 7},
                                               {.kind = TX_SCRIPT_STORE, .a = 0x20000, .b = 0x1234}};
  static const struct tx_script scripts[2] = {{brisc, 2}, {ncrisc, 2}};
  for (unsigned timing = 0; timing < 2; timing++) {
    struct rig *r = rig_new(timing);
    tx_script_attach(r->t, 3, &scripts[0]);
    tx_script_attach(r->t, 4, &scripts[1]);
    assert_int_equal(tx_tile_run(r->t, RIG_FOREVER), SIM_END_DONE);
    assert_int_equal(tx_l1_read(r->t, 0x20010, 4), 0x1234);
    assert_int_equal(tx_l1_read(r->t, 0x20020, 4), 7);
    rig_free(r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(data_movement_cores_follow_op_lists),
      cmocka_unit_test(same_program_same_hash),
      cmocka_unit_test(stopping_and_going_on_changes_nothing),
      cmocka_unit_test(saving_restoring_and_going_on_gives_the_same_hash),
      cmocka_unit_test(two_tiles_in_two_threads_agree_with_one_after_the_other),
      cmocka_unit_test(what_stopped_a_run_is_not_in_the_hash),
      cmocka_unit_test(tile_is_small_and_quickly_made),
      cmocka_unit_test(reset_state_is_what_the_documents_say),
      cmocka_unit_test(after_a_fault_the_tile_stays_readable_and_can_go_back),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
