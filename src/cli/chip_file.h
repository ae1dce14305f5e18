/* The program description of `tessera chip run` and of a folder of `tessera kernel`: one statement per line, words separated by blanks, #
 * begins a comment.
 *
 *   product NAME                                   full (default), p150, galaxy, p100
 *   timing off|cycle
 *   cycles N                                       stop after N cycles
 *   grid TILES                                     from here on TILES may be omitted: these
 *   elf TILES CORE FILE                            an executable: brisc, ncrisc, trisc0, trisc1, trisc2; the core is started
 *   kernel TILES DIRECTORY [waits]                 five executables with the kernel library's firmware, launched once; `waits`: another tile
 *                                                  sends GO over the NoC
 *   buffer TILES [NAME=]INDEX PAGES FORMAT [PAGE_BYTES] [on TENSOR]    a circular buffer of those kernels; the name of a tensor
 *                                                  above in place of FORMAT: its format and pages
 *   args TILES [ROLE] WORD...                      their arguments: numbers, x, y, col, row, cols, rows, index (row * cols + col), banks, a tensor's
 *                                                  address, or TENSOR.pages, .rows, .cols, .ht, .wt (in data tiles), .page_bytes; expressions of
 *                                                  these without blanks: (A.pages/cols)*col+1; float:VALUE; each may be NAME=WORD
 *   image PLACE ADDRESS FILE                       bytes
 *   tensor NAME SOURCE FORMAT tiles|rows PLACE [ADDRESS]        without an address: the first free range
 *   until X,Y ADDRESS MASK VALUE                   end when the word has the value, instead of when all tiles are idle
 *   save NAME FILE.npy                             a tensor, after the run
 *   dump PLACE ADDRESS LENGTH FILE                 bytes, after the run
 *   expect NAME FILE.npy TOLERANCE                 compare, after the run; or: expect NAME matmul A B TOLERANCE, expect NAME sum A B TOLERANCE
 *
 *   TILES   X,Y or X0-X1,Y0-Y1 in translated coordinates; columns 8 and 9 have no Tensix tiles and are skipped
 *   PLACE   TILES (several: a shard each), dram (pages interleaved over the banks), dram:BANK
 *   SOURCE  FILE.npy, zero:ROWSxCOLUMNS, fill:ROWSxCOLUMNS:VALUE, random:ROWSxCOLUMNS:SEED
 *   FORMAT  chip_format.h
 *   ROLE    reader, compute or writer: that kernel's own arguments; common: read by get_common_arg_val; without it the arguments of all three
 *   numbers are decimal or 0x
 *   at most 8192 statements, 2^18 words of args and compile, and 1024 tensors, which have 2^26 elements together
 *
 * Only in a kernel's folder, whose sources are compiled first (grid 1,2 unless it is given; file names are relative to the folder):
 *
 *   reader FILE, compute FILE, writer FILE         instead of reader.c, reader.cpp, ...
 *   program NAME TILES                             these tiles of the grid have kernels of their own, in the folder NAME: the lines from here on
 *                                                  are for them alone, those above the first program for all. A tile has the last program
 *                                                  that names it; col and row count from the corner of the grid
 *   define [ROLE] NAME[=VALUE]                     for the compiler
 *   compile ROLE WORD...                           get_compile_time_arg_val: numbers, TENSOR.pages and the like, accessor:TENSOR
 *   compile [ROLE] NAME=WORD...                    constants with names: numbers (args::NAME), accessor:TENSOR (tensor::NAME), buffer:INDEX
 *                                                  (dfb::NAME), semaphore:INDEX (sem::NAME), scratch:BYTES (scratch::NAME) */
#ifndef TESSERA_CLI_CHIP_FILE_H
#define TESSERA_CLI_CHIP_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cli/chip_format.h"
#include "tessera/tile.h"

#define CHIP_FILE_WORDS 1032u   /* of a line */
#define CHIP_FILE_COMPILE 1024u /* compile-time arguments of a kernel */
#define CHIP_FILE_WORD 128u
#define CHIP_FILE_PATH 512u
/* Limits of a description. python/tessera has the same; tests/python/words.py compares them. */
#define CHIP_FILE_STATEMENTS 8192u /* some are compared with all others; 60 for each tile of a chip */
#define CHIP_FILE_TENSORS 1024u
#define CHIP_FILE_PROGRAMS 16u                 /* of a kernel's folder */
#define CHIP_FILE_ELEMENTS (UINT64_C(1) << 26) /* of all tensors: four of 4096 x 4096 */
#define CHIP_FILE_PLACED (UINT64_C(1) << 29)   /* bytes of all tensors in memory: rows of a few numbers take 64 each */
#define CHIP_FILE_ALL_WORDS (1u << 18)         /* of args and compile */

enum chip_place_kind { CHIP_PLACE_TILES, CHIP_PLACE_DRAM, CHIP_PLACE_BANK };

struct chip_place {
  uint8_t kind, x0, x1, y0, y1, bank;
};

enum chip_statement_kind {
  CHIP_ELF,
  CHIP_KERNEL,
  CHIP_BUFFER,
  CHIP_ARGS,
  CHIP_IMAGE,
  CHIP_TENSOR,
  CHIP_UNTIL,
  CHIP_SAVE,
  CHIP_DUMP,
  CHIP_EXPECT,
  CHIP_SOURCE, /* the rest: only in a kernel's folder */
  CHIP_DEFINE,
  CHIP_COMPILE
};

/* Kernels of a folder. */
enum chip_role { CHIP_READER, CHIP_COMPUTE, CHIP_WRITER, CHIP_ROLES };
#define CHIP_ALL_ROLES CHIP_ROLES
#define CHIP_COMMON (CHIP_ROLES + 1)       /* arguments that get_common_arg_val reads */
const char *chip_role_name(unsigned role); /* "reader" */
int chip_role_number(const char *name);    /* -1: none */

struct chip_statement {
  enum chip_statement_kind kind;
  unsigned line;
  struct chip_place place;
  char name[CHIP_FILE_WORD];  /* of a tensor; core of an elf; rule of an expectation */
  char label[CHIP_FILE_WORD]; /* dfb::LABEL of a buffer */
  char path[CHIP_FILE_PATH];  /* file, directory, source */
  uint64_t number[3];         /* address and the numbers after it */
  double tolerance;
  uint8_t format, tiled; /* enum chip_format */
  uint8_t role;          /* enum chip_role, CHIP_ALL_ROLES or CHIP_COMMON */
  uint8_t program;       /* 1 + its index in `programs`; 0: for all */
  bool placed;           /* a tensor with an address */
  unsigned word_count;
  char (*word)[CHIP_FILE_WORD]; /* args; names of the operands of an expectation; of the description */
};

/* Kernels of some tiles of a grid. */
struct chip_program {
  char name[CHIP_FILE_WORD];
  struct chip_place place;
};

/* An option of the command that adds or changes a statement: `--arg 0=8`. */
struct chip_option {
  const char *name, *text;
};
#define CHIP_OPTION_LINES (1u << 24) /* line of a statement from option 0; those of a file are smaller */

struct chip_description {
  const char *verb, *path;
  /* a kernel's folder: file names are relative to it, and CHIP_SOURCE and the like are allowed; NULL */
  const char *folder;
  bool has_grid;          /* TILES may be omitted */
  struct chip_place grid; /* its default */
  unsigned grid_line;     /* 0: none */
  struct chip_program programs[CHIP_FILE_PROGRAMS];
  unsigned program_count; /* 0: all tiles have the same kernels */
  char product[CHIP_FILE_WORD];
  unsigned product_line, timing_line, cycles_line; /* 0: not in the file */
  enum tessera_timing timing;
  uint64_t cycles; /* 0: not given */
  struct chip_statement *statements;
  size_t count, capacity;
  void **blocks; /* with the words of the statements */
  size_t block_count, block_capacity;
  unsigned lines_read, tensors_read, words_read; /* of the file */
  struct chip_option *options;
  size_t option_count, option_capacity;
};

/* false after one line on stderr. The caller sets verb, and optionally folder and grid; the rest is cleared. */
bool chip_file_read(struct chip_description *d, const char *path);
/* Adds an empty statement of the command (its line is 0); NULL after one line. Statements may move. */
struct chip_statement *chip_file_add(struct chip_description *d, enum chip_statement_kind kind);
/* Room for this many words of a statement; false after one line. */
bool chip_file_words(struct chip_description *d, struct chip_statement *s, unsigned count);
/* The line of statements that an option adds or changes; 0 after one line. */
unsigned chip_file_option(struct chip_description *d, const char *name, const char *text);
/* 1 + the index of the tile's program; 0: it has none. */
unsigned chip_file_program(const struct chip_description *d, unsigned x, unsigned y);
/* The value of an argument's word, NAME=VALUE or VALUE; the word itself: it has no name. */
const char *chip_word_value(const char *word);
bool chip_is_macro(const char *text); /* NAME or NAME=VALUE with the name of a macro */
/* "FILE:LINE", or the option; "" for line 0. */
#define CHIP_FILE_PLACE (CHIP_FILE_PATH + 64u)
void chip_file_place(const struct chip_description *d, unsigned line, char text[CHIP_FILE_PLACE]);
/* The verb with the place behind it, for error messages about a file that the statement names. */
#define CHIP_FILE_VERB (CHIP_FILE_PLACE + 32u)
void chip_file_verb(const struct chip_description *d, unsigned line, char text[CHIP_FILE_VERB]);
void chip_file_free(struct chip_description *d);
/* Prints "FILE:LINE: ..." or "OPTION: ..." on stderr, for line 0 only the message; returns false. */
bool chip_file_refuse(const struct chip_description *d, unsigned line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
