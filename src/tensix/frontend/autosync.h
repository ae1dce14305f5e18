/* Auto TTSync: a T core's accesses to GPRs, configuration and TDMA-RISC and the instructions that it pushes to its own thread
 * happen in program order, as far as the hardware tracks them. ISA: AutoTTSync.md (Blackhole); assembly.yaml, RESOURCEDECL.
 *
 *   access, then push   the instruction waits at the gate: for a store if it reads or writes what is stored to, for a load if it
 *                       writes what is loaded from
 *   push, then access   the store waits until instructions that read or write the resource have passed the gate, the load until
 *                       those that write it have; "passed" is all it waits for, a result may come later
 *
 * Eight resources, and nothing finer: three parts of each bank of Config, the GPRs, TDMA-RISC. What an address counts as:
 * tx_autosync_resources (autosync_access.h). What an instruction uses: its class's declaration, which RESOURCEDECL changes. A MOP or REPLAY
 * stands for everything that it expands to: the first word of the expansion waits for the core, the core waits for the last.
 *
 * Every tracked push is an entry, numbered in program order; words in the front end carry the number of their entry above
 * their flags. What is older than the oldest word still there has passed.
 *
 * Inferred: what an instruction uses is settled when it is pushed, with the bank that SETC16s pushed before it will have chosen;
 * instructions pushed before tracking was on are not entries; a load that had to wait pays for its way back only. */
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
/* A word is pushed while tracking is on: the flags it gets. The front end is settled. */
uint32_t tx_autosync_enter(struct tx_tile *t, unsigned thread, uint32_t word);
uint32_t tx_autosync_writes(const struct tx_tile *t, unsigned thread, uint32_t word); /* if it were pushed now */
/* The head of FIFO 3 has to wait for its core; only asked while tx_gate.accesses is not 0. */
bool tx_autosync_holds_word(struct tx_tile *t, unsigned thread, uint32_t flags, struct tx_answer *answer);

void tx_autosync_pass(struct tx_tile *t, unsigned thread, uint32_t flags); /* it passes */

/* Entries are numbered in program order and come round. */
static inline uint32_t tx_autosync_after(uint32_t entry) { return entry == TX_SYNC_ENTRY_MAX ? 1 : entry + 1; }
static inline bool tx_autosync_is_younger(uint32_t entry, uint32_t than) {
  uint32_t distance = (entry - than) & TX_SYNC_ENTRY_MAX;
  return distance && distance <= TX_SYNC_ENTRY_MAX / 2;
}
/* The oldest entry of which a word is still to pass the gate; 0: none. */
uint32_t tx_autosync_oldest(const struct tx_frontend *fe);

#endif
