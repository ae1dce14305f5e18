/* Saved states. */
#ifndef TESSERA_API_STATE_H
#define TESSERA_API_STATE_H

#include <stddef.h>

/* Recomputes the checksum of a saved state: for tests that damage one. */
void api_seal_state(void *state, size_t size);

#endif
