/* A chip for the host side's tests: plain memory. Every tile (x 0..31, y 0..31) has 64 KiB at address 0 and four registers at
 * 0xffb00000; each NIU has eight words. Time is a counter; `events` change a word at a cycle. */
#ifndef TESSERA_TESTS_HOST_RIG_H
#define TESSERA_TESTS_HOST_RIG_H

#include <stdlib.h>
#include <string.h>

#include "host/host.h"

#define RIG_MEMORY 0x10000u
#define RIG_SIDE 32u

struct host_rig {
  struct host host;
  struct host_time time;
  uint8_t memory[RIG_SIDE][RIG_SIDE][RIG_MEMORY]; /* y, x */
  uint32_t niu[2][8];
  uint64_t cycle, event_at;
  uint32_t runs; /* calls of run */
  uint8_t *event_byte;
  bool faulted, idle;
  struct host_target last; /* of the last write */
  uint8_t host_memory[RIG_MEMORY];
  uint64_t host_address; /* of the last access to host memory */
  unsigned lines;
  char line[256];
};

static struct host_rig *rig;

static uint8_t *rig_at(const struct host_target *target, uint64_t address, uint32_t size) {
  if (target->x_end >= RIG_SIDE || target->y_end >= RIG_SIDE) return NULL;
  if (address >= RIG_MEMORY || size > RIG_MEMORY - address) return NULL;
  return &rig->memory[target->y_end][target->x_end][address];
}

static bool rig_read(void *chip, const struct host_target *target, uint64_t address, void *bytes, uint32_t size) {
  uint8_t *from = rig_at(target, address, size);
  (void)chip;
  if (from) memcpy(bytes, from, size);
  return from != NULL;
}

/* The last bytes of a tile's memory serve as registers. */
#define RIG_REGISTERS (RIG_MEMORY - 256u)
static bool rig_peek(void *chip, const struct host_target *target, uint64_t address, void *bytes, uint32_t size) {
  return address < RIG_REGISTERS && rig_read(chip, target, address, bytes, size);
}

static bool rig_write(void *chip, const struct host_target *target, uint64_t address, const void *bytes, uint32_t size) {
  (void)chip;
  rig->last = *target;
  if (!target->broadcast) {
    uint8_t *to = rig_at(target, address, size);
    if (to) memcpy(to, bytes, size);
    return to != NULL;
  }
  if (address >= RIG_MEMORY || size > RIG_MEMORY - address) return false;
  for (unsigned y = target->y_start; y <= target->y_end && y < RIG_SIDE; y++)
    for (unsigned x = target->x_start; x <= target->x_end && x < RIG_SIDE; x++)
      if (host_tlb_stride_keeps(target->strided, x, y, target->x_start, target->y_start, 17, 12))
        memcpy(&rig->memory[y][x][address], bytes, size);
  return true;
}

static bool rig_niu_read(void *chip, unsigned noc, uint32_t offset, uint32_t *value) {
  (void)chip;
  if (offset / 4 >= 8) return false;
  *value = rig->niu[noc][offset / 4];
  return true;
}

static bool rig_niu_write(void *chip, unsigned noc, uint32_t offset, uint32_t value) {
  (void)chip;
  if (offset / 4 >= 8) return false;
  rig->niu[noc][offset / 4] = value;
  return true;
}

static bool rig_run(void *chip, uint64_t cycles) {
  (void)chip;
  rig->runs++;
  rig->cycle += cycles;
  if (rig->event_byte && rig->cycle >= rig->event_at) {
    (*rig->event_byte)++;
    rig->event_byte = NULL;
  }
  return !rig->idle;
}

static uint64_t rig_cycle(void *chip) {
  (void)chip;
  return rig->cycle;
}

static bool rig_faulted(void *chip) {
  (void)chip;
  return rig->faulted;
}

static void rig_say(void *who, const char *line) {
  (void)who;
  rig->lines++;
  strncpy(rig->line, line, sizeof rig->line - 1);
}

static void rig_host_read(uint64_t address, void *bytes, uint32_t size) {
  rig->host_address = address;
  memcpy(bytes, &rig->host_memory[address % 0x8000], size < 0x8000 ? size : 0x8000);
}

static void rig_host_write(uint64_t address, const void *bytes, uint32_t size) {
  rig->host_address = address;
  memcpy(&rig->host_memory[address % 0x8000], bytes, size < 0x8000 ? size : 0x8000);
}

static int rig_start(void **state) {
  (void)state;
  rig = calloc(1, sizeof *rig);
  if (!rig) return -1;
  struct host_port port = {.chip = rig,
                           .system = rig,
                           .read = rig_read,
                           .write = rig_write,
                           .peek = rig_peek,
                           .niu_read = rig_niu_read,
                           .niu_write = rig_niu_write,
                           .run = rig_run,
                           .cycle = rig_cycle,
                           .faulted = rig_faulted};
  host_init(&rig->host, &port, 0, &rig->time);
  rig->host.say = rig_say;
  rig->host.memory = (struct host_memory){rig_host_read, rig_host_write};
  return 0;
}

static int rig_stop(void **state) {
  (void)state;
  free(rig);
  return 0;
}

/* Points a window at a tile, or at a rectangle of tiles, word by word as a driver does it. */
static inline void rig_window(unsigned window, uint64_t address, struct host_target to) {
  bool small = window < HOST_TLB_SMALL;
  unsigned __int128 bits = small ? address >> 21 : address >> 32;
  unsigned base = small ? 43 : 32;
  bits |= (unsigned __int128)to.x_end << base | (unsigned __int128)to.y_end << (base + 6);
  bits |= (unsigned __int128)to.x_start << (base + 12) | (unsigned __int128)to.y_start << (base + 18);
  bits |= (unsigned __int128)to.noc << (base + 24) | (unsigned __int128)to.broadcast << (base + 26);
  bits |= (unsigned __int128)to.ordering << (base + 27) | (unsigned __int128)to.linked << (base + 29);
  bits |= (unsigned __int128)to.static_vc << (base + 30) | (unsigned __int128)(to.vc & 1) << (base + 32);
  bits |= (unsigned __int128)(to.vc >> 1) << (base + 33);
  for (unsigned i = 0; i < 3; i++) {
    uint32_t word = (uint32_t)(bits >> (32 * i));
    host_write(&rig->host, 0x11fc00000ull + 12 * window + 4 * i, &word, 4);
  }
}

static inline struct host_target rig_tile(unsigned x, unsigned y) {
  return (struct host_target){.x_end = (uint8_t)x, .y_end = (uint8_t)y};
}

#endif
