/* Checker e: compares the operation that a kernel calls with the one that the matrix unit runs. A kernel's call expands the
 * MOP that the last initialisation has set up: without mul_tiles_init before it, mul_tiles adds. The executable's DWARF
 * gives the called function: the functions of the kernel library around the MOP's address. Kernels without DWARF, and MOPs
 * outside the library, are not checked. */
#include "check/operation.h"

#include <string.h>

#include "check/report.h"
#include "debug/kept.h"

/* What a matrix instruction does: the operation, the broadcast of SrcB, the dimension of a reduction. */
enum kind {
  ADDS = 1,
  SUBTRACTS = 2,
  MULTIPLIES = 4,
  PRODUCTS = 8,
  SUMS = 0x10,
  MAXIMA = 0x20,
  MOVES = 0x40,
  PLAIN = 0x100,
  OF_COLUMN = 0x200,
  OF_ROW = 0x400,
  OF_NUMBER = 0x800,
  BROADCASTS = OF_COLUMN | OF_ROW | OF_NUMBER,
  TO_ROW = 0x1000, /* REDUCE_COL */
  TO_COLUMN = 0x2000,
  TO_NUMBER = 0x4000,
  REDUCTIONS = TO_ROW | TO_COLUMN | TO_NUMBER,
  TRANSPOSES = 0x10000, /* of an unpacker */
  COPIES = 0x20000
};

/* The last of a reduction's four instructions distinguishes the dimensions: each adds the fourth face to another row of Dst. */
static unsigned dimension_of(uint32_t word) {
  unsigned mode = TX_FIELD(word, GAPOOL, pool_addr_mode), dst = TX_FIELD(word, GAPOOL, dst);
  if (mode != 3 && mode != 4) return 0; /* kernels/include/math_reduce.h */
  return dst == 16 ? TO_ROW : dst == 32 ? TO_COLUMN : dst == 0 ? TO_NUMBER : 0;
}

static unsigned kind_of(uint32_t word) {
  unsigned broadcast = (unsigned)PLAIN << (word >> 19 & 3u);
  switch (word >> 24) {
    case TX_ELWADD: return ADDS | broadcast;
    case TX_ELWSUB: return SUBTRACTS | broadcast;
    case TX_ELWMUL: return MULTIPLIES | broadcast;
    case TX_MVMUL: return PRODUCTS;
    case TX_GAPOOL: return SUMS | dimension_of(word);
    case TX_GMPOOL: return MAXIMA | dimension_of(word);
    case TX_MOVA2D: return MOVES;
    default: return 0;
  }
}

/* --- the called function --- */

static bool begins(const char **at, const char *words) {
  size_t length = strlen(words);
  if (strncmp(*at, words, length) != 0) return false;
  *at += length;
  return true;
}

/* The broadcast in a template's argument: GCC writes the enumerator or its number, "(BroadcastType)2". */
static unsigned argument(const char *text, const char *type, const char *const *names, unsigned first, unsigned count) {
  const char *at = strstr(text, type);
  if (!at) return 0;
  at += strlen(type);
  if (*at == ')' && at[1] >= '0' && at[1] < (char)('0' + count)) return first << (at[1] - '0');
  for (unsigned i = 0; at[0] == ':' && i < count; i++) {
    size_t length = strlen(names[i]);
    if (strncmp(at + 2, names[i], length) == 0 && (at[2 + length] == '>' || at[2 + length] == ',')) return first << i;
  }
  return 0;
}
static unsigned broadcast_argument(const char *text) {
  static const char *const names[] = {"NONE", "COL", "ROW", "SCALAR"};
  unsigned one = argument(text, "BroadcastType", names, PLAIN, 4);
  return one ? one : PLAIN | BROADCASTS;
}

/* add_tiles, mul_tiles_bcast, sub_tiles_bcast_rows, add_tiles_bcast<(BroadcastType)2>. */
static unsigned eltwise_named(const char *name) {
  unsigned operation = begins(&name, "add_")   ? ADDS
                       : begins(&name, "sub_") ? SUBTRACTS
                       : begins(&name, "mul_") ? MULTIPLIES
                                               : 0;
  if (!operation) return 0;
  if (strcmp(name, "tiles") == 0 || strcmp(name, "block") == 0) return operation | PLAIN;
  if (!begins(&name, "tiles_bcast")) return 0;
  if (*name == '<') return operation | broadcast_argument(name);
  return *name == 0                     ? operation | BROADCASTS
         : strcmp(name, "_rows") == 0   ? operation | OF_ROW
         : strcmp(name, "_cols") == 0   ? operation | OF_COLUMN
         : strcmp(name, "_scalar") == 0 ? operation | OF_NUMBER
                                        : 0;
}

/* binary_dest_reuse_tiles<(EltwiseBinaryType)2, ...>, any_tiles_bcast<(EltwiseBinaryType)0, (BroadcastType)1>, mul_reuse_dest_tiles<...>: the
 * operation is an argument of the template, or in the name. */
static unsigned eltwise_of_type(const char *name) {
  static const char *const types[] = {"ELWADD", "ELWSUB", "ELWMUL"}, *const operations[] = {"add", "sub", "mul"};
  const char *rest = name;
  bool any = begins(&rest, "any_tiles_bcast<");
  unsigned type = any || begins(&rest, "binary_dest_reuse_tiles<") ? argument(rest, "EltwiseBinaryType", types, ADDS, 3) : 0;
  for (unsigned i = 0; i < 3 && !type; i++) {
    rest = name;
    if (begins(&rest, operations[i]) && begins(&rest, "_reuse_dest_tiles<")) type = (unsigned)ADDS << i;
  }
  return !type ? 0 : any ? type | broadcast_argument(rest) : type | PLAIN;
}

/* Functions of the library and the instructions that they may run. A copy into a 32-bit Dst adds zeros. */
static unsigned kinds_named(const char *name) {
  static const struct {
    const char *name;
    unsigned kinds;
  } calls[] = {{"matmul_tiles", PRODUCTS},
               {"matmul_block", PRODUCTS},
               {"reduce_pools", SUMS | MAXIMA | REDUCTIONS},
               {"copy_tile", MOVES | ADDS | PLAIN}};
  for (size_t k = 0; k < sizeof calls / sizeof *calls; k++)
    if (strcmp(name, calls[k].name) == 0) return calls[k].kinds;
  unsigned typed = eltwise_of_type(name);
  return typed ? typed : eltwise_named(name);
}

/* reduce_tile<(PoolType)2, (ReduceDim)0> of C++ around the pools. */
static unsigned reduction_named(const char *name) {
  static const char *const pools[] = {"SUM", "AVG", "MAX"}, *const dimensions[] = {"REDUCE_ROW", "REDUCE_COL",
                                                                                   "REDUCE_SCALAR"};
  if (!begins(&name, "reduce_tile<")) return SUMS | MAXIMA | REDUCTIONS;
  unsigned pool = argument(name, "PoolType", pools, 1, 3), dimension = argument(name, "ReduceDim", dimensions, 1, 3);
  return (pool ? pool == 4 ? MAXIMA : SUMS : SUMS | MAXIMA) | (dimension == 1   ? TO_COLUMN
                                                               : dimension == 2 ? TO_ROW
                                                               : dimension == 4 ? TO_NUMBER
                                                                                : REDUCTIONS);
}

static unsigned frames_at(const struct chk *c, unsigned core, uint32_t pc, struct dbg_frame *frames) {
  if (!c->program || !c->program->loaded[core]) return 0;
  unsigned count = dbg_kept_frames(&c->program->elf[core], pc - c->program->moved[core], frames);
  unsigned user = dbg_frames_user(frames, count);
  return user < count ? user : count;
}

static const char *called(const struct chk *c, unsigned core, uint32_t pc, unsigned *kinds) {
  struct dbg_frame frames[DBG_FRAMES_MAX];
  unsigned count = frames_at(c, core, pc, frames);
  for (unsigned i = count; i-- > 0;) { /* from the user's call to the innermost */
    *kinds = frames[i].function ? kinds_named(frames[i].function) : 0;
    if (!*kinds) continue;
    for (unsigned outer = i + 1; *kinds & REDUCTIONS && outer < count; outer++)
      if (frames[outer].function) *kinds &= reduction_named(frames[outer].function);
    return *kinds & MAXIMA || *kinds & SUMS ? "reduce_tile" : frames[i].function;
  }
  return NULL;
}

/* --- the comparison --- */

/* Each address is checked once per template: calls are many, addresses are few. */
static bool is_known(struct chk *c, uint32_t pc, unsigned kinds) {
  struct chk_operation *known = &c->operation[pc / 4 % CHK_OPERATIONS];
  if (known->pc == pc && (known->kinds & kinds) == kinds) return true;
  if (known->pc != pc) known->kinds = 0;
  known->pc = pc;
  known->kinds |= kinds;
  return false;
}

static const char *variant(unsigned kinds) {
  return kinds & PLAIN       ? " without broadcast"
         : kinds & OF_COLUMN ? " with a column's broadcast"
         : kinds & OF_ROW    ? " with a row's broadcast"
         : kinds & OF_NUMBER ? " with a number's broadcast"
         : kinds & TO_ROW    ? " along columns (REDUCE_COL)"
         : kinds & TO_COLUMN ? " along rows (REDUCE_ROW)"
         : kinds & TO_NUMBER ? " to one number (REDUCE_SCALAR)"
                             : "";
}

static void __attribute__((noinline)) compare(struct chk *c, unsigned thread, uint32_t word, unsigned kinds) {
  unsigned allowed = 0;
  const char *name = called(c, thread, c->t->current.pc, &allowed);
  if (!name || !(kinds & ~allowed)) return;
  struct chk_mark template = chk_users_call(c, &c->thread[thread].template);
  chk_report(c, TX_DIAG_OPERATION_MISMATCH, template.clock ? &template : NULL, "%.*s is called and %s%s runs",
             (int)strcspn(name, "<"), name, tx_ops[word >> 24].name,
             kinds & 0xff & ~allowed ? "" : variant(kinds & ~allowed));
}

/* --- reductions along rows --- */

/* A kernel may pack parts of a reduction and add or copy them into Dst again before it turns them. */
static void __attribute__((noinline)) note_reduction(struct chk *c, unsigned thread, unsigned kinds) {
  struct chk_reduction *r = &c->reduction;
  if (kinds & TO_COLUMN) {
    r->pooled = r->unfinished = true;
    r->pool = chk_now(c, CHK_THREAD + thread);
  } else if (!r->pooled && r->left.clock) {
    r->continued = true;
  }
}

void chk_reduction_moves(struct chk *c) {
  c->reduction.unfinished = false;
  if (!c->reduction.pooled) c->reduction.continued = true;
}

void chk_reduction_commits(struct chk *c, unsigned thread) {
  struct chk_reduction *r = &c->reduction;
  if (r->unfinished && !r->left.clock) {
    r->left = r->pool;
    r->commit = chk_now(c, CHK_THREAD + thread);
  }
  r->pooled = r->unfinished = false;
}

void chk_reduction_finish(struct chk *c) {
  const struct chk_reduction *r = &c->reduction;
  struct tx_current kept = c->t->current;
  if (!r->left.clock || r->continued) return;
  c->t->current = (struct tx_current){.agent = (enum tx_agent)r->left.agent, .pc = r->left.pc, .word = r->left.word};
  chk_report(c, TX_DIAG_REDUCE_UNFINISHED, &r->commit, "no reduce_row_done between it and the commit, nor later");
  c->t->current = kept;
}

void chk_operation(struct chk *c, unsigned thread, uint32_t word) {
  uint32_t pc = c->t->current.pc;
  const struct chk_operation *known = &c->operation[pc / 4 % CHK_OPERATIONS];
  if (word >> 24 == TX_MVMUL && known->pc == pc && known->kinds == PRODUCTS) return; /* the most frequent one first */
  unsigned kinds = kind_of(word);
  if (kinds & (TO_COLUMN | MOVES | ADDS)) note_reduction(c, thread, kinds);
  if (kinds && !is_known(c, pc, kinds)) compare(c, thread, word, kinds);
}

/* The unpacker transposes faces for the math core, which only swaps two of them. copy_tile also follows the init of a transpose. */
static bool calls_transpose(const struct chk *c, unsigned core, uint32_t pc) {
  struct dbg_frame frames[DBG_FRAMES_MAX];
  bool found = false;
  for (unsigned i = frames_at(c, core, pc, frames); i-- > 0;) {
    if (!frames[i].function) continue;
    if (strcmp(frames[i].function, "copy_tile_turned") == 0) return false; /* the math core transposes */
    if (strcmp(frames[i].function, "transpose_wh_tile") == 0) found = true;
  }
  return found;
}

void chk_unpack_operation(struct chk *c, unsigned thread) {
  unsigned kinds = TX_CFG_GET(c->t, thread, THCON_SEC0_REG2_Haloize_mode) ? TRANSPOSES : COPIES;
  uint32_t pc = c->t->current.pc;
  if (kinds == TRANSPOSES || is_known(c, pc, kinds) || !calls_transpose(c, thread, pc)) return;
  struct chk_mark set = chk_users_call(c, &c->format[0]);
  chk_report(c, TX_DIAG_OPERATION_MISMATCH, set.clock ? &set : NULL,
             "transpose_wh_tile is called and unpacker 0 does not transpose");
}
