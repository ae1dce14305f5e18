/* The two buffers and their flags. Row i uses buffer i % 2; a flag holds 1 + the number of the last row. */
enum { ROW = 1024, BUFFERS = 0x40000 };

static inline uint32_t buffer(uint32_t i) { return BUFFERS + (i & 1) * ROW; }
static inline volatile uint32_t *filled(uint32_t i) { return (volatile uint32_t *)get_semaphore(i & 1); }
static inline volatile uint32_t *taken(uint32_t i) { return (volatile uint32_t *)get_semaphore(2 + (i & 1)); }
static inline void pause(void) {
  for (uint32_t i = 0; i < 8; i++) __asm__ volatile("nop");
}
