/* num_fpu_vec_body.h for the baseline instruction set of this architecture. */
#include "tensix/num/num_fpu_vec.h"

#define VEC_BYTES 16
#define VEC_TABLE num_fpu_baseline
#define VEC_NAME "baseline"
#include "tensix/num/num_fpu_vec_body.h"
