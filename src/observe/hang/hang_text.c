/* The hang of hang.h as text and as JSON. One sentence of cause, then one line per waiter. */
#include <stdio.h>
#include <string.h>

#include "observe/hang/hang.h"
#include "observe/hang/hang_internal.h"
#include "observe/hang/roles.h"
#include "observe/words.h"
#include "tensix/mem/memo.h"

const char *obs_party_state_name(enum obs_party_state state) {
  static const char *const names[] = {"running", "waiting", "returned", "idle", "failed", "held", "looping"};
  return (size_t)state < sizeof names / sizeof *names ? names[state] : "?";
}

/* --- the resource of a waiter --- */

/* Semaphores count up: an increment by more than one may skip the value. */
static bool is_passed(const struct obs_resource *r) {
  return r->wish == OBS_WISH_EQUAL && r->wanted && r->value > r->wanted && r->value < 0x10000u &&
         strstr(r->name, "NoC semaphore");
}

static void wish_words(const struct obs_resource *r, char *text, size_t size) {
  const uint32_t seen = r->unread ? r->seen : r->value;
  switch (r->wish) {
    case OBS_WISH_EQUAL: snprintf(text, size, "to become 0x%x", r->wanted); break;
    case OBS_WISH_NOT_EQUAL: snprintf(text, size, "to become other than 0x%x", seen); break;
    case OBS_WISH_AT_LEAST: snprintf(text, size, "to reach %u", r->wanted); break;
    case OBS_WISH_BITS:
      snprintf(text, size, "to have bit %u %s", (unsigned)__builtin_ctz(r->wanted | 1u << 31),
               seen & r->wanted ? "cleared" : "set");
      break;
    default: snprintf(text, size, "to change"); break;
  }
}

/* A core polls for a value; a thread waits for the next post or take. */
static void semaphore_words(const struct obs_resource *r, char *out, size_t size) {
  bool post = r->kind == OBS_RESOURCE_SEMAPHORE_POST;
  switch (r->wish) {
    case OBS_WISH_EQUAL: snprintf(out, size, "%s (now %u) to become %u", r->name, r->value, r->wanted); return;
    case OBS_WISH_AT_LEAST: snprintf(out, size, "%s (now %u) to reach %u", r->name, r->value, r->wanted); return;
    case OBS_WISH_NOT_EQUAL:
      if (!r->value) break;
      snprintf(out, size, "%s to become other than %u", r->name, r->value);
      return;
    case OBS_WISH_BITS:
      snprintf(out, size, "%s (now %u) to change in bit %u", r->name, r->value,
               (unsigned)__builtin_ctz(r->wanted | 1u << 31));
      return;
    default: break;
  }
  if (post) snprintf(out, size, "a post to %s", r->name);
  else if (r->address) snprintf(out, size, "%s (now %u) to change", r->name, r->value); /* a core's poll */
  else snprintf(out, size, "%s to fall below its maximum of %u", r->name, r->max);
}

static void resource_words(const struct obs_waiter *w, const struct obs_resource *r, char *out, size_t size) {
  char wish[64];
  wish_words(r, wish, sizeof wish);
  switch (r->kind) {
    case OBS_RESOURCE_BUFFER_PAGES:
      if (r->wish == OBS_WISH_UNKNOWN) snprintf(out, size, "a page of %s", r->name);
      else snprintf(out, size, "page %u of %s", r->wanted, r->name);
      break;
    case OBS_RESOURCE_BUFFER_ROOM:
      if (w->pages.needed > 1) snprintf(out, size, "room for %u pages in %s", w->pages.needed, r->name);
      else snprintf(out, size, "room in %s", r->name);
      break;
    case OBS_RESOURCE_SEMAPHORE_POST:
    case OBS_RESOURCE_SEMAPHORE_GET: semaphore_words(r, out, size); break;
    case OBS_RESOURCE_MUTEX:
      snprintf(out, size, "%s (held by %s)", r->name, w->last.known ? w->last.name : "no thread");
      break;
    case OBS_RESOURCE_SRC_FILLED: snprintf(out, size, "a filled bank of %s", r->name); break;
    case OBS_RESOURCE_SRC_RELEASED: snprintf(out, size, "a free bank of %s", r->name); break;
    case OBS_RESOURCE_WORD:
    case OBS_RESOURCE_REGISTER:
      snprintf(out, size, "%s (now 0x%x%s) %s", r->name, r->value,
               r->unread      ? ", not read yet"
               : is_passed(r) ? ", past it"
                              : "",
               wish);
      break;
    case OBS_RESOURCE_MAILBOX: snprintf(out, size, "a word in %s", r->name); break;
    case OBS_RESOURCE_MAILBOX_ROOM: snprintf(out, size, "room in %s", r->name); break;
    case OBS_RESOURCE_LOCAL: snprintf(out, size, "%s (now 0x%x) to change", r->name, r->value); break;
    case OBS_RESOURCE_PC_BUFFER: snprintf(out, size, "%s", r->name); break;
    case OBS_RESOURCE_THREAD: snprintf(out, size, "%s to become idle (tensix_sync)", r->name); break;
    case OBS_RESOURCE_FIFO: snprintf(out, size, "room in %s", r->name); break;
    case OBS_RESOURCE_MOP: snprintf(out, size, "%s to become idle", r->name); break;
    case OBS_RESOURCE_STREAM: snprintf(out, size, "%s (now %u) %s", r->name, r->value, wish); break;
    case OBS_RESOURCE_UNIT: snprintf(out, size, "%s to finish", r->name); break;
    default: snprintf(out, size, "%s", r->name); break;
  }
}

/* Adds a further word whole, or not at all. */
static bool add_whole(char *text, size_t size, const char *between, const char *word) {
  size_t used = strlen(text);
  if (used + strlen(between) + strlen(word) + 1 > size) return false;
  snprintf(text + used, size - used, "%s%s", between, word);
  return true;
}

/* A loop over words none of which alone ends it: "the word at 0x00030000 (now 0x0) and the word at 0x00030004 (now 0x0) to change". */
static void together_words(struct obs_waiter *w) {
  char one[128], end[32] = " to change";
  uint32_t left = w->words_left;
  snprintf(w->what, sizeof w->what, "%s (now 0x%x)", w->resource.name, w->resource.value);
  for (uint32_t i = 0; i < w->word_count; i++) {
    const struct obs_resource *r = &w->words[i].resource;
    bool last = i + 1 == w->word_count && !left;
    snprintf(one, sizeof one, "%s (now 0x%x)", r->name, r->value);
    left += !add_whole(w->what, sizeof w->what - sizeof end, last ? " and " : ", ", one);
  }
  if (left) snprintf(end, sizeof end, " and %u more to change", left);
  add_whole(w->what, sizeof w->what, "", end);
}

static void what_words(struct obs_waiter *w) {
  char one[192];
  if (w->word_count && w->resource.wish == OBS_WISH_UNKNOWN) {
    together_words(w);
    return;
  }
  resource_words(w, &w->resource, w->what, sizeof w->what);
  for (uint32_t i = 0; i < w->word_count; i++) {
    if (!w->words[i].ends) continue;
    resource_words(w, &w->words[i].resource, one, sizeof one);
    if (add_whole(w->what, sizeof w->what - 24, " or ", one)) continue;
    add_whole(w->what, sizeof w->what, "", " or another word");
    return;
  }
}

/* Words that the loop reads too, but whose value alone does not end it. */
static void also_words(struct obs_waiter *w) {
  struct sim_text out = {.data = w->detail, .size = sizeof w->detail, .length = strlen(w->detail)};
  const char *before = out.length ? "; its loop also reads " : "its loop also reads ";
  for (uint32_t i = 0; i < w->word_count; i++) {
    const struct obs_resource *r = &w->words[i].resource;
    if (w->words[i].ends || out.length + strlen(before) + strlen(r->name) + 20 > out.size) continue;
    sim_text_add(&out, "%s%s (now 0x%x)", before, r->name, r->value);
    before = ", ";
  }
}

void obs_place_words_of(const struct dbg_source *place, const char *name, char *text, size_t size) {
  struct sim_text out = {.data = text, .size = size};
  char line[416];
  int used = dbg_source_text(place, line, sizeof line);
  if (used > 0 && (size_t)used < sizeof line && place->caller[0])
    snprintf(line + used, sizeof line - (size_t)used, ", called at %s", place->caller);
  if (line[0] && place->call[0]) sim_text_add(&out, "%s (%s, in %s)", line, name, place->call);
  else if (line[0]) sim_text_add(&out, "%s (%s)", line, name);
  else if (place->pc)
    sim_text_add(&out, "%s at 0x%08x%s%s", name, place->pc, place->function[0] ? " in " : "", place->function);
  else sim_text_add(&out, "%s", name);
}

/* "writer.c:9 (BRISC)", "BRISC at 0x00002040", "thread 1 (math)" */
void obs_place_words(const struct obs_waiter *w, char *text, size_t size) {
  obs_place_words_of(&w->place, w->name, text, size);
}

/* --- the cause --- */

static bool is_buffer(const struct obs_resource *r) {
  return r->kind == OBS_RESOURCE_BUFFER_PAGES || r->kind == OBS_RESOURCE_BUFFER_ROOM;
}

static const char *plural(uint32_t count) { return count == 1 ? "" : "s"; }

static const char *state_words(const struct obs_releaser *r) {
  static const char *const ends[] = {"is still running", "waits itself",      "has returned", "is idle",
                                     "has failed",       "was never started", "loops forever"};
  return ends[r->state % 7];
}

/* A core that never reaches the instruction for which others wait: ", and NCRISC loops forever at reader.c:6". */
static void looping_words(const struct obs_hang *h, char *text, size_t size) {
  char at[176];
  text[0] = '\0';
  for (uint32_t i = 0; i < h->party_count && !text[0]; i++) {
    if (h->parties[i].state != OBS_PARTY_LOOPING) continue;
    obs_at_words(&h->parties[i].place, at, sizeof at);
    snprintf(text, size, ", and %s loops forever%s", h->parties[i].name, at);
  }
}

/* " is full (2 pages)", " has 1 free page of 4", " has 1 page of the 2 wanted" */
static void level_words(const struct obs_waiter *w, char *text, size_t size) {
  const struct obs_pages *p = &w->pages;
  bool room = w->resource.kind == OBS_RESOURCE_BUFFER_ROOM;
  uint32_t held = (p->pushed - p->popped) & 0xffffu, max = w->resource.max; /* the counters have 16 bits */
  text[0] = '\0';
  if (!room && p->present && p->present < p->needed)
    snprintf(text, size, " has %u page%s of the %u wanted", p->present, plural(p->present), p->needed);
  if (!room || !max) return;
  if (held > max) snprintf(text, size, " has more pages popped than pushed");
  else if (held == max) snprintf(text, size, " is full (%u page%s)", max, plural(max));
  else snprintf(text, size, " has %u free page%s of %u", max - held, plural(max - held), max);
}

static void buffer_cause(const struct obs_finder *f, const struct obs_waiter *w, const char *who, char *text, size_t size) {
  char subject[400], level[64], wait[32] = "a page";
  const struct obs_resource *r = &w->resource;
  obs_buffer_subject(f, w, subject, sizeof subject);
  if (!w->releaser_count) looping_words(f->hang, subject + strlen(subject), sizeof subject - strlen(subject));
  level_words(w, level, sizeof level);
  if (r->kind == OBS_RESOURCE_BUFFER_ROOM && w->pages.needed > 1)
    snprintf(wait, sizeof wait, "%u free pages", w->pages.needed);
  else if (r->kind == OBS_RESOURCE_BUFFER_ROOM) snprintf(wait, sizeof wait, "a free page");
  else if (r->wish != OBS_WISH_UNKNOWN) snprintf(wait, sizeof wait, "page %u", r->wanted);
  struct sim_text out = {text, size, 0};
  sim_text_add(&out, "%s%s: %s%s%s; %s has been waiting for %s since cycle %llu", r->name, level, subject,
               w->few[0] ? "; " : "", w->few, who, wait, (unsigned long long)w->since);
}

/* The last writer does not come to its line again: its code, executed from its wait on, or else the branches of its code show it. */
static bool is_behind(const struct obs_finder *f, const struct obs_waiter *w) {
  unsigned core = obs_core_of_agent(w->last.agent);
  struct obs_reach reach;
  if (core >= TX_CORES || f->t->core[core].state == TX_CORE_HELD) return true; /* a script has no branches */
  enum obs_future future = obs_roles_comes_to(f->t, f->program, core, w->last.pc);
  if (future != OBS_FUTURE_UNKNOWN) return future == OBS_FUTURE_NEVER;
  obs_reach_from(&reach, f->program, core, dbg_program_holding_pc(&f->t->core[core]));
  return reach.known && !obs_reaches(&reach, w->last.pc);
}

/* The releasers' states as text, or a statement that there are none. */
static void subject_words(const struct obs_finder *f, const struct obs_waiter *w, const char *none, const char *did,
                          char *text, size_t size) {
  struct sim_text out = {.data = text, .size = size};
  char at[176];
  text[0] = '\0';
  if (w->last.known && did) {
    obs_at_words(&w->last.place, at, sizeof at);
    sim_text_add(&out, "%s last %s it%s in cycle %llu", w->last.name, did, at, (unsigned long long)w->last.cycle);
  }
  if (w->releaser_count) { /* one suffices for a sentence */
    const struct obs_releaser *r = &w->releasers[0];
    bool own = out.length && !w->last.tile && obs_core_of_agent(r->agent) == obs_core_of_agent(w->last.agent);
    bool past = own && r->state == OBS_PARTY_WAITING && w->waits_for < 0 && is_behind(f, w);
    bool same = past || (out.length && strcmp(r->name, w->last.name) == 0);
    if (!out.length && !did && w->resource.kind == OBS_RESOURCE_WORD) sim_text_add(&out, "%s,", none);
    sim_text_add(&out, "%s%s%s%s", out.length ? " and " : "", same ? "" : r->name, same ? "" : " ",
                 past ? "cannot reach that line again" : state_words(r));
    if (!w->last.known && did) sim_text_add(&out, " and never %s it", did);
  }
  if (out.length) return;
  char looping[224];
  looping_words(f->hang, looping, sizeof looping);
  sim_text_add(&out, "%s%s", none, looping);
}

struct phrase {
  const char *none, *did;
  sim_time since; /* `none` is true from this cycle on; 0: from the start */
};

static bool programs_known(const struct obs_finder *f) {
  for (unsigned core = 0; core < TX_CORES; core++)
    if (f->state[core] != OBS_PARTY_HELD && f->t->core[core].state != TX_CORE_HELD &&
        !(f->program && f->program->loaded[core]))
      return false;
  return true;
}

/* A counter of NoC responses: is one outstanding? */
static const char *noc_phrase(const struct tx_tile *t, const struct obs_resource *r) {
  if (r->address < TX_ADDR_NOC || r->address >= TX_ADDR_STREAM || r->index >= TX_NOCS) return "nothing changes it";
  return noc_niu_waits(&t->niu[r->index]) ? "a request has not been answered" : "every request has been answered";
}

/* In a tile of a chip: no core, packet or host has written the bytes, nor another word with the same record. */
static bool never_written(const struct tx_tile *t, const struct obs_resource *r) {
  return !r->value && tx_memo_untouched(t, r->address, r->bytes);
}

/* The kernel library's calls on MATH_PACK: the one that would release a core in the other. NULL: another wait. */
static const char *missing_call(const struct obs_waiter *w, bool post) {
  if (strcmp(obs_semaphore_name(w->resource.index), "MATH_PACK") != 0) return NULL;
  if (post && strcmp(w->place.call, "tile_regs_wait") == 0) return "never posted: TRISC1 has not called tile_regs_commit";
  if (!post && strcmp(w->place.call, "tile_regs_acquire") == 0)
    return "never taken: TRISC2 has not called tile_regs_release";
  return NULL;
}

static struct phrase semaphore_phrase(const struct obs_waiter *w, bool post, bool known) {
  const char *missing = missing_call(w, post);
  const char *no_program = post ? "never posted, and no program posts it" : "never taken, and no program takes it";
  const char *none = post ? "it was never posted" : "it was never taken";
  return (struct phrase){known ? missing ? missing : no_program : none, post ? "posted" : "took", 0};
}

static struct phrase phrase_of(const struct obs_finder *f, const struct obs_waiter *w) {
  const struct obs_resource *r = &w->resource;
  bool known = programs_known(f);
  if (r->kind == OBS_RESOURCE_WORD && obs_writer_of(f->t, r->address))
    return (struct phrase){"nothing has written it", "wrote", f->t->unsaved.writers.since};
  if (r->kind == OBS_RESOURCE_WORD && (w->last.known || never_written(f->t, r)))
    return (struct phrase){"nothing has written it", w->last.known ? "wrote" : NULL, 0};
  switch (r->kind) {
    case OBS_RESOURCE_SEMAPHORE_POST: return semaphore_phrase(w, true, known);
    case OBS_RESOURCE_SEMAPHORE_GET:
      if (!r->max) return (struct phrase){"its maximum is 0, which only SEMINIT changes", NULL, 0};
      return semaphore_phrase(w, false, known);
    case OBS_RESOURCE_MUTEX: return (struct phrase){"no thread holds it", "acquired", 0};
    case OBS_RESOURCE_SRC_FILLED: return (struct phrase){"no UNPACR has filled it", "filled", 0};
    case OBS_RESOURCE_SRC_RELEASED: return (struct phrase){"no instruction has released it", "released", 0};
    case OBS_RESOURCE_WORD: /* programs compute addresses: code without a store to it is no proof */
      return (struct phrase){"its last writer is not recorded", NULL, 0};
    case OBS_RESOURCE_REGISTER: return (struct phrase){noc_phrase(f->t, r), NULL, 0};
    case OBS_RESOURCE_MAILBOX: return (struct phrase){"it is empty", NULL, 0};
    case OBS_RESOURCE_MAILBOX_ROOM: return (struct phrase){"it is full", NULL, 0};
    case OBS_RESOURCE_LOCAL: return (struct phrase){"no other core of its tile can write it", NULL, 0};
    case OBS_RESOURCE_THREAD: return (struct phrase){"it does not become idle", NULL, 0};
    default: return (struct phrase){"nothing will release it", NULL, 0};
  }
}

/* What has happened to the resource of the wait. */
static void past_words(const struct obs_finder *f, const struct obs_waiter *w, char *text, size_t size) {
  char none[96];
  struct phrase p = phrase_of(f, w);
  if (is_buffer(&w->resource)) {
    obs_buffer_subject(f, w, text, size);
    return;
  }
  if (p.since) snprintf(none, sizeof none, "%s since cycle %llu", p.none, (unsigned long long)p.since);
  else snprintf(none, sizeof none, "%s", p.none);
  const char *did = p.since && !w->last.known ? NULL : p.did; /* "never" cannot be claimed for the time before */
  subject_words(f, w, none, did, text, size);
}

void obs_add_past(struct sim_text *out, const char *past, bool several) {
  for (const char *it; several && (it = strstr(past, " it")) != NULL; past = it + 3)
    sim_text_add(out, "%.*s%s", (int)(it - past), past, it[3] == ' ' || it[3] == ',' || !it[3] ? " them" : " it");
  sim_text_add(out, "%s", past);
}

bool obs_alternatives(const struct obs_waiter *w) {
  for (uint32_t i = 0; i < w->word_count; i++)
    if (w->words[i].ends) return true;
  return false;
}

/* The words of a loop that can each end the wait, with the past of each; words with the same past together. */
static void words_cause(struct obs_finder *f, const struct obs_waiter *w, struct sim_text *out) {
  char past[400], before[400] = "";
  unsigned together = 0;
  for (uint32_t i = 0; i <= w->word_count; i++) {
    struct obs_waiter one;
    if (i && !w->words[i - 1].ends) continue;
    obs_word_waiter(f, w, i, &one);
    past_words(f, &one, past, sizeof past);
    if (together && strcmp(past, before) != 0) {
      sim_text_add(out, ": ");
      obs_add_past(out, before, together > 1);
      together = 0;
    }
    sim_text_add(out, "%s%s", !i ? "" : together ? ", " : "; ", one.resource.name);
    together++;
    memcpy(before, past, sizeof before);
  }
  sim_text_add(out, ": ");
  obs_add_past(out, before, together > 1);
}

void obs_wait_cause(struct obs_finder *f, const struct obs_waiter *w, char *text, size_t size) {
  char who[256], past[400];
  struct sim_text out = {text, size, 0};
  obs_place_words(w, who, sizeof who);
  if (obs_alternatives(w)) {
    words_cause(f, w, &out);
  } else if (is_buffer(&w->resource)) {
    buffer_cause(f, w, who, text, size);
    return;
  } else {
    past_words(f, w, past, sizeof past);
    sim_text_add(&out, "%s: %s%s%s", w->resource.name, past, w->few[0] ? "; " : "", w->few);
  }
  sim_text_add(&out, "; %s has been waiting for %s since cycle %llu", who, w->what, (unsigned long long)w->since);
}

void obs_waiter_words(struct obs_finder *f, struct obs_waiter *w, char *past, size_t size) {
  what_words(w);
  past_words(f, w, past, size);
}

#define CLOSED_NAMED 3u /* waits of a closed chain that the sentence has */

/* Of a long chain the waits of cores come first: a thread's wait follows from what cores do. */
static bool is_shown(const struct obs_hang *h, const struct obs_waiter *w) {
  uint32_t cores = 0;
  for (uint32_t i = 0; i < h->chain_count; i++) cores += h->waiters[h->chain[i]].agent >= TX_AGENT_TRISC0;
  return h->chain_count <= CLOSED_NAMED || cores < 2 || w->agent >= TX_AGENT_TRISC0;
}

static void deadlock_cause(const struct obs_hang *h, char *text, size_t size) {
  struct sim_text out = {.data = text, .size = size};
  sim_text_add(&out, "deadlock: ");
  for (uint32_t i = 0; i <= h->chain_count; i++)
    sim_text_add(&out, "%s%s", i ? " -> " : "", h->waiters[h->chain[i % h->chain_count]].name);
  for (uint32_t i = 0, shown = 0; i < h->chain_count && shown < CLOSED_NAMED; i++) {
    char who[256];
    const struct obs_waiter *w = &h->waiters[h->chain[i]];
    if (!is_shown(h, w)) continue;
    obs_place_words(w, who, sizeof who);
    sim_text_add(&out, "%s%s has been waiting for %s", shown++ ? ", " : "; ", who, w->what);
    if (w->resource.kind == OBS_RESOURCE_BUFFER_ROOM)
      sim_text_add(&out, " (%u pushed, %u popped)", w->pages.pushed, w->pages.popped);
    sim_text_add(&out, " since cycle %llu", (unsigned long long)w->since);
  }
}

static void no_waiter_cause(const struct obs_hang *h, char *text, size_t size) {
  const struct obs_party *shown = NULL;
  for (uint32_t i = 0; i < h->party_count; i++)
    if (h->parties[i].state == OBS_PARTY_LOOPING && !shown) shown = &h->parties[i];
  char at[176] = "";
  if (shown) obs_at_words(&shown->place, at, sizeof at);
  if (shown) snprintf(text, size, "every core has ended; %s loops forever%s", shown->name, at);
  else snprintf(text, size, "every core idles in its firmware: nothing is launched, or every kernel has returned");
}

void obs_hang_words(struct obs_finder *f) {
  struct obs_hang *h = f->hang;
  for (uint32_t i = 0; i < h->waiter_count; i++) {
    what_words(&h->waiters[i]);
    obs_buffer_detail(&h->waiters[i]);
    also_words(&h->waiters[i]);
  }
  if (f->failed) {
    char line[160];
    dbg_source_text(&f->failure.place, line, sizeof line);
    snprintf(h->cause, sizeof h->cause, "%s%s%s stopped: %s", line, line[0] ? ": " : "", tx_core_name(f->failure.core),
             f->failure.text);
  } else if (h->deadlock) {
    deadlock_cause(h, h->cause, sizeof h->cause);
  } else if (h->chain_count) {
    obs_wait_cause(f, &h->waiters[h->chain[0]], h->cause, sizeof h->cause);
  } else {
    no_waiter_cause(h, h->cause, sizeof h->cause);
  }
}

/* --- a core in a hang --- */

static const struct obs_waiter *waiter_of(const struct obs_hang *h, unsigned core) {
  for (uint32_t i = 0; i < h->waiter_count; i++)
    if (h->waiters[i].agent == TX_AGENT_TRISC0 + core) return &h->waiters[i];
  return NULL;
}

static const struct obs_party *party_of(const struct obs_hang *h, unsigned core) {
  for (uint32_t i = 0; i < h->party_count; i++)
    if (h->parties[i].agent == TX_AGENT_TRISC0 + core) return &h->parties[i];
  return NULL;
}

void obs_hang_core_words(const void *hang, unsigned core, char *text, size_t size) {
  static const char *const words[] = {
      "running", "waiting",      "its kernel has returned", "idles in its firmware", "stopped by KERNEL_CHECK",
      "held",    "loops forever"};
  const struct obs_waiter *w = waiter_of(hang, core);
  const struct obs_party *p = party_of(hang, core);
  if (w) snprintf(text, size, "waiting for %s since cycle %llu", w->what, (unsigned long long)w->since);
  else if (p) snprintf(text, size, "%s", words[p->state % 7]);
}

const char *obs_hang_core_state(const struct obs_hang *h, unsigned core) {
  const struct obs_party *p = party_of(h, core);
  if (waiter_of(h, core)) return "waiting";
  return p && p->state != OBS_PARTY_FAILED ? obs_party_state_name(p->state) : NULL;
}

/* --- text --- */

static void waiter_line(const struct obs_hang *h, const struct obs_waiter *w, struct sim_text *out) {
  char who[256];
  obs_place_words(w, who, sizeof who);
  sim_text_add(out, "  %s: waiting for %s since cycle %llu", who, w->what, (unsigned long long)w->since);
  if (w->waits_for >= 0) sim_text_add(out, ", behind %s", h->waiters[w->waits_for].name);
  if (w->few[0]) sim_text_add(out, "; %s", w->few);
  if (w->detail[0]) sim_text_add(out, "; %s", w->detail);
  sim_text_add(out, "\n");
}

static void verbose_actor(const char *of, const struct obs_actor *last, struct sim_text *out) {
  char at[176];
  if (!last->known) return;
  obs_at_words(&last->place, at, sizeof at);
  sim_text_add(out, "      %s%slast by %s%s in cycle %llu\n", of, of[0] ? ": " : "", last->name, at,
               (unsigned long long)last->cycle);
}

void obs_waiter_verbose(const struct obs_waiter *w, struct sim_text *out) {
  const struct obs_resource *r = &w->resource;
  if (r->kind == OBS_RESOURCE_SEMAPHORE_POST || r->kind == OBS_RESOURCE_SEMAPHORE_GET)
    sim_text_add(out, "      value %u, maximum %u\n", r->value, r->max);
  if (w->place.function[0] || w->place.pc)
    sim_text_add(out, "      in %s, pc 0x%08x\n", w->place.function[0] ? w->place.function : "code without a name",
                 w->place.pc);
  if (r->address) sim_text_add(out, "      at address 0x%08x, which reads 0x%x\n", r->address, r->value);
  for (uint32_t i = 0; i < w->word_count; i++)
    sim_text_add(out, "      at address 0x%08x, which reads 0x%x\n", w->words[i].resource.address,
                 w->words[i].resource.value);
  for (uint32_t i = 0; i < w->releaser_count; i++)
    sim_text_add(out, "      %s %s it (%s)\n", w->releasers[i].name, w->releasers[i].role,
                 obs_party_state_name(w->releasers[i].state));
  verbose_actor("", &w->last, out);
  verbose_actor("itself", &w->own, out);
  for (uint32_t i = 0; i < w->word_count; i++) verbose_actor(w->words[i].resource.name, &w->words[i].last, out);
}

static bool in_chain(const struct obs_hang *h, uint32_t waiter) {
  for (uint32_t i = 0; i < h->chain_count; i++)
    if (h->chain[i] == waiter) return true;
  return false;
}

static void party_lines(const struct obs_hang *h, struct sim_text *out) {
  static const struct {
    enum obs_party_state state;
    const char *words;
  } rows[] = {{OBS_PARTY_RETURNED, "have returned"},
              {OBS_PARTY_LOOPING, "loop forever"},
              {OBS_PARTY_FAILED, "failed"},
              {OBS_PARTY_RUNNING, "still running"}};
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    const char *between = "";
    for (uint32_t i = 0; i < h->party_count; i++) {
      if (h->parties[i].state != rows[k].state) continue;
      if (!between[0]) sim_text_add(out, "%s: ", rows[k].words);
      sim_text_add(out, "%s%s", between, h->parties[i].name);
      between = ", ";
    }
    if (between[0]) sim_text_add(out, "\n");
  }
}

void obs_hang_text(const struct obs_hang *h, bool verbose, struct sim_text *out) {
  sim_text_add(out, "hang after %llu cycles: %s\n", (unsigned long long)h->cycle, h->cause);
  if (h->chain_count) sim_text_add(out, h->deadlock ? "each waits for the next, the last for the first\n" : "waiting\n");
  for (uint32_t i = 0; i < h->chain_count; i++) {
    waiter_line(h, &h->waiters[h->chain[i]], out);
    if (verbose) obs_waiter_verbose(&h->waiters[h->chain[i]], out);
  }
  const char *heading = "waiting besides\n";
  for (uint32_t i = 0; i < h->waiter_count; i++) {
    if (in_chain(h, i)) continue;
    sim_text_add(out, "%s", heading);
    heading = "";
    waiter_line(h, &h->waiters[i], out);
    if (verbose) obs_waiter_verbose(&h->waiters[i], out);
  }
  party_lines(h, out);
}

/* --- JSON --- */

static void json_string(struct sim_text *out, const char *key, const char *value) {
  sim_text_add(out, "\"%s\":", key);
  sim_text_add_json(out, value);
}

void obs_source_json(const struct dbg_source *s, struct sim_text *out) {
  if (!s->pc && !s->file[0]) {
    sim_text_add(out, "null");
    return;
  }
  sim_text_add(out, "{\"pc\":%u,\"line\":%u,", s->pc, s->line);
  json_string(out, "file", s->file);
  sim_text_add(out, ",");
  json_string(out, "path", s->path);
  sim_text_add(out, ",");
  json_string(out, "function", s->function);
  sim_text_add(out, ",");
  json_string(out, "call", s->call);
  sim_text_add(out, ",");
  json_string(out, "caller", s->caller);
  sim_text_add(out, "}");
}

const char *obs_resource_name(enum obs_resource_kind kind) {
  static const char *const names[] = {
      "none",         "buffer_pages", "buffer_room", "semaphore_post", "semaphore_get", "mutex",  "src_filled",
      "src_released", "word",         "register",    "mailbox",        "pc_buffer",     "thread", "fifo",
      "mop",          "unit",         "stream",      "access",         "endless_loop",  "local",  "mailbox_room"};
  return (size_t)kind < sizeof names / sizeof *names ? names[kind] : "none";
}

const char *obs_wish_name(enum obs_wish wish) {
  static const char *const names[] = {"unknown", "equal", "not_equal", "at_least", "bits"};
  return (size_t)wish < sizeof names / sizeof *names ? names[wish] : "unknown";
}

static void json_resource(const struct obs_resource *r, struct sim_text *out) {
  sim_text_add(out, "{\"kind\":\"%s\",\"index\":%u,\"address\":%u,\"value\":%u,\"wish\":\"%s\",\"wanted\":%u,\"max\":%u,",
               obs_resource_name(r->kind), r->index, r->address, r->value, obs_wish_name(r->wish), r->wanted, r->max);
  json_string(out, "name", r->name);
  sim_text_add(out, "}");
}

static void json_actor(const struct obs_actor *a, struct sim_text *out) {
  if (!a->known) {
    sim_text_add(out, "null");
    return;
  }
  sim_text_add(out, "{\"cycle\":%llu,", (unsigned long long)a->cycle);
  json_string(out, "name", a->name);
  sim_text_add(out, ",\"place\":");
  obs_source_json(&a->place, out);
  sim_text_add(out, "}");
}

static void json_pages(const struct obs_pages *p, struct sim_text *out) {
  const struct {
    const char *key;
    const struct obs_actor *actor;
  } rows[] = {{"push", &p->push}, {"pop", &p->pop}, {"reserve", &p->reserve}, {"wait", &p->wait}};
  sim_text_add(out, ",\"pages\":{\"pushed\":%u,\"popped\":%u,\"filled\":%s", p->pushed, p->popped,
               p->filled ? "true" : "false");
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    sim_text_add(out, ",\"%s\":", rows[i].key);
    json_actor(rows[i].actor, out);
  }
  sim_text_add(out, "}");
}

/* The further words of a loop over several. */
static void json_words(const struct obs_waiter *w, struct sim_text *out) {
  sim_text_add(out, ",\"words\":[");
  for (uint32_t i = 0; i < w->word_count; i++) {
    sim_text_add(out, "%s{\"ends\":%s,\"resource\":", i ? "," : "", w->words[i].ends ? "true" : "false");
    json_resource(&w->words[i].resource, out);
    sim_text_add(out, ",\"last\":");
    json_actor(&w->words[i].last, out);
    sim_text_add(out, "}");
  }
  sim_text_add(out, "]");
}

void obs_waiter_json(const struct obs_waiter *w, struct sim_text *out) {
  json_string(out, "name", w->name);
  sim_text_add(out, ",\"tile\":");
  if (w->tile == OBS_NO_TILE) sim_text_add(out, "null");
  else sim_text_add(out, "{\"x\":%u,\"y\":%u}", w->tile & 0xffffu, w->tile >> 16);
  sim_text_add(out, ",\"since\":%llu,", (unsigned long long)w->since);
  json_string(out, "waits_for_what", w->what);
  sim_text_add(out, ",\"resource\":");
  json_resource(&w->resource, out);
  sim_text_add(out, ",\"place\":");
  obs_source_json(&w->place, out);
  sim_text_add(out, ",\"last\":");
  json_actor(&w->last, out);
  sim_text_add(out, ",\"own\":");
  json_actor(&w->own, out);
  json_words(w, out);
  sim_text_add(out, ",\"waits_for\":%d,\"releasers\":[", w->waits_for);
  for (uint32_t i = 0; i < w->releaser_count; i++) {
    sim_text_add(out, "%s{", i ? "," : "");
    json_string(out, "name", w->releasers[i].name);
    sim_text_add(out, ",\"role\":\"%s\",\"state\":\"%s\"}", w->releasers[i].role,
                 obs_party_state_name(w->releasers[i].state));
  }
  sim_text_add(out, "]");
  if (is_buffer(&w->resource)) json_pages(&w->pages, out);
}

void obs_party_json(const struct obs_party *p, struct sim_text *out) {
  json_string(out, "name", p->name);
  sim_text_add(out, ",\"state\":\"%s\",\"place\":", obs_party_state_name(p->state));
  obs_source_json(&p->place, out);
}

void obs_hang_json(const struct obs_hang *h, struct sim_text *out) {
  sim_text_add(out, "{\"cycle\":%llu,", (unsigned long long)h->cycle);
  json_string(out, "cause", h->cause);
  sim_text_add(out, ",\"deadlock\":%s,\"chain\":[", h->deadlock ? "true" : "false");
  for (uint32_t i = 0; i < h->chain_count; i++) sim_text_add(out, "%s%u", i ? "," : "", h->chain[i]);
  sim_text_add(out, "],\"waiters\":[");
  for (uint32_t i = 0; i < h->waiter_count; i++) {
    sim_text_add(out, "%s{", i ? "," : "");
    obs_waiter_json(&h->waiters[i], out);
    sim_text_add(out, "}");
  }
  sim_text_add(out, "],\"others\":[");
  for (uint32_t i = 0; i < h->party_count; i++) {
    sim_text_add(out, "%s{", i ? "," : "");
    obs_party_json(&h->parties[i], out);
    sim_text_add(out, "}");
  }
  sim_text_add(out, "]}");
}
