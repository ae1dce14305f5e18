/* A lap is a stretch of a tile's run between two states that are the same except for times, which are all larger by the same number of
 * cycles, for counts, and for data. A program in a steady loop repeats its laps. Here are the comparison of two states and the skip of whole
 * laps.
 *
 * The native part of the state belongs to the bodies of Tensix instructions and their effects: they are executed in every lap and keep it
 * right themselves, with real times. It is compared only. The frozen part belongs to the front ends, gates, cores and the engine's agents,
 * which are not simulated while laps are replayed: tx_lap_skip moves it forward.
 *
 * Every word of the state before L1 has a kind (same_parts.c). Two states are the same if
 *   - every exact word is equal;
 *   - every time has grown by the period, or is equal and was long past in the first state, or 0, or SIM_NEVER: an equal time that was then
 *     in the future or recent is an absolute time;
 *   - rings are equal from their next entry on, as far as they are in use: they may have rotated;
 *   - the pending effects, and the other lists whose entries move, are equal in their order.
 * Counts that only reports read may have grown by anything. The data of L1, of the register files and of the cores' registers and local RAM is
 * not compared: the caller knows that the run does not depend on it. A time that did not change in a lap is before all that
 * changed, and stays so: the next lap does the same.
 * Cores that are simulated beside the laps (lap/apart.h) are neither compared nor moved, nor is what belongs to them alone.
 *
 * Not the same are states in which SFPLOADMACRO has scheduled instructions, the packer compresses, performance is counted, or a fault was
 * recorded. */
#ifndef TESSERA_TENSIX_LAP_SAME_H
#define TESSERA_TENSIX_LAP_SAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensix/state.h"

#define TX_LAP_MOVES 4096u
#define TX_LAP_BANDS 64u
#define TX_LAP_STATE (offsetof(struct tx_tile, l1))

/* A word of the frozen part that grows from lap to lap, by its offset in the tile. */
struct tx_lap_move {
  uint32_t offset, bytes; /* 4 or 8 */
  uint64_t by;
};

/* A word of the frozen part that is equal to another one, in the same core. */
struct tx_lap_copy {
  uint32_t offset, of; /* in the tile */
};

/* How far a ring rotates in a lap, and which of its times grow by the period: a bit per entry, from the next one on. */
struct tx_lap_turn {
  uint32_t by, moved;
};

/* A noted state, and how the state moves in a lap. Large: allocated once; tx_lap_note writes all that is read. */
struct tx_lap_same {
  sim_time at, period;
  uint32_t move_count, copy_count;
  sim_time last_access[TX_CORES];
  uint32_t apart; /* bit per core that is not compared and does not move (lap/apart.h) */
  struct tx_lap_turn turn[TX_LAP_BANDS];
  struct tx_lap_move move[TX_LAP_MOVES];
  struct tx_lap_copy copy[TX_CORES * TX_CORE_NOWHERE];
  uint64_t state[TX_LAP_STATE / sizeof(uint64_t)]; /* the tile up to L1: offsets are the same in both */
};

void tx_lap_note(struct tx_lap_same *s, const struct tx_tile *t, uint32_t apart);
/* Is the tile in the noted state again, engine.now - s->at cycles later? Notes how the frozen part has moved. *where, if not NULL: a field that
 * differs, or NULL if the states are the same. */
bool tx_lap_is_same(struct tx_lap_same *s, const struct tx_tile *t, const char **where);
/* The same for a tile that has left its laps and comes back: the noted moves stay those of the lap. */
bool tx_lap_is_back(struct tx_lap_same *s, const struct tx_tile *t, const char **where);
/* After a tx_lap_is_same that was true: the frozen part moves forward by n laps. The caller sets engine.now, the registers of the cores and their local RAM before. */
void tx_lap_skip(const struct tx_lap_same *s, struct tx_tile *t, uint64_t n);

/* --- the parts of the state (same_parts.c) --- */

enum tx_lap_kind {
  TX_LAP_EXACT,
  TX_LAP_TIME,         /* frozen */
  TX_LAP_TIME_ON,      /* the same with timing on; with timing off it is not kept */
  TX_LAP_COUNT,        /* frozen; 64 bits */
  TX_LAP_WORD,         /* the same with 32 bits; also a copy of data */
  TX_LAP_NATIVE_TIME,  /* compared, not moved */
  TX_LAP_PORT_TIME,    /* the same; with cores apart two times that have long passed are the same */
  TX_LAP_NATIVE_COUNT, /* not moved; 64 bits */
  TX_LAP_NATIVE_WORD,  /* not moved; 32 bits */
  TX_LAP_DATA          /* not compared, or elsewhere */
};

/* From `offset` up to the offset of the next part; the last one of a table has the size of the struct. */
struct tx_lap_part {
  size_t offset;
  enum tx_lap_kind kind;
  const char *name;
};

/* Whose the structs of a section are: no core's; the agent's or the core's of the same number; those of one core. */
enum tx_lap_owner { TX_LAP_OF_NONE, TX_LAP_OF_AGENTS, TX_LAP_OF_CORES, TX_LAP_OF_CORE };

/* `count` equal structs, one after the other in the tile. */
struct tx_lap_section {
  size_t offset, size;
  uint32_t count;
  uint32_t of; /* enum tx_lap_owner */
  const struct tx_lap_part *parts;
};
extern const struct tx_lap_section tx_lap_sections[];
extern const size_t tx_lap_section_count;

/* Parts of entries of lists: from an entry's start. */
extern const struct tx_lap_part tx_lap_of_job[], tx_lap_of_batch[], tx_lap_of_stream[];

/* Entries of a ring, whose next entry is `head`. Rings with one head follow each other in the order of their numbers. */
struct tx_lap_band {
  size_t head, base; /* offsets in the tile */
  uint32_t places, size;
  enum tx_lap_kind kind; /* of an entry */
  bool frozen;
  uint32_t core; /* 1 + the core whose ring it is; 0: no core's */
  bool on;       /* kept with timing on only */
  bool fifo;     /* of the entries only as many are in use as the word after the head says */
  size_t
      pushed_at; /* words of FIFO 1, whose mark TX_WORD_QUEUED is not read after this time of their slot; 0: other entries */
  const char *name;
};
/* false: there is no band of this number. */
bool tx_lap_band(unsigned number, struct tx_lap_band *band);

#endif
