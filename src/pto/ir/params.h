/* Parameters of PTO IR text: pto.param @M = 64 declares one, ${M / 2} is replaced by a number. */
#ifndef TESSERA_PTO_IR_PARAMS_H
#define TESSERA_PTO_IR_PARAMS_H

#include "pto/ir/error.h"

#define PTO_PARAMS_MAX 32u

struct pto_setting {
  char name[32];
  int64_t value;
};

/* The text with numbers in place of ${...}; declarations become blank. Settings take precedence over the text's own values.
 * NULL: `error` gives the reason. The caller frees it. */
char *pto_ir_expand(const char *text, size_t length, const struct pto_setting *settings, unsigned count, size_t *out_length,
                    struct pto_ir_error *error);

#endif
