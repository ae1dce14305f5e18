/* The conditions C0..C12 of STALLWAIT (enum tx_condition), which FLUSHDMA looks at too. ISA: STALLWAIT.md (Blackhole) */
#ifndef TESSERA_TENSIX_CONDITIONS_H
#define TESSERA_TENSIX_CONDITIONS_H

#include <stdint.h>

#include "sim/time.h"

struct tx_tile;

/* Conditions of a mask that keep a thread waiting now. */
uint32_t tx_conditions_unmet(const struct tx_tile *t, unsigned thread, uint32_t mask);
/* The time until which a condition that ends by itself keeps waiting; 0 when it does not. */
sim_time tx_condition_until(const struct tx_tile *t, unsigned thread, unsigned condition);

#endif
