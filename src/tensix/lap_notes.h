/* Takes notes about a lap (state/lap.h) while the tile runs through it. The callers test tx_lap_noting first: it is false in every other cycle. */
#ifndef TESSERA_TENSIX_LAP_NOTES_H
#define TESSERA_TENSIX_LAP_NOTES_H

#include "tensix/machine.h"

static inline bool tx_lap_noting(const struct tx_tile *t) { return __builtin_expect(t->unsaved.lap != NULL, 0); }

/* A core begins a turn: that may be the anchor of laps (enum tx_anchor), and the engine pauses after this cycle. */
void tx_lap_look_at_anchor(struct tx_tile *t, unsigned core) __attribute__((cold));
static inline void tx_lap_begin_turn(struct tx_tile *t, unsigned core) {
  if (__builtin_expect(t->unsaved.cores.anchor_on == TX_ANCHOR_TURN, 0)) tx_lap_look_at_anchor(t, core);
}

/* It cannot be repeated, for this reason. */
void tx_lap_refuse(struct tx_tile *t, const char *why) __attribute__((cold));
/* A word of the thread passes the wait gate in cycle `at`. */
void tx_lap_note_word(struct tx_tile *t, unsigned thread, const struct tx_word *w, sim_time at) __attribute__((cold));
/* A core is about to do what others can observe. false: it is simulated alone (lap/apart.h) and may not, and the run ends. */
bool tx_lap_may_act(struct tx_tile *t, unsigned core) __attribute__((cold));
/* The same before a load of a register. */
bool tx_lap_may_load(struct tx_tile *t, unsigned core, uint32_t address) __attribute__((cold));
/* A core's store was accepted: it is noted by tx_lap_note_sent, or front ends alone observe it. */
void tx_lap_note_store(struct tx_tile *t, uint32_t address) __attribute__((cold));
/* A core's store is on its way to a register of this region. */
void tx_lap_note_sent(struct tx_tile *t, unsigned core, enum tx_bus_region region, uint32_t address, uint32_t value,
                      uint32_t bytes) __attribute__((cold));
/* The bus answered a core's load of a register. */
void tx_lap_note_load(struct tx_tile *t, unsigned core, uint32_t pc, uint32_t address, unsigned bytes,
                      const struct tx_bus_answer *answer) __attribute__((cold));
/* A core was granted its port of L1 in cycle `at`, for this many cycles. */
void tx_lap_note_grant(struct tx_tile *t, unsigned core, uint32_t address, uint32_t cycles, bool load, sim_time at)
    __attribute__((cold));
/* A unit requests a port or a bank of L1, or a parked core polls there and is delayed. false: by a core apart, whose run ends with that and does not count. */
bool tx_lap_note_request(struct tx_tile *t) __attribute__((cold));
/* A core's store to L1 was granted its port: it arrives by this effect. */
void tx_lap_note_line(struct tx_tile *t, unsigned core, const struct sim_effect *e) __attribute__((cold));
/* A load of a core, not from local RAM, has its value. */
void tx_lap_note_value(struct tx_tile *t, unsigned core, uint32_t pc, uint32_t address, unsigned bytes, uint32_t value)
    __attribute__((cold));

#endif
