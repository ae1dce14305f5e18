/* The executables of the cores as files that gdb reads through the connection: gdb needs neither a path nor a copy. */
#include <stdio.h>
#include <string.h>

#include "gdb/packet.h"
#include "gdb/stub.h"

#define MODE_REGULAR_READ 0100444u
#define ENOENT_OF_GDB 2
#define EBADF_OF_GDB 9
#define EINVAL_OF_GDB 22

const void *gdb_file(const struct tessera_debugger *d, struct gdb_where w, size_t *size) {
  const struct tessera_tile *tile = d->machine.unit[w.unit].tile;
  if (!tile->program.loaded[w.core]) return NULL;
  *size = tile->program.elf[w.core].file.size;
  return tile->program.elf[w.core].file.data;
}

void gdb_file_name(const struct tessera_debugger *d, struct gdb_where w, char *text, size_t size) {
  static const char *const names[TX_CORES] = {"trisc0", "trisc1", "trisc2", "brisc", "ncrisc"};
  const struct gdb_unit *u = &d->machine.unit[w.unit];
  if (d->machine.chip) snprintf(text, size, "/tessera/tile-%u-%u/%s.elf", u->x, u->y, names[w.core]);
  else snprintf(text, size, "/tessera/tile/%s.elf", names[w.core]);
}

static void open_file(struct gdb_stub *s, const char *name) {
  char path[64], mine[64];
  size_t length = strcspn(name, ","), size;
  if (length % 2 || length / 2 >= sizeof path || !gdb_hex_bytes(name, (uint8_t *)path, length / 2)) {
    gdb_reply(s, "F-1,%x", ENOENT_OF_GDB);
    return;
  }
  path[length / 2] = '\0';
  for (unsigned pid = 1; pid <= s->d->machine.count * TX_CORES; pid++) {
    struct gdb_where w;
    gdb_where_of_pid(s->d, pid, &w);
    gdb_file_name(s->d, w, mine, sizeof mine);
    if (strcmp(mine, path) != 0 || !gdb_file(s->d, w, &size)) continue;
    gdb_reply(s, "F%x", pid);
    return;
  }
  gdb_reply(s, "F-1,%x", ENOENT_OF_GDB);
}

/* The file of a descriptor, which is the number of its process. */
static const uint8_t *file_of(struct gdb_stub *s, const char **at, size_t *size) {
  uint64_t pid;
  struct gdb_where w;
  const void *file = gdb_hex(at, &pid) && gdb_where_of_pid(s->d, pid, &w) ? gdb_file(s->d, w, size) : NULL;
  if (!file) gdb_reply(s, "F-1,%x", EBADF_OF_GDB);
  return file;
}

static void read_file(struct gdb_stub *s, const char *at) {
  size_t size = 0;
  uint64_t count, offset;
  const uint8_t *file = file_of(s, &at, &size);
  if (!file) return;
  if (*at++ != ',' || !gdb_hex(&at, &count) || *at++ != ',' || !gdb_hex(&at, &offset)) {
    gdb_reply(s, "F-1,%x", EINVAL_OF_GDB);
    return;
  }
  if (offset > size) offset = size;
  if (count > size - offset) count = size - offset;
  if (count > GDB_PACKET / 2 - 32) count = GDB_PACKET / 2 - 32; /* escaping may double the length */
  gdb_reply(s, "F%x;", (unsigned)count);
  gdb_reply_bytes(s, file + offset, (size_t)count);
}

static void put_big(uint8_t *at, uint64_t value, unsigned bytes) {
  for (unsigned i = 0; i < bytes; i++) at[i] = (uint8_t)(value >> 8 * (bytes - 1 - i));
}

/* struct fstat of the protocol: 64 bytes, big endian. */
static void describe_file(struct gdb_stub *s, const char *at) {
  uint8_t stat[64] = {0};
  size_t size = 0;
  if (!file_of(s, &at, &size)) return;
  put_big(stat + 8, MODE_REGULAR_READ, 4);
  put_big(stat + 12, 1, 4);
  put_big(stat + 28, size, 8);
  put_big(stat + 36, 4096, 8);
  put_big(stat + 44, (size + 511) / 512, 8);
  gdb_reply(s, "F%zx;", sizeof stat);
  gdb_reply_bytes(s, stat, sizeof stat);
}

void gdb_stub_file(struct gdb_stub *s) {
  const char *p = s->packet + strlen("vFile:");
  if (strncmp(p, "setfs:", 6) == 0) gdb_reply(s, "F0");
  else if (strncmp(p, "open:", 5) == 0) open_file(s, p + 5);
  else if (strncmp(p, "pread:", 6) == 0) read_file(s, p + 6);
  else if (strncmp(p, "fstat:", 6) == 0) describe_file(s, p + 6);
  else if (strncmp(p, "close:", 6) == 0) gdb_reply(s, "F0");
}
