/* The definition of struct chip; shared by the files of the chip. */
#ifndef TESSERA_CHIP_INTERNAL_H
#define TESSERA_CHIP_INTERNAL_H

#include "chip/config.h"
#include "chip/endpoint.h"
#include "chip/grid.h"

struct chip_network;
struct chip_workers;

#define CHIP_LOST_MAX 8u

struct chip {
  struct chip_config config;
  struct chip_grid grid;
  struct noc_times times;
  struct chip_network *network;
  struct chip_workers *workers; /* NULL: one host thread */
  struct chip_endpoint endpoint[CHIP_TILES];
  uint16_t active[CHIP_TILES]; /* active endpoints, in the order of their creation */
  uint32_t active_count;
  sim_time now;           /* all cycles up to and including this one have been run */
  sim_time until;         /* the last cycle of the current run */
  sim_time last_progress; /* the last cycle in which an agent or a packet made progress */
  struct sim_fault fault;
  uint32_t fault_tile;
  uint32_t stopped; /* a tile stopped in the current window */
  uint64_t windows;
  chip_memory_fn *memory_watch; /* NULL: none */
  void *memory_context;
  uint32_t lost_count;
  struct noc_packet lost[CHIP_LOST_MAX];
};

/* Passes the packets of its inbox to an endpoint and runs it, up to and including `until`. On any host thread. */
void chip_run_endpoint(struct chip_endpoint *endpoint, sim_time until);
/* The time at which an endpoint acts next: by itself, or because a packet arrives. */
sim_time chip_endpoint_next(const struct chip_endpoint *endpoint);

/* inbox.c */
void chip_inbox_put(struct chip_endpoint *endpoint, struct noc_packet *packet);
struct noc_packet *chip_inbox_take(struct chip_endpoint *endpoint);
bool chip_packet_before(const struct noc_packet *a, const struct noc_packet *b); /* by (arrives, departs, tile, sequence) */

/* chip.c: restores the state after creation; tiles whose struct a caller holds are reset in place. */
void chip_clear(struct chip *chip);
/* Clears packets, network and fault; tiles and memories are unchanged. */
void chip_clear_packets(struct chip *chip);
/* For the network: a packet reaches the tile. */
void chip_arrive(struct chip *chip, unsigned tile, struct noc_packet *packet);

/* state.c */
void chip_put_packet(struct chip_stream *to, const struct noc_packet *packet);
struct noc_packet *chip_get_packet(struct chip_stream *from); /* NULL: no memory, or the bytes end */
void chip_put_packets(struct chip_stream *to, struct noc_packet *const *packets, uint32_t count);
bool chip_get_packets(struct chip_stream *from, void (*take)(void *to, struct noc_packet *packet), void *to);
uint64_t chip_packet_hash(const struct noc_packet *packet);

/* workers.c: runs some endpoints up to `until`, on all host threads. */
struct chip_workers *chip_workers_create(unsigned threads);
void chip_workers_destroy(struct chip_workers *workers);
void chip_workers_run(struct chip_workers *workers, struct chip_endpoint **endpoints, unsigned count, sim_time until);

#endif
