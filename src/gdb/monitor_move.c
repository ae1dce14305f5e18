/* Commands that move in time, and those that set stops. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "gdb/back.h"
#include "gdb/breaks.h"
#include "gdb/middle.h"
#include "gdb/monitor.h"
#include "gdb/place.h"
#include "gdb/probe.h"
#include "gdb/stub.h"
#include "gdb/travel.h"
#include "gdb/watches.h"
#include "gdb/writer.h"
#include "tessera/debug.h"
#include "tessera/isa.h"

/* Returns 0, with a message, if the word is not a number. */
static uint64_t count_of(struct tessera_debugger *d, unsigned count, char **words) {
  uint64_t n = 1;
  if (count < 2 || (gdb_number(words[1], &n) && n)) return n;
  gdb_say(d, "%s takes a number from 1 on, not '%s'\n", words[0], words[1]);
  return 0;
}

static bool stopped_early(const struct tessera_debugger *d) {
  return d->stop.kind != GDB_STOP_STEP || d->stop.text[0] || (d->interrupted && d->interrupted(d->interrupted_context));
}

static void step(struct tessera_debugger *d, unsigned count, char **words) {
  uint64_t n = count_of(d, count, words);
  if (!n) return;
  for (; n; n--) {
    gdb_step(d, d->focus);
    if (stopped_early(d)) break;
  }
  gdb_say_stop(d);
}

static void back(struct tessera_debugger *d, unsigned count, char **words) {
  uint64_t n = count_of(d, count, words);
  if (!n) return;
  for (; n; n--) {
    gdb_step_back(d, d->focus);
    if (stopped_early(d)) break;
  }
  gdb_say_stop(d);
}

static void go_on(struct tessera_debugger *d, unsigned count, char **words) {
  (void)count, (void)words;
  gdb_continue(d, d->focus);
  gdb_say_stop(d);
}

static void go_back(struct tessera_debugger *d, unsigned count, char **words) {
  (void)count, (void)words;
  gdb_continue_back(d, d->focus);
  gdb_say_stop(d);
}

static void go_to(struct tessera_debugger *d, unsigned count, char **words) {
  uint64_t cycle;
  if (count < 2 || !gdb_number(words[1], &cycle)) {
    gdb_say(d, "goto takes a cycle\n");
    return;
  }
  gdb_goto(d, cycle);
  gdb_say_stop(d);
}

static void reset(struct tessera_debugger *d, unsigned count, char **words) {
  (void)count, (void)words;
  gdb_reset(d);
  gdb_say_stop(d);
}

static void cycles(struct tessera_debugger *d, unsigned count, char **words) {
  uint64_t n = count_of(d, count, words);
  if (!n) return;
  gdb_goto(d, n < UINT64_MAX - d->cycle ? d->cycle + n : UINT64_MAX);
  gdb_say_stop(d);
}

/* --- points --- */

/* FILE:LINE. Unlike gdb's, the lines include those of inlined calls. false: another form, or an error that is reported. */
static bool read_line(struct tessera_debugger *d, struct gdb_where w, const char *name, uint32_t *pc) {
  struct tessera_tile *tile = d->machine.unit[w.unit].tile;
  const char *colon = strrchr(name, ':');
  char file[256];
  uint64_t line;
  if (!colon || colon == name || (size_t)(colon - name) >= sizeof file || !gdb_number(colon + 1, &line) || line > UINT32_MAX)
    return false;
  snprintf(file, sizeof file, "%.*s", (int)(colon - name), name);
  if (tessera_tile_line(tile, (enum tessera_core)w.core, file, (uint32_t)line, pc) == TESSERA_OK) return true;
  return gdb_say(d, "%s\n", tessera_tile_error(tile)), false;
}

/* [CORE] SYMBOL|FILE:LINE|ADDR */
static bool read_place(struct tessera_debugger *d, unsigned count, char **words, struct gdb_where *w, uint32_t *pc) {
  if (count < 2) return gdb_say(d, "break takes [CORE] and a symbol, FILE:LINE or an address\n"), false;
  const char *name = words[count - 1];
  uint64_t value;
  *w = d->focus;
  if (count > 2) {
    int core = tessera_core_number(words[1]);
    if (core < 0) return gdb_say(d, "no core '%s'\n", words[1]), false;
    w->core = (unsigned)core;
  }
  if (gdb_number(name, &value) && value <= UINT32_MAX) {
    *pc = (uint32_t)value;
    return true;
  }
  if (tessera_tile_symbol(d->machine.unit[w->unit].tile, (enum tessera_core)w->core, name, pc) == TESSERA_OK) return true;
  if (read_line(d, *w, name, pc)) return true;
  if (d->text_length) return false;
  return gdb_say(d, "%s's executable has no symbol '%s'\n", tx_core_name(w->core), name), false;
}

static void add_break(struct tessera_debugger *d, unsigned count, char **words) {
  struct gdb_where w;
  uint32_t pc;
  char title[64];
  if (!read_place(d, count, words, &w, &pc)) return;
  gdb_core_title(d, w, title, sizeof title);
  if (gdb_break_add(d, w, pc)) gdb_say(d, "breakpoint: %s 0x%05x\n", title, pc);
  else if (pc & 1u) gdb_say(d, "0x%x is not the address of an instruction: it is odd\n", pc);
  else gdb_say(d, "no breakpoint is left: %u per session and %u per tile are possible\n", GDB_BREAKS, TX_BREAKS);
}

/* watch, rwatch, awatch */
static void add_watch(struct tessera_debugger *d, unsigned count, char **words) {
  uint32_t address, length;
  unsigned access = words[0][0] == 'w' ? GDB_WRITES : words[0][0] == 'r' ? GDB_READS : GDB_WRITES | GDB_READS;
  if (count < 2 || !gdb_range(words[1], &address, &length)) {
    gdb_say(d, "%s takes ADDR[:LENGTH]\n", gdb_watch_name(access));
    return;
  }
  switch (gdb_watch_add(d, d->focus, address, length, access)) {
    case GDB_WATCH_SET:
      gdb_say(d, "watchpoint: %u bytes at 0x%x%s\n", length, address,
              access == GDB_WRITES  ? ""
              : access == GDB_READS ? ", reads"
                                    : ", reads and writes");
      break;
    case GDB_WATCH_UNFIT:
      gdb_say(d, "%u bytes at 0x%x are neither in L1 nor in the core's local RAM nor in registers%s\n", length, address,
              access & GDB_WRITES ? " that signal a write" : "");
      break;
    case GDB_WATCH_FULL: gdb_say(d, "no watchpoint is left: all %u are in use\n", GDB_WATCHES); break;
    case GDB_WATCH_NO_MEMORY: gdb_say(d, "out of memory: no watchpoint is set\n"); break;
  }
}

static void list_points(struct tessera_debugger *d, unsigned count, char **words) {
  char title[64];
  (void)count, (void)words;
  for (unsigned i = 0; i < GDB_BREAKS; i++) {
    if (!d->breaks[i].uses) continue;
    gdb_core_title(d, d->breaks[i].where, title, sizeof title);
    gdb_say(d, "break  %s 0x%05x\n", title, d->breaks[i].pc);
  }
  for (unsigned i = 0; i < GDB_WATCHES; i++)
    if (d->watches[i].used)
      gdb_say(d, "%-6s 0x%x:%u\n", gdb_watch_name(d->watches[i].access), d->watches[i].address, d->watches[i].length);
  for (unsigned i = 0; i < GDB_CONDITIONS; i++)
    if (d->conditions[i].used) gdb_say(d, "stop   %s\n", d->conditions[i].text);
}

static void delete_points(struct tessera_debugger *d, unsigned count, char **words) {
  (void)count, (void)words;
  gdb_clear_points(d);
  memset(d->conditions, 0, sizeof d->conditions);
  gdb_say(d, "all breakpoints, watchpoints and stops are removed\n");
}

/* --- conditions of the hardware --- */

static const struct {
  const char *name;
  uint32_t kind;
  uint32_t index_max;
} events[] = {{"semaphore", TX_EVENT_SEMAPHORE, 7},
              {"bank", TX_EVENT_BANK, 255},
              {"buffer", TX_EVENT_BUFFER, NOC_STREAMS_MAX - 1},
              {"mutex", TX_EVENT_MUTEX, 7},
              {"finding", TX_EVENT_FINDING, TX_DIAG_COUNT - 1}};

static bool read_condition(struct tessera_debugger *d, unsigned count, char **words, struct gdb_condition *c) {
  uint64_t number;
  bool thread = count > 3 || (count > 2 && tessera_isa_find(words[1]) >= 0);
  *c = (struct gdb_condition){.used = true, .agent = -1, .index = -1};
  for (unsigned i = 0; i < sizeof events / sizeof *events; i++) {
    if (strcasecmp(words[1], events[i].name) != 0) continue;
    c->kind = events[i].kind;
    if (count > 2 && (!gdb_number(words[2], &number) || number > events[i].index_max))
      return gdb_say(d, "stop %s takes a number up to %u, not '%s'\n", words[1], events[i].index_max, words[2]), false;
    if (count > 2) c->index = (int32_t)number;
    return true;
  }
  c->kind = TX_EVENT_ISSUE;
  c->index = tessera_isa_find(words[1]);
  if (c->index < 0) {
    const char *near = tessera_isa_nearest(words[1]);
    gdb_say(d, "no event and no instruction '%s'%s%s%s\n", words[1], near[0] ? "; " : "", near, near[0] ? " is near" : "");
    return false;
  }
  if (thread && (!gdb_number(words[2], &number) || number >= TX_THREADS)) return false;
  if (thread) c->agent = (int32_t)number;
  return true;
}

static void stop_when(struct tessera_debugger *d, unsigned count, char **words) {
  struct gdb_condition c;
  if (count < 2 || !read_condition(d, count, words, &c)) {
    if (!d->text_length)
      gdb_say(d, "stop takes an instruction and a thread (stop MVMUL 1), or semaphore, bank, buffer, mutex, finding\n");
    return;
  }
  for (unsigned i = 0; i < GDB_CONDITIONS; i++) {
    if (d->conditions[i].used) continue;
    snprintf(c.text, sizeof c.text, "%s%s%s", words[1], count > 2 ? " " : "", count > 2 ? words[2] : "");
    d->conditions[i] = c;
    gdb_say(d, "stop: %s\n", c.text);
    return;
  }
  gdb_say(d, "there are %u stops\n", GDB_CONDITIONS);
}

static void set_core(struct tessera_debugger *d, unsigned count, char **words) {
  int core = count > 1 ? tessera_core_number(words[1]) : -1;
  if (core < 0) gdb_say(d, "core takes brisc, ncrisc, trisc0, trisc1 or trisc2\n");
  else {
    d->focus.core = (unsigned)core;
    gdb_say_stop(d);
  }
}

static void set_tile(struct tessera_debugger *d, unsigned count, char **words) {
  unsigned x, y;
  for (unsigned i = 0; count < 2 && i < d->machine.count; i++)
    gdb_say(d, "%s%u,%u  processes %u to %u%s\n", d->focus.unit == i ? "* " : "  ", d->machine.unit[i].x,
            d->machine.unit[i].y, i * TX_CORES + 1, (i + 1) * TX_CORES, d->attached[i] ? ", attached" : "");
  if (count < 2) return;
  for (unsigned i = 0; sscanf(words[1], "%u,%u", &x, &y) == 2 && i < d->machine.count; i++) {
    if (d->machine.unit[i].x != x || d->machine.unit[i].y != y) continue;
    d->focus.unit = i;
    d->attached[i] = 1;
    gdb_say_stop(d);
    return;
  }
  gdb_say(d, "no tile '%s' has programs\n", words[1]);
}

static void last_write(struct tessera_debugger *d, unsigned count, char **words) {
  uint32_t address, length;
  struct tx_trail trail;
  char text[GDB_TEXT];
  const uint64_t cycle = d->cycle;
  const bool middle = d->middle;
  const uint32_t sub = d->sub;
  if (count < 2 || !gdb_range(words[1], &address, &length) || address >= TX_L1_BYTES || length > TX_L1_BYTES - address) {
    gdb_say(d, "last-write takes ADDR[:LENGTH] in L1\n");
    return;
  }
  bool found = gdb_last_write(d, d->focus.unit, address, length, cycle, &trail);
  if (found) gdb_writer_text(d, d->focus.unit, &trail, text, sizeof text);
  gdb_return(d, cycle, middle);
  d->sub = sub;
  if (found) gdb_say(d, "0x%x: %s in cycle %llu\n", address, text, (unsigned long long)trail.cycle);
  else gdb_say(d, "0x%x: not written since cycle %llu\n", address, (unsigned long long)d->history.at[0].cycle);
}

#define CORES "brisc ncrisc trisc0 trisc1 trisc2"
const struct gdb_command gdb_moves[] = {
    {"step", "[N]", "execute an instruction of the core; the other cores run meanwhile", "", step},
    {"back", "[N]", "undo the core's last instruction", "", back},
    {"continue", "", "run to a breakpoint, watchpoint or stop, or to the end", "", go_on},
    {"reverse", "", "run back to the last breakpoint or watchpoint, or to the beginning", "", go_back},
    {"cycle", "[N]", "let N cycles pass", "", cycles},
    {"goto", "CYCLE", "go to this cycle, forwards or backwards", "", go_to},
    {"reset", "", "go to the beginning of the session, without the changes made in it", "", reset},
    {"break", "[CORE] SYMBOL|FILE:LINE|ADDR", "stop before this instruction", CORES, add_break},
    {"watch", "ADDR[:LENGTH]", "stop after a write to L1, the core's local RAM or a register", "", add_watch},
    {"rwatch", "ADDR[:LENGTH]", "stop after a read", "", add_watch},
    {"awatch", "ADDR[:LENGTH]", "stop after a read or a write", "", add_watch},
    {"stop", "INSTRUCTION [THREAD]", "stop when it issues; or: semaphore, bank, buffer, mutex N, finding",
     "semaphore bank buffer mutex finding MVMUL UNPACR PACR", stop_when},
    {"points", "", "list breakpoints, watchpoints and stops", "", list_points},
    {"delete", "", "remove them all", "", delete_points},
    {"last-write", "ADDR[:LENGTH]", "the last writer of these bytes", "", last_write},
    {"core", "CORE", "select the core for commands", CORES, set_core},
    {"tile", "[X,Y]", "select the tile for commands; without an argument: list the tiles", "", set_tile},
};
const size_t gdb_move_count = sizeof gdb_moves / sizeof *gdb_moves;
