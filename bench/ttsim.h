/* ttsim's library as a device, by its documented interface only (its libttsim_api page): BAR0 with a 2 MiB TLB window, and the
 * registers of a tile. The library is one device per process and ends the process on an error: ttsim_apart. */
#ifndef TESSERA_BENCH_TTSIM_H
#define TESSERA_BENCH_TTSIM_H

#include <dlfcn.h>
#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct ttsim {
  void (*init)(void);
  void (*write)(uint64_t address, const void *from, uint32_t size);
  void (*read)(uint64_t address, void *to, uint32_t size);
  void (*clock)(uint32_t cycles);
  uint32_t x, y; /* the tile */
};

#define TTSIM_BAR0 UINT64_C(0x100000000)
#define TTSIM_TLB_CONFIG (TTSIM_BAR0 + 0x1fc00000u) /* three words a window */

/* Registers of a tile. */
#define TTSIM_SOFT_RESET 0xffb121b0u
#define TTSIM_NCRISC_HELD 0x40000u       /* its bit there */
#define TTSIM_TRISC_RESET_PC 0xffb12228u /* three words, then the word that lets them hold */
#define TTSIM_NCRISC_RESET_PC 0xffb12238u

static inline bool ttsim_open(struct ttsim *sim, const char *path) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    fprintf(stderr, "bench: %s\n", dlerror());
    return false;
  }
  static const char *const names[] = {"libttsim_init", "libttsim_pci_mem_wr_bytes", "libttsim_pci_mem_rd_bytes",
                                      "libttsim_clock"};
  void *found[4];
  for (unsigned i = 0; i < 4; i++) {
    found[i] = dlsym(library, names[i]);
    if (!found[i]) {
      fprintf(stderr, "bench: %s has no %s\n", path, names[i]);
      return false;
    }
  }
  memcpy(&sim->init, &found[0], sizeof found[0]);
  memcpy(&sim->write, &found[1], sizeof found[1]);
  memcpy(&sim->read, &found[2], sizeof found[2]);
  memcpy(&sim->clock, &found[3], sizeof found[3]);
  sim->x = 1;
  sim->y = 2;
  sim->init();
  return true;
}

/* Moves TLB window 0 to an address of the tile. */
static inline uint64_t ttsim_window(const struct ttsim *sim, uint32_t address) {
  const uint32_t config[3] = {address >> 21, sim->x << 11 | sim->y << 17, 0};
  for (unsigned i = 0; i < 3; i++) sim->write(TTSIM_TLB_CONFIG + 4 * i, &config[i], 4);
  return TTSIM_BAR0 + (address & 0x1fffffu);
}

static inline void ttsim_put(const struct ttsim *sim, uint32_t address, const void *bytes, uint32_t n) {
  for (uint32_t at = 0; at < n; at += 4096)
    sim->write(ttsim_window(sim, address + at), (const char *)bytes + at, n - at < 4096 ? n - at : 4096);
}

static inline void ttsim_poke(const struct ttsim *sim, uint32_t address, uint32_t value) {
  ttsim_put(sim, address, &value, 4);
}

static inline uint32_t ttsim_peek(const struct ttsim *sim, uint32_t address) {
  uint32_t value = 0;
  sim->read(ttsim_window(sim, address), &value, 4);
  return value;
}

static inline void ttsim_get(const struct ttsim *sim, uint32_t address, void *bytes, uint32_t n) {
  for (uint32_t at = 0; at < n; at += 4096)
    sim->read(ttsim_window(sim, address + at), (char *)bytes + at, n - at < 4096 ? n - at : 4096);
}

/* Puts the segments of DIRECTORY/NAME.elf into L1 and returns its entry point. Ends the process if there is no such file. */
static inline uint32_t ttsim_load(const struct ttsim *sim, const char *directory, const char *name) {
  static unsigned char file[1 << 20];
  char path[1400];
  snprintf(path, sizeof path, "%s/%s.elf", directory, name);
  FILE *f = fopen(path, "rb");
  if (!f) {
    fprintf(stderr, "bench: no file %s\n", path);
    exit(1);
  }
  size_t size = fread(file, 1, sizeof file, f);
  fclose(f);
  Elf32_Ehdr head;
  memcpy(&head, file, sizeof head);
  for (unsigned i = 0; i < head.e_phnum; i++) {
    Elf32_Phdr p;
    memcpy(&p, file + head.e_phoff + i * sizeof p, sizeof p);
    if (p.p_type == PT_LOAD && p.p_filesz && p.p_offset + p.p_filesz <= size)
      ttsim_put(sim, p.p_paddr, file + p.p_offset, (p.p_filesz + 3) & ~3u);
  }
  return head.e_entry;
}

/* The programs of the tile's cores, which are still in reset: a jump to BRISC's at address 0, and the reset vectors of the others. */
static inline void ttsim_programs(const struct ttsim *sim, const char *directory, bool ncrisc) {
  static const char *const threads[] = {"trisc0", "trisc1", "trisc2"};
  uint32_t brisc = ttsim_load(sim, directory, "brisc");
  ttsim_poke(sim, 0,
             0x6fu | (brisc >> 20 & 1u) << 31 | (brisc >> 1 & 0x3ffu) << 21 | (brisc >> 11 & 1u) << 20 | (brisc & 0xff000u));
  for (uint32_t i = 0; i < 3; i++) ttsim_poke(sim, TTSIM_TRISC_RESET_PC + 4 * i, ttsim_load(sim, directory, threads[i]));
  ttsim_poke(sim, TTSIM_TRISC_RESET_PC + 12, 7);
  if (!ncrisc) return;
  ttsim_poke(sim, TTSIM_NCRISC_RESET_PC, ttsim_load(sim, directory, "ncrisc"));
  ttsim_poke(sim, TTSIM_NCRISC_RESET_PC + 4, 1);
}

/* What `measure` returns, called in a process of its own; 0 if that ends early. */
static inline double ttsim_apart(double (*measure)(void *), void *argument) {
  int pipes[2];
  double result = 0;
  if (pipe(pipes) != 0) return 0;
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    result = measure(argument);
    _exit(write(pipes[1], &result, sizeof result) == (ssize_t)sizeof result ? 0 : 1);
  }
  close(pipes[1]);
  if (child < 0 || read(pipes[0], &result, sizeof result) != (ssize_t)sizeof result) result = 0;
  close(pipes[0]);
  if (child > 0) waitpid(child, NULL, 0);
  return result;
}

#endif
