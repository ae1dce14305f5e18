/* Breakpoints, accesses to watched bytes and steps that share a position.
 *
 * A position is a cycle, and a breakpoint stops in the cycle before its instruction. That is not enough in two cases:
 *   - several cores reach a breakpoint in the same cycle: each of them is reported once, then it is passed;
 *   - a core executes several instructions in one cycle (timing off, or the turn in which a parked core is woken), and the breakpoint is
 *     behind the first of them: the machine is then in the middle of the cycle after the position, stopped at the breakpoint, until
 *     the session moves. With timing off a session also stops directly after an access to watched bytes there, and steps from one
 *     instruction to the next. */
#ifndef TESSERA_GDB_MIDDLE_H
#define TESSERA_GDB_MIDDLE_H

#include "gdb/hit.h"

/* The core's breakpoints up to its instruction of this number (retired + 1) do not stop a run from the present position. */
void gdb_pass(struct tessera_debugger *d, struct gdb_where w, uint64_t number);
/* That number; 0: none is passed here. */
uint64_t gdb_passed(const struct tessera_debugger *d, struct gdb_where w);
void gdb_pass_none(struct tessera_debugger *d);
/* Puts the numbers into the cores before a run from the position, and takes them out again. */
void gdb_mark_passed(struct tessera_debugger *d, bool on);

/* The session has gone to the cycle before an instruction with a breakpoint: stops before that instruction. Of several in that cycle:
 * the first that is not passed; with `below`, the last whose number is below that. false: there is none. */
bool gdb_stand_at_break(struct tessera_debugger *d, struct gdb_where w, uint64_t below);
/* Before a change of the state: restores the position; the middle of a cycle is kept, as a state of its own. */
void gdb_settle(struct tessera_debugger *d);
/* Returns to the position after a search, also to the middle of a cycle. */
void gdb_return(struct tessera_debugger *d, uint64_t cycle, bool middle);

/* --- timing off, a tile alone --- */

bool gdb_is_exact(const struct tessera_debugger *d);
/* The accesses in the next cycle that were reported at this position. */
unsigned gdb_passed_accesses(const struct tessera_debugger *d);
/* The machine is at the position: goes to that place in the next cycle. false: there is no such place, nothing moved. */
bool gdb_go_inside(struct tessera_debugger *d, const struct gdb_inside *to);
/* The machine is at the position, and the core has executed `retired` instructions: goes on in the next cycle until the core has executed
 * one more, or to a breakpoint or an access before. false: neither happens in that cycle; nothing moved. */
bool gdb_step_inside(struct tessera_debugger *d, struct gdb_where w, uint64_t retired, struct gdb_hit *hit);
/* In the middle of a cycle: the last breakpoint or access before that place. false: none in this cycle. The position is restored. */
struct gdb_exact;
bool gdb_last_inside(struct tessera_debugger *d, struct gdb_exact *x);
/* The machine goes to the place before that event. */
void gdb_go_before(struct tessera_debugger *d, const struct gdb_exact *x);
/* In the next cycle the access comes before every breakpoint that is not passed. Restores the position. */
bool gdb_access_is_first(struct tessera_debugger *d, const struct gdb_hit *hit);

#endif
