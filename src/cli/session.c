/* The session of session.h. */
#include "cli/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/interrupt.h"
#include "cli/output.h"

#define STEP_CYCLES (UINT64_C(1) << 20)

/* --- options --- */

static bool bad(const struct cli_session *s, const char *option, const char *wants, const char *got) {
  cli_bad_input(s->verb, "%s takes %s, not '%s'", option, wants, got);
  return false;
}

bool cli_parse_u32(const char *text, size_t length, uint32_t *value) {
  char copy[32];
  uint64_t v;
  if (length == 0 || length >= sizeof copy) return false;
  memcpy(copy, text, length);
  copy[length] = '\0';
  if (!cli_parse_u64(copy, &v) || v > UINT32_MAX) return false;
  *value = (uint32_t)v;
  return true;
}

void *cli_grow(const char *verb, void *items, size_t *count, size_t item_size) {
  bool full = (*count & (*count - 1)) == 0; /* 0, 1, 2, 4, 8 ... items: twice as many fit after this */
  void *moved = full ? realloc(items, (*count ? 2 * *count : 1) * item_size) : items;
  if (!moved) cli_bad_input(verb, "out of memory");
  else memset((char *)moved + *count * item_size, 0, item_size), ++*count;
  return moved;
}

bool cli_set_timing(void *settings, const char *value) {
  struct cli_session *s = settings;
  s->timing = strcmp(value, "cycle") == 0 ? TESSERA_TIMING_CYCLE : TESSERA_TIMING_OFF;
  return s->timing == TESSERA_TIMING_CYCLE || strcmp(value, "off") == 0 || bad(s, "--timing", "off or cycle", value);
}

bool cli_set_max_cycles(void *settings, const char *value) {
  struct cli_session *s = settings;
  if (cli_parse_u64(value, &s->max_cycles) && s->max_cycles > 0 && s->max_cycles < TESSERA_FOREVER) return true;
  return bad(s, "--max-cycles", "a number of cycles above 0", value);
}

bool cli_set_param(void *settings, const char *value) {
  struct cli_session *s = settings;
  const char *equals = strchr(value, '=');
  struct tessera_param info;
  uint32_t number;
  if (!equals || !cli_parse_u32(equals + 1, strlen(equals + 1), &number)) return bad(s, "--param", "NAME=VALUE", value);
  for (size_t i = 0; tessera_param_info(i, &info) == TESSERA_OK; i++) {
    if (strlen(info.name) != (size_t)(equals - value) || strncmp(info.name, value, strlen(info.name)) != 0) continue;
    struct cli_param *moved = cli_grow(s->verb, s->params, &s->param_count, sizeof *moved);
    if (!moved) return false;
    s->params = moved;
    moved[s->param_count - 1] = (struct cli_param){.name = info.name, .value = number};
    return true;
  }
  cli_bad_input(s->verb, "no parameter '%.*s'; tessera exec --params lists them", (int)(equals - value), value);
  return false;
}

bool cli_set_strict(void *settings, const char *value) {
  (void)value;
  return ((struct cli_session *)settings)->strict = true;
}

bool cli_set_quiet(void *settings, const char *value) {
  (void)value;
  return ((struct cli_session *)settings)->quiet = true;
}

bool cli_set_trace(void *settings, const char *value) {
  ((struct cli_session *)settings)->trace_path = value;
  return true;
}

bool cli_set_account(void *settings, const char *value) {
  (void)value;
  return ((struct cli_session *)settings)->account = true;
}

bool cli_set_sarif(void *settings, const char *value) {
  ((struct cli_session *)settings)->sarif_path = value;
  return true;
}

bool cli_set_verbose(void *settings, const char *value) {
  (void)value;
  return ((struct cli_session *)settings)->verbose = true;
}

bool cli_set_check(void *settings, const char *value) {
  struct cli_session *s = settings;
  bool all = strcmp(value, "all") == 0, none = strcmp(value, "none") == 0;
  s->check = all ? TESSERA_CHECK_ALL : 0;
  for (const char *p = value; !all && !none; p += 2) {
    if (*p < 'a' || *p > 'f' || (p[1] && p[1] != ','))
      return bad(s, "--check", "letters of a to f with commas, all or none", value);
    s->check |= 1u << (*p - 'a');
    if (!p[1]) break;
  }
  return true;
}

/* --- opening --- */

bool cli_session_open(struct cli_session *s) {
  s->tile = tessera_tile_create(s->timing);
  if (!s->tile) return cli_bad_input(s->verb, "out of memory"), false;
  for (size_t i = 0; i < s->param_count; i++) tessera_tile_set_param(s->tile, s->params[i].name, s->params[i].value);
  tessera_tile_set_option(s->tile, TESSERA_OPTION_STRICT, s->strict);
  tessera_tile_set_option(s->tile, TESSERA_OPTION_QUIET, s->quiet);
  tessera_tile_set_option(s->tile, TESSERA_OPTION_VERBOSE, s->verbose);
  if (tessera_tile_set_option(s->tile, TESSERA_OPTION_CHECK, s->check) != TESSERA_OK)
    return cli_bad_input(s->verb, "%s", tessera_tile_error(s->tile)), false;
  if (s->account && tessera_tile_set_option(s->tile, TESSERA_OPTION_ACCOUNT, 1) != TESSERA_OK)
    return cli_bad_input(s->verb, "%s", tessera_tile_error(s->tile)), false;
  return true;
}

static void trace_event(void *context, const struct tessera_event *event) {
  struct cli_session *s = context;
  char line[512];
  tessera_trace_text(s->tile, event, line, sizeof line);
  fprintf(s->trace, "%s\n", line);
}

bool cli_session_open_files(struct cli_session *s) {
  if (s->sarif_path && !(s->sarif = cli_create(s->sarif_path)))
    return cli_bad_input(s->verb, "%s: could not be written: %s", s->sarif_path, strerror(errno)), false;
  if (!s->trace_path) return true;
  s->trace = cli_create(s->trace_path);
  if (!s->trace) return cli_bad_input(s->verb, "%s: cannot be written: %s", s->trace_path, strerror(errno)), false;
  uint64_t mask = TESSERA_EVENT_BIT(TESSERA_EVENT_ISSUE) | TESSERA_EVENT_BIT(TESSERA_EVENT_CORE);
  return tessera_tile_hook(s->tile, mask, trace_event, s, NULL) == TESSERA_OK;
}

bool cli_session_close_trace(struct cli_session *s) {
  FILE *trace = s->trace;
  s->trace = NULL;
  if (!trace || cli_finish(trace, s->trace_path, true)) return true;
  return cli_bad_input(s->verb, "%s: could not be written to its end", s->trace_path), false;
}

bool cli_session_write_sarif(struct cli_session *s) {
  FILE *file = s->sarif;
  if (!file) return true;
  bool good = fputs(tessera_tile_report(s->tile, TESSERA_REPORT_SARIF), file) >= 0;
  s->sarif = NULL;
  if (cli_finish(file, s->sarif_path, good)) return true;
  return cli_bad_input(s->verb, "%s: could not be written to its end", s->sarif_path), false;
}

void cli_session_free(struct cli_session *s) {
  cli_discard(s->trace, s->trace_path);
  cli_discard(s->sarif, s->sarif_path);
  free(s->params);
  tessera_tile_destroy(s->tile);
}

/* --- running --- */

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

enum tessera_result cli_session_run(struct cli_session *s, uint64_t until) {
  double began = seconds();
  uint64_t from = tessera_tile_cycle(s->tile), now = from;
  enum tessera_result result;
  cli_catch_signals();
  do {
    uint64_t left = until > now ? until - now : 0;
    result = tessera_tile_run(s->tile, left > STEP_CYCLES ? STEP_CYCLES : left);
    now = tessera_tile_cycle(s->tile);
    double spent = seconds() - began;
    if (result == TESSERA_LIMIT)
      cli_progress("%llu cycles, %.1f million a second", (unsigned long long)now,
                   spent > 0 ? 1e-6 * (double)(now - from) / spent : 0.0);
  } while (result == TESSERA_LIMIT && now < until && !cli_interrupted());
  cli_progress_clear();
  return result;
}

int cli_session_code(const struct cli_session *s) { return cli_code_of_run(s->verb, tessera_tile_exit_code(s->tile)); }
