/* The packer's configuration (config.h). Field names as in the vendor's cfg_defines.h; the pages under Packers/ describe them.
 *
 * Where Wormhole has a set of fields per packer, Blackhole has one packer and uses set 0. */
#include "tensix/unit/pack/config.h"

#include <string.h>

#include "tensix/machine.h"
#include "tensix/num/format.h"
#include "tensix/num/format_pack.h"
#include "tensix/num/format_pack_acc.h"
#include "tensix/regs/dst.h"
#include "tensix/unit/pack/pack.h"

/* Rejections that follow from configuration alone: REFUSE(name, fault kind, document, text). */
#define REFUSALS \
  REFUSE(ROUNDING_MODE, UNSUPPORTED, "none", "ALU_ROUNDING_MODE_GS_LF, Bfp8_HF or Padding is set: undocumented") \
  REFUSE(DESCALE_MODE, UNSUPPORTED, "Packers/FormatConversion.md", \
         "INT_DESCALE_Mode 1: no document says which value is taken") \
  REFUSE(L1_SOURCE, UNSUPPORTED, "PACR.md", \
         "Source_interface_selection 1 (packing from L1) is not documented for Blackhole") \
  REFUSE(SHARED_EXPONENT, UNSUPPORTED, "none", "Dis_shared_exp_assembler with a block format: undocumented") \
  REFUSE(DOWNSAMPLE_RATE, UNSUPPORTED, "none", "Downsample_rate is set: undocumented") \
  REFUSE(ACCUMULATE, UNSUPPORTED, "none", "accumulation in L1 is defined for FP32, FP16 and BF16 only") \
  REFUSE(ACCUMULATE_COMPRESS, UNSUPPORTED, "none", "accumulation in L1 of compressed data: undocumented") \
  REFUSE(COMPRESS_BFP2, UNSUPPORTED, "Packers/Compression.md", "compression of datums of two bits: undocumented") \
  REFUSE(RELU_NEGATIVE, UNDEFINED, "Packers/ReLU.md", "ReLU mode 2 or 3 with a negative threshold") \
  REFUSE(RELU_INTEGER, UNDEFINED, "Packers/ReLU.md", "ReLU mode 2 or 3 with an integer intermediate format") \
  REFUSE(EDGE_INTEGER, UNDEFINED, "Packers/EdgeMasking.md", \
         "edge mask to minus infinity with an integer intermediate format")

enum tx_pack_refusal {
  REFUSAL_NONE,
  REFUSAL_CONVERSION,
#define REFUSE(name, kind, document, text) REFUSAL_##name,
  REFUSALS
#undef REFUSE
};

static const struct {
  enum sim_fault_kind kind;
  const char *document, *text;
} refusals[] = {[REFUSAL_CONVERSION] = {SIM_FAULT_UNSUPPORTED, "Packers/FormatConversion.md", ""},
#define REFUSE(name, kind, document, text) [REFUSAL_##name] = {SIM_FAULT_##kind, document, text},
                REFUSALS
#undef REFUSE
};

/* Fields that no page explains. The golden model accepts any value of them and packs as if it were zero; so does this
 * packer, with a finding (docs/evidence/errata.md). */
#define UNEXPLAINED_FIELDS \
  FIELD(THCON_SEC0_REG1_pack_start_intf_pos) \
  FIELD(THCON_SEC0_REG1_pack_dis_y_pos_start_offset) \
  FIELD(THCON_SEC0_REG1_All_pack_disable_zero_compress_ovrd) \
  FIELD(PACK_COUNTERS_SEC0_auto_ctxt_inc_xys_cnt) \
  FIELD(PACK_COUNTERS_SEC0_pack_per_xy_plane)

#define CFG(name) ((w[TX_CFG_##name##_ADDR] >> TX_CFG_##name##_SHIFT) & (0xffffffffu >> (32 - TX_CFG_##name##_WIDTH)))

static void decode_formats(struct tx_pack_config *c, const uint32_t *w) {
  bool override = CFG(ALU_FORMAT_SPEC_REG_Dstacc_override);
  c->request = (struct num_pack_request){
      .wide = CFG(PCK_DEST_RD_CTRL_Read_32b_data),
      .raw = CFG(PCK_DEST_RD_CTRL_Read_int8),
      .is_unsigned = CFG(PCK_DEST_RD_CTRL_Read_unsigned),
      .round10 = CFG(PCK_DEST_RD_CTRL_Round_10b_mant),
      .intermediate = (uint8_t)(override ? CFG(ALU_FORMAT_SPEC_REG_Dstacc_val) : CFG(ALU_FORMAT_SPEC_REG2_Dstacc)),
      .from = CFG(THCON_SEC0_REG1_In_data_format),
      .to = CFG(THCON_SEC0_REG1_Out_data_format),
      .e4m3 = CFG(THCON_SEC0_REG1_Pac_LF8_4b_exp),
      .shift = (uint8_t)(CFG(INT_DESCALE_Enable) ? CFG(INT_DESCALE_VALUES_SEC0_Value) & 31u : 0),
  };
  if (!num_pack_make(&c->request, &c->how)) c->refusal = REFUSAL_CONVERSION;
  unsigned size = c->request.from & 3u; /* ISA: Packers/InputAddressGenerator.md */
  c->datum_shift = size == 0 ? 2 : size == 1 ? 1 : 0;
  c->x_mask = (16u >> c->datum_shift) - 1;
}

static void decode_input(struct tx_pack_config *c, const uint32_t *w) {
  c->in_base = CFG(PCK0_ADDR_BASE_REG_0_Base);
  c->in_stride[TX_ADC_X] = CFG(PCK0_ADDR_CTRL_XY_REG_0_Xstride) & 0xfu;
  c->in_stride[TX_ADC_Y] = CFG(PCK0_ADDR_CTRL_XY_REG_0_Ystride);
  c->in_stride[TX_ADC_Z] = CFG(PCK0_ADDR_CTRL_ZW_REG_0_Zstride);
  c->in_stride[TX_ADC_W] = CFG(PCK0_ADDR_CTRL_ZW_REG_0_Wstride);
}

/* What kernels change for every tile (unit/config.c: is_harmless_to_pack). */
static void decode_addresses(struct tx_pack_config *c, const uint32_t *w) {
  c->dst_offset = CFG(DEST_TARGET_REG_CFG_PACK_SEC0_Offset);
  c->z_offset = CFG(DEST_TARGET_REG_CFG_PACK_SEC0_ZOffset);
  c->l1_address = CFG(THCON_SEC0_REG1_L1_Dest_addr) + !CFG(THCON_SEC0_REG1_Sub_l1_tile_header_size);
}

static void decode_output(struct tx_pack_config *c, const uint32_t *w) {
  c->out_base = CFG(PCK0_ADDR_BASE_REG_1_Base);
  c->out_stride[TX_ADC_Y] = CFG(PCK0_ADDR_CTRL_XY_REG_1_Ystride);
  c->out_stride[TX_ADC_Z] = CFG(PCK0_ADDR_CTRL_ZW_REG_1_Zstride);
  c->out_stride[TX_ADC_W] = CFG(PCK0_ADDR_CTRL_ZW_REG_1_Wstride);
  c->limit = CFG(THCON_SEC0_REG9_Pack_0_2_limit_address) * 2 + 1;
  c->fifo = CFG(THCON_SEC0_REG9_Pack_0_2_fifo_size) * 2;
  c->row_section = CFG(THCON_SEC0_REG1_Row_start_section_size);
  c->exponent_section = CFG(THCON_SEC0_REG1_Exp_section_size);
  c->compress = !CFG(THCON_SEC0_REG1_Disable_zero_compress);
  c->accumulate = CFG(THCON_SEC0_REG1_Pack_L1_Acc);
  c->add_offset = CFG(THCON_SEC0_REG1_Add_l1_dest_addr_offset);
  c->add_header = CFG(THCON_SEC0_REG1_Add_tile_header_size);
  c->out_fifo = CFG(THCON_SEC0_REG1_Enable_out_fifo);
}

static void decode_edges(struct tx_pack_config *c, const uint32_t *w) {
  c->by_face = CFG(PCK_EDGE_TILE_FACE_SET_SELECT_enable);
  c->face_map = w[TX_CFG_TILE_FACE_SET_MAPPING_0_face_set_mapping_0_ADDR + (CFG(PCK_EDGE_TILE_FACE_SET_SELECT_select) & 3u)];
  c->row_set = CFG(PCK_EDGE_TILE_ROW_SET_SELECT_select) & 3u;
  memcpy(c->row_map, &w[TX_CFG_TILE_ROW_SET_MAPPING_0_row_set_mapping_0_ADDR], sizeof c->row_map);
  for (unsigned i = 0; i < 4; i++) c->edge[i] = (uint16_t)w[TX_CFG_PCK_EDGE_OFFSET_SEC0_mask_ADDR + i];
  c->edge_minus_infinity = CFG(PCK_EDGE_MODE_mode);
  uint32_t map = c->by_face ? c->row_map[0] | c->row_map[1] | c->row_map[2] | c->row_map[3] : c->row_map[c->row_set];
  c->edge_trivial = c->edge[0] == 0xffffu && (map == 0 || (c->edge[1] & c->edge[2] & c->edge[3]) == 0xffffu);
}

static void decode_stages(struct tx_pack_config *c, const uint32_t *w) {
  c->relu_mode = CFG(STACC_RELU_ApplyRelu) & 3u;
  c->relu_threshold = CFG(STACC_RELU_ReluThreshold);
  c->exponent_threshold =
      CFG(THCON_SEC0_REG1_Exp_threshold_en) && c->how.kind <= NUM_PACK_H ? CFG(THCON_SEC0_REG1_Exp_threshold) : 0;
  c->downsample = CFG(THCON_SEC0_REG1_Downsample_mask);
  if (!c->downsample) c->downsample = 0xffffu;
  c->reads_per_plane = CFG(PACK_COUNTERS_SEC0_pack_reads_per_xy_plane);
  c->transposed = CFG(PACK_COUNTERS_SEC0_pack_yz_transposed);
  c->auto_interfaces = CFG(THCON_SEC0_REG1_Auto_set_last_pacr_intf_sel);
}

static enum tx_pack_refusal refusal_of(const struct tx_pack_config *c, const uint32_t *w) {
  bool integer = c->how.kind >= NUM_PACK_I32;
  if (CFG(ALU_ROUNDING_MODE_GS_LF) || CFG(ALU_ROUNDING_MODE_Bfp8_HF) || CFG(ALU_ROUNDING_MODE_Padding))
    return REFUSAL_ROUNDING_MODE;
  if (CFG(INT_DESCALE_Enable) && CFG(INT_DESCALE_Mode) && c->request.intermediate == NUM_INT8) return REFUSAL_DESCALE_MODE;
  if (CFG(THCON_SEC0_REG1_Source_interface_selection)) return REFUSAL_L1_SOURCE;
  if (CFG(THCON_SEC0_REG1_Dis_shared_exp_assembler) && c->how.block) return REFUSAL_SHARED_EXPONENT;
  if (CFG(THCON_SEC0_REG1_Downsample_rate)) return REFUSAL_DOWNSAMPLE_RATE;
  if (c->accumulate && !num_acc_exists(c->how.to)) return REFUSAL_ACCUMULATE;
  if (c->accumulate && c->compress) return REFUSAL_ACCUMULATE_COMPRESS;
  if (c->compress && c->how.bits == 2) return REFUSAL_COMPRESS_BFP2;
  if (c->relu_mode >= 2 && (c->relu_threshold & 0x8000u)) return REFUSAL_RELU_NEGATIVE;
  if (c->relu_mode >= 2 && integer) return REFUSAL_RELU_INTEGER;
  if (c->edge_minus_infinity && !c->edge_trivial && integer) return REFUSAL_EDGE_INTEGER;
  return REFUSAL_NONE;
}

static uint64_t digest(uint64_t h, const void *bytes, size_t length) {
  const uint8_t *p = bytes;
  for (size_t i = 0; i < length; i++) h = (h ^ p[i]) * UINT64_C(0x100000001b3);
  return h;
}

/* Configuration that the late stages read while earlier PACRs are in flight. Addresses are excluded: PACR reads them at its start, and
 * kernels write the next one while it runs. */
static uint64_t race_digest(const struct tx_pack_config *c) {
  uint32_t words[] = {c->relu_mode, c->relu_threshold, c->exponent_threshold, c->downsample, c->accumulate, c->compress};
  uint64_t h = digest(UINT64_C(0xcbf29ce484222325), &c->how, sizeof c->how);
  h = digest(h, words, sizeof words);
  return digest(h, c->edge, sizeof c->edge);
}

static void decode(struct tx_tile *t, struct tx_pack_config *c, unsigned bank) {
  const uint32_t *w = t->config.words[bank];
  memset(c, 0, sizeof *c);
  c->version = t->config.version + 1;
  c->bank = bank;
  decode_formats(c, w);
  decode_input(c, w);
  decode_output(c, w);
  decode_addresses(c, w);
  decode_edges(c, w);
  decode_stages(c, w);
  c->map = tx_dst_map(t);
  for (unsigned thread = 0; thread < TX_THREADS; thread++)
    c->statistics |= t->config.thread_words[thread][TX_CFG_ENABLE_ACC_STATS_Enable_ADDR] & 1u;
  if (c->refusal == REFUSAL_NONE) c->refusal = refusal_of(c, w);
  c->race = race_digest(c);
  c->random_early = CFG(ALU_ROUNDING_MODE_Gasket_srnd_en) && num_pack_early_rounds(&c->how);
  c->random_late = CFG(ALU_ROUNDING_MODE_Packer_srnd_en) && c->how.block;
  c->plain = !c->random_early && !c->random_late && c->edge_trivial && !c->exponent_threshold && c->downsample == 0xffffu &&
             !c->compress && !c->statistics;
}

static void refuse(struct tx_tile *t, const struct tx_pack_config *c) {
  const struct num_pack_request *r = &c->request;
  if (c->refusal != REFUSAL_CONVERSION) {
    tx_fault(t, refusals[c->refusal].kind, refusals[c->refusal].document, "PACR: %s", refusals[c->refusal].text);
    return;
  }
  tx_fault(t, SIM_FAULT_UNSUPPORTED, refusals[REFUSAL_CONVERSION].document,
           "PACR: no conversion from %u-bit Dst by intermediate %s (late from %s) to %s%s%s%s%s", r->wide ? 32u : 16u,
           num_format_name(r->intermediate), num_format_name(r->from), num_format_name(r->to), r->raw ? ", Read_raw" : "",
           r->round10 ? ", Round_10b_mant" : "", r->is_unsigned ? ", Read_unsigned" : "", r->e4m3 ? ", e4m3" : "");
}

static void note_unexplained_fields(struct tx_tile *t, const uint32_t *w) {
#define FIELD(name) \
  if (CFG(name)) tx_diag(t, TX_DIAG_PACK_UNEXPLAINED, #name " is %u: ignored", CFG(name));
  UNEXPLAINED_FIELDS
#undef FIELD
}

/* Out of line: keeps the common path short. */
__attribute__((noinline)) static const struct tx_pack_config *configure_anew(struct tx_tile *t, unsigned bank) {
  struct tx_pack_config *c = &t->pack.config;
  const bool stale = c->version != t->config.version + 1 || c->bank != bank,
             known = c->version && c->bank == bank && !c->refusal;
  if (stale && known && t->config.version + 1 - c->version == t->unsaved.pack.harmless) {
    const uint32_t offset = c->dst_offset;
    c->version = t->config.version + 1;
    decode_addresses(c, t->config.words[bank]);
    t->unsaved.pack.row = (uint16_t)((t->unsaved.pack.row + c->dst_offset - offset) % TX_DST_ROWS);
    note_unexplained_fields(t, t->config.words[bank]);
  } else if (stale) {
    uint64_t race = c->race;
    decode(t, c, bank);
    note_unexplained_fields(t, t->config.words[bank]);
    if (t->pack.count && race != c->race && !c->refusal)
      tx_diag(t, TX_DIAG_PACK_CONFIG_RACE, "%u PACR before this one not finished", t->pack.count);
    t->unsaved.pack.thread = 0; /* tx_exec_PACR decides again */
  }
  t->unsaved.pack.harmless = 0;
  if (!c->refusal) return c;
  refuse(t, c);
  return NULL;
}

const struct tx_pack_config *tx_pack_configure(struct tx_tile *t, unsigned thread) {
  const struct tx_pack_config *c = &t->pack.config;
  if (tx_pack_is_current(t, thread) && !c->refusal) return c;
  return configure_anew(t, t->config.thread_words[thread][TX_CFG_CFG_STATE_ID_StateID_ADDR] & 1u);
}

/* ISA: Packers/EdgeMasking.md */
unsigned tx_pack_edge_mask(const struct tx_pack_config *c, unsigned row, unsigned plane) {
  unsigned set = c->by_face ? c->face_map >> 2 * ((c->z_offset + plane) & 15u) & 3u : c->row_set;
  return c->edge[c->row_map[set] >> 2 * (row & 15u) & 3u];
}
