/* SFPLOADMACRO. There are no golden values, because the vendor's model refuses the instruction. Every test names its page.
 *   [LM]  BlackholeA0 SFPLOADMACRO.md     [C]  SFPCONFIG.md     [S]  SFPSWAP.md     [M]  SFPMAD.md
 * Schedules that the vendor's own kernels use on silicon are there as well, with their result compared with arithmetic. */
#include <math.h>

#include "float_bits.h"
#include "rig.h"
#include "vector/words.h"

enum { SIMPLE, MAD, ROUND, STORE };

static uint32_t swap_fields(uint32_t x) { /* FP32 to Dst's order */
  return (x & 0x8000ffffu) | (x >> 23 & 0xffu) << 16 | (x >> 16 & 0x7fu) << 24;
}

static void dst_put(struct tx_tile *t, unsigned row, unsigned column, uint32_t value) {
  unsigned high = tx_dst_adj32(t, row);
  uint32_t stored = swap_fields(value);
  t->dst.bits[high][column] = (uint16_t)(stored >> 16);
  t->dst.bits[high + 8][column] = (uint16_t)stored;
}

static uint32_t dst_get(const struct tx_tile *t, unsigned row, unsigned column) {
  unsigned high = tx_dst_adj32(t, row);
  uint32_t x = (uint32_t)t->dst.bits[high][column] << 16 | t->dst.bits[high + 8][column];
  return (x & 0x8000ffffu) | (x >> 16 & 0xffu) << 23 | (x >> 24 & 0x7fu) << 16;
}

/* The value that new_rig writes to a place of Dst. */
static float datum_at(unsigned row, unsigned column) { return (float)(row * 16 + column + 1); }

/* 32-bit Dst whose datums encode their place; address mode 1 steps by 2. */
static struct rig *new_rig(bool timing) {
  struct rig *r = rig_new(timing);
  for (unsigned bank = 0; bank < 2; bank++) r->t->config.words[bank][1] = 1u << 30;
  for (unsigned row = 0; row < 256; row++)
    for (unsigned c = 0; c < 16; c++) dst_put(r->t, row, c, as_bits(datum_at(row, c)));
  r->t->config.thread_words[0][TX_CFG_ADDR_MOD_DST_SEC0_DestIncr_ADDR + 1] = 2;
  return r;
}

static uint32_t byte_of(unsigned flags, unsigned delay, unsigned select) { return flags | delay << 3 | select; }

static void set_macro(struct rig *r, unsigned macro, uint32_t sequence) {
  for (unsigned c = 0; c < 8; c++) r->t->vector.macro.sequence[macro][c] = sequence;
}

static void set_template(struct rig *r, unsigned i, uint32_t word) {
  for (unsigned c = 0; c < 8; c++) r->t->vector.macro.instruction[i][c] = word;
}

static void set_misc(struct rig *r, uint32_t misc) {
  for (unsigned c = 0; c < 8; c++) r->t->vector.macro.misc[c] = misc;
}

/* Misc: store with the load's Mod0; all sub-units count cycles, or instructions. */
#define BY_CYCLES 0x0f0u
#define BY_INSTRUCTIONS 0xff0u

static sim_time macro_cycle(const struct rig *r, unsigned n) { return rig_issued(r, 0, TX_SFPLOADMACRO, n)->at; }

/* Runs cycle by cycle; returns the number of cycles after the SFPLOADMACRO's own until `changed` is true. */
static unsigned cycles_until(struct rig *r, bool (*changed)(const struct tx_tile *t)) {
  sim_time issued = 0;
  rig_attach(r);
  for (sim_time at = 0; at < 200; at++) {
    tx_tile_run(r->t, at);
    for (size_t i = 0; i < r->issue_count && !issued; i++)
      if (r->issues[i].word >> 24 == TX_SFPLOADMACRO) issued = r->issues[i].at;
    if (issued && at > issued && changed(r->t)) return (unsigned)(at - issued);
  }
  fail_msg("nothing happened");
  return 0;
}

static bool register_changed(const struct tx_tile *t) { return t->vector.lreg[2][0] != as_bits(1.0f); }
static bool dst_changed(const struct tx_tile *t) { return dst_get(t, 0, 0) != as_bits(1.0f); }

/* --- when --- */

/* [LM] "A delay of 0 will execute on the cycle immediately after"; otherwise one cycle later per count. All sub-units, all
 * delays, timing on and off. */
static void test_delays_in_cycles(void **state) {
  (void)state;
  const uint32_t templates[4] = {v_imm12(TX_SFPNOT, 0, 0, 0, 0), v_mad(TX_SFPMAD, 10, 0, 10, 0, 0),
                                 v_imm12(TX_SFPSHFT2, 3, 0, 0, 6), v_store(5, 3, 0, 0)};
  static const uint32_t flags[4] = {0, 0x80, 0x80, 0x80}; /* VB is the loaded value; the store keeps its LReg 5 */
  for (unsigned timing = 0; timing < 2; timing++)
    for (unsigned sub = 0; sub < 4; sub++)
      for (unsigned delay = 0; delay < 8; delay++) {
        struct rig *r = new_rig(timing);
        for (unsigned i = 0; i < 4; i++) set_template(r, i, templates[i]);
        set_misc(r, BY_CYCLES);
        set_macro(r, 0, byte_of(flags[sub], delay, 4 + sub) << sub * 8);
        rig_push(r, 0, v_loadmacro(0, 2, 3, 0, 0));
        rig_push_times(r, 0, 0x02000000u, 10); /* NOPs of no unit: cycles pass */
        assert_int_equal(cycles_until(r, sub == STORE ? dst_changed : register_changed), 1 + delay);
        rig_free(r);
      }
}

/* [LM] WaitForElapsedInstructions: counters step only when the unit is given an instruction, and then all of them, those
 * that count cycles included. */
static void test_delays_in_instructions(void **state) {
  (void)state;
  struct rig *r = new_rig(true);
  set_template(r, 0, v_imm12(TX_SFPNOT, 0, 0, 0, 0));
  set_misc(r, 0x0f0u | 1u << (8 + SIMPLE)); /* simple by instructions; store by cycles, but it has to wait as well */
  set_macro(r, 0, byte_of(0, 2, 4) | byte_of(0, 3, 3) << 24);
  rig_push(r, 0, v_loadmacro(0, 2, 3, 0, 0));
  rig_push_times(r, 0, 0x02000000u, 20);
  rig_push(r, 0, V_NOP);
  rig_push_times(r, 0, 0x02000000u, 20);
  rig_push(r, 0, V_NOP); /* second: count reaches 0, executes in the next cycle */
  rig_push_times(r, 0, 0x02000000u, 20);
  rig_attach(r);
  sim_time second = 0, changed = 0, stored = 0;
  for (sim_time at = 0; at < 100; at++) {
    tx_tile_run(r->t, at);
    if (!changed && r->t->vector.lreg[2][0] == ~as_bits(1.0f)) changed = at;
    if (!stored && dst_get(r->t, 0, 0) == ~as_bits(1.0f)) stored = at;
  }
  second = rig_issued(r, 0, TX_SFPNOP, 1)->at;
  assert_int_equal(changed, second + 1);
  /* with the simple one gone only cycles count: the store's last count falls in that same cycle */
  assert_int_equal(stored, second + 2);
  rig_free(r);
}

/* [LM] with timing off nothing but the machine's own cycles counts: the same bits. */
static void test_same_bits_without_timing(void **state) {
  (void)state;
  for (unsigned kind = 0; kind < 2; kind++) {
    uint32_t result[2][32];
    for (unsigned timing = 0; timing < 2; timing++) {
      struct rig *r = new_rig(timing);
      set_template(r, 0, v_mad(TX_SFPMAD, 10, 0, 10, 0, 0)); /* x + 1 */
      set_template(r, 1, v_imm12(TX_SFPARECIP, 0, 0, 0, 0));
      set_misc(r, kind ? BY_INSTRUCTIONS : BY_CYCLES);
      set_macro(r, 0, byte_of(0x40, 2, 5) | byte_of(0x80, 0, 4) << 8 | byte_of(0x40, 3, 3) << 24);
      for (unsigned i = 0; i < 8; i++) rig_push(r, 0, v_loadmacro(0, i % 4, 3, 1, 0));
      rig_push_times(r, 0, V_NOP, 6);
      rig_run_well(r);
      for (unsigned i = 0; i < 32; i++) {
        result[timing][i] = dst_get(r->t, i / 2, i % 2);
        assert_int_equal(result[timing][i], tx_approximate_reciprocal(as_bits(datum_at(i / 2, i % 2) + 1)));
      }
      assert_int_equal(r->t->diag.counts[TX_DIAG_SFPU_RESULT_TOO_SOON], 0);
      rig_free(r);
    }
    assert_memory_equal(result[0], result[1], sizeof result[0]);
  }
}

/* --- what --- */

/* [LM] bit 7 set: VB = VD of the macro, VC as encoded; clear: VC = VD of the macro, VB as encoded. Bit 6: result in LReg
 * 16. */
static void test_operand_override(void **state) {
  (void)state;
  for (unsigned flags = 0; flags < 4; flags++) {
    struct rig *r = new_rig(true);
    uint32_t bits = (flags & 1u ? 0x80u : 0) | (flags & 2u ? 0x40u : 0);
    for (unsigned reg = 0; reg < 8; reg++)
      for (unsigned l = 0; l < 32; l++) r->t->vector.lreg[reg][l] = as_bits((float)(10 * (reg + 1)));
    set_template(r, 0, v_mad(TX_SFPMAD, 10, 4, 5, 13, 0)); /* 1 * VB + VC */
    set_misc(r, BY_CYCLES);
    set_macro(r, 1, byte_of(bits, 0, 4) << 8);
    rig_push(r, 0, v_loadmacro(1, 6, 3, 0, 0)); /* VD = 6: the encoding puts its top bit with the address */
    rig_push_times(r, 0, V_NOP, 4);
    rig_run_well(r);
    float loaded = 1, expected = flags & 1u ? loaded + 60 : 50 + loaded;
    unsigned result = flags & 2u ? 16 : 6;
    assert_true(as_float(r->t->vector.lreg[result][0]) == expected);
    if (result == 16) assert_int_equal(r->t->vector.lreg[6][0], as_bits(loaded));
    rig_free(r);
  }
}

/* [LM] instructions without VB take their encoded VD for it when VC is replaced, those without VC the other way round. */
static void test_missing_operands(void **state) {
  (void)state;
  struct rig *r = new_rig(true);
  for (unsigned l = 0; l < 32; l++) r->t->vector.lreg[5][l] = 1000;
  set_template(r, 0, v_imm12(TX_SFPIADD, 0, 7, 5, 4 | 2)); /* VC - VB */
  set_template(r, 1, v_imm16(TX_SFPADDI, 0x4000, 5, 0));   /* 2.0 + VC */
  for (unsigned l = 0; l < 32; l++) r->t->vector.lreg[7][l] = 7;
  set_misc(r, BY_CYCLES);
  set_macro(r, 0, byte_of(0, 0, 4));         /* loaded - LReg5 */
  set_macro(r, 1, byte_of(0x80, 0, 4));      /* LReg7 - loaded */
  set_macro(r, 2, byte_of(0, 0, 5) << 8);    /* 2.0 + loaded */
  set_macro(r, 3, byte_of(0x80, 0, 5) << 8); /* VC = encoded VD: 2.0 + LReg5 */
  for (unsigned macro = 0; macro < 4; macro++) {
    rig_push(r, 0, v_loadmacro(macro, macro, 3, 0, 0));
    rig_push_times(r, 0, V_NOP, 3);
  }
  rig_run_well(r);
  assert_int_equal(r->t->vector.lreg[0][0], as_bits(1.0f) - 1000);
  assert_int_equal(r->t->vector.lreg[1][0], 7 - as_bits(1.0f));
  assert_true(as_float(r->t->vector.lreg[2][0]) == 3.0f);
  assert_true(as_float(r->t->vector.lreg[3][0]) == 2.0f); /* 1000 is a denormal */
  rig_free(r);
}

/* [LM] SFPSHFT2 in SHFT_IMM mode: VB comes from the immediate unless the macro replaces it. */
static void test_shift2_immediate(void **state) {
  (void)state;
  for (unsigned replace = 0; replace < 2; replace++) {
    struct rig *r = new_rig(true);
    for (unsigned l = 0; l < 32; l++) r->t->vector.lreg[4][l] = 3;
    set_template(r, 0, v_imm12(TX_SFPSHFT2, 4, 0, 0, 6)); /* shift left by 4; VB = 4 & 15 */
    set_misc(r, BY_CYCLES);
    set_macro(r, 0, byte_of(replace ? 0x80 : 0, 0, 4) << 16);
    rig_push(r, 0, v_loadmacro(0, 1, 3, 0, 0));
    rig_push_times(r, 0, V_NOP, 3);
    rig_run_well(r);
    assert_int_equal(r->t->vector.lreg[1][0], replace ? as_bits(1.0f) << 4 : 3u << 4);
    rig_free(r);
  }
}

/* [LM] the store: VD of the macro, LReg 16, or as it is (0 for selection 3, the template's own otherwise); the address
 * is the load's, whatever the counters do meanwhile, and its own address mode is not applied; Mod0 from Misc or from the
 * load. */
static void test_store(void **state) {
  (void)state;
  struct rig *r = new_rig(true);
  for (unsigned l = 0; l < 32; l++) {
    r->t->vector.lreg[0][l] = as_bits(100.0f);
    r->t->vector.lreg[6][l] = as_bits(600.0f);
    r->t->vector.lreg[16][l] = as_bits(1600.0f);
  }
  set_template(r, 3, v_store(12, 0, 1, 0x155)); /* LReg 12: 1/512; neither address nor address mode count */
  set_misc(r, 0x0e0u | 4u);                     /* macro 0: StoreMod0 = INT32; others: the load's */
  set_macro(r, 0, byte_of(0x80, 2, 3) << 24);
  set_macro(r, 1, byte_of(0x40, 2, 3) << 24);
  set_macro(r, 2, byte_of(0x00, 2, 3) << 24);
  set_macro(r, 3, byte_of(0x80, 2, 7) << 24);
  for (unsigned macro = 0; macro < 4; macro++)
    rig_push(r, 0, v_loadmacro(macro, 2 + macro, 3, 1, 0)); /* rows 0, 0 odd, 4, 4 odd */
  rig_push_times(r, 0, V_NOP, 6);
  rig_run_well(r);
  assert_int_equal(dst_get(r->t, 0, 0), as_bits(100.0f));
  assert_int_equal(dst_get(r->t, 0, 1), as_bits(1600.0f));
  assert_int_equal(dst_get(r->t, 4, 0), as_bits(65.0f)); /* LReg 4: what the load brought */
  assert_int_equal(dst_get(r->t, 4, 1), as_bits(1 / 512.0f));
  assert_int_equal(r->t->rwc[0].dst, 8);
  rig_free(r);
}

/* [LM] Misc.StoreMod0 against the load's Mod0: a denormal is flushed by FP32, kept by INT32. */
static void test_store_mode(void **state) {
  (void)state;
  for (unsigned from_load = 0; from_load < 2; from_load++) {
    struct rig *r = new_rig(true);
    dst_put(r->t, 0, 0, 77);
    set_misc(r, (from_load ? 0x0f0u : 0) | 4u);
    set_macro(r, 0, byte_of(0, 0, 3) << 24);
    rig_push(r, 0, v_loadmacro(0, 2, 3, 0, 0));
    rig_push_times(r, 0, V_NOP, 3);
    rig_run_well(r);
    assert_int_equal(dst_get(r->t, 0, 0), from_load ? 0 : 77);
    rig_free(r);
  }
}

/* [LM] a template that the sub-unit cannot execute counts as SFPNOP; for the store that, and selection 1, are undefined. */
static void test_wrong_templates(void **state) {
  (void)state;
  struct rig *r = new_rig(true);
  set_template(r, 0, v_imm12(TX_SFPNOT, 0, 0, 0, 0));
  set_macro(r, 0,
            byte_of(0, 0, 4) << 8 | byte_of(0, 0, 4) << 16 | byte_of(0, 0, 3)); /* SFPNOT for MAD, round; store for simple */
  rig_push(r, 0, v_loadmacro(0, 2, 3, 0, 0));
  rig_push_times(r, 0, V_NOP, 3);
  rig_run_well(r);
  assert_int_equal(r->t->vector.lreg[2][0], as_bits(1.0f));
  rig_free(r);
  for (unsigned k = 0; k < 3; k++) {
    r = new_rig(true);
    set_template(r, 0, v_imm12(TX_SFPNOT, 0, 0, 0, 0));
    set_macro(r, 0, k == 0 ? byte_of(0, 0, 1) : k == 1 ? byte_of(0, 0, 4) << 24 : byte_of(0, 0, 2) << 24);
    rig_push(r, 0, v_loadmacro(0, 2, 3, 0, 0));
    assert_int_equal(rig_run(r), SIM_END_STOPPED);
    assert_int_equal(r->t->fault.kind, SIM_FAULT_UNDEFINED);
    rig_free(r);
  }
}

/* [LM] [C] a scheduled SFPCONFIG writes what the macro's VD names: 5 is Sequence[1]; 16 is nothing. */
static void test_config_by_macro(void **state) {
  (void)state;
  for (unsigned staging = 0; staging < 2; staging++) {
    struct rig *r = new_rig(true);
    set_template(r, 0, v_imm16(TX_SFPCONFIG, 0x123, 12, 1));
    set_misc(r, BY_CYCLES);
    set_macro(r, 0, byte_of(staging ? 0x40 : 0, 0, 4));
    rig_push(r, 0, v_loadmacro(0, 5, 3, 0, 0));
    rig_push_times(r, 0, V_NOP, 3);
    rig_run_well(r);
    assert_int_equal(r->t->vector.macro.sequence[1][7], staging ? 0 : 0x123);
    assert_int_equal(r->t->vector.lreg[12][0], 0x3b000000u);
    rig_free(r);
  }
}

/* [LM] LoadMacroConfig may differ between columns; each column's lanes follow their own. */
static void test_columns_differ(void **state) {
  (void)state;
  struct rig *r = new_rig(true);
  set_template(r, 0, v_imm12(TX_SFPNOT, 0, 0, 0, 0));
  set_template(r, 1, v_imm12(TX_SFPEXEXP, 0, 0, 0, 1));
  set_misc(r, BY_CYCLES);
  set_macro(r, 0, byte_of(0, 1, 4));
  for (unsigned c = 4; c < 8; c++) r->t->vector.macro.sequence[0][c] = byte_of(0, 0, 5);
  r->t->vector.macro.sequence[0][7] = 0;
  r->t->vector.macro.instruction[0][1] = v_imm12(TX_SFPABS, 0, 0, 0, 0);
  rig_push(r, 0, v_loadmacro(0, 2, 3, 0, 0));
  rig_push_times(r, 0, V_NOP, 4);
  rig_run_well(r);
  for (unsigned l = 0; l < 32; l++) {
    uint32_t loaded = as_bits(datum_at(l / 8, l % 8 * 2)), got = r->t->vector.lreg[2][l];
    unsigned column = l % 8;
    if (column == 7 || column == 1) assert_int_equal(got, loaded);
    else if (column >= 4) assert_int_equal(got, loaded >> 23);
    else assert_int_equal(got, ~loaded);
  }
  rig_free(r);
}

/* --- together --- */

/* [LM] five instructions in one cycle, each reading what was there before it: load, simple, MAD, round and store. */
static void test_five_at_once(void **state) {
  (void)state;
  struct rig *r = new_rig(true);
  set_template(r, 0, v_imm12(TX_SFPNOT, 0, 0, 0, 0));    /* simple: LReg16 = ~x */
  set_template(r, 1, v_mad(TX_SFPMAD, 10, 0, 10, 0, 0)); /* MAD: y = x + 1 */
  set_template(r, 2, v_imm12(TX_SFPSHFT2, 1, 0, 0, 6));  /* round: shift left by one */
  set_misc(r, BY_CYCLES);
  /* macro 0 on LReg 1: all four in the cycle of the second load */
  set_macro(r, 0, byte_of(0x40, 0, 4) | byte_of(0x80, 0, 5) << 8 | byte_of(0x80, 0, 6) << 16 | byte_of(0, 0, 3) << 24);
  rig_push(r, 0, v_loadmacro(0, 1, 3, 0, 0));
  rig_push(r, 0, v_load(1, 3, 0, 16));
  rig_push_times(r, 0, V_NOP, 3);
  rig_run_well(r);
  assert_int_equal(rig_issued(r, 0, TX_SFPLOAD, 0)->at, macro_cycle(r, 0) + 1);
  assert_int_equal(r->t->vector.lreg[16][0], ~as_bits(1.0f)); /* not of 2.0, not of the new load */
  assert_int_equal(dst_get(r->t, 0, 0), as_bits(1.0f));       /* stored what it loaded */
  assert_true(as_float(r->t->vector.lreg[1][0]) == 2.0f);     /* the result of two cycles comes last: [M] */
  assert_int_equal(r->t->diag.counts[TX_DIAG_SFPU_MACRO_COLLISION], 0);
  rig_free(r);
}

/* [LM] (+) simple and round in one cycle need exactly one result in LReg 16. */
static void test_write_port(void **state) {
  (void)state;
  for (unsigned staging = 0; staging < 2; staging++) {
    struct rig *r = new_rig(true);
    set_template(r, 0, v_imm12(TX_SFPNOT, 0, 0, 0, 0));
    set_template(r, 1, v_imm12(TX_SFPSHFT2, 1, 0, 0, 6));
    set_macro(r, 0, byte_of(staging ? 0x40 : 0, 0, 4) | byte_of(0x80, 0, 5) << 16);
    rig_push(r, 0, v_loadmacro(0, 1, 3, 0, 0));
    rig_push_times(r, 0, V_NOP, 3);
    rig_run_well(r);
    assert_int_equal(r->t->diag.counts[TX_DIAG_SFPU_MACRO_COLLISION], !staging);
    rig_free(r);
  }
}

/* [LM] a scheduled instruction takes the sub-unit; an instruction that software issues to it in that cycle is silently
 * lost. The loss is reported. */
static void test_collision(void **state) {
  (void)state;
  for (unsigned late = 0; late < 2; late++) {
    struct rig *r = new_rig(true);
    set_template(r, 0, v_imm12(TX_SFPNOT, 0, 0, 0, 0));
    set_misc(r, BY_CYCLES);
    set_macro(r, 0, byte_of(0, 0, 4));
    rig_push(r, 0, v_loadmacro(0, 1, 3, 0, 0));
    if (late) rig_push(r, 0, V_NOP);
    rig_push(r, 0, v_imm12(TX_SFPMOV, 0, 10, 5, 0)); /* simple as well */
    rig_run_well(r);
    assert_int_equal(r->t->vector.lreg[5][0], late ? as_bits(1.0f) : 0);
    assert_int_equal(r->t->vector.lreg[1][0], ~as_bits(1.0f));
    assert_int_equal(r->t->diag.counts[TX_DIAG_SFPU_MACRO_COLLISION], !late);
    rig_free(r);
  }
  struct rig *r = new_rig(true); /* another sub-unit: no collision */
  set_template(r, 0, v_imm12(TX_SFPNOT, 0, 0, 0, 0));
  set_macro(r, 0, byte_of(0, 0, 4));
  rig_push(r, 0, v_loadmacro(0, 1, 3, 0, 0));
  rig_push(r, 0, v_mad(TX_SFPADD, 10, 10, 10, 5, 0));
  rig_run_well(r);
  assert_true(as_float(r->t->vector.lreg[5][0]) == 2.0f);
  assert_int_equal(r->t->diag.counts[TX_DIAG_SFPU_MACRO_COLLISION], 0);
  rig_free(r);
}

/* [LM] a new instruction for the same moment replaces the older one. Against the page, a byte that selects nothing replaces nothing: vendor
 * kernels interleave such macros (see test_saturating_cast). */
static void test_forgetting(void **state) {
  (void)state;
  for (unsigned k = 0; k < 2; k++) {
    struct rig *r = new_rig(true);
    set_template(r, 0, v_imm12(TX_SFPNOT, 0, 0, 0, 0));
    set_template(r, 1, v_imm12(TX_SFPEXEXP, 0, 0, 0, 1));
    set_misc(r, BY_CYCLES);
    set_macro(r, 0, byte_of(0, 1, 4));            /* LReg 1 two cycles later */
    set_macro(r, 1, k ? 0 : byte_of(0x00, 0, 5)); /* LReg 2 one cycle later: the same moment */
    rig_push(r, 0, v_loadmacro(0, 1, 3, 0, 0));
    rig_push(r, 0, v_loadmacro(1, 2, 3, 0, 0));
    rig_push_times(r, 0, V_NOP, 4);
    rig_run_well(r);
    assert_int_equal(r->t->vector.lreg[1][0], k ? ~as_bits(1.0f) : as_bits(1.0f));
    assert_int_equal(r->t->vector.lreg[2][0], k ? as_bits(1.0f) : 127);
    rig_free(r);
  }
}

/* [M] "automatic stalling does not apply": the store one cycle after the scheduled MAD gets the old value; two cycles
 * after it gets the result. Reported in the first case; timing on and off. */
static void test_no_stall_inside(void **state) {
  (void)state;
  for (unsigned gap = 0; gap < 2; gap++)
    for (unsigned timing = 0; timing < 2; timing++) {
      struct rig *r = new_rig(timing);
      set_template(r, 0, v_mad(TX_SFPMAD, 10, 0, 10, 0, 0));
      set_misc(r, BY_CYCLES);
      set_macro(r, 0, byte_of(0x80, 0, 4) << 8 | byte_of(0, 1 + gap, 3) << 24);
      rig_push(r, 0, v_loadmacro(0, 1, 3, 0, 0));
      rig_push_times(r, 0, V_NOP, 4);
      rig_run_well(r);
      assert_true(as_float(dst_get(r->t, 0, 0)) == (gap ? 2.0f : 1.0f));
      assert_int_equal(r->t->diag.counts[TX_DIAG_SFPU_RESULT_TOO_SOON], !gap);
      rig_free(r);
    }
}

/* [M] a scheduled MAD keeps the value before it visible for one cycle, which overlapping macros use: macro 0 stores LReg 16
 * one cycle after macro 1 begins to replace it. */
static void test_old_value_is_stored(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++)
    for (unsigned kind = 0; kind < 2; kind++) {
      struct rig *r = new_rig(timing);
      set_template(r, 0, v_imm12(TX_SFPNOT, 0, 0, 0, 0));
      set_template(r, 1, v_mad(TX_SFPMAD, 10, 0, 10, 0, 0)); /* x + 1 */
      set_misc(r, kind ? BY_INSTRUCTIONS : BY_CYCLES);
      set_macro(r, 0, byte_of(0x40, 0, 4) | byte_of(0x40, 2, 3) << 24);
      set_macro(r, 1, byte_of(0xc0, 0, 5) << 8 | byte_of(0x40, 2, 3) << 24);
      rig_push(r, 0, v_loadmacro(0, 1, 3, 1, 0)); /* LReg 16 = ~x in cycle 1, stored in cycle 3 */
      rig_push(r, 0, v_loadmacro(1, 2, 3, 1, 0)); /* LReg 16 = x + 1 begins in cycle 2, stored in cycle 4 */
      rig_push_times(r, 0, V_NOP, 4);
      rig_run_well(r);
      assert_int_equal(dst_get(r->t, 0, 0), ~as_bits(datum_at(0, 0)));
      assert_true(as_float(dst_get(r->t, 0, 1)) == datum_at(0, 1) + 1);
      assert_int_equal(r->t->diag.counts[TX_DIAG_SFPU_RESULT_TOO_SOON], 0);
      rig_free(r);
    }
}

/* [M] what software issues: after its own SFPMAD it gets the result (hardware would delay it), also beside scheduled instructions;
 * one cycle after a scheduled SFPMAD the old value, also when nothing else is scheduled. */
static void test_readers_issued_by_software(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++)
    for (unsigned beside = 0; beside < 2; beside++)
      for (unsigned reader = 0; reader < 2; reader++) {
        uint32_t move = reader ? v_mad(TX_SFPMAD, 10, 4, 9, 5, 0) : v_imm12(TX_SFPMOV, 0, 4, 5, 0); /* LReg 5 = LReg 4 */
        struct rig *r = new_rig(timing);
        set_template(r, 0, v_mad(TX_SFPMAD, 10, 0, 10, 0, 0)); /* x + 1 */
        set_misc(r, BY_CYCLES);
        set_macro(r, 0, byte_of(0x80, 0, 4) << 8 | (beside ? byte_of(0, 1, 3) << 24 : 0));
        set_macro(r, 1, byte_of(0, 1, 3) << 24);
        rig_push(r, 0, v_loadmacro(0, 4, 3, 0, 0));
        rig_push(r, 0, V_NOP);
        rig_push(r, 0, move);
        rig_push_times(r, 0, V_NOP, 4);
        if (beside) rig_push(r, 0, v_loadmacro(1, 1, 3, 0, 32));
        rig_push(r, 0, v_mad(TX_SFPMAD, 10, 10, 10, 4, 0));
        rig_push(r, 0, v_mad(TX_SFPMAD, 10, 4, 9, 6, 0));
        rig_push_times(r, 0, V_NOP, 4);
        rig_run_well(r);
        assert_true(as_float(r->t->vector.lreg[5][0]) == 1.0f);
        assert_true(as_float(r->t->vector.lreg[6][0]) == 2.0f);
        rig_free(r);
      }
}

/* [S] a scheduled SFPSWAP compares in its first cycle and exchanges in its second what the registers then hold. */
static void scheduled_swap(bool timing) {
  struct rig *r = new_rig(timing);
  set_template(
      r, 0, v_imm12(TX_SFPSWAP, 0, 0, 14, 1)); /* VC = loaded, VB = encoded VD = LReg 14: maximum ends in the macro's VD */
  for (unsigned l = 0; l < 32; l++) r->t->vector.lreg[14][l] = as_bits(40.5f);
  set_misc(r, BY_CYCLES);
  set_macro(r, 0, byte_of(0, 0, 4) | byte_of(0, 0, 2) << 8 | byte_of(0, 2, 3) << 24);
  rig_push(r, 0, v_loadmacro(0, 1, 3, 0, 0));
  rig_push_times(r, 0, V_NOP, 6);
  rig_run_well(r);
  for (unsigned l = 0; l < 32; l++) {
    float loaded = datum_at(l / 8, l % 8 * 2);
    assert_true(as_float(dst_get(r->t, l / 8, l % 8 * 2)) == fmaxf(loaded, 40.5f));
  }
  assert_int_equal(r->t->vector.lreg[14][0], as_bits(40.5f));
  rig_free(r);
}

static void test_scheduled_swap(void **state) {
  (void)state;
  scheduled_swap(true);
  scheduled_swap(false);
}

/* [LM] STALLWAIT on the vector unit, and a thread's being idle, include what is scheduled by cycles. */
static void test_busy_while_scheduled(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct rig *r = new_rig(timing);
    set_misc(r, BY_CYCLES);
    set_macro(r, 0, byte_of(0, 7, 3) << 24);
    rig_push(r, 0, v_loadmacro(0, 1, 3, 0, 0));
    rig_push(r, 0, STALL(1u << 8, 1u << TX_C11_VECTOR));
    rig_push(r, 0, V_NOP);
    rig_run_well(r);
    assert_true(rig_issued(r, 0, TX_SFPNOP, 0)->at >= macro_cycle(r, 0) + 9);
    rig_free(r);
  }
}

/* [LM] LReg 1 gets a load beside the SFPMAD that replaces its value two cycles later; a scheduled SFPMOV reads it in between. All of
 * that in a stream of more words than a FIFO takes, also with timing off. */
static void test_stream_without_gaps(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    const unsigned rows = timing ? 8 : 32;
    struct rig *r = new_rig(timing);
    for (unsigned l = 0; l < 32; l++) r->t->vector.lreg[7][l] = 1;
    set_template(r, 0, v_mad(TX_SFPMAD, 10, 0, 10, 0, 8)); /* LReg[LReg 7] = x + 1 */
    set_template(r, 1, v_imm12(TX_SFPMOV, 0, 1, 0, 0));
    set_misc(r, BY_INSTRUCTIONS);
    set_macro(r, 0, byte_of(0xc0, 1, 5) | byte_of(0x80, 0, 4) << 8 | byte_of(0x40, 3, 3) << 24);
    for (unsigned i = 0; i < rows; i++) {
      rig_push(r, 0, v_loadmacro(0, 3, 3, 0, 0));
      rig_push(r, 0, v_load(1, 3, 0, 64));
      rig_push_times(r, 0, V_NOP, 3);
      rig_push(r, 0, v_store(1, 3, 1, 128));
    }
    rig_run_well(r);
    for (unsigned row = 0; row < 2 * rows; row++)
      for (unsigned c = 0; c < 16; c++) {
        assert_true(as_float(dst_get(r->t, row, c)) == datum_at(row + 64, c));
        assert_true(as_float(dst_get(r->t, row + 128, c)) == datum_at(row, c) + 1);
      }
    rig_free(r);
  }
}

/* [LM] words of other units pass cycles too: the scheduled SFPNOT has replaced the value before it is stored, at whichever word a pause
 * of the stream ends. */
static void test_other_units_pass_cycles(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++)
    for (unsigned others = 0; others < 3; others++) {
      struct rig *r = new_rig(timing);
      set_template(r, 0, v_imm12(TX_SFPNOT, 0, 0, 0, 0));
      set_misc(r, BY_CYCLES);
      set_macro(r, 0, byte_of(0, 1, 4));
      for (unsigned i = 0; i < 32; i++) {
        rig_push(r, 0, v_loadmacro(0, 3, 3, 0, 0));
        rig_push(r, 0, others > 0 ? OP(INCRWC, 0) : V_NOP);
        rig_push(r, 0, others > 1 ? OP(NOP, 0) : V_NOP);
        rig_push(r, 0, v_store(3, 3, 1, 128));
      }
      rig_run_well(r);
      for (unsigned row = 0; row < 64; row++)
        for (unsigned c = 0; c < 16; c++) assert_int_equal(dst_get(r->t, row + 128, c), ~as_bits(datum_at(row, c)));
      rig_free(r);
    }
}

/* --- schedules of the vendor's kernels, results against arithmetic --- */

/* One row of 32 a cycle: load, reciprocal into LReg 16, store. Throughput and result. */
static void reciprocal_per_cycle(bool timing) {
  struct rig *r = new_rig(timing);
  rig_push(r, 0, v_imm12(TX_SFPARECIP, 0, 0, 12, 0)); /* [C] the back door: template 0 */
  rig_push(r, 0, v_loadi(0, 10, byte_of(0x40, 0, 4)));
  rig_push(r, 0, v_loadi(0, 8, byte_of(0x40, 1, 3) << 8));
  rig_push(r, 0, v_imm16(TX_SFPCONFIG, 0, 4, 0));
  rig_push(r, 0, v_imm16(TX_SFPCONFIG, 0x110, 8, 1));
  rig_push_times(r, 0, v_loadmacro(0, 0, 0, 1, 0), 32);
  rig_push_times(r, 0, V_NOP, 2);
  rig_run_well(r);
  if (timing) assert_int_equal(macro_cycle(r, 31) - macro_cycle(r, 0), 31);
  for (unsigned row = 0; row < 64; row++)
    for (unsigned c = 0; c < 16; c++)
      assert_int_equal(dst_get(r->t, row, c), tx_approximate_reciprocal(as_bits(datum_at(row, c))));
  assert_int_equal(r->t->diag.counts[TX_DIAG_SFPU_RESULT_TOO_SOON], 0);
  rig_free(r);
}

static void test_reciprocal_per_cycle(void **state) {
  (void)state;
  reciprocal_per_cycle(true);
  reciprocal_per_cycle(false);
}

/* Three cycles per row: where(a, b, c): flags from the first load predicate the third, and are reset beside it. With timing off more words than a
 * FIFO takes: in the pauses in which it is filled the unit's time stands still. */
static void where(bool timing) {
  struct rig *r = new_rig(timing);
  const unsigned loops = timing ? 8 : 32;
  for (unsigned row = 0; row < 64; row++)
    for (unsigned c = 0; c < 16; c++) dst_put(r->t, row, c, (row + c) % 3 ? 1 : 0);
  rig_push(r, 0, v_imm12(TX_SFPENCC, 3, 0, 0, 10));
  rig_push(r, 0, v_imm12(TX_SFPSETCC, 0, 0, 12, 6));
  rig_push(r, 0, v_imm12(TX_SFPENCC, 0, 0, 13, 0));
  rig_push(r, 0, v_loadi(0, 10, byte_of(0, 0, 4)));
  rig_push(r, 0, v_loadi(0, 8, byte_of(0, 2, 3) << 8));
  rig_push(r, 0, v_imm16(TX_SFPCONFIG, 0, 4, 0));
  rig_push(r, 0, v_imm16(TX_SFPCONFIG, byte_of(0, 0, 5), 4 + 2, 1));
  rig_push(r, 0, v_imm16(TX_SFPCONFIG, 0x770, 8, 1));
  for (unsigned i = 0; i < loops; i++) {
    rig_push(r, 0, v_loadmacro(0, 0, 4, 0, 0));
    rig_push(r, 0, v_loadmacro(2, 0, 4, 0, 64));
    rig_push(r, 0, v_load(0, 4, 1, 128));
  }
  rig_push_times(r, 0, V_NOP, 3);
  rig_run_well(r);
  for (unsigned row = 0; row < 2 * loops; row++)
    for (unsigned c = 0; c < 16; c++) {
      unsigned from = (row + c) % 3 ? 64 + row : 128 + row;
      uint32_t want = as_bits(datum_at(from, c));
      assert_int_equal(dst_get(r->t, row, c), want);
    }
  rig_free(r);
}

static void test_where(void **state) {
  (void)state;
  where(true);
  where(false);
}

/* Two cycles per row: 32-bit unsigned to 16-bit with saturation, two macros interleaved; the first has no store, and its empty
 * byte must not cancel the store of the second. */
static void saturating_cast(bool timing) {
  struct rig *r = new_rig(timing);
  for (unsigned row = 0; row < 16; row++)
    for (unsigned c = 0; c < 16; c++) { /* raw words: high half in the upper row */
      unsigned high = tx_dst_adj32(r->t, row);
      r->t->dst.bits[high][c] =
          (uint16_t)((row + c) % 3 ? 0 : row + 1); /* the value in the 16-bit view: above 16 bits when not 0 */
      r->t->dst.bits[high + 8][c] = (uint16_t)(row * 4099 + c);
    }
  rig_push(r, 0, v_imm12(TX_SFPGT, 0, 9, 12, 8));
  rig_push(r, 0, v_imm12(TX_SFPOR, 0, 0, 13, 0));
  rig_push(r, 0, v_imm16(TX_SFPCONFIG, byte_of(0x80, 0, 4), 4, 1));
  rig_push(r, 0, v_loadi(0, 10, byte_of(0x80, 0, 5)));
  rig_push(r, 0, v_loadi(0, 8, byte_of(0, 1, 3) << 8));
  rig_push(r, 0, v_imm16(TX_SFPCONFIG, 0, 5, 0));
  rig_push(r, 0, v_imm16(TX_SFPCONFIG, 0x100 | 9, 8, 1));
  for (unsigned i = 0; i < 4; i++) { /* rows 0..7 of the 32-bit view are physical 0..7 and 8..15 */
    rig_push(r, 0, v_loadmacro(0, 0, 9, 0, 0));
    rig_push(r, 0, v_loadmacro(1, 1, 4, 1, 0));
  }
  rig_push_times(r, 0, V_NOP, 2);
  rig_run_well(r);
  for (unsigned row = 0; row < 8; row++)
    for (unsigned c = 0; c < 16; c++) {
      uint16_t low = (uint16_t)(row * 4099 + c), want = (row + c) % 3 ? low : 0xffffu;
      assert_int_equal(r->t->dst.bits[row][c], want); /* LO16 stores it rotated: the low half on top */
    }
  rig_free(r);
}

static void test_saturating_cast(void **state) {
  (void)state;
  saturating_cast(true);
  saturating_cast(false);
}

/* Five cycles per row: reciprocal to 24 bits, four macros and an ordinary SFPMAD in between, exact to two units. */
static void push_sequence(struct rig *r, unsigned macro, uint32_t simple, uint32_t mad, uint32_t store) {
  rig_push(r, 0, v_loadi(0, 10, mad << 8 | simple));
  rig_push(r, 0, v_loadi(0, 8, store << 8));
  rig_push(r, 0, v_imm16(TX_SFPCONFIG, 0, 4 + macro, 0));
}

static void push_replay(struct rig *r, unsigned start, unsigned count) {
  rig_push(r, 0, OP(REPLAY, start << 14 | count << 4));
}

static void reciprocal_24_bits(bool timing) {
  enum { E = 0, T2 = 1, Z = 2, Y = 3 };
  struct rig *r = new_rig(timing);
  memset(&r->t->dst.valid[896], TX_DST_UNDEFINED,
         128); /* the tile of address -2, which the first round loads and does not store */
  rig_push(r, 0, v_imm12(TX_SFPARECIP, 0, 0, 12, 0));
  rig_push(r, 0, v_mad(TX_SFPMAD, E, E, 0, 13, 0));
  rig_push(r, 0, v_mad(TX_SFPMAD, T2, E, Z, 14, 0));
  rig_push(r, 0, v_imm12(TX_SFPSWAP, 0, 10, 15, 1));
  push_sequence(r, 0, byte_of(0, 0, 4), 0, byte_of(0x40, 6, 3));
  push_sequence(r, 1, byte_of(0x40, 0, 4), byte_of(0, 2, 5), byte_of(0, 2, 3));
  push_sequence(r, 2, byte_of(0x80, 2, 7), byte_of(0, 0, 6), 0);
  push_sequence(r, 3, 0, byte_of(0xc0, 1, 6), byte_of(0x40, 3, 3));
  rig_push(r, 0, v_imm16(TX_SFPCONFIG, 0xff0, 8, 1));
  const uint32_t loop[5] = {v_loadmacro(0, Y, 0, 0, 0), v_loadmacro(2, T2, 0, 0, 0x3fe), v_loadmacro(1, E, 0, 0, 0),
                            v_mad(TX_SFPMAD, E, Y, 10, E, 1), v_loadmacro(3, Z, 0, 1, 0x3fe)};
  rig_push(r, 0, OP(REPLAY, 5u << 4 | 1u)); /* from the replay buffer, as the vendor does: nothing comes in between */
  for (unsigned i = 0; i < 5; i++) rig_push(r, 0, loop[i]);
  push_replay(r, 0, 4);
  rig_push(r, 0, v_load(7, 0, 1, 0));
  for (unsigned row = 0; row < 7; row++) push_replay(r, 0, 5);
  rig_push(r, 0, V_NOP);
  push_replay(r, 1, 1);
  rig_push(r, 0, V_NOP);
  push_replay(r, 3, 2);
  rig_push_times(r, 0, V_NOP, 4);
  rig_run_well(r);
  double worst = 0;
  for (unsigned row = 0; row < 16; row++)
    for (unsigned c = 0; c < 16; c++)
      worst = fmax(worst, fabs(as_float(dst_get(r->t, row, c)) * (double)datum_at(row, c) - 1));
  assert_true(worst < 0x1p-23);
  assert_int_equal(r->t->diag.counts[TX_DIAG_SFPU_RESULT_TOO_SOON], 0);
  assert_int_equal(r->t->diag.counts[TX_DIAG_SFPU_MACRO_COLLISION], 0);
  assert_int_equal(r->t->diag.counts[TX_DIAG_DST_UNDEFINED_READ], 0);
  assert_int_equal(r->t->diag.counts[TX_DIAG_DST_PARTIAL_READ], 0);
  assert_int_equal(r->t->vector.undefined, 0);
  rig_free(r);
}

/* SFPLOADMACRO of undefined rows into LReg 1, which a scheduled SFPMAD writes back; then the given instructions. */
static uint64_t undefined_reads(bool timing, bool partly, uint32_t store, const uint32_t *words, unsigned count) {
  struct rig *r = new_rig(timing);
  memset(&r->t->dst.valid[896], TX_DST_UNDEFINED, partly ? 120 : 128);
  set_template(r, 0, v_mad(TX_SFPMAD, 10, 0, 10, 0, 0));
  set_misc(r, BY_CYCLES);
  set_macro(r, 0, byte_of(0x80, 0, 4) << 8 | store << 24);
  rig_push(r, 0, v_loadmacro(0, 1, 3, 0, 0x3fe));
  rig_push_times(r, 0, V_NOP, 8);
  for (unsigned i = 0; i < count; i++) rig_push(r, 0, words[i]);
  rig_push_times(r, 0, V_NOP, 4);
  rig_run_well(r);
  uint64_t found = r->t->diag.counts[partly ? TX_DIAG_DST_PARTIAL_READ : TX_DIAG_DST_UNDEFINED_READ];
  assert_int_equal(r->t->diag.counts[partly ? TX_DIAG_DST_UNDEFINED_READ : TX_DIAG_DST_PARTIAL_READ], 0);
  rig_free(r);
  return found;
}

/* A value of undefined rows is reported where it leaves the registers, not where it is loaded: by a store, by a flag, also of another register
 * that was computed from it; not when it was replaced. */
static void test_undefined_rows_are_reported_at_use(void **state) {
  (void)state;
  const uint32_t copy[] = {v_imm12(TX_SFPMOV, 0, 1, 2, 0), v_loadi(1, 0, 0x3f80), v_store(2, 3, 0, 0)};
  const uint32_t replaced[] = {v_loadi(1, 0, 0x3f80), v_store(1, 3, 0, 0)};
  const uint32_t computed[] = {v_mad(TX_SFPMAD, 1, 10, 9, 4, 0), V_NOP, v_store(4, 3, 0, 0)};
  const uint32_t flag[] = {v_imm12(TX_SFPSETCC, 0, 1, 0, 0)};
  const uint32_t other[] = {v_store(3, 3, 0, 0)};
  for (unsigned i = 0; i < 4; i++) {
    bool timing = i & 1u, partly = i >> 1;
    assert_int_equal(undefined_reads(timing, partly, 0, NULL, 0), 0);
    assert_int_equal(undefined_reads(timing, partly, byte_of(0, 4, 3), NULL, 0), 1);
    assert_int_equal(undefined_reads(timing, partly, 0, copy, 3), 1);
    assert_int_equal(undefined_reads(timing, partly, 0, replaced, 2), 0);
    assert_int_equal(undefined_reads(timing, partly, 0, computed, 3), 1);
    assert_int_equal(undefined_reads(timing, partly, 0, flag, 1), 1);
    assert_int_equal(undefined_reads(timing, partly, 0, other, 1), 0);
  }
}

static void test_reciprocal_24_bits(void **state) {
  (void)state;
  reciprocal_24_bits(true);
  reciprocal_24_bits(false);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_delays_in_cycles),
      cmocka_unit_test(test_delays_in_instructions),
      cmocka_unit_test(test_same_bits_without_timing),
      cmocka_unit_test(test_operand_override),
      cmocka_unit_test(test_missing_operands),
      cmocka_unit_test(test_shift2_immediate),
      cmocka_unit_test(test_store),
      cmocka_unit_test(test_store_mode),
      cmocka_unit_test(test_wrong_templates),
      cmocka_unit_test(test_columns_differ),
      cmocka_unit_test(test_config_by_macro),
      cmocka_unit_test(test_five_at_once),
      cmocka_unit_test(test_write_port),
      cmocka_unit_test(test_collision),
      cmocka_unit_test(test_forgetting),
      cmocka_unit_test(test_no_stall_inside),
      cmocka_unit_test(test_old_value_is_stored),
      cmocka_unit_test(test_readers_issued_by_software),
      cmocka_unit_test(test_scheduled_swap),
      cmocka_unit_test(test_busy_while_scheduled),
      cmocka_unit_test(test_stream_without_gaps),
      cmocka_unit_test(test_other_units_pass_cycles),
      cmocka_unit_test(test_reciprocal_per_cycle),
      cmocka_unit_test(test_where),
      cmocka_unit_test(test_saturating_cast),
      cmocka_unit_test(test_reciprocal_24_bits),
      cmocka_unit_test(test_undefined_rows_are_reported_at_use),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
