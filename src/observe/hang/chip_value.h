/* A hang of the chip as a value: the waits of all tiles (hang/hang_value.h), and the links between them over the NoC.
 *
 * A wait that no agent of its own tile can end is for another tile. It is for a tile whose code writes this word after its own wait
 * (sends.h). If there is none, that tile follows from the past: it wrote the word before; it received the tile's last broadcast and
 * has not answered as others did; the request to it was never answered. Without such a past, only tiles whose kernels have not ended
 * can act. If the destination of a write is not known, only a single tile that has such a write gives a link, and a wait that no
 * tile can end is the cause before it. */
#ifndef TESSERA_OBSERVE_HANG_CHIP_VALUE_H
#define TESSERA_OBSERVE_HANG_CHIP_VALUE_H

#include "chip/chip.h"
#include "debug/program.h"
#include "observe/hang/hang_value.h"

#define OBS_CHIP_WAITERS_MAX \
  (CHIP_TILES * (TX_THREADS + TX_CORES + 1u)) /* threads, cores and the scalar unit of each tile */
#define OBS_CHIP_CHAIN_MAX 16u

struct obs_chip_waiter {
  uint32_t tile;
  struct obs_waiter wait; /* its waits_for is an index into the waiters of the chip */
  uint32_t other;         /* the tile that has to act; CHIP_NO_TILE: its own, or not known */
  bool open;              /* another tile can perhaps act, but it is not known which */
  bool perhaps;           /* the other side acts perhaps: no part of a closed chain */
  char why[384];          /* the evidence: a clause after "waits for ...: " */
};

/* A core that does not wait, of a tile that ran. */
struct obs_chip_party {
  uint32_t tile;
  struct obs_party party;
};

struct obs_chip_hang {
  uint64_t cycle; /* start of the last wait */
  uint32_t tiles; /* that wait */
  uint32_t ran;   /* tiles with a core that was started */
  uint32_t waiter_count;
  uint32_t chain[OBS_CHIP_CHAIN_MAX], chain_count; /* waiters: the cause first; closed: each waits for the next */
  bool deadlock;
  uint8_t returned[CHIP_TILES]; /* cores whose kernel has returned, bit per core */
  char cause[1024];
  struct obs_chip_waiter waiters[OBS_CHIP_WAITERS_MAX];
  uint32_t party_count;
  struct obs_chip_party parties[CHIP_TILES * TX_CORES];
};

/* The programs of a tile; NULL: not known. */
typedef const struct dbg_program *obs_program_fn(void *context, unsigned tile);

#endif
