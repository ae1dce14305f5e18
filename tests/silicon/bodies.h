/* The bodies of the probes: 64 instructions (or pairs) of a loop, except where a name says otherwise. */
#ifndef TESSERA_TESTS_SILICON_BODIES_H
#define TESSERA_TESTS_SILICON_BODIES_H

#include "bench.h"

#define OP(name, fields) ((uint32_t)TX_##name << 24 | (uint32_t)(fields))
#define STALL(block, condition) OP(STALLWAIT, (uint32_t)(block) << 15 | (uint32_t)(condition))
#define CFGEXU (1u << 12)

#define BODY(name) static void body_##name(struct rv *r, unsigned core)
#define TIMES(count) for (unsigned i = 0; i < (count); i++)

BODY(none) { (void)r, (void)core; } /* a figure without its own loop */

/* --- the cores --- */
BODY(addi_dep) { (void)core, rv_put_times(r, rv_addi(A0, A0, 1), 64); }
BODY(addi_ind) {
  (void)core;
  TIMES(64) rv_put(r, rv_addi(A0 + i % 4, A0 + i % 4, 1));
}
BODY(mul_dep) { (void)core, rv_put_times(r, rv_mul(A0, A0, T2), 64); }
BODY(mul_ind) {
  (void)core;
  TIMES(64) rv_put(r, rv_mul(A0 + i % 4, A0 + i % 4, T2));
}
BODY(divu_29) { (void)core, rv_put_times(r, rv_divu(A0, T1, T2), 64); }
BODY(divu_12) {
  (void)core;
  rv_put(r, rv_lui(A1, 0x1000));
  rv_put(r, rv_addi(A1, A1, -1));
  rv_put_times(r, rv_divu(A0, A1, T2), 62);
}
BODY(csr_reads) { (void)core, rv_put_times(r, rv_csrrs(A0, 0x7c0, ZERO), 4); }
BODY(load_chase) { (void)core, rv_put_times(r, rv_lw(A6, 0, A6), 64); }
BODY(load_ind) {
  (void)core;
  TIMES(64) rv_put(r, rv_lw(A0 + i % 4, 16 * (int32_t)(i % 4), A6));
}
BODY(store_spread) {
  (void)core;
  TIMES(64) rv_put(r, rv_sw(A0, 16 * (int32_t)(i % 4), A6));
}
BODY(store_coalesce) {
  (void)core;
  TIMES(64) rv_put(r, rv_sw(A0, 4 * (int32_t)(i % 2), A6));
}
BODY(store_line) {
  (void)core;
  TIMES(64) rv_put(r, rv_sw(A0, 4 * (int32_t)(i % 4), A6));
}
BODY(load_local) { (void)core, rv_put_times(r, rv_lw(A7, 0, A7), 64); }
BODY(store_local) { (void)core, rv_put_times(r, rv_sw(A0, 0, A7), 64); }
BODY(branch_never) { (void)core, rv_put_times(r, rv_bne(A0, A0, 4), 64); }
BODY(branch_always) { (void)core, rv_put_times(r, rv_beq(A0, A0, 4), 64); }
BODY(branch_every_other) {
  (void)core;
  TIMES(64) rv_put(r, i % 2 ? rv_beq(A0, A0, 4) : rv_bne(A0, A0, 4));
}
/* xori and a branch that is taken never, always or alternately, on a value that changes each time. */
#define XOR_AND(name, branch) \
  BODY(name) { \
    (void)core; \
    TIMES(64) rv_put(r, rv_i(1, A1, 4, A1, 0x13)), rv_put(r, branch); \
  }
XOR_AND(xor_never, rv_bne(A0, A0, 4))
XOR_AND(xor_always, rv_beq(A0, A0, 4))
XOR_AND(xor_every_other, rv_beq(A1, ZERO, 4))
BODY(jump) { (void)core, rv_put_times(r, rv_jal(ZERO, 4), 64); }
/* A load of a register and its use: latency + 1. Two instructions before the 64 pairs. */
#define USE(name, address) \
  BODY(use_##name) { \
    (void)core; \
    rv_li(r, S11, address); \
    TIMES(64) rv_put(r, rv_lw(A0, 0, S11)), rv_put(r, rv_addi(A1, A0, 0)); \
  }
USE(semaphore, 0xFFE80020u)
USE(mailbox, 0xFFEC1004u)
USE(gpr, 0xFFE00000u)
USE(config, 0xFFEF0010u)
USE(tdma, 0xFFB11014u)
USE(clock, 0xFFB121F0u)
USE(pic, 0xFFB13000u)
USE(niu, 0xFFB20000u)
USE(stream, 0xFFB40000u + 4 * 297)
USE(slow, 0xFFB1A100u)
#define PUT(name, address) \
  BODY(put_##name) { \
    (void)core; \
    rv_li(r, S11, address); \
    rv_put_times(r, rv_sw(ZERO, 0, S11), 64); \
  }
PUT(gpr, 0xFFE00000u)
PUT(semaphore, 0xFFE80020u)
PUT(mop, 0xFFB80000u)
PUT(slow, 0xFFB1A100u)
static inline void use_l1(struct rv *r, unsigned between) {
  TIMES(64) {
    rv_put(r, rv_lw(A0, 0, A6));
    for (unsigned k = 0; k < between; k++) rv_put(r, rv_addi(A1 + k % 4, ZERO, 1));
    rv_put(r, rv_addi(A5, A0, 0));
  }
}
BODY(use_l1_6) { (void)core, use_l1(r, 6); }
BODY(use_l1_8) { (void)core, use_l1(r, 8); }
BODY(local_ind) {
  (void)core;
  TIMES(64) rv_put(r, rv_lw(A0 + i % 4, 0, A7));
}
BODY(store_bytes) {
  (void)core;
  TIMES(64) rv_put(r, rv_s((int32_t)i, A0, A6, 0, 0x23));
}
BODY(store_halves) {
  (void)core;
  TIMES(64) rv_put(r, rv_s(2 * (int32_t)i, A0, A6, 1, 0x23));
}
BODY(store_eight) {
  (void)core;
  TIMES(64) rv_put(r, rv_sw(A0, 8 * (int32_t)(i % 2), A6));
}
BODY(amo) { (void)core, rv_put_times(r, rv_r(0, ZERO, A6, 2, A0, 0x2f), 32); }
BODY(divu_by_0) { (void)core, rv_put_times(r, rv_divu(A0, T1, ZERO), 64); }
BODY(divu_by_1) {
  (void)core;
  rv_li(r, A1, 1);
  rv_put_times(r, rv_divu(A0, T1, A1), 62);
}
BODY(div_overflow) {
  (void)core;
  rv_li(r, A1, 0x80000000u);
  rv_put(r, rv_addi(A2, ZERO, -1));
  rv_put_times(r, rv_r(1, A2, A1, 4, A0, 0x33), 61);
}
BODY(divu_1) {
  (void)core;
  rv_li(r, A1, 1);
  rv_put_times(r, rv_divu(A0, A1, T2), 62);
}
BODY(divu_32) {
  (void)core;
  rv_li(r, A1, 0xfffff000u);
  rv_put_times(r, rv_divu(A0, A1, T2), 62);
}
BODY(fadd_dep) { (void)core, rv_put_times(r, rv_r(0, 1, 0, 7, 0, 0x53), 64); }
BODY(no_predictor) {
  (void)core;
  rv_put(r, rv_addi(T0, ZERO, 2));
  rv_put(r, rv_csrrs(ZERO, 0x7c0, T0));
}
BODY(fetch_4096) { (void)core, rv_put_times(r, rv_addi(A0, A0, 1), 1024 - 3); }
BODY(fetch_4608) { (void)core, rv_put_times(r, rv_addi(A0, A0, 1), 1152 - 3); }
BODY(fetch_5632) { (void)core, rv_put_times(r, rv_addi(A0, A0, 1), 1408 - 3); }
BODY(fetch_6144) { (void)core, rv_put_times(r, rv_addi(A0, A0, 1), 1536 - 3); }
BODY(fetch_8192) { (void)core, rv_put_times(r, rv_addi(A0, A0, 1), 2048 - 3); }
BODY(addi_16) { (void)core, rv_put_times(r, rv_addi(A0, A0, 1), 16); }

/* --- Tensix instructions --- */
#define ONE(name, word) \
  BODY(name) { (void)core, rv_put_times(r, rv_ttinsn(word), 64); }
#define PAIR(name, first, second) \
  BODY(name) { \
    (void)core; \
    TIMES(64) rv_put(r, rv_ttinsn(first)), rv_put(r, rv_ttinsn(second)); \
  }
ONE(NOP, OP(NOP, 0))
ONE(DMANOP, OP(DMANOP, 0))
ONE(SFPNOP, OP(SFPNOP, 0))
ONE(SFPMOV, OP(SFPMOV, 1u << 4))
ONE(SFPADD, OP(SFPADD, 1u << 12 | 2u << 8 | 3u << 4))
ONE(SFPMUL, OP(SFPMUL, 1u << 12 | 2u << 8 | 3u << 4))
ONE(SFPMAD, OP(SFPMAD, 1u << 12 | 2u << 8 | 3u << 4))
ONE(SFPABS, OP(SFPABS, 1u << 4))
ONE(SETDMAREG, OP(SETDMAREG, 7u << 8 | 120))
ONE(SETRWC, OP(SETRWC, 0))
ONE(INCRWC, OP(INCRWC, 0))
ONE(RDCFG, OP(RDCFG, 60u << 16))
ONE(ADDDMAREG, OP(ADDDMAREG, 1u << 23 | 60u << 12 | 1u << 6 | 60))
ONE(MULDMAREG, OP(MULDMAREG, 1u << 23 | 61u << 12 | 1u << 6 | 60))
ONE(SHIFTDMAREG, OP(SHIFTDMAREG, 1u << 23 | 61u << 12 | 1u << 6 | 60))
ONE(CMPDMAREG, OP(CMPDMAREG, 1u << 23 | 62u << 12 | 1u << 6 | 60))
ONE(MVMUL, OP(MVMUL, 0))
ONE(ELWADD, OP(ELWADD, 0))
ONE(ELWMUL, OP(ELWMUL, 0))
ONE(SETC16, OP(SETC16, 47u << 16))
ONE(WRCFG, OP(WRCFG, 60u << 16 | 210))
ONE(CFGSHIFTMASK, OP(CFGSHIFTMASK, 0xd1))
ONE(SEMPOST, OP(SEMPOST, 1u << 2))
ONE(STALL, STALL(1, 1))
ONE(SETADCXY, OP(SETADCXY, 0))
ONE(ADDDMAREG_far, OP(ADDDMAREG, 60u << 12 | 1u << 6 | 60))
ONE(REG2FLOP, OP(REG2FLOP, 1u << 22 | 60))
ONE(STOREIND, OP(STOREIND, 0))
ONE(LOADIND, OP(LOADIND, 0))
ONE(SFPMAD_dep, OP(SFPMAD, 1u << 16 | 1u << 12 | 2u << 8 | 1u << 4))
ONE(SFPSWAP, OP(SFPSWAP, 1u << 8 | 2u << 4))
ONE(ZEROACC, OP(ZEROACC, 0))
ONE(SHIFTXB, OP(SHIFTXB, 0))
PAIR(rmwcib_stall, OP(RMWCIB0, 0), STALL(0x1ff, CFGEXU))
PAIR(rdcfg_add_dependent, OP(RDCFG, 60u << 16), OP(ADDDMAREG, 1u << 23 | 63u << 12 | 60))
PAIR(rdcfg_add, OP(RDCFG, 60u << 16), OP(ADDDMAREG, 1u << 23 | 63u << 12 | 59))
PAIR(nop_nop, OP(NOP, 0), OP(NOP, 0))

/* 16 groups of 16 addi and some .ttinsn, side by side or apart. */
static inline void groups(struct rv *r, unsigned words, bool apart) {
  TIMES(16) {
    for (unsigned k = 0; k < 16; k++) {
      if (k < words && (apart || k == 0)) rv_put_times(r, rv_ttinsn(OP(NOP, 0)), apart ? 1 : words);
      rv_put(r, rv_addi(A0, A0, 1));
    }
  }
}
BODY(group_0) { (void)core, groups(r, 0, false); }
BODY(group_2) { (void)core, groups(r, 2, false); }
BODY(group_4) { (void)core, groups(r, 4, false); }
BODY(group_4_apart) { (void)core, groups(r, 4, true); }

/* Thread 1 waits for the configuration unit, the others keep it busy. */
BODY(c12_beside_rmwcib) {
  TIMES(64) {
    rv_put(r, rv_ttinsn(core == 1 ? STALL(0x1ff, CFGEXU) : OP(RMWCIB0, 0)));
    rv_put(r, rv_ttinsn(OP(NOP, 0)));
  }
}

BODY(ADDDMAREG_16) { (void)core, rv_put_times(r, rv_ttinsn(OP(ADDDMAREG, 1u << 23 | 60u << 12 | 1u << 6 | 60)), 16); }
BODY(ADDDMAREG_1) { (void)core, rv_put(r, rv_ttinsn(OP(ADDDMAREG, 1u << 23 | 60u << 12 | 1u << 6 | 60))); }
/* The read of the clock has returned before. */
BODY(sync_empty) {
  (void)core;
  rv_put(r, rv_addi(ZERO, S9, 0));
  rv_put(r, RV_NOP);
  bench_sync(r);
}
BODY(sync_behind_one) {
  rv_put(r, rv_addi(ZERO, S9, 0));
  body_ADDDMAREG_1(r, core);
  bench_sync(r);
}

/* Both Src banks belong to the matrix unit. */
BODY(give_sources) {
  if (core == 1) rv_put(r, rv_ttinsn(OP(SETDVALID, 3)));
}
/* As above, and ADDR_MOD_0 of thread 1 advances Dst by 8 rows. */
BODY(give_sources_and_step) {
  body_give_sources(r, core);
  if (core == 1) rv_put(r, rv_ttinsn(OP(SETC16, (uint32_t)TX_CFG_ADDR_MOD_DST_SEC0_DestIncr_ADDR << 16 | 8u)));
}

#endif
