/* The policies: one row per version of the headers, and the safe one. */
#include "pto/program/policy.h"

#include <string.h>

static const struct pto_policy policies[] = {
    [PTO_POLICY_EXACT] = {"exact", PTO_CREDITS_NONE, PTO_PERIOD_ONE, PTO_WAIT_ALIGNED, PTO_NOTIFY_PERIOD, PTO_DRAIN_COUNTED,
                          0, 0, "safe for every depth up to 15: a push waits for the slot it uses"},
    {"apr", PTO_CREDITS_ONE, PTO_PERIOD_ONE, PTO_WAIT_EVERY, PTO_NOTIFY_EVERY, PTO_DRAIN_ONE, 0,
     PTO_QUIRK_LANDING_BY_TILE | PTO_QUIRK_RINGS_OVERLAP | PTO_QUIRK_FREE_LATEST | PTO_QUIRK_TILE_ID_STAYS |
         PTO_QUIRK_TMPIPE_PAIRS,
     "the TPUSH page of April: one credit at all, so any depth works like depth 1"},
    {"tmpipe", PTO_CREDITS_ONE, PTO_PERIOD_ONE, PTO_WAIT_EVERY, PTO_NOTIFY_EVERY, PTO_DRAIN_ONE, 0,
     PTO_QUIRK_LANDING_BY_TILE | PTO_QUIRKS_TMPIPE_A5, "TMPipe, April and later: as apr, statuses left to the kernel"},
    {"may-jul", PTO_CREDITS_NONE, PTO_PERIOD_SLOTS, PTO_WAIT_WINDOW, PTO_NOTIFY_PERIOD, PTO_DRAIN_COMPUTED, 0,
     PTO_QUIRK_LANDING_BY_TILE | PTO_QUIRK_RINGS_OVERLAP | PTO_QUIRK_FREE_LATEST | PTO_QUIRK_TILE_ID_STAYS |
         PTO_QUIRK_TMPIPE_PAIRS,
     "May to July: one credit per full round"},
    {"a2a3-head", PTO_CREDITS_NONE, PTO_PERIOD_HALF, PTO_WAIT_WINDOW, PTO_NOTIFY_PERIOD, PTO_DRAIN_COMPUTED, 0, 0,
     "A2/A3, August: half-round credits; races for odd depths from 5"},
    {"a5-head", PTO_CREDITS_PERIOD, PTO_PERIOD_HALF, PTO_WAIT_WINDOW, PTO_NOTIFY_PERIOD, PTO_DRAIN_PERIOD, 0,
     PTO_QUIRK_LANDING_BY_TILE | PTO_QUIRK_FREE_LATEST | PTO_QUIRK_V2C_GM_FREE_MTE1 | PTO_QUIRK_BOTH_GM_IDS |
         PTO_QUIRKS_TMPIPE_A5,
     "A5, August: start-up credits on top of the start-up window: races once the ring wraps"},
    {"fixed-drain", PTO_CREDITS_NONE, PTO_PERIOD_HALF, PTO_WAIT_WINDOW, PTO_NOTIFY_PERIOD, PTO_DRAIN_PERIOD, 0, 0,
     "no start-up credits but a fixed drain (pto-isa#248, pto-isa#240): hangs in the destructor"},
    {"per-slot", PTO_CREDITS_SLOTS, PTO_PERIOD_ONE, PTO_WAIT_EVERY, PTO_NOTIFY_EVERY, PTO_DRAIN_SLOTS, 1, 0,
     "the design note of March: a ready and a free flag for every slot"},
    {"cpu-sim", PTO_CREDITS_NONE, PTO_PERIOD_ONE, PTO_WAIT_ALIGNED, PTO_NOTIFY_PERIOD, PTO_DRAIN_COUNTED, 0,
     PTO_QUIRK_SHARED_POOL,
     "as exact, but BOTH has one pool of slots for its two directions, as the CPU simulator had it (pto-isa#301)"},
};

unsigned pto_policy_count(void) { return (unsigned)(sizeof policies / sizeof policies[0]); }

const struct pto_policy *pto_policy_get(unsigned id) { return &policies[id < pto_policy_count() ? id : PTO_POLICY_EXACT]; }

int pto_policy_find(const char *name) {
  for (unsigned i = 0; i < pto_policy_count(); i++)
    if (strcmp(policies[i].name, name) == 0) return (int)i;
  return -1;
}

uint32_t pto_policy_period(const struct pto_policy *policy, uint32_t slots, uint32_t period) {
  if (period) return period;
  if (policy->period == PTO_PERIOD_ONE) return 1;
  if (policy->period == PTO_PERIOD_SLOTS || slots <= 2) return slots ? slots : 1;
  return slots / 2;
}

static uint32_t credits(unsigned rule, uint32_t slots, uint32_t period) {
  switch (rule) {
    case PTO_CREDITS_ONE: return 1;
    case PTO_CREDITS_PERIOD: return period;
    case PTO_CREDITS_SLOTS: return slots;
    default: return 0;
  }
}

uint32_t pto_policy_initial(const struct pto_policy *policy, uint32_t slots, uint32_t period) {
  return credits(policy->initial, slots, period);
}

bool pto_policy_waits(const struct pto_policy *policy, uint64_t tile, uint32_t slots, uint32_t period) {
  if (policy->wait == PTO_WAIT_EVERY) return true;
  if (tile < slots) return false;
  if (period == 1) return true;
  return policy->wait == PTO_WAIT_WINDOW ? tile % period == 0 : (tile - slots) % period == 0;
}

bool pto_policy_notifies(const struct pto_policy *policy, uint64_t tile, uint32_t period) {
  return policy->notify == PTO_NOTIFY_EVERY || period == 1 || (tile + 1) % period == 0;
}

/* The number of waits among the pushes 0..pushes-1. */
static uint64_t waits_due(const struct pto_policy *policy, uint64_t pushes, uint32_t slots, uint32_t period) {
  uint64_t count = 0;
  for (uint64_t t = 0; t < pushes; t++) count += pto_policy_waits(policy, t, slots, period);
  return count;
}

uint64_t pto_policy_drain(const struct pto_policy *policy, uint64_t pushes, uint64_t waited, uint32_t slots,
                          uint32_t period) {
  uint64_t given = pushes / period;
  switch (policy->drain) {
    case PTO_DRAIN_ONE: return 1;
    case PTO_DRAIN_PERIOD: return period;
    case PTO_DRAIN_SLOTS: return slots;
    case PTO_DRAIN_COMPUTED: waited = waits_due(policy, pushes, slots, period); return given > waited ? given - waited : 0;
    case PTO_DRAIN_COUNTED: return given > waited ? given - waited : 0;
    default: return 0;
  }
}
