/* NCRISC of programs whose result depends on the order of arrival, with every wait that a checker can require. ORDER chooses one.
 * The other side is order_writer.c. */
#include "dataflow.h"
#include "order.h"

void kernel_main(void) {
  tt_poll(WORD, 0x80000000u, 0);
#if ORDER == 1 /* both cores increment one word with a load and a store */
  pause(400);
  for (uint32_t i = 0; i < 8; i++) tt_store(WORD, tt_load(WORD) + 1);
#elif ORDER == 2 /* the other side waits for this with a timeout */
  pause(500);
  tt_store(WORD, 7);
#elif ORDER == 3 /* each sets its bit */
  for (uint32_t i = 0; i < ROUNDS; i++) {
    pause(100);
    tt_poll(WORDS(i), 0x80000000u, 0);
    tt_store(WORDS(i), tt_load(WORDS(i)) | 1u);
  }
#elif ORDER == 4 /* the first one wins */
  for (uint32_t i = 0; i < ROUNDS; i++) {
    pause(100);
    tt_poll(WORDS(i), 0x80000000u, 0);
    if (tt_load(WORDS(i)) == 0) tt_store(WORDS(i), 1);
  }
#elif ORDER == 5 /* does less work when it is late */
  uint32_t start = tt_load(WALL_CLOCK), done = 0;
  for (uint32_t i = 0; i < 64 && tt_load(WALL_CLOCK) - start < 2500; i++)
    done += tt_load(IN + 4 * i) != 0, tt_store(OUT, done);
  tt_store(WORD, 1);
#endif
}
