/* The mailboxes and PC buffers. Plain data; the functions are in tile/mailbox.h. */
#ifndef TESSERA_TENSIX_STATE_MAILBOX_H
#define TESSERA_TENSIX_STATE_MAILBOX_H

#include <stdint.h>

#include "chips/blackhole/address_map.h"

#define TX_MAILBOX_CORES 4u /* 0 BRISC, 1 T0, 2 T1, 3 T2 */
#define TX_MAILBOX_WORDS 4u
#define TX_PCBUF_WORDS 16u
#define TX_BACKLOG_WORDS 4u

struct tx_mailbox {
  uint32_t word[TX_MAILBOX_WORDS];
  uint32_t head, count;
};

struct tx_backlog {
  uint32_t word[TX_BACKLOG_WORDS];
  uint32_t to[TX_BACKLOG_WORDS];
  uint32_t count;
};

struct tx_mailboxes {
  struct tx_mailbox box[TX_MAILBOX_CORES][TX_MAILBOX_CORES]; /* [from][to] */
  struct tx_backlog backlog[TX_MAILBOX_CORES];
};

struct tx_pcbuf {
  uint32_t word[TX_PCBUF_WORDS];
  uint32_t head, count;
};

struct tx_pcbufs {
  struct tx_pcbuf buf[3];
  struct tx_backlog backlog; /* of BRISC, for all three */
};

#endif
