/* Every instruction of the vector unit but SFPLOADMACRO, in every defined mode, against the model in vector/model.h: random
 * programs that also change flags, stack, LaneConfig, ROW_MASK, templates and the address of Dst, state compared after every
 * instruction, with each version of the lanes' arithmetic. */
#include "rig.h"
#include "scale.h"
#include "vector/model.h"

static uint64_t random_state = 0x2545f4914f6cdd1du;

static uint32_t random32(void) {
  random_state ^= random_state << 13;
  random_state ^= random_state >> 7;
  random_state ^= random_state << 17;
  return (uint32_t)(random_state >> 24);
}

static uint32_t datum(void) {
  switch (random32() % 4) {
    case 0: return random32();
    case 1: return (random32() & 0x807fffffu) | (120u + random32() % 16) << 23;
    case 2: return (random32() & 0x80000000u) | random32() % 64;
    default: return (uint32_t)((int32_t)(random32() % 97) - 48);
  }
}

/* --- comparing --- */

static void compare_flags(const struct tx_vector *v, const struct model *m, uint32_t word) {
  for (unsigned l = 0; l < 32; l++) {
    if ((v->now.flags >> l & 1u) != m->flag[l] || (v->now.use >> l & 1u) != m->use[l])
      fail_msg("%08x: lane %u: flag %u use %u, model %d %d", word, l, v->now.flags >> l & 1u, v->now.use >> l & 1u,
               m->flag[l], m->use[l]);
    for (int i = 0; i < 8; i++) {
      bool there = i < m->depth[l];
      if ((v->stack[i].present >> l & 1u) != there) fail_msg("%08x: lane %u: depth differs", word, l);
      if (!there) continue;
      const struct model_entry *e = &m->stack[l][m->depth[l] - 1 - i];
      if ((v->stack[i].flags >> l & 1u) != e->flag || (v->stack[i].use >> l & 1u) != e->use)
        fail_msg("%08x: lane %u: stack entry %d differs", word, l, i);
    }
  }
}

static void compare_registers(const struct tx_vector *v, const struct model *m, uint32_t word) {
  for (unsigned reg = 0; reg < 16; reg++)
    for (unsigned l = 0; l < 32; l++)
      if (v->lreg[reg][l] != m->L[reg][l])
        fail_msg("%s %08x: LReg%u lane %u: %08x, model %08x", tx_ops[word >> 24].name, word, reg, l, v->lreg[reg][l],
                 m->L[reg][l]);
  for (unsigned l = 0; l < 32; l++) {
    assert_int_equal(v->prng[l], m->prng[l]);
    assert_int_equal(v->lane_config[l % 8], m->lane_config[l]);
    assert_int_equal(v->macro.misc[l % 8], m->misc[l]);
    for (unsigned i = 0; i < 4; i++) {
      assert_int_equal(v->macro.instruction[i][l % 8], m->template[l][i]);
      assert_int_equal(v->macro.sequence[i][l % 8], m->sequence[l][i]);
    }
  }
}

static void compare(const struct tx_tile *t, const struct model *m, uint32_t word) {
  compare_registers(&t->vector, m, word);
  compare_flags(&t->vector, m, word);
  if (memcmp(t->dst.bits, m->dst, sizeof m->dst) != 0) fail_msg("%08x: Dst differs", word);
  assert_int_equal(t->rwc[0].sp, m->sp);
  assert_int_equal(t->fault.kind, SIM_FAULT_NONE);
}

/* --- programs --- */

static const uint8_t opcodes[] = {
    TX_SFPLOAD,  TX_SFPLOADI,  TX_SFPSTORE,  TX_SFPLUT,    TX_SFPMULI,    TX_SFPADDI, TX_SFPDIVP2,      TX_SFPEXEXP,
    TX_SFPEXMAN, TX_SFPIADD,   TX_SFPSHFT,   TX_SFPSETCC,  TX_SFPMOV,     TX_SFPABS,  TX_SFPAND,        TX_SFPOR,
    TX_SFPNOT,   TX_SFPLZ,     TX_SFPSETEXP, TX_SFPSETMAN, TX_SFPMAD,     TX_SFPADD,  TX_SFPMUL,        TX_SFPPUSHC,
    TX_SFPPOPC,  TX_SFPSETSGN, TX_SFPENCC,   TX_SFPCOMPC,  TX_SFPTRANSP,  TX_SFPXOR,  TX_SFP_STOCH_RND, TX_SFPNOP,
    TX_SFPCAST,  TX_SFPCONFIG, TX_SFPSWAP,   TX_SFPSHFT2,  TX_SFPLUTFP32, TX_SFPLE,   TX_SFPGT,         TX_SFPMUL24};

static uint32_t random_register(void) {
  uint32_t choice = random32() % 32;
  return choice < 26 ? random32() % 8 : choice < 31 ? random32() % 12 : 12 + random32() % 4;
}

/* A word whose modifier is defined. VD of 12 and more (templates) is rare but there. */
static uint32_t random_word(void) {
  static const uint8_t loadi_modes[6] = {0, 1, 2, 4, 8, 10};
  uint32_t opcode = opcodes[random32() % sizeof opcodes], word = opcode << 24 | (random32() & 0xffffffu);
  if (opcode == TX_SFPLOAD || opcode == TX_SFPSTORE || opcode == TX_SFPLOADI || opcode == TX_SFPLUT) {
    word = (word & ~0x00f0e000u) | random_register() << 20;
    if (opcode == TX_SFPLOADI)
      word = (word & ~0xf0000u) | (uint32_t)loadi_modes[random32() % 6] << 16 | (random32() & 0xe000u);
    return word;
  }
  word = (word & ~0xf0u) | random_register() << 4;
  if (opcode == TX_SFPSHFT2) word = (word & ~15u) | random32() % 7;
  if (opcode == TX_SFPCONFIG) { /* mostly small changes of LaneConfig, rarely masks of whole rows */
    if (random32() % 4) word = (word & ~0xf0u) | (11 + random32() % 5) << 4;
    if ((word & 0xf0u) == 0xf0u && random32() % 8) word &= random32() % 2 ? ~0x0030f000u : ~0x00f0fff0u | 0xf0u;
  }
  if (opcode == TX_SFPSETCC && random32() % 2) word &= ~9u; /* mostly comparisons, few constants */
  if (opcode == TX_SFPENCC && random32() % 2) word = (word & ~0x300fu) | 0x300au;
  return word;
}

static void random_addressing(struct tx_tile *t, struct model *m) {
  m->rwc_dst = t->rwc[0].dst = (uint16_t)(random32() & 0x3ffu);
  m->sp = t->rwc[0].sp = (uint16_t)(random32() % 3 ? random32() & 0x3ffu : 0);
  m->math_offset = random32() % 2 ? 512 : random32() & 0x3ffu;
  m->regw_base = random32() % 2 ? 0 : random32() & 0x3ffu;
  m->sp_base = random32() & 0x3ffu;
  m->stack_incr = random32() & 0x3ffu;
  m->srcb_format = random32() & 15u;
  m->fp32 = random32() & 1u;
  m->remap = random32() % 4 == 0;
  m->swizzle = random32() % 4 == 0;
  unsigned via = random32() % 3; /* where SrcB's format comes from */
  uint32_t other = random32() & 15u;
  t->config.thread_words[0][TX_CFG_DEST_TARGET_REG_CFG_MATH_Offset_ADDR] = (uint16_t)m->math_offset;
  t->config.thread_words[0][TX_CFG_SFPU_STACK_Incr_ADDR] = (uint16_t)m->stack_incr;
  t->config.thread_words[0][TX_CFG_SFPU_DEST_FMT_Enable_ADDR] = (uint16_t)(via == 2 ? 1u | m->srcb_format << 1 : 0);
  for (unsigned bank = 0; bank < 2; bank++) {
    uint32_t *w = t->config.words[bank];
    w[TX_CFG_DEST_REGW_BASE_Base_ADDR] = m->regw_base;
    w[TX_CFG_DEST_SP_BASE_Base_ADDR] = m->sp_base;
    w[0] = (via == 1 ? 1u << 9 | m->srcb_format << 5 : other << 5);
    w[1] = (uint32_t)m->fp32 << 30 | (via == 0 ? m->srcb_format : other) << 21;
    w[TX_CFG_DEST_ACCESS_CFG_remap_addrs_ADDR] = (uint32_t)m->remap << 1 | (uint32_t)m->swizzle;
  }
}

static void fill(struct tx_tile *t, struct model *m) {
  for (unsigned reg = 0; reg < 8; reg++)
    for (unsigned l = 0; l < 32; l++) m->L[reg][l] = t->vector.lreg[reg][l] = datum();
  for (unsigned l = 0; l < 32; l++) m->prng[l] = t->vector.prng[l] = random32();
  for (unsigned row = 0; row < 1024; row++)
    for (unsigned c = 0; c < 16; c++) m->dst[row][c] = t->dst.bits[row][c] = (uint16_t)random32();
}

static void run_word(struct tx_tile *t, uint32_t word) {
  struct tx_cost cost = {.issue = 1, .latency = 1, .thread = 1};
  t->current.word = word;
  t->engine.now++;
  tx_bodies[word >> 24](t, 0, word, &cost);
}

static void run_program(struct tx_tile *t, struct model *m, const struct tx_lane_ops *ops, unsigned length) {
  tx_tile_reset(t, false);
  t->unsaved.lane_ops = ops;
  model_reset(m);
  fill(t, m);
  random_addressing(t, m);
  for (unsigned i = 0; i < length; i++) {
    uint32_t word = random_word();
    if (i % 64 == 63) random_addressing(t, m);
    run_word(t, word);
    model_step(m, word);
    compare(t, m, word);
  }
}

static void test_random_programs(void **state) {
  (void)state;
  struct tx_tile *t = malloc(sizeof *t);
  struct model *m = malloc(sizeof *m);
  for (uint64_t left = test_scaled(40); left; left--)
    for (unsigned i = 0; tx_lanes_version(i); i++) run_program(t, m, tx_lanes_version(i), 400);
  free(t);
  free(m);
}

/* Each opcode and modifier alone, with all lanes on, then with random flags. */
static void test_every_modifier(void **state) {
  (void)state;
  struct tx_tile *t = malloc(sizeof *t);
  struct model *m = malloc(sizeof *m);
  for (unsigned k = 0; k < sizeof opcodes; k++)
    for (uint32_t mod = 0; mod < 16; mod++)
      for (unsigned variant = 0; variant < 4; variant++) {
        uint32_t opcode = opcodes[k], word = opcode << 24 | (random32() & 0xffff00u) | random32() % 8 << 4 | mod;
        bool loads = opcode == TX_SFPLOAD || opcode == TX_SFPSTORE || opcode == TX_SFPLOADI || opcode == TX_SFPLUT;
        if (loads) word = opcode << 24 | random32() % 8 << 20 | mod << 16 | (random32() & 0x3ffu);
        if (opcode == TX_SFPSHFT2 && mod > 6) continue;
        if (opcode == TX_SFPLOADI && !(0x517u >> mod & 1u)) continue;
        tx_tile_reset(t, false);
        model_reset(m);
        fill(t, m);
        random_addressing(t, m);
        t->vector.now.use = variant & 1u ? 0xffffffffu : 0;
        t->vector.now.flags = random32();
        t->vector.scalar_only = variant >> 1;
        for (unsigned l = 0; l < 32; l++) m->use[l] = variant & 1u, m->flag[l] = t->vector.now.flags >> l & 1u;
        run_word(t, word);
        model_step(m, word);
        compare(t, m, word);
      }
  free(t);
  free(m);
}

/* Undefined modes stop the machine with a line that names them. */
static void test_undefined_modes_fault(void **state) {
  (void)state;
  struct tx_tile *t = malloc(sizeof *t);
  for (uint32_t mod = 0; mod < 16; mod++) {
    tx_tile_reset(t, false);
    run_word(t, (uint32_t)TX_SFPLOADI << 24 | mod << 16);
    assert_int_equal(t->fault.kind, 0x517u >> mod & 1u ? SIM_FAULT_NONE : SIM_FAULT_UNDEFINED);
    tx_tile_reset(t, false);
    run_word(t, (uint32_t)TX_SFPSHFT2 << 24 | mod);
    assert_int_equal(t->fault.kind, mod < 7 ? SIM_FAULT_NONE : SIM_FAULT_UNDEFINED);
    tx_tile_reset(t, false); /* with a VD of 12 or more they are stored, not executed: no lane has evaluated the modifier */
    run_word(t, (uint32_t)TX_SFPSHFT2 << 24 | 13u << 4 | mod);
    run_word(t, (uint32_t)TX_SFPLOADI << 24 | 14u << 20 | mod << 16);
    assert_int_equal(t->fault.kind, SIM_FAULT_NONE);
    assert_int_equal(t->vector.macro.instruction[1][0], (uint32_t)TX_SFPSHFT2 << 24 | 13u << 4 | mod);
    assert_int_equal(t->vector.macro.instruction[2][7], (uint32_t)TX_SFPLOADI << 24 | 14u << 20 | mod << 16);
  }
  free(t);
}

/* SFPLOAD and SFPSTORE step the counters of their thread by their address mode, and leave the fidelity phase alone. */
static void test_address_mode(void **state) {
  (void)state;
  struct tx_tile *t = malloc(sizeof *t);
  for (unsigned mode = 0; mode < 8; mode++)
    for (unsigned store = 0; store < 2; store++) {
      tx_tile_reset(t, false);
      uint16_t *cfg = t->config.thread_words[1];
      cfg[TX_CFG_ADDR_MOD_AB_SEC0_SrcAIncr_ADDR + mode] = 3 | 5 << 8;
      cfg[TX_CFG_ADDR_MOD_DST_SEC0_DestIncr_ADDR + mode] = (uint16_t)(7 | 1 << 13); /* and fidelity + 1 */
      struct tx_cost cost = {0};
      uint32_t word = (store ? (uint32_t)TX_SFPSTORE : (uint32_t)TX_SFPLOAD) << 24 | 3u << 16 | mode << 13;
      tx_bodies[word >> 24](t, 1, word, &cost);
      assert_int_equal(t->rwc[1].dst, 7);
      assert_int_equal(t->rwc[1].srca, 3);
      assert_int_equal(t->rwc[1].srcb, 5);
      assert_int_equal(t->rwc[1].fidelity, 0);
      assert_int_equal(t->rwc[0].dst, 0);
    }
  free(t);
}

/* PRNG_SEED: 32 steps, then two per lane from lane 31 down (golden model). Step: VectorUnit.md. */
static void test_seed(void **state) {
  (void)state;
  struct rig *r = rig_new(false);
  struct model *m = calloc(1, sizeof *m);
  rig_store(r, 0, 0xffef0000u + 4 * TX_CFG_PRNG_SEED_Seed_Val_ADDR, 0x1234abcdu);
  rig_sync(r, 0);
  rig_push(r, 0, 0xa2000000u | 0x180u << 15 | 0x400u); /* until the store has landed */
  rig_push(r, 0, (uint32_t)TX_SFPMOV << 24 | 9u << 8 | 2u << 4 | 8u);
  rig_run_well(r);
  m->prng[0] = 0x1234abcdu;
  for (int i = 0; i < 32; i++) advance_prng(m, 0);
  for (int l = 31; l >= 0; l--) {
    advance_prng(m, 0);
    advance_prng(m, 0);
    assert_int_equal(r->t->vector.lreg[2][l], m->prng[0]);
  }
  free(m);
  rig_free(r);
}

/* Reset: constants of LReg.md, flags off (all lanes enabled). */
static void test_reset(void **state) {
  (void)state;
  struct tx_tile *t = malloc(sizeof *t);
  struct model *m = malloc(sizeof *m);
  tx_tile_reset(t, true);
  model_reset(m);
  compare(t, m, 0);
  free(t);
  free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_reset),
      cmocka_unit_test(test_every_modifier),
      cmocka_unit_test(test_random_programs),
      cmocka_unit_test(test_address_mode),
      cmocka_unit_test(test_seed),
      cmocka_unit_test(test_undefined_modes_fault),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
