/* A packet of the NoC, from one NIU to another. Coordinates are raw coordinates of the packet's NoC.
 *
 * A request goes from `source` to `target`; its response, if there is one, goes to `answer`, which need not be the source. One packet
 * of a broadcast leaves the source, and the network creates one for each receiver; they share the payload.
 *
 * All members before `payload` are plain data. Packets are allocated, because the program determines how many are in flight.
 * ISA: NoC/README.md, NoC/MemoryMap.md (Blackhole). */
#ifndef TESSERA_NOC_PACKET_H
#define TESSERA_NOC_PACKET_H

#include <stdbool.h>
#include <stdint.h>

#include "chips/blackhole/grid.h"
#include "sim/time.h"

#define NOC_NOCS 2u
#define NOC_LINK \
  NOC_NOCS /* of a packet that is a frame of an Ethernet link, of no NoC: a write to the tile at the other end */
#define NOC_FLIT_BYTES 64u
#define NOC_PACKET_BYTES 16384u /* payload of one packet at most: 256 flits */

enum noc_kind {
  NOC_READ = 0, /* the first three are NOC_CTRL[1:0] */
  NOC_ATOMIC = 1,
  NOC_WRITE = 2,
  NOC_READ_ANSWER,
  NOC_WRITE_ANSWER,
  NOC_ATOMIC_ANSWER,
  NOC_KINDS
};

/* Bits of NOC_CTRL. ISA: NoC/MemoryMap.md, NOC_CTRL; the vendor's noc_parameters.h */
enum noc_ctrl {
  NOC_CTRL_TYPE = 3u,
  NOC_CTRL_BYTE_MASK = 1u << 2,
  NOC_CTRL_INLINE = 1u << 3,
  NOC_CTRL_ANSWERED = 1u << 4, /* RESP_MARKED: non-posted */
  NOC_CTRL_BROADCAST = 1u << 5,
  NOC_CTRL_LINKED = 1u << 6,
  NOC_CTRL_VC_STATIC = 1u << 7,
  NOC_CTRL_PATH_RESERVE = 1u << 8,
  NOC_CTRL_DROP_ACK = 1u << 9, /* overlay only */
  NOC_CTRL_Y_MAJOR = 1u << 16,
  NOC_CTRL_SOURCE_INCLUDE = 1u << 17,
};
#define NOC_CTRL_ACCUMULATE 0x80000000u

struct noc_place {
  uint8_t x, y;
};

/* The bytes of a packet. Packets of one broadcast share them. */
struct noc_payload {
  uint32_t users; /* changed atomically: receivers run on several host threads */
  uint32_t length;
  uint8_t bytes[];
};

struct noc_packet {
  sim_time departs; /* the header flit leaves the source's NIU */
  /* The last flit is in the target's NIU; set by the network, which until then keeps here how many links behind it a waiting packet blocks. */
  sim_time arrives;
  /* counts the source tile's packets: packets that depart at one time are ordered by (tile, sequence) */
  uint64_t sequence;
  uint64_t address;        /* requests: at the target; responses to reads and atomics: destination of the data */
  uint64_t answer_address; /* reads and answered atomics: destination of the response's data */
  uint64_t byte_mask;      /* NOC_CTRL_BYTE_MASK */
  uint32_t length;         /* bytes of payload, or of the data that a read requests */
  uint32_t ctrl;           /* NOC_CTRL as the initiator held it; answers: of the request */
  uint32_t atomic;         /* NOC_AT_LEN_BE of an atomic */
  uint32_t data;           /* NOC_AT_DATA: operand of an atomic, inline data, header store's address */
  uint32_t accumulate;     /* NOC_L1_ACC_AT_INSTRN */
  uint32_t exclude;        /* NOC_BRCST_EXCLUDE */
  uint16_t tag;            /* NOC_PACKET_TAG */
  uint16_t tile;           /* the source's tile id (y * NOC_GRID_X + x of raw NoC 0) */
  uint8_t kind;            /* enum noc_kind */
  uint8_t noc;
  uint8_t vc;        /* NOC_CTRL[15:13] when static; answers: class 3 */
  uint8_t initiator; /* 0..3 */
  struct noc_place source, target, answer;
  struct noc_place start; /* broadcast: the rectangle is start..target, wrapping */
  uint8_t claim;          /* the initiator's number of the L1 range in flight until the answer, or its own copy; 0: none */
  uint8_t leg : 6;        /* broadcast: used by the network, the part of the tree */
  uint8_t returned : 1;   /* the source's tile, one of the receivers, took it as it left */
  uint8_t weightless : 1; /* a what-if: it occupies no link, no memory and no bank of L1 */
  uint16_t agent; /* for reports: the core that caused it; 0xffff: not known. Of an answer: a core of the target tile */
  uint32_t pc;    /* and its instruction */
  uint8_t small[NOC_FLIT_BYTES]; /* up to one flit of payload; more is in `payload` */
  struct noc_payload *payload;
  struct noc_packet *next; /* for the list that contains it */
};

static inline unsigned noc_packet_id(const struct noc_packet *p) { return p->tag >> 10 & 15u; }
static inline bool noc_packet_is_answer(const struct noc_packet *p) { return p->kind >= NOC_READ_ANSWER; }
static inline unsigned noc_answer_kind(unsigned request) {
  return request == NOC_READ ? NOC_READ_ANSWER : request == NOC_WRITE ? NOC_WRITE_ANSWER : NOC_ATOMIC_ANSWER;
}
/* Flits after the header flit. */
static inline uint32_t noc_flits(uint32_t bytes) { return (bytes + NOC_FLIT_BYTES - 1) / NOC_FLIT_BYTES; }

/* A zeroed packet with room for `bytes` of payload; NULL: out of memory. */
struct noc_packet *noc_packet_new(uint32_t bytes);
/* A copy of the packet that shares its payload. */
struct noc_packet *noc_packet_share(const struct noc_packet *packet);
void noc_packet_free(struct noc_packet *packet);
uint8_t *noc_packet_bytes(struct noc_packet *packet);
static inline const uint8_t *noc_packet_data(const struct noc_packet *p) {
  return p->payload ? p->payload->bytes : p->small;
}
/* "write of 64 bytes"; for messages. */
const char *noc_kind_name(unsigned kind);
/* "write of 64 bytes from (1, 2) ... NOC_CTRL 0x2012 ...": the request's registers, for messages. */
void noc_packet_words(const struct noc_packet *packet, char *text, uint32_t size);

#endif
