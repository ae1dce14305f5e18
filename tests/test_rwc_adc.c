/* Row counters, address modes and ADCs: the trace of LLK's matmul row by row, every combination of flags against the pages'
 * rules written out here, Blackhole's widths, thread overrides. */
#include "rig.h"
#include "scale.h"

/* --- the trace of LLK's matmul --- */

#define AB(a_incr, a_cr, a_clr, b_incr, b_cr, b_clr) \
  ((a_incr) | (a_cr) << 6 | (a_clr) << 7 | (b_incr) << 8 | (b_cr) << 14 | (b_clr) << 15)
#define DST(incr, cr, clr, c_to_cr, f_incr, f_clr) \
  ((incr) | (cr) << 10 | (clr) << 11 | (c_to_cr) << 12 | (f_incr) << 13 | (f_clr) << 15)

struct row {
  unsigned mode, a, a_cr, b, b_cr, d;
};

/* Counters after each MVMUL, from the rwc page (docs/evidence/sources.md): rwc_a (cr), rwc_b (cr), rwc_d; rwc_d's checkpoint is 0 throughout. */
static const struct row trace[16] = {
    {0, 0, 0, 8, 0, 8},      {1, 16, 0, 0, 0, 16},    {0, 16, 0, 8, 0, 24},    {2, 0, 0, 32, 32, 32},
    {0, 0, 0, 40, 32, 40},   {1, 16, 0, 32, 32, 48},  {0, 16, 0, 40, 32, 56},  {4, 32, 32, 16, 16, 0},
    {0, 32, 32, 24, 16, 8},  {1, 48, 32, 16, 16, 16}, {0, 48, 32, 24, 16, 24}, {2, 32, 32, 48, 48, 32},
    {0, 32, 32, 56, 48, 40}, {1, 48, 32, 48, 48, 48}, {0, 48, 32, 56, 48, 56}, {5, 0, 0, 0, 0, 0},
};

static void set_mode(struct rig *r, unsigned thread, unsigned mode, unsigned ab, unsigned dst) {
  rig_push(r, thread, OP(SETC16, (12 + mode) << 16 | ab));
  rig_push(r, thread, OP(SETC16, (28 + mode) << 16 | dst));
}

static void matmul_trace_of_the_page(void **state) {
  (void)state;
  struct rig *r = rig_new(true);
  set_mode(r, 1, 0, AB(0, 0, 0, 8, 0, 0), DST(8, 0, 0, 0, 0, 0));
  set_mode(r, 1, 1, AB(16, 0, 0, 0, 1, 0), DST(8, 0, 0, 0, 0, 0));
  set_mode(r, 1, 2, AB(0, 1, 0, 32, 1, 0), DST(8, 0, 0, 0, 0, 0));
  set_mode(r, 1, 4, AB(32, 1, 0, 48, 1, 0), DST(0, 1, 0, 0, 0, 0));
  set_mode(r, 1, 5, AB(0, 0, 1, 0, 0, 1), DST(0, 0, 1, 0, 1, 0));
  rig_push(r, 1, OP(SETRWC, 0xf));
  rig_run_well(r);
  const struct tx_rwc *c = &r->t->rwc[1];
  for (unsigned i = 0; i < 16; i++) {
    tx_rwc_apply(r->t, 1, trace[i].mode, true);
    assert_int_equal(c->srca, trace[i].a);
    assert_int_equal(c->srca_cr, trace[i].a_cr);
    assert_int_equal(c->srcb, trace[i].b);
    assert_int_equal(c->srcb_cr, trace[i].b_cr);
    assert_int_equal(c->dst, trace[i].d);
    assert_int_equal(c->dst_cr, 0);
    assert_int_equal(c->fidelity, i == 15);
  }
  assert_int_equal(rig_findings(r), 0);
  rig_free(r);
}

/* --- address modes: all flags, random counters --- */

struct model { /* plain integers, reduced at the end of each step */
  int a, a_cr, b, b_cr, d, d_cr, f;
};

static void model_src(int *c, int *cr, int incr, bool use_cr, bool clear) {
  if (clear) {
    *c = *cr = 0;
  } else if (use_cr) {
    *cr = (*cr + incr) % 64;
    *c = *cr;
  } else {
    *c = (*c + incr) % 64;
  }
}

static void model_step(struct model *m, unsigned ab, unsigned dst, bool with_fidelity) {
  int d_incr = (int)(dst % 1024);
  model_src(&m->a, &m->a_cr, (int)(ab % 64), ab / 64 % 2, ab / 128 % 2);
  model_src(&m->b, &m->b_cr, (int)(ab / 256 % 64), ab / 16384 % 2, ab / 32768);
  if (dst / 2048 % 2) {
    m->d = m->d_cr = 0;
  } else if (dst / 4096 % 2) {
    m->d = (m->d + d_incr) % 1024;
    m->d_cr = m->d;
  } else if (dst / 1024 % 2) {
    m->d_cr = (m->d_cr + d_incr) % 1024;
    m->d = m->d_cr;
  } else {
    m->d = (m->d + d_incr) % 1024;
  }
  if (with_fidelity) m->f = dst / 32768 ? 0 : (m->f + (int)(dst / 8192 % 4)) % 4;
}

static void assert_model(const struct tx_rwc *c, const struct model *m) {
  assert_int_equal(c->srca, m->a);
  assert_int_equal(c->srca_cr, m->a_cr);
  assert_int_equal(c->srcb, m->b);
  assert_int_equal(c->srcb_cr, m->b_cr);
  assert_int_equal(c->dst, m->d);
  assert_int_equal(c->dst_cr, m->d_cr);
  assert_int_equal(c->fidelity, m->f);
}

static void address_modes_in_all_combinations(void **state) {
  (void)state;
  uint64_t seed = 3;
  struct rig *r = rig_new(true);
  struct model m = {0};
  for (uint64_t n = test_scaled(20000); n; n--) {
    unsigned mode = (unsigned)rig_random(&seed) % 8, thread = 2;
    unsigned ab = (unsigned)rig_random(&seed) & 0xffff, dst = (unsigned)rig_random(&seed) & 0xffff;
    bool with_fidelity = rig_random(&seed) & 1; /* the partial form of SFPLOAD and SFPSTORE does not change it */
    r->t->config.thread_words[thread][12 + mode] = (uint16_t)ab;
    r->t->config.thread_words[thread][28 + mode] = (uint16_t)dst;
    tx_rwc_apply(r->t, thread, mode, with_fidelity);
    model_step(&m, ab, dst, with_fidelity);
    assert_model(&r->t->rwc[thread], &m);
  }
  assert_true(r->t->diag.counts[TX_DIAG_ADDR_MOD_COMBINATION] > 0); /* CToCR with Clear or CR is reported */
  rig_free(r);
}

static void bias_is_kept_toggles_and_is_reported(void **state) {
  (void)state;
  struct rig *r = rig_new(true);
  r->t->config.thread_words[0][47] = 1;
  tx_rwc_apply(r->t, 0, 0, true);
  assert_int_equal(r->t->rwc[0].extra_addr_mod, 1);
  tx_rwc_apply(r->t, 0, 0, true); /* one bit: 1 + 1 = 0 */
  assert_int_equal(r->t->rwc[0].extra_addr_mod, 0);
  assert_int_equal(r->t->diag.counts[TX_DIAG_ADDR_MOD_BIAS], 2);
  rig_free(r);
}

/* --- SETRWC, INCRWC --- */

static void setrwc_and_incrwc_in_all_combinations(void **state) {
  (void)state;
  uint64_t seed = 9;
  for (uint64_t n = test_scaled(2000); n; n--) {
    struct rig *r = rig_new(true);
    struct model m = {0};
    struct tx_rwc *c = &r->t->rwc[0];
    m.a = c->srca = rig_random(&seed) % 64, m.a_cr = c->srca_cr = rig_random(&seed) % 64;
    m.b = c->srcb = rig_random(&seed) % 64, m.b_cr = c->srcb_cr = rig_random(&seed) % 64;
    m.d = c->dst = rig_random(&seed) % 1024, m.d_cr = c->dst_cr = rig_random(&seed) % 1024;
    m.f = c->fidelity = rig_random(&seed) % 4;
    int a = (int)(rig_random(&seed) % 16), b = (int)(rig_random(&seed) % 16), d = (int)(rig_random(&seed) % 16);
    unsigned cr = (unsigned)rig_random(&seed) % 16, mask = (unsigned)rig_random(&seed) % 16;
    uint32_t values = (uint32_t)d << 14 | (uint32_t)b << 10 | (uint32_t)a << 6;
    if (n & 1) {
      rig_push(r, 0, OP(SETRWC, cr << 18 | values | mask));
      if (mask & 1) m.a = m.a_cr = (a + (cr & 1 ? m.a_cr : 0)) % 64;
      if (mask & 2) m.b = m.b_cr = (b + (cr & 2 ? m.b_cr : 0)) % 64;
      if ((mask & 4) || (cr & 8)) m.d = m.d_cr = (d + (cr & 8 ? m.d : cr & 4 ? m.d_cr : 0)) % 1024;
      if (mask & 8) m.f = 0;
    } else {
      rig_push(r, 0, OP(INCRWC, (cr & 7) << 18 | values));
      model_src(&m.a, &m.a_cr, a, cr & 1, false);
      model_src(&m.b, &m.b_cr, b, cr & 2, false);
      if (cr & 4) m.d_cr = (m.d_cr + d) % 1024;
      m.d = cr & 4 ? m.d_cr : (m.d + d) % 1024;
    }
    rig_run_well(r);
    assert_model(c, &m);
    rig_free(r);
  }
}

static void setrwc_bit_4_sets_the_stack_pointer(void **state) {
  (void)state;
  struct rig *r = rig_new(true);
  rig_push(r, 0, OP(SETRWC, 2u << 14 | 5u << 10 | 9u << 6 | 16));
  rig_run_well(r);
  assert_int_equal(r->t->rwc[0].sp, 0x259);
  assert_int_equal(r->t->rwc[0].srca, 0);
  rig_free(r);
}

/* --- ADCs --- */

static const uint32_t width[4] = {1u << 18, 1u << 13, 1u << 13, 1u << 13};

struct adc_model {
  uint32_t c[3][3][2][4], cr[3][3][2][4]; /* thread, unit, channel, dimension */
};

static void assert_adc(const struct rig *r, const struct adc_model *m) {
  for (unsigned t = 0; t < 3; t++)
    for (unsigned u = 0; u < 3; u++)
      for (unsigned ch = 0; ch < 2; ch++)
        for (unsigned d = 0; d < 4; d++) {
          assert_int_equal(r->t->adc[t].unit[u][ch].c[d], m->c[t][u][ch][d]);
          assert_int_equal(r->t->adc[t].unit[u][ch].cr[d], m->cr[t][u][ch][d]);
        }
}

static void model_pairs(struct adc_model *m, unsigned thread, unsigned units, const unsigned v[4], unsigned mask,
                        unsigned dim, unsigned kind) {
  for (unsigned u = 0; u < 3; u++)
    for (unsigned i = 0; i < 4; i++) {
      unsigned ch = i / 2, d = dim + i % 2;
      uint32_t *c = &m->c[thread][u][ch][d], *cr = &m->cr[thread][u][ch][d];
      if (!(units & 1u << u) || (kind != 1 && !(mask & 1u << i))) continue;
      if (kind == 0) *c = *cr = v[i];
      if (kind == 1) *c = (*c + v[i]) % width[d];
      if (kind == 2) *c = *cr = (*cr + v[i]) % width[d];
    }
}

static void adc_instructions_in_all_combinations(void **state) {
  (void)state;
  static const uint8_t opcode[2][3] = {{TX_SETADCXY, TX_INCADCXY, TX_ADDRCRXY}, {TX_SETADCZW, TX_INCADCZW, TX_ADDRCRZW}};
  uint64_t seed = 21;
  struct rig *r = rig_new(true);
  struct adc_model *m = calloc(1, sizeof *m);
  for (uint64_t n = test_scaled(3000); n; n--) {
    unsigned thread = 1, units = (unsigned)rig_random(&seed) % 8, override = (unsigned)rig_random(&seed) % 4;
    unsigned target = override ? override - 1 : thread, what = (unsigned)rig_random(&seed) % 8;
    if (what < 6) {
      unsigned kind = what % 3, zw = what / 3, mask = kind == 1 ? 0 : (unsigned)rig_random(&seed) % 16, v[4];
      uint32_t word = units << 21 | override << 18 | mask;
      for (unsigned i = 0; i < 4; i++) {
        v[i] = (unsigned)rig_random(&seed) % 8;
        word |= v[i] << (6 + 3 * i);
      }
      rig_push(r, thread, (uint32_t)opcode[zw][kind] << 24 | word);
      model_pairs(m, target, units, v, mask, 2 * zw, kind);
    } else if (what == 6) {
      unsigned dim = (unsigned)rig_random(&seed) % 4, ch = (unsigned)rig_random(&seed) % 2;
      uint32_t value = (uint32_t)rig_random(&seed) % 65536;
      rig_push(r, thread, OP(SETADC, units << 21 | ch << 20 | dim << 18 | override << 16 | value));
      for (unsigned u = 0; u < 3; u++)
        if (units & 1u << u) m->c[target][u][ch][dim] = m->cr[target][u][ch][dim] = value % width[dim];
    } else {
      uint32_t x0 = (uint32_t)rig_random(&seed) % 1024, x1 = (uint32_t)rig_random(&seed) % 1024;
      rig_push(r, thread, OP(SETADCXX, units << 21 | x1 << 10 | x0));
      for (unsigned u = 0; u < 3; u++)
        if (units & 1u << u) {
          m->c[thread][u][0][0] = m->cr[thread][u][0][0] = x0;
          m->c[thread][u][1][0] = m->cr[thread][u][1][0] = x1;
        }
    }
  }
  rig_run_well(r);
  assert_adc(r, m);
  assert_int_equal(rig_findings(r), 0);
  free(m);
  rig_free(r);
}

static void pack_sections_step_y_and_z(void **state) {
  (void)state;
  uint64_t seed = 77;
  struct rig *r = rig_new(true);
  struct adc_model *m = calloc(1, sizeof *m);
  for (uint64_t n = test_scaled(2000); n; n--) {
    unsigned section = (unsigned)rig_random(&seed) % 4, mode = (unsigned)rig_random(&seed) & 0xffff;
    r->t->config.thread_words[2][37 + section] = (uint16_t)mode;
    tx_adc_apply_pack(r->t, 2, section);
    for (unsigned ch = 0; ch < 2; ch++) {
      uint32_t *y = &m->c[2][2][ch][1], *y_cr = &m->cr[2][2][ch][1], *z = &m->c[2][2][ch][2], *z_cr = &m->cr[2][2][ch][2];
      unsigned y_mode = mode >> (6 * ch), z_mode = mode >> (12 + 2 * ch);
      if (y_mode & 32) *y = *y_cr = 0;
      else if (y_mode & 16) *y = *y_cr = (*y_cr + (y_mode & 15)) % 8192;
      else *y = (*y + (y_mode & 15)) % 8192;
      if (z_mode & 2) *z = *z_cr = 0;
      else *z = (*z + (z_mode & 1)) % 8192;
    }
    assert_adc(r, m);
  }
  free(m);
  rig_free(r);
}

/* Two threads use one set in one cycle; no finding when each uses its own. */
static void two_threads_on_one_adc_set_are_reported(void **state) {
  (void)state;
  for (unsigned clash = 0; clash < 2; clash++) {
    struct rig *r = rig_new(true);
    for (unsigned thread = 0; thread < 2; thread++)
      rig_push(r, thread, OP(INCADCXY, 1u << 21 | (clash ? 1u << 18 : 0) | 1u << 6));
    rig_run_well(r);
    assert_int_equal(r->t->diag.counts[TX_DIAG_ADC_SAME_CYCLE], clash);
    rig_free(r);
  }
}

/* LLK's face-compressed matmul sets X of the math and pack threads' sets: the override selects the set and nothing else. */
static void setadc_override_does_not_reach_x(void **state) {
  (void)state;
  for (unsigned override = 0; override < 4; override++) {
    struct rig *r = rig_new(true);
    rig_push(r, 1, OP(SETADC, 1u << 21 | 1u << 20 | override << 16 | 0x80ff));
    rig_run_well(r);
    const struct tx_adc_channel *ch = &r->t->adc[override ? override - 1 : 1].unit[TX_ADC_UNPACKER0][1];
    assert_int_equal(ch->c[TX_ADC_X], 0x80ff);
    assert_int_equal(ch->cr[TX_ADC_X], 0x80ff);
    rig_free(r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(matmul_trace_of_the_page),
      cmocka_unit_test(address_modes_in_all_combinations),
      cmocka_unit_test(bias_is_kept_toggles_and_is_reported),
      cmocka_unit_test(setrwc_and_incrwc_in_all_combinations),
      cmocka_unit_test(setrwc_bit_4_sets_the_stack_pointer),
      cmocka_unit_test(adc_instructions_in_all_combinations),
      cmocka_unit_test(setadc_override_does_not_reach_x),
      cmocka_unit_test(pack_sections_step_y_and_z),
      cmocka_unit_test(two_threads_on_one_adc_set_are_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
