/* The network interface unit (NIU): four request initiators, configuration, counters, and the answering side. A tile has one per NoC.
 * Tensix, Ethernet and DRAM tiles use all of it; the others use registers and the answering side.
 *
 *   core's store to NOC_CMD_CTRL -> initiator waits for the NIU's output -> packet -> network -> noc_niu_arrive at the target
 *                                                                                              -> answer -> noc_niu_arrive
 *
 * A request whose every end is its own tile does not leave the tile: it is kept in `loop` until it completes.
 * Plain data. ISA: NoC/MemoryMap.md, Counters.md, Atomics.md, Coordinates.md (Blackhole); Ordering.md (Wormhole). */
#ifndef TESSERA_NOC_NIU_H
#define TESSERA_NOC_NIU_H

#include <stdbool.h>
#include <stdint.h>

#include "noc/packet.h"
#include "noc/port.h"
#include "noc/translation.h"

#define NOC_INITIATORS 4u
#define NOC_INITIATOR_STRIDE 0x800u
#define NOC_COUNTERS 64u
#define NOC_LOOPS 8u
#define NOC_FIFO_PLACES 8u /* inferred: no document gives the depth */
#define NOC_NIU_BYTES 0x10000u

/* Offsets of registers. */
enum noc_register {
  NOC_REG_CMD_CTRL = 0x40, /* +0x800 per initiator */
  NOC_REG_NODE_ID = 0x44,
  NOC_REG_ENDPOINT_ID = 0x48,
  NOC_REG_ERRORS = 0x50, /* parity, 1-bit and 2-bit header errors, ECC control */
  NOC_REG_ERRORS_END = 0x60,
  NOC_REG_CLEAR_OUTSTANDING = 0x60,
  NOC_REG_BUF_AVAIL = 0x64,
  NOC_REG_BUF_OVERFLOW = 0x68,
  NOC_REG_CONFIG = 0x100,
  NOC_REG_COUNTERS = 0x200,
  NOC_REG_ROUTER_DEBUG = 0x300,
  NOC_REG_RTZ_NUM = 0x378,
  NOC_REG_RTZ_SOURCE = 0x37c,
  NOC_REG_SECURITY = 0x400, /* to 0x4A8 */
  NOC_REG_SECURITY_END = 0x4ac,
  NOC_REG_FLITS = 0x500, /* router ports X and Y, 16 VCs x 64 bit each */
  NOC_REG_FLITS_END = 0x600,
};

/* Words of an initiator. */
enum noc_word {
  NOC_TARG_LO,
  NOC_TARG_MID,
  NOC_TARG_HI,
  NOC_RET_LO,
  NOC_RET_MID,
  NOC_RET_HI,
  NOC_PACKET_TAG,
  NOC_CTRL,
  NOC_AT_LEN_BE,
  NOC_AT_LEN_BE_1,
  NOC_AT_DATA,
  NOC_BRCST_EXCLUDE,
  NOC_L1_ACC_AT_INSTRN,
  NOC_SEC_CTRL,
  NOC_INITIATOR_WORDS
};

/* Words of the configuration. */
enum noc_config {
  NOC_CFG_NIU_0 = 0,
  NOC_CFG_ROUTER_0 = 1,
  NOC_CFG_OPT_OUT_X = 2, /* ROUTER_CFG_1: bit x */
  NOC_CFG_OPT_OUT_Y = 4, /* ROUTER_CFG_3: bit y */
  NOC_CFG_ID_LOGICAL = 18,
  NOC_CFG_RTZ = 30,
  NOC_CFG_RTZ_CLEAR = 31,
};
enum {
  NOC_NIU_CFG_CLOCK_OFF = 1u << 12,
  NOC_NIU_CFG_NO_HEADER_STORE = 1u << 13,
  NOC_NIU_CFG_TRANSLATE = 1u << 14,
  NOC_NIU_CFG_AXI = 1u << 15,
  NOC_NIU_CFG_FIFO = 1u << 16,
};

enum noc_counter {
  NOC_MST_ATOMIC_RESP,
  NOC_MST_WR_ACK,
  NOC_MST_RD_RESP,
  NOC_MST_RD_WORDS,
  NOC_MST_ACCEPTED,
  NOC_MST_RD_SENT,
  NOC_MST_NP_ATOMIC,
  NOC_MST_P_ATOMIC,
  NOC_MST_NP_WORDS,
  NOC_MST_P_WORDS,
  NOC_MST_NP_WR,
  NOC_MST_P_WR,
  NOC_MST_NP_WR_STARTED,
  NOC_MST_P_WR_STARTED,
  NOC_MST_RD_STARTED,
  NOC_MST_NP_ATOMIC_STARTED,
  NOC_MST_OUTSTANDING,   /* +id, 8 bit */
  NOC_MST_OUTGOING = 32, /* +id, 8 bit */
  NOC_SLV_ATOMIC_RESP = 48,
  NOC_SLV_WR_ACK,
  NOC_SLV_RD_RESP,
  NOC_SLV_RD_WORDS,
  NOC_SLV_ACCEPTED,
  NOC_SLV_RD,
  NOC_SLV_NP_ATOMIC,
  NOC_SLV_P_ATOMIC,
  NOC_SLV_NP_WORDS,
  NOC_SLV_P_WORDS,
  NOC_SLV_NP_WR,
  NOC_SLV_P_WR,
  NOC_SLV_NP_WR_STARTED,
  NOC_SLV_P_WR_STARTED,
};

/* Cycles inside an NIU (src/chips/blackhole/noc_timing.def). All 0: timing off. */
struct noc_times {
#define NOC_TIME(name, value, evidence, source, what) uint32_t name;
#include "chips/blackhole/noc_timing.def"
#undef NOC_TIME
};
struct noc_times noc_times_default(void);
struct noc_times noc_times_off(void);

/* A request to its own tile that has not completed. */
struct noc_loop {
  struct noc_packet packet; /* without payload */
  uint32_t used;
  uint32_t source_claim;
};

struct noc_niu {
  uint32_t noc;
  uint32_t tile; /* id: y * 17 + x of raw NoC 0 */
  uint32_t node_id, endpoint_id;
  uint32_t initiator[NOC_INITIATORS][16];
  uint32_t config[NOC_CONFIG_WORDS];
  uint32_t counter[NOC_COUNTERS];
  uint8_t busy[NOC_INITIATORS];   /* NOC_CMD_CTRL reads 1 */
  uint8_t claims[NOC_INITIATORS]; /* of the write that waits for the output */
  uint32_t queue;    /* initiators in the order of their NOC_CMD_CTRL, four bits each: 8 | index, oldest lowest */
  uint32_t sending;  /* 1: noc_niu_due is called when the output is free */
  sim_time free_at;  /* the output takes the next packet */
  uint64_t sequence; /* packets sent */
  uint64_t linked;   /* 0, or 1 + the VC that a linked transaction holds */
  uint32_t rtz_source;
  uint32_t security[(NOC_REG_SECURITY_END - NOC_REG_SECURITY) / 4];
  uint32_t errors[4];
  uint32_t pad;
  uint32_t fifo_count[NOC_INITIATORS];
  uint32_t fifo[NOC_INITIATORS][NOC_FIFO_PLACES]
               [NOC_INITIATOR_WORDS]; /* NIU_CFG_0 bit 16: requests as their registers held them */
  struct noc_times times;
  struct noc_loop loop[NOC_LOOPS];
};

/* Identity as NOC_NODE_ID and NOC_ENDPOINT_ID show it; `config` as firmware leaves it, or NULL for the state after power-on. */
void noc_niu_reset(struct noc_niu *niu, unsigned noc, uint32_t node_id, uint32_t endpoint_id, const uint32_t *config,
                   const struct noc_times *times);
static inline struct noc_place noc_niu_place(const struct noc_niu *n) {
  return (struct noc_place){(uint8_t)(n->node_id & 63u), (uint8_t)(n->node_id >> 6 & 63u)};
}

/* Aligned 32-bit accesses. false: no such register (nothing recorded), or a fault was recorded. */
bool noc_niu_read(struct noc_niu *niu, const struct noc_port *port, void *tile, uint32_t offset, uint32_t *value);
bool noc_niu_write(struct noc_niu *niu, const struct noc_port *port, void *tile, uint32_t offset, uint32_t value);
bool noc_niu_writable(uint32_t offset);

/* A packet's last flit has arrived, now. The packet stays the caller's. Requests are carried out and answered. */
void noc_niu_arrive(struct noc_niu *niu, const struct noc_port *port, void *tile, const struct noc_packet *packet);
/* What port->later asked for. */
void noc_niu_due(struct noc_niu *niu, const struct noc_port *port, void *tile, uint32_t what);

/* Whether the NIU takes part in broadcasts. */
static inline bool noc_niu_opted_out(const struct noc_niu *n) {
  struct noc_place at = noc_niu_place(n);
  return (n->config[NOC_CFG_OPT_OUT_X] >> at.x & 1u) || (n->config[NOC_CFG_OPT_OUT_Y] >> at.y & 1u);
}
/* Whether anything of this NIU is under way: an answer is awaited, a request waits or loops. */
bool noc_niu_waits(const struct noc_niu *niu);
/* "write of 64 bytes from (1, 2) ... NOC_CTRL 0x2012 ...": the request as its registers hold it, for messages. */
void noc_packet_words(const struct noc_packet *packet, char *text, uint32_t size);

#endif
