/* The limits of limits.h. */
#include "debug/limits.h"

#include <stdio.h>

static const struct {
  uint32_t max;
  const char *words;
} limits[DBG_LIMITS] = {
    [DBG_LIMIT_UNITS] = {4096, "units in .debug_info"},
    [DBG_LIMIT_ABBREVS] = {DBG_ABBREVS_MAX - 1, "abbreviations of a unit in .debug_abbrev"},
    [DBG_LIMIT_ENTRIES] = {3u << 20, "entries and attributes to read in .debug_info"},
    [DBG_LIMIT_FUNCTIONS] = {1u << 17, "functions in .debug_info"},
    [DBG_LIMIT_RANGES] = {1u << 18, "code ranges in .debug_info"},
    [DBG_LIMIT_OPCODES] = {3u << 20, "opcodes and files to read in .debug_line"},
    [DBG_LIMIT_ROWS] = {1u << 18, "rows in .debug_line"},
};

bool dbg_spend(struct dbg_work *work, enum dbg_limit limit, size_t amount) {
  const uint32_t left = limits[limit].max - work->used[limit];
  if (amount <= left) {
    work->used[limit] += (uint32_t)amount;
    return true;
  }
  work->used[limit] = limits[limit].max;
  work->over[limit] = true;
  return false;
}

bool dbg_work_words(const struct dbg_work *work, char *text, size_t size) {
  for (unsigned i = 0; i < DBG_LIMITS; i++)
    if (work->over[i]) return snprintf(text, size, "more than %u %s", limits[i].max, limits[i].words), true;
  return false;
}
