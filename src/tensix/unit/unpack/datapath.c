/* The unpackers' data path: datums of a job from L1, through the format conversion, into SrcA, SrcB or Dst.
 *
 * Two paths with the same result: whole rows of 16 for the common case (uncompressed, nothing inserted, rows that begin
 * at column 0), and datum by datum, as in UNPACR_Regular.md, for all others. */
#include "tensix/unit/unpack/datapath.h"

#include <string.h>

#include "sim/keep.h"
#include "tensix/machine.h"
#include "tensix/mem/l1.h"
#include "tensix/num/format.h"
#include "tensix/num/turn.h"
#include "tensix/regs/dst.h"

/* --- one datum --- */

/* Position of the unpacker in L1. */
struct walk {
  uint32_t data_bit;
  uint32_t exponent_16th;
  uint32_t delta_nibble;
  uint32_t read; /* datums */
  uint32_t out;  /* output place */
  uint32_t drop, write_left;
};

/* `scale` address units per byte. */
static uint32_t wrapped(const struct tx_unpack_job *job, uint32_t address, unsigned scale) {
  return address > job->limit * scale ? address - job->wrap * scale : address;
}

static bool read_bits(struct tx_tile *t, uint32_t bit, unsigned size, uint32_t *value) {
  if (!tx_l1_check(t, bit >> 3, (size + 7) / 8, "UNPACR")) return false;
  *value = tx_l1_read(t, bit >> 3, size >= 8 ? size / 8 : 1);
  if (size < 8) *value = *value >> (bit & 7u) & ((1u << size) - 1u);
  return true;
}

static bool next_datum(struct tx_tile *t, const struct tx_unpack_job *job, struct walk *w, uint32_t *value) {
  unsigned size = num_format_bits(job->how.in);
  if (!read_bits(t, w->data_bit, size, value)) return false;
  w->data_bit += size;
  if (++w->read % job->row_datums == 0) {
    w->data_bit += 8 * job->row_stride - size * job->row_datums;
    w->data_bit = wrapped(job, w->data_bit, 8);
  }
  return true;
}

static bool next_exponent(struct tx_tile *t, const struct tx_unpack_job *job, struct walk *w, uint32_t *exponent) {
  *exponent = job->forced_exponent;
  if (!num_format_is_block(job->how.in) || (job->flags & TX_UNPACK_FORCE_EXP)) return true;
  if (!tx_l1_check(t, w->exponent_16th >> 4, 1, "UNPACR: exponent")) return false;
  *exponent = tx_l1_read(t, w->exponent_16th >> 4, 1);
  if (++w->exponent_16th % 256 == 0) w->exponent_16th = wrapped(job, w->exponent_16th, 16);
  return true;
}

/* Zeros that follow this datum in compressed data. */
static bool next_zeros(struct tx_tile *t, const struct tx_unpack_job *job, struct walk *w, uint32_t *zeros) {
  *zeros = 0;
  if (!(job->flags & TX_UNPACK_COMPRESSED)) return true;
  if (!tx_l1_check(t, w->delta_nibble >> 1, 1, "UNPACR: zero counters")) return false;
  *zeros = tx_l1_read(t, w->delta_nibble >> 1, 1) >> 4 * (w->delta_nibble & 1u) & 15u;
  if (++w->delta_nibble % 32 == 0) { /* skips the 32 counters, then the 32 datums of the next group */
    w->data_bit += 128;
    w->delta_nibble += 8 * num_format_bits(job->how.in);
    w->delta_nibble = wrapped(job, w->delta_nibble, 2);
  }
  return true;
}

static void write_dst_datum(struct tx_tile *t, const struct tx_unpack_job *job, unsigned row, unsigned column,
                            uint32_t value) {
  bool wide = num_unpack_is_32bit(job->how.out);
  unsigned high = wide ? tx_dst_adj32(t, row) : tx_dst_adj16(t, row);
  t->dst.bits[high][column] = (uint16_t)(wide ? value >> 16 : value);
  if (wide) t->dst.bits[high + 8][column] = (uint16_t)value;
  t->dst.valid[high] = wide ? TX_DST_VALID32 : TX_DST_VALID16;
}

static void write_srca_datum(struct tx_tile *t, const struct tx_unpack_job *job, unsigned row, unsigned column,
                             uint32_t value) {
  if (row < 4 || column < job->column_shift) return;
  row = (row - 4 + job->row_base) & 63u;
  column -= job->column_shift;
  struct tx_src_bank *bank = &t->src.bank[TX_SRCA][t->src.unpack_bank[TX_SRCA]];
  if (job->flags & TX_UNPACK_TRANSPOSE) bank->datum[(row & ~15u) | column][row & 15u] = value;
  else bank->datum[row][column] = value;
}

static void write_datum(struct tx_tile *t, unsigned u, const struct tx_unpack_job *job, uint32_t out, uint32_t value) {
  unsigned row = out / 16, column = out % 16;
  if (u == 1) {
    struct tx_src_bank *bank = &t->src.bank[TX_SRCB][t->src.unpack_bank[TX_SRCB]];
    unsigned copies = job->flags & TX_UNPACK_BROADCAST ? 8 : 1;
    for (unsigned i = 0; i < copies; i++) bank->datum[(row + job->row_base + i) & 63u][column] = value;
  } else if (job->how.to_dst) {
    write_dst_datum(t, job, (row - 4) & 0x3ffu, column, value);
  } else {
    write_srca_datum(t, job, row, column, value);
  }
}

/* One value and the positions that upsampling adds after it. */
static void write_upsampled(struct tx_tile *t, unsigned u, const struct tx_unpack_job *job, struct walk *w, uint32_t value) {
  for (unsigned k = 0; k <= job->upsample_zeros; k++, w->out++) {
    if (k && (job->flags & TX_UNPACK_INTERLEAVE)) continue;
    write_datum(t, u, job, w->out, k ? 0 : value);
  }
}

static void check_exponent5(struct tx_tile *t, const struct tx_unpack_job *job, uint32_t bits, uint32_t exponent) {
  if (!num_format_infos[job->how.in].exponent5 || !num_format_is_block(job->how.in)) return;
  if (num_unpack_exponent5_bad(job->how.in, bits, (uint8_t)exponent))
    tx_diag(t, TX_DIAG_FP16_HIGH_EXPONENT, "%s datum 0x%x with shared exponent %u", num_format_name(job->how.in), bits,
            exponent);
}

static void move_by_datum(struct tx_tile *t, unsigned u, const struct tx_unpack_job *job, struct walk *w) {
  while (w->read < job->count && w->write_left) {
    uint32_t bits, exponent, zeros;
    if (!next_datum(t, job, w, &bits) || !next_exponent(t, job, w, &exponent) || !next_zeros(t, job, w, &zeros)) return;
    check_exponent5(t, job, bits, exponent);
    uint32_t value = num_unpack_datum(&job->how, bits, (uint8_t)exponent);
    if (job->flags & TX_UNPACK_ZERO) value = zeros = 0;
    for (uint32_t j = 0; j <= zeros; j++, value = 0) {
      if (w->drop) {
        w->drop--;
        continue;
      }
      write_upsampled(t, u, job, w, value);
      if (--w->write_left == 0) break;
    }
  }
}

/* --- whole rows --- */

static bool stays_below_limit(const struct tx_unpack_job *job) {
  if (!job->wrap) return true;
  uint64_t end = ((uint64_t)job->data_bit >> 3) + job->bytes,
           exponents_end = ((uint64_t)job->exponent_16th + job->count) >> 4;
  return !(job->flags & TX_UNPACK_TILIZE) && end <= job->limit && exponents_end <= job->limit;
}

/* Whether the whole job is inside L1: then rows are read without further checks; otherwise datum by datum, up to the fault. */
static bool stays_in_l1(const struct tx_unpack_job *job) {
  uint64_t line =
      (uint64_t)num_format_bits(job->how.in) * (job->flags & TX_UNPACK_TILIZE ? job->row_datums : job->count) / 8;
  uint64_t lines = job->flags & TX_UNPACK_TILIZE ? job->count / job->row_datums : 0;
  return (job->data_bit >> 3) + lines * job->row_stride + line <= TX_L1_BYTES &&
         ((uint64_t)job->exponent_16th + job->count) >> 4 <= TX_L1_BYTES;
}

static bool goes_by_rows(unsigned u, const struct tx_unpack_job *job) {
  unsigned odd = TX_UNPACK_COMPRESSED | TX_UNPACK_ZERO | TX_UNPACK_BROADCAST;
  if ((job->flags & odd) || job->upsample_zeros || job->column_shift || !stays_below_limit(job) || !stays_in_l1(job))
    return false;
  if (job->out % 16 || (u == 0 && job->out < 64)) return false;
  if (!num_format_is_block(job->how.in)) return true;
  return !num_format_infos[job->how.in].exponent5 && job->data_bit % 8 == 0 &&
         ((job->flags & TX_UNPACK_FORCE_EXP) || job->exponent_16th % 16 == 0);
}

static void store_dst_rows(struct tx_tile *t, const struct tx_unpack_job *job, uint32_t row, unsigned rows,
                           uint32_t (*datum)[16]) {
  struct tx_dst_map map = tx_dst_map(t);
  bool wide = num_unpack_is_32bit(job->how.out);
  for (unsigned r = 0; r < rows; r++) {
    unsigned high = wide ? tx_dst_map32(map, row + r) : tx_dst_map16(map, row + r);
    uint16_t *upper = t->dst.bits[high], *lower = t->dst.bits[high + 8u * wide];
    for (unsigned c = 0; wide && c < 16; c++) lower[c] = (uint16_t)datum[r][c];
    for (unsigned c = 0; c < 16; c++) upper[c] = (uint16_t)(datum[r][c] >> 16u * wide);
    t->dst.valid[high] = wide ? TX_DST_VALID32 : TX_DST_VALID16;
  }
}

static void store_src_rows(struct tx_tile *t, unsigned u, const struct tx_unpack_job *job, uint32_t row, unsigned rows,
                           uint32_t (*datum)[16]) {
  struct tx_src_bank *bank = &t->src.bank[u][t->src.unpack_bank[u]];
  uint32_t to = row + job->row_base - (u ? 0u : 4u);
  for (unsigned r = 0; r < rows; r++) {
    uint32_t place = (to + r) & 63u;
    if ((job->flags & TX_UNPACK_TRANSPOSE) && place % 16 == 0 && rows - r >= 16) {
      num_turn_block(&bank->datum[place], (const uint32_t(*)[16]) & datum[r]);
      r += 15;
    } else if (job->flags & TX_UNPACK_TRANSPOSE)
      for (unsigned col = 0; col < 16; col++) bank->datum[(place & ~15u) | col][place & 15u] = datum[r][col];
    else memcpy(bank->datum[place], datum[r], sizeof datum[r]);
  }
}

/* The 32-bit view without swizzle_32b: the rows of a block follow each other in Dst, and are converted in place. false: nothing done. */
static bool move_halves(struct tx_tile *t, const struct tx_unpack_job *job, const uint8_t *from, uint32_t row,
                        unsigned rows) {
  const struct tx_dst_map map = tx_dst_map(t);
  if (!job->how.to_dst || !num_unpack_is_32bit(job->how.out) || map.swizzle) return false;
  for (unsigned done = 0, count; done < rows; done += count) {
    const unsigned high = tx_dst_map32(map, row + done), left = 8u - ((row + done) & 7u);
    count = rows - done < left ? rows - done : left;
    if (!num_unpack_halves(&job->how, from + 64u * done, count, &t->dst.bits[high], &t->dst.bits[high + 8])) return false;
    memset(&t->dst.valid[high], TX_DST_VALID32, count);
  }
  return true;
}

/* Contiguous rows in L1. Written directly to the bank if they are neither transposed nor wrapped. */
static void convert_run(struct tx_tile *t, unsigned u, const struct tx_unpack_job *job, const struct walk *w,
                        unsigned rows) {
  uint32_t temporary[64][16];
  const uint8_t *from = &t->l1[w->data_bit >> 3];
  bool forced = job->flags & TX_UNPACK_FORCE_EXP;
  const uint8_t *exponents = forced ? &job->forced_exponent : &t->l1[w->exponent_16th >> 4];
  uint32_t row = w->out / 16, to = row + job->row_base - (u ? 0u : 4u);
  bool direct = !job->how.to_dst && !(job->flags & TX_UNPACK_TRANSPOSE) && to + rows <= 64;
  uint32_t(*datum)[16] = direct ? &t->src.bank[u][t->src.unpack_bank[u]].datum[to] : temporary;
  num_unpack_rows(&job->how, from, exponents, !forced, rows, datum);
  if (job->how.to_dst) store_dst_rows(t, job, row - 4, rows, datum);
  else if (!direct) store_src_rows(t, u, job, row, rows, datum);
}

static void move_run(struct tx_tile *t, unsigned u, const struct tx_unpack_job *job, struct walk *w, unsigned rows) {
  if (!move_halves(t, job, &t->l1[w->data_bit >> 3], w->out / 16 - 4, rows)) convert_run(t, u, job, w, rows);
  w->data_bit += rows * 16 * num_format_bits(job->how.in);
  w->exponent_16th += rows * 16;
  w->out += rows * 16;
  w->read += rows * 16;
}

static void move_by_rows(struct tx_tile *t, unsigned u, const struct tx_unpack_job *job, struct walk *w) {
  bool tilize = job->flags & TX_UNPACK_TILIZE;
  unsigned per_run = tilize ? job->row_datums / 16 : 64;
  uint32_t start = w->data_bit;
  for (uint32_t line = 0; job->count - w->read >= 16; line++) {
    unsigned rows = (job->count - w->read) / 16;
    if (rows > per_run) rows = per_run;
    if (tilize) w->data_bit = start + line * 8 * job->row_stride;
    move_run(t, u, job, w, rows);
  }
  if (tilize && w->read % job->row_datums == 0) w->data_bit = start + w->read / job->row_datums * 8 * job->row_stride;
}

/* Reports an undefined row of Dst that is written in part: its other columns stay undefined. */
static void check_dst_rows(struct tx_tile *t, const struct tx_unpack_job *job) {
  if (!job->how.to_dst || (job->out % 16 == 0 && (job->out + job->count) % 16 == 0)) return;
  bool wide = num_unpack_is_32bit(job->how.out);
  uint32_t edges[2] = {job->out, job->out + job->count - 1};
  for (unsigned i = 0; i < 2; i++) {
    uint32_t row = (edges[i] / 16 - 4) & 0x3ffu;
    if ((i ? (edges[i] + 1) % 16 : edges[i] % 16) && !tx_dst_row_valid(t, row, wide))
      tx_diag(t, TX_DIAG_DST_PARTIAL_WRITE, "UNPACR writes a part of row %u", row);
  }
}

/* The usual job: whole rows that follow each other in L1 and in a Src bank, converted in place. false: nothing done. */
static inline bool move_plainly(struct tx_tile *t, unsigned u, const struct tx_unpack_job *job) {
  const uint32_t rows = job->count / 16, from = job->data_bit >> 3, bits = num_format_bits(job->how.in);
  const unsigned plain = TX_UNPACK_HAND_OVER | TX_UNPACK_TILIZE;
  if ((job->flags & ~plain) | job->upsample_zeros | job->column_shift | job->wrap | job->how.to_dst) return false;
  if ((job->count | job->out) % 16 || bits < 8 || num_format_is_block(job->how.in) || job->count > 64 * 16) return false;
  if ((job->flags & TX_UNPACK_TILIZE) && job->count > job->row_datums) return false;
  const uint32_t row = job->out / 16, to = row + job->row_base - (u ? 0u : 4u);
  if ((u == 0 && row < 4) || to + rows > TX_SRC_ROWS || from + rows * 2 * bits > TX_L1_BYTES) return false;
  struct tx_src_bank *bank = sim_keep(&t->src.bank[u][t->src.unpack_bank[u]]);
  num_unpack_rows(&job->how, &t->l1[from], NULL, 0, rows, &bank->datum[to]);
  bank->version++;
  return true;
}

void tx_unpack_move(struct tx_tile *t, unsigned unpacker, const struct tx_unpack_job *job) {
  t->unpack.datums[unpacker] += job->count;
  t->unpack.bytes[unpacker] += job->bytes;
  if (move_plainly(t, unpacker, job)) return;
  struct walk w = {.data_bit = job->data_bit,
                   .exponent_16th = job->exponent_16th,
                   .delta_nibble = job->delta_nibble,
                   .out = job->out,
                   .drop = job->drop,
                   .write_left = job->write_max};
  check_dst_rows(t, job);
  if (goes_by_rows(unpacker, job)) move_by_rows(t, unpacker, job, &w);
  move_by_datum(t, unpacker, job, &w); /* what is left of it */
  if (job->how.to_dst) t->dst.unpack_at = tx_now(t) + 1;
  else t->src.bank[unpacker][t->src.unpack_bank[unpacker]].version++;
}
