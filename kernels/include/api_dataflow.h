/* The dataflow API in C++ over noc.h: overloads with the vendor's default arguments, address generators, TensorAccessor for interleaved
 * buffers, and the classes Noc, CircularBuffer and Semaphore. A `noc` argument other than this core's own NoC is refused: the core's
 * counters know only its own (noc.h). */
#ifndef TENSIX_API_DATAFLOW_H
#define TENSIX_API_DATAFLOW_H

#include "api_common.h"
#include "noc.h"

constexpr uint8_t noc_index = NOC_INDEX;
constexpr uint32_t NOC_MAX_BURST_SIZE = NOC_MAX_BURST;

inline void noc_check_index(uint8_t noc) { KERNEL_CHECK_VALUE(noc == noc_index, "this core cannot use NoC %u", noc); }

struct noc_own_x {
  uint32_t operator[](uint32_t) const { return noc_own_xy & 63u; }
};
struct noc_own_y {
  uint32_t operator[](uint32_t) const { return noc_own_xy >> 6; }
};
static const noc_own_x my_x __attribute__((unused));
static const noc_own_y my_y __attribute__((unused));

/* --- addresses --- */

inline uint64_t get_noc_addr(uint32_t x, uint32_t y, uint32_t address, uint8_t noc) {
  noc_check_index(noc);
  return get_noc_addr(x, y, address);
}
/* In this tile. */
inline uint64_t get_noc_addr(uint32_t address, uint8_t noc = noc_index) {
  noc_check_index(noc);
  return get_noc_addr(my_x[noc], my_y[noc], address);
}
template <bool dram> inline uint64_t get_noc_addr_from_bank_id(uint32_t bank, uint32_t address, uint8_t noc = noc_index) {
  static_assert(dram, "only DRAM has banks here; L1 of a tile has coordinates");
  noc_check_index(noc);
  return get_dram_noc_addr(bank, address);
}

/* Pages over the DRAM banks; dram false: all pages in this tile's own L1, one behind the other. */
template <bool dram>
inline uint64_t page_noc_addr(uint32_t base, uint32_t page_size, uint32_t id, uint32_t offset, uint8_t noc) {
  noc_check_index(noc);
  if (dram) return get_dram_page_noc_addr(base, page_size, id) + offset;
  return get_noc_addr(base + id * ((page_size + 15u) & ~15u) + offset);
}
template <bool dram> struct InterleavedAddrGen {
  uint32_t bank_base_address;
  uint32_t page_size;
  uint64_t get_noc_addr(uint32_t id, uint32_t offset = 0, uint8_t noc = noc_index) const {
    return page_noc_addr<dram>(bank_base_address, page_size, id, offset, noc);
  }
};
template <bool dram, uint32_t tile_hw = 1024> struct InterleavedAddrGenFast {
  uint32_t bank_base_address;
  uint32_t page_size;
  DataFormat data_format;
  uint64_t get_noc_addr(uint32_t id, uint32_t offset = 0, uint8_t noc = noc_index) const {
    return page_noc_addr<dram>(bank_base_address, page_size, id, offset, noc);
  }
};

/* Compile-time arguments of an interleaved buffer: a word of flags (2: in DRAM), the size of a page. */
template <uint32_t first, uint32_t common = 0> struct TensorAccessorArgs {
  static constexpr uint32_t flags = get_compile_time_arg_val(first);
  static_assert((flags & ~2u) == 0, "TensorAccessorArgs: only interleaved buffers with a fixed page size (flags 0 or 2)");
  static constexpr bool is_dram = flags & 2u;
  static constexpr uint32_t AlignedPageSize = get_compile_time_arg_val(first + 1);
  static constexpr uint32_t num_compile_time_args() { return 2; }
  static constexpr uint32_t next_compile_time_args_offset() { return first + 2; }
  static constexpr uint32_t num_common_runtime_args() { return 0; }
  static constexpr uint32_t next_common_runtime_args_offset() { return common; }
  static constexpr uint32_t get_aligned_page_size() { return AlignedPageSize; }
};
template <bool dram> struct TensorAccessor {
  uint32_t bank_base_address;
  uint32_t page_size;
  template <uint32_t first, uint32_t common>
  TensorAccessor(const TensorAccessorArgs<first, common> &, uint32_t address, uint32_t size = 0)
      : bank_base_address(address), page_size(size ? size : TensorAccessorArgs<first, common>::AlignedPageSize) {}
  uint32_t get_bank_base_address() const { return bank_base_address; }
  uint32_t get_aligned_page_size() const { return page_size; }
  uint64_t get_noc_addr(uint32_t id, uint32_t offset = 0, uint8_t noc = noc_index) const {
    return page_noc_addr<dram>(bank_base_address, page_size, id, offset, noc);
  }
};
template <uint32_t first, uint32_t common>
TensorAccessor(const TensorAccessorArgs<first, common> &, uint32_t, uint32_t = 0)
    -> TensorAccessor<TensorAccessorArgs<first, common>::is_dram>;

template <typename Gen>
inline uint64_t get_noc_addr(uint32_t id, const Gen &gen, uint32_t offset = 0, uint8_t noc = noc_index) {
  return gen.get_noc_addr(id, offset, noc);
}

/* --- requests --- */

template <uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1, bool trace = true>
inline void noc_async_read(uint64_t from, uint32_t to, uint32_t bytes, uint8_t noc, uint32_t = 0) {
  noc_check_index(noc);
  noc_async_read(from, to, bytes);
}
template <uint32_t max_page_size> inline void noc_async_read(uint64_t from, uint32_t to, uint32_t bytes) {
  noc_async_read(from, to, bytes);
}
template <bool trace = true>
inline void noc_async_read_one_packet(uint64_t from, uint32_t to, uint32_t bytes, uint8_t noc = noc_index) {
  KERNEL_CHECK(bytes <= NOC_MAX_BURST, "noc_async_read_one_packet: a packet has 16384 bytes at most");
  noc_async_read(from, to, bytes, noc);
}
template <uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1, bool trace = true>
inline void noc_async_write(uint32_t from, uint64_t to, uint32_t bytes, uint8_t noc, uint32_t = 0) {
  noc_check_index(noc);
  noc_async_write(from, to, bytes);
}
template <uint32_t max_page_size> inline void noc_async_write(uint32_t from, uint64_t to, uint32_t bytes) {
  noc_async_write(from, to, bytes);
}
template <bool trace = true>
inline void noc_async_write_one_packet(uint32_t from, uint64_t to, uint32_t bytes, uint8_t noc = noc_index) {
  KERNEL_CHECK(bytes <= NOC_MAX_BURST, "noc_async_write_one_packet: a packet has 16384 bytes at most");
  noc_async_write(from, to, bytes, noc);
}

template <typename Gen>
inline void noc_async_read_page(uint32_t id, const Gen &gen, uint32_t to, uint32_t offset = 0, uint8_t noc = noc_index) {
  noc_async_read(gen.get_noc_addr(id, offset, noc), to, gen.page_size - offset);
}
template <typename Gen>
inline void noc_async_write_page(uint32_t id, const Gen &gen, uint32_t from, uint32_t size = 0, uint32_t offset = 0,
                                 uint8_t noc = noc_index) {
  noc_async_write(from, gen.get_noc_addr(id, offset, noc), size ? size : gen.page_size - offset);
}
template <typename Gen>
inline void noc_async_read_tile(uint32_t id, const Gen &gen, uint32_t to, uint32_t offset = 0, uint8_t noc = noc_index) {
  noc_async_read_page(id, gen, to, offset, noc);
}
template <typename Gen>
inline void noc_async_write_tile(uint32_t id, const Gen &gen, uint32_t from, uint8_t noc = noc_index) {
  noc_async_write_page(id, gen, from, 0, 0, noc);
}

inline void noc_async_read_barrier(uint8_t noc) {
  noc_check_index(noc);
  noc_async_read_barrier();
}
inline void noc_async_write_barrier(uint8_t noc) {
  noc_check_index(noc);
  noc_async_write_barrier();
}
inline void noc_async_writes_flushed(uint8_t noc) {
  noc_check_index(noc);
  noc_async_writes_flushed();
}
inline void noc_async_write_multicast(uint32_t from, uint64_t to, uint32_t bytes, uint32_t receivers) {
  noc_async_write_multicast(from, to, bytes, receivers, 0);
}

inline void noc_async_write_multicast_one_packet(uint32_t from, uint64_t to, uint32_t bytes, uint32_t receivers,
                                                 bool linked = false) {
  KERNEL_CHECK(bytes <= NOC_MAX_BURST, "noc_async_write_multicast_one_packet: a packet has 16384 bytes at most");
  noc_async_write_multicast(from, to, bytes, receivers, linked);
}
inline uint32_t get_tile_hw(uint32_t) { return 1024; }
inline uint32_t get_tile_num_faces(uint32_t) { return 4; }
inline DataFormat get_dataformat(uint32_t cb) { return (DataFormat)cb_get(cb)->format; }

/* --- semaphores: pointers to words in L1 --- */

typedef volatile tt_l1_ptr uint32_t *semaphore_pointer;
inline void noc_semaphore_set(semaphore_pointer semaphore, uint32_t value) {
  noc_semaphore_set((uint32_t)(uintptr_t)semaphore, value);
}
inline void noc_semaphore_wait(semaphore_pointer semaphore, uint32_t value) {
  while (*semaphore != value) {}
}
inline void noc_semaphore_wait_min(semaphore_pointer semaphore, uint32_t value) {
  while (*semaphore < value) {}
}
inline void noc_semaphore_inc(uint64_t semaphore, uint32_t increment, uint8_t noc) {
  noc_check_index(noc);
  noc_semaphore_inc(semaphore, increment);
}
inline void noc_semaphore_set_multicast(uint32_t from, uint64_t to, uint32_t receivers) {
  noc_semaphore_set_multicast(from, to, receivers, 0);
}

/* --- classes --- */

class CircularBuffer {
  uint32_t id;

public:
  explicit constexpr CircularBuffer(uint32_t cb) : id(cb) {}
  uint32_t get_cb_id() const { return id; }
  void reserve_back(uint32_t pages) const { cb_reserve_back(id, pages); }
  void push_back(uint32_t pages) const { cb_push_back(id, pages); }
  void wait_front(uint32_t pages) const { cb_wait_front(id, pages); }
  void pop_front(uint32_t pages) const { cb_pop_front(id, pages); }
  uint32_t get_write_ptr() const { return cb_get(id)->write; }
  uint32_t get_read_ptr() const { return cb_get(id)->read; }
  uint32_t get_tile_size() const { return cb_get(id)->page_bytes; }
};

/* How a place is named in Noc's calls: where it is read from, where it is written to. */
struct noc_page_args {
  uint32_t page_id = 0;
  uint32_t offset_bytes = 0;
};
struct noc_offset_args {
  uint32_t offset_bytes = 0;
};
struct UnicastEndpoint {};
struct noc_unicast_args {
  uint32_t noc_x = 0, noc_y = 0, addr = 0;
};
template <typename Place> struct noc_place {
  typedef noc_page_args args;
  static uint64_t remote(const Place &p, const args &a) { return p.get_noc_addr(a.page_id, a.offset_bytes); }
};
template <> struct noc_place<CircularBuffer> {
  typedef noc_offset_args args;
  static uint32_t source(const CircularBuffer &cb, const args &a) { return cb.get_read_ptr() + a.offset_bytes; }
  static uint32_t target(const CircularBuffer &cb, const args &a) { return cb.get_write_ptr() + a.offset_bytes; }
};
template <> struct noc_place<UnicastEndpoint> {
  typedef noc_unicast_args args;
  static uint64_t remote(const UnicastEndpoint &, const args &a) { return get_noc_addr(a.noc_x, a.noc_y, a.addr); }
};

class Noc {
  uint8_t id;

public:
  explicit Noc(uint8_t noc = noc_index) : id(noc) { noc_check_index(noc); }
  uint8_t get_noc_id() const { return id; }
  template <auto... options, typename Src, typename Dst>
  void async_read(const Src &src, const Dst &dst, uint32_t bytes, const typename noc_place<Src>::args &from,
                  const typename noc_place<Dst>::args &to) const {
    noc_async_read(noc_place<Src>::remote(src, from), noc_place<Dst>::target(dst, to), bytes);
  }
  template <auto... options, typename Src, typename Dst>
  void async_write(const Src &src, const Dst &dst, uint32_t bytes, const typename noc_place<Src>::args &from,
                   const typename noc_place<Dst>::args &to) const {
    noc_async_write(noc_place<Src>::source(src, from), noc_place<Dst>::remote(dst, to), bytes);
  }
  void async_read_barrier() const { noc_async_read_barrier(); }
  void async_write_barrier() const { noc_async_write_barrier(); }
  void async_writes_flushed() const { noc_async_writes_flushed(); }
  void async_atomic_barrier() const { noc_async_atomic_barrier(); }
  void async_full_barrier() const { noc_async_full_barrier(); }
};

class Semaphore {
  semaphore_pointer word;

public:
  explicit Semaphore(uint32_t index) : word((semaphore_pointer)get_semaphore(index)) {}
  void set(uint32_t value) const { noc_semaphore_set(word, value); }
  void wait(uint32_t value) const { noc_semaphore_wait(word, value); }
  void wait_min(uint32_t value) const { noc_semaphore_wait_min(word, value); }
  void up(const Noc &, uint32_t x, uint32_t y, uint32_t value) const {
    noc_semaphore_inc(get_noc_addr(x, y, (uint32_t)(uintptr_t)word), value);
  }
};

#endif
