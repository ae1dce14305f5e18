/* Circular buffers as objects, on all cores, and pointers into L1: the classes CircularBuffer, DataflowBuffer and CoreLocalMem of the
 * vendor's API. On Blackhole a DataflowBuffer is a circular buffer; its locks mark accesses for the vendor's debugger and do nothing else. */
#ifndef TENSIX_API_BUFFER_H
#define TENSIX_API_BUFFER_H

#include <type_traits>

#include "api_common.h"
#include "circular_buffer.h"

/* --- mailboxes between BRISC and the T cores: a store sends a word, a load waits for a word and receives it --- */

#ifndef COMPILE_FOR_NCRISC
namespace ckernel {
enum ThreadId { UnpackThreadId = 0, MathThreadId = 1, PackThreadId = 2, BriscThreadId = 3 };
inline uint32_t mailbox_of(uint32_t thread) { return 0xFFEC0000u + 0x1000u * (thread == BriscThreadId ? 0u : thread + 1u); }
inline void mailbox_write(uint32_t thread, uint32_t value) { tt_store(mailbox_of(thread), value); }
inline uint32_t mailbox_read(uint32_t thread) { return tt_load(mailbox_of(thread)); }
inline bool mailbox_not_empty(uint32_t thread) { return tt_load(mailbox_of(thread) + 4) != 0; }
} // namespace ckernel
#endif

#if defined(TRISC_UNPACK) || defined(TRISC_MATH) || defined(TRISC_PACK)
/* The unpack core has the read pointer of a buffer and sends the word that it reads to the others. */
namespace ckernel {
inline uint32_t from_unpack_core(uint32_t value) {
#ifdef TRISC_UNPACK
  mailbox_write(MathThreadId, value);
  mailbox_write(PackThreadId, value);
  return value;
#else
  (void)value;
  return mailbox_read(UnpackThreadId);
#endif
}
inline uint32_t get_tile_l1_byte_address(uint32_t cb, uint32_t tile) {
  const struct cb_interface *i = cb_get(cb);
  CB_CHECK_INDEX(cb, tile, CB_PAST_FRONT);
  return i->read + tile * i->page_bytes;
}
inline uint32_t get_tile_address(uint32_t cb, uint32_t tile) { return from_unpack_core(get_tile_l1_byte_address(cb, tile)); }
template <typename T = uint32_t> inline T read_tile_value(uint32_t cb, uint32_t tile, uint32_t element) {
  static_assert(sizeof(T) <= 4 && std::is_unsigned_v<T>, "read_tile_value: an unsigned integer of at most 32 bits");
  uint32_t value = 0;
#ifdef TRISC_UNPACK
  value = reinterpret_cast<volatile T *>(get_tile_l1_byte_address(cb, tile))[element];
#endif
  (void)cb, (void)tile, (void)element;
  return (T)from_unpack_core(value);
}
} // namespace ckernel
using namespace ckernel;
#endif

constexpr uint32_t get_tile_hw(uint32_t) { return TILE_ROWS * TILE_COLUMNS; }
constexpr uint32_t get_tile_num_faces(uint32_t) { return TILE_FACES; }
constexpr DataFormat get_dataformat(uint32_t cb) {
  if (__builtin_is_constant_evaluated()) return (DataFormat)kernel_buffers::of(cb).format;
  return (DataFormat)cb_interfaces[cb].format;
}
/* Tables that the vendor's build writes for each kernel. */
namespace kernel_buffers {
template <uint32_t (*what)(uint32_t)> struct table {
  constexpr uint32_t operator[](uint32_t cb) const { return what(cb); }
};
constexpr uint32_t format_of(uint32_t cb) { return of(cb).format; }
constexpr uint32_t bytes_of(uint32_t cb) { return of(cb).page_bytes; }
constexpr uint32_t rows_of(uint32_t) { return TILE_ROWS; }
constexpr uint32_t columns_of(uint32_t) { return TILE_COLUMNS; }
constexpr uint32_t face_rows_of(uint32_t) { return FACE_ROWS; }
} // namespace kernel_buffers
constexpr kernel_buffers::table<kernel_buffers::format_of> unpack_src_format, pack_dst_format;
constexpr kernel_buffers::table<kernel_buffers::bytes_of> unpack_tile_size, pack_tile_size;
constexpr kernel_buffers::table<kernel_buffers::rows_of> unpack_tile_r_dim, pack_tile_r_dim;
constexpr kernel_buffers::table<kernel_buffers::columns_of> unpack_tile_c_dim, pack_tile_c_dim;
constexpr kernel_buffers::table<get_tile_num_faces> unpack_tile_num_faces, pack_tile_num_faces;
constexpr kernel_buffers::table<kernel_buffers::face_rows_of> unpack_tile_face_r_dim, pack_tile_face_r_dim;

/* Available or free pages, without waiting. */
inline bool cb_pages_available_at_front(uint32_t cb, uint32_t pages) {
  return ((tt_load(cb_register(cb, CB_STREAM_RECEIVED)) - cb_get(cb)->acked) & 0xffffu) >= pages;
}
inline bool cb_pages_reservable_at_back(uint32_t cb, uint32_t pages) {
  return cb_get(cb)->pages - ((cb_get(cb)->received - tt_load(cb_register(cb, CB_STREAM_ACKED))) & 0xffffu) >= pages;
}

/* The vendor's struct of a buffer: in bytes for readers and writers, which may set its pointers; T cores have a copy in
 * units of 16 bytes. */
typedef struct cb_interface LocalCBInterface;
#if defined(COMPILE_FOR_BRISC) || defined(COMPILE_FOR_NCRISC)
constexpr uint32_t cb_addr_shift = 0;
inline LocalCBInterface &get_local_cb_interface(uint32_t cb) { return *cb_get(cb); }
#else
constexpr uint32_t cb_addr_shift = 4;
static LocalCBInterface cb_view __attribute__((unused));
inline LocalCBInterface &get_local_cb_interface(uint32_t cb) {
  cb_view = *cb_get(cb);
  cb_view.fifo_rd_ptr >>= 4;
  cb_view.fifo_wr_ptr >>= 4;
  cb_view.fifo_size = (cb_view.fifo_limit - cb_view.base) >> 4;
  cb_view.fifo_limit >>= 4;
  cb_view.fifo_page_size >>= 4;
  return cb_view;
}
inline uint32_t get_operand_id(uint32_t cb) { return cb; }
#endif

/* --- pointers into this tile's L1 --- */

template <typename T, typename Address = uintptr_t> class CoreLocalMem {
  Address at;

public:
  CoreLocalMem(Address address) : at(address) {}
  CoreLocalMem(T *pointer) : at((Address)pointer) {}
  T *get_unsafe_ptr() const { return reinterpret_cast<T *>(at); }
  Address get_address() const { return at; }
  T &operator[](uint32_t i) const { return get_unsafe_ptr()[i]; }
  T &operator*() const { return *get_unsafe_ptr(); }
  T *operator->() const { return get_unsafe_ptr(); }
  CoreLocalMem &operator+=(ptrdiff_t n) { return at += (Address)n * sizeof(T), *this; }
  CoreLocalMem &operator-=(ptrdiff_t n) { return at -= (Address)n * sizeof(T), *this; }
  CoreLocalMem &operator++() { return *this += 1; }
  CoreLocalMem &operator--() { return *this -= 1; }
  CoreLocalMem operator++(int) {
    CoreLocalMem old = *this;
    ++*this;
    return old;
  }
  CoreLocalMem operator--(int) {
    CoreLocalMem old = *this;
    --*this;
    return old;
  }
  CoreLocalMem operator+(ptrdiff_t n) const { return CoreLocalMem(at + (Address)n * sizeof(T)); }
  CoreLocalMem operator-(ptrdiff_t n) const { return CoreLocalMem(at - (Address)n * sizeof(T)); }
  ptrdiff_t operator-(const CoreLocalMem &other) const { return (ptrdiff_t)(at - other.at) / (ptrdiff_t)sizeof(T); }
  bool operator==(const CoreLocalMem &other) const { return at == other.at; }
  bool operator!=(const CoreLocalMem &other) const { return at != other.at; }
  bool operator<(const CoreLocalMem &other) const { return at < other.at; }
  bool operator<=(const CoreLocalMem &other) const { return at <= other.at; }
  bool operator>(const CoreLocalMem &other) const { return at > other.at; }
  bool operator>=(const CoreLocalMem &other) const { return at >= other.at; }
  explicit operator bool() const { return at != 0; }
  int scoped_lock(size_t) const { return 0; }
};

template <typename T> struct buffer_lock {
  uint32_t at;
  template <typename U = T> CoreLocalMem<U> get_ptr() const { return CoreLocalMem<U>(at); }
};

/* --- buffers --- */

class CircularBuffer {
protected:
  uint32_t id;

public:
  enum class AddrSelector { WRITE_PTR, READ_PTR };
  explicit constexpr CircularBuffer(uint32_t cb) : id(cb) {}
  uint32_t get_cb_id() const { return id; }
  void reserve_back(uint32_t pages) const { cb_reserve_back(id, pages); }
  void push_back(uint32_t pages) const { cb_push_back(id, pages); }
  void wait_front(uint32_t pages) const { cb_wait_front(id, pages); }
  void pop_front(uint32_t pages) const { cb_pop_front(id, pages); }
  bool pages_reservable_at_back(uint32_t pages) const { return cb_pages_reservable_at_back(id, pages); }
  bool pages_available_at_front(uint32_t pages) const { return cb_pages_available_at_front(id, pages); }
  uint32_t get_write_ptr() const { return cb_get(id)->write; }
  uint32_t get_read_ptr() const { return cb_get(id)->read; }
  constexpr uint32_t get_tile_size() const { return ::get_tile_size(id); }
  constexpr uint32_t get_tile_hw() const { return ::get_tile_hw(id); }
  constexpr DataFormat get_dataformat() const { return ::get_dataformat(id); }
#if defined(TRISC_UNPACK) || defined(TRISC_MATH) || defined(TRISC_PACK)
  uint32_t get_tile_address(uint32_t tile) const { return ckernel::get_tile_address(id, tile); }
  template <typename T = uint32_t> T read_tile_value(uint32_t tile, uint32_t element) const {
    return ckernel::read_tile_value<T>(id, tile, element);
  }
#endif
  int scoped_lock(uint32_t = 1) const { return 0; }
};

/* What dfb::NAME is: the buffer's index, also for functions that take one. */
struct DFBBindingToken {
  uint16_t id;
  explicit constexpr DFBBindingToken(uint16_t cb) : id(cb) {}
  constexpr operator uint32_t() const { return id; }
};

class DataflowBuffer : public CircularBuffer {
public:
  constexpr DataflowBuffer(uint32_t cb) : CircularBuffer(cb) {}
  uint32_t get_id() const { return id; }
  uint32_t get_entry_size() const { return cb_get(id)->page_bytes; }
  uint32_t get_stride_size() const { return get_entry_size(); }
  uint32_t get_total_num_entries() const { return cb_get(id)->pages; }
  uint32_t get_total_size_bytes() const { return cb_get(id)->limit - cb_get(id)->base; }
  uint32_t get_local_num_entries() const { return get_total_num_entries(); }
  uint32_t get_local_size_bytes() const { return get_total_size_bytes(); }
  uint32_t get_ring_span_bytes() const { return get_total_size_bytes(); }
  uint32_t get_ring_span_num_entries() const { return get_total_num_entries(); }
  uint32_t get_tile_r_dim() const { return TILE_ROWS; }
  uint32_t get_tile_c_dim() const { return TILE_COLUMNS; }
  uint32_t get_tile_num_faces() const { return TILE_FACES; }
  uint32_t get_face_r_dim() const { return FACE_ROWS; }
  void evil_set_write_ptr(uint32_t address) const { cb_get(id)->write = address; }
  void evil_set_read_ptr(uint32_t address) const {
    cb_get(id)->read = address;
    cb_get(id)->read16 = (address >> 4) - 1;
  }
  void finish() const {}
  template <typename Noc> void write_barrier(const Noc &noc) const { noc.async_write_barrier(); }
  buffer_lock<uint32_t> scoped_write_lock(uint32_t = 1) const { return {get_write_ptr()}; }
  buffer_lock<const uint32_t> scoped_read_lock(uint32_t = 1) const { return {get_read_ptr()}; }
};

/* A buffer used as an address: its read or write pointer, for either direction of the transfer. */
template <CircularBuffer::AddrSelector selector> struct CircularBufferView {
  const CircularBuffer &cb;
  uint32_t address() const {
    return selector == CircularBuffer::AddrSelector::READ_PTR ? cb.get_read_ptr() : cb.get_write_ptr();
  }
};
template <CircularBuffer::AddrSelector selector> CircularBufferView<selector> use(const CircularBuffer &cb) { return {cb}; }

#endif
