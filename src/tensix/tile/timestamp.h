/* The wall clock and the debug timestamper among the tile control registers (control.h). */
#ifndef TESSERA_TENSIX_TIMESTAMP_H
#define TESSERA_TENSIX_TIMESTAMP_H

#include <stdint.h>

struct tx_tile;

uint32_t tx_wall_clock_read(struct tx_tile *t, uint32_t offset);
void tx_timestamp_write(struct tx_tile *t, uint32_t offset, uint32_t value);
uint32_t tx_timestamp_read(const struct tx_tile *t, uint32_t offset);

#endif
