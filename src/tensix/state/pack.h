/* The packer. Plain data; the functions are in unit/pack/pack.h. */
#ifndef TESSERA_TENSIX_STATE_PACK_H
#define TESSERA_TENSIX_STATE_PACK_H

#include <stdint.h>

#include "sim/time.h"
#include "tensix/num/format_pack.h"
#include "tensix/state/dst.h"

#define TX_PACK_BATCHES 16u
#define TX_PACK_BATCH_BYTES 2752u
#define TX_PACK_METADATA 4u /* inferred: no document gives the depth of the metadata FIFO */

/* PACR's configuration, decoded when a word of it changes (config.c). */
struct tx_pack_config {
  uint64_t version; /* t->config.version + 1 for which this is valid; 0: never decoded */
  uint64_t race;    /* hash of the fields that must not change while a PACR is in flight */
  uint32_t bank;
  uint32_t refusal; /* enum tx_pack_refusal */
  struct num_pack_request request;
  uint8_t relu_mode;
  uint8_t edge_trivial; /* every mask passes all datums */
  uint8_t edge_minus_infinity;
  struct num_pack how;
  uint32_t in_base, in_stride[4];   /* bytes: X, Y, Z, W of channel 0 */
  uint32_t out_base, out_stride[4]; /* bytes: Y, Z, W of channel 1 in [1..3] */
  uint32_t datum_shift, x_mask;     /* bytes of In_data_format as a power of two, for the input address */
  uint32_t dst_offset;              /* rows */
  uint32_t l1_address, limit, fifo; /* 16-byte units */
  uint32_t row_section, exponent_section;
  uint32_t relu_threshold;
  uint32_t exponent_threshold; /* 0: off */
  uint32_t downsample;         /* 0xffff: off */
  uint32_t reads_per_plane;
  uint32_t z_offset, face_map; /* edge masks by plane */
  uint32_t row_map[4], row_set;
  uint16_t edge[4];
  uint8_t by_face; /* face_map selects the row map */
  uint8_t transposed;
  uint8_t compress;
  uint8_t accumulate;
  uint8_t add_offset, add_header, out_fifo, auto_interfaces;
  uint8_t statistics;    /* some thread has ENABLE_ACC_STATS on */
  struct tx_dst_map map; /* of Dst rows */
  uint8_t plain;         /* only ReLU between the conversions, and whole rows are written */
  uint8_t random_early;  /* stochastic rounding (rounding.h) */
  uint8_t random_late;
  uint8_t pad[7];
};

struct tx_pack_cache {
  uint32_t harmless; /* writes to configuration since PACR's was decoded that change at most its addresses */
  /* Of PACR's fast paths (pacr.c), valid for the configuration of tx_pack: */
  uint8_t thread;            /* 1 + the thread whose PACRs take them; 0: they do not apply, or not known yet */
  uint8_t row_bytes;         /* in L1 */
  uint8_t bf16;              /* rows by num_pack_bf16 */
  uint8_t mapped;            /* rows of Dst are mapped */
  uint16_t row, row_step[3]; /* of Dst, modulo TX_DST_ROWS: at the counters' zero, and per step of Y, Z and W */
};

/* Bytes in flight into L1, in blocks of sixteen. */
struct tx_pack_stream {
  uint32_t address; /* of the block in `buffer` */
  uint16_t bits;    /* in `buffer` */
  uint8_t open;     /* 0: the next PACR sets a new address */
  uint8_t pad;
  uint8_t buffer[16];
};
enum tx_pack_stream_name { TX_PACK_DATA, TX_PACK_EXPONENTS, TX_PACK_ROW_STARTS, TX_PACK_STREAMS };

/* Compression: datums, each with a count of the zeros after it; groups of 32. */
struct tx_pack_compress {
  uint32_t group[32]; /* intermediate datums */
  uint8_t zeros[32];
  uint8_t in_group;
  uint8_t in_row; /* a datum is held back */
  uint8_t held_zeros;
  uint8_t row_zero; /* all datums of this row were zero */
  uint32_t held;
  uint32_t datums; /* emitted since the tile began */
  uint32_t rows;
  uint32_t zero_rows; /* AllZeroFlags: bit per row */
};

struct tx_pack_piece {
  uint32_t address;
  uint32_t length; /* bytes in flight */
  uint32_t handle; /* in the list of ranges in flight */
};

/* PACRs of one thread, or a PACR_SETREG, in the output stage (output.h). */
struct tx_pack_batch {
  sim_time done_at;                          /* time at which the newest of them is complete */
  uint32_t effect;                           /* its PACK_DONE: sequence number */
  uint32_t agent, word, pc;                  /* of the first */
  uint32_t streams, pad2;                    /* L1 address of the bytes that its newest instruction writes */
  uint32_t register_address, register_value; /* PACR_SETREG; 0: none */
  uint32_t tile_size, all_zero_flags;        /* of the tile that ends with this batch */
  uint32_t bits[TX_PACK_STREAMS];            /* in each stream's part of `bytes` */
  struct tx_pack_piece piece[TX_PACK_STREAMS];
  uint8_t ends_tile, add_header, out_fifo;
  uint8_t closed; /* no more instructions join; bytes that fill no block are back in the streams' buffers */
  uint8_t accumulate, format;
  uint8_t pad[6];
  uint8_t bytes[TX_PACK_BATCH_BYTES];
};

struct tx_pack {
  struct tx_pack_config config;
  struct tx_pack_stream stream[TX_PACK_STREAMS];
  struct tx_pack_compress compress;
  uint8_t position;             /* tile row within the plane: TilePosition */
  uint16_t plane;               /* plane within the tile: TilePosition Z */
  uint16_t l1_dest_addr_offset; /* set by TDMA-RISC, 16-byte units */
  uint32_t tile_blocks;         /* 16-byte blocks of the data stream since the tile began */
  uint32_t metadata_count;
  struct {
    uint32_t tile_size, all_zero_flags;
  } metadata[TX_PACK_METADATA];
  uint32_t register_data; /* PACR_SETREG */
  uint32_t seedings;      /* writes to PRNG_SEED seen */
  uint32_t pad;
  uint32_t early_prng[NUM_PACK_ROW], late_prng[NUM_PACK_ROW];
  uint32_t first, count; /* batches, oldest first */
  sim_time last_done_at; /* of the newest instruction */
  struct tx_pack_batch batch[TX_PACK_BATCHES];
};

#endif
