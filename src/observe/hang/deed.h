/* An act of a core on its tile: a store, or an instruction word for a thread. */
#ifndef TESSERA_OBSERVE_HANG_DEED_H
#define TESSERA_OBSERVE_HANG_DEED_H

#include <stdbool.h>
#include <stdint.h>

#include "observe/hang/packets.h"
#include "tensix/tile/bus.h"

struct obs_deed {
  uint32_t pc;      /* of a scripted core: the line */
  uint32_t index;   /* of a scripted core: index in its list */
  bool push;        /* an instruction word for a thread, in `value` */
  uint32_t address; /* of a store */
  uint32_t value;
  bool value_known;
  const struct obs_packet *packet; /* the store sends this request of an NIU; NULL: none, or one that writes no flag */
  bool unsure;                     /* it sends a request of a kind that is not known */
  uint32_t *sum;                   /* of the path so far, for the use of the function; NULL: none */
};

typedef bool obs_deed_fn(void *context, const struct obs_deed *deed); /* true: seen enough */

/* Does a store to this address push an instruction word, or put one into a MOP? */
static inline bool obs_is_push(uint32_t address) {
  return address - TX_ADDR_PUSH < TX_PUSH_BYTES || address - TX_ADDR_MOP_CFG < TX_MOP_CFG_BYTES;
}

#endif
