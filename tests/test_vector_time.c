/* Time in the vector unit, through the whole front end: issue costs, the stalls that hardware inserts, the ones it omits
 * (the reader gets the old value and the hazard is reported), and every diagnostic of the vector unit, provoked and quiet.
 * ISA: VectorUnit.md (latencies), SFPMAD.md, SFPSWAP.md, SFPSHFT2.md "Instruction scheduling". */
#include "rig.h"
#include "vector/words.h"

static void set_lreg(struct tx_tile *t, unsigned reg, uint32_t first, uint32_t step) {
  for (unsigned l = 0; l < 32; l++) t->vector.lreg[reg][l] = first + step * l;
}

/* Distance in cycles between the first and the last of a few words pushed in a row. */
static unsigned distance(const uint32_t *words, unsigned count) {
  struct rig *r = rig_new(true);
  for (unsigned i = 0; i < count; i++) rig_push(r, 0, words[i]);
  rig_run_well(r);
  assert_int_equal(r->issue_count, count);
  unsigned cycles = (unsigned)(r->issues[count - 1].at - r->issues[0].at);
  rig_free(r);
  return cycles;
}

#define DISTANCE(...) distance((const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* --- issue costs --- */

/* docs/evidence/time.md: 1, 2, 3 cycles per instruction with 1, 2, 3 threads. */
static void test_issue_costs(void **state) {
  (void)state;
  const struct {
    const char *name;
    uint32_t word;
  } probes[] = {{"SFPNOP", V_NOP},
                {"SFPMOV", v_imm12(TX_SFPMOV, 0, 1, 2, 0)},
                {"SFPADD", v_mad(TX_SFPADD, 10, 1, 2, 3, 0)},
                {"SFPMUL", v_mad(TX_SFPMUL, 1, 2, 9, 3, 0)},
                {"SFPMAD", v_mad(TX_SFPMAD, 1, 2, 4, 3, 0)},
                {"SFPABS", v_imm12(TX_SFPABS, 0, 1, 2, 1)}};
  for (unsigned k = 0; k < sizeof probes / sizeof probes[0]; k++)
    for (unsigned threads = 1; threads <= 3; threads++) {
      struct rig *r = rig_new(true);
      for (unsigned thread = 0; thread < threads; thread++) rig_push_times(r, thread, probes[k].word, 640);
      rig_run_well(r);
      const struct rig_issue *from = rig_issued(r, 0, (uint8_t)(probes[k].word >> 24), 64);
      const struct rig_issue *to = rig_issued(r, 0, (uint8_t)(probes[k].word >> 24), 576);
      double cost = (double)(to->at - from->at) / 512;
      if (threads == 1) cost -= 2.0 / 64; /* the pushing loop's own two cycles in 66 */
      if (cost < threads - 0.02 || cost > threads + 0.02) fail_msg("%s, %u threads: %.3f", probes[k].name, threads, cost);
      rig_free(r);
    }
}

/* --- stalls --- */

static const uint8_t two_cycles[] = {TX_SFPMAD, TX_SFPADD, TX_SFPMUL, TX_SFPMUL24};

static void test_result_stall(void **state) {
  (void)state;
  for (unsigned k = 0; k < sizeof two_cycles; k++) {
    uint32_t producer = v_mad(two_cycles[k], 10, 2, 9, 1, 0);
    assert_int_equal(DISTANCE(producer, v_imm12(TX_SFPMOV, 0, 1, 3, 0)), 2);        /* reads it: held one cycle */
    assert_int_equal(DISTANCE(producer, v_imm12(TX_SFPMOV, 0, 2, 3, 0)), 1);        /* does not */
    assert_int_equal(DISTANCE(producer, V_NOP, v_imm12(TX_SFPMOV, 0, 1, 3, 0)), 2); /* no longer */
    assert_int_equal(DISTANCE(producer, producer), 1);                              /* writes only */
  }
  uint32_t mad = v_mad(TX_SFPMAD, 10, 2, 9, 1, 0);
  const uint32_t readers[] = {v_mad(TX_SFPMAD, 1, 2, 3, 4, 0),
                              v_mad(TX_SFPMAD, 2, 1, 3, 4, 0),
                              v_mad(TX_SFPMAD, 2, 3, 1, 4, 0),
                              v_imm16(TX_SFPADDI, 0x3f80, 1, 0),
                              v_imm16(TX_SFPMULI, 0x3f80, 1, 0),
                              (uint32_t)TX_SFPLUT << 24 | 4u << 20,
                              (uint32_t)TX_SFPLUTFP32 << 24 | 4u << 4,
                              v_store(1, 3, 0, 0),
                              v_imm12(TX_SFPXOR, 0, 2, 1, 0),
                              v_imm12(TX_SFPAND, 0, 2, 1, 0),
                              v_imm12(TX_SFPIADD, 0, 1, 4, 4),
                              v_imm12(TX_SFPSHFT, 0, 1, 4, 0),
                              v_imm12(TX_SFPSETEXP, 0, 2, 1, 0),
                              v_imm12(TX_SFPSETCC, 0, 1, 0, 0),
                              v_imm12(TX_SFPGT, 0, 2, 1, 1),
                              v_imm12(TX_SFPCAST, 0, 1, 4, 0),
                              v_imm12(TX_SFPARECIP, 0, 1, 4, 0),
                              v_round(0, 0, 2, 1, 4, 1),
                              v_imm12(TX_SFPTRANSP, 0, 0, 0, 0),
                              v_imm12(TX_SFPSHFT2, 0, 0, 0, 0),
                              v_load(1, 14, 0, 0),
                              v_loadi(1, 8, 0)};
  for (unsigned k = 0; k < sizeof readers / sizeof readers[0]; k++)
    if (DISTANCE(mad, readers[k]) != 2) fail_msg("%08x is not held", readers[k]);
}

/* Registers chosen per lane: the logic assumes that all are read (VA) or written (VD). */
static void test_indirect_stall(void **state) {
  (void)state;
  uint32_t plain = v_mad(TX_SFPMAD, 10, 2, 9, 1, 0), indirect_va = v_mad(TX_SFPMAD, 0, 2, 3, 4, 4);
  uint32_t indirect_vd = v_mad(TX_SFPMAD, 10, 2, 9, 1, 8);
  assert_int_equal(DISTANCE(plain, indirect_va), 2);
  assert_int_equal(DISTANCE(indirect_vd, v_imm12(TX_SFPMOV, 0, 6, 5, 0)), 2);
  assert_int_equal(DISTANCE(indirect_vd, v_imm12(TX_SFPMOV, 0, 10, 5, 0)), 1); /* a constant is never written */
}

/* A false dependency costs a cycle although nothing is read. */
static void test_false_dependencies(void **state) {
  (void)state;
  uint32_t mad = v_mad(TX_SFPMAD, 10, 2, 9, 1, 0);
  assert_int_equal(DISTANCE(mad, v_imm12(TX_SFPAND, 3, 2, 1, 1)), 2);   /* USE_VB: the logic assumes a read of VD */
  assert_int_equal(DISTANCE(mad, v_imm12(TX_SFPSHFT2, 3, 2, 1, 5)), 2); /* SHFT_LREG: the same */
  assert_int_equal(DISTANCE(mad, v_round(0, 0, 1, 2, 4, 1)), 2);        /* VB of SFP_STOCH_RND */
  assert_int_equal(DISTANCE(mad, (uint32_t)TX_SFPLUTFP32 << 24 | 4u << 4 | 10u), 2); /* mode 10 does not read LReg 4..6 */
}

/* After SFPSWAP and the lane moves of SFPSHFT2 only SFPNOP enters in the next cycle. */
static void test_only_nop_after_swap(void **state) {
  (void)state;
  const uint32_t movers[] = {v_imm12(TX_SFPSWAP, 0, 1, 2, 0), v_imm12(TX_SFPSWAP, 0, 1, 2, 1),
                             v_imm12(TX_SFPSHFT2, 0, 1, 2, 2), v_imm12(TX_SFPSHFT2, 0, 1, 2, 3),
                             v_imm12(TX_SFPSHFT2, 0, 1, 2, 4)};
  for (unsigned k = 0; k < sizeof movers / sizeof movers[0]; k++) {
    uint32_t other = v_imm12(TX_SFPMOV, 0, 5, 6, 0);
    assert_int_equal(DISTANCE(movers[k], other), 2);
    assert_int_equal(DISTANCE(movers[k], V_NOP), 1);
    assert_int_equal(DISTANCE(movers[k], V_NOP, other), 2);
    assert_int_equal(DISTANCE(movers[k], movers[k]), 2);
  }
  assert_int_equal(DISTANCE(v_imm12(TX_SFPSHFT2, 0, 1, 2, 5), v_imm12(TX_SFPMOV, 0, 2, 6, 0)), 1); /* one cycle */
}

/* A thread held by the stall does not keep another thread's instruction out for longer; the other's result counts too. */
static void test_stall_across_threads(void **state) {
  (void)state;
  struct rig *r = rig_new(true);
  rig_push(r, 0, v_mad(TX_SFPMAD, 10, 2, 9, 1, 0));
  rig_push(r, 1, v_imm12(TX_SFPMOV, 0, 1, 3, 0));
  set_lreg(r->t, 2, 0x40000000u, 0x1000);
  rig_run_well(r);
  assert_int_equal(rig_issued(r, 1, TX_SFPMOV, 0)->at - rig_issued(r, 0, TX_SFPMAD, 0)->at, 2);
  assert_memory_equal(r->t->vector.lreg[3], r->t->vector.lreg[2], sizeof(tx_row));
  rig_free(r);
}

/* STALLWAIT on the unit waits for the second cycle. */
static void test_drained(void **state) {
  (void)state;
  struct rig *r = rig_new(true);
  rig_push(r, 0, v_mad(TX_SFPMAD, 10, 2, 9, 1, 0));
  rig_push(r, 0, STALL(1u << 8, 1u << TX_C11_VECTOR));
  rig_push(r, 0, V_NOP);
  rig_run_well(r);
  assert_int_equal(r->issues[2].at - r->issues[0].at, 3); /* wait at +1, condition met at +2, next at +3 */
  rig_free(r);
}

/* --- the stalls that hardware omits --- */

struct hazard {
  const char *name;
  uint32_t producer_vd, consumer;
  unsigned result; /* LReg to read */
};

enum order { ADJACENT, APART, ALONE };

/* Runs producer and consumer; returns how often the hazard was reported, and the register of interest. */
static uint64_t run_hazard(const struct hazard *h, bool timing, enum order order, tx_row out) {
  struct rig *r = rig_new(timing);
  for (unsigned reg = 0; reg < 8; reg++) set_lreg(r->t, reg, 0x40000000u + reg * 0x01234567u, 0x00100031u + reg);
  for (unsigned l = 0; l < 32; l++) r->t->vector.lreg[3][l] = l % 9; /* shift amounts */
  if (order != ALONE) rig_push(r, 0, v_mad(TX_SFPMAD, 10, 6, 9, h->producer_vd, 0));
  if (order == APART) rig_push(r, 0, V_NOP);
  rig_push(r, 0, h->consumer);
  rig_run_well(r);
  memcpy(out, r->t->vector.lreg[h->result], sizeof(tx_row));
  uint64_t found = r->t->diag.counts[TX_DIAG_SFPU_RESULT_TOO_SOON];
  if (order == ADJACENT && timing) assert_int_equal(r->issues[1].at - r->issues[0].at, 1); /* not held */
  rig_free(r);
  return found;
}

static void test_undetected_hazards(void **state) {
  (void)state;
  const struct hazard hazards[] = {
      {"SFPAND USE_VB", 1, v_imm12(TX_SFPAND, 1, 2, 4, 1), 4},
      {"SFPOR USE_VB", 1, v_imm12(TX_SFPOR, 1, 2, 4, 1), 4},
      {"SFPIADD VD", 1, v_imm12(TX_SFPIADD, 0, 2, 1, 4), 1},
      {"SFPSHFT VD", 1, v_imm12(TX_SFPSHFT, 0, 3, 1, 0), 1},
      {"SFPCONFIG LReg0", 0, v_imm16(TX_SFPCONFIG, 0, 12, 0), 12},
      {"SFPSHFT2 SHFLROR1", 1, v_imm12(TX_SFPSHFT2, 0, 1, 4, 3), 4},
      {"SFPSHFT2 SHFLSHR1", 1, v_imm12(TX_SFPSHFT2, 0, 1, 4, 4), 4},
      {"SFPSHFT2 SHFLROR1_AND_COPY4", 5, v_imm12(TX_SFPSHFT2, 0, 5, 0, 2), 3},
      {"SFPSHFT2 SHFT_LREG", 1, v_imm12(TX_SFPSHFT2, 1, 3, 4, 5), 4},
      {"SFPSHFT2 SHFT_IMM", 1, v_imm12(TX_SFPSHFT2, 1, 0, 4, 6), 4},
  };
  for (unsigned k = 0; k < sizeof hazards / sizeof hazards[0]; k++) {
    tx_row soon, apart, alone, off;
    assert_int_equal(run_hazard(&hazards[k], true, ADJACENT, soon), 1);
    assert_int_equal(run_hazard(&hazards[k], true, APART, apart), 0);
    assert_int_equal(run_hazard(&hazards[k], true, ALONE, alone), 0);
    assert_int_equal(run_hazard(&hazards[k], false, ADJACENT, off), 0);
    if (memcmp(soon, alone, sizeof soon) != 0) fail_msg("%s: not the old value", hazards[k].name);
    if (memcmp(apart, alone, sizeof soon) == 0) fail_msg("%s: the test sees no difference", hazards[k].name);
    if (memcmp(apart, off, sizeof soon) != 0) fail_msg("%s: timing off differs", hazards[k].name);
  }
}

/* SFPSWAP compares the old values in its first cycle and exchanges the new ones in its second. */
static void test_swap_hazard(void **state) {
  (void)state;
  for (unsigned mode = 0; mode < 2; mode++) {
    struct rig *r = rig_new(true);
    set_lreg(r->t, 1, 5, 0);           /* old VD: 5 */
    set_lreg(r->t, 2, 100, 0);         /* VC */
    set_lreg(r->t, 6, 0x43000000u, 0); /* becomes VD: larger than VC as a bit pattern */
    rig_push(r, 0, v_mad(TX_SFPMAD, 10, 6, 9, 1, 0));
    rig_push(r, 0, v_imm12(TX_SFPSWAP, 0, 2, 1, mode));
    rig_run_well(r);
    assert_int_equal(r->issues[1].at - r->issues[0].at, 1);
    /* plain exchange: right. Min/max: 100 is not below the old 5, so nothing is exchanged, though VD is now the larger. */
    assert_int_equal(r->t->vector.lreg[1][0], mode ? 0x43000000u : 100u);
    assert_int_equal(r->t->vector.lreg[2][0], mode ? 100u : 0x43000000u);
    assert_int_equal(r->t->diag.counts[TX_DIAG_SFPU_RESULT_TOO_SOON], mode);
    rig_free(r);
  }
}

/* --- diagnostics --- */

struct finding {
  enum tx_diag_id id;
  uint32_t provoke[12], quiet[12]; /* up to the first 0 */
};

static uint64_t count_findings(const uint32_t *words, enum tx_diag_id id) {
  struct rig *r = rig_new(true);
  for (unsigned reg = 0; reg < 8; reg++) set_lreg(r->t, reg, 0x3f000000u, 0x8001);
  for (unsigned i = 0; i < 12 && words[i]; i++) rig_push(r, 0, words[i]);
  rig_run_well(r);
  uint64_t count = r->t->diag.counts[id];
  rig_free(r);
  return count;
}

#define PUSHC v_imm12(TX_SFPPUSHC, 0, 0, 0, 0)
#define POPC v_imm12(TX_SFPPOPC, 0, 0, 0, 0)
#define ENABLE_CC v_imm12(TX_SFPENCC, 3, 0, 0, 10)

static void test_diagnostics(void **state) {
  (void)state;
  uint32_t lane_config_backdoor = v_imm16(TX_SFPCONFIG, 2, 15, 1), lane_config_index = v_imm16(TX_SFPCONFIG, 4, 15, 1);
  const struct finding findings[] = {
      {TX_DIAG_CC_STACK_OVERFLOW,
       {PUSHC, PUSHC, PUSHC, PUSHC, PUSHC, PUSHC, PUSHC, PUSHC, PUSHC},
       {PUSHC, PUSHC, PUSHC, PUSHC, PUSHC, PUSHC, PUSHC, PUSHC, POPC, PUSHC}},
      {TX_DIAG_CC_STACK_UNDERFLOW, {PUSHC, POPC, POPC}, {PUSHC, PUSHC, POPC, POPC, v_imm12(TX_SFPPOPC, 0, 0, 0, 14)}},
      {TX_DIAG_CC_STACK_UNDERFLOW, {v_imm12(TX_SFPPUSHC, 0, 0, 0, 3)}, {PUSHC, v_imm12(TX_SFPPUSHC, 0, 0, 0, 3)}},
      {TX_DIAG_SFPU_BACKDOOR_LOAD,
       {v_store(12, 3, 0, 0)},
       {v_store(11, 3, 0, 0), lane_config_backdoor, V_NOP, v_store(12, 3, 0, 0)}},
      {TX_DIAG_SFPU_BACKDOOR_LOAD, {v_loadi(13, 0, 0)}, {v_loadi(7, 0, 0)}},
      {TX_DIAG_SFPU_TEMPLATE, {v_mad(TX_SFPMAD, 1, 2, 3, 13, 0)}, {v_mad(TX_SFPMAD, 1, 2, 3, 7, 0)}},
      {TX_DIAG_SFPU_BACKDOOR_CHANGE,
       {lane_config_backdoor, v_store(12, 3, 0, 0)},
       {lane_config_backdoor, V_NOP, v_store(12, 3, 0, 0), lane_config_backdoor, v_store(12, 3, 0, 0)}},
      {TX_DIAG_SFPU_SWAP_INDEX,
       {lane_config_index, v_imm12(TX_SFPMOV, 0, 1, 5, 0)},
       {v_imm12(TX_SFPMOV, 0, 1, 5, 0), lane_config_index, v_imm12(TX_SFPMOV, 0, 1, 3, 0), v_imm12(TX_SFPSWAP, 0, 1, 2, 1),
        v_loadi(5, 0, 1), v_imm12(TX_SFPSETCC, 0, 1, 0, 1)}},
      {TX_DIAG_SFPU_CC_DISABLED, {v_imm12(TX_SFPSETCC, 0, 1, 0, 0)}, {ENABLE_CC, v_imm12(TX_SFPSETCC, 0, 1, 0, 0)}},
      {TX_DIAG_SFPU_DEPRECATED_MODE, {v_load(1, 12, 0, 0)}, {v_load(1, 4, 0, 0), v_store(1, 3, 0, 0)}},
      {TX_DIAG_SFPU_DEPRECATED_MODE, {v_store(1, 13, 0, 0)}, {v_store(1, 5, 0, 0)}},
      {TX_DIAG_SFPU_DOMAIN, {v_mad(TX_SFPMUL24, 1, 2, 3, 4, 0)}, {v_mad(TX_SFPMUL24, 1, 2, 9, 4, 0)}},
      {TX_DIAG_SFPU_DOMAIN,
       {v_loadi(1, 0, 0x4000), v_imm12(TX_SFPARECIP, 0, 1, 2, 2)},
       {v_loadi(1, 0, 0x3fff), v_imm12(TX_SFPARECIP, 0, 1, 2, 2), v_loadi(1, 0, 0x4000), v_imm12(TX_SFPARECIP, 0, 1, 2, 0)}},
      {TX_DIAG_SFPU_RESULT_TOO_SOON,
       {v_mad(TX_SFPMAD, 10, 2, 9, 1, 0), v_imm12(TX_SFPIADD, 0, 3, 1, 4)},
       {v_mad(TX_SFPMAD, 10, 2, 9, 1, 0), V_NOP, v_imm12(TX_SFPIADD, 0, 3, 1, 4), v_mad(TX_SFPMAD, 10, 2, 9, 1, 0),
        v_imm12(TX_SFPIADD, 0, 1, 3, 4)}},
  };
  for (unsigned k = 0; k < sizeof findings / sizeof findings[0]; k++) {
    const char *name = tx_diag_infos[findings[k].id].name;
    if (count_findings(findings[k].provoke, findings[k].id) == 0) fail_msg("%u %s is not found", k, name);
    if (count_findings(findings[k].quiet, findings[k].id) != 0) fail_msg("%u %s is found in a correct program", k, name);
  }
}

/* The bias of stochastic rounding: discarded bits equal to the random ones go up. Rounding to zero does not always. */
static void test_stochastic_bias(void **state) {
  (void)state;
  for (unsigned equal = 0; equal < 2; equal++) {
    struct rig *r = rig_new(true);
    for (unsigned l = 0; l < 32; l++) {
      r->t->vector.prng[l] = 0x1234u << 7;
      r->t->vector.lreg[1][l] = 0x3f800000u | (equal ? 0x1234u : 0x1233u);
    }
    rig_push(r, 0, v_round(1, 0, 1, 1, 2, 1));
    rig_run_well(r);
    assert_int_equal(r->t->vector.lreg[2][0], equal ? 0x3f810000u : 0x3f800000u);
    assert_int_equal(r->t->diag.counts[TX_DIAG_SFPU_STOCHASTIC_BIAS], equal);
    rig_free(r);
  }
  struct rig *r = rig_new(true); /* SFPSTOCHRND_FloatInt.md: 1.999999880791 "rounds to zero" as 2 */
  set_lreg(r->t, 1, 0x3fffffffu, 0);
  set_lreg(r->t, 2, 0x3ffffffeu, 0);
  rig_push(r, 0, v_round(2, 0, 2, 2, 4, 2));
  rig_push(r, 0, v_round(2, 0, 1, 1, 3, 2));
  rig_run_well(r);
  assert_int_equal(r->t->vector.lreg[4][0], 1);
  assert_int_equal(r->t->vector.lreg[3][0], 2);
  assert_int_equal(r->t->diag.counts[TX_DIAG_SFPU_STOCHASTIC_BIAS], 1);
  rig_free(r);
}

/* Dst: rows cleared by ZEROACC read as 0 and are reported, as an error when their tile has no defined row; so is a load too soon after the
 * matrix unit's write. */
static void test_dst_findings(void **state) {
  (void)state;
  struct rig *r = rig_new(true);
  memset(r->t->dst.bits, 0xff, sizeof r->t->dst.bits);
  for (unsigned row = 8; row < 12; row++) r->t->dst.valid[row] = TX_DST_UNDEFINED;
  for (unsigned row = 64; row < 128; row++) r->t->dst.valid[row] = TX_DST_UNDEFINED;
  r->t->dst.fpu_until[2] = 1000;
  rig_push(r, 0, v_load(1, 2, 0, 0));
  rig_push(r, 0, v_load(2, 2, 0, 8));
  rig_push(r, 0, v_load(3, 2, 0, 16));
  rig_push(r, 0, v_load(4, 2, 0, 100));
  rig_run_well(r);
  assert_int_equal(r->t->vector.lreg[1][0], 0xffff0000u);
  assert_int_equal(r->t->vector.lreg[2][0], 0);
  assert_int_equal(r->t->diag.counts[TX_DIAG_DST_PARTIAL_READ], 4);
  assert_int_equal(r->t->diag.counts[TX_DIAG_DST_UNDEFINED_READ], 4);
  assert_int_equal(r->t->diag.counts[TX_DIAG_DST_READ_TOO_SOON], 4);
  rig_free(r);
}

/* One SFPSTORE defines the even columns of four rows, a second one the odd columns; a load in between may read the first half only. */
static void test_dst_halves(void **state) {
  (void)state;
  struct rig *r = rig_new(false);
  memset(r->t->dst.valid, TX_DST_UNDEFINED, sizeof r->t->dst.valid);
  rig_push(r, 0, v_store(3, 2, 0, 8));
  rig_push(r, 0, v_load(1, 2, 0, 8));
  rig_push(r, 0, v_load(1, 2, 0, 10)); /* undefined */
  rig_push(r, 0, v_store(3, 2, 0, 8));
  rig_push(r, 0, v_load(1, 2, 0, 10)); /* still */
  rig_push(r, 0, v_store(3, 2, 0, 10));
  rig_push(r, 0, v_load(1, 2, 0, 10));
  rig_push(r, 0, v_store(3, 2, 0, 18));
  rig_run_well(r);
  assert_int_equal(r->t->dst.valid[8], TX_DST_VALID);
  assert_int_equal(r->t->dst.valid[16], TX_DST_ODD);
  assert_int_equal(r->t->diag.counts[TX_DIAG_DST_UNDEFINED_READ], 8);
  assert_int_equal(r->t->diag.counts[TX_DIAG_DST_PARTIAL_WRITE], 0);
  rig_free(r);
}

/* --- SFPU against FPU --- */

/* 0.064 against 4.096 TFLOP/s at 1 GHz. Counted here: cycles of 1024 SFPMAD and of 1024 MVMUL on fresh blocks. */
static void test_sfpu_against_fpu(void **state) {
  (void)state;
  double tflops[2];
  for (unsigned fpu = 0; fpu < 2; fpu++) {
    struct rig *r = rig_new(true);
    r->t->config.thread_words[0][TX_CFG_ADDR_MOD_DST_SEC0_DestIncr_ADDR] = 8;
    for (unsigned which = 0; which < 2; which++) {
      r->t->src.bank[which][0].owner = TX_CLIENT_MATRIX;
      r->t->src.bank[which][0].filled = 1;
      r->t->src.bank[which][0].format = 5;
    }
    /* a MOP of 8 x 127 x 1 keeps the core out of the measurement: one instruction per cycle */
    uint32_t word = fpu ? (uint32_t)TX_MVMUL << 24 : v_mad(TX_SFPMAD, 1, 2, 3, 4, 0);
    const uint32_t mop[9] = {8, 127, 0x02000000u, 0x02000000u, 0x02000000u, word, 0x02000000u, word, word};
    for (unsigned i = 0; i < 9; i++) rig_store(r, 0, 0xffb80000u + 4 * i, mop[i]);
    rig_push(r, 0, 0x01800000u);
    rig_run_well(r);
    assert_int_equal(r->issue_count, 1016);
    double cycles = (double)(r->issues[1015].at - r->issues[0].at) / 1015;
    tflops[fpu] = (fpu ? 8 * 16 * 16 * 2 : 32 * 2) / cycles * 1e9 / 1e12;
    rig_free(r);
  }
  print_message("note: SFPMAD %.4f, MVMUL %.4f TFLOP/s at 1 GHz\n", tflops[0], tflops[1]);
  assert_true(tflops[0] > 0.0639 && tflops[0] < 0.0641);
  assert_true(tflops[1] > 4.09 && tflops[1] < 4.10);
}

/* No interlock delays the matrix unit after SFPSTORE; no finding with a gap, nor on other rows. */
static void test_matrix_read_after_store(void **state) {
  (void)state;
  for (unsigned gap = 0; gap < 5; gap++)
    for (unsigned other = 0; other < 2; other++) {
      struct rig *r = rig_new(true);
      rig_push(r, 1, OP(SFPSTORE, 3u << 16));
      rig_push_times(r, 1, OP(NOP, 0), gap);
      rig_push(r, 1, OP(MOVD2B, other ? 64 : 0));
      rig_run_well(r);
      assert_int_equal(r->t->diag.counts[TX_DIAG_DST_READ_TOO_SOON], gap < 2 && !other);
      rig_free(r);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_matrix_read_after_store),
      cmocka_unit_test(test_issue_costs),
      cmocka_unit_test(test_result_stall),
      cmocka_unit_test(test_indirect_stall),
      cmocka_unit_test(test_false_dependencies),
      cmocka_unit_test(test_only_nop_after_swap),
      cmocka_unit_test(test_stall_across_threads),
      cmocka_unit_test(test_drained),
      cmocka_unit_test(test_undetected_hazards),
      cmocka_unit_test(test_swap_hazard),
      cmocka_unit_test(test_diagnostics),
      cmocka_unit_test(test_stochastic_bias),
      cmocka_unit_test(test_dst_findings),
      cmocka_unit_test(test_dst_halves),
      cmocka_unit_test(test_sfpu_against_fpu),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
