/* Firmware structured like the vendor's test firmware: all communication uses mailboxes in L1. BRISC sets the coprocessor
 * up, writes GO to the three T cores and polls their mailboxes until all hold DONE; NCRISC is unused. No PC buffer is read, so
 * the golden model runs the same files (bench/bench_llk.c). Compiled once for each core. */
#include "kernel.h"

extern uint32_t __data_image[], __data_start[], __data_end[], __bss_start[], __bss_end[];
void kernel_entry(void);
void firmware_main(void);

void tt_fail(const char *text, uint32_t value, const char *file, uint32_t line) {
  tt_store(LAUNCH_FIELD(failed_value), value);
  tt_store(LAUNCH_FIELD(failed_text), (uint32_t)text);
  tt_store(LAUNCH_FIELD(failed_file), (uint32_t)file);
  tt_store(LAUNCH_FIELD(failed_line), line);
  tt_store(LAUNCH_FIELD(failed), KERNEL_CORE + 1);
  for (;;) {}
}

#ifdef COMPILE_FOR_BRISC

static void push(uint32_t word) { tt_store(INSTRN_BUF_BASE, word); }

/* No semaphores: the kernels initialise theirs, and thread 0 may be late. A SEMINIT from here could undo a post of the math core. */
static void device_setup(void) {
  push(TT_OP_ZEROACC(p_zeroacc_CLR_ALL, 0, 0, ADDR_MOD_0, 0));
  push(TT_OP_SFPENCC(3, 0, 0, 10));
  push(TT_OP_SFPLOADI(0, 0, 0xbf80)); /* -1.0 */
  push(TT_OP_SFPCONFIG(0, 11, 0));
}

void firmware_main(void) {
  device_setup();
  tt_poll(LAUNCH_FIELD(go), 0xffffffffu, RUN_SYNC_MSG_GO);
  for (uint32_t i = 1; i < 4; i++) tt_store(LAUNCH_FIELD(subordinate) + 4 * i, RUN_SYNC_MSG_GO);
  for (uint32_t i = 1; i < 4; i++) tt_poll(LAUNCH_FIELD(subordinate) + 4 * i, 0xffffffffu, RUN_SYNC_MSG_DONE);
  tt_store(LAUNCH_FIELD(go), RUN_SYNC_MSG_DONE);
  for (;;) tt_poll(LAUNCH_FIELD(go), 0xffffffffu, RUN_SYNC_MSG_GO); /* the host ends the run */
}

void kernel_entry(void) {}

#else

static void reset_data(void) {
  const uint32_t *from = __data_image;
  for (uint32_t *to = __data_start; to < __data_end; to++) *to = *from++;
  for (uint32_t *to = __bss_start; to < __bss_end; to++) *to = 0;
}

void firmware_main(void) {
  uint32_t mailbox = LAUNCH_FIELD(subordinate) + 4 * (KERNEL_CORE - LAUNCH_NCRISC);
  for (;;) {
    tt_poll(mailbox, 0xffffffffu, RUN_SYNC_MSG_GO);
    reset_data();
    kernel_entry();
    tensix_sync();
    tt_store(mailbox, RUN_SYNC_MSG_DONE);
  }
}

#endif
