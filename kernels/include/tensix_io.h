/* A kernel's access to the tile: instruction words, loads and stores, polls. All other headers use only this file.
 *
 * Two backends with the same source above them:
 *   device    a RISC-V core: stores to the instruction FIFO (TT_PUSH), .ttinsn words (TT_INSN), volatile accesses
 *   record TT_RECORD: the host calls the kernel, which records the operations of its core (tests/kernels/record.c)
 *
 * ISA: PushTensixInstruction.md (the word in the instruction stream is rotated left by two), ManualTTSync.md. */
#ifndef TENSIX_IO_H
#define TENSIX_IO_H

#include <stdint.h>

#pragma GCC diagnostic ignored "-Warray-bounds" /* addresses of the tile are not objects of the program */
#ifdef __cplusplus
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#endif

#define TT_INLINE static inline __attribute__((always_inline, unused))

/* Addresses for all cores. ISA: BabyRISCV README.md, PushTensixInstruction.md. */
#define INSTRN_BUF_BASE 0xFFE40000u /* a T core's own thread; BRISC: thread 0 */
#define INSTRN1_BUF_BASE 0xFFE50000u
#define INSTRN2_BUF_BASE 0xFFE60000u
#define REGFILE_BASE 0xFFE00000u
#define PC_BUF_BASE 0xFFE80000u
#define PC1_BUF_BASE 0xFFE90000u
#define PC2_BUF_BASE 0xFFEA0000u
#define TENSIX_MOP_CFG_BASE 0xFFB80000u
#define TENSIX_CFG_BASE 0xFFEF0000u
#define RISCV_TDMA_REGS_BASE 0xFFB11000u
#define RISCV_DEBUG_REGS_BASE 0xFFB12000u
#define NOC_STREAM_BASE 0xFFB40000u
#define MEM_LOCAL_BASE 0xFFB00000u
#define MEM_L1_ARC_FW_SCRATCH 16u /* its firmware's word: an odd value requests that matmul_block throttles. */

#ifdef TT_RECORD

#ifdef __cplusplus
extern "C" {
#endif
void tt_record_push(uint32_t word);
void tt_record_store(uint32_t address, uint32_t value);
uint32_t tt_record_load(uint32_t address);
void tt_record_poll(uint32_t address, uint32_t mask, uint32_t value);
void tt_record_poll_tiles(uint32_t cb, uint32_t index, uint32_t known, uint32_t count);
void tt_record_sync(void);
void tt_record_mop_sync(void);
void tt_record_fail(const char *text, uint32_t value, const char *file, uint32_t line);
#ifdef __cplusplus
}
#endif

#define TT_PUSH(word) tt_record_push(word)
#define TT_INSN(word) tt_record_push(word)

TT_INLINE void tt_store(uint32_t address, uint32_t value) { tt_record_store(address, value); }
TT_INLINE uint32_t tt_load(uint32_t address) { return tt_record_load(address); }
TT_INLINE void tt_poll(uint32_t address, uint32_t mask, uint32_t value) { tt_record_poll(address, mask, value); }
TT_INLINE void tensix_sync(void) { tt_record_sync(); }
TT_INLINE void mop_sync(void) { tt_record_mop_sync(); }
TT_INLINE void tt_fail(const char *text, uint32_t value, const char *file, uint32_t line) {
  tt_record_fail(text, value, file, line);
}

#else

#ifdef __cplusplus
extern "C"
#endif
    void
    tt_fail(const char *text, uint32_t value, const char *file, uint32_t line)
        __attribute__((noreturn, cold)); /* firmware.c: stores the text for the host and stops */

#define TT_PUSH(word) (*(volatile uint32_t *)INSTRN_BUF_BASE = (word))
/* The word rotated left by two, by the assembler: the operand's text is here once. */
#define TT_INSN(word) __asm__ volatile(".word (((%0) << 2) | (((%0) >> 30) & 3)) & 0xffffffff" : : "i"(word))

TT_INLINE void tt_store(uint32_t address, uint32_t value) { *(volatile uint32_t *)address = value; }
TT_INLINE uint32_t tt_load(uint32_t address) { return *(volatile uint32_t *)address; }

/* Until (word & mask) == value. */
TT_INLINE void tt_poll(uint32_t address, uint32_t mask, uint32_t value) {
  while ((tt_load(address) & mask) != value) {}
}

/* Waits until everything this core pushed has completed. The store orders, the load waits. */
TT_INLINE void tensix_sync(void) {
  tt_store(PC_BUF_BASE + 4, 0);
  uint32_t done = tt_load(PC_BUF_BASE + 4);
  __asm__ volatile("andi zero, %0, 0" : : "r"(done)); /* consume it: nothing may overtake the load */
}

/* Waits until no MOP of this core is queued or expanding: MopCfg may then be written. */
TT_INLINE void mop_sync(void) {
  tt_store(PC_BUF_BASE + 8, 0);
  uint32_t done = tt_load(PC_BUF_BASE + 8);
  __asm__ volatile("andi zero, %0, 0" : : "r"(done));
}

#endif

/* Waits until the core's stores are under way and its loads have their values, and empties its cache of L1. A load from L1 after it waits for
 * all earlier stores to L1. ISA: MemoryOrdering.md, "Fences" */
TT_INLINE void tt_fence(void) {
#ifndef TT_RECORD
  __asm__ volatile("fence" : : : "memory");
#endif
}

/* Waits until a store to L1 has arrived: later loads do not pass it. */
TT_INLINE void l1_fence(uint32_t address) {
#ifndef TT_RECORD
  uint32_t value = tt_load(address);
  __asm__ volatile("andi zero, %0, 0" : : "r"(value) : "memory");
#else
  (void)address;
#endif
}

/* Misuse of the library ends the run with this one line; %u in the text is replaced by the value. The host finds the
 * kernel's own line by the return address, so two inlined copies of one check must not be merged: the empty statement keeps
 * them separate. */
#define KERNEL_CHECK_AT(condition, text, value, file, line) \
  do { \
    if (!(condition)) { \
      __asm__ volatile(""); \
      tt_fail(text, value, file, line); \
    } \
  } while (0)
#define KERNEL_CHECK_VALUE(condition, text, value) KERNEL_CHECK_AT(condition, text, value, __FILE__, __LINE__)
#define KERNEL_CHECK(condition, text) KERNEL_CHECK_AT(condition, text, 0, __FILE__, __LINE__)

#include "tensix_isa.h" /* generated: tessera isa --c-header */

#endif
