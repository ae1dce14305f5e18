/* The files of output.h. */
#include "cli/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/cli.h"

/* A new name in the same directory, unique to this process; NULL: the file is written in place, or out of memory. */
static char *temporary_name(const char *path) {
  struct stat is;
  if (lstat(path, &is) == 0 && !S_ISREG(is.st_mode)) return NULL;
  size_t size = strlen(path) + 32;
  char *name = malloc(size);
  if (name) snprintf(name, size, "%s.part%ld", path, (long)getpid());
  return name;
}

bool cli_is_file(const char *verb, const char *option, const char *path) {
  if (strcmp(path, "-") != 0) return true;
  return cli_bad_input(verb, "%s takes the name of a file, not standard output (./- is a file of that name)", option), false;
}

FILE *cli_create(const char *path) {
  char *name = temporary_name(path);
  FILE *file = NULL;
  if (access(path, F_OK) != 0 || access(path, W_OK) == 0)
    file = fopen(name ? name : path, "wb"); /* a write-protected file is not replaced */
  int why = errno;
  free(name);
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

bool cli_finish(FILE *file, const char *path, bool good) {
  if (file == stdout) return good && fflush(stdout) == 0 && !ferror(stdout);
  char *name = temporary_name(path);
  if (ferror(file)) good = false;
  if (fclose(file) != 0) good = false;
  if (name && good && rename(name, path) != 0) good = false;
  if (name && !good) unlink(name);
  free(name);
  return good;
}

void cli_discard(FILE *file, const char *path) {
  if (file && file != stdout) cli_finish(file, path, false);
}
