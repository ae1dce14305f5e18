/* Tessera, Tensix tile: the C API.
 *
 * A tile is created, given executables for its cores or instruction words for its threads, run, and looked at. Nothing is global,
 * nothing exits the process: what goes wrong is a value to be read, and the tile stays readable. Different tiles may be used from
 * different threads at the same time; one tile from one thread at a time.
 *
 *   struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_CYCLE);
 *   tessera_tile_load_elf(tile, TESSERA_TRISC1, file, size);
 *   tessera_tile_start(tile, 1u << TESSERA_TRISC1);
 *   if (tessera_tile_run(tile, 100000) != TESSERA_DONE) puts(tessera_tile_explain(tile));
 *   tessera_tile_destroy(tile);
 *
 * Or as a driver does it: write code to L1, reset vectors to 0xFFB12228 and up, and release cores through 0xFFB121B0, all with
 * tessera_tile_write. */
#ifndef TESSERA_TENSIX_H
#define TESSERA_TENSIX_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tessera_tile;

enum tessera_timing {
  TESSERA_TIMING_OFF,   /* every instruction costs one cycle */
  TESSERA_TIMING_CYCLE, /* documented and measured costs */
};

enum tessera_result {
  TESSERA_DONE,    /* everything has completed: no core runs and nothing that was pushed is left */
  TESSERA_LIMIT,   /* the cycles asked for have passed; run again to go on */
  TESSERA_FAULT,   /* tessera_tile_fault and tessera_tile_explain say which */
  TESSERA_HANG,    /* nothing can ever go on; tessera_tile_explain says who waits for what */
  TESSERA_INVALID, /* an argument makes no sense: nothing was done */
  TESSERA_STOPPED, /* a condition is met or a break is reached; run again to go on */
};

enum tessera_core { TESSERA_TRISC0, TESSERA_TRISC1, TESSERA_TRISC2, TESSERA_BRISC, TESSERA_NCRISC };

/* NULL when there is no memory. All cores are held in reset. */
struct tessera_tile *tessera_tile_create(enum tessera_timing timing);
void tessera_tile_destroy(struct tessera_tile *tile);

/* The tile as the network sees it: L1 and the local RAMs (0xFFB14000 and up) in any way; control, PIC, NoC and stream registers in
 * aligned words. TESSERA_INVALID when something in the range is not visible there, TESSERA_FAULT when a register refused. */
enum tessera_result tessera_tile_write(struct tessera_tile *tile, uint32_t address, const void *bytes, size_t length);
enum tessera_result tessera_tile_read(struct tessera_tile *tile, uint32_t address, void *bytes, size_t length);

/* Loads an ELF32 RISC-V executable for a core and sets its reset vector to the entry point. The file is copied: faults and hangs name
 * functions and lines of it. TESSERA_INVALID: tessera_tile_explain says what is wrong with it. */
enum tessera_result tessera_tile_load_elf(struct tessera_tile *tile, enum tessera_core core, const void *file, size_t size);
/* Releases cores (bit per core) at their entry points, BRISC at that of its executable or 0. */
enum tessera_result tessera_tile_start(struct tessera_tile *tile, unsigned cores);

/* Queues words for thread 0, 1 or 2, whose core is held; a stand-in for the core pushes one a cycle while the FIFO takes them. */
enum tessera_result tessera_tile_push(struct tessera_tile *tile, unsigned thread, const uint32_t *words, size_t count);
/* Queues a store by that thread's core: L1, MOP configuration, GPRs, backend configuration, semaphores. */
enum tessera_result tessera_tile_store(struct tessera_tile *tile, unsigned thread, uint32_t address, uint32_t value);

/* Runs for at most `cycles` more cycles; from TESSERA_FOREVER on, until nothing is left to do. In a tile that has nothing to do when
 * it is called (all cores held or stopped) the clock goes on: `cycles` pass, and the answer is TESSERA_DONE. */
#define TESSERA_FOREVER (UINT64_C(1) << 62)
enum tessera_result tessera_tile_run(struct tessera_tile *tile, uint64_t cycles);
/* Stops the next runs when (word at address & mask) == value: a word of L1 or a register of tessera_tile_read. Mask 0: never. */
enum tessera_result tessera_tile_until(struct tessera_tile *tile, uint32_t address, uint32_t mask, uint32_t value);
/* Stops a core in front of the instruction at `pc`; UINT32_MAX: nowhere. */
enum tessera_result tessera_tile_break(struct tessera_tile *tile, enum tessera_core core, uint32_t pc);
uint64_t tessera_tile_cycle(const struct tessera_tile *tile);

/* The first fault of the tile. 0: there is none. */
struct tessera_fault {
  uint64_t cycle;
  const char *kind; /* "address", "unsupported", ... */
  const char *who;  /* "TRISC1", "thread 0 (unpack)" */
  uint32_t pc, word;
  char why[192];
  char document[64]; /* where this is written */
};
int tessera_tile_fault(const struct tessera_tile *tile, struct tessera_fault *fault);

/* Every register file. `index` and `item` as said; values are as stored. TESSERA_INVALID when there is no such place. */
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
};
enum tessera_result tessera_tile_register(const struct tessera_tile *tile, enum tessera_file file, unsigned index,
                                          unsigned item, uint32_t *value);

enum tessera_counter {
  TESSERA_COUNTER_INSTRUCTIONS,  /* core: retired since it left reset */
  TESSERA_COUNTER_CORE_CYCLES,   /* core: since it left reset */
  TESSERA_COUNTER_ISSUED,        /* thread: instructions past its wait gate */
  TESSERA_COUNTER_STALLED,       /* thread: cycles its next instruction was held */
  TESSERA_COUNTER_UNIT_ACCEPTED, /* unit, in the order of the report's JSON */
  TESSERA_COUNTER_UNIT_BUSY,     /* unit: cycles */
  TESSERA_COUNTER_FINDINGS,      /* 0: hazards found so far */
};
enum tessera_result tessera_tile_counter(const struct tessera_tile *tile, enum tessera_counter counter, unsigned index,
                                         uint64_t *value);

/* One or more lines about the last fault or hang; "" when there is none. Valid until the next call on this tile. */
const char *tessera_tile_explain(struct tessera_tile *tile);
/* The report of a run: per thread issued and stalled by what, units, findings. Valid until the next call on this tile. */
const char *tessera_tile_report(struct tessera_tile *tile);
/* The same as JSON. */
const char *tessera_tile_report_json(struct tessera_tile *tile);

/* The state as a value: its size, a copy of it, going back to a copy, a hash. A copy belongs to this version of the library. */
size_t tessera_tile_state_size(void);
void tessera_tile_save(const struct tessera_tile *tile, void *state);
void tessera_tile_restore(struct tessera_tile *tile, const void *state);
uint64_t tessera_tile_hash(const struct tessera_tile *tile);

const char *tessera_version(void);

#ifdef __cplusplus
}
#endif

#endif
