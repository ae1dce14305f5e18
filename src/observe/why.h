/* The bottleneck of a run: the critical path from the end of the run back, the agent with most of it, and the part of its program. Computed
 * from accounts and profiles; the tiles must not be running. */
#ifndef TESSERA_OBSERVE_WHY_H
#define TESSERA_OBSERVE_WHY_H

#include "observe/why_part.h"
#include "sim/text.h"

/* The change of the machine that confirms a verdict, as an argument of tessera_tile_set_what_if; "": none. */
struct obs_what_if {
  char text[320];
};

#define OBS_WHY_CAUSES 2u
struct obs_why {
  struct obs_why_tile *tiles;
  struct obs_path_tile *paths; /* as many */
  unsigned count;
  unsigned last; /* the tile that ended last */
  /* of obs_why_find: */
  unsigned main;  /* the tile with most of the path */
  unsigned agent; /* of it */
  /* The causes that may apply, the most specific one first. If there are two, reruns decide (obs_why_better). */
  struct obs_what_if causes[OBS_WHY_CAUSES];
  unsigned cause_count, chosen;
};

/* Finds the path and sets `main`; obs_why_causes, with the lines of that tile, finds the causes. */
void obs_why_find(struct obs_why *why);
void obs_why_causes(struct obs_why *why);
/* Do reruns of these lengths confirm the first cause, and not the second? */
bool obs_why_first(uint64_t cycles, uint64_t first, uint64_t second);
/* The verdict of the chosen cause in one sentence with its line, the change to make, the path, and the chain of waits. */
void obs_why_text(const struct obs_why *why, struct sim_text *out);

#endif
