/* A tile whose cores run code that the tests write word by word. The encoders are the RISC-V manual's formats, written again here:
 * they share nothing with riscv.def. */
#ifndef TESSERA_TESTS_RISCV_RIG_H
#define TESSERA_TESTS_RISCV_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "observe/hang/hang.h"
#include "observe/words.h"
#include "tensix/riscv/core.h"
#include "tensix/tile/tile.h"
#include "tile_pool.h"

#define RV_FOREVER (UINT64_C(1) << 40)
#define BRISC TX_CORE_BRISC

enum { ZERO, RA, SP, GP, TP, T0, T1, T2, S0, S1, A0, A1, A2, A3, A4, A5, A6, A7 };

/* --- encoders --- */

static inline uint32_t rv_r(uint32_t f7, unsigned rs2, unsigned rs1, uint32_t f3, unsigned rd, uint32_t opcode) {
  return f7 << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 | rd << 7 | opcode;
}
static inline uint32_t rv_i(int32_t imm, unsigned rs1, uint32_t f3, unsigned rd, uint32_t opcode) {
  return (uint32_t)imm << 20 | rs1 << 15 | f3 << 12 | rd << 7 | opcode;
}
static inline uint32_t rv_s(int32_t imm, unsigned rs2, unsigned rs1, uint32_t f3, uint32_t opcode) {
  uint32_t u = (uint32_t)imm;
  return (u >> 5 & 127u) << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 | (u & 31u) << 7 | opcode;
}
static inline uint32_t rv_b(int32_t imm, unsigned rs2, unsigned rs1, uint32_t f3) {
  uint32_t u = (uint32_t)imm;
  return (u >> 12 & 1u) << 31 | (u >> 5 & 63u) << 25 | rs2 << 20 | rs1 << 15 | f3 << 12 | (u >> 1 & 15u) << 8 |
         (u >> 11 & 1u) << 7 | 0x63u;
}
static inline uint32_t rv_jal(unsigned rd, int32_t imm) {
  uint32_t u = (uint32_t)imm;
  return (u >> 20 & 1u) << 31 | (u >> 1 & 0x3ffu) << 21 | (u >> 11 & 1u) << 20 | (u >> 12 & 255u) << 12 | rd << 7 | 0x6fu;
}
static inline uint32_t rv_lui(unsigned rd, uint32_t value) { return (value & 0xfffff000u) | rd << 7 | 0x37u; }
static inline uint32_t rv_addi(unsigned rd, unsigned rs1, int32_t imm) { return rv_i(imm, rs1, 0, rd, 0x13); }
static inline uint32_t rv_lw(unsigned rd, int32_t offset, unsigned rs1) { return rv_i(offset, rs1, 2, rd, 0x03); }
static inline uint32_t rv_sw(unsigned rs2, int32_t offset, unsigned rs1) { return rv_s(offset, rs2, rs1, 2, 0x23); }
static inline uint32_t rv_mul(unsigned rd, unsigned rs1, unsigned rs2) { return rv_r(1, rs2, rs1, 0, rd, 0x33); }
static inline uint32_t rv_divu(unsigned rd, unsigned rs1, unsigned rs2) { return rv_r(1, rs2, rs1, 5, rd, 0x33); }
static inline uint32_t rv_beq(unsigned rs1, unsigned rs2, int32_t to) { return rv_b(to, rs2, rs1, 0); }
static inline uint32_t rv_bne(unsigned rs1, unsigned rs2, int32_t to) { return rv_b(to, rs2, rs1, 1); }
static inline uint32_t rv_csrrw(unsigned rd, uint32_t csr, unsigned rs1) { return rv_i((int32_t)csr, rs1, 1, rd, 0x73); }
static inline uint32_t rv_csrrs(unsigned rd, uint32_t csr, unsigned rs1) { return rv_i((int32_t)csr, rs1, 2, rd, 0x73); }
static inline uint32_t rv_ttinsn(uint32_t word) { return word << 2 | word >> 30; }
#define RV_NOP 0x00000013u
#define RV_EBREAK 0x00100073u
#define RV_FENCE 0x0ff0000fu
#define FIRMWARE_CFG0 (1u << 18 | 1u << 3) /* no fusion, no L0 data cache; the merge timer stays as it is */

/* --- programs --- */

struct rv {
  struct tx_tile *t;
  uint32_t at; /* address of the next word */
};

static inline void rv_new(struct rv *r, bool timing) {
  r->t = tile_take();
  tx_tile_reset(r->t, timing);
  r->t->params.local_ram_clears = 0; /* most tests do not want a start of 1024 cycles */
  r->at = 0;
}

static inline void rv_free(struct rv *r) { tile_give_back(r->t); }

static inline void rv_put(struct rv *r, uint32_t word) {
  memcpy(&r->t->l1[r->at], &word, 4);
  r->at += 4;
}

static inline void rv_put_times(struct rv *r, uint32_t word, unsigned times) {
  while (times--) rv_put(r, word);
}

static inline void rv_li(struct rv *r, unsigned rd, uint32_t value) {
  int32_t low = (int32_t)(value << 20) >> 20;
  rv_put(r, rv_lui(rd, value - (uint32_t)low));
  rv_put(r, rv_addi(rd, rd, low));
}

/* What firmware does first: cfg0 |= FIRMWARE_CFG0. Uses t0. */
static inline void rv_firmware(struct rv *r) {
  rv_li(r, T0, FIRMWARE_CFG0);
  rv_put(r, rv_csrrs(ZERO, 0x7c0, T0));
}

static inline void rv_poke(struct rv *r, uint32_t address, uint32_t value) { tx_l1_write(r->t, address, &value, 4); }
static inline uint32_t rv_peek(const struct rv *r, uint32_t address) { return tx_l1_read(r->t, address, 4); }

/* Runs until every core has stopped, and asserts that none faulted. */
static inline void rv_finish(struct rv *r) {
  enum sim_end end = tx_tile_run(r->t, RV_FOREVER);
  if (end == SIM_END_DONE) return;
  char text[4096] = "";
  if (r->t->fault.kind) obs_fault_line(r->t, text, sizeof text);
  else obs_hang_report(r->t, text, sizeof text);
  fail_msg("did not end well (%d) at %llu: %s", (int)end, (unsigned long long)r->t->engine.now, text);
}

/* Runs a core from `start` until its ebreak and returns the cycles. */
static inline uint64_t rv_run(struct rv *r, unsigned core, uint32_t start) {
  tx_core_start(r->t, core, start);
  rv_finish(r);
  assert_int_equal(r->t->core[core].state, TX_CORE_EBREAK);
  return tx_core_cycles(r->t, core);
}

/* A small generator: splitmix64. */
static inline uint64_t rv_random(uint64_t *state) {
  uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

#endif
