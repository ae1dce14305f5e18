/* The verdict of why.h. */
#include "observe/why/why.h"

#include <stdio.h>
#include <string.h>

#include "observe/why/cause.h"
#include "observe/why/step.h"
#include "observe/words.h"

#define LAUNCH_SUBORDINATES_AT 0x44u
#define UNPACK_CYCLES_MAX 128u /* an UNPACR that takes longer waits for a bank, and so for the math thread */
#define CHAIN_MAX 12u

#define CONFIRMED_SHARE 20u /* a rerun that saves less than one of so many cycles refutes its cause */

bool obs_why_confirms(uint64_t cycles, uint64_t rerun) {
  return rerun && rerun < cycles && (cycles - rerun) * CONFIRMED_SHARE >= cycles;
}

unsigned obs_why_decide(uint64_t cycles, const uint64_t reruns[OBS_WHY_CAUSES]) {
  const uint64_t first = reruns[OBS_WHY_FIRST], second = reruns[OBS_WHY_SECOND];
  unsigned best = OBS_WHY_FIRST;
  for (unsigned i = 0; i < OBS_WHY_CAUSES; i++)
    if (obs_why_confirms(cycles, reruns[i]) && (!obs_why_confirms(cycles, reruns[best]) || reruns[i] < reruns[best]))
      best = i;
  if (obs_why_confirms(cycles, first) && (!second || (cycles - first) * WHY_BUFFERS_WEIGHT + second >= cycles))
    return OBS_WHY_FIRST;
  if (obs_why_confirms(cycles, second)) return OBS_WHY_SECOND;
  return obs_why_confirms(cycles, reruns[best]) ? best : first ? OBS_WHY_NONE : OBS_WHY_FIRST;
}

/* --- the path as text --- */

/* The words by which BRISC starts the other cores and detects their end: launch.h, subordinate[]. */
static unsigned launch_partner(unsigned agent, uint32_t address) {
  static const uint8_t subordinates[] = {TX_AGENT_NCRISC, TX_AGENT_TRISC0, TX_AGENT_TRISC1, TX_AGENT_TRISC2};
  uint32_t index = (address - LAUNCH_SUBORDINATES_AT) / 4;
  if (address < LAUNCH_SUBORDINATES_AT || index >= sizeof subordinates) return WHY_NO_AGENT;
  return agent == TX_AGENT_BRISC ? subordinates[index] : TX_AGENT_BRISC;
}

static unsigned ender_of(const struct tx_tile *t, unsigned agent, unsigned category, uint32_t object, uint64_t cycles) {
  struct why_step s = {.agent = agent, .category = category, .object = object, .next = WHY_NO_AGENT, .unit = WHY_NO_UNIT};
  unsigned buffer, pushes;
  if (agent <= TX_AGENT_THREAD2) obs_why_follow_thread(t, &s);
  else obs_why_follow_core(t, &s);
  if (category == OBS_BOOT) s.next = TX_AGENT_TRISC0 + agent;
  if (category == TX_BLOCKED_PCBUF && agent != TX_AGENT_BRISC) s.next = TX_AGENT_BRISC;
  if (category == TX_BLOCKED_CONDITION && s.unit == TX_UNIT_UNPACK && cycles > UNPACK_CYCLES_MAX) s.next = TX_AGENT_THREAD1;
  if (category != TX_BLOCKED_ADDRESS) return s.next != agent ? s.next : WHY_NO_AGENT;
  if (!obs_profile_buffer(object, &buffer, &pushes)) return launch_partner(agent, object);
  if (!t->buffer_writer[buffer][pushes].known) return WHY_NO_AGENT;
  return t->buffer_writer[buffer][pushes].agent; /* a thread, if its instruction counts the page */
}

/* --- the path over all tiles --- */

struct place {
  unsigned tile, agent;
};

/* The place on the path with the most cycles below `limit`, in the order of tiles and agents. */
static uint64_t next_place(const struct obs_why *why, const struct place *said, unsigned count, struct place *out) {
  uint64_t best = 0;
  for (unsigned tile = 0; tile < why->count; tile++)
    for (unsigned agent = 0; agent < OBS_PATH_AGENTS; agent++) {
      uint64_t cycles = why->paths[tile].path.cycles[agent];
      bool known = false;
      for (unsigned i = 0; i < count; i++) known = known || (said[i].tile == tile && said[i].agent == agent);
      if (known || cycles <= best) continue;
      best = cycles;
      *out = (struct place){tile, agent};
    }
  return best;
}

#define PLACES_MAX 8u
#define PLACE_SHARE_MIN 3

static void add_path(const struct obs_why *why, struct sim_text *out) {
  const struct obs_path *main = &why->paths[why->main].path;
  struct place said[PLACES_MAX];
  sim_text_add(out, "  critical path of the last %llu cycles\n", (unsigned long long)(main->until - main->from));
  for (unsigned n = 0; n < PLACES_MAX; n++) {
    uint64_t cycles = next_place(why, said, n, &said[n]);
    if (obs_why_path_share(main, cycles) < PLACE_SHARE_MIN) return;
    const struct obs_why_tile *tile = &why->tiles[said[n].tile];
    const struct obs_path *path = &why->paths[said[n].tile].path;
    unsigned agent = said[n].agent;
    sim_text_add(out, "    ");
    if (why->count > 1) sim_text_add(out, "tile (%u, %u) ", tile->x, tile->y);
    sim_text_add(out, "%s %.1f%%", obs_agent_name(agent), obs_why_path_share(main, cycles));
    bool polls = path->own_wait[agent][TX_BLOCKED_ADDRESS] > cycles / 2; /* the NoC, or another tile */
    obs_why_add_place(out, tile, agent, polls ? WHY_ALL : OBS_CATEGORIES, ", most at ");
    sim_text_add(out, "\n");
  }
}

static uint64_t cycles_of_tile(const struct obs_path *path) {
  uint64_t sum = 0;
  for (unsigned agent = 0; agent < OBS_PATH_AGENTS; agent++) sum += path->cycles[agent];
  return sum;
}

/* Does the agent wait at the end of its account? */
static bool waits_at_end(const struct obs_profile *p, unsigned agent) {
  const uint32_t last = p->waits.last[agent];
  return last && last + OBS_WAITS > p->waits.count && p->waits.ring[(last - 1) % OBS_WAITS].end >= p->account.until;
}

/* A run that has not ended: what waits then, possibly from its begin on, is not what it has waited for. The core at work that has worked most,
 * if there is one. */
static unsigned last_at_work(const struct obs_profile *p, unsigned last) {
  unsigned best = last;
  uint64_t most = 0;
  if (!waits_at_end(p, last)) return last;
  for (unsigned agent = TX_AGENT_TRISC0; agent < OBS_PATH_AGENTS; agent++) {
    const uint64_t worked = obs_why_row(&p->account, agent)->cycles[OBS_ISSUE];
    if (!waits_at_end(p, agent) && worked > most && !obs_why_row(&p->account, agent)->cycles[OBS_STOPPED])
      best = agent, most = worked;
  }
  return best;
}

void obs_why_find(struct obs_why *why) {
  const struct obs_account *a = &why->tiles[why->last].p->account;
  unsigned last = obs_why_first_agent(a);
  struct place main = {why->last, 0};
  for (unsigned i = 0; i < why->count; i++) {
    const struct obs_profile *p = why->tiles[i].p;
    why->paths[i].waits = &p->waits;
    why->paths[i].t = p->account.t;
    why->paths[i].from = p->account.from;
    why->paths[i].until = p->account.until;
  }
  if (obs_why_row(a, TX_AGENT_BRISC)->cycles[OBS_ISSUE]) last = TX_AGENT_BRISC; /* its firmware ends the launch */
  if (why->limited) last = last_at_work(why->tiles[why->last].p, last);
  obs_path_find(why->paths, why->count, why->last, last, ender_of);
  next_place(why, NULL, 0, &main);
  why->main = main.tile;
  why->agent = main.agent;
}

/* --- the causes --- */

struct candidate {
  why_cause_fn *cause; /* NULL: none */
  struct place place;
};

static struct why_verdict verdict_of(const struct obs_why *why, struct place place, struct sim_text *out,
                                     struct why_part *part, struct obs_what_if *what_if) {
  const struct obs_why_tile *tile = &why->tiles[place.tile];
  struct why_verdict v = {.why = why,
                          .out = out,
                          .tile = tile,
                          .p = tile->p,
                          .path = &why->paths[place.tile].path,
                          .main = place.agent,
                          .what_if = what_if};
  if (obs_why_part(tile, place.agent, part)) v.part = part;
  return v;
}

/* The causes that apply to the place with most of the path: if the first is of the program's structure, the one behind it as well. */
static void find_first(struct why_verdict *v, struct place main, struct candidate found[OBS_WHY_CAUSES],
                       struct obs_what_if what_ifs[OBS_WHY_CAUSES]) {
  unsigned count = 0;
  for (unsigned i = 0; i < WHY_CAUSES && count <= OBS_WHY_SECOND; i++) {
    v->what_if = &what_ifs[count];
    if (!obs_why_cause_table[i](v)) continue;
    found[count++] = (struct candidate){obs_why_cause_table[i], main};
    if (i >= WHY_STRUCTURES) break;
  }
}

static bool is_known(const struct obs_what_if what_ifs[OBS_WHY_CAUSES], unsigned number) {
  for (unsigned i = 0; i < number; i++)
    if (what_ifs[i].text[0] && strcmp(what_ifs[i].text, what_ifs[number].text) == 0) return true;
  return false;
}

#define NEXT_SHARE_MIN 5.0 /* of the path: a smaller part cannot be the cause */

/* A cause for reruns to try if they refute the first: one with a what-if of its own, or with none, as of a core without lines. */
static void find_other(const struct obs_why *why, why_cause_fn *cause, struct place place, unsigned number,
                       struct candidate *found, struct obs_what_if what_ifs[OBS_WHY_CAUSES]) {
  struct why_part part;
  struct sim_text none = {.data = NULL, .size = 0};
  struct why_verdict v = verdict_of(why, place, &none, &part, &what_ifs[number]);
  bool applies = obs_why_agent_share(&v, place.agent) >= NEXT_SHARE_MIN && cause(&v);
  if (applies && !is_known(what_ifs, number)) found[number] = (struct candidate){cause, place};
  else what_ifs[number].text[0] = '\0';
}

static void find_candidates(const struct obs_why *why, struct candidate found[OBS_WHY_CAUSES],
                            struct obs_what_if what_ifs[OBS_WHY_CAUSES]) {
  struct why_part part;
  struct sim_text none = {.data = NULL, .size = 0};
  struct place main = {why->main, why->agent}, places[3] = {main};
  memset(found, 0, OBS_WHY_CAUSES * sizeof *found);
  memset(what_ifs, 0, OBS_WHY_CAUSES * sizeof *what_ifs);
  struct why_verdict v = verdict_of(why, main, &none, &part, what_ifs);
  find_first(&v, main, found, what_ifs);
  if (!what_ifs[OBS_WHY_FIRST].text[0]) return; /* no rerun can refute it */
  find_other(why, obs_why_bound_by_unit_time, main, OBS_WHY_UNIT, found, what_ifs);
  find_other(why, obs_why_bound_by_core, main, OBS_WHY_CORE, found, what_ifs);
  for (unsigned n = 1; n < 3 && next_place(why, places, n, &places[n]); n++)
    find_other(why, obs_why_bound_by_core, places[n], OBS_WHY_NEXT + n - 1, found, what_ifs);
}

/* A core with most of the path does not wait for a unit that is busy beside it: only a rerun can show that the unit is the cause. */
static bool is_beside_path(const struct candidate *c) {
  return c->cause == obs_why_bound_by_unit && c->place.agent > TX_AGENT_THREAD2;
}

void obs_why_causes(struct obs_why *why) {
  struct candidate found[OBS_WHY_CAUSES];
  struct why_part part;
  struct sim_text none = {.data = NULL, .size = 0};
  struct obs_what_if unused;
  find_candidates(why, found, why->causes);
  struct why_verdict v = verdict_of(why, (struct place){why->main, why->agent}, &none, &part, &unused);
  why->chosen = found[OBS_WHY_SECOND].cause && !obs_why_first_by_path(&v, found[OBS_WHY_FIRST].cause);
  if (is_beside_path(&found[why->chosen]) && found[OBS_WHY_CORE].cause) why->chosen = OBS_WHY_CORE;
}

/* "tile (1, 2) ended last and waits for tile (2, 2), which has 70.0% of the critical path: " */
static void add_tiles(const struct obs_why *why, unsigned tile, struct sim_text *out) {
  const struct obs_why_tile *last = &why->tiles[why->last], *main = &why->tiles[tile];
  const struct obs_path *path = &why->paths[tile].path;
  if (why->limited)
    sim_text_add(out, "until the %s, at which the run had not ended: ", why->interrupted ? "interrupt" : "limit of cycles");
  if (why->count < 2) return;
  sim_text_add(out, "tile (%u, %u) %s", last->x, last->y, why->limited ? "was the last one at work" : "ended last");
  if (tile != why->last)
    sim_text_add(out, " and waited for tile (%u, %u), which has %.1f%% of the critical path", main->x, main->y,
                 obs_why_path_share(path, cycles_of_tile(path)));
  sim_text_add(out, ": ");
}

static void add_chain(const struct obs_why_tile *tile, struct sim_text *out) {
  struct why_step chain[CHAIN_MAX];
  unsigned count = 0, agent = obs_why_first_agent(&tile->p->account);
  uint32_t seen = 0;
  while (agent != WHY_NO_AGENT && count < CHAIN_MAX && !(seen >> agent & 1u)) {
    chain[count] = obs_why_step(tile->p, agent);
    seen |= 1u << agent;
    agent = chain[count++].next;
  }
  sim_text_add(out, "  waits, from the math thread on\n");
  for (unsigned i = 0; i < count; i++) obs_why_add_step(out, tile, &chain[i]);
}

static void add_cause(const struct obs_why *why, struct sim_text *out) {
  struct candidate found[OBS_WHY_CAUSES];
  struct obs_what_if what_ifs[OBS_WHY_CAUSES];
  struct why_part part;
  find_candidates(why, found, what_ifs);
  const struct candidate *c = why->chosen < OBS_WHY_CAUSES ? &found[why->chosen] : NULL;
  add_tiles(why, c ? c->place.tile : why->last, out);
  if (c && c->cause) {
    struct why_verdict v = verdict_of(why, c->place, out, &part, &what_ifs[why->chosen]);
    c->cause(&v);
  } else {
    sim_text_add(out, "no single cause: the parts on the critical path are about as long as what else runs beside them\n"
                      "  change: several of them; none of those below makes the run faster alone\n");
  }
}

#define SENTENCE_MAX 2048u

static void cut(char *text, const char *from, const char *until) {
  char *at = strstr(text, from), *end = at ? at + (until ? strcspn(at, until) : strlen(from)) : NULL;
  if (at) memmove(at, end, strlen(end) + 1);
}

/* The sentence of the cause, and the change behind "change: ". A run that has not ended has no rerun of which the change could speak. */
static void add_sentence(const struct obs_why *why, struct sim_text *out) {
  char text[SENTENCE_MAX] = "";
  struct sim_text sentence = {.data = text, .size = sizeof text};
  if (!why->limited) {
    add_cause(why, out);
    return;
  }
  add_cause(why, &sentence);
  cut(text, ", as the rerun does", NULL);
  cut(text, "; the rerun ", "\n");
  sim_text_add(out, "%s", text);
}

void obs_why_text(const struct obs_why *why, struct sim_text *out) {
  sim_text_add(out, "\nwhy: ");
  add_sentence(why, out);
  add_path(why, out);
  add_chain(&why->tiles[why->main], out);
}

/* --- as JSON --- */

static void add_json_sentence(const struct obs_why *why, struct sim_text *out) {
  char text[SENTENCE_MAX];
  struct sim_text sentence = {.data = text, .size = sizeof text};
  text[0] = '\0';
  add_sentence(why, &sentence);
  char *change = strstr(text, "\n  change: "), *end;
  sim_text_add(out, "\"verdict\":");
  if (change) *change = '\0';
  sim_text_add_json(out, text);
  change = change ? change + strlen("\n  change: ") : text + strlen(text);
  if ((end = strchr(change, '\n'))) *end = '\0';
  sim_text_add(out, ",\"change\":");
  sim_text_add_json(out, change);
  sim_text_add(out, ",\"what_if\":");
  sim_text_add_json(out, why->chosen < OBS_WHY_CAUSES ? why->causes[why->chosen].text : "");
}

static void add_json_place(const struct obs_why *why, const struct place *place, uint64_t cycles, struct sim_text *out) {
  const struct obs_why_tile *tile = &why->tiles[place->tile];
  const struct obs_path *path = &why->paths[place->tile].path;
  bool polls = path->own_wait[place->agent][TX_BLOCKED_ADDRESS] > cycles / 2;
  struct why_line line;
  sim_text_add(out, "{\"tile\":[%u,%u],\"agent\":\"%s\",\"cycles\":%llu,\"percent\":%.1f", tile->x, tile->y,
               obs_agent_name(place->agent), (unsigned long long)cycles, obs_why_path_share(path, cycles));
  if (obs_why_hottest(tile, place->agent, polls ? WHY_ALL : OBS_CATEGORIES, &line)) {
    sim_text_add(out, ",\"file\":");
    sim_text_add_json(out, line.file);
    sim_text_add(out, ",\"line\":%u,\"function\":", line.line);
    sim_text_add_json(out, line.function ? line.function : "");
  }
  sim_text_add(out, "}");
}

void obs_why_json(const struct obs_why *why, struct sim_text *out) {
  struct place said[PLACES_MAX];
  sim_text_add(out, "{");
  add_json_sentence(why, out);
  sim_text_add(out, ",\"critical_path\":[");
  for (unsigned n = 0; n < PLACES_MAX; n++) {
    uint64_t cycles = next_place(why, said, n, &said[n]);
    if (obs_why_path_share(&why->paths[why->main].path, cycles) < PLACE_SHARE_MIN) break;
    sim_text_add(out, n ? "," : "");
    add_json_place(why, &said[n], cycles, out);
  }
  sim_text_add(out, "]}");
}
