/* The reruns of what_if.h. */
#include "cli/what_if.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/interrupt.h"
#include "tessera/tensix.h"

#define LINE_MAX_BYTES 512u
#define SAME_PERCENT 1.0 /* a smaller difference counts as no change */

bool cli_what_if_known(const char *verb, const char *what) {
  char text[LINE_MAX_BYTES];
  if (strcmp(what, "all") == 0 || strcmp(what, "none") == 0 || tessera_what_if_text(what, text, sizeof text) >= 0)
    return true;
  char names[LINE_MAX_BYTES] = "all, none";
  const char *name;
  for (unsigned i = 0; (name = tessera_what_if_name(i)); i++) {
    size_t length = strlen(names);
    snprintf(names + length, sizeof names - length, ", %s", name);
  }
  cli_bad_input(verb, "--what-if takes %s or CORE@FILE:LINE, not '%s'", names, what);
  return false;
}

struct lines {
  char *text;
  size_t length;
  uint64_t cycles;
  cli_rerun_fn *rerun;
  void *context;
};

static void add(struct lines *l, const char *line) {
  size_t length = strlen(line);
  char *more = realloc(l->text, l->length + length + 1);
  if (!more) return;
  memcpy(more + l->length, line, length + 1);
  l->text = more;
  l->length += length;
}

static void add_rerun(struct lines *l, const char *what) {
  char name[LINE_MAX_BYTES], text[LINE_MAX_BYTES], line[2 * LINE_MAX_BYTES];
  uint64_t cycles = 0;
  snprintf(name, sizeof name, "%s", what); /* may point into a text of the tile */
  if (cli_interrupted() || tessera_what_if_text(name, text, sizeof text) < 0) return;
  if (!l->text) add(l, "  what if, by running again\n");
  if (!l->rerun(l->context, name, &cycles) || !cycles) {
    snprintf(line, sizeof line, "    %s: does not apply to this run\n", text);
  } else {
    double times = (double)l->cycles / (double)cycles, change = 100.0 * (times - 1.0);
    bool same = change < SAME_PERCENT && change > -SAME_PERCENT;
    char verdict[64] = "no faster";
    if (!same)
      snprintf(verdict, sizeof verdict, "%.2f times %s", times > 1 ? times : 1 / times, times > 1 ? "faster" : "slower");
    snprintf(line, sizeof line, "    %s: %llu cycles instead of %llu, %s\n", text, (unsigned long long)cycles,
             (unsigned long long)l->cycles, verdict);
  }
  add(l, line);
}

char *cli_what_if_lines(const char *const *names, size_t count, const char *own, uint64_t cycles, cli_rerun_fn *rerun,
                        void *context) {
  struct lines l = {.cycles = cycles, .rerun = rerun, .context = context};
  if (!count && own[0]) add_rerun(&l, own);
  for (size_t i = 0; i < count; i++) {
    bool all = strcmp(names[i], "all") == 0;
    if (strcmp(names[i], "none") == 0) continue;
    if (!all) add_rerun(&l, names[i]);
    if (all && own[0]) add_rerun(&l, own);
    const char *name;
    for (unsigned n = 0; all && (name = tessera_what_if_name(n)); n++)
      if (strcmp(name, own) != 0) add_rerun(&l, name);
  }
  return l.text;
}
