/* The address map: which core can access which range (BabyRISCV/README.md's table), the order of requests
 * (MemoryOrdering.md), refused accesses and their messages; L1; undone effects. */
#include "bus_store.h"
#include "rig.h"
#include "scale.h"
#include "stream_set.h"

enum { T0 = TX_AGENT_TRISC0, T1 = TX_AGENT_TRISC1, T2 = TX_AGENT_TRISC2, B = TX_AGENT_BRISC, NC = TX_AGENT_NCRISC };

static void run_to(struct tx_tile *t, sim_time at) {
  tx_tile_run(t, at);
  if (t->engine.now < at) t->engine.now = at;
}

/* A store, and time for it to arrive. */
static void store(struct tx_tile *t, unsigned agent, uint32_t address, uint32_t value) {
  assert_int_equal(bus_store(t, agent, address, value).result, TX_BUS_DONE);
  run_to(t, t->engine.now + 20);
}

static uint32_t load(struct tx_tile *t, unsigned agent, uint32_t address) {
  struct tx_bus_answer answer = tx_bus_load(t, agent, address);
  assert_int_equal(answer.result, TX_BUS_DONE);
  return answer.value;
}

static void expect_fault(bool is_store, unsigned agent, uint32_t address, unsigned kind, const char *words) {
  struct tx_tile *t = rig_tile(true);
  struct tx_bus_answer answer = is_store ? bus_store(t, agent, address, 0) : tx_bus_load(t, agent, address);
  if (answer.result != TX_BUS_FAULT || t->fault.kind != kind || !strstr(t->fault.why, words) || t->fault.agent != agent)
    fail_msg("agent %u, 0x%08x: result %d, fault %u: %s", agent, address, (int)answer.result, t->fault.kind, t->fault.why);
  tile_give_back(t);
}

/* --- GPRs --- */

static void gprs_are_the_threads_own_and_all_for_brisc(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct tx_tile *t = rig_tile(timing);
    for (unsigned thread = 0; thread < 3; thread++) store(t, T0 + thread, 0xFFE00000u + 4 * 63, 0x10 + thread);
    for (unsigned thread = 0; thread < 3; thread++) {
      assert_int_equal(t->scalar.gpr[thread][63], 0x10 + thread);
      assert_int_equal(load(t, T0 + thread, 0xFFE000FCu), 0x10 + thread);
      assert_int_equal(load(t, B, 0xFFE000FCu + 0x100 * thread), 0x10 + thread);
      store(t, B, 0xFFE00000u + 0x100 * thread, 0x99);
      assert_int_equal(t->scalar.gpr[thread][0], 0x99);
    }
    tile_give_back(t);
  }
  for (unsigned k = 0; k < 2; k++) {
    expect_fault(k, B, 0xFFE00300u, SIM_FAULT_ADDRESS, "192");
    expect_fault(k, NC, 0xFFE00000u, SIM_FAULT_ADDRESS, "NCRISC");
  }
}

/* MemoryOrdering.md, "Aliasing of underlying storage": X and X + 256 are the same GPR of a T core. */
static void a_t_cores_gprs_repeat(void **state) {
  (void)state;
  struct tx_tile *t = rig_tile(true);
  for (unsigned i = 0; i < 16; i++) {
    store(t, T1, 0xFFE0000Cu + 256 * i, 0x40 + i);
    assert_int_equal(t->scalar.gpr[1][3], 0x40 + i);
    assert_int_equal(load(t, T1, 0xFFE0000Cu), 0x40 + i);
    assert_int_equal(load(t, T1, 0xFFE0000Cu + 256 * (15 - i)), 0x40 + i);
  }
  tile_give_back(t);
}

/* --- configuration --- */

static void configuration_has_two_banks_an_alias_and_thread_words(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct tx_tile *t = rig_tile(timing);
    const uint32_t bank0 = 0xFFEF0000u, bank1 = bank0 + 4 * 224, dual = bank1 + 4 * 224, threads = dual + 4 * 224;
    store(t, T0, bank0 + 4 * 20, 1);
    store(t, T1, bank1 + 4 * 20, 2);
    assert_int_equal(t->config.words[0][20], 1);
    assert_int_equal(t->config.words[1][20], 2);
    assert_int_equal(load(t, B, bank1 + 4 * 20), 2);
    store(t, B, dual + 4 * 21, 3);
    assert_int_equal(t->config.words[0][21], 3);
    assert_int_equal(t->config.words[1][21], 3);
    assert_int_equal(load(t, T2, dual + 4 * 20), 1); /* reads as bank 0 */
    store(t, T2, bank1 + 4 * 223, 4);                /* not banked */
    assert_int_equal(t->config.words[0][223], 4);
    t->config.words[0][30] = t->config.words[1][30] = 7;
    store(t, T2, bank1 + 4 * 4, 0); /* STATE_RESET_EN */
    assert_int_equal(t->config.words[1][30], 0);
    assert_int_equal(t->config.words[0][30], 7);
    store(t, T2, dual + 4 * 4, 0);
    assert_int_equal(t->config.words[0][30], 0);
    assert_int_equal(t->config.words[1][223], 4);
    assert_int_equal(t->diag.counts[TX_DIAG_STATE_RESET], 2);
    store(t, T2, dual + 4 * 186, 9); /* PRNG_SEED: one write, though it reaches both banks */
    assert_int_equal(t->config.prng_seedings, 1);
    t->config.thread_words[2][67] = 0xbeef;
    assert_int_equal(load(t, T0, threads + 4 * (2 * 68 + 67)), 0xbeef);
    tile_give_back(t);
  }
  expect_fault(true, T0, 0xFFEF0000u + 4 * 672, SIM_FAULT_UNDEFINED, "SETC16");
  expect_fault(true, B, 0xFFEF0000u + 4 * 875, SIM_FAULT_UNDEFINED, "SETC16");
  expect_fault(false, T0, 0xFFEF0000u + 4 * 876, SIM_FAULT_UNSUPPORTED, "backend configuration");
  expect_fault(true, T0, 0xFFEFFFFCu, SIM_FAULT_UNSUPPORTED, "backend configuration");
  expect_fault(false, NC, 0xFFEF0000u, SIM_FAULT_ADDRESS, "NCRISC");
}

/* --- pushes and MOP configuration: PushTensixInstruction.md, MOPExpander.md --- */

static void pushes_go_where_the_table_says(void **state) {
  (void)state;
  for (unsigned thread = 0; thread < 3; thread++) {
    struct rig *r = rig_new(true);
    r->t->engine.now = 10;
    assert_int_equal(bus_store(r->t, T0 + thread, 0xFFE40000u, OP(NOP, 0)).result, TX_BUS_DONE);
    tx_tile_run(r->t, 20); /* in the same cycle the T core's word would be lost at the mux */
    assert_int_equal(bus_store(r->t, B, 0xFFE40000u + 0x10000u * thread, OP(DMANOP, 0)).result, TX_BUS_DONE);
    tx_tile_run(r->t, 100);
    assert_int_equal(r->issue_count, 2);
    assert_int_equal(rig_issued(r, thread, TX_NOP, 0)->thread, thread);
    assert_int_equal(rig_issued(r, thread, TX_DMANOP, 0)->thread, thread);
    rig_free(r);
    expect_fault(true, T0 + thread, 0xFFE50000u, SIM_FAULT_UNDEFINED, "hangs");
    expect_fault(true, T0 + thread, 0xFFE60000u, SIM_FAULT_UNDEFINED, "hangs");
  }
  for (uint32_t window = 0; window < 3; window++) {
    expect_fault(true, NC, 0xFFE40000u + 0x10000u * window, SIM_FAULT_ADDRESS, "NCRISC cannot push");
    expect_fault(false, B, 0xFFE40000u + 0x10000u * window, SIM_FAULT_ADDRESS, "cannot be read");
  }
}

static void a_full_fifo_makes_the_core_wait(void **state) {
  (void)state;
  struct tx_tile *t = rig_tile(true);
  unsigned taken = 0;
  struct tx_bus_answer answer;
  bus_store(t, T0, 0xFFE40000u, OP(SEMWAIT, TX_BLOCK_BITS << 15 | 1u << 2 | 1u)); /* never ends */
  for (; taken < 100; taken++) {
    run_to(t, t->engine.now + 1);
    answer = bus_store(t, T0, 0xFFE40000u, OP(NOP, 0));
    if (answer.result != TX_BUS_DONE) break;
  }
  assert_in_range(taken, 27, 34); /* silicon: about 34 */
  assert_int_equal(answer.result, TX_BUS_WAIT);
  assert_int_equal(answer.wait.kind, TX_BLOCKED_FIFO);
  assert_true(answer.channels & TX_CH(TX_CH_FIFO));
  tile_give_back(t);
}

static void mop_configuration_is_write_only_and_the_threads_own(void **state) {
  (void)state;
  struct tx_tile *t = rig_tile(true);
  for (unsigned thread = 0; thread < 3; thread++)
    for (unsigned i = 0; i < 9; i++) store(t, T0 + thread, 0xFFB80000u + 4 * i, 100 * thread + i);
  for (unsigned thread = 0; thread < 3; thread++)
    for (unsigned i = 0; i < 9; i++) assert_int_equal(t->frontend[thread].mop.cfg[i], 100 * thread + i);
  tile_give_back(t);
  expect_fault(false, T0, 0xFFB80000u, SIM_FAULT_UNDEFINED, "write-only");
  expect_fault(true, B, 0xFFB80000u, SIM_FAULT_ADDRESS, "T cores only");
  expect_fault(true, NC, 0xFFB80020u, SIM_FAULT_ADDRESS, "T cores only");
  expect_fault(true, T0, 0xFFB80024u, SIM_FAULT_ADDRESS, "MOP configuration");
}

/* --- semaphores and TTSync --- */

static void semaphores_are_read_posted_and_taken(void **state) {
  (void)state;
  struct tx_tile *t = rig_tile(true);
  for (unsigned i = 0; i < 8; i++) {
    t->sync.sem[i].max = 15;
    for (unsigned n = 0; n < 17; n++) store(t, T0 + i % 3, 0xFFE80020u + 4 * i, 0xfffffffeu);
    assert_int_equal(load(t, T2, 0xFFE80020u + 4 * i), 15);
    store(t, T1, 0xFFE80020u + 4 * i, 1);
    assert_int_equal(load(t, T0, 0xFFE80020u + 4 * i), 14);
  }
  tile_give_back(t);
  expect_fault(false, NC, 0xFFE80020u, SIM_FAULT_ADDRESS, "T cores only");
  expect_fault(true, NC, 0xFFE8003Cu, SIM_FAULT_ADDRESS, "T cores only");
  expect_fault(false, T0, 0xFFE80040u, SIM_FAULT_UNSUPPORTED, "semaphores");
  expect_fault(false, T0, 0xFFE90000u, SIM_FAULT_UNSUPPORTED, "PC buffers");
}

/* One semaphore write per cycle for the whole unit, in the order in which they were emitted. */
static void semaphore_writes_take_turns(void **state) {
  (void)state;
  struct tx_tile *t = rig_tile(true);
  t->sync.sem[0].max = 15;
  for (unsigned core = 0; core < 3; core++) bus_store(t, T0 + core, 0xFFE80020u, 0);
  for (unsigned cycle = 1; cycle <= 3; cycle++) {
    run_to(t, 100 + cycle);
    assert_int_equal(t->sync.sem[0].value, cycle);
  }
  tile_give_back(t);
}

static void ttsync_waits_for_the_thread(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct rig *r = rig_new(timing);
    rig_store(r, 0, TX_ADDR_TTSYNC, 0); /* discarded */
    rig_push_times(r, 0, OP(ADDDMAREG, 1u << 23 | 1u << 12 | 1u << 6 | 1), 20);
    rig_sync(r, 0);
    rig_copy(r, 0, 0xFFE00004u, 0x1000);
    rig_run_well(r);
    assert_int_equal(r->t->l1[0x1000], 20);
    rig_free(r);
  }
}

static void mopsync_waits_for_the_expander(void **state) {
  (void)state;
  struct tx_tile *t = rig_tile(true);
  t->frontend[1].mop.cfg[0] = 1;
  t->frontend[1].mop.cfg[1] = 100;
  for (unsigned i = 2; i < 9; i++) t->frontend[1].mop.cfg[i] = OP(NOP, 0);
  assert_int_equal(bus_store(t, T1, 0xFFE40000u, OP(MOP, 1u << 23)).result, TX_BUS_DONE);
  struct tx_bus_answer answer = tx_bus_load(t, T1, TX_ADDR_MOPSYNC);
  assert_int_equal(answer.result, TX_BUS_WAIT);
  assert_int_equal(answer.wait.kind, TX_BLOCKED_MOPSYNC);
  assert_int_equal(tx_bus_load(t, T0, TX_ADDR_MOPSYNC).result, TX_BUS_DONE);
  run_to(t, 180);
  assert_int_equal(tx_bus_load(t, T1, TX_ADDR_MOPSYNC).result, TX_BUS_WAIT);
  run_to(t, 220);
  assert_int_equal(tx_bus_load(t, T1, TX_ADDR_MOPSYNC).result, TX_BUS_DONE);
  tile_give_back(t);
}

/* --- order and time --- */

/* A store takes effect when it arrives; the same core's load after it waits and sees it; its cost is the documented
 * latency. */
static void loads_see_earlier_stores_of_their_core_to_the_region(void **state) {
  (void)state;
  static const struct {
    uint32_t address;
    unsigned latency;
  } regions[] = {{0x1000, 8}, {0xFFE00010u, 4}, {0xFFEF0050u, 4}, {0xFFB40000u + 29 * 4, 7}};
  for (size_t i = 0; i < sizeof regions / sizeof *regions; i++) {
    struct tx_tile *t = rig_tile(true);
    struct tx_bus_answer answer = tx_bus_load(t, T0, regions[i].address);
    assert_int_equal(answer.result, TX_BUS_DONE);
    assert_int_equal(answer.cycles, regions[i].latency);
    run_to(t, 110);
    assert_int_equal(bus_store(t, T0, regions[i].address, 0x77).result, TX_BUS_DONE);
    assert_int_equal(tx_bus_load(t, T1, regions[i].address).value, 0); /* not there yet */
    run_to(t, 111);
    answer = tx_bus_load(t, T0, regions[i].address);
    sim_time emitted = t->engine.now;
    while (answer.result == TX_BUS_WAIT) {
      assert_true(answer.channels & TX_CH(TX_CH_CORE));
      run_to(t, t->engine.now + 1);
      answer = tx_bus_load(t, T0, regions[i].address);
    }
    assert_int_equal(answer.value, 0x77);
    /* The load followed the store on the whole path: one round trip from its own emission, plus a cycle or two of
     * queueing. */
    assert_in_range(t->engine.now + answer.cycles - emitted, regions[i].latency, regions[i].latency + 1);
    tile_give_back(t);
  }
}

static void stores_of_a_core_keep_their_order(void **state) {
  (void)state;
  struct rig *r = rig_new(true);
  for (unsigned i = 0; i < 50; i++) {
    rig_store(r, 0, 0x1000, i);
    rig_store(r, 0, 0xFFEF0000u + 4 * 25, i);
    rig_store(r, 0, 0xFFE00004u, i);
  }
  rig_copy(r, 0, 0x1000, 0x1004);
  rig_copy(r, 0, 0xFFEF0000u + 4 * 25, 0x1008);
  rig_copy(r, 0, 0xFFE00004u, 0x100c);
  rig_run_well(r);
  for (unsigned i = 0; i < 4; i++) assert_int_equal(r->t->l1[0x1000 + 4 * i], 49);
  rig_free(r);
}

/* STALLWAIT C10: the blocked instructions run after the core's store has been processed (STALLWAIT.md). */
static void c10_waits_for_the_cores_requests(void **state) {
  (void)state;
  for (unsigned waits = 0; waits < 2; waits++) {
    struct rig *r = rig_new(true);
    r->t->params.gpr_request_cycles = 30; /* make the race visible */
    rig_store(r, 0, 0xFFE00008u, 5);
    if (waits) rig_push(r, 0, STALL(TX_B(5), 1u << TX_C10_CORE_REQUESTS));
    rig_push(r, 0, OP(ADDDMAREG, 1u << 23 | 3u << 12 | 1u << 6 | 2)); /* GPR 3 = GPR 2 + 1 */
    rig_run_well(r);
    assert_int_equal(r->t->scalar.gpr[0][3], waits ? 6 : 1);
    assert_int_equal(r->t->port[0].outstanding, 0);
    rig_free(r);
  }
}

/* ConfigurationUnit.md: a stream of WRCFG starves cores; their requests wait, in order, and nothing is lost. */
static void a_stream_of_wrcfg_starves_cores(void **state) {
  (void)state;
  sim_time processed_at[2];
  for (unsigned busy = 0; busy < 2; busy++) {
    struct rig *r = rig_new(true);
    if (busy) rig_push_times(r, 0, OP(WRCFG, 100), 60);
    rig_push_times(r, 1, OP(NOP, 0), 10);
    rig_sync(r, 1);
    for (unsigned i = 1; i <= 12; i++) rig_store(r, 1, 0xFFEF0000u + 4 * 25, i); /* more than can be in flight */
    rig_poll(r, 1, 0xFFEF0000u + 4 * 25, 0xff, 12);
    rig_store(r, 1, 0x1000, 1);
    rig_run_well(r);
    processed_at[busy] = r->t->engine.now;
    assert_int_equal(r->t->config.words[0][25], 12);
    rig_free(r);
  }
  assert_true(processed_at[1] > processed_at[0] + 25);
}

/* A write wakes a polling core in whatever cycle it arrives. */
static void polls_never_miss_a_write(void **state) {
  (void)state;
  static const uint32_t address[] = {0x2000, 0xFFE00004u, 0xFFEF0000u + 4 * 25, 0xFFE80020u};
  for (size_t i = 0; i < sizeof address / sizeof *address; i++)
    for (unsigned timing = 0; timing < 2; timing++)
      for (unsigned delay = 0; delay < 40; delay++) {
        struct rig *r = rig_new(timing);
        r->t->sync.sem[0].max = 1;
        r->t->scalar.gpr[0][8] = 1;
        r->t->scalar.gpr[0][9] = 0x200;
        rig_poll(r, 0, address[i], 1, 1);
        rig_push_times(r, 1, OP(NOP, 0), delay); /* a core takes one cycle for each */
        switch (i) {
          case 0: rig_store(r, 1, 0x2000, 1); break;
          case 1: /* its own thread's GPR, written by an instruction that another core releases */
            rig_op(r, 0, r->ops[0][0]);
            r->ops[0][0] =
                (struct tx_script_op){.kind = TX_SCRIPT_PUSH, .a = OP(SEMWAIT, TX_BLOCK_BITS << 15 | 2u << 2 | 1u)};
            r->ops[0][1] = (struct tx_script_op){.kind = TX_SCRIPT_PUSH, .a = OP(SETDMAREG, 1u << 8 | 2u)};
            rig_poll(r, 0, address[i], 1, 1);
            r->t->sync.sem[1].max = 1;
            rig_store(r, 1, 0xFFE80024u, 0);
            break;
          case 2: rig_push(r, 1, OP(RMWCIB0, 1u << 16 | 1u << 8 | 25)); break;
          default: rig_push(r, 1, OP(SEMPOST, 1u << 2)); break;
        }
        rig_run_well(r);
        rig_free(r);
      }
}

/* A command that finds the queue full holds back the same core's later stores to TDMA-RISC. */
static void requests_behind_one_that_waits_wait_too(void **state) {
  (void)state;
  struct tx_tile *t = rig_tile(true);
  const uint32_t source = 0xFFB11000u, size = 0xFFB11008u, mode = 0xFFB1100Cu, command = 0xFFB11010u;
  store(t, T0, 0xFFB11004u, 0x1000);                                   /* to 0x10000 */
  store(t, T0, size, 0x800);                                           /* 32 KiB */
  store(t, T0, mode, 0);                                               /* clear L1 */
  store(t, T0, command, 0x40);                                         /* the mover is busy now */
  store(t, T0, command, 0x40);                                         /* waits for it at the head of the queue */
  for (unsigned i = 0; i < 3; i++) store(t, T0, command, 0x80000089u); /* and the queue is full */
  assert_int_equal(t->mover.commands, 4);
  assert_int_equal(bus_store(t, T0, command, 0x80000089u).result, TX_BUS_DONE);
  assert_int_equal(bus_store(t, T0, source, 0x1234).result, TX_BUS_DONE); /* both arrive in one cycle */
  run_to(t, t->engine.now + 50);
  assert_int_equal(t->port[0].pending[TX_REGION_TDMA], 2);
  assert_int_equal(t->mover.parameter[0], 0);
  assert_int_equal(tx_bus_load(t, T0, 0xFFB11014u).result, TX_BUS_WAIT);
  run_to(t, t->engine.now + 100000);
  assert_int_equal(t->mover.parameter[0], 0x1234);
  assert_int_equal(t->port[0].outstanding, 0);
  assert_int_equal(tx_bus_load(t, T0, 0xFFB11014u).result, TX_BUS_DONE);
  tile_give_back(t);
  expect_fault(false, NC, 0xFFB11014u, SIM_FAULT_ADDRESS, "NCRISC");
  expect_fault(false, T0, 0xFFB11FFCu, SIM_FAULT_UNSUPPORTED, "TDMA-RISC");
}

/* --- races --- */

static void a_core_write_under_queued_readers_is_reported(void **state) {
  (void)state;
  for (unsigned variant = 0; variant < 5; variant++) {
    struct rig *r = rig_new(true);
    r->t->sync.sem[0].max = 1;
    if (variant == 4) r->t->config.thread_words[0][56] = 0x11; /* Auto TTSync tracks configuration */
    rig_push(r, 0, OP(SEMWAIT, TX_BLOCK_BITS << 15 | 1u << 2 | 1u));
    rig_push(r, 0, variant == 1 ? OP(SETRWC, 0) : OP(XMOV, 0)); /* XMOV reads THCON words */
    if (variant == 2) rig_sync(r, 0);
    rig_store(r, 0, 0xFFEF0000u + 4 * 90, variant == 3 ? 0 : 0x11); /* 3: changes nothing */
    rig_push_times(r, 1, OP(NOP, 0), 60);
    rig_sync(r, 1);
    rig_store(r, 1, 0xFFE80020u, 0); /* lets thread 0 go */
    rig_run(r);
    assert_int_equal(r->t->diag.counts[TX_DIAG_CFG_CORE_RACE], variant == 0);
    rig_free(r);
  }
}

static void a_lost_update_by_a_core_is_reported(void **state) {
  (void)state;
  for (unsigned intruder = 0; intruder < 2; intruder++) {
    struct tx_tile *t = rig_tile(true);
    uint32_t word = 0xFFEF0000u + 4 * 12, value = load(t, T0, word);
    if (intruder) store(t, T1, word, 0x100);
    store(t, T0, word, value | 1u);
    assert_int_equal(t->diag.counts[TX_DIAG_CFG_SHARED_RMW], intruder);
    tile_give_back(t);
  }
}

/* With tracking on, accesses and instructions that use the same GPRs keep program order: no explicit wait is needed. */
static void auto_ttsync_orders_cores_and_threads(void **state) {
  (void)state;
  for (unsigned tracked = 0; tracked < 2; tracked++) {
    struct rig *r = rig_new(true);
    r->t->params.gpr_request_cycles = 30;
    r->t->config.thread_words[0][56] = tracked ? 0x14 : 0;                      /* TrackGPR */
    rig_push_times(r, 0, OP(ADDDMAREG, 1u << 23 | 2u << 12 | 1u << 6 | 2), 10); /* GPR 2 += 1 */
    rig_copy(r, 0, 0xFFE00008u, 0x1000);
    rig_store(r, 0, 0xFFE00008u, 100);
    rig_push(r, 0, OP(ADDDMAREG, 1u << 23 | 2u << 12 | 1u << 6 | 2));
    rig_sync(r, 0);
    rig_copy(r, 0, 0xFFE00008u, 0x1004);
    rig_run_well(r);
    if (tracked) assert_int_equal(r->t->l1[0x1000], 10);
    if (tracked) assert_int_equal(r->t->l1[0x1004], 101);
    if (!tracked) assert_true(r->t->l1[0x1000] < 10);
    rig_free(r);
  }
}

/* --- the rest of the map --- */

static void other_addresses_are_faults_that_name_the_neighbourhood(void **state) {
  (void)state;
  static const struct {
    uint32_t address;
    unsigned kind;
    const char *words;
  } cases[] = {
      {0x00180000u, SIM_FAULT_ADDRESS, "nearest: L1"},
      {0x40000000u, SIM_FAULT_ADDRESS, "nearest: L1"},
      {0xFFB02000u, SIM_FAULT_ADDRESS, "nearest: local data RAM"},
      {0xFFB12300u, SIM_FAULT_UNSUPPORTED, "tile control"},
      {0xFFB1E000u, SIM_FAULT_ADDRESS, "nearest: local data RAM, slow path"},
      {0xFFB20300u, SIM_FAULT_UNSUPPORTED, "NoC 0"},
      {0xFFB3FFFCu, SIM_FAULT_UNSUPPORTED, "NoC 1"},
      {0xFFE7FFFCu, SIM_FAULT_ADDRESS, "nearest: PC buffers"},
      {0xFFEC4000u, SIM_FAULT_ADDRESS, "nearest: mailboxes"},
      {0xFFFFFFFCu, SIM_FAULT_ADDRESS, "backend configuration"},
      {0x00001002u, SIM_FAULT_ADDRESS, "unaligned"},
      {0xFFB40000u, SIM_FAULT_UNSUPPORTED, "stream registers"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    for (unsigned agent = T0; agent <= NC; agent++)
      for (unsigned k = 0; k < 2; k++) expect_fault(k, agent, cases[i].address, cases[i].kind, cases[i].words);
}

static void stream_registers_are_readable_by_all_cores(void **state) {
  (void)state;
  struct tx_tile *t = rig_tile(true);
  for (unsigned agent = T0; agent <= NC; agent++) {
    uint32_t address = 0xFFB40000u + 63 * 0x1000 + 10 * 4;
    store(t, agent, address, 0x500 + agent);
    assert_int_equal(load(t, agent, address), 0x500 + agent);
  }
  stream_set(t, 7, TX_STREAM_MESSAGES, 3);
  assert_int_equal(load(t, B, 0xFFB47000u + 259 * 4), 3);
  tile_give_back(t);
  expect_fault(true, T0, 0xFFB47000u + 259 * 4, SIM_FAULT_UNSUPPORTED, "stream registers"); /* read-only */
}

static void streamwait_is_released_by_a_stream(void **state) {
  (void)state;
  for (unsigned which = 0; which < 2; which++) {
    struct rig *r = rig_new(true);
    rig_push(r, 0, OP(SETC16, 59u << 16 | 12));                                         /* stream 12 */
    rig_push(r, 0, OP(SETC16, (57u + which) << 16 | 1));                                /* high bits: 1 << 10 */
    rig_push(r, 0, OP(STREAMWAIT, (uint32_t)TX_B(5) << 15 | 5u << 4 | which << 3 | 0)); /* until 1029 */
    rig_push(r, 0, OP(DMANOP, 0));
    rig_attach(r);
    tx_tile_run(r->t, 200);
    assert_int_equal(r->issue_count, 3);
    stream_set(r->t, 12, which ? TX_STREAM_MESSAGES : TX_STREAM_PHASE, 1028);
    tx_tile_run(r->t, 300);
    assert_int_equal(r->issue_count, 3);
    stream_set(r->t, 12, which ? TX_STREAM_MESSAGES : TX_STREAM_PHASE, 1029);
    tx_tile_run(r->t, 400);
    assert_int_equal(r->issue_count, 4);
    rig_free(r);
  }
}

/* --- L1 --- */

static void l1_is_little_endian_and_bounded(void **state) {
  (void)state;
  struct tx_tile *t = rig_tile(true);
  const uint8_t bytes[4] = {0x11, 0x22, 0x33, 0x44};
  tx_l1_write(t, 0x17fffc, bytes, 4);
  assert_int_equal(tx_l1_read(t, 0x17fffc, 4), 0x44332211);
  assert_int_equal(tx_l1_read(t, 0x17fffd, 2), 0x3322);
  assert_int_equal(tx_l1_read(t, 0x17ffff, 1), 0x44);
  assert_true(tx_l1_check(t, 0x17fffc, 4, "x"));
  assert_true(tx_l1_check(t, 0x180000, 0, "x"));
  assert_int_equal(t->fault.kind, SIM_FAULT_NONE);
  static const uint32_t bad[][2] = {{0x17fffd, 4}, {0x180000, 1}, {0xffffffff, 1}, {0, 0xffffffff}, {0xfffffff0, 0x20}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    memset(&t->fault, 0, sizeof t->fault);
    assert_false(tx_l1_check(t, bad[i][0], bad[i][1], "PACR"));
    assert_int_equal(t->fault.kind, SIM_FAULT_ADDRESS);
    assert_non_null(strstr(t->fault.why, "PACR"));
  }
  tile_give_back(t);
}

static void l1_writes_wake_whoever_spins_on_a_word_of_them(void **state) {
  (void)state;
  const uint8_t bytes[64] = {0};
  for (uint32_t first = 0x1000; first < 0x1080; first++) {
    struct tx_tile *t = rig_tile(true);
    const uint32_t key = 0x1040;
    sim_park(&t->engine, B, &key, 1, 105, 5);
    tx_l1_write(t, first, bytes, 7);
    bool touches = first < 0x1044 && first + 7 > 0x1040;
    assert_int_equal(t->engine.agents[B].at, touches ? 105 : SIM_NEVER);
    tile_give_back(t);
  }
}

/* --- effects that are put back (sim_effect_retry) --- */

struct order {
  uint32_t seen[64];
  unsigned count, refusals;
  struct sim_engine *engine;
};

static void on_effect(void *machine, const struct sim_effect *e) {
  struct order *o = machine;
  if (e->w[0] < 3 && o->refusals) { /* the first three are rejected at first */
    o->refusals--;
    sim_effect_retry(o->engine, *e, o->engine->now + 1);
    return;
  }
  o->seen[o->count++] = e->w[0];
}

static void nothing(void *machine, unsigned agent) { (void)machine, (void)agent; }
static void no_arbitration(void *machine, uint64_t due) { (void)machine, (void)due; }

static void effects_put_back_stay_before_later_ones(void **state) {
  (void)state;
  static const struct sim_machine ops = {
      .effect = on_effect, .request = nothing, .arbitrate = no_arbitration, .issue = nothing};
  struct sim_engine *engine = malloc(sizeof *engine);
  assert_non_null(engine);
  sim_engine_init(engine, 1);
  struct order o = {.engine = engine, .refusals = 9};
  for (uint32_t i = 0; i < 6; i++) assert_true(sim_effect_at(engine, (struct sim_effect){.at = i < 3 ? 10 : 13, .w = {i}}));
  assert_int_equal(sim_run(engine, 100, &ops, &o), SIM_END_DONE);
  assert_int_equal(o.count, 6);
  for (uint32_t i = 0; i < 6; i++) assert_int_equal(o.seen[i], i); /* three cycles late, at 13: still first */
  free(engine);
}

/* WormholeB0 DebugDaisychain.md: groups A and B of each core. Debuggers read the pc of group B. */
static void debug_daisychain_has_the_pcs(void **state) {
  enum {
    CTRL = 0xFFB12054u - 0xFFB12000u,
    DATA = 0x5C,
    ENABLED = 1 << 29,
    CORES = 7 << 16,
    WORD1 = 1 << 25,
    WORD2 = 2 << 25
  };
  static const uint8_t group_a[TX_CORES] = {12, 14, 16, 10, 24};
  (void)state;
  struct tx_tile *t = rig_tile(true);
  for (unsigned core = 0; core < TX_CORES; core++) {
    t->core[core].state = core == 1 ? TX_CORE_HELD : TX_CORE_HELD + 1;
    t->core[core].pc = 0x40005000u + 0x100 * core;
    uint32_t expected = core == 1 ? 0 : 0x5000u + 0x100 * core, value;
    tx_control_write(t, 0xFFB12000u + CTRL, ENABLED | CORES | WORD1 | (group_a[core] + 1u));
    assert_true(tx_control_read(t, 0xFFB12000u + DATA, &value));
    assert_int_equal(value, expected);
    tx_control_write(t, 0xFFB12000u + CTRL, ENABLED | CORES | WORD2 | group_a[core]);
    assert_true(tx_control_read(t, 0xFFB12000u + DATA, &value));
    assert_int_equal(value, expected);
    tx_control_write(t, 0xFFB12000u + CTRL, CORES | WORD1 | (group_a[core] + 1u)); /* not enabled */
    assert_true(tx_control_read(t, 0xFFB12000u + DATA, &value));
    assert_int_equal(value, 0);
  }
  assert_int_equal(t->diag.counts[TX_DIAG_UNTESTED_MODE], 0);
  uint32_t other = 5;
  tx_control_write(t, 0xFFB12000u + CTRL, ENABLED | 3 << 16 | 4);
  assert_true(tx_control_read(t, 0xFFB12000u + DATA, &other));
  assert_int_equal(other, 0);
  assert_int_equal(t->diag.counts[TX_DIAG_UNTESTED_MODE], 1);
  assert_int_equal(t->fault.kind, 0);
  tile_give_back(t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gprs_are_the_threads_own_and_all_for_brisc),
      cmocka_unit_test(debug_daisychain_has_the_pcs),
      cmocka_unit_test(a_t_cores_gprs_repeat),
      cmocka_unit_test(configuration_has_two_banks_an_alias_and_thread_words),
      cmocka_unit_test(pushes_go_where_the_table_says),
      cmocka_unit_test(a_full_fifo_makes_the_core_wait),
      cmocka_unit_test(mop_configuration_is_write_only_and_the_threads_own),
      cmocka_unit_test(semaphores_are_read_posted_and_taken),
      cmocka_unit_test(semaphore_writes_take_turns),
      cmocka_unit_test(ttsync_waits_for_the_thread),
      cmocka_unit_test(mopsync_waits_for_the_expander),
      cmocka_unit_test(loads_see_earlier_stores_of_their_core_to_the_region),
      cmocka_unit_test(stores_of_a_core_keep_their_order),
      cmocka_unit_test(c10_waits_for_the_cores_requests),
      cmocka_unit_test(a_stream_of_wrcfg_starves_cores),
      cmocka_unit_test(polls_never_miss_a_write),
      cmocka_unit_test(requests_behind_one_that_waits_wait_too),
      cmocka_unit_test(a_core_write_under_queued_readers_is_reported),
      cmocka_unit_test(a_lost_update_by_a_core_is_reported),
      cmocka_unit_test(auto_ttsync_orders_cores_and_threads),
      cmocka_unit_test(other_addresses_are_faults_that_name_the_neighbourhood),
      cmocka_unit_test(stream_registers_are_readable_by_all_cores),
      cmocka_unit_test(streamwait_is_released_by_a_stream),
      cmocka_unit_test(l1_is_little_endian_and_bounded),
      cmocka_unit_test(l1_writes_wake_whoever_spins_on_a_word_of_them),
      cmocka_unit_test(effects_put_back_stay_before_later_ones),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
