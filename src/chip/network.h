/* The network between the NIUs: two tori of routers. It computes the arrival of each packet that tiles send.
 *
 * Timing on: a packet goes from router to router; a link carries one flit per cycle, so a packet occupies it for its number of flits;
 * several inputs of a router that request one link are served round robin, packets of one input and virtual channel
 * stay in order, and a packet that waits blocks its channel on the links behind it, as far as buffers do not hold it. The links of a linked
 * transaction have no room for other requests on its virtual channel until its last request has passed. NoC 0 goes right, then
 * down; NoC 1 goes up, then left. A broadcast runs along one axis and branches into the other. Timing off: every packet to another tile takes
 * `constant` cycles, one to its own tile arrives as it leaves, and links are never busy.
 *
 * The network has its own time. It may be advanced to `to` once chip_network_take has received every packet that departs at
 * or before `to` - in; no later arrival is before `to` + out. ISA: NoC/README.md, Routing and virtual channels. */
#ifndef TESSERA_CHIP_NETWORK_H
#define TESSERA_CHIP_NETWORK_H

#include <stdbool.h>
#include <stdint.h>

#include "chip/network_types.h"
#include "noc/niu.h"
#include "noc/packet.h"

struct chip;
struct chip_holds;
struct chip_stream;

struct chip_network;

struct chip_network *chip_network_create(struct chip *chip, const struct noc_times *times, bool timing);
void chip_network_destroy(struct chip_network *network);

/* Accepts a packet, whose departure must not be before the network's time. */
void chip_network_take(struct chip_network *network, struct noc_packet *packet);
/* Moves packets up to and including `to`; calls chip_arrive for each that reaches its target. Stops early at an arrival to which
 * a tile may respond, since later events then depend on the response. */
void chip_network_advance(struct chip_network *network, sim_time to);
/* The next time at which the network acts; SIM_NEVER: no packet is in flight. */
sim_time chip_network_next(const struct chip_network *network);
/* No packet that departs at d arrives before d + this. */
uint32_t chip_network_lookahead(const struct chip_network *network);
uint32_t chip_network_in_cycles(const struct chip_network *network); /* from departure to the first link at least */

void chip_network_watch(struct chip_network *network, chip_packet_fn *watch, void *context);

/* Packets are late by these holds from now on; NULL: none. Only with timing on. The caller keeps the struct. */
void chip_network_hold(struct chip_network *network, struct chip_holds *holds);

/* The number of hops between two raw positions. */
unsigned chip_network_hops(unsigned noc, struct noc_place from, struct noc_place to);
/* Traffic of a link: the output `port` of the router at that raw position (CHIP_PORT_NIU: into the tile). */
struct chip_link_counts chip_network_link(const struct chip_network *network, unsigned noc, struct noc_place at,
                                          enum chip_router_port port);
/* A packet that waits for a virtual channel that a linked transaction of `owner` has taken, at the router of `at`. */
struct chip_waiting {
  const struct noc_packet *packet;
  unsigned owner, at;
};
/* The packet number `which` of those; false: there are fewer. */
bool chip_network_waiting(struct chip_network *network, unsigned which, struct chip_waiting *waiting);
uint64_t chip_network_packets(const struct chip_network *network); /* delivered so far */
uint64_t chip_network_under_way(const struct chip_network *network);

void chip_network_clear(struct chip_network *network); /* as after creation */
void chip_network_save(const struct chip_network *network, struct chip_stream *to);
bool chip_network_restore(struct chip_network *network, struct chip_stream *from);
uint64_t chip_network_hash(const struct chip_network *network);

#endif
