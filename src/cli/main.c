/* The tessera command: finds the verb and runs it. */
#include <errno.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/verbs.h"
#include "tessera/base.h"

/* Checks that standard output was written: a full disk is an error. Verbs that detect it report it themselves. */
static int finish(const char *verb, int code) {
  errno = 0;
  bool lost = fflush(stdout) != 0 || ferror(stdout);
  if (!lost || code == CLI_BAD_INPUT) return code;
  return cli_bad_input(verb, "standard output could not be written%s%s", errno ? ": " : "", errno ? strerror(errno) : "");
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "--version") == 0) {
    printf("tessera %s\n", tessera_version());
    return finish("--version", CLI_OK);
  }
  return finish(argc > 1 ? argv[1] : "help", cli_run_sub(&cli_tessera, argc, argv));
}
