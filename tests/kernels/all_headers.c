/* Every header of the library, compiled as C and as C++ for every core. */
#if defined(COMPILE_FOR_BRISC) || defined(COMPILE_FOR_NCRISC)
#include "noc.h"
#endif
#include "dataflow.h"
#if defined(TRISC_UNPACK) || defined(TRISC_MATH) || defined(TRISC_PACK)
#include "compute.h"
#include "sfpu.h"
#include "sfpu_pool.h"
#include "sfpu_sort.h"
#endif

#ifdef __cplusplus
static_assert(p_setrwc::SET_ABD_F == p_setrwc_SET_ABD_F, "constants have both names");
#endif

void kernel_main(void) {}
