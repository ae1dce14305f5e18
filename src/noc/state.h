/* The state of a network interface unit (NIU). Plain data; niu.h has the functions. chips/blackhole/noc_map.h has the numbers of its
 * registers.
 * ISA: NoC/MemoryMap.md, Counters.md (Blackhole). */
#ifndef TESSERA_NOC_STATE_H
#define TESSERA_NOC_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "chips/blackhole/noc_map.h"
#include "noc/packet.h"
#include "noc/port.h"
#include "noc/translation.h"

#define NOC_INITIATORS 4u
#define NOC_COUNTERS 64u
#define NOC_LOOPS 8u
#define NOC_FIFO_PLACES 8u /* inferred: no document gives the depth */

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
  uint8_t claims[NOC_INITIATORS]; /* claim of the write whose last packet waits for the output */
  uint32_t queue;    /* initiators in the order of their NOC_CMD_CTRL, four bits each: 8 | index, oldest lowest */
  uint32_t sending;  /* 1: noc_niu_due is called when the output is free */
  sim_time free_at;  /* the time at which the output accepts the next packet */
  uint64_t sequence; /* packets sent */
  uint64_t linked;   /* 0, or what the requests of the open linked transaction have in common (initiate.c) */
  uint32_t rtz_source;
  uint32_t security[(NOC_REG_SECURITY_END - NOC_REG_SECURITY) / 4];
  uint32_t errors[4];
  uint32_t own_tables; /* 1: software has changed the tables of translation, so only it knows the names of tiles */
  uint32_t fifo_count[NOC_INITIATORS];
  uint32_t fifo[NOC_INITIATORS][NOC_FIFO_PLACES]
               [NOC_INITIATOR_WORDS]; /* NIU_CFG_0 bit 16: queued requests, as copies of their registers */
  struct noc_times times;
  struct noc_loop loop[NOC_LOOPS];
};

static inline struct noc_place noc_niu_place(const struct noc_niu *n) {
  return (struct noc_place){(uint8_t)(n->node_id & 63u), (uint8_t)(n->node_id >> 6 & 63u)};
}

#endif
