/* Common definitions of a kernel: the core of this compilation, its settings, its arguments.
 *
 * A compute kernel is one source, compiled three times with TRISC_UNPACK, TRISC_MATH and TRISC_PACK; UNPACK((..)),
 * MATH((..)) and PACK((..)) keep their argument on that core only. A reader or
 * writer is compiled with COMPILE_FOR_NCRISC or COMPILE_FOR_BRISC. Its entry is kernel_main. */
#ifndef TENSIX_KERNEL_H
#define TENSIX_KERNEL_H

#include "launch.h"
#include "tensix_core.h"
#include "zone.h"

#if defined(TRISC_UNPACK) + defined(TRISC_MATH) + defined(TRISC_PACK) + defined(COMPILE_FOR_BRISC) + \
        defined(COMPILE_FOR_NCRISC) != \
    1
#error "define exactly one of TRISC_UNPACK, TRISC_MATH, TRISC_PACK, COMPILE_FOR_BRISC, COMPILE_FOR_NCRISC"
#endif

#ifdef TRISC_UNPACK
#define UNPACK(x) x
#define KERNEL_CORE LAUNCH_TRISC0
#else
#define UNPACK(x)
#endif
#ifdef TRISC_MATH
#define MATH(x) x
#define KERNEL_CORE LAUNCH_TRISC1
#else
#define MATH(x)
#endif
#ifdef TRISC_PACK
#define PACK(x) x
#define KERNEL_CORE LAUNCH_TRISC2
#else
#define PACK(x)
#endif
#ifdef COMPILE_FOR_BRISC
#define KERNEL_CORE LAUNCH_BRISC
#endif
#ifdef COMPILE_FOR_NCRISC
#define KERNEL_CORE LAUNCH_NCRISC
#endif

/* Settings of a compute kernel, as -D options; expressions are allowed (in C also get_arg_val(n)). */
enum math_fidelity { MATH_FIDELITY_LOFI = 0, MATH_FIDELITY_HIFI2 = 2, MATH_FIDELITY_HIFI3 = 3, MATH_FIDELITY_HIFI4 = 4 };
#ifndef MATH_FIDELITY
#define MATH_FIDELITY 4
#endif
#ifndef MM_THROTTLE
#define MM_THROTTLE 0 /* static throttle of matmul, 0 to 5 */
#endif
#define MM_THROTTLE_MAX 5 /* level that the dynamic throttle selects */
#ifndef DST_ACCUM_MODE
#define DST_ACCUM_MODE 0 /* 1: Dst holds 32 bits per number and half as many tiles */
#endif
#ifndef DST_SYNC_FULL
#define DST_SYNC_FULL 0 /* 1: math and pack take turns on the whole Dst instead of swapping halves */
#endif

#ifndef UNPACK_TO_DST
#define UNPACK_TO_DST \
  0 /* 1: copies of FLOAT32 are unpacked directly into a 32-bit Dst and keep all their bits; INT32 always is */
#endif

/* How many tiles fit between tile_regs_acquire and tile_regs_commit. */
#define DST_TILES (16u / (DST_ACCUM_MODE ? 2u : 1u) / (DST_SYNC_FULL ? 1u : 2u))
#define DST_LIMIT(last) "tile %u does not fit into this part of Dst, which has tiles 0 to " last
#define DST_BLOCK_LIMIT(name, tiles) name ": a block of %u tiles does not fit into this part of Dst, which has " tiles
#define DST_BLOCK(name) \
  (DST_TILES == 16 ? DST_BLOCK_LIMIT(name, "16") : DST_TILES == 8 ? DST_BLOCK_LIMIT(name, "8") : DST_BLOCK_LIMIT(name, "4"))
#define DST_CHECK_TILE(tile) \
  KERNEL_CHECK_VALUE((tile) < DST_TILES, \
                     DST_TILES == 16  ? DST_LIMIT("15") \
                     : DST_TILES == 8 ? DST_LIMIT("7") \
                                      : DST_LIMIT("3"), \
                     tile)

/* KERNEL_OWN_ARGS: reader, compute and writer have separate arguments (tessera kernel); else all cores read the same. */
#if defined(KERNEL_OWN_ARGS) && defined(KERNEL_ARG_COUNT) && KERNEL_ARG_COUNT > 32
#define KERNEL_ARGS (LAUNCH_OWN_AT + 4u * LAUNCH_OWN_ARGS * LAUNCH_KERNEL_OF(KERNEL_CORE))
#elif defined(KERNEL_OWN_ARGS)
#define KERNEL_ARGS (LAUNCH_FIELD(own_args) + 4u * LAUNCH_ARGS * LAUNCH_KERNEL_OF(KERNEL_CORE))
#else
#define KERNEL_ARGS LAUNCH_FIELD(args)
#endif

/* How many arguments the host gives this kernel, and how many all kernels share (tessera kernel: args and --arg). */
#ifndef KERNEL_ARG_COUNT
#define KERNEL_ARG_COUNT LAUNCH_ARGS
#define KERNEL_COMMON_ARG_COUNT LAUNCH_ARGS
#define KERNEL_ARG_LIMIT(name, count) name "(%u): a kernel has 32 arguments"
#else
#define KERNEL_ARG_LIMIT(name, count) KERNEL_ARG_TEXT(name, count)
#define KERNEL_ARG_TEXT(name, count) \
  name "(%u): the host gave " #count " such arguments: add it to args in kernel.chip, or --arg"
#endif
TT_INLINE uint32_t get_arg_val(uint32_t index) {
  KERNEL_CHECK_VALUE(index < KERNEL_ARG_COUNT, KERNEL_ARG_LIMIT("get_arg_val", KERNEL_ARG_COUNT), index);
  return tt_load(KERNEL_ARGS + 4 * index);
}

/* Ends the code of an operation with a unique text. Operations differ only in their initialisation, so a compiler would
 * merge two calls, and a checker that finds the called operation by DWARF would find the wrong one. It generates no
 * instruction. */
#ifdef TT_RECORD
#define KERNEL_CALLED(name) ((void)0)
#define KERNEL_CALLED_AS(name, arguments) ((void)0)
#else
#define KERNEL_CALLED(name) __asm__ volatile("# " name)
#define KERNEL_CALLED_AS(name, arguments) __asm__ volatile("# " name " %0" ::"i"(arguments)) /* of a template */
#endif

/* For messages: the inits that name input and output buffers, of which a compute kernel calls one first. */
#ifdef __cplusplus
#define KERNEL_STARTS "call compute_kernel_hw_startup, binary_op_init_common, init_sfpu or mm_init first"
#else
#define KERNEL_STARTS "call binary_op_init, unary_op_init or mm_init first"
#endif

#ifdef __cplusplus
extern "C" {
#endif
void kernel_main(void);
#ifdef __cplusplus
}
#endif

#endif
