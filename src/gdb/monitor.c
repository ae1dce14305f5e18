/* The table of monitor.h: finds a command, splits its words, collects its output. */
#include "gdb/monitor.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gdb/stub.h"
#include "tessera/debug.h"
#include "tessera/isa.h"

/* --- words and text --- */

void gdb_say(struct tessera_debugger *d, const char *format, ...) {
  for (;;) {
    va_list args;
    va_start(args, format);
    size_t room = d->text_size - d->text_length;
    int length = vsnprintf(room ? d->text + d->text_length : NULL, room, format, args);
    va_end(args);
    if (length < 0) return;
    if ((size_t)length < room) {
      d->text_length += (size_t)length;
      return;
    }
    char *larger = realloc(d->text, 2 * d->text_size + (size_t)length + 256);
    if (!larger) return;
    d->text = larger;
    d->text_size = 2 * d->text_size + (size_t)length + 256;
  }
}

bool gdb_number(const char *text, uint64_t *value) {
  char *end;
  if (!text || *text < '0' || *text > '9') return false;
  errno = 0;
  *value = strtoull(text, &end, text[0] == '0' && (text[1] == 'x' || text[1] == 'X') ? 16 : 10);
  return !*end && errno == 0;
}

bool gdb_range(const char *text, uint32_t *address, uint32_t *length) {
  char copy[64];
  uint64_t a, n = 4;
  if (!text || strlen(text) >= sizeof copy) return false;
  memcpy(copy, text, strlen(text) + 1);
  char *colon = strchr(copy, ':');
  if (colon) *colon = '\0';
  if (!gdb_number(copy, &a) || (colon && !gdb_number(colon + 1, &n)) || a > UINT32_MAX || !n || n > TX_L1_BYTES)
    return false;
  *address = (uint32_t)a;
  *length = (uint32_t)n;
  return true;
}

static const char *kind_text(enum gdb_stop_kind kind) {
  static const char *const texts[] = {[GDB_STOP_START] = "at",
                                      [GDB_STOP_STEP] = "at",
                                      [GDB_STOP_BREAK] = "breakpoint at",
                                      [GDB_STOP_WATCH] = "watchpoint at",
                                      [GDB_STOP_EVENT] = "stop at",
                                      [GDB_STOP_INTERRUPT] = "interrupted at",
                                      [GDB_STOP_LIMIT] = "limit at",
                                      [GDB_STOP_DONE] = "done at",
                                      [GDB_STOP_HANG] = "hang at",
                                      [GDB_STOP_FAULT] = "fault at",
                                      [GDB_STOP_FINDING] = "finding at",
                                      [GDB_STOP_BEGIN] = "the history begins at",
                                      [GDB_STOP_NO_MEMORY] = "out of memory at"};
  return texts[kind];
}

void gdb_say_stop(struct tessera_debugger *d) {
  struct gdb_where w = d->focus;
  uint32_t pc = gdb_pc(d, w), word = 0;
  char title[64], place[256] = "", text[128] = "";
  gdb_core_title(d, w, title, sizeof title);
  tessera_tile_place_text(d->machine.unit[w.unit].tile, (enum tessera_core)w.core, pc, place, sizeof place);
  if (pc <= TX_L1_BYTES - 4) memcpy(&word, &gdb_tile(&d->machine, w.unit)->l1[pc], 4);
  if ((word & 3u) != 3u) tessera_disassemble(tessera_stream_to_word(word), text, sizeof text);
  else tessera_disassemble_riscv(word, pc, text, sizeof text);
  gdb_say(d, "%s cycle %llu, %s 0x%05x %s%s%s\n", kind_text(d->stop.kind), (unsigned long long)d->cycle, title, pc, text,
          place[0] ? "  " : "", place);
  if (d->stop.text[0]) gdb_say(d, "%s\n", d->stop.text);
}

/* --- the table --- */

static const struct gdb_command *command_at(size_t index) {
  if (index < gdb_move_count) return &gdb_moves[index];
  index -= gdb_move_count;
  return index < gdb_show_count ? &gdb_shows[index] : NULL;
}

enum tessera_result tessera_debugger_verb(size_t index, struct tessera_debugger_verb *verb) {
  const struct gdb_command *c = command_at(index);
  if (!c || !verb) return TESSERA_INVALID;
  *verb = (struct tessera_debugger_verb){c->name, c->arguments, c->help, c->complete};
  return TESSERA_OK;
}

static void help(struct tessera_debugger *d) {
  const struct gdb_command *c;
  for (size_t i = 0; (c = command_at(i)); i++) gdb_say(d, "%-11s %-22s %s\n", c->name, c->arguments, c->help);
  gdb_say(d, "a command may be cut short: %s\n", "s steps, b breaks, c continues, r goes back");
}

/* The command of this name, or the first with this prefix. */
static const struct gdb_command *find(const char *word) {
  const struct gdb_command *c, *begins = NULL;
  for (size_t i = 0; (c = command_at(i)); i++) {
    if (strcmp(c->name, word) == 0) return c;
    if (!begins && strncmp(c->name, word, strlen(word)) == 0) begins = c;
  }
  return begins;
}

const char *gdb_monitor(struct tessera_debugger *d, const char *line) {
  char copy[512], *words[GDB_WORDS + 1] = {0}, *rest = copy;
  unsigned count = 0;
  d->text_length = 0;
  gdb_say(d, "%s", "");
  if (!d->text) return "";
  d->text[0] = '\0';
  snprintf(copy, sizeof copy, "%s", line);
  for (char *word; count < GDB_WORDS && *(word = rest + strspn(rest, " \t\r\n"));) {
    words[count++] = word;
    rest = word + strcspn(word, " \t\r\n");
    if (*rest) *rest++ = '\0';
  }
  if (!count) return d->text;
  const struct gdb_command *c = strcmp(words[0], "help") == 0 ? NULL : find(words[0]);
  if (c) c->run(d, count, words);
  else if (strcmp(words[0], "help") == 0 || strcmp(words[0], "?") == 0) help(d);
  else gdb_say(d, "no command '%s'; help lists them\n", words[0]);
  return d->text;
}
