/* Data movement over the NoC for readers and writers (NCRISC, BRISC): reads, writes, multicast, semaphores, addresses of pages that are
 * interleaved over DRAM banks or sharded over tiles. Names follow the vendor's dataflow API.
 *
 *   noc_async_read(get_noc_addr(x, y, address), to, bytes); noc_async_read_barrier();
 *
 * Each core has its own NoC (NOC_INDEX: NCRISC 0, BRISC 1), so the two never share a counter. Request initiators, as the vendor's
 * library uses them: 0 writes, 1 reads, 2 words of semaphores, 3 atomics and inline writes. Coordinates are translated ones, the same on
 * both NoCs.
 * ISA: NoC/MemoryMap.md, Counters.md, Atomics.md (Blackhole). Include this file instead of dataflow.h. */
#ifndef TENSIX_NOC_H
#define TENSIX_NOC_H

/* After circular_buffer.h kernel_entry does not call noc_setup: my_x and my_y would be 0. NOC_SETUP_IN_KERNEL: the kernel calls it. */
#if defined(TENSIX_CIRCULAR_BUFFER_H) && !defined(NOC_SETUP_IN_KERNEL)
#error "include noc.h before dataflow.h, or instead of it"
#endif

#include "kernel.h"

#if !defined(COMPILE_FOR_BRISC) && !defined(COMPILE_FOR_NCRISC)
#error "noc.h is for readers and writers: BRISC and NCRISC"
#endif

#ifndef NOC_INDEX
#ifdef COMPILE_FOR_BRISC
#define NOC_INDEX 1
#else
#define NOC_INDEX 0
#endif
#endif

#define NOC_REGS (0xFFB20000u + 0x10000u * NOC_INDEX)
#define NOC_MAX_BURST 16384u
enum { NOC_BUF_WRITE, NOC_BUF_READ, NOC_BUF_WORD, NOC_BUF_ATOMIC };
enum {
  NOC_CTRL_RD = 0x2090, /* read, virtual channel 1 */
  NOC_CTRL_WR = 0x2092, /* acknowledged write, virtual channel 1 */
  NOC_CTRL_AT = 0x2091, /* acknowledged atomic, virtual channel 1 */
  NOC_CTRL_INLINE = 8,
  NOC_CTRL_INLINE_WR = 0x209A,
  NOC_CTRL_MCAST = 0x81B2,    /* acknowledged broadcast write, path reserved, virtual channel 4 */
  NOC_CTRL_MCAST_AT = 0x81B1, /* the same for an atomic */
  NOC_CTRL_ANSWERED = 0x10,
  NOC_CTRL_LINKED = 0x40,
  NOC_CTRL_SRC_INCLUDE = 0x20000,
};
#define NOC_AT_INCREMENT 0x107Cu /* an increment with a counter of 32 bits; bits 1:0 select the word */

/* Requests sent by this core, and the counter values at which all of them are complete. */
static uint32_t noc_reads_wanted, noc_writes_wanted, noc_atomics_wanted, noc_sent_wanted, noc_posted_wanted, noc_own_xy;

TT_INLINE uint32_t noc_reg(uint32_t buffer, uint32_t offset) { return NOC_REGS + 0x800u * buffer + offset; }

/* Once per launch, by the firmware. */
TT_INLINE void noc_setup(void) {
  noc_own_xy = tt_load(NOC_REGS + 0x148) & 0xfffu;
  noc_atomics_wanted = tt_load(NOC_REGS + 0x200);
  noc_writes_wanted = tt_load(NOC_REGS + 0x204);
  noc_reads_wanted = tt_load(NOC_REGS + 0x208);
  noc_sent_wanted = tt_load(NOC_REGS + 0x228);
  noc_posted_wanted = tt_load(NOC_REGS + 0x22C);
  tt_store(noc_reg(NOC_BUF_READ, 0x14), noc_own_xy);
  tt_store(noc_reg(NOC_BUF_WRITE, 0x08), noc_own_xy);
  tt_store(noc_reg(NOC_BUF_ATOMIC, 0x14), noc_own_xy);
}

#ifndef __cplusplus /* C++ has my_x[noc], the page functions and the semaphores of api_dataflow.h */
#define my_x (noc_own_xy & 63u)
#define my_y (noc_own_xy >> 6)
#endif

/* --- addresses: bits 35:0 in the tile, x from 36, y from 42; a rectangle's start x from 48, y from 54 --- */

TT_INLINE uint64_t get_noc_addr(uint32_t x, uint32_t y, uint32_t address) {
  return (uint64_t)(y << 10 | x << 4) << 32 | address;
}

/* The rectangle begins at its start, in the direction in which the NoC flows: NoC 0 to larger x and y, NoC 1 to smaller ones. On NoC 1 the
 * caller exchanges start and end, as tt-metal's hosts do; otherwise the rectangle is the one that wraps around the grid. */
TT_INLINE uint64_t get_noc_multicast_addr(uint32_t x_start, uint32_t y_start, uint32_t x_end, uint32_t y_end,
                                          uint32_t address) {
  return (uint64_t)(y_start << 22 | x_start << 16 | y_end << 10 | x_end << 4) << 32 | address;
}

TT_INLINE uint32_t noc_addr_xy(uint64_t address) { return (uint32_t)(address >> 36); }

/* --- requests --- */

TT_INLINE void noc_wait_ready(uint32_t buffer) {
  while (tt_load(noc_reg(buffer, 0x40)) & 1u) {}
}

TT_INLINE void noc_read_packet(uint64_t from, uint32_t to, uint32_t bytes) {
  noc_wait_ready(NOC_BUF_READ);
  tt_store(noc_reg(NOC_BUF_READ, 0x00), (uint32_t)from);
  tt_store(noc_reg(NOC_BUF_READ, 0x04), (uint32_t)(from >> 32) & 15u);
  tt_store(noc_reg(NOC_BUF_READ, 0x08), noc_addr_xy(from));
  tt_store(noc_reg(NOC_BUF_READ, 0x0C), to);
  tt_store(noc_reg(NOC_BUF_READ, 0x1C), NOC_CTRL_RD);
  tt_store(noc_reg(NOC_BUF_READ, 0x20), bytes);
  tt_store(noc_reg(NOC_BUF_READ, 0x40), 1);
  noc_reads_wanted++;
}

TT_INLINE void noc_async_read(uint64_t from, uint32_t to, uint32_t bytes) {
  for (; bytes > NOC_MAX_BURST; bytes -= NOC_MAX_BURST, from += NOC_MAX_BURST, to += NOC_MAX_BURST)
    noc_read_packet(from, to, NOC_MAX_BURST);
  noc_read_packet(from, to, bytes);
}

/* Every barrier ends with a fence: what the NoC has written is read from L1. */
TT_INLINE void noc_await(uint32_t counter, uint32_t wanted) {
  while (tt_load(NOC_REGS + counter) != wanted) {}
}
TT_INLINE void noc_async_read_barrier(void) {
  noc_await(0x208, noc_reads_wanted);
  tt_fence();
}

/* A posted write (no receiver responds) has its own counter. */
TT_INLINE void noc_count_write(uint32_t receivers) {
  noc_writes_wanted += receivers;
  if (receivers) noc_sent_wanted++;
  else noc_posted_wanted++;
}
TT_INLINE uint32_t noc_write_ctrl(uint32_t posted, uint32_t vc) {
  return (NOC_CTRL_WR & ~0xe000u & ~(posted ? (uint32_t)NOC_CTRL_ANSWERED : 0u)) | vc << 13;
}

TT_INLINE void noc_write_by(uint32_t buffer, uint32_t from, uint64_t to, uint32_t bytes, uint32_t ctrl, uint32_t receivers) {
  noc_wait_ready(buffer);
  tt_store(noc_reg(buffer, 0x00), from);
  tt_store(noc_reg(buffer, 0x0C), (uint32_t)to);
  tt_store(noc_reg(buffer, 0x10), (uint32_t)(to >> 32) & 15u);
  tt_store(noc_reg(buffer, 0x14), noc_addr_xy(to));
  tt_store(noc_reg(buffer, 0x1C), ctrl);
  tt_store(noc_reg(buffer, 0x20), bytes);
  tt_store(noc_reg(buffer, 0x40), 1);
  noc_count_write(receivers);
}
TT_INLINE void noc_write_packet(uint32_t from, uint64_t to, uint32_t bytes, uint32_t ctrl, uint32_t receivers) {
  noc_write_by(NOC_BUF_WRITE, from, to, bytes, ctrl, receivers);
}

TT_INLINE void noc_write_long(uint32_t from, uint64_t to, uint32_t bytes, uint32_t ctrl, uint32_t receivers) {
  for (; bytes > NOC_MAX_BURST; bytes -= NOC_MAX_BURST, from += NOC_MAX_BURST, to += NOC_MAX_BURST)
    noc_write_packet(from, to, NOC_MAX_BURST, ctrl, receivers);
  noc_write_packet(from, to, bytes, ctrl, receivers);
}
TT_INLINE void noc_async_write(uint32_t from, uint64_t to, uint32_t bytes) {
  noc_write_long(from, to, bytes, NOC_CTRL_WR, 1);
}

/* Waits until all writes have been acknowledged. */
TT_INLINE void noc_async_write_barrier(void) {
  noc_await(0x204, noc_writes_wanted);
  tt_fence();
}

/* Waits until all writes have left this tile: the source may be overwritten. */
TT_INLINE void noc_async_writes_flushed(void) {
  noc_await(0x228, noc_sent_wanted);
  tt_fence();
}

/* To all Tensix tiles of a rectangle but the sender (`include`: and the sender), `receivers` of them. `linked`: the next request is part of
 * the same transaction, to the same rectangle, and arrives after this one. */
TT_INLINE uint32_t noc_multicast_ctrl(uint32_t linked, uint32_t include) {
  return NOC_CTRL_MCAST | (include ? (uint32_t)NOC_CTRL_SRC_INCLUDE : 0u) | (linked ? (uint32_t)NOC_CTRL_LINKED : 0u);
}
TT_INLINE void noc_multicast(uint32_t from, uint64_t to, uint32_t bytes, uint32_t receivers, uint32_t linked,
                             uint32_t include) {
  noc_write_long(from, to, bytes, noc_multicast_ctrl(linked, include), receivers);
}
TT_INLINE void noc_async_write_multicast(uint32_t from, uint64_t to, uint32_t bytes, uint32_t receivers, uint32_t linked) {
  noc_multicast(from, to, bytes, receivers, linked, 0);
}
/* The sender is in the rectangle and is one of the receivers. */
TT_INLINE void noc_async_write_multicast_loopback_src(uint32_t from, uint64_t to, uint32_t bytes, uint32_t receivers,
                                                      uint32_t linked) {
  noc_multicast(from, to, bytes, receivers, linked, 1);
}

/* A word to a register of another tile. Not to L1: Blackhole may hang on it. NOC_AT_LEN_BE enables the word's four bytes of sixteen. */
TT_INLINE void noc_inline_by(uint64_t to, uint32_t value, uint32_t ctrl, uint32_t receivers) {
  noc_wait_ready(NOC_BUF_ATOMIC);
  tt_store(noc_reg(NOC_BUF_ATOMIC, 0x28), value);
  tt_store(noc_reg(NOC_BUF_ATOMIC, 0x1C), ctrl);
  tt_store(noc_reg(NOC_BUF_ATOMIC, 0x00), (uint32_t)to);
  tt_store(noc_reg(NOC_BUF_ATOMIC, 0x04), (uint32_t)(to >> 32) & 15u);
  tt_store(noc_reg(NOC_BUF_ATOMIC, 0x08), noc_addr_xy(to));
  tt_store(noc_reg(NOC_BUF_ATOMIC, 0x20), 15u << ((uint32_t)to & 15u));
  tt_store(noc_reg(NOC_BUF_ATOMIC, 0x40), 1);
  noc_count_write(receivers);
}
TT_INLINE void noc_inline_dw_write(uint64_t to, uint32_t value) { noc_inline_by(to, value, NOC_CTRL_INLINE_WR, 1); }

/* --- semaphores: words in L1 that other tiles write --- */

TT_INLINE uint32_t get_semaphore(uint32_t index) {
  KERNEL_CHECK(index < LAUNCH_SEMAPHORE_COUNT, "get_semaphore: the index must be below 32");
  return LAUNCH_SEMAPHORES + 16 * index;
}

/* A store, as the vendor's: before a NoC request that reads the word wait for it, by noc_semaphore_wait with the same value. */
TT_INLINE void noc_semaphore_set(uint32_t semaphore, uint32_t value) { tt_store(semaphore, value); }
#ifndef __cplusplus
TT_INLINE void noc_semaphore_wait(uint32_t semaphore, uint32_t value) {
  do tt_fence();
  while (tt_load(semaphore) != value);
}
TT_INLINE void noc_semaphore_wait_min(uint32_t semaphore, uint32_t value) {
  do tt_fence();
  while (tt_load(semaphore) < value);
}
#endif

/* The response with the old value goes to a word that no program reads: L1 0x1200. */
#define NOC_ATOMIC_SCRATCH (LAUNCH_SEMAPHORES + 16u * LAUNCH_SEMAPHORE_COUNT + 16u * NOC_INDEX)
TT_INLINE void noc_atomic_increment(uint64_t semaphore, uint32_t increment, uint32_t ctrl, uint32_t answers) {
  noc_wait_ready(NOC_BUF_ATOMIC);
  tt_store(noc_reg(NOC_BUF_ATOMIC, 0x00), (uint32_t)semaphore);
  tt_store(noc_reg(NOC_BUF_ATOMIC, 0x04), 0);
  tt_store(noc_reg(NOC_BUF_ATOMIC, 0x08), noc_addr_xy(semaphore));
  tt_store(noc_reg(NOC_BUF_ATOMIC, 0x0C), NOC_ATOMIC_SCRATCH);
  tt_store(noc_reg(NOC_BUF_ATOMIC, 0x1C), ctrl);
  tt_store(noc_reg(NOC_BUF_ATOMIC, 0x20), NOC_AT_INCREMENT | ((uint32_t)semaphore >> 2 & 3u));
  tt_store(noc_reg(NOC_BUF_ATOMIC, 0x28), increment);
  tt_store(noc_reg(NOC_BUF_ATOMIC, 0x40), 1);
  noc_atomics_wanted += answers;
}
TT_INLINE void noc_semaphore_inc(uint64_t semaphore, uint32_t increment) {
  noc_atomic_increment(semaphore, increment, NOC_CTRL_AT, 1);
}
TT_INLINE void noc_async_atomic_barrier(void) {
  noc_await(0x200, noc_atomics_wanted);
  tt_fence();
}

/* The value of a local semaphore to that of another tile, or of all tiles of a rectangle. */
TT_INLINE void noc_write_word(uint32_t from, uint64_t to, uint32_t ctrl, uint32_t receivers) {
  noc_wait_ready(NOC_BUF_WORD);
  tt_store(noc_reg(NOC_BUF_WORD, 0x08), noc_own_xy);
  noc_write_by(NOC_BUF_WORD, from, to, 4, ctrl, receivers);
}
TT_INLINE void noc_semaphore_set_remote(uint32_t from, uint64_t to) { noc_write_word(from, to, NOC_CTRL_WR, 1); }
TT_INLINE void noc_semaphore_set_multicast(uint32_t from, uint64_t to, uint32_t receivers, uint32_t linked) {
  noc_write_word(from, to, noc_multicast_ctrl(linked, 0), receivers);
}

/* --- pages --- */

/* Page p is on bank p % banks. A DRAM bank is a controller; NoC 0 and 1 use different ports of it. */
TT_INLINE uint64_t get_dram_noc_addr(uint32_t bank, uint32_t address) {
  return get_noc_addr(17 + bank / 4, 12 + 3 * (bank & 3u) + NOC_INDEX, address);
}
TT_INLINE uint64_t get_dram_page_noc_addr(uint32_t base, uint32_t page_size, uint32_t page) {
  uint32_t banks = tt_load(LAUNCH_FIELD(dram_banks)), stride = (page_size + 63u) & ~63u;
  KERNEL_CHECK(banks != 0, "this launch has no DRAM banks: the program does not run in a chip");
  return get_dram_noc_addr(page % banks, base + page / banks * stride);
}
#ifndef __cplusplus
struct InterleavedAddrGen {
  uint32_t bank_base_address;
  uint32_t page_size;
};
TT_INLINE uint64_t get_interleaved_noc_addr(const struct InterleavedAddrGen *gen, uint32_t page) {
  return get_dram_page_noc_addr(gen->bank_base_address, gen->page_size, page);
}
#define noc_async_read_page(page, gen, to) noc_async_read(get_interleaved_noc_addr(gen, page), to, (gen)->page_size)
#define noc_async_write_page(page, gen, from) noc_async_write(from, get_interleaved_noc_addr(gen, page), (gen)->page_size)
#endif

/* The x of column `column` of a grid whose first column is x0: 8 and 9 hold no Tensix tile. */
TT_INLINE uint32_t worker_x(uint32_t x0, uint32_t column) {
  uint32_t x = x0 + column;
  return x0 < 8 && x >= 8 ? x + 2 : x;
}

/* Pages in the L1 of a grid of tiles, `pages_per_shard` on each, row by row. */
struct ShardedAddrGen {
  uint32_t base_address, page_size, pages_per_shard;
  uint32_t x0, y0, columns;
};
TT_INLINE uint64_t get_sharded_noc_addr(const struct ShardedAddrGen *gen, uint32_t page) {
  uint32_t shard = page / gen->pages_per_shard, at = page % gen->pages_per_shard;
  return get_noc_addr(worker_x(gen->x0, shard % gen->columns), gen->y0 + shard / gen->columns,
                      gen->base_address + at * gen->page_size);
}

/* --- remote circular buffers: a producer on one tile, a consumer on another --- */

/* Both sides hold the same numbers. `sent` counts pages at the consumer, `acked` at the producer. */
struct RemoteCB {
  uint32_t base, page_size, pages; /* the buffer in the consumer's L1 */
  uint32_t other_x, other_y;
  uint32_t sent, acked; /* addresses of the two semaphores, the same on both tiles */
  uint32_t count;       /* pages so far */
};
TT_INLINE uint32_t remote_cb_page(const struct RemoteCB *cb) { return cb->base + cb->count % cb->pages * cb->page_size; }
/* Producer: waits for room and sends a page from L1. */
TT_INLINE void remote_cb_push_back(struct RemoteCB *cb, uint32_t from) {
  while (cb->count - tt_load(cb->acked) >= cb->pages) {}
  noc_async_write(from, get_noc_addr(cb->other_x, cb->other_y, remote_cb_page(cb)), cb->page_size);
  noc_async_write_barrier();
  noc_semaphore_inc(get_noc_addr(cb->other_x, cb->other_y, cb->sent), 1);
  cb->count++;
}
/* Consumer: waits for a page; remote_cb_page is its address. */
TT_INLINE void remote_cb_wait_front(const struct RemoteCB *cb) {
  while (tt_load(cb->sent) == cb->count) {}
}
TT_INLINE void remote_cb_pop_front(struct RemoteCB *cb) {
  cb->count++;
  noc_semaphore_inc(get_noc_addr(cb->other_x, cb->other_y, cb->acked), 1);
}

/* --- launching kernels on other tiles, whose firmware waits for GO with a prepared launch block --- */

#define NOC_LAUNCH_WORD (LAUNCH_SEMAPHORES + 16u * LAUNCH_SEMAPHORE_COUNT + 64u)
/* GO to all tiles of a rectangle at once; on NoC 1 with start and end exchanged (get_noc_multicast_addr). */
TT_INLINE void noc_launch(uint32_t x_start, uint32_t y_start, uint32_t x_end, uint32_t y_end, uint32_t receivers) {
  tt_store(NOC_LAUNCH_WORD, RUN_SYNC_MSG_GO);
  l1_fence(NOC_LAUNCH_WORD);
  noc_multicast(NOC_LAUNCH_WORD, get_noc_multicast_addr(x_start, y_start, x_end, y_end, LAUNCH_FIELD(go)), 4, receivers, 0,
                0);
  noc_async_write_barrier();
}
/* A zeroed range in L1, as a source of reads; written at its first use. */
#define MEM_ZEROS_SIZE 512u
#define MEM_ZEROS_BASE (noc_zeros())
static uint32_t noc_zeros_written __attribute__((unused));
TT_INLINE uint32_t noc_zeros(void) {
  const uint32_t base = 0x800u + MEM_ZEROS_SIZE * NOC_INDEX;
  for (uint32_t i = 0; i < MEM_ZEROS_SIZE && !noc_zeros_written; i += 4) tt_store(base + i, 0);
  if (!noc_zeros_written) l1_fence(base + MEM_ZEROS_SIZE - 4); /* waits for the last store, and so for those before it */
  noc_zeros_written = 1;
  return base;
}

/* Waits until that tile's kernels are done. */
TT_INLINE void noc_launch_wait(uint32_t x, uint32_t y) {
  do {
    noc_async_read(get_noc_addr(x, y, LAUNCH_FIELD(go)), NOC_LAUNCH_WORD, 4);
    noc_async_read_barrier();
  } while (tt_load(NOC_LAUNCH_WORD) != RUN_SYNC_MSG_DONE);
}

/* Waits until all posted writes have left this tile. */
TT_INLINE void noc_posted_writes_sent(void) {
  noc_await(0x22C, noc_posted_wanted);
  tt_fence();
}
/* Waits for all requests: call before a kernel ends. */
TT_INLINE void noc_async_full_barrier(void) {
  tt_fence();
  noc_await(0x208, noc_reads_wanted);
  noc_await(0x228, noc_sent_wanted);
  noc_await(0x204, noc_writes_wanted);
  noc_await(0x200, noc_atomics_wanted);
  noc_await(0x22C, noc_posted_wanted);
}

#include "dataflow.h"

#endif
