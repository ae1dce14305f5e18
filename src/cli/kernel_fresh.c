/* The comparison of dates for kernel_fresh.h. */
#include "cli/kernel_fresh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/input.h"

#define FILE_MAX ((size_t)1 << 20)
#define PATH_MAX_HERE 2048u

static uint64_t nanoseconds(const struct timespec *t) { return (uint64_t)t->tv_sec * 1000000000u + (uint64_t)t->tv_nsec; }

uint64_t kernel_now(void) {
  struct timespec now = {0};
  clock_gettime(CLOCK_REALTIME, &now);
  return nanoseconds(&now);
}

static bool newer(const char *path, const struct stat *made) {
  struct stat is;
  return stat(path, &is) != 0 || nanoseconds(&is.st_mtim) > nanoseconds(&made->st_mtim);
}

/* What the files of a rule were when they were compiled. A file that is replaced by an older one has changed too. */
struct stamp {
  uint64_t sum, newest; /* of their names, times and sizes; UINT64_MAX: a file is missing */
};

static void add_bytes(struct stamp *s, const void *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) s->sum = (s->sum ^ ((const uint8_t *)bytes)[i]) * UINT64_C(0x100000001b3);
}

static void add_file(struct stamp *s, const char *path) {
  struct stat is;
  if (stat(path, &is) != 0) {
    s->newest = UINT64_MAX;
    return;
  }
  uint64_t words[2] = {nanoseconds(&is.st_mtim), (uint64_t)is.st_size};
  add_bytes(s, path, strlen(path));
  add_bytes(s, words, sizeof words);
  if (s->newest < words[0]) s->newest = words[0];
}

/* Files of "target: a b \<newline> c"; a backslash escapes a blank in a name. */
static struct stamp stamp_of(const char *rule) {
  struct stamp s = {.sum = UINT64_C(0xcbf29ce484222325)};
  const char *at = strchr(rule, ':');
  if (!at) return (struct stamp){.newest = UINT64_MAX};
  for (at++; *at;) {
    char path[PATH_MAX_HERE];
    size_t length = 0;
    while (*at == ' ' || *at == '\n' || (*at == '\\' && at[1] == '\n')) at++;
    for (; *at && *at != ' ' && *at != '\n' && length + 1 < sizeof path; at++) {
      if (*at == '\\' && at[1] == ' ') at++;
      else if (*at == '$' && at[1] == '$') at++;
      path[length++] = *at;
    }
    path[length] = '\0';
    if (length) add_file(&s, path);
    else if (*at) return (struct stamp){.newest = UINT64_MAX}; /* a name that does not fit: rebuild */
  }
  return s;
}

static void write_words(FILE *file, const struct kernel_words *w) {
  for (size_t i = 0; i < w->count; i++) fprintf(file, "%s\n", w->word[i]);
}

static bool same_words(const char **at, const struct kernel_words *w) {
  for (size_t i = 0; i < w->count; i++) {
    size_t length = strlen(w->word[i]);
    if (strncmp(*at, w->word[i], length) != 0 || (*at)[length] != '\n') return false;
    *at += length + 1;
  }
  return true;
}

static bool read_part(struct cli_input *in, const char *out, const char *core, const char *ending) {
  char path[PATH_MAX_HERE];
  snprintf(path, sizeof path, "%s/%s.%s", out, core, ending);
  return access(path, R_OK) == 0 && cli_input_read(in, "kernel", path, FILE_MAX);
}

bool kernel_is_fresh(const char *out, const char *core, const struct kernel_words *compile, const struct kernel_words *link,
                     const char *const *also, size_t also_count) {
  char path[PATH_MAX_HERE];
  struct stat made;
  struct cli_input words = {0}, rule = {0};
  snprintf(path, sizeof path, "%s/%s.elf", out, core);
  bool fresh = stat(path, &made) == 0 && read_part(&words, out, core, "made") && read_part(&rule, out, core, "d");
  const char *at = words.data;
  fresh = fresh && same_words(&at, compile) && same_words(&at, link);
  struct stamp now = fresh ? stamp_of(rule.data) : (struct stamp){.newest = UINT64_MAX};
  fresh = fresh && now.newest != UINT64_MAX && strtoull(at, NULL, 16) == now.sum;
  for (size_t i = 0; fresh && i < also_count; i++) fresh = !newer(also[i], &made);
  cli_input_free(&words);
  cli_input_free(&rule);
  return fresh;
}

void kernel_made(const char *out, const char *core, const struct kernel_words *compile, const struct kernel_words *link,
                 uint64_t started) {
  char path[PATH_MAX_HERE];
  struct cli_input rule = {0};
  struct stamp stamp = {.newest = UINT64_MAX};
  if (read_part(&rule, out, core, "d")) stamp = stamp_of(rule.data);
  cli_input_free(&rule);
  snprintf(path, sizeof path, "%s/%s.made", out, core);
  if (stamp.newest >= started) { /* changed meanwhile: what was compiled is not known */
    unlink(path);
    return;
  }
  FILE *file = fopen(path, "w");
  if (!file) return;
  write_words(file, compile);
  write_words(file, link);
  fprintf(file, "%016llx\n", (unsigned long long)stamp.sum);
  if (fclose(file) != 0) unlink(path);
}
