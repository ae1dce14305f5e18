/* The encoder of encode.h, driven by the rows of tensix.def. */
#include "tensix/isa/encode.h"

#include <string.h>

static bool takes_negative(const struct tx_field *field) { return strncmp(field->name, "imm", 3) == 0 && field->width > 1; }

int64_t tx_field_max(const struct tx_field *field) { return (INT64_C(1) << field->width) - 1; }

int64_t tx_field_min(const struct tx_field *field) {
  return takes_negative(field) ? -(INT64_C(1) << (field->width - 1)) : 0;
}

bool tx_field_fits(const struct tx_field *field, int64_t value) {
  return value >= tx_field_min(field) && value <= tx_field_max(field);
}

uint32_t tx_field_get(const struct tx_field *field, uint32_t word) {
  return (word >> field->lo) & (uint32_t)tx_field_max(field);
}

/* The value in the field's position, 0 elsewhere; it must fit. */
static uint32_t put_field(const struct tx_field *field, int64_t value) {
  return ((uint32_t)value & (uint32_t)tx_field_max(field)) << field->lo;
}

const struct tx_field *tx_encode(const struct tx_op *op, const int64_t *values, uint32_t *word) {
  uint32_t bits = (uint32_t)op->opcode << 24;
  const struct tx_field *fields = tx_op_fields(op);
  for (unsigned i = 0; i < op->field_count; i++) {
    if (!tx_field_fits(&fields[i], values[i])) return &fields[i];
    bits |= put_field(&fields[i], values[i]);
  }
  *word = bits;
  return NULL;
}
