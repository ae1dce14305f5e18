/* The tile: reset, run, copy and hash. Code that uses the tile as a whole includes this header for the functions of all its blocks; the
 * blocks themselves include state.h, machine.h and the layers below them. */
#ifndef TESSERA_TENSIX_TILE_H
#define TESSERA_TENSIX_TILE_H

#include <stdbool.h>
#include <stdint.h>

#include "tensix/body.h"
#include "tensix/frontend/autosync.h"
#include "tensix/frontend/autosync_access.h"
#include "tensix/frontend/dispatch.h"
#include "tensix/frontend/frontend.h"
#include "tensix/frontend/gate.h"
#include "tensix/frontend/mop.h"
#include "tensix/machine.h"
#include "tensix/mem/inflight.h"
#include "tensix/mem/l1.h"
#include "tensix/regs/adc.h"
#include "tensix/regs/context.h"
#include "tensix/regs/dst.h"
#include "tensix/regs/gpr.h"
#include "tensix/regs/rwc.h"
#include "tensix/regs/src.h"
#include "tensix/regs/streams.h"
#include "tensix/riscv/core.h"
#include "tensix/riscv/decode.h"
#include "tensix/riscv/polls.h"
#include "tensix/riscv/run.h"
#include "tensix/riscv/spin.h"
#include "tensix/tile/bus.h"
#include "tensix/tile/control.h"
#include "tensix/tile/core_debug.h"
#include "tensix/tile/ethernet.h"
#include "tensix/tile/idle.h"
#include "tensix/tile/mailbox.h"
#include "tensix/tile/noc.h"
#include "tensix/tile/pic.h"
#include "tensix/tile/reset_vector.h"
#include "tensix/tile/script.h"
#include "tensix/tile/watch.h"
#include "tensix/unit/conditions.h"
#include "tensix/unit/config.h"
#include "tensix/unit/matrix/matrix.h"
#include "tensix/unit/mover.h"
#include "tensix/unit/pack/metadata.h"
#include "tensix/unit/pack/pack.h"
#include "tensix/unit/scalar.h"
#include "tensix/unit/scalar_memory.h"
#include "tensix/unit/sync.h"
#include "tensix/unit/tdma.h"
#include "tensix/unit/unpack/address.h"
#include "tensix/unit/unpack/datapath.h"
#include "tensix/unit/unpack/unpack.h"
#include "tensix/unit/vector/lanes.h"
#include "tensix/unit/vector/vector.h"

/* Initialises a tile in the caller's memory to the reset state. */
void tx_tile_reset(struct tx_tile *t, bool timing);
/* The same for memory that is already zero: unused pages are not touched. */
void tx_tile_reset_zeroed(struct tx_tile *t, bool timing);
/* Runs up to and including cycle `until`; stops early at a fault, when all work is done, or when no agent can continue. */
enum sim_end tx_tile_run(struct tx_tile *t, sim_time until);
/* Runs some cores (a bit each; with timing off only such as are aside) up to and including cycle `until` as if nothing else acted or were pending, and leaves time and all else as it was. false: they did
 * not come so far, or what they did concerns others; *reached is the cycle in which that was. What they have written themselves remains. */
bool tx_tile_run_alone(struct tx_tile *t, uint32_t cores, sim_time until, sim_time *reached);
/* A tile without an agent that can act (all cores held or stopped): advances its clock to `until`. false: an agent can act,
 * or there is a fault; no change. */
bool tx_tile_rest(struct tx_tile *t, sim_time until);
/* Brings the clock and the front ends of a tile that does not act before `now` + 1 to `now`. */
void tx_tile_catch_up(struct tx_tile *t, sim_time now);
/* For a tile in a chip: all cycles up to and including `until`, even if no agent can continue: a packet may arrive. Cores may run ahead
 * of `until`, up to `ahead`, through instructions that access only their registers and local RAM. */
enum sim_end tx_tile_run_window(struct tx_tile *t, sim_time until, sim_time ahead);
/* Applies an effect that is due now and was removed from the pending ones. */
void tx_tile_apply_effect(struct tx_tile *t, const struct sim_effect *effect);
uint64_t tx_tile_hash(const struct tx_tile *t);                /* over everything before `unsaved` */
void tx_tile_copy_state(struct tx_tile *to, const void *from); /* all but `unsaved`; `from` need not be aligned */
/* Everything before `unsaved` was replaced: what `unsaved` has of it follows. Observers stay attached. */
void tx_tile_copied(struct tx_tile *t);

void tx_tile_use_scalar(struct tx_tile *t); /* plain scalar arithmetic instead of vector code */

#endif
