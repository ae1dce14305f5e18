/* A library with the libttsim ABI that passes every call on to the library in TESSERA_FORWARD and counts calls and the time inside
 * them. At exit it appends one line to the file in TESSERA_FORWARD_LOG:
 *
 *   calls N seconds S clock N S read N S write N S other N S
 *
 * The program can set marks: it increments the first word of the file in TESSERA_FORWARD_MARKS (struct marks below), and the next call
 * fills in the mark. With TESSERA_FORWARD_CYCLES=1 a mark has the chip's wall clock too, read from a Tensix tile (not every simulator
 * allows that). TESSERA_FORWARD_CPU=1 counts the calling thread's CPU time, which does not depend on other load of the PC.
 *
 * Two simulators are thus measured by the same clock, without the host program's own time. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum kind { CLOCK, READ, WRITE, OTHER, KINDS };

#define MARKS 1000u
#define WALL_CLOCK_LOW 0xFFB121F0u /* and the high word 8 bytes after it, latched when the low one was read */

struct mark {
  uint64_t calls, nanoseconds, cycle;
};

struct marks {
  uint64_t asked, taken; /* by the program; by this library */
  struct mark mark[MARKS];
};

static struct {
  void *library;
  struct marks *marks;
  clockid_t clock;
  uint64_t calls[KINDS], nanoseconds[KINDS];
} state = {.clock = CLOCK_MONOTONIC};

static void open_marks(void) {
  const char *path = getenv("TESSERA_FORWARD_MARKS");
  int file = path ? open(path, O_RDWR | O_CREAT, 0666) : -1;
  if (file < 0) return;
  if (!ftruncate(file, sizeof *state.marks)) {
    void *map = mmap(NULL, sizeof *state.marks, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (map != MAP_FAILED) state.marks = map;
  }
  close(file);
}

static void *find(const char *name) {
  const char *path = getenv("TESSERA_FORWARD");
  if (!state.library) {
    state.library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (getenv("TESSERA_FORWARD_CPU")) state.clock = CLOCK_THREAD_CPUTIME_ID;
    open_marks();
  }
  void *symbol = state.library ? dlsym(state.library, name) : NULL;
  if (!symbol) {
    fprintf(stderr, "forward: no %s in TESSERA_FORWARD=%s\n", name, path ? path : "");
    abort();
  }
  return symbol;
}

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(state.clock, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void count(enum kind kind, uint64_t since) {
  state.calls[kind]++;
  state.nanoseconds[kind] += now() - since;
}

static uint64_t wall_clock(void) {
  void (*read)(uint32_t, uint32_t, uint64_t, void *, uint32_t);
  uint32_t low, high;
  if (!getenv("TESSERA_FORWARD_CYCLES")) return 0;
  *(void **)&read = find("libttsim_tile_rd_bytes");
  read(1, 2, WALL_CLOCK_LOW, &low, sizeof low);
  read(1, 2, WALL_CLOCK_LOW + 8, &high, sizeof high);
  return (uint64_t)high << 32 | low;
}

/* Before each call: the marks that the program has asked for since the last one. */
static void take_marks(void) {
  struct marks *m = state.marks;
  while (m && m->taken < m->asked && m->taken < MARKS) {
    struct mark *mark = &m->mark[m->taken++];
    for (unsigned i = 0; i < KINDS; i++) mark->calls += state.calls[i], mark->nanoseconds += state.nanoseconds[i];
    mark->cycle = wall_clock();
  }
}

static void print(void) {
  static const char *const names[KINDS] = {"clock", "read", "write", "other"};
  const char *path = getenv("TESSERA_FORWARD_LOG");
  FILE *file = path ? fopen(path, "a") : stderr;
  uint64_t calls = 0, all = 0;
  if (!file) return;
  for (unsigned i = 0; i < KINDS; i++) calls += state.calls[i], all += state.nanoseconds[i];
  fprintf(file, "calls %llu seconds %.6f", (unsigned long long)calls, (double)all / 1e9);
  for (unsigned i = 0; i < KINDS; i++)
    fprintf(file, " %s %llu %.6f", names[i], (unsigned long long)state.calls[i], (double)state.nanoseconds[i] / 1e9);
  fputc('\n', file);
  if (path) fclose(file);
}

/* Defines an entry point: its kind, result, name, parameters, arguments, and how the result is kept. */
#define ENTRY(kind, name, parameters, arguments) \
  void name parameters; \
  void name parameters { \
    static void(*to) parameters; \
    if (!to) *(void **)&to = find(#name); \
    take_marks(); \
    uint64_t since = now(); \
    to arguments; \
    count(kind, since); \
  }

typedef void read_callback(uint64_t, void *, uint32_t);
typedef void write_callback(uint64_t, const void *, uint32_t);

ENTRY(OTHER, libttsim_init, (void), ())
ENTRY(OTHER, libttsim_set_pci_dma_mem_callbacks, (read_callback * rd, write_callback *wr), (rd, wr))
ENTRY(OTHER, libttsim_pci_config_wr32, (uint32_t device, uint32_t offset, uint32_t data), (device, offset, data))
ENTRY(READ, libttsim_pci_mem_rd_bytes, (uint64_t address, void *bytes, uint32_t size), (address, bytes, size))
ENTRY(WRITE, libttsim_pci_mem_wr_bytes, (uint64_t address, const void *bytes, uint32_t size), (address, bytes, size))
ENTRY(READ, libttsim_tile_rd_bytes, (uint32_t x, uint32_t y, uint64_t a, void *bytes, uint32_t size), (x, y, a, bytes, size))
ENTRY(WRITE, libttsim_tile_wr_bytes, (uint32_t x, uint32_t y, uint64_t a, const void *bytes, uint32_t size),
      (x, y, a, bytes, size))
ENTRY(CLOCK, libttsim_clock, (uint32_t clocks), (clocks))

uint32_t libttsim_pci_config_rd32(uint32_t device, uint32_t offset);
uint32_t libttsim_pci_config_rd32(uint32_t device, uint32_t offset) {
  uint32_t (*to)(uint32_t, uint32_t);
  *(void **)&to = find("libttsim_pci_config_rd32");
  uint64_t since = now();
  uint32_t value = to(device, offset);
  count(OTHER, since);
  return value;
}

void libttsim_exit(void);
void libttsim_exit(void) {
  void (*to)(void);
  *(void **)&to = find("libttsim_exit");
  take_marks();
  uint64_t since = now();
  to();
  count(OTHER, since);
  print();
  memset(&state.calls, 0, sizeof state.calls);
  memset(&state.nanoseconds, 0, sizeof state.nanoseconds);
}
