/* The handle of a chip, shared by the files of its API. */
#ifndef TESSERA_API_CHIP_H
#define TESSERA_API_CHIP_H

#include "api/handle.h"
#include "check/check.h"
#include "chip/chip.h"
#include "tessera/chip.h"

struct obs_chip_hang;
struct api_chip_trace;

struct tessera_chip {
  struct api_handle handle; /* first: API_CHIP */
  struct chip *chip;
  struct tessera_host_memory host;
  enum chip_end end;
  int code;                   /* tessera_chip_set_exit_code, + 1; 0: the chip's own */
  struct chk_chip checks;     /* checkers of the tiles, for the run */
  struct obs_chip_hang *hang; /* of the last run, built at the first call that needs it; else NULL */
  tessera_packet_fn *packet_hook;
  void *packet_context;
  struct api_chip_trace *trace; /* NULL: no trace is written */
  char error[256];              /* one line about the last rejected access or restore */
  char *text;
  size_t text_size;
};

static inline bool api_is_chip(const struct tessera_chip *chip) { return api_is(chip, API_CHIP); }
/* The hang of the last run; NULL: there is none, or out of memory. The chip owns it. */
const struct obs_chip_hang *api_chip_hang(struct tessera_chip *chip);
/* Makes chip->text hold at least `needed` bytes; false: out of memory. */
bool api_chip_room(struct tessera_chip *chip, size_t needed);
void api_chip_forget_hang(struct tessera_chip *chip);
/* Tensix tile number `tile` if it was accessed before; else NULL. */
struct tessera_tile *api_chip_touched_tile(struct tessera_chip *chip, unsigned tile);
/* Call before a run: connects the checkers of the tiles with each other and with DRAM. false: out of memory. */
bool api_chip_join_checks(struct tessera_chip *chip);
/* The first tile with a KERNEL_CHECK that did not hold, or CHIP_TILES. */
unsigned api_chip_failed_tile(const struct tessera_chip *chip);
enum tessera_result api_chip_result(const struct tessera_chip *chip); /* of the last run */

#endif
