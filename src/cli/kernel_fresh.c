/* The comparison of dates for kernel_fresh.h. */
#include "cli/kernel_fresh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/input.h"

#define FILE_MAX ((size_t)1 << 20)
#define PATH_MAX_HERE 2048u

static bool newer(const char *path, const struct stat *made) {
  struct stat is;
  if (stat(path, &is) != 0) return true;
  if (is.st_mtim.tv_sec != made->st_mtim.tv_sec) return is.st_mtim.tv_sec > made->st_mtim.tv_sec;
  return is.st_mtim.tv_nsec > made->st_mtim.tv_nsec;
}

/* Files of "target: a b \<newline> c"; a backslash escapes a blank in a name. */
static bool any_newer(const char *rule, const struct stat *made) {
  const char *at = strchr(rule, ':');
  if (!at) return true;
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
    if (length && newer(path, made)) return true;
    if (!length && *at) return true; /* a name that does not fit: rebuild */
  }
  return false;
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
  fresh = fresh && same_words(&at, compile) && same_words(&at, link) && !*at && !any_newer(rule.data, &made);
  for (size_t i = 0; fresh && i < also_count; i++) fresh = !newer(also[i], &made);
  cli_input_free(&words);
  cli_input_free(&rule);
  return fresh;
}

void kernel_made(const char *out, const char *core, const struct kernel_words *compile, const struct kernel_words *link) {
  char path[PATH_MAX_HERE];
  snprintf(path, sizeof path, "%s/%s.made", out, core);
  FILE *file = fopen(path, "w");
  if (!file) return;
  write_words(file, compile);
  write_words(file, link);
  if (fclose(file) != 0) unlink(path);
}
