/* Placing: addresses of tiles, rings and global tensors. */
#ifndef TESSERA_PTO_PROGRAM_PLACE_H
#define TESSERA_PTO_PROGRAM_PLACE_H

#include "pto/program/program.h"

/* Places tiles, rings and globals. false: `error` names what does not fit. Call before running, and again after a change. */
bool pto_program_finish(struct pto_program *program);

#endif
