/* The commands of stub.h: selecting a core, memory, registers, breakpoints. */
#include "gdb/stub.h"

#include <stdio.h>
#include <string.h>

#include "gdb/access.h"
#include "gdb/breaks.h"
#include "gdb/packet.h"
#include "gdb/place.h"
#include "gdb/registers.h"
#include "gdb/travel.h"
#include "gdb/watches.h"

static int interrupted(void *context) {
  struct gdb_stub *s = context;
  uint8_t bytes[256];
  int count = s->interrupt ? 0 : s->port.read_now(s->port.context, bytes, sizeof bytes);
  if (count < 0) s->end = GDB_STUB_GONE;
  for (int i = 0; i < count; i++) {
    if (bytes[i] == 3) s->interrupt = true;
    else if (s->waiting < sizeof s->queue) s->queue[s->waiting++] = bytes[i];
  }
  return s->interrupt || s->end == GDB_STUB_GONE;
}

void gdb_stub_begin(struct gdb_stub *s, struct tessera_debugger *d, struct gdb_port port) {
  memset(s, 0, sizeof *s);
  s->d = d;
  s->port = port;
  s->general = s->resume = d->focus;
  d->attached[d->focus.unit] = 1;
  d->interrupted = interrupted;
  d->interrupted_context = s;
}

void gdb_stub_leave(struct gdb_stub *s) {
  gdb_clear_points(s->d);
  s->d->interrupted = NULL;
}

/* --- cores --- */

static void set_thread(struct gdb_stub *s) {
  const char *at = s->packet + 2;
  struct gdb_where w = s->packet[1] == 'c' ? s->resume : s->general;
  if ((s->packet[1] != 'g' && s->packet[1] != 'c') || !gdb_stub_thread(s, &at, &w) || *at) {
    gdb_reply(s, "E01");
    return;
  }
  if (s->packet[1] == 'g') s->general = w;
  else s->resume = w;
  gdb_reply(s, "OK");
}

static void is_alive(struct gdb_stub *s) {
  const char *at = s->packet + 1;
  struct gdb_where w = s->general;
  gdb_reply(s, gdb_stub_thread(s, &at, &w) ? "OK" : "E01");
}

/* --- registers --- */

static void reply_value(struct gdb_stub *s, uint64_t value, unsigned bits) {
  uint8_t bytes[8];
  for (unsigned i = 0; i < 8; i++) bytes[i] = (uint8_t)(value >> 8 * i);
  gdb_reply_hex(s, bytes, bits / 8);
}

static void read_registers(struct gdb_stub *s) {
  uint64_t value = 0;
  for (unsigned i = 0; i < GDB_G_REGISTERS; i++) {
    gdb_register_read(s->d, s->general, i, &value);
    reply_value(s, value, 32);
  }
}

static uint64_t value_of(const uint8_t *bytes, unsigned count) {
  uint64_t value = 0;
  for (unsigned i = 0; i < count; i++) value |= (uint64_t)bytes[i] << 8 * i;
  return value;
}

static void write_registers(struct gdb_stub *s) {
  uint8_t bytes[4];
  uint64_t before;
  if (s->length != 1 + 8 * GDB_G_REGISTERS) {
    gdb_reply(s, "E01");
    return;
  }
  for (unsigned i = 0; i < GDB_G_REGISTERS; i++) {
    bool good = gdb_hex_bytes(s->packet + 1 + 8 * i, bytes, 4) && gdb_register_read(s->d, s->general, i, &before);
    if (good && before != value_of(bytes, 4)) good = gdb_register_write(s->d, s->general, i, value_of(bytes, 4));
    if (good) continue;
    gdb_reply(s, "E02");
    return;
  }
  gdb_reply(s, "OK");
}

static void read_register(struct gdb_stub *s) {
  const char *at = s->packet + 1;
  uint64_t number, value;
  struct gdb_register r;
  bool good = gdb_hex(&at, &number) && !*at && number < 4096 && gdb_register(s->general.core, (unsigned)number, &r) &&
              gdb_register_read(s->d, s->general, (unsigned)number, &value);
  if (good) reply_value(s, value, r.bits);
  else gdb_reply(s, "E01");
}

static void write_register(struct gdb_stub *s) {
  const char *at = s->packet + 1;
  uint64_t number;
  uint8_t bytes[8];
  struct gdb_register r;
  bool good = gdb_hex(&at, &number) && *at++ == '=' && number < 4096 &&
              gdb_register(s->general.core, (unsigned)number, &r) && strlen(at) == r.bits / 4 &&
              gdb_hex_bytes(at, bytes, r.bits / 8) &&
              gdb_register_write(s->d, s->general, (unsigned)number, value_of(bytes, r.bits / 8));
  gdb_reply(s, good ? "OK" : "E01");
}

/* --- memory --- */

/* ADDR,LENGTH; the address of a 32-bit core. */
static bool range_of(const char **at, uint32_t *address, size_t *length) {
  uint64_t a, n;
  if (!gdb_hex(at, &a) || *(*at)++ != ',' || !gdb_hex(at, &n) || a > UINT32_MAX || n > GDB_PACKET / 2) return false;
  *address = (uint32_t)a;
  *length = (size_t)n;
  return a + n <= UINT64_C(0x100000000);
}

static void read_memory(struct gdb_stub *s) {
  const char *at = s->packet + 1;
  uint8_t bytes[GDB_PACKET / 2];
  uint32_t address;
  size_t length;
  if (range_of(&at, &address, &length) && !*at && gdb_read(s->d, s->general, address, bytes, length))
    gdb_reply_hex(s, bytes, length);
  else gdb_reply(s, "E01");
}

static void write_memory(struct gdb_stub *s, bool binary) {
  const char *at = s->packet + 1;
  uint8_t bytes[GDB_PACKET / 2];
  uint32_t address;
  size_t length;
  bool good = range_of(&at, &address, &length) && *at++ == ':';
  size_t left = good ? s->length - (size_t)(at - s->packet) : 0;
  if (good && binary) good = left == length && (memcpy(bytes, at, length), true);
  else good = good && left == 2 * length && gdb_hex_bytes(at, bytes, length);
  gdb_reply(s, good && gdb_write(s->d, s->general, address, bytes, length) ? "OK" : "E01");
}

/* --- points --- */

static void change_point(struct gdb_stub *s) {
  bool add = s->packet[0] == 'Z';
  char kind = s->packet[1];
  const char *at = s->packet + 2;
  uint32_t address;
  size_t length;
  const unsigned access = kind == '2' ? GDB_WRITES : kind == '3' ? GDB_READS : GDB_WRITES | GDB_READS;
  if (kind < '0' || kind > '4') return; /* "": not supported */
  if (*at++ != ',' || !range_of(&at, &address, &length)) {
    gdb_reply(s, "E01");
    return;
  }
  bool good = true;
  if (kind < '2') good = (add ? gdb_break_add : gdb_break_remove)(s->d, s->general, address);
  else if (add) good = gdb_watch_add(s->d, s->general, address, (uint32_t)length, access) == GDB_WATCH_SET;
  else gdb_watch_remove(s->d, s->general, address, (uint32_t)length, access);
  gdb_reply(s, good || !add ? "OK" : "E02");
}

/* --- all commands --- */

/* D and vKill of one process (;PID): the client detaches from it. After the last one the connection is closed. If the
 * client killed any of them, the run ends too: the five cores cannot end separately. */
static void leave(struct gdb_stub *s, const char *at, bool kill) {
  struct gdb_where w;
  uint64_t pid;
  unsigned any = 0;
  bool one = *at == ';';
  if (one && (++at, !gdb_hex(&at, &pid) || *at || !gdb_where_of_pid(s->d, pid, &w))) {
    gdb_reply(s, "E01");
    return;
  }
  s->killed |= kill;
  if (one) s->detached[w.unit] |= (uint8_t)(1u << w.core);
  if (!one || !gdb_stub_next(s, &any, &w)) s->end = s->killed ? GDB_STUB_KILLED : GDB_STUB_DETACHED;
  gdb_reply(s, "OK");
}

static void attach(struct gdb_stub *s) {
  const char *at = s->packet + strlen("vAttach;");
  uint64_t pid;
  struct gdb_where w;
  if (!gdb_hex(&at, &pid) || *at || !gdb_where_of_pid(s->d, pid, &w)) {
    gdb_reply(s, "E01");
    return;
  }
  s->d->attached[w.unit] = 1;
  s->detached[w.unit] &= (uint8_t) ~(1u << w.core);
  gdb_stop_at(s->d, GDB_STOP_START, w);
  gdb_stub_stopped(s);
}

static void answer_v(struct gdb_stub *s) {
  const char *p = s->packet;
  if (strcmp(p, "vCont?") == 0) gdb_reply(s, "vCont;c;C;s;S;r");
  else if (strncmp(p, "vCont;", 6) == 0) gdb_stub_resume(s);
  else if (strncmp(p, "vFile:", 6) == 0) gdb_stub_file(s);
  else if (strncmp(p, "vAttach;", 8) == 0) attach(s);
  else if (strncmp(p, "vKill;", 6) == 0) leave(s, p + 5, true);
  else if (strncmp(p, "vRun", 4) == 0) gdb_goto(s->d, 0), gdb_stub_stopped(s);
}

/* An empty reply means that the command is not supported. */
void gdb_stub_answer(struct gdb_stub *s) {
  s->interrupt = false;
  switch (s->packet[0]) {
    case '?': gdb_stub_stopped(s); break;
    case '!': gdb_reply(s, "OK"); break;
    case 'H': set_thread(s); break;
    case 'T': is_alive(s); break;
    case 'g': read_registers(s); break;
    case 'G': write_registers(s); break;
    case 'p': read_register(s); break;
    case 'P': write_register(s); break;
    case 'm': read_memory(s); break;
    case 'M': write_memory(s, false); break;
    case 'X': write_memory(s, true); break;
    case 'Z':
    case 'z': change_point(s); break;
    case 'c':
    case 'C':
    case 's':
    case 'S':
    case 'b': gdb_stub_resume(s); break;
    case 'D': leave(s, s->packet + 1, false); break;
    case 'k': s->end = GDB_STUB_KILLED; break;
    case 'R': gdb_goto(s->d, 0); break;
    case 'q':
    case 'Q': gdb_stub_query(s); break;
    case 'v': answer_v(s); break;
    default: break;
  }
}
