/* The memories of memory.h: ranges that chip_save passes on in bulk. */
#include "check/memory.h"

#include <stdlib.h>
#include <string.h>

#include "chip/chip.h"
#include "sim/hash.h"
#include "tensix/tile/tile.h"

struct region {
  uint64_t key;
  uint8_t *bytes;
  size_t length;
};

struct regions {
  struct region *of;
  size_t count, capacity;
  bool failed;
};

static struct region *add(struct regions *r, uint64_t key, const void *bytes, size_t length) {
  if (r->count == r->capacity) {
    size_t wanted = r->capacity ? 2 * r->capacity : 64;
    struct region *moved = realloc(r->of, wanted * sizeof *moved);
    if (!moved) return r->failed = true, NULL;
    r->of = moved;
    r->capacity = wanted;
  }
  uint8_t *copy = malloc(length);
  if (!copy) return r->failed = true, NULL;
  memcpy(copy, bytes, length);
  r->of[r->count] = (struct region){key, copy, length};
  return &r->of[r->count++];
}

static void drop(struct regions *r) {
  for (size_t i = 0; i < r->count; i++) free(r->of[i].bytes);
  free(r->of);
}

static int by_key(const void *a, const void *b) {
  const struct region *x = a, *y = b;
  return x->key < y->key ? -1 : x->key > y->key;
}

/* Passes all ranges of the chip's state to `take`. false: out of memory. */
static bool each_range(const struct chip *chip,
                       void (*take)(void *context, uint64_t key, void *at, size_t length, uint64_t *same), void *context) {
  struct chip_stream stream = {.bulk = take, .context = context};
  bool good = chip_save(chip, &stream);
  free(stream.bytes);
  return good;
}

/* --- memory --- */

struct chk_memory {
  const struct chip *chip;
  struct regions regions; /* by key */
};

/* A range is a tile's L1, a page of DRAM or something else (chip/tensix.c, chip/dram.c). */
static bool is_memory(const struct chip *chip, uint64_t key, size_t length, struct chk_range *range) {
  const struct chip_slot *slot = &chip_grid(chip)->slot[key >> 32];
  uint32_t number = (uint32_t)key;
  *range = (struct chk_range){.tile = (uint32_t)(key >> 32), .length = length};
  if (slot->kind == CHIP_DRAM) range->address = (uint64_t)number * length;
  return slot->kind == CHIP_DRAM || number == 1;
}

struct taking {
  const struct chip *chip;
  struct regions *to;
};

static void take_memory(void *context, uint64_t key, void *at, size_t length, uint64_t *same) {
  const struct taking *t = context;
  struct chk_range range;
  (void)same;
  if (is_memory(t->chip, key, length, &range)) add(t->to, key, at, length);
}

struct chk_memory *chk_memory_take(struct chip *chip) {
  struct chk_memory *m = calloc(1, sizeof *m);
  if (!m) return NULL;
  struct taking taking = {chip, &m->regions};
  if (!each_range(chip, take_memory, &taking) || m->regions.failed) {
    chk_memory_free(m);
    return NULL;
  }
  m->chip = chip;
  if (m->regions.count) qsort(m->regions.of, m->regions.count, sizeof *m->regions.of, by_key);
  return m;
}

void chk_memory_free(struct chk_memory *m) {
  if (!m) return;
  drop(&m->regions);
  free(m);
}

uint64_t chk_memory_hash(const struct chk_memory *m) {
  uint64_t hash = SIM_HASH_BASIS;
  for (size_t i = 0; i < m->regions.count; i++) {
    hash = sim_hash_bytes(hash, (const uint8_t *)&m->regions.of[i].key, sizeof m->regions.of[i].key);
    hash = sim_hash_bytes(hash, m->regions.of[i].bytes, m->regions.of[i].length);
  }
  return hash;
}

/* --- differences --- */

struct comparison {
  const struct chk_memory *m;
  const struct chip *chip;
  const struct chk_compared *compared;
  uint8_t *seen; /* by region of m */
  bool differs;
  struct chk_difference first;
};

static bool inside(const struct chk_range *ranges, uint32_t count, uint32_t tile, uint64_t address) {
  for (uint32_t i = 0; i < count; i++)
    if (ranges[i].tile == tile && address - ranges[i].address < ranges[i].length) return true;
  return false;
}

/* Outputs come before other memory, then lower tiles and addresses. */
static bool is_before(const struct chk_difference *a, const struct chk_difference *b) {
  if (a->output != b->output) return a->output;
  return a->tile != b->tile ? a->tile < b->tile : a->address < b->address;
}

static void compare_word(struct comparison *c, uint32_t tile, uint64_t address, const uint8_t *want, const uint8_t *got) {
  struct chk_difference d = {.tile = tile, .address = address};
  d.output = inside(c->compared->output, c->compared->outputs, tile, address);
  if ((c->compared->outputs_only && !d.output) || inside(c->compared->ignore, c->compared->ignored, tile, address)) return;
  if (c->differs && !is_before(&d, &c->first)) return;
  memcpy(&d.expected, want, sizeof d.expected);
  memcpy(&d.found, got, sizeof d.found);
  c->differs = true;
  c->first = d;
}

#define STEP 4096u /* ranges have a multiple of this length */

static void compare_range(struct comparison *c, const struct chk_range *r, const uint8_t *want, const uint8_t *got) {
  static const uint8_t zero[STEP];
  for (uint64_t at = 0; at < r->length; at += STEP) {
    const uint8_t *a = want ? want + at : zero, *b = got ? got + at : zero;
    if (memcmp(a, b, STEP) == 0) continue;
    for (unsigned i = 0; i < STEP; i += 4)
      if (memcmp(a + i, b + i, 4) != 0) compare_word(c, r->tile, r->address + at + i, a + i, b + i);
  }
}

static void compare_memory(void *context, uint64_t key, void *at, size_t length, uint64_t *same) {
  struct comparison *c = context;
  struct chk_range range;
  (void)same;
  if (!is_memory(c->chip, key, length, &range)) return;
  const struct regions *of = &c->m->regions;
  struct region wanted = {.key = key},
                *found = of->count ? bsearch(&wanted, of->of, of->count, sizeof *of->of, by_key) : NULL;
  if (found) c->seen[found - of->of] = 1;
  compare_range(c, &range, found ? found->bytes : NULL, at);
}

bool chk_memory_differs(const struct chk_memory *m, struct chip *chip, const struct chk_compared *compared,
                        struct chk_difference *first, bool *failed) {
  struct comparison c = {.m = m, .chip = chip, .compared = compared, .seen = calloc(m->regions.count + 1, 1)};
  struct chk_range range;
  if (!c.seen || !each_range(chip, compare_memory, &c)) *failed = true;
  for (size_t i = 0; c.seen && i < m->regions.count; i++) {
    const struct region *r = &m->regions.of[i];
    if (!c.seen[i] && is_memory(chip, r->key, r->length, &range)) compare_range(&c, &range, r->bytes, NULL);
  }
  free(c.seen);
  *first = c.first;
  return c.differs;
}

/* --- the start --- */

struct chk_start {
  struct chip_stream stream;
  struct regions regions; /* in the order of the stream */
};

static void take_all(void *context, uint64_t key, void *at, size_t length, uint64_t *same) {
  (void)same;
  add(context, key, at, length);
}

struct chk_start *chk_start_take(const struct chip *chip) {
  struct chk_start *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->stream = (struct chip_stream){.bulk = take_all, .context = &s->regions};
  if (chip_save(chip, &s->stream) && !s->regions.failed) return s;
  chk_start_free(s);
  return NULL;
}

void chk_start_free(struct chk_start *s) {
  if (!s) return;
  drop(&s->regions);
  free(s->stream.bytes);
  free(s);
}

struct putting {
  const struct regions *regions;
  size_t at;
};

static void put_all(void *context, uint64_t key, void *at, size_t length, uint64_t *same) {
  struct putting *p = context;
  const struct region *r = p->at < p->regions->count ? &p->regions->of[p->at] : NULL;
  (void)same; /* no owner: every range is copied as a whole */
  sim_assert(r && r->key == key && r->length == length);
  p->at++;
  if (r && r->key == key && r->length == length) memcpy(at, r->bytes, length);
}

bool chk_start_put(const struct chk_start *s, struct chip *chip) {
  struct putting putting = {&s->regions, 0};
  struct chip_stream from = {.bytes = s->stream.bytes, .length = s->stream.length, .bulk = put_all, .context = &putting};
  return !chip_restore(chip, &from);
}
