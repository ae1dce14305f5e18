/* Number formats of the Tensix data path: in L1, in SrcA and SrcB (19 bits), in Dst (16 or 32 bits).
 *
 *   code  name    L1 bits  exponent            in a register it becomes
 *   0     FP32    32       8                   TF32, BF16 or FP16 in Src; FP32, BF16 or FP16 in Dst
 *   1     FP16    16       5                   FP16
 *   2     BFP8a    8       5, one per 16       FP16
 *   3     BFP4a    4       5, one per 16       FP16
 *   4     TF32    32       8                   as FP32; in Dst TF32 means FP32
 *   5     BF16    16       8                   BF16
 *   6     BFP8     8       8, one per 16       BF16
 *   7     BFP4     4       8, one per 16       BF16
 *   8     INT32   32       sign-magnitude      INT32, Dst only
 *   9     INT16   16       opaque, or UINT16   INT16
 *   10    FP8      8       5 (e5m2) or 4       FP16
 *   11    BFP2a    2       5, one per 16       FP16
 *   14    INT8     8       sign-magn. or UINT8 INT8: magnitude with a dummy exponent, laid over FP16
 *   15    BFP2     2       8, one per 16       BF16
 *
 * Register layouts keep the exponent at the low end ("shuffled"):
 *   Src    18 s | 17..8 mantissa 10 | 7..0 exponent 8       (FP16: exponent in 4..0; BF16: mantissa low 3 bits zero)
 *   Dst16  15 s | 14..8 mantissa 7  | 7..0 exponent 8       BF16
 *          15 s | 14..5 mantissa 10 | 4..0 exponent 5       FP16
 *   Dst32  high half as Dst16 BF16, low half mantissa bits 15..0
 *
 * Pure functions on integers: no state, no floating point. ISA: UNPACR_Regular.md, Unpackers/FormatConversion.md,
 * Packers/FormatConversion.md, FloatBitPatterns.md; the golden model where they are silent (tags in the .c files). */
#ifndef TESSERA_NUM_FORMAT_H
#define TESSERA_NUM_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

enum num_format {
  NUM_FP32 = 0,
  NUM_FP16 = 1,
  NUM_BFP8A = 2,
  NUM_BFP4A = 3,
  NUM_TF32 = 4,
  NUM_BF16 = 5,
  NUM_BFP8 = 6,
  NUM_BFP4 = 7,
  NUM_INT32 = 8,
  NUM_INT16 = 9,
  NUM_FP8 = 10,
  NUM_BFP2A = 11,
  NUM_INT8 = 14,
  NUM_BFP2 = 15,
  NUM_FORMAT_CODES = 16, /* 12 and 13 are not assigned */
};

/* One row per code. */
struct num_format_info {
  const char *name;  /* "none" for codes 12 and 13 */
  uint8_t bits;      /* of a datum in L1; 0: not assigned */
  uint8_t block;     /* 1: 16 datums share an exponent byte */
  uint8_t exponent5; /* 1: five-bit exponent family (FP16, FP8, BFPxa) */
  uint8_t integer;   /* 1: INT8, INT16, INT32 */
};

extern const struct num_format_info num_format_infos[NUM_FORMAT_CODES];

static inline const char *num_format_name(unsigned code) { return num_format_infos[code & 15u].name; }
static inline unsigned num_format_bits(unsigned code) { return num_format_infos[code & 15u].bits; }
static inline bool num_format_is_block(unsigned code) { return num_format_infos[code & 15u].block != 0; }

/* --- register layouts, both ways --- */

/* 19 bits in IEEE order (s, exponent 8, mantissa 10) to and from the Src layout. */
static inline uint32_t num_src_from_tf32(uint32_t x) { return (x & 0x40000u) | ((x & 0x3ffu) << 8) | ((x >> 10) & 0xffu); }
static inline uint32_t num_tf32_from_src(uint32_t x) { return (x & 0x40000u) | ((x & 0xffu) << 10) | ((x >> 8) & 0x3ffu); }
static inline uint32_t num_src_from_bf16(uint32_t x) { return num_src_from_tf32((x & 0xffffu) << 3); }
static inline uint32_t num_src_from_fp16(uint32_t x) { return num_src_from_tf32(((x & 0x8000u) << 3) | (x & 0x7fffu)); }
static inline uint32_t num_src_from_int16(uint32_t x) { return ((x & 0xff00u) << 3) | (x & 0xffu); }
static inline uint32_t num_bf16_from_src(uint32_t x) { return num_tf32_from_src(x) >> 3; } /* drops 3 mantissa bits */
static inline uint32_t num_fp16_from_src(uint32_t x) {
  return ((x >> 3) & 0x8000u) | ((x & 0x1fu) << 10) | ((x >> 8) & 0x3ffu);
}
static inline uint32_t num_fp32_from_src(uint32_t x) { return num_tf32_from_src(x) << 13; }

static inline uint32_t num_dst_from_bf16(uint32_t x) { return (x & 0x8000u) | ((x & 0x7fu) << 8) | ((x >> 7) & 0xffu); }
static inline uint32_t num_bf16_from_dst(uint32_t x) { return (x & 0x8000u) | ((x & 0xffu) << 7) | ((x >> 8) & 0x7fu); }
static inline uint32_t num_dst_from_fp16(uint32_t x) { return (x & 0x8000u) | ((x & 0x3ffu) << 5) | ((x >> 10) & 0x1fu); }
static inline uint32_t num_fp16_from_dst(uint32_t x) { return (x & 0x8000u) | ((x & 0x1fu) << 10) | ((x >> 5) & 0x3ffu); }
/* FP32 and INT32 alike. */
static inline uint32_t num_dst_from_fp32(uint32_t x) { return (num_dst_from_bf16(x >> 16) << 16) | (x & 0xffffu); }
static inline uint32_t num_fp32_from_dst(uint32_t x) { return (num_bf16_from_dst(x >> 16) << 16) | (x & 0xffffu); }

/* --- unpack: L1 to registers (format_unpack.c) --- */

/* A conversion requested from the unpacker. */
struct num_unpack {
  uint8_t in, out;     /* format codes: in L1, and in the register */
  uint8_t to_dst;      /* 0: SrcA or SrcB */
  uint8_t e4m3;        /* FP8 has a four-bit exponent (Unp_LF8_4b_exp) */
  uint8_t is_unsigned; /* INT8 is UINT8 (ALU_FORMAT_SPEC_REG0_Src?Unsigned) */
};

bool num_unpack_legal(unsigned in, unsigned out, bool to_dst);
/* Does the register use 32 bits per datum (Dst only)? */
bool num_unpack_is_32bit(unsigned out);
/* One datum. `exponent` is the shared exponent of a block format. Result in the register's own layout. */
uint32_t num_unpack_datum(const struct num_unpack *how, uint32_t bits, uint8_t exponent);
/* Rows of sixteen datums, contiguous in L1, starting at a byte. exponents: one per row, or (step 0) one for all; ignored for formats
 * without. */
void num_unpack_rows(const struct num_unpack *how, const uint8_t *l1, const uint8_t *exponents, unsigned exponent_step,
                     unsigned rows, uint32_t (*datum)[16]);
/* Rows of 32-bit datums for the 32-bit view of Dst, as rows of their high and of their low halves. false: the conversion is another one. */
bool num_unpack_halves(const struct num_unpack *how, const uint8_t *l1, unsigned rows, uint16_t (*high)[16],
                       uint16_t (*low)[16]);
/* A block datum with a five-bit exponent whose own exponent does not fit in five bits: undefined in the documents. */
bool num_unpack_exponent5_bad(unsigned in, uint32_t bits, uint8_t exponent);

/* --- pack: registers to L1 (format_pack.c) --- */

#endif
