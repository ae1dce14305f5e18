/* Checker e: compares the operation that a kernel calls with the one that the matrix unit runs. A kernel's call expands the
 * MOP that the last initialisation has set up: without mul_tiles_init before it, mul_tiles adds. The executable's DWARF
 * gives the called function: the functions of the kernel library around the MOP's address. Kernels without DWARF, and MOPs
 * outside the library, are not checked. */
#include "check/operation.h"

#include <string.h>

#include "check/report.h"
#include "debug/frames.h"

enum kind { ADDS = 1, SUBTRACTS = 2, MULTIPLIES = 4, PRODUCTS = 8, POOLS = 16, MOVES = 32 };

static unsigned kind_of(unsigned opcode) {
  switch (opcode) {
    case TX_ELWADD: return ADDS;
    case TX_ELWSUB: return SUBTRACTS;
    case TX_ELWMUL: return MULTIPLIES;
    case TX_MVMUL: return PRODUCTS;
    case TX_GAPOOL:
    case TX_GMPOOL: return POOLS;
    case TX_MOVA2D: return MOVES;
    default: return 0;
  }
}

/* Functions of the library and the instructions that they may run. A copy into a 32-bit Dst adds zeros. */
static const struct {
  const char *name;
  unsigned kinds;
} calls[] = {{"add_tiles", ADDS},        {"sub_tiles", SUBTRACTS},       {"mul_tiles", MULTIPLIES},
             {"add_tiles_bcast", ADDS},  {"sub_tiles_bcast", SUBTRACTS}, {"mul_tiles_bcast", MULTIPLIES},
             {"matmul_tiles", PRODUCTS}, {"matmul_block", PRODUCTS},     {"reduce_pools", POOLS},
             {"copy_tile", MOVES | ADDS}};

static const char *called(const struct chk *c, unsigned core, uint32_t pc, unsigned *kinds) {
  struct dbg_frame frames[DBG_FRAMES_MAX];
  if (!c->program || !c->program->loaded[core]) return NULL;
  unsigned count = dbg_frames_find(&c->program->elf[core], pc - c->program->moved[core], frames, DBG_FRAMES_MAX);
  for (unsigned i = dbg_frames_user(frames, count); i-- > 0;) /* from the user's call to the innermost */
    for (size_t k = 0; frames[i].function && k < sizeof calls / sizeof *calls; k++)
      if (strcmp(frames[i].function, calls[k].name) == 0) {
        *kinds = calls[k].kinds;
        return calls[k].name;
      }
  return NULL;
}

/* Each address is checked once per template: calls are many, addresses are few. */
void chk_operation(struct chk *c, unsigned thread, uint32_t word) {
  unsigned kind = kind_of(word >> 24), allowed = 0;
  uint32_t pc = c->t->current.pc;
  struct chk_operation *known = &c->operation[pc / 4 % CHK_OPERATIONS];
  if (!kind || (known->pc == pc && known->kinds & kind)) return;
  if (known->pc != pc) known->kinds = 0;
  known->pc = pc;
  known->kinds |= kind;
  const char *name = called(c, thread, pc, &allowed);
  if (!name || allowed & kind) return;
  const struct chk_mark *template = &c->thread[thread].template;
  chk_report(c, TX_DIAG_OPERATION_MISMATCH, template->clock ? template : NULL, "%s is called and %s runs", name,
             tx_ops[word >> 24].name);
}
