/* The scripted cores. Plain data; the functions are in tile/script.h. */
#ifndef TESSERA_TENSIX_STATE_SCRIPT_H
#define TESSERA_TENSIX_STATE_SCRIPT_H

#include <stdint.h>

#include "sim/time.h"

enum tx_script_kind {
  TX_SCRIPT_PUSH,  /* a = word; T cores only */
  TX_SCRIPT_STORE, /* a = address, b = value */
  TX_SCRIPT_WAIT,  /* a = address, b = mask, c = value: poll until equal */
  TX_SCRIPT_SYNC,  /* until all pushed words have completed; T cores only */
  TX_SCRIPT_COPY,  /* load a, store to b */
};

struct tx_script_op {
  uint32_t kind;
  uint32_t a, b, c;
  uint32_t line; /* source line, 0: none; takes the role of a core's pc */
};

struct tx_script {
  const struct tx_script_op *ops;
  uint32_t count;
};

struct tx_script_state {
  uint32_t next;      /* op */
  uint32_t burst;     /* pushes since the last idle cycles */
  uint32_t in_copy;   /* the load of a COPY is done; `value` goes out */
  uint32_t value;     /* of the last load */
  uint32_t loaded;    /* it was requested before and is available now */
  uint32_t polling;   /* 1 + the WAIT that has polled */
  sim_time since;     /* its first poll */
  sim_time last_push; /* cycle in which the last word entered the FIFO */
};

#endif
