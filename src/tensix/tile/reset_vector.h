/* The address at which a core starts when it leaves reset. */
#ifndef TESSERA_TENSIX_RESET_VECTOR_H
#define TESSERA_TENSIX_RESET_VECTOR_H

#include <stdint.h>

struct tx_tile;

uint32_t tx_control_reset_pc(const struct tx_tile *t, unsigned core); /* core: T0, T1, T2, BRISC, NCRISC */

#endif
