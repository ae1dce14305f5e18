/* tessera sim: prints the path of the library for host programs, the variables it reads, and the line that selects it. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/verb.h"
#include "tessera/host.h"

#define LIBRARY "libttsim.so"
#define DESCRIPTOR "soc_descriptor.yaml"
#define CLUSTER "cluster_descriptor.yaml"

struct settings {
  bool library;
  const char *directory;
};

static bool set_library(void *settings, const char *value) {
  (void)value;
  ((struct settings *)settings)->library = true;
  return true;
}

static bool set_directory(void *settings, const char *text) {
  struct settings *s = settings;
  if (s->directory) cli_bad_input("sim", "one directory at a time, not also '%s'", text);
  else s->directory = text;
  return s->directory == text;
}

/* The library beside this command, in the build directory, or in the install directory. */
static bool find_library(char *path, size_t size) {
  static const char *const places[] = {LIBRARY, "../share/tessera/sim/" LIBRARY};
  char command[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", command, sizeof command - 1);
  if (length < 0) return false;
  command[length] = '\0';
  char *slash = strrchr(command, '/');
  if (!slash) return false;
  *slash = '\0';
  for (size_t i = 0; i < CLI_COUNT(places); i++) {
    int written = snprintf(path, size, "%s/%s", command, places[i]);
    if (written > 0 && (size_t)written < size && access(path, R_OK) == 0) return true;
  }
  return false;
}

static int print_library(void) {
  char path[2 * PATH_MAX];
  if (!find_library(path, sizeof path))
    return cli_bad_input("sim", LIBRARY " was found neither beside this command nor in ../share/tessera/sim");
  puts(path);
  return CLI_OK;
}

static bool has_file(const char *directory, const char *name) {
  char path[2 * PATH_MAX];
  int written = snprintf(path, sizeof path, "%s/%s", directory, name);
  return written > 0 && (size_t)written < sizeof path && access(path, R_OK) == 0;
}

#define PRODUCT_LINE "# product "

/* The product for which sim-dir made the directory: the first line of the cluster descriptor. A directory without one is for the full part. */
static void print_product(const char *directory) {
  char path[2 * PATH_MAX], line[64] = "";
  int written = snprintf(path, sizeof path, "%s/" CLUSTER, directory);
  FILE *file = written > 0 && (size_t)written < sizeof path ? fopen(path, "r") : NULL;
  if (!file) return;
  if (fgets(line, sizeof line, file) && !strncmp(line, PRODUCT_LINE, strlen(PRODUCT_LINE)))
    printf("export TESSERA_PRODUCT=%s", line + strlen(PRODUCT_LINE));
  fclose(file);
}

/* The lines for a directory created by sim-dir. */
static int print_export(const char *directory) {
  char whole[PATH_MAX];
  const char *missing = !has_file(directory, LIBRARY) ? LIBRARY : !has_file(directory, DESCRIPTOR) ? DESCRIPTOR : NULL;
  if (missing) return cli_bad_input("sim", "%s has no %s; tools/sim-dir makes such a directory", directory, missing);
  if (!realpath(directory, whole)) return cli_bad_input("sim", "%s cannot be resolved", directory);
  print_product(directory);
  printf("export TT_METAL_SIMULATOR=%s/" LIBRARY "\n", whole);
  return CLI_OK;
}

static int run(const struct cli_verb *verb, int argc, char **argv) {
  struct settings s = {0};
  if (!cli_parse(verb, argc, argv, &s, set_directory)) return CLI_BAD_INPUT;
  if (s.library && s.directory) return cli_bad_input("sim", "--library or a directory, not both");
  if (s.library) return print_library();
  if (s.directory) return print_export(s.directory);
  return cli_bad_input("sim", "give the directory that sim-dir created, or --library; tessera sim --help has an example");
}

static const struct cli_opt options[] = {
    {"--library", NULL, "print the path of " LIBRARY " and nothing else", CLI_NOTHING, set_library},
};

#define VARIABLE(name, values, standard, text) "\n  " name "=" values "\n      " text "\n      default: " standard

const struct cli_verb cli_sim = {
    .name = "sim",
    .what = "choose Tessera as the device of ttnn, tt-metal, tt-umd and tt-exalens",
    .usage = "DIR | --library",
    .about =
        "Host programs of Tenstorrent's stack load a simulated Blackhole as " LIBRARY ". sim-dir DIR PYTHON (in tools/ or\n"
        "share/tessera/sim/) copies the library to DIR, with the soc descriptor of the ttnn that PYTHON has. tessera sim "
        "DIR\n"
        "then prints the line to export: export TT_METAL_SIMULATOR=DIR/" LIBRARY ". For a TESSERA_PRODUCT other than\n"
        "full, sim-dir DIR PYTHON PRODUCT also writes the cluster descriptor that tells the host which tiles are\n"
        "fused off. docs/guide/ttnn.md has the rest.",
    CLI_OPTIONS(options),
    .notes = "Environment variables of the library:\n" TESSERA_HOST_VARIABLES(VARIABLE),
    .example = "eval $(tessera sim sim)",
    .operands = CLI_FILE,
    .run = run,
};
