/* The constants that the vendor's host generates for a kernel, from the names of kernel.chip (src/cli/kernel_names.c): get_arg(args::count),
 * DataflowBuffer(dfb::in), Semaphore(sem::ready), TensorAccessor(tensor::src), Scratchpad<uint32_t>(scratch::pad). A namespace without
 * names is not declared, so that a kernel may use its name. */
#ifndef TENSIX_API_NAMES_H
#define TENSIX_API_NAMES_H

#include "api_args.h"
#include "api_buffer.h"
#include "api_tensor_args.h"

/* --- memory of this tile --- */

/* The part of a tensor that lies in this tile's L1. */
template <typename T> class LocalTensorAccessor {
  CoreLocalMem<T> memory;

public:
  explicit LocalTensorAccessor(uint32_t address) : memory((uintptr_t)address) {
    KERNEL_CHECK(address % alignof(T) == 0, "LocalTensorAccessor: the address is not a multiple of the type's size");
  }
  template <uint32_t first, uint32_t address_at>
  explicit LocalTensorAccessor(tensor_accessor::TensorBindingToken<first, address_at> token)
      : LocalTensorAccessor(token.address()) {
    static_assert(!TensorAccessorArgs<first>::is_dram, "LocalTensorAccessor: the tensor is in DRAM, use TensorAccessor");
  }
  T &operator[](uint32_t i) const { return memory[i]; }
  uint32_t get_bank_base_address() const { return (uint32_t)memory.get_address(); }
  CoreLocalMem<T> local_mem() const { return memory; }
};

struct ScratchpadBindingToken {
  uint32_t common, bytes; /* the common argument with the address */
  explicit constexpr ScratchpadBindingToken(uint32_t argument, uint32_t size) : common(argument), bytes(size) {}
};

/* Memory of this tile that the description reserves: compile reader pad=scratch:4096 */
template <typename T> class Scratchpad {
  uint32_t at, bytes;

public:
  using element_type = T;
  using size_type = uint32_t;
  using pointer = CoreLocalMem<T>;
  using iterator = pointer;
  explicit Scratchpad(const ScratchpadBindingToken &token)
      : at(get_common_arg_val<uint32_t>((int)token.common)), bytes(token.bytes) {
    KERNEL_CHECK(bytes % sizeof(T) == 0, "Scratchpad: its bytes are not a multiple of the type's size");
  }
  uint32_t size() const { return bytes / sizeof(T); }
  uint32_t size_in_bytes() const { return bytes; }
  uint32_t get_base_address() const { return at; }
  T &operator[](uint32_t i) const {
    KERNEL_CHECK(i < size(), "Scratchpad: the index is past its end");
    return reinterpret_cast<T *>(at)[i];
  }
  pointer local_mem() const { return pointer((uintptr_t)at); }
  iterator begin() const { return local_mem(); }
  iterator end() const { return pointer((uintptr_t)(at + bytes)); }
};

#if defined(COMPILE_FOR_BRISC) || defined(COMPILE_FOR_NCRISC)
template <typename T> struct noc_traits_t<Scratchpad<T>> {
  typedef noc_offset_args src_args_type, dst_args_type;
  static uint32_t local_source(const Scratchpad<T> &pad, const noc_offset_args &a) {
    KERNEL_CHECK(a.offset_bytes < pad.size_in_bytes(), "Scratchpad: the offset is past its end");
    return pad.get_base_address() + a.offset_bytes;
  }
  static uint32_t local_target(const Scratchpad<T> &pad, const noc_offset_args &a) { return local_source(pad, a); }
};
#endif

/* --- arguments after the named ones --- */

#ifndef KERNEL_NAMED_ARGS
#define KERNEL_NAMED_ARGS 0
#endif
#ifndef KERNEL_NAMED_COMMON_ARGS
#define KERNEL_NAMED_COMMON_ARGS 0
#endif
#ifndef KERNEL_COMPILE_VARARGS
#define KERNEL_COMPILE_VARARGS 0
#endif
#define get_vararg(index) (get_arg_val<uint32_t>((int)(KERNEL_NAMED_ARGS + (index))))
#define get_common_vararg(index) (get_common_arg_val<uint32_t>((int)(KERNEL_NAMED_COMMON_ARGS + (index))))
constexpr uint32_t get_num_compile_time_varargs() { return KERNEL_COMPILE_VARARGS; }
template <uint32_t index> constexpr uint32_t get_compile_time_vararg() {
  static_assert(index < KERNEL_COMPILE_VARARGS,
                "get_compile_time_vararg: the host gives fewer compile-time arguments without a name");
  return kernel_args::value<index>();
}
constexpr uint32_t get_compile_time_vararg(uint32_t index) { return kernel_args::values[index + 1]; }

/* --- names --- */

#define KERNEL_RTA(name, offset) constexpr experimental::RtaArg<uint32_t> name{offset};
#define KERNEL_CRTA(name, offset) constexpr experimental::CrtaArg<uint32_t> name{offset};
#define KERNEL_CTA(name, value) constexpr experimental::CtaVal<uint32_t> name{value};
#define KERNEL_DFB(name, index) constexpr DFBBindingToken name{index};
#define KERNEL_SEM(name, index) constexpr uint32_t name = index;
#define KERNEL_SCRATCH(name, common, bytes) constexpr ScratchpadBindingToken name{common, bytes};
#define KERNEL_TENSOR(name, first, address_at) \
  using name##_t = ::tensor_accessor::TensorBindingToken<first, address_at>; \
  constexpr name##_t name{};
#ifdef KERNEL_ARG_NAMES
namespace args {
KERNEL_ARG_NAMES
}
#endif
#ifdef KERNEL_BUFFER_NAMES
namespace dfb {
KERNEL_BUFFER_NAMES
}
#endif
#ifdef KERNEL_SEMAPHORE_NAMES
namespace sem {
KERNEL_SEMAPHORE_NAMES
}
#endif
#ifdef KERNEL_TENSOR_NAMES
namespace tensor {
KERNEL_TENSOR_NAMES
}
#endif
#ifdef KERNEL_SCRATCH_NAMES
namespace scratch {
KERNEL_SCRATCH_NAMES
}
#endif

#endif
