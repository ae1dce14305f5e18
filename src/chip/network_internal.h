/* The state of the network, shared by its files: network.c moves packets, network_heap.c has the events, network_state.c clears, saves, restores and
 * hashes. */
#ifndef TESSERA_CHIP_NETWORK_INTERNAL_H
#define TESSERA_CHIP_NETWORK_INTERNAL_H

#include "chip/network_types.h"
#include "noc/niu.h"
#include "noc/route.h"

struct chip;
struct chip_holds;

enum {
  LINK_X = CHIP_PORT_X,
  LINK_Y = CHIP_PORT_Y,
  LINK_OUT = CHIP_PORT_NIU,
  LINK_IN = CHIP_PORT_FROM_NIU,
  LINKS_PER_ROUTER = 4
};
_Static_assert(LINK_OUT == (unsigned)NOC_LINK_TO_TILE && LINK_X == (unsigned)NOC_LINK_X && LINK_Y == (unsigned)NOC_LINK_Y &&
                   LINK_IN == (unsigned)NOC_LINK_FROM_TILE,
               "links");
#define INPUTS 3u /* of a link: NIU, X, Y */
#define CHANNELS 8u
#define LANES (2u * CHANNELS) /* a virtual channel before and after the edge of the grid */
#define ROUTERS (NOC_GRID_X * NOC_GRID_Y)
#define LINKS (NOC_NOCS * ROUTERS * LINKS_PER_ROUTER)

struct link {
  sim_time free_at;
  struct noc_packet *head[INPUTS], *tail[INPUTS]; /* packets that wait, by input */
  uint32_t last;                                  /* the input that was served last */
  uint32_t release;                               /* an event at free_at is pending */
  struct chip_link_counts counts;
  uint16_t owner[CHANNELS]; /* 1 + the tile whose linked transaction has the virtual channel; 0: none */
  /* By lane: waiting packets whose flits block this link; the flits of those in the next router's buffer; the time at which the next packet
   * may follow. */
  uint8_t closed[LANES];
  uint16_t behind[LANES];
  sim_time ready[LANES];
};

enum { EVENT_PACKET, EVENT_RELEASE };

/* A packet reaches a link, or a link with waiting packets becomes free. */
struct event {
  sim_time at;
  struct noc_packet *packet; /* NULL: the link is free */
  uint16_t link;
  uint8_t input;
};

struct chip_network {
  struct chip *chip;
  struct noc_times times;
  bool timing;
  chip_packet_fn *watch;
  void *watcher;
  struct chip_holds *holds; /* NULL: none */
  uint64_t delivered, under_way;
  uint32_t owned;   /* entries of all links' `owner` that are not 0 */
  uint32_t stalled; /* a linked transaction may wait in its own tile for the links of others */
  uint32_t event_count, event_capacity;
  struct event *events; /* binary heap */
  struct link link[LINKS];
};

/* The heap: the order is total and does not depend on the order in which events were created. false: out of memory. */
bool chip_network_push(struct chip_network *network, struct event event);
struct event chip_network_pop(struct chip_network *network);

#endif
