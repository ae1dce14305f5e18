/* Requests with preset registers of the initiator: *_set_state writes the constant part, *_with_state the rest and sends.
 * Transaction numbers (0 to 15) have their own counters: outstanding requests, writes that have not left yet. Words in
 * place of data from L1 (inline) are for registers; Blackhole may hang on an inline write to L1, so that one goes as an
 * ordinary write. ISA: NoC/MemoryMap.md, Counters.md (Blackhole). Part of api_dataflow.h. */
#ifndef TENSIX_API_NOC_STATE_H
#define TENSIX_API_NOC_STATE_H

/* --- reads --- */

inline void noc_read_send(uint32_t from, uint32_t to, bool count) {
  noc_wait_ready(NOC_BUF_READ);
  tt_store(noc_reg(NOC_BUF_READ, 0x00), from);
  tt_store(noc_reg(NOC_BUF_READ, 0x0C), to);
  tt_store(noc_reg(NOC_BUF_READ, 0x40), 1);
  if (count) noc_reads_wanted++;
}
/* Coordinates and the upper bits of the address; their lower 32 bits come with each request. */
inline void noc_async_read_set_state(uint64_t from, uint8_t noc = noc_index) {
  noc_check_index(noc);
  noc_wait_ready(NOC_BUF_READ);
  tt_store(noc_reg(NOC_BUF_READ, 0x04), (uint32_t)(from >> 32) & 15u);
  tt_store(noc_reg(NOC_BUF_READ, 0x08), noc_addr_xy(from));
  tt_store(noc_reg(NOC_BUF_READ, 0x1C), NOC_CTRL_RD);
}
template <bool inc_num_issued = true>
inline void noc_async_read_with_state(uint32_t from, uint32_t to, uint32_t bytes, uint8_t noc = noc_index) {
  noc_check_index(noc);
  for (uint32_t now = 0; bytes; bytes -= now, from += now, to += now) {
    now = bytes < NOC_MAX_BURST ? bytes : NOC_MAX_BURST;
    noc_wait_ready(NOC_BUF_READ);
    tt_store(noc_reg(NOC_BUF_READ, 0x20), now);
    noc_read_send(from, to, inc_num_issued);
  }
}
template <bool use_vc = false>
inline void noc_async_read_one_packet_set_state(uint64_t from, uint32_t bytes, uint32_t vc = 0, uint8_t noc = noc_index) {
  noc_check_packet(bytes);
  noc_async_read_set_state(from, noc);
  if (use_vc) tt_store(noc_reg(NOC_BUF_READ, 0x1C), noc_on_vc(NOC_CTRL_RD, vc));
  tt_store(noc_reg(NOC_BUF_READ, 0x20), bytes);
}
template <bool inc_num_issued = true, bool use_vc = false>
inline void noc_async_read_one_packet_with_state(uint32_t from, uint32_t to, uint32_t = 0, uint8_t noc = noc_index) {
  noc_check_index(noc);
  noc_read_send(from, to, inc_num_issued);
}
inline void noc_async_read_inc_num_issued(uint32_t count, uint8_t noc = noc_index) {
  noc_check_index(noc);
  noc_reads_wanted += count;
}

/* --- writes --- */

inline void noc_write_set_state(uint32_t buffer, uint64_t to, uint32_t ctrl) {
  noc_wait_ready(buffer);
  tt_store(noc_reg(buffer, 0x10), (uint32_t)(to >> 32) & 15u);
  tt_store(noc_reg(buffer, 0x14), noc_addr_xy(to));
  tt_store(noc_reg(buffer, 0x1C), ctrl);
}
inline void noc_write_send(uint32_t buffer, uint32_t from, uint32_t to, bool posted) {
  noc_wait_ready(buffer);
  tt_store(noc_reg(buffer, 0x00), from);
  tt_store(noc_reg(buffer, 0x0C), to);
  tt_store(noc_reg(buffer, 0x40), 1);
  noc_count_write(!posted);
}
template <bool posted = false>
inline void noc_async_write_one_packet_set_state(uint64_t to, uint32_t bytes, uint8_t noc = noc_index,
                                                 uint8_t vc = NOC_UNICAST_WRITE_VC) {
  noc_check_index(noc);
  noc_check_packet(bytes);
  noc_write_set_state(NOC_BUF_WRITE, to, noc_write_ctrl(posted, vc));
  tt_store(noc_reg(NOC_BUF_WRITE, 0x20), bytes);
}
template <bool posted = false>
inline void noc_async_write_one_packet_with_state(uint32_t from, uint32_t to, uint8_t noc = noc_index) {
  noc_check_index(noc);
  noc_write_send(NOC_BUF_WRITE, from, to, posted);
}

/* --- transaction numbers --- */

constexpr uint32_t NOC_MAX_TRANSACTION_ID = 15;
inline void noc_set_trid(uint32_t buffer, uint32_t trid) {
  KERNEL_CHECK_VALUE(trid <= NOC_MAX_TRANSACTION_ID, "transaction number %u: the largest is 15", trid);
  noc_wait_ready(buffer);
  tt_store(noc_reg(buffer, 0x18), trid << 10);
}
inline uint32_t noc_trid_unanswered(uint32_t trid) { return tt_load(NOC_REGS + 0x240 + 4 * trid); }
inline uint32_t noc_trid_unsent(uint32_t trid) { return tt_load(NOC_REGS + 0x280 + 4 * trid); }

inline void noc_async_read_set_trid(uint32_t trid = 0, uint8_t noc = noc_index) {
  noc_check_index(noc);
  noc_set_trid(NOC_BUF_READ, trid);
}
inline void noc_async_write_set_trid(uint32_t trid = 0, uint8_t noc = noc_index) {
  noc_check_index(noc);
  noc_set_trid(NOC_BUF_WRITE, trid);
}
/* Reads and writes of one number share the counter of answers. */
inline void noc_async_read_barrier_with_trid(uint32_t trid, uint8_t noc = noc_index) {
  noc_check_index(noc);
  while (noc_trid_unanswered(trid)) {}
  tt_fence();
}
inline void noc_async_write_barrier_with_trid(uint32_t trid, uint8_t noc = noc_index) {
  noc_async_read_barrier_with_trid(trid, noc);
}
inline void noc_async_write_flushed_with_trid(uint32_t trid, uint8_t noc = noc_index) {
  noc_check_index(noc);
  while (noc_trid_unsent(trid)) {}
  tt_fence();
}
/* At most 128 more requests of one number than answers: its counter has eight bits. */
inline void noc_wait_trid_room(uint32_t trid) {
  while (noc_trid_unanswered(trid) > 127) {}
}
/* With the number that noc_async_read_set_trid has set; `trid` is the one whose counter must have room. */
template <bool skip_ptr_update = false, bool skip_cmdbuf_chk = false>
inline void noc_async_read_one_packet_with_state_with_trid(uint32_t base, uint32_t from, uint32_t to, uint32_t trid = 0,
                                                           uint8_t noc = noc_index) {
  noc_check_index(noc);
  noc_wait_trid_room(trid);
  noc_read_send(base + from, to, !skip_ptr_update);
}
/* The initiator keeps the number: later writes have it too, until another one is set. */
template <bool update_counter = true, bool posted = false>
inline void noc_async_write_one_packet_with_trid(uint32_t from, uint64_t to, uint32_t bytes, uint32_t trid,
                                                 uint8_t buffer = write_cmd_buf, uint8_t noc = noc_index,
                                                 uint8_t vc = NOC_UNICAST_WRITE_VC) {
  noc_check_packet(bytes);
  noc_check_index(noc);
  noc_set_trid(buffer, trid);
  noc_write_by(buffer, from, to, bytes, noc_write_ctrl(posted, vc), !posted);
}
template <bool posted = false>
inline void noc_async_write_one_packet_with_trid_set_state(uint64_t to, uint8_t buffer = write_cmd_buf,
                                                           uint8_t noc = noc_index, uint8_t vc = NOC_UNICAST_WRITE_VC) {
  noc_check_index(noc);
  noc_write_set_state(buffer, to, noc_write_ctrl(posted, vc));
}
template <bool update_counter = true, bool posted = false>
inline void noc_async_write_one_packet_with_trid_with_state(uint32_t from, uint32_t to, uint32_t bytes, uint32_t trid,
                                                            uint8_t buffer = write_cmd_buf, uint8_t noc = noc_index) {
  noc_check_packet(bytes);
  noc_check_index(noc);
  noc_set_trid(buffer, trid);
  tt_store(noc_reg(buffer, 0x20), bytes);
  noc_write_send(buffer, from, to, posted);
}
/* Clears the counters of outstanding requests: a bit per number. */
inline void reset_noc_trid_barrier_counter(uint32_t mask = 0xffffu, uint32_t noc = noc_index) {
  noc_check_index((uint8_t)noc);
  tt_store(NOC_REGS + 0x60, mask);
}

/* --- a word without a place in L1 --- */

#define NOC_INLINE_SCRATCH (LAUNCH_SEMAPHORES + 16u * LAUNCH_SEMAPHORE_COUNT + 32u + 16u * NOC_INDEX)
constexpr uint32_t NOC_REG_SPACE_START_ADDR = 0xFF000000u;
inline bool is_l1_address(uint64_t to) { return (uint32_t)to < NOC_REG_SPACE_START_ADDR; }
/* To L1: the word is stored at the same offset of a line as its target, when every earlier write has left and so has been read, and goes as
 * an ordinary write. flush false: `own` is the place, and nothing waits for earlier writes. */
inline void noc_inline_to_l1(uint64_t to, uint32_t value, uint32_t ctrl, bool flush, uint32_t own) {
  uint32_t at = flush ? NOC_INLINE_SCRATCH + ((uint32_t)to & 12u) : own;
  if (flush) {
    noc_async_writes_flushed();
    noc_posted_writes_sent();
  }
  tt_store(at, value);
  l1_fence(at); /* the vendor's library has none: the request may overtake the store */
  noc_write_by(NOC_BUF_WRITE, at, to, 4, ctrl, (ctrl & NOC_CTRL_ANSWERED) != 0);
}
template <InlineWriteDst dst_type = InlineWriteDst::DEFAULT, bool posted = false, bool flush = true>
inline void noc_inline_dw_write(uint64_t to, uint32_t value, uint8_t be, uint8_t noc = noc_index,
                                uint8_t vc = NOC_UNICAST_WRITE_VC, uint32_t own_place = 0) {
  noc_check_index(noc);
  KERNEL_CHECK(be == 0xF, "noc_inline_dw_write: this library writes whole words");
  if (dst_type == InlineWriteDst::REG || (dst_type == InlineWriteDst::DEFAULT && !is_l1_address(to)))
    noc_inline_by(to, value, noc_write_ctrl(posted, vc) | NOC_CTRL_INLINE, !posted);
  else noc_inline_to_l1(to, value, noc_write_ctrl(posted, vc), flush, own_place);
}
template <InlineWriteDst dst_type, bool posted = false, bool flush = true>
inline void noc_inline_dw_write(uint64_t to, uint32_t value) {
  noc_inline_dw_write<dst_type, posted, flush>(to, value, 0xF);
}
/* To L1 the vendor's library counts one receiver, whatever `receivers` is: a barrier after it waits forever unless there is one. */
template <InlineWriteDst dst_type = InlineWriteDst::DEFAULT, bool posted = false, bool flush = true>
inline void noc_inline_mcast_dw_write(uint64_t to, uint32_t value, uint8_t be = 0xF, uint8_t noc = noc_index,
                                      uint8_t vc = NOC_MULTICAST_WRITE_VC, uint32_t own_place = 0, uint32_t receivers = 1) {
  uint32_t ctrl = noc_on_vc(noc_multicast_ctrl(0, 0), vc) & ~(posted ? (uint32_t)NOC_CTRL_ANSWERED : 0u);
  noc_check_index(noc);
  KERNEL_CHECK(be == 0xF, "noc_inline_mcast_dw_write: this library writes whole words");
  if (dst_type == InlineWriteDst::REG || (dst_type == InlineWriteDst::DEFAULT && !is_l1_address(to)))
    noc_inline_by(to, value, ctrl | NOC_CTRL_INLINE, posted ? 0 : receivers);
  else noc_inline_to_l1(to, value, ctrl, flush, own_place);
}
/* The registers of the initiator keep the target and the value, until an atomic or another inline write uses it. */
template <bool posted = false, bool set_val = false>
inline void noc_inline_dw_write_set_state(uint64_t to, uint32_t value = 0, uint8_t be = 0xF, uint8_t buffer = write_at_cmd_buf,
                                          uint8_t noc = noc_index, uint8_t vc = NOC_UNICAST_WRITE_VC) {
  noc_check_index(noc);
  KERNEL_CHECK(be == 0xF && !is_l1_address(to), "noc_inline_dw_write_set_state: whole words, and registers only");
  noc_wait_ready(buffer);
  if (set_val) tt_store(noc_reg(buffer, 0x28), value);
  tt_store(noc_reg(buffer, 0x1C), noc_write_ctrl(posted, vc) | NOC_CTRL_INLINE);
  tt_store(noc_reg(buffer, 0x00), (uint32_t)to);
  tt_store(noc_reg(buffer, 0x04), (uint32_t)(to >> 32) & 15u);
  tt_store(noc_reg(buffer, 0x08), noc_addr_xy(to));
  tt_store(noc_reg(buffer, 0x20), (uint32_t)be << ((uint32_t)to & 15u));
}
template <bool update_addr_lo = false, bool update_counter = true, bool posted = false, bool update_addr_hi = false,
          bool update_val = false, InlineWriteDst dst_type = InlineWriteDst::DEFAULT>
inline void noc_inline_dw_write_with_state(uint32_t value, uint32_t address = 0, uint8_t buffer = write_at_cmd_buf,
                                           uint8_t noc = noc_index) {
  static_assert(!(update_addr_lo && update_addr_hi), "noc_inline_dw_write_with_state: one half of the address");
  noc_check_index(noc);
  noc_wait_ready(buffer);
  if (update_addr_lo) tt_store(noc_reg(buffer, 0x00), address);
  if (update_addr_hi) tt_store(noc_reg(buffer, 0x08), address);
  if (update_val) tt_store(noc_reg(buffer, 0x28), value);
  tt_store(noc_reg(buffer, 0x40), 1);
  noc_count_write(!posted);
}

/* --- shards, polls --- */

template <typename Spec>
inline void noc_async_read_shard(uint32_t id, const TensorAccessor<Spec> &from, uint32_t to, uint8_t noc = noc_index) {
  noc_async_read(from.get_shard_noc_addr(id, 0, noc), to, from.shard_volume() * from.page_size);
}
template <typename Spec, bool posted = false>
inline void noc_async_write_shard(uint32_t id, const TensorAccessor<Spec> &to, uint32_t from, uint8_t noc = noc_index) {
  noc_async_write<NOC_MAX_BURST + 1, true, posted>(from, to.get_shard_noc_addr(id, 0, noc), to.shard_volume() * to.page_size,
                                                   noc);
}
inline void wait_for_sync_register_value(uintptr_t address, int32_t value) {
  while ((int32_t)tt_load((uint32_t)address) != value) {}
}
inline void RISC_POST_HEARTBEAT(uint32_t &) {} /* without effect on Blackhole */

#endif
