/* The tessera command: finds the verb and runs it. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/verbs.h"
#include "tessera/base.h"

/* Out of memory is an error wherever it happened, even where the code that met it went on: see memory.c. A full disk is one too. Verbs that
 * detect them report them themselves. */
static int finish(const char *verb, int code) {
  errno = 0;
  bool lost = fflush(stdout) != 0 || ferror(stdout);
  if (lost && !errno) { /* an earlier write failed, whose reason is lost: it is repeated */
    clearerr(stdout);
    if (fputc('\n', stdout) != EOF) (void)fflush(stdout);
  }
  int why = errno;
  bool unfinished = cli_remove_unfinished() != 0;
  if (cli_complained && code == CLI_BAD_INPUT) return code;
  if (cli_memory_failed) return cli_bad_input(verb, "out of memory: the output is not complete");
  if (lost)
    return cli_bad_input(verb, "standard output could not be written%s%s", why ? ": " : "", why ? strerror(why) : "");
  return unfinished ? cli_bad_input(verb, "an output file could not be written") : code;
}

/* A file opened while 0, 1 or 2 is closed gets that number, and what is printed lands in it. Opened the wrong way round they stay
 * what they were: every read and write fails. */
static void open_standard_files(void) {
  for (int number = STDIN_FILENO; number <= STDERR_FILENO; number++)
    if (fcntl(number, F_GETFD) < 0 && errno == EBADF) (void)!open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int main(int argc, char **argv) {
  cli_guard_signals(); /* first: a signal before this line has its default effect, which ends the command too */
  open_standard_files();
  if (argc > 1 && strcmp(argv[1], "--version") == 0) {
    printf("tessera %s\n", tessera_version());
    return finish("--version", CLI_OK);
  }
  return finish(argc > 1 ? argv[1] : "help", cli_run_sub(&cli_tessera, argc, argv));
}
