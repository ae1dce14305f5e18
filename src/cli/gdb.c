/* The sessions of gdb.h. */
#define _POSIX_C_SOURCE 200809L
#include "cli/gdb.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/interrupt.h"

struct tessera_debugger *cli_debugger_open(const char *verb, struct tessera_tile *tile, struct tessera_chip *chip,
                                           uint64_t limit) {
  struct tessera_debugger *debugger = tile ? tessera_debugger_open(tile) : tessera_debugger_open_chip(chip);
  if (!debugger) cli_bad_input(verb, "no memory for the debugger");
  tessera_debugger_limit_cycles(debugger, limit);
  return debugger;
}

struct serving {
  const char *verb, *where;
};

/* The socket that a signal removes; "": none, or it is not this command's so far. */
static char socket_path[128];
static struct stat socket_made;

static void remove_socket(void) {
  struct stat there;
  if (!socket_path[0] || lstat(socket_path, &there) != 0) return;
  if (there.st_dev == socket_made.st_dev && there.st_ino == socket_made.st_ino) unlink(socket_path);
}

static void say_ready(void *context, const char *line) {
  const struct serving *s = context;
  if (strncmp(s->where, "unix:", 5) == 0 && strlen(s->where + 5) < sizeof socket_path &&
      lstat(s->where + 5, &socket_made) == 0) {
    strcpy(socket_path, s->where + 5);
    cli_on_end(remove_socket);
  }
  fprintf(stderr, "tessera %s: %s\n", s->verb, line);
}

/* With stdio the protocol uses standard output: later reports go to stderr. */
int cli_gdb_serve(const char *verb, struct tessera_debugger *debugger, const char *where) {
  struct serving serving = {verb, where};
  signal(SIGPIPE, SIG_IGN);
  enum tessera_result result = tessera_debugger_serve(debugger, where, say_ready, &serving);
  socket_path[0] = '\0';
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
