/* tessera kernel new: creates a folder with a working kernel, copied from one of the library's templates. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/input.h"
#include "cli/interrupt.h"
#include "cli/kernel.h"
#include "cli/output.h"

#define FILE_MAX ((size_t)1 << 20)
#define MADE_MAX 32u
#define TEMPLATES_MAX 64u
#define LINE_MAX_HERE 256u

/* A folder that is not complete is removed, after a signal too: folders and files in the order in which they are made. */
static char made[MADE_MAX][2 * KERNEL_PATH];
static volatile size_t made_count;
static volatile bool incomplete;

static void remove_made(void) {
  cli_remove_unfinished();
  for (size_t i = made_count; incomplete && i > 0; i--)
    if (unlink(made[i - 1]) != 0) rmdir(made[i - 1]);
}

static bool note_made(const char *path) {
  if (made_count == MADE_MAX || strlen(path) >= sizeof made[0])
    return cli_bad_input("kernel", "%s: too many files in the template", path), false;
  memcpy(made[made_count], path, strlen(path) + 1);
  made_count++;
  return true;
}

static bool copy_file(const char *from, const char *to) {
  struct cli_input in;
  if (!cli_input_read(&in, "kernel", from, FILE_MAX)) return false;
  FILE *file = note_made(to) ? cli_create(to) : NULL;
  if (!file) cli_bad_input("kernel", "%s: could not be written: %s", to, strerror(errno));
  bool good = file && fwrite(in.data, 1, in.size, file) == in.size;
  if (file && !(good = cli_finish(file, to, good))) cli_not_written("kernel", to);
  cli_input_free(&in);
  return good;
}

/* A template has files, and folders with files. */
static bool copy_folder(const char *from, const char *to) {
  char source[2 * KERNEL_PATH], target[2 * KERNEL_PATH];
  DIR *folder = opendir(from);
  if (!folder) return cli_bad_input("kernel", "%s: %s", from, strerror(errno)), false;
  bool good = true;
  for (struct dirent *entry; good && (entry = readdir(folder));) {
    struct stat is;
    if (entry->d_name[0] == '.') continue;
    snprintf(source, sizeof source, "%s/%s", from, entry->d_name);
    snprintf(target, sizeof target, "%s/%s", to, entry->d_name);
    if (stat(source, &is) != 0) good = false;
    else if (!S_ISDIR(is.st_mode)) good = copy_file(source, target);
    else if (!note_made(target)) good = false;
    else if (mkdir(target, 0777) != 0) good = (cli_bad_input("kernel", "%s: %s", target, strerror(errno)), false);
    else good = copy_folder(source, target);
  }
  closedir(folder);
  return good;
}

/* --- templates --- */

/* The first line of a template's kernel.chip without its "# ". */
static bool describe(const char *folder, char line[LINE_MAX_HERE]) {
  char path[2 * KERNEL_PATH];
  struct cli_input in;
  snprintf(path, sizeof path, "%s/" KERNEL_MANIFEST, folder);
  if (access(path, R_OK) != 0 || !cli_input_read(&in, "kernel", path, FILE_MAX)) return false;
  const char *at = in.data + strspn(in.data, "# ");
  snprintf(line, LINE_MAX_HERE, "%.*s", (int)strcspn(at, "\n"), at);
  cli_input_free(&in);
  return true;
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static size_t list_names(const char *root, char *names[TEMPLATES_MAX]) {
  char path[KERNEL_PATH + 16];
  size_t count = 0;
  snprintf(path, sizeof path, "%s/templates", root);
  DIR *folder = opendir(path);
  for (struct dirent *entry; folder && count < TEMPLATES_MAX && (entry = readdir(folder));)
    if (entry->d_name[0] != '.' && (names[count] = strdup(entry->d_name))) count++;
  if (folder) closedir(folder);
  if (count) qsort(names, count, sizeof *names, by_text);
  return count;
}

int kernel_list_templates(const char *library) {
  struct kernel_library l;
  char *names[TEMPLATES_MAX], path[2 * KERNEL_PATH], line[LINE_MAX_HERE];
  if (!kernel_library_find(&l, library)) return CLI_BAD_INPUT;
  size_t count = list_names(l.root, names);
  cli_showf("%-10s %s\n", "add", "C = A + B, tile by tile, in C (without --template)");
  for (size_t i = 0; i < count; i++) {
    snprintf(path, sizeof path, "%s/templates/%s", l.root, names[i]);
    if (describe(path, line)) cli_showf("%-10s %s\n", names[i], line);
    free(names[i]);
  }
  return CLI_OK;
}

/* The folder of a template; false after one line. */
static bool find_template(const struct kernel_library *l, const char *name, char path[2 * KERNEL_PATH]) {
  snprintf(path, 2 * KERNEL_PATH, "%s/templates/%s/" KERNEL_MANIFEST, l->root, name);
  bool good = name[0] && !strchr(name, '/') && name[0] != '.' && access(path, R_OK) == 0;
  snprintf(path, 2 * KERNEL_PATH, "%s/templates/%s", l->root, name);
  return good || (cli_bad_input("kernel", "no template '%s': tessera kernel new --list names them", name), false);
}

int kernel_new(const char *folder, const char *library, const char *template) {
  struct kernel_library l;
  char from[2 * KERNEL_PATH], line[LINE_MAX_HERE] = "", word[4 * KERNEL_PATH + 8];
  bool usual = !template || strcmp(template, "add") == 0;
  if (strlen(folder) >= KERNEL_PATH - 64) return cli_bad_input("kernel", "the folder's name is too long");
  if (!kernel_library_find(&l, library)) return CLI_BAD_INPUT;
  if (usual) snprintf(from, sizeof from, "%s/template", l.root);
  else if (!find_template(&l, template, from)) return CLI_BAD_INPUT;
  cli_on_end(remove_made);
  if (mkdir(folder, 0777) != 0) return cli_bad_input("kernel", "%s: %s", folder, strerror(errno));
  incomplete = true;
  if (!note_made(folder) || !copy_folder(from, folder)) return remove_made(), CLI_BAD_INPUT;
  incomplete = false;
  cli_shell_word(folder, word, sizeof word);
  if (usual) snprintf(line, sizeof line, "reader.c, compute.c, writer.c and " KERNEL_MANIFEST ", which describes the run");
  else if (!describe(folder, line)) return CLI_BAD_INPUT;
  cli_showf("%s: %s%s now: tessera kernel run %s\n", folder, line, usual ? ";" : "", word);
  return CLI_OK;
}
