/* All functions for a kernel of this core. The vendor's include paths (kernels/api_paths.list) all lead here, so kernels written for
 * them compile unchanged; `-include kernel_api.h` replaces the includes that the vendor's build adds to kernels without any. */
#ifndef TENSIX_KERNEL_API_H
#define TENSIX_KERNEL_API_H

#ifdef __cplusplus
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <tuple>
#endif

#include "compile_args.h"
#include "kernel.h"
#ifndef __cplusplus
/* In C++ api_common.h has it. */
#define ASSERT(condition, ...) KERNEL_CHECK(condition, "ASSERT(" #condition ") does not hold")
#endif
#if defined(COMPILE_FOR_BRISC) || defined(COMPILE_FOR_NCRISC)
#include "noc.h"
#ifdef __cplusplus
#include "api_dataflow.h"
#endif
#else
#include "compute.h"
#include "sfpu.h"
#ifdef __cplusplus
#include "api_buffer.h"
#include "api_compute.h"
#include "compute_cpp.h"

#include "api_ckernel.h"
/* Without template arguments: REDUCE_OP and REDUCE_DIM as they are at the call, which the kernel may define after this header. */
#define reduce_init(...) reduce_init<REDUCE_OP, REDUCE_DIM>(__VA_ARGS__)
#define reduce_tile(...) reduce_tile<REDUCE_OP, REDUCE_DIM>(__VA_ARGS__)
#define reduce_block(...) reduce_block<REDUCE_OP, REDUCE_DIM>(__VA_ARGS__)
#define tilizeA_B_reduce_init tilize_reduction<REDUCE_OP, REDUCE_DIM>::init
#endif
#endif
#include "dprint.h"
#ifdef __cplusplus
#include "api_args.h"
#include "api_names.h"
#include "api_print_pages.h"
#endif

#endif
