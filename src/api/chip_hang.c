/* The hang of a chip as a value (include/tessera/chip.h), from observe/hang/chip.h. */
#include "api/chip_hang.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/chip_value.h"
#include "api/tile_value.h"
#include "observe/hang/chip.h"

static const struct dbg_program *program_of(void *context, unsigned tile) {
  struct tessera_chip *chip = context;
  if (chip_grid(chip->chip)->slot[tile].kind != CHIP_TENSIX) return NULL;
  struct tx_tile *t = chip_tensix(chip->chip, tile);
  return t ? &((const struct tessera_tile *)(const void *)((const char *)t - offsetof(struct tessera_tile, tile)))->program
           : NULL;
}

const struct obs_chip_hang *api_chip_hang(struct tessera_chip *chip) {
  if (chip->end != CHIP_END_BLOCKED || chip_fault(chip->chip, NULL)) return NULL;
  if (!chip->hang) chip->hang = obs_chip_hang_find(chip->chip, program_of, chip);
  return chip->hang;
}

void api_chip_forget_hang(struct tessera_chip *chip) {
  free(chip->hang);
  chip->hang = NULL;
}

/* The report of one tile shows the hang of the chip, unless only this tile has run. */
void api_chip_of_hang(const struct tessera_tile *tile, struct obs_report *r) {
  const struct obs_chip_hang *hang = api_chip_hang(tile->chip);
  if (!hang || hang->ran < 2) return;
  r->chip = tile->chip->chip;
  r->chip_hang = hang;
}

int tessera_chip_hang(struct tessera_chip *chip, struct tessera_hang *hang) {
  if (!hang) return 0;
  memset(hang, 0, sizeof *hang);
  const struct obs_chip_hang *found = api_is_chip(chip) ? api_chip_hang(chip) : NULL;
  if (!found) return 0;
  hang->cycle = found->cycle;
  hang->deadlock = found->deadlock;
  hang->waiter_count = found->waiter_count;
  for (uint32_t i = 0; i < found->chain_count && i < TESSERA_WAITERS_MAX; i++)
    hang->chain[hang->chain_count++] = found->chain[i];
  snprintf(hang->cause, sizeof hang->cause, "%s", found->cause);
  return 1;
}

enum tessera_result tessera_chip_waiter(struct tessera_chip *chip, size_t index, struct tessera_waiter *waiter) {
  const struct obs_chip_hang *found = api_is_chip(chip) ? api_chip_hang(chip) : NULL;
  if (!found || !waiter || index >= found->waiter_count) return TESSERA_INVALID;
  const struct obs_chip_waiter *w = &found->waiters[index];
  api_copy_waiter(waiter, &w->wait);
  if (w->other < CHIP_TILES) {
    uint16_t place = chip_grid(chip->chip)->slot[w->other].logical;
    waiter->other_x = place & 63;
    waiter->other_y = place >> 6;
  }
  if (w->why[0]) snprintf(waiter->why, sizeof waiter->why, "%s", w->why);
  return TESSERA_OK;
}

enum tessera_result tessera_chip_party(struct tessera_chip *chip, size_t index, struct tessera_party *party) {
  const struct obs_chip_hang *found = api_is_chip(chip) ? api_chip_hang(chip) : NULL;
  if (!found || !party || index >= found->party_count) return TESSERA_INVALID;
  uint16_t place = chip_grid(chip->chip)->slot[found->parties[index].tile].logical;
  api_copy_party(party, &found->parties[index].party, place & 63, place >> 6 & 63);
  return TESSERA_OK;
}
