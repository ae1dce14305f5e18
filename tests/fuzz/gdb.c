/* Fuzz target: gdb's packets. Each line of the input is the content of one packet, framed and summed here; a line that begins with ! goes to the
 * stub as it is. The tile counts in a loop and stores. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gdb/stub.h"
#include "tessera/debugger.h"
#include "tessera/tensix.h"

static bool take(void *context, const void *bytes, size_t length) {
  (void)context, (void)bytes, (void)length;
  return true;
}

static int nothing(void *context, void *bytes, size_t size) {
  (void)context, (void)bytes, (void)size;
  return 0;
}

static struct tessera_tile *make_tile(void) {
  static const uint32_t code[] = {0x00002537u, 0x00158593u, 0x00b52023u,
                                  0xff9ff06fu}; /* lui a0, 2; addi a1, a1, 1; sw a1, 0(a0); j -8 */
  struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
  tessera_tile_write(tile, 0x1000, code, sizeof code);
  tessera_tile_set_reset_pc(tile, TESSERA_BRISC, 0x1000);
  tessera_tile_start(tile, 1u << TESSERA_BRISC);
  return tile;
}

static void feed(struct gdb_stub *s, const char *line, size_t length) {
  static char packet[4200];
  uint8_t sum = 0;
  if (length && line[0] == '!') {
    gdb_stub_feed(s, line + 1, length - 1);
    return;
  }
  if (length > 4096) length = 4096;
  for (size_t i = 0; i < length; i++) sum = (uint8_t)(sum + (uint8_t)line[i]);
  packet[0] = '$';
  memcpy(packet + 1, line, length);
  snprintf(packet + 1 + length, 8, "#%02x", sum);
  gdb_stub_feed(s, packet, length + 4);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct tessera_tile *tile = make_tile();
  struct tessera_debugger *d = tessera_debugger_open(tile);
  struct gdb_stub *s = malloc(sizeof *s);
  if (!d || !s) abort();
  tessera_debugger_limit_cycles(d, 3000);
  gdb_stub_begin(s, d, (struct gdb_port){NULL, take, nothing});
  for (size_t at = 0, packets = 0; at < size && s->end == GDB_STUB_ON && packets < 64; packets++) {
    const uint8_t *feed_end = memchr(data + at, '\n', size - at);
    size_t length = feed_end ? (size_t)(feed_end - data) - at : size - at;
    feed(s, (const char *)data + at, length);
    at += length + 1;
  }
  gdb_stub_leave(s);
  tessera_debugger_close(d);
  tessera_tile_destroy(tile);
  free(s);
  return 0;
}
