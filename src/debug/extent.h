/* A part of a program as a verdict and a what-if name it: a line ("reader.c:16") with everything inlined there, lines ("reader.c:16-20"), or
 * a function ("scrub") with its inlined copies. Functions that it calls without inlining are found where it calls them. */
#ifndef TESSERA_DEBUG_EXTENT_H
#define TESSERA_DEBUG_EXTENT_H

#include "debug/frames.h"

struct dbg_extent {
  char name[256];       /* of the file without its folder, or of the function */
  uint32_t first, last; /* lines; 0: a function */
};

/* false: not such a text. */
bool dbg_extent_parse(const char *text, struct dbg_extent *out);
int dbg_extent_text(const struct dbg_extent *extent, char *text, size_t size); /* returns the length, as snprintf does */
/* Does an instruction with these frames belong to it? */
bool dbg_extent_has(const struct dbg_extent *extent, const struct dbg_frame *frames, unsigned count);

/* Is one of the frames a call that counts pages of a circular buffer? */
bool dbg_counts_pages(const struct dbg_frame *frames, unsigned count);

/* The lines with such calls: where the library has a macro instead, its loop that polls is an instruction of the line itself. */
#define DBG_HAND_OVERS 64u
struct dbg_hand_overs {
  struct {
    const char *file;
    uint32_t line;
  } at[DBG_HAND_OVERS];
  unsigned count; /* lines beyond these are not known */
};
void dbg_hand_overs_add(struct dbg_hand_overs *h, const struct dbg_frame *frames, unsigned count);
bool dbg_hand_overs_have(const struct dbg_hand_overs *h, const struct dbg_frame *frames, unsigned count);

/* The target of `word` at `address` if it is a call: with a link register, or a jump out of its function. An indirect one has target 0. */
bool dbg_is_call(const struct dbg_elf *elf, uint32_t address, uint32_t word, uint32_t *target);
bool dbg_is_return(uint32_t word);
/* The target of a branch, or of a jump without a link register. */
bool dbg_jumps(uint32_t address, uint32_t word, uint32_t *target);
/* The same to an earlier instruction, or to itself: it may end a loop (loop.h). */
bool dbg_jumps_back(uint32_t address, uint32_t word, uint32_t *target);

#endif
