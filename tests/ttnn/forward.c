/* A library with the libttsim ABI that passes every call on to the library in TESSERA_FORWARD and counts calls and the time inside
 * them. At exit it appends one line to the file in TESSERA_FORWARD_LOG:
 *
 *   calls N seconds S clock N S read N S write N S
 *
 * So two simulators are measured by the same clock, without the host program's own time. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum kind { CLOCK, READ, WRITE, OTHER, KINDS };

static struct {
  void *library;
  uint64_t calls[KINDS], nanoseconds[KINDS];
} state;

static void *find(const char *name) {
  const char *path = getenv("TESSERA_FORWARD");
  if (!state.library) state.library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
  void *symbol = state.library ? dlsym(state.library, name) : NULL;
  if (!symbol) {
    fprintf(stderr, "forward: no %s in TESSERA_FORWARD=%s\n", name, path ? path : "");
    abort();
  }
  return symbol;
}

static uint64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void count(enum kind kind, uint64_t since) {
  state.calls[kind]++;
  state.nanoseconds[kind] += now() - since;
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
  uint64_t since = now();
  to();
  count(OTHER, since);
  print();
  memset(&state.calls, 0, sizeof state.calls);
  memset(&state.nanoseconds, 0, sizeof state.nanoseconds);
}
