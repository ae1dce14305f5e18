/* Registers of the NoC overlay's streams (64 in a Tensix tile, 32 Ethernet, 16 DRAM), as software uses idle streams: small shared
 * registers, some of which change others when written. The machine that moves data by itself is not modelled: a write that would
 * start it is refused.
 *
 * Plain data. Names and indices: noc_overlay_parameters.h (Blackhole); effects: ISA NoC/Overlay/AsGeneralUse.md (Wormhole). */
#ifndef TESSERA_NOC_STREAMS_H
#define TESSERA_NOC_STREAMS_H

#include <stdbool.h>
#include <stdint.h>

#define NOC_STREAMS_MAX 64u
#define NOC_STREAM_BYTES 0x1000u
#define NOC_STREAM_PLAIN 64u  /* registers 0..63 are configuration; the rest is below */
#define NOC_STREAM_SPACES 32u /* REMOTE_DEST_BUF_SPACE_AVAILABLE: registers 297..328 */

/* Indices with a meaning here. */
enum noc_stream_index {
  NOC_STREAM_REMOTE_SRC = 4,
  NOC_STREAM_REMOTE_DEST_BUF_START = 8,
  NOC_STREAM_REMOTE_DEST_BUF_SIZE = 10,
  NOC_STREAM_REMOTE_DEST_WR_PTR = 11,
  NOC_STREAM_BUF_START = 12,
  NOC_STREAM_CURR_PHASE = 29,
  NOC_STREAM_CURR_PHASE_BASE = 30,
  NOC_STREAM_PHASE_AUTO_CFG_PTR = 31,
  NOC_STREAM_MESSAGES = 259, /* NUM_MSGS_RECEIVED; read only */
  NOC_STREAM_SPACE_UPDATE = 270,
  NOC_STREAM_SPACE = 297, /* +i; read only */
};

struct noc_streams {
  uint32_t plain[NOC_STREAMS_MAX][NOC_STREAM_PLAIN];
  uint32_t messages[NOC_STREAMS_MAX];
  uint32_t space[NOC_STREAMS_MAX][NOC_STREAM_SPACES];
};

/* Calls `changed(tile, stream, index)` for every register that a write changed. */
typedef void noc_stream_changed(void *tile, unsigned stream, unsigned index);

/* false: no such register. */
bool noc_stream_read(const struct noc_streams *s, unsigned stream, unsigned index, uint32_t *value);
/* false: no such register, a read-only one, or a write that would start the stream: `why` is set then. byte_mask 0 only asks. */
bool noc_stream_write(struct noc_streams *s, unsigned stream, unsigned index, uint32_t value, uint32_t byte_mask,
                      noc_stream_changed *changed, void *tile, const char **why);

#endif
