/* Registers of the NoC overlay's streams (64 in a Tensix tile, 32 Ethernet, 16 DRAM), as software uses idle streams: small shared
 * registers, some of which change others when written. The data-moving machine of a stream is not modelled: registers that only it uses
 * are rejected.
 *
 * Plain data. Names and indices: noc_overlay_parameters.h (Blackhole); effects: ISA NoC/Overlay/AsGeneralUse.md (Wormhole). */
#ifndef TESSERA_NOC_STREAMS_H
#define TESSERA_NOC_STREAMS_H

#include <stdbool.h>
#include <stdint.h>

#define NOC_STREAMS_MAX 64u
#define NOC_STREAM_BYTES 0x1000u
#define NOC_STREAM_SPACES 32u /* REMOTE_DEST_BUF_SPACE_AVAILABLE: registers 297..328 */

/* STREAMWAIT's two conditions come first. */
enum noc_stream_slot {
  NOC_STREAM_PHASE,        /* STREAM_CURR_PHASE, 29 */
  NOC_STREAM_MESSAGES,     /* STREAM_NUM_MSGS_RECEIVED, 259; read only */
  NOC_STREAM_DEST_START,   /* STREAM_REMOTE_DEST_BUF_START, 8, 17 bits: tiles acknowledged; a write zeroes 11 */
  NOC_STREAM_DEST_SIZE,    /* STREAM_REMOTE_DEST_BUF_SIZE, 10, 17 bits: tiles received; a write sets 297 and up */
  NOC_STREAM_AUTO_CFG_PTR, /* STREAM_PHASE_AUTO_CFG_PTR, 31, 17 bits: relative to 30 */
  NOC_STREAM_REMOTE_SRC,   /* STREAM_REMOTE_SRC, 4, 24 bits */
  NOC_STREAM_DEST_WR_PTR,  /* STREAM_REMOTE_DEST_WR_PTR, 11, 17 bits */
  NOC_STREAM_AUTO_BASE,    /* STREAM_PHASE_AUTO_CFG_PTR_BASE, 30, 24 bits */
  NOC_STREAM_PERF_CONFIG,  /* STREAM_PERF_CONFIG, 35: clock gating */
  NOC_STREAM_SLOTS,
};

struct noc_streams {
  uint32_t reg[NOC_STREAMS_MAX][NOC_STREAM_SLOTS];
  uint32_t space[NOC_STREAMS_MAX][NOC_STREAM_SPACES]; /* 297 + i; read only; increased by writing 270 */
};

/* Called for every register that a write changed, by its index. */
typedef void noc_stream_changed(void *tile, unsigned stream, unsigned index);

/* By register index (NOC_STREAM_READ_REG). false: a register that is not modelled. */
bool noc_stream_read(const struct noc_streams *s, unsigned stream, unsigned index, uint32_t *value);
/* false: not modelled, or not writable. byte_mask 0 changes nothing and only tests that. */
bool noc_stream_write(struct noc_streams *s, unsigned stream, unsigned index, uint32_t value, uint32_t byte_mask,
                      noc_stream_changed *changed, void *tile);
/* Index of the register in a slot. */
unsigned noc_stream_index(enum noc_stream_slot slot);

#endif
