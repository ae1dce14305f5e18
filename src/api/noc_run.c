/* The runner of noc_run.h. The host's accesses are functional; between two reads of a poll the chip runs for a slice of cycles. */
#include "api/noc_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chip/chip.h"
#include "host/chip_port.h"
#include "host/host.h"
#include "tensix/tile/tile.h"

#define HOST_BYTES 0x1000000u
#define HOST_PAGE 0x10000u
#define SLICE_FIRST 64u
#define SLICE_MOST 4096u
#define WINDOW_SHIFT 58u
#define WINDOWS 8u
#define WINDOW_TRANSLATED 4u

struct run {
  const struct noc_run_options *o;
  const struct noc_case *c;
  struct chip *chip;
  struct host host;
  uint8_t *page[HOST_BYTES / HOST_PAGE]; /* the host's memory; NULL: zeros */
  struct tx_script *scripts;
  char *why;
  size_t size;
};

static bool fail(struct run *r, const char *text) {
  snprintf(r->why, r->size, "%s", text);
  return false;
}

/* --- host memory behind the PCIe tile --- */

/* A page is allocated at its first write: most cases touch none. */
static bool move_pages(struct run *r, uint64_t at, uint8_t *bytes, uint64_t length, bool write) {
  if (at >= HOST_BYTES || length > HOST_BYTES - at) return false;
  while (length) {
    uint8_t **page = &r->page[at / HOST_PAGE];
    uint64_t offset = at % HOST_PAGE, chunk = HOST_PAGE - offset < length ? HOST_PAGE - offset : length;
    if (write && !*page) *page = calloc(1, HOST_PAGE);
    if (write && !*page) return false;
    if (write) memcpy(*page + offset, bytes, chunk);
    else if (*page) memcpy(bytes, *page + offset, chunk);
    else memset(bytes, 0, chunk);
    at += chunk;
    bytes += chunk;
    length -= chunk;
  }
  return true;
}

static bool move_host(struct run *r, uint64_t address, uint8_t *bytes, size_t length, bool write) {
  unsigned window = (unsigned)(address >> WINDOW_SHIFT);
  if (window >= WINDOWS) return false;
  address &= (UINT64_C(1) << WINDOW_SHIFT) - 1;
  while (length) {
    uint64_t chunk = length;
    uint64_t at = window >= WINDOW_TRANSLATED ? host_iatu_translate(&r->host.iatu, address, &chunk) : address;
    if (!move_pages(r, at, bytes, chunk, write)) return false;
    address += chunk;
    bytes += chunk;
    length -= chunk;
  }
  return true;
}

static bool host_mem_read(void *host, uint64_t address, void *bytes, size_t length) {
  return move_host(host, address, bytes, length, false);
}

static bool host_mem_write(void *host, uint64_t address, const void *bytes, size_t length) {
  return move_host(host, address, (uint8_t *)bytes, length, true);
}

/* --- single accesses --- */

static unsigned tile_of(const struct run *r, unsigned x, unsigned y) { return chip_tile_of(chip_grid(r->chip), 0, x, y); }

static bool complain(struct run *r, const struct noc_item *i, const char *what) {
  const struct sim_fault *fault = chip_fault(r->chip, NULL);
  snprintf(r->why, r->size, "%s of (%u, %u) 0x%llx: %s", what, i->x, i->y, (unsigned long long)i->address,
           fault ? fault->why : "nothing there");
  return false;
}

static bool read_word(struct run *r, const struct noc_item *i, uint32_t *value) {
  uint8_t b[4];
  unsigned tile = tile_of(r, i->x, i->y);
  if (tile == CHIP_NO_TILE || !chip_read(r->chip, tile, i->address, b, 4)) return complain(r, i, "read");
  *value = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
  return true;
}

static void word_bytes(uint32_t value, uint8_t b[4]) {
  for (unsigned k = 0; k < 4; k++) b[k] = (uint8_t)(value >> (8 * k));
}

static bool write_word(struct run *r, const struct noc_item *i) {
  uint8_t b[4];
  unsigned tile = tile_of(r, i->x, i->y);
  word_bytes(i->value, b);
  return (tile != CHIP_NO_TILE && chip_write(r->chip, tile, i->address, b, 4)) || complain(r, i, "write");
}

/* Through a broadcast window, whose rectangle is in the PCIe tile's translated coordinates. */
static bool write_rectangle(struct run *r, const struct noc_item *i) {
  uint8_t b[4];
  struct host_target target = {.broadcast = true, .x_start = i->x, .y_start = i->y, .x_end = i->x_end, .y_end = i->y_end};
  word_bytes(i->value, b);
  return r->host.port.write(r->chip, &target, i->address, b, 4) || complain(r, i, "broadcast write");
}

static uint64_t bar_address(const struct run *r, const struct noc_item *i) {
  return r->host.config.bar[i->x / 2] + i->address;
}

/* --- running --- */

static bool scripts_done(struct run *r) {
  for (size_t i = 0; i < r->c->program_count; i++) {
    const struct noc_program *p = &r->c->programs[i];
    struct tx_tile *t = chip_tensix(r->chip, tile_of(r, p->x, p->y));
    if (t->script[p->core == 'B' ? 3 : 4].next < p->count) return false;
  }
  return true;
}

static bool hang(struct run *r, const char *what) {
  snprintf(r->why, r->size, "%s at cycle %llu", what, (unsigned long long)chip_now(r->chip));
  return false;
}

/* Runs until `done` returns true; returns whether it did. */
static bool run_until(struct run *r, bool (*done)(struct run *r, const struct noc_item *i), const struct noc_item *i) {
  uint64_t slice = SLICE_FIRST;
  while (!done(r, i)) {
    if (r->why[0]) return false; /* an access was rejected */
    if (chip_now(r->chip) >= r->o->max_cycles) return hang(r, "not finished");
    enum chip_end end = chip_run(r->chip, chip_now(r->chip) + slice);
    const struct sim_fault *fault = chip_fault(r->chip, NULL);
    if (fault) return fail(r, fault->why);
    if ((end == CHIP_END_DONE || end == CHIP_END_BLOCKED) && !done(r, i)) return hang(r, "hangs");
    if (slice < SLICE_MOST) slice *= 2;
  }
  return true;
}

static bool word_is(struct run *r, const struct noc_item *i) {
  uint32_t value = 0;
  return read_word(r, i, &value) && (value & i->mask) == i->value;
}

static bool all_ended(struct run *r, const struct noc_item *i) {
  (void)i;
  return scripts_done(r);
}

static bool quiet(struct run *r, const struct noc_item *i) {
  (void)i;
  return scripts_done(r) && chip_quiet(r->chip);
}

/* --- the parts of a case --- */

static bool set_memory(struct run *r, const struct noc_item *i) {
  const struct noc_case *c = r->c;
  uint8_t *bytes = malloc(i->length ? i->length : 1);
  bool done = bytes;
  for (uint32_t k = 0; done && k < i->length; k++) bytes[k] = noc_case_byte(c, i, k);
  if (done && i->x == NOC_CASE_HOST) {
    done = move_pages(r, i->address, bytes, i->length, true);
  } else if (done) {
    unsigned tile = tile_of(r, i->x, i->y);
    done = tile != CHIP_NO_TILE && chip_write(r->chip, tile, i->address, bytes, i->length);
  }
  free(bytes);
  return done || complain(r, i, "initial contents");
}

static bool set_up(struct run *r) {
  const struct noc_case *c = r->c;
  for (size_t i = 0; i < c->setup.count; i++) {
    const struct noc_item *item = &c->setup.items[i];
    if (!(item->kind == NOC_ITEM_REG ? write_word(r, item) : set_memory(r, item))) return false;
  }
  for (size_t i = 0; i < c->program_count; i++) {
    const struct noc_program *p = &c->programs[i];
    struct tx_tile *t = chip_tensix(r->chip, tile_of(r, p->x, p->y));
    if (!t) return fail(r, "a core block names no Tensix tile");
    r->scripts[i] = (struct tx_script){.ops = p->ops, .count = (uint32_t)p->count};
    tx_script_attach(t, p->core == 'B' ? 3 : 4, &r->scripts[i]);
  }
  return true;
}

static bool host_step(struct run *r, const struct noc_item *i) {
  switch (i->kind) {
    case NOC_ITEM_HW: return write_word(r, i);
    case NOC_ITEM_HMW: return write_rectangle(r, i);
    case NOC_ITEM_HWAIT: return run_until(r, word_is, i);
    default: host_write(&r->host, bar_address(r, i), r->c->bytes.data + i->data, i->length); return true;
  }
}

static bool compare_bytes(struct run *r, const struct noc_item *i, const uint8_t *got) {
  for (uint32_t k = 0; k < i->length; k++) {
    uint8_t want = noc_case_byte(r->c, i, k);
    if (want == got[k]) continue;
    char place[32];
    if (i->kind == NOC_ITEM_BAR) snprintf(place, sizeof place, "BAR %u", i->x);
    else if (i->x == NOC_CASE_HOST) snprintf(place, sizeof place, "host memory");
    else snprintf(place, sizeof place, "(%u, %u)", i->x, i->y);
    snprintf(r->why, r->size, "%s byte 0x%llx: expected %02x, got %02x", place, (unsigned long long)(i->address + k), want,
             got[k]);
    return false;
  }
  return true;
}

static bool compare_memory(struct run *r, const struct noc_item *i) {
  uint8_t *got = malloc(i->length ? i->length : 1);
  bool same = got;
  if (same && i->kind == NOC_ITEM_BAR) {
    host_read(&r->host, bar_address(r, i), got, i->length);
  } else if (same && i->x == NOC_CASE_HOST) {
    same = move_pages(r, i->address, got, i->length, false);
  } else if (same) {
    unsigned tile = tile_of(r, i->x, i->y);
    same = tile != CHIP_NO_TILE && chip_read(r->chip, tile, i->address, got, i->length);
  }
  same = same ? compare_bytes(r, i, got) : complain(r, i, "expected contents");
  free(got);
  return same;
}

static bool compare_register(struct run *r, const struct noc_item *i) {
  uint32_t value = 0;
  if (!read_word(r, i, &value)) return false;
  if ((value & i->mask) == i->value) return true;
  snprintf(r->why, r->size, "(%u, %u) register 0x%llx: expected %08x under mask %08x, got %08x", i->x, i->y,
           (unsigned long long)i->address, i->value, i->mask, value);
  return false;
}

static bool run_and_compare(struct run *r) {
  const struct noc_case *c = r->c;
  if (!set_up(r)) return false;
  for (size_t i = 0; i < c->host.count; i++)
    if (!host_step(r, &c->host.items[i])) return false;
  if (!run_until(r, all_ended, NULL)) return false;
  for (size_t i = 0; i < c->until.count; i++)
    if (!run_until(r, word_is, &c->until.items[i])) return false;
  if (!run_until(r, quiet, NULL)) return false;
  for (size_t i = 0; i < c->expected.count; i++) {
    const struct noc_item *item = &c->expected.items[i];
    if (!(item->kind == NOC_ITEM_REG ? compare_register(r, item) : compare_memory(r, item))) return false;
  }
  return true;
}

bool noc_run_case(const struct noc_run_options *o, const struct noc_case *c, uint64_t *cycles, char *why, size_t size) {
  struct run r = {.o = o, .c = c, .why = why, .size = size};
  struct system_plan plan;
  struct chip_config config = {
      .timing = o->timing, .threads = o->threads, .host = {.host = &r, .read = host_mem_read, .write = host_mem_write}};
  const char *refused = "out of memory";
  bool passed = false;
  why[0] = '\0';
  *cycles = 0;
  r.scripts = calloc(c->program_count + 1, sizeof *r.scripts);
  system_plan_alone(&plan, &chip_product_find("full")->harvest);
  struct system *system = r.scripts ? system_create(&plan, &config, NULL, NULL, &refused) : NULL;
  if (system) {
    struct host_port port = host_chip_port(system, 0);
    struct host_time time = {0};
    r.chip = system_chip(system, 0);
    host_init(&r.host, &port, 0, &time);
    passed = run_and_compare(&r);
    *cycles = chip_now(r.chip);
    system_destroy(system);
  } else {
    fail(&r, refused);
  }
  for (unsigned i = 0; i < HOST_BYTES / HOST_PAGE; i++) free(r.page[i]);
  free(r.scripts);
  return passed;
}
