/* The sign of a state: a number that is the same in every lap at the same place, and hardly ever at another place. It is made of a small part of what
 * same.h compares. */
#ifndef TESSERA_TENSIX_LAP_SIGN_H
#define TESSERA_TENSIX_LAP_SIGN_H

#include "tensix/state.h"

/* `apart`: bit per core that is left out. */
uint64_t tx_lap_sign(const struct tx_tile *t, uint32_t apart);

#endif
