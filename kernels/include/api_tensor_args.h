/* TensorAccessorArgs: the host's description of a tensor in compile-time (and common) arguments, on all cores.
 *
 *   words: flags, bytes of a page, then of sharded tensors: rank, banks, shape in pages, shape of a shard, two banks' coordinates per word
 *   flags: 1 sharded, 2 DRAM, 4 rank, 8 banks, 16 shape, 32 shard's shape, 64 coordinates, 128 page size are common arguments instead */
#ifndef TENSIX_API_TENSOR_ARGS_H
#define TENSIX_API_TENSOR_ARGS_H

#include "api_common.h"
#include "compile_args.h"

namespace tensor_accessor {
constexpr uint32_t MAX_RANK = 8, UNKNOWN = 0xffffffffu, CONTIGUOUS = 0x80000000u;
enum flag { SHARDED = 1, DRAM = 2, RANK = 4, BANKS = 8, SHAPE = 16, SHARD = 32, COORDINATES = 64, PAGE_SIZE = 128 };
/* The type parameters of an accessor. */
template <bool sharded, bool dram> struct Spec {
  static constexpr bool is_sharded = sharded, is_dram = dram, is_interleaved = !sharded;
};
/* A word of either list of arguments. */
inline uint32_t word(bool common, uint32_t index) {
  return common ? get_common_arg_val<uint32_t>((int)index) : kernel_args::values[index + 1];
}
} // namespace tensor_accessor

template <size_t first, size_t common = tensor_accessor::UNKNOWN> struct TensorAccessorArgs {
  static constexpr uint32_t flags = get_compile_time_arg_val(first);
  static_assert(flags < 256, "TensorAccessorArgs: the first word is not a set of flags: check the index of the argument");
  static constexpr bool is_sharded = flags & tensor_accessor::SHARDED, is_dram = flags & tensor_accessor::DRAM;
  static constexpr bool own(uint32_t flag) { return !(flags & flag); } /* a compile-time argument */
  static_assert(own(tensor_accessor::RANK) || !(own(tensor_accessor::SHAPE) || own(tensor_accessor::SHARD)),
                "TensorAccessorArgs: shapes of an unknown rank must be common arguments");
  template <uint32_t index, bool there> static constexpr uint32_t fixed() {
    if constexpr (there) return get_compile_time_arg_val(index);
    else return 0;
  }
  static constexpr uint32_t AlignedPageSize = fixed<first + 1, own(tensor_accessor::PAGE_SIZE)>();
  static constexpr uint32_t rank_at = first + (own(tensor_accessor::PAGE_SIZE) ? 2 : 1);
  static constexpr uint32_t RankCT = fixed < rank_at, is_sharded &&own(tensor_accessor::RANK) > ();
  static constexpr uint32_t banks_at = rank_at + own(tensor_accessor::RANK);
  static constexpr uint32_t NumBanksCT = fixed < banks_at,
                            is_sharded &&own(tensor_accessor::BANKS) > () & ~tensor_accessor::CONTIGUOUS;
  static constexpr uint32_t shape_at = banks_at + own(tensor_accessor::BANKS);
  static constexpr uint32_t shard_at = shape_at + (own(tensor_accessor::SHAPE) ? RankCT : 0);
  static constexpr uint32_t coordinates_at = shard_at + (own(tensor_accessor::SHARD) ? RankCT : 0);
  static constexpr uint32_t end =
      is_sharded ? coordinates_at + (own(tensor_accessor::COORDINATES) ? (NumBanksCT + 1) / 2 : 0) : rank_at;

  uint32_t common_first;
  constexpr TensorAccessorArgs() : common_first(common == tensor_accessor::UNKNOWN ? 0 : common) {}
  constexpr explicit TensorAccessorArgs(uint32_t from) : common_first(from) {}
  static constexpr uint32_t num_compile_time_args() { return end - first; }
  static constexpr uint32_t next_compile_time_args_offset() { return end; }

  /* The common arguments are in the same order. */
  uint32_t rank() const { return own(tensor_accessor::RANK) ? RankCT : tensor_accessor::word(true, common_first); }
  uint32_t banks_common() const { return common_first + !own(tensor_accessor::RANK); }
  uint32_t banks_word() const {
    bool is_common = !own(tensor_accessor::BANKS);
    return tensor_accessor::word(is_common, is_common ? banks_common() : banks_at);
  }
  uint32_t shape_common() const { return banks_common() + !own(tensor_accessor::BANKS); }
  uint32_t shard_common() const { return shape_common() + (own(tensor_accessor::SHAPE) ? 0 : rank()); }
  uint32_t coordinates_common() const { return shard_common() + (own(tensor_accessor::SHARD) ? 0 : rank()); }
  constexpr uint32_t num_common_runtime_args() const {
    if constexpr (!is_sharded) return !own(tensor_accessor::PAGE_SIZE);
    else if constexpr ((flags & ~3u) == 0) return 0;
    else {
      uint32_t banks = own(tensor_accessor::COORDINATES) ? 0 : (banks_word() & ~tensor_accessor::CONTIGUOUS);
      return coordinates_common() + (banks + 1) / 2 - common_first;
    }
  }
  constexpr uint32_t next_common_runtime_args_offset() const { return common_first + num_common_runtime_args(); }
  constexpr uint32_t get_aligned_page_size() const {
    if constexpr (own(tensor_accessor::PAGE_SIZE)) return AlignedPageSize;
    else return tensor_accessor::word(true, common_first);
  }
};

namespace tensor_accessor {
/* What tensor::NAME is: the words of the tensor from compile-time argument `first` on, its address at this byte of the common ones. */
template <uint32_t first, uint32_t address_at> struct TensorBindingToken {
  using args_t = TensorAccessorArgs<first>;
  static constexpr args_t args{};
  static constexpr uint32_t addr_crta_offset = address_at;
  static uint32_t address() { return get_common_arg_val<uint32_t>((int)(address_at / 4)); }
};
} // namespace tensor_accessor

#endif
