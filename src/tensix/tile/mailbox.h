/* Mailboxes and PC buffers: FIFOs of words between the cores.
 *
 *   mailbox   from each of BRISC, T0, T1, T2 to each of them, 4 words; unread words of one sender: 4 in all
 *   PC buffer from BRISC to each T core, 16 words; a read by BRISC waits until the T core has read all words, waits for more, and its
 *             thread is idle
 *
 * Words that do not fit wait in a buffer of the writing core, in order, and the core continues until that is full too (its size is
 * inferred: the store queue's four). A read of an empty FIFO waits. ISA: Mailboxes.md, PCBufs.md (Blackhole). */
#ifndef TESSERA_TENSIX_MAILBOX_H
#define TESSERA_TENSIX_MAILBOX_H

#include <stdint.h>

#include "tensix/state/mailbox.h"

struct tx_tile;

/* A core enters reset: its unread words in mailboxes are lost. A T core leaves reset: its PC buffer is cleared. */
void tx_mailbox_core_reset(struct tx_tile *t, unsigned core);
void tx_pcbuf_core_release(struct tx_tile *t, unsigned core);
/* TRISC_PC_BUF_OVERRIDE for a thread. */
enum { TX_PCBUF_OVERRIDE_EN = 1, TX_PCBUF_OVERRIDE_BUSY = 2 };
uint32_t tx_pcbuf_override(const struct tx_tile *t, unsigned thread); /* 10 bits: enable, busy, value */

#endif
