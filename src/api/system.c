/* The systems of tessera/system.h. */
#include "tessera/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/handle.h"
#include "chip/service.h"
#include "system/descriptor.h"
#include "system/state.h"

struct tessera_system {
  struct api_handle handle; /* first: API_SYSTEM */
  struct system *system;
  char error[256];
};

static bool is_system(const struct tessera_system *s) { return api_is(s, API_SYSTEM); }

/* --- systems by name --- */

const char *tessera_system_name(unsigned index) {
  const struct system_product *system = system_product_at(index);
  return system ? system->name : "";
}

const char *tessera_system_text(unsigned index) {
  const struct system_product *system = system_product_at(index);
  return system ? system->text : "";
}

static bool find_plan(struct system_plan *plan, const char *system, const char *product) {
  const struct chip_product *parts = chip_product_find(product ? product : "full");
  return system && parts && system_plan_find(plan, system, &parts->harvest);
}

size_t tessera_system_descriptor(const char *system, const char *product, char *text, size_t size) {
  struct system_plan plan;
  struct sim_text to = {text, size, 0};
  if (!find_plan(&plan, system, product)) return 0;
  system_descriptor_write(&plan, &to);
  return to.length;
}

/* --- life --- */

static bool make_plan(struct system_plan *plan, const struct tessera_system_options *o, char *error, size_t size) {
  bool good;
  if (o->system) {
    good = find_plan(plan, o->system, o->product);
    if (!good) snprintf(error, size, "there is no system '%s' of product '%s'", o->system, o->product ? o->product : "full");
  } else if (o->descriptor) {
    good = system_descriptor_read(plan, o->descriptor, strlen(o->descriptor), error, size);
  } else {
    good = false;
    snprintf(error, size, "neither the name of a system nor a descriptor is given");
  }
  return good && (!o->links || system_plan_options(plan, o->links, error, size));
}

struct tessera_system *tessera_system_create(const struct tessera_system_options *o, char *error, size_t error_size) {
  struct system_plan plan;
  const char *why = "no memory for the system";
  if (!error) error_size = 0;
  if (error_size) error[0] = '\0';
  if (!o || (unsigned)o->timing > TESSERA_TIMING_CYCLE || !make_plan(&plan, o, error, error_size)) return NULL;
  struct chip_config config = {.timing = o->timing == TESSERA_TIMING_CYCLE, .threads = o->threads};
  struct tessera_system *s = calloc(1, sizeof *s);
  if (s) s->system = system_create(&plan, &config, NULL, NULL, &why);
  if (!s || !s->system) {
    snprintf(error, error_size, "%s", why);
    free(s);
    return NULL;
  }
  s->handle.magic = API_SYSTEM;
  return s;
}

void tessera_system_destroy(struct tessera_system *s) {
  if (!is_system(s)) return;
  s->handle.magic = 0;
  system_destroy(s->system);
  free(s);
}

unsigned tessera_system_chips(const struct tessera_system *s) { return is_system(s) ? system_plan(s->system)->chips : 0; }
uint64_t tessera_system_cycle(const struct tessera_system *s) { return is_system(s) ? system_now(s->system) : 0; }
const char *tessera_system_error(const struct tessera_system *s) { return is_system(s) ? s->error : ""; }

/* --- memory --- */

/* The chip of a tile; NULL: the system's error names what does not exist. */
static struct chip *find_tile(struct tessera_system *s, unsigned number, unsigned x, unsigned y, unsigned *tile) {
  s->error[0] = '\0';
  struct chip *chip = number < system_plan(s->system)->chips ? system_chip(s->system, number) : NULL;
  *tile = chip && x < 64 && y < 64 ? chip_tile_of(chip_grid(chip), 0, x, y) : CHIP_NO_TILE;
  if (*tile != CHIP_NO_TILE) return chip;
  if (chip) snprintf(s->error, sizeof s->error, "chip %u has no tile (%u,%u)", number, x, y);
  else snprintf(s->error, sizeof s->error, "there is no chip %u", number);
  return NULL;
}

static enum tessera_result end_access(struct tessera_system *s, bool done, unsigned chip, uint64_t address) {
  if (done) return TESSERA_OK;
  snprintf(s->error, sizeof s->error, "chip %u: there is nothing at 0x%llx of that tile", chip, (unsigned long long)address);
  return TESSERA_INVALID;
}

enum tessera_result tessera_system_read(struct tessera_system *s, unsigned number, unsigned x, unsigned y, uint64_t address,
                                        void *bytes, size_t length) {
  unsigned tile;
  struct chip *chip = is_system(s) && bytes ? find_tile(s, number, x, y, &tile) : NULL;
  return chip ? end_access(s, chip_read(chip, tile, address, bytes, length), number, address) : TESSERA_INVALID;
}

enum tessera_result tessera_system_write(struct tessera_system *s, unsigned number, unsigned x, unsigned y, uint64_t address,
                                         const void *bytes, size_t length) {
  unsigned tile;
  struct chip *chip = is_system(s) && bytes ? find_tile(s, number, x, y, &tile) : NULL;
  return chip ? end_access(s, chip_write(chip, tile, address, bytes, length), number, address) : TESSERA_INVALID;
}

/* --- time --- */

/* "chip 0, tile (22,25), cycle 812: ..." of the first chip that has stopped. */
static void write_fault(struct tessera_system *s) {
  for (unsigned i = 0; i < system_plan(s->system)->chips; i++) {
    const struct chip *chip = system_chip(s->system, i);
    unsigned tile = 0;
    const struct sim_fault *fault = chip_fault(chip, &tile);
    if (!fault) continue;
    const unsigned at = chip_grid(chip)->slot[tile].logical;
    snprintf(s->error, sizeof s->error, "chip %u, tile (%u,%u), cycle %llu: %s", i, at & 63u, at >> 6,
             (unsigned long long)fault->cycle, fault->why);
    return;
  }
}

enum tessera_result tessera_system_run(struct tessera_system *s, uint64_t cycles) {
  if (!is_system(s)) return TESSERA_INVALID;
  const uint64_t now = system_now(s->system), most = (UINT64_C(1) << 60) - now;
  s->error[0] = '\0';
  switch (system_run(s->system, now + (cycles < most ? cycles : most))) {
    case CHIP_END_DONE: return TESSERA_DONE;
    case CHIP_END_BLOCKED: return TESSERA_HANG;
    case CHIP_END_FAULT: write_fault(s); return TESSERA_FAULT;
    default: return TESSERA_LIMIT;
  }
}

/* --- state --- */

uint64_t tessera_system_hash(const struct tessera_system *s) { return is_system(s) ? system_hash(s->system) : 0; }

enum tessera_result tessera_system_save(const struct tessera_system *s, void **state, size_t *length) {
  struct chip_stream stream = {0};
  if (!is_system(s) || !state || !length) return TESSERA_INVALID;
  if (!system_save(s->system, &stream)) {
    free(stream.bytes);
    return TESSERA_NO_MEMORY;
  }
  *state = stream.bytes;
  *length = stream.length;
  return TESSERA_OK;
}

enum tessera_result tessera_system_restore(struct tessera_system *s, const void *state, size_t length) {
  if (!is_system(s) || !state) return TESSERA_INVALID;
  uint8_t *copy = malloc(length ? length : 1);
  if (!copy) return TESSERA_NO_MEMORY;
  memcpy(copy, state, length);
  struct chip_stream stream = {.bytes = copy, .length = length, .capacity = length};
  const char *why = system_restore(s->system, &stream);
  free(copy);
  snprintf(s->error, sizeof s->error, "%s", why ? why : "");
  return why ? TESSERA_REFUSED : TESSERA_OK;
}

void tessera_system_free(void *state) { free(state); }
