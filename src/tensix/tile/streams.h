/* The registers of the NoC overlay's streams that STREAMWAIT, STREAMWRCFG and LOADREG look at.
 *
 * Of the 64 streams only plain registers are modelled: the two counters that STREAMWAIT compares and the ones that
 * firmware uses as storage (tiles acknowledged and received, synchronisation). The engine that moves data between tiles
 * is not: whoever stands for the network sets the counters through tx_stream_set. Names and indices:
 * noc_overlay_parameters.h (Blackhole). */
#ifndef TESSERA_TENSIX_STREAMS_H
#define TESSERA_TENSIX_STREAMS_H

#include <stdbool.h>
#include <stdint.h>

#define TX_STREAMS 64u
#define TX_ADDR_STREAM 0xFFB40000u
#define TX_STREAM_BYTES 0x1000u

/* STREAMWAIT's two conditions come first. */
enum tx_stream_slot {
  TX_STREAM_PHASE,        /* STREAM_CURR_PHASE, 29 */
  TX_STREAM_MESSAGES,     /* STREAM_NUM_MSGS_RECEIVED, 259; read-only for programs */
  TX_STREAM_DEST_START,   /* STREAM_REMOTE_DEST_BUF_START, 8: tiles acknowledged */
  TX_STREAM_DEST_SIZE,    /* STREAM_REMOTE_DEST_BUF_SIZE, 10: tiles received */
  TX_STREAM_AUTO_CFG_PTR, /* STREAM_PHASE_AUTO_CFG_PTR, 31 */
  TX_STREAM_SPACE,        /* STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE, 297; set by writing 10, increased by writing 270 */
  TX_STREAM_SLOTS,
};

struct tx_streams {
  uint32_t reg[TX_STREAMS][TX_STREAM_SLOTS];
};

struct tx_tile;

uint32_t tx_stream_read(const struct tx_tile *t, unsigned stream, unsigned slot);
/* Sets one register, as the network or the overlay itself would, and wakes whoever waits for it. */
void tx_stream_set(struct tx_tile *t, unsigned stream, enum tx_stream_slot slot, uint32_t value);

/* Access by register index (NOC_STREAM_READ_REG). false: a register that is not modelled, or not writable. */
bool tx_stream_register_read(const struct tx_tile *t, unsigned stream, unsigned index, uint32_t *value);
bool tx_stream_register_write(struct tx_tile *t, unsigned stream, unsigned index, uint32_t value, uint32_t byte_mask);

#endif
