/* The lines and parts of a program that the verdict of why.h names. */
#ifndef TESSERA_OBSERVE_WHY_PART_H
#define TESSERA_OBSERVE_WHY_PART_H

#include "debug/extent.h"
#include "debug/program.h"
#include "observe/profile.h"

struct obs_why_tile {
  const struct obs_profile *p;
  const struct dbg_program *program;
  const struct dbg_index *index; /* TX_CORES of them; elf NULL: no lines. NULL: the file is searched */
  unsigned x, y;                 /* its place, for texts */
};

/* A line outside the library, and its cycles. */
struct why_line {
  const char *file, *function, *call; /* call: the function inlined there that has most of them; NULL: none */
  uint32_t line, pc;                  /* pc: that of most cycles */
  uint64_t cycles, top;               /* top: of the instruction at `pc` */
};

/* A register of a NIU. */
static inline bool obs_why_polls_noc(uint32_t address) {
  return address >= TX_ADDR_NOC && address < TX_ADDR_NOC + TX_NOC_WINDOWS_BYTES;
}

#define WHY_ALL (OBS_CATEGORIES + 1u)
/* The line with the most cycles of the agent: in one category, in all (WHY_ALL), or (OBS_CATEGORIES) in those in which it does not
 * wait for another agent. */
bool obs_why_hottest(const struct obs_why_tile *tile, unsigned agent, unsigned category, struct why_line *best);
/* The line with the most cycles in a function whose name contains `call`, such as a wait of the library. */
bool obs_why_hottest_call(const struct obs_why_tile *tile, unsigned agent, const char *call, struct why_line *best);
/* The agent's cycles, without its waits, in calls that count pages of circular buffers, and the line with most of them. */
uint64_t obs_why_hand_overs(const struct obs_why_tile *tile, unsigned agent, struct why_line *most);
/* The line at which the agent polls this address for most cycles. */
bool obs_why_polls(const struct obs_why_tile *tile, unsigned agent, uint32_t address, struct why_line *best);
/* The innermost loop around the line, if it does not count pages of circular buffers: the lines of its function in the same file. */
bool obs_why_loop(const struct obs_why_tile *tile, unsigned agent, const struct why_line *line, struct dbg_extent *loop);
/* The line of an instruction; false: it belongs to the library alone. */
bool obs_why_line_at(const struct obs_why_tile *tile, unsigned agent, uint32_t pc, struct why_line *out);
/* The agent's cycles there: its work, and waits for its requests. */
uint64_t obs_why_line_cycles(const struct obs_why_tile *tile, unsigned agent, const struct why_line *line);
bool obs_why_is_line(const struct obs_why_tile *tile, unsigned agent, uint32_t pc, const struct why_line *line);

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
