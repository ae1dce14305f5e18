/* The watches that stop the tile. Plain data; the functions are in tile/watch.h. */
#ifndef TESSERA_TENSIX_STATE_WATCH_H
#define TESSERA_TENSIX_STATE_WATCH_H

#include <stdint.h>

#define TX_WATCHES 16u    /* the number of agents from TX_AGENT_WATCH on */
#define TX_WATCH_WORDS 4u /* of one condition: SIM_PARK_KEYS_MAX */

enum tx_watch_kind { TX_WATCH_FREE, TX_WATCH_CONDITION, TX_WATCH_RANGE, TX_WATCH_TIMER };

struct tx_watch_word {
  uint32_t address, mask, value;
};

struct tx_watch {
  uint8_t kind;  /* enum tx_watch_kind */
  uint8_t armed; /* a condition that was met is not evaluated again */
  uint8_t met;   /* since tx_watch_take */
  uint8_t parked;
  uint32_t count;                            /* words of a condition, bytes of a range */
  struct tx_watch_word word[TX_WATCH_WORDS]; /* a range starts at word[0].address */
};

#endif
