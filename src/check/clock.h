/* Vector clocks over everything on the tile that acts in an order of its own.
 *
 * An entity is a core, a thread, a unit as far as it works for one thread, the mover, the way of a core's stores to configuration, a
 * core's NoC requests, the network. Each has a clock; `at[i]` of entity e is the newest clock of entity i that e is known to come after.
 * An access is marked with its entity and that entity's clock. Another entity's access comes after it when its vector has that clock.
 * Method: FastTrack (Flanagan and Freund, PLDI 2009), with the hardware's own synchronisation as the edges. */
#ifndef TESSERA_CHECK_CLOCK_H
#define TESSERA_CHECK_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

enum chk_unit { CHK_UNPACK0, CHK_UNPACK1, CHK_MATRIX, CHK_VECTOR, CHK_PACK, CHK_SCALAR, CHK_UNITS };

enum chk_entity {
  CHK_THREAD = 0, /* +thread: issues in order */
  CHK_CORE = 3,   /* +core: T0, T1, T2, BRISC, NCRISC */
  CHK_UNIT = 8,   /* +thread * CHK_UNITS + unit: what a thread has inside a unit */
  CHK_MOVER = CHK_UNIT + 3 * CHK_UNITS,
  CHK_CONFIG = CHK_MOVER + 1,    /* +core: stores to configuration and GPRs on their way */
  CHK_NOC_IN = CHK_CONFIG + 5,   /* +core: its NoC reads, which write L1 */
  CHK_NOC_OUT = CHK_NOC_IN + 5,  /* +core: its NoC writes, which read L1 */
  CHK_NOC_FAR = CHK_NOC_OUT + 5, /* +core: its NoC writes, as they land on the tile itself */
  CHK_STORES = CHK_NOC_FAR + 5,  /* +core: its stores to L1 on their way */
  CHK_NETWORK = CHK_STORES + 5,  /* requests of other tiles */
  CHK_ENTITIES,
  CHK_HOST = 0xfe, /* not a clock: comes before everything */
};

static inline unsigned chk_unit_of(unsigned thread, unsigned unit) { return CHK_UNIT + thread * CHK_UNITS + unit; }

#define CHK_LANES 4u
#define CHK_PLACES ((CHK_ENTITIES + CHK_LANES - 1u) / CHK_LANES * CHK_LANES) /* whole vectors of the host */

struct chk_vector {
  uint32_t at[CHK_PLACES];
};

struct chk_clocks {
  struct chk_vector of[CHK_ENTITIES];
  uint32_t version[CHK_ENTITIES];            /* counts changes of the vector */
  uint32_t seen[CHK_ENTITIES][CHK_ENTITIES]; /* [to][from]: version of `from` that `to` has joined */
};

void chk_clocks_reset(struct chk_clocks *c);
void chk_join_vector(struct chk_clocks *c, unsigned to, const struct chk_vector *from);
void chk_join_slow(struct chk_clocks *c, unsigned to, unsigned from);
/* `to` comes after everything that `from` has done and knows. */
static inline void chk_join(struct chk_clocks *c, unsigned to, unsigned from) {
  if (c->seen[to][from] != c->version[from]) chk_join_slow(c, to, from);
}
/* What the entity does from now on is newer than what others have learned of it. */
void chk_step(struct chk_clocks *c, unsigned entity);
void chk_add(struct chk_vector *to, const struct chk_vector *from);

/* Who used something, and where: one side of a finding. clock 0: no use. */
struct chk_mark {
  uint32_t clock;
  uint32_t pc, word;
  uint32_t cycle;
  uint32_t issued; /* of a unit: the clock of the thread that issued it */
  uint8_t entity;
  uint8_t agent; /* enum tx_agent */
  uint8_t parts; /* bit per part of the cell that is used; 0 stands for all */
  uint8_t locks; /* bit per mutex that the thread held: what two hold the same one for does not meet */
};

#define CHK_READERS 3u
/* Something that is read and written: who wrote it last, who has read it since. */
struct chk_cell {
  struct chk_mark write;
  struct chk_mark older; /* a write before it, by another entity and to other parts */
  struct chk_mark read[CHK_READERS];
};

static inline bool chk_knows(const struct chk_clocks *c, unsigned entity, const struct chk_mark *m) {
  return !m->clock || m->entity == entity || c->of[entity].at[m->entity] >= m->clock;
}

/* Whether the entity comes after an access of another tile: tiles.c. */
bool chk_tiles_know(const struct chk_clocks *c, unsigned entity, const struct chk_mark *m);
bool chk_in_order(const struct chk_clocks *c, unsigned entity, const struct chk_mark *m);

/* Notes the access `now`. true: it comes neither before nor after `*other`, and one of the two writes. */
bool chk_use(const struct chk_clocks *c, struct chk_cell *cell, const struct chk_mark *now, bool write,
             struct chk_mark *other);

#endif
