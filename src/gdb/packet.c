/* Packets: $content#sum, acknowledged with + or - until the client turns acknowledgement off. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "gdb/stub.h"

/* --- hex --- */

int gdb_hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool gdb_hex(const char **text, uint64_t *value) {
  unsigned digits = 0;
  *value = 0;
  for (; gdb_hex_digit(**text) >= 0; ++*text, digits++) {
    if (*value >> 60) return false;
    *value = *value << 4 | (uint64_t)gdb_hex_digit(**text);
  }
  return digits > 0;
}

bool gdb_hex_bytes(const char *text, uint8_t *bytes, size_t length) {
  for (size_t i = 0; i < length; i++) {
    int high = gdb_hex_digit(text[2 * i]), low = high < 0 ? -1 : gdb_hex_digit(text[2 * i + 1]);
    if (low < 0) return false;
    bytes[i] = (uint8_t)(high << 4 | low);
  }
  return true;
}

/* --- answers --- */

void gdb_reply_bytes(struct gdb_stub *s, const void *bytes, size_t length) {
  if (length > GDB_PACKET - s->reply_length) length = GDB_PACKET - s->reply_length;
  memcpy(s->reply + s->reply_length, bytes, length);
  s->reply_length += length;
}

void gdb_reply(struct gdb_stub *s, const char *format, ...) {
  va_list args;
  va_start(args, format);
  size_t room = sizeof s->reply - s->reply_length;
  int length = vsnprintf(s->reply + s->reply_length, room, format, args);
  va_end(args);
  if (length > 0) s->reply_length += (size_t)length < room ? (size_t)length : room - 1;
}

void gdb_reply_hex(struct gdb_stub *s, const void *bytes, size_t length) {
  const uint8_t *at = bytes;
  for (size_t i = 0; i < length; i++) {
    char two[2] = {"0123456789abcdef"[at[i] >> 4], "0123456789abcdef"[at[i] & 15u]};
    gdb_reply_bytes(s, two, 2);
  }
}

static void put(struct gdb_stub *s, const void *bytes, size_t length) {
  if (s->end != GDB_STUB_GONE && !s->port.write(s->port.context, bytes, length)) s->end = GDB_STUB_GONE;
}

/* Escapes bytes that are special in the framing. ("*" would begin a run of equal bytes.) */
static void send_packet(struct gdb_stub *s, const char *content, size_t length) {
  static const char hex[] = "0123456789abcdef";
  char buffer[1024];
  size_t used = 0;
  uint8_t sum = 0;
  buffer[used++] = '$';
  for (size_t i = 0; i < length; i++) {
    char c = content[i];
    bool escape = c == '$' || c == '#' || c == '}' || c == '*';
    char out[2] = {'}', (char)(c ^ 0x20)};
    if (!escape) out[0] = c;
    for (unsigned k = 0; k < (escape ? 2u : 1u); k++) {
      sum = (uint8_t)(sum + (uint8_t)out[k]);
      buffer[used++] = out[k];
    }
    if (used > sizeof buffer - 8) put(s, buffer, used), used = 0;
  }
  buffer[used++] = '#';
  buffer[used++] = hex[sum >> 4];
  buffer[used++] = hex[sum & 15u];
  put(s, buffer, used);
}

void gdb_send_console(struct gdb_stub *s, const char *text) {
  char content[2 * GDB_TEXT + 4];
  size_t used = 0;
  content[used++] = 'O';
  for (size_t i = 0; text[i] && used + 2 < sizeof content; i++)
    used += (size_t)snprintf(content + used, sizeof content - used, "%02x", (unsigned char)text[i]);
  send_packet(s, content, used);
}

/* --- framing --- */

static void take_packet(struct gdb_stub *s) {
  bool good = s->sum == s->given && !s->too_long;
  if (!s->no_ack) put(s, good ? "+" : "-", 1);
  if (!good) return;
  s->packet[s->length] = '\0';
  s->reply_length = 0;
  gdb_stub_answer(s);
  if (s->end == GDB_STUB_KILLED && s->packet[0] == 'k') return; /* has no answer */
  send_packet(s, s->reply, s->reply_length);
}

static void keep(struct gdb_stub *s, char c) {
  if (s->length < GDB_PACKET) s->packet[s->length++] = c;
  else s->too_long = true;
}

static void take_byte(struct gdb_stub *s, uint8_t byte) {
  switch (s->frame) {
    case GDB_FRAME_IDLE: /* acknowledgements, and an interrupt while the machine is stopped, are ignored */
      if (byte != '$') return;
      s->frame = GDB_FRAME_DATA;
      s->length = 0;
      s->sum = 0;
      s->too_long = false;
      return;
    case GDB_FRAME_DATA:
      if (byte == '#') {
        s->frame = GDB_FRAME_SUM1;
      } else if (byte == '$') { /* the packet before was truncated */
        s->length = 0;
        s->sum = 0;
      } else {
        s->sum = (uint8_t)(s->sum + byte);
        if (byte == '}') s->frame = GDB_FRAME_ESCAPE;
        else keep(s, (char)byte);
      }
      return;
    case GDB_FRAME_ESCAPE:
      s->sum = (uint8_t)(s->sum + byte);
      keep(s, (char)(byte ^ 0x20));
      s->frame = GDB_FRAME_DATA;
      return;
    case GDB_FRAME_SUM1:
    case GDB_FRAME_SUM2: {
      int digit = gdb_hex_digit((char)byte);
      s->given = (uint8_t)(s->given << 4 | (digit < 0 ? 0 : digit));
      if (digit < 0) s->too_long = true;
      bool last = s->frame == GDB_FRAME_SUM2;
      s->frame = last ? GDB_FRAME_IDLE : GDB_FRAME_SUM2;
      if (last) take_packet(s);
      return;
    }
  }
}

/* Where the last qSupported begins; 0: there is at most one. gdb repeats its first packet every two seconds until it is answered: a command
 * behind a pipe that starts slowly finds all of them at once, and gdb would take the answers to the others for those of later packets. */
static size_t skip_repeated(const uint8_t *bytes, size_t length) {
  static const char first[] = "$qSupported";
  size_t last = 0, count = 0;
  for (size_t i = 0; i + sizeof first - 1 <= length; i++)
    if (memcmp(bytes + i, first, sizeof first - 1) == 0) last = i, count++;
  return count > 1 ? last : 0;
}

void gdb_stub_feed(struct gdb_stub *s, const void *bytes, size_t length) {
  const uint8_t *at = bytes;
  for (size_t i = skip_repeated(at, length); i < length && s->end == GDB_STUB_ON; i++) {
    take_byte(s, at[i]);
    while (s->waiting && s->end == GDB_STUB_ON) { /* bytes that arrived while the machine ran */
      uint8_t early[256];
      size_t part = s->waiting < sizeof early ? s->waiting : sizeof early;
      memcpy(early, s->queue, part);
      s->waiting -= part;
      memmove(s->queue, s->queue + part, s->waiting);
      for (size_t k = 0; k < part && s->end == GDB_STUB_ON; k++) take_byte(s, early[k]);
    }
  }
}
