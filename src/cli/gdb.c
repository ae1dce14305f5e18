/* The sessions of gdb.h. */
#define _POSIX_C_SOURCE 200809L
#include "cli/gdb.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

struct tessera_debugger *cli_debugger_open(const char *verb, struct tessera_tile *tile, struct tessera_chip *chip,
                                           uint64_t limit) {
  struct tessera_debugger *debugger = tile ? tessera_debugger_open(tile) : tessera_debugger_open_chip(chip);
  if (!debugger) cli_bad_input(verb, "no memory for the debugger");
  tessera_debugger_limit_cycles(debugger, limit);
  return debugger;
}

static void say_ready(void *context, const char *line) { fprintf(stderr, "tessera %s: %s\n", (const char *)context, line); }

/* With stdio the protocol uses standard output: later reports go to stderr. */
int cli_gdb_serve(const char *verb, struct tessera_debugger *debugger, const char *where) {
  char name[16];
  signal(SIGPIPE, SIG_IGN);
  snprintf(name, sizeof name, "%s", verb);
  enum tessera_result result = tessera_debugger_serve(debugger, where, say_ready, name);
  if (strcmp(where, "stdio") == 0) {
    fflush(stdout);
    dup2(STDERR_FILENO, STDOUT_FILENO);
  }
  if (result == TESSERA_DONE) return 1;
  if (result != TESSERA_STOPPED) return cli_bad_input(verb, "--gdb: %s", tessera_debugger_error(debugger)), -1;
  fprintf(stderr, "tessera %s: ended by the debugger in cycle %llu\n", verb,
          (unsigned long long)tessera_debugger_cycle(debugger));
  return 0;
}
