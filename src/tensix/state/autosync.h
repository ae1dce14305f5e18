/* Auto TTSync of one thread. Plain data; the functions are in frontend/autosync.h. */
#ifndef TESSERA_TENSIX_STATE_AUTOSYNC_H
#define TESSERA_TENSIX_STATE_AUTOSYNC_H

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
#define TX_SYNC_ENTRY_SHIFT 8u      /* position of the entry's number in tx_word.flags */
#define TX_SYNC_ENTRY_MAX 0xffffffu /* then 1 again: 0 means no entry */

struct tx_autosync {
  uint16_t declared[TX_SYNC_CLASSES]; /* resources[8:0] of RESOURCEDECL */
  uint8_t linger[TX_SYNC_CLASSES];
  uint8_t reads[TX_SYNC_ENTRIES], writes[TX_SYNC_ENTRIES], lingers[TX_SYNC_ENTRIES]; /* by entry; cycles */
  uint8_t stores[TX_SYNC_RESOURCES]; /* tracked stores of the core in progress */
  /* the last cycle in which a word of an entry passed the gate: visible to the core in the next cycle */
  sim_time passed_at;
  uint32_t passed;                  /* that entry */
  uint32_t last;                    /* newest entry */
  uint32_t state_entry, state_bank; /* the last SETC16 of CFG_STATE_ID that was pushed, and its value */
  uint32_t store_mask;              /* resources whose `stores` is not 0 */
  uint32_t load, load_address;      /* resources of the waiting load, 0: none; its address */
  uint32_t load_entry;              /* entries up to this one are older than the load */
  uint32_t lingering;               /* cycles for which the head stays after its wait has ended; 0: it did not wait */
  uint32_t core_waits;              /* every word that passes is signalled to the core */
  sim_time linger_until;            /* 0: its wait has not ended */
};

#endif
