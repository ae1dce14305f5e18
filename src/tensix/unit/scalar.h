/* The scalar unit (ThCon): 64 general purpose registers per thread, integer arithmetic on them, loads, stores and
 * atomics. One instruction at a time, not pipelined. ISA: ScalarUnit.md and the page of each instruction (Wormhole pages;
 * Blackhole has no others).
 *
 * Arithmetic writes its GPR when it is accepted: only later instructions of the same thread can look. Loads, atomics and
 * RDCFG write theirs later (GPR_WRITE effects); a reader that does not wait gets the old value and a finding. Only behind RDCFG
 * the unit itself waits (scalar_ready.c).
 *
 * ATCAS, ATINCGETPTR, FLUSHDMA and STOREIND to Src can wait inside the unit for an unknown time. The unit is then an
 * agent of its own (TX_AGENT_SCALAR) that sleeps until what it waits for can have changed; the thread is held as well. */
#ifndef TESSERA_TENSIX_SCALAR_H
#define TESSERA_TENSIX_SCALAR_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/time.h"

#define TX_GPRS 64u

struct tx_scalar {
  uint32_t gpr[3][TX_GPRS];
  uint8_t gpr_pending[3][TX_GPRS]; /* writes on their way into a register, for a diagnostic */
  uint32_t outstanding[3];         /* C0: memory requests emitted and not yet processed */
  uint32_t waiting_word;           /* the instruction that waits inside the unit, 0: none */
  uint32_t waiting_thread;
  uint32_t waiting_pc;
  uint32_t pad;
  uint32_t waiting_data[3]; /* STOREIND to Src: index and two GPRs, as they were when it was accepted */
  sim_time hold_until[3];   /* the gate passes nothing of this thread before */
  sim_time atomic_free_at;  /* the next ATINCGET or ATSWAP starts then at the earliest */
  sim_time rdcfg_lands_at
      [3]; /* the thread's last RDCFG writes its GPR then; one a cycle, two cycles each: no earlier one is open */
  uint8_t rdcfg_gpr[3];
  uint8_t pad2[5];
};

struct tx_tile;
struct sim_effect;

/* Writes the bytes of `byte_mask` (bit per byte) of a GPR now and wakes a core that polls it. */
void tx_gpr_write(struct tx_tile *t, unsigned thread, unsigned reg, uint32_t value, uint32_t byte_mask);
/* Reads a GPR for an instruction; reports GPR_READ_TOO_SOON. */
uint32_t tx_gpr_read(struct tx_tile *t, unsigned thread, unsigned reg);
/* A write that lands `cycles` from now. */
void tx_gpr_write_later(struct tx_tile *t, unsigned thread, unsigned reg, uint32_t value, uint32_t byte_mask,
                        uint32_t cycles, bool ends_request);
/* The unit's turn while an instruction waits inside it. */
void tx_scalar_issue(struct tx_tile *t);

void tx_effect_GPR_WRITE(struct tx_tile *t, const struct sim_effect *e);
void tx_effect_SCALAR_MEMORY(struct tx_tile *t, const struct sim_effect *e);

#endif
