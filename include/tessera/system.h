/* Tessera, systems: boards and boxes of linked Blackhole chips. What a host program sees of them is in docs/guide/many-chips.md
 * (TESSERA_SYSTEM); here a program owns the chips itself.
 *
 *   struct tessera_system_options options = {.system = "p300", .timing = TESSERA_TIMING_CYCLE};
 *   struct tessera_system *system = tessera_system_create(&options, error, sizeof error);
 *   tessera_system_write(system, 1, 29, 25, 0x20000, bytes, length);
 *   tessera_system_run(system, 100000);
 *
 * Tiles have translated coordinates and NoC addresses, as in tessera/chip.h; chips have numbers from 0. */
#ifndef TESSERA_SYSTEM_H
#define TESSERA_SYSTEM_H

#include <stddef.h>
#include <stdint.h>

#include "tessera/tensix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Name of system `index` and what it is; "" after the last. */
const char *tessera_system_name(unsigned index);
const char *tessera_system_text(unsigned index);
/* Writes the cluster descriptor of a system, in the format of tt-umd, and a 0 after it. `product` (NULL: full) has the fused-off parts of
 * every chip. Returns the bytes without the 0, also if `size` is too small; 0: there is no such system of that product. */
size_t tessera_system_descriptor(const char *system, const char *product, char *text, size_t size);

struct tessera_system;

struct tessera_system_options {
  const char *system;     /* its name; NULL: `descriptor` */
  const char *descriptor; /* the text of a cluster descriptor */
  const char *product;    /* of the chips of a system with a name; NULL: full */
  const char *links;      /* options of links, as in TESSERA_LINKS; NULL: none */
  enum tessera_timing timing;
  unsigned threads; /* host threads; 0: one per core. Results do not depend on it */
};

/* NULL: `error` has the reason in one line. */
struct tessera_system *tessera_system_create(const struct tessera_system_options *options, char *error, size_t error_size);
void tessera_system_destroy(struct tessera_system *system); /* NULL is allowed */
unsigned tessera_system_chips(const struct tessera_system *system);

/* Memory and registers of a tile, at once. TESSERA_INVALID: there is no such chip, tile or address. */
enum tessera_result tessera_system_read(struct tessera_system *system, unsigned chip, unsigned x, unsigned y,
                                        uint64_t address, void *bytes, size_t length);
enum tessera_result tessera_system_write(struct tessera_system *system, unsigned chip, unsigned x, unsigned y,
                                         uint64_t address, const void *bytes, size_t length);

/* Runs all chips for so many cycles, or less: TESSERA_LIMIT, or TESSERA_DONE (nothing can happen any more), TESSERA_HANG (the same, and a core
 * waits), TESSERA_FAULT (tessera_system_error has it, with its chip). */
enum tessera_result tessera_system_run(struct tessera_system *system, uint64_t cycles);
uint64_t tessera_system_cycle(const struct tessera_system *system);
/* One line about the last call that did not succeed; "" if it did. */
const char *tessera_system_error(const struct tessera_system *system);

/* Of the state of all chips and of the frames on their way between them. */
uint64_t tessera_system_hash(const struct tessera_system *system);
/* The state as bytes, for a system with the same chips and links; tessera_system_free frees them. After a restore that was refused the
 * system may be in neither state. */
enum tessera_result tessera_system_save(const struct tessera_system *system, void **state, size_t *length);
enum tessera_result tessera_system_restore(struct tessera_system *system, const void *state, size_t length);
void tessera_system_free(void *state);

#ifdef __cplusplus
}
#endif

#endif
