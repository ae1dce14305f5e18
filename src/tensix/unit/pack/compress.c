/* See compress.h. */
#include "tensix/unit/pack/compress.h"

#include <string.h>

#include "sim/assert.h"
#include "tensix/unit/pack/rounding.h"

static void append_row_start(struct tx_pack *p, struct tx_pack_batch *out) {
  uint8_t bytes[2] = {(uint8_t)p->compress.datums, (uint8_t)(p->compress.datums >> 8)};
  tx_pack_append(out, TX_PACK_ROW_STARTS, bytes, 16);
}

static void append_half(struct tx_pack *p, const struct num_pack *how, struct tx_pack_batch *out, unsigned first) {
  union num_pack_row row;
  uint8_t bytes[NUM_PACK_ROW_BYTES];
  memset(&row, 0, sizeof row);
  for (unsigned i = 0; i < NUM_PACK_ROW; i++) num_pack_put(how, &row, i, p->compress.group[first + i]);
  if (!how->block) {
    num_pack_late(how, &row, bytes);
  } else {
    uint8_t exponent = tx_pack_block(p, &row, NUM_PACK_ROW, bytes);
    if (first < p->compress.in_group) tx_pack_append(out, TX_PACK_EXPONENTS, &exponent, 8);
  }
  tx_pack_append(out, TX_PACK_DATA, bytes, NUM_PACK_ROW * how->bits);
}

static void append_group(struct tx_pack *p, const struct num_pack *how, struct tx_pack_batch *out) {
  struct tx_pack_compress *c = &p->compress;
  uint8_t counts[16];
  append_half(p, how, out, 0);
  append_half(p, how, out, 16);
  for (unsigned i = 0; i < 16; i++) counts[i] = (uint8_t)(c->zeros[2 * i] | c->zeros[2 * i + 1] << 4);
  tx_pack_append(out, TX_PACK_DATA, counts, 128);
  memset(c->group, 0, sizeof c->group);
  memset(c->zeros, 0, sizeof c->zeros);
  c->in_group = 0;
}

static void emit(struct tx_pack *p, const struct num_pack *how, struct tx_pack_batch *out, uint32_t datum, unsigned zeros) {
  struct tx_pack_compress *c = &p->compress;
  sim_assert(c->in_group < 32 && zeros <= 15);
  c->group[c->in_group] = datum;
  c->zeros[c->in_group] = (uint8_t)zeros;
  c->datums++;
  if (++c->in_group == 32) append_group(p, how, out);
}

void tx_pack_compress_begin(struct tx_pack *p, struct tx_pack_batch *out) {
  memset(&p->compress, 0, sizeof p->compress);
  append_row_start(p, out);
}

void tx_pack_compress_datum(struct tx_pack *p, const struct num_pack *how, struct tx_pack_batch *out, uint32_t datum) {
  struct tx_pack_compress *c = &p->compress;
  if (!c->in_row) c->row_zero = 1;
  c->row_zero = c->row_zero && datum == 0;
  if (c->in_row && datum == 0 && c->held_zeros < 15) {
    c->held_zeros++;
    return;
  }
  sim_assert(c->held_zeros <= 15);
  if (c->in_row) emit(p, how, out, c->held, c->held_zeros);
  c->in_row = 1;
  c->held = datum;
  c->held_zeros = 0;
}

void tx_pack_compress_end_row(struct tx_pack *p, const struct num_pack *how, struct tx_pack_batch *out) {
  struct tx_pack_compress *c = &p->compress;
  if (!c->in_row) return;
  if (c->held_zeros) { /* the last datum of a row is kept, zero or not */
    emit(p, how, out, c->held, c->held_zeros - 1u);
    c->held = 0;
  }
  emit(p, how, out, c->held, 0);
  if (c->row_zero && c->rows < 32) c->zero_rows |= 1u << c->rows;
  c->in_row = 0;
  c->held = c->held_zeros = 0;
  c->rows++;
  append_row_start(p, out);
}

void tx_pack_compress_end(struct tx_pack *p, const struct num_pack *how, struct tx_pack_batch *out) {
  tx_pack_compress_end_row(p, how, out);
  if (p->compress.in_group) append_group(p, how, out);
}
