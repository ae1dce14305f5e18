/* The tile's stream registers (noc/streams.h), read by STREAMWAIT, STREAMWRCFG, LOADREG, cores and the NoC. The engine that moves data
 * between tiles is not modelled. */
#ifndef TESSERA_TENSIX_STREAMS_H
#define TESSERA_TENSIX_STREAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "chips/blackhole/address_map.h"
#include "noc/streams.h"

#define TX_STREAMS NOC_STREAMS_MAX

#define TX_STREAM_PHASE NOC_STREAM_PHASE
#define TX_STREAM_MESSAGES NOC_STREAM_MESSAGES

struct tx_tile;

uint32_t tx_stream_read(const struct tx_tile *t, unsigned stream, unsigned slot);

/* Access by register index (NOC_STREAM_READ_REG). false: a register that is not modelled, or not writable. */
bool tx_stream_register_read(const struct tx_tile *t, unsigned stream, unsigned index, uint32_t *value);
bool tx_stream_register_write(struct tx_tile *t, unsigned stream, unsigned index, uint32_t value, uint32_t byte_mask);

#endif
