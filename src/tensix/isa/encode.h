/* Instruction words from field values, with the range of every field checked. */
#ifndef TESSERA_TENSIX_ENCODE_H
#define TESSERA_TENSIX_ENCODE_H

#include "tensix/isa/isa.h"

static inline const struct tx_field *tx_op_fields(const struct tx_op *op) { return &tx_fields[op->field_first]; }

/* The range of a field. Immediates (imm12_math, ...) may be negative, in two's complement. */
int64_t tx_field_min(const struct tx_field *field);
int64_t tx_field_max(const struct tx_field *field);
bool tx_field_fits(const struct tx_field *field, int64_t value);

uint32_t tx_field_get(const struct tx_field *field, uint32_t word);

/* One value per field, in the order of the rows. Returns NULL and sets the word, or returns the first field whose value
 * does not fit and leaves the word unchanged. */
const struct tx_field *tx_encode(const struct tx_op *op, const int64_t *values, uint32_t *word);

#endif
