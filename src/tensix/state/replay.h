/* The replay expander: 32 words that can be recorded and played back. ISA: REPLAY.md. */
#ifndef TESSERA_TENSIX_STATE_REPLAY_H
#define TESSERA_TENSIX_STATE_REPLAY_H

#include <stdint.h>

#define TX_REPLAY_SLOTS 32u

struct tx_replay {
  uint32_t slot[TX_REPLAY_SLOTS];
  uint32_t pc;      /* playing: pc of the push of the REPLAY, or of the MOP that contains it */
  uint32_t loaded;  /* bit per slot ever recorded */
  uint32_t loading; /* words still to be recorded */
  uint32_t playing; /* words still to be played */
  uint32_t index;   /* next slot of either */
  uint32_t forward; /* loading: also forward the words */
  uint32_t entry;   /* playing: entry in Auto TTSync of the REPLAY, or of the MOP that contains it */
};

#endif
