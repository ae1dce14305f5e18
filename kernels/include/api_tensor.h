/* Addresses of the pages of a tensor: TensorAccessorArgs reads the host's compile-time (and common) arguments, TensorAccessor
 * turns a page's number into its address on the NoC. Interleaved tensors have their pages on the DRAM banks in turn; sharded ones in
 * blocks of pages, shard s on bank s % banks (or in runs, `contiguous`), a bank being a worker tile's L1 or a DRAM controller.
 */
#ifndef TENSIX_API_TENSOR_H
#define TENSIX_API_TENSOR_H

#include "api_common.h"
#include "api_tensor_args.h"
#include "noc.h"

namespace tensor_accessor {
class Page {
  uint64_t address;
  uint32_t number;

public:
  Page(uint64_t at, uint32_t page) : address(at), number(page) {}
  uint64_t noc_addr() const { return address; }
  uint32_t page_id() const { return number; }
};

/* Pages of the tensor from one number on; `step` apart. */
template <typename Accessor> struct Pages {
  const Accessor &of;
  uint32_t from, to, step;
  struct iterator {
    const Accessor &of;
    uint32_t page, step;
    Page operator*() const { return Page(of.get_noc_addr(page), page); }
    uint32_t page_id() const { return page; }
    iterator &operator++() { return *this += 1; }
    iterator operator++(int) {
      iterator old = *this;
      page += step;
      return old;
    }
    iterator &operator+=(uint32_t pages) {
      page += pages * step;
      return *this;
    }
    iterator operator+(uint32_t pages) const { return {of, page + pages * step, step}; }
    bool operator!=(const iterator &other) const { return page < other.page; }
    bool operator==(const iterator &other) const { return page >= other.page; }
  };
  iterator begin() const { return {of, from, step}; }
  iterator end() const { return {of, to, step}; }
};
} // namespace tensor_accessor

template <typename Spec> struct TensorAccessor;

/* Interleaved: over the DRAM banks, or all pages in this tile's own L1. */
template <bool dram> struct TensorAccessor<tensor_accessor::Spec<false, dram>> {
  uint32_t bank_base_address;
  uint32_t page_size;
  typedef tensor_accessor::Spec<false, dram> DSpec;
  static constexpr bool is_dram = dram;
  template <size_t first, size_t common>
  TensorAccessor(const TensorAccessorArgs<first, common> &args, uint32_t address, uint32_t size = 0)
      : bank_base_address(address), page_size(size ? size : args.get_aligned_page_size()) {}
  template <uint32_t first, uint32_t address_at>
  TensorAccessor(tensor_accessor::TensorBindingToken<first, address_at> token)
      : TensorAccessor(TensorAccessorArgs<first, address_at / 4 + 1>(), token.address()) {}
  uint32_t get_bank_base_address() const { return bank_base_address; }
  uint32_t get_aligned_page_size() const { return page_size; }
  uint64_t get_noc_addr(uint32_t id, uint32_t offset = 0, uint8_t noc = NOC_INDEX) const {
    return page_noc_addr<dram>(bank_base_address, page_size, id, offset, noc);
  }
  tensor_accessor::Pages<TensorAccessor> pages(uint32_t from, uint32_t to, uint8_t = NOC_INDEX) const {
    return {*this, from, to, 1};
  }
};

/* Sharded: values that every page's address needs are computed once. */
template <bool dram> struct TensorAccessor<tensor_accessor::Spec<true, dram>> {
  uint32_t bank_base_address, page_size;
  uint32_t rank, banks, shard_pages_, shards_per_bank, coordinates_at;
  bool contiguous, coordinates_common;
  uint32_t shape[tensor_accessor::MAX_RANK], shard[tensor_accessor::MAX_RANK], grid[tensor_accessor::MAX_RANK];
  typedef tensor_accessor::Spec<true, dram> DSpec;
  static constexpr bool is_dram = dram;

  template <size_t first, size_t common>
  TensorAccessor(const TensorAccessorArgs<first, common> &args, uint32_t address, uint32_t size = 0)
      : bank_base_address(address), page_size(size ? size : args.get_aligned_page_size()) {
    typedef TensorAccessorArgs<first, common> Args;
    rank = args.rank();
    KERNEL_CHECK(rank && rank <= tensor_accessor::MAX_RANK, "TensorAccessor: a tensor has 1 to 8 dimensions");
    banks = args.banks_word() & ~tensor_accessor::CONTIGUOUS;
    contiguous = args.banks_word() & tensor_accessor::CONTIGUOUS;
    coordinates_common = !Args::own(tensor_accessor::COORDINATES);
    coordinates_at = coordinates_common ? args.coordinates_common() : Args::coordinates_at;
    bool shape_common = !Args::own(tensor_accessor::SHAPE), shard_common = !Args::own(tensor_accessor::SHARD);
    uint32_t shards = 1;
    shard_pages_ = 1;
    for (uint32_t i = 0; i < rank; i++) {
      shape[i] = tensor_accessor::word(shape_common, (shape_common ? args.shape_common() : Args::shape_at) + i);
      shard[i] = tensor_accessor::word(shard_common, (shard_common ? args.shard_common() : Args::shard_at) + i);
      grid[i] = (shape[i] + shard[i] - 1) / shard[i];
      shards *= grid[i];
      shard_pages_ *= shard[i];
    }
    shards_per_bank = (shards + banks - 1) / banks;
  }
  template <uint32_t first, uint32_t address_at>
  TensorAccessor(tensor_accessor::TensorBindingToken<first, address_at> token)
      : TensorAccessor(TensorAccessorArgs<first, address_at / 4 + 1>(), token.address()) {}
  uint32_t get_bank_base_address() const { return bank_base_address; }
  uint32_t get_aligned_page_size() const { return page_size; }

  /* x in the upper byte, y in the lower; for DRAM the controller's number instead of x. */
  uint32_t bank_coordinates(uint32_t bank) const {
    uint32_t two = tensor_accessor::word(coordinates_common, coordinates_at + bank / 2);
    return bank & 1u ? two >> 16 : two & 0xffffu;
  }
  uint32_t bank_of(uint32_t shard_id) const { return contiguous ? shard_id / shards_per_bank : shard_id % banks; }
  uint64_t get_shard_noc_addr(uint32_t shard_id, uint32_t offset = 0, uint8_t noc = NOC_INDEX) const {
    noc_check_index(noc);
    uint32_t xy = bank_coordinates(bank_of(shard_id));
    uint32_t in_bank = contiguous ? shard_id % shards_per_bank : shard_id / banks;
    uint32_t address = bank_base_address + in_bank * shard_pages_ * page_size + offset;
    return dram ? get_dram_noc_addr(xy >> 8, address) : ::get_noc_addr(xy >> 8, xy & 255u, address);
  }
  struct place {
    uint32_t shard_id, page_in_shard;
  };
  place place_of(uint32_t id) const {
    place p = {0, 0};
    uint32_t shard_stride = 1, page_stride = 1;
    for (uint32_t i = rank; i-- > 0;) {
      uint32_t at = id % shape[i];
      id /= shape[i];
      p.shard_id += at / shard[i] * shard_stride;
      p.page_in_shard += at % shard[i] * page_stride;
      shard_stride *= grid[i];
      page_stride *= shard[i];
    }
    KERNEL_CHECK(id == 0, "TensorAccessor: the page is after the tensor's last");
    return p;
  }
  uint64_t get_noc_addr(uint32_t id, uint32_t offset = 0, uint8_t noc = NOC_INDEX) const {
    place p = place_of(id);
    return get_shard_noc_addr(p.shard_id, p.page_in_shard * page_size + offset, noc);
  }
  bool is_local_shard(uint32_t shard_id, uint8_t = NOC_INDEX) const {
    uint32_t xy = bank_coordinates(bank_of(shard_id));
    return !dram && (xy >> 8) == (noc_own_xy & 63u) && (xy & 255u) == noc_own_xy >> 6;
  }
  bool is_local_page(uint32_t id, uint8_t noc = NOC_INDEX) const { return is_local_shard(place_of(id).shard_id, noc); }
  uint32_t shard_volume() const { return shard_pages_; }
  /* Its shape: rank, pages along each dimension, and those of a shard. */
  struct shape_view {
    const TensorAccessor &of;
    uint32_t rank() const { return of.rank; }
    uint32_t num_banks() const { return of.banks; }
    const uint32_t *tensor_shape() const { return of.shape; }
    const uint32_t *shard_shape() const { return of.shard; }
    const uint32_t *shard_grid() const { return of.grid; }
    uint32_t tensor_volume() const { return product(of.shape); }
    uint32_t shard_volume() const { return of.shard_pages_; }
    uint32_t product(const uint32_t *sizes) const {
      uint32_t all = 1;
      for (uint32_t i = 0; i < of.rank; i++) all *= sizes[i];
      return all;
    }
  };
  shape_view dspec() const { return {*this}; }
  /* The pages of a shard that belong to the tensor. */
  struct shard_range {
    const TensorAccessor &of;
    uint32_t shard_id, from, to;
    struct iterator {
      const TensorAccessor &of;
      uint32_t shard_id, at;
      uint32_t page_id() const { return of.page_of(shard_id, at); }
      tensor_accessor::Page operator*() const {
        return tensor_accessor::Page(of.get_shard_noc_addr(shard_id, at * of.page_size), page_id());
      }
      void skip(uint32_t end) {
        while (at < end && page_id() == tensor_accessor::UNKNOWN) at++;
      }
      uint32_t end;
      iterator &operator++() {
        at++;
        skip(end);
        return *this;
      }
      iterator operator++(int) {
        iterator old = *this;
        ++*this;
        return old;
      }
      iterator &operator+=(uint32_t pages) {
        while (pages--) ++*this;
        return *this;
      }
      iterator operator+(uint32_t pages) const {
        iterator moved = *this;
        return moved += pages;
      }
      bool operator!=(const iterator &other) const { return at < other.at; }
    };
    iterator begin() const {
      iterator i = {of, shard_id, from, to};
      i.skip(to);
      return i;
    }
    iterator end() const { return {of, shard_id, to, to}; }
  };
  shard_range shard_pages(uint32_t shard_id, uint32_t from = 0, uint32_t to = 0, uint8_t = NOC_INDEX) const {
    return {*this, shard_id, from, to ? to : shard_pages_};
  }
  /* The page's number, UNKNOWN where the shard reaches beyond the tensor. */
  uint32_t page_of(uint32_t shard_id, uint32_t in_shard) const {
    uint32_t page = 0, stride = 1;
    for (uint32_t i = rank; i-- > 0;) {
      uint32_t at = shard_id % grid[i] * shard[i] + in_shard % shard[i];
      if (at >= shape[i]) return tensor_accessor::UNKNOWN;
      page += at * stride;
      stride *= shape[i];
      shard_id /= grid[i];
      in_shard /= shard[i];
    }
    return page;
  }
  tensor_accessor::Pages<TensorAccessor> pages(uint32_t from, uint32_t to, uint8_t = NOC_INDEX) const {
    return {*this, from, to, 1};
  }
};
template <size_t first, size_t common>
TensorAccessor(const TensorAccessorArgs<first, common> &, uint32_t, uint32_t = 0) -> TensorAccessor<
    tensor_accessor::Spec<TensorAccessorArgs<first, common>::is_sharded, TensorAccessorArgs<first, common>::is_dram>>;

template <uint32_t first, uint32_t address_at>
TensorAccessor(tensor_accessor::TensorBindingToken<first, address_at>)
    -> TensorAccessor<tensor_accessor::Spec<TensorAccessorArgs<first>::is_sharded, TensorAccessorArgs<first>::is_dram>>;

template <typename Accessor> struct PageView {
  const Accessor &accessor;
  explicit PageView(const Accessor &of) : accessor(of) {}
  uint64_t get_noc_addr(uint32_t id, uint32_t offset = 0, uint8_t noc = NOC_INDEX) const {
    return accessor.get_noc_addr(id, offset, noc);
  }
};
template <typename Accessor> struct ShardView {
  const Accessor &accessor;
  explicit ShardView(const Accessor &of) : accessor(of) {}
  bool is_local_shard(uint32_t id, uint8_t noc = NOC_INDEX) const { return accessor.is_local_shard(id, noc); }
  uint64_t get_noc_addr(uint32_t id, uint32_t offset = 0, uint8_t noc = NOC_INDEX) const {
    return accessor.get_shard_noc_addr(id, offset, noc);
  }
};

#endif
