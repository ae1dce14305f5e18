/* The verdict of include/tessera/profile.h and chip.h over observe/why/why.h. */
#include <stdlib.h>
#include <string.h>

#include "api/chip.h"
#include "api/profile.h"
#include "api/texts.h"
#include "chip/service.h"
#include "observe/report/chip_figures.h"
#include "observe/report/report.h"
#include "observe/why/why.h"
#include "tessera/profile.h"

#define NO_CHOICE UINT32_MAX
_Static_assert((unsigned)OBS_WHY_CAUSES == TESSERA_WHY_CAUSES, "causes");
_Static_assert(sizeof((struct api_causes *)0)->what_if[0] == sizeof(struct obs_what_if), "the text of a what-if");

/* The lines of the programs that the verdict names: of the tile that it is about, and of others on the critical path. Searching a file
 * without an index takes milliseconds for each instruction. */
#define INDEXES 4u
struct indexes {
  const struct dbg_program *program; /* NULL: none */
  struct dbg_index of[TX_CORES];
  void *memory[TX_CORES];
};

struct inquiry {
  struct obs_why why;
  struct obs_why_tile *others;
  struct indexes indexes[INDEXES];
};

static void give_index(struct inquiry *q, struct obs_why_tile *tile) {
  unsigned n = 0;
  while (n < INDEXES && q->indexes[n].program && !api_same_program(q->indexes[n].program, tile->program)) n++;
  if (n == INDEXES) return;
  struct indexes *indexes = &q->indexes[n];
  for (unsigned core = 0; !indexes->program && core < TX_CORES; core++)
    indexes->memory[core] = api_line_index(tile->program, core, &indexes->of[core]);
  indexes->program = tile->program;
  tile->index = indexes->of;
}

static bool is_on_path(const struct obs_path *path) {
  uint64_t sum = 0;
  for (unsigned agent = 0; agent < OBS_PATH_AGENTS; agent++) sum += path->cycles[agent];
  return sum != 0;
}

static void inquire(struct inquiry *q, uint32_t chosen) {
  struct obs_why_tile *tiles = q->why.tiles;
  obs_why_find(&q->why);
  give_index(q, &tiles[q->why.main]);
  for (unsigned i = 0; i < q->why.count; i++)
    if (i != q->why.main && is_on_path(&q->why.paths[i].path)) give_index(q, &tiles[i]);
  for (unsigned i = 0; i < q->why.count; i++)
    if (!tiles[i].index) give_index(q, &tiles[i]);
  for (unsigned i = 0; i < q->why.other_count; i++) give_index(q, &q->others[i]);
  obs_why_causes(&q->why);
  if (chosen != NO_CHOICE) q->why.chosen = chosen;
}

static void release(struct inquiry *q) {
  free(q->others);
  for (unsigned n = 0; n < INDEXES; n++)
    for (unsigned core = 0; core < TX_CORES; core++) free(q->indexes[n].memory[core]);
}

static struct obs_why_tile subject(const struct tessera_tile *tile) {
  return (struct obs_why_tile){
      .p = tile->profile, .program = &tile->program, .x = tile->logical & 63u, .y = tile->logical >> 6};
}

/* Why there is no verdict; of several tiles the last of these decides. */
enum { ENDED, WORDS, HUNG, FAULTED, FAILED, REASONS };
static const struct {
  const char *text, *json;
} no_end[REASONS] = {
    [ENDED] = {"", ""},
    [WORDS] = {"\nwhy: no core ran a program, so there is no verdict: the words of the threads come from a file; the "
               "account shows what "
               "each thread waits for\n",
               "{\"verdict\":null,\"reason\":\"no program\"}"},
    [HUNG] =
        {"\nwhy: the run hung, so there is no verdict on its speed; the hang report above names the wait that never ends\n",
         "{\"verdict\":null,\"reason\":\"hang\"}"},
    [FAULTED] = {"\nwhy: the run ended with a fault, so there is no verdict on its speed; its line is in the message about "
                 "the fault\n",
                 "{\"verdict\":null,\"reason\":\"fault\"}"},
    [FAILED] =
        {"\nwhy: a KERNEL_CHECK did not hold and ended the run, so there is no verdict on its speed; its line is in the "
         "message about it\n",
         "{\"verdict\":null,\"reason\":\"check\"}"},
};

static unsigned reason_of(const struct tessera_tile *tile) {
  struct dbg_failure failure;
  if (tile->tile.fault.kind || (tile->chip && chip_fault(tile->chip->chip, NULL))) return FAULTED;
  if (dbg_program_failure(&tile->program, &tile->tile, &failure)) return FAILED;
  if (tile->end == SIM_END_BLOCKED) return HUNG;
  for (unsigned core = 0; core < TX_CORES; core++)
    if (tile->tile.core[core].state != TX_CORE_HELD || tile->tile.core[core].retired) return ENDED;
  return WORDS;
}

/* --- a tile --- */

static bool interrupted(const struct tessera_tile *tile) {
  const int code = tile->chip && tile->chip->code ? tile->chip->code : tile->code;
  return tile->end == SIM_END_TIME && code > OBS_CODE_SIGNAL + 1;
}

/* The tiles that this one may wait for, if they have accounts. Without memory the verdict names none of them. */
static void find_others(struct inquiry *q, const struct tessera_tile *tile) {
  if (!tile->chip || !(q->others = calloc(CHIP_TILES, sizeof *q->others))) return;
  for (unsigned i = 0; i < CHIP_TILES; i++) {
    const struct tessera_tile *other = api_chip_touched_tile(tile->chip, i);
    if (other && other != tile && obs_profile_begun(other->profile)) q->others[q->why.other_count++] = subject(other);
  }
  q->why.others = q->others;
}

static void inquire_tile(struct inquiry *q, struct obs_why_tile *one, struct obs_path_tile *path,
                         const struct tessera_tile *tile) {
  *one = subject(tile);
  *q = (struct inquiry){.why = {.tiles = one,
                                .paths = path,
                                .count = 1,
                                .chip = tile->chip ? tile->chip->chip : NULL,
                                .limited = tile->end == SIM_END_TIME,
                                .interrupted = interrupted(tile),
                                .keeps_waits = tile->why_keeps_waits}};
  find_others(q, tile);
  inquire(q, tile->why_chosen - 1u);
}

static size_t render_why(const struct tessera_tile *tile, char *text, size_t size) {
  struct sim_text out = {.data = text, .size = size};
  struct obs_why_tile one;
  struct obs_path_tile path = {.number = 0};
  struct inquiry q;
  if (reason_of(tile)) {
    sim_text_add(&out, "%s", no_end[reason_of(tile)].text);
    return out.length;
  }
  inquire_tile(&q, &one, &path, tile);
  obs_why_text(&q.why, &out);
  release(&q);
  return out.length;
}

static size_t render_json(const struct tessera_tile *tile, char *text, size_t size) {
  struct sim_text out = {.data = text, .size = size};
  struct obs_why_tile one;
  struct obs_path_tile path = {.number = 0};
  struct inquiry q;
  if (reason_of(tile)) {
    sim_text_add(&out, "%s", no_end[reason_of(tile)].json);
    return out.length;
  }
  inquire_tile(&q, &one, &path, tile);
  obs_why_json(&q.why, &out);
  release(&q);
  return out.length;
}

/* Have the causes been found for this state of the machine? If not, it is now that of `causes`. */
static bool are_known(struct api_causes *causes, sim_time now, uint64_t waits) {
  if (causes->known && causes->now == now && causes->waits == waits) return true;
  *causes = (struct api_causes){.known = true, .now = now, .waits = waits, .chosen = OBS_WHY_CAUSES};
  return false;
}

static uint64_t waits_of(const struct obs_profile *p) { return p->waits.count + p->account.from + p->account.until; }

static void remember(struct api_causes *causes, const struct obs_why *why) {
  causes->chosen = why->chosen;
  for (unsigned i = 0; i < OBS_WHY_CAUSES; i++) memcpy(causes->what_if[i], why->causes[i].text, sizeof causes->what_if[i]);
}

/* The what-if of a cause, or of the chosen one (OBS_WHY_CAUSES); `decided` + 1: by reruns. */
static const char *cause_of(const struct api_causes *causes, unsigned index, uint32_t decided) {
  if (index >= OBS_WHY_CAUSES) index = decided ? decided - 1u : causes->chosen;
  return index < OBS_WHY_CAUSES ? causes->what_if[index] : "";
}

static const char *tile_cause(struct tessera_tile *tile, unsigned index) {
  struct obs_why_tile one;
  struct obs_path_tile path = {.number = 0};
  struct inquiry q;
  if (!api_is_read_tile(tile) || !obs_profile_begun(tile->profile) || reason_of(tile)) return "";
  if (!are_known(&tile->causes, tile->tile.engine.now, waits_of(tile->profile))) {
    inquire_tile(&q, &one, &path, tile);
    if (tile->why_chosen) obs_why_causes(&q.why); /* the path's choice */
    remember(&tile->causes, &q.why);
    release(&q);
  }
  return cause_of(&tile->causes, index, tile->why_chosen);
}

const char *tessera_tile_why(struct tessera_tile *tile) {
  return api_is_read_tile(tile) && obs_profile_begun(tile->profile) ? api_text(tile, render_why) : "";
}

const char *tessera_tile_why_json(struct tessera_tile *tile) {
  return api_is_read_tile(tile) && obs_profile_begun(tile->profile) ? api_text(tile, render_json) : "";
}

const char *tessera_tile_why_what_if(struct tessera_tile *tile) { return tile_cause(tile, OBS_WHY_CAUSES); }

const char *tessera_tile_why_cause(struct tessera_tile *tile, unsigned index) {
  return index < OBS_WHY_CAUSES ? tile_cause(tile, index) : "";
}

/* A rerun with a moved wait had a race: the causes are found again, without such an advice. */
static void forbid_moves(struct api_causes *causes, bool *keeps_waits, const uint64_t *reruns, unsigned count) {
  for (unsigned i = 0; i < OBS_WHY_CAUSES && i < count; i++) {
    if (reruns[i] != TESSERA_WHY_RACES || !strstr(causes->what_if[i], OBS_WHY_MOVED_WAIT)) continue;
    *keeps_waits = true;
    causes->known = false;
  }
}

static uint32_t choice(uint64_t cycles, const uint64_t *reruns, unsigned count) {
  uint64_t all[OBS_WHY_CAUSES] = {0};
  bool any = false;
  for (unsigned i = 0; i < OBS_WHY_CAUSES && i < count; i++)
    any = (all[i] = reruns[i] == TESSERA_WHY_RACES ? 0 : reruns[i]) || any;
  return any ? obs_why_decide(cycles, all) + 1 : 0; /* none: the path decides */
}

static bool is_confirmed(uint64_t cycles, const uint64_t *reruns, unsigned count, unsigned chosen) {
  return chosen < OBS_WHY_CAUSES && chosen < count && obs_why_confirms(cycles, reruns[chosen]);
}

int tessera_tile_why_decide(struct tessera_tile *tile, uint64_t cycles, const uint64_t *reruns, unsigned count) {
  if (!api_is_tile(tile) || !reruns) return 0;
  forbid_moves(&tile->causes, &tile->why_keeps_waits, reruns, count);
  tile->why_chosen = choice(cycles, reruns, count);
  return is_confirmed(cycles, reruns, count, tile->why_chosen - 1u);
}

/* --- a chip --- */

struct chip_inquiry {
  struct inquiry q;
  struct obs_why_tile *tiles;
  struct obs_path_tile *paths;
  unsigned reason;
};

static void add_tile(struct chip_inquiry *c, unsigned number, const struct tessera_tile *tile, sim_time *last) {
  unsigned n = c->q.why.count++;
  sim_time end = obs_chip_tile_end(&tile->tile);
  c->tiles[n] = subject(tile);
  c->paths[n].number = number;
  if (tile->end == SIM_END_TIME) c->q.why.limited = true;
  if (interrupted(tile)) c->q.why.interrupted = true;
  if (reason_of(tile) > c->reason) c->reason = reason_of(tile);
  if (n && end <= *last) return;
  *last = end;
  c->q.why.last = n;
}

/* false: no tile has an account, or out of memory. */
static bool inquire_chip(struct chip_inquiry *c, struct tessera_chip *chip) {
  sim_time last = 0;
  *c = (struct chip_inquiry){.tiles = calloc(CHIP_TILES, sizeof *c->tiles), .paths = calloc(CHIP_TILES, sizeof *c->paths)};
  c->q.why =
      (struct obs_why){.tiles = c->tiles, .paths = c->paths, .chip = chip->chip, .keeps_waits = chip->why_keeps_waits};
  for (unsigned i = 0; c->tiles && c->paths && i < CHIP_TILES; i++) {
    const struct tessera_tile *tile = api_chip_touched_tile(chip, i);
    if (tile && obs_profile_begun(tile->profile)) add_tile(c, i, tile, &last);
  }
  if (c->q.why.count && !c->reason) inquire(&c->q, chip->why_chosen - 1u);
  return c->q.why.count != 0;
}

static void release_chip(struct chip_inquiry *c) {
  release(&c->q);
  free(c->tiles);
  free(c->paths);
}

static void chip_verdict(const struct chip_inquiry *c, struct sim_text *out) {
  if (c->reason) sim_text_add(out, "%s", no_end[c->reason].text);
  else obs_why_text(&c->q.why, out);
}

static void chip_json(const struct chip_inquiry *c, struct sim_text *out) {
  if (c->reason) sim_text_add(out, "%s", no_end[c->reason].json);
  else obs_why_json(&c->q.why, out);
}

static const char *chip_text(struct tessera_chip *chip, void (*write)(const struct chip_inquiry *, struct sim_text *)) {
  struct chip_inquiry c;
  const char *text = "";
  if (!api_is_chip(chip)) return "";
  if (inquire_chip(&c, chip)) {
    struct sim_text count = {.data = NULL, .size = 0};
    write(&c, &count);
    if (api_chip_room(chip, count.length + 1)) {
      struct sim_text out = {.data = chip->text, .size = chip->text_size};
      chip->text[0] = '\0';
      write(&c, &out);
      text = chip->text;
    }
  }
  release_chip(&c);
  return text;
}

static uint64_t waits_of_chip(struct tessera_chip *chip) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < CHIP_TILES; i++) {
    const struct tessera_tile *tile = api_chip_touched_tile(chip, i);
    if (tile && obs_profile_begun(tile->profile)) sum += waits_of(tile->profile);
  }
  return sum;
}

static const char *chip_cause(struct tessera_chip *chip, unsigned index) {
  if (!api_is_chip(chip)) return "";
  if (!are_known(&chip->causes, chip_now(chip->chip), waits_of_chip(chip))) {
    struct chip_inquiry c;
    bool found = inquire_chip(&c, chip) && !c.reason;
    if (found && chip->why_chosen) obs_why_causes(&c.q.why); /* the path's choice */
    if (found) remember(&chip->causes, &c.q.why);
    release_chip(&c);
  }
  return cause_of(&chip->causes, index, chip->why_chosen);
}

const char *tessera_chip_why(struct tessera_chip *chip) { return chip_text(chip, chip_verdict); }
const char *tessera_chip_why_json(struct tessera_chip *chip) { return chip_text(chip, chip_json); }
const char *tessera_chip_why_what_if(struct tessera_chip *chip) { return chip_cause(chip, OBS_WHY_CAUSES); }
const char *tessera_chip_why_cause(struct tessera_chip *chip, unsigned index) {
  return index < OBS_WHY_CAUSES ? chip_cause(chip, index) : "";
}

int tessera_chip_why_decide(struct tessera_chip *chip, uint64_t cycles, const uint64_t *reruns, unsigned count) {
  if (!api_is_chip(chip) || !reruns) return 0;
  forbid_moves(&chip->causes, &chip->why_keeps_waits, reruns, count);
  chip->why_chosen = choice(cycles, reruns, count);
  return is_confirmed(cycles, reruns, count, chip->why_chosen - 1u);
}
