/* The T cores as processors: T0 fills words, T1 doubles them, T2 copies them to C; addresses go by mailboxes, two places in turn.
 * Arguments: C, number of rounds. */
#include "compute.h"

enum { WORDS = 64, DATA = 0x40000 };
enum { T0, T1, T2 };

static inline uint32_t mailbox(uint32_t core) { return 0xFFEC1000u + 0x1000u * core; }
/* Waits until the stores have arrived: a load of the last one. */
static inline void stored(uint32_t address) {
  uint32_t read = tt_load(address);
  __asm__ volatile("andi zero, %0, 0" : : "r"(read) : "memory");
}

#ifdef TRISC_UNPACK
static void one_round(uint32_t i) {
  uint32_t at = DATA + (i & 1) * 4 * WORDS;
  if (i > 1) (void)tt_load(mailbox(T2));
  for (uint32_t k = 0; k < WORDS; k++) tt_store(at + 4 * k, i + k);
  stored(at + 4 * WORDS - 4);
  tt_store(mailbox(T1), at);
}
#elif defined TRISC_MATH
static void one_round(uint32_t i) {
  uint32_t at = tt_load(mailbox(T0));
  for (uint32_t k = 0; k < WORDS; k++) tt_store(at + 4 * k, 2 * tt_load(at + 4 * k));
  stored(at + 4 * WORDS - 4);
  tt_store(mailbox(T2), at);
}
#else
static void one_round(uint32_t i) {
  uint32_t at = tt_load(mailbox(T1));
  for (uint32_t k = 0; k < WORDS; k++) tt_store(get_arg_val(0) + 4 * (WORDS * i + k), tt_load(at + 4 * k));
  tt_store(mailbox(T0), i);
}
#endif

void kernel_main(void) {
  for (uint32_t i = 0, rounds = get_arg_val(1); i < rounds; i++) one_round(i);
}
