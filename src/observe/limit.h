/* What a run that has reached its cycle limit does: the cores that still run, their lines, and since when each has been on its own. */
#ifndef TESSERA_OBSERVE_LIMIT_H
#define TESSERA_OBSERVE_LIMIT_H

#include "debug/program.h"
#include "sim/text.h"
#include "tensix/tile/tile.h"

/* "TRISC1 still runs at compute.c:12, and has read and written only its own memory since cycle 4577"; nothing when no kernel runs. */
void obs_limit_words(const struct tx_tile *t, const struct dbg_program *program, struct sim_text *out);
/* A JSON array of the same. */
void obs_limit_json(const struct tx_tile *t, const struct dbg_program *program, struct sim_text *out);

#endif
