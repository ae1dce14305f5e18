/* The profile of all tiles of a chip (include/tessera/chip.h): tiles with the same executables are one part. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/chip.h"
#include "api/profile.h"
#include "observe/account/coverage.h"
#include "observe/account/profile_text.h"
#include "tessera/chip.h"
#include "tessera/profile.h"

#define PROFILE_BYTES ((size_t)4 << 20) /* large enough for most: a second rendering would look up all lines again */

/* A tile and those with the same executables behind it. */
struct part {
  struct tessera_tile *first;
  unsigned count;
  struct obs_profile *p; /* of the tile, or the sum */
  struct dbg_index index[TX_CORES];
  void *memory[TX_CORES];
  char whose[64];
};

/* What the parts are written to. */
struct writer {
  struct tessera_chip *chip;
  struct obs_profile *sum; /* NULL: no part has several tiles */
  unsigned parts, several; /* several: with more than one tile */
  struct sim_text *out;
  struct obs_callgrind callgrind;
  struct obs_speedscope speedscope;
  bool good;
};

static struct tessera_tile *observed(struct tessera_chip *chip, unsigned i) {
  struct tessera_tile *tile = api_chip_touched_tile(chip, i);
  return tile && obs_profile_begun(tile->profile) ? tile : NULL;
}

static bool is_first(struct tessera_chip *chip, unsigned number) {
  const struct tessera_tile *tile = observed(chip, number);
  for (unsigned i = 0; tile && i < number; i++) {
    const struct tessera_tile *other = observed(chip, i);
    if (other && api_same_program(&other->program, &tile->program)) return false;
  }
  return tile != NULL;
}

static unsigned count_same(struct tessera_chip *chip, unsigned first) {
  unsigned count = 0;
  for (unsigned i = first; i < CHIP_TILES; i++) {
    const struct tessera_tile *tile = observed(chip, i);
    count += tile && api_same_program(&tile->program, &observed(chip, first)->program);
  }
  return count;
}

/* Adds up the tiles of the part, if there are several. */
static void sum_part(struct writer *w, unsigned number, struct part *part) {
  part->first = observed(w->chip, number);
  part->count = count_same(w->chip, number);
  part->p = part->first->profile;
  if (part->count < 2) return;
  memset(w->sum, 0, sizeof *w->sum);
  part->p = w->sum;
  for (unsigned i = number; i < CHIP_TILES; i++) {
    struct tessera_tile *tile = observed(w->chip, i);
    if (tile && api_same_program(&tile->program, &part->first->program)) obs_profile_add(w->sum, tile->profile);
  }
}

/* ", sum of (1, 2) and 15 more tiles", " of (1, 2)"; nothing if there is only one tile. */
static void name_part(const struct writer *w, struct part *part) {
  const unsigned x = part->first->logical & 63u, y = part->first->logical >> 6;
  part->whose[0] = '\0';
  if (part->count > 1)
    snprintf(part->whose, sizeof part->whose, ", sum of (%u, %u) and %u more tile%s", x, y, part->count - 1,
             part->count == 2 ? "" : "s");
  else if (w->parts > 1) snprintf(part->whose, sizeof part->whose, " of (%u, %u)", x, y);
}

static void add_callgrind(struct writer *w, struct part *part) {
  void *memory = malloc(obs_callgrind_bytes(part->index));
  w->good = memory && w->good;
  if (memory) obs_callgrind_add(&w->callgrind, part->p, part->index, memory);
  free(memory);
}

static void each_part(struct writer *w, void (*add)(struct writer *w, struct part *part)) {
  for (unsigned i = 0; w->good && i < CHIP_TILES; i++) {
    struct part part;
    if (!is_first(w->chip, i)) continue;
    sum_part(w, i, &part);
    name_part(w, &part);
    api_line_indexes(&part.first->program, part.index, part.memory);
    add(w, &part);
    for (unsigned core = 0; core < TX_CORES; core++) free(part.memory[core]);
  }
}

static void render_callgrind(struct writer *w) {
  w->callgrind = (struct obs_callgrind){.out = w->out};
  for (unsigned i = 0; i < CHIP_TILES; i++)
    if (observed(w->chip, i)) obs_callgrind_columns(&w->callgrind, observed(w->chip, i)->profile);
  obs_callgrind_begin(&w->callgrind);
  each_part(w, add_callgrind);
  obs_callgrind_end(&w->callgrind);
}

static void add_speedscope(struct writer *w, struct part *part) {
  obs_speedscope_add(&w->speedscope, part->p, part->index, part->whose);
}

static void render_speedscope(struct writer *w) {
  if (!(w->good = obs_speedscope_begin(&w->speedscope, w->out, w->parts))) return;
  each_part(w, add_speedscope);
  obs_speedscope_end(&w->speedscope);
}

/* Lines are counted in each tile by itself: how often a line was entered is no sum over its instructions. */
static void render_lcov(struct writer *w) {
  for (unsigned i = 0; i < CHIP_TILES; i++) {
    const struct tessera_tile *tile = observed(w->chip, i);
    struct dbg_index index[TX_CORES];
    void *memory[TX_CORES];
    if (!tile) continue;
    api_line_indexes(&tile->program, index, memory);
    obs_profile_lcov(tile->profile, index, w->out);
    for (unsigned core = 0; core < TX_CORES; core++) free(memory[core]);
  }
}

static bool prepare(struct writer *w) {
  for (unsigned i = 0; i < CHIP_TILES; i++) {
    if (!is_first(w->chip, i)) continue;
    w->parts++;
    w->several += count_same(w->chip, i) > 1;
  }
  w->sum = w->several ? malloc(sizeof *w->sum) : NULL;
  return w->parts && (w->sum || !w->several);
}

const char *tessera_chip_profile(struct tessera_chip *chip, enum tessera_profile_format format) {
  static void (*const renders[TESSERA_PROFILES])(struct writer *) = {render_callgrind, render_speedscope, render_lcov};
  if (!api_is_chip(chip) || (unsigned)format >= TESSERA_PROFILES) return "";
  struct writer w = {.chip = chip, .good = true};
  bool whole = false;
  w.good = prepare(&w) && api_chip_room(chip, PROFILE_BYTES);
  while (w.good && !whole) {
    struct sim_text out = {.data = chip->text, .size = chip->text_size};
    w.out = &out;
    chip->text[0] = '\0';
    renders[format](&w);
    whole = out.length < chip->text_size;
    if (!whole) w.good = w.good && api_chip_room(chip, out.length + 1);
  }
  free(w.sum);
  return w.good ? chip->text : "";
}
