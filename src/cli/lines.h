/* Cycles by source line, from the text of a callgrind profile. */
#ifndef TESSERA_CLI_LINES_H
#define TESSERA_CLI_LINES_H

#include <stdbool.h>
#include <stddef.h>

#define CLI_LINE_AGENTS 8u   /* cores and threads */
#define CLI_LINE_REASONS 48u /* columns of the profile after the cycles */
#define CLI_LINES_MAX 16384u /* lines with cycles: 100 MiB */
#define CLI_LINE_FILES_MAX 1024u
#define CLI_LINE_SLOTS 32768u /* of the hash table below: a power of two above all lines and files */

struct cli_line {
  unsigned file; /* index in cli_lines.files */
  unsigned long line;
  unsigned long long cycles;                                     /* of its own instructions: these sum to the total */
  unsigned long long whole;                                      /* with the functions that are inlined there */
  unsigned long long called;                                     /* of functions that are called there and not inlined */
  unsigned long long reasons[CLI_LINE_AGENTS][CLI_LINE_REASONS]; /* of `whole` */
  unsigned long long called_reasons[CLI_LINE_AGENTS][CLI_LINE_REASONS]; /* of `called` */
};

struct cli_lines {
  char agents[CLI_LINE_AGENTS][24], reasons[CLI_LINE_REASONS][32];
  unsigned agent_count, reason_count;
  char **files;
  struct cli_line *lines;
  size_t file_count, file_room, line_count, line_room;
  unsigned *slots; /* hash table: 1 + the index of a line, or of a file below the top bit; 0: free */
  bool full;       /* a limit above */
  unsigned long long total;
};

/* Adds the lines of a profile. false after one line on stderr: not a profile, too large, or out of memory. */
bool cli_lines_read(struct cli_lines *l, const char *verb, const char *name, const char *text, size_t size);
void cli_lines_free(struct cli_lines *l);
/* What most of the line's cycles are: "NCRISC polling". "": it has none. `calls`: with the functions that are called there. */
void cli_lines_mostly(const struct cli_lines *l, const struct cli_line *line, bool calls, char *text, size_t size);
/* The text of a source line, without its newline; NULL: no such file or line. The caller frees it. */
char *cli_lines_source(const char *path, unsigned long line);

#endif
