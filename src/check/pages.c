/* Pages as a whole and by their lines (pages.h). */
#include "check/pages.h"

#include "check/order.h"

static uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }
static uint32_t larger(uint32_t a, uint32_t b) { return a < b ? b : a; }

static uint32_t start_of(const struct chk_buffer *b, uint32_t page) { return b->base + page * b->page_bytes; }

/* An unpacker or the packer: it works through a page in pieces. */
static bool is_by_tile(unsigned entity) {
  return entity >= CHK_UNIT && entity < CHK_MOVER && (entity - CHK_UNIT) % CHK_UNITS != CHK_SCALAR;
}

static bool covers(const struct tx_range *r, uint32_t from, uint32_t to) {
  return r->rows == 1 && r->base <= from && r->base + r->width >= to;
}

/* Lines belong to one page each. */
static bool has_lines(const struct chk_buffer *b) { return b->base % CHK_LINE == 0 && b->page_bytes % CHK_LINE == 0; }

static void note_extent(struct chk_page *p, const struct chk_mark *now, const struct tx_range *r, uint32_t start,
                        uint32_t end) {
  uint32_t from = r->base > start ? r->base - start : 0;
  uint32_t to = smaller(r->base + (r->rows - 1) * r->stride + r->width, end) - start;
  if (!r->write) {
    bool first = p->read_to == 0;
    p->read_from = first ? from : smaller(p->read_from, from);
    p->read_to = larger(p->read_to, to);
    return;
  }
  bool same = p->cell.write.clock && p->cell.write.entity == now->entity && p->write_to;
  p->write_from = same ? smaller(p->write_from, from) : from;
  p->write_to = same ? larger(p->write_to, to) : to;
  p->read_to = 0;
}

/* From now on the lines have the page's marks. */
static void split(struct chk *c, struct chk_page *p, uint32_t start, uint32_t bytes) {
  struct chk_cell cell = p->cell, none = {0};
  for (uint32_t at = 0; at < bytes; at += CHK_LINE) {
    struct chk_cell *line = &c->line[(start + at) / CHK_LINE];
    *line = none;
    if (at < p->write_to && at + CHK_LINE > p->write_from) line->write = cell.write;
    for (unsigned i = 0; i < CHK_READERS && at < p->read_to && at + CHK_LINE > p->read_from; i++)
      line->read[i] = cell.read[i];
  }
  p->in_lines = true;
}

static bool use_lines(struct chk *c, const struct tx_range *r, uint32_t start, uint32_t end, struct chk_mark now,
                      struct chk_mark *other) {
  bool unordered = false;
  struct chk_mark found;
  for (uint32_t row = 0; row < r->rows; row++) {
    uint32_t from = larger(r->base + row * r->stride, start), to = smaller(r->base + row * r->stride + r->width, end);
    for (uint32_t line = from / CHK_LINE; from < to && line <= (to - 1) / CHK_LINE; line++) {
      now.parts = chk_parts_of(line, from, to);
      if (!chk_use(&c->clocks, &c->line[line], &now, r->write, &found) || unordered) continue;
      unordered = true;
      *other = found;
    }
  }
  return unordered;
}

bool chk_page_use(struct chk *c, const struct chk_buffer *b, uint32_t page, const struct tx_range *r,
                  const struct chk_mark *now, struct chk_mark *other) {
  struct chk_page *p = &c->page[b->first_cell + page];
  uint32_t start = start_of(b, page), end = start + b->page_bytes;
  bool whole = covers(r, start, end);
  if (!p->in_lines && !whole && !is_by_tile(now->entity) && has_lines(b)) split(c, p, start, b->page_bytes);
  if (!p->in_lines) {
    note_extent(p, now, r, start, end);
    return chk_use(&c->clocks, &p->cell, now, r->write, other);
  }
  bool unordered = use_lines(c, r, start, end, *now, other);
  if (!whole || !r->write) return unordered;
  *p = (struct chk_page){.write_to = b->page_bytes};
  p->cell.write = *now;
  return unordered;
}

const struct chk_mark *chk_page_writer(const struct chk *c, const struct chk_buffer *b, uint32_t address) {
  const struct chk_page *p = &c->page[b->first_cell + (address - b->base) / b->page_bytes];
  const struct chk_mark *m = p->in_lines ? &c->line[address / CHK_LINE].write : &p->cell.write;
  return m->clock ? m : NULL;
}
