/* A chip for tests: registers of NIUs written from outside, as a core of the tile would. */
#ifndef TESSERA_TESTS_CHIP_RIG_H
#define TESSERA_TESTS_CHIP_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "chip/chip.h"

static inline struct chip *rig_chip(bool timing, unsigned threads) {
  const char *why = NULL;
  struct chip_config config = {.harvest = chip_product_find("full")->harvest, .timing = timing, .threads = threads};
  struct chip *c = chip_create(&config, &why);
  assert_non_null(c);
  return c;
}

/* Translated coordinates, as software uses them. */
static inline unsigned rig_tile_at(struct chip *c, unsigned x, unsigned y) { return chip_tile_of(chip_grid(c), 0, x, y); }

static inline void rig_put(struct chip *c, unsigned tile, uint32_t address, uint32_t value) {
  uint8_t raw[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
  assert_true(chip_write(c, tile, address, raw, 4));
}

static inline uint32_t rig_get(struct chip *c, unsigned tile, uint32_t address) {
  uint8_t raw[4] = {0};
  assert_true(chip_read(c, tile, address, raw, 4));
  return (uint32_t)raw[0] | (uint32_t)raw[1] << 8 | (uint32_t)raw[2] << 16 | (uint32_t)raw[3] << 24;
}

/* A request as an initiator holds it. */
struct rig_request {
  uint64_t targ, ret;
  uint32_t targ_xy, ret_xy; /* NOC_TARG_ADDR_HI, NOC_RET_ADDR_HI */
  uint32_t tag, ctrl, length, length_1, data, exclude, accumulate;
};

static inline uint32_t rig_xy(unsigned x, unsigned y) { return x | y << 6; }
/* NOC_ADDR_HI of a rectangle: end low, start high. */
static inline uint32_t rig_rectangle(unsigned x0, unsigned y0, unsigned x1, unsigned y1) {
  return x1 | y1 << 6 | x0 << 12 | y0 << 18;
}
static inline uint32_t rig_niu(unsigned noc) { return 0xFFB20000u + 0x10000u * noc; }
static inline uint32_t rig_counter(struct chip *c, unsigned tile, unsigned noc, unsigned i) {
  return rig_get(c, tile, rig_niu(noc) + 0x200 + 4 * i);
}

static inline void rig_fire(struct chip *c, unsigned tile, unsigned noc, unsigned initiator, struct rig_request q) {
  uint32_t base = rig_niu(noc) + 0x800 * initiator;
  const uint32_t words[13] = {(uint32_t)q.targ,
                              (uint32_t)(q.targ >> 32),
                              q.targ_xy,
                              (uint32_t)q.ret,
                              (uint32_t)(q.ret >> 32),
                              q.ret_xy,
                              q.tag,
                              q.ctrl,
                              q.length,
                              q.length_1,
                              q.data,
                              q.exclude,
                              q.accumulate};
  for (unsigned i = 0; i < 13; i++) rig_put(c, tile, base + 4 * i, words[i]);
  rig_put(c, tile, base + 0x40, 1);
}

#endif
