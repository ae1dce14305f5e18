/* The pack core: tiles from Dst into circular buffers, with conversion, ReLU and accumulation in L1.
 * One PACR moves four rows; a MOP of 16 moves a tile. ISA: PACR.md (Blackhole), Packers/FormatConversion.md. */
#ifndef TENSIX_PACK_H
#define TENSIX_PACK_H

#include "circular_buffer.h"
#include "dst_sync.h"

enum relu_type { RELU_NONE = 0, RELU_ZERO = 1, RELU_MIN_THRESHOLD = 2, RELU_MAX_THRESHOLD = 3 };

#ifdef TRISC_PACK

static uint32_t pack_dst_is_a, pack_dst_is_int; /* numbers that the math core leaves in Dst; enum dst_kind */
#define PACK_NO_FORMAT 0xffu
static uint32_t pack_out_format = PACK_NO_FORMAT; /* output format of the buffer configured last */

/* The format that the packer reads from Dst for this output format. */
TT_INLINE uint32_t pack_source_format(uint32_t out) {
  if (format_kind(out))
    return format_in_l1(out); /* integers: the packer converts INT32 to INT8, within its range, and nothing else */
  if (!DST_ACCUM_MODE) return pack_dst_is_a ? DATA_FORMAT_FLOAT16 : DATA_FORMAT_BFLOAT16;
  if (out == DATA_FORMAT_BFLOAT16) return DATA_FORMAT_BFLOAT16;
  if (out == DATA_FORMAT_FLOAT16 || out == DATA_FORMAT_FP8) return DATA_FORMAT_FLOAT16;
  return DATA_FORMAT_FLOAT32;
}

/* A conversion may still follow the configuration, and the tiles of one kernel may differ, so the check takes place at each tile. */
static uint32_t pack_out_kinds __attribute__((unused)); /* a bit per enum dst_kind that the buffer configured last takes */
static uint32_t pack_cb __attribute__((unused));
#define PACK_CHECK_KIND(kind) \
  do { \
    const uint32_t kind_ = kind; \
    if (pack_out_kinds >> kind_ & 1u) break; \
    KERNEL_CHECK(kind_ != DST_SIGNED || pack_out_format != DATA_FORMAT_INT32, \
                 "the matrix unit makes sign and magnitude of INT8, and the buffer is int32: typecast_tile<Int8, Int32> " \
                 "before it, or describe it as int32sm"); \
    KERNEL_CHECK(kind_ != DST_INTEGERS || pack_out_format != DATA_FORMAT_INT8, \
                 "INT8 has sign and magnitude, and Dst holds two's complement: typecast_tile<Int32, Int8> before it"); \
    KERNEL_CHECK(0, "integers in Dst pack to INT32 or INT8, UINT16 to UINT16, floats to float formats"); \
  } while (0)

/* A bit per buffer of integers in two's complement (tessera kernel: int32, uint32). Other hosts know the form of their own data. */
#ifndef KERNEL_TWOS_COMPLEMENT
#define KERNEL_TWOS_COMPLEMENT 0u
#endif

TT_INLINE void pack_check_format(uint32_t cb, uint32_t out) {
  KERNEL_CHECK(format_tile_bytes(out) != 0, "the buffer's data format does not exist");
  KERNEL_CHECK(format_kind(out) == DST_FLOATS || out == DATA_FORMAT_UINT16 || DST_ACCUM_MODE,
               "INT32 and INT8 are packed from a 32-bit Dst only: compile with DST_ACCUM_MODE 1");
  pack_out_kinds = 1u << format_kind(out);
  if (out == DATA_FORMAT_INT32 && !(KERNEL_TWOS_COMPLEMENT >> cb & 1u)) pack_out_kinds |= 1u << DST_SIGNED;
}

TT_INLINE void pack_set_strides(uint32_t source) {
  uint32_t datum = source == DATA_FORMAT_FLOAT32 || source == DATA_FORMAT_INT32 ? 4 : source == DATA_FORMAT_INT8 ? 1 : 2;
  cfg_store(PCK0_ADDR_CTRL_XY_REG_0_Xstride_ADDR32, datum | (16 * datum) << 16);
  cfg_store(PCK0_ADDR_CTRL_ZW_REG_0_Zstride_ADDR32, 256 * datum | (1024 * datum) << 16);
  cfg_store(PCK0_ADDR_CTRL_XY_REG_1_Xstride_ADDR32, 0);
  cfg_store(PCK0_ADDR_CTRL_ZW_REG_1_Zstride_ADDR32, 0);
}

TT_INLINE void pack_set_format(uint32_t out) {
  uint32_t source = pack_source_format(out);
  uint32_t in_l1 = format_in_l1(out);
  pack_out_format = in_l1;
  cfg_store(THCON_SEC0_REG1_Row_start_section_size_ADDR32,
            format_is_bfp(out) ? 4u << 16 : 0); /* block formats: 64 bytes of exponents precede the numbers */
  cfg_store(THCON_SEC0_REG1_Disable_zero_compress_ADDR32, 1u | in_l1 << 4 | source << 8);
  cfg_store(PCK_DEST_RD_CTRL_Read_32b_data_ADDR32, (DST_ACCUM_MODE ? 1u : 0u) | (out == DATA_FORMAT_UINT8 ? 1u << 1 : 0u) |
                                                       (DST_ACCUM_MODE && source == DATA_FORMAT_FLOAT16 ? 1u << 3 : 0u));
  cfg_store(PACK_COUNTERS_SEC0_pack_per_xy_plane_ADDR32, 16u << 8);
  cfg_store(PCK_EDGE_OFFSET_SEC0_mask_ADDR32, 0xffff);
  cfg_store(TILE_ROW_SET_MAPPING_0_row_set_mapping_0_ADDR32, 0);
  cfg_store(PCK0_ADDR_BASE_REG_1_Base_ADDR32, 0);
  pack_set_strides(source);
  t6_mutex_acquire(mutex_REG_RMW);
  cfg_rmw(ALU_FORMAT_SPEC_REG2_Dstacc_RMW, source);
  t6_mutex_release(mutex_REG_RMW);
}

TT_INLINE void pack_mop(void) {
  addr_mod_pack_set(ADDR_MOD_0, (addr_mod_pack_t){.y_src = {.incr = 4}});
  addr_mod_pack_set(ADDR_MOD_1, (addr_mod_pack_t){.y_src = {.clr = 1}, .z_src = {.incr = 1}});
  addr_mod_pack_set(ADDR_MOD_2, (addr_mod_pack_t){.y_src = {.clr = 1}, .z_src = {.clr = 1}});
  mop_template_t mop = {.outer = 4, .inner = 4, .loop_op0 = TT_OP_PACR(0, 0, 0, ADDR_MOD_0, 0, 0, 0, 0, 0, 0, 0, 0)};
  mop.last_inner = TT_OP_PACR(0, 0, 0, ADDR_MOD_1, 0, 0, 0, 0, 0, 0, 0, 0);
  mop.last_outer = TT_OP_PACR(0, 0, 0, ADDR_MOD_2, 0, 0, 0, 0, 0, 0, 0, 1);
  mop_program(&mop);
  TTI_SETADCXX(p_setadc_PAC, 15, 0);
  TTI_SETADCXY(p_setadc_PAC, 0, 0, 0, 0, 0b1011);
  TTI_SETADCZW(p_setadc_PAC, 0, 0, 0, 0, 0b1111);
}

/* Output buffer, and one of the buffers the numbers in Dst come from. */
TT_INLINE void pack_configure(uint32_t cb_out, uint32_t format_in) {
  pack_dst_is_a = format_is_a(format_in_src(format_in, DST_ACCUM_MODE));
  pack_dst_is_int = format_kind(format_in);
  pack_cb = cb_out;
  pack_check_format(cb_out, cb_format(cb_out));
  tensix_sync();
  TTI_SETC16(CFG_STATE_ID_StateID_ADDR32, 0);
  pack_set_format(cb_format(cb_out));
  pack_mop();
  TTI_STALLWAIT(p_stall_STALL_PACK | p_stall_STALL_CFG, p_stall_TRISC_CFG);
}

/* Sets another format of the buffer from here on. */
TT_INLINE void pack_reconfigure(uint32_t cb_out) {
  pack_cb = cb_out;
  pack_check_format(cb_out, cb_format(cb_out));
  tensix_sync();
  pack_set_format(cb_format(cb_out));
  TTI_STALLWAIT(p_stall_STALL_PACK | p_stall_STALL_CFG, p_stall_TRISC_CFG);
}

/* The vector unit has converted the content of Dst: to this kind of numbers; floats have eight exponent bits. */
TT_INLINE void pack_converted(uint32_t kind) {
  pack_dst_is_int = kind;
  pack_dst_is_a = 0;
  pack_reconfigure(pack_cb);
}

/* threshold: 16 bits of the Dst format (BFLOAT16 or FLOAT16). ISA: Packers/ReLU.md */
TT_INLINE void pack_set_relu(uint32_t type, uint32_t threshold) {
  KERNEL_CHECK(type <= RELU_MAX_THRESHOLD, "no such type of ReLU");
  KERNEL_CHECK(type < RELU_MIN_THRESHOLD || (!pack_dst_is_int && threshold >> 15 == 0),
               "ReLU with a threshold is for floats, and the threshold is 16 bits of a number not below 0");
  TTI_STALLWAIT(p_stall_STALL_CFG, p_stall_PACK);
  t6_mutex_acquire(mutex_REG_RMW);
  cfg_rmw(STACC_RELU_ApplyRelu_RMW, type);
  cfg_rmw(STACC_RELU_ReluThreshold_RMW, threshold);
  t6_mutex_release(mutex_REG_RMW);
}

TT_INLINE void pack_set_l1_accumulate(uint32_t on) {
  KERNEL_CHECK(!on || pack_out_format == DATA_FORMAT_FLOAT32 || pack_out_format == DATA_FORMAT_FLOAT16 ||
                   pack_out_format == DATA_FORMAT_BFLOAT16,
               "the packer accumulates in L1 in FLOAT32, FLOAT16 and BFLOAT16 only");
  TTI_STALLWAIT(p_stall_STALL_CFG, p_stall_PACK);
  cfg_rmw(THCON_SEC0_REG1_Disable_pack_zero_flags_RMW, on);
  cfg_rmw(THCON_SEC0_REG1_Pack_L1_Acc_RMW, on);
}

/* Checks that the packer's format is that of the buffer: otherwise it would write other bytes than the consumer unpacks. */
TT_INLINE void pack_check_buffer(uint32_t cb_out) {
  if (format_in_l1(cb_at(cb_out)->format) == pack_out_format) return;
  KERNEL_CHECK(pack_out_format != PACK_NO_FORMAT, "no init has named an output buffer: " KERNEL_STARTS);
  KERNEL_CHECK_VALUE(0, "circular buffer %u has another data format than the packer: call pack_reconfig_data_format",
                     cb_out);
}

/* The byte address of page number `page` after the write pointer. */
TT_INLINE uint32_t pack_page_address(uint32_t cb_out, uint32_t page) {
  CB_CHECK_INDEX(cb_out, page, CB_PAST_BACK);
  return cb_at(cb_out)->write + page * cb_at(cb_out)->page_bytes;
}

/* Tile `dst` of the committed part of Dst to byte address `address`. */
TT_INLINE void pack_to(uint32_t dst, uint32_t address) {
  DST_CHECK_HELD();
  DST_CHECK_TILE(dst);
  PACK_CHECK_KIND(dst_kind_or(dst, pack_dst_is_int));
  TT_SETADC(p_setadc_PAC, p_setadc_CH_0, p_setadc_SET_W, dst);
  gpr_set(p_gpr_pack_OUTPUT_ADDR, (address >> 4) - 1); /* the packer skips one 16-byte tile header */
  TTI_STALLWAIT(p_stall_STALL_CFG, p_stall_THCON | p_stall_PACK);
  cfg_from_gpr(THCON_SEC0_REG1_L1_Dest_addr_ADDR32, p_gpr_pack_OUTPUT_ADDR);
  mop_run();
}

#endif
#endif
