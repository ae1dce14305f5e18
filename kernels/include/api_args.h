/* Arguments with names and divisions by constants, under the vendor's names. The constants args::NAME come from kernel.chip (api_names.h). */
#ifndef TENSIX_API_ARGS_H
#define TENSIX_API_ARGS_H

#include "api_common.h"
#include "compile_args.h"

#define TT_KERNEL static FORCE_INLINE

namespace experimental {
/* Runtime, common and compile-time arguments; offsets in bytes from the first argument. */
template <typename T> struct RtaArg { uint32_t byte_offset; };
template <typename T> struct CrtaArg { uint32_t byte_offset; };
template <typename T> struct CtaVal { T value; };
template <typename T> inline T get_arg(RtaArg<T> arg) { return get_arg_val<T>((int)(arg.byte_offset / 4)); }
template <typename T> inline T get_arg(CrtaArg<T> arg) { return get_common_arg_val<T>((int)(arg.byte_offset / 4)); }
template <typename T> inline constexpr T get_arg(CtaVal<T> arg) { return arg.value; }
} // namespace experimental

/* get_arg finds the names of kernel.chip by their type; a number is a mistake. */
template <typename T> constexpr bool kernel_is_no_name = false;
template <typename T> inline uint32_t get_arg(T) {
  static_assert(kernel_is_no_name<T>,
                "get_arg takes a name of kernel.chip, get_arg(args::NAME); argument number n is get_arg_val<uint32_t>(n)");
  return 0;
}

/* A core of this chip runs one thread of a kernel. */
inline uint32_t get_num_threads() { return 1; }
inline uint32_t get_my_thread_id() { return 0; }
#if defined(COMPILE_FOR_BRISC) || defined(COMPILE_FOR_NCRISC)
inline void thread_sync_init() {}
inline void wait_threads(uint32_t threads, uint32_t = 0) {
  KERNEL_CHECK_VALUE(threads <= 1, "wait_threads(%u): a kernel has one thread on this chip", threads);
}
inline void sync_threads(uint32_t = 0) {}
#endif

/* The compiler multiplies by the reciprocal: the divisor is a constant. */
inline uint32_t mulsi3(uint32_t a, uint32_t b) { return a * b; }
template <uint32_t divisor> inline uint32_t udivsi3_const_divisor(uint32_t n) { return n / divisor; }
template <uint32_t divisor> inline uint32_t umodsi3_const_divisor(uint32_t n) { return n % divisor; }

#endif
