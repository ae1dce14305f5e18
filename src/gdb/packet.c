/* Packets: $content#sum, acknowledged with + or - until the client turns acknowledgement off (stub_feed.c). */
#include "gdb/packet.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

void gdb_put_bytes(struct gdb_stub *s, const void *bytes, size_t length) {
  if (s->end != GDB_STUB_GONE && !s->port.write(s->port.context, bytes, length)) s->end = GDB_STUB_GONE;
}

/* Escapes bytes that are special in the framing. ("*" would begin a run of equal bytes.) */
void gdb_send_packet(struct gdb_stub *s, const char *content, size_t length) {
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
    if (used > sizeof buffer - 8) gdb_put_bytes(s, buffer, used), used = 0;
  }
  buffer[used++] = '#';
  buffer[used++] = hex[sum >> 4];
  buffer[used++] = hex[sum & 15u];
  gdb_put_bytes(s, buffer, used);
}

void gdb_send_console(struct gdb_stub *s, const char *text) {
  char content[2 * GDB_TEXT + 4];
  size_t used = 0;
  content[used++] = 'O';
  for (size_t i = 0; text[i] && used + 2 < sizeof content; i++)
    used += (size_t)snprintf(content + used, sizeof content - used, "%02x", (unsigned char)text[i]);
  gdb_send_packet(s, content, used);
}
