/* Vector clocks over the entities of a tile, each of which acts in program order.
 *
 * An entity is a core, a thread, one unit's work for one thread, the mover, the path of a core's stores to configuration, a core's
 * NoC requests, the NoC. Each has a clock; `at[i]` of entity e is the newest clock of entity i that e is ordered after. An access is
 * marked with its entity and that entity's clock. An access of another entity is ordered after it when that entity's vector has
 * reached the clock. Method: FastTrack (Flanagan and Freund, PLDI 2009), with the hardware's own synchronisation as the edges. */
#ifndef TESSERA_CHECK_CLOCK_H
#define TESSERA_CHECK_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

enum chk_unit { CHK_UNPACK0, CHK_UNPACK1, CHK_MATRIX, CHK_VECTOR, CHK_PACK, CHK_SCALAR, CHK_UNITS };

enum chk_entity {
  CHK_THREAD = 0, /* +thread: issues in order */
  CHK_CORE = 3,   /* +core: T0, T1, T2, BRISC, NCRISC */
  CHK_UNIT = 8,   /* +thread * CHK_UNITS + unit: a thread's instructions inside a unit */
  CHK_MOVER = CHK_UNIT + 3 * CHK_UNITS,
  CHK_LATE = CHK_MOVER + 1,      /* +thread: results of the scalar unit's loads and atomics, which arrive later */
  CHK_CONFIG = CHK_LATE + 3,     /* +core: its stores to configuration and GPRs in flight */
  CHK_NOC_IN = CHK_CONFIG + 5,   /* +core: its NoC reads, which write L1 */
  CHK_NOC_OUT = CHK_NOC_IN + 5,  /* +core: its NoC writes, which read L1 */
  CHK_NOC_FAR = CHK_NOC_OUT + 5, /* +core: its NoC writes to its own tile, when they arrive */
  CHK_STORES = CHK_NOC_FAR + 5,  /* +core: its stores to L1 in flight */
  CHK_NETWORK = CHK_STORES + 5,  /* requests of other tiles */
  CHK_ENTITIES,
  CHK_HOST = 0xfe, /* not a clock: precedes everything */
};

static inline unsigned chk_unit_of(unsigned thread, unsigned unit) { return CHK_UNIT + thread * CHK_UNITS + unit; }

#define CHK_LANES 8u
#define CHK_PLACES \
  ((CHK_ENTITIES + CHK_LANES - 1u) / CHK_LANES * CHK_LANES) /* rounded up to whole vectors of the host processor */

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
/* Orders `to` after `from` and after everything that `from` is ordered after. */
static inline void chk_join(struct chk_clocks *c, unsigned to, unsigned from) {
  if (c->seen[to][from] != c->version[from]) chk_join_slow(c, to, from);
}
/* Advances the entity's clock: its later actions are newer than any clock that other entities have joined. */
void chk_step(struct chk_clocks *c, unsigned entity);
void chk_add(struct chk_vector *to, const struct chk_vector *from);

/* An access, one side of a finding: its entity and its instruction. clock 0: no access. */
struct chk_mark {
  uint32_t clock;
  uint32_t pc, word;
  uint32_t cycle;
  uint32_t issued; /* of a unit: the clock of the thread that issued it */
  uint8_t entity;
  uint8_t agent; /* enum tx_agent */
  uint8_t parts; /* bit per part of the cell that is used; 0: all */
  /* bit per mutex that the thread held: two accesses under the same mutex do not race. CHK_EVEN, CHK_ODD: of each part only this byte */
  uint8_t locks;
};

#define CHK_EVEN 0x40u /* there are no mutexes 6 and 7 */
#define CHK_ODD 0x80u
#define CHK_ONE_BYTE (CHK_EVEN | CHK_ODD)

#define CHK_READERS 3u
/* A cell that is read and written: its last writer, and the readers since then. */
struct chk_cell {
  struct chk_mark write;
  struct chk_mark older; /* an earlier write, by another entity and to other parts */
  struct chk_mark read[CHK_READERS];
};

static inline bool chk_knows(const struct chk_clocks *c, unsigned entity, const struct chk_mark *m) {
  return !m->clock || m->entity == entity || c->of[entity].at[m->entity] >= m->clock;
}

#endif
