/* The vector unit (SFPU): 32 lanes of 32 bits, predicated by lane flags, in five sub-units (load, simple, MAD, round,
 * store).
 *
 * LReg 0..7 are general, 8..10 and 15 constants, 11..14 constants that SFPCONFIG sets, 16 belongs to SFPLOADMACRO. The
 * lanes are a grid of four rows of eight; configuration exists once per column (SFPCONFIG spreads eight lanes over all
 * four rows).
 *
 * Time. Instructions act when they issue. Those of two cycles leave the value they replaced in `hidden`: what reads the
 * register one cycle later either is held by tx_vector_ready, or, in the cases that hardware does not detect, gets that
 * old value. What SFPLOADMACRO schedules waits in `slots` and executes in effects, counted also with timing off.
 *
 * ISA: VectorUnit.md, LReg.md, SFPCONFIG.md, SFPLOADMACRO.md (Blackhole). Not modelled: the lost one-cycle visibility of
 * DISABLE_BACKDOOR_LOAD (reported). */
#ifndef TESSERA_TENSIX_VECTOR_H
#define TESSERA_TENSIX_VECTOR_H

#include <stdint.h>

#include "tensix/body.h"
#include "tensix/state/vector.h"

struct tx_tile;
struct sim_effect;

tx_ready_fn tx_vector_ready;
void tx_vector_reset(struct tx_tile *t);
void tx_vector_seed_prng(struct tx_tile *t,
                         uint32_t seed); /* what a write to PRNG_SEED does, when the next random word is drawn */
void tx_effect_VECTOR_TICK(struct tx_tile *t, const struct sim_effect *e);

#endif
