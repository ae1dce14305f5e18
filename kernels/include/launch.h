/* The interface of the host and the five cores in L1: go and done, the buffers, the arguments, and the message of a failed
 * kernel. Included by the firmware, the kernel library, Tessera and host programs. */
#ifndef TENSIX_LAUNCH_H
#define TENSIX_LAUNCH_H

#include <stdint.h>

#define RUN_SYNC_MSG_GO 0x80u
#define RUN_SYNC_MSG_DONE 0x00u

#define LAUNCH_ADDRESS 0x40u
#define LAUNCH_BUFFERS 32u
#define LAUNCH_ARGS 32u
#define LAUNCH_OWN_ARGS 341u /* of one kernel: the vendor's limit */
#define LAUNCH_KERNELS 3u    /* writer (BRISC), reader (NCRISC), compute (TRISC0..2) */

/* Addresses of the five programs in L1: 24 KiB each. Buffers may use L1 from LAUNCH_HEAP on. */
#define LAUNCH_CODE_BASE 0x2000u
#define LAUNCH_CODE_BYTES 0x6000u
#define LAUNCH_SEMAPHORES 0x1000u /* words for other tiles, 16 bytes apart; zero at the start */
#define LAUNCH_SEMAPHORE_COUNT 32u
#define LAUNCH_HEAP 0x20000u
#define LAUNCH_L1_BYTES 0x180000u
/* Where a kernel has more than LAUNCH_ARGS arguments all of its own lie here, LAUNCH_OWN_ARGS words per kernel; the last word of L1 is then 1. */
#define LAUNCH_OWN_AT 0x17f000u
#define LAUNCH_OWN_MARK 0x17fffcu

enum launch_core {
  LAUNCH_BRISC,
  LAUNCH_NCRISC,
  LAUNCH_TRISC0,
  LAUNCH_TRISC1,
  LAUNCH_TRISC2,
  LAUNCH_CORES
}; /* the order of the vendor's mailboxes */

/* A circular buffer. pages 0: not configured. */
struct launch_buffer {
  uint32_t address;    /* L1 address, a multiple of 16 */
  uint32_t page_bytes; /* a tile of its format; a multiple of 16 */
  uint32_t pages;
  uint32_t format; /* enum data_format */
};

struct launch {
  uint32_t go;             /* the host writes RUN_SYNC_MSG_GO; BRISC answers RUN_SYNC_MSG_DONE */
  uint32_t subordinate[4]; /* NCRISC, TRISC0..2: the same between BRISC and the others */
  uint32_t launches;       /* launches before the firmware stops (ebreak); 0: it waits forever for the next go */
  uint32_t finished;       /* launches done */
  uint32_t failed;         /* a kernel stopped: core + 1 */
  uint32_t failed_line;
  uint32_t failed_value;
  uint32_t failed_text; /* addresses of strings in L1 */
  uint32_t failed_file;
  /* use of the throttle by the math core: 0 none, 1..5 static level, 0x100 dynamic (MM_THROTTLE_MAX was used) */
  uint32_t throttle;
  uint32_t place[LAUNCH_CORES]; /* address of "function at file:line": the last tile_regs_* call of a core */
  struct launch_buffer buffer[LAUNCH_BUFFERS];
  uint32_t args[LAUNCH_ARGS];
  uint32_t dram_banks;                            /* in a chip: DRAM controllers over which pages are interleaved */
  uint32_t own_args[LAUNCH_KERNELS][LAUNCH_ARGS]; /* of kernels that were compiled with KERNEL_OWN_ARGS, instead of args */
};

/* The kernel that runs on a core. */
#define LAUNCH_KERNEL_OF(core) ((core) < LAUNCH_TRISC0 ? (uint32_t)(core) : (uint32_t)LAUNCH_TRISC0)

#define LAUNCH_FIELD(member) (LAUNCH_ADDRESS + (uint32_t) __builtin_offsetof(struct launch, member))

#endif
