/* The reference of PTO IR as Markdown, written from the tables. */
#ifndef TESSERA_PTO_IR_REFERENCE_H
#define TESSERA_PTO_IR_REFERENCE_H

#include <stddef.h>

/* Both return the full length, as snprintf does. */
size_t pto_ir_reference(char *text, size_t size);
size_t pto_ir_list(char *text, size_t size); /* name and meaning of each operation, one line each */

#endif
