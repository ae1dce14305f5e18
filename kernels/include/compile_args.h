/* Arguments that are fixed when a kernel is compiled: -DKERNEL_COMPILE_TIME_ARGS=1,2,3 and, by name,
 * '-DKERNEL_COMPILE_TIME_ARG_MAP={"c_1",1},{"c_2",2}' (KERNEL_NAMED_COMPILE_ARGS, with a comma at its end: those of kernel.chip). get_compile_time_arg_val(n) is a constant expression in C++. */
#ifndef TENSIX_COMPILE_ARGS_H
#define TENSIX_COMPILE_ARGS_H

#include <stdint.h>

#ifndef KERNEL_COMPILE_TIME_ARGS
#define KERNEL_COMPILE_TIME_ARGS
#endif
#ifndef KERNEL_COMPILE_TIME_ARG_MAP
#define KERNEL_COMPILE_TIME_ARG_MAP
#endif

#ifndef KERNEL_NAMED_COMPILE_ARGS
#define KERNEL_NAMED_COMPILE_ARGS
#endif

#ifdef __cplusplus

namespace kernel_args {
/* Argument n is element n + 1, so that a kernel without arguments has an array too. */
constexpr uint32_t values[] = {0, KERNEL_COMPILE_TIME_ARGS};
constexpr uint32_t count = sizeof values / sizeof *values - 1;
template <uint32_t index> constexpr uint32_t value() {
  static_assert(index < count,
                "get_compile_time_arg_val: the host gives fewer compile-time arguments: add it to 'compile' in kernel.chip");
  return values[index + 1];
}

/* The list as an array of the older API. */
struct list {
  constexpr uint32_t operator[](uint32_t index) const { return values[index + 1]; }
  static constexpr uint32_t size() { return count; }
};

struct named_arg {
  const char *name;
  uint32_t value;
};
constexpr named_arg named[] = {{"", 0}, KERNEL_NAMED_COMPILE_ARGS KERNEL_COMPILE_TIME_ARG_MAP};
constexpr bool same(const char *a, const char *b) {
  for (; *a && *a == *b; a++, b++) {}
  return *a == *b;
}
/* A missing name is not a constant expression: the compiler stops at the call of this function, and `tessera kernel` takes the name from
 * its message. */
inline uint32_t no_such_named_argument() { return 0; }
constexpr uint32_t by_name(const char *name) {
  for (const named_arg &arg : named)
    if (same(arg.name, name)) return arg.value;
  return no_such_named_argument();
}
template <uint32_t found> constexpr uint32_t constant() { return found; }
} // namespace kernel_args

constexpr kernel_args::list kernel_compile_time_args;
#define get_compile_time_arg_val(index) (kernel_args::value<(index)>())
#define get_named_compile_time_arg_val(name) (kernel_args::constant<kernel_args::by_name(name)>())

#else

#define get_compile_time_arg_val(index) (((const uint32_t[]){KERNEL_COMPILE_TIME_ARGS})[index])

#endif
#endif
