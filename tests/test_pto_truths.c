/* The truths: small programs in tests/pto/truths, each with what is wrong with it, written from the TPUSH page and from public threads
 * before the checkers that find them. README there has the rules. A bug counts as found by a verb if the verb fails, if its text has
 * one of the words of `want`, and if the text names every line with the mark `// @`. A correct program counts as quiet if no verb fails. */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tessera/pto.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define TEXT_MAX 65536u
#define LINES_MAX 8u
#define FILES_MAX 256u
#define SCHEDULES 120u
/* Of the two folders, today. */
#define BUGS_FOUND 94u
#define QUIET 44u

static const char bugs[] = "tests/pto/truths/bugs", quiet[] = "tests/pto/truths/quiet";
enum { RUN, CHECK, EXPLORE, VERBS };
static const char *const verb_names[VERBS] = {"run", "check", "explore"};

struct truth {
  char name[64], text[16384];
  char want[128];
  unsigned lines[LINES_MAX], line_count;
};

/* What a verb gives for a program. */
struct answer {
  bool bad;
  char text[TEXT_MAX];
};
static struct answer answers[VERBS];

static void read_truth(const char *folder, const char *file, struct truth *t) {
  char path[256];
  memset(t, 0, sizeof *t);
  snprintf(t->name, sizeof t->name, "%.*s", (int)strcspn(file, "."), file);
  snprintf(path, sizeof path, "%s/%s", folder, file);
  FILE *in = fopen(path, "r");
  assert_non_null(in);
  size_t size = fread(t->text, 1, sizeof t->text - 1, in);
  assert_in_range(size, 1, sizeof t->text - 2);
  fclose(in);
  unsigned number = 1;
  for (const char *line = t->text; *line; number++) {
    size_t length = strcspn(line, "\n");
    const char *mark = strstr(line, "// @");
    if (strncmp(line, "// want: ", 9) == 0) snprintf(t->want, sizeof t->want, "%.*s", (int)length - 9, line + 9);
    if (mark && mark < line + length) {
      assert_in_range(t->line_count, 0, LINES_MAX - 1);
      t->lines[t->line_count++] = number;
    }
    line += length + (line[length] == '\n');
  }
}

/* "line 12" or "name.pto:12". */
static bool names_line(const char *text, unsigned line) {
  char forms[2][16];
  snprintf(forms[0], sizeof forms[0], "line %u", line);
  snprintf(forms[1], sizeof forms[1], ".pto:%u", line);
  for (unsigned i = 0; i < 2; i++)
    for (const char *at = strstr(text, forms[i]); at; at = strstr(at + 1, forms[i])) {
      char after = at[strlen(forms[i])];
      if (after < '0' || after > '9') return true;
    }
  return false;
}

static bool has_word(const char *text, const char *want) {
  char words[128];
  snprintf(words, sizeof words, "%s", want);
  for (char *word = strtok(words, "|"); word; word = strtok(NULL, "|"))
    if (strstr(text, word)) return true;
  return false;
}

static bool found(const struct truth *t, const struct answer *a) {
  bool good = a->bad && has_word(a->text, t->want);
  for (unsigned i = 0; i < t->line_count; i++) good = good && names_line(a->text, t->lines[i]);
  return good;
}

static void ask(const struct truth *t) {
  char error[2048] = "", file[80];
  snprintf(file, sizeof file, "%s.pto", t->name);
  const struct tessera_pto_source source = {.name = file, .text = t->text, .length = strlen(t->text)};
  struct tessera_pto_program *p = tessera_pto_parse_source(&source, error, sizeof error);
  if (!p) { /* every verb prints this error */
    for (unsigned v = 0; v < VERBS; v++) {
      answers[v].bad = true;
      snprintf(answers[v].text, TEXT_MAX, "%s", error);
    }
    return;
  }
  struct tessera_pto_machine *m = tessera_pto_start(p, NULL);
  if (m) tessera_pto_run(m, UINT64_C(1) << 40);
  answers[RUN].bad = !m || tessera_pto_exit_code(m) != 0;
  snprintf(answers[RUN].text, TEXT_MAX, "%s", m ? tessera_pto_report(m) : tessera_pto_error(p));
  tessera_pto_stop(m);
  int checked = tessera_pto_check(p, answers[CHECK].text, TEXT_MAX);
  if (checked < 0) snprintf(answers[CHECK].text, TEXT_MAX, "%s", tessera_pto_error(p));
  answers[CHECK].bad = checked != 0;
  int explored = tessera_pto_explore(p, SCHEDULES, answers[EXPLORE].text, TEXT_MAX);
  if (explored < 0) snprintf(answers[EXPLORE].text, TEXT_MAX, "%s", tessera_pto_error(p));
  answers[EXPLORE].bad = explored != 0;
  if (!explored) answers[EXPLORE].text[0] = '\0';
  tessera_pto_destroy(p);
}

static int by_name(const void *a, const void *b) { return strcmp(a, b); }

static unsigned files_of(const char *folder, char files[FILES_MAX][64]) {
  unsigned count = 0;
  DIR *dir = opendir(folder);
  assert_non_null(dir);
  for (const struct dirent *e = readdir(dir); e; e = readdir(dir)) {
    if (!strstr(e->d_name, ".pto")) continue;
    assert_in_range(count, 0, FILES_MAX - 1);
    snprintf(files[count++], 64, "%.63s", e->d_name);
  }
  closedir(dir);
  qsort(files, count, 64, by_name);
  return count;
}

static char names[FILES_MAX][64];
static struct truth truth;

/* TESSERA_TRUTHS=all prints every answer. */
static void show(const char *verb, const char *text) {
  if (getenv("TESSERA_TRUTHS")) printf("  %s: %.*s\n", verb, 1200, text);
}

static void test_bugs(void **state) {
  (void)state;
  unsigned count = files_of(bugs, names), all = 0, by[VERBS] = {0};
  for (unsigned i = 0; i < count; i++) {
    read_truth(bugs, names[i], &truth);
    ask(&truth);
    bool every = true;
    for (unsigned v = 0; v < VERBS; v++) {
      bool is = found(&truth, &answers[v]);
      by[v] += is ? 1u : 0u;
      every = every && is;
      if (is) continue;
      printf("%s: not found by %s%s\n", truth.name, verb_names[v], answers[v].bad ? " (it fails for another reason)" : "");
      show(verb_names[v], answers[v].text);
    }
    all += every ? 1u : 0u;
  }
  printf("note: of %u bugs %u are found by run, check and explore; by run %u, by check %u, by explore %u\n", count, all,
         by[RUN], by[CHECK], by[EXPLORE]);
  assert_in_range(all, BUGS_FOUND, count);
}

static void test_quiet(void **state) {
  (void)state;
  unsigned count = files_of(quiet, names), silent = 0;
  for (unsigned i = 0; i < count; i++) {
    read_truth(quiet, names[i], &truth);
    ask(&truth);
    bool every = true;
    for (unsigned v = 0; v < VERBS; v++) {
      if (!answers[v].bad) continue;
      printf("%s: %s fails\n", truth.name, verb_names[v]);
      show(verb_names[v], answers[v].text);
      every = false;
    }
    silent += every ? 1u : 0u;
  }
  printf("note: of %u correct programs %u are quiet in all three verbs\n", count, silent);
  assert_in_range(silent, QUIET, count);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_bugs), cmocka_unit_test(test_quiet)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
