/* The Tensix tile as text: names of agents, their waits, possible releasers. Hang reports, fault lines and conformance
 * output all use it. */
#ifndef TESSERA_OBSERVE_WORDS_H
#define TESSERA_OBSERVE_WORDS_H

#include <stddef.h>

#include "sim/text.h"
#include "sim/waitgraph.h"
#include "tensix/tile/tile.h"

extern const struct sim_words obs_words; /* `machine` is a struct tx_tile */

const char *obs_agent_name(unsigned agent); /* "thread 1 (math)", "BRISC" */
const char *obs_unit_name(unsigned unit);   /* "matrix unit" */
/* enum tx_reason: obs_wait_name, or the cause of a stall in a core's pipeline */
const char *obs_reason_name(uint32_t reason);
const char *obs_wait_name(uint32_t wait_kind);  /* "SrcA bank": a column of the stall table */
const char *obs_semaphore_name(unsigned index); /* "MATH_PACK"; "" when it has none */
/* Is the word one of the semaphores that the launch of a kernel has for other cores and tiles? */
bool obs_is_noc_semaphore(uint32_t address, unsigned *index);

void obs_add_buffers(struct sim_text *out, uint32_t buffers); /* a bit per circular buffer: "CB 0, CB 1 and CB 16" */

/* "thread 1 (math), cycle 812, MVMUL (0x26010000): unknown opcode ..." */
void obs_fault_line(const struct tx_tile *t, char *text, size_t size);

#endif
