/* A program description (chip_file.h) on a chip: loading, and the results that are read afterwards. */
#ifndef TESSERA_CLI_CHIP_JOB_H
#define TESSERA_CLI_CHIP_JOB_H

#include <stdio.h>

#include "cli/chip_file.h"
#include "cli/input.h"
#include "tessera/chip.h"
#include "tessera/launch.h"

/* A tensor of two dimensions. A page is a data tile of 32 x 32 or a row. */
struct chip_tensor {
  const struct chip_statement *s;
  uint32_t rows, columns;
  uint32_t page_bytes, pages;
  uint64_t address;
  uint32_t want_rows, want_columns; /* required shape; 0: any */
  double *values;                   /* before the run, of the operands of an expectation; else NULL */
};

/* Translated coordinates of a tile. */
struct chip_at {
  uint8_t x, y;
};

/* What a core has printed before its buffer was emptied the last time. */
struct chip_printed {
  char *text;
  size_t length, capacity, lost;
};

/* A tile with programs. */
struct chip_unit {
  struct chip_at at;
  struct tessera_tile *tile;
  unsigned cores;                  /* bit per core with an executable */
  uint32_t program[TESSERA_CORES]; /* 1 + its index in `files` */
  bool kernel;
  struct tessera_launch launch;
  struct chip_printed printed[TESSERA_CORES];
  int print_condition; /* of a full print buffer */
  unsigned arg_count[CHIP_ROLES];
  unsigned built_args[CHIP_ROLES], built_common; /* arguments that the kernels were built for; UINT_MAX: not known */
  uint32_t own_args[CHIP_ROLES][TESSERA_LAUNCH_OWN_ARGS]; /* of kernels compiled with KERNEL_OWN_ARGS */
};

struct chip_range {
  unsigned target; /* the tile, or the DRAM controller of the port */
  uint64_t first, end;
  unsigned line;
};

struct chip_elf_file {
  char path[CHIP_FILE_PATH + 16];
  struct cli_input in;
};

struct chip_job {
  struct chip_description d;
  struct tessera_chip *chip;
  unsigned banks; /* DRAM controllers that are not fused off */
  struct chip_unit *units;
  size_t unit_count, unit_capacity;
  struct chip_tensor *tensors;
  size_t tensor_count, tensor_capacity;
  uint64_t elements;         /* of all tensors */
  uint64_t placed;           /* bytes of all tensors in memory */
  struct chip_range *ranges; /* by target and address; those of a target do not overlap */
  size_t range_count, range_capacity;
  struct chip_elf_file *files;
  size_t file_count, file_capacity;
  const struct chip_statement *until; /* NULL: none */
  struct chip_at until_at;
  FILE *out;      /* stream for the text that a verb prints; NULL: standard output */
  char *compared; /* the lines about the expectations, for a page; NULL: none was compared */
  size_t compared_size, compared_room;
};

/* Loads everything. false after one line on stderr. */
bool chip_job_load(struct chip_job *j);
/* Notes on the executables, once for tiles with the same ones. */
void chip_job_notes(const struct chip_job *j);
/* Releases the cores; writes the launch block and GO for kernels. */
bool chip_job_start(struct chip_job *j, uint32_t check);
#define CHIP_JOB_SLICE 256u /* cycles between two comparisons of `until` */
/* Runs the chip for at most `cycles`. TESSERA_STOPPED: the word of `until` has its value, or a tile has met its own condition. */
enum tessera_result chip_job_run(struct chip_job *j, uint64_t cycles);
bool chip_job_until_met(const struct chip_job *j);             /* the word of `until` has its value */
size_t chip_job_activity(void *chip, char *text, size_t size); /* cli_activity_fn of a struct tessera_chip */
/* A session on the tiles that have programs; NULL after one line on stderr. */
struct tessera_debugger;
struct tessera_debugger *chip_job_debugger(struct chip_job *j, const char *verb, uint64_t cycles);
/* save, dump and expect. CLI_OK, CLI_FAILED or CLI_BAD_INPUT. */
int chip_job_finish(struct chip_job *j);
void chip_job_free(struct chip_job *j);

/* chip_job_place.c: tiles and memory by name. */
bool chip_job_product(const struct chip_job *j); /* does this product exist? false after one line */
#define CHIP_JOB_TILES TESSERA_TENSIX_TILES
/* Tensix tiles of a place, row by row; their number, or 0 after an error message. */
unsigned chip_job_tiles(struct chip_job *j, const struct chip_statement *s, struct chip_at tiles[CHIP_JOB_TILES]);
#define CHIP_JOB_BANKS TESSERA_DRAM_BANKS
struct chip_at chip_job_bank(unsigned bank); /* its first port */
/* Claims memory: it must lie inside the tile and must not overlap an earlier claim. */
bool chip_job_claim(struct chip_job *j, struct chip_at at, uint64_t address, uint64_t length, unsigned line);
/* The first free range from an address on, even if it exceeds the memory. */
uint64_t chip_job_free_from(const struct chip_job *j, struct chip_at at, uint64_t from, uint64_t length);
/* The first free range of L1 for a buffer; 0: none. */
uint32_t chip_job_room(struct chip_job *j, struct chip_at at, uint32_t length);

/* chip_job_print.c: the output of kernels (DPRINT). */
/* Before the start: a core whose print buffer is full waits until the run stops (TESSERA_STOPPED) and chip_job_drain has emptied it. */
bool chip_job_drain_begin(struct chip_job *j);
/* Empties the buffers of tiles with such a core. false: there is none. */
bool chip_job_drain(struct chip_job *j);
/* The output of a tile, line by line with the core's name before it. */
void chip_job_print(struct chip_job *j, struct chip_at at, bool name_tile);

/* chip_job_tensor.c */
/* Before anything is loaded: the sum of the elements that zero:, fill: and random: state. false after one line. */
bool chip_tensors_fit(struct chip_job *j);
/* Its place and size, and the numbers of a file. */
bool chip_tensor_load(struct chip_job *j, const struct chip_statement *s);
/* The numbers of zero:, fill: and random:, after every statement has been checked. */
bool chip_tensor_fill(struct chip_job *j, size_t index);
const struct chip_tensor *chip_tensor_find(const struct chip_job *j, const char *name);
/* The ranges of memory that a tensor occupies, `index` from 0; false after the last. */
bool chip_tensor_range(struct chip_job *j, const struct chip_tensor *t, unsigned index, struct chip_at *at,
                       uint64_t *address, uint64_t *length);
/* "tensor C, page 3, byte 64", or "" if no tensor has this byte. */
void chip_tensor_text(struct chip_job *j, struct chip_at at, uint64_t address, char *text, size_t size);
bool chip_tensor_save(struct chip_job *j, const struct chip_statement *s);
/* Before the run, which may be long: do the tensors and the file of an expectation exist, and match? false after one line. */
bool chip_tensor_expectable(struct chip_job *j, const struct chip_statement *s);
/* 0 equal, 1 not (a line on stdout), -1 after an error message. */
int chip_tensor_expect(struct chip_job *j, const struct chip_statement *s);

#endif
