/* Writes of the host. */
#ifndef TESSERA_CHECK_HOST_H
#define TESSERA_CHECK_HOST_H

#include "check/internal.h"

void chk_host_wrote(struct tx_tile *t, uint32_t address, uint32_t length);

#endif
