/* Shared by the files of a chip's API. */
#ifndef TESSERA_API_CHIP_H
#define TESSERA_API_CHIP_H

#include "api/chip_value.h"

/* Makes chip->text hold at least `needed` bytes; false: out of memory. */
bool api_chip_room(struct tessera_chip *chip, size_t needed);
/* Tensix tile number `tile` if it was accessed before; else NULL. */
struct tessera_tile *api_chip_touched_tile(struct tessera_chip *chip, unsigned tile);
/* Call before a run: connects the checkers of the tiles with each other and with DRAM. false: out of memory. */
bool api_chip_join_checks(struct tessera_chip *chip);
/* The first tile with a KERNEL_CHECK that did not hold, or CHIP_TILES. */
unsigned api_chip_failed_tile(const struct tessera_chip *chip);
/* The id of the tile at these coordinates, or CHIP_NO_TILE. */
unsigned api_chip_tile_at(const struct tessera_chip *chip, unsigned x, unsigned y);
/* Keeps the error line of tessera_chip_error and returns `result`. */
enum tessera_result api_chip_refuse(struct tessera_chip *chip, enum tessera_result result, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Before the chip runs, or calls a write function: no call may change it or its tiles. false: it does so already. */
bool api_enter_chip(struct tessera_chip *chip);
void api_leave_chip(struct tessera_chip *chip);
enum tessera_result api_chip_result(const struct tessera_chip *chip); /* of the last run */

#endif
