/* The front end of one thread. Plain data; the functions are in frontend/frontend.h. */
#ifndef TESSERA_TENSIX_STATE_FRONTEND_H
#define TESSERA_TENSIX_STATE_FRONTEND_H

#include <stdint.h>

#include "sim/time.h"
#include "tensix/state/autosync.h"
#include "tensix/state/mop.h"
#include "tensix/state/replay.h"

#define TX_FIFO_SLOTS 32u /* a power of two */

enum tx_word_flags {
  TX_WORD_PLAIN = 1,   /* pushed by the T core and neither expanded nor replayed: counts against plain_behind_max */
  TX_WORD_BRISC = 2,   /* entered at the mux */
  TX_WORD_ORDERED = 4, /* Auto TTSync has an entry for it; of an expansion: its first word */
};

struct tx_word {
  uint32_t word;
  uint32_t pc;    /* of the instruction that pushed it, 0 when unknown */
  uint32_t flags; /* enum tx_word_flags, and from bit TX_SYNC_ENTRY_SHIFT on its entry of Auto TTSync, or 0 */
};

struct tx_fifo {
  uint32_t head, count;
  struct tx_word slot[TX_FIFO_SLOTS];
};

/* Can a step of the front end move a word? */
enum tx_moving {
  TX_MOVING = 1,   /* the last step moved a word, or the next one will */
  TX_MOVING_LATER, /* not before the arrival of a word of FIFO 1 that is pushed ahead of time */
};

struct tx_frontend {
  sim_time stepped;                  /* all cycles up to this one have been stepped */
  sim_time pushed_at[TX_FIFO_SLOTS]; /* per slot of FIFO 1: the cycle of the push; a core may push ahead of time */
  struct tx_fifo fifo1, fifo2, fifo3;
  struct tx_word brisc; /* BRISC's word, at the mux in the next cycle, when brisc_count is 1 */
  uint32_t brisc_count;
  uint32_t moving;       /* enum tx_moving; 0: no word moves until a push or the gate changes the state */
  uint32_t plain_behind; /* plain words in FIFO 2 and FIFO 3 */
  struct tx_mop mop;
  struct tx_replay replay;
  uint64_t pushed, expanded, replayed; /* words in from the core, out of the MOP expander, out of playback */
};

#endif
