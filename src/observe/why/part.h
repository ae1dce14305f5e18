/* The parts of a program that the verdict of why.h names. */
#ifndef TESSERA_OBSERVE_WHY_PART_H
#define TESSERA_OBSERVE_WHY_PART_H

#include "debug/extent.h"
#include "observe/why/line.h"

/* The innermost loop around the line, if it does not count pages of circular buffers: the lines of its function in the same file. */
bool obs_why_loop(const struct obs_why_tile *tile, unsigned agent, const struct why_line *line, struct dbg_extent *loop);

/* The part of a core's program that has most of its work: a line, the call whose whole work it is, a loop, a function, or, where none of these
 * has much of it, the lines between two waits. */
struct why_part {
  struct dbg_extent extent;
  const char *function, *call; /* as in struct why_line */
  bool loop;
  bool clock; /* most of its cycles are in a loop that reads the clock and does nothing else */
  bool once;  /* no loop and no second call repeats it: it runs once in the kernel */
  uint64_t cycles;
  unsigned category;    /* that of most cycles */
  uint64_t words;       /* that it pushed */
  struct why_line line; /* its hottest one */
};
bool obs_why_part(const struct obs_why_tile *tile, unsigned agent, struct why_part *out);

#endif
