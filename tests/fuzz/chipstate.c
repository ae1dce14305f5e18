/* Fuzz target: damaged saved states of a chip whose checksum was recomputed. The chip rejects the state, or restores it, runs 2,000 cycles
 * and is saved; the state saved after it is restored too, and so is an undamaged state.
 *
 *   0       number of damages applied, modulo 9; divided by 9: observers (observers.h) of the chip that restores the state, from bit 3 on of the
 *           one that saved it
 *   1       bit 0: cycle timing; bit 1: BRISC of the second tile starts too
 *   2  3    cycles before the state is saved, little-endian
 *   4  67   eight damages: offset (4 bytes; its base depends on the kind), kind (1), one unused byte, value (2)
 *   68      code of BRISC, from address 0 of both tiles */
#include <stdlib.h>
#include <string.h>

#include "chip/chip.h"
#include "observers.h"
#include "tessera/chip.h"

#define DAMAGES 8u
#define PROGRAM 68u
#define HEAD 1024u /* the head and the first endpoint's trail lie here; the network and its packets lie at the end */
#define TAIL 65536u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct tessera_chip *make_chip(unsigned cycle) {
  struct tessera_chip_options options = {.timing = cycle ? TESSERA_TIMING_CYCLE : TESSERA_TIMING_OFF, .threads = 1};
  struct tessera_chip *chip = tessera_chip_create(&options);
  if (!chip) abort();
  return chip;
}

static void load(struct tessera_chip *chip, const uint8_t *data, size_t size) {
  size_t length = size - PROGRAM > 4096 ? 4096 : size - PROGRAM;
  for (unsigned x = 1; x < 3; x++) {
    tessera_chip_write(chip, x, 2, 0, data + PROGRAM, length);
    if (x == 1 || data[1] & 2u) tessera_tile_start(tessera_chip_tile(chip, x, 2), 1u << TESSERA_BRISC);
  }
}

/* Bytes and words in the head, at the end or anywhere: set, one bit flipped, incremented, decremented. */
static void damage(uint8_t *state, size_t size, const uint8_t *how) {
  uint32_t place = (uint32_t)how[0] | (uint32_t)how[1] << 8 | (uint32_t)how[2] << 16 | (uint32_t)how[3] << 24;
  uint32_t value = (uint32_t)how[6] | (uint32_t)how[7] << 8, word;
  size_t end = size - sizeof word;
  size_t tail = end < TAIL ? end : TAIL;
  uint8_t *at = state + (how[4] / 6 % 3 == 0 ? place % HEAD : how[4] / 6 % 3 == 1 ? end - place % tail : place % end);
  memcpy(&word, at, sizeof word);
  switch (how[4] % 6) {
    case 0: at[0] = (uint8_t)value; return;
    case 1: at[0] = (uint8_t)(at[0] ^ 1u << value % 8); return;
    case 2: word = value; break;
    case 3: word = ~value; break;
    case 4: word++; break;
    default: word--; break;
  }
  memcpy(at, &word, sizeof word);
}

static void observe(struct tessera_chip *chip, unsigned which) {
  for (unsigned x = 1; x < 3; x++) fuzz_observe(tessera_chip_tile(chip, x, 2), which);
}

/* Calls on a restored chip. */
static void use(struct tessera_chip *chip, struct tessera_chip *other) {
  void *state = NULL;
  size_t size = 0;
  tessera_chip_run(chip, 2000);
  tessera_chip_explain(chip);
  tessera_chip_report(chip);
  tessera_chip_report_json(chip);
  if (tessera_chip_save(chip, &state, &size) != TESSERA_OK) abort();
  if (tessera_chip_restore(other, state, size) != TESSERA_OK) abort();
  if (tessera_chip_hash(chip) != tessera_chip_hash(other)) abort();
  tessera_chip_free(state);
}

/* One chip without and one with cycle timing, and their fresh states. */
static struct tessera_chip *kept[2];
static void *fresh[2];
static size_t fresh_size[2];

/* The leak checker does not scan the memory of tiles, which comes from mmap. */
static void destroy_kept(void) {
  for (unsigned i = 0; i < 2; i++) {
    tessera_chip_free(fresh[i]);
    tessera_chip_destroy(kept[i]);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  void *state = NULL;
  size_t length = 0;
  if (size < PROGRAM + 4) return 0;
  unsigned cycle = data[1] & 1u;
  if (!kept[0] && !kept[1]) atexit(destroy_kept);
  if (!kept[cycle]) {
    kept[cycle] = make_chip(cycle);
    if (tessera_chip_save(kept[cycle], &fresh[cycle], &fresh_size[cycle]) != TESSERA_OK) abort();
  }
  struct tessera_chip *chip = kept[cycle];
  if (tessera_chip_restore(chip, fresh[cycle], fresh_size[cycle]) != TESSERA_OK) abort();
  observe(chip, data[0] / (DAMAGES + 1) >> 3);
  load(chip, data, size);
  tessera_chip_run(chip, (data[2] | (uint64_t)data[3] << 8) % 4096);
  if (tessera_chip_save(chip, &state, &length) != TESSERA_OK) abort();
  for (unsigned i = 0; i < data[0] % (DAMAGES + 1); i++) damage(state, length, data + 4 + 8 * i);
  chip_seal(state, length);
  observe(chip, data[0] / (DAMAGES + 1) & 7u);
  if (tessera_chip_restore(chip, state, length) == TESSERA_OK) {
    struct tessera_chip *other = make_chip(cycle);
    use(chip, other);
    tessera_chip_destroy(other);
  } else if (!(data[0] % (DAMAGES + 1))) {
    abort(); /* this one is valid */
  }
  tessera_chip_free(state);
  return 0;
}
