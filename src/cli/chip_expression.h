/* Expressions of numbers and names in the words of a program description: A.pages/cols*col+1. */
#ifndef TESSERA_CLI_CHIP_EXPRESSION_H
#define TESSERA_CLI_CHIP_EXPRESSION_H

#include <stdbool.h>
#include <stdint.h>

/* Does the word have an operator or a parenthesis, and more than a sign? */
bool chip_is_expression(const char *word);
/* The value of a name; false: there is no such name. */
typedef bool (*chip_name_fn)(const void *context, const char *name, int64_t *value);
/* + - * / % and parentheses over numbers and names, by the usual precedence, with signs. NULL: good; else what is wrong, which names a part of
 * the word in `part`. The value fits into 32 bits, signed or not. */
#define CHIP_EXPRESSION_PART 128u
const char *chip_expression(const char *word, chip_name_fn name_of, const void *context, uint32_t *value,
                            char part[CHIP_EXPRESSION_PART]);

#endif
