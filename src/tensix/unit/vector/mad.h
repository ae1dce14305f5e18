/* The MAD sub-unit. */
#ifndef TESSERA_TENSIX_VECTOR_MAD_H
#define TESSERA_TENSIX_VECTOR_MAD_H

#include "tensix/unit/vector/exec.h"

tx_vector_fn tx_run_mad, tx_run_mul24, tx_run_lut, tx_run_immediate;

#endif
