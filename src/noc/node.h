/* The two registers that identify an NIU. ISA: NoC/MemoryMap.md, NOC_NODE_ID and NOC_ENDPOINT_ID (Blackhole). */
#ifndef TESSERA_NOC_NODE_H
#define TESSERA_NOC_NODE_H

#include <stdint.h>

#include "chips/blackhole/grid.h"

/* x and y are raw coordinates of that NoC. The dateline bits are inferred: the last router of each ring in the direction of flow. */
static inline uint32_t noc_node_id(unsigned noc, unsigned x, unsigned y) {
  return x | y << 6 | NOC_GRID_X << 12 | NOC_GRID_Y << 19 | (uint32_t)(x == NOC_GRID_X - 1) << 26 |
         (uint32_t)(y == NOC_GRID_Y - 1) << 27 | (uint32_t)(noc == 0) << 28;
}

static inline uint32_t noc_endpoint_id(unsigned noc, unsigned type, unsigned index) {
  return index | (uint32_t)type << 8 | (uint32_t)noc << 24;
}

#endif
