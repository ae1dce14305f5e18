/* Shared by the sub-verbs of `tessera pto`: the program with its parameters, and the reason for its rejection. */
#include "cli/pto_cli.h"

#include <stdlib.h>
#include <string.h>

static bool read_figures(struct pto_cli *cli, struct tessera_pto_program *program) {
  struct cli_input file = {0};
  if (!cli->profile_file) return true;
  if (!cli_input_read(&file, "pto", cli->profile_file, PTO_CLI_SOURCE_MAX)) return false;
  bool good = tessera_pto_read_figures(program, file.data, file.size) == 0;
  cli_input_free(&file);
  if (!good) cli_bad_input("pto", "%s: %s", cli->profile_file, tessera_pto_error(program));
  return good;
}

static bool set_launch(const struct pto_cli *cli, struct tessera_pto_program *program) {
  return (!cli->dispatches || tessera_pto_set_dispatches(program, (uint32_t)cli->dispatches) == 0) &&
         (!cli->blocks || tessera_pto_set_blocks(program, (uint32_t)cli->blocks) == 0);
}

int pto_cli_refused(const struct pto_cli *cli, const struct tessera_pto_program *program) {
  return cli_bad_input("pto", "%s: %s", cli->file, tessera_pto_error(program));
}

struct tessera_pto_program *pto_cli_parse(struct pto_cli *cli, const struct pto_cli_setting *settings, unsigned count) {
  char why[2048] = "\n";
  struct tessera_pto_setting values[TESSERA_PTO_SETTINGS_MAX];
  for (unsigned i = 0; i < count; i++) values[i] = (struct tessera_pto_setting){settings[i].name, settings[i].value};
  const struct tessera_pto_source source = {.name = cli->file,
                                            .text = cli->source.data,
                                            .length = cli->source.size,
                                            .profile = cli->profile,
                                            .settings = values,
                                            .setting_count = count};
  struct tessera_pto_program *program = tessera_pto_parse_source(&source, why, sizeof why);
  if (!program && !cli->verbose) why[strcspn(why, "\n") + 1] = '\0'; /* the first line; the source line follows it */
  if (!program) return cli_complained = true, cli_show(stderr, why), NULL;
  if (!set_launch(cli, program)) pto_cli_refused(cli, program);
  else if (read_figures(cli, program)) return program;
  tessera_pto_destroy(program);
  return NULL;
}

int pto_cli_find_global(const struct tessera_pto_program *program, const char *name) {
  int index = tessera_pto_find_tensor(program, name);
  if (index < 0) cli_bad_input("pto", "no global tensor @%s in this program", name);
  return index;
}
