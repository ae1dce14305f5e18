/* The causes of why/cause.h that lie between tiles: the NoC, DRAM, and hand-overs from one tile to another. */
#ifndef TESSERA_OBSERVE_WHY_NOC_H
#define TESSERA_OBSERVE_WHY_NOC_H

#include "observe/why/verdict.h"

why_cause_fn obs_why_bound_by_bank, obs_why_bound_by_hand_overs, obs_why_bound_by_capacity, obs_why_bound_by_noc,
    obs_why_bound_by_tile;

#endif
