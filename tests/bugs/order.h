/* Common definitions of order_reader.c and order_writer.c. */
enum { WORD = 0x3f000, IN = 0x60000, OUT = 0xa0000, ROUNDS = 24 };
#define WORDS(i) (WORD + 16 * (i))
#define WALL_CLOCK 0xFFB121F0u

TT_INLINE void pause(uint32_t cycles) {
  uint32_t start = tt_load(WALL_CLOCK);
  while (tt_load(WALL_CLOCK) - start < cycles) {}
}
