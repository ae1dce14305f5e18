/* The tile as the network, the host and debuggers see it, and the second way to the local RAMs. */
#ifndef TESSERA_TENSIX_OUTSIDE_H
#define TESSERA_TENSIX_OUTSIDE_H

#include <stdbool.h>
#include <stdint.h>

struct tx_tile;

/* The tile as the NoC addresses it: L1, local RAMs, control, PIC, NIU and stream registers. Registers are read and written whole (four
 * bytes, aligned); memory with any alignment. false: not visible there, or a fault was recorded. */
bool tx_outside_visible(uint32_t address, uint32_t length); /* in a Tensix tile */
bool tx_outside_visible_in(const struct tx_tile *t, uint32_t address, uint32_t length);
bool tx_outside_read(struct tx_tile *t, uint32_t address, void *bytes, uint32_t length);
bool tx_outside_write(struct tx_tile *t, uint32_t address, const void *bytes, uint32_t length);
/* The same by the host: the write has no agent. */
bool tx_host_write(struct tx_tile *t, uint32_t address, const void *bytes, uint32_t length);

/* The slow path to a local RAM: the core, and the offset. */
bool tx_local_find(uint32_t address, unsigned *core, uint32_t *at);
void tx_local_write(struct tx_tile *t, unsigned core, uint32_t at, const uint8_t *bytes, uint32_t length);

#endif
