/* Processes and threads of the protocol: one of each per core. */
#include <stdio.h>
#include <string.h>

#include "gdb/packet.h"
#include "gdb/stub.h"

static unsigned pid_of(struct gdb_where w) { return w.unit * TX_CORES + w.core + 1; }

bool gdb_where_of_pid(const struct tessera_debugger *d, uint64_t pid, struct gdb_where *where) {
  if (pid == 0 || pid > (uint64_t)d->machine.count * TX_CORES) return false;
  *where = (struct gdb_where){(unsigned)((pid - 1) / TX_CORES), (unsigned)((pid - 1) % TX_CORES)};
  return true;
}

bool gdb_stub_next(const struct gdb_stub *s, unsigned *pid, struct gdb_where *w) {
  while (gdb_where_of_pid(s->d, ++*pid, w))
    if (s->d->attached[w->unit] && !(s->detached[w->unit] >> w->core & 1u)) return true;
  return false;
}

void gdb_stub_thread_text(const struct gdb_stub *s, struct gdb_where w, char *text, size_t size) {
  snprintf(text, size, s->multiprocess ? "p%x.1" : "%x", pid_of(w));
}

/* One number: -1 all, 0 any. */
static bool read_number(const char **text, uint64_t *value, bool *every) {
  *every = strncmp(*text, "-1", 2) == 0;
  if (*every) *text += 2;
  else if (!gdb_hex(text, value)) return false;
  *every |= *value == 0;
  return true;
}

bool gdb_stub_thread(const struct gdb_stub *s, const char **text, struct gdb_where *where) {
  uint64_t pid = 1, tid = 1;
  bool every, every_thread;
  bool both = **text == 'p';
  if (both) ++*text;
  if (!read_number(text, &pid, &every)) return false;
  if (both && **text == '.') {
    ++*text;
    if (!read_number(text, &tid, &every_thread) || (!every_thread && tid != 1)) return false;
  }
  return every || gdb_where_of_pid(s->d, pid, where);
}
