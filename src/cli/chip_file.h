/* The program description of `tessera chip run`: one statement per line, words separated by blanks, # begins a comment.
 *
 *   product NAME                                   full (default), p150, galaxy, p100
 *   timing off|cycle
 *   cycles N                                       give up after N cycles
 *   elf TILES CORE FILE                            an executable: brisc, ncrisc, trisc0, trisc1, trisc2; the core is started
 *   kernel TILES DIRECTORY [waits]                 five executables with the kernel library's firmware, launched once; `waits`: another tile
 *                                                  sends GO over the NoC
 *   buffer TILES INDEX PAGES FORMAT [PAGE_BYTES]   a circular buffer of those kernels
 *   args TILES WORD...                             their arguments: numbers, x, y, col, row, cols, rows, banks, or a tensor's address
 *   image PLACE ADDRESS FILE                       bytes
 *   tensor NAME SOURCE FORMAT tiles|rows PLACE ADDRESS
 *   until X,Y ADDRESS MASK VALUE                   end when the word has the value, instead of when everything has stopped
 *   save NAME FILE.npy                             a tensor, after the run
 *   dump PLACE ADDRESS LENGTH FILE                 bytes, after the run
 *   expect NAME FILE.npy TOLERANCE                 compare, after the run; or: expect NAME matmul A B TOLERANCE, expect NAME sum A B TOLERANCE
 *
 *   TILES   X,Y or X0-X1,Y0-Y1 in translated coordinates; columns 8 and 9 hold no Tensix tile and are left out
 *   PLACE   TILES (several: a shard each), dram (pages interleaved over the banks), dram:BANK
 *   SOURCE  FILE.npy, zero:ROWSxCOLUMNS, fill:ROWSxCOLUMNS:VALUE, random:ROWSxCOLUMNS:SEED
 *   FORMAT  bf16, fp32, int32, u8
 *   numbers are decimal or 0x */
#ifndef TESSERA_CLI_CHIP_FILE_H
#define TESSERA_CLI_CHIP_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define CHIP_FILE_WORDS 40u
#define CHIP_FILE_WORD 64u
#define CHIP_FILE_PATH 512u

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
  CHIP_EXPECT
};

struct chip_statement {
  enum chip_statement_kind kind;
  unsigned line;
  struct chip_place place;
  char name[CHIP_FILE_WORD]; /* of a tensor; core of an elf; what is expected */
  char path[CHIP_FILE_PATH]; /* file, directory, source */
  uint64_t number[3];        /* address and what follows it */
  double tolerance;
  uint8_t format, tiled; /* enum chip_format */
  unsigned word_count;
  char word[CHIP_FILE_WORDS][CHIP_FILE_WORD]; /* args; names of the operands of an expectation */
};

enum chip_format { CHIP_BF16, CHIP_FP32, CHIP_INT32, CHIP_U8, CHIP_FORMATS };

struct chip_description {
  const char *path;
  char product[CHIP_FILE_WORD];
  bool timing;
  uint64_t cycles; /* 0: not given */
  struct chip_statement *statements;
  size_t count, capacity;
};

/* false after one line on stderr. */
bool chip_file_read(struct chip_description *d, const char *path);
void chip_file_free(struct chip_description *d);
/* "FILE:LINE: ..." on stderr; false. */
bool chip_file_refuse(const struct chip_description *d, unsigned line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
