/* Finds the executables of the code that cores run: tt-metal keeps the ELF files of its kernels and firmware in a cache directory, and
 * loads them at addresses of its own choice, with some words changed. A file matches a core's program if its code equals the words in L1
 * around the core's pc. The search uses no address and no file name of a particular tt-metal version. */
#ifndef TESSERA_HOST_KERNELS_H
#define TESSERA_HOST_KERNELS_H

#include "debug/program.h"
#include "host/kernel_files.h"

#define HOST_KERNEL_ANSWERS 1024u
#define HOST_KERNEL_REACH (512u + 128u) /* a comparison reads nothing farther from the pc */

/* An answer is kept: most tiles of a chip run the same code at the same pcs. */
struct host_kernel_answer {
  uint64_t key; /* hash of core, pc and the code around it; 0: no answer */
  size_t file;  /* its index + 1; 0: no file matches */
  uint32_t moved;
  struct {
    size_t file;
    uint32_t moved;
  } twins[DBG_TWINS]; /* other files with the same code, of other sources */
};

/* A pc in functions and lines; kept for one report. */
#define HOST_KERNEL_PLACES 256u
struct host_kernel_place {
  uint64_t key;    /* hash of the files, core and pc; 0: none */
  bool user;       /* a line is known, and it belongs neither to firmware nor to a library */
  bool library;    /* every frame belongs to them */
  char where[128]; /* "kernel_main+0x60 (reader.cpp:9)"; "": not known */
};

struct host_kernels {
  char directory[4096]; /* "": none */
  char firmware[4096];  /* compiled firmware of the user's tt-metal; "": none found */
  struct host_kernel_files files;
  bool read; /* the directories, since host_kernels_forget */
  struct host_kernel_answer answers[HOST_KERNEL_ANSWERS];
  const char *names[TX_CORES];                 /* path of the file that was found for the core */
  const char *twin_names[TX_CORES][DBG_TWINS]; /* of files with the same code from other sources; NULL: no more */
  const char *second_names[TX_CORES];          /* path of the program's second file of the core; NULL: there is none */
  struct dbg_program program;
  struct host_kernel_place places[HOST_KERNEL_PLACES];
};

/* The directory from TESSERA_KERNEL_CACHE, TT_METAL_CACHE or the home directory's cache, in this order. */
void host_kernels_init(struct host_kernels *kernels, const char *directory, char *(*get)(const char *name));
/* Finds the programs of the tile's five cores by their pcs; `program` then gives functions and lines. A core that has left all files is
 * found by its last jump or its return address. */
void host_kernels_find(struct host_kernels *kernels, const struct tx_tile *tile);
/* The pc of the instruction that holds a thread, pushed by its own core; 0: there is none. */
uint32_t host_kernels_thread_pc(const struct tx_tile *tile, unsigned thread);
/* As host_kernels_find, for L1 and pcs given by the caller; 0: skips this core. */
void host_kernels_find_at(struct host_kernels *kernels, const uint8_t *l1, const uint32_t pcs[TX_CORES]);
/* A pc of the program that was found last. Most tiles of a chip are at the same places: each is looked up once in a report. */
const struct host_kernel_place *host_kernels_place(struct host_kernels *kernels, unsigned core, uint32_t pc);
/* Is the core's program the vendor's firmware or dispatcher? */
bool host_kernels_run_library(const struct host_kernels *kernels, unsigned core);
/* Ends a report: the directories are looked at again when they are needed, because hosts add kernels at any time. Only files that are
 * new or changed are then read. */
void host_kernels_forget(struct host_kernels *kernels);
void host_kernels_free(struct host_kernels *kernels);

/* Compares the code around `pc` with L1: returns the equal words less those that differ, and the distance by which
 * the file was moved; 0: it is not this file. */
unsigned host_kernel_match(const struct host_kernel_code *code, const uint8_t *l1, size_t l1_size, uint32_t pc,
                           uint32_t *moved);

#endif
