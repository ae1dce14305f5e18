/* The search of sends.h: constants along all paths, to a fixed point. */
#include "observe/hang/sends.h"

#include <stdlib.h>
#include <string.h>

#include "../kernels/include/launch.h"
#include "observe/hang/constants.h"
#include "observe/hang/future.h"
#include "observe/hang/reach.h"
#include "tensix/mem/l1.h"
#include "tensix/riscv/decode.h"
#include "tensix/tile/bus.h"

#define CODE_BYTES 0x8000u /* around the program counter; code outside is not followed */
#define PLACES (CODE_BYTES / 4u)
#define VALUES (TX_CORE_REGISTERS + OBS_NIU_WORDS)
#define STEPS_MAX 200000u

/* What is known before an instruction: the registers, then the words of the initiators. */
struct knowledge {
  uint32_t value[VALUES];
  bool known[VALUES];
};

struct search {
  const struct tx_tile *t;
  const struct dbg_program *program;
  unsigned core;
  uint32_t base;               /* of the code */
  uint16_t place[PLACES];      /* 1 + index of its knowledge; 0: not reached */
  struct knowledge *knowledge; /* one per instruction that has been reached */
  uint32_t count, room;
  uint32_t todo[PLACES], depth;              /* instructions to follow again */
  uint8_t waits[PLACES];                     /* it is in `todo` */
  uint32_t changed[TX_LOCAL_BYTES / 4 / 32]; /* words of local RAM that the code stores to */
  bool again;                                /* there is a new one */
  struct obs_sends_list *list;
};

/* --- paths --- */

/* true: `to` has fewer known registers than before. */
static bool meet(struct knowledge *to, const struct knowledge *from) {
  bool less = false;
  for (unsigned i = 0; i < VALUES; i++) {
    if (!to->known[i] || (from->known[i] && from->value[i] == to->value[i])) continue;
    to->known[i] = 0;
    less = true;
  }
  return less;
}

static void go_to(struct search *s, uint32_t pc, const struct knowledge *k) {
  uint32_t i = (pc - s->base) / 4;
  if (i >= PLACES || (pc & 3u)) {
    s->list->open = true;
    return;
  }
  bool less = false;
  if (s->place[i]) {
    less = meet(&s->knowledge[s->place[i] - 1], k);
  } else {
    if (s->count == s->room) {
      uint32_t room = s->room ? 2 * s->room : 256;
      struct knowledge *more = realloc(s->knowledge, room * sizeof *more);
      if (!more) {
        s->list->open = true;
        return;
      }
      s->knowledge = more;
      s->room = room;
    }
    s->knowledge[s->count] = *k;
    s->place[i] = (uint16_t)++s->count;
    less = true;
  }
  if (!less || s->waits[i]) return;
  s->waits[i] = 1;
  s->todo[s->depth++] = i;
}

/* --- packets --- */

static void add_packet(struct obs_sends_list *list, const struct obs_packet *p) {
  for (uint32_t i = 0; i < list->count; i++)
    if (memcmp(&list->packets[i], p, sizeof *p) == 0) return;
  if (list->count == OBS_PACKETS_MAX) list->open = true;
  else list->packets[list->count++] = *p;
}

static void send(struct search *s, const struct knowledge *k, uint32_t pc, uint32_t first) {
  struct obs_packet p;
  bool vague;
  if (obs_niu_packet(s->t, &k->value[TX_CORE_REGISTERS], &k->known[TX_CORE_REGISTERS], first, pc, &p, &vague))
    add_packet(s->list, &p);
  s->list->open |= vague;
}

/* --- instructions --- */

static bool is_local(uint32_t address) { return address - TX_LOCAL_BASE < TX_LOCAL_BYTES; }

static void store(struct search *s, struct knowledge *k, const struct tx_insn *d, uint32_t pc) {
  uint32_t address = k->value[d->rs1] + d->imm, niu = address - TX_ADDR_NOC;
  if (!k->known[d->rs1]) { /* it may change local RAM, but no compiler addresses an NIU in this next */
    for (unsigned i = 0; i < TX_LOCAL_BYTES / 4 / 32; i++) {
      s->again |= s->changed[i] != UINT32_MAX;
      s->changed[i] = UINT32_MAX;
    }
  } else if (is_local(address)) {
    uint32_t word = (address - TX_LOCAL_BASE) / 4, bit = UINT32_C(1) << word % 32;
    s->again |= !(s->changed[word / 32] & bit);
    s->changed[word / 32] |= bit;
  } else if (niu < TX_NOC_WINDOWS_BYTES) {
    uint32_t word, first;
    if (obs_niu_store(niu, &word, &first)) send(s, k, pc, first);
    if (word >= OBS_NIU_WORDS) return;
    k->known[TX_CORE_REGISTERS + word] = d->op == TX_RV_SW && k->known[d->rs2];
    k->value[TX_CORE_REGISTERS + word] = k->value[d->rs2];
  }
}

/* The buffers and arguments of a launch of the kernel library: only the host writes them. */
static bool is_argument(const struct search *s, uint32_t address) {
  uint32_t first = LAUNCH_FIELD(buffer), end = LAUNCH_ADDRESS + (uint32_t)sizeof(struct launch);
  return s->program && address >= first && address < end;
}

/* Words that no other agent writes. */
static bool load(const struct search *s, const struct knowledge *k, const struct tx_insn *d, uint32_t *out) {
  uint32_t address = k->value[d->rs1] + d->imm, at = address - TX_LOCAL_BASE;
  if (d->op != TX_RV_LW || !k->known[d->rs1] || (address & 3u)) return false;
  if (is_argument(s, address)) {
    *out = tx_l1_read(s->t, address, 4);
    return true;
  }
  if (!is_local(address) || s->changed[at / 128] >> at / 4 % 32 & 1u) return false;
  memcpy(out, &s->t->core[s->core].local[at], 4);
  return true;
}

static void set(struct knowledge *k, const struct tx_insn *d, bool known, uint32_t value) {
  if (d->rd == TX_CORE_NOWHERE || d->rd == 0) return;
  k->known[d->rd] = known;
  k->value[d->rd] = value;
}

static void follow(struct search *s, uint32_t pc, struct knowledge *k) {
  struct tx_insn d = tx_rv_decode(tx_l1_read(s->t, pc, 4));
  uint32_t value = 0, target = (k->value[d.rs1] + d.imm) & ~1u;
  bool known = k->known[d.rs1];
  unsigned next = 2; /* bit 0: the branch target, 1: the next instruction, 2: the jump target */
  if (obs_reach_ends(s->program, s->t, s->core, &d, pc, known ? &k->value[d.rs1] : NULL)) return;
  switch (d.class) {
    case TX_RV_CLASS_BRANCH: next = obs_branch_ways(&d, k->value, k->known); break;
    case TX_RV_CLASS_STORE: store(s, k, &d, pc); break;
    case TX_RV_CLASS_LOAD: known = load(s, k, &d, &value); break;
    case TX_RV_CLASS_JAL:
    case TX_RV_CLASS_JALR:
      if (d.class == TX_RV_CLASS_JAL) target = pc + d.imm;
      else if (!known) s->list->open = true;
      next = d.class == TX_RV_CLASS_JAL || known ? 4 : 0;
      known = true;
      value = pc + 4;
      break;
    case TX_RV_CLASS_SYSTEM: next = 0; break; /* a failed check */
    case TX_RV_CLASS_ILLEGAL: s->list->open = true; return;
    default: known = obs_constant_result(&d, k->value, k->known, pc, &value); break;
  }
  if (d.class != TX_RV_CLASS_BRANCH && d.class != TX_RV_CLASS_STORE) set(k, &d, known, value);
  if (next & 1u) go_to(s, pc + d.imm, k);
  if (next & 2u) go_to(s, pc + 4, k);
  if (next & 4u) go_to(s, target, k);
}

/* --- the search --- */

static void begin(struct search *s, struct knowledge *k) {
  const struct tx_core *c = &s->t->core[s->core];
  memset(k, 0, sizeof *k);
  for (unsigned i = 0; i < 32; i++) {
    k->known[i] = 1;
    k->value[i] = c->r[i];
  }
  obs_niu_begin(s->t, &k->value[TX_CORE_REGISTERS], &k->known[TX_CORE_REGISTERS]);
}

/* The other cores of a tile may use the same initiators: only what the core itself stores is known for certain, but a kernel
 * that shares an initiator sets all of its words before each request. */
static void search_once(struct search *s, struct knowledge *k) {
  memset(s->place, 0, sizeof s->place);
  memset(s->waits, 0, sizeof s->waits);
  s->count = s->depth = 0;
  s->again = false;
  *s->list = (struct obs_sends_list){.searched = true, .from = s->t};
  begin(s, k);
  go_to(s, s->t->core[s->core].pc, k);
  for (uint32_t steps = 0; s->depth; steps++) {
    uint32_t i = s->todo[--s->depth];
    s->waits[i] = 0;
    *k = s->knowledge[s->place[i] - 1];
    follow(s, s->base + 4 * i, k);
    if (steps < STEPS_MAX) continue;
    s->list->open = true;
    return;
  }
}

static void join_paths(const struct tx_tile *t, const struct dbg_program *program, unsigned core,
                       struct obs_sends_list *list) {
  struct search *s = calloc(1, sizeof *s);
  struct knowledge *k = calloc(1, sizeof *k);
  uint32_t pc = core < TX_CORES ? t->core[core].pc : 0;
  list->open = true;
  if (s && k && pc && pc < TX_L1_BYTES - CODE_BYTES && t->core[core].state == TX_CORE_RUNNING) {
    *s = (struct search){.t = t, .program = program, .core = core, .list = list};
    s->base = pc < CODE_BYTES / 2 ? 0 : (pc - CODE_BYTES / 2) & ~3u;
    do search_once(s, k);
    while (s->again);
  }
  if (s) free(s->knowledge);
  free(k);
  free(s);
}

/* --- path by path --- */

static bool collect(void *context, const struct obs_deed *deed) {
  struct obs_sends_list *list = context;
  if (deed->packet) add_packet(list, deed->packet);
  list->open |= deed->unsure;
  return false;
}

void obs_sends_find(const struct tx_tile *t, const struct dbg_program *program, unsigned core, struct obs_sends_list *list) {
  const struct obs_sends_list none = {.searched = true, .from = t};
  struct obs_sends_list *paths = malloc(sizeof *paths);
  *list = none;
  if (paths) *paths = none;
  if (paths && obs_future_find(t, program, core, collect, paths, NULL, NULL) == OBS_FUTURE_NEVER) {
    *list = *paths;
  } else {
    join_paths(t, program, core, list);
    for (uint32_t i = 0; paths && i < paths->count; i++) add_packet(list, &paths->packets[i]);
  }
  free(paths);
}

enum obs_sends obs_sends_to(const struct obs_sends_list *list, unsigned tile, const struct obs_resource *word,
                            uint32_t *pc) {
  enum obs_sends most = list->open ? OBS_SENDS_POSSIBLY : OBS_SENDS_NONE;
  for (uint32_t i = 0; i < list->count && most < OBS_SENDS_SURELY; i++) {
    enum obs_sends one = obs_packet_writes(&list->packets[i], list->from, tile, word->address, word);
    if (one <= most) continue;
    most = one;
    if (most == OBS_SENDS_SURELY) *pc = list->packets[i].pc;
  }
  return most;
}
