/* The vector unit (SFPU): 32 lanes of 32 bits, predicated by lane flags, in five sub-units (load, simple, MAD, round,
 * store).
 *
 * LReg 0..7 are general, 8..10 and 15 constants, 11..14 constants that SFPCONFIG sets, 16 belongs to SFPLOADMACRO. The
 * lanes are a grid of four rows of eight; configuration exists once per column (SFPCONFIG spreads eight lanes over all
 * four rows).
 *
 * Time. Instructions take effect when they issue. Two-cycle instructions keep the replaced value in `hidden`: a reader one
 * cycle later is either delayed by tx_vector_ready or, in the cases that hardware does not detect, gets that old value.
 * Instructions scheduled by SFPLOADMACRO wait in `slots` and execute in effects, counted also with timing off; with them `hidden` is
 * used also then.
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
                         uint32_t seed); /* applies a write to PRNG_SEED at the next draw of a random word */
void tx_effect_VECTOR_TICK(struct tx_tile *t, const struct sim_effect *e);

#endif
