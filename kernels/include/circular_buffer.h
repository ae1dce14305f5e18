/* Circular buffers of pages in L1 between two cores. The producer counts pages received, the consumer pages acknowledged,
 * each in a register of the buffer's stream (16 bits, wrapping): STREAM_REMOTE_DEST_BUF_SIZE and ..._START of stream n for
 * buffer n, as the vendor's firmware uses them. A T core's counts go through its thread (STOREREG), after the units that
 * still read or write the page.
 *
 *   producer: cb_reserve_back, fill, cb_push_back          consumer: cb_wait_front, use, cb_pop_front
 *
 * On a core that does not use the buffer a call is empty, so one source serves three cores. */
#ifndef TENSIX_CIRCULAR_BUFFER_H
#define TENSIX_CIRCULAR_BUFFER_H

#include "data_format.h"
#include "kernel.h"

#define CB_STREAM_ACKED 8u     /* STREAM_REMOTE_DEST_BUF_START */
#define CB_STREAM_RECEIVED 10u /* STREAM_REMOTE_DEST_BUF_SIZE */

/* The members have type `unsigned`. The hardware registers are accessed as uint32_t, which is `unsigned long` with this compiler. The types
 * differ, so the compiler may keep members that it has loaded across stores to hardware registers. */
struct cb_interface {
  unsigned base;
  union {
    unsigned limit, fifo_limit; /* address of the first byte after the buffer; fifo_* are the vendor's names */
  };
  union {
    unsigned page_bytes, fifo_page_size;
  };
  union {
    unsigned pages, fifo_num_pages;
  };
  union {
    unsigned read, fifo_rd_ptr; /* next page to use */
  };
  union {
    unsigned write, fifo_wr_ptr; /* next page to fill */
  };
  unsigned read16; /* for the unpackers: `read` and a page in units of 16 bytes, less the tile header that they skip */
  union {
    unsigned page16, fifo_size; /* fifo_size: bytes of the buffer, on readers and writers */
  };
  unsigned packed; /* pages packed since the last cb_push_back */
  unsigned format;
  uint16_t acked, received; /* counts that this core has published */
};

static struct cb_interface cb_interfaces[LAUNCH_BUFFERS] __attribute__((unused));

TT_INLINE uint32_t cb_register(uint32_t cb, uint32_t index) { return NOC_STREAM_BASE + 0x1000u * cb + 4u * index; }

/* Once per launch, by the firmware: reads the host's table. */
TT_INLINE void cb_setup(void) {
  for (uint32_t cb = 0; cb < LAUNCH_BUFFERS; cb++) {
    struct cb_interface *i = &cb_interfaces[cb];
    uint32_t row = LAUNCH_FIELD(buffer) + cb * (uint32_t)sizeof(struct launch_buffer);
    i->base = i->read = i->write = tt_load(row);
    i->page_bytes = tt_load(row + 4);
    i->pages = tt_load(row + 8);
    i->format = tt_load(row + 12);
    i->limit = i->base + i->pages * i->page_bytes;
    i->read16 = (i->base >> 4) - 1;
#if defined(COMPILE_FOR_BRISC) || defined(COMPILE_FOR_NCRISC)
    i->fifo_size = i->limit - i->base;
#else
    i->page16 = i->page_bytes >> 4;
#endif
    i->packed = 0;
    i->acked = i->received = 0;
  }
}

TT_INLINE struct cb_interface *cb_get_at(uint32_t cb, const char *file, uint32_t line) {
  KERNEL_CHECK_AT(cb < LAUNCH_BUFFERS, "circular buffer %u: the index must be below 32", cb, file, line);
  KERNEL_CHECK_AT(cb_interfaces[cb].pages != 0, "circular buffer %u was never configured", cb, file, line);
  return &cb_interfaces[cb];
}
#define cb_get(cb) cb_get_at(cb, __FILE__, __LINE__)

/* A bit per buffer of the launch, if the host tells them at compile time (tessera kernel): a check of a constant index costs nothing. */
#ifndef KERNEL_BUFFER_MASK
#define KERNEL_BUFFER_MASK 0xffffffffu
#endif

/* The same for the inner loops: checked before by cb_wait_front or cb_reserve_back. */
TT_INLINE struct cb_interface *cb_at(uint32_t cb) { return &cb_interfaces[cb]; }

/* Indices count pages from the read or the write pointer. A constant 0 needs no check. */
#ifdef KERNEL_UNCHECKED
#define CB_CHECK_INDEX(cb, index, text) ((void)0)
#else
#define CB_CHECK_INDEX(cb, index, text) \
  KERNEL_CHECK_VALUE((__builtin_constant_p(index) && (index) == 0) || (index) < cb_at(cb)->pages, text, index)
#endif
#define CB_PAST_FRONT \
  "tile index %u is past the end of its circular buffer: it counts from the front page and stays below the number of " \
  "pages that cb_wait_front waits for"
#define CB_PAST_BACK \
  "page %u after the write pointer is past the end of the circular buffer: it stays below the number of pages that " \
  "cb_reserve_back reserves"

#define cb_format(cb) (cb_get(cb)->format)
#ifdef __cplusplus /* functions, because classes have members of these names */
#define CB_GETTER(name, member) \
  inline uint32_t name(uint32_t cb, const char *file = __builtin_FILE(), uint32_t line = __builtin_LINE()) { \
    return cb_get_at(cb, file, line)->member; \
  }

/* The buffers known to `tessera kernel` at compile time: constants for constant expressions. */
#ifndef KERNEL_BUFFERS
#define KERNEL_BUFFERS
#endif
namespace kernel_buffers {
struct buffer {
  uint32_t cb, page_bytes, format;
};
constexpr buffer list[] = {KERNEL_BUFFERS{0xffffffffu, 0, 0}};
inline buffer no_such_buffer() { return list[0]; } /* not constant: the compiler stops at its call */
constexpr buffer of(uint32_t cb) {
  for (const buffer &b : list)
    if (b.cb == cb) return b;
  return no_such_buffer();
}
} // namespace kernel_buffers
constexpr uint32_t get_tile_size(uint32_t cb, const char *file = __builtin_FILE(), uint32_t line = __builtin_LINE()) {
  if (__builtin_is_constant_evaluated()) return kernel_buffers::of(cb).page_bytes;
  return cb_get_at(cb, file, line)->page_bytes;
}
#else
#define get_tile_size(cb) (cb_get(cb)->page_bytes)
#endif

/* Polls are macros, so that the line of a core that waits forever is that of the kernel's call. */
#ifdef TT_RECORD
#define CB_SPIN_WHILE(cb, index, condition) tt_record_poll_tiles(cb, index, 0, 0)
#else
#define CB_SPIN_WHILE(cb, index, condition) \
  do { \
    volatile uint32_t *cb_other_ = (volatile uint32_t *)cb_register(cb, index); \
    while (condition) {} \
  } while (0)
#endif
/* A producer's poll; the cache of a reader's or writer's core is emptied, as the vendor's library does it. */
#if defined(TT_RECORD) || defined(TRISC_PACK)
#define CB_SPIN_FENCED_WHILE CB_SPIN_WHILE
#else
#define CB_SPIN_FENCED_WHILE(cb, index, condition) \
  do { \
    volatile uint32_t *cb_other_ = (volatile uint32_t *)cb_register(cb, index); \
    do tt_fence(); \
    while (condition); \
  } while (0)
#endif

/* A wrap must be exactly at the buffer's end: pages across it are not contiguous. */
TT_INLINE void cb_advance(const struct cb_interface *i, unsigned *pointer, uint32_t count) {
  *pointer += count * i->page_bytes;
  if (*pointer < i->limit) return;
  KERNEL_CHECK_VALUE(*pointer == i->limit,
                     "%u pages pushed or popped at once wrap around; their number must divide the buffer's", count);
  *pointer -= i->limit - i->base;
}

#if defined(TRISC_UNPACK) || defined(TRISC_PACK)
/* The thread stores the count when its unit has finished with the page. ISA: STOREREG.md */
TT_INLINE void cb_publish(uint32_t address, uint32_t count, uint32_t gpr, uint32_t unit) {
  gpr_set_low(gpr, count);
  TT_STALLWAIT(p_stall_STALL_THCON, unit);
  TT_STOREREG(gpr, (address - 0xFFB00000u) >> 2);
}
#endif

/* --- consumer: TRISC0, BRISC, NCRISC --- */

#if defined(TRISC_MATH) || defined(TRISC_PACK)
#define CB_WAIT_FRONT(cb, count, file, line) ((void)(cb), (void)(count), (void)(file), (void)(line))
#else
TT_INLINE uint32_t cb_wait_known(uint32_t cb, uint32_t count, const char *file, uint32_t line) {
  struct cb_interface *i = cb_get_at(cb, file, line);
  KERNEL_CHECK_AT(count <= i->pages, "cb_wait_front: circular buffer %u has fewer pages", cb, file, line);
  KERNEL_CHECK_AT(i->read + count * i->page_bytes <= i->limit,
                  "cb_wait_front: the pages would wrap around; their number must divide that of circular buffer %u", cb,
                  file, line);
  return i->acked;
}
#define CB_WAIT_FRONT(cb, count, file, line) \
  do { \
    const uint32_t cb_known_ __attribute__((unused)) = cb_wait_known(cb, count, file, line); \
    const uint32_t cb_count_ __attribute__((unused)) = count; \
    CB_SPIN_WHILE(cb, CB_STREAM_RECEIVED, ((*cb_other_ - cb_known_) & 0xffffu) < cb_count_); \
  } while (0)
#endif
#ifdef __cplusplus /* a function, for uses as an expression and with the name of a namespace */
TT_INLINE void cb_wait_front(uint32_t cb, uint32_t count, const char *file = __builtin_FILE(),
                             uint32_t line = __builtin_LINE()) {
  CB_WAIT_FRONT(cb, count, file, line);
}
#else
#define cb_wait_front(cb, count) __extension__({ CB_WAIT_FRONT(cb, count, __FILE__, __LINE__); })
#endif

TT_INLINE void cb_pop_front(uint32_t cb, uint32_t count) {
#if defined(TRISC_MATH) || defined(TRISC_PACK)
  (void)cb, (void)count;
#else
  struct cb_interface *i = cb_at(cb);
  i->acked = (uint16_t)(i->acked + count);
  cb_advance(i, &i->read, count);
  i->read16 = (i->read >> 4) - 1;
#ifdef TRISC_UNPACK
  cb_publish(cb_register(cb, CB_STREAM_ACKED), i->acked, p_gpr_unpack_TMP_HI, p_stall_UNPACK);
#else
  tt_store(cb_register(cb, CB_STREAM_ACKED), i->acked);
#endif
#endif
}

/* --- producer: TRISC2, BRISC, NCRISC --- */

#if defined(TRISC_MATH) || defined(TRISC_UNPACK)
#define CB_RESERVE_BACK(cb, count, file, line) ((void)(cb), (void)(count), (void)(file), (void)(line))
#else
TT_INLINE uint32_t cb_reserve_known(uint32_t cb, uint32_t count, const char *file, uint32_t line) {
  struct cb_interface *i = cb_get_at(cb, file, line);
  KERNEL_CHECK_AT(count <= i->pages, "cb_reserve_back: circular buffer %u has fewer pages", cb, file, line);
  KERNEL_CHECK_AT(i->write + count * i->page_bytes <= i->limit,
                  "cb_reserve_back: the pages would wrap around; their number must divide that of circular buffer %u", cb,
                  file, line);
  return i->received;
}
#define CB_RESERVE_BACK(cb, count, file, line) \
  do { \
    const uint32_t cb_known_ __attribute__((unused)) = cb_reserve_known(cb, count, file, line); \
    const uint32_t cb_full_ __attribute__((unused)) = cb_at(cb)->pages - (count); \
    CB_SPIN_FENCED_WHILE(cb, CB_STREAM_ACKED, ((cb_known_ - *cb_other_) & 0xffffu) > cb_full_); \
  } while (0)
#endif
#ifdef __cplusplus
TT_INLINE void cb_reserve_back(uint32_t cb, uint32_t count, const char *file = __builtin_FILE(),
                               uint32_t line = __builtin_LINE()) {
  CB_RESERVE_BACK(cb, count, file, line);
}
#else
#define cb_reserve_back(cb, count) __extension__({ CB_RESERVE_BACK(cb, count, __FILE__, __LINE__); })
#endif

TT_INLINE void cb_push_back(uint32_t cb, uint32_t count) {
#if defined(TRISC_MATH) || defined(TRISC_UNPACK)
  (void)cb, (void)count;
#else
  struct cb_interface *i = cb_at(cb);
  i->received = (uint16_t)(i->received + count);
  cb_advance(i, &i->write, count);
  i->packed = 0;
#ifdef TRISC_PACK
  cb_publish(cb_register(cb, CB_STREAM_RECEIVED), i->received, p_gpr_pack_NUM_MSGS_RECEIVED, p_stall_PACK);
#else
  tt_store(cb_register(cb, CB_STREAM_RECEIVED), i->received);
#endif
#endif
}

/* Called by the firmware's entry code. The kernel's own object file holds the library's variables. */
#ifdef __cplusplus
extern "C"
#endif
    void
    kernel_entry(void);
void kernel_entry(void) {
  cb_setup();
#ifdef TENSIX_NOC_H
  noc_setup();
#endif
  kernel_main();
}

/* Byte addresses in L1, for readers and writers. */
#ifdef __cplusplus
CB_GETTER(get_read_ptr, read)
CB_GETTER(get_write_ptr, write)
#else
#define get_read_ptr(cb) (cb_get(cb)->read)
#define get_write_ptr(cb) (cb_get(cb)->write)
#endif

#endif
