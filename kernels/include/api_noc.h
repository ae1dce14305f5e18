/* Data movement by objects: Noc transfers between the endpoints of noc_traits_t (buffers, memory of this tile, tensors, tiles, rectangles,
 * banks); Semaphore is a word that tiles increment and wait for. Part of api_dataflow.h. */
#ifndef TENSIX_API_NOC_H
#define TENSIX_API_NOC_H

#include "api_noc_state.h"

struct UnicastEndpoint {
  uint64_t get_noc_unicast_addr(uint32_t x, uint32_t y, uint32_t address, uint8_t noc) const {
    return ::get_noc_addr(x, y, address, noc);
  }
};
struct MulticastEndpoint {
  uint64_t get_noc_multicast_addr(uint32_t x_start, uint32_t y_start, uint32_t x_end, uint32_t y_end, uint32_t address,
                                  uint8_t noc) const {
    return ::get_noc_multicast_addr(x_start, y_start, x_end, y_end, address, noc);
  }
};
enum class AllocatorBankType { L1, DRAM };
template <AllocatorBankType type> struct AllocatorBank {
  uint64_t get_noc_addr_from_bank_id(uint32_t bank, uint32_t address, uint8_t noc) const {
    return ::get_noc_addr_from_bank_id<type == AllocatorBankType::DRAM>(bank, address, noc);
  }
};

/* The address of an endpoint in Noc's calls: local() in this tile's L1, remote() on the NoC, many() of a rectangle. */
template <typename Place> struct noc_traits_t;
struct noc_offset_args {
  uint32_t offset_bytes = 0;
};
struct noc_rectangle_args {
  uint32_t noc_x_start = 0, noc_y_start = 0, noc_x_end = 0, noc_y_end = 0, offset_bytes = 0;
};
struct noc_local_traits {
  typedef noc_offset_args src_args_type, dst_args_type;
  typedef noc_rectangle_args dst_args_mcast_type;
  static uint64_t many(uint32_t address, const noc_rectangle_args &a) {
    return get_noc_multicast_addr(a.noc_x_start, a.noc_y_start, a.noc_x_end, a.noc_y_end, address + a.offset_bytes);
  }
};
template <typename Buffer> struct noc_buffer_traits : noc_local_traits {
  static uint32_t local_source(const Buffer &b, const noc_offset_args &a) { return b.get_read_ptr() + a.offset_bytes; }
  static uint32_t local_target(const Buffer &b, const noc_offset_args &a) { return b.get_write_ptr() + a.offset_bytes; }
  static uint64_t remote(const Buffer &b, const noc_rectangle_args &a) { return many(b.get_write_ptr(), a); }
};
template <> struct noc_traits_t<CircularBuffer> : noc_buffer_traits<CircularBuffer> {};
template <> struct noc_traits_t<DataflowBuffer> : noc_buffer_traits<DataflowBuffer> {};
template <CircularBuffer::AddrSelector selector> struct noc_traits_t<CircularBufferView<selector>> : noc_local_traits {
  typedef CircularBufferView<selector> View;
  static uint32_t local_source(const View &v, const noc_offset_args &a) { return v.address() + a.offset_bytes; }
  static uint32_t local_target(const View &v, const noc_offset_args &a) { return v.address() + a.offset_bytes; }
  static uint64_t remote(const View &v, const noc_rectangle_args &a) { return many(v.address(), a); }
};
template <typename T, typename Address> struct noc_traits_t<CoreLocalMem<T, Address>> : noc_local_traits {
  typedef CoreLocalMem<T, Address> Memory;
  static uint32_t local_source(const Memory &m, const noc_offset_args &a) {
    return (uint32_t)m.get_address() + a.offset_bytes;
  }
  static uint32_t local_target(const Memory &m, const noc_offset_args &a) { return local_source(m, a); }
};
/* Pages of a tensor, shards by their number, single pages. */
struct noc_page_args {
  uint32_t page_id = 0, offset_bytes = 0;
};
struct noc_shard_args {
  uint32_t shard_id = 0, offset_bytes = 0;
};
template <typename Tensor> struct noc_page_traits {
  typedef noc_page_args src_args_type, dst_args_type;
  static uint64_t remote(const Tensor &t, const noc_page_args &a) { return t.get_noc_addr(a.page_id, a.offset_bytes); }
};
template <typename Spec> struct noc_traits_t<TensorAccessor<Spec>> : noc_page_traits<TensorAccessor<Spec>> {};
template <typename Accessor> struct noc_traits_t<PageView<Accessor>> : noc_page_traits<PageView<Accessor>> {};
template <bool dram> struct noc_traits_t<InterleavedAddrGen<dram>> : noc_page_traits<InterleavedAddrGen<dram>> {};
template <bool dram, uint32_t hw>
struct noc_traits_t<InterleavedAddrGenFast<dram, hw>> : noc_page_traits<InterleavedAddrGenFast<dram, hw>> {};
template <typename Accessor> struct noc_traits_t<ShardView<Accessor>> {
  typedef noc_shard_args src_args_type, dst_args_type;
  static uint64_t remote(const ShardView<Accessor> &v, const noc_shard_args &a) {
    return v.get_noc_addr(a.shard_id, a.offset_bytes);
  }
};
template <> struct noc_traits_t<tensor_accessor::Page> {
  typedef noc_offset_args src_args_type, dst_args_type;
  static uint64_t remote(const tensor_accessor::Page &p, const noc_offset_args &a) { return p.noc_addr() + a.offset_bytes; }
};
template <> struct noc_traits_t<UnicastEndpoint> {
  struct src_args_type {
    uint32_t noc_x = 0, noc_y = 0, addr = 0;
  };
  typedef src_args_type dst_args_type;
  static uint64_t remote(const UnicastEndpoint &, const src_args_type &a) { return get_noc_addr(a.noc_x, a.noc_y, a.addr); }
  static uint32_t local_source(const UnicastEndpoint &, const src_args_type &a) { return a.addr; }
  static uint32_t local_target(const UnicastEndpoint &, const src_args_type &a) { return a.addr; }
};
template <> struct noc_traits_t<MulticastEndpoint> {
  struct dst_args_mcast_type {
    uint32_t noc_x_start = 0, noc_y_start = 0, noc_x_end = 0, noc_y_end = 0, addr = 0;
  };
  static uint64_t remote(const MulticastEndpoint &, const dst_args_mcast_type &a) {
    return get_noc_multicast_addr(a.noc_x_start, a.noc_y_start, a.noc_x_end, a.noc_y_end, a.addr);
  }
};
template <AllocatorBankType type> struct noc_traits_t<AllocatorBank<type>> {
  struct src_args_type {
    uint32_t bank_id = 0, addr = 0;
  };
  typedef src_args_type dst_args_type;
  static uint64_t remote(const AllocatorBank<type> &b, const src_args_type &a) {
    return b.get_noc_addr_from_bank_id(a.bank_id, a.addr, noc_index);
  }
};

enum class NocOptions : uint32_t {
  DEFAULT = 0,
  TXN_ID = 1,
  POSTED = 2,
  CUSTOM_VC = 4,
  MCAST_INCL_SRC = 8,
  INLINE_L1 = 16,
  INLINE_REG = 32
};
constexpr NocOptions operator|(NocOptions a, NocOptions b) { return (NocOptions)((uint32_t)a | (uint32_t)b); }
constexpr bool has_flag(NocOptions options, NocOptions flag) { return ((uint32_t)options & (uint32_t)flag) != 0; }
struct NocOptVals {
  uint32_t vc = NOC_UNICAST_WRITE_VC, trid = 0;
};

class Noc {
public:
  static uint32_t l1_cached_view(uint32_t address) { return address; } /* other chips have a second view of L1 */

private:
  uint8_t id;
  template <typename T> using source_args = typename noc_traits_t<T>::src_args_type;
  template <typename T> using target_args = typename noc_traits_t<T>::dst_args_type;
  template <typename T> using many_args = typename noc_traits_t<T>::dst_args_mcast_type;
  template <NocOptions options> static constexpr bool has(NocOptions flag) { return has_flag(options, flag); }
  template <NocOptions options> static uint32_t vc(const NocOptVals &values) {
    return has<options>(NocOptions::CUSTOM_VC) ? values.vc : NOC_UNICAST_WRITE_VC;
  }

public:
  static constexpr uint32_t INVALID_TXN_ID = 0xffffffffu;
  explicit Noc(uint8_t noc = noc_index) : id(noc) { noc_check_index(noc); }
  uint8_t get_noc_id() const { return id; }
  bool is_local_bank(uint32_t x, uint32_t y) const { return x == my_x[id] && y == my_y[id]; }
  bool is_local_addr(uint64_t address) const { return (noc_addr_xy(address) & 0xfffu) == noc_own_xy; }

  template <NocOptions options = NocOptions::DEFAULT, uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1, bool trace = true,
            typename Src, typename Dst>
  void async_read(const Src &src, const Dst &dst, uint32_t bytes, const source_args<Src> &from, const target_args<Dst> &to,
                  const NocOptVals &values = {}) const {
    if (has<options>(NocOptions::TXN_ID)) {
      noc_set_trid(NOC_BUF_READ, values.trid);
      noc_wait_trid_room(values.trid);
    }
    noc_async_read(noc_traits_t<Src>::remote(src, from), noc_traits_t<Dst>::local_target(dst, to), bytes);
  }
  template <NocOptions options = NocOptions::DEFAULT, uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1, typename Src>
  void set_async_read_state(const Src &src, uint32_t bytes, const source_args<Src> &from,
                            const NocOptVals &values = {}) const {
    noc_async_read_set_state(noc_traits_t<Src>::remote(src, from));
    if (has<options>(NocOptions::CUSTOM_VC)) tt_store(noc_reg(NOC_BUF_READ, 0x1C), noc_on_vc(NOC_CTRL_RD, values.vc));
    if (max_page_size <= NOC_MAX_BURST) tt_store(noc_reg(NOC_BUF_READ, 0x20), bytes);
    if (has<options>(NocOptions::TXN_ID)) noc_set_trid(NOC_BUF_READ, values.trid);
  }
  template <NocOptions options = NocOptions::DEFAULT, uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1, typename Src,
            typename Dst>
  void async_read_with_state(const Src &src, const Dst &dst, uint32_t bytes, const source_args<Src> &from,
                             const target_args<Dst> &to, const NocOptVals &values = {}) const {
    uint32_t at = (uint32_t)noc_traits_t<Src>::remote(src, from), target = noc_traits_t<Dst>::local_target(dst, to);
    static_assert(!has_flag(options, NocOptions::TXN_ID) || max_page_size <= NOC_MAX_BURST,
                  "async_read_with_state: a transaction number needs one packet (max_page_size)");
    if (has<options>(NocOptions::TXN_ID)) noc_wait_trid_room(values.trid);
    if (max_page_size <= NOC_MAX_BURST) noc_read_send(at, target, true);
    else noc_async_read_with_state(at, target, bytes);
  }

  template <NocOptions options = NocOptions::DEFAULT, uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1, bool trace = true,
            typename Src, typename Dst>
  void async_write(const Src &src, const Dst &dst, uint32_t bytes, const source_args<Src> &from, const target_args<Dst> &to,
                   const NocOptVals &values = {}) const {
    if (has<options>(NocOptions::TXN_ID)) noc_set_trid(NOC_BUF_WRITE, values.trid);
    noc_async_write<max_page_size, trace, has_flag(options, NocOptions::POSTED)>(
        noc_traits_t<Src>::local_source(src, from), noc_traits_t<Dst>::remote(dst, to), bytes, id, vc<options>(values));
  }
  template <NocOptions options = NocOptions::DEFAULT, uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1, bool trace = true,
            typename Src, typename Dst>
  void async_write_multicast(const Src &src, const Dst &dst, uint32_t bytes, uint32_t receivers,
                             const source_args<Src> &from, const many_args<Dst> &to, bool linked = false) const {
    static_assert(!has_flag(options, NocOptions::TXN_ID) && !has_flag(options, NocOptions::POSTED),
                  "async_write_multicast: no transaction number, and answered");
    noc_multicast(noc_traits_t<Src>::local_source(src, from), noc_traits_t<Dst>::remote(dst, to), bytes, receivers, linked,
                  has<options>(NocOptions::MCAST_INCL_SRC));
  }
  template <NocOptions options = NocOptions::DEFAULT, uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1, typename Dst>
  void set_async_write_state(const Dst &dst, uint32_t bytes, const target_args<Dst> &to,
                             const NocOptVals &values = {}) const {
    noc_async_write_one_packet_set_state<has_flag(options, NocOptions::POSTED)>(
        noc_traits_t<Dst>::remote(dst, to), max_page_size <= NOC_MAX_BURST ? bytes : 0, id, (uint8_t)values.vc);
  }
  template <NocOptions options = NocOptions::DEFAULT, uint32_t max_page_size = NOC_MAX_BURST_SIZE + 1, typename Src,
            typename Dst>
  void async_write_with_state(const Src &src, const Dst &dst, uint32_t bytes, const source_args<Src> &from,
                              const target_args<Dst> &to, const NocOptVals & = {}) const {
    constexpr bool posted = has_flag(options, NocOptions::POSTED);
    uint32_t source = noc_traits_t<Src>::local_source(src, from), at = (uint32_t)noc_traits_t<Dst>::remote(dst, to);
    if (max_page_size <= NOC_MAX_BURST) return noc_async_write_one_packet_with_state<posted>(source, at);
    for (uint32_t now = 0; bytes; bytes -= now, source += now, at += now) {
      now = bytes < NOC_MAX_BURST ? bytes : NOC_MAX_BURST;
      noc_wait_ready(NOC_BUF_WRITE);
      tt_store(noc_reg(NOC_BUF_WRITE, 0x20), now);
      noc_async_write_one_packet_with_state<posted>(source, at);
    }
  }
  template <NocOptions options = NocOptions::DEFAULT, typename Dst>
  void inline_dw_write(const Dst &dst, uint32_t value, const target_args<Dst> &to, uint8_t be = 0xF,
                       const NocOptVals &values = {}) const {
    constexpr InlineWriteDst place = has_flag(options, NocOptions::INLINE_L1)    ? InlineWriteDst::L1
                                     : has_flag(options, NocOptions::INLINE_REG) ? InlineWriteDst::REG
                                                                                 : InlineWriteDst::DEFAULT;
    noc_inline_dw_write<place, has_flag(options, NocOptions::POSTED)>(noc_traits_t<Dst>::remote(dst, to), value, be, id,
                                                                      (uint8_t)vc<options>(values));
  }

  bool is_read_trid_flushed(uint32_t trid) const { return noc_trid_unanswered(trid) == 0; }
  template <NocOptions options = NocOptions::DEFAULT> void async_read_barrier(const NocOptVals &values = {}) const {
    if (has<options>(NocOptions::TXN_ID)) noc_async_read_barrier_with_trid(values.trid);
    else noc_async_read_barrier();
  }
  template <NocOptions options = NocOptions::DEFAULT> void async_write_barrier(const NocOptVals &values = {}) const {
    if (has<options>(NocOptions::TXN_ID)) noc_async_write_barrier_with_trid(values.trid);
    else noc_async_write_barrier();
  }
  template <NocOptions options = NocOptions::DEFAULT> void async_writes_flushed(const NocOptVals &values = {}) const {
    if (has<options>(NocOptions::POSTED)) noc_async_posted_writes_flushed();
    else if (has<options>(NocOptions::TXN_ID)) noc_async_write_flushed_with_trid(values.trid);
    else noc_async_writes_flushed();
  }
  void async_atomic_barrier() const { noc_async_atomic_barrier(); }
  void async_full_barrier() const { noc_async_full_barrier(); }

  /* Zeros: into a buffer of this tile by reads of a zeroed range, to a tensor through `scratch`. */
  template <typename Dst> void async_write_zeros(const Dst &dst, uint32_t bytes, const target_args<Dst> &to = {}) const {
    uint32_t at = noc_traits_t<Dst>::local_target(dst, to);
    for (uint32_t now = 0; bytes; bytes -= now, at += now) {
      now = bytes < MEM_ZEROS_SIZE ? bytes : MEM_ZEROS_SIZE;
      noc_async_read(get_noc_addr(MEM_ZEROS_BASE), at, now);
    }
  }
  template <typename Spec, typename Scratch>
  void async_write_zeros(const TensorAccessor<Spec> &tensor, uint32_t bytes, const noc_page_args &to,
                         const Scratch &scratch) const {
    uint32_t zeros = noc_traits_t<Scratch>::local_target(scratch, {});
    async_write_zeros(scratch, bytes);
    noc_async_read_barrier();
    noc_async_write(zeros, tensor.get_noc_addr(to.page_id, to.offset_bytes), bytes);
  }
  void write_zeros_l1_barrier() const { noc_async_read_barrier(); }
  void write_zeros_dram_barrier() const { noc_async_write_barrier(); }
};

template <ProgrammableCoreType type = ProgrammableCoreType::TENSIX> class Semaphore {
  uint32_t at;

public:
  explicit Semaphore(uint32_t index) : at(get_semaphore(index)) {}
  uint32_t address() const { return at; }
  void set(uint32_t value) const { noc_semaphore_set(at, value); }
  void up(uint32_t value) const { noc_semaphore_set(at, tt_load(at) + value); }
  void up(const Noc &noc, uint32_t x, uint32_t y, uint32_t value, uint8_t = NOC_UNICAST_WRITE_VC) const {
    noc_semaphore_inc(get_noc_addr(x, y, at, noc.get_noc_id()), value);
  }
  void down(uint32_t value) const {
    wait_min(value);
    noc_semaphore_set(at, tt_load(at) - value);
  }
  void wait(uint32_t value) const {
    do tt_fence();
    while (tt_load(at) != value);
  }
  void wait_min(uint32_t value) const {
    do tt_fence();
    while (tt_load(at) < value);
  }
  void relay_unicast(const Noc &, const Semaphore &to, uint32_t x, uint32_t y) const {
    noc_semaphore_set_remote(at, get_noc_addr(x, y, to.at));
  }
  template <NocOptions options = NocOptions::DEFAULT>
  void relay_multicast(const Noc &, const Semaphore &to, uint32_t x_start, uint32_t y_start, uint32_t x_end, uint32_t y_end,
                       uint32_t receivers, bool linked = false) const {
    noc_write_word(at, get_noc_multicast_addr(x_start, y_start, x_end, y_end, to.at),
                   noc_multicast_ctrl(linked, has_flag(options, NocOptions::MCAST_INCL_SRC)), receivers);
  }
  template <NocOptions options = NocOptions::DEFAULT>
  void set_multicast(const Noc &noc, uint32_t x_start, uint32_t y_start, uint32_t x_end, uint32_t y_end, uint32_t receivers,
                     bool linked = false) const {
    relay_multicast<options>(noc, *this, x_start, y_start, x_end, y_end, receivers, linked);
  }
  void inc_multicast(const Noc &, uint32_t x_start, uint32_t y_start, uint32_t x_end, uint32_t y_end, uint32_t value,
                     uint32_t receivers) const {
    noc_semaphore_inc_multicast(get_noc_multicast_addr(x_start, y_start, x_end, y_end, at), value, receivers);
  }
};
Semaphore(uint32_t)->Semaphore<ProgrammableCoreType::TENSIX>;

#endif
