/* Shared by the files of the C API: operations on tiles. */
#ifndef TESSERA_API_PTO_INSTR_H
#define TESSERA_API_PTO_INSTR_H

#include "tessera/pto.h"

unsigned pto_api_op(enum tessera_pto_op op); /* enum pto_op; the argument is below TESSERA_PTO_OPS */

#endif
