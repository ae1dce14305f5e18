/* The programs of a tile's cores: loads executables and images, and translates a core's pc into its source position. */
#ifndef TESSERA_DEBUG_PROGRAM_H
#define TESSERA_DEBUG_PROGRAM_H

#include "debug/elf.h"
#include "debug/source.h"
#include "tensix/tile/tile.h"

#define DBG_TWINS 3u

/* Executables by core (T0, T1, T2, BRISC, NCRISC). The caller owns the files. */
struct dbg_program {
  struct dbg_elf elf[TX_CORES];
  bool loaded[TX_CORES];
  uint32_t loads; /* calls of dbg_program_load so far: what was found out about the executables holds while it is the same */
  const char *script;       /* path of the .tta file whose words are pushed for T cores held in reset; NULL: there is none */
  uint32_t moved[TX_CORES]; /* bytes by which a loader has moved the code from its link address */
  /* A second executable of a core: its thread may still execute instructions of a kernel that the core itself has left. */
  struct dbg_elf second[TX_CORES];
  bool has_second[TX_CORES];
  uint32_t second_moved[TX_CORES];
  /* Executables with the same code from other sources: which of them the core runs is not known. elf NULL: there are no more. */
  struct dbg_twin {
    const struct dbg_elf *elf;
    uint32_t moved;
  } twins[TX_CORES][DBG_TWINS];
};

/* Copies the segments of an executable to their physical addresses: L1, the core's own local RAM (0xFFB00000), or any address visible to
 * the NoC. A core whose executable fills local RAM keeps it when it leaves reset (DISABLE_RESET). The core's reset vector
 * becomes the entry point. false: `why` gives the reason in one line, and the tile may hold a part of the file. */
bool dbg_program_load(struct dbg_program *p, struct tx_tile *t, unsigned core, const void *file, size_t size, char *why,
                      size_t n);

/* Sets a core's reset vector and its override; BRISC has none. */
void dbg_program_reset_pc(struct tx_tile *t, unsigned core, uint32_t pc);
/* Releases cores (bit per core) through SOFT_RESET_0. BRISC, which hardware starts at 0, starts at `brisc_pc`. */
void dbg_program_start(struct tx_tile *t, unsigned cores, uint32_t brisc_pc);

/* "spin+0x8 (kernel.c:12)" for a pc of this core, or "". */
void dbg_program_where(const struct dbg_program *p, unsigned core, uint32_t pc, char *text, size_t size);
/* A line for each core that is not held (its activity or wait, its pc and its source position) and for each thread that
 * holds an instruction (and the line that pushed it). `words` may give a core's activity (NULL, or no text: from its state). */
typedef void dbg_core_words_fn(const void *context, unsigned core, char *text, size_t size);
size_t dbg_program_cores(const struct dbg_program *p, const struct tx_tile *t, dbg_core_words_fn *words, const void *context,
                         char *text, size_t size);
/* "main+0x14 (kernel.c:31)" for the core that faulted, or "". */
void dbg_program_fault_place(const struct dbg_program *p, const struct tx_tile *t, char *text, size_t size);

/* A jump of a core out of its program, through a null or wild pointer. */
struct dbg_jump {
  unsigned core;
  uint32_t from, to;
  struct dbg_source place; /* of the jump */
};
bool dbg_program_jumped(const struct dbg_program *p, const struct tx_tile *t, unsigned core, struct dbg_jump *out);
/* The one before the tile's fault. */
bool dbg_program_wild_jump(const struct dbg_program *p, const struct tx_tile *t, struct dbg_jump *out);

/* The source position of a core's pc as a value: the innermost frame outside the library. */
void dbg_program_source(const struct dbg_program *p, unsigned core, uint32_t pc, struct dbg_source *out);
/* "reader.c:14", or "" when the line is not known. */
/* Adds the line that calls the function in which the core waits, if it is the user's. */
void dbg_program_add_caller(const struct dbg_program *p, const struct tx_tile *t, unsigned core, struct dbg_source *place);
int dbg_source_text(const struct dbg_source *source, char *text, size_t size);
/* Is the word the return address of a call? A jal or jalr that sets ra precedes it. */
bool dbg_program_is_return(const struct tx_tile *t, uint32_t word);
/* The instruction that holds a core: a load without its response, a store that is not accepted, else the next one. */
uint32_t dbg_program_holding_pc(const struct tx_core *c);

/* A KERNEL_CHECK that did not hold: its core is at the ebreak of tt_fail, and the launch block holds the text. */
struct dbg_failure {
  unsigned core;
  char text[320]; /* with the value inserted, and the line that calls the function of the check */
  struct dbg_source place;
};
/* One of these cores that is at the ebreak of tt_fail, or -1. */
int dbg_program_failed_core(const struct dbg_program *p, const struct tx_tile *t, uint32_t cores);
/* The cycle of the first failed KERNEL_CHECK, which ends the run; false: none failed. */
bool dbg_program_failed_at(const struct dbg_program *p, const struct tx_tile *t, sim_time *at);
bool dbg_program_failure(const struct dbg_program *p, const struct tx_tile *t, struct dbg_failure *out);

/* 0..4 for "trisc0", "trisc1", "trisc2", "brisc", "ncrisc"; -1 */
int dbg_core_number(const char *name, size_t length);

#endif
