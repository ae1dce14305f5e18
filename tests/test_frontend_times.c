/* The times of the front end, word by word, against the recurrence in max and plus that stands in
 * src/tensix/frontend/frontend.h. The recurrence goes through the words of a random program once, in order, without the cycles
 * in between. From the run it takes only the cycle in which each word passed the gate. */
#include "rig.h"
#include "scale.h"
#include "tensix/frontend/frontend.h"

#define FIFO2_WORDS 8u
#define FIFO3_WORDS 2u
#define PLAIN_WORDS 5u
#define FIFO1_ACCEPTS 28u

#define MARK(n) OP(SETADC, (n)&0xffffu)       /* nothing blocks it at the gate */
#define HOLD(n) OP(ADDDMAREG, ((n)&31u) << 6) /* occupies the scalar unit for some cycles */
#define CYCLES 700u
#define WORDS 8192u

/* What is done to the front end of thread 0, each in its cycle. */
struct action {
  sim_time at;
  uint32_t word;
};
struct program {
  struct action push[WORDS], brisc[WORDS], write[WORDS]; /* write: the register's index is in the 4 bits above the value */
  uint32_t pushes, briscs, writes;
  uint32_t room[CYCLES]; /* seen after each cycle */
  sim_time passed[WORDS];
  uint32_t word[WORDS], passes; /* at the gate */
};

static void note_pass(void *context, const struct sim_event *e) {
  struct program *p = context;
  if (e->agent != 0 || p->passes == WORDS) return;
  p->word[p->passes] = e->a;
  p->passed[p->passes++] = e->at;
}

/* --- a random program --- */

struct source {
  uint64_t seed;
  uint32_t serial, recording; /* recording: words that are pushed for the replay buffer, before any that it may not hold */
};

static uint32_t below(struct source *s, uint32_t n) { return (uint32_t)(rig_random(&s->seed) % n); }
static uint32_t plain(struct source *s, uint32_t holds) {
  return below(s, 10) < holds ? HOLD(s->serial++) : MARK(s->serial++);
}
static uint32_t playback(struct source *s) { return OP(REPLAY, below(s, 32) << 14 | (1 + below(s, 9)) << 4); }

static uint32_t next_word(struct source *s, uint32_t holds, bool mops, bool replays) {
  if (s->recording) {
    s->recording--;
    return plain(s, holds);
  }
  const uint32_t kind = below(s, 16);
  if (kind < 3 && mops) return below(s, 3) ? OP(MOP, 1u << 23) : OP(MOP, below(s, 6) << 16 | below(s, 0x10000));
  if (kind == 3 && mops) return OP(MOP_CFG, below(s, 0x10000));
  if (kind < 6 && replays) return playback(s);
  if (kind == 6 && replays) {
    const uint32_t count = 1 + below(s, 20);
    s->recording = count + 10;
    return OP(REPLAY, below(s, 32) << 14 | count << 4 | below(s, 2) << 1 | 1u);
  }
  return plain(s, holds);
}

static void set_templates(struct tx_tile *t, struct source *s, struct program *p, bool replays) {
  uint32_t cfg[9];
  cfg[0] = 1 + below(s, 3); /* not 0: its bug of 128 iterations is another test's */
  cfg[1] = 1 + below(s, 4);
  for (unsigned i = 2; i < 9; i++) cfg[i] = replays && below(s, 6) == 0 ? playback(s) : plain(s, 2);
  for (unsigned i = 2; i < 5; i++)
    if (below(s, 3) == 0) cfg[i] = OP(NOP, 0);
  if (below(s, 2)) cfg[6] = OP(NOP, 0);
  for (unsigned i = 0; i < 9; i++) {
    tx_frontend_write_mop_cfg(t, 0, i, cfg[i]);
    p->write[p->writes++] = (struct action){.at = i, .word = cfg[i]}; /* the first nine: by register */
  }
}

/* A register that holds an instruction keeps holding one: the number of words does not change. */
static void write_template(struct tx_tile *t, struct source *s, struct program *p, sim_time now) {
  const uint32_t index = 2 + below(s, 7), value = MARK(s->serial++);
  if (p->write[index].word >> 24 == TX_NOP || p->write[index].word >> 24 == TX_REPLAY) return;
  tx_frontend_write_mop_cfg(t, 0, index, value);
  p->write[p->writes++] = (struct action){now, index << 28 | (value & 0xffffu)};
}

static void run_program(struct program *p, uint64_t seed) {
  struct source s = {.seed = seed};
  const bool mops = below(&s, 4), replays = below(&s, 3), brisc = below(&s, 4) == 0, writes = below(&s, 2),
             look = below(&s, 2);
  const uint32_t holds = below(&s, 5), busy = 1 + below(&s, 8);
  struct tx_tile *t = tile_take();
  tx_tile_reset(t, true);
  memset(p, 0, sizeof *p);
  sim_log_attach(&t->unsaved.log, note_pass, p, 1u << TX_EVENT_ISSUE);
  set_templates(t, &s, p, replays);
  for (unsigned i = 0; i < 32; i++) t->frontend[0].replay.slot[i] = MARK(0x8000 + i);
  t->frontend[0].replay.loaded = ~0u;
  for (sim_time now = 1; now < CYCLES; now++) {
    tx_tile_run(t, now);
    if (t->engine.now < now) t->engine.now = now;
    const bool pushes = now < CYCLES - 300 && below(&s, 8) < busy;
    if (brisc && now < CYCLES - 300 && below(&s, 12) == 0) {
      const uint32_t word = MARK(s.serial++);
      if (tx_frontend_push_brisc(t, 0, word, 0)) p->brisc[p->briscs++] = (struct action){now, word};
    }
    if (writes && below(&s, 20) == 0) write_template(t, &s, p, now);
    if (pushes && tx_frontend_room(t, 0)) {
      const uint32_t word = next_word(&s, holds, mops, replays);
      assert_true(tx_frontend_push(t, 0, word, 0));
      p->push[p->pushes++] = (struct action){now, word};
    }
    p->room[now] = look ? tx_frontend_room(t, 0) : UINT32_MAX;
  }
  tx_tile_run(t, 100000);
  assert_int_equal(t->fault.kind, 0);
  tile_give_back(t);
}

/* --- the recurrence --- */

struct model {
  const struct program *p;
  uint32_t briscs;           /* of BRISC's words, those at the mux so far */
  uint32_t n;                /* words that entered FIFO 2 */
  sim_time left2[WORDS];     /* when they left it */
  uint32_t plains;           /* plain words that entered it */
  sim_time ended[WORDS];     /* when they passed or the replay expander kept them, sorted */
  uint32_t g;                /* words for the gate */
  sim_time expander, replay; /* the last cycle in which it did something */
  uint32_t slot[32], index, loading, forward;
  uint64_t checked;
};

static sim_time later(sim_time a, sim_time b) { return a > b ? a : b; }

/* A word leaves the replay expander in cycle t3: it passes when it can. */
static void to_gate(struct model *m, uint32_t word, sim_time t3) {
  const struct program *p = m->p;
  assert_true(m->g < p->passes);
  const sim_time earliest = later(t3 + 1, m->g ? p->passed[m->g - 1] + 1 : 0);
  assert_int_equal(p->word[m->g], word);
  if (word >> 24 == TX_SETADC) assert_int_equal(p->passed[m->g], earliest);
  else assert_true(p->passed[m->g] >= earliest);
  m->g++;
  m->checked++;
}

/* The first cycle from `at` on in which FIFO 3 has a slot. */
static sim_time slot_of_fifo3(const struct model *m, sim_time at) {
  if (m->g < FIFO3_WORDS) return at;
  assert_true(m->g - FIFO3_WORDS < m->p->passes);
  return later(at, m->p->passed[m->g - FIFO3_WORDS]);
}

/* A word enters FIFO 2 in cycle t2, and goes on from there. */
static void enter(struct model *m, uint32_t word, sim_time t2, bool is_plain) {
  sim_time t3 = later(t2 + 1, m->replay + 1), ends;
  if (m->loading) {
    if (m->forward) t3 = slot_of_fifo3(m, t3);
    m->slot[m->index++ % 32] = word;
    m->loading--;
    ends = t3;
    if (m->forward) {
      to_gate(m, word, t3);
      ends = m->p->passed[m->g - 1];
    }
    m->left2[m->n] = m->replay = t3;
  } else if (word >> 24 == TX_REPLAY) {
    const uint32_t count = (word >> 4 & 63u) ? word >> 4 & 63u : 32;
    m->index = word >> 14 & 31u;
    if (!(word & 1u)) t3 = slot_of_fifo3(m, t3);
    m->left2[m->n] = m->replay = ends = t3;
    if (word & 1u) {
      m->loading = count;
      m->forward = word >> 1 & 1u;
    }
    for (uint32_t i = 0; !(word & 1u) && i < count; i++) {
      if (i) m->replay = slot_of_fifo3(m, m->replay + 1);
      to_gate(m, m->slot[m->index++ % 32], m->replay);
    }
  } else {
    t3 = slot_of_fifo3(m, t3);
    m->left2[m->n] = m->replay = t3;
    to_gate(m, word, t3);
    ends = m->p->passed[m->g - 1];
  }
  m->n++;
  if (!is_plain) return;
  uint32_t i = m->plains++;
  for (; i && m->ended[i - 1] > ends; i--) m->ended[i] = m->ended[i - 1];
  m->ended[i] = ends;
}

static sim_time slot_of_fifo2(const struct model *m, sim_time at) {
  return m->n < FIFO2_WORDS ? at : later(at, m->left2[m->n - FIFO2_WORDS]);
}

enum need { NOTHING, SLOT, SLOT_OF_PLAIN };

static sim_time earliest(const struct model *m, sim_time arrived, enum need need) {
  sim_time at = later(m->expander + 1, arrived + 1);
  if (need != NOTHING) at = slot_of_fifo2(m, at);
  if (need == SLOT_OF_PLAIN && m->plains >= PLAIN_WORDS) at = later(at, m->ended[m->plains - PLAIN_WORDS]);
  return at;
}

/* The cycle in which the MOP expander does the next thing. BRISC's words before that cycle enter FIFO 2 before. `lost`: one is
 * at the mux in that cycle. */
static sim_time act(struct model *m, sim_time arrived, enum need need, bool *lost) {
  for (;;) {
    const sim_time at = earliest(m, arrived, need);
    const bool comes = m->briscs < m->p->briscs && m->p->brisc[m->briscs].at + 1 <= at;
    const sim_time mux = comes ? m->p->brisc[m->briscs].at + 1 : 0;
    if (comes) enter(m, m->p->brisc[m->briscs++].word, mux, false);
    *lost = comes && mux == at;
    if (!comes || *lost) return m->expander = at;
  }
}

/* The value of a MOP register for a word that is emitted in cycle `at`. */
static uint32_t cfg_at(const struct model *m, unsigned index, sim_time at) {
  uint32_t value = m->p->write[index].word;
  for (uint32_t i = 9; i < m->p->writes; i++)
    if (m->p->write[i].word >> 28 == index && m->p->write[i].at < at) value = MARK(m->p->write[i].word & 0xffffu);
  return value;
}

/* The registers whose words a MOP emits, in order. */
static uint32_t list_mop(const struct program *p, uint32_t mop, uint32_t mask_hi, uint8_t *list) {
  const struct action *cfg = p->write;
  uint32_t count = 0;
  if (!(mop >> 23 & 1u)) {
    const uint32_t mask = mask_hi << 16 | (mop & 0xffffu);
    for (uint32_t i = 0; i <= (mop >> 16 & 127u); i++) {
      const bool skip = i < 32 && (mask >> i & 1u);
      list[count++] = skip ? 7 : 3;
      for (uint8_t k = 4; !skip && (cfg[1].word & 2) && k <= 6; k++) list[count++] = k;
      if (cfg[1].word & 1) list[count++] = skip ? 8 : 2;
    }
    return count;
  }
  const bool two = cfg[6].word >> 24 != TX_NOP;
  for (uint32_t outer = 0; outer < cfg[0].word; outer++) {
    if (cfg[2].word >> 24 != TX_NOP) list[count++] = 2;
    for (uint32_t i = 0; i < cfg[1].word; i++) {
      if (two) list[count++] = 5;
      list[count++] = i + 1 < cfg[1].word ? (two ? 6 : 5) : outer + 1 < cfg[0].word ? 8 : 7;
    }
    if (cfg[3].word >> 24 != TX_NOP) {
      list[count++] = 3;
      if (cfg[4].word >> 24 != TX_NOP) list[count++] = 4;
    }
  }
  return count;
}

static void compare(const struct program *p, struct model *m, sim_time *left1) {
  uint32_t mask_hi = 0;
  bool lost, after_mop = false;
  memset(m, 0, sizeof *m);
  m->p = p;
  for (unsigned i = 0; i < 32; i++) m->slot[i] = MARK(0x8000 + i);
  for (uint32_t k = 0; k < p->pushes; k++) {
    const uint32_t word = p->push[k].word;
    const sim_time arrived = p->push[k].at;
    bool follows = false; /* a MOP another in the cycle of its end */
    if (after_mop) { /* the expander finds the end, for which it needs a slot; a MOP that has arrived begins in that cycle */
      follows = act(m, 0, SLOT, &lost) > arrived && word >> 24 == TX_MOP;
      after_mop = false;
    }
    if (word >> 24 == TX_MOP) {
      uint8_t list[2048];
      const uint32_t count = list_mop(p, word, mask_hi, list);
      for (uint32_t i = 0; i < count; i++) {
        if (i || !follows) act(m, i ? 0 : arrived, SLOT, &lost);
        if (!i) left1[k] = m->expander;
        if (!lost) enter(m, cfg_at(m, list[i], m->expander), m->expander, false);
      }
      after_mop = true;
    } else if (word >> 24 == TX_MOP_CFG) {
      left1[k] = act(m, arrived, NOTHING, &lost);
      mask_hi = word & 0xffffu;
    } else {
      left1[k] = act(m, arrived, SLOT_OF_PLAIN, &lost);
      if (!lost) enter(m, word, m->expander, true);
    }
  }
  while (m->briscs < p->briscs) {
    const struct action *b = &p->brisc[m->briscs++];
    enter(m, b->word, b->at + 1, false);
  }
  assert_int_equal(m->g, p->passes);
}

static void every_word_comes_in_the_cycle_of_the_recurrence(void **state) {
  (void)state;
  struct program *p = malloc(sizeof *p);
  struct model *m = malloc(sizeof *m);
  sim_time *left1 = malloc(WORDS * sizeof *left1);
  uint64_t words = 0;
  assert_true(p && m && left1);
  for (uint64_t n = test_scaled(600); n; n--) {
    run_program(p, n * UINT64_C(7919));
    compare(p, m, left1);
    words += m->checked;
    for (sim_time now = 1, in = 0, out = 0; now < CYCLES; now++) { /* FIFO 1 holds what was pushed and has not left */
      while (in < p->pushes && p->push[in].at <= now) in++;
      while (out < p->pushes && left1[out] <= now) out++;
      const uint32_t held = (uint32_t)(in - out);
      if (p->room[now] != UINT32_MAX) assert_int_equal(p->room[now], held <= FIFO1_ACCEPTS ? FIFO1_ACCEPTS + 1 - held : 0);
    }
  }
  print_message("note: front end: %llu words in the cycles of the recurrence\n", (unsigned long long)words);
  free(left1);
  free(m);
  free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_word_comes_in_the_cycle_of_the_recurrence)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
