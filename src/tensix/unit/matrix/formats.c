/* Formats and styles: how an instruction of the matrix unit interprets its operands.
 *
 * Blackhole uses the implied format of the bank unless ThreadConfig disables that; else the override of Config word 0,
 * else the code in Config word 1 (ISA: SrcASrcB.md, MVMUL.md). FP16A_FORCE and INT8_math_enabled override all of them. */
#include "tensix/unit/matrix/formats.h"

#include <string.h>

#define CFG(cfg, NAME) ((cfg)[TX_CFG_##NAME##_ADDR] >> TX_CFG_##NAME##_SHIFT & ((1u << TX_CFG_##NAME##_WIDTH) - 1u))
#define THREAD_CFG(t, thread, NAME) CFG((t)->config.thread_words[thread], NAME)

/* This thread's bank of Config. */
static const uint32_t *config_of(const struct tx_tile *t, unsigned thread) {
  return t->config.words[THREAD_CFG(t, thread, CFG_STATE_ID_StateID)];
}

static uint32_t implied(struct tx_tile *t, enum tx_src_which which) {
  const struct tx_src_bank *bank = tx_matrix_bank(t, which);
  if (!bank->filled)
    tx_diag(t, TX_DIAG_IMPLIED_FORMAT_UNSET, "%s bank %u", which == TX_SRCA ? "SrcA" : "SrcB", t->src.matrix_bank[which]);
  return bank->format;
}

uint32_t tx_matrix_format_a(struct tx_tile *t, unsigned thread) {
  const uint32_t *cfg = config_of(t, thread);
  if (!THREAD_CFG(t, thread, DISABLE_IMPLIED_SRCA_FMT_Base)) return implied(t, TX_SRCA);
  if (CFG(cfg, ALU_FORMAT_SPEC_REG_SrcA_override)) return CFG(cfg, ALU_FORMAT_SPEC_REG_SrcA_val);
  return CFG(cfg, ALU_FORMAT_SPEC_REG0_SrcA);
}

uint32_t tx_matrix_format_b(struct tx_tile *t, unsigned thread) {
  const uint32_t *cfg = config_of(t, thread);
  if (!THREAD_CFG(t, thread, DISABLE_IMPLIED_SRCB_FMT_Base)) return implied(t, TX_SRCB);
  if (CFG(cfg, ALU_FORMAT_SPEC_REG_SrcB_override)) return CFG(cfg, ALU_FORMAT_SPEC_REG_SrcB_val);
  return CFG(cfg, ALU_FORMAT_SPEC_REG1_SrcB);
}

enum tx_style tx_matrix_style(uint32_t format) {
  switch (format) {
    case NUM_FP16:
    case NUM_FP8:
    case NUM_BFP8A:
    case NUM_BFP4A:
    case NUM_BFP2A:
    case NUM_INT8: return TX_STYLE_FP16;
    case NUM_TF32: return TX_STYLE_TF32;
    default: return TX_STYLE_BF16;
  }
}

bool tx_matrix_format_known(struct tx_tile *t, uint32_t format) {
  if (tx_matrix_format_exists(format)) return true;
  tx_fault(t, SIM_FAULT_UNSUPPORTED, "SrcASrcB.md", "format code %u names no format of the matrix unit", format);
  return false;
}

/* false when it faulted. */
static bool resolve(struct tx_tile *t, unsigned thread, struct tx_matrix_setup *setup) {
  const uint32_t *cfg = config_of(t, thread);
  setup->stochastic = CFG(cfg, ALU_ROUNDING_MODE_Fpu_srnd_en);
  setup->fmt_a = tx_matrix_format_a(t, thread);
  setup->fmt_b = tx_matrix_format_b(t, thread);
  setup->flush = !CFG(cfg, ALU_ACC_CTRL_Zero_Flag_disabled_src);
  setup->phase = (t->rwc[thread].fidelity + THREAD_CFG(t, thread, FIDELITY_BASE_Phase)) & 3u;
  if (THREAD_CFG(t, thread, FP16A_FORCE_Enable)) {
    setup->style = TX_STYLE_FP16;
    setup->fmt_a = setup->fmt_b = NUM_FP16;
    setup->wide = false;
    return true;
  }
  if (CFG(cfg, ALU_ACC_CTRL_INT8_math_enabled)) {
    setup->style = TX_STYLE_INT8;
    setup->wide = true;
    setup->stochastic = false; /* nothing to round */
    return true;
  }
  setup->style = tx_matrix_style(setup->fmt_a);
  setup->wide = CFG(cfg, ALU_ACC_CTRL_Fp32_enabled);
  return tx_matrix_format_known(t, setup->fmt_a) && tx_matrix_format_known(t, setup->fmt_b);
}

static uint32_t kept_bits(uint32_t format) {
  switch (tx_matrix_style(format)) {
    case TX_STYLE_FP16: return NUM_FPU_SRC_FP16;
    case TX_STYLE_TF32: return NUM_FPU_SRC_TF32;
    default: return NUM_FPU_SRC_BF16;
  }
}

static struct num_fpu_mode mode_of(const struct tx_matrix_setup *setup) {
  struct num_fpu_mode mode = {.mask_a = kept_bits(setup->fmt_a),
                              .mask_b = kept_bits(setup->fmt_b),
                              .phase = setup->phase,
                              .exp8 = setup->style != TX_STYLE_FP16,
                              .stochastic = setup->stochastic,
                              .keep_b = !setup->flush};
  if (setup->style == TX_STYLE_INT8) mode.dst = NUM_FPU_DST_INT32;
  else if (setup->wide) mode.dst = NUM_FPU_DST_FP32;
  else mode.dst = mode.exp8 ? NUM_FPU_DST_BF16 : NUM_FPU_DST_FP16;
  mode.bias = num_fpu_bias(&mode);
  return mode;
}

/* --- setups resolved before --- */

_Static_assert(TX_CFG_ALU_FORMAT_SPEC_REG_SrcA_override_ADDR == 0 && TX_CFG_ALU_FORMAT_SPEC_REG_SrcB_override_ADDR == 0 &&
                   TX_CFG_ALU_FORMAT_SPEC_REG0_SrcA_ADDR == 1 && TX_CFG_ALU_FORMAT_SPEC_REG1_SrcB_ADDR == 1 &&
                   TX_CFG_ALU_ACC_CTRL_Fp32_enabled_ADDR == 1 && TX_CFG_ALU_ACC_CTRL_INT8_math_enabled_ADDR == 1 &&
                   TX_CFG_ALU_ROUNDING_MODE_Fpu_srnd_en_ADDR == 1 && TX_CFG_ALU_ACC_CTRL_Zero_Flag_disabled_src_ADDR == 2,
               "unit/config.c counts writes to words 0 to 2 of Config");

const struct tx_matrix_known *tx_matrix_resolve(struct tx_tile *t, unsigned thread, uint32_t key) {
  struct tx_matrix_known *known = &t->unsaved.matrix.known;
  const bool filled = tx_matrix_bank(t, TX_SRCA)->filled && tx_matrix_bank(t, TX_SRCB)->filled;
  known->version = 0;
  if (!resolve(t, thread, &known->setup)) return NULL;
  known->mode = mode_of(&known->setup);
  known->key = key;
  if (filled) known->version = tx_matrix_version(t); /* a bank without a format is reported each time */
  return known;
}

const struct tx_matrix_moves *tx_matrix_resolve_moves(struct tx_tile *t, unsigned thread) {
  const uint32_t *cfg = config_of(t, thread);
  const bool force = THREAD_CFG(t, thread, FP16A_FORCE_Enable), a = THREAD_CFG(t, thread, DISABLE_IMPLIED_SRCA_FMT_Base),
             b = THREAD_CFG(t, thread, DISABLE_IMPLIED_SRCB_FMT_Base);
  t->unsaved.matrix.moves =
      (struct tx_matrix_moves){.version = tx_matrix_version(t),
                               .thread = (uint8_t)thread,
                               .forced = force,
                               .format_a = (uint8_t)(a ? tx_matrix_format_a(t, thread) : TX_MATRIX_IMPLIED),
                               .implied_b = !force && !a && !b,
                               .narrow = !CFG(cfg, ALU_ACC_CTRL_Fp32_enabled) && !CFG(cfg, ALU_ACC_CTRL_INT8_math_enabled),
                               .flush = !CFG(cfg, ALU_ACC_CTRL_Zero_Flag_disabled_src)};
  return &t->unsaved.matrix.moves;
}
