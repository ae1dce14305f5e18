/* Notes about a lap while the tile runs through it: what agents do in it that other parts of the tile observe, in order. A lap is a stretch of
 * a run between two states that are the same but for times, counts and data (lap/lap.h). Plain data; the functions are in tensix/lap_notes.h. */
#ifndef TESSERA_TENSIX_STATE_LAP_H
#define TESSERA_TENSIX_STATE_LAP_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/time.h"
#include "tensix/state/core.h"

#define TX_LAP_NOTES 524288u
#define TX_LAP_LINES 8192u
#define TX_LAP_LOADS 32768u

enum tx_lap_note_kind {
  TX_NOTE_WORD,  /* a word of a thread has passed the wait gate */
  TX_NOTE_STORE, /* a core's store to a register of the tile was accepted by the bus */
  TX_NOTE_LOAD,  /* a core's load of a register that remembers its readers */
  TX_NOTE_LINE,  /* a core's store to L1 left its store queue */
  TX_NOTE_GRANT, /* a core was granted its port of L1 */
};

struct tx_lap_note {
  uint32_t after; /* cycles since the lap began */
  uint32_t
      word; /* WORD; LINE: its place in `line`; STORE, LOAD: the value; GRANT: cycles after the beginning of the lap, or before it */
  uint32_t pc;
  uint32_t address;    /* WORD of the vector unit: such words of the thread from here on that follow each other */
  uint16_t stretch[2]; /* the same: what is known of them (lap/vectors.h), from an even and from an odd cycle on */
  uint8_t kind;        /* enum tx_lap_note_kind */
  uint8_t by;          /* thread, or core */
  uint8_t bytes;       /* GRANT: cycles for which it occupies the port */
  uint8_t unit;        /* WORD: enum tx_unit; STORE: enum tx_bus_region; GRANT: 1 = a load */
};

/* The bytes of a TX_NOTE_LINE. */
struct tx_lap_line {
  uint32_t data[4];
  uint32_t mask, ahead;
  uint32_t arrives; /* cycles after the beginning of the lap */
  uint32_t pad;
};

/* A load from outside of a core's registers and local RAM. */
struct tx_lap_load {
  uint32_t pc, address;
  uint32_t value; /* of the register */
  uint8_t bytes;
  uint8_t from_l1;
  uint8_t pad[2];
};

struct tx_lap_notes {
  sim_time since;      /* the beginning of the lap */
  const char *refusal; /* why the lap cannot be repeated; NULL: it can */
  uint32_t count, lines;
  uint32_t apart;          /* bit per core that is simulated beside the laps (lap/apart.h): nothing of it is noted */
  uint32_t clocked, acted; /* bit per core that has read the wall clock, or has done what others can observe */
  uint32_t ports;       /* requests at L1's ports and banks by others than the cores apart, and their loads that go first */
  uint32_t apart_ports; /* and by these */
  uint32_t alone;       /* 1: only the cores apart run; what they may not do ends the run */
  const uint64_t *unwritten;  /* alone: the pages of L1 that are not written in the lap */
  uint32_t loads[TX_CORES];   /* entries of `load` in use */
  uint64_t skipped[TX_CORES]; /* instructions of the polls of a parked core, counted as executed */
  struct tx_lap_load load[TX_CORES][TX_LAP_LOADS];
  struct tx_lap_line line[TX_LAP_LINES];
  struct tx_lap_note note[TX_LAP_NOTES + 1]; /* the last is no note */
};

#endif
