/* The NoC packets that a waiting core can still send, found by following its code in L1 from the present state of the core:
 * registers, local RAM and the initiators' registers are known until an instruction makes them unknown. Where two paths
 * join, a value is known if both have the same. */
#ifndef TESSERA_OBSERVE_SENDS_H
#define TESSERA_OBSERVE_SENDS_H

#include "debug/program.h"
#include "tensix/tile/tile.h"

enum obs_sends {
  OBS_SENDS_NONE,     /* no packet that it can send writes the word */
  OBS_SENDS_POSSIBLY, /* the destination of one is not known, or the code could not be followed */
  OBS_SENDS_SURELY,   /* an atomic or an inline write has this word as its destination */
};

#define OBS_PACKETS_MAX 32u

/* A packet that carries no data: an atomic, or a write of a few bytes. */
struct obs_packet {
  uint32_t pc, address, tile;
  bool address_known, tile_known;
  bool small; /* an atomic or an inline write: of one word */
};

struct obs_sends_list {
  bool searched;
  bool open; /* it can perhaps send more packets */
  uint32_t count;
  struct obs_packet packets[OBS_PACKETS_MAX];
};

/* The packets that `core` of `t` can send after its present wait. `program` (or NULL) locates the end of its kernel. */
void obs_sends_find(const struct tx_tile *t, const struct dbg_program *program, unsigned core, struct obs_sends_list *list);
/* Can one of them write the word at `address` of `tile`? `*pc`: the instruction that surely sends it. */
enum obs_sends obs_sends_to(const struct obs_sends_list *list, unsigned tile, uint32_t address, uint32_t *pc);

#endif
