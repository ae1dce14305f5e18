#include "check/sync.h"
/* Semaphores as edges. The k-th get consumes the k-th post: a wait for a value above zero is ordered after the post that
 * the next get consumes; a wait for room is ordered after the get that made it. */

static void release(struct chk *c, unsigned entity, struct chk_vector *ring, uint32_t *count) {
  struct chk_vector *place = &ring[*count % CHK_SEM_RING];
  if (*count) *place = ring[(*count - 1) % CHK_SEM_RING];
  else *place = (struct chk_vector){{0}};
  chk_add(place, &c->clocks.of[entity]);
  ++*count;
  chk_step(&c->clocks, entity);
}

void chk_semaphore_post(struct chk *c, unsigned entity, unsigned index) {
  struct chk_semaphore *s = &c->semaphore[index];
  release(c, entity, s->post, &s->posts);
}

void chk_semaphore_get(struct chk *c, unsigned entity, unsigned index) {
  struct chk_semaphore *s = &c->semaphore[index];
  release(c, entity, s->get, &s->gets);
}

void chk_semaphore_init(struct chk *c, unsigned entity, unsigned index, unsigned value) {
  struct chk_semaphore *s = &c->semaphore[index];
  s->init = c->clocks.of[entity];
  s->posts = s->gets = 0;
  s->room = (struct chk_mark){0};
  s->first = (uint16_t)value;
  for (unsigned i = 0; i < value; i++) release(c, entity, s->post, &s->posts);
  chk_step(&c->clocks, entity);
}

/* Joins the vector released by operation `number` (from 0), or the newest one if the ring no longer holds it. */
static void acquire(struct chk *c, unsigned entity, const struct chk_vector *ring, uint32_t count, uint32_t number) {
  if (!count || number >= count) return;
  if (count - number > CHK_SEM_RING) number = count - 1;
  chk_join_vector(&c->clocks, entity, &ring[number % CHK_SEM_RING]);
}

void chk_semaphore_wait(struct chk *c, unsigned entity, unsigned index, unsigned condition, unsigned max) {
  struct chk_semaphore *s = &c->semaphore[index];
  chk_join_vector(&c->clocks, entity, &s->init);
  if (condition & 1u) acquire(c, entity, s->post, s->posts, s->gets);
  if (condition & 2u && s->posts >= max) acquire(c, entity, s->get, s->gets, s->posts - max);
}

void chk_semaphore_read(struct chk *c, unsigned entity, unsigned index) {
  struct chk_semaphore *s = &c->semaphore[index];
  chk_join_vector(&c->clocks, entity, &s->init);
  if (s->posts) acquire(c, entity, s->post, s->posts, s->posts - 1);
  if (s->gets) acquire(c, entity, s->get, s->gets, s->gets - 1);
}
