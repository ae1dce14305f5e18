/* Every function of sfpu_functions.def on tiles of buffers 0, 1 and 2: argument 7 is its number, 11 to 13 its parameters, 0 the number of
 * tiles, 8 selects the pack core (NAME_pack). The result is in the last of the tiles that the function names. */
#include "compute.h"
#include "sfpu.h"

enum { CB_A = 0, CB_B = 1, CB_C = 2, CB_OUT = 16 };

enum {
#define SFPU_FUNCTION(name, operands, parameters, numbers, result, init, body) F_##name,
#include "sfpu_functions.def"
#undef SFPU_FUNCTION
  F_float_to_int32_tile,
  F_float_to_uint32_tile,
  F_int32_to_float_tile,
  F_uint32_to_float_tile,
  F_float_to_bf16_tile,
  F_quant_int8_tile,
  F_quant_uint8_tile,
  F_requant_int8_tile,
  F_requant_uint8_tile,
  F_dequant_scaled_tile,
  F_divide_int32_tile,
  F_uint16_to_float_tile,
  F_float_to_uint16_tile,
  F_int32_to_uint16_tile,
  F_uint32_to_uint16_tile,
  F_uint16_to_int32_tile,
  F_signed_to_int32_tile,
  F_int32_to_signed_tile,
  F_uint32_to_signed_tile,
  F_int32_to_uint8_tile
};

#define CALL_0_1(name) name(0, p0)
#define CALL_0_2(name) name(0, p0, p1)
#define CALL_1_0(name) name(0)
#define CALL_1_1(name) name(0, p0)
#define CALL_1_2(name) name(0, p0, p1)
#define CALL_1_3(name) name(0, p0, p1, p2)
#define CALL_2_0(name) name(0, 1, 2)
#define CALL_2_2(name) name(0, 1, 2, p0, p1)
#define CALL_3_0(name) name(0, 1, 2, 3)
#define CALL_3_1(name) name(0, 1, 2, 3, p0)

static uint32_t operands_of(uint32_t function) {
  static const uint8_t operands_each[] = {
#define SFPU_FUNCTION(name, operands, parameters, numbers, result, init, body) operands,
#include "sfpu_functions.def"
#undef SFPU_FUNCTION
  };
  return function < sizeof operands_each ? operands_each[function] : 0;
}

static void call_on_pack(uint32_t function, uint32_t p0, uint32_t p1, uint32_t p2) {
  switch (function) {
#define SFPU_FUNCTION(name, operands, parameters, numbers, result, init, body) \
  case F_##name: \
    name##_init_pack(); \
    CALL_##operands##_##parameters(name##_pack); \
    break;
#include "sfpu_functions.def"
#undef SFPU_FUNCTION
    default: KERNEL_CHECK(0, "no such function"); break;
  }
}

#define CONVERSION(name, kind) \
  case F_##name: \
    name(0); \
    sfpu_converted(0, kind); \
    return 1;
static uint32_t call(uint32_t function, uint32_t p0, uint32_t p1, uint32_t p2) {
  switch (function) {
#define SFPU_FUNCTION(name, operands, parameters, numbers, result, init, body) \
  case F_##name: \
    CALL_##operands##_##parameters(name); \
    return operands;
#include "sfpu_functions.def"
#undef SFPU_FUNCTION
    case F_float_to_int32_tile: float_to_int32_tile(0); return 1;
    case F_float_to_uint32_tile: float_to_uint32_tile(0); return 1;
    case F_int32_to_float_tile: int32_to_float_tile(0); return 1;
    case F_uint32_to_float_tile: uint32_to_float_tile(0); return 1;
    case F_float_to_bf16_tile: float_to_bf16_tile(0); return 1;
    case F_quant_int8_tile: quant_int8_tile(0, 1, 2, p0); return 2;
    case F_quant_uint8_tile: quant_uint8_tile(0, 1, 2, p0); return 2;
    case F_requant_int8_tile: requant_int8_tile(0, 1, 2, p0); return 2;
    case F_requant_uint8_tile: requant_uint8_tile(0, 1, 2, p0); return 2;
    case F_dequant_scaled_tile: dequant_scaled_tile(0, 1, 2, p0); return 2;
    case F_divide_int32_tile:
      divide_int32_tile(0, 1, 2, p0);
      return 2;
      CONVERSION(uint16_to_float_tile, DST_FLOATS)
      CONVERSION(float_to_uint16_tile, DST_UINT16)
      CONVERSION(int32_to_uint16_tile, DST_UINT16)
      CONVERSION(uint32_to_uint16_tile, DST_UINT16)
      CONVERSION(uint16_to_int32_tile, DST_INTEGERS)
      CONVERSION(signed_to_int32_tile, DST_INTEGERS)
      CONVERSION(int32_to_signed_tile, DST_SIGNED)
      CONVERSION(uint32_to_signed_tile, DST_SIGNED)
      CONVERSION(int32_to_uint8_tile, DST_SIGNED)
    default: KERNEL_CHECK(0, "no such function"); return 1;
  }
}

void kernel_main(void) {
  uint32_t tiles = get_arg_val(0), function = get_arg_val(7);
  unary_op_init(CB_A, CB_OUT);
  copy_tile_init(CB_A);
  PACK(if (function == F_uint16_to_float_tile) pack_converted(DST_FLOATS);)
  PACK(if (function == F_float_to_uint16_tile || function == F_int32_to_uint16_tile || function == F_uint32_to_uint16_tile)
           pack_converted(DST_UINT16);)
  PACK(if (function == F_uint16_to_int32_tile || function == F_signed_to_int32_tile) pack_converted(DST_INTEGERS);)
  PACK(if (function == F_int32_to_signed_tile || function == F_uint32_to_signed_tile || function == F_int32_to_uint8_tile)
           pack_converted(DST_SIGNED);)
  if (function == F_rand_tile || function == F_dropout_tile) sfpu_seed(20261116);
  for (uint32_t i = 0; i < tiles; i++) {
    tile_regs_acquire();
    copy_tile(CB_A, i, 0);
    copy_tile(CB_B, i, 1);
    copy_tile(CB_C, i, 2);
    uint32_t operands = operands_of(function);
    if (!get_arg_val(8)) operands = call(function, get_arg_val(11), get_arg_val(12), get_arg_val(13));
    tile_regs_commit();
    tile_regs_wait();
    if (get_arg_val(8)) call_on_pack(function, get_arg_val(11), get_arg_val(12), get_arg_val(13));
    cb_reserve_back(CB_OUT, 1);
    pack_tile(operands <= 1 ? 0 : operands, CB_OUT);
    cb_push_back(CB_OUT, 1);
    tile_regs_release();
  }
}
