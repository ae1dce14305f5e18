/* The core's side of Auto TTSync. ISA: AutoTTSync.md (Blackhole) */
#include "tensix/frontend/autosync_access.h"

#include "sim/keep.h"
#include "tensix/frontend/autosync.h"
#include "tensix/frontend/frontend.h"
#include "tensix/machine.h"
#include "tensix/unit/config_space.h"

/* --- resources of an address --- */

/* The parts of Config[i] of each word below TX_CFG_GLOBAL_BASE: the page's table, word by word. */
static const struct {
  uint8_t first, last, parts;
} unpacker_words[] = {
#define AUTOSYNC_WORDS(first, last, parts) {first, last, parts},
#include "chips/blackhole/autosync.def"
#undef AUTOSYNC_WORDS
};

static uint32_t parts_of(unsigned index) {
  for (size_t i = 0; i < sizeof unpacker_words / sizeof *unpacker_words; i++)
    if (index >= unpacker_words[i].first && index <= unpacker_words[i].last) return unpacker_words[i].parts;
  return TX_SYNC_REMAINDER;
}

static uint32_t config_resources(uint32_t address, bool subdivided) {
  unsigned bank, index;
  enum tx_config_part part = tx_config_find(address, &bank, &index);
  if (part == TX_CONFIG_BANKS && index < TX_CFG_GLOBAL_BASE)
    return (subdivided ? parts_of(index) : TX_SYNC_CONFIG) << 3 * bank;
  if (!subdivided) return TX_SYNC_CONFIG * TX_SYNC_BOTH_BANKS;
  if (part == TX_CONFIG_THREAD && bank == 0 && index == TX_CFG_DEST_TARGET_REG_CFG_MATH_Offset_ADDR)
    return (TX_SYNC_UNPACKER0 | TX_SYNC_UNPACKER1) * TX_SYNC_BOTH_BANKS;
  return TX_SYNC_REMAINDER * TX_SYNC_BOTH_BANKS;
}

#define TRACK(name) (1u << TX_CFG_TENSIX_TRISC_SYNC_##name##_SHIFT)

uint32_t tx_autosync_resources(const struct tx_tile *t, unsigned agent, uint32_t address) {
  if (agent < TX_AGENT_TRISC0 || agent > TX_AGENT_TRISC2) return 0;
  uint32_t track = t->config.thread_words[agent - TX_AGENT_TRISC0][TX_CFG_TENSIX_TRISC_SYNC_TrackGPR_ADDR];
  if (!(track & TRACK(TrackTensixInstructions))) return 0;
  switch (address >> 16) {
    case TX_ADDR_GPR >> 16: return track & TRACK(TrackGPR) ? TX_SYNC_GPR : 0;
    case TX_ADDR_TDMA >> 16: return track & TRACK(TrackTDMARegs) && address >> 12 == TX_ADDR_TDMA >> 12 ? TX_SYNC_TDMA : 0;
    case TX_ADDR_CONFIG >> 16:
      return track & TRACK(TrackGlobalCfg) ? config_resources(address, track & TRACK(EnSubdividedCfgForUnpacr)) : 0;
    default: return 0;
  }
}

/* --- accesses --- */

/* The uses of `resources` by instructions in the front end, up to and including the entry `until`. */
static uint32_t used_by_queued(struct tx_tile *t, unsigned thread, uint32_t resources, uint32_t until, bool reading_too) {
  struct tx_autosync *a = sim_keep(&t->autosync[thread]);
  uint32_t used = 0;
  tx_frontend_settle(t, thread, t->engine.now);
  uint32_t entry = a->passed_at == t->engine.now && a->passed ? a->passed : tx_autosync_oldest(&t->frontend[thread]);
  for (; entry && !tx_autosync_is_younger(entry, until); entry = tx_autosync_after(entry)) {
    uint32_t slot = entry % TX_SYNC_ENTRIES;
    used |= a->writes[slot] | (reading_too ? a->reads[slot] : 0u);
  }
  a->core_waits = (used & resources) != 0;
  return used & resources;
}

uint32_t tx_autosync_store_waits(struct tx_tile *t, unsigned thread, uint32_t resources) {
  return used_by_queued(t, thread, resources, t->autosync[thread].last, true);
}

static bool is_noted(const struct tx_autosync *a, uint32_t address) { return a->load && a->load_address == address; }

uint32_t tx_autosync_load_waits(struct tx_tile *t, unsigned thread, uint32_t resources, uint32_t address) {
  const struct tx_autosync *a = sim_keep(&t->autosync[thread]);
  return used_by_queued(t, thread, resources, is_noted(a, address) ? a->load_entry : a->last, false);
}

void tx_autosync_note_load(struct tx_tile *t, unsigned thread, uint32_t resources, uint32_t address) {
  struct tx_autosync *a = sim_keep(&t->autosync[thread]);
  if (is_noted(a, address)) return;
  t->gate[thread].accesses += !a->load;
  tx_assert(thread < TX_THREADS && resources);
  a->load = resources;
  a->load_address = address;
  a->load_entry = a->last;
}

void tx_autosync_end_load(struct tx_tile *t, unsigned thread) {
  struct tx_autosync *a = sim_keep(&t->autosync[thread]);
  if (!a->load) return;
  tx_assert(t->gate[thread].accesses > 0);
  a->load = a->load_address = a->load_entry = 0;
  t->gate[thread].accesses--;
  tx_signal(t, TX_CH_CORE);
}

void tx_autosync_store_begins(struct tx_tile *t, unsigned thread, uint32_t resources) {
  struct tx_autosync *a = sim_keep(&t->autosync[thread]);
  for (uint32_t left = resources; left; left &= left - 1) a->stores[__builtin_ctz(left)]++;
  a->store_mask |= resources;
  tx_assert(resources && resources < 1u << TX_SYNC_RESOURCES && !(a->store_mask & ~0xffu));
  t->gate[thread].accesses++;
}

void tx_autosync_store_ends(struct tx_tile *t, unsigned thread, uint32_t resources) {
  struct tx_autosync *a = sim_keep(&t->autosync[thread]);
  tx_assert(t->gate[thread].accesses > 0 && !(resources & ~a->store_mask));
  for (uint32_t left = resources; left; left &= left - 1)
    if (--a->stores[__builtin_ctz(left)] == 0) a->store_mask &= ~(left & -left);
  t->gate[thread].accesses--;
}
