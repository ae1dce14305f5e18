/* The tiles, the critical path and the causes of a verdict (why.h). */
#ifndef TESSERA_OBSERVE_WHY_VALUE_H
#define TESSERA_OBSERVE_WHY_VALUE_H

#include "chip/chip.h"
#include "observe/why/part.h"

/* The change of the machine that confirms a verdict, as an argument of tessera_tile_set_what_if; "": none. */
struct obs_what_if {
  char text[320];
};

/* The causes that may apply, as numbers of what-ifs. The first two: by the path, the most specific one first; if there are two, reruns
 * decide. The others are for reruns that refute those: the unit itself, the core with most of the path, and those behind it. */
enum { OBS_WHY_FIRST, OBS_WHY_SECOND, OBS_WHY_UNIT, OBS_WHY_CORE, OBS_WHY_NEXT, OBS_WHY_LAST, OBS_WHY_CAUSES };
#define OBS_WHY_NONE OBS_WHY_CAUSES /* reruns have refuted all of them */

/* The end of a what-if that moves a wait, and so the order of what the program does. */
#define OBS_WHY_MOVED_WAIT " behind its loop"

struct obs_why {
  struct obs_why_tile *tiles;
  struct obs_path_tile *paths; /* as many */
  unsigned count;
  const struct obs_why_tile *others; /* of the chip, which the verdict on one tile may name; NULL: none but `tiles` */
  unsigned other_count;
  const struct chip *chip; /* of the tiles; NULL: a tile alone */
  unsigned last;           /* the tile that ended last */
  bool limited;            /* the run reached its limit of cycles: nothing has ended */
  bool interrupted;        /* or a signal ended it before */
  bool keeps_waits;        /* a rerun with a wait behind its loop had a race: no advice moves one */
  /* of obs_why_find: */
  unsigned main;                             /* the tile with most of the path */
  unsigned agent;                            /* of it */
  struct obs_what_if causes[OBS_WHY_CAUSES]; /* "": no such cause, or no change that confirms it */
  unsigned chosen;
};

#endif
