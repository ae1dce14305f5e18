/* The vector unit's functions in C++: each row of sfpu_functions.def also with template arguments, which select speed or accuracy in the
 * vendor's library and have no effect here, and with a VectorMode; then the functions whose arguments differ. */
#ifndef TENSIX_API_SFPU_H
#define TENSIX_API_SFPU_H

#include "api_common.h"
#include "sfpu.h"

enum class VectorMode : int { None = 0, R = 1, C = 2, RC = 4, RC_custom = 6 };
/* What rdiv_tile makes of the quotient. */
enum class RoundingMode : uint8_t { None = 0, Trunc = 1, Floor = 2 };
/* The vendor's add, sub and rsub of tiles truncate for a 16-bit Dst by default; here every result is rounded to nearest (sfpu.h), so the choice has
 * no effect. */
enum class DstRoundingMode : uint8_t { Default = 0, NearestEven = 1 };
/* A choice of the vendor's fast exp; it has no effect here. */
enum class InputClamping : uint8_t { None = 0, ClampToNegative = 1 };

/* Faces that a mode covers: the first; the upper two (a row); the left two (a column); all. */
inline uint32_t sfpu_faces_of(VectorMode mode) {
  return mode == VectorMode::None ? 0x1 : mode == VectorMode::R ? 0x3 : mode == VectorMode::C ? 0x5 : 0xf;
}
struct sfpu_face_choice {
  explicit sfpu_face_choice(VectorMode mode) { sfpu_faces = sfpu_faces_of(mode); }
  ~sfpu_face_choice() { sfpu_faces = 0xf; }
};

#define SFPU_PASS_0_1 dst, p0
#define SFPU_PASS_0_2 dst, p0, p1
#define SFPU_PASS_1_0 dst
#define SFPU_PASS_1_1 dst, p0
#define SFPU_PASS_1_2 dst, p0, p1
#define SFPU_PASS_1_3 dst, p0, p1, p2
#define SFPU_PASS_2_0 dst0, dst1, out
#define SFPU_PASS_2_2 dst0, dst1, out, p0, p1
#define SFPU_PASS_3_0 dst0, dst1, dst2, out
#define SFPU_PASS_3_1 dst0, dst1, dst2, out, p0
/* Data formats as the kinds of numbers in Dst, by their codes. */
constexpr bool sfpu_is_integer(DataFormat f) {
  return f == DataFormat::Int32 || f == DataFormat::UInt32 || f == DataFormat::UInt16 || f == DataFormat::UInt8;
}
constexpr bool sfpu_code_is_integer(uint32_t code) { return sfpu_is_integer((DataFormat)code); }
constexpr bool sfpu_code_is_uint16(uint32_t code) { return code == (uint32_t)DataFormat::UInt16; }
constexpr bool sfpu_code_is_int8(uint32_t code) {
  return code == (uint32_t)DataFormat::Int8 || code == (uint32_t)DataFormat::UInt8;
}
constexpr uint32_t sfpu_kind_of(uint32_t code) {
  return sfpu_code_is_int8(code)      ? DST_SIGNED
         : sfpu_code_is_uint16(code)  ? DST_UINT16
         : sfpu_code_is_integer(code) ? DST_INTEGERS
                                      : DST_FLOATS;
}

/* A function that is given the type of its integers, and a tile that a copy or a conversion has left: both must be of 32 bits, of 16 bits, or
 * floats. A tile whose numbers are not known is not checked. */
#if !defined(TRISC_MATH) || defined(KERNEL_UNCHECKED)
inline void sfpu_check_kind(uint32_t, uint32_t) {}
#else
#define SFPU_OTHER_TYPE(held) \
  "tile %u of Dst holds " held \
  ", and the function's template argument is another type: give that type, or typecast_tile before"
TT_INLINE void sfpu_check_kind(uint32_t dst, uint32_t kind) {
  uint32_t held = dst_kind_or(dst, kind);
  KERNEL_CHECK_VALUE(held != DST_UINT16 || kind == DST_UINT16, SFPU_OTHER_TYPE("UINT16"), dst);
  KERNEL_CHECK_VALUE(held != DST_FLOATS || kind == DST_FLOATS, SFPU_OTHER_TYPE("floats"), dst);
  KERNEL_CHECK_VALUE((held != DST_INTEGERS && held != DST_SIGNED) || kind == DST_INTEGERS || kind == DST_SIGNED,
                     SFPU_OTHER_TYPE("integers of 32 bits"), dst);
}
#endif
/* The DataFormat among template arguments, if it is one of integers. */
constexpr DataFormat sfpu_type_or(DataFormat type, DataFormat) { return type; }
template <typename T> constexpr DataFormat sfpu_type_or(T, DataFormat type) { return type; }
template <auto... options> constexpr DataFormat sfpu_type_in() {
  DataFormat type = DataFormat::Invalid;
  ((type = sfpu_type_or(options, type)), ...);
  return type;
}
template <DataFormat type, typename... Rest> inline void sfpu_check_type_1(uint32_t dst, Rest...) {
  (void)dst;
  if constexpr (sfpu_is_integer(type)) sfpu_check_kind(dst, sfpu_kind_of((uint32_t)type));
}
template <DataFormat type, typename... Rest> inline void sfpu_check_type_2(uint32_t dst0, uint32_t dst1, Rest...) {
  sfpu_check_type_1<type>(dst0);
  sfpu_check_type_1<type>(dst1);
}
template <DataFormat type, typename... Rest>
inline void sfpu_check_type_3(uint32_t, uint32_t dst1, uint32_t dst2, Rest...) { /* the first one may be a condition */
  sfpu_check_type_2<type>(dst1, dst2);
}
template <DataFormat type, typename... Rest> inline void sfpu_check_type_0(uint32_t, Rest...) {}
#define SFPU_CHECK_TYPE_I(operands, parameters) \
  sfpu_check_type_##operands<sfpu_type_in<options...>()>(SFPU_PASS_##operands##_##parameters);
#define SFPU_CHECK_TYPE_U SFPU_CHECK_TYPE_I
#define SFPU_CHECK_TYPE_F(operands, parameters)
#define SFPU_CHECK_TYPE_V(operands, parameters)
#define SFPU_CHECK_TYPE_A(operands, parameters)

/* The VectorMode among template arguments; without one, all faces. */
constexpr VectorMode sfpu_mode_or(VectorMode mode, VectorMode) { return mode; }
template <typename T> constexpr VectorMode sfpu_mode_or(T, VectorMode mode) { return mode; }
template <auto... options> constexpr VectorMode sfpu_mode_in() {
  VectorMode mode = VectorMode::RC;
  ((mode = sfpu_mode_or(options, mode)), ...);
  return mode;
}
constexpr RoundingMode sfpu_rounding_or(RoundingMode mode, RoundingMode) { return mode; }
template <typename T> constexpr RoundingMode sfpu_rounding_or(T, RoundingMode mode) { return mode; }
template <auto... options> constexpr RoundingMode sfpu_rounding_in() {
  RoundingMode mode = RoundingMode::None;
  ((mode = sfpu_rounding_or(options, mode)), ...);
  return mode;
}
/* The RoundingMode among template arguments, for functions of one operand: the vendor's rdiv_tile. A 16-bit Dst would round the quotient
 * before. */
#define SFPU_CHECK_ROUNDING(mode) \
  static_assert(mode == RoundingMode::None || DST_ACCUM_MODE, \
                "RoundingMode::Trunc and Floor need a 32-bit Dst: compile with DST_ACCUM_MODE 1")
template <RoundingMode mode, typename... Rest> inline void sfpu_round_result(uint32_t dst, Rest...) {
  SFPU_CHECK_ROUNDING(mode);
  (void)dst;
  if constexpr (mode == RoundingMode::Trunc) trunc_tile(dst);
  if constexpr (mode == RoundingMode::Floor) floor_tile(dst);
}
template <RoundingMode mode, typename... Rest> inline void sfpu_round_result_pack(uint32_t dst, Rest...) {
  SFPU_CHECK_ROUNDING(mode);
  (void)dst;
  if constexpr (mode == RoundingMode::Trunc) trunc_tile_pack(dst);
  if constexpr (mode == RoundingMode::Floor) floor_tile_pack(dst);
}
#define SFPU_ROUND_RESULT(core, operands, parameters) \
  if constexpr (operands == 1) sfpu_round_result##core<sfpu_rounding_in<options...>()>(SFPU_PASS_##operands##_##parameters)
#define SFPU_WITH_OPTIONS(name, core, operands, parameters, numbers) \
  template <auto... options> inline void name##core(SFPU_ARGS_##operands##_##parameters) { \
    SFPU_CHECK_TYPE_##numbers(operands, parameters) if constexpr (sfpu_mode_in<options...>() != VectorMode::RC) { \
      sfpu_face_choice faces(sfpu_mode_in<options...>()); \
      name##core(SFPU_PASS_##operands##_##parameters); \
      SFPU_ROUND_RESULT(core, operands, parameters); \
    } \
    else { \
      name##core(SFPU_PASS_##operands##_##parameters); \
      SFPU_ROUND_RESULT(core, operands, parameters); \
    } \
  } \
  template <auto... options> inline void name##core(SFPU_ARGS_##operands##_##parameters, VectorMode mode) { \
    sfpu_face_choice faces(mode); \
    name##core(SFPU_PASS_##operands##_##parameters); \
    SFPU_ROUND_RESULT(core, operands, parameters); \
  }
#define SFPU_FUNCTION(name, operands, parameters, numbers, result, init, body) \
  SFPU_WITH_OPTIONS(name, , operands, parameters, numbers) \
  SFPU_WITH_OPTIONS(name, _pack, operands, parameters, numbers) \
  template <auto... options> inline void name##_init() { name##_init(); } \
  template <auto... options> inline void name##_init_pack() { name##_init_pack(); }
#include "sfpu_functions.def"
#undef SFPU_FUNCTION

/* exp with a scale of its argument, as BFLOAT16 */
template <auto... options> inline void exp_tile(uint32_t dst, VectorMode mode, uint16_t scale) {
  sfpu_face_choice faces(mode);
  if (scale != 0x3f80) mul_unary_tile(dst, (uint32_t)scale << 16);
  exp_tile(dst);
}
template <auto... options> inline void exp_tile(uint32_t dst, int mode, uint32_t scale) {
  exp_tile(dst, (VectorMode)mode, (uint16_t)scale);
}
template <auto... options> inline void exp_packthread_tile_init() { exp_tile_init_pack(); }
template <auto... options>
inline void exp_packthread_tile(uint32_t dst, VectorMode mode = VectorMode::RC, uint16_t scale = 0x3f80) {
  sfpu_face_choice faces(mode);
  if (scale != 0x3f80) mul_unary_tile_pack(dst, (uint32_t)scale << 16);
  exp_tile_pack(dst);
}
template <auto... options> inline void exp_packthread_tile(uint32_t dst, int mode, uint32_t scale = 0x3f80) {
  exp_packthread_tile(dst, (VectorMode)mode, (uint16_t)scale);
}
/* A VectorMode as a number, for the functions that the vendor's library gives one. */
template <auto... options> inline void exp_tile(uint32_t dst, int mode) { exp_tile(dst, (VectorMode)mode); }
template <auto... options> inline void recip_tile(uint32_t dst, int mode) { recip_tile(dst, (VectorMode)mode); }
template <auto... options> inline void sigmoid_tile(uint32_t dst, int mode) { sigmoid_tile(dst, (VectorMode)mode); }
template <auto... options> inline void rdiv_tile(uint32_t dst, uint32_t p0, int mode) {
  rdiv_tile<options...>(dst, p0, (VectorMode)mode);
}
template <auto... options> inline void rpow_tile(uint32_t dst, uint32_t p0, int mode) {
  rpow_tile(dst, p0, (VectorMode)mode);
}
template <auto... options> inline void binary_max_tile(uint32_t dst0, uint32_t dst1, uint32_t out, int mode) {
  binary_max_tile(dst0, dst1, out, (VectorMode)mode);
}
template <auto... options> inline void binary_min_tile(uint32_t dst0, uint32_t dst1, uint32_t out, int mode) {
  binary_min_tile(dst0, dst1, out, (VectorMode)mode);
}

/* where_tile by data format */
template <DataFormat format> inline void where_tile(uint32_t dst0, uint32_t dst1, uint32_t dst2, uint32_t out) {
  sfpu_check_type_3<format>(dst0, dst1, dst2);
  if (sfpu_is_integer(format)) where_int_tile(dst0, dst1, dst2, out);
  else where_float_tile(dst0, dst1, dst2, out);
}
template <DataFormat format> inline void logical_not_tile(uint32_t dst) {
  sfpu_check_type_1<format>(dst);
  if (sfpu_is_integer(format)) eqz_tile_int32(dst);
  else logical_not_float_tile(dst);
}

/* Comparisons of integers: UInt32 has no sign. */
#define SFPU_BY_SIGN(name, suffix) \
  template <DataFormat format = DataFormat::Int32> \
  inline void name##_int_tile##suffix(uint32_t dst0, uint32_t dst1, uint32_t out) { \
    sfpu_check_type_2<format>(dst0, dst1); \
    if constexpr (format == DataFormat::UInt32) name##_uint32_tile##suffix(dst0, dst1, out); \
    else name##_int32_tile##suffix(dst0, dst1, out); \
  } \
  template <auto... options> inline void name##_int_tile_init##suffix() { name##_int32_tile_init##suffix(); }
#define SFPU_ORDER_OF_INTEGERS(name) \
  SFPU_BY_SIGN(name, ) \
  SFPU_BY_SIGN(name, _pack)
SFPU_ORDER_OF_INTEGERS(lt)
SFPU_ORDER_OF_INTEGERS(gt)
SFPU_ORDER_OF_INTEGERS(le)
SFPU_ORDER_OF_INTEGERS(ge)

/* Conversions between formats, by their codes. The init sets the packer to the format that Dst will hold.
 * Int8 and UInt8 mean integers in sign and magnitude: what copies and the matrix unit make of such operands, and what the packer takes; it
 * keeps them within the range of 8 bits. A conversion to UInt8 takes the low 8 bits of the integer, as the vendor's does;
 * that library has none to Int8, where this one takes the nearest number. */
template <uint32_t in, uint32_t out> struct typecast_state;
template <uint32_t in, uint32_t out> inline void typecast_tile(uint32_t dst) {
#if defined(TRISC_MATH) && !defined(KERNEL_UNCHECKED)
  KERNEL_CHECK((sfpu_initialised<typecast_state<in, out>>::flag),
               "typecast_tile without its init: call typecast_tile_init of the same two formats before it");
  sfpu_check_kind(dst, sfpu_kind_of(in));
#endif
  constexpr uint32_t from = sfpu_kind_of(in), to = sfpu_kind_of(out);
  constexpr bool is_unsigned_in = in == (uint32_t)DataFormat::UInt32, is_unsigned_out = out == (uint32_t)DataFormat::UInt32;
  /* To integers in two's complement, or UINT16 where Dst has 16 bits. */
  if constexpr (from == DST_SIGNED && to != DST_SIGNED) signed_to_int32_tile(dst);
  if constexpr (from == DST_UINT16 && (to == DST_INTEGERS || to == DST_SIGNED)) uint16_to_int32_tile(dst);
  /* To the result. */
  if constexpr (from == DST_UINT16 && to == DST_FLOATS) uint16_to_float_tile(dst);
  else if constexpr (from == DST_FLOATS && to == DST_UINT16) float_to_uint16_tile(dst);
  else if constexpr (from != DST_FLOATS && from != DST_UINT16 && to == DST_UINT16 && is_unsigned_in)
    uint32_to_uint16_tile(dst);
  else if constexpr (from != DST_FLOATS && from != DST_UINT16 && to == DST_UINT16) int32_to_uint16_tile(dst);
  else if constexpr (from != DST_FLOATS && to == DST_FLOATS && is_unsigned_in) uint32_to_float_tile(dst);
  else if constexpr (from != DST_FLOATS && to == DST_FLOATS) int32_to_float_tile(dst);
  else if constexpr (from == DST_FLOATS && to == DST_INTEGERS && is_unsigned_out) float_to_uint32_tile(dst);
  else if constexpr (from == DST_FLOATS && out == (uint32_t)DataFormat::Int8) float_to_nearest_int32_tile(dst);
  else if constexpr (from == DST_FLOATS && to != DST_FLOATS) float_to_int32_tile(dst);
  else if constexpr (in == (uint32_t)DataFormat::Float32 && out == (uint32_t)DataFormat::Float16_b) {
    if (DST_ACCUM_MODE) float_to_bf16_tile(dst); /* a 16-bit Dst has rounded already */
  }
  if constexpr (from != DST_SIGNED && out == (uint32_t)DataFormat::UInt8) int32_to_uint8_tile(dst);
  else if constexpr (to == DST_SIGNED && is_unsigned_in) uint32_to_signed_tile(dst);
  else if constexpr (from != DST_SIGNED && to == DST_SIGNED) int32_to_signed_tile(dst);
  sfpu_converted(dst, to);
}
template <uint32_t in, uint32_t out> inline void typecast_tile_init() {
  MATH((sfpu_initialised<typecast_state<in, out>>::flag = 1);)
  MATH(SFPU_NOTE_ANY(typecast_tile))
  PACK(pack_converted(sfpu_kind_of(out));)
}

inline void fill_tile(uint32_t dst, float value) { fill_tile_bitcast(dst, __builtin_bit_cast(uint32_t, value)); }
template <DataFormat format> inline void fill_tile_int(uint32_t dst, uint32_t value) { fill_integer_tile(dst, value); }
inline void fill_tile_init() { fill_tile_bitcast_init(); }

/* 10^n as FLOAT32, for n from -6 to 6 */
inline uint32_t sfpu_power_of_ten(int32_t n) {
  constexpr float powers[] = {1e-6f, 1e-5f, 1e-4f, 1e-3f, 1e-2f, 1e-1f, 1e0f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f};
  KERNEL_CHECK(n >= -6 && n <= 6, "round_tile: decimals must be -6 to 6");
  return __builtin_bit_cast(uint32_t, powers[n + 6]);
}
inline void round_tile(uint32_t dst, int32_t decimals) {
  round_scaled_tile(dst, sfpu_power_of_ten(decimals), sfpu_power_of_ten(-decimals));
}
inline void rounding_op_tile_init() { floor_tile_init(); }

inline void copy_dest_values(uint32_t in, uint32_t out) { copy_dest_values_tile(in, in, out); }
template <DataFormat format> inline void copy_dest_values(uint32_t in, uint32_t out) { copy_dest_values(in, out); }
inline void leaky_relu_tile(uint32_t dst) { leaky_relu_tile(dst, 0); } /* slope 0 */
inline void copy_dest_values_init() { copy_dest_values_tile_init(); }

/* Writes 0 to the data where the mask is 0. */
template <auto... options> inline void mask_tile(uint32_t data, uint32_t mask, DataFormat = DataFormat::Float16_b) {
  mask_float_tile(data, mask, data);
}
inline void mask_tile_init() { mask_float_tile_init(); }

inline void mask_posinf_tile(uint32_t data, uint32_t mask) { mask_posinf_float_tile(data, mask, data); }
template <bool equal_nan = false>
inline void isclose_binary_tile(uint32_t dst0, uint32_t dst1, uint32_t out, uint32_t relative, uint32_t absolute) {
  static_assert(!equal_nan, "isclose_binary_tile: this library has no order for NaN; EQUAL_NAN must be false");
  isclose_float_tile(dst0, dst1, out, relative, absolute);
}
inline void isclose_binary_tile_init() { isclose_float_tile_init(); }
template <DataFormat format> inline void snake_beta_tile(uint32_t x, uint32_t alpha, uint32_t beta, uint32_t out) {
  snake_beta_float_tile(x, alpha, beta, out);
}
inline void snake_beta_tile_init() { snake_beta_float_tile_init(); }

/* With a divisor set by the init; its reciprocal, the second parameter, is not needed. */
static uint32_t sfpu_divisor __attribute__((unused));
inline void fmod_tile_init(uint32_t divisor, uint32_t) {
  fmod_by_tile_init();
  sfpu_divisor = divisor;
}
inline void fmod_tile(uint32_t dst) { fmod_by_tile(dst, sfpu_divisor); }
inline void remainder_tile_init(uint32_t divisor, uint32_t) {
  remainder_by_tile_init();
  sfpu_divisor = divisor;
}
inline void remainder_tile(uint32_t dst) { remainder_by_tile(dst, sfpu_divisor); }

/* The float quotient of integers, and quantization: the second tile is the scale, the init gives the zero point as FLOAT32. */
inline void div_int32_tile(uint32_t dst0, uint32_t dst1, uint32_t out) {
  divide_int32_tile(dst0, dst1, out, 0);
  sfpu_converted(out, DST_FLOATS);
}
inline void div_int32_tile_init() {
  MATH(SFPU_NOTE_ANY(div_int32_tile))
  PACK(pack_converted(0);)
}
static uint32_t sfpu_zero_point __attribute__((unused)), sfpu_quant_unsigned __attribute__((unused));
inline void sfpu_quant_init(uint32_t zero_point, uint32_t is_unsigned, uint32_t to_int) {
  sfpu_zero_point = zero_point;
  sfpu_quant_unsigned = is_unsigned;
  MATH(SFPU_NOTE_ANY(quant_tile))
  PACK(pack_converted(to_int);)
  (void)to_int;
}
inline void quant_tile_init(uint32_t zero_point) { sfpu_quant_init(zero_point, 0, 1); }
inline void quant_uint8_tile_init(uint32_t zero_point) { sfpu_quant_init(zero_point, 1, 1); }
inline void requant_tile_init(uint32_t zero_point) { sfpu_quant_init(zero_point, 0, 1); }
inline void requant_uint8_tile_init(uint32_t zero_point) { sfpu_quant_init(zero_point, 1, 1); }
inline void dequant_tile_init(uint32_t zero_point) { sfpu_quant_init(zero_point, 0, 0); }
inline void quant_tile(uint32_t dst0, uint32_t dst1, uint32_t out) {
  if (sfpu_quant_unsigned) quant_uint8_tile(dst0, dst1, out, sfpu_zero_point);
  else quant_int8_tile(dst0, dst1, out, sfpu_zero_point);
  sfpu_converted(out, DST_INTEGERS);
}
inline void requant_tile(uint32_t dst0, uint32_t dst1, uint32_t out) {
  if (sfpu_quant_unsigned) requant_uint8_tile(dst0, dst1, out, sfpu_zero_point);
  else requant_int8_tile(dst0, dst1, out, sfpu_zero_point);
  sfpu_converted(out, DST_INTEGERS);
}
inline void dequant_tile(uint32_t dst0, uint32_t dst1, uint32_t out) {
  dequant_scaled_tile(dst0, dst1, out, sfpu_zero_point);
  sfpu_converted(out, DST_FLOATS);
}

/* A second number selects another sequence. */
inline void rand_tile_init(uint32_t seed, uint32_t stream = 0) {
  rand_tile_init();
  sfpu_seed(seed ^ stream * 0x9e3779b9u);
}
inline void dropout_kernel_init(uint32_t seed = 0) {
  dropout_tile_init();
  sfpu_seed(seed);
}

/* Inits whose names are not NAME_init. */
inline void binop_with_scalar_tile_init() { add_unary_tile_init(); }
inline void binary_bitwise_tile_init() { bitwise_and_binary_tile_init(); }
inline void binary_shift_tile_init() { binary_left_shift_tile_init(); }
inline void round_tile_init() { floor_tile_init(); }
inline void where_tile_init() { where_float_tile_init(); }
inline void logical_not_tile_init() { logical_not_float_tile_init(); }

#endif
