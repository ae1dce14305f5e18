/* Loads that poll (polls.h). */
#include "check/polls.h"

#include "observe/hang/poll.h"

static unsigned entry_of(unsigned core, uint32_t pc) { return (pc / 4 + core * 191u) % CHK_LOADS; }

bool chk_may_poll(const struct chk *c, unsigned core, uint32_t pc) { return c->load_pc[entry_of(core, pc)] == pc; }

/* The instructions around a load: another program may have another one there. */
static uint32_t code_at(const struct chk *c, uint32_t pc) {
  uint32_t code = 1;
  for (uint32_t at = pc - 4; pc >= 4 && at <= pc + 8 && at <= TX_L1_BYTES - 4; at += 4)
    code = code * 31u + tx_l1_read(c->t, at, 4);
  return code;
}

/* Whether a load polls depends on its code, so the result is cached with that code. A load that has the shape of a poll but did
 * not loop is tested again: a wait for "at least 0" does not loop. */
bool chk_in_a_poll(struct chk *c, unsigned core, uint32_t pc, uint32_t value) {
  uint32_t *known = &c->load_pc[entry_of(core, pc)], code = code_at(c, pc);
  bool same = c->load_code[known - c->load_pc] == code;
  if (same && (*known & ~3u) == pc && pc && (*known & 2u)) return *known & 1u;
  uint8_t *looks = &c->load_looks[known - c->load_pc];
  if (!same || *known != pc) *known = pc, *looks = 0;
  c->load_code[known - c->load_pc] = code;
  bool loop = obs_poll_is_loop(c->t, core, pc, value);
  if (loop || ++*looks == CHK_LOOKS || !obs_poll_may_loop(c->t, core, pc)) *known = pc | 2u | (loop ? 1u : 0u);
  return loop;
}
