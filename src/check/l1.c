/* Accesses to L1: pages of circular buffers (a), lines that two agents use (c), reads of unwritten memory (d), formats (e). */
#include "check/l1.h"

#include <string.h>

#include "../kernels/include/launch.h"
#include "check/atomics.h"
#include "check/buffers.h"
#include "check/contend.h"
#include "check/flags.h"
#include "check/local.h"
#include "check/operation.h"
#include "check/order.h"
#include "check/own.h"
#include "check/pages.h"
#include "check/pulls.h"
#include "check/report.h"
#include "noc/port.h"
#include "tensix/num/format.h"

static struct chk *of(const struct tx_tile *t) { return t->unsaved.check; }

/* --- who --- */

/* An access by the NoC carries no instruction; the mark of the core that sent the request does. */
static bool is_noc(const struct tx_range *r) { return r->unit == TX_UNIT_FRONTEND && r->pc == 0 && r->word == 0; }

static unsigned entity_of(const struct chk *c, const struct tx_range *r) {
  unsigned core = (unsigned)r->agent - TX_AGENT_TRISC0;
  if (r->agent == TX_AGENT_NETWORK) return CHK_NETWORK;
  if (r->agent <= TX_AGENT_THREAD2) {
    switch (r->unit) {
      case TX_UNIT_UNPACK: return chk_unit_of(r->agent, CHK_UNPACK0 + (r->word >> 23 & 1u));
      case TX_UNIT_PACK: return chk_unit_of(r->agent, CHK_PACK);
      case TX_UNIT_SCALAR: return chk_unit_of(r->agent, CHK_SCALAR);
      default: return CHK_MOVER;
    }
  }
  if (core >= TX_CORES) return CHK_MOVER;
  if (r->unit == TX_UNIT_MOVER) return CHK_MOVER;
  if (!is_noc(r)) return (r->write ? CHK_STORES : CHK_CORE) + core;
  if (r->write) return (r->write == NOC_CLAIM_TARGET ? CHK_NOC_FAR : CHK_NOC_IN) + core;
  return (c->answer_at[core] == c->t->engine.now ? CHK_NOC_IN : CHK_NOC_OUT) + core; /* the tile reads from itself */
}

/* Findings name the core's store that sent a NoC request. */
static void name_request(struct chk *c, unsigned entity, const struct tx_range *r) {
  if (entity < CHK_NOC_IN || entity >= CHK_STORES) return;
  unsigned core = (entity - CHK_NOC_IN) % 5;
  if (r->write == NOC_CLAIM_ANSWER) c->answer_at[core] = c->t->engine.now;
  const struct chk_mark *m = &c->noc[core][entity >= CHK_NOC_OUT];
  c->t->current.pc = m->pc;
  c->t->current.word = 0;
}

/* --- d: definedness --- */

static void mark_written(struct chk *c, uint32_t from, uint32_t to, uint8_t who) {
  for (uint32_t word = from / 4, end = (to + 3) / 4; word < end; word++) c->writer[word] = who;
}

static bool is_guarded(const struct chk *c, const struct tx_range *r, uint32_t end) {
  if (c->guarded[r->base / CHK_BLOCK]) return true;
  return end - r->base > 16 && memchr(&c->guarded[r->base / CHK_BLOCK], 1, (end - 1) / CHK_BLOCK - r->base / CHK_BLOCK + 1);
}

void chk_l1_written(struct tx_tile *t, uint32_t address, uint32_t length) {
  struct chk *c = of(t);
  for (uint32_t i = address / 4; i < (address + length + 3) / 4; i++)
    if (!c->writer[i]) c->writer[i] = CHK_HOST;
}

static void check_defined(struct chk *c, const struct tx_range *r) {
  for (uint32_t row = 0; row < r->rows; row++) {
    uint32_t from = (r->base + row * r->stride) / 4, to = (r->base + row * r->stride + r->width + 3) / 4;
    const uint8_t *hole = memchr(&c->writer[from], 0, to - from);
    if (!hole) continue;
    chk_report(c, TX_DIAG_L1_UNDEFINED, NULL, "0x%x, in 0x%x..0x%x", (uint32_t)(4 * (hole - c->writer)),
               r->base + row * r->stride, r->base + row * r->stride + r->width - 1);
    return;
  }
}

/* Reports a NoC write from memory that was never written: a page that was pushed and not filled, or a wrong address. */
static void check_sent(struct chk *c, const struct tx_range *r) {
  uint32_t words = r->width / 4;
  if (r->rows != 1 || words < 16) return;
  for (uint32_t i = 0; i < words; i++)
    if (c->writer[r->base / 4 + i]) return;
  if (!chk_buffer_at(c, r->base) && !chk_is_unwritten(c, r->base)) return;
  chk_report(c, TX_DIAG_L1_UNDEFINED, NULL, "0x%x..0x%x, sent by a NoC write: all of it", r->base, r->base + r->width - 1);
}

/* Reports a packer that adds to memory that was never written. */
static void check_accumulated(struct chk *c, const struct tx_range *r) {
  if (!TX_CFG_GET(c->t, r->agent, THCON_SEC0_REG1_Pack_L1_Acc)) return;
  const uint8_t *hole = memchr(&c->writer[r->base / 4], 0, (r->width + 3) / 4);
  if (hole && chk_is_unwritten(c, (uint32_t)(4 * (hole - c->writer))))
    chk_report(c, TX_DIAG_L1_UNDEFINED, NULL, "0x%x: the packer adds to it (Pack_L1_Acc is set)",
               (uint32_t)(4 * (hole - c->writer)));
}

static void check_code(struct chk *c, const struct tx_range *r) {
  uint32_t end = r->base + (r->rows - 1) * r->stride + r->width;
  for (unsigned i = 0; i < c->code_count; i++)
    if (r->base < c->code[i].to && c->code[i].from < end)
      chk_report(c, TX_DIAG_CODE_WRITTEN, NULL, "0x%x..0x%x lies in the program of %s (0x%x..0x%x)", r->base, end - 1,
                 tx_core_name(c->code[i].core), c->code[i].from, c->code[i].to - 1);
  if (c->library && r->base < LAUNCH_ARGS_END && end > LAUNCH_BUFFERS_AT)
    chk_report(c, TX_DIAG_CODE_WRITTEN, NULL, "0x%x..0x%x lies in the launch block: its buffers and arguments (0x%x..0x%x)",
               r->base, end - 1, LAUNCH_BUFFERS_AT, LAUNCH_ARGS_END - 1);
}

/* --- e: formats --- */

static unsigned in_l1(unsigned format) { return format == 4 ? 0 : format; } /* TF32 is stored as FP32 */

/* 5 to 7 and 11 to 15 but INT8: block formats and BF16; 0 to 4: FP32, FP16, TF32 and the block formats of 5 exponent bits. */
static bool is_float(unsigned format) { return format < 8 || format == 10 || format == 11 || format == 15; }

/* Integers of the same width are not compared: kernels move them as floats of that width. */
bool chk_formats_differ(unsigned a, unsigned b) {
  return a != b && (num_format_bits(a) != num_format_bits(b) || (is_float(a) && is_float(b)));
}

/* Reports a page of a tensor in DRAM that the buffer declares with another format. */
static void check_tensor(struct chk *c, const struct tx_range *r, unsigned format, unsigned which) {
  unsigned tag = which == 2 ? 0 : chk_page_tag(c, r->base);
  if (!tag || tag >= CHK_TAG_PACKED || !c->tiles.chip || tag > c->tiles.chip->tensors) return;
  const struct chk_tensor *tensor = &c->tiles.chip->tensor[tag - 1];
  const struct chk_buffer *b = chk_buffer_at(c, r->base);
  if (!chk_formats_differ(in_l1(tensor->format), format)) return;
  chk_report(c, TX_DIAG_TENSOR_FORMAT, chk_page_writer(c, b, r->base),
             "tensor %s is %s, but CB %u and unpacker %u read it as %s", tensor->name,
             num_format_name(in_l1(tensor->format)), (unsigned)(b - c->buffer), which, num_format_name(format));
}

static void check_format(struct chk *c, const struct tx_range *r) {
  const struct tx_tile *t = c->t;
  unsigned thread = r->agent, which = r->unit == TX_UNIT_PACK ? 2 : r->word >> 23 & 1u;
  const struct chk_buffer *b = chk_buffer_at(c, r->base);
  if (!b) return;
  if (which == 0 && c->library) chk_unpack_operation(c, thread);
  unsigned format = which == 2   ? TX_CFG_GET(t, thread, THCON_SEC0_REG1_Out_data_format)
                    : which == 1 ? tx_config_word(t, thread, TX_CFG_THCON_SEC1_REG0_TileDescriptor_ADDR) & 15u
                                 : tx_config_word(t, thread, TX_CFG_THCON_SEC0_REG0_TileDescriptor_ADDR) & 15u;
  if (format == in_l1(b->format)) {
    check_tensor(c, r, format, which);
    return;
  }
  struct chk_mark set = chk_users_call(c, &c->format[which]);
  chk_report(c, TX_DIAG_FORMAT_MISMATCH, set.clock ? &set : NULL, "CB %u holds %s, %s is set to %s",
             (unsigned)(b - c->buffer), num_format_name(in_l1(b->format)),
             which == 2   ? "the packer"
             : which == 1 ? "unpacker 1"
                          : "unpacker 0",
             num_format_name(format));
}

/* --- c: lines --- */

void chk_flag_changed(struct chk *c, unsigned entity, const struct tx_range *r) {
  struct chk_cell *cell = &c->line[r->base / CHK_LINE];
  struct chk_mark now = chk_now(c, entity), last = cell->write;
  now.parts = chk_parts_of(r->base / CHK_LINE, r->base, r->base + r->width);
  bool remote = (entity == CHK_NETWORK) != (last.entity == CHK_NETWORK), meet = !last.parts || (last.parts & now.parts);
  cell->write = now;
  cell->older.clock = 0;
  if (!last.clock || !remote || !meet || chk_are_atomics(&now, &last) || chk_in_order(&c->clocks, entity, &last)) return;
  chk_report(c, TX_DIAG_L1_UNORDERED, &last, "flag 0x%x written by %s, which does not wait for %s: one of the two is lost",
             r->base, chk_mark_name(c, &now), chk_mark_name(c, &last));
}

static void adopt(struct chk *c, unsigned core, struct chk_cell *cell) {
  struct chk_mark *marks[2 + CHK_READERS] = {&cell->write, &cell->older};
  for (unsigned i = 0; i < CHK_READERS; i++) marks[2 + i] = &cell->read[i];
  for (unsigned i = 0; i < 2 + CHK_READERS; i++) {
    struct chk_mark *m = marks[i];
    if (!m->clock || (m->entity != CHK_NOC_IN + core && m->entity != CHK_NOC_OUT + core)) continue;
    m->entity = (uint8_t)(CHK_CORE + core);
    m->clock = c->clocks.of[CHK_CORE + core].at[CHK_CORE + core];
  }
}

void chk_l1_adopt(struct chk *c, unsigned core, uint32_t address, uint32_t length) {
  if (!length || address >= TX_L1_BYTES || length > TX_L1_BYTES - address) return;
  for (uint32_t line = address / CHK_LINE; line <= (address + length - 1) / CHK_LINE; line++) adopt(c, core, &c->line[line]);
  const struct chk_buffer *b = chk_buffer_at(c, address);
  if (!b) return;
  for (uint32_t page = (address - b->base) / b->page_bytes; page < b->pages; page++) {
    if (b->base + page * b->page_bytes >= address + length) return;
    adopt(c, core, &c->page[b->first_cell + page].cell);
  }
}

/* The record of a failed KERNEL_CHECK: every core that fails writes it, and the host reads the last one. */
static bool is_failure_record(const struct chk *c, const struct tx_range *r) {
  return c->library && r->base >= LAUNCH_FIELD(failed) && r->base + r->width <= LAUNCH_FIELD(failed_file) + 4;
}

static bool is_atomic(uint32_t word) {
  unsigned opcode = word >> 24;
  return opcode == TX_ATINCGET || opcode == TX_ATSWAP || opcode == TX_ATCAS || opcode == TX_ATINCGETPTR;
}

/* Atomics of the scalar unit are in an order of their own. One that waits inside the unit (ATCAS takes a lock, ATINCGETPTR
 * a place) is ordered after the earlier ones. false: an attempt that fails and writes nothing. */
static bool order_atomic(struct chk *c, unsigned entity, const struct tx_range *r) {
  unsigned thread = (entity - CHK_UNIT) / CHK_UNITS, opcode = r->word >> 24;
  struct chk_atomic *a = &c->atomic[r->base / 16 % CHK_ATOMICS];
  if (opcode == TX_ATCAS && tx_l1_read(c->t, r->base, 4) != TX_FIELD(r->word, ATCAS, cmp_val)) return false;
  if (a->address != r->base / 16) *a = (struct chk_atomic){.address = r->base / 16};
  if (opcode == TX_ATCAS || opcode == TX_ATINCGETPTR) {
    chk_join_vector(&c->clocks, CHK_THREAD + thread, &a->vector);
    chk_word_acquire(c, CHK_THREAD + thread, r->base);
    chk_join(&c->clocks, entity, CHK_THREAD + thread);
  }
  chk_add(&a->vector, &c->clocks.of[entity]);
  chk_step(&c->clocks, entity);
  return true;
}

void chk_lines_pulled(struct chk *c, unsigned entity, const struct tx_range *r) {
  struct chk_mark now = chk_now(c, entity), other;
  for (uint32_t line = r->base / CHK_LINE; line <= (r->base + r->width - 1) / CHK_LINE; line++) {
    now.parts = chk_parts_of(line, r->base, r->base + r->width);
    (void)chk_use(&c->clocks, &c->line[line], &now, false, &other);
  }
}

/* A NoC read of the tile from itself, which may be a poll: pulls.c decides. */
static bool may_pull(const struct chk *c, unsigned entity, const struct tx_range *r) {
  unsigned core = entity - CHK_NOC_IN;
  return core < TX_CORES && !r->write && r->width <= CHK_PULL_BYTES &&
         !chk_pull_is_data(c, core, c->noc[core][0].pc, r->width);
}

static void own_pull(struct chk *c, unsigned entity, const struct tx_range *r) {
  c->t->current.word = c->tiles.tile | (entity - CHK_NOC_IN) << 16 | 1u << 19 | CHK_PULL_LENGTH(r->width);
  chk_lines_pulled(c, entity, r);
}

/* A core stores a word that another core has stored last. */
static bool takes_turn(const struct chk *c, unsigned entity, uint32_t address) {
  unsigned last = c->writer[address / 4] - 1u;
  return last != entity && entity - CHK_STORES < TX_CORES && last - CHK_STORES < TX_CORES;
}

static void check_lines(struct chk *c, unsigned entity, const struct tx_range *r) {
  if (is_failure_record(c, r)) return;
  if (may_pull(c, entity, r)) {
    own_pull(c, entity, r);
    return;
  }
  bool atomic = r->unit == TX_UNIT_SCALAR && entity < CHK_MOVER && is_atomic(r->word);
  if (atomic && !order_atomic(c, entity, r)) return;
  if (r->width <= 4 && chk_is_flag(c, r->base)) {
    if (r->write && c->tiles.chip) chk_flag_changed(c, entity, r);
    if (r->write && r->width == 4 && !atomic && takes_turn(c, entity, r->base)) chk_flag_turns(c, entity - CHK_STORES, r);
    return;
  }
  struct chk_mark now = chk_now(c, entity), other;
  if (r->width == 1 && r->rows == 1) now.locks |= r->base & 1u ? CHK_ODD : CHK_EVEN;
  for (uint32_t row = 0; row < r->rows; row++) {
    uint32_t from = r->base + row * r->stride;
    for (uint32_t line = from / CHK_LINE; line <= (from + r->width - 1) / CHK_LINE; line++) {
      now.parts = chk_parts_of(line, from, from + r->width);
      if (!chk_use(&c->clocks, &c->line[line], &now, r->write, &other)) continue;
      if (atomic && other.entity < CHK_MOVER && is_atomic(other.word)) continue;
      if (chk_both_atomic(c, r, &other)) continue;
      if (chk_is_pull(&other)) {
        chk_pull_suspect(c, &now, &other, line * CHK_LINE, CHK_IN_L1);
        continue;
      }
      if (chk_is_first_flag(c, entity, r, &other) || chk_is_contended(c, entity, r, &other)) continue;
      if (chk_is_own_store(entity, &other))
        chk_report(c, TX_DIAG_L1_UNORDERED, &other, "0x%x read by a NoC write, and " CHK_NO_FENCE, line * CHK_LINE,
                   chk_entity_name(other.entity));
      else
        chk_report(c, TX_DIAG_L1_UNORDERED, &other, "0x%x %s by %s, which does not wait for %s", line * CHK_LINE,
                   r->write ? "written" : "read", chk_mark_name(c, &now), chk_mark_name(c, &other));
      return;
    }
  }
}

/* Requests with transaction numbers: is one under way, or, of writes, still in this tile? */
static bool is_under_way(const struct chk *c, unsigned core, bool write) {
  for (unsigned i = 0; i < CHK_FLIGHTS; i++) {
    const struct chk_flight *f = &c->flight[core][i];
    if (f->open && f->write == write && !(write && f->left)) return true;
  }
  return false;
}

static void report_left(struct chk *c, unsigned core, uint32_t pc, const char *what) {
  struct tx_current kept = c->t->current;
  c->t->current = (struct tx_current){.agent = (enum tx_agent)(TX_AGENT_TRISC0 + core), .pc = pc};
  chk_report(c, TX_DIAG_NOC_LEFT, NULL, "%s", what);
  c->t->current = kept;
}

/* The firmware announces the end of a kernel. Its unfinished NoC requests may still use pages that the next kernel fills. */
static void kernel_ends(struct chk *c, unsigned core, uint32_t address) {
  if (!c->library || address != (core == 3 ? LAUNCH_FINISHED : LAUNCH_NCRISC_DONE)) return;
  const struct chk_mark *left[] = {&c->noc[core][0], &c->noc_write[core]};
  static const char *const text[] = {"a read, and no noc_async_read_barrier after it",
                                     "a write, and neither noc_async_writes_flushed nor noc_async_write_barrier after it"};
  for (unsigned i = 0; i < 2; i++) {
    if (chk_knows(&c->clocks, CHK_CORE + core, left[i]) || (c->numbered[core] && !is_under_way(c, core, i))) continue;
    report_left(c, core, left[i]->pc, text[i]);
  }
  for (unsigned noc = 0; noc < NOC_NOCS; noc++)
    if (c->noc_linked[core][noc].clock)
      report_left(c, core, c->noc_linked[core][noc].pc,
                  "a linked request, and no later request of the core ends the transaction");
}

void chk_l1_access(struct tx_tile *t, const struct tx_range *r) {
  struct chk *c = of(t);
  unsigned entity = entity_of(c, r);
  struct tx_current kept = t->current;
  uint32_t end = r->base + (r->rows - 1) * r->stride + r->width;
  if (!r->width || !r->rows || end > TX_L1_BYTES || end < r->base) return;
  if (c->unread) chk_stored_read(c);
  if (is_noc(r)) name_request(c, entity, r);
  if (entity >= CHK_CORE && entity < CHK_UNIT) {
    if (c->tiles.pulls) chk_own_load(c, entity - CHK_CORE, r);
    if (c->tiles.pulls && c->writer[r->base / 4] - (1u + CHK_NOC_IN) < TX_CORES) chk_pull_load(c, entity - CHK_CORE, r);
    chk_flag_load(c, entity - CHK_CORE, r);
  }
  if (entity >= CHK_STORES && entity < CHK_NETWORK) {
    chk_lines_arrive(c, entity - CHK_STORES, r);
    if (c->tiles.pulls) chk_pull_stored(c, entity - CHK_STORES, r);
  }
  if (entity >= CHK_STORES + 3 && entity < CHK_NETWORK && r->base <= LAUNCH_FINISHED && chk_on(c, CHK_C))
    kernel_ends(c, entity - CHK_STORES, r->base);
  if (chk_on(c, CHK_D) && r->unit == TX_UNIT_UNPACK && !r->write) check_defined(c, r);
  if (chk_on(c, CHK_D) && r->unit == TX_UNIT_PACK && r->write) check_accumulated(c, r);
  if (chk_on(c, CHK_D) && entity >= CHK_CORE && entity < CHK_UNIT && !c->writer[r->base / 4])
    chk_load_undefined(c, entity - CHK_CORE, r->base);
  if (chk_on(c, CHK_D) && entity >= CHK_NOC_OUT && entity < CHK_NOC_FAR && !r->write) check_sent(c, r);
  if (chk_on(c, CHK_D) && r->write && is_guarded(c, r, end)) check_code(c, r);
  if (chk_on(c, CHK_E) && (r->unit == TX_UNIT_UNPACK || r->unit == TX_UNIT_PACK)) check_format(c, r);
  if (chk_on(c, CHK_A)) chk_pages_use(c, entity, r);
  bool in_page = chk_on(c, CHK_A) && chk_buffer_at(c, r->base); /* its pages report the same */
  if (chk_on(c, CHK_C) && !in_page) check_lines(c, entity, r);
  for (uint32_t row = 0; r->write && row < r->rows; row++)
    mark_written(c, r->base + row * r->stride, r->base + row * r->stride + r->width, (uint8_t)(1 + entity));
  t->current = kept;
}
