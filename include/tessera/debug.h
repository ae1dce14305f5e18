/* Tessera, Tensix tile: conditions, breakpoints, watchpoints, and the symbols of addresses. */
#ifndef TESSERA_DEBUG_H
#define TESSERA_DEBUG_H

#include "tessera/tile.h"

#ifdef __cplusplus
extern "C" {
#endif

/* --- conditions ---
 *
 * A run stops (TESSERA_STOPPED, reason CONDITION) in the cycle after all words of a condition have their values at the same time:
 * (word & mask) == value. Words: L1 and the registers of tessera_tile_read, except local RAMs and clocks. With several conditions, the
 * first that is met stops the run and is removed. Conditions are part of the saved state. */
struct tessera_word {
  uint32_t address, mask, value;
};
#define TESSERA_CONDITION_WORDS 4u
/* One word. `number` may be NULL. TESSERA_INVALID: no such word, a value outside its mask, or 16 conditions and watchpoints. */
enum tessera_result tessera_tile_until(struct tessera_tile *tile, uint32_t address, uint32_t mask, uint32_t value,
                                       int *number);
/* Up to TESSERA_CONDITION_WORDS words at the same time. */
enum tessera_result tessera_tile_until_all(struct tessera_tile *tile, const struct tessera_word *words, size_t count,
                                           int *number);
/* A run stops (reason CONDITION) in this cycle, even when no agent can continue until then: for writes of the host in the
 * middle of a run. */
enum tessera_result tessera_tile_until_cycle(struct tessera_tile *tile, uint64_t cycle, int *number);
/* A run stops (reason WATCHPOINT) in the cycle after a write by any agent to a word that overlaps the range, each time. */
enum tessera_result tessera_tile_watch(struct tessera_tile *tile, uint32_t address, uint32_t length, int *number);
/* Removes a condition or a watchpoint; -1: all of them. */
enum tessera_result tessera_tile_unwatch(struct tessera_tile *tile, int number);

/* --- breakpoints and steps --- */

/* Stops a core before the instruction at `pc`, an aligned address in L1 (reason BREAKPOINT), each time it reaches it; at most 64 breakpoints. */
enum tessera_result tessera_tile_break(struct tessera_tile *tile, enum tessera_core core, uint32_t pc, int *number);
enum tessera_result tessera_tile_unbreak(struct tessera_tile *tile, int number); /* -1: all of them */
/* Runs the whole tile until this core has executed one more instruction, or `cycles` have passed. */
enum tessera_result tessera_tile_step(struct tessera_tile *tile, enum tessera_core core, uint64_t cycles);

/* --- symbols and lines of the cores' executables --- */

/* The address of a symbol. Of a function that the compiler has inlined and that has none, and of a kernel_main that is only inlined: where
 * its first inlined instance begins, as DWARF states it. */
enum tessera_result tessera_tile_symbol(const struct tessera_tile *tile, enum tessera_core core, const char *name,
                                        uint32_t *address);
/* The addresses at which functions with this name begin, up to `room`: of overloads, and wherever one is inlined. Returns their number, 16 at most; 0: none.
 * Of a kernel_main: that of tessera_tile_symbol. */
size_t tessera_tile_entries(const struct tessera_tile *tile, enum tessera_core core, const char *name, uint32_t *entries,
                            size_t room);
struct tessera_place {
  const char *function; /* NULL: no symbol covers the address. The strings live as long as the executable is loaded. */
  uint32_t offset;      /* from the start of the function */
  const char *file;     /* NULL: no line information */
  uint32_t line;
};
/* Function and line of `pc` in the core's executable, or in that of another core which covers it. */
enum tessera_result tessera_tile_place(const struct tessera_tile *tile, enum tessera_core core, uint32_t pc,
                                       struct tessera_place *place);
/* The first instruction of a source line in the core's executable: the lowest address whose place (tessera_tile_place) is
 * that line. `file` is the file's name, with or without its directories. TESSERA_INVALID when there is none;
 * tessera_tile_error names the next line with code. */
enum tessera_result tessera_tile_line(struct tessera_tile *tile, enum tessera_core core, const char *file, uint32_t line,
                                      uint32_t *address);
/* "main+0x14 (kernel.c:31)" or "". Returns the full length, as snprintf does. */
size_t tessera_tile_place_text(const struct tessera_tile *tile, enum tessera_core core, uint32_t pc, char *text,
                               size_t size);

#ifdef __cplusplus
}
#endif
#endif
