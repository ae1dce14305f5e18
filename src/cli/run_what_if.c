/* tessera run --why: the same run again with one change. */
#include <stdlib.h>
#include <string.h>

#include "cli/interrupt.h"
#include "cli/run.h"
#include "cli/what_if.h"

#define RERUN_TIMES_MAX 4u /* a rerun that takes longer than this many times the run is abandoned */

/* The same set-up on another tile; no files are written. */
static struct run_settings again(const struct run_settings *s, const char *what) {
  static const struct cli_report no_report;
  struct run_settings r = *s;
  r.session.tile = NULL;
  r.session.trace_path = r.session.sarif_path = r.session.profile_path = r.session.coverage_path = NULL;
  r.session.trace = r.session.sarif = r.session.profile = r.session.coverage = NULL;
  r.session.account = true; /* for its begin */
  r.session.strict = false;
  r.session.check = cli_rerun_checks(what, s->session.check);
  r.json_path = r.save_path = r.report_path = NULL;
  r.json = r.save = r.report = NULL;
  r.html = no_report;
  r.dump_count = 0;
  r.why = false;
  r.what_if = r.session.rerun = what;
  uint64_t limit = RERUN_TIMES_MAX * tessera_tile_cycle(s->session.tile);
  if (limit < r.session.max_cycles) r.session.max_cycles = limit;
  for (size_t i = 0; i < r.poke_count; i++) r.pokes[i].done = false;
  return r;
}

bool run_what_ifs_apply(const struct run_settings *s) {
  for (size_t i = 0; i < s->what_if_count; i++) {
    if (!cli_what_if_names_code(s->what_ifs[i])) continue;
    struct run_settings r = again(s, NULL);
    bool good = run_set_up(&r), applies = good && cli_what_if_set(r.session.tile, s->what_ifs[i]);
    if (good && !applies) cli_bad_input("run", "--what-if %s: %s", s->what_ifs[i], tessera_tile_error(r.session.tile));
    tessera_tile_destroy(r.session.tile);
    if (!applies) return false;
  }
  return true;
}

struct rerun {
  const struct run_settings *s;
  enum tessera_result result; /* of the run itself */
};

static bool rerun(void *context, const char *what, struct cli_rerun *out, struct cli_next *next) {
  const struct rerun *r = context;
  struct run_settings s = again(r->s, what);
  bool good = run_set_up(&s);
  enum tessera_result result = good ? run_all(&s, &good) : TESSERA_INVALID;
  if (good) out->cycles = cli_session_cycles(&s.session);
  if (good) cli_rerun_compare(out, what, r->s->session.tile, s.session.tile);
  const struct cli_verdict verdict = {.tile = s.session.tile};
  if (good && next && !cli_stopped()) cli_verdict_next(&verdict, next);
  tessera_tile_destroy(s.session.tile);
  return good && result == r->result;
}

struct cli_reruns run_what_ifs(struct run_settings *s, enum tessera_result result) {
  struct rerun r = {.s = s, .result = result};
  const struct cli_verdict verdict = {.tile = s->session.tile};
  if (result != TESSERA_DONE && result != TESSERA_STOPPED)
    return (struct cli_reruns){.text = NULL}; /* a run that did not end has no length */
  return cli_what_if_lines(s->what_ifs, s->what_if_count, &verdict, cli_session_cycles(&s->session), rerun, &r);
}
