// Values that the T cores compute by functions of the compute API, printed in order for tests/kernels/api_words.py: buffers and tiles in L1,
// mailboxes, semaphores and mutexes, arguments, coordinates, formats of numbers, rows of Dst.
#define DEBUG_CB_HASH
#include <algorithm>
#include "api/compute/compute_kernel_api.h"
#include "api/compute/tile_move_copy.h"
#include "api/debug/dprint.h"
#include "api/debug/dprint_tile.h"

#define SHOW(expression) print_word((uint32_t)(expression))
__attribute__((noinline)) static void print_word(uint32_t word) { DPRINT("{} ", word); }
static uint32_t sum_of(SliceRange r) { return r.h0 + 100u * r.h1 + 10000u * r.hs + 7u * r.w0 + 700u * r.w1 + 70000u * r.ws; }
static uint32_t bits_of(float x) { return __builtin_bit_cast(uint32_t, x); }
static volatile uint32_t here = 4711;

// The digits of a number in order, as a decimal number.
static uint32_t sorted(uint32_t number, bool down) {
  uint8_t digits[9], count = 0;
  for (; number; number /= 10) digits[count++] = (uint8_t)(number % 10);
  if (down) std::sort(digits, digits + count, [](uint8_t x, uint8_t y) { return x > y; });
  else std::sort(digits, digits + count);
  for (uint8_t i = 0; i < count; i++) number = 10 * number + digits[i];
  return number;
}

static void common() {
  SHOW(sorted(314159265, false));
  SHOW(sorted(271828182, true));
  SHOW(sorted(7, true));
  SHOW(tensor_shape_from_num_faces(16, 2).total_tensor_size());
  SHOW(make_tensor_shape(8, 16, 1, 2).total_row_dim() * DEFAULT_TENSOR_SHAPE.total_col_dim());
  SHOW(DEFAULT_TENSOR_SHAPE.total_num_faces());
  SHOW(get_tile_size(0));
  SHOW(get_tile_hw(0));
  SHOW(get_tile_num_faces(0));
  SHOW(get_dataformat(0));
  SHOW(get_dataformat(16));
  SHOW(get_operand_id(3));
  SHOW(get_local_cb_interface(0).fifo_page_size);
  SHOW(get_local_cb_interface(0).fifo_num_pages);
  SHOW(get_local_cb_interface(0).fifo_size);
  SHOW(read_tile_value<uint16_t>(0, 1, 5));
  SHOW(read_tile_value(0, 0, 3));
  SHOW(read_tile_value<uint8_t>(0, 0, 1));
  SHOW(get_tile_address(0, 1) - get_tile_address(0, 0));
  SHOW(CircularBuffer(0).get_tile_size());
  SHOW(DataflowBuffer(0).get_total_size_bytes());
  SHOW(align(37, 12));
  SHOW(align_power_of_2(37, 16));
  SHOW(is_power_of_2(48));
  SHOW(is_power_of_2(64));
  SHOW(is_power_of_2(0));
  SHOW(bits_of(bf16_to_fp32(0xbfc0)));
  SHOW(fp32_to_bf16_truncate(-1.999f));
  SHOW(bfloat16_greater(0x3f80, 0xbf80));
  SHOW(bfloat16_greater(0xbf80, 0xc000));
  SHOW(bfloat16_greater(0xc000, 0x3f80));
  SHOW(float32_greater(0x3f800001, 0x3f800000));
  SHOW(float32_greater(0x7fc00000, 0));
  SHOW(float32_greater(0, 0x80000000));
  SHOW(int32_greater(1, 0xffffffff));
  SHOW(int32_greater(0x80000000, 0));
  SHOW(get_absolute_logical_x());
  SHOW(get_absolute_logical_y());
  SHOW(get_relative_logical_x());
  SHOW(get_relative_logical_y());
  SHOW(*(volatile uint32_t *)get_common_arg_addr(1));
  SHOW(get_common_arg_val<uint32_t>(0));
  SHOW(*(volatile uint32_t *)get_arg_addr(0));
  SHOW(get_arg_val<uint32_t>(0));
  SHOW(load_blocking(&here));
  SHOW(bf16_t(0x4049).bits);
  SHOW(sum_of(SliceRange::hw0_32_16()));
  SHOW(sum_of(SliceRange::hw0_32_8()));
  SHOW(sum_of(SliceRange::hw0_32_4()));
  SHOW(sum_of(SliceRange::h0_w0_32()));
  SHOW(sum_of(SliceRange::h0_32_w0()));
  SHOW(sum_of(SliceRange::h0_32_w1()));
  SHOW(sum_of(SliceRange::hw041()));
}

// Words from one T core to the next, semaphores by the core and by its thread.
static void together() {
#ifdef TRISC_UNPACK
  mailbox_write(MathThreadId, 77);
  SHOW(get_tile_l1_byte_address(0, 1) - get_tile_l1_byte_address(0, 0));
  SHOW(cb_pages_available_at_front(0, 2));
  SHOW(cb_pages_available_at_front(0, 3));
#endif
#ifdef TRISC_MATH
  while (!mailbox_not_empty(UnpackThreadId)) {}
  SHOW(mailbox_read(UnpackThreadId));
  SHOW(mailbox_not_empty(UnpackThreadId));
  t6_semaphore_init(semaphore_FPU_SFPU, 2, 5);
  tensix_sync();
  SHOW(semaphore_read(semaphore_FPU_SFPU));
  t6_semaphore_post(semaphore_FPU_SFPU, 0);
  tensix_sync();
  SHOW(semaphore_read(semaphore_FPU_SFPU));
  semaphore_get(semaphore_FPU_SFPU);
  SHOW(semaphore_read(semaphore_FPU_SFPU));
  t6_semaphore_get(semaphore_FPU_SFPU, 0);
  tensix_sync();
  SHOW(tt_load(semaphore_address(semaphore_FPU_SFPU)));
  semaphore_post(semaphore_FPU_SFPU);
  SHOW(semaphore_read(semaphore_FPU_SFPU));
  t6_mutex_acquire(3);
  t6_mutex_release(3);
  tensix_sync();
  SHOW(welford_reciprocal(nullptr, 0, 3));
#endif
#ifdef TRISC_PACK
  SHOW(cb_pages_reservable_at_back(16, 2));
  SHOW(cb_pages_reservable_at_back(16, 3));
#endif
}

// Row 1 of Dst, as words, after a copy of tile 0.
static void dst_row() {
  copy_tile_init(0);
  tile_regs_acquire();
  copy_tile(0, 0, 0);
  disable_fp32_dest_acc();
  set_fp32_dest_acc<false>();
  restore_fp32_dest_acc<false>();
  dbg_halt();
#ifdef TRISC_MATH
  uint32_t words[8];
  dbg_read_dest_acc_row(1, words);
  SHOW(words[0]);
  SHOW(words[7]);
#endif
  dbg_unhalt();
  tile_regs_commit();
  tile_regs_wait();
  cb_reserve_back(16, 1);
  pack_tile(0, 16);
  cb_push_back(16, 1);
  tile_regs_release();
}

void kernel_main() {
  compute_kernel_hw_startup(0, 16);
  invalidate_l1_cache();
  cb_wait_front(0, 2);
  {
    DeviceZoneScopedN("words");
    common();
  }
  together();
  dst_row();
  cb_pop_front(0, 2);
  DPRINT("end\n");
}
