/* NCRISC of four tiles in a row, every call of noc.h that the examples leave out. Tile 0 sends pages through a remote circular buffer to
 * tile 1, which writes them to DRAM; tile 2 gathers a sharded tensor; tile 3 multicasts to all four, itself included, and writes a register
 * of tile 0. Arguments: 0 index, 1 x0, 2 pages, 3 source of the pages, 4 DRAM, 5 shards, 6 gathered, 7 vector, 8 copies, 9 flag. */
#include "noc.h"

enum { PAGE = 64, BYTES = 256 };
enum { SEM_SENT, SEM_ACKED, SEM_TOLD };
enum { REMOTE_CB = 0x90000, REMOTE_PAGES = 3, VALUE = 4711 };
#define FLAG_REGISTER (NOC_STREAM_BASE + 0x1000u * 40 + 4 * 8)

static struct RemoteCB remote(uint32_t other) {
  return (struct RemoteCB){REMOTE_CB,
                           PAGE,
                           REMOTE_PAGES,
                           worker_x(get_arg_val(1), other),
                           my_y,
                           get_semaphore(SEM_SENT),
                           get_semaphore(SEM_ACKED),
                           0};
}

static void produce(void) {
  struct RemoteCB cb = remote(1);
  for (uint32_t i = 0; i < get_arg_val(2); i++) remote_cb_push_back(&cb, get_arg_val(3) + i * PAGE);
  tt_poll(FLAG_REGISTER, 0x1ffffu, VALUE); /* tile 3 */
  noc_semaphore_set(get_arg_val(9), VALUE);
}

static void consume(void) {
  struct RemoteCB cb = remote(0);
  const struct InterleavedAddrGen to = {get_arg_val(4), PAGE};
  for (uint32_t i = 0; i < get_arg_val(2); i++) {
    remote_cb_wait_front(&cb);
    noc_async_write_page(i, &to, remote_cb_page(&cb));
    noc_async_writes_flushed();
    remote_cb_pop_front(&cb);
  }
}

static void gather(void) {
  const struct ShardedAddrGen from = {get_arg_val(5), PAGE, 2, get_arg_val(1), my_y, 4};
  for (uint32_t page = 0; page < 8; page++)
    noc_async_read(get_sharded_noc_addr(&from, page), get_arg_val(6) + page * PAGE, PAGE);
  noc_async_read_barrier();
  noc_semaphore_set(get_semaphore(SEM_TOLD), 1);
  noc_semaphore_wait(get_semaphore(SEM_TOLD), 1);
  noc_semaphore_set_remote(get_semaphore(SEM_TOLD),
                           get_noc_addr(worker_x(get_arg_val(1), 3), my_y, get_semaphore(SEM_TOLD)));
}

static void spread(void) {
  uint32_t x0 = get_arg_val(1), x1 = worker_x(x0, 3);
  noc_semaphore_wait(get_semaphore(SEM_TOLD), 1); /* tile 2 */
  noc_async_write_multicast_loopback_src(get_arg_val(7), get_noc_multicast_addr(x0, my_y, x1, my_y, get_arg_val(8)), BYTES,
                                         4, 0);
  noc_async_write_barrier();
  noc_inline_dw_write(get_noc_addr(x0, my_y, FLAG_REGISTER), VALUE);
}

void kernel_main(void) {
  static void (*const parts[])(void) = {produce, consume, gather, spread};
  parts[get_arg_val(0)]();
  noc_async_full_barrier();
}
