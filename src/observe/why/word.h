/* The cause of why/cause.h between two agents of one tile: a word of L1 that one polls and the other writes. */
#ifndef TESSERA_OBSERVE_WHY_WORD_H
#define TESSERA_OBSERVE_WHY_WORD_H

#include "observe/why/verdict.h"

why_cause_fn obs_why_bound_by_word;

#endif
