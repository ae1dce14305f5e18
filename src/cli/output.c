/* The files of output.h. */
#include "cli/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/interrupt.h"

#define PART ".part" /* in a temporary name, before the number of the process */

/* A new name in the same directory, unique to this process; NULL: out of memory. */
static char *temporary_name(const char *path) {
  size_t size = strlen(path) + 32;
  char *name = malloc(size);
  if (name) snprintf(name, size, "%s" PART "%ld", path, (long)getpid());
  return name;
}

/* The files that have their temporary name: a signal, or an end without cli_finish, removes them. */
#define UNFINISHED_MAX 64u
static char *volatile unfinished[UNFINISHED_MAX];

/* Takes the name over. */
static bool note_unfinished(char *name) {
  for (unsigned i = 0; i < UNFINISHED_MAX; i++)
    if (!unfinished[i]) return unfinished[i] = name, true;
  return false;
}

/* The temporary name of the file, NULL: it is written in place. Needs no memory. */
static char *unfinished_name(const char *path) {
  const size_t length = strlen(path);
  for (unsigned i = 0; i < UNFINISHED_MAX; i++) {
    char *known = unfinished[i];
    if (!known || strncmp(known, path, length) != 0 || strncmp(known + length, PART, strlen(PART)) != 0) continue;
    if (strspn(known + length + strlen(PART), "0123456789") != strlen(known + length + strlen(PART))) continue;
    return known;
  }
  return NULL;
}

static void forget_unfinished(char *name) {
  for (unsigned i = 0; i < UNFINISHED_MAX; i++)
    if (unfinished[i] == name) unfinished[i] = NULL;
  free(name);
}

unsigned cli_remove_unfinished(void) {
  unsigned count = 0;
  for (unsigned i = 0; i < UNFINISHED_MAX; i++)
    if (unfinished[i]) count += unlink(unfinished[i]) == 0;
  return count;
}

static void remove_all(void) { cli_remove_unfinished(); }

bool cli_is_file(const char *verb, const char *option, const char *path) {
  if (strcmp(path, "-") != 0) return true;
  return cli_bad_input(verb, "%s takes the name of a file, not standard output (./- is a file of that name)", option), false;
}

FILE *cli_create(const char *path) {
  if (access(path, F_OK) == 0 && access(path, W_OK) != 0) return NULL; /* a write-protected file is not replaced */
  struct stat is;
  bool in_place = lstat(path, &is) == 0 && !S_ISREG(is.st_mode);
  if (!path[0]) return errno = ENOENT, NULL;
  if (in_place) return fopen(path, "wb");
  char *name = temporary_name(path);
  if (!name) return errno = ENOMEM, NULL;
  cli_on_end(remove_all);
  if (!note_unfinished(name))
    return free(name), errno = EMFILE, NULL; /* before the file exists: a signal may come in between */
  FILE *file = fopen(name, "wb");
  int why = errno;
  if (!file) forget_unfinished(name);
  errno = why;
  return file;
}

bool cli_can_create(const char *path) {
  struct stat is;
  if (stat(path, &is) == 0 && S_ISDIR(is.st_mode)) return errno = EISDIR, false;
  if (lstat(path, &is) == 0 && !S_ISREG(is.st_mode))
    return access(path, F_OK) != 0 || access(path, W_OK) == 0; /* written in place */
  FILE *file = cli_create(path);
  cli_discard(file, path);
  return file != NULL;
}

bool cli_can_write(const char *path) {
  static const char block[4096];
  FILE *file = cli_create(path);
  if (!file) return false;
  bool good = fwrite(block, 1, sizeof block, file) == sizeof block && fflush(file) == 0;
  int why = errno;
  cli_discard(file, path);
  errno = why;
  return good;
}

FILE *cli_create_or_stdout(const char *path) { return strcmp(path, "-") == 0 ? stdout : cli_create(path); }

FILE *cli_nameless(const char *path) {
  struct stat is;
  if (stat(path, &is) == 0 && !S_ISREG(is.st_mode)) return tmpfile(); /* beside a device or a pipe no file can be created */
  size_t size = strlen(path) + 16;
  char *name = malloc(size);
  if (!name) return NULL;
  snprintf(name, size, "%s.XXXXXX", path);
  int number = mkstemp(name);
  FILE *file = number < 0 ? NULL : fdopen(number, "w+b");
  int why = errno;
  if (number >= 0) unlink(name);
  if (number >= 0 && !file) close(number);
  free(name);
  errno = why;
  return file;
}

static int reason; /* of the last file that cli_finish did not write; 0: unknown */
static int blamed; /* of what was to go into it */

bool cli_blame(int why) {
  blamed = why;
  return false;
}

/* Why a write has failed: it is repeated, its own reason is lost. */
static int failure_of(FILE *file) {
  if (!ferror(file)) return 0;
  clearerr(file);
  errno = 0;
  if (fputc(0, file) != EOF) (void)fflush(file);
  return errno;
}

bool cli_flushed(FILE *file) {
  if (fflush(file) == 0 && !ferror(file)) return true;
  return cli_blame(failure_of(file));
}

/* Closes the file; false with the reason. */
static bool close_written(FILE *file) {
  bool failed = ferror(file) != 0;
  int why = failure_of(file);
  errno = 0;
  bool closed = fclose(file) == 0;
  reason = why ? why : errno ? errno : blamed;
  blamed = 0;
  return closed && !failed;
}

bool cli_finish(FILE *file, const char *path, bool good) {
  if (cli_memory_failed) good = false; /* it may lack a part */
  if (file == stdout) return fflush(stdout) == 0 && !ferror(stdout) && good;
  char *name = unfinished_name(path);
  if (!close_written(file)) good = false;
  if (name && good && rename(name, path) != 0) reason = errno, good = false;
  if (name && !good) unlink(name);
  if (name) forget_unfinished(name);
  return good;
}

int cli_not_written(const char *verb, const char *path) {
  static bool printed; /* a full disk fails all of them */
  if (!printed)
    cli_bad_input(verb, "%s: could not be written completely%s%s", path, reason ? ": " : "", reason ? strerror(reason) : "");
  printed = true;
  return CLI_BAD_INPUT;
}

void cli_discard(FILE *file, const char *path) {
  if (file && file != stdout) cli_finish(file, path, false);
}
