/* A program for BRISC that issues reads or writes over NoC 0 like the vendor's noc_async_read and noc_async_write, and measures them. */
#ifndef TESSERA_TESTS_CHIP_FLOW_H
#define TESSERA_TESTS_CHIP_FLOW_H

#include "chip_rig.h"
#include "tensix/riscv/core.h"
#include "tensix/tile/tile.h"

enum { ZERO = 0, SP = 2, T0 = 5, T1, T2, S0, S1, A0, A1, A2, A3, A4, A5, A6, A7, S2, S3, S4, S5, S6, S7 };

struct code {
  uint32_t words[8192];
  unsigned count;
};

static inline void emit(struct code *c, uint32_t word) {
  assert_true(c->count < sizeof c->words / 4);
  c->words[c->count++] = word;
}
static inline void li(struct code *c, unsigned rd, uint32_t value) {
  emit(c, ((value + 0x800) & 0xfffff000u) | rd << 7 | 0x37);
  emit(c, (value & 0xfffu) << 20 | rd << 15 | rd << 7 | 0x13);
}
static inline void addi(struct code *c, unsigned rd, unsigned rs, uint32_t imm) {
  emit(c, (imm & 0xfffu) << 20 | rs << 15 | rd << 7 | 0x13);
}
static inline void lw(struct code *c, unsigned rd, unsigned rs, uint32_t imm) {
  emit(c, (imm & 0xfffu) << 20 | rs << 15 | 2u << 12 | rd << 7 | 3);
}
static inline void sw(struct code *c, unsigned value, unsigned rs, uint32_t imm) {
  emit(c, (imm >> 5 & 127u) << 25 | value << 20 | rs << 15 | 2u << 12 | (imm & 31u) << 7 | 0x23);
}
static inline void bne(struct code *c, unsigned a, unsigned b, unsigned to) {
  uint32_t o = 4 * (to - c->count);
  emit(c, (o >> 12 & 1u) << 31 | (o >> 5 & 63u) << 25 | b << 20 | a << 15 | 1u << 12 | (o >> 1 & 15u) << 8 |
              (o >> 11 & 1u) << 7 | 0x63);
}
static inline void sub(struct code *c, unsigned rd, unsigned a, unsigned b) {
  emit(c, 0x40000033u | b << 20 | a << 15 | rd << 7);
}

struct flow {
  unsigned x, y;       /* who issues */
  unsigned to_x, to_y; /* the other end */
  uint32_t bytes, count;
  bool read;
};

#define RESULT 0x10000u
/* The other work of the vendor's functions (addresses, counters): 33.3 cycles per write and 47.0 per read in all on
 * silicon. */
#define WRITE_PADDING 13u
#define READ_PADDING 26u

/* Cycles from before the first request to after the barrier, stored at RESULT. */
static inline void load_program(struct chip *chip, const struct flow *f) {
  struct code c = {.count = 0};
  unsigned tile = rig_tile_at(chip, f->x, f->y);
  li(&c, T0, 1u << 18 | 1u << 3); /* cfg0 as firmware sets it */
  emit(&c, 0x7c02a073);
  li(&c, SP, 0xffb00000u);
  li(&c, A0, f->read ? 0xffb20800u : 0xffb20000u);
  li(&c, A1, f->read ? 0x90 : 0x2092);
  li(&c, A2, 0x20000);
  li(&c, A3, 0x60000);
  li(&c, A4, rig_xy(f->to_x, f->to_y));
  li(&c, A5, f->bytes);
  li(&c, A6, 1);
  li(&c, A7, rig_xy(f->x, f->y));
  li(&c, S0, f->count);
  li(&c, S2, f->count);
  li(&c, S3, 0xffb20000u);
  li(&c, S4, 0xffb12000u);
  sw(&c, A7, A0, f->read ? 0x14 : 0x08); /* the own place */
  lw(&c, T1, SP, 0);                     /* local RAM is usable only after its clearing has ended */
  addi(&c, T1, T1, 0);
  lw(&c, S1, S4, 0x1f0);
  unsigned top = c.count;
  lw(&c, T0, A0, 0x40);
  bne(&c, T0, ZERO, top);
  for (unsigned i = 0; i < (f->read ? READ_PADDING : WRITE_PADDING); i++) addi(&c, T2, T2, 1);
  sw(&c, A1, A0, 0x1c);
  sw(&c, A2, A0, 0x00);
  sw(&c, A3, A0, 0x0c);
  sw(&c, ZERO, A0, f->read ? 0x04 : 0x10);
  sw(&c, A4, A0, f->read ? 0x08 : 0x14);
  sw(&c, A5, A0, 0x20);
  sw(&c, A6, A0, 0x40);
  lw(&c, T1, SP, 0);
  addi(&c, T1, T1, 1);
  sw(&c, T1, SP, 0);
  addi(&c, S0, S0, 0xfff);
  bne(&c, S0, ZERO, top);
  unsigned barrier = c.count;
  lw(&c, T0, S3, f->read ? 0x208 : 0x204);
  bne(&c, T0, S2, barrier);
  lw(&c, T1, S4, 0x1f0);
  sub(&c, T1, T1, S1);
  li(&c, T2, RESULT);
  sw(&c, T1, T2, 0);
  emit(&c, 0x00100073); /* ebreak */
  for (unsigned i = 0; i < c.count; i++) rig_put(chip, tile, 4 * i, c.words[i]);
  tx_core_start(chip_tensix(chip, tile), TX_CORE_BRISC, 0);
}

#endif
