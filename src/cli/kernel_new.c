/* tessera kernel new: creates a folder with a working kernel, copied from the library's template. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/input.h"
#include "cli/interrupt.h"
#include "cli/kernel.h"
#include "cli/output.h"

#define FILE_MAX ((size_t)1 << 20)

static bool copy_file(const char *from_folder, const char *to_folder, const char *name) {
  char path[2 * KERNEL_PATH];
  struct cli_input in;
  snprintf(path, sizeof path, "%s/template/%s", from_folder, name);
  if (!cli_input_read(&in, "kernel", path, FILE_MAX)) return false;
  snprintf(path, sizeof path, "%s/%s", to_folder, name);
  FILE *file = cli_create(path);
  if (!file) cli_bad_input("kernel", "%s: could not be written: %s", path, strerror(errno));
  bool good = file && fwrite(in.data, 1, in.size, file) == in.size;
  if (file && !(good = cli_finish(file, path, good))) cli_not_written("kernel", path);
  cli_input_free(&in);
  return good;
}

/* A folder that is not complete is removed, after a signal too. */
static const char *const names[] = {"reader.c", "compute.c", "writer.c", KERNEL_MANIFEST};
static char made[1 + CLI_COUNT(names)][2 * KERNEL_PATH]; /* the folder, its files */
static volatile bool incomplete;

static void remove_made(void) {
  cli_remove_unfinished();
  for (size_t i = CLI_COUNT(names); incomplete && i > 0; i--) unlink(made[i]);
  if (incomplete) rmdir(made[0]);
}

static bool make_folder(const char *folder) {
  snprintf(made[0], sizeof made[0], "%s", folder);
  for (size_t i = 0; i < CLI_COUNT(names); i++) snprintf(made[i + 1], sizeof made[0], "%s/%s", folder, names[i]);
  cli_on_end(remove_made);
  return mkdir(folder, 0777) == 0;
}

int kernel_new(const char *folder, const char *library) {
  struct kernel_library l;
  if (strlen(folder) >= KERNEL_PATH - 64) return cli_bad_input("kernel", "the folder's name is too long");
  if (!kernel_library_find(&l, library)) return CLI_BAD_INPUT;
  if (!make_folder(folder)) return cli_bad_input("kernel", "%s: %s", folder, strerror(errno));
  incomplete = true;
  for (size_t i = 0; i < CLI_COUNT(names); i++)
    if (!copy_file(l.root, folder, names[i])) return remove_made(), CLI_BAD_INPUT;
  incomplete = false;
  char word[4 * KERNEL_PATH + 8];
  cli_shell_word(folder, word, sizeof word);
  cli_showf("%s: reader.c, compute.c, writer.c and %s, which describes the run; now: tessera kernel run %s\n", folder,
            KERNEL_MANIFEST, word);
  return CLI_OK;
}
