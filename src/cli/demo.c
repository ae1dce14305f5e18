/* tessera demo: a matrix product on sixteen tiles, with kernels that come with the command. */
#define _XOPEN_SOURCE 700 /* readlink, chdir */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/verb.h"

/* Relative to the command's directory: the folder where make install-demo puts the kernels, and the source tree that
 * contains build/. */
static const struct {
  const char *directory, *file;
} places[] = {
    {"../share/tessera/demo", "demo.chip"},
    {"..", "examples/grid_matmul/grid_matmul.chip"},
};

/* In the source tree: has make demo built the kernels beside the command? */
static bool built(const char *directory) {
  char path[2 * PATH_MAX];
  int written = snprintf(path, sizeof path, "%s/kernels/grid_matmul/brisc.elf", directory);
  return written > 0 && (size_t)written < sizeof path && access(path, R_OK) == 0;
}

/* Changes to the directory of the first file that exists: its paths are relative to it. */
static const char *go_there(void) {
  char command[PATH_MAX], path[2 * PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", command, sizeof command - 1);
  if (length < 0) return NULL;
  command[length] = '\0';
  char *slash = strrchr(command, '/');
  if (!slash) return NULL;
  *slash = '\0';
  for (size_t i = 0; i < CLI_COUNT(places); i++) {
    int written = snprintf(path, sizeof path, "%s/%s/%s", command, places[i].directory, places[i].file);
    if (written < 0 || (size_t)written >= sizeof path || access(path, R_OK) != 0) continue;
    snprintf(path, sizeof path, "%s/%s", command, places[i].directory);
    if (chdir(path) != 0) continue;
    if (strcmp(places[i].directory, "..") == 0 && !built(command)) continue;
    return places[i].file;
  }
  return NULL;
}

static bool refuse(void *settings, const char *text) {
  (void)settings;
  cli_bad_input("demo", "unexpected argument '%s'", text);
  return false;
}

static int run(const struct cli_verb *verb, int argc, char **argv) {
  char name[64];
  if (!cli_parse(verb, argc, argv, NULL, refuse)) return CLI_BAD_INPUT;
  const char *file = go_there();
  if (!file) return cli_bad_input("demo", "the demo kernels are not built; run make demo");
  snprintf(name, sizeof name, "%s", file);
  puts("A 512 x 512 matrix product in BF16 from DRAM, by kernels on the cores of 4 x 4 tiles.");
  fflush(stdout);
  int code = cli_call(&cli_chip, 3, (char *[]){"chip", "run", name, NULL});
  if (code == CLI_OK) puts("PASS: the result matches the host within tolerance");
  return code;
}

const struct cli_verb cli_demo = {
    .name = "demo",
    .what = "show a matrix product on sixteen tiles of a chip",
    .usage = "",
    .about =
        "Multiplies two matrices of 512 x 512 in BF16 on 4 x 4 Tensix tiles: kernels read the operands from DRAM over the\n"
        "NoC, multiply, and write the product back. Prints a picture of the grid, traffic and cycles, and compares the\n"
        "product with the host's.",
    .notes = "The kernels come with the installed command (make install-demo); in the source tree make demo builds them.",
    .example = "tessera demo",
    .operands = CLI_NOTHING,
    .run = run,
};
