/* The firmware of the five cores, compiled once for each: COMPILE_FOR_BRISC, COMPILE_FOR_NCRISC, TRISC_UNPACK, TRISC_MATH,
 * TRISC_PACK.
 *
 * BRISC sets the coprocessor up through thread 0's FIFO (device_setup), waits for the host's GO in L1, passes GO to the
 * others, runs its own kernel and, when all are DONE, reports DONE to the host. The T cores sleep in a load of their PC buffer; the
 * token that wakes them is the number of the launch. After a kernel a T core waits until the coprocessor is idle
 * (tensix_sync). docs/evidence/errata.md A55..A57.
 */
#include "kernel.h"

#define TOKEN_STOP 0xffffffffu
#define SUBORDINATE_STOP 0x40u /* NCRISC has no PC buffer */

extern uint32_t __data_image[], __data_start[], __data_end[], __bss_start[], __bss_end[];
void kernel_entry(void);
void firmware_main(void);

/* Static variables of the library and the kernel are initialised again at every launch. */
static void reset_data(void) {
  const uint32_t *from = __data_image;
  for (uint32_t *to = __data_start; to < __data_end; to++) *to = *from++;
  for (uint32_t *to = __bss_start; to < __bss_end; to++) *to = 0;
}

void tt_fail(const char *text, uint32_t value, const char *file, uint32_t line) {
  tt_store(LAUNCH_FIELD(failed_value), value);
  tt_store(LAUNCH_FIELD(failed_text), (uint32_t)text);
  tt_store(LAUNCH_FIELD(failed_file), (uint32_t)file);
  tt_store(LAUNCH_FIELD(failed_line), line);
  tt_store(LAUNCH_FIELD(failed), KERNEL_CORE + 1);
  for (;;) __asm__ volatile("ebreak");
}

#ifdef COMPILE_FOR_BRISC

static void push(uint32_t word) { tt_store(INSTRN_BUF_BASE, word); }

/* Clears Dst, sets the vector unit's flags and its constant -1.0, and the limits of the semaphores. */
static void device_setup(void) {
  push(TT_OP_ZEROACC(p_zeroacc_CLR_ALL, 0, 0, ADDR_MOD_0, 0));
  push(TT_OP_SFPENCC(3, 0, 0, 10));   /* ISA: SFPENCC.md: flags on, lanes enabled */
  push(TT_OP_SFPLOADI(0, 0, 0xbf80)); /* -1.0 as BFLOAT16 */
  push(TT_OP_SFPCONFIG(0, 11, 0));    /* L11 */
  push(TT_OP_SEMINIT(1, 0, 1u << semaphore_MATH_PACK));
  push(TT_OP_SEMINIT(1, 0, 1u << semaphore_UNPACK_TO_DEST));
  push(TT_OP_SEMINIT(1, 0, 1u << semaphore_MATH_DONE));
  (void)tt_load(PC_BUF_BASE); /* returns when thread 0 is idle and its core waits for a token */
}

static void reset_buffers(void) {
  for (uint32_t cb = 0; cb < LAUNCH_BUFFERS; cb++) {
    if (tt_load(LAUNCH_FIELD(buffer) + cb * (uint32_t)sizeof(struct launch_buffer) + 8) == 0) continue;
    tt_store(NOC_STREAM_BASE + 0x1000u * cb + 4 * 8, 0);
    tt_store(NOC_STREAM_BASE + 0x1000u * cb + 4 * 10, 0);
  }
}

static void wake_subordinates(uint32_t message, uint32_t token) {
  for (uint32_t i = 0; i < 4; i++) tt_store(LAUNCH_FIELD(subordinate) + 4 * i, message);
  tt_store(PC_BUF_BASE, token);
  tt_store(PC1_BUF_BASE, token);
  tt_store(PC2_BUF_BASE, token);
}

static void launch_once(uint32_t number) {
  reset_data();
  reset_buffers();
  (void)tt_load(NOC_STREAM_BASE + 4 * 8); /* the counters are zero before a kernel reads them */
  wake_subordinates(RUN_SYNC_MSG_GO, number);
  kernel_entry();
  for (uint32_t i = 0; i < 4; i++) tt_poll(LAUNCH_FIELD(subordinate) + 4 * i, 0xffffffffu, RUN_SYNC_MSG_DONE);
  tt_store(LAUNCH_FIELD(finished), number + 1);
}

void firmware_main(void) {
  device_setup();
  uint32_t number = 0, launches;
  do {
    tt_poll(LAUNCH_FIELD(go), 0xffffffffu, RUN_SYNC_MSG_GO);
    launches = tt_load(LAUNCH_FIELD(launches));
    do launch_once(number++);
    while (number < launches);
    tt_store(LAUNCH_FIELD(go), RUN_SYNC_MSG_DONE);
  } while (launches == 0);
  wake_subordinates(SUBORDINATE_STOP, TOKEN_STOP);
}

#elif defined(COMPILE_FOR_NCRISC)

void firmware_main(void) {
  uint32_t mailbox = LAUNCH_FIELD(subordinate);
  for (;;) {
    uint32_t message;
    do message = tt_load(mailbox);
    while (message == RUN_SYNC_MSG_DONE);
    if (message == SUBORDINATE_STOP) return;
    reset_data();
    kernel_entry();
    tt_store(mailbox, RUN_SYNC_MSG_DONE);
  }
}

#else

void firmware_main(void) {
  uint32_t mailbox = LAUNCH_FIELD(subordinate) + 4 * (KERNEL_CORE - LAUNCH_NCRISC);
  for (;;) {
    uint32_t token = tt_load(PC_BUF_BASE); /* waits for BRISC */
    if (token == TOKEN_STOP) return;
    tt_poll(mailbox, 0xffffffffu, RUN_SYNC_MSG_GO);
    reset_data();
    kernel_entry();
    tensix_sync();
    tt_store(mailbox, RUN_SYNC_MSG_DONE);
  }
}

#endif
