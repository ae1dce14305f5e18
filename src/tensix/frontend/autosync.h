/* Auto TTSync: a T core's accesses to GPRs, configuration and TDMA-RISC and the instructions that it pushes to its own thread
 * take effect in program order, as far as the hardware tracks them. ISA: AutoTTSync.md (Blackhole); assembly.yaml, RESOURCEDECL.
 *
 *   access, then push   the instruction waits at the gate: after a store if it reads or writes the stored resource, after a load if
 *                       it writes the loaded resource
 *   push, then access   the store waits until instructions that read or write the resource have passed the gate, the load until
 *                       those that write it have; it does not wait for their results
 *
 * There are eight resources: three parts of each bank of Config, the GPRs, TDMA-RISC. tx_autosync_resources (autosync_access.h) gives
 * the resources of an address. An instruction uses the resources declared for its class, which RESOURCEDECL changes. A MOP or REPLAY
 * uses those of all words that it expands to: the first word of the expansion waits for the core, the core waits for the last.
 *
 * Every tracked push is an entry, numbered in program order; words in the front end carry the number of their entry above
 * their flags. Entries older than that of the oldest remaining word have passed.
 *
 * Inferred: the resources of an instruction are determined at its push, with the bank that SETC16s pushed before it will select;
 * instructions pushed before tracking was on are not entries; a load that had to wait costs only its way back after the wait. */
#ifndef TESSERA_TENSIX_AUTOSYNC_H
#define TESSERA_TENSIX_AUTOSYNC_H

#include <stdbool.h>
#include <stdint.h>

#include "tensix/state/autosync.h"

struct tx_tile;
struct tx_answer;
struct tx_frontend;

void tx_autosync_reset(struct tx_autosync *a);
#define TX_AUTOSYNC_ON(t, thread) TX_THREAD_CFG_GET(t, thread, TENSIX_TRISC_SYNC_TrackTensixInstructions)
/* RESOURCEDECL. */
void tx_autosync_declare(struct tx_tile *t, unsigned thread, uint32_t word);
/* A word is pushed while tracking is on: returns its flags. The front end must be settled. */
uint32_t tx_autosync_enter(struct tx_tile *t, unsigned thread, uint32_t word);
uint32_t tx_autosync_writes(const struct tx_tile *t, unsigned thread, uint32_t word); /* if the word were pushed now */
/* Does the head of FIFO 3 have to wait for its core? Called only while tx_gate.accesses is not 0. */
bool tx_autosync_holds_word(struct tx_tile *t, unsigned thread, uint32_t flags, struct tx_answer *answer);

void tx_autosync_pass(struct tx_tile *t, unsigned thread, uint32_t flags); /* it passes */

/* Entries are numbered in program order; the numbers wrap. */
static inline uint32_t tx_autosync_after(uint32_t entry) { return entry == TX_SYNC_ENTRY_MAX ? 1 : entry + 1; }
static inline bool tx_autosync_is_younger(uint32_t entry, uint32_t than) {
  uint32_t distance = (entry - than) & TX_SYNC_ENTRY_MAX;
  return distance && distance <= TX_SYNC_ENTRY_MAX / 2;
}
/* The oldest entry with a word that has not passed the gate; 0: none. */
uint32_t tx_autosync_oldest(const struct tx_frontend *fe);

#endif
