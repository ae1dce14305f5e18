/* Finds the executables of the code that cores run: tt-metal keeps the ELF files of its kernels and firmware in a cache directory, and
 * loads them at addresses of its own choice, with some words changed. A file is taken for a core's program when its code is what lies
 * in L1 around the core's pc. No address and no file name of a tt-metal version is known here. */
#ifndef TESSERA_HOST_KERNELS_H
#define TESSERA_HOST_KERNELS_H

#include <stdio.h>

#include "debug/program.h"

struct host_kernel_file {
  char *path; /* below the directory */
  void *bytes;
  struct dbg_elf elf;
  int64_t written; /* seconds: of files with the same code the newest is taken, because a cache keeps the old ones */
  unsigned core;
  bool firmware; /* one of the package's sets, which hold the same code many times: the first that fits will do */
};

struct host_kernels {
  char directory[4096]; /* "": none */
  char firmware[4096];  /* compiled firmware that the user's tt-metal ships; "": none is known */
  struct host_kernel_file *files;
  size_t count, capacity;
  const char *names[TX_CORES]; /* path of the file that was found for the core */
  struct dbg_program program;
};

/* The directory from TESSERA_KERNEL_CACHE, TT_METAL_CACHE or the home directory's cache, in this order. */
void host_kernels_init(struct host_kernels *kernels, const char *directory, char *(*get)(const char *name));
/* The directory "tt_metal/pre-compiled" of the package that a file of this process belongs to; "" when there is none. `maps` is the
 * list of a process's files in the form of /proc/PID/maps. */
void host_firmware_find(FILE *maps, char *directory, size_t size);
/* Finds the programs of the tile's five cores by where they are; `program` then names functions and lines. */
void host_kernels_find(struct host_kernels *kernels, const struct tx_tile *tile);
/* The same by pcs of the caller's; 0: do not look for this core's. */
void host_kernels_find_at(struct host_kernels *kernels, const struct tx_tile *tile, const uint32_t pcs[TX_CORES]);
/* Forgets the files, which are read again when they are needed: hosts add kernels at any time. */
void host_kernels_free(struct host_kernels *kernels);

/* How well the file's code around `pc` fits what lies in L1 (words that are equal, less those that are not), and how far the file was
 * moved; 0: it is not this file. */
unsigned host_kernel_match(const struct dbg_elf *elf, const uint8_t *l1, size_t l1_size, uint32_t pc, uint32_t *moved);

#endif
