/* The lines of a program that the verdict of why.h names, with their cycles. */
#ifndef TESSERA_OBSERVE_WHY_LINE_H
#define TESSERA_OBSERVE_WHY_LINE_H

#include "debug/frames.h"
#include "debug/program.h"
#include "observe/account/profile.h"

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
/* The line of an instruction; false: it belongs to the library alone. */
bool obs_why_line_at(const struct obs_why_tile *tile, unsigned agent, uint32_t pc, struct why_line *out);
/* The agent's cycles there: its work, and waits for its requests. */
uint64_t obs_why_line_cycles(const struct obs_why_tile *tile, unsigned agent, const struct why_line *line);
bool obs_why_is_line(const struct obs_why_tile *tile, unsigned agent, uint32_t pc, const struct why_line *line);

/* --- for the parts of a program (why/part.h) --- */

unsigned obs_why_core(unsigned agent); /* that the agent is, or whose thread */
/* The frames of an instruction up to kernel_main, at most DBG_FRAMES_MAX; returns their number. */
unsigned obs_why_frames(const struct obs_why_tile *tile, unsigned agent, uint32_t pc, struct dbg_frame *frames);
/* The user's innermost frame of a chain; NULL: all belong to the library. */
const struct dbg_frame *obs_why_user_frame(const struct dbg_frame *frames, unsigned count, unsigned *at);
bool obs_why_same_line(const struct dbg_frame *f, const char *file, uint32_t line);
bool obs_why_waits_for_others(const struct obs_profile_row *r);
bool obs_why_counts(const struct obs_profile_row *r, unsigned agent,
                    unsigned category); /* category: as in obs_why_hottest */
#define WHY_LINES_MAX 1024u
#define WHY_ANY_OBJECT UINT32_MAX
/* All lines with cycles of the agent; returns their number. */
unsigned obs_why_collect(const struct obs_why_tile *tile, unsigned agent, unsigned category, uint32_t object,
                         struct why_line lines[WHY_LINES_MAX]);
/* Names the function inlined at the line that has most of its cycles, if one has as many as the line's own instructions. */
void obs_why_find_call(const struct obs_why_tile *tile, unsigned agent, unsigned category, uint32_t object,
                       struct why_line *line);
struct why_line *obs_why_new_lines(void); /* room for obs_why_collect; NULL: none */

#endif
