/* Finds the executables of the code that cores run: tt-metal keeps the ELF files of its kernels and firmware in a cache directory, and
 * loads them at addresses of its own choice, with some words changed. A file is taken for a core's program when its code is what lies
 * in L1 around the core's pc. No address and no file name of a tt-metal version is known here. */
#ifndef TESSERA_HOST_KERNELS_H
#define TESSERA_HOST_KERNELS_H

#include "debug/program.h"

struct host_kernels {
  char directory[4096];      /* "": none */
  void *files[TX_CORES];     /* held by `program` */
  char names[TX_CORES][256]; /* path of the file, below the directory */
  struct dbg_program program;
};

/* The directory from TESSERA_KERNELS, TT_METAL_CACHE or the home directory's cache, in this order. */
void host_kernels_init(struct host_kernels *kernels, const char *directory, char *(*get)(const char *name));
/* Finds the programs of the tile's five cores; `program` then names functions and lines. */
void host_kernels_find(struct host_kernels *kernels, const struct tx_tile *tile);
void host_kernels_free(struct host_kernels *kernels);

/* How many words of the file's code around `pc` are those in L1, and how far the file was moved; 0: it is not this file. */
unsigned host_kernel_match(const struct dbg_elf *elf, const uint8_t *l1, size_t l1_size, uint32_t pc, uint32_t *moved);

#endif
