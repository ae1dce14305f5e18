/* Properties derived from the configuration of a pipe: direction, path, slots, policy. */
#ifndef TESSERA_PTO_PROGRAM_PIPE_H
#define TESSERA_PTO_PROGRAM_PIPE_H

#include "pto/program/program.h"

/* A TMPipe's direction and slot bytes from its two tile types. false: `why` gives the reason. */
bool pto_pipe_complete(struct pto_pipe_config *config, const char **why);

/* Derived properties of a pipe for a core. */
/* TMPipe: number of column blocks of the narrower tile in the wider one (kTileFactor); else 1. */
uint32_t pto_pipe_factor(const struct pto_pipe_config *config);
const struct pto_pipe_config *pto_pipe_any_end(const struct pto_pipe *pipe); /* the Cube's end, if it has one */
/* `policy` for all pipes; -1: that of an end of the pipe, or else of the program. */
const struct pto_policy *pto_pipe_policy(const struct pto_program *program, unsigned pipe, int policy);
bool pto_pipe_direction_exists(const struct pto_pipe_config *config, unsigned direction);
unsigned pto_pipe_path(const struct pto_program *program, const struct pto_pipe_config *config,
                       unsigned direction); /* enum pto_fifo */
/* Slots of a pipe in the consumer's own memory: the ring itself, or the landing slots for tile pops from GM. */
uint32_t pto_own_slots(const struct pto_program *program, int function, unsigned pipe, const struct pto_pipe_config *config,
                       unsigned direction);

#endif
