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
  struct chip_workers *workers;            /* NULL: one host thread */
  struct noc_packet *frames, **frames_end; /* of Ethernet links, to other chips: taken by the system */
  struct tx_code *code;                    /* decoded code of the cores of all tiles */
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
  uint64_t dram_busy[CHIP_DRAMS]; /* cycles of accesses; not saved */
  chip_burst_fn *burst_watch;     /* NULL: none */
  void *burst_context;
  uint32_t lost_count;
  struct noc_packet lost[CHIP_LOST_MAX];
};

#endif
