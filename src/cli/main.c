/* The tessera command: finds the verb and runs it. */
#include <errno.h>
#include <string.h>

#include "cli/cli.h"

struct verb {
  const char *name;
  cli_verb_fn *run;
  const char *what;
};

static const struct verb verbs[] = {
    {"run", cli_run, "run the binaries of the five cores on a tile, and say what happened"},
    {"exec", cli_exec, "assemble and run a program on a tile, and say what happened"},
    {"asm", cli_asm, "assemble Tensix instructions to words"},
    {"dis", cli_dis, "disassemble words"},
    {"isa", cli_isa, "explain an instruction, list them all"},
    {"conform", cli_conform, "run conformance cases against their expected bits"},
    {"chip", cli_chip, "run programs on many tiles of a chip, with DRAM and the NoC"},
    {"pto", cli_pto, "run, check, explore and sweep PTO Cube-Vector pipe programs"},
};

#define VERB_COUNT (sizeof verbs / sizeof *verbs)

static void print_help(FILE *out) {
  fputs("tessera: a simulator of tile-based AI accelerators\n\nusage: tessera VERB [ARGUMENTS]\n\n", out);
  for (size_t i = 0; i < VERB_COUNT; i++) fprintf(out, "  %-9s %s\n", verbs[i].name, verbs[i].what);
  fputs("\ntessera VERB --help says more and shows an example.\n\nexample: tessera isa MVMUL\n\n"
        "exit codes: 0 good, 1 a case or check failed, 2 bad input or usage, 3 fault, 4 deadlock or hang,\n"
        "            5 hazard or race under --strict, 6 cycle limit reached\n",
        out);
}

/* What was printed must have arrived: a full disk is no success. Verbs that noticed it themselves have said so. */
static int finish(const char *verb, int code) {
  errno = 0;
  bool lost = fflush(stdout) != 0 || ferror(stdout);
  if (!lost || code == CLI_BAD_INPUT) return code;
  return cli_bad_input(verb, "standard output could not be written%s%s", errno ? ": " : "", errno ? strerror(errno) : "");
}

int main(int argc, char **argv) {
  if (argc < 2) {
    print_help(stderr);
    return CLI_BAD_INPUT;
  }
  if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0) {
    print_help(stdout);
    return finish("help", CLI_OK);
  }
  if (strcmp(argv[1], "--version") == 0) {
    puts("tessera " TESSERA_VERSION);
    return finish("--version", CLI_OK);
  }
  for (size_t i = 0; i < VERB_COUNT; i++)
    if (strcmp(argv[1], verbs[i].name) == 0) return finish(argv[1], verbs[i].run(argc - 1, argv + 1));
  fprintf(stderr, "tessera: unknown verb '%s'; tessera --help lists them\n", argv[1]);
  return CLI_BAD_INPUT;
}
