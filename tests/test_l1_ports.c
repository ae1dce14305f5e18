/* Cores that share a port or a bank of L1 (mem/l1_ports.h): the share of each core, the order, and the accesses of a parked core. */
#include "riscv_rig.h"

#include "tensix/mem/l1_ports.h"
#include "tensix/tile/script.h"
#include "unpack_rig.h"

enum { CODE = 0x1000, DATA = 0x20000, WORDS = 64, TURNS = 40 };

enum access { LOADS, STORES, ATOMICS };

/* 64 accesses to four banks in a row, TURNS times. Banks begin at `bank`. */
static void hammer(struct rv *r, unsigned core, enum access access, unsigned bank) {
  r->at = CODE + core * 0x1000;
  rv_firmware(r);
  rv_li(r, A6, DATA + core * 0x1000 + bank * 16);
  rv_li(r, S0, TURNS);
  uint32_t top = r->at;
  for (int32_t i = 0; i < WORDS; i++) {
    unsigned rd = A0 + (unsigned)i % 4;
    if (access == LOADS) rv_put(r, rv_lw(rd, 16 * (i % 4), A6));
    if (access == STORES) rv_put(r, rv_sw(A7, 16 * (i % 4), A6));
    if (access == ATOMICS) rv_put(r, rv_r(0, A7, A6, 2, ZERO, 0x2f)); /* amoadd.w */
  }
  rv_put(r, rv_addi(S0, S0, -1));
  rv_put(r, rv_bne(S0, ZERO, (int32_t)top - (int32_t)r->at));
  rv_put(r, RV_EBREAK);
}

/* Cycles per access of each core while all run, without the loop's own two cycles. */
static void measure(unsigned cores, enum access access, const unsigned *banks, double *cycles) {
  struct rv r;
  rv_new(&r, true);
  for (unsigned core = 0; core < TX_CORES; core++)
    if (cores >> core & 1u) hammer(&r, core, access, banks[core]);
  for (unsigned core = 0; core < TX_CORES; core++)
    if (cores >> core & 1u) tx_core_start(r.t, core, CODE + core * 0x1000);
  rv_finish(&r);
  for (unsigned core = 0; core < TX_CORES; core++)
    cycles[core] = cores >> core & 1u ? ((double)tx_core_cycles(r.t, core) / TURNS - 2) / WORDS : 0;
  rv_free(&r);
}

static void assert_near(double here, double wanted) {
  if (here < wanted * 0.97 || here > wanted * 1.03) fail_msg("%.3f cycles where %.3f are due", here, wanted);
}

enum { T0_ONLY = 1, T1_ONLY = 2, T1_T2 = 6, T0_T1 = 3, B_NC = 0x18 };
static const unsigned apart[TX_CORES] = {0, 8, 16, 24, 28}, same[TX_CORES] = {0};

/* ISA: L1.md: four reads every seven cycles; a narrow write every five. A core has one atomic in flight, with a round trip of 12 cycles. */
static void one_core_alone(void **state) {
  double cycles[TX_CORES];
  (void)state;
  measure(T1_ONLY, LOADS, apart, cycles);
  assert_near(cycles[1], 1.75);
  measure(T1_ONLY, STORES, apart, cycles);
  assert_near(cycles[1], 5);
}

/* On one port: narrow writes alternate, five cycles each. On two ports and different banks no core waits. */
static void two_cores_store(void **state) {
  double cycles[TX_CORES];
  (void)state;
  measure(T1_T2, STORES, apart, cycles);
  assert_near(cycles[1], 10);
  assert_near(cycles[2], 10);
  measure(B_NC, STORES, apart, cycles);
  assert_near(cycles[3], 10);
  assert_near(cycles[4], 10);
  measure(T0_T1, STORES, apart, cycles);
  assert_near(cycles[0], 5);
  assert_near(cycles[1], 5);
}

/* Three cores of one port get a third each. */
static void three_cores_store(void **state) {
  double cycles[TX_CORES];
  (void)state;
  measure(T0_ONLY | B_NC, STORES, apart, cycles);
  assert_near(cycles[0], 15);
  assert_near(cycles[3], 15);
  assert_near(cycles[4], 15);
}

/* Six loads of a port in flight: 12 cycles for 2 x 6 of them, seven of which are the path to L1 and back. */
static void two_cores_load(void **state) {
  double cycles[TX_CORES];
  (void)state;
  measure(T1_T2, LOADS, apart, cycles);
  assert_near(cycles[1], 7.0 / 3);
  assert_near(cycles[2], 7.0 / 3);
  measure(T0_T1, LOADS, apart, cycles);
  assert_near(cycles[0], 1.75);
  assert_near(cycles[1], 1.75);
}

static bool asks(struct rv *r, unsigned core, uint32_t address, sim_time now, uint32_t hold, sim_time *at) {
  r->t->engine.now = now;
  struct tx_l1_request request = {.core = core, .address = address, .since = now, .hold = hold};
  return tx_l1_grant(r->t, &request, at);
}

/* Two ports, the same bank: the port that had it last waits for the other. */
static void one_bank(void **state) {
  struct rv r;
  sim_time at;
  (void)state;
  rv_new(&r, true);
  assert_true(asks(&r, 1, DATA, 100, 5, &at));
  assert_int_equal(at, 100);
  assert_false(
      asks(&r, 0, DATA + 512, 101, 5, &at)); /* 32 banks of 16 bytes: an address 512 bytes higher is in the same bank */
  assert_int_equal(at, 105);
  assert_false(asks(&r, 2, DATA, 102, 5, &at)); /* behind core 1 on port 3 */
  assert_int_equal(at, 105);
  assert_false(asks(&r, 3, DATA + 16, 103, 1, &at)); /* another bank, but core 0 waits at the head of port 2 */
  assert_int_equal(at, 105);
  assert_true(asks(&r, 0, DATA + 512, 105, 5, &at));
  assert_false(asks(&r, 2, DATA, 105, 5, &at));
  assert_int_equal(at, 110);
  rv_free(&r);
}

/* An unpacker takes eight lines per cycle: a narrow write delays it from the cycle in which the write reaches the bank. A load does not. */
static void a_stream_waits_for_narrow_writes(void **state) {
  struct rv r;
  sim_time at;
  (void)state;
  rv_new(&r, true);
  tx_l1_stream(r.t, TX_L1_UNPACKER_0, 0, 128, 100, 116);
  assert_true(asks(&r, 0, 1024, 100, 5, &at)); /* bank 0, in the first cycle */
  assert_int_equal(tx_l1_take_delay(r.t, TX_L1_UNPACKER_0), 5);
  assert_true(asks(&r, 0, 1024 + 8 * 16, 106, 5, &at)); /* from 105 on again: banks 8 to 15 are due in 106 */
  assert_int_equal(tx_l1_take_delay(r.t, TX_L1_UNPACKER_0), 5);
  assert_true(asks(&r, 1, 1024 + 9 * 16, 112, 1, &at));
  assert_true(asks(&r, 0, 0, 140, 5, &at)); /* over */
  assert_int_equal(tx_l1_take_delay(r.t, TX_L1_UNPACKER_0), 0);
  tx_l1_stream(r.t, TX_L1_MOVER_WRITE, 0, 16, 200, 400);
  for (unsigned i = 0; i < 11; i++) assert_true(asks(&r, 1, 16 * i, 200 + 10 * i, 1, &at));
  assert_true(asks(&r, 0, 0x1000, 305, 5, &at)); /* the other port */
  assert_int_equal(tx_l1_take_delay(r.t, TX_L1_MOVER_WRITE), 8);
  rv_free(&r);
}

/* Cycles in which unpacker 0 reads 64 BF16 tiles, 16 cycles each, beside cores that store words to the first `banks` banks, forever. */
static double tiles_beside(unsigned cores, unsigned banks) {
  enum { TILES = 64 };
  static struct tx_script_op ops[TILES];
  struct rv r;
  rv_new(&r, true);
  configure(r.t, &(struct setup){
                     .in = NUM_BF16, .out = NUM_BF16, .base = 0x30000, .xdim = 1024, .ydim = 1, .zdim = 1, .last = 1023});
  for (unsigned i = 0; i < TILES; i++) ops[i] = (struct tx_script_op){.kind = TX_SCRIPT_PUSH, .a = UNPACR_PLAIN(0)};
  const struct tx_script script = {.ops = ops, .count = TILES};
  for (unsigned core = 1; core < TX_CORES; core++) {
    if (!(cores >> core & 1u)) continue;
    r.at = CODE + core * 0x1000;
    rv_firmware(&r);
    rv_li(&r, A6, DATA + 4 * core);
    uint32_t top = r.at;
    for (int32_t i = 0; i < WORDS; i++) rv_put(&r, rv_sw(A0, 512 * (i % 2) + 16 * (i % (int32_t)banks), A6));
    rv_put(&r, rv_jal(ZERO, (int32_t)top - (int32_t)r.at));
    tx_core_start(r.t, core, CODE + core * 0x1000);
  }
  tx_tile_run(r.t, 300);
  sim_time start = r.t->engine.now;
  tx_script_attach(r.t, 0, &script);
  while (r.t->units[TX_UNIT_UNPACK].accepted[0] < TILES || r.t->unpack.jobs[0]) {
    tx_tile_run(r.t, r.t->engine.now + 1);
    if (r.t->fault.kind || r.t->engine.now > 10000) fail_msg("the unpacker does not end: %s", r.t->fault.why);
  }
  double cycles = (double)(r.t->engine.now - start);
  rv_free(&r);
  return cycles;
}

/* Round robin at a bank: the stream reaches each bank in every fourth cycle, finds it held and is served first when it is free again; the core's next store gets
 * it one cycle later. So both repeat every six cycles. With two ports that store forever the stream still progresses. */
static void a_stream_is_not_starved(void **state) {
  enum { B = 0x8, B_T1 = 0xa };
  (void)state;
  double alone = tiles_beside(0, 1);
  assert_near(alone, 64 * 16);
  assert_near(tiles_beside(B, 1), 1.5 * alone);
  for (unsigned banks = 1; banks <= 16; banks *= 2) {
    assert_true(tiles_beside(B_NC, banks) < 3 * alone);
    assert_true(tiles_beside(B_T1, banks) < 3 * alone);
  }
}

static void same_banks_cost(void **state) {
  double cycles[TX_CORES];
  (void)state;
  measure(T0_T1, STORES, same, cycles); /* four banks in the same order: the two synchronise */
  assert_near(cycles[0], 5);
  assert_near(cycles[1], 5);
}

/* A core that polls a word of L1 takes a cycle of its port for each poll, parked or not. */
static double beside_a_poller(bool park) {
  struct rv r;
  rv_new(&r, true);
  r.t->params.park_spins = park;
  hammer(&r, 1, LOADS, 0);
  r.at = CODE + 0x2000;
  rv_firmware(&r);
  rv_li(&r, S0, DATA + 0x4000);
  rv_put(&r, rv_lw(A0, 0, S0));
  rv_put(&r, rv_beq(A0, ZERO, -4));
  tx_core_start(r.t, 2, CODE + 0x2000);
  tx_core_start(r.t, 1, CODE + 0x1000);
  while (r.t->core[1].state == TX_CORE_RUNNING) tx_tile_run(r.t, r.t->engine.now + 1000);
  double took = (double)r.t->core[1].clock;
  rv_free(&r);
  return took;
}

static void a_poller_takes_its_cycles(void **state) {
  (void)state;
  double parked = beside_a_poller(true), executed = beside_a_poller(false);
  assert_true(parked > TURNS * 114.0);
  assert_near(parked, executed);
}

/* Cycles of these words of the scalar unit and a wait for the last of them. */
static uint64_t scalar_words(uint32_t word, unsigned count) {
  struct rv r;
  rv_new(&r, true);
  rv_firmware(&r);
  rv_li(&r, A0, 0xFFE80004u); /* CoprocessorDoneCheck */
  r.t->scalar.gpr[0][4] = DATA / 16;
  rv_put_times(&r, rv_ttinsn(word), count);
  rv_put(&r, rv_sw(ZERO, 0, A0));
  rv_put(&r, rv_lw(A1, 0, A0));
  rv_put(&r, rv_addi(A1, A1, 0));
  rv_put(&r, RV_EBREAK);
  uint64_t cycles = rv_run(&r, 0, 0);
  rv_free(&r);
  return cycles;
}

static double of_scalar_unit(uint32_t word) { return (double)(scalar_words(word, 160) - scalar_words(word, 96)) / 64; }

#define STORE(size) ((uint32_t)TX_STOREIND << 24 | (4u | (size)) << 21 | 20u << 14 | 8u << 6 | 4u)
#define LOAD(size) ((uint32_t)TX_LOADIND << 24 | (size) << 22 | 20u << 14 | 8u << 6 | 4u)

/* ISA: L1.md: one request every three cycles, one 32-bit write every five. */
static void the_scalar_unit_waits_for_its_port(void **state) {
  (void)state;
  assert_near(of_scalar_unit(LOAD(0)), 3);
  assert_near(of_scalar_unit(LOAD(1)), 3);
  assert_near(of_scalar_unit(STORE(0)), 3);
  assert_near(of_scalar_unit(STORE(1)), 5);
}

/* ISA: L1.md: a conditional atomic blocks port and bank for five cycles, whether its comparison holds or not. */
static void a_conditional_atomic_holds_its_port(void **state) {
  struct rv r;
  sim_time at;
  (void)state;
  for (unsigned holds = 0; holds < 2; holds++) {
    rv_new(&r, true);
    rv_firmware(&r);
    r.t->scalar.gpr[0][4] = DATA / 16;
    rv_poke(&r, DATA, holds ? 7 : 6);
    rv_put(&r, rv_ttinsn((uint32_t)TX_ATCAS << 24 | TX_PUT(ATCAS, cmp_val, 7) | TX_PUT(ATCAS, swap_val, 7) |
                         TX_PUT(ATCAS, addr_reg_index, 4)));
    rv_put(&r, RV_EBREAK);
    tx_core_start(r.t, 0, 0);
    while (!r.t->l1_ports.port_free[TX_L1_PORT_2] && r.t->engine.now < 1000) tx_tile_run(r.t, r.t->engine.now + 1);
    sim_time free = r.t->l1_ports.port_free[TX_L1_PORT_2], now = r.t->engine.now;
    assert_in_range(free - now, 1, 5);
    assert_int_equal(r.t->l1_ports.bank_free[tx_l1_bank(DATA)], free);
    assert_false(asks(&r, 3, DATA + 16, now, 1, &at));
    assert_int_equal(at, free);
    rv_free(&r);
  }
}

/* A unit's request holds port 2 and its bank against cores; that of an NIU holds the bank only. */
static void units_hold_cores_back(void **state) {
  struct rv r;
  sim_time at;
  (void)state;
  rv_new(&r, true);
  r.t->engine.now = 100;
  assert_int_equal(tx_l1_request_of_unit(r.t, TX_L1_PORT_2, DATA, 5), 0);
  assert_false(asks(&r, 3, DATA + 16, 101, 1, &at)); /* the port */
  assert_int_equal(at, 105);
  assert_true(asks(&r, 1, DATA + 16, 101, 1, &at)); /* port 3, another bank */
  assert_false(asks(&r, 1, DATA, 102, 1, &at));
  assert_int_equal(at, 105);
  r.t->engine.now = 103;
  assert_int_equal(tx_l1_request_of_unit(r.t, TX_L1_PORT_2, DATA + 64, 1), 2);
  r.t->engine.now = 200;
  assert_int_equal(tx_l1_request_of_unit(r.t, TX_L1_PORTS, DATA, 5), 0); /* an NIU */
  assert_true(asks(&r, 0, DATA + 16, 201, 1, &at));
  assert_false(asks(&r, 0, DATA, 202, 1, &at));
  assert_int_equal(at, 205);
  tx_l1_stream(r.t, TX_L1_PACKER, DATA, 64, 300, 304); /* banks 0 to 15 */
  r.t->engine.now = 301;
  tx_l1_request_of_unit(r.t, TX_L1_PORTS, DATA + 8 * 16, 5); /* due in cycle 302 */
  assert_int_equal(tx_l1_take_delay(r.t, TX_L1_PACKER), 4);
  tx_tile_reset(r.t, false);
  assert_int_equal(tx_l1_request_of_unit(r.t, TX_L1_PORT_2, DATA, 5), 0);
  assert_int_equal(tx_l1_request_of_unit(r.t, TX_L1_PORT_2, DATA, 5), 0); /* timing off: no core waits */
  rv_free(&r);
}

/* An NIU takes four lines per cycle. One that reads plans a stream; a narrow write holds it back, and it holds back the next one to its bank. */
static void an_niu_waits_for_a_bank(void **state) {
  struct rv r;
  sim_time at;
  (void)state;
  rv_new(&r, true);
  r.t->engine.now = 90;
  tx_l1_stream_niu(r.t, 0, false, 0, 16, 100);     /* banks 0 to 3 in cycle 100, 4 to 7 in 101 ... */
  tx_l1_stream_niu(r.t, 0, false, 0x400, 16, 100); /* behind it */
  assert_true(asks(&r, 1, 16 * 9, 101, 5, &at));   /* bank 9: due in 102 */
  assert_int_equal(tx_l1_take_delay(r.t, TX_L1_NIU_0_READ), 4);
  assert_int_equal(tx_l1_take_delay(r.t, TX_L1_NIU_1_READ), 0);
  assert_false(asks(&r, 1, 16 * 9, 106, 5, &at)); /* the bank is free, and the NIU is first */
  assert_int_equal(at, 107);
  assert_true(asks(&r, 0, 16 * 13, 107, 1, &at)); /* a load does not wait, nor the NIU for it */
  assert_int_equal(tx_l1_take_delay(r.t, TX_L1_NIU_0_READ), 0);
  assert_int_equal(r.t->l1_ports.stream[TX_L1_NIU_0_READ][1].until, 100 + 16 + 16 + 4);
  rv_free(&r);
}

/* Two packets of one NoC come in, the second behind the first. */
struct packets {
  unsigned count;
  struct tx_incoming of[2];
};
static bool packet_of(void *net, unsigned index, struct tx_incoming *packet) {
  const struct packets *p = net;
  if (index < p->count) *packet = p->of[index];
  return index < p->count;
}

static struct noc_packet write_of(uint64_t sequence, uint64_t address, uint32_t length) {
  return (struct noc_packet){.kind = NOC_WRITE, .sequence = sequence, .address = address, .length = length};
}

static void a_packet_waits_for_a_bank(void **state) {
  struct rv r;
  sim_time at;
  (void)state;
  rv_new(&r, true);
  struct packets packets = {2, {{.arrives = 116, .address = 0, .flits = 16}, {.arrives = 133, .address = 0, .flits = 16}}};
  r.t->unsaved.network = (struct tx_network){.net = &packets, .incoming = packet_of};
  const struct noc_packet first = write_of(1, 0, 1024), second = write_of(2, 0, 1024),
                          atomic = {.kind = NOC_ATOMIC, .sequence = 3, .address = DATA};
  assert_true(asks(&r, 1, 16 * 9, 101, 5, &at)); /* due in 102 */
  assert_false(asks(&r, 1, 16 * 9, 106, 5, &at));
  assert_int_equal(at, 107);
  assert_int_equal(tx_noc_wait(r.t, &first, 116), 4);
  assert_int_equal(tx_noc_wait(r.t, &atomic, 118), 2); /* after it: the order of a virtual channel */
  assert_int_equal(tx_noc_wait(r.t, &first, 120), 0);
  assert_int_equal(tx_noc_wait(r.t, &atomic, 120), 0);
  assert_int_equal(tx_noc_wait(r.t, &second, 133), 3); /* its flits come in from 120 on */
  assert_int_equal(tx_noc_wait(r.t, &second, 136), 0);
  assert_true(asks(&r, 1, DATA, 200, 5, &at));
  assert_int_equal(tx_noc_wait(r.t, &atomic, 202), 3); /* the bank */
  assert_int_equal(tx_noc_wait(r.t, &atomic, 205), 0);
  rv_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_core_alone),
      cmocka_unit_test(two_cores_store),
      cmocka_unit_test(three_cores_store),
      cmocka_unit_test(two_cores_load),
      cmocka_unit_test(one_bank),
      cmocka_unit_test(a_stream_waits_for_narrow_writes),
      cmocka_unit_test(a_stream_is_not_starved),
      cmocka_unit_test(the_scalar_unit_waits_for_its_port),
      cmocka_unit_test(a_conditional_atomic_holds_its_port),
      cmocka_unit_test(units_hold_cores_back),
      cmocka_unit_test(an_niu_waits_for_a_bank),
      cmocka_unit_test(a_packet_waits_for_a_bank),
      cmocka_unit_test(same_banks_cost),
      cmocka_unit_test(a_poller_takes_its_cycles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
