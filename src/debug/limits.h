/* Limits of what is read of an executable's sections: names, source lines and functions are a help for reports, so that what is beyond a
 * limit is not read and the program runs all the same. Each limit is at least twenty times what the kernels of the vendor's library need
 * (300 kB of DWARF, 50 units, a few hundred symbols) and keeps the work on a hostile file below a second. */
#ifndef TESSERA_DEBUG_LIMITS_H
#define TESSERA_DEBUG_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define DBG_SECTIONS_MAX 4096u
#define DBG_SYMBOLS_MAX 16384u
#define DBG_NAME_MAX 65535u   /* bytes of a name; a longer one counts as none */
#define DBG_ABBREVS_MAX 4096u /* codes of a unit's abbreviations */

/* What a walk through .debug_info or .debug_line uses up. */
enum dbg_limit {
  DBG_LIMIT_UNITS,
  DBG_LIMIT_ABBREVS, /* the highest code */
  DBG_LIMIT_ENTRIES, /* entries, attributes and ranges read, one for each; long names count more */
  DBG_LIMIT_FUNCTIONS,
  DBG_LIMIT_RANGES,
  DBG_LIMIT_OPCODES, /* of line number programs, and the files of their headers */
  DBG_LIMIT_ROWS,
  DBG_LIMITS
};

struct dbg_work {
  uint32_t used[DBG_LIMITS];
  bool over[DBG_LIMITS];
};

/* Adds to what is used; false: beyond the limit. */
bool dbg_spend(struct dbg_work *work, enum dbg_limit limit, size_t amount);

/* "more than 4096 units in .debug_info" for the first limit that is exceeded; false: none. */
bool dbg_work_words(const struct dbg_work *work, char *text, size_t size);

#endif
