/* The coprocessor from a kernel: configuration, GPRs, address modes, replay, MOP templates, semaphores, mutexes.
 * All functions act on the thread of the calling core. */
#ifndef TENSIX_CORE_H
#define TENSIX_CORE_H

#include "tensix_io.h"

/* --- backend configuration. ISA: BackendConfiguration.md --- */

/* By a store of the core: follow with STALLWAIT(..., TRISC_CFG) before an instruction that uses it. Bank 0. */
TT_INLINE void cfg_store(uint32_t address32, uint32_t value) { tt_store(TENSIX_CFG_BASE + 4 * address32, value); }

/* By instructions, in their order: cfg_rmw(FIELD_RMW, value). ISA: RMWCIB.md */
TT_INLINE void cfg_rmw(uint32_t address32, uint32_t shift, uint32_t mask, uint32_t value) {
  uint32_t data = value << shift & mask;
  if (mask & 0xffu) TT_RMWCIB0(mask & 0xffu, data & 0xffu, address32);
  if (mask >> 8 & 0xffu) TT_RMWCIB1(mask >> 8 & 0xffu, data >> 8 & 0xffu, address32);
  if (mask >> 16 & 0xffu) TT_RMWCIB2(mask >> 16 & 0xffu, data >> 16 & 0xffu, address32);
  if (mask >> 24) TT_RMWCIB3(mask >> 24, data >> 24, address32);
}

/* --- GPRs of this thread. ISA: SETDMAREG.md --- */

TT_INLINE void gpr_set_low(uint32_t gpr, uint32_t value) { TT_SETDMAREG(value >> 14 & 3u, value & 0x3fffu, 0, 2 * gpr); }
TT_INLINE void gpr_set_high(uint32_t gpr, uint32_t value) {
  TT_SETDMAREG(value >> 30, value >> 16 & 0x3fffu, 0, 2 * gpr + 1);
}
TT_INLINE void gpr_set(uint32_t gpr, uint32_t value) {
  gpr_set_low(gpr, value);
  gpr_set_high(gpr, value);
}

/* A Config word from a GPR; the NOPs cover its two cycles. ISA: WRCFG.md */
TT_INLINE void cfg_from_gpr(uint32_t address32, uint32_t gpr) {
  TT_WRCFG(gpr, p_cfg_WRCFG_32b, address32);
  TTI_NOP;
  TTI_NOP;
}

/* --- address modes. ISA: RWCs.md --- */

typedef struct {
  uint32_t incr, clr, cr;
} addr_mod_src_t;
typedef struct {
  uint32_t incr, clr, cr, c_to_cr; /* incr: 10 bits, two's complement */
} addr_mod_dest_t;
typedef struct {
  uint32_t incr, clr;
} addr_mod_fidelity_t;

typedef struct addr_mod_t {
  addr_mod_src_t srca, srcb;
  addr_mod_dest_t dest;
  addr_mod_fidelity_t fidelity;
#ifdef __cplusplus
  inline void set(uint32_t slot) const;
#endif
} addr_mod_t;

TT_INLINE uint32_t addr_mod_ab_word(const addr_mod_t *m) {
  return (m->srca.incr & 63u) | m->srca.cr << 6 | m->srca.clr << 7 | (m->srcb.incr & 63u) << 8 | m->srcb.cr << 14 |
         m->srcb.clr << 15;
}

TT_INLINE uint32_t addr_mod_dst_word(const addr_mod_t *m) {
  return (m->dest.incr & 1023u) | m->dest.cr << 10 | m->dest.clr << 11 | m->dest.c_to_cr << 12 | m->fidelity.incr << 13 |
         m->fidelity.clr << 15;
}

TT_INLINE void addr_mod_set(uint32_t slot, addr_mod_t mode) {
  TT_SETC16(ADDR_MOD_AB_SEC0_SrcAIncr_ADDR32 + slot, addr_mod_ab_word(&mode));
  TT_SETC16(ADDR_MOD_DST_SEC0_DestIncr_ADDR32 + slot, addr_mod_dst_word(&mode));
}

#ifdef __cplusplus
inline void addr_mod_t::set(uint32_t slot) const { addr_mod_set(slot, *this); }
#endif

typedef struct {
  uint32_t incr, clr, cr;
} addr_mod_y_t;
typedef struct {
  uint32_t incr, clr;
} addr_mod_z_t;

typedef struct addr_mod_pack_t {
  addr_mod_y_t y_src, y_dst;
  addr_mod_z_t z_src, z_dst;
#ifdef __cplusplus
  inline void set(uint32_t slot) const;
#endif
} addr_mod_pack_t;

TT_INLINE void addr_mod_pack_set(uint32_t slot, addr_mod_pack_t m) {
  TT_SETC16(ADDR_MOD_PACK_SEC0_YsrcIncr_ADDR32 + slot,
            m.y_src.incr | m.y_src.cr << 4 | m.y_src.clr << 5 | m.y_dst.incr << 6 | m.y_dst.cr << 10 | m.y_dst.clr << 11 |
                m.z_src.incr << 12 | m.z_src.clr << 13 | m.z_dst.incr << 14 | m.z_dst.clr << 15);
}

#ifdef __cplusplus
inline void addr_mod_pack_t::set(uint32_t slot) const { addr_mod_pack_set(slot, *this); }
#endif

/* --- replay. ISA: REPLAY.md. 32 slots; the library's math functions use 16..31 --- */

#define REPLAY_MATH 16u

/* The next `count` words are recorded, not executed. */
TT_INLINE void replay_record(uint32_t start, uint32_t count) { TT_REPLAY(start, count, 0, 1); }
TT_INLINE uint32_t replay_insn(uint32_t start, uint32_t count) { return TT_OP_REPLAY(start, count, 0, 0); }
TT_INLINE void replay_play(uint32_t start, uint32_t count) { TT_REPLAY(start, count, 0, 0); }

/* --- MOP. ISA: MOPExpander.md, docs/evidence/errata.md A43 to A45 --- */

/* Template 1: outer x { start_op, inner x { loop_op0, loop_op1 }, end_op0, end_op1 }. The last loop op of each inner loop is
 * replaced by last_inner, in the last outer iteration by last_outer. An op of 0 is omitted. */
typedef struct {
  uint32_t outer, inner, start_op, end_op0, end_op1, loop_op0, loop_op1, last_outer, last_inner;
} mop_template_t;

TT_INLINE void mop_config_store(uint32_t index, uint32_t value) { tt_store(TENSIX_MOP_CFG_BASE + 4 * index, value); }

TT_INLINE void mop_program(const mop_template_t *t) {
  uint32_t last = t->loop_op1 ? t->loop_op1 : t->loop_op0;
  mop_sync();
  mop_config_store(0, t->outer);
  mop_config_store(1, t->inner);
  mop_config_store(2, t->start_op ? t->start_op : TT_OP_NOP);
  mop_config_store(3, t->end_op0 ? t->end_op0 : TT_OP_NOP);
  mop_config_store(4, t->end_op1 ? t->end_op1 : TT_OP_NOP);
  mop_config_store(5, t->loop_op0);
  mop_config_store(6, t->loop_op1 ? t->loop_op1 : TT_OP_NOP);
  mop_config_store(7, t->last_outer ? t->last_outer : last);
  mop_config_store(8, t->last_inner ? t->last_inner : last);
}

TT_INLINE void mop_run(void) { TTI_MOP(1, 0, 0); }

/* Template 0: for each of `count` bits of the mask, low first: 0 gives a0 (a1 a2 a3 with halo) (b with has_b), 1 gives
 * skip_a (skip_b). */
typedef struct {
  uint32_t has_b, halo, a0, a1, a2, a3, skip_a, b, skip_b;
} mop_mask_template_t;

TT_INLINE void mop_mask_program(const mop_mask_template_t *t) {
  mop_sync();
  mop_config_store(1, t->has_b | t->halo << 1);
  mop_config_store(2, t->b);
  mop_config_store(3, t->a0);
  mop_config_store(4, t->a1);
  mop_config_store(5, t->a2);
  mop_config_store(6, t->a3);
  mop_config_store(7, t->skip_a);
  mop_config_store(8, t->skip_b);
}

TT_INLINE void mop_mask_run(uint32_t count, uint32_t mask) {
  TT_MOP_CFG(mask >> 16);
  TT_MOP(0, count - 1, mask & 0xffffu);
}

/* --- semaphores. ISA: SyncUnit.md, SEMPOST.md, SEMGET.md, SEMWAIT.md --- */

/* By the core itself: a load or store on its semaphore registers. */
TT_INLINE uint32_t semaphore_address(uint32_t index) { return PC_BUF_BASE + 0x20u + 4u * index; }
TT_INLINE uint32_t semaphore_read(uint32_t index) { return tt_load(semaphore_address(index)); }
TT_INLINE void semaphore_post(uint32_t index) { tt_store(semaphore_address(index), 0); }
TT_INLINE void semaphore_get(uint32_t index) { tt_store(semaphore_address(index), 1); }

/* By the thread, in the order of its instructions, after the units in `wait` (p_stall) are done; 0: at once. */
TT_INLINE void t6_semaphore_post(uint32_t index, uint32_t wait) {
  if (wait) TT_STALLWAIT(p_stall_STALL_SYNC, wait);
  TT_SEMPOST(1u << index);
}
TT_INLINE void t6_semaphore_get(uint32_t index, uint32_t wait) {
  if (wait) TT_STALLWAIT(p_stall_STALL_SYNC, wait);
  TT_SEMGET(1u << index);
}
TT_INLINE void t6_semaphore_init(uint32_t index, uint32_t value, uint32_t max) { TT_SEMINIT(max, value, 1u << index); }

TT_INLINE void t6_mutex_acquire(uint32_t index) { TT_ATGETM(index); }
TT_INLINE void t6_mutex_release(uint32_t index) { TT_ATRELM(index); }

#endif
