/* Saved states. */
#ifndef TESSERA_API_STATE_H
#define TESSERA_API_STATE_H

#include <stddef.h>

/* Computes the checksum of a saved state; tests that damage one call it too. */
void api_seal_state(void *state, size_t size);

#endif
