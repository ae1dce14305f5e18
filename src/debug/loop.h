/* The loops of a function, as its branches and jumps show them. */
#ifndef TESSERA_DEBUG_LOOP_H
#define TESSERA_DEBUG_LOOP_H

#include <stdbool.h>
#include <stdint.h>

#include "debug/extent.h"

#define DBG_LOOP_INSTRUCTIONS 16384u /* of the longest function that is examined */

struct dbg_loop {
  uint32_t first;                              /* the instruction that every turn begins with */
  uint32_t function, end;                      /* the function around it */
  uint32_t count;                              /* of its instructions */
  uint32_t inside[DBG_LOOP_INSTRUCTIONS / 32]; /* bit per instruction of the function */
};

/* The loop that the branch or jump at `address` ends: a natural loop, with the blocks that the compiler has put elsewhere. false: it ends
 * none. A block behind a loop that jumps back into it is a part of the loop, and its jump ends none. */
bool dbg_loop_of(const struct dbg_elf *elf, uint32_t address, struct dbg_loop *out);

/* The innermost loop around the instruction at `address`. */
bool dbg_loop_around(const struct dbg_elf *elf, uint32_t address, struct dbg_loop *out);

/* The largest loop of which at least three of four instructions belong to the extent. */
bool dbg_loop_of_extent(const struct dbg_index *index, const struct dbg_extent *extent, struct dbg_loop *out);

static inline bool dbg_loop_has(const struct dbg_loop *l, uint32_t address) {
  uint32_t i = (address - l->function) / 4u;
  return address >= l->function && address < l->end && l->inside[i / 32u] >> (i % 32u) & 1u;
}

#endif
