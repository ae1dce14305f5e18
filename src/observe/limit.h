/* The state of a run at its cycle limit: the cores that still run, their lines, and since when each has accessed only its
 * own memory. */
#ifndef TESSERA_OBSERVE_LIMIT_H
#define TESSERA_OBSERVE_LIMIT_H

#include "debug/program.h"
#include "sim/text.h"
#include "tensix/tile/tile.h"

/* "TRISC1 still runs at compute.c:12, and has read and written only its own memory since cycle 4577"; empty if no kernel
 * runs. */
void obs_limit_words(const struct tx_tile *t, const struct dbg_program *program, struct sim_text *out);
/* The line of the first of them; all zero: none. */
void obs_limit_place(const struct tx_tile *t, const struct dbg_program *program, struct dbg_source *out);
/* A JSON array of the same. */
void obs_limit_json(const struct tx_tile *t, const struct dbg_program *program, struct sim_text *out);

#endif
