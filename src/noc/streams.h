/* Registers of the NoC overlay's streams (64 in a Tensix tile, 32 Ethernet, 16 DRAM), as software uses idle streams: small shared
 * registers, some of which change others when written. The data-moving machine of a stream is not modelled: registers that only it uses
 * are rejected.
 *
 * Plain data. Names and indices: noc_overlay_parameters.h (Blackhole); effects: ISA NoC/Overlay/AsGeneralUse.md (Wormhole). */
#ifndef TESSERA_NOC_STREAMS_H
#define TESSERA_NOC_STREAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "chips/blackhole/noc_map.h"

#define NOC_STREAMS_MAX 64u

/* STREAMWAIT's two conditions come first. */
enum noc_stream_slot {
#define STREAM_REGISTER(slot, index, read_only, mask, name) NOC_STREAM_##slot,
#include "chips/blackhole/streams.def"
  NOC_STREAM_SLOTS,
};

/* Indices of the same registers. */
enum noc_stream_register {
#define STREAM_REGISTER(slot, index, read_only, mask, name) NOC_STREAM_INDEX_##slot = index,
#include "chips/blackhole/streams.def"
};

struct noc_streams {
  uint32_t reg[NOC_STREAMS_MAX][NOC_STREAM_SLOTS];
  uint32_t space[NOC_STREAMS_MAX]
                [NOC_STREAM_SPACES]; /* NOC_STREAM_SPACE + i: read only; increased by a write of NOC_STREAM_SPACE_UPDATE */
};

/* Called for every register that a write changed, by its index. */
typedef void noc_stream_changed(void *tile, unsigned stream, unsigned index);

/* By register index (NOC_STREAM_READ_REG). false: a register that is not modelled. */
bool noc_stream_read(const struct noc_streams *s, unsigned stream, unsigned index, uint32_t *value);
/* false: not modelled, or not writable. byte_mask 0 changes nothing and only tests that. */
bool noc_stream_write(struct noc_streams *s, unsigned stream, unsigned index, uint32_t value, uint32_t byte_mask,
                      noc_stream_changed *changed, void *tile);
/* The address of the register that a write of `value` at this address changes for software that waits: a credit (NOC_STREAM_SPACE_UPDATE) and a size change the space of a
 * destination. All other addresses change themselves. */
uint32_t noc_stream_changes(uint32_t address, uint32_t value);
/* Index of the register in a slot. */
unsigned noc_stream_index(enum noc_stream_slot slot);

#endif
