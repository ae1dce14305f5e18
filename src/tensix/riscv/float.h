/* The arithmetic of the F and Zfh instructions. */
#ifndef TESSERA_TENSIX_RISCV_FLOAT_H
#define TESSERA_TENSIX_RISCV_FLOAT_H

#include <stdint.h>

/* The result for operands a, b, c (bit patterns). */
uint32_t tx_float(unsigned op, uint32_t a, uint32_t b, uint32_t c, uint32_t cfg0);

#endif
