/* Shared by the unpacker's tests: sets up a tile, calls the instruction bodies directly, and advances time. */
#ifndef TESSERA_TESTS_UNPACK_RIG_H
#define TESSERA_TESTS_UNPACK_RIG_H

#include <stdlib.h>
#include <string.h>

#include "tensix/tile/tile.h"

#define SECTION(u, NAME) (TX_CFG_THCON_SEC0_##NAME##_ADDR + 48u * (u))

/* Writes a field of both banks of Config. */
static inline void put(struct tx_tile *t, unsigned addr, unsigned shift, unsigned width, uint32_t value) {
  uint32_t mask = (0xffffffffu >> (32 - width)) << shift;
  for (unsigned bank = 0; bank < 2; bank++)
    t->config.words[bank][addr] = (t->config.words[bank][addr] & ~mask) | (value << shift & mask);
  t->config.version++;
}
#define PUT_SEC(t, u, NAME, value) \
  put((t), SECTION(u, NAME), TX_CFG_THCON_SEC0_##NAME##_SHIFT, TX_CFG_THCON_SEC0_##NAME##_WIDTH, (value))
#define PUT_CFG(t, NAME, value) put((t), TX_CFG_##NAME##_ADDR, TX_CFG_##NAME##_SHIFT, TX_CFG_##NAME##_WIDTH, (value))

static inline void put_descriptor(struct tx_tile *t, unsigned u, unsigned bit, unsigned width, uint32_t value) {
  put(t, SECTION(u, REG0_TileDescriptor) + bit / 32, bit % 32, width, value);
}

static inline struct tx_tile *new_tile(bool timing) {
  struct tx_tile *t = malloc(sizeof *t);
  tx_tile_reset(t, timing);
  for (unsigned thread = 0; thread < TX_THREADS; thread++) t->config.state_id_set[thread] = 1;
  return t;
}

struct setup {
  unsigned unpacker, in, out;
  uint32_t base; /* byte address of the header; datums start 16 bytes later */
  uint32_t xdim, ydim, zdim;
  uint32_t first, last; /* X of channels 0 and 1 */
  bool to_dst;
};

/* Plain, uncompressed, contexts 0 and 1 alike. Output to row 0. */
static inline void configure(struct tx_tile *t, const struct setup *s) {
  unsigned u = s->unpacker;
  put_descriptor(t, u, 0, 4, s->in);
  put_descriptor(t, u, 4, 1, 1);
  put_descriptor(t, u, 16, 16, s->xdim);
  put_descriptor(t, u, 32, 8, s->ydim);
  put_descriptor(t, u, 48, 8, s->zdim);
  put(t, SECTION(u, REG2_Out_data_format), 0, 4, s->out);
  put(t, SECTION(u, REG2_Disable_zero_compress_cntx0), 0, 2, 3);
  put(t, SECTION(u, REG2_Unpack_if_sel_cntx0), 4, 2, s->to_dst ? 3 : 0);
  PUT_SEC(t, u, REG3_Base_address, s->base / 16);
  PUT_SEC(t, u, REG3_Base_cntx1_address, s->base / 16);
  put(t, TX_CFG_THCON_SEC0_REG5_Tile_x_dim_cntx0_ADDR, 0, 32, s->xdim | s->xdim << 16);
  put(t, TX_CFG_THCON_SEC0_REG5_Dest_cntx0_address_ADDR, 0, 32, 64 | 64 << 16);
  t->config.thread_words[0][TX_CFG_SRCA_SET_SetOvrdWithAddr_ADDR] =
      s->to_dst ? 0 : 1u << TX_CFG_SRCA_SET_SetOvrdWithAddr_SHIFT;
  struct tx_adc_channel *ch = t->adc[0].unit[u];
  memset(ch, 0, 2 * sizeof *ch);
  ch[0].c[TX_ADC_X] = s->first;
  ch[1].c[TX_ADC_X] = s->last;
}

#define UNPACR_PLAIN(u) \
  (0x42000000u | TX_PUT(UNPACR, unpack_block_selection, u) | TX_PUT(UNPACR, ovrd_thread_id, 1) | TX_PUT(UNPACR, last, 1))
#define SET_VALID TX_PUT(UNPACR, set_dat_valid, 1)

static inline struct tx_cost give(struct tx_tile *t, unsigned thread, uint32_t word) {
  const struct tx_op *op = &tx_ops[word >> 24];
  struct tx_cost cost = {.issue = op->issue_cycles, .latency = op->latency_cycles, .thread = 1};
  t->current = (struct tx_current){.agent = tx_agent_of_thread(thread), .word = word, .pc = 0x1000, .unit = op->unit};
  tx_bodies[op->opcode](t, thread, word, &cost);
  return cost;
}

static inline void pass_cycles(struct tx_tile *t, sim_time cycles) {
  sim_time until = t->engine.now + cycles;
  (void)tx_tile_run(t, until);
  if (t->engine.now < until && !t->fault.kind) t->engine.now = until; /* no unit is active: time advances nevertheless */
}

/* Advances time until the unpackers are idle. */
static inline void drain(struct tx_tile *t) { pass_cycles(t, 100000); }

static inline uint32_t random_word(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(*seed >> 32);
}

static inline void random_l1(struct tx_tile *t, uint32_t from, uint32_t length, uint64_t *seed) {
  for (uint32_t i = 0; i < length; i++) t->l1[from + i] = (uint8_t)random_word(seed);
}

/* Datum number i of an array that begins at a byte, without the unpacker's help. */
static inline uint32_t l1_datum(const struct tx_tile *t, uint32_t base, uint32_t i, unsigned bits) {
  uint32_t value = 0;
  for (unsigned b = 0; b < bits; b++) {
    uint64_t at = (uint64_t)i * bits + b;
    value |= (uint32_t)(t->l1[base + at / 8] >> (at % 8) & 1) << b;
  }
  return value;
}

static inline uint32_t convert(unsigned in, unsigned out, bool to_dst, uint32_t bits, uint8_t exponent) {
  struct num_unpack how = {.in = (uint8_t)in, .out = (uint8_t)out, .to_dst = to_dst};
  return num_unpack_datum(&how, bits, exponent);
}

static inline uint32_t src(const struct tx_tile *t, unsigned which, unsigned bank, unsigned row, unsigned column) {
  return t->src.bank[which][bank].datum[row][column];
}

#endif
