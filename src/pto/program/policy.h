/* Credit policy: how the two ends of a ring agree on free slots. Policies are data, so that every version of the headers
 * can be run, compared and bisected.
 *
 *   initial    credits that the consumer posts when the pipe is built
 *   period     P: number of slots per credit
 *   wait       the pushes before which the producer takes a credit
 *   notify     the pops or frees after which the consumer posts one
 *   drain      number of credits that the producer takes back when the pipe is torn down
 */
#ifndef TESSERA_PTO_PROGRAM_POLICY_H
#define TESSERA_PTO_PROGRAM_POLICY_H

#include "pto/program/types.h"

enum pto_credits { PTO_CREDITS_NONE, PTO_CREDITS_ONE, PTO_CREDITS_PERIOD, PTO_CREDITS_SLOTS };
enum pto_period_rule { PTO_PERIOD_ONE, PTO_PERIOD_HALF, PTO_PERIOD_SLOTS };
enum pto_wait_rule {
  PTO_WAIT_EVERY,   /* every push */
  PTO_WAIT_WINDOW,  /* t >= SlotNum && t mod P == 0: the headers' rule, wrong where P does not divide SlotNum */
  PTO_WAIT_ALIGNED, /* t >= SlotNum && (t - SlotNum) mod P == 0: right for every P */
};
enum pto_notify_rule { PTO_NOTIFY_EVERY, PTO_NOTIFY_PERIOD /* (t + 1) mod P == 0 */ };
enum pto_drain_rule {
  PTO_DRAIN_NONE,
  PTO_DRAIN_ONE,
  PTO_DRAIN_PERIOD,
  PTO_DRAIN_SLOTS,
  PTO_DRAIN_COMPUTED, /* floor(N / P) notifications less the waits that N pushes should have had */
  PTO_DRAIN_COUNTED,  /* floor(N / P) notifications less the actual waits */
};

/* Differences between versions that do not concern credits. */
enum pto_quirk {
  PTO_QUIRK_LANDING_BY_TILE = 1,  /* distance of landing slots is the size of the popped tile (pto-isa#521) */
  PTO_QUIRK_RINGS_OVERLAP = 2,    /* BOTH: both rings start at the same address (pto-isa#226) */
  PTO_QUIRK_FREE_LATEST = 4,      /* TFREE uses the index of the last pop, not of the freed one */
  PTO_QUIRK_V2C_GM_FREE_MTE1 = 8, /* A5 V2C_GM frees on MTE1 while the load runs on MTE2 */
  PTO_QUIRK_BOTH_GM_IDS = 16,     /* A5 BOTH_GM: the Vector waits on F+1 although F is set */
  PTO_QUIRK_SHARED_POOL = 32,   /* BOTH: the two directions share one pool of slots, as in the CPU simulator (pto-isa#301) */
  PTO_QUIRK_TILE_ID_STAYS = 64, /* A5 TMPipe: push and pop do not advance the tile id; the caller's setTileId does */
  PTO_QUIRK_TMPIPE_PAIRS = 128, /* A5 TMPipe: its flags go to both Vectors, regardless of VCRatio */
  PTO_QUIRK_MAT_NO_OFFSET = 256, /* A5 TMPipe, MAT_FIFO: a push ignores the entry offset */
  PTO_QUIRKS_TMPIPE_A5 = PTO_QUIRK_TILE_ID_STAYS | PTO_QUIRK_TMPIPE_PAIRS | PTO_QUIRK_MAT_NO_OFFSET,
};

struct pto_policy {
  const char *name;
  uint8_t initial, period, wait, notify, drain;
  uint8_t per_slot; /* one ready and one free flag for each slot */
  uint16_t quirks;
  const char *about;
};

#define PTO_POLICY_EXACT 0u

unsigned pto_policy_count(void);
const struct pto_policy *pto_policy_get(unsigned id);
int pto_policy_find(const char *name); /* -1: no such policy */

/* `period` 0: the policy's own rule. */
uint32_t pto_policy_period(const struct pto_policy *policy, uint32_t slots, uint32_t period);
uint32_t pto_policy_initial(const struct pto_policy *policy, uint32_t slots, uint32_t period);
bool pto_policy_waits(const struct pto_policy *policy, uint64_t tile, uint32_t slots, uint32_t period);
bool pto_policy_notifies(const struct pto_policy *policy, uint64_t tile, uint32_t period);
/* `pushes` so far, of which `waited` took a credit. */
uint64_t pto_policy_drain(const struct pto_policy *policy, uint64_t pushes, uint64_t waited, uint32_t slots,
                          uint32_t period);

#endif
