/* The address phase of an unpacker: from an instruction to a job. */
#ifndef TESSERA_TENSIX_UNPACK_ADDRESS_H
#define TESSERA_TENSIX_UNPACK_ADDRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "tensix/state/unpack.h"

struct tx_tile;

/* Decodes UNPACR's fields, configuration and counters into a job; steps the address counters. false: a fault was recorded. *at_once: its
 * data may move now, true on return if it goes into a Src bank; it is then not in flight. */
bool tx_unpack_decode(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_unpack_job *job, unsigned *context,
                      bool *at_once);

#endif
