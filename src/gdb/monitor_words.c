/* Words and text of the commands of monitor.h. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gdb/breaks.h"
#include "gdb/monitor.h"
#include "gdb/place.h"
#include "tessera/debug.h"
#include "tessera/isa.h"

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
