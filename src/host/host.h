/* The host side of the chip: PCI configuration space, BARs, TLB windows, iATU, host memory and the clock, over a port to the chip.
 *
 * No call ends the process. An access to an unmapped address logs one line; a read returns all ones and a write is dropped,
 * as on PCI. When the chip stops at a fault, the host side freezes: reads return all ones, writes and clocks have no
 * effect, and the chip can still be inspected through its own interface. */
#ifndef TESSERA_HOST_HOST_H
#define TESSERA_HOST_HOST_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>

#include "host/iatu.h"
#include "host/pci_config.h"
#include "host/port.h"
#include "host/tlb.h"

#define HOST_POLL_WORDS 1024u /* number of recorded reads of the host: a power of two */

/* The host's memory, in the process that loaded the library. */
struct host_memory {
  void (*read)(uint64_t address, void *bytes, uint32_t size);
  void (*write)(uint64_t address, const void *bytes, uint32_t size);
};

struct host_settings {
  uint64_t cycles_per_clock; /* cycles of the chip per cycle that the host requests */
  uint64_t poll_bound;       /* the most cycles that a clock call adds while the host polls an unchanged word */
  unsigned lines_max;        /* messages about accesses to unmapped addresses; further ones are only counted */
};

/* A word that the host has read. Hosts poll one word of each of many tiles in turn, so each is recorded. */
struct host_word {
  uint64_t key; /* tile and address; 0: unused */
  uint32_t value;
  uint32_t pad;
};

struct host_poll {
  struct host_word word[HOST_POLL_WORDS];
  struct host_target target; /* of the last read, if it returned the same value as the read before it */
  uint64_t address;
  uint32_t value;
  bool again; /* the last read returned the same value as the one before it */
};

/* A debugger that runs the chip instead of the clock calls (host/abi/debug.h); all NULL: none. */
struct host_debug_port {
  void *debug;
  bool (*run)(void *debug, uint64_t cycles); /* replaces host_port.run */
  void (*wrote)(void *debug);                /* the host changes the state of the chip */
};

struct host;

/* What all chips of a system share: one clock. */
struct host_time {
  bool read_since_clock;       /* false: a clock call follows no read of a chip, so the host polls its own memory */
  bool frozen;                 /* a chip has stopped */
  bool idle;                   /* at the end of the last clock call no event was pending: only the host can cause one */
  uint64_t owed;               /* cycles by which the clock of idle chips is behind: they change only the clock */
  uint64_t host_memory_writes; /* by the chips */
  uint64_t least_cycles;       /* of a clock call; 0: as the host requests */
  struct host *last;           /* that of the last read of a chip; NULL: none yet */
};

struct host {
  struct host_settings settings;
  struct host_pci_config config;
  struct host_tlb tlb;
  struct host_iatu iatu;
  struct host_poll poll;
  struct host_time *time;
  uint64_t lost;           /* accesses to unmapped addresses */
  uint32_t aliases[64][2]; /* bit per x of each y: coordinates of no tile that were reported */
  uint64_t lost_off;       /* of these: to fused-off tiles */
  /* outside the state */
  struct host_port port;
  struct host_memory memory;
  void (*say)(void *who, const char *line); /* one line, without a newline */
  void *listener;
  /* The host is about to write a tile's SOFT_RESET_0. NULL: not called. */
  void (*resets)(void *owner, const struct host_target *target, uint32_t value);
  /* Called after the host has written to a window; NULL: not called. */
  void (*wrote)(void *owner, const struct host_target *target);
  void *owner;
  struct host_debug_port debug;
};

/* `device` is its number on the PCI bus. */
void host_init(struct host *host, const struct host_port *port, unsigned device, struct host_time *time);

/* The BARs, by address of the host's physical space. */
void host_read(struct host *host, uint64_t address, void *bytes, uint32_t size);
void host_write(struct host *host, uint64_t address, const void *bytes, uint32_t size);
/* A tile by its coordinates, as through a window on NoC 0. */
void host_tile_read(struct host *host, uint32_t x, uint32_t y, uint64_t address, void *bytes, uint32_t size);
void host_tile_write(struct host *host, uint32_t x, uint32_t y, uint64_t address, const void *bytes, uint32_t size);

/* Advances all chips of the system: `host` is any of them. */
void host_clock(struct host *host, uint32_t clocks);
/* Advances the chip's clock to the host's, before the chip is accessed by other means. */
void host_settle(struct host *host);

/* Accesses of the chip's NoC to the PCIe tile: [63:58] window, [57:0] address. False: no such window, or no memory installed. */
bool host_memory_read(struct host *host, uint64_t address, void *bytes, uint32_t size);
bool host_memory_write(struct host *host, uint64_t address, const void *bytes, uint32_t size);

/* For the files of this folder. */
void host_lost(struct host *host, const char *format, ...) __attribute__((format(printf, 2, 3)));
void host_window_read(struct host *host, const struct host_target *target, uint64_t address, void *bytes, uint32_t size);
void host_window_write(struct host *host, const struct host_target *target, uint64_t address, const void *bytes,
                       uint32_t size);

#endif
