/* The firmware of the five cores without a load of a PC buffer, so that the golden model runs the same files (bench/bench_users.c): all cores
 * wait by mailboxes in L1, and T0 sets the coprocessor up. One launch. Compiled once for each core. */
#include "kernel.h"

#define SETUP_DONE 1u /* in the mailbox of T0 before its first launch */

extern uint32_t __data_image[], __data_start[], __data_end[], __bss_start[], __bss_end[];
void kernel_entry(void);
void firmware_main(void);

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
  for (;;) {}
}

#ifdef COMPILE_FOR_BRISC

static void reset_buffers(void) {
  for (uint32_t cb = 0; cb < LAUNCH_BUFFERS; cb++) {
    if (tt_load(LAUNCH_FIELD(buffer) + cb * (uint32_t)sizeof(struct launch_buffer) + 8) == 0) continue;
    tt_store(NOC_STREAM_BASE + 0x1000u * cb + 4 * 8, 0);
    tt_store(NOC_STREAM_BASE + 0x1000u * cb + 4 * 10, 0);
  }
  (void)tt_load(NOC_STREAM_BASE + 4 * 8); /* the counters are zero before a kernel reads them */
}

void firmware_main(void) {
  tt_poll(LAUNCH_FIELD(subordinate) + 4, 0xffffffffu, SETUP_DONE);
  tt_poll(LAUNCH_FIELD(go), 0xffffffffu, RUN_SYNC_MSG_GO);
  reset_data();
  reset_buffers();
  for (uint32_t i = 0; i < 4; i++) tt_store(LAUNCH_FIELD(subordinate) + 4 * i, RUN_SYNC_MSG_GO);
  kernel_entry();
  for (uint32_t i = 0; i < 4; i++) tt_poll(LAUNCH_FIELD(subordinate) + 4 * i, 0xffffffffu, RUN_SYNC_MSG_DONE);
  tt_store(LAUNCH_FIELD(go), RUN_SYNC_MSG_DONE);
  for (;;) tt_poll(LAUNCH_FIELD(go), 0xffffffffu, RUN_SYNC_MSG_GO); /* the host ends the run */
}

#else

#ifdef TRISC_UNPACK
static void push(uint32_t word) { tt_store(INSTRN_BUF_BASE, word); }

static void device_setup(void) {
  push(TT_OP_ZEROACC(p_zeroacc_CLR_ALL, 0, 0, ADDR_MOD_0, 0));
  push(TT_OP_SFPENCC(3, 0, 0, 10));
  push(TT_OP_SFPLOADI(0, 0, 0xbf80)); /* -1.0 */
  push(TT_OP_SFPCONFIG(0, 11, 0));
  push(TT_OP_SEMINIT(1, 0, 1u << semaphore_MATH_PACK));
  push(TT_OP_SEMINIT(1, 0, 1u << semaphore_UNPACK_TO_DEST));
  push(TT_OP_SEMINIT(1, 0, 1u << semaphore_MATH_DONE));
  tensix_sync();
}
#endif

void firmware_main(void) {
  uint32_t mailbox = LAUNCH_FIELD(subordinate) + 4 * (KERNEL_CORE - LAUNCH_NCRISC);
#ifdef TRISC_UNPACK
  device_setup();
  tt_store(mailbox, SETUP_DONE);
#endif
  for (;;) {
    tt_poll(mailbox, 0xffffffffu, RUN_SYNC_MSG_GO);
    reset_data();
    kernel_entry();
#ifndef COMPILE_FOR_NCRISC
    tensix_sync();
#endif
    tt_store(mailbox, RUN_SYNC_MSG_DONE);
  }
}

#endif
