/* Test rig of the packer: the test writes configuration and Dst directly and executes PACRs. */
#ifndef TESSERA_TESTS_PACK_RIG_H
#define TESSERA_TESTS_PACK_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "scale.h"
#include "tensix/tile/tile.h"

#define OUT 0x60000u /* where tiles go: 16-byte units 0x6000, the address register holds one less */

/* Writes a field of Config (both banks) or of a thread's ThreadConfig. */
#define SET(t, name, value) set_field((t), TX_CFG_##name##_ADDR, TX_CFG_##name##_SHIFT, TX_CFG_##name##_WIDTH, (value))
#define SET_THREAD(t, thread, name, value) \
  set_thread_field((t), (thread), TX_CFG_##name##_ADDR, TX_CFG_##name##_SHIFT, TX_CFG_##name##_WIDTH, (value))

static inline void set_field(struct tx_tile *t, unsigned addr, unsigned shift, unsigned width, uint32_t value) {
  uint32_t mask = (0xffffffffu >> (32 - width)) << shift;
  for (unsigned bank = 0; bank < 2; bank++)
    t->config.words[bank][addr] = (t->config.words[bank][addr] & ~mask) | (value << shift & mask);
  t->config.version++;
}

static inline void set_thread_field(struct tx_tile *t, unsigned thread, unsigned addr, unsigned shift, unsigned width,
                                    uint32_t value) {
  uint32_t mask = (0xffffu >> (16 - width)) << shift;
  t->config.thread_words[thread][addr] =
      (uint16_t)((t->config.thread_words[thread][addr] & ~mask) | (value << shift & mask));
  t->config.version++;
}

/* Strides and formats as kernels set them, address modes 0 (next four rows), 1 (all to zero), 2 (next face). */
static inline void use_formats(struct tx_tile *t, bool wide, unsigned intermediate, unsigned to) {
  unsigned bytes = (intermediate & 3u) == 0 ? 4 : (intermediate & 3u) == 1 ? 2 : 1;
  SET(t, PCK_DEST_RD_CTRL_Read_32b_data, wide);
  SET(t, ALU_FORMAT_SPEC_REG2_Dstacc, intermediate);
  SET(t, THCON_SEC0_REG1_In_data_format, intermediate);
  SET(t, THCON_SEC0_REG1_Out_data_format, to);
  SET(t, PCK0_ADDR_CTRL_XY_REG_0_Ystride, 16 * bytes);
  SET(t, PCK0_ADDR_CTRL_ZW_REG_0_Zstride, 256 * bytes);
  SET(t, PCK0_ADDR_CTRL_ZW_REG_0_Wstride, 1024 * bytes);
}

static inline struct tx_tile *new_tile(bool timing) {
  struct tx_tile *t = malloc(sizeof *t);
  assert_non_null(t);
  tx_tile_reset(t, timing);
  memset(t->dst.valid, 1, sizeof t->dst.valid);
  memset(&t->l1[OUT - 0x100], 0xcc, 0x4000);
  SET(t, THCON_SEC0_REG1_L1_Dest_addr, OUT / 16 - 1);
  SET(t, THCON_SEC0_REG1_Disable_zero_compress, 1);
  SET(t, PCK_EDGE_OFFSET_SEC0_mask, 0xffff);
  SET(t, PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 16);
  use_formats(t, false, NUM_BF16, NUM_BF16);
  for (unsigned thread = 0; thread < TX_THREADS; thread++) {
    t->adc[thread].unit[TX_ADC_PACKER][1].c[TX_ADC_X] = 15;
    t->config.thread_words[thread][TX_CFG_ADDR_MOD_PACK_SEC0_YsrcIncr_ADDR] = 4;
    t->config.thread_words[thread][TX_CFG_ADDR_MOD_PACK_SEC0_YsrcIncr_ADDR + 1] = 1u << 5 | 1u << 13;
    t->config.thread_words[thread][TX_CFG_ADDR_MOD_PACK_SEC0_YsrcIncr_ADDR + 2] = 1u << 5 | 1u << 12;
    t->config.thread_words[thread][TX_CFG_ADDR_MOD_PACK_SEC0_YsrcIncr_ADDR + 3] = 0;
  }
  return t;
}

#define PACR(fields) ((uint32_t)TX_PACR << 24 | (fields))
#define SEL(n) TX_PUT(PACR, read_intf_sel, n)
#define MODE(n) TX_PUT(PACR, addr_mode, n)
#define LAST TX_PUT(PACR, last, 1)
#define STAY MODE(3) /* counters stay */

/* Executes one instruction and returns its cost in cycles. Its bytes have not reached L1 yet. */
static inline struct tx_cost pacr_by(struct tx_tile *t, unsigned thread, uint32_t word) {
  struct tx_cost cost = {.issue = 1};
  struct tx_answer answer = {.ok = true};
  t->current = (struct tx_current){.agent = tx_agent_of_thread(thread), .word = word, .unit = TX_UNIT_PACK};
  tx_pack_ready(t, thread, word, &answer);
  assert_true(answer.ok);
  if (word >> 24 == TX_PACR) tx_exec_PACR(t, thread, word, &cost);
  else tx_exec_PACR_SETREG(t, thread, word, &cost);
  return cost;
}

static inline void settle(struct tx_tile *t) {
  if (!t->fault.kind) tx_tile_run(t, tx_now(t) + 1000);
}

/* Executes the instruction and runs until its bytes have reached L1. */
static inline void pacr(struct tx_tile *t, uint32_t word) {
  pacr_by(t, 0, word);
  settle(t);
}

static inline void expect_fault(struct tx_tile *t, enum sim_fault_kind kind, const char *words) {
  assert_int_equal(t->fault.kind, kind);
  if (!strstr(t->fault.why, words)) fail_msg("fault \"%s\" does not say \"%s\"", t->fault.why, words);
  memset(&t->fault, 0, sizeof t->fault);
  t->engine.stop = 0;
}

static inline void expect_quiet(const struct tx_tile *t) {
  for (unsigned i = 0; i < TX_DIAG_COUNT; i++)
    if (t->diag.counts[i]) fail_msg("finding %s", tx_diag_infos[i].name);
  assert_int_equal(t->fault.kind, SIM_FAULT_NONE);
}

static inline uint64_t found(const struct tx_tile *t, enum tx_diag_id id) { return t->diag.counts[id]; }

/* A distinct BF16 number for every element of Dst, which the packer does not change: exponents 1 to 254. */
static inline uint16_t mark(unsigned row, unsigned column) {
  uint32_t n = row * 16 + column;
  return (uint16_t)((n * 2 & 0x7f) | (1 + n % 253) << 7 | (n >> 9 & 1u) << 15);
}
static inline uint16_t in_dst(uint16_t bf16) {
  return (uint16_t)((bf16 & 0x8000u) | (bf16 & 0x7fu) << 8 | (bf16 >> 7 & 0xffu));
}

static inline void fill_dst(struct tx_tile *t) {
  for (unsigned r = 0; r < TX_DST_ROWS; r++)
    for (unsigned c = 0; c < 16; c++) t->dst.bits[r][c] = in_dst(mark(r, c));
}

static inline uint16_t half(const struct tx_tile *t, uint32_t address) {
  return (uint16_t)(t->l1[address] | t->l1[address + 1] << 8);
}
static inline uint32_t word_at(const struct tx_tile *t, uint32_t address) {
  return half(t, address) | (uint32_t)half(t, address + 2) << 16;
}

/* Asserts that L1 holds row `row` of Dst at `address` as BF16. */
static inline void expect_row(const struct tx_tile *t, uint32_t address, unsigned row) {
  for (unsigned c = 0; c < 16; c++)
    if (half(t, address + 2 * c) != mark(row, c))
      fail_msg("at 0x%x: %04x, Dst row %u column %u is %04x", address + 2 * c, half(t, address + 2 * c), row, c,
               mark(row, c));
}

static inline void expect_fill(const struct tx_tile *t, uint32_t address, uint32_t length, uint8_t byte) {
  for (uint32_t i = 0; i < length; i++)
    if (t->l1[address + i] != byte) fail_msg("at 0x%x: %02x instead of %02x", address + i, t->l1[address + i], byte);
}

#endif
