/* The reader of noc_case.h. A table holds the statements: word, list, kind and operands. */
#include "load/noc_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ITEM_BYTES_MAX 0x1000000u

struct noc_case_reader {
  struct case_text text;
  bool in_case;
  struct noc_program *program; /* block being read; NULL outside */
};

struct noc_case_reader *noc_case_open(const char *name, case_read_fn *read, void *context) {
  struct noc_case_reader *r = calloc(1, sizeof *r);
  if (r) case_text_open(&r->text, name, read, context);
  return r;
}

void noc_case_close(struct noc_case_reader *reader) { free(reader); }

void noc_case_free(struct noc_case *c) {
  free(c->setup.items);
  free(c->host.items);
  free(c->until.items);
  free(c->expected.items);
  for (size_t i = 0; i < c->program_count; i++) free(c->programs[i].ops);
  free(c->programs);
  free(c->bytes.data);
  memset(c, 0, sizeof *c);
}

bool noc_case_matches(const struct noc_case *c, const char *selector) {
  return strcmp(c->name, selector) == 0 || case_tags_match(c->tags, selector);
}

/* The byte pattern that the format defines: 32-bit unsigned arithmetic. */
static uint8_t pattern(uint32_t seed, uint32_t k) {
  uint32_t h = k * 0x9e3779b1u + seed * 0x85ebca77u + 0x1b873593u;
  h ^= h >> 15;
  h *= 0x2c1b3c6du;
  h ^= h >> 13;
  return (uint8_t)(h >> 3);
}

uint8_t noc_case_byte(const struct noc_case *c, const struct noc_item *item, uint32_t k) {
  switch (item->kind) {
    case NOC_ITEM_FILL: return (uint8_t)item->value;
    case NOC_ITEM_PATTERN: return pattern(item->value, item->offset + k);
    default: return c->bytes.data[item->data + k];
  }
}

/* --- statements --- */

/* Operands, one letter each: p X Y; h host memory; q X0 Y0 X1 Y1; b BAR; a ADDR; A wide offset; l LEN; v VALUE; f BYTE; m MASK; o OFF;
 * x bytes in hexadecimal. */
static const struct statement {
  const char *word;
  size_t list; /* offset of the list in struct noc_case */
  enum noc_item_kind kind;
  const char *operands;
} statements[] = {
#define LIST(name) offsetof(struct noc_case, name)
    {"mem", LIST(setup), NOC_ITEM_BYTES, "pax"},
    {"memfill", LIST(setup), NOC_ITEM_FILL, "palf"},
    {"mempat", LIST(setup), NOC_ITEM_PATTERN, "palv"},
    {"host", LIST(setup), NOC_ITEM_BYTES, "hax"},
    {"hostfill", LIST(setup), NOC_ITEM_FILL, "half"},
    {"hostpat", LIST(setup), NOC_ITEM_PATTERN, "halv"},
    {"reg", LIST(setup), NOC_ITEM_REG, "pav"},
    {"hw", LIST(host), NOC_ITEM_HW, "pav"},
    {"hmw", LIST(host), NOC_ITEM_HMW, "qav"},
    {"hwait", LIST(host), NOC_ITEM_HWAIT, "pamv"},
    {"bar", LIST(host), NOC_ITEM_BAR, "bAx"},
    {"until", LIST(until), NOC_ITEM_HWAIT, "pamv"},
    {"expect", LIST(expected), NOC_ITEM_BYTES, "pax"},
    {"expectfill", LIST(expected), NOC_ITEM_FILL, "palf"},
    {"expectpat", LIST(expected), NOC_ITEM_PATTERN, "palvo"},
    {"expecthost", LIST(expected), NOC_ITEM_BYTES, "hax"},
    {"expecthostfill", LIST(expected), NOC_ITEM_FILL, "half"},
    {"expecthostpat", LIST(expected), NOC_ITEM_PATTERN, "halvo"},
    {"expectreg", LIST(expected), NOC_ITEM_REG, "pavm"},
    {"expectbar", LIST(expected), NOC_ITEM_BAR, "bAx"},
#undef LIST
};

static bool read_small(char **cursor, uint32_t most, uint8_t *value) {
  uint32_t wide;
  if (!case_hex(cursor, &wide) || wide > most) return false;
  *value = (uint8_t)wide;
  return true;
}

static bool read_place(char **cursor, uint8_t *x, uint8_t *y) {
  return read_small(cursor, 63, x) && read_small(cursor, 63, y);
}

static bool read_address(char **cursor, uint64_t *address) {
  uint32_t low;
  if (!case_hex(cursor, &low)) return false;
  *address = low;
  return true;
}

static bool read_byte(char **cursor, uint32_t *value) { return case_hex(cursor, value) && *value <= 0xff; }

static bool read_operand(struct noc_case_reader *r, struct noc_case *c, char **cursor, char letter, struct noc_item *item) {
  switch (letter) {
    case 'p': return read_place(cursor, &item->x, &item->y);
    case 'q': return read_place(cursor, &item->x, &item->y) && read_place(cursor, &item->x_end, &item->y_end);
    case 'h': item->x = NOC_CASE_HOST; return true;
    case 'b': return read_small(cursor, 4, &item->x) && item->x % 2 == 0;
    case 'a': return read_address(cursor, &item->address);
    case 'A': return case_hex64(cursor, &item->address);
    case 'l': return case_hex(cursor, &item->length) && item->length <= ITEM_BYTES_MAX;
    case 'f': return read_byte(cursor, &item->value);
    case 'v': return case_hex(cursor, &item->value);
    case 'm': return case_hex(cursor, &item->mask);
    case 'o': return case_hex(cursor, &item->offset);
    default:
      item->data = c->bytes.count;
      item->length = (uint32_t)case_hex_bytes(&r->text, cursor, &c->bytes);
      return item->length;
  }
}

static int read_item(struct noc_case_reader *r, struct noc_case *c, const struct statement *s, char *cursor) {
  struct noc_item item = {.kind = (uint8_t)s->kind};
  struct noc_items *list = (struct noc_items *)((char *)c + s->list);
  for (const char *letter = s->operands; *letter; letter++)
    if (!read_operand(r, c, &cursor, *letter, &item))
      return case_broken(&r->text, "%s: operand %d is missing or wrong", s->word, (int)(letter - s->operands) + 1);
  if (!case_grow((void **)&list->items, &list->capacity, list->count + 1, sizeof item))
    return case_broken(&r->text, "out of memory");
  list->items[list->count++] = item;
  return 1;
}

static int read_core(struct noc_case_reader *r, struct noc_case *c, char *cursor) {
  struct noc_program program = {0};
  char *core = read_place(&cursor, &program.x, &program.y) ? case_word(&cursor) : NULL;
  if (!core || (strcmp(core, "B") != 0 && strcmp(core, "N") != 0)) return case_broken(&r->text, "core takes X Y B or X Y N");
  program.core = (uint8_t)core[0];
  for (size_t i = 0; i < c->program_count; i++)
    if (c->programs[i].x == program.x && c->programs[i].y == program.y && c->programs[i].core == program.core)
      return case_broken(&r->text, "second block for a core");
  if (!case_grow((void **)&c->programs, &c->program_capacity, c->program_count + 1, sizeof program))
    return case_broken(&r->text, "out of memory");
  r->program = &c->programs[c->program_count++];
  *r->program = program;
  return 1;
}

static int read_op(struct noc_case_reader *r, char *cursor, enum tx_script_kind kind, unsigned count) {
  uint32_t v[3] = {0};
  struct noc_program *p = r->program;
  if (!p) return case_broken(&r->text, "this statement belongs inside a core block");
  for (unsigned i = 0; i < count; i++)
    if (!case_hex(&cursor, &v[i])) return case_broken(&r->text, "expected %u numbers in hexadecimal", count);
  if (!case_grow((void **)&p->ops, &p->capacity, p->count + 1, sizeof *p->ops))
    return case_broken(&r->text, "out of memory");
  p->ops[p->count++] = (struct tx_script_op){.kind = kind, .a = v[0], .b = v[1], .c = v[2]};
  return 1;
}

static int read_name(struct noc_case_reader *r, struct noc_case *c, char *cursor) {
  char *name = case_word(&cursor);
  if (r->in_case) return case_broken(&r->text, "case inside a case: 'end' is missing");
  if (!name || strlen(name) >= sizeof c->name)
    return case_broken(&r->text, "case needs a name of at most %zu characters", sizeof c->name - 1);
  memcpy(c->name, name, strlen(name) + 1);
  c->line = r->text.line;
  r->in_case = true;
  r->program = NULL;
  return 1;
}

static int finish(struct noc_case_reader *r, struct noc_case *c) {
  r->in_case = false;
  r->program = NULL;
  c->document = case_tags_match(c->tags, "src=document");
  if (!c->document && !case_tags_match(c->tags, "src=golden"))
    return case_broken(&r->text, "case %s has neither src=golden nor src=document", c->name);
  return 0;
}

/* 1: continue, 0: the case ended, -1: malformed. Unknown first words are ignored, as the format requires. */
static int read_statement(struct noc_case_reader *r, struct noc_case *c, char *cursor) {
  char *word = case_word(&cursor);
  if (!word || word[0] == '#') return 1;
  if (strcmp(word, "case") == 0) return read_name(r, c, cursor);
  if (!r->in_case) return 1;
  if (strcmp(word, "tag") == 0)
    return case_add_tags(c->tags, sizeof c->tags, cursor) ? 1 : case_broken(&r->text, "too many tags");
  if (strcmp(word, "core") == 0) return read_core(r, c, cursor);
  if (strcmp(word, "store") == 0) return read_op(r, cursor, TX_SCRIPT_STORE, 2);
  if (strcmp(word, "wait") == 0) return read_op(r, cursor, TX_SCRIPT_WAIT, 3);
  if (strcmp(word, "copy") == 0) return read_op(r, cursor, TX_SCRIPT_COPY, 2);
  if (strcmp(word, "end") == 0) return finish(r, c);
  for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
    if (strcmp(word, statements[i].word) == 0) return read_item(r, c, &statements[i], cursor);
  return 1;
}

int noc_case_next(struct noc_case_reader *reader, struct noc_case *out, char *error, size_t error_size) {
  memset(out, 0, sizeof *out);
  reader->text.error = error;
  reader->text.error_size = error_size;
  reader->text.since = 0;
  for (;;) {
    int result = case_text_line(&reader->text);
    if (result == 0) {
      if (!reader->in_case) return 0;
      result = case_broken(&reader->text, "the file ends inside case %s", out->name);
    }
    if (result > 0) result = read_statement(reader, out, reader->text.text);
    if (result == 0) return 1;
    if (result < 0) {
      noc_case_free(out);
      return -1;
    }
  }
}
