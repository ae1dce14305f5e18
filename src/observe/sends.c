/* The search of sends.h: constants along all paths, to a fixed point. */
#include "observe/sends.h"

#include <stdlib.h>
#include <string.h>

#include "../kernels/include/launch.h"
#include "chip/grid.h"
#include "chip/trail.h"
#include "noc/packet.h"
#include "noc/translation.h"
#include "observe/constants.h"
#include "observe/reach.h"
#include "tensix/mem/l1.h"
#include "tensix/riscv/decode.h"
#include "tensix/tile/bus.h"

#define CODE_BYTES 0x8000u /* around the program counter; code outside is not followed */
#define PLACES (CODE_BYTES / 4u)
#define NIU_WORDS (NOC_NOCS * NOC_INITIATORS * 16u)
#define VALUES (TX_CORE_REGISTERS + NIU_WORDS)
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

static unsigned word_of(unsigned noc, unsigned initiator, unsigned word) {
  return TX_CORE_REGISTERS + (noc * NOC_INITIATORS + initiator) * 16u + word;
}

static unsigned tile_of(const struct noc_niu *n, unsigned noc, uint32_t word) {
  unsigned x = word & 63u, y = word >> 6 & 63u;
  if (n->config[NOC_CFG_NIU_0] & NOC_NIU_CFG_TRANSLATE) noc_translate_words(n->config, x, y, &x, &y);
  return chip_tile_of_raw(noc, x, y);
}

static void add_packet(struct obs_sends_list *list, const struct obs_packet *p) {
  for (uint32_t i = 0; i < list->count; i++)
    if (memcmp(&list->packets[i], p, sizeof *p) == 0) return;
  if (list->count == OBS_PACKETS_MAX) list->open = true;
  else list->packets[list->count++] = *p;
}

static void send(struct search *s, const struct knowledge *k, uint32_t pc, unsigned noc, unsigned initiator) {
  unsigned ctrl = word_of(noc, initiator, NOC_CTRL);
  if (!k->known[ctrl]) {
    s->list->open = true;
    return;
  }
  unsigned kind = k->value[ctrl] & NOC_CTRL_TYPE;
  bool small = kind == NOC_ATOMIC || (kind == NOC_WRITE && (k->value[ctrl] & NOC_CTRL_INLINE));
  unsigned length = word_of(noc, initiator, NOC_AT_LEN_BE);
  /* The data of a read goes to the tile itself. A write of more than a few bytes, or of a number that is not in the code, carries
   * data: kernels set semaphores and flags with a constant length. */
  if (kind == NOC_READ || (!small && (!k->known[length] || k->value[length] > CHIP_TRAIL_BYTES))) return;
  unsigned low = word_of(noc, initiator, small ? NOC_TARG_LO : NOC_RET_LO);
  unsigned high = word_of(noc, initiator, small ? NOC_TARG_HI : NOC_RET_HI);
  struct obs_packet p;
  memset(&p, 0, sizeof p); /* packets are compared with their padding */
  p.pc = pc;
  p.small = small;
  p.address_known = k->known[low];
  if (p.address_known) p.address = k->value[low];
  p.tile_known = !(k->value[ctrl] & NOC_CTRL_BROADCAST) && k->known[high];
  if (p.tile_known) p.tile = tile_of(&s->t->niu[noc], noc, k->value[high]);
  add_packet(s->list, &p);
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
    unsigned noc = niu >> 16, initiator = (niu & 0xffffu) / NOC_INITIATOR_STRIDE, at = niu % NOC_INITIATOR_STRIDE;
    if (initiator >= NOC_INITIATORS || noc >= NOC_NOCS) return;
    if (at == NOC_REG_CMD_CTRL) send(s, k, pc, noc, initiator);
    if (at / 4 >= NOC_INITIATOR_WORDS) return;
    unsigned word = word_of(noc, initiator, at / 4);
    k->known[word] = d->op == TX_RV_SW && k->known[d->rs2];
    k->value[word] = k->value[d->rs2];
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
  if (obs_reach_ends(s->program, s->core, &d, pc)) return;
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
  for (unsigned noc = 0; noc < NOC_NOCS; noc++)
    for (unsigned i = 0; i < NOC_INITIATORS; i++)
      for (unsigned word = 0; word < NOC_INITIATOR_WORDS; word++) {
        k->known[word_of(noc, i, word)] = 1;
        k->value[word_of(noc, i, word)] = s->t->niu[noc].initiator[i][word];
      }
}

/* The other cores of a tile may use the same initiators: only what the core itself stores is known for certain, but a kernel
 * that shares an initiator sets all of its words before each request. */
static void search_once(struct search *s, struct knowledge *k) {
  memset(s->place, 0, sizeof s->place);
  memset(s->waits, 0, sizeof s->waits);
  s->count = s->depth = 0;
  s->again = false;
  *s->list = (struct obs_sends_list){.searched = true};
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

void obs_sends_find(const struct tx_tile *t, const struct dbg_program *program, unsigned core, struct obs_sends_list *list) {
  struct search *s = calloc(1, sizeof *s);
  struct knowledge *k = calloc(1, sizeof *k);
  uint32_t pc = core < TX_CORES ? t->core[core].pc : 0;
  *list = (struct obs_sends_list){.searched = true, .open = true};
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

enum obs_sends obs_sends_to(const struct obs_sends_list *list, unsigned tile, uint32_t address, uint32_t *pc) {
  enum obs_sends most = list->open ? OBS_SENDS_POSSIBLY : OBS_SENDS_NONE;
  for (uint32_t i = 0; i < list->count && most < OBS_SENDS_SURELY; i++) {
    const struct obs_packet *p = &list->packets[i];
    if (p->tile_known && p->tile != tile) continue;
    if (p->address_known && (p->small ? (p->address ^ address) & ~3u : p->address > address)) continue;
    most = p->small && p->tile_known && p->address_known ? OBS_SENDS_SURELY : OBS_SENDS_POSSIBLY;
    if (most == OBS_SENDS_SURELY) *pc = p->pc;
  }
  return most;
}
