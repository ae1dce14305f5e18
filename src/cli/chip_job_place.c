/* Tiles and memory of a program description: the tiles of a place, and the statement that claimed each range. */
#include <stdio.h>
#include <string.h>

#include "cli/chip_job.h"
#include "cli/cli.h"

/* Translated coordinates (tessera/chip.h). */
#define MIDDLE_X 8u /* L2CPU, ARC; DRAM */
#define EAST_DRAM_X 9u
#define TENSIX_Y 2u
#define TENSIX_X_END 17u
#define TENSIX_Y_END 12u
#define BANK_X 17u
#define BANK_Y 12u
#define BANKS_PER_COLUMN 4u
#define PORTS_PER_BANK 3u

struct chip_at chip_job_bank(unsigned bank) {
  return (struct chip_at){(uint8_t)(BANK_X + bank / BANKS_PER_COLUMN),
                          (uint8_t)(BANK_Y + PORTS_PER_BANK * (bank % BANKS_PER_COLUMN))};
}

bool chip_job_product(const struct chip_job *j) {
  char list[128] = "";
  size_t used = 0;
  for (unsigned i = 0; tessera_chip_product(i)[0]; i++) {
    if (strcmp(tessera_chip_product(i), j->d.product) == 0) return true;
    if (used < sizeof list)
      used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", tessera_chip_product(i));
  }
  return chip_file_refuse(&j->d, j->d.product_line, "products are %s, not '%s'", list, j->d.product);
}

static bool is_tensix(const struct chip_job *j, unsigned x, unsigned y) {
  struct tessera_node node;
  return y >= TENSIX_Y && y < TENSIX_Y_END && x < TENSIX_X_END && tessera_chip_node(j->chip, x, y, &node) == TESSERA_OK &&
         node.kind == TESSERA_NODE_TENSIX && node.good;
}

unsigned chip_job_tiles(struct chip_job *j, const struct chip_statement *s, struct chip_at tiles[CHIP_JOB_TILES]) {
  const struct chip_place *p = &s->place;
  unsigned count = 0;
  for (unsigned y = p->y0; y <= p->y1; y++)
    for (unsigned x = p->x0; x <= p->x1; x++) {
      if ((x == MIDDLE_X || x == EAST_DRAM_X) && p->x0 < MIDDLE_X && p->x1 > EAST_DRAM_X) continue;
      if (!is_tensix(j, x, y)) {
        chip_file_refuse(&j->d, s->line ? s->line : j->d.grid_line, "(%u, %u) is not a Tensix tile of product %s", x, y,
                         j->d.product);
        return 0;
      }
      tiles[count++] = (struct chip_at){(uint8_t)x, (uint8_t)y};
    }
  return count;
}

/* The three ports of a DRAM controller access the same bytes. */
static unsigned target_of(struct chip_at at, const struct tessera_node *node) {
  return node->kind == TESSERA_NODE_DRAM ? 1u << 16 | node->index : (unsigned)at.x << 8 | at.y;
}

/* The first range in order that ends after `first` of this target. */
static size_t range_after(const struct chip_job *j, unsigned target, uint64_t first) {
  size_t low = 0, high = j->range_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    const struct chip_range *r = &j->ranges[middle];
    if (r->target < target || (r->target == target && r->end <= first)) low = middle + 1;
    else high = middle;
  }
  return low;
}

static const struct chip_range *overlap(const struct chip_job *j, unsigned target, uint64_t first, uint64_t end) {
  size_t at = range_after(j, target, first);
  const struct chip_range *r = at < j->range_count ? &j->ranges[at] : NULL;
  return r && r->target == target && end > r->first ? r : NULL;
}

bool chip_job_claim(struct chip_job *j, struct chip_at at, uint64_t address, uint64_t length, unsigned line) {
  struct tessera_node node;
  if (tessera_chip_node(j->chip, at.x, at.y, &node) != TESSERA_OK)
    return chip_file_refuse(&j->d, line, "there is no tile at (%u, %u)", at.x, at.y);
  if (!node.good) return chip_file_refuse(&j->d, line, "DRAM controller %u is fused off", node.index);
  if (address >= node.bytes || length > node.bytes - address)
    return chip_file_refuse(&j->d, line, "0x%llx bytes at 0x%llx do not fit into %s (%u, %u), which has 0x%llx",
                            (unsigned long long)length, (unsigned long long)address,
                            node.kind == TESSERA_NODE_DRAM ? "DRAM" : "L1 of", at.x, at.y, (unsigned long long)node.bytes);
  unsigned target = target_of(at, &node);
  const struct chip_range *r = overlap(j, target, address, address + length);
  if (r) {
    char place[CHIP_FILE_PLACE];
    if (r->line && r->line < CHIP_OPTION_LINES) snprintf(place, sizeof place, "line %u", r->line);
    else chip_file_place(&j->d, r->line, place);
    return chip_file_refuse(&j->d, line, "0x%llx bytes at 0x%llx of (%u, %u) overlap those of %s",
                            (unsigned long long)length, (unsigned long long)address, at.x, at.y,
                            place[0] ? place : "the kernels");
  }
  if (!cli_reserve((void **)&j->ranges, &j->range_capacity, j->range_count + 1, sizeof *j->ranges))
    return chip_file_refuse(&j->d, line, "out of memory");
  if (!length) return true;
  size_t place = range_after(j, target, address);
  memmove(&j->ranges[place + 1], &j->ranges[place], (j->range_count++ - place) * sizeof *j->ranges);
  j->ranges[place] = (struct chip_range){.target = target, .first = address, .end = address + length, .line = line};
  return true;
}

uint64_t chip_job_free_from(const struct chip_job *j, struct chip_at at, uint64_t from, uint64_t length) {
  struct tessera_node node;
  const struct chip_range *r;
  if (tessera_chip_node(j->chip, at.x, at.y, &node) != TESSERA_OK) return from;
  unsigned target = target_of(at, &node);
  while ((r = overlap(j, target, from, from + length))) from = (r->end + 63) & ~UINT64_C(63);
  return from;
}

uint32_t chip_job_room(struct chip_job *j, struct chip_at tile, uint32_t length) {
  uint64_t at = TESSERA_LAUNCH_HEAP;
  unsigned target = (unsigned)tile.x << 8 | tile.y;
  const struct chip_range *r;
  while (at + length <= TESSERA_L1_BYTES && (r = overlap(j, target, at, at + length))) at = (r->end + 63) & ~UINT64_C(63);
  return at + length <= TESSERA_L1_BYTES ? (uint32_t)at : 0;
}
