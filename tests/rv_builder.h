/* Encoders of a few baby-core instructions, for tests that must not depend on a cross compiler. */
#ifndef TESSERA_TESTS_RV_BUILDER_H
#define TESSERA_TESTS_RV_BUILDER_H

#include <stdint.h>

#define RV_WORDS_MAX 512u

struct rv {
  uint32_t word[RV_WORDS_MAX];
  uint32_t count;
};

enum { ZERO, RA, SP, GP, TP, T0_, T1_, T2_, S0, S1, A0, A1, A2, A3, A4, A5 };

static inline uint32_t rv_put(struct rv *p, uint32_t word) {
  p->word[p->count] = word;
  return p->count++;
}
static inline void rv_lui(struct rv *p, unsigned rd, uint32_t value) { rv_put(p, (value & 0xfffff000u) | rd << 7 | 0x37u); }
static inline void rv_addi(struct rv *p, unsigned rd, unsigned rs, int32_t imm) {
  rv_put(p, ((uint32_t)imm & 0xfffu) << 20 | rs << 15 | rd << 7 | 0x13u);
}
static inline void rv_li(struct rv *p, unsigned rd, uint32_t value) {
  rv_lui(p, rd, value + 0x800u);
  rv_addi(p, rd, rd, (int32_t)(value << 20) >> 20);
}
static inline void rv_sub(struct rv *p, unsigned rd, unsigned a, unsigned b) {
  rv_put(p, 0x40000033u | b << 20 | a << 15 | rd << 7);
}
static inline void rv_and(struct rv *p, unsigned rd, unsigned a, unsigned b) {
  rv_put(p, 0x00007033u | b << 20 | a << 15 | rd << 7);
}
/* width: 0 byte, 1 half, 2 word, 4 byte unsigned, 5 half unsigned */
static inline void rv_load(struct rv *p, unsigned width, unsigned rd, unsigned base, int32_t offset) {
  rv_put(p, ((uint32_t)offset & 0xfffu) << 20 | base << 15 | width << 12 | rd << 7 | 0x03u);
}
static inline void rv_store(struct rv *p, unsigned width, unsigned value, unsigned base, int32_t offset) {
  uint32_t o = (uint32_t)offset;
  rv_put(p, (o >> 5 & 0x7fu) << 25 | value << 20 | base << 15 | width << 12 | (o & 31u) << 7 | 0x23u);
}
static inline void rv_branch(struct rv *p, unsigned kind, unsigned a, unsigned b, uint32_t target_index) {
  uint32_t o = (target_index - p->count) * 4u;
  rv_put(p, (o >> 12 & 1u) << 31 | (o >> 5 & 0x3fu) << 25 | b << 20 | a << 15 | kind << 12 | (o >> 1 & 15u) << 8 |
                (o >> 11 & 1u) << 7 | 0x63u);
}
static inline void rv_beq(struct rv *p, unsigned a, unsigned b, uint32_t target) { rv_branch(p, 0, a, b, target); }
static inline void rv_bne(struct rv *p, unsigned a, unsigned b, uint32_t target) { rv_branch(p, 1, a, b, target); }
static inline void rv_bltu(struct rv *p, unsigned a, unsigned b, uint32_t target) { rv_branch(p, 6, a, b, target); }
static inline void rv_ebreak(struct rv *p) { rv_put(p, 0x00100073u); }
static inline void rv_loop_for_ever(struct rv *p) { rv_put(p, 0x0000006fu); }

/* store of a constant to a constant address, with A4 and A5 */
static inline void rv_poke(struct rv *p, uint32_t address, uint32_t value) {
  rv_li(p, A4, address);
  rv_li(p, A5, value);
  rv_store(p, 2, A5, A4, 0);
}
/* load of a word from a constant address */
static inline void rv_peek(struct rv *p, unsigned rd, uint32_t address) {
  rv_li(p, A4, address);
  rv_load(p, 2, rd, A4, 0);
}
/* poll a word until it equals a constant */
static inline void rv_wait(struct rv *p, uint32_t address, uint32_t value) {
  rv_li(p, A4, address);
  rv_li(p, A5, value);
  rv_load(p, 2, A3, A4, 0);
  rv_bne(p, A3, A5, p->count - 1);
}

#endif
