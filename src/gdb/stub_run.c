/* The commands that move time, and the replies that report a stop. */
#include <stdio.h>
#include <string.h>

#include "gdb/back.h"
#include "gdb/breaks.h"
#include "gdb/packet.h"
#include "gdb/stub.h"
#include "gdb/travel.h"
#include "gdb/watches.h"

/* gdb's numbers of signals. Within a line gdb steps on after SIGTRAP: a stop that is no step has another one. */
static unsigned signal_of(enum gdb_stop_kind kind) {
  switch (kind) {
    case GDB_STOP_INTERRUPT: return 2; /* SIGINT */
    case GDB_STOP_FAULT: return 11;    /* SIGSEGV */
    case GDB_STOP_HANG: return 6;      /* SIGABRT */
    case GDB_STOP_FINDING: return 30;  /* SIGUSR1 */
    case GDB_STOP_LIMIT: return 24;    /* SIGXCPU */
    case GDB_STOP_EVENT: return 31;    /* SIGUSR2 */
    case GDB_STOP_DONE:
    case GDB_STOP_NO_MEMORY: return 17; /* SIGSTOP */
    default: return 5;                  /* SIGTRAP */
  }
}

void gdb_stub_stopped(struct gdb_stub *s) {
  const struct gdb_stop *stop = &s->d->stop;
  char thread[24];
  gdb_stub_thread_text(s, stop->where, thread, sizeof thread);
  s->general = s->resume = stop->where;
  s->d->attached[stop->where.unit] = 1;
  gdb_reply(s, "T%02xthread:%s;", signal_of(stop->kind), thread);
  bool exact = gdb_has_break_at(s->d, stop->where, gdb_pc(s->d, stop->where));
  if (stop->kind == GDB_STOP_BREAK && s->swbreak && exact) gdb_reply(s, "swbreak:;");
  if (stop->kind == GDB_STOP_WATCH) gdb_reply(s, "%s:%x;", gdb_watch_name(stop->access), stop->address);
  if (stop->kind == GDB_STOP_BEGIN) gdb_reply(s, "replaylog:begin;");
}

/* Steps while the pc stays in a range: gdb's `next` and `step` use it for a line. */
static void step_range(struct gdb_stub *s, struct gdb_where w, uint64_t from, uint64_t to) {
  do {
    gdb_step(s->d, w);
  } while (s->d->stop.kind == GDB_STOP_STEP && !s->d->stop.text[0] && gdb_pc(s->d, w) >= from && gdb_pc(s->d, w) < to &&
           !s->d->interrupted(s->d->interrupted_context));
}

struct action {
  char what; /* c, s or r */
  struct gdb_where where;
  uint64_t from, to;
};

/* One action; an action of one thread comes before that of all others. false: no such action. */
static bool read_action(const struct gdb_stub *s, const char **text, struct action *out) {
  struct action a = {.what = **text, .where = s->resume};
  uint64_t ignored;
  if (!strchr("cCsSr", a.what) || !a.what) return false;
  ++*text;
  if ((a.what == 'C' || a.what == 'S') && !gdb_hex(text, &ignored)) return false;
  if (a.what == 'r' && (!gdb_hex(text, &a.from) || *(*text)++ != ',' || !gdb_hex(text, &a.to))) return false;
  bool one = **text == ':';
  if (one) {
    ++*text;
    if (!gdb_stub_thread(s, text, &a.where)) return false;
  }
  if (a.what == 'C') a.what = 'c';
  if (a.what == 'S') a.what = 's';
  if (!out->what || (a.what != 'c' && out->what == 'c')) *out = a;
  return **text == ';' || !**text;
}

static bool read_actions(const struct gdb_stub *s, struct action *out) {
  const char *at = s->packet + strlen("vCont");
  while (*at == ';') {
    ++at;
    if (!read_action(s, &at, out)) return false;
  }
  return out->what && !*at;
}

static bool read_plain(const struct gdb_stub *s, struct action *out) {
  char what = s->packet[0];
  out->where = s->resume;
  out->what = what == 'C' ? 'c' : what == 'S' ? 's' : what;
  if (what == 'b') out->what = s->packet[1] == 's' && !s->packet[2] ? 'B' : s->packet[1] == 'c' && !s->packet[2] ? 'C' : '?';
  return out->what != '?';
}

/* A stop that concerns no core is reported for the selected thread. gdb 13 shows no prompt after the first stop of the
 * process that it connected to if it was continued from another one: Ctrl-C and the end must not be such a stop. */
static void name_thread(struct tessera_debugger *d, struct gdb_where selected) {
  const enum gdb_stop_kind kind = d->stop.kind;
  if (kind != GDB_STOP_INTERRUPT && kind != GDB_STOP_LIMIT && kind != GDB_STOP_DONE) return;
  d->stop.where = d->focus = selected;
}

/* gdb assumes for RISC-V that a watchpoint stops before the access: it removes the watchpoints and compares after one more instruction
 * of this thread: after `bs`, or at a breakpoint behind the instruction to which it continues the thread alone. The access has been made,
 * so the thread is reported there without a move; accesses in between would be missed otherwise. gdb ignores a breakpoint that it does
 * not know. */
static bool is_step_over_watch(const struct gdb_stub *s, const struct action *a) {
  static const char alone[] = "vCont;c:";
  if (!s->watch_reported || !gdb_same(a->where, s->d->stop.where)) return false;
  for (unsigned i = 0; i < GDB_WATCHES; i++)
    if (s->d->watches[i].used) return false;
  if (a->what == 'B') return s->watch_reported == 'C';
  const bool thread = strncmp(s->packet, alone, sizeof alone - 1) == 0 && !strpbrk(s->packet + sizeof alone - 1, ";-");
  return s->watch_reported != 'C' && s->swbreak && thread;
}

static void step_over_watch(struct gdb_stub *s) {
  bool forwards = s->watch_reported != 'C';
  s->watch_reported = 0;
  s->d->stop.kind = GDB_STOP_STEP;
  gdb_stub_stopped(s);
  if (forwards) gdb_reply(s, "swbreak:;");
}

void gdb_stub_resume(struct gdb_stub *s) {
  struct action a = {0};
  const struct gdb_where selected = s->general;
  bool good = s->packet[0] == 'v' ? read_actions(s, &a) : read_plain(s, &a);
  if (!good) {
    gdb_reply(s, "E01");
    return;
  }
  if (is_step_over_watch(s, &a)) {
    step_over_watch(s);
    return;
  }
  switch (a.what) {
    case 's': gdb_step(s->d, a.where); break;
    case 'r': step_range(s, a.where, a.from, a.to); break;
    case 'B': gdb_step_back(s->d, a.where); break;
    case 'C': gdb_continue_back(s->d, a.where); break;
    default:
      gdb_continue(s->d, a.where);
      name_thread(s->d, selected);
      break;
  }
  s->watch_reported = s->d->stop.kind == GDB_STOP_WATCH ? a.what : 0;
  const char *text = s->d->stop.text;
  if (text[0]) gdb_send_console(s, text), gdb_send_console(s, "\n");
  gdb_stub_stopped(s);
}
