/* The performance counters among the tile control registers (control.h). */
#ifndef TESSERA_TENSIX_PERF_H
#define TESSERA_TENSIX_PERF_H

#include <stdbool.h>
#include <stdint.h>

struct tx_tile;

void tx_perf_write(struct tx_tile *t, uint32_t offset, uint32_t value);
bool tx_perf_read(struct tx_tile *t, uint32_t offset, uint32_t *value);

#endif
