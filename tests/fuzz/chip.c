/* Fuzz target: code for the BRISCs of two tiles of a chip, which reach the NoC through their registers. */
#include "tessera/chip.h"
#include "tessera/tensix.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct tessera_chip *chip = tessera_chip_create(NULL);
  for (unsigned x = 1; x < 3; x++) {
    size_t half = size / 2;
    tessera_chip_write(chip, x, 2, 0, data + (x - 1) * half, half > 4096 ? 4096 : half);
    tessera_tile_start(tessera_chip_tile(chip, x, 2), 1u << TESSERA_BRISC);
  }
  tessera_chip_run(chip, 3000);
  tessera_chip_explain(chip);
  tessera_chip_destroy(chip);
  return 0;
}
