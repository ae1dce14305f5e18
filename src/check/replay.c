/* Two parts of a program that record in the same slots (check/replay.h). A program may record again some slots of a longer sequence on purpose, to
 * change it. So a sequence counts as overwritten when the later recording is also played by itself: then it is a sequence of its own. */
#include "check/replay.h"

#include "check/internal.h"
#include "check/report.h"

static bool within(uint32_t slot, uint32_t first, uint32_t count) { return (slot - first) % TX_REPLAY_SLOTS < count; }

/* NULL: recorded before the checker was attached, or CHK_RECORDINGS recordings ago. */
static struct chk_recording *recording(struct chk_replay *r, uint32_t number) {
  struct chk_recording *made = &r->made[(number - 1) % CHK_RECORDINGS];
  return number && made->number == number ? made : NULL;
}

static void record(struct chk_replay *r, const struct chk_mark *now, uint32_t first, uint32_t count) {
  r->number++;
  for (uint32_t i = 0; i < count; i++) {
    struct chk_recording *old = recording(r, r->slot[(first + i) % TX_REPLAY_SLOTS]);
    if (old) old->broken = true;
    r->slot[(first + i) % TX_REPLAY_SLOTS] = r->number;
  }
  r->made[(r->number - 1) % CHK_RECORDINGS] =
      (struct chk_recording){.number = r->number, .first = (uint8_t)first, .count = (uint8_t)count, .by = *now};
}

/* The recording that has overwritten a part of the one of `slot`, within the slots that are played. */
static struct chk_recording *overwriter(struct chk_replay *r, uint32_t slot, uint32_t first, uint32_t count) {
  const struct chk_recording *old = recording(r, r->slot[slot]);
  for (uint32_t i = 0; old && i < old->count; i++) {
    uint32_t at = (old->first + i) % TX_REPLAY_SLOTS;
    if (r->slot[at] > old->number && within(at, first, count)) return recording(r, r->slot[at]);
  }
  return NULL;
}

static void report(struct chk *c, const struct chk_recording *made, const struct chk_mark *played, uint32_t first,
                   uint32_t count) {
  struct tx_current kept = c->t->current;
  c->t->current.pc = played->pc;
  c->t->current.word = played->word;
  chk_report(c, TX_DIAG_REPLAY_OVERWRITTEN, &made->by,
             "slots %u to %u are played; %u to %u are recorded again since, for another sequence", first,
             (first + count - 1) % TX_REPLAY_SLOTS, made->first, (made->first + made->count - 1u) % TX_REPLAY_SLOTS);
  c->t->current = kept;
}

static void by_itself(struct chk *c, struct chk_recording *own) {
  if (own->torn) report(c, own, &own->torn_by, own->torn_first, own->torn);
  own->torn = 0;
  own->alone = true;
}

static void play(struct chk *c, struct chk_replay *r, unsigned thread, uint32_t first, uint32_t count) {
  struct chk_recording *own = recording(r, r->slot[first]);
  if (own && own->first == first && own->count == count && !own->broken) {
    by_itself(c, own);
    return;
  }
  struct chk_mark now = chk_now(c, CHK_THREAD + thread);
  for (uint32_t i = 0; i < count; i++) {
    struct chk_recording *made = overwriter(r, (first + i) % TX_REPLAY_SLOTS, first, count);
    if (!made) continue;
    if (made->alone) report(c, made, &now, first, count);
    else if (!made->torn) made->torn = (uint8_t)count, made->torn_first = (uint8_t)first, made->torn_by = now;
    return;
  }
}

void chk_replay(struct tx_tile *t, unsigned thread, bool load, uint32_t first, uint32_t count) {
  struct chk *c = t->unsaved.check;
  if (!load) {
    play(c, &c->replay[thread], thread, first, count);
    return;
  }
  struct chk_mark now = chk_now(c, CHK_THREAD + thread);
  record(&c->replay[thread], &now, first, count);
}
