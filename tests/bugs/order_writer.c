/* BRISC of order_reader.c. */
#include "dataflow.h"
#include "order.h"

void kernel_main(void) {
  tt_poll(WORD, 0x80000000u, 0);
#if ORDER == 1
  for (uint32_t i = 0; i < 8; i++) tt_store(WORD, tt_load(WORD) + 1);
  tt_poll(WORD, 0xf, 0); /* 16 of both */
#elif ORDER == 2
  uint32_t tries = 400;
  while (tt_load(WORD) != 7 && --tries) {}
  tt_store(OUT, tries != 0);
#elif ORDER == 3
  for (uint32_t i = 0; i < ROUNDS; i++) {
    tt_poll(WORDS(i), 0x80000000u, 0);
    tt_store(WORDS(i), tt_load(WORDS(i)) | 2u);
    pause(100);
  }
  for (uint32_t i = 0; i < ROUNDS; i++) tt_poll(WORDS(i), 3, 3);
#elif ORDER == 4
  for (uint32_t i = 0; i < ROUNDS; i++) {
    tt_poll(WORDS(i), 0x80000000u, 0);
    if (tt_load(WORDS(i)) == 0) tt_store(WORDS(i), 2);
    pause(100);
  }
#elif ORDER == 5
  tt_poll(WORD, 1, 1);
#endif
}
