/* The C API: checking a program (check), and searching for a schedule that breaks it (explore). */
#include "api/pto_verdict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "observe/report/sarif_log.h"
#include "pto/runtime/explore.h"
#include "pto/runtime/verdict.h"

_Static_assert((int)TESSERA_PTO_ERROR == (int)SIM_ERROR && (int)TESSERA_PTO_NOTE == (int)SIM_NOTE,
               "the public severities are the machine's own");
_Static_assert((int)TESSERA_PTO_FOUND_LEAK == (int)PTO_FIND_LEAK &&
                   (int)TESSERA_PTO_FOUND_DEADLOCK == (int)PTO_FIND_DEADLOCK &&
                   (int)TESSERA_PTO_FINDINGS == (int)PTO_FIND_KINDS,
               "the public findings are the machine's own");

/* NULL: the program's error gives the reason. The caller frees the notes. */
static struct pto_notes *notes_of(struct tessera_pto_program *p, const char *policy) {
  int id = policy ? pto_policy_find(policy) : -1;
  if (policy && id < 0) return pto_api_fail(p, "no such policy"), NULL;
  if (!pto_api_finish(p)) return NULL;
  struct pto_notes *notes = malloc(sizeof *notes);
  const struct pto_program *program = p->program;
  const struct pto_subject subject = {&program, 1, program->blocks};
  if (notes && pto_verdict(&subject, id, notes)) return notes;
  free(notes);
  pto_api_fail(p, "out of memory");
  return NULL;
}

void pto_api_note(const struct pto_note *from, struct tessera_pto_note *to) {
  *to = (struct tessera_pto_note){.severity = (enum tessera_pto_severity)from->severity,
                                  .rule = pto_note_rule_name(from->rule),
                                  .line = from->line,
                                  .column = from->column};
  _Static_assert(sizeof to->text == sizeof from->text, "the public text is the machine's own");
  memcpy(to->text, from->text, sizeof to->text);
}

int tessera_pto_notes(struct tessera_pto_program *p, const char *policy, struct tessera_pto_note *notes, size_t room) {
  struct pto_notes *found = pto_api_is(p) ? notes_of(p, policy) : NULL;
  if (!found) return -1;
  for (uint32_t i = 0; notes && i < found->count && i < room; i++) pto_api_note(&found->notes[i], &notes[i]);
  int count = (int)found->count;
  free(found);
  return count;
}

static void add_rules(struct sim_text *out) {
  bool first = true;
  for (unsigned rule = 0; rule < PTO_RULES + PTO_FIND_KINDS; rule++)
    if (rule != PTO_RULES + PTO_FIND_NONE)
      obs_sarif_rule(out, &first, pto_note_rule_name(rule), pto_note_rule_name(rule), "error", NULL);
}

size_t tessera_pto_check_sarif(struct tessera_pto_program *p, const char *policy, const char *file, char *text,
                               size_t size) {
  static const char *const levels[] = {"note", "warning", "error"};
  struct pto_notes *notes = pto_api_is(p) ? notes_of(p, policy) : NULL;
  struct sim_text out = {.data = text, .size = text ? size : 0};
  bool first = true;
  if (!notes) return 0;
  obs_sarif_begin(&out);
  add_rules(&out);
  obs_sarif_results(&out);
  for (uint32_t i = 0; i < notes->count; i++) {
    const struct pto_note *n = &notes->notes[i];
    struct obs_sarif_item item = {
        pto_note_rule_name(n->rule), levels[n->severity], n->text, file ? file : "", n->line, n->column};
    obs_sarif_result(&out, &first, &item);
    obs_sarif_result_end(&out);
  }
  obs_sarif_end(&out, notes->errors ? 1 : 0);
  free(notes);
  return out.length;
}

int tessera_pto_check(struct tessera_pto_program *p, char *text, size_t size) {
  static const char *const severities[] = {"note", "warning", "error"};
  if (!pto_api_is(p)) return -1;
  if (!text) size = 0;
  if (size) text[0] = '\0';
  size_t used = 0;
  struct pto_notes *notes = notes_of(p, NULL);
  if (!notes) return -1;
  for (uint32_t i = 0; i < notes->count; i++) {
    int n = snprintf(used < size ? text + used : NULL, used < size ? size - used : 0, "line %u: %s: %s\n",
                     notes->notes[i].line, severities[notes->notes[i].severity], notes->notes[i].text);
    if (n > 0) used += (size_t)n;
  }
  int result = notes->errors != 0;
  free(notes);
  return result;
}

int tessera_pto_explore_with(struct tessera_pto_program *p, const struct tessera_pto_explore_options *options,
                             struct tessera_pto_exploration *result) {
  return tessera_pto_explore_until(p, options, NULL, result);
}

int tessera_pto_explore_until(struct tessera_pto_program *p, const struct tessera_pto_explore_options *options,
                              const volatile int *stop, struct tessera_pto_exploration *result) {
  if (!pto_api_is(p) || !options || !result) return -1;
  struct pto_explore_options o = {.schedules = options->schedules,
                                  .seed = options->seed,
                                  .policy = options->policy ? pto_policy_find(options->policy) : -1,
                                  .limit = options->cycle_limit,
                                  .watcher = {options->progress, options->progress_context, stop}};
  if (options->policy && o.policy < 0) return pto_api_fail(p, "no such policy");
  if (!pto_api_finish(p)) return -1;
  struct pto_explore_result *r = malloc(sizeof *r);
  if (!r || !pto_explore(p->program, &o, r)) return free(r), pto_api_fail(p, "out of memory");
  *result = (struct tessera_pto_exploration){.runs = r->runs,
                                             .broken = r->broken,
                                             .first_broken = r->first_run,
                                             .kind = (enum tessera_pto_finding)r->finding.kind,
                                             .cycles = r->cycles,
                                             .hangs = r->hangs,
                                             .faults = r->faults,
                                             .block = r->block,
                                             .compared = r->compared};
  snprintf(result->schedule, sizeof result->schedule, "%s", r->schedule_text);
  snprintf(result->text, sizeof result->text, "%s", r->text);
  bool stopped = r->stopped;
  free(r);
  return stopped ? 2 : result->broken != 0 && result->kind != TESSERA_PTO_FOUND_LEAK;
}

int tessera_pto_explore(struct tessera_pto_program *p, uint32_t schedules, char *text, size_t size) {
  const struct tessera_pto_explore_options options = {.schedules = schedules};
  if (!pto_api_is(p)) return -1;
  if (!text) size = 0;
  if (size) text[0] = '\0';
  struct tessera_pto_exploration *result = malloc(sizeof *result);
  if (!result) return pto_api_fail(p, "out of memory");
  int broken = tessera_pto_explore_with(p, &options, result);
  if (broken == 1) snprintf(text, size, "%s%s\n", result->schedule, result->text);
  free(result);
  return broken;
}
