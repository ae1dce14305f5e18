/* Names of the nouns in types.h, as reports print them. */
#include "pto/program/types.h"

const char *pto_core_name(unsigned core) {
  static const char *const names[] = {"AIC", "AIV0", "AIV1"};
  return core < PTO_CORES ? names[core] : "?";
}

const char *pto_unit_name(unsigned unit) {
  static const char *const names[] = {"S", "MTE2", "MTE1", "M", "V", "MTE3", "FIX"};
  return unit < PTO_UNITS ? names[unit] : "?";
}

const char *pto_loc_name(unsigned loc) {
  static const char *const names[] = {"?", "gm", "mat", "acc", "vec", "left", "right", "bias", "scaling"};
  return loc < PTO_LOCS ? names[loc] : "?";
}

const char *pto_dtype_name(unsigned dtype) {
  static const char *const names[] = {"f32", "f16", "bf16", "i32", "i16", "i8", "u32", "u16", "u8"};
  return dtype < PTO_DTYPES ? names[dtype] : "?";
}

const char *pto_dir_name(unsigned dir) {
  static const char *const names[] = {"none", "C2V", "V2C", "BOTH", "V2C_CTRL", "C2V_GM", "V2C_GM", "BOTH_GM"};
  return dir <= PTO_BOTH_GM ? names[dir] : "?";
}

const char *pto_split_name(unsigned split) {
  static const char *const names[] = {"NO_SPLIT", "UP_DOWN", "LEFT_RIGHT", "UP_DOWN_ODD", "LEFT_RIGHT_ODD"};
  return split < PTO_SPLITS ? names[split] : "?";
}

const char *pto_fifo_name(unsigned fifo) {
  static const char *const names[] = {"GM_FIFO", "VEC_FIFO", "MAT_FIFO", "CTRL_FIFO"};
  return fifo < PTO_FIFOS ? names[fifo] : "?";
}

const char *pto_ratio_name(unsigned ratio) {
  static const char *const names[] = {"V2C1_VECS", "V2C2_VECS", "V1C1_VEC0", "V1C1_VEC1"};
  return ratio < PTO_RATIOS ? names[ratio] : "?";
}
