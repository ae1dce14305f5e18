/* Texts of waits (observe/words.h): one sentence per kind of wait, who can end it, and the line of a fault. */
#include "rig.h"
#include "tessera/tensix.h"

static struct tx_tile *t;

static const char *words_of(struct sim_wait w) {
  static char text[512];
  obs_words.wait(t, &w, text, sizeof text);
  return text;
}

static void expect(uint32_t kind, uint32_t object, uint64_t detail, const char *wanted) {
  assert_string_equal(words_of((struct sim_wait){.kind = kind, .object = object, .detail = detail}), wanted);
}

static void every_kind_has_its_sentence(void **state) {
  (void)state;
  expect(TX_BLOCKED_NOT, 0, 0, "nothing");
  expect(TX_BLOCKED_STREAM, 5, 9, "stream 5 to reach 9");
  expect(TX_BLOCKED_SRCA, 0, 0, "SrcA matrix bank to be filled by unpacker 0");
  expect(TX_BLOCKED_SRCB, 0, 0, "SrcB matrix bank to be filled by unpacker 1");
  expect(TX_BLOCKED_UNPACK_BANK, 0, 0, "SrcA unpack bank to be released by the matrix unit");
  expect(TX_BLOCKED_UNPACK_BANK, 1, 0, "SrcB unpack bank to be released by the matrix unit");
  expect(TX_BLOCKED_UNIT, TX_UNIT_MATRIX, 0, "the matrix unit to accept");
  expect(TX_BLOCKED_HAZARD, TX_UNIT_VECTOR, 0, "the vector unit to accept");
  expect(TX_BLOCKED_CONFIG, 0, 0, "the configuration pipeline to have a free stage");
  expect(TX_BLOCKED_FIFO, 2, 0, "room in the instruction FIFO of thread 2");
  expect(TX_BLOCKED_MOPSYNC, 1, 0, "the MOP expander of thread 1 to become idle");
  expect(TX_BLOCKED_TTSYNC, 1, 0, "thread 1 to become idle (tensix_sync)");
  expect(TX_BLOCKED_LOOP, 0x6000, 0, "nothing: it jumps to itself at 0x00006000 forever");
  expect(TX_BLOCKED_MAILBOX, 0xffec0000u, 0, "a word in the mailbox at 0xffec0000, or room in it");
  expect(TX_BLOCKED_PCBUF, 0xffe80000u, 0, "the PC buffer at 0xffe80000");
  expect(TX_BLOCKED_LOAD, 0x1234, 0, "the load from 0x00001234");
  expect(TX_BLOCKED_CONDITION, 0, 0, "STALLWAIT's condition");
  expect(TX_BLOCKED_CONDITION, 1u << 4 | 1u << 9, 0,
         "matrix unit to finish this thread's instructions (C4) and mover to finish (C9)");
}

static void polled_words_and_buffers(void **state) {
  uint32_t received = TX_ADDR_STREAM + 3 * TX_STREAM_BYTES + 40, acknowledged = TX_ADDR_STREAM + 32;
  char wanted[256];
  (void)state;
  expect(TX_BLOCKED_ADDRESS, 0x20040, UINT64_C(7) << 32,
         "the word at 0x00020040 to change: it polls the word and reads 0x7");
  expect(TX_BLOCKED_ADDRESS, 0x20040, UINT64_C(7) << 32 | 0xff, "the word at 0x00020040 to become 0x7 (mask 0xff)");
  snprintf(wanted, sizeof wanted, "circular buffer 3: pages received (0x%08x) to change: it polls the word and reads 2",
           received);
  expect(TX_BLOCKED_ADDRESS, received, UINT64_C(2) << 32, wanted);
  snprintf(wanted, sizeof wanted, "circular buffer 0: pages acknowledged (0x%08x) to change: it polls the word and reads 1",
           acknowledged);
  expect(TX_BLOCKED_ADDRESS, acknowledged, UINT64_C(1) << 32, wanted);
  snprintf(wanted, sizeof wanted, "the word at 0x%08x to change: it polls the word and reads 0x1", acknowledged + 4);
  expect(TX_BLOCKED_ADDRESS, acknowledged + 4, UINT64_C(1) << 32, wanted); /* another register of the stream */
}

static void semaphores_and_mutexes(void **state) {
  (void)state;
  t->sync.sem[1].value = 0;
  t->sync.sem[1].max = 2;
  t->sync.sem[7].value = 3;
  t->sync.sem[7].max = 3;
  expect(TX_BLOCKED_SEMAPHORE, 1u << 1, 1, "semaphore 1 (MATH_PACK) to be posted: value 0, maximum 2");
  expect(TX_BLOCKED_SEMAPHORE, 1u << 7 | 1u << 1, 2,
         "semaphore 7 (MATH_DONE) to fall below its maximum: value 3, maximum 3");
  expect(TX_BLOCKED_SEMAPHORE, 1u << 7 | 1u << 1, 3,
         "semaphore 1 (MATH_PACK) to be posted: value 0, maximum 2 and 7 (MATH_DONE) to fall below its maximum: value 3, "
         "maximum 3");
  expect(TX_BLOCKED_SEMAPHORE, 1u << 7, 1, "semaphore 7 (MATH_DONE): value 3, maximum 3");
  t->sync.mutex_holder[2] = 1;
  expect(TX_BLOCKED_MUTEX, 2, 0, "mutex 2, held by thread 1 (math)");
  struct sim_wait w = {.kind = TX_BLOCKED_MUTEX, .object = 2};
  assert_true(obs_words.releasers(t, 0, &w) == UINT64_C(1) << 1);
}

static void a_latched_wait(void **state) {
  struct tx_latch *latch = &t->gate[1].latch;
  (void)state;
  *latch = (struct tx_latch){.opcode = TX_SEMWAIT, .semaphores = 1u << 4, .condition = 1};
  t->sync.sem[4].value = 0;
  t->sync.sem[4].max = 1;
  expect(TX_BLOCKED_LATCH, 1, 0,
         "semaphore 4 (PACK_DONE) to be posted: value 0, maximum 1 (its last instruction, SEMWAIT, has not retired)");
  *latch = (struct tx_latch){.opcode = TX_STALLWAIT, .condition = 1u << 3};
  expect(TX_BLOCKED_LATCH, 1, 0,
         "packer to finish this thread's instructions (C3) (its last instruction, STALLWAIT, has not retired)");
  *latch = (struct tx_latch){.opcode = TX_STREAMWAIT, .stream = 2, .target = 6};
  expect(TX_BLOCKED_LATCH, 1, 0, "stream 2 to reach 6 (its last instruction, STREAMWAIT, has not retired)");
}

static void auto_ttsync(void **state) {
  (void)state;
  expect(TX_BLOCKED_TRACKED, 1, TX_SYNC_GPR, "instructions of thread 1 that use GPRs to pass the gate (Auto TTSync)");
  expect(TX_BLOCKED_ACCESS, 2, TX_SYNC_GPR | TX_SYNC_TDMA, "TRISC2's access to GPRs, TDMA-RISC to be done (Auto TTSync)");
  expect(TX_BLOCKED_ACCESS, 0, TX_SYNC_TDMA, "TRISC0's access to TDMA-RISC to be done (Auto TTSync)");
}

static void names_out_of_range(void **state) {
  (void)state;
  assert_string_equal(obs_agent_name(TX_AGENT_NETWORK), "a packet from the NoC");
  assert_string_equal(obs_agent_name(TX_AGENT_COUNT), "no agent");
  assert_string_equal(obs_agent_name(TX_AGENT_WATCH), "watch");
  assert_string_equal(obs_unit_name(TX_UNIT_FRONTEND + 1), "no unit");
  assert_string_equal(obs_wait_name(TX_BLOCKED_COUNT), "?");
  assert_string_equal(obs_reason_name(TX_BLOCKED_SRCA), "SrcA bank");
  assert_string_equal(obs_reason_name(TX_BLOCKED_COUNT), "fetch");
  assert_string_equal(obs_reason_name(TX_REASON_COUNT), "?");
  assert_string_equal(obs_semaphore_name(TX_SEMAPHORES), "");
}

/* A wait that no agent ends, one that a certain agent ends, and any other. */
static void who_can_end_a_wait(void **state) {
  struct sim_wait loop = {.kind = TX_BLOCKED_LOOP}, fifo = {.kind = TX_BLOCKED_FIFO, .object = 1},
                  sync = {.kind = TX_BLOCKED_TTSYNC, .object = 2}, bank = {.kind = TX_BLOCKED_SRCA};
  (void)state;
  assert_true(obs_words.releasers(t, 0, &loop) == 0);
  assert_true(obs_words.releasers(t, 0, &fifo) == UINT64_C(1) << TX_AGENT_TRISC1);
  assert_true(obs_words.releasers(t, 0, &sync) == UINT64_C(1) << 2);
  uint64_t others = obs_words.releasers(t, 1, &bank);
  assert_true(others & 1u);
  assert_false(others >> 1 & 1u); /* itself */
}

static void the_line_of_a_fault(void **state) {
  char text[256];
  (void)state;
  t->fault = (struct sim_fault){.kind = SIM_FAULT_UNSUPPORTED, .cycle = 812, .agent = 1, .word = 0x26010000u};
  snprintf(t->fault.why, sizeof t->fault.why, "not modelled");
  snprintf(t->fault.document, sizeof t->fault.document, "MVMUL.md");
  obs_fault_line(t, text, sizeof text);
  assert_non_null(strstr(text, "not modelled [thread 1 (math), cycle 812, MVMUL 0x26010000; MVMUL.md]"));
  t->fault.agent = TX_AGENT_BRISC;
  t->fault.pc = 0x1000;
  snprintf(t->fault.document, sizeof t->fault.document, "none");
  obs_fault_line(t, text, sizeof text);
  assert_non_null(strstr(text, "not modelled [BRISC, cycle 812, pc 0x00001000]"));
  obs_fault_line(t, text, 8); /* a text that is too long is cut */
  assert_int_equal(strlen(text), 7);
}

/* --- tt_cfg_qstatus and tt_cfg_bstatus (ISA: CSRs.md): which kinds of instructions a thread has queued --- */

/* Thread 0 waits at its gate; behind it is `word`. What does `csr` show to BRISC and to TRISC1, whose thread has nothing queued? */
static void status_with(uint32_t word, uint32_t csr, uint32_t seen[2]) {
  const uint32_t code[4] = {csr << 20 | 2u << 12 | 10u << 7 | 0x73u, /* csrrs a0, csr, zero */
                            0x000095b7u, 0x00a5a023u, 0x00100073u};  /* lui a1, 9; sw a0, 0(a1); ebreak */
  const uint32_t words[3] = {0xa6ff8005u, 0x02000000u, word};        /* SEMWAIT for a post that never comes; NOP */
  for (unsigned i = 0; i < 2; i++) {
    struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
    enum tessera_core core = i ? TESSERA_TRISC1 : TESSERA_BRISC;
    assert_int_equal(tessera_tile_push(tile, 0, words, 3), TESSERA_OK);
    tessera_tile_run(tile, 100);
    tessera_tile_write(tile, 0x8000, code, sizeof code);
    assert_int_equal(tessera_tile_set_reset_pc(tile, core, 0x8000), TESSERA_OK);
    assert_int_equal(tessera_tile_start(tile, 1u << core), TESSERA_OK);
    tessera_tile_run(tile, 1000);
    tessera_tile_read(tile, 0x9000, &seen[i], sizeof seen[i]);
    tessera_tile_destroy(tile);
  }
}

static void queued_words_show_their_units(void **state) {
  enum { NOP = 0x02000000 };
  static const struct {
    uint32_t word, bits;
  } cases[] = {{0x58000000u, 1u << 2 | 1u << 8}, /* ADDDMAREG: scalar unit, TDMA */
               {0x40000000u, 1u << 3 | 1u << 8}, /* XMOV: mover */
               {0x42000000u, 1u << 4 | 1u << 8}, /* UNPACR */
               {0x41000000u, 1u << 5 | 1u << 8}, /* PACR */
               {0xb2000000u, 1u << 6},           /* SETC16: configuration unit */
               {0xa4000000u, 1u << 7},           /* SEMPOST: sync unit */
               {0x50000000u, 1u << 8},           /* SETADC */
               {0x8f000000u, 1u << 9},           /* SFPNOP: vector unit */
               {0x26000000u, 1u << 10}};         /* MVMUL: matrix unit */
  uint32_t nothing[2], seen[2];
  (void)state;
  for (unsigned k = 0; k < 2; k++) { /* qstatus has the bits of all threads from bit 13 on, bstatus from bit 11 on */
    const uint32_t csr = k ? 0xbc1 : 0xbc0, all = k ? 11 : 13;
    status_with(NOP, csr, nothing);
    for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
      status_with(cases[i].word, csr, seen);
      assert_int_equal(seen[0], nothing[0] | cases[i].bits | cases[i].bits << all);
      assert_int_equal(seen[1], nothing[1] | cases[i].bits << all);
    }
  }
}

/* A T core's stream status is in no document; other cores have plain storage there. */
static void stream_status_of_a_t_core_faults(void **state) {
  uint32_t seen[2] = {1, 1};
  (void)state;
  status_with(0x02000000u, 0xbc4, seen);
  assert_int_equal(seen[0], 0);
  assert_int_equal(seen[1], 0); /* the core did not reach its store */
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_kind_has_its_sentence),
                                     cmocka_unit_test(polled_words_and_buffers),
                                     cmocka_unit_test(semaphores_and_mutexes),
                                     cmocka_unit_test(a_latched_wait),
                                     cmocka_unit_test(auto_ttsync),
                                     cmocka_unit_test(names_out_of_range),
                                     cmocka_unit_test(who_can_end_a_wait),
                                     cmocka_unit_test(the_line_of_a_fault),
                                     cmocka_unit_test(queued_words_show_their_units),
                                     cmocka_unit_test(stream_status_of_a_t_core_faults)};
  t = rig_tile(true);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
