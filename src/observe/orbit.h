/* Does a core go round forever? A core's instructions are followed one by one, from an anchor (a pc with its registers and local
 * RAM) on. Coming back to the anchor in the same state, without having stored anything outside, it will do so again and again: the
 * orbit is closed, and only a write from outside to a word that it polls can end it.
 *
 * Time is different in every round. What is read from a clock or a counter is marked, and so is everything that is computed from it.
 * Marked values need not be the same in the next round, and two values read in one round may be compared with each other: that is a
 * pause between two polls, which takes as long in every round. A comparison of time with anything older (a deadline, a constant)
 * will end differently at some time: the orbit is open, and the search takes a new anchor after it. */
#ifndef TESSERA_OBSERVE_ORBIT_H
#define TESSERA_OBSERVE_ORBIT_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/log.h"
#include "tensix/riscv/core.h"

enum obs_orbit_state { OBS_ORBIT_OPEN, OBS_ORBIT_CLOSED, OBS_ORBIT_LOST /* it computes, or is not understood */ };

struct obs_orbit {
  enum obs_orbit_state state;
  bool anchored;
  bool at_load;     /* the next anchor is a load from outside: a place to poll */
  bool computes;    /* it came back in ever new states: without such a load it is lost soon */
  unsigned idle;    /* instructions since then */
  unsigned changes; /* how often it came back in ever new states */
  uint32_t pc, registers[TX_CORE_REGISTERS];
  uint8_t local[TX_LOCAL_BYTES];
  uint32_t marks[TX_CORE_REGISTERS], local_marks[TX_LOCAL_BYTES / 4]; /* as they were at the anchor */
  uint32_t since;                                                     /* clock reads before the anchor */
  unsigned returns;                                                   /* to the anchor in another state */
  unsigned anchors;
  uint32_t now[TX_CORE_REGISTERS];                                  /* registers in front of the next instruction */
  uint32_t reads;                                                   /* clock reads so far: the mark of a value */
  uint32_t mark[TX_CORE_REGISTERS], local_mark[TX_LOCAL_BYTES / 4]; /* oldest clock read in a value; 0: none */
  uint32_t low_pc;                                                  /* of this round */
  bool polls;                                                       /* in this round: ... */
  uint32_t address;                                                 /* ... the first word loaded from outside */
  uint32_t local_address; /* the lowest word of local RAM that is loaded in this round (the stack is at its top); 0: none */
};

/* Of a saved state: no value that its type does not have. */
bool obs_orbit_valid(const struct obs_orbit *o);
void obs_orbit_begin(struct obs_orbit *o, const struct tx_core *c);
/* An instruction of the core, as logged right after it (TX_EVENT_CORE). */
void obs_orbit_step(struct obs_orbit *o, const struct tx_core *c, const struct sim_event *e);

#endif
