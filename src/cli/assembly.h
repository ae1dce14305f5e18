/* The result of tessera_assemble, for the verbs that read assembler text. */
#ifndef TESSERA_CLI_ASSEMBLY_H
#define TESSERA_CLI_ASSEMBLY_H

#include <stdbool.h>
#include <stddef.h>

#include "tessera/tensix.h"

#define CLI_ASM_MAX ((size_t)16 << 20) /* bytes of text: the assembler's own limit */

/* True if the text has no errors; else prints the first one in one line, or (verbose) all with their lines. */
bool cli_assembled(const struct tessera_asm *program, bool verbose);

/* It has neither a word nor an operation. */
bool cli_is_empty(const struct tessera_asm *program);

#endif
