/* Tessera, systems: boards and boxes of linked Blackhole chips, as a host program sees them (TESSERA_SYSTEM, docs/guide/many-chips.md). */
#ifndef TESSERA_SYSTEM_H
#define TESSERA_SYSTEM_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Name of system `index` and what it is; "" after the last. */
const char *tessera_system_name(unsigned index);
const char *tessera_system_text(unsigned index);
/* Writes the cluster descriptor of a system, in the format of tt-umd, and a 0 after it. `product` (NULL: full) has the fused-off parts of
 * every chip. Returns the bytes without the 0, also if `size` is too small; 0: there is no such system of that product. */
size_t tessera_system_descriptor(const char *system, const char *product, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
