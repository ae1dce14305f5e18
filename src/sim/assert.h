/* Invariants of a block, checked where the block relies on them.
 *
 * The sanitizer build and the invariant build (`make INVARIANTS=1`) compile the checks in and have tiny limits, so that
 * lists grow, batches end and tables are full all the time. In the release build a condition is not evaluated and costs
 * nothing. No input of a user or of a simulated program reaches a broken assertion; a wrong program gets a fault. */
#ifndef TESSERA_SIM_ASSERT_H
#define TESSERA_SIM_ASSERT_H

#ifdef TESSERA_INVARIANTS
#include <string.h>

_Noreturn void sim_assert_failed(const char *condition, const char *file, int line);
#define sim_assert(condition) ((condition) ? (void)0 : sim_assert_failed(#condition, __FILE__, __LINE__))
/* Fills memory that is now free and must be written before it is read. */
#define sim_poison(place) memset((place), 0xA5, sizeof *(place))
/* A member of a state struct between two blocks: it differs from SIM_GUARD_VALUE if one of them was written past its end. */
#define SIM_GUARD(name) uint64_t guard_##name
#define SIM_LIMIT(normal, tiny) (tiny)
#else
#define sim_assert(condition) ((void)sizeof((condition) ? 1 : 0))
#define sim_poison(place) ((void)(place))
#define SIM_GUARD(name) _Static_assert(1, #name)
#define SIM_LIMIT(normal, tiny) (normal)
#endif
#define SIM_GUARD_VALUE UINT64_C(0xA5A5A5A5A5A5A5A5)

#endif
