/* Detects a core that loops forever. The core's instructions are traced from an anchor (a pc with its registers and local RAM) on. If
 * the core returns to the anchor in the same state without a store outside its local RAM, it repeats this forever: the orbit is
 * closed, and only a write by another agent to a polled word can end it. So is that of a core that stores to L1 (a heartbeat), if two
 * rounds in succession store the same values to the same words.
 *
 * A counter of its rounds does not change what the core does, as long as no branch, address or store to a word that others use depends on it: what differs
 * at the anchor is taken for such a counter first.
 *
 * Time differs in every round. A value read from a clock or a counter is marked, and so is every value computed from it. Marked values
 * may differ in the next round, and two values read in one round may be compared with each other: that is a pause between two polls,
 * which takes the same time in every round. A comparison of a time with an older value (a deadline, a constant) will have another
 * result at some time: the orbit is open, and the search takes a new anchor after it. */
#ifndef TESSERA_OBSERVE_HANG_ORBIT_H
#define TESSERA_OBSERVE_HANG_ORBIT_H

#include <stdbool.h>
#include <stdint.h>

#include "observe/hang/word_set.h"
#include "sim/log.h"
#include "tensix/tile/tile.h"

enum obs_orbit_state { OBS_ORBIT_OPEN, OBS_ORBIT_CLOSED, OBS_ORBIT_LOST /* it computes, or the trace cannot follow it */ };

#define OBS_PLACES 8u /* registers and words of local RAM that are taken for counters at once */
#define OBS_FAILED 8u /* sets of them that are kept */
#define OBS_READS 32u /* reads of clocks whose places are kept */

/* Registers, and behind them words of local RAM, that were taken for counters at an anchor. */
struct obs_places {
  uint32_t pc;
  uint16_t count, tried;
  uint16_t at[OBS_PLACES];
};

struct obs_orbit {
  enum obs_orbit_state state;
  bool anchored;
  bool at_load;   /* the next anchor is a load from outside: a possible poll */
  bool computes;  /* it returned in new states: without such a load the search ends early */
  bool whole;     /* this round has begun after what may end it had been stored */
  bool old_words; /* it has loaded words from L0 that L1 no longer contains, until a flush */
  bool measures;  /* it has subtracted a time from before a load from outside */
  bool counts;    /* something is taken for a counter of rounds */
  bool torn;      /* in this round it no longer was: the hash of its stores has other values than that of the next */
  bool asks;      /* since the anchor it has loaded from a register */
  bool stamped;   /* since the anchor it has stored a time to L1 */
  bool peeks;     /* since the anchor it has loaded from local RAMs by the slow path */
  bool hides;     /* closed, and what its local RAM contains varies from round to round */
  bool confirmed; /* closed by such a round, or after one that loaded the same as the one before it */
  unsigned idle;  /* instructions since then */
  uint32_t idle_max;
  uint32_t span;                 /* returns to this anchor in other states before there is another one */
  uint32_t changes, returns_max; /* number of returns in another state, to all anchors; after so many it computes */
  uint32_t steps, round;         /* instructions since the anchor, and in the last round */
  uint32_t pc, registers[TX_CORE_REGISTERS];
  uint8_t local[TX_LOCAL_BYTES];
  uint32_t csr[32], l0_hits;
  uint32_t begin_pc, older_pc; /* the next anchor, 0: any; where the time was read that the last relation went back to */
  uint32_t read_pc[OBS_READS];
  uint32_t last_load;                                                 /* clock reads before the last load from outside */
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
  uint32_t local_address;   /* the lowest word of local RAM loaded in this round (the stack is at its top); 0: none */
  uint32_t tries, failures; /* times that differences were taken for counters, and that this was wrong */
  struct obs_places counting, failed[OBS_FAILED];
  struct obs_words counted;        /* words of L1 that contain counters */
  struct obs_words stored, loaded; /* words of L1, since the anchor */
  uint32_t writes;                 /* number of stores */
  uint64_t stores, stores_before;  /* hash of the stores of this round, and of the round before; 0: none */
  uint64_t loads, loads_before;    /* and of the loads from outside, with their values */
};

/* For a saved state: are all values in the range of their types? */
bool obs_orbit_valid(const struct obs_orbit *o);
/* A core that returns to its anchors in new states computes, if it does so `returns_max` times, or then executes `idle_max` instructions without a load
 * from outside. */
void obs_orbit_begin(struct obs_orbit *o, const struct tx_core *c, uint32_t idle_max, uint32_t returns_max);
/* An instruction of the core, called directly after it was logged (TX_EVENT_CORE). `settled`: all stores of cores whose orbits were open have arrived. */
void obs_orbit_step(struct obs_orbit *o, const struct tx_tile *t, unsigned core, const struct sim_event *e, bool settled);

/* An atomic of the core at `pc` has found `old` in this word and left `value`. */
void obs_orbit_atomic(struct obs_orbit *o, uint32_t pc, uint32_t address, uint32_t old, uint32_t value);

#endif
