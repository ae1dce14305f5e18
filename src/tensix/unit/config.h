/* The configuration unit: Config (two banks, shared) and ThreadConfig (one per thread), their instructions and the
 * pipeline of all writes except SETC16.
 *
 *   stage            -4           -3  -2   -1                0                 +1
 *   STREAMWRCFG      prepare      memory read               write
 *   WRCFG                                  GPR read         write
 *   CFGSHIFTMASK                           (second half)    read, then write
 *   RMWCIB                                                  read and write
 *   RDCFG                                                   read              GPR write
 *   cores, mover                                            read or write
 *
 * An instruction enters when its own stage is free and no stage from -3 up to it is occupied, by any thread (a hardware
 * bug: -4 is ignored). Several may enter in one cycle at different stages. According to the page, CFGSHIFTMASK takes two
 * cycles, one NOP suffices before a consumer, and it blocks stage -1 while it reads in stage 0: so its second half is in
 * stage -1 while the first is in stage 0, and it needs both free (inferred).
 *
 * An action in stage 0 in cycle c is visible to others in cycle c+1; with timing off a write takes effect at once. ISA: ConfigurationUnit.md, BackendConfiguration.md
 * (Blackhole). Not modelled: contention of RDCFG for the GPR write port, of STREAMWRCFG for the overlay (see the parameter
 * stream_prepare_cycles). */
#ifndef TESSERA_TENSIX_CONFIG_H
#define TESSERA_TENSIX_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "tensix/body.h"
#include "tensix/state/config.h"

struct tx_tile;
struct sim_effect;

void tx_config_reset(struct tx_config *c); /* from all zero */

/* Writes one word of a bank now, with all side effects of the write (both banks from 180 on, STATE_RESET_EN, PRNG seed
 * ...). */
void tx_config_write(struct tx_tile *t, unsigned bank, unsigned index, uint32_t value);
/* Writes one word of a thread's ThreadConfig now. Only that thread reads it, in order. */
void tx_thread_config_write(struct tx_tile *t, unsigned thread, unsigned index, uint16_t value);
/* The scalar unit's REG2FLOP: one or four words of the thread's bank, `cycles` from now. */
void tx_config_write_later(struct tx_tile *t, unsigned thread, unsigned index, const uint32_t *values, unsigned count,
                           uint32_t cycles);

/* Stages -4..0: an instruction enters in this cycle. `twice`: CFGSHIFTMASK. */
void tx_config_enter(struct tx_tile *t, int stage, bool twice);
/* A core's request occupies stage 0 in this cycle; false: it cannot enter now. */
bool tx_config_core_enter(struct tx_tile *t);
/* The stage at which an instruction of the unit enters; 1 for SETC16, which has no pipeline. */
int tx_config_entry_stage(uint8_t opcode);
tx_ready_fn tx_config_ready;

/* Called by the gate before the body of an instruction of another unit, while now < pending_until[thread]: reports a reader
 * of a word with a pending write. */
void tx_config_check_reader(struct tx_tile *t, unsigned thread, uint32_t word);

/* For the diagnostics of cores' accesses (bus.c). Reader numbers: see TX_CONFIG_READERS. */
bool tx_config_reads(uint32_t word, unsigned index); /* does this instruction read this word of Config during execution */
void tx_config_note_read(struct tx_tile *t, unsigned reader, unsigned bank, unsigned index);
/* Before a whole-word write: does it restore a value that was read before another agent changed it? */
void tx_config_check_lost_update(struct tx_tile *t, unsigned reader, unsigned bank, unsigned index, uint32_t value);

void tx_effect_CFG_WRITE(struct tx_tile *t, const struct sim_effect *e);

#endif
