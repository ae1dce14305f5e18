/* Loads and stores of the vector unit. */
#ifndef TESSERA_TENSIX_VECTOR_LOADSTORE_H
#define TESSERA_TENSIX_VECTOR_LOADSTORE_H

#include "tensix/state/dst.h"
#include "tensix/unit/vector/exec.h"

tx_vector_fn tx_run_load, tx_run_loadi, tx_run_store;
/* Dst address of a load or store, with its side effect on the stack pointer; steps RWCs if requested. */
uint16_t tx_vector_load(struct tx_vexec *x);

/* SFPLOAD and SFPSTORE of whole rows in the frequent formats, without lane configuration and stack: the operation of the lanes; the rest of the
 * instruction has taken place, counters included. false: no change. `enabled`: the lanes that are stored. */
bool tx_vector_load_step(struct tx_tile *t, unsigned thread, const struct tx_vector_word *w, struct tx_lane_step *step);
bool tx_vector_store_step(struct tx_tile *t, unsigned thread, const struct tx_vector_word *w, uint32_t enabled,
                          struct tx_lane_step *step);

/* What SFPLOADI does to a lane: lane = (lane & keep) | put. ISA: SFPLOADI.md */
struct tx_loadi {
  uint32_t keep, put;
};
/* false: its modifier is undefined. */
static inline bool tx_loadi_value(const struct tx_vop *op, struct tx_loadi *value) {
  const uint32_t imm = op->imm;
  value->keep = op->mod == 8 ? 0xffffu : op->mod == 10 ? 0xffff0000u : 0;
  switch (op->mod) {
    case 0:
    case 8: value->put = imm << 16; return true;
    case 1: value->put = (imm & 0x8000u) << 16 | ((imm & 0x7fffu) + (112u << 10)) << 13; return true;
    case 2:
    case 10: value->put = imm; return true;
    case 4: value->put = (imm ^ 0x8000u) - 0x8000u; return true;
    default: return false;
  }
}

#endif
