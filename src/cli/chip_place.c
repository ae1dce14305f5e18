/* Tiles and memory of a program description: which tile ids a place names, and who has claimed which bytes. */
#include "cli/chip_job.h"
#include "load/case_text.h"
#include "tensix/mem/l1.h"

#define DRAM_BANK_BYTES UINT64_C(0xFF000000)
#define MIDDLE_X 8u /* L2CPU, ARC; DRAM */
#define EAST_DRAM_X 9u

unsigned chip_job_bank(const struct chip_job *j, unsigned bank) {
  return chip_tile_of(chip_grid(j->chip), 0, 17 + bank / 4, 12 + 3 * (bank % 4));
}

unsigned chip_job_tiles(struct chip_job *j, const struct chip_statement *s, uint16_t tiles[CHIP_JOB_TILES],
                        uint8_t xs[CHIP_JOB_TILES], uint8_t ys[CHIP_JOB_TILES]) {
  const struct chip_grid *grid = chip_grid(j->chip);
  const struct chip_place *p = &s->place;
  unsigned count = 0;
  for (unsigned y = p->y0; y <= p->y1; y++)
    for (unsigned x = p->x0; x <= p->x1; x++) {
      if ((x == MIDDLE_X || x == EAST_DRAM_X) && p->x0 < MIDDLE_X && p->x1 > EAST_DRAM_X) continue;
      unsigned tile = chip_tile_of(grid, 0, x, y);
      bool known = tile != CHIP_NO_TILE && y >= 2 && y < CHIP_GRID_Y && x < CHIP_GRID_X &&
                   grid->slot[tile].kind == CHIP_TENSIX && grid->slot[tile].good;
      if (!known) {
        chip_file_refuse(&j->d, s->line, "(%u, %u) is no Tensix tile of product %s", x, y, j->d.product);
        return 0;
      }
      tiles[count] = (uint16_t)tile;
      xs[count] = (uint8_t)x;
      ys[count++] = (uint8_t)y;
    }
  return count;
}

static unsigned target_of(const struct chip_job *j, unsigned tile) {
  const struct chip_slot *slot = &chip_grid(j->chip)->slot[tile];
  return slot->kind == CHIP_DRAM ? CHIP_TILES + slot->index : tile;
}

static const struct chip_range *overlap(const struct chip_job *j, unsigned target, uint64_t first, uint64_t end) {
  for (size_t i = 0; i < j->range_count; i++) {
    const struct chip_range *r = &j->ranges[i];
    if (r->target == target && first < r->end && end > r->first) return r;
  }
  return NULL;
}

bool chip_job_claim(struct chip_job *j, unsigned tile, uint64_t address, uint64_t length, unsigned line) {
  const struct chip_slot *slot = &chip_grid(j->chip)->slot[tile];
  uint64_t bytes = slot->kind == CHIP_DRAM ? DRAM_BANK_BYTES : TX_L1_BYTES;
  unsigned x = slot->logical & 63u, y = slot->logical >> 6;
  if (!slot->good) return chip_file_refuse(&j->d, line, "DRAM controller %u is fused off", slot->index);
  if (address >= bytes || length > bytes - address)
    return chip_file_refuse(&j->d, line, "0x%llx bytes at 0x%llx do not fit into %s (%u, %u), which has 0x%llx",
                            (unsigned long long)length, (unsigned long long)address,
                            slot->kind == CHIP_DRAM ? "DRAM" : "L1 of", x, y, (unsigned long long)bytes);
  const struct chip_range *r = overlap(j, target_of(j, tile), address, address + length);
  if (r)
    return chip_file_refuse(&j->d, line, "0x%llx bytes at 0x%llx of (%u, %u) overlap what line %u puts there",
                            (unsigned long long)length, (unsigned long long)address, x, y, r->line);
  if (!case_grow((void **)&j->ranges, &j->range_capacity, j->range_count + 1, sizeof *j->ranges))
    return chip_file_refuse(&j->d, line, "out of memory");
  j->ranges[j->range_count++] =
      (struct chip_range){.target = target_of(j, tile), .first = address, .end = address + length, .line = line};
  return true;
}

uint32_t chip_job_room(struct chip_job *j, unsigned tile, uint32_t length) {
  uint64_t at = LAUNCH_HEAP;
  const struct chip_range *r;
  while (at + length <= TX_L1_BYTES && (r = overlap(j, tile, at, at + length))) at = (r->end + 63) & ~UINT64_C(63);
  return at + length <= TX_L1_BYTES ? (uint32_t)at : 0;
}
