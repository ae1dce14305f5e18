/* Copies, comparisons and clearing for which the compiler calls memcpy, memmove, memset and memcmp. For a reader of tests/cli_kernel.sh. */
struct big {
  uint32_t word[64];
  uint8_t byte[7];
};
static struct big given = {{1, 2, 3}, {4, 5}}, table[3];
static uint32_t sum(struct big b) { /* by value */
  uint32_t s = 0;
  for (uint32_t i = 0; i < 64; i++) s += b.word[i] * (i + 1);
  for (uint32_t i = 0; i < 7; i++) s += b.byte[i] << i;
  return s;
}
static __attribute__((noinline)) void shift(uint8_t *at, uint32_t size) { __builtin_memmove(at + 3, at, size); }
static void check_copies(void) {
  volatile uint32_t which = 2;
  struct big copy = given, empty = {{0}, {0}};
  table[which] = copy;
  __builtin_memcpy(&table[which - 1], &table[which], which + 258);
  KERNEL_CHECK(sum(table[which]) == 1 + 4 + 9 + 4 + 10 && sum(empty) == 0, "copies of a struct");
  KERNEL_CHECK(sum(table[1]) == sum(copy), "a copy of so many bytes");
  uint8_t bytes[16];
  for (uint32_t i = 0; i < 16; i++) bytes[i] = (uint8_t)i;
  shift(bytes, which + 10);
  KERNEL_CHECK(bytes[2] == 2 && bytes[3] == 0 && bytes[14] == 11 && bytes[15] == 15, "overlapping bytes");
  KERNEL_CHECK(__builtin_memcmp(&table[which], &given, sizeof given - 1 - which % 2) == 0 &&
                   __builtin_memcmp(&table[0], &given, which + 2) < 0,
               "comparison");
}
