/* The files of output.h. */
#define _DEFAULT_SOURCE /* getentropy */
#include "cli/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/interrupt.h"

/* The files that have a temporary name: a signal, or an end without cli_finish, removes them. */
#define UNFINISHED_MAX 64u
static char *volatile unfinished[UNFINISHED_MAX];
static FILE *unfinished_file[UNFINISHED_MAX];

#define NAME_TRIES 16u
#define NAME_BYTES sizeof "tessera-0123456789abcdef.part"

/* A name in the same directory that cannot be guessed; it is short, so that FILE may have the longest name. NULL: out of memory. */
static char *temporary_name(const char *path) {
  const char *slash = strrchr(path, '/');
  const size_t folder = slash ? (size_t)(slash + 1 - path) : 0;
  uint64_t random = 0;
  char *name = malloc(folder + NAME_BYTES);
  if (!name) return NULL;
  if (getentropy(&random, sizeof random) != 0) random = (uint64_t)getpid() << 32 ^ (uint64_t)clock();
  memcpy(name, path, folder);
  snprintf(name + folder, NAME_BYTES, "tessera-%016llx.part", (unsigned long long)random);
  return name;
}

static unsigned unfinished_place(const FILE *file) {
  unsigned i = 0;
  while (i < UNFINISHED_MAX && !(unfinished[i] && unfinished_file[i] == file)) i++;
  return i;
}

static void forget_unfinished(unsigned place) {
  char *name = unfinished[place];
  unfinished[place] = NULL;
  unfinished_file[place] = NULL;
  free(name);
}

/* Creates the file under its temporary name, which is noted first: a signal may come in between. It follows no link. */
static FILE *create_unfinished(const char *path, unsigned place) {
  for (unsigned tries = 0; tries < NAME_TRIES; tries++) {
    char *name = temporary_name(path);
    if (!name) return errno = ENOMEM, NULL;
    unfinished[place] = name;
    int number = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    FILE *file = number < 0 ? NULL : fdopen(number, "wb");
    if (file) return unfinished_file[place] = file;
    int why = errno;
    if (number >= 0) close(number), unlink(name);
    forget_unfinished(place);
    errno = why;
    if (why != EEXIST) return NULL;
  }
  return NULL;
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
  unsigned place = 0;
  while (place < UNFINISHED_MAX && unfinished[place]) place++;
  if (place == UNFINISHED_MAX) return errno = EMFILE, NULL;
  cli_on_end(remove_all);
  return create_unfinished(path, place);
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
  const char *slash = strrchr(path, '/');
  const int folder = slash ? (int)(slash + 1 - path) : 0;
  const size_t size = (size_t)folder + sizeof "tessera-XXXXXX";
  char *name = malloc(size);
  if (!name) return NULL;
  snprintf(name, size, "%.*stessera-XXXXXX", folder, path);
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
  const unsigned place = unfinished_place(file); /* UNFINISHED_MAX: it was written in place */
  if (!close_written(file)) good = false;
  if (place == UNFINISHED_MAX) return good;
  if (good && rename(unfinished[place], path) != 0) reason = errno, good = false;
  if (!good) unlink(unfinished[place]);
  forget_unfinished(place);
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
