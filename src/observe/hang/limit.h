/* The state of a run at its cycle limit: the cores that still run, their lines, and since when each has accessed only its
 * own memory; the cores and threads that wait, for what and since when. */
#ifndef TESSERA_OBSERVE_HANG_LIMIT_H
#define TESSERA_OBSERVE_HANG_LIMIT_H

#include "debug/program.h"
#include "sim/text.h"
#include "tensix/tile/tile.h"

/* "TRISC1 still runs at compute.c:12, and has read and written only its own memory since cycle 4577; writer.c:9 (BRISC, in
 * cb_wait_front) has been waiting for page 1 of CB 16 since cycle 4613"; empty if no kernel runs. */
void obs_limit_words(const struct tx_tile *t, const struct dbg_program *program, struct sim_text *out);
/* Does a core run that does not wait? */
bool obs_limit_runs(const struct tx_tile *t, const struct dbg_program *program);
/* The line of the first of them; all zero: none. */
void obs_limit_place(const struct tx_tile *t, const struct dbg_program *program, struct dbg_source *out);
/* The members "running" and "waiting" of a JSON object, after a comma: arrays of the same. */
void obs_limit_json(const struct tx_tile *t, const struct dbg_program *program, struct sim_text *out);

#endif
