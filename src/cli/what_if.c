/* The reruns of what_if.h. */
#include "cli/what_if.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/cli.h"
#include "cli/interrupt.h"
#include "tessera/chip.h"
#include "tessera/tensix.h"

#define LINE_MAX_BYTES CLI_WHAT_IF_MAX
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
  cli_bad_input(verb,
                "--what-if takes %s, buffers N,N, hand-overs N, semaphore N, dram N, link NOC X,Y in|out|x|y, CORE page by "
                "page, CORE@FILE:LINE, "
                "CORE@FILE:FIRST-LAST or CORE@FUNCTION, not '%s'",
                names, what);
  return false;
}

/* --- several changes: "A + B" --- */

#define AND " + "

/* Copies the first of them; returns the rest, or NULL. */
static const char *take_one(const char *what, char one[LINE_MAX_BYTES]) {
  const char *and = strstr(what, AND);
  size_t length = and? (size_t)(and-what) : strlen(what);
  if (length >= LINE_MAX_BYTES) length = LINE_MAX_BYTES - 1;
  memcpy(one, what, length);
  one[length] = '\0';
  return and? and+strlen(AND) : NULL;
}

bool cli_what_if_set(struct tessera_tile *tile, const char *what) {
  char one[LINE_MAX_BYTES];
  while (what) {
    what = take_one(what, one);
    if (tessera_tile_set_what_if(tile, one) != TESSERA_OK) return false;
  }
  return true;
}

bool cli_what_if_set_tiles(struct tessera_tile *const *tiles, size_t count, const char *what) {
  char one[LINE_MAX_BYTES];
  while (what) {
    size_t set = 0;
    what = take_one(what, one);
    for (size_t i = 0; i < count; i++) set += tessera_tile_set_what_if(tiles[i], one) == TESSERA_OK;
    if (!set) return false;
  }
  return true;
}

bool cli_what_if_has(const char *what, const char *wanted) {
  char one[LINE_MAX_BYTES];
  while (what) {
    what = take_one(what, one);
    if (strcmp(one, wanted) == 0) return true;
  }
  return false;
}

bool cli_what_if_names_code(const char *what) { return strchr(what, '@'); }

/* --- errors that a change makes --- */

static bool moves_a_wait(const char *what) { return strstr(what, " behind its loop"); }

uint32_t cli_rerun_checks(const char *what, uint32_t checks_of_run) {
  return what && moves_a_wait(what) ? checks_of_run : 0;
}

/* The number of error findings; `first`, if it is empty, becomes the first of them. */
static uint64_t errors_of(const struct tessera_tile *tile, char *first, size_t size) {
  uint64_t errors = 0;
  for (size_t i = 0; i < tessera_tile_finding_count(tile); i++) {
    struct tessera_finding f;
    if (tessera_tile_finding(tile, i, &f) != TESSERA_OK || f.severity != TESSERA_ERROR) continue;
    errors++;
    if (first && !*first) snprintf(first, size, "%s%s%s", f.id, f.place[0] ? " at " : "", f.place);
  }
  return errors;
}

void cli_rerun_compare(struct cli_rerun *result, const char *what, const struct tessera_tile *run,
                       const struct tessera_tile *again) {
  char first[sizeof result->race] = "";
  if (moves_a_wait(what) && errors_of(again, first, sizeof first) > errors_of(run, NULL, 0))
    snprintf(result->race, sizeof result->race, "%s", first);
}

struct growing {
  char *text;
  size_t length;
};

struct lines {
  struct growing text, json;
  uint64_t cycles;
  unsigned tiles;
  bool mixed;
  cli_rerun_fn *rerun;
  void *context;
  bool interrupted; /* a rerun is missing because of a signal */
  bool unverified;  /* and so the verdict is that of the path */
};

static void add(struct growing *g, const char *line) {
  size_t length = strlen(line);
  char *more = realloc(g->text, g->length + length + 1);
  if (!more) return;
  memcpy(more + g->length, line, length + 1);
  g->text = more;
  g->length += length;
}

static void add_quoted(struct growing *g, const char *text) {
  char one[8];
  add(g, "\"");
  for (; *text; text++) {
    bool plain = (unsigned char)*text >= ' ' && *text != '"' && *text != '\\';
    snprintf(one, sizeof one, plain ? "%c" : "\\u%04x", (unsigned char)*text);
    add(g, one);
  }
  add(g, "\"");
}

static void add_json(struct growing *g, const char *name, const char *text, const struct cli_rerun *rerun) {
  const uint64_t cycles = rerun->cycles;
  char number[32];
  add(g, g->text ? ",{\"what_if\":" : "{\"what_if\":");
  add_quoted(g, name);
  add(g, ",\"text\":");
  add_quoted(g, text);
  if (cycles) snprintf(number, sizeof number, "%llu", (unsigned long long)cycles);
  add(g, ",\"cycles\":");
  add(g, cycles ? number : "null");
  if (rerun->race[0]) add(g, ",\"race\":"), add_quoted(g, rerun->race);
  add(g, "}");
}

static void add_heading(struct lines *l) {
  char line[LINE_MAX_BYTES];
  if (l->tiles < 2) snprintf(line, sizeof line, "  what if, by running again\n");
  else if (l->mixed)
    snprintf(line, sizeof line, "  what if, by running again with the change on those of the %u tiles that it applies to\n",
             l->tiles);
  else snprintf(line, sizeof line, "  what if, by running again with the change on all %u tiles\n", l->tiles);
  add(&l->text, line);
}

/* The line of one rerun. */
static void add_line(struct lines *l, const char *name, const char *text, const struct cli_rerun *rerun) {
  const uint64_t cycles = rerun->cycles;
  char line[2 * LINE_MAX_BYTES];
  if (!l->text.text) add_heading(l);
  add_json(&l->json, name, text, rerun);
  if (!cycles) {
    snprintf(line, sizeof line, "    %s: does not apply to this run\n", text);
  } else {
    double times = (double)l->cycles / (double)cycles, change = 100.0 * (times - 1.0);
    bool same = change < SAME_PERCENT && change > -SAME_PERCENT;
    char verdict[64] = "no faster";
    if (!same)
      snprintf(verdict, sizeof verdict, "%.2f times %s", times > 1 ? times : 1 / times, times > 1 ? "faster" : "slower");
    snprintf(line, sizeof line, "    %s: %llu cycles instead of %llu, %s%s%s\n", text, (unsigned long long)cycles,
             (unsigned long long)l->cycles, verdict, rerun->race[0] ? ", but with a new error: " : "", rerun->race);
  }
  add(&l->text, line);
}

static void add_result(struct lines *l, const char *name, const struct cli_rerun *rerun) {
  char text[LINE_MAX_BYTES];
  tessera_what_if_text(name, text, sizeof text);
  add_line(l, name, text, rerun);
}

static bool is_of_t_cores(const char *name) { return strncasecmp(name, "TRISC", 5) == 0 && strchr(name, '@'); }

/* The run with this change; no cycles: it does not apply, or a signal has ended it. A line of one side of the Src banks, removed,
 * leaves the other side waiting: such a run does not end, and the line's words are executed in no time instead. */
static struct cli_rerun run_with(struct lines *l, const char *name, struct cli_next *next) {
  char executed[LINE_MAX_BYTES + 16];
  struct cli_rerun result = {.cycles = 0};
  cli_progress("rerun, %s", name);
  if (!cli_stopped() && l->rerun(l->context, name, &result, next)) return cli_progress_clear(), result;
  snprintf(executed, sizeof executed, "%s executed", name);
  if (!cli_stopped() && is_of_t_cores(name) && l->rerun(l->context, executed, &result, next)) return result;
  if (cli_stopped()) l->interrupted = true;
  return (struct cli_rerun){.cycles = 0};
}

/* --- those of the verdict --- */

#define CAUSES TESSERA_WHY_CAUSES
#define BY_PATH 2u /* causes by the critical path; the others are tried if reruns refute these */

static void causes_of(const struct cli_verdict *v, char names[CAUSES][LINE_MAX_BYTES]) {
  cli_progress("looking for the cause");
  for (unsigned i = 0; i < CAUSES; i++)
    snprintf(names[i], LINE_MAX_BYTES, "%s",
             v->chip ? tessera_chip_why_cause(v->chip, i) : tessera_tile_why_cause(v->tile, i));
  cli_progress_clear();
}

static void add_rerun(struct lines *l, const struct cli_verdict *v, const char *name) {
  char text[LINE_MAX_BYTES], causes[CAUSES][LINE_MAX_BYTES];
  if (strcmp(name, "buffers") == 0) { /* those of one block are known by the run only */
    causes_of(v, causes);
    for (unsigned i = 0; i < CAUSES; i++)
      if (strncmp(causes[i], "buffers ", strlen("buffers ")) == 0) name = causes[i];
  }
  if (l->interrupted || tessera_what_if_text(name, text, sizeof text) < 0) return;
  const struct cli_rerun result = run_with(l, name, NULL);
  if (!l->interrupted) add_result(l, name, &result);
}

static const char *chosen_by(const struct cli_verdict *v) {
  return v->chip ? tessera_chip_why_what_if(v->chip) : tessera_tile_why_what_if(v->tile);
}

static bool decide(const struct cli_verdict *v, uint64_t cycles, const struct cli_rerun of[CAUSES]) {
  uint64_t reruns[CAUSES];
  for (unsigned i = 0; i < CAUSES; i++) reruns[i] = of[i].race[0] ? TESSERA_WHY_RACES : of[i].cycles;
  return v->chip ? tessera_chip_why_decide(v->chip, cycles, reruns, CAUSES)
                 : tessera_tile_why_decide(v->tile, cycles, reruns, CAUSES);
}

#define FURTHER_MAX 2u
#define FURTHER_PERCENT 10u /* a further cause saves at least so much of what the ones before leave */

static bool saves_enough(uint64_t before, uint64_t cycles) {
  return cycles && cycles < before && (before - cycles) * 100 >= before * FURTHER_PERCENT;
}

/* The run without its cause is bound by something else. If that was beside the cause all the time, both have to change: the cause alone
 * saves little. It gets a sentence, and a rerun with both changes. */
static void add_further(struct lines *l, const char *cause, uint64_t cycles, struct cli_next next) {
  char all[LINE_MAX_BYTES], text[LINE_MAX_BYTES], both[LINE_MAX_BYTES + 8];
  snprintf(all, sizeof all, "%s", cause);
  if (2 * cycles <= l->cycles) return;
  for (unsigned n = 0; n < FURTHER_MAX && cycles; n++) {
    struct cli_next after = {.cause = ""};
    size_t used = strlen(all);
    if (!next.cause[0] || cli_what_if_has(all, next.cause)) return;
    if (used + strlen(AND) + strlen(next.cause) >= sizeof all) return;
    snprintf(all + used, sizeof all - used, "%s%s", AND, next.cause);
    const struct cli_rerun with_both = run_with(l, all, &after);
    if (with_both.race[0] || !saves_enough(cycles, with_both.cycles) ||
        tessera_what_if_text(next.cause, text, sizeof text) < 0)
      return;
    add(&l->text, "    then ");
    add(&l->text, next.sentence);
    add(&l->text, "\n");
    snprintf(both, sizeof both, "also %s", text);
    add_line(l, all, both, &with_both);
    cycles = with_both.cycles;
    next = after;
  }
}

/* Reruns decide between the causes: both that the critical path shows, and, while they refute all so far, the next one. Returns how many
 * have been tried. Those that a signal has cut short refute nothing: the path decides, unless one before has confirmed its cause. */
static unsigned try_causes(struct lines *l, const struct cli_verdict *v, char names[CAUSES][LINE_MAX_BYTES],
                           struct cli_rerun reruns[CAUSES], struct cli_next next[CAUSES]) {
  const struct cli_rerun none[CAUSES] = {{.cycles = 0}};
  unsigned count = 0;
  for (bool decided = false; count < CAUSES && !(count >= BY_PATH && decided); count++) {
    if (names[count][0]) reruns[count] = run_with(l, names[count], &next[count]);
    if (reruns[count].race[0]) { /* not proposed: the cause gets another change */
      decide(v, l->cycles, reruns);
      causes_of(v, names);
      reruns[count] = names[count][0] ? run_with(l, names[count], &next[count]) : none[0];
    }
    if (l->interrupted) {
      if (!decided) decide(v, l->cycles, none);
      l->unverified = !decided;
      return count;
    }
    decided = !names[0][0] || decide(v, l->cycles, reruns);
  }
  return count;
}

/* The line of the cause comes first. */
static void add_causes(struct lines *l, const struct cli_verdict *v, char names[CAUSES][LINE_MAX_BYTES]) {
  struct cli_rerun reruns[CAUSES] = {{.cycles = 0}};
  struct cli_next next[CAUSES];
  unsigned best = CAUSES;
  memset(next, 0, sizeof next);
  causes_of(v, names);
  const unsigned count = try_causes(l, v, names, reruns, next);
  const char *chosen = chosen_by(v);
  char first[LINE_MAX_BYTES];
  snprintf(first, sizeof first, "%s", chosen);
  for (unsigned i = 0; i < count; i++)
    if (names[i][0] && strcmp(names[i], first) == 0) add_result(l, names[i], &reruns[best = i]);
  if (best < CAUSES) add_further(l, first, reruns[best].cycles, next[best]);
  for (unsigned i = 0; i < count; i++)
    if (names[i][0] && strcmp(names[i], first) != 0) add_result(l, names[i], &reruns[i]);
}

const char *cli_verdict_text(const struct cli_verdict *v) {
  return v->chip ? tessera_chip_why(v->chip) : tessera_tile_why(v->tile);
}

const char *cli_verdict_timing(bool timing) {
  return timing ? "" : "  timing is off: every instruction takes one cycle, so none of these cycles are those of the chip\n";
}

void cli_verdict_next(const struct cli_verdict *v, struct cli_next *next) {
  static const char title[] = "why: ";
  snprintf(next->cause, sizeof next->cause, "%s", chosen_by(v));
  const char *text = cli_verdict_text(v), *why = strstr(text, title);
  why = why ? why + strlen(title) : text;
  snprintf(next->sentence, sizeof next->sentence, "%.*s", (int)strcspn(why, "\n"), why);
}

static bool is_cause(char names[CAUSES][LINE_MAX_BYTES], const char *name) {
  for (unsigned i = 0; i < CAUSES; i++)
    if (strcmp(names[i], name) == 0) return true;
  return false;
}

struct cli_reruns cli_what_if_lines(const char *const *names, size_t count, const struct cli_verdict *verdict,
                                    uint64_t cycles, cli_rerun_fn *rerun, void *context) {
  struct lines l = {.cycles = cycles, .tiles = verdict->tiles, .mixed = verdict->mixed, .rerun = rerun, .context = context};
  char causes[CAUSES][LINE_MAX_BYTES];
  if (!count) add_causes(&l, verdict, causes);
  for (size_t i = 0; i < count; i++) {
    bool all = strcmp(names[i], "all") == 0;
    if (strcmp(names[i], "none") == 0) continue;
    if (!all) add_rerun(&l, verdict, names[i]);
    else add_causes(&l, verdict, causes);
    const char *name;
    for (unsigned n = 0; all && (name = tessera_what_if_name(n)); n++)
      if (!is_cause(causes, name)) add_rerun(&l, verdict, name);
  }
  if (l.interrupted)
    add(&l.text, l.unverified ? "  the verdict is not verified: the reruns were interrupted\n"
                              : "  the other reruns were interrupted\n");
  return (struct cli_reruns){l.text.text, l.json.text, l.interrupted};
}

bool cli_why_json_write(FILE *file, const char *report, const struct cli_verdict *v, uint64_t cycles,
                        const struct cli_reruns *reruns) {
  const char *end = strrchr(report, '}'), *why = v->chip ? tessera_chip_why_json(v->chip) : tessera_tile_why_json(v->tile);
  if (!end || !why[0]) return fputs(report, file) >= 0;
  return fwrite(report, 1, (size_t)(end - report), file) == (size_t)(end - report) &&
         fprintf(file, ",\"why\":%.*s,\"cycles\":%llu,\"reruns\":[%s]%s}%s", (int)(strlen(why) - 1), why,
                 (unsigned long long)cycles, reruns->json ? reruns->json : "",
                 reruns->interrupted ? ",\"interrupted\":true" : "", end) > 0;
}
