/* The conditions C0..C12 of STALLWAIT (enum tx_condition), also used by FLUSHDMA. ISA: STALLWAIT.md (Blackhole) */
#ifndef TESSERA_TENSIX_CONDITIONS_H
#define TESSERA_TENSIX_CONDITIONS_H

#include <stdint.h>

#include "sim/time.h"

struct tx_tile;

/* The conditions of a mask for which a thread has to wait now. */
uint32_t tx_conditions_unmet(const struct tx_tile *t, unsigned thread, uint32_t mask);
/* The end of a condition that ends at a known time; 0: not known. */
sim_time tx_condition_until(const struct tx_tile *t, unsigned thread, unsigned condition);

#endif
