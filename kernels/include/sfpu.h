/* Functions of numbers in Dst, by the vector unit: FP32 arithmetic on 32 lanes, 32 iterations per tile. The functions are the rows of
 * sfpu_functions.def, each as NAME(...) and NAME_init(); their bodies are in sfpu_math.h and sfpu_more.h. Errors in units of the last
 * place: docs/reference/sfpu-accuracy.md.
 *
 * Parameters are 32-bit patterns (of a float, or an integer). A result that a 16-bit Dst cannot hold is rounded to nearest, ties away from
 * zero. Uses address modes 6 and 7: a matmul with throttle needs its init again. ISA: SFPLOAD.md, SFPSTORE.md, SFPCONFIG.md */
#ifndef TENSIX_SFPU_H
#define TENSIX_SFPU_H

#include "sfpu_more.h"
#include "sfpu_special.h"

static uint32_t sfpu_faces __attribute__((unused)) = 0xf; /* bit per face of the tile */

#ifdef SFPU_CORE

#ifdef TRISC_MATH
#define SFPU_DST_IS_A math_dst_is_a
#define SFPU_DST_IS_INT math_dst_is_int
#else
#define SFPU_DST_IS_A pack_dst_is_a
#define SFPU_DST_IS_INT pack_dst_is_int
#endif

/* The number format in Dst: INT32, FP32, FP16, BF16 or UINT16. ISA: SFPLOAD.md */
TT_INLINE uint32_t sfpu_float_mode(void) {
  return DST_ACCUM_MODE ? InstrModLoadStore_FP32 : SFPU_DST_IS_A ? InstrModLoadStore_FP16A : InstrModLoadStore_FP16B;
}
TT_INLINE uint32_t sfpu_dst_mode(void) {
  KERNEL_CHECK(!DST_ACCUM_MODE || SFPU_DST_IS_INT != DST_UINT16,
               "of UINT16 in a 32-bit Dst this function needs another form: "
               "typecast_tile<UInt16, Int32> before it");
  if (SFPU_DST_IS_INT) return SFPU_DST_IS_INT == DST_UINT16 ? InstrModLoadStore_LO16 : InstrModLoadStore_INT32;
  return sfpu_float_mode();
}
/* Forms of integers that a load makes two's complement, and a store converts back: instructions follow the load and precede the store. */
#define SFPU_FORM_UINT16 (0x10u | InstrModLoadStore_INT32) /* UINT16 in a 32-bit Dst */
#define SFPU_FORM_SIGNED (0x20u | InstrModLoadStore_INT32) /* sign and magnitude */
TT_INLINE uint32_t sfpu_uint16_mode(void) { return DST_ACCUM_MODE ? SFPU_FORM_UINT16 : (uint32_t)InstrModLoadStore_LO16; }
/* By the kind of numbers in the first operand's tile. */
TT_INLINE uint32_t sfpu_mode_A(uint32_t kind) {
  if (kind == DST_UINT16) return sfpu_uint16_mode();
  return kind ? (uint32_t)InstrModLoadStore_INT32 : sfpu_float_mode();
}
TT_INLINE uint32_t sfpu_mode_F(uint32_t kind) {
  KERNEL_CHECK(!kind, "Dst holds integers, and this function of the vector unit takes floats: only relu and the "
                      "integer functions take integers");
  (void)kind;
  return sfpu_float_mode() & 15u; /* the compiler sees that no form follows the load */
}
TT_INLINE uint32_t sfpu_mode_V(uint32_t kind) { return sfpu_mode_F(kind); }
/* UINT16: a load zero-extends, and a result keeps its low 16 bits. */
TT_INLINE uint32_t sfpu_mode_U(uint32_t kind) {
  (void)kind;
  return sfpu_uint16_mode();
}
TT_INLINE uint32_t sfpu_mode_I(uint32_t kind) {
  if (kind == DST_UINT16) return sfpu_uint16_mode();
  KERNEL_CHECK(DST_ACCUM_MODE, "integers of 32 bits need a 32-bit Dst: compile with DST_ACCUM_MODE 1");
  return kind == DST_SIGNED ? SFPU_FORM_SIGNED : (uint32_t)InstrModLoadStore_INT32;
}
#define SFPU_KIND_0 dst_kind_or(dst, SFPU_DST_IS_INT)
#define SFPU_KIND_1 dst_kind_or(dst, SFPU_DST_IS_INT)
#define SFPU_KIND_2 dst_kind_or(dst0, SFPU_DST_IS_INT)
#define SFPU_KIND_3 dst_kind_or(dst1, SFPU_DST_IS_INT) /* the first one may be a condition */

/* Writes a parameter to one of L12 to L14, where it stays for the whole tile. Changes L0. */
TT_INLINE void sfpu_parameter(uint32_t reg, uint32_t bits) {
  TT_SFPLOADI(0, 10, bits & 0xffffu);
  TT_SFPLOADI(0, 8, bits >> 16);
  TT_SFPCONFIG(0, reg, 0);
}

/* A parameter that may become a result: half of the last place of a 16-bit Dst is added, as in SFPU_STORE_ROUNDED. The largest finite
 * numbers stay finite. */
TT_INLINE uint32_t sfpu_value(uint32_t bits) {
  uint32_t rounded = bits + (SFPU_DST_IS_A ? 0x1000u : 0x8000u);
  return DST_ACCUM_MODE || SFPU_DST_IS_INT || (rounded & 0x7f800000u) == 0x7f800000u ? bits : rounded;
}
#define SFPU_VALUE_F(bits) bits
#define SFPU_VALUE_I(bits) bits
#define SFPU_VALUE_U(bits) bits
#define SFPU_VALUE_A(bits) sfpu_value(bits)
#define SFPU_VALUE_V(bits) sfpu_value(bits)

/* Waits until Dst holds the operands. The math thread waits for the matrix unit; the pack thread waits for the part of Dst that the math
 * core commits (tile_regs_wait blocks the packer only). */
TT_INLINE void sfpu_begin(void) {
  DST_CHECK_HELD();
  TT_SETC16(DEST_TARGET_REG_CFG_MATH_Offset_ADDR32, dst_base());
  addr_mod_set(ADDR_MOD_7, (addr_mod_t){.srca = {.incr = 0}});
  addr_mod_set(ADDR_MOD_6, (addr_mod_t){.dest = {.incr = 2}});
#ifdef TRISC_MATH
  TTI_STALLWAIT(p_stall_STALL_SFPU, p_stall_MATH);
#else
  TTI_SEMWAIT(p_stall_STALL_SFPU, 1u << semaphore_MATH_PACK, p_stall_STALL_ON_ZERO);
#endif
  SFPU_ENDIF; /* flags enabled, all lanes on */
}
/* The thread's next instructions for the matrix unit or the packer wait for the results. */
TT_INLINE void sfpu_end(void) {
#ifdef TRISC_MATH
  TTI_STALLWAIT(p_stall_STALL_MATH, p_stall_WAIT_SFPU);
#else
  TTI_STALLWAIT(p_stall_STALL_PACK | p_stall_STALL_MATH, p_stall_WAIT_SFPU);
#endif
  TTI_SETRWC(p_setrwc_CLR_NONE, 0, 0, 0, 0, p_setrwc_SET_ABD_F);
}
/* The address of a tile for loads and stores. */
TT_INLINE uint32_t sfpu_place(uint32_t tile) {
  DST_CHECK_TILE(tile);
  return 64 * tile;
}

/* Stores L0 to Dst. A 16-bit Dst truncates the lower bits, so half of its last place is added before. Loads and stores are functions and
 * not macros: every kernel compiles some 140 rows of sfpu_functions.def, and shorter text compiles faster. */
TT_INLINE void sfpu_store_EXACT(uint32_t mode, uint32_t at) {
  if (DST_ACCUM_MODE && mode == SFPU_FORM_UINT16) { /* the number in both halves, by the store that exchanges the halves */
    SFPU_SHIFT(7, 0, 16);
    SFPU_SHIFT(0, 7, -16);
    SFPU_OR(0, 7);
    TT_SFPSTORE(0, 9, ADDR_MOD_6, at);
    return;
  }
  if (DST_ACCUM_MODE && mode == SFPU_FORM_SIGNED) TTI_SFPCAST(0, 0, 3);
  TT_SFPSTORE(0, mode & 15u, ADDR_MOD_6, at);
}
TT_INLINE void sfpu_store_ROUNDED(uint32_t mode, uint32_t at) {
  if (DST_ACCUM_MODE) {
    TT_SFPSTORE(0, mode, ADDR_MOD_6, at);
  } else {
    TT_SFPLOADI(7, 2, SFPU_DST_IS_A ? 0x1000 : 0x8000);
    SFPU_IADD(7, 0);
    TT_SFPSTORE(7, mode, ADDR_MOD_6, at);
  }
}
#define SFPU_LOAD_FUNCTION(reg) \
  TT_INLINE void sfpu_load_##reg(uint32_t mode, uint32_t at) { \
    TT_SFPLOAD(reg, mode & 15u, ADDR_MOD_7, at); \
    if (!DST_ACCUM_MODE || mode < 16) return; \
    if (mode == SFPU_FORM_SIGNED) { \
      TTI_SFPCAST(reg, reg, 3); \
      SFPU_SHIFT(7, reg, 1); \
      SFPU_IF_ZERO(7); /* -0 */ \
      SFPU_INTEGER(reg, 0); \
      SFPU_ENDIF; \
      return; \
    } \
    SFPU_SHIFT(reg, reg, 16); \
    SFPU_SHIFT(reg, reg, -16); \
  }
SFPU_LOAD_FUNCTION(0)
SFPU_LOAD_FUNCTION(1)
SFPU_LOAD_FUNCTION(2)
TT_INLINE void sfpu_first_row(void) { TTI_SETRWC(p_setrwc_CLR_NONE, 0, 0, 0, 0, p_setrwc_SET_D); }
#define SFPU_LOAD_0(mode, face)
#define SFPU_LOAD_1(mode, face) sfpu_load_0(mode, in0 + face)
#define SFPU_LOAD_2(mode, face) \
  SFPU_LOAD_1(mode, face); \
  sfpu_load_1(mode, in1 + face)
#define SFPU_LOAD_3(mode, face) \
  SFPU_LOAD_2(mode, face); \
  sfpu_load_2(mode, in2 + face)
#define SFPU_PLACES_0 const uint32_t to = sfpu_place(dst);
#define SFPU_PLACES_1 const uint32_t in0 = sfpu_place(dst), to = in0;
#define SFPU_PLACES_2 const uint32_t in0 = sfpu_place(dst0), in1 = sfpu_place(dst1), to = sfpu_place(out);
#define SFPU_PLACES_3 \
  const uint32_t in0 = sfpu_place(dst0), in1 = sfpu_place(dst1), in2 = sfpu_place(dst2), to = sfpu_place(out);
#define SFPU_SET_0(value)
#define SFPU_SET_1(value) sfpu_parameter(SFPU_P0, value(p0));
#define SFPU_SET_2(value) SFPU_SET_1(value) sfpu_parameter(SFPU_P1, value(p1));
#define SFPU_SET_3(value) SFPU_SET_2(value) sfpu_parameter(SFPU_P2, value(p2));

/* All rows of the chosen faces: load, body, store. */
#define SFPU_ROWS(operands, load_mode, store_mode, result, body) \
  for (uint32_t face = 0; face < 64; face += 16) { \
    if (!(sfpu_faces >> (face / 16) & 1u)) continue; \
    sfpu_first_row(); \
    for (uint32_t row = 0; row < 8; row++) { \
      SFPU_LOAD_##operands(load_mode, face); \
      body; \
      sfpu_store_##result(store_mode, to + face); \
    } \
  }
#define SFPU_CODE(operands, parameters, numbers, result, body) \
  SFPU_PLACES_##operands const uint32_t mode = sfpu_mode_##numbers(SFPU_KIND_##operands); \
  sfpu_begin(); \
  SFPU_SET_##parameters(SFPU_VALUE_##numbers) SFPU_ROWS(operands, mode, mode, result, body) sfpu_end();
#endif
#define SFPU_NO_CODE(operands, parameters, numbers, result, body) SFPU_UNUSED_##operands SFPU_UNUSED_P##parameters
#define SFPU_LEFT_OUT(operands, parameters, numbers, result, body) \
  SFPU_UNUSED_##operands SFPU_UNUSED_P##parameters sfpu_left_out();
#ifdef SFPU_WITH_FUNCTIONS
#define SFPU_OWN_CODE SFPU_CODE
#else
#define SFPU_OWN_CODE SFPU_LEFT_OUT
#endif
#ifdef TRISC_MATH
#define SFPU_CODE_MATH SFPU_OWN_CODE
#else
#define SFPU_CODE_MATH SFPU_NO_CODE
#endif
#ifdef TRISC_PACK
#define SFPU_CODE_PACK SFPU_OWN_CODE
#else
#define SFPU_CODE_PACK SFPU_NO_CODE
#endif
#define SFPU_UNUSED_0 (void)dst;
#define SFPU_UNUSED_1 (void)dst;
#define SFPU_UNUSED_2 (void)dst0, (void)dst1, (void)out;
#define SFPU_UNUSED_3 (void)dst0, (void)dst1, (void)dst2, (void)out;
#define SFPU_UNUSED_P0
#define SFPU_UNUSED_P1 (void)p0;
#define SFPU_UNUSED_P2 (void)p0, (void)p1;
#define SFPU_UNUSED_P3 (void)p0, (void)p1, (void)p2;

/* --- the rows as functions: NAME on the math core; NAME_pack on the pack core, between tile_regs_wait and pack_tile. The threads share the
 * vector unit's registers, so the math core must not use the vector unit meanwhile --- */

/* The result's tile has the kind of the operand's; both cores follow it. */
#ifdef TRISC_UNPACK
#define SFPU_RESULT_2
#define SFPU_RESULT_3
#else
#define SFPU_RESULT_2 dst_copy_kind(dst0, out);
#define SFPU_RESULT_3 dst_copy_kind(dst1, out);
#endif
#define SFPU_RESULT_0
#define SFPU_RESULT_1

#define SFPU_ARGS_0_1 uint32_t dst, uint32_t p0
#define SFPU_ARGS_0_2 uint32_t dst, uint32_t p0, uint32_t p1
#define SFPU_ARGS_1_0 uint32_t dst
#define SFPU_ARGS_1_1 uint32_t dst, uint32_t p0
#define SFPU_ARGS_1_2 uint32_t dst, uint32_t p0, uint32_t p1
#define SFPU_ARGS_1_3 uint32_t dst, uint32_t p0, uint32_t p1, uint32_t p2
#define SFPU_ARGS_2_0 uint32_t dst0, uint32_t dst1, uint32_t out
#define SFPU_ARGS_2_1 uint32_t dst0, uint32_t dst1, uint32_t out, uint32_t p0
#define SFPU_ARGS_2_2 uint32_t dst0, uint32_t dst1, uint32_t out, uint32_t p0, uint32_t p1
#define SFPU_ARGS_3_0 uint32_t dst0, uint32_t dst1, uint32_t dst2, uint32_t out
#define SFPU_ARGS_3_1 uint32_t dst0, uint32_t dst1, uint32_t dst2, uint32_t out, uint32_t p0

/* C++ kernels use the vendor's names and are meant to run with the vendor's library too, where an init sets constants and code that its
 * function needs. Here no state is kept from tile to tile: NAME_init only notes that it was called, and NAME checks it. In C it is empty.
 * A flag is a variable of its own, so that the compiler removes it and the checks wherever it sees the calls. */
#if defined(__cplusplus) && !defined(TT_RECORD)
namespace {
template <typename State> struct sfpu_initialised { static inline unsigned flag; };
} // namespace
struct sfpu_any_state;
#define SFPU_STATE_OWN(x) struct x##_state;
#define SFPU_STATE_ANY(x)
#define SFPU_FLAG_OWN(x) sfpu_initialised<x##_state>::flag
#define SFPU_FLAG_ANY(x) sfpu_initialised<sfpu_any_state>::flag
#define SFPU_NOTE_OWN(x) SFPU_FLAG_OWN(x) = SFPU_FLAG_ANY(x) = 1;
#define SFPU_NOTE_ANY(x) SFPU_FLAG_ANY(x) = 1;
#define SFPU_INIT_OWN(x) #x "_init"
#define SFPU_INIT_ANY(x) #x "_init"
#else
#define SFPU_STATE_OWN(x)
#define SFPU_STATE_ANY(x)
#define SFPU_NOTE_OWN(x)
#define SFPU_NOTE_ANY(x)
#endif
#if defined(__cplusplus) && !defined(TT_RECORD) && !defined(KERNEL_UNCHECKED)
#define SFPU_CHECK_INIT(name, init) \
  KERNEL_CHECK(SFPU_FLAG_##init, name " without its init: call " SFPU_INIT_##init " before it");
#else
#define SFPU_CHECK_INIT(name, init)
#endif
/* The core's own part: MATH(x) and PACK(x) of an argument without commas. */
#define SFPU_INIT_FUNCTION(name, init) \
  TT_INLINE void name##_init(void){MATH(SFPU_NOTE_##init)} TT_INLINE void name##_init_pack(void) { PACK(SFPU_NOTE_##init) }

#define SFPU_FUNCTION(name, operands, parameters, numbers, result, init, body) \
  SFPU_STATE_##init TT_INLINE void name(SFPU_ARGS_##operands##_##parameters){ \
      MATH(SFPU_CHECK_INIT(#name, init)) SFPU_CODE_MATH(operands, parameters, numbers, result, body) \
          SFPU_RESULT_##operands} TT_INLINE void name##_pack(SFPU_ARGS_##operands##_##parameters){ \
      PACK(SFPU_CHECK_INIT(#name "_pack", init)) SFPU_CODE_PACK(operands, parameters, numbers, result, body) \
          SFPU_RESULT_##operands} SFPU_INIT_FUNCTION(name, init)
#include "sfpu_functions.def"
#undef SFPU_FUNCTION

/* In C: for floats, or integers with a sign. C++ selects by a format (api_sfpu.h). */
#ifndef __cplusplus
#define where_tile where_float_tile
#define logical_not_tile logical_not_float_tile
#define lt_int_tile lt_int32_tile
#define gt_int_tile gt_int32_tile
#define le_int_tile le_int32_tile
#define ge_int_tile ge_int32_tile
#endif

/* Seeds the random numbers: all lanes differ from then on. ISA: VectorUnit.md, "PRNG" */
TT_INLINE void sfpu_seed(uint32_t seed) {
#ifdef TRISC_MATH
  TTI_STALLWAIT(p_stall_STALL_CFG, p_stall_MATH | p_stall_WAIT_SFPU);
  cfg_rmw(PRNG_SEED_Seed_Val_RMW, seed);
  TTI_STALLWAIT(p_stall_STALL_SFPU, p_stall_CFGEXU);
#endif
  (void)seed;
}

/* --- conversions in a 32-bit Dst, integers in two's complement --- */

#if defined(TRISC_MATH) && defined(SFPU_WITH_FUNCTIONS)
/* L0 = the integer towards zero, -2^31 for all that does not fit, of both signs, as in the vendor's library; changes L1 to L4. ISA:
 * SFPEXEXP.md, SFPEXMAN.md */
TT_INLINE void sfpu_float_to_int32(void) {
  TTI_SFPEXEXP(0, 0, 1, 0);
  TTI_SFPEXMAN(0, 0, 2, 0);
  SFPU_IADD_SHORT(3, 1, -23);
  TTI_SFPSHFT(0, 3, 2, 0);
  SFPU_IF_NEGATIVE(1); /* below 1 */
  SFPU_INTEGER(2, 0);
  SFPU_ENDIF;
  SFPU_IF_NEGATIVE(0);
  SFPU_ISUB(2, SFPU_ZERO);
  SFPU_ENDIF;
  SFPU_IADD_SHORT(3, 1, -31);
  SFPU_IF_NOT_NEGATIVE(3); /* the magnitude is 2^31 or above */
  SFPU_CONSTANT(2, 0x80000000u);
  SFPU_ENDIF;
  SFPU_MOVE(0, 2);
}
/* The same, but the nearest number for what does not fit: on the way to INT8. */
TT_INLINE void sfpu_float_to_nearest_int32(void) {
  SFPU_MOVE(5, 0);
  sfpu_float_to_int32();
  SFPU_IF_NOT_NEGATIVE(3);
  SFPU_IF_NOT_NEGATIVE(5);
  SFPU_CONSTANT(0, 0x7fffffffu);
  SFPU_ENDIF;
}
/* Towards zero, out of 0 to 2^32 - 1 the nearest. */
TT_INLINE void sfpu_float_to_uint32(void) {
  TTI_SFPEXEXP(0, 0, 1, 0);
  TTI_SFPEXMAN(0, 0, 2, 0);
  SFPU_IADD_SHORT(3, 1, -23);
  TTI_SFPSHFT(0, 3, 2, 0);
  SFPU_IADD_SHORT(3, 1, -32);
  SFPU_IF_NOT_NEGATIVE(3);
  SFPU_CONSTANT(2, 0xffffffffu);
  SFPU_ENDIF;
  SFPU_IF_NEGATIVE(1);
  SFPU_INTEGER(2, 0);
  SFPU_ENDIF;
  SFPU_IF_NEGATIVE(0);
  SFPU_INTEGER(2, 0);
  SFPU_ENDIF;
  SFPU_MOVE(0, 2);
}
/* To nearest, ties to even. SFPCAST requires sign and magnitude, which cannot represent -2^31. */
TT_INLINE void sfpu_int32_to_float(void) {
  SFPU_CONSTANT(1, 0x80000000u);
  SFPU_XOR(1, 0);
  TTI_SFPCAST(0, 0, 3);
  TTI_SFPCAST(0, 0, 0);
  SFPU_IF_ZERO(1);
  SFPU_SHORT(0, 0xcf00);
  SFPU_ENDIF;
}
/* Halves from 2^31 on, the lost bit kept as a sticky one. */
TT_INLINE void sfpu_uint32_to_float(void) {
  SFPU_MOVE(1, 0);
  SFPU_INTEGER(2, 1);
  SFPU_AND(2, 0);
  SFPU_IF_NEGATIVE(1);
  SFPU_SHIFT(0, 0, -1);
  SFPU_OR(0, 2);
  SFPU_ENDIF;
  TTI_SFPCAST(0, 0, 0);
  SFPU_IF_NEGATIVE(1);
  SFPU_ADD(0, 0, 0);
  SFPU_ENDIF;
}
/* The nearest number from 0 to 65535. */
TT_INLINE void sfpu_int32_to_uint16(void) {
  SFPU_IF_NEGATIVE(0);
  SFPU_INTEGER(0, 0);
  SFPU_ENDIF;
  SFPU_INTEGER(1, 0xffff);
  SFPU_MIN(0, 1);
}
TT_INLINE void sfpu_uint32_to_uint16(void) {
  SFPU_IF_NEGATIVE(0); /* 2^31 and above */
  SFPU_INTEGER(0, 0xffff);
  SFPU_ENDIF;
  SFPU_INTEGER(1, 0xffff);
  SFPU_MIN(0, 1);
}
/* The nearest number from 0 to 65535, halves upwards: as the vendor's typecast. ISA: SFPSTOCHRND_FloatInt.md */
TT_INLINE void sfpu_float_to_uint16(void) {
  SFPU_MAX(0, SFPU_ZERO);
  TTI_SFP_STOCH_RND(0, 0, 0, 0, 0, 6);
}
/* Sign and magnitude has no -2^31. */
TT_INLINE void sfpu_int32_to_signed(void) {
  SFPU_CONSTANT(1, 0x80000000u);
  SFPU_XOR(1, 0);
  SFPU_IF_ZERO(1);
  SFPU_CONSTANT(0, 0x80000001u);
  SFPU_ENDIF;
}
/* From 0 to 2^31 - 1. */
TT_INLINE void sfpu_uint32_to_signed(void) {
  SFPU_IF_NEGATIVE(0); /* 2^31 and above */
  SFPU_CONSTANT(0, 0x7fffffffu);
  SFPU_ENDIF;
}
TT_INLINE void sfpu_low_byte(void) {
  SFPU_INTEGER(1, 0xff);
  SFPU_AND(0, 1);
}
#define SFPU_CONVERSION(name, load, store, body) \
  TT_INLINE void name(uint32_t dst) { \
    KERNEL_CHECK(DST_ACCUM_MODE, "conversions of integers need a 32-bit Dst: compile with DST_ACCUM_MODE 1"); \
    SFPU_PLACES_1 sfpu_begin(); \
    SFPU_ROWS(1, load, store, EXACT, body) sfpu_end(); \
  }
#define SFPU_CONVERSION_16(name, load, store, result, body) \
  TT_INLINE void name(uint32_t dst) { \
    SFPU_PLACES_1 const uint32_t from = load, into = store; \
    sfpu_begin(); \
    SFPU_ROWS(1, from, into, result, body) sfpu_end(); \
  }
#else
#define SFPU_CONVERSION(name, load, store, body) \
  TT_INLINE void name(uint32_t dst) { SFPU_CODE_MATH(1, 0, , , ) }
#define SFPU_CONVERSION_16(name, load, store, result, body) SFPU_CONVERSION(name, load, store, body)
#endif
SFPU_CONVERSION(float_to_int32_tile, InstrModLoadStore_FP32, InstrModLoadStore_INT32, sfpu_float_to_int32())
SFPU_CONVERSION(float_to_nearest_int32_tile, InstrModLoadStore_FP32, InstrModLoadStore_INT32, sfpu_float_to_nearest_int32())
SFPU_CONVERSION(float_to_uint32_tile, InstrModLoadStore_FP32, InstrModLoadStore_INT32, sfpu_float_to_uint32())
SFPU_CONVERSION(int32_to_float_tile, InstrModLoadStore_INT32, InstrModLoadStore_FP32, sfpu_int32_to_float())
SFPU_CONVERSION(uint32_to_float_tile, InstrModLoadStore_INT32, InstrModLoadStore_FP32, sfpu_uint32_to_float())
SFPU_CONVERSION(float_to_bf16_tile, InstrModLoadStore_FP32, InstrModLoadStore_FP32, TTI_SFP_STOCH_RND(0, 0, 0, 0, 0, 1))
SFPU_CONVERSION(int32_to_uint16_tile, InstrModLoadStore_INT32, SFPU_FORM_UINT16, sfpu_int32_to_uint16())
SFPU_CONVERSION(uint32_to_uint16_tile, InstrModLoadStore_INT32, SFPU_FORM_UINT16, sfpu_uint32_to_uint16())
SFPU_CONVERSION(uint16_to_int32_tile, SFPU_FORM_UINT16, InstrModLoadStore_INT32, (void)0)
SFPU_CONVERSION(signed_to_int32_tile, SFPU_FORM_SIGNED, InstrModLoadStore_INT32, (void)0)
SFPU_CONVERSION(uint32_to_signed_tile, InstrModLoadStore_INT32, InstrModLoadStore_INT32, sfpu_uint32_to_signed())
SFPU_CONVERSION(int32_to_uint8_tile, InstrModLoadStore_INT32, InstrModLoadStore_INT32, sfpu_low_byte())
SFPU_CONVERSION(int32_to_signed_tile, InstrModLoadStore_INT32, SFPU_FORM_SIGNED, sfpu_int32_to_signed())
SFPU_CONVERSION_16(uint16_to_float_tile, sfpu_uint16_mode(),
                   DST_ACCUM_MODE ? InstrModLoadStore_FP32 : InstrModLoadStore_FP16B, ROUNDED, TTI_SFPCAST(0, 0, 0))
SFPU_CONVERSION_16(float_to_uint16_tile, sfpu_float_mode(), sfpu_uint16_mode(), EXACT, sfpu_float_to_uint16())

/* Tile `dst` holds this kind of numbers now. The packer follows by pack_converted, before the first tile. */
TT_INLINE void sfpu_converted(uint32_t dst, uint32_t kind) { dst_set_kind(dst, kind); }

/* Two tiles of a 32-bit Dst, of which one or the result has another kind of numbers. Quantization: a b + P0, rounded to nearest, ties away
 * from zero, and held to the range of the result; back: (a + P0) b. P0 is the zero point as FLOAT32 (its negative on the way back). */
#if defined(TRISC_MATH) && defined(SFPU_WITH_FUNCTIONS)
/* L0 to an integer of 8 bits, with or without sign, in two's complement. ISA: SFPSTOCHRND_FloatInt.md */
#define SFPU_QUANTIZE(is_unsigned) \
  do { \
    SFPU_MAD(0, 0, 1, SFPU_P0); \
    if (is_unsigned) { \
      SFPU_SHORT(1, 0); \
      SFPU_MAX(0, 1); \
      TTI_SFP_STOCH_RND(0, 0, 0, 0, 0, 2); \
    } else { \
      TTI_SFP_STOCH_RND(0, 0, 0, 0, 0, 3); \
      SFPU_SHIFT(1, 0, 1); \
      SFPU_IF_ZERO(1); /* -0 */ \
      SFPU_SHORT(0, 0); \
      SFPU_ENDIF; \
      TTI_SFPCAST(0, 0, 3); \
    } \
  } while (0)
/* L0 = the float of integer L0; L1 stays. Changes L6. */
#define SFPU_FLOAT_OF_FIRST() \
  do { \
    SFPU_MOVE(6, 1); \
    sfpu_int32_to_float(); \
    SFPU_MOVE(1, 6); \
  } while (0)
#define SFPU_DIVIDE_INTEGERS() \
  do { \
    SFPU_FLOAT_OF_FIRST(); \
    SFPU_MOVE(7, 0); \
    SFPU_MOVE(0, 1); \
    sfpu_int32_to_float(); \
    SFPU_MOVE(1, 0); \
    SFPU_MOVE(0, 7); \
    sfpu_divide(); \
  } while (0)
#define SFPU_CONVERSION_2(name, store, body) \
  TT_INLINE void name(SFPU_ARGS_2_1) { \
    KERNEL_CHECK(DST_ACCUM_MODE, "conversions of integers need a 32-bit Dst: compile with DST_ACCUM_MODE 1"); \
    SFPU_PLACES_2 sfpu_begin(); \
    SFPU_SET_1(SFPU_VALUE_F) SFPU_ROWS(2, InstrModLoadStore_INT32, store, EXACT, body) sfpu_end(); \
  }
#else
#define SFPU_CONVERSION_2(name, store, body) \
  TT_INLINE void name(SFPU_ARGS_2_1) { SFPU_CODE_MATH(2, 1, , , ) }
#endif
SFPU_CONVERSION_2(quant_int8_tile, InstrModLoadStore_INT32, SFPU_QUANTIZE(0))
SFPU_CONVERSION_2(quant_uint8_tile, InstrModLoadStore_INT32, SFPU_QUANTIZE(1))
SFPU_CONVERSION_2(requant_int8_tile, InstrModLoadStore_INT32, SFPU_FLOAT_OF_FIRST(); SFPU_QUANTIZE(0))
SFPU_CONVERSION_2(requant_uint8_tile, InstrModLoadStore_INT32, SFPU_FLOAT_OF_FIRST(); SFPU_QUANTIZE(1))
SFPU_CONVERSION_2(dequant_scaled_tile, InstrModLoadStore_INT32, SFPU_FLOAT_OF_FIRST(); SFPU_ADD(0, 0, SFPU_P0);
                  SFPU_MUL(0, 0, 1))
SFPU_CONVERSION_2(divide_int32_tile, InstrModLoadStore_INT32, SFPU_DIVIDE_INTEGERS())

/* --- a function that is chosen at run time --- */

enum sfpu_function {
  SFPU_EXP,
  SFPU_RECIP,
  SFPU_SQRT,
  SFPU_RSQRT,
  SFPU_SIGMOID,
  SFPU_TANH,
  SFPU_GELU,
  SFPU_SILU,
  SFPU_RELU,
  SFPU_ABS,
  SFPU_SQUARE,
  SFPU_NEGATIVE,
  SFPU_FUNCTIONS
};

TT_INLINE void sfpu_tile(uint32_t function, uint32_t dst) {
  switch (function) {
    case SFPU_EXP:
      exp_tile_init();
      exp_tile(dst);
      break;
    case SFPU_RECIP:
      recip_tile_init();
      recip_tile(dst);
      break;
    case SFPU_SQRT:
      sqrt_tile_init();
      sqrt_tile(dst);
      break;
    case SFPU_RSQRT:
      rsqrt_tile_init();
      rsqrt_tile(dst);
      break;
    case SFPU_SIGMOID:
      sigmoid_tile_init();
      sigmoid_tile(dst);
      break;
    case SFPU_TANH:
      tanh_tile_init();
      tanh_tile(dst);
      break;
    case SFPU_GELU:
      gelu_tile_init();
      gelu_tile(dst);
      break;
    case SFPU_SILU:
      silu_tile_init();
      silu_tile(dst);
      break;
    case SFPU_RELU:
      relu_tile_init();
      relu_tile(dst);
      break;
    case SFPU_ABS:
      abs_tile_init();
      abs_tile(dst);
      break;
    case SFPU_SQUARE:
      square_tile_init();
      square_tile(dst);
      break;
    case SFPU_NEGATIVE:
      negative_tile_init();
      negative_tile(dst);
      break;
    default: KERNEL_CHECK(0, "no such function of the vector unit"); break;
  }
}

#endif
