/* The processes of kernel_spawn.h. */
#include "cli/kernel_spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/interrupt.h"

extern char **environ;

void kernel_words_add(struct kernel_words *w, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  char *copy = length >= 0 && w->count < KERNEL_WORDS ? malloc((size_t)length + 1) : NULL;
  if (copy) vsnprintf(w->word[w->count++] = copy, (size_t)length + 1, format, again);
  else if (w->count < KERNEL_WORDS) w->no_memory = true;
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

#define PROGRAMS_MAX 16u
static volatile pid_t programs[PROGRAMS_MAX]; /* that run; 0: none */

static void note_program(pid_t from, pid_t to) {
  for (unsigned i = 0; i < PROGRAMS_MAX; i++)
    if (programs[i] == from) {
      programs[i] = to;
      return;
    }
}

static void end_programs(void) {
  for (unsigned i = 0; i < PROGRAMS_MAX; i++)
    if (programs[i]) kill(-programs[i], SIGTERM);
}

pid_t kernel_spawn(const char *program, struct kernel_words *w, const char *log) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t own_group; /* a signal to it reaches what the program starts itself */
  pid_t process = -1;
  int error = w->no_memory ? ENOMEM : w->full ? E2BIG : posix_spawn_file_actions_init(&actions);
  if (error) return errno = error, -1;
  error = posix_spawnattr_init(&own_group);
  if (error) return posix_spawn_file_actions_destroy(&actions), errno = error, -1;
  cli_on_end(end_programs);
  sigset_t both, before; /* a signal between the start and its note would leave the program alone */
  sigemptyset(&both);
  sigaddset(&both, SIGINT);
  sigaddset(&both, SIGTERM);
  sigprocmask(SIG_BLOCK, &both, &before);
  posix_spawnattr_setsigmask(&own_group, &before);
  posix_spawnattr_setflags(&own_group, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  if (!error) error = posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (!error) error = posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  if (!error) error = posix_spawn(&process, program, &actions, &own_group, w->word, environ);
  if (!error) note_program(0, process);
  sigprocmask(SIG_SETMASK, &before, NULL);
  posix_spawnattr_destroy(&own_group);
  posix_spawn_file_actions_destroy(&actions);
  return error ? (errno = error, -1) : process;
}

int kernel_wait(pid_t process) {
  int status;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) return -1;
  note_program(process, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
