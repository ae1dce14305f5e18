/* The search of reach.h. */
#include "observe/hang/reach.h"

#include <string.h>

#include "debug/symbols.h"
#include "tensix/mem/l1.h"
#include "tensix/riscv/decode.h"

#define RA 1u
#define STACK_MAX 512u

struct walk {
  struct obs_reach *r;
  const struct dbg_elf *elf;
  struct dbg_bytes code;
  uint32_t stack[STACK_MAX];
  unsigned depth;
};

static bool inside(const struct obs_reach *r, uint32_t pc) { return pc - r->base < r->bytes && !(pc & 3u); }

static bool is_seen(const struct obs_reach *r, uint32_t pc) {
  uint32_t i = (pc - r->base) / 4;
  return r->seen[i / 64] >> i % 64 & 1u;
}

/* Code outside the segment, or more open branches than fit: the result is unknown. */
static void push(struct walk *w, uint32_t pc) {
  if (!inside(w->r, pc) || w->depth == STACK_MAX) {
    w->r->known = false;
    return;
  }
  if (is_seen(w->r, pc)) return;
  uint32_t i = (pc - w->r->base) / 4;
  w->r->seen[i / 64] |= UINT64_C(1) << i % 64;
  w->stack[w->depth++] = pc;
}

static struct tx_insn insn_at(const struct walk *w, uint32_t pc) { return tx_rv_decode(dbg_u32(w->code, pc - w->r->base)); }

/* The kernel's return ends the search: the firmware then waits for the next launch. */
static bool is_kernel(const char *name) {
  return strcmp(name, "kernel_main") == 0 || strcmp(name, "kernel_entry") == 0 || strcmp(name, "main") == 0;
}

/* A function returns to every one of its call sites. */
static void push_returns(struct walk *w, uint32_t pc) {
  uint32_t offset = 0;
  const char *name = dbg_symbol_at(w->elf, pc, &offset);
  if (!name) w->r->known = false;
  if (name && is_kernel(name)) w->r->ends = true;
  if (!name || is_kernel(name)) return;
  for (uint32_t at = w->r->base; at < w->r->base + w->r->bytes; at += 4) {
    struct tx_insn d = insn_at(w, at);
    if (d.class == TX_RV_CLASS_JAL && d.rd == RA && at + d.imm == pc - offset) push(w, at + 4);
  }
}

/* A failed check does not return to its caller. */
static bool returns(const struct walk *w, uint32_t function) {
  uint32_t offset;
  const char *name = dbg_symbol_at(w->elf, function, &offset);
  return !name || strcmp(name, "tt_fail") != 0;
}

static void step(struct walk *w, uint32_t pc) {
  struct tx_insn d = insn_at(w, pc);
  bool links = d.rd != 0 && d.rd != TX_CORE_NOWHERE;
  switch (d.class) {
    case TX_RV_CLASS_BRANCH:
      push(w, pc + d.imm);
      push(w, pc + 4);
      break;
    case TX_RV_CLASS_JAL:
      push(w, pc + d.imm);
      if (links && returns(w, pc + d.imm)) push(w, pc + 4);
      break;
    case TX_RV_CLASS_JALR:
      if (!links && d.rs1 == RA) push_returns(w, pc);
      else w->r->known = false;
      break;
    case TX_RV_CLASS_SYSTEM: break; /* ebreak */
    case TX_RV_CLASS_ILLEGAL: w->r->known = false; break;
    default: push(w, pc + 4); break;
  }
}

void obs_reach_from(struct obs_reach *r, const struct dbg_program *program, unsigned core, uint32_t pc) {
  struct dbg_segment s;
  memset(r, 0, sizeof *r);
  if (!program || core >= TX_CORES || !program->loaded[core] || !pc) return;
  struct walk w = {.r = r, .elf = &program->elf[core]};
  uint32_t linked = pc - program->moved[core];
  for (unsigned i = 0; dbg_elf_segment(w.elf, i, &s); i++) {
    if (!s.executable || linked - s.run_address >= s.bytes.size || s.bytes.size > OBS_REACH_BYTES) continue;
    r->base = s.run_address;
    r->bytes = (uint32_t)s.bytes.size & ~3u;
    w.code = s.bytes;
    r->known = true;
  }
  if (r->known) push(&w, linked);
  while (w.depth && r->known) step(&w, w.stack[--w.depth]);
  r->base += program->moved[core];
}

void obs_reach_script(struct obs_reach *r, const struct tx_tile *t, unsigned core, uint32_t line) {
  const struct tx_script *script = core < TX_CORES ? t->unsaved.scripts[core] : NULL;
  memset(r, 0, sizeof *r);
  if (!script || !line) return;
  uint32_t end = t->script[core].next < script->count ? t->script[core].next + 1 : script->count;
  for (uint32_t i = end; i-- > 0;) /* the last operation with this line: the thread waits there, or the core itself */
    if (script->ops[i].line == line) {
      r->known = r->script = true;
      r->from = i;
      return;
    }
}

bool obs_reaches(const struct obs_reach *r, uint32_t pc) { return !r->known || !inside(r, pc) || is_seen(r, pc); }

/* Is it the return address of the call of a kernel? A function that the kernel calls last returns there itself. */
static bool is_after_kernel(const struct dbg_program *p, const struct tx_tile *t, unsigned core, uint32_t pc) {
  uint32_t offset = 0, call = pc - 4;
  if (pc < 4 || pc & 3u || pc >= TX_L1_BYTES) return false;
  struct tx_insn d = tx_rv_decode(tx_l1_read(t, call, 4));
  if (d.class != TX_RV_CLASS_JAL || d.rd != RA) return false;
  const char *name = dbg_symbol_at(&p->elf[core], call + d.imm - p->moved[core], &offset);
  return name && !offset && is_kernel(name);
}

bool obs_reach_ends(const struct dbg_program *p, const struct tx_tile *t, unsigned core, const struct tx_insn *d,
                    uint32_t pc, const uint32_t *ra) {
  uint32_t offset;
  if (d->class != TX_RV_CLASS_JALR || d->rs1 != RA || (d->rd && d->rd != TX_CORE_NOWHERE)) return false;
  if (!p || !p->loaded[core]) return false;
  const char *name = dbg_symbol_at(&p->elf[core], pc - p->moved[core], &offset);
  return (name && is_kernel(name)) || (ra && is_after_kernel(p, t, core, *ra));
}
