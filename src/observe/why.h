/* The bottleneck of a run: the critical path from the end of the run back, the agent with most of it, and the part of its program. Computed
 * from accounts and profiles; the tiles must not be running. */
#ifndef TESSERA_OBSERVE_WHY_H
#define TESSERA_OBSERVE_WHY_H

#include "chip/chip.h"
#include "observe/why_part.h"
#include "sim/text.h"

/* The change of the machine that confirms a verdict, as an argument of tessera_tile_set_what_if; "": none. */
struct obs_what_if {
  char text[320];
};

/* The causes that may apply, as numbers of what-ifs. The first two: by the path, the most specific one first; if there are two, reruns
 * decide. The others are for reruns that refute those: the unit itself, the core with most of the path, and those behind it. */
enum { OBS_WHY_FIRST, OBS_WHY_SECOND, OBS_WHY_UNIT, OBS_WHY_CORE, OBS_WHY_NEXT, OBS_WHY_LAST, OBS_WHY_CAUSES };
#define OBS_WHY_NONE OBS_WHY_CAUSES /* reruns have refuted all of them */

struct obs_why {
  struct obs_why_tile *tiles;
  struct obs_path_tile *paths; /* as many */
  unsigned count;
  const struct chip *chip; /* of the tiles; NULL: a tile alone */
  unsigned last;           /* the tile that ended last */
  bool limited;            /* the run reached its limit of cycles: nothing has ended */
  /* of obs_why_find: */
  unsigned main;                             /* the tile with most of the path */
  unsigned agent;                            /* of it */
  struct obs_what_if causes[OBS_WHY_CAUSES]; /* "": no such cause, or no change that confirms it */
  unsigned chosen;
};

/* Finds the path and sets `main`; obs_why_causes, with the lines of that tile, finds the causes. */
void obs_why_find(struct obs_why *why);
void obs_why_causes(struct obs_why *why);
/* The cause that reruns of these lengths confirm, by its number; OBS_WHY_NONE: they refute all. 0: no rerun, or one that failed. */
bool obs_why_confirms(uint64_t cycles, uint64_t rerun);
unsigned obs_why_decide(uint64_t cycles, const uint64_t reruns[OBS_WHY_CAUSES]);
/* The verdict of the chosen cause in one sentence with its line, the change to make, the path, and the chain of waits. */
void obs_why_text(const struct obs_why *why, struct sim_text *out);
/* {"verdict":"...","change":"...","what_if":"...","critical_path":[...]} */
void obs_why_json(const struct obs_why *why, struct sim_text *out);

#endif
