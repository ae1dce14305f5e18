/* Framing: the packets in the bytes that the client sends, and their answers. */
#include <string.h>

#include "gdb/packet.h"
#include "gdb/stub.h"

static void take_packet(struct gdb_stub *s) {
  bool good = s->sum == s->given && !s->too_long;
  if (!s->no_ack) gdb_put_bytes(s, good ? "+" : "-", 1);
  if (!good) return;
  s->packet[s->length] = '\0';
  s->reply_length = 0;
  gdb_stub_answer(s);
  if (s->end == GDB_STUB_KILLED && s->packet[0] == 'k') return; /* has no answer */
  gdb_send_packet(s, s->reply, s->reply_length);
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
