/* Tessera, Tensix tile: creating, loading, running, reading, reporting, saving.
 *
 * The tile owns a returned text; it is valid until the next call on this tile that returns a text. */
#ifndef TESSERA_TILE_H
#define TESSERA_TILE_H

#include "tessera/base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TESSERA_L1_BYTES (1536u * 1024u)
#define TESSERA_THREADS 3u          /* unpack, math, pack */
#define TESSERA_MOP_CFG 0xFFB80000u /* address of the nine registers of a T core's MOP expander */
#define TESSERA_MOP_CFG_BYTES 36u

struct tessera_tile;

enum tessera_timing {
  TESSERA_TIMING_OFF,   /* every instruction costs one cycle */
  TESSERA_TIMING_CYCLE, /* documented and measured costs */
};
/* Names of enumerations, here and below: "?" for a number that is none of them. */
const char *tessera_timing_name(enum tessera_timing timing); /* "off" */

enum tessera_core { TESSERA_TRISC0, TESSERA_TRISC1, TESSERA_TRISC2, TESSERA_BRISC, TESSERA_NCRISC, TESSERA_CORES };
const char *tessera_core_name(enum tessera_core core);  /* "BRISC" */
int tessera_core_number(const char *name);              /* any case; -1: no such core */
const char *tessera_thread_name(unsigned thread);       /* "thread 1 (math)" */
const char *tessera_unit_name(unsigned unit);           /* "matrix unit" */
const char *tessera_semaphore_name(unsigned semaphore); /* "MATH_PACK" */

/* --- life --- */

/* NULL: out of memory. All cores are held in reset. */
struct tessera_tile *tessera_tile_create(enum tessera_timing timing);
void tessera_tile_destroy(struct tessera_tile *tile);
/* As after tessera_tile_create: executables, parameters, options, breakpoints and hooks are removed too. */
enum tessera_result tessera_tile_reset(struct tessera_tile *tile, enum tessera_timing timing);
/* One line about the last call on this tile that was refused; "" when the last call was not. */
const char *tessera_tile_error(const struct tessera_tile *tile);

/* --- parameters and options --- */

struct tessera_param {
  const char *name, *what, *evidence, *source;
  uint32_t initial;
};
size_t tessera_param_count(void);
enum tessera_result tessera_param_info(size_t index, struct tessera_param *param);
enum tessera_result tessera_tile_set_param(struct tessera_tile *tile, const char *name, uint32_t value);
enum tessera_result tessera_tile_param(const struct tessera_tile *tile, const char *name, uint32_t *value);

enum tessera_check {
  TESSERA_CHECK_A = 1,  /* circular buffers */
  TESSERA_CHECK_B = 2,  /* waits of threads: Dst, GPRs, configuration, MOP templates */
  TESSERA_CHECK_C = 4,  /* all of L1: accesses that no synchronisation orders */
  TESSERA_CHECK_D = 8,  /* reads of words that no agent has written; writes over code */
  TESSERA_CHECK_E = 16, /* data formats */
  TESSERA_CHECK_F = 32, /* generations of MOP templates, ledger of Src banks */
  TESSERA_CHECK_DEFAULT = 31,
  TESSERA_CHECK_ALL = 63
};
const char *tessera_check_name(enum tessera_check check); /* "a"; "default", "all"; "?" for other sets of them */
enum tessera_option {
  TESSERA_OPTION_STRICT,  /* 1: the first warning or error stops the run (stop reason FINDING) */
  TESSERA_OPTION_QUIET,   /* 1: reports count findings and do not list them */
  TESSERA_OPTION_VERBOSE, /* 1: the report of a hang lists all releasers and the tables */
  TESSERA_OPTION_SCALAR,  /* 1: plain scalar arithmetic instead of vector code; the bits are the same */
  TESSERA_OPTION_CHECK, /* checkers, TESSERA_CHECK_... or-ed; 0: none. Best before anything is loaded: docs/guide/races.md */
  TESSERA_OPTION_ACCOUNT, /* 1: account for every cycle of cores, threads and units from now on (tessera/profile.h); 0: discard the account */
  TESSERA_OPTIONS
};
const char *tessera_option_name(enum tessera_option option); /* "strict" */
enum tessera_result tessera_tile_set_option(struct tessera_tile *tile, enum tessera_option option, uint32_t value);
enum tessera_result tessera_tile_option(const struct tessera_tile *tile, enum tessera_option option, uint32_t *value);

/* --- memory --- */

/* The tile as the NoC addresses it: L1 and the local RAMs (0xFFB14000 and up) with any alignment; control, PIC, NoC and
 * stream registers in aligned words. TESSERA_INVALID: a part of the range is not visible to the NoC. TESSERA_FAULT: a
 * register rejected the access. */
enum tessera_result tessera_tile_write(struct tessera_tile *tile, uint32_t address, const void *bytes, size_t length);
enum tessera_result tessera_tile_read(struct tessera_tile *tile, uint32_t address, void *bytes, size_t length);
int tessera_visible(uint32_t address, size_t length); /* 1: the NoC can address all of this range */

/* --- programs --- */

/* Loads an ELF32 RISC-V executable for a core and sets its reset vector to the entry point. The file is copied: faults and hangs name
 * functions and lines of it. TESSERA_REFUSED: tessera_tile_error gives the reason. */
enum tessera_result tessera_tile_load_elf(struct tessera_tile *tile, enum tessera_core core, const void *file, size_t size);
/* Warnings about the executables loaded so far, one line each: two cores whose segments overlap, compressed debug sections, more symbols or
 * debug information than is read (docs/guide/running.md). The string is empty if there is no warning. */
const char *tessera_tile_load_notes(struct tessera_tile *tile);
/* The address at which the core starts, instead of its executable's entry point. It must be aligned and in L1. */
enum tessera_result tessera_tile_set_reset_pc(struct tessera_tile *tile, enum tessera_core core, uint32_t pc);
enum tessera_result tessera_tile_reset_pc(const struct tessera_tile *tile, enum tessera_core core, uint32_t *pc);
/* Releases cores (bit per core) from reset at their reset vectors; also BRISC, whose vector is fixed at 0 in hardware. */
enum tessera_result tessera_tile_start(struct tessera_tile *tile, unsigned cores);

/* Without a program: a stand-in for the thread's core, which is held, executes these operations in order: pushes one word
 * per cycle while the FIFO has room; stores (L1, MOP configuration, GPRs, backend configuration, semaphores); polls a word
 * until it is (word & mask) == value; waits until all that it has pushed has completed; loads a word and stores it
 * elsewhere. */
enum tessera_result tessera_tile_push(struct tessera_tile *tile, unsigned thread, const uint32_t *words, size_t count);
enum tessera_result tessera_tile_store(struct tessera_tile *tile, unsigned thread, uint32_t address, uint32_t value);
enum tessera_result tessera_tile_poll(struct tessera_tile *tile, unsigned thread, uint32_t address, uint32_t mask,
                                      uint32_t value);
enum tessera_result tessera_tile_sync(struct tessera_tile *tile, unsigned thread);
enum tessera_result tessera_tile_copy(struct tessera_tile *tile, unsigned thread, uint32_t from, uint32_t to);

/* --- running --- */

/* Runs for at most `cycles` more cycles; from TESSERA_FOREVER on, until the tile is idle. In a tile that is idle at the call (all
 * cores held or stopped) the clock advances by `cycles` and the result is TESSERA_DONE. */
#define TESSERA_FOREVER (UINT64_C(1) << 62)
enum tessera_result tessera_tile_run(struct tessera_tile *tile, uint64_t cycles);
uint64_t tessera_tile_cycle(const struct tessera_tile *tile);

enum tessera_stop {
  TESSERA_STOP_NONE,       /* it has not run */
  TESSERA_STOP_DONE,       /* everything has completed */
  TESSERA_STOP_LIMIT,      /* the requested cycles have passed */
  TESSERA_STOP_CONDITION,  /* `number`: of the condition */
  TESSERA_STOP_BREAKPOINT, /* `core`, `pc`; `number`: of the breakpoint */
  TESSERA_STOP_WATCHPOINT, /* `address`; `number`: of the watchpoint */
  TESSERA_STOP_STEP,       /* `core`, `pc` of the next instruction */
  TESSERA_STOP_REQUEST,    /* a hook called tessera_tile_request_stop */
  TESSERA_STOP_HANG,       /* tessera_tile_explain */
  TESSERA_STOP_FINDING,    /* strict mode: the last finding */
  TESSERA_STOP_FAULT,      /* tessera_tile_fault */
  TESSERA_STOPS
};
const char *tessera_stop_name(enum tessera_stop stop); /* "breakpoint" */

struct tessera_stop_info {
  enum tessera_stop reason;
  int number;     /* of the condition, breakpoint or watchpoint; -1 */
  int core;       /* -1: no core in particular */
  uint32_t cores; /* bit per core that is at a breakpoint or has been stepped */
  uint32_t pc, address;
  uint64_t cycle;
};
enum tessera_result tessera_tile_stop_info(const struct tessera_tile *tile, struct tessera_stop_info *info);

/* --- what went wrong --- */

/* The first fault of the tile. */
struct tessera_fault {
  uint64_t cycle;
  const char *kind; /* "address", "unsupported", ... */
  const char *who;  /* "TRISC1", "thread 0 (unpack)" */
  uint32_t pc, word;
  char why[192];
  char document[64]; /* the page that documents the rule */
  char place[256];   /* "main+0x14 (kernel.c:31)" or "" */
};
int tessera_tile_fault(const struct tessera_tile *tile, struct tessera_fault *fault); /* 0: there is none */

enum tessera_severity { TESSERA_NOTE, TESSERA_WARNING, TESSERA_ERROR };
const char *tessera_severity_name(enum tessera_severity severity); /* "warning" */

/* One place of the program to which a diagnostic applies. */
struct tessera_finding {
  const char *id; /* the name of its row */
  enum tessera_severity severity;
  int core;                    /* the core whose program contains it; -1: none */
  const char *what, *document; /* the rule, and the page that documents it */
  const char *who;
  uint32_t word, pc;
  uint64_t first_cycle, count;
  char why[128];   /* the values in this case */
  char place[256]; /* "main+0x14 (kernel.c:31)" or "" */
};
size_t tessera_tile_finding_count(const struct tessera_tile *tile);
enum tessera_result tessera_tile_finding(const struct tessera_tile *tile, size_t index, struct tessera_finding *finding);
/* The finding as the report prints it: one line, then a line for the other side and one for the remedy where they are known. Returns the
 * length, as snprintf does; 0: no such finding. */
size_t tessera_tile_finding_text(const struct tessera_tile *tile, size_t index, char *text, size_t size);

/* One or more lines about the last fault or hang; "" when there is none. */
const char *tessera_tile_explain(struct tessera_tile *tile);
/* One line per core that is not held and per thread that holds an instruction: its source position, its activity or the
 * resource it waits for, and since which cycle. */
const char *tessera_tile_where(struct tessera_tile *tile);
/* What the tile does at this moment, in a few words for a line that is drawn between two runs: "TRISC0 runs; thread 1 (math) waits: SrcA bank; 3
 * cores poll". Returns the full length, as snprintf does; 0: all cores are in reset or have ended. */
size_t tessera_tile_activity(const struct tessera_tile *tile, char *text, size_t size);

enum tessera_report {
  TESSERA_REPORT_TEXT, /* work and waits of every core, thread and unit; findings */
  TESSERA_REPORT_JSON,
  TESSERA_REPORT_SARIF, /* SARIF 2.1.0: faults, hangs and findings for editors and code review */
  TESSERA_REPORTS
};
const char *tessera_report_name(enum tessera_report format); /* "sarif" */
/* The command's exit code for the run so far, and 0 for an invalid handle: 0 good, 3 a fault or a kernel's failed check, 4 a hang,
 * 5 an error finding (in strict mode a warning too), 6 the cycle limit; of several the lowest. */
int tessera_tile_exit_code(const struct tessera_tile *tile);
/* Sets another exit code for JSON and SARIF up to the next run, for a program with its own reasons (a failed comparison, an
 * interrupt). -1: the tile's own. */
void tessera_tile_set_exit_code(struct tessera_tile *tile, int code);
/* The report of the run so far. */
const char *tessera_tile_report(struct tessera_tile *tile, enum tessera_report format);

/* --- registers and counters --- */

/* Every register file. The comments give `index` and `item`; values are as stored. */
enum tessera_file {
  TESSERA_FILE_CORE,          /* core; 0..31 x, 32..63 f, 64 pc, 65 state (0 held, 1 running, 2 stopped at ebreak) */
  TESSERA_FILE_GPR,           /* thread; 0..63 */
  TESSERA_FILE_CONFIG,        /* bank; 0..223 */
  TESSERA_FILE_THREAD_CONFIG, /* thread; 0..67 */
  TESSERA_FILE_DST,           /* row 0..1023 of the 16-bit view; column */
  TESSERA_FILE_DST_VALID,     /* row; 0: 1 if it is defined */
  TESSERA_FILE_SRCA,          /* bank * 64 + row; column: 19 bits */
  TESSERA_FILE_SRCB,
  TESSERA_FILE_LREG,      /* register 0..16; lane 0..31 */
  TESSERA_FILE_RWC,       /* thread; SrcA, SrcA_Cr, SrcB, SrcB_Cr, Dst, Dst_Cr, fidelity, stack pointer */
  TESSERA_FILE_ADC,       /* thread; unit (unpacker 0, 1, packer) * 16 + channel * 8 + (Cr: 4) + (X, Y, Z, W: 0..3) */
  TESSERA_FILE_SEMAPHORE, /* semaphore; 0 value, 1 maximum */
  TESSERA_FILE_MUTEX,     /* mutex; 0: the thread that holds it, or 255 */
  TESSERA_FILE_SRC_BANK, /* SrcA 0, 1, SrcB 2, 3; 0 owner (0 unpackers, 1 matrix unit), 1 implied format, 2: 1 if it is the matrix
                             unit's next, 3: 1 if it is the unpacker's next */
  TESSERA_FILES
};
const char *tessera_file_name(enum tessera_file file); /* "dst" */
/* How many indices a file has, and items per index. */
enum tessera_result tessera_file_shape(enum tessera_file file, unsigned *indices, unsigned *items);
/* TESSERA_INVALID: no such register. */
enum tessera_result tessera_tile_register(const struct tessera_tile *tile, enum tessera_file file, unsigned index,
                                          unsigned item, uint32_t *value);
/* All items of `count` indices from `first` on: count * items values. Dst whole: first 0, count 1024, 16384 values. */
enum tessera_result tessera_tile_registers(const struct tessera_tile *tile, enum tessera_file file, unsigned first,
                                           unsigned count, uint32_t *values);
/* Between runs. TESSERA_INVALID for a register that does not exist, is read-only (x0, a core's state, SRC_BANK, MUTEX) or cannot hold the
 * value. */
enum tessera_result tessera_tile_set_register(struct tessera_tile *tile, enum tessera_file file, unsigned index,
                                              unsigned item, uint32_t value);
/* All items of `count` indices from `first` on, up to the first that is rejected. */
enum tessera_result tessera_tile_set_registers(struct tessera_tile *tile, enum tessera_file file, unsigned first,
                                               unsigned count, const uint32_t *values);

enum tessera_counter {
  TESSERA_COUNTER_INSTRUCTIONS,  /* core: retired since it left reset */
  TESSERA_COUNTER_CORE_CYCLES,   /* core: since it left reset */
  TESSERA_COUNTER_ISSUED,        /* thread: instructions past its wait gate */
  TESSERA_COUNTER_STALLED,       /* thread: cycles its next instruction was held */
  TESSERA_COUNTER_UNIT_ACCEPTED, /* unit, in the order of tessera_unit_name */
  TESSERA_COUNTER_UNIT_BUSY,     /* unit: cycles */
  TESSERA_COUNTER_FINDINGS,      /* 0: warnings and errors found so far */
  TESSERA_COUNTERS
};
const char *tessera_counter_name(enum tessera_counter counter); /* "issued" */
enum tessera_result tessera_tile_counter(const struct tessera_tile *tile, enum tessera_counter counter, unsigned index,
                                         uint64_t *value);

/* --- the state as a value --- */

/* A saved state holds all of the tile except its executables, hooks and breakpoints; words that were pushed and not yet
 * consumed are included. It begins with a magic word, version, size and checksum, and belongs to one version of the
 * library. */
size_t tessera_tile_state_size(const struct tessera_tile *tile); /* of a save now */
enum tessera_result tessera_tile_save(const struct tessera_tile *tile, void *state, size_t size);
/* TESSERA_REFUSED: not a saved state, of another version, truncated or damaged (tessera_tile_error); the tile is unchanged. */
enum tessera_result tessera_tile_restore(struct tessera_tile *tile, const void *state, size_t size);
uint64_t tessera_tile_hash(const struct tessera_tile *tile);

#ifdef __cplusplus
}
#endif
#endif
