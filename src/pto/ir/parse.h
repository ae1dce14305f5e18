/* PTO IR text (.pto) into a program.
 *
 * Three spellings, one program: the TPUSH page's SSA level 1 and DPS level 2, and the forms of the real assembler. The
 * text is first read into generic operations (name, results, operands by group, attributes, types); what they mean is
 * decided afterwards. An error carries line, column and words; pto_ir_error_text draws the line with a caret. */
#ifndef TESSERA_PTO_IR_PARSE_H
#define TESSERA_PTO_IR_PARSE_H

#include "pto/ir/error.h"
#include "pto/ir/params.h"
#include "pto/program/program.h"

/* With values for the text's parameters. NULL: `error` gives the reason. `profile` -1: that of the module, or A2/A3. */
struct pto_program *pto_ir_parse_with(const char *text, size_t length, int profile, const struct pto_setting *settings,
                                      unsigned count, struct pto_ir_error *error);

#endif
