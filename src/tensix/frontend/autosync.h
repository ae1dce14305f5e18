/* Auto TTSync: a T core's accesses to GPRs, configuration and TDMA-RISC and the instructions that it pushes to its own thread
 * happen in program order, as far as the hardware tracks them. ISA: AutoTTSync.md (Blackhole); assembly.yaml, RESOURCEDECL.
 *
 *   access, then push   the instruction waits at the gate: for a store if it reads or writes what is stored to, for a load if it
 *                       writes what is loaded from
 *   push, then access   the store waits until instructions that read or write the resource have passed the gate, the load until
 *                       those that write it have; "passed" is all it waits for, a result may come later
 *
 * Eight resources, and nothing finer: three parts of each bank of Config, the GPRs, TDMA-RISC. What an address counts as:
 * tx_bus_resources (bus.h). What an instruction uses: its class's declaration, which RESOURCEDECL changes. A MOP or REPLAY
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

#include "sim/time.h"

/* Resources, as bits. Configuration: three parts of bank 0, then of bank 1. */
enum tx_sync_resource {
  TX_SYNC_UNPACKER0 = 1u << 0,
  TX_SYNC_UNPACKER1 = 1u << 1,
  TX_SYNC_REMAINDER = 1u << 2,
  TX_SYNC_CONFIG = 7u, /* << 3 * bank */
  TX_SYNC_BOTH_BANKS = 9u,
  TX_SYNC_GPR = 1u << 6,
  TX_SYNC_TDMA = 1u << 7,
};
#define TX_SYNC_RESOURCES 8u

#define TX_SYNC_CLASSES 16u
#define TX_SYNC_ENTRIES 128u        /* more than three full FIFOs and two expanders hold */
#define TX_SYNC_ENTRY_SHIFT 8u      /* of its number in tx_word.flags */
#define TX_SYNC_ENTRY_MAX 0xffffffu /* then 1 again: 0 is no entry */

struct tx_autosync {
  uint16_t declared[TX_SYNC_CLASSES]; /* resources[8:0] of RESOURCEDECL */
  uint8_t linger[TX_SYNC_CLASSES];
  uint8_t reads[TX_SYNC_ENTRIES], writes[TX_SYNC_ENTRIES], lingers[TX_SYNC_ENTRIES]; /* by entry; cycles */
  uint8_t stores[TX_SYNC_RESOURCES]; /* tracked stores of the core under way */
  sim_time passed_at;                /* when a word of an entry last passed the gate: the core sees it in the next cycle */
  uint32_t passed;                   /* that entry */
  uint32_t last;                     /* newest entry */
  uint32_t state_entry, state_bank;  /* the last SETC16 of CFG_STATE_ID that was pushed, and what it sets */
  uint32_t store_mask;               /* resources whose `stores` is not 0 */
  uint32_t load, load_address;       /* resources of the load that waits, 0: none; where from */
  uint32_t load_entry;               /* entries up to this one are older than the load */
  uint32_t lingering;                /* cycles for which the head stays after its wait has ended; 0: it did not wait */
  uint32_t core_waits;               /* the core wants to hear of every word that passes */
  sim_time linger_until;             /* 0: its wait has not ended */
};

struct tx_tile;
struct tx_answer;
struct tx_word;

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

/* The core's side. Of `resources`, what instructions in the front end keep it from storing to or loading from now. A load that
 * is not done in this cycle is to be noted, and ended when it has its value or is given up. */
uint32_t tx_autosync_store_waits(struct tx_tile *t, unsigned thread, uint32_t resources);
uint32_t tx_autosync_load_waits(struct tx_tile *t, unsigned thread, uint32_t resources, uint32_t address);
void tx_autosync_note_load(struct tx_tile *t, unsigned thread, uint32_t resources, uint32_t address);
void tx_autosync_end_load(struct tx_tile *t, unsigned thread);
void tx_autosync_store_begins(struct tx_tile *t, unsigned thread, uint32_t resources);
void tx_autosync_store_ends(struct tx_tile *t, unsigned thread, uint32_t resources);

#endif
