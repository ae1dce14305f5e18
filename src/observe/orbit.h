/* Detects a core that loops forever. The core's instructions are traced from an anchor (a pc with its registers and local RAM) on. If
 * the core returns to the anchor in the same state without a store outside its local RAM, it repeats this forever: the orbit is
 * closed, and only a write by another agent to a polled word can end it. So is that of a core that stores to L1 (a heartbeat), if two
 * rounds in succession store the same values to the same words.
 *
 * Time differs in every round. A value read from a clock or a counter is marked, and so is every value computed from it. Marked values
 * may differ in the next round, and two values read in one round may be compared with each other: that is a pause between two polls,
 * which takes the same time in every round. A comparison of a time with an older value (a deadline, a constant) will have another
 * result at some time: the orbit is open, and the search takes a new anchor after it. */
#ifndef TESSERA_OBSERVE_ORBIT_H
#define TESSERA_OBSERVE_ORBIT_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/log.h"
#include "tensix/riscv/core.h"

enum obs_orbit_state { OBS_ORBIT_OPEN, OBS_ORBIT_CLOSED, OBS_ORBIT_LOST /* it computes, or the trace cannot follow it */ };

#define OBS_ORBIT_WORDS 16u /* different words of L1 that a round may store to, and load */
#define OBS_ORBIT_LOADS 64u /* loads from outside whose values are compared with those of the round before */

struct obs_orbit {
  enum obs_orbit_state state;
  bool anchored;
  bool at_load;  /* the next anchor is a load from outside: a possible poll */
  bool computes; /* it returned in new states: without such a load the search ends early */
  bool changed;  /* a load had another value than in the round before */
  bool
      confirmed; /* closed, and since the last orbit of the tile was closed back at the anchor, after a round in which all was as before; no load had another value since */
  unsigned idle; /* instructions since then */
  uint32_t idle_max;
  unsigned changes; /* number of returns in a new state */
  uint32_t pc, registers[TX_CORE_REGISTERS];
  uint8_t local[TX_LOCAL_BYTES];
  uint32_t marks[TX_CORE_REGISTERS], local_marks[TX_LOCAL_BYTES / 4]; /* at the anchor */
  uint32_t since;                                                     /* clock reads before the anchor */
  unsigned returns;                                                   /* number of returns to the anchor in another state */
  unsigned anchors;
  uint32_t now[TX_CORE_REGISTERS];                                  /* registers before the next instruction */
  uint32_t reads;                                                   /* number of clock reads so far: the mark of a value */
  uint32_t mark[TX_CORE_REGISTERS], local_mark[TX_LOCAL_BYTES / 4]; /* oldest clock read in a value; 0: none */
  uint32_t low_pc;                                                  /* of this round */
  bool polls;                                                       /* in this round: ... */
  uint32_t address;                                                 /* ... the first word loaded from outside */
  uint32_t local_address; /* the lowest word of local RAM loaded in this round (the stack is at its top); 0: none */
  uint32_t stored[OBS_ORBIT_WORDS],
      values[OBS_ORBIT_WORDS];         /* the words of L1 stored to since the anchor, with each value */
  uint32_t loaded[OBS_ORBIT_WORDS];    /* those loaded */
  uint32_t stored_count, loaded_count; /* more than OBS_ORBIT_WORDS: there was no room for all */
  uint32_t load_pc[OBS_ORBIT_LOADS], load_address[OBS_ORBIT_LOADS], load_value[OBS_ORBIT_LOADS]; /* since the anchor */
  uint32_t load_count;
  uint64_t stores, stores_before; /* hash of the stores of this round, and of the round before; 0: none */
};

/* For a saved state: are all values in the range of their types? */
bool obs_orbit_valid(const struct obs_orbit *o);
/* A core that returns to its anchor in new states computes, if it then executes `idle_max` instructions without a load from outside. */
void obs_orbit_begin(struct obs_orbit *o, const struct tx_core *c, uint32_t idle_max);
/* An instruction of the core, called directly after it was logged (TX_EVENT_CORE). */
void obs_orbit_step(struct obs_orbit *o, const struct tx_core *c, const struct sim_event *e);

/* An atomic of the core at `pc` has found `old` in this word and left `value`. */
void obs_orbit_atomic(struct obs_orbit *o, uint32_t pc, uint32_t address, uint32_t old, uint32_t value);

#endif
