/* The dataflow API in C++ over noc.h: overloads with the vendor's default arguments and address generators. Tensors are in
 * api_tensor.h, requests with preset registers in api_noc_state.h, the classes in api_noc.h and api_buffer.h. A `noc`
 * argument other than this core's own NoC is rejected: the core counts only requests on its own NoC (noc.h). */
#ifndef TENSIX_API_DATAFLOW_H
#define TENSIX_API_DATAFLOW_H

#include "noc.h"

#include "api_buffer.h"

constexpr uint8_t noc_index = NOC_INDEX, noc_mode = DM_DEDICATED_NOC;
#define NOC_CLEAR_OUTSTANDING_REQ_MASK 0xffffull /* a bit per transaction number */
constexpr uint32_t NOC_MAX_BURST_SIZE = NOC_MAX_BURST;

constexpr uint32_t NOC_UNICAST_WRITE_VC = 1, NOC_MULTICAST_WRITE_VC = 4, NOC_DISPATCH_MULTICAST_WRITE_VC = 5;
/* Source and target of a transfer must be equal modulo this many bytes. */
constexpr uint32_t NOC_L1_READ_ALIGNMENT_BYTES = 16, NOC_L1_WRITE_ALIGNMENT_BYTES = 16, NOC_DRAM_READ_ALIGNMENT_BYTES = 64,
                   NOC_DRAM_WRITE_ALIGNMENT_BYTES = 16;
enum class ProgrammableCoreType { TENSIX, ACTIVE_ETH, IDLE_ETH };
template <ProgrammableCoreType type> inline uint32_t get_semaphore(uint32_t index) {
  static_assert(type == ProgrammableCoreType::TENSIX, "get_semaphore: kernels run on Tensix tiles only");
  return get_semaphore(index);
}
enum class InlineWriteDst { DEFAULT, L1, REG };
constexpr uint8_t write_cmd_buf = NOC_BUF_WRITE, read_cmd_buf = NOC_BUF_READ, write_reg_cmd_buf = NOC_BUF_WORD,
                  write_at_cmd_buf = NOC_BUF_ATOMIC;

inline void noc_check_packet(uint32_t bytes) {
  KERNEL_CHECK_VALUE(bytes <= NOC_MAX_BURST, "%u bytes do not fit into one packet: 16384 at most", bytes);
}
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

#define NOC_UNICAST_ADDR_X(address) ((uint32_t)((address) >> 36) & 63u)
#define NOC_UNICAST_ADDR_Y(address) ((uint32_t)((address) >> 42) & 63u)
#define NOC_LOCAL_ADDR_OFFSET(address) ((address)&0xfffffffffull)
#define NOC_XY_ADDR(x, y, address) ((uint64_t)(y) << 42 | (uint64_t)(x) << 36 | (uint64_t)(address))

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

/* Pages over the DRAM banks; dram false: all pages contiguous in this tile's own L1. */
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

/* Pages of two to the power of this many bytes. */
template <bool dram> struct InterleavedPow2AddrGenFast {
  uint32_t bank_base_address;
  uint32_t log_base_2_of_page_size;
  uint64_t get_noc_addr(uint32_t id, uint32_t offset = 0, uint8_t noc = noc_index) const {
    return page_noc_addr<dram>(bank_base_address, 1u << log_base_2_of_page_size, id, offset, noc);
  }
};
template <bool dram> using InterleavedPow2AddrGen = InterleavedPow2AddrGenFast<dram>;
/* A page of a tensor that is interleaved over the DRAM banks. */
inline uint64_t get_dram_noc_addr(uint32_t id, uint32_t page_size, uint32_t base, uint32_t offset = 0,
                                  uint8_t noc = noc_index) {
  return page_noc_addr<true>(base, page_size, id, offset, noc);
}

#include "api_tensor.h"

/* Only for address generators: get_noc_addr(1, 2, address) has coordinates. */
template <typename Gen, typename = decltype(static_cast<const Gen *>(nullptr)->get_noc_addr(0u, 0u, noc_index))>
inline uint64_t get_noc_addr(uint32_t id, const Gen &gen, uint32_t offset = 0, uint8_t noc = noc_index) {
  return gen.get_noc_addr(id, offset, noc);
}

/* --- requests --- */

constexpr uint32_t noc_on_vc(uint32_t ctrl, uint32_t vc) { return (ctrl & ~0xe000u) | vc << 13; }

template <uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1, bool trace = true>
inline void noc_async_read(uint64_t from, uint32_t to, uint32_t bytes, uint8_t noc, uint32_t = 0) {
  noc_check_index(noc);
  noc_async_read(from, to, bytes);
}
template <uint32_t max_page_size> inline void noc_async_read(uint64_t from, uint32_t to, uint32_t bytes) {
  noc_async_read(from, to, bytes);
}
template <bool trace = true>
inline void noc_async_read_one_packet(uint64_t from, uint32_t to, uint32_t bytes, uint8_t noc = noc_index, uint32_t = 0) {
  noc_check_packet(bytes);
  noc_async_read(from, to, bytes, noc);
}
template <uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1, bool trace = true, bool posted = false>
inline void noc_async_write(uint32_t from, uint64_t to, uint32_t bytes, uint8_t noc, uint32_t vc = NOC_UNICAST_WRITE_VC) {
  noc_check_index(noc);
  noc_write_long(from, to, bytes, noc_write_ctrl(posted, vc), !posted);
}
template <uint32_t max_page_size, bool trace = true, bool posted = false>
inline void noc_async_write(uint32_t from, uint64_t to, uint32_t bytes) {
  noc_write_long(from, to, bytes, noc_write_ctrl(posted, NOC_UNICAST_WRITE_VC), !posted);
}
template <bool trace = true, bool posted = false>
inline void noc_async_write_one_packet(uint32_t from, uint64_t to, uint32_t bytes, uint8_t noc = noc_index,
                                       uint32_t vc = NOC_UNICAST_WRITE_VC) {
  noc_check_packet(bytes);
  noc_async_write<NOC_MAX_BURST, trace, posted>(from, to, bytes, noc, vc);
}

template <typename Gen, typename = void> struct noc_page_size {
  static uint32_t of(const Gen &gen) { return gen.page_size; }
};
template <typename Gen> struct noc_page_size<Gen, decltype((void)static_cast<const Gen *>(nullptr)->log_base_2_of_page_size)> {
  static uint32_t of(const Gen &gen) { return 1u << gen.log_base_2_of_page_size; }
};
/* A whole page's bytes, from `offset` on: past the page's end if there is an offset. */
template <typename Gen>
inline void noc_async_read_page(uint32_t id, const Gen &gen, uint32_t to, uint32_t offset = 0, uint8_t noc = noc_index) {
  noc_async_read(gen.get_noc_addr(id, offset, noc), to, noc_page_size<Gen>::of(gen));
}
template <typename Gen>
inline void noc_async_write_page(uint32_t id, const Gen &gen, uint32_t from, uint32_t size = 0, uint32_t offset = 0,
                                 uint8_t noc = noc_index) {
  noc_async_write(from, gen.get_noc_addr(id, offset, noc), size ? size : noc_page_size<Gen>::of(gen));
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
inline void noc_async_atomic_barrier(uint8_t noc) {
  noc_check_index(noc);
  noc_async_atomic_barrier();
}
inline void noc_async_full_barrier(uint8_t noc) {
  noc_check_index(noc);
  noc_async_full_barrier();
}
inline void noc_async_posted_writes_flushed(uint8_t noc = noc_index) {
  noc_check_index(noc);
  noc_posted_writes_sent();
}

/* --- to all tiles of a rectangle --- */

inline uint64_t get_noc_multicast_addr(uint32_t x_start, uint32_t y_start, uint32_t x_end, uint32_t y_end, uint32_t address,
                                       uint8_t noc) {
  noc_check_index(noc);
  return get_noc_multicast_addr(x_start, y_start, x_end, y_end, address);
}
inline void noc_async_write_multicast(uint32_t from, uint64_t to, uint32_t bytes, uint32_t receivers) {
  noc_async_write_multicast(from, to, bytes, receivers, 0);
}
template <uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1>
inline void noc_async_write_multicast(uint32_t from, uint64_t to, uint32_t bytes, uint32_t receivers, bool linked,
                                      uint8_t noc, uint8_t vc = NOC_MULTICAST_WRITE_VC) {
  noc_check_index(noc);
  if (max_page_size <= NOC_MAX_BURST_SIZE) vc = NOC_MULTICAST_WRITE_VC; /* the vendor's one-packet form has no vc */
  noc_write_long(from, to, bytes, noc_on_vc(noc_multicast_ctrl(linked, 0), vc), receivers);
}
template <uint32_t max_page_size>
inline void noc_async_write_multicast(uint32_t from, uint64_t to, uint32_t bytes, uint32_t receivers, bool linked = false) {
  noc_async_write_multicast(from, to, bytes, receivers, linked);
}
template <bool trace = true>
inline void noc_async_write_multicast_one_packet(uint32_t from, uint64_t to, uint32_t bytes, uint32_t receivers,
                                                 bool linked = false, uint8_t noc = noc_index) {
  noc_check_packet(bytes);
  noc_async_write_multicast(from, to, bytes, receivers, linked, noc);
}
inline void noc_async_write_multicast_loopback_src(uint32_t from, uint64_t to, uint32_t bytes, uint32_t receivers) {
  noc_async_write_multicast_loopback_src(from, to, bytes, receivers, 0);
}
inline void noc_async_write_multicast_loopback_src(uint32_t from, uint64_t to, uint32_t bytes, uint32_t receivers,
                                                   bool linked, uint8_t noc) {
  noc_check_index(noc);
  noc_async_write_multicast_loopback_src(from, to, bytes, receivers, linked);
}

/* --- semaphores: pointers to words in L1 --- */

typedef volatile tt_l1_ptr uint32_t *semaphore_pointer;
inline void noc_semaphore_set(semaphore_pointer semaphore, uint32_t value) {
  noc_semaphore_set((uint32_t)(uintptr_t)semaphore, value);
}
inline void noc_semaphore_wait(semaphore_pointer semaphore, uint32_t value) {
  do tt_fence();
  while (*semaphore != value);
}
inline void noc_semaphore_wait_min(semaphore_pointer semaphore, uint32_t value) {
  do tt_fence();
  while (*semaphore < value);
}
/* `posted` has no effect on Blackhole: the vendor's library sends every atomic with an answer. */
template <bool posted = false>
inline void noc_semaphore_inc(uint64_t semaphore, uint32_t increment, uint8_t noc, uint8_t vc = NOC_UNICAST_WRITE_VC) {
  noc_check_index(noc);
  noc_atomic_increment(semaphore, increment, noc_on_vc(NOC_CTRL_AT, vc), 1);
}
template <bool posted> inline void noc_semaphore_inc(uint64_t semaphore, uint32_t increment) {
  noc_semaphore_inc<posted>(semaphore, increment, noc_index);
}
template <bool posted = false>
inline void noc_semaphore_inc_multicast(uint64_t semaphore, uint32_t increment, uint32_t receivers, uint8_t noc = noc_index,
                                        uint8_t vc = NOC_MULTICAST_WRITE_VC) {
  noc_check_index(noc);
  noc_atomic_increment(semaphore, increment, noc_on_vc(NOC_CTRL_MCAST_AT, vc), receivers);
}
inline void noc_semaphore_set_remote(uint32_t from, uint64_t to, uint8_t noc) {
  noc_check_index(noc);
  noc_semaphore_set_remote(from, to);
}
inline void noc_semaphore_set_multicast(uint32_t from, uint64_t to, uint32_t receivers) {
  noc_semaphore_set_multicast(from, to, receivers, 0);
}
inline void noc_semaphore_set_multicast(uint32_t from, uint64_t to, uint32_t receivers, bool linked, uint8_t noc,
                                        uint8_t vc = NOC_MULTICAST_WRITE_VC) {
  noc_check_index(noc);
  noc_write_word(from, to, noc_on_vc(noc_multicast_ctrl(linked, 0), vc), receivers);
}
inline void noc_semaphore_set_multicast_loopback_src(uint32_t from, uint64_t to, uint32_t receivers, bool linked = false,
                                                     uint8_t noc = noc_index) {
  noc_check_index(noc);
  noc_write_word(from, to, noc_multicast_ctrl(linked, 1), receivers);
}

#include "api_noc.h"

#endif
