/* tessera sim: prints the path of the library for host programs, the variables it reads, and the lines that select it and its system. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/verb.h"
#include "tessera/host.h"
#include "tessera/system.h"

#define LIBRARY "libttsim.so"
#define DESCRIPTOR "soc_descriptor.yaml"
#define CLUSTER "cluster_descriptor.yaml"

struct settings {
  bool library;
  const char *directory, *system, *product;
};

static bool set_library(void *settings, const char *value) {
  (void)value;
  ((struct settings *)settings)->library = true;
  return true;
}

static bool set_system(void *settings, const char *value) {
  ((struct settings *)settings)->system = value;
  return true;
}

static bool set_product(void *settings, const char *value) {
  ((struct settings *)settings)->product = value;
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

/* The first lines of a cluster descriptor that this command or sim-dir wrote: the variables with which the library is the same. */
static const struct {
  const char *line, *variable;
} heads[] = {{"# system ", "TESSERA_SYSTEM"}, {"# product ", "TESSERA_PRODUCT"}};

/* A directory without a descriptor is for one full part. */
static bool print_heads(const char *directory) {
  char path[2 * PATH_MAX], line[64] = "";
  bool system = false;
  int written = snprintf(path, sizeof path, "%s/" CLUSTER, directory);
  FILE *file = written > 0 && (size_t)written < sizeof path ? fopen(path, "r") : NULL;
  if (!file) return false;
  while (fgets(line, sizeof line, file) && line[0] == '#')
    for (size_t i = 0; i < CLI_COUNT(heads); i++) {
      if (strncmp(line, heads[i].line, strlen(heads[i].line)) != 0) continue;
      printf("export %s=%s", heads[i].variable, line + strlen(heads[i].line));
      system |= i == 0;
    }
  fclose(file);
  return system;
}

static int refuse_system(const char *system, const char *product) {
  char list[256] = "";
  size_t used = 0;
  for (unsigned i = 0; tessera_system_name(i)[0] && used < sizeof list; i++)
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", tessera_system_name(i));
  if (product) return cli_bad_input("sim", "there is no system '%s' of product '%s'; systems: %s", system, product, list);
  return cli_bad_input("sim", "there is no system '%s'; it must be one of %s", system, list);
}

static bool write_heads(const struct settings *s, FILE *file) {
  bool good = fprintf(file, "%s%s\n", heads[0].line, s->system) > 0;
  return good && (!s->product || fprintf(file, "%s%s\n", heads[1].line, s->product) > 0);
}

/* The cluster descriptor beside the library: hosts read there which chips and links there are. */
static int write_system(const struct settings *s) {
  char path[2 * PATH_MAX];
  size_t length = tessera_system_descriptor(s->system, s->product, NULL, 0);
  if (!length) return refuse_system(s->system, s->product);
  char *text = malloc(length + 1);
  int written = snprintf(path, sizeof path, "%s/" CLUSTER, s->directory);
  FILE *file = text && written > 0 && (size_t)written < sizeof path ? fopen(path, "w") : NULL;
  bool good = file != NULL;
  if (good) {
    tessera_system_descriptor(s->system, s->product, text, length + 1);
    good = write_heads(s, file) && fputs(text, file) >= 0;
    good = !fclose(file) && good;
  }
  free(text);
  return good ? CLI_OK : cli_bad_input("sim", "%s cannot be written", path);
}

/* The lines for a directory created by sim-dir. */
static int print_export(const char *directory) {
  char whole[PATH_MAX];
  const char *missing = !has_file(directory, LIBRARY) ? LIBRARY : !has_file(directory, DESCRIPTOR) ? DESCRIPTOR : NULL;
  if (missing) return cli_bad_input("sim", "%s has no %s; tools/sim-dir makes such a directory", directory, missing);
  if (!realpath(directory, whole)) return cli_bad_input("sim", "%s cannot be resolved", directory);
  /* ttnn opens only the chips of the first board without the second line */
  if (print_heads(directory)) printf("export TT_METAL_MOCK_CLUSTER_DESC_PATH=%s/" CLUSTER "\n", whole);
  printf("export TT_METAL_SIMULATOR=%s/" LIBRARY "\n", whole);
  return CLI_OK;
}

static int run(const struct cli_verb *verb, int argc, char **argv) {
  struct settings s = {0};
  if (!cli_parse(verb, argc, argv, &s, set_directory)) return CLI_BAD_INPUT;
  if (s.library && s.directory) return cli_bad_input("sim", "--library or a directory, not both");
  if ((s.system || s.product) && !s.directory)
    return cli_bad_input("sim", "--system needs the directory that sim-dir created");
  if (s.product && !s.system)
    return cli_bad_input("sim", "--product is that of the chips of --system; sim-dir takes that of one chip");
  if (s.library) return print_library();
  int wrote = s.system ? write_system(&s) : CLI_OK;
  if (wrote != CLI_OK) return wrote;
  if (s.directory) return print_export(s.directory);
  return cli_bad_input("sim", "give the directory that sim-dir created, or --library; tessera sim --help has an example");
}

static const struct cli_opt options[] = {
    {"--library", NULL, "print the path of " LIBRARY " and nothing else", CLI_NOTHING, set_library},
    {"--system", "NAME", "make DIR a system of linked chips: p300, quietbox, quietbox2, loudbox, galaxy, p150", CLI_NOTHING,
     set_system},
    {"--product", "NAME", "with --system: the product of every chip (default: full)", CLI_NOTHING, set_product},
};

#define VARIABLE(name, values, standard, text) "\n  " name "=" values "\n      " text "\n      default: " standard

const struct cli_verb cli_sim = {
    .name = "sim",
    .what = "choose Tessera as the device of ttnn, tt-metal, tt-umd and tt-exalens",
    .usage = "DIR [--system NAME [--product NAME]] | --library",
    .about =
        "Host programs of Tenstorrent's stack load a simulated Blackhole as " LIBRARY ". sim-dir DIR PYTHON (in tools/ or\n"
        "share/tessera/sim/) copies the library to DIR, with the soc descriptor of the ttnn that PYTHON has. tessera sim "
        "DIR\n"
        "then prints the line to export: export TT_METAL_SIMULATOR=DIR/" LIBRARY ". For a TESSERA_PRODUCT other than\n"
        "full, sim-dir DIR PYTHON PRODUCT also writes the cluster descriptor that tells the host which tiles are\n"
        "fused off. --system writes the one that tells it the chips and links of a board or box; any other system is a\n"
        "descriptor of your own in DIR/" CLUSTER ", with TESSERA_SYSTEM=DIR/" CLUSTER ".\n"
        "docs/guide/ttnn.md has the rest.",
    CLI_OPTIONS(options),
    .notes = "Environment variables of the library:\n" TESSERA_HOST_VARIABLES(VARIABLE),
    .example = "eval $(tessera sim sim)",
    .operands = CLI_FILE,
    .run = run,
};
