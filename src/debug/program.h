/* The programs of a tile's cores: loading executables and images, and saying where a core stands in the words of its source. */
#ifndef TESSERA_DEBUG_PROGRAM_H
#define TESSERA_DEBUG_PROGRAM_H

#include "debug/elf.h"
#include "debug/symbols.h"
#include "tensix/tile/tile.h"

/* Executables by core (T0, T1, T2, BRISC, NCRISC). The files belong to the caller. */
struct dbg_program {
  struct dbg_elf elf[TX_CORES];
  bool loaded[TX_CORES];
};

/* Puts the segments of an executable where their physical addresses say: L1, the core's own local RAM (0xFFB00000), or any place that
 * the network sees. A core whose executable fills local RAM keeps it when it leaves reset (DISABLE_RESET). The core's reset vector
 * becomes the entry point. false: `why` says in a line what is wrong, and the tile may hold a part of the file. */
bool dbg_program_load(struct dbg_program *p, struct tx_tile *t, unsigned core, const void *file, size_t size, char *why,
                      size_t n);

/* Sets a core's reset vector and its override; BRISC has none. */
void dbg_program_reset_pc(struct tx_tile *t, unsigned core, uint32_t pc);
/* Releases cores (bit per core) through SOFT_RESET_0. BRISC, which hardware starts at 0, starts at `brisc_pc`. */
void dbg_program_start(struct tx_tile *t, unsigned cores, uint32_t brisc_pc);

/* "spin+0x8 (kernel.c:12)" for a pc of this core, or "". */
void dbg_program_where(const struct dbg_program *p, unsigned core, uint32_t pc, char *text, size_t size);
/* A line for each core that is not held (what it does or waits for, its pc and its place in the source) and for each thread that
 * holds an instruction (and who pushed it). */
size_t dbg_program_cores(const struct dbg_program *p, const struct tx_tile *t, char *text, size_t size);
/* "main+0x14 (kernel.c:31)" for the core behind a fault, or "". */
void dbg_program_fault_place(const struct dbg_program *p, const struct tx_tile *t, char *text, size_t size);

/* 0..4 for "trisc0", "trisc1", "trisc2", "brisc", "ncrisc"; -1 */
int dbg_core_number(const char *name, size_t length);

#endif
