/* A baby RISC-V core: in-order, one instruction per cycle, with an instruction cache, a load/store unit with a store queue of four,
 * and a retire-order queue of eight. ISA: BabyRISCV/README.md, MemoryOrdering.md, InstructionSet.md, CSRs.md.
 *
 * Time is a scoreboard. `clock` is the first cycle in which the next instruction may enter EX1; it enters in the first cycle in
 * which its operands are available (`ready`), its code has arrived (`line_ready`) and the instruction eight before it has retired
 * (`retire`). A core may be up to TX_CORE_AHEAD cycles ahead of the tile through instructions that access only its registers and
 * local RAM; any effect that others can observe happens in its own cycle.
 *
 * Files: decode.c, execute.c (instructions), fetch.c (instruction cache, branch predictor), memory.c (loads, atomics,
 * spins), queue.c (store queue), spin.c (spinning cores), csr.c, float.c, breaks.c (debuggers), core.c (reset and the
 * agent), run.c (shared helpers).
 *
 * interrupt.c has interrupts, halt.c and tile/core_debug.c the debug interface. Not modelled: T2's vector extension (a fault by name),
 * fcsr flags (never set), the rule that two unretired writers of one register cannot be forwarded from, cfg0's SyncAllOps
 * and DisRegForwarding. */
#ifndef TESSERA_TENSIX_RISCV_CORE_H
#define TESSERA_TENSIX_RISCV_CORE_H

#include <stdbool.h>
#include <stdint.h>

#include "tensix/state/core.h"

struct tx_tile;

void tx_core_reset(struct tx_tile *t, unsigned core); /* held, in the state after power-on; all its bytes are 0 */
void tx_core_start(struct tx_tile *t, unsigned core,
                   uint32_t pc);                     /* out of reset; local RAM is cleared, acts from the next cycle on */
/* It has turns again. */
void tx_core_end_aside(struct tx_tile *t, unsigned core);
void tx_core_stop(struct tx_tile *t, unsigned core); /* into reset; emitted stores still arrive */
void tx_core_issue(struct tx_tile *t, unsigned core);
void tx_core_run_sole(struct tx_tile *t, unsigned core, sim_time limit); /* sim_machine.run_sole */
uint64_t tx_core_cycles(const struct tx_tile *t, unsigned core);         /* since it left reset */

#endif
