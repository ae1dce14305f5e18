/* The NoC packets that a waiting core can still send, found by following its code in L1 from the present state of the core:
 * registers, local RAM and the initiators' registers are known until an instruction makes them unknown. The code is executed
 * path by path (future.h), so that each round of a loop has its own destination. Where that does not come to an end, paths are
 * joined: a value is known behind a join if both have the same. */
#ifndef TESSERA_OBSERVE_HANG_SENDS_H
#define TESSERA_OBSERVE_HANG_SENDS_H

#include "debug/program.h"
#include "observe/hang/packets.h"
#include "tensix/tile/tile.h"

#define OBS_PACKETS_MAX 256u

struct obs_sends_list {
  bool searched;
  bool open;                  /* it can perhaps send more packets */
  const struct tx_tile *from; /* of the core */
  uint32_t count;
  struct obs_packet packets[OBS_PACKETS_MAX];
};

/* The packets that `core` of `t` can send after its present wait. `program` (or NULL) locates the end of its kernel. */
void obs_sends_find(const struct tx_tile *t, const struct dbg_program *program, unsigned core, struct obs_sends_list *list);
/* Can one of them write the word of `tile` so that the wait for it ends? `*pc`: the instruction that surely sends it. */
enum obs_sends obs_sends_to(const struct obs_sends_list *list, unsigned tile, const struct obs_resource *word, uint32_t *pc);

#endif
