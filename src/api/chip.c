/* The public C API of include/tessera/chip.h over the chip. */
#include "api/chip.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/chip_hang.h"
#include "api/texts.h"
#include "api/tile.h"
#include "observe/account/profile.h"
#include "observe/hang/chip.h"
#include "observe/hang/chip_progress.h"
#include "observe/report/chip.h"
#include "observe/report/chip_figures.h"

_Static_assert(TESSERA_TENSIX_TILES == CHIP_TENSIX_TILES && TESSERA_DRAM_BANKS == CHIP_DRAMS,
               "include/tessera/chip.h and the chip's grid");

/* --- the host's memory --- */

static bool host_read(void *host, uint64_t address, void *bytes, size_t length) {
  const struct tessera_host_memory *h = &((struct tessera_chip *)host)->host;
  return h->read && h->read(h->host, address, bytes, length) != 0;
}

static bool host_write(void *host, uint64_t address, const void *bytes, size_t length) {
  const struct tessera_host_memory *h = &((struct tessera_chip *)host)->host;
  return h->write && h->write(h->host, address, bytes, length) != 0;
}

/* --- life --- */

static bool harvest_of(const struct tessera_chip_options *options, struct chip_harvest *harvest) {
  const struct chip_product *product = chip_product_find(options->product ? options->product : "full");
  bool own =
      !options->product && (options->harvest_tensix || options->harvest_ethernet || options->harvest_dram || options->pcie);
  if (!product) return false;
  *harvest = product->harvest;
  if (own)
    *harvest = (struct chip_harvest){.tensix = options->harvest_tensix,
                                     .ethernet = options->harvest_ethernet,
                                     .dram = options->harvest_dram,
                                     .pcie = options->pcie};
  return true;
}

struct tessera_chip *tessera_chip_create(const struct tessera_chip_options *options) {
  static const struct tessera_chip_options none = {.timing = TESSERA_TIMING_CYCLE};
  const char *why;
  if (!options) options = &none;
  struct tessera_chip *chip = (unsigned)options->timing <= TESSERA_TIMING_CYCLE ? calloc(1, sizeof *chip) : NULL;
  if (!chip) return NULL;
  chip->host = options->host;
  struct chip_config config = {
      .timing = options->timing == TESSERA_TIMING_CYCLE,
      .noc_at_once = options->noc_at_once,
      .threads = options->threads,
      .host = {chip, options->host.read ? host_read : NULL, options->host.write ? host_write : NULL},
      .tile_bytes = sizeof(struct tessera_tile),
      .tile_offset = offsetof(struct tessera_tile, tile),
      .tile_made = api_tile_made,
      .tile_gone = api_tile_gone};
  if (harvest_of(options, &config.harvest)) chip->chip = chip_create(&config, &why);
  if (!chip->chip) {
    free(chip);
    return NULL;
  }
  chip->handle.magic = API_CHIP;
  chip->end = CHIP_END_TIME;
  return chip;
}

void tessera_chip_destroy(struct tessera_chip *chip) {
  if (!api_is_chip(chip) || chip->handle.sessions) return;
  chip->handle.magic = 0;
  obs_chip_progress_reset(&chip->progress);
  chip_destroy(chip->chip);
  api_chip_forget_hang(chip);
  free(chip->trace);
  chk_dram_free(chip->checks.dram);
  free(chip->text);
  free(chip);
}

const char *tessera_chip_product(unsigned index) {
  const struct chip_product *product = chip_product_at(index);
  return product ? product->name : "";
}

/* --- tiles and memory --- */

unsigned api_chip_tile_at(const struct tessera_chip *chip, unsigned x, unsigned y) {
  return x < 64 && y < 64 ? chip_tile_of(chip_grid(chip->chip), 0, x, y) : CHIP_NO_TILE;
}

_Static_assert((int)TESSERA_NODE_L2CPU == (int)CHIP_L2CPU && (int)TESSERA_NODE_DRAM == (int)CHIP_DRAM &&
                   (int)TESSERA_NODE_KINDS == (int)CHIP_KINDS,
               "the public kinds are the grid's own");

const char *tessera_node_kind_name(enum tessera_node_kind kind) {
  return (unsigned)kind < CHIP_KINDS ? chip_kind_name((unsigned)kind) : "?";
}

enum tessera_result tessera_chip_node(const struct tessera_chip *chip, unsigned x, unsigned y, struct tessera_node *node) {
  unsigned tile = api_is_read_chip(chip) ? api_chip_tile_at(chip, x, y) : CHIP_NO_TILE;
  if (tile >= CHIP_TILES || !node) return TESSERA_INVALID;
  const struct chip_slot *slot = &chip_grid(chip->chip)->slot[tile];
  *node = (struct tessera_node){.kind = (enum tessera_node_kind)slot->kind,
                                .good = slot->good,
                                .index = slot->index,
                                .noc_x = slot->x,
                                .noc_y = slot->y,
                                .bytes = slot->kind == CHIP_TENSIX ? TX_L1_BYTES
                                         : slot->kind == CHIP_DRAM ? CHIP_DRAM_BYTES
                                                                   : 0};
  return TESSERA_OK;
}

struct tessera_tile *tessera_chip_tile(struct tessera_chip *chip, unsigned x, unsigned y) {
  struct tx_tile *t = api_is_chip(chip) ? chip_tensix(chip->chip, api_chip_tile_at(chip, x, y)) : NULL;
  if (!t) return NULL;
  struct tessera_tile *tile = (struct tessera_tile *)(void *)((char *)t - offsetof(struct tessera_tile, tile));
  tile->chip_files = &chip->files;
  return tile;
}

enum tessera_result api_chip_refuse(struct tessera_chip *chip, enum tessera_result result, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(chip->error, sizeof chip->error, format, args);
  va_end(args);
  return result;
}

static enum tessera_result ok(struct tessera_chip *chip) {
  chip->error[0] = '\0';
  return TESSERA_OK;
}

const char *tessera_chip_error(const struct tessera_chip *chip) { return api_is_read_chip(chip) ? chip->error : ""; }

static enum tessera_result access_result(struct tessera_chip *chip, unsigned x, unsigned y, uint64_t address, bool done) {
  if (done) return ok(chip);
  if (chip_fault(chip->chip, NULL)) return api_chip_refuse(chip, TESSERA_FAULT, "the chip has faulted");
  if (api_chip_tile_at(chip, x, y) >= CHIP_TILES) return api_chip_refuse(chip, TESSERA_INVALID, "no tile is at %u,%u", x, y);
  return api_chip_refuse(chip, TESSERA_INVALID, "no memory or register of (%u, %u) allows this access at 0x%llx", x, y,
                         (unsigned long long)address);
}

enum tessera_result tessera_chip_read(struct tessera_chip *chip, unsigned x, unsigned y, uint64_t address, void *bytes,
                                      size_t length) {
  if (!api_is_chip(chip)) return TESSERA_INVALID;
  if (!bytes && length) return api_chip_refuse(chip, TESSERA_INVALID, "no memory given");
  return access_result(chip, x, y, address, chip_read(chip->chip, api_chip_tile_at(chip, x, y), address, bytes, length));
}

enum tessera_result tessera_chip_write(struct tessera_chip *chip, unsigned x, unsigned y, uint64_t address,
                                       const void *bytes, size_t length) {
  if (!api_is_chip(chip)) return TESSERA_INVALID;
  if (!bytes && length) return api_chip_refuse(chip, TESSERA_INVALID, "no memory given");
  chk_dram_forget(chip->checks.dram);
  obs_chip_progress_reset(&chip->progress);
  return access_result(chip, x, y, address, chip_write(chip->chip, api_chip_tile_at(chip, x, y), address, bytes, length));
}

/* The controller of a DRAM tile that has a range to be noted; NULL: it has none. */
static const struct chip_slot *noted_slot(const struct tessera_chip *chip, unsigned x, unsigned y, uint64_t length,
                                          const char *name) {
  unsigned tile = api_is_chip(chip) ? api_chip_tile_at(chip, x, y) : CHIP_NO_TILE;
  if (tile >= CHIP_TILES || !name || length > CHIP_DRAM_BYTES) return NULL;
  const struct chip_slot *slot = &chip_grid(chip->chip)->slot[tile];
  return slot->kind == CHIP_DRAM ? slot : NULL;
}

enum tessera_result tessera_chip_note_format(struct tessera_chip *chip, unsigned x, unsigned y, uint64_t address,
                                             uint64_t length, unsigned format, const char *name) {
  const struct chip_slot *slot = noted_slot(chip, x, y, length, name);
  if (!slot || format > 15) return TESSERA_INVALID;
  return chk_note_tensor(&chip->checks, slot->index, address, length, format, name) ? TESSERA_OK : TESSERA_INVALID;
}

enum tessera_result tessera_chip_note_range(struct tessera_chip *chip, unsigned x, unsigned y, uint64_t address,
                                            uint64_t length, const char *name) {
  const struct chip_slot *slot = noted_slot(chip, x, y, length, name);
  if (!slot) return TESSERA_INVALID;
  return chk_note_range(&chip->checks, slot->index, address, length, name) ? TESSERA_OK : TESSERA_INVALID;
}

enum tessera_result tessera_chip_broadcast(struct tessera_chip *chip, unsigned x_start, unsigned y_start, unsigned x_end,
                                           unsigned y_end, uint64_t address, const void *bytes, size_t length) {
  unsigned raw[4];
  if (!api_is_chip(chip)) return TESSERA_INVALID;
  if (!bytes && length) return api_chip_refuse(chip, TESSERA_INVALID, "no memory given");
  unsigned start = api_chip_tile_at(chip, x_start, y_start), end = api_chip_tile_at(chip, x_end, y_end);
  if (start >= CHIP_TILES) return access_result(chip, x_start, y_start, address, false);
  if (end >= CHIP_TILES) return access_result(chip, x_end, y_end, address, false);
  chip_raw_of_tile(0, start, &raw[0], &raw[1]);
  chip_raw_of_tile(0, end, &raw[2], &raw[3]);
  obs_chip_progress_reset(&chip->progress);
  struct noc_place from = {(uint8_t)raw[0], (uint8_t)raw[1]}, to = {(uint8_t)raw[2], (uint8_t)raw[3]};
  return access_result(chip, x_start, y_start, address,
                       chip_write_rectangle(chip->chip, 0, from, to, address, bytes, length) != 0);
}

/* --- runs --- */

unsigned api_chip_failed_tile(const struct tessera_chip *chip) {
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
    const struct chip_endpoint *e = chip_endpoint_peek(chip->chip, tile);
    if (!e->self || e->slot->kind != CHIP_TENSIX) continue;
    const struct tx_tile *t = e->self;
    const struct tessera_tile *whole = (const void *)((const char *)t - offsetof(struct tessera_tile, tile));
    if (dbg_program_failed_core(&whole->program, t, (1u << TX_CORES) - 1) >= 0) return tile;
  }
  return CHIP_TILES;
}

static bool check_failed(const void *chip) { return api_chip_failed_tile(chip) < CHIP_TILES; }

enum tessera_result api_chip_result(const struct tessera_chip *chip) {
  if (check_failed(chip)) return TESSERA_FAULT;
  switch (chip->end) {
    case CHIP_END_TIME: return TESSERA_LIMIT;
    case CHIP_END_DONE: return TESSERA_DONE;
    case CHIP_END_BLOCKED: return TESSERA_HANG;
    case CHIP_END_FAULT: return TESSERA_FAULT;
    default: return TESSERA_STOPPED;
  }
}

struct tessera_tile *api_chip_touched_tile(struct tessera_chip *chip, unsigned tile) {
  const struct chip_endpoint *e = chip_endpoint_peek(chip->chip, tile);
  if (!e->self || e->slot->kind != CHIP_TENSIX) return NULL;
  return (struct tessera_tile *)(void *)((char *)e->self - offsetof(struct tessera_tile, tile));
}

static void pass_memory(void *context, unsigned controller, const struct noc_packet *packet) {
  const struct tessera_chip *chip = context;
  chk_dram_arrives(&chip->checks, controller, packet);
}

bool api_chip_join_checks(struct tessera_chip *chip) {
  bool any = false;
  for (unsigned i = 0; i < CHIP_TILES; i++) {
    struct tessera_tile *tile = api_chip_touched_tile(chip, i);
    bool checked = tile && tile->check && chk_kinds(tile->check);
    chip->checks.of[i] = checked ? tile->check : NULL;
    chip->checks.logical[i] = chip_endpoint_peek(chip->chip, i)->slot->logical;
    if (!checked) continue;
    chk_program(tile->check, &tile->program);
    chk_join_chip(tile->check, &chip->checks, i);
    any = true;
  }
  if (any && !chip->checks.dram && !(chip->checks.dram = chk_dram_create())) return false;
  chip_watch_memory(chip->chip, any ? pass_memory : NULL, chip);
  return true;
}

/* The result of the run, set in every tile. A tile that hangs keeps its own result. */
static enum sim_end end_of_tiles(const struct tessera_chip *chip) {
  switch (chip->end) {
    case CHIP_END_DONE: return SIM_END_DONE;
    case CHIP_END_BLOCKED: return SIM_END_BLOCKED;
    case CHIP_END_FAULT: return SIM_END_STOPPED;
    default: return SIM_END_TIME;
  }
}

/* Finishes checkers and account of each tile, as at the end of a run of a single tile. */
static void after_run(struct tessera_chip *chip) {
  enum sim_end end = end_of_tiles(chip);
  sim_time last =
      end == SIM_END_DONE ? obs_chip_end(chip->chip) : chip_now(chip->chip); /* the clock goes on after the end */
  for (unsigned i = 0; i < CHIP_TILES; i++) {
    struct tessera_tile *tile = api_chip_touched_tile(chip, i);
    if (!tile) continue;
    tile->chip = chip;
    tile->ended = end == SIM_END_DONE ? last : 0;
    tile->logical = chip_endpoint_peek(chip->chip, i)->slot->logical;
    api_end(tile, end);
    if (tile->profile) obs_profile_settle(tile->profile, api_account_end(tile, last));
    if (tile->check && tile->stop.reason == TESSERA_STOP_DONE) chk_finish(tile->check);
    if (tile->check && tile->stop.reason == TESSERA_STOP_HANG) chk_hung(tile->check);
  }
}

/* Has the caller changed a tile since the last run? A write to the chip resets the detection itself. */
static bool forget_changes(struct tessera_chip *chip) {
  bool any = false;
  for (unsigned i = 0; i < CHIP_TILES; i++) {
    struct tessera_tile *tile = api_chip_touched_tile(chip, i);
    if (!tile || !tile->changed) continue;
    tile->changed = false;
    any = true;
  }
  return any;
}

bool api_enter_chip(struct tessera_chip *chip) {
  if (!api_enter(&chip->handle)) return false;
  for (unsigned i = 0; i < CHIP_TILES; i++) {
    struct tessera_tile *tile = api_chip_touched_tile(chip, i);
    if (tile) __atomic_store_n(&tile->handle.running, 1u, __ATOMIC_RELEASE);
  }
  return true;
}

void api_leave_chip(struct tessera_chip *chip) {
  for (unsigned i = 0; i < CHIP_TILES; i++) {
    struct tessera_tile *tile = api_chip_touched_tile(chip, i);
    if (tile) api_leave(&tile->handle);
  }
  api_leave(&chip->handle);
}

static enum tessera_result run(struct tessera_chip *chip, uint64_t cycles) {
  sim_time now = chip_now(chip->chip), until = cycles < SIM_NEVER - 1 - now ? now + cycles : SIM_NEVER - 1;
  api_chip_forget_hang(chip);
  if (!api_chip_join_checks(chip)) return TESSERA_NO_MEMORY;
  chip->code = 0;
  if (forget_changes(chip)) obs_chip_progress_reset(&chip->progress);
  chip->end = obs_chip_run(&chip->progress, chip->chip, until, check_failed, chip);
  after_run(chip);
  return api_chip_result(chip);
}

enum tessera_result tessera_chip_run(struct tessera_chip *chip, uint64_t cycles) {
  if (!api_is_chip(chip) || !api_enter_chip(chip)) return TESSERA_INVALID;
  enum tessera_result result = run(chip, cycles);
  api_leave_chip(chip);
  return result;
}

static bool has_value(struct tessera_chip *chip, unsigned tile, uint64_t address, uint32_t mask, uint32_t value) {
  uint8_t raw[4];
  if (!chip_read(chip->chip, tile, address, raw, 4)) return false;
  uint32_t word = (uint32_t)raw[0] | (uint32_t)raw[1] << 8 | (uint32_t)raw[2] << 16 | (uint32_t)raw[3] << 24;
  return (word & mask) == value;
}

/* The host's condition ends the run of the chip and of every tile that was still running or waiting. */
static enum tessera_result condition_met(struct tessera_chip *chip) {
  api_chip_forget_hang(chip);
  chip->end = CHIP_END_STOPPED;
  for (unsigned i = 0; i < CHIP_TILES; i++) {
    struct tessera_tile *tile = api_chip_touched_tile(chip, i);
    if (!tile || (tile->stop.reason != TESSERA_STOP_LIMIT && tile->stop.reason != TESSERA_STOP_HANG)) continue;
    tile->end = SIM_END_STOPPED;
    tile->stop.reason = TESSERA_STOP_CONDITION;
  }
  return TESSERA_STOPPED;
}

enum tessera_result tessera_chip_run_until(struct tessera_chip *chip, unsigned x, unsigned y, uint64_t address,
                                           uint32_t mask, uint32_t value, uint64_t every, uint64_t cycles) {
  if (!api_is_chip(chip) || !every || api_chip_tile_at(chip, x, y) >= CHIP_TILES) return TESSERA_INVALID;
  if ((address & 3u) || (value & ~mask)) return TESSERA_INVALID;
  for (;;) {
    if (has_value(chip, api_chip_tile_at(chip, x, y), address, mask, value)) return condition_met(chip);
    if (!cycles) return TESSERA_LIMIT;
    uint64_t step = cycles < every ? cycles : every;
    enum tessera_result result = tessera_chip_run(chip, step);
    if (result != TESSERA_LIMIT)
      return result != TESSERA_FAULT && has_value(chip, api_chip_tile_at(chip, x, y), address, mask, value)
                 ? condition_met(chip)
                 : result;
    cycles -= step;
  }
}

uint64_t tessera_chip_cycle(const struct tessera_chip *chip) { return api_is_read_chip(chip) ? chip_now(chip->chip) : 0; }

/* --- texts --- */

bool api_chip_room(struct tessera_chip *chip, size_t needed) {
  if (needed <= chip->text_size) return true;
  if (needed < 4096) needed = 4096;
  char *larger = realloc(chip->text, needed);
  if (!larger) return false;
  chip->text = larger;
  chip->text_size = needed;
  return true;
}

static uint64_t findings_of(const struct tx_tile *t) {
  uint64_t count = 0;
  for (unsigned i = 0; i < TX_DIAG_COUNT; i++) count += t->diag.counts[i];
  return count;
}

uint64_t tessera_chip_findings(const struct tessera_chip *chip) {
  uint64_t count = 0;
  for (unsigned tile = 0; api_is_chip(chip) && tile < CHIP_TILES; tile++) {
    const struct chip_endpoint *e = chip_endpoint_peek(chip->chip, tile);
    if (e->self && e->slot->kind == CHIP_TENSIX) count += findings_of(e->self);
  }
  return count;
}

uint64_t tessera_chip_packets(const struct tessera_chip *chip) {
  return api_is_read_chip(chip) ? chip_packets(chip->chip) : 0;
}

/* --- state --- */

uint64_t tessera_chip_hash(const struct tessera_chip *chip) { return api_is_chip(chip) ? chip_hash(chip->chip) : 0; }

enum tessera_result tessera_chip_save(const struct tessera_chip *chip, void **state, size_t *length) {
  struct chip_stream stream = {0};
  if (!api_is_chip(chip) || !state || !length) return TESSERA_INVALID;
  if (!chip_save(chip->chip, &stream)) {
    free(stream.bytes);
    return TESSERA_NO_MEMORY;
  }
  *state = stream.bytes;
  *length = stream.length;
  return TESSERA_OK;
}

void tessera_chip_free(void *state) { free(state); }

/* What is known of the cycles before a restore. */
static void forget_past(struct tessera_chip *chip) {
  chip->end = CHIP_END_TIME;
  chip->checks.host_cycle = 0;
  chk_dram_forget(chip->checks.dram);
  api_chip_forget_hang(chip);
  for (unsigned i = 0; i < CHIP_TILES; i++) {
    struct tessera_tile *tile = api_chip_touched_tile(chip, i);
    if (!tile) continue;
    tile->chip = NULL;
    tile->ended = 0;
    api_restored(tile);
    api_end(tile, SIM_END_TIME);
  }
}

enum tessera_result tessera_chip_restore(struct tessera_chip *chip, const void *state, size_t length) {
  if (!api_is_chip(chip)) return TESSERA_INVALID;
  if (!state) return api_chip_refuse(chip, TESSERA_INVALID, "no state given");
  uint8_t *copy = malloc(length ? length : 1);
  if (!copy) return api_chip_refuse(chip, TESSERA_NO_MEMORY, "no memory for the saved chip");
  memcpy(copy, state, length);
  struct chip_stream stream = {.bytes = copy, .length = length};
  obs_chip_progress_reset(&chip->progress);
  const char *why = chip_restore(chip->chip, &stream);
  free(copy);
  forget_past(chip);
  return why ? api_chip_refuse(chip, TESSERA_REFUSED, "%s", why) : ok(chip);
}
