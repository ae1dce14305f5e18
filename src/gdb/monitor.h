/* Commands of the terminal and of gdb's `monitor`: one table. */
#ifndef TESSERA_GDB_MONITOR_H
#define TESSERA_GDB_MONITOR_H

#include "gdb/debugger.h"

#define GDB_WORDS 8u

struct gdb_command {
  const char *name, *arguments, *help, *complete;
  void (*run)(struct tessera_debugger *d, unsigned count, char **words); /* words[0] is the name */
};

/* Runs a line; the text is valid until the next call. */
const char *gdb_monitor(struct tessera_debugger *d, const char *line);

/* --- between the files --- */

void gdb_say(struct tessera_debugger *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
void gdb_say_stop(struct tessera_debugger *d);                         /* the position, and the reason of the stop */
bool gdb_number(const char *text, uint64_t *value);                    /* decimal or 0x; the whole word must be a number */
bool gdb_range(const char *text, uint32_t *address, uint32_t *length); /* ADDR[:LENGTH] */

extern const struct gdb_command gdb_moves[], gdb_shows[];
extern const size_t gdb_move_count, gdb_show_count;

#endif
