/* The engine: a small machine that records every call, and one test per mechanism. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sim/engine.h"

#define NOTES_MAX 512u

enum what { EFFECT = 1, REQUEST, ARBITRATE, ISSUE };

struct note {
  sim_time at;
  uint32_t what, who;
  uint64_t value;
};

/* The behaviour of an agent in its turn is a function, so each test writes its own. */
struct box {
  struct sim_engine engine;
  void (*turn)(struct box *, unsigned);
  uint64_t shared;  /* changed in issue */
  uint64_t seen[8]; /* `shared` as each agent's last request saw it */
  unsigned count;
  struct note notes[NOTES_MAX];
};

static void note(struct box *box, uint32_t what, uint32_t who, uint64_t value) {
  if (box->count < NOTES_MAX) box->notes[box->count++] = (struct note){box->engine.now, what, who, value};
}
static void effect(void *machine, const struct sim_effect *e) {
  struct box *box = machine;
  note(box, EFFECT, e->kind, e->w[0]);
}
static void request(void *machine, unsigned agent) {
  struct box *box = machine;
  box->seen[agent] = box->shared;
  note(box, REQUEST, agent, box->shared);
}
static void arbitrate(void *machine, uint64_t due) { note(machine, ARBITRATE, 0, due); }
static void issue(void *machine, unsigned agent) {
  struct box *box = machine;
  note(box, ISSUE, agent, box->shared);
  box->turn(box, agent);
}
static const struct sim_machine ops = {.effect = effect, .request = request, .arbitrate = arbitrate, .issue = issue};

static struct box box;

static void begin(unsigned agents, void (*turn)(struct box *, unsigned)) {
  memset(&box, 0, sizeof box);
  sim_engine_init(&box.engine, agents);
  box.turn = turn;
}
static enum sim_end run(sim_time until) { return sim_run(&box.engine, until, &ops, &box); }

static void finish(struct box *b, unsigned agent) { sim_done(&b->engine, agent); }
static void add_and_finish(struct box *b, unsigned agent) {
  b->shared += 1 + agent;
  sim_done(&b->engine, agent);
}

static void phases_come_in_order_and_requests_see_no_issue(void **state) {
  (void)state;
  begin(3, add_and_finish);
  for (unsigned i = 0; i < 3; i++) sim_sleep_until(&box.engine, i, 5);
  assert_true(sim_effect_at(&box.engine, (struct sim_effect){.at = 5, .kind = 9}));
  assert_int_equal(run(100), SIM_END_DONE);
  const uint32_t order[] = {EFFECT, REQUEST, REQUEST, REQUEST, ARBITRATE, ISSUE, ISSUE, ISSUE};
  assert_int_equal(box.count, 8);
  for (unsigned i = 0; i < 8; i++) {
    assert_int_equal(box.notes[i].what, order[i]);
    assert_int_equal(box.notes[i].at, 5);
  }
  for (unsigned i = 0; i < 3; i++) assert_int_equal(box.seen[i], 0); /* no agent saw another's issue of this cycle */
  assert_int_equal(box.shared, 1 + 2 + 3);
  assert_int_equal(box.notes[4].value, 7); /* all three were due */
}

static void hop(struct box *b, unsigned agent) {
  if (b->engine.now >= 1000) sim_done(&b->engine, agent);
  else sim_sleep_until(&b->engine, agent, b->engine.now + 250 + agent);
}

static void time_jumps_to_where_somebody_acts(void **state) {
  (void)state;
  begin(2, hop);
  sim_sleep_until(&box.engine, 0, 0);
  assert_int_equal(run(SIM_NEVER - 1), SIM_END_DONE);
  unsigned issues = 0;
  for (unsigned i = 0; i < box.count; i++) {
    if (box.notes[i].what != ISSUE) continue;
    assert_int_equal(box.notes[i].at, 250u * issues);
    issues++;
  }
  assert_int_equal(issues, 5); /* 0, 250, 500, 750, 1000: no cycle between costs anything */
  assert_int_equal(box.engine.now, 1000);
}

/* 0 waits for channel 2, 1 signals channel 1 at 10 (not for 0) and channel 2 at 20. */
static void signaller(struct box *b, unsigned agent) {
  if (agent == 0) {
    sim_done(&b->engine, 0);
  } else if (b->engine.now == 10) {
    sim_signal(&b->engine, 1u << 1, b->engine.now + 1);
    sim_sleep_until(&b->engine, 1, 20);
  } else {
    sim_signal(&b->engine, 1u << 2, b->engine.now + 3);
    sim_done(&b->engine, 1);
  }
}

static sim_time first_issue(unsigned agent) {
  for (unsigned i = 0; i < box.count; i++)
    if (box.notes[i].what == ISSUE && box.notes[i].who == agent) return box.notes[i].at;
  return SIM_NEVER;
}

static void an_event_wakes_only_who_waits_for_it(void **state) {
  (void)state;
  begin(2, signaller);
  sim_sleep_on(&box.engine, 0, 1u << 2, SIM_NEVER);
  sim_sleep_until(&box.engine, 1, 10);
  assert_int_equal(run(1000), SIM_END_DONE);
  assert_int_equal(first_issue(0), 23);
}

static void at_latest_wakes_without_an_event(void **state) {
  (void)state;
  begin(1, finish);
  sim_sleep_on(&box.engine, 0, 1u << 2, 15);
  assert_int_equal(run(1000), SIM_END_DONE);
  assert_int_equal(first_issue(0), 15);
}

/* Agent 1 writes key 0x40 at 20 (no agent spins on it) and key 0x44 at `poke_at`. */
static sim_time poke_at;
static void poker(struct box *b, unsigned agent) {
  if (agent == 0) {
    sim_done(&b->engine, 0);
  } else if (b->engine.now == 20) {
    sim_poke(&b->engine, 0x40);
    sim_sleep_until(&b->engine, 1, poke_at);
  } else {
    sim_poke(&b->engine, 0x44);
    sim_done(&b->engine, 1);
  }
}

/* A spin polls at origin + k * period: the first poll strictly after the write reads it. */
static void a_parked_spin_wakes_in_phase(void **state) {
  (void)state;
  for (poke_at = 21; poke_at < 60; poke_at++) {
    begin(2, poker);
    const uint32_t keys[] = {0x100, 0x44};
    sim_park(&box.engine, 0, keys, 2, 3, 7);
    sim_sleep_until(&box.engine, 1, 20);
    assert_int_equal(run(1000), SIM_END_DONE);
    sim_time expected = 3;
    while (expected <= poke_at) expected += 7;
    assert_int_equal(first_issue(0), expected);
  }
}

static void a_park_whose_origin_lies_ahead_waits_for_it(void **state) {
  (void)state;
  begin(2, poker);
  poke_at = 30;
  const uint32_t key = 0x44;
  sim_park(&box.engine, 0, &key, 1, 500, 7);
  sim_sleep_until(&box.engine, 1, 20);
  run(1000);
  assert_int_equal(first_issue(0), 500);
}

/* Too many addresses to watch: it polls by time instead. */
static void too_many_keys_polls(void **state) {
  (void)state;
  begin(1, finish);
  const uint32_t keys[SIM_PARK_KEYS_MAX + 1] = {1, 2, 3, 4, 5};
  sim_park(&box.engine, 0, keys, SIM_PARK_KEYS_MAX + 1, 0, 9);
  assert_int_equal(run(1000), SIM_END_DONE);
  assert_int_equal(first_issue(0), 9);
}

static void effects_apply_by_time_then_by_creation(void **state) {
  (void)state;
  begin(0, finish);
  enum { EFFECTS = SIM_EFFECTS_MAX < 300u ? SIM_EFFECTS_MAX : 300u };
  uint32_t random = 7, at[EFFECTS];
  for (uint32_t i = 0; i < EFFECTS; i++) {
    random = random * 1664525u + 1013904223u;
    at[i] = 1 + (random >> 20) % 40;
    assert_true(sim_effect_at(&box.engine, (struct sim_effect){.at = at[i], .w = {i}}));
  }
  assert_int_equal(run(1000), SIM_END_DONE);
  unsigned n = 0;
  for (sim_time t = 1; t <= 40; t++) { /* a stable sort by hand */
    for (uint32_t i = 0; i < EFFECTS; i++) {
      if (at[i] != t) continue;
      while (box.notes[n].what != EFFECT) n++;
      assert_int_equal(box.notes[n].at, t);
      assert_int_equal(box.notes[n].value, i);
      n++;
    }
  }
  for (uint32_t i = 0; i < SIM_EFFECTS_MAX; i++) /* freed entries are cleared: equal states have equal bytes */
    assert_memory_equal(&box.engine.effects[i], &(struct sim_effect){0}, sizeof(struct sim_effect));
}

static void an_effect_is_never_seen_in_its_own_cycle(void **state) {
  (void)state;
  begin(0, finish);
  box.engine.now = 30;
  sim_effect_at(&box.engine, (struct sim_effect){.at = 30});
  run(1000);
  assert_int_equal(box.notes[0].at, 31);
}

/* Sixty effects, some delayed once or twice; the expected order is computed here by sorting. */
static void postponed_effects_come_at_their_new_time_in_their_old_place(void **state) {
  (void)state;
  sim_time at[60];
  begin(1, finish);
  for (uint32_t i = 0; i < 60; i++) {
    at[i] = 10 + i * 7 % 20;
    assert_true(sim_effect_at(&box.engine, (struct sim_effect){.at = at[i], .w = {i}}));
  }
  for (uint32_t k = 0; k < 90; k++) {
    uint32_t i = k * 37 % 60; /* sequence numbers count from 0 */
    at[i] += k % 11;
    sim_effect_postpone(&box.engine, i, at[i]);
  }
  assert_int_equal(run(1000), SIM_END_DONE);
  unsigned n = 0, found = 0;
  for (sim_time time = 0; time < 100; time++)
    for (uint32_t i = 0; i < 60; i++) {
      if (at[i] != time) continue;
      while (box.notes[n].what != EFFECT) n++;
      assert_int_equal(box.notes[n].at, time);
      assert_int_equal(box.notes[n++].value, i);
      found++;
    }
  assert_int_equal(found, 60);
}

/* Sixty effects, every third taken out in an arbitrary order; the others keep their order. */
static void an_effect_that_is_taken_does_not_come(void **state) {
  (void)state;
  struct sim_effect taken;
  begin(1, finish);
  for (uint32_t i = 0; i < 60; i++)
    assert_true(sim_effect_at(&box.engine, (struct sim_effect){.at = 10 + i * 7 % 20, .w = {i}}));
  for (uint32_t k = 0; k < 60; k += 3) {
    uint32_t i = k * 37 % 60;
    assert_true(sim_effect_take(&box.engine, i, &taken));
    assert_int_equal(taken.w[0], i);
    assert_false(sim_effect_take(&box.engine, i, &taken));
  }
  assert_int_equal(run(1000), SIM_END_DONE);
  unsigned n = 0, found = 0;
  for (sim_time time = 10; time < 30; time++)
    for (uint32_t i = 0; i < 60; i++) {
      if (10 + i * 7 % 20 != time || i % 3 == 0) continue;
      while (box.notes[n].what != EFFECT) n++;
      assert_int_equal(box.notes[n].at, time);
      assert_int_equal(box.notes[n++].value, i);
      found++;
    }
  assert_int_equal(found, 40);
}

/* Agent 0 acts alone in steps of three cycles, and receives the limit that the other agents, an effect or the end of the run set. */
static sim_time limits[8];
static unsigned limit_count;
static void step_alone(void *machine, unsigned agent, sim_time limit) {
  struct box *b = machine;
  note(b, ISSUE, agent, 0);
  if (agent) {
    sim_done(&b->engine, agent);
    return;
  }
  limits[limit_count++] = limit;
  if (b->engine.now == 4) sim_sleep_until(&b->engine, 2, 30);
  if (b->engine.now == 7) sim_effect_at(&b->engine, (struct sim_effect){.at = 12});
  if (b->engine.now == 10) sim_stop(&b->engine);
  sim_sleep_until(&b->engine, 0, b->engine.now + 3);
}

static void who_runs_alone_learns_how_long(void **state) {
  (void)state;
  const struct sim_machine alone = {
      .effect = effect, .request = request, .arbitrate = arbitrate, .issue = issue, .run_sole = step_alone};
  begin(3, finish);
  limit_count = 0;
  sim_sleep_until(&box.engine, 0, 1);
  sim_sleep_until(&box.engine, 1, 50);
  assert_int_equal(sim_run(&box.engine, 40, &alone, &box), SIM_END_STOPPED);
  assert_int_equal(limit_count, 4);
  assert_int_equal(limits[0], 41); /* the run ends before agent 1 acts */
  assert_int_equal(limits[1], 41);
  assert_int_equal(limits[2], 30); /* agent 2 */
  assert_int_equal(limits[3], 12); /* the effect */
  assert_int_equal(box.engine.until, 0);
}

/* Agents 0 and 1 are a group: its runs end before the agents outside it and effects, and it learns of those that come earlier than expected. */
static sim_time group_limits[16];
static unsigned group_runs;
static void step_group(void *machine, sim_time limit) {
  struct box *b = machine;
  struct sim_engine *engine = &b->engine;
  assert_true(engine->agents[0].at == engine->now || engine->agents[1].at == engine->now);
  group_limits[group_runs++] = limit;
  for (;;) {
    sim_time next = engine->agents[0].at < engine->agents[1].at ? engine->agents[0].at : engine->agents[1].at;
    if (next >= limit) return;
    engine->now = next;
    for (unsigned agent = 0; agent < 2; agent++) {
      if (engine->agents[agent].at != next) continue;
      note(b, ISSUE, agent, limit);
      engine->sole = agent + 1;
      sim_sleep_until(engine, agent, next + 2 + agent);
      if (!agent && next == 5) sim_sleep_until(engine, 2, 8);
      if (agent && next == 13) sim_effect_at(engine, (struct sim_effect){.at = 14, .kind = 7});
      if (!agent && next == 21) sim_stop(engine);
      engine->sole = 0;
    }
    if (engine->schedule_changed) limit = sim_group_limit(engine, 2);
  }
}

static void a_group_runs_until_another_agent_acts(void **state) {
  (void)state;
  const struct sim_machine grouped = {
      .effect = effect, .request = request, .arbitrate = arbitrate, .issue = issue, .run_group = step_group, .group = 2};
  begin(3, finish);
  group_runs = 0;
  sim_sleep_until(&box.engine, 0, 1);
  sim_sleep_until(&box.engine, 1, 1);
  assert_int_equal(sim_run(&box.engine, 17, &grouped, &box), SIM_END_TIME);
  assert_int_equal(sim_run(&box.engine, 40, &grouped, &box), SIM_END_STOPPED);
  assert_int_equal(group_runs, 4);
  assert_int_equal(group_limits[0], 18); /* the end of the run; agent 2 gets its time later */
  assert_int_equal(group_limits[1], 18); /* after agent 2, in cycle 8 */
  assert_int_equal(group_limits[2], 18); /* after the effect of cycle 14 */
  assert_int_equal(group_limits[3], 41);
  sim_time last = 0;
  unsigned issued[3] = {0}, effects = 0;
  for (unsigned i = 0; i < box.count; i++) {
    const struct note *n = &box.notes[i];
    assert_true(n->at >= last);
    last = n->at;
    if (n->what == EFFECT) assert_int_equal(n->at, 14);
    if (n->what == EFFECT) effects++;
    if (n->what != ISSUE) continue;
    if (n->who == 2) assert_int_equal(n->at, 8);
    issued[n->who]++;
  }
  assert_int_equal(effects, 1);
  assert_int_equal(issued[0], 11); /* cycles 1, 3 .. 21 */
  assert_int_equal(issued[1], 7);  /* cycles 1, 4 .. 19 */
  assert_int_equal(issued[2], 1);
  assert_int_equal(box.engine.now, 21);
}

/* Agents are searched in steps of four: any number of them, the last of them due. */
static void the_last_agent_is_found(void **state) {
  (void)state;
  for (unsigned count = 1; count <= 9; count++) {
    begin(count, finish);
    for (unsigned i = 0; i < count; i++) sim_sleep_until(&box.engine, i, 20 - i);
    assert_int_equal(sim_next(&box.engine), 21 - count);
    assert_int_equal(run(21 - count), count == 1 ? SIM_END_DONE : SIM_END_TIME);
    assert_int_equal(box.notes[1].value, UINT64_C(1) << (count - 1));
  }
}

static void a_full_effect_queue_says_so(void **state) {
  (void)state;
  begin(0, finish);
  for (unsigned i = 0; i < SIM_EFFECTS_MAX; i++) assert_true(sim_effect_at(&box.engine, (struct sim_effect){.at = 5}));
  assert_false(sim_effect_at(&box.engine, (struct sim_effect){.at = 5}));
}

static void blocked_idle_and_done_are_told_apart(void **state) {
  (void)state;
  begin(2, finish);
  sim_sleep_until(&box.engine, 0, 1);
  sim_sleep_on(&box.engine, 1, 1, SIM_NEVER); /* idle: waits with kind 0 */
  assert_int_equal(run(100), SIM_END_DONE);
  sim_block(&box.engine, 1, (struct sim_wait){.kind = 3, .object = 4});
  assert_int_equal(run(100), SIM_END_BLOCKED);
  sim_unblock(&box.engine, 1);
  assert_int_equal(run(100), SIM_END_DONE);
  const uint32_t key = 8;
  sim_park(&box.engine, 1, &key, 1, 0, 4);
  sim_block(&box.engine, 1, (struct sim_wait){.kind = 3, .object = 4});
  assert_int_equal(run(100), SIM_END_BLOCKED);
  sim_done(&box.engine, 1);
  assert_int_equal(run(100), SIM_END_DONE);
}

static void a_wait_keeps_its_beginning(void **state) {
  (void)state;
  begin(1, finish);
  box.engine.now = 10;
  sim_block(&box.engine, 0, (struct sim_wait){.kind = 3, .object = 4, .detail = 1});
  box.engine.now = 20;
  sim_block(&box.engine, 0, (struct sim_wait){.kind = 3, .object = 4, .detail = 2});
  assert_int_equal(box.engine.agents[0].wait.since, 10);
  assert_int_equal(box.engine.agents[0].wait.detail, 2);
  sim_block(&box.engine, 0, (struct sim_wait){.kind = 3, .object = 5});
  assert_int_equal(box.engine.agents[0].wait.since, 20);
}

static void stopper(struct box *b, unsigned agent) {
  sim_sleep_until(&b->engine, agent, b->engine.now + 10);
  if (b->engine.now == 20) sim_stop(&b->engine);
}

static void stop_leaves_after_the_cycle_and_can_go_on(void **state) {
  (void)state;
  begin(2, stopper);
  sim_sleep_until(&box.engine, 0, 0);
  sim_sleep_until(&box.engine, 1, 20);
  assert_int_equal(run(1000), SIM_END_STOPPED);
  assert_int_equal(box.engine.now, 20);
  assert_int_equal(first_issue(1), 20); /* the whole cycle was executed */
  assert_int_equal(run(45), SIM_END_TIME);
  assert_int_equal(box.engine.now, 45);
}

/* One long run and many short ones record the same calls. */
static void resuming_changes_nothing(void **state) {
  (void)state;
  begin(2, hop);
  sim_sleep_until(&box.engine, 0, 3);
  sim_sleep_until(&box.engine, 1, 3);
  run(5000);
  struct box whole = box;
  begin(2, hop);
  sim_sleep_until(&box.engine, 0, 3);
  sim_sleep_until(&box.engine, 1, 3);
  enum sim_end end = SIM_END_TIME;
  for (sim_time t = 0; end == SIM_END_TIME && t < 5000; t += 13) end = run(t);
  assert_int_equal(end, SIM_END_DONE);
  assert_int_equal(box.count, whole.count);
  assert_memory_equal(box.notes, whole.notes, sizeof box.notes);
}

static void crowd(struct box *b, unsigned agent) {
  uint64_t n = ++b->shared;
  if (n > 120) {
    sim_done(&b->engine, agent);
    return;
  }
  const uint32_t key = agent;
  sim_effect_at(&b->engine,
                (struct sim_effect){.at = b->engine.now + 1 + n % 5, .kind = (uint16_t)agent, .w = {(uint32_t)n}});
  sim_poke(&b->engine, (agent + 1) % 4);
  sim_signal(&b->engine, UINT64_C(1) << agent, b->engine.now + 2);
  if (n % 3 == 0) sim_park(&b->engine, agent, &key, 1, b->engine.now, 3);
  else if (n % 3 == 1) sim_sleep_on(&b->engine, agent, 0xf, b->engine.now + 9);
  else sim_sleep_until(&b->engine, agent, b->engine.now + 1 + n % 4);
}

static void a_copy_goes_on_alike(void **state) {
  (void)state;
  begin(4, crowd);
  for (unsigned i = 0; i < 4; i++) sim_sleep_until(&box.engine, i, i);
  run(25);
  assert_true(box.engine.effect_count > 0);
  static struct box copy;
  memcpy(&copy, &box, sizeof box);
  enum sim_end one = run(400);
  enum sim_end two = sim_run(&copy.engine, 400, &ops, &copy);
  assert_int_equal(one, two);
  assert_true(box.count > 100);
  assert_memory_equal(&box, &copy, sizeof box);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(phases_come_in_order_and_requests_see_no_issue),
      cmocka_unit_test(time_jumps_to_where_somebody_acts),
      cmocka_unit_test(an_event_wakes_only_who_waits_for_it),
      cmocka_unit_test(at_latest_wakes_without_an_event),
      cmocka_unit_test(a_parked_spin_wakes_in_phase),
      cmocka_unit_test(a_park_whose_origin_lies_ahead_waits_for_it),
      cmocka_unit_test(too_many_keys_polls),
      cmocka_unit_test(effects_apply_by_time_then_by_creation),
      cmocka_unit_test(an_effect_is_never_seen_in_its_own_cycle),
      cmocka_unit_test(postponed_effects_come_at_their_new_time_in_their_old_place),
      cmocka_unit_test(an_effect_that_is_taken_does_not_come),
      cmocka_unit_test(who_runs_alone_learns_how_long),
      cmocka_unit_test(a_group_runs_until_another_agent_acts),
      cmocka_unit_test(the_last_agent_is_found),
      cmocka_unit_test(a_full_effect_queue_says_so),
      cmocka_unit_test(blocked_idle_and_done_are_told_apart),
      cmocka_unit_test(a_wait_keeps_its_beginning),
      cmocka_unit_test(stop_leaves_after_the_cycle_and_can_go_on),
      cmocka_unit_test(resuming_changes_nothing),
      cmocka_unit_test(a_copy_goes_on_alike),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
