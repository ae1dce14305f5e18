/* Marks of values that differ from round to round in a core's loop (orbit.h). A time has the number of its read as its mark: even numbers, one more for a
 * count of instructions, which is a clock of its own. */
#ifndef TESSERA_OBSERVE_HANG_MARK_H
#define TESSERA_OBSERVE_HANG_MARK_H

#include <stdbool.h>
#include <stdint.h>

#define OBS_MARK_NONE 0u
#define OBS_MARK_SCALED 1u /* of a part or a multiple of a time: two of them differ by another amount in another round */
#define OBS_MARK_READS 2u  /* the number before the first read */
/* The distance of two times of one round, with the number of the one that the other was subtracted from. It is the same in every round. */
#define OBS_MARK_LENGTH 0x40000000u
#define OBS_MARK_COUNT 0x80000000u /* it differs in any way, as a counter of rounds does; beside the mark of a time */

static inline uint32_t obs_mark_time(uint32_t mark) {
  return mark & OBS_MARK_LENGTH ? OBS_MARK_NONE : mark & ~OBS_MARK_COUNT;
}

static inline bool obs_mark_varies(uint32_t mark) { return mark & OBS_MARK_COUNT || obs_mark_time(mark); }

static inline uint32_t obs_mark_scaled(uint32_t mark) {
  return (obs_mark_time(mark) ? OBS_MARK_SCALED : OBS_MARK_NONE) | (mark & OBS_MARK_COUNT);
}

static inline bool obs_mark_same_clock(uint32_t a, uint32_t b) { return !((a ^ b) & 1u); }

/* Of what depends on both: the older time. */
static inline uint32_t obs_mark_both(uint32_t mark_a, uint32_t mark_b) {
  const uint32_t a = obs_mark_time(mark_a), b = obs_mark_time(mark_b), count = (mark_a | mark_b) & OBS_MARK_COUNT;
  if (!a || !b) return a | b | count;
  return (obs_mark_same_clock(a, b) ? a < b ? a : b : OBS_MARK_SCALED) | count;
}

/* "a - b > a": the borrow of a difference of two words. It is the same in every round, but for one in which the lower word overflows, and there the upper
 * words make up for it. */
static inline bool obs_mark_is_borrow(uint32_t length, uint32_t time) {
  return length & OBS_MARK_LENGTH && obs_mark_time(time) &&
         (length & ~(OBS_MARK_LENGTH | OBS_MARK_COUNT)) == obs_mark_time(time);
}

#endif
