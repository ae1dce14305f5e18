/* The processes of kernel_spawn.h. */
#include "cli/kernel_spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

void kernel_words_add(struct kernel_words *w, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  char *copy = length >= 0 && w->count < KERNEL_WORDS ? malloc((size_t)length + 1) : NULL;
  if (copy) vsnprintf(w->word[w->count++] = copy, (size_t)length + 1, format, again);
  else w->full = true;
  va_end(again);
  va_end(args);
  w->word[w->count] = NULL;
}

void kernel_words_free(struct kernel_words *w) {
  for (size_t i = 0; i < w->count; i++) free(w->word[i]);
  w->count = 0;
}

bool kernel_find_program(const char *name, char *path, size_t size) {
  const char *at = getenv("PATH");
  if (strchr(name, '/')) at = NULL;
  if (!at) return snprintf(path, size, "%s", name) < (int)size && access(path, X_OK) == 0;
  for (;;) {
    size_t length = strcspn(at, ":");
    int all = snprintf(path, size, "%.*s%s%s", (int)length, at, length ? "/" : "./", name);
    if (all > 0 && (size_t)all < size && access(path, X_OK) == 0) return true;
    if (!at[length]) return false;
    at += length + 1;
  }
}

pid_t kernel_spawn(const char *program, struct kernel_words *w, const char *log) {
  posix_spawn_file_actions_t actions;
  pid_t process = -1;
  int error = w->full ? E2BIG : posix_spawn_file_actions_init(&actions);
  if (error) return errno = error, -1;
  error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (!error) error = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (!error) error = posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  if (!error) error = posix_spawn(&process, program, &actions, NULL, w->word, environ);
  posix_spawn_file_actions_destroy(&actions);
  return error ? (errno = error, -1) : process;
}

int kernel_wait(pid_t process) {
  int status;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
