/* The context counters and row pointers of the two unpackers, one set per thread. UNPACR steps them; SETC16 to UNPACK_MISC_CFG and
 * SETDVALID reset them. ISA: UNPACR_IncrementContextCounter.md, BackendConfiguration.md, SETDVALID.md */
#ifndef TESSERA_TENSIX_CONTEXT_H
#define TESSERA_TENSIX_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

struct tx_tile;

/* Resets the unpacker's row to SRC?_SET_Base << 4 for this thread. */
void tx_context_restart_rows(struct tx_tile *t, unsigned unpacker, unsigned thread);
/* Steps the counter from `context`. false: a fault was recorded. */
bool tx_context_step(struct tx_tile *t, unsigned unpacker, unsigned thread, unsigned context);
/* SETC16 wrote UNPACK_MISC_CFG: resets or steps context counters. */
void tx_context_misc_written(struct tx_tile *t, unsigned thread, uint32_t value);

#endif
