/* The memory of a chip (L1 of all tiles and DRAM) after a run, and the first word that differs from that of another run. */
#ifndef TESSERA_CHECK_MEMORY_H
#define TESSERA_CHECK_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct chip;

struct chk_range {
  uint32_t tile; /* of DRAM: the first port of the controller */
  uint64_t address, length;
};

struct chk_compared {
  const struct chk_range *output; /* compared first */
  uint32_t outputs;
  bool outputs_only;
  const struct chk_range *ignore;
  uint32_t ignored;
};

struct chk_difference {
  uint32_t tile;
  uint64_t address; /* of the word */
  uint32_t expected, found;
  bool output;
};

struct chk_memory;

/* A copy; NULL: out of memory. */
struct chk_memory *chk_memory_take(struct chip *chip);
void chk_memory_free(struct chk_memory *m);
uint64_t chk_memory_hash(const struct chk_memory *m);
/* Does the chip's memory differ? Finds the first word: of an output if one differs. `failed` is set when out of memory. */
bool chk_memory_differs(const struct chk_memory *m, struct chip *chip, const struct chk_compared *compared,
                        struct chk_difference *first, bool *failed);

/* A chip's whole state, to be put into other chips of the same configuration. */
struct chk_start;
struct chk_start *chk_start_take(const struct chip *chip);
bool chk_start_put(const struct chk_start *s, struct chip *chip);
void chk_start_free(struct chk_start *s);

#endif
