/* tessera isa --c-header. */
#ifndef TESSERA_OBSERVE_ISA_HEADER_H
#define TESSERA_OBSERVE_ISA_HEADER_H

#include "sim/text.h"
#include "tensix/isa/isa.h"

void obs_isa_c_header(struct sim_text *out); /* Tensix_isa.h for kernels */

#endif
