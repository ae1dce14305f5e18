/* Tensors of a program description: from a file, constants or random numbers into DRAM or L1, and back. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/chip_job.h"
#include "cli/chip_product.h"
#include "cli/cli.h"
#include "cli/interrupt.h"
#include "cli/npy.h"

#define TILE 32u
#define FACE 16u
#define DRAM_ALIGNMENT 64u
#define DRAM_FIRST 0x100000u /* first address for tensors without one */
#define DRAM_GAP 0x10000u    /* free before and after them, so that a page beyond a tensor's end is in no other one */
#define BAND_ROWS TILE       /* rows that are compared at once, or a few times as many */
#define BAND_NUMBERS (1u << 19)
#define PRODUCTS_MAX (UINT64_C(1) << 33) /* 2048 x 2048 x 2048: a second or two; a larger result is expected from a file */

/* --- sources --- */

/* Numbers by their index in the matrix: they are converted page by page and never held all at once. */
struct source {
  enum { SOURCE_VALUE, SOURCE_RANDOM, SOURCE_FILE } kind;
  double value;
  uint64_t seed;
  bool integer, is_signed; /* random */
  bool raw;                /* NumPy has no bfloat16: the file holds its words */
  struct npy file;
};

static double random_at(uint64_t seed, uint64_t i) {
  uint64_t z = seed + (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return (double)((z ^ (z >> 31)) >> 11) / 4503599627370496.0 - 1.0;
}

static double source_at(const struct source *from, uint64_t i) {
  if (from->kind == SOURCE_VALUE) return from->value;
  if (from->kind == SOURCE_FILE) return from->raw ? npy_bfloat16(&from->file, i) : npy_number(&from->file, i);
  double v = random_at(from->seed, i);
  return from->integer ? floor((from->is_signed ? v : v + 1) * 100) : v;
}

/* Adds to the elements of the description. */
static bool count_elements(struct chip_job *j, const struct chip_statement *s, uint64_t rows, uint64_t columns) {
  if (!rows || !columns) return chip_file_refuse(&j->d, s->line, "tensor %s has no size", s->name);
  if (rows <= CHIP_FILE_ELEMENTS && columns <= CHIP_FILE_ELEMENTS) j->elements += rows * columns;
  else j->elements = UINT64_MAX;
  return j->elements <= CHIP_FILE_ELEMENTS ||
         chip_file_refuse(&j->d, s->line, "tensor %s is too large: the tensors of a description have at most %llu elements",
                          s->name, (unsigned long long)CHIP_FILE_ELEMENTS);
}

static bool sized(struct chip_job *j, const struct chip_statement *s, struct chip_tensor *t, uint64_t rows,
                  uint64_t columns) {
  if (t->want_rows && (rows != t->want_rows || columns != t->want_columns))
    return chip_file_refuse(&j->d, s->line, "%s is %llu x %llu, tensor %s is %u x %u", s->path, (unsigned long long)rows,
                            (unsigned long long)columns, s->name, t->want_rows, t->want_columns);
  if (s->tiled && (rows % TILE || columns % TILE))
    return chip_file_refuse(&j->d, s->line, "tensor %s is %llu x %llu; in tiles both are multiples of 32", s->name,
                            (unsigned long long)rows, (unsigned long long)columns);
  t->rows = (uint32_t)rows;
  t->columns = (uint32_t)columns;
  t->page_bytes = (uint32_t)chip_format_bytes(s->format, s->tiled ? TILE * TILE : t->columns);
  t->pages = s->tiled ? t->rows / TILE * (t->columns / TILE) : t->rows;
  return true;
}

/* INT8 is the format in which the least number of its file's type is missing. */
static const char *range_help(unsigned format, double value) {
  return format != CHIP_INT8 || value != -128 ? ""
                                              : ", which the chip holds as sign and magnitude, -127 to 127: clip the "
                                                "numbers to -127, or make the tensor int32";
}

/* Integers must fit into the format. */
static bool numbers_fit(struct chip_job *j, const struct chip_statement *s, unsigned format, const struct source *from,
                        uint64_t columns) {
  double least = 0, most = 0;
  chip_format_range(format, &least, &most);
  for (uint64_t i = 0; chip_format_is_integer(format) && i < from->file.count; i++) {
    double v = source_at(from, i);
    if (v < least || v > most)
      return chip_file_refuse(&j->d, s->line, "%s: %.0f at [%llu, %llu] does not fit into %s%s", s->path, v,
                              (unsigned long long)(i / columns), (unsigned long long)(i % columns), chip_format_name(format),
                              range_help(format, v));
  }
  return true;
}

/* The header of a file with numbers for this format. */
static bool open_file(struct chip_job *j, const struct chip_statement *s, unsigned format, struct source *from,
                      uint64_t shape[2]) {
  char verb[CHIP_FILE_VERB];
  struct npy *n = &from->file;
  chip_file_verb(&j->d, s->line, verb);
  from->kind = SOURCE_FILE;
  if (!npy_open(n, verb, s->path)) return false;
  from->raw = format == CHIP_BF16 && n->kind != 'f';
  shape[1] = n->rank ? n->shape[n->rank - 1] : 1;
  shape[0] = shape[1] ? n->count / shape[1] : 0;
  return chip_format_takes(format, n) ||
         chip_file_refuse(&j->d, s->line, "%s holds %s%u, which cannot fill a tensor of %s", s->path,
                          n->kind == 'f'   ? "float"
                          : n->kind == 'i' ? "int"
                          : n->kind == 'u' ? "uint"
                                           : "void",
                          8 * n->size, chip_format_name(format));
}

static bool read_file(struct chip_job *j, const struct chip_statement *s, unsigned format, struct source *from,
                      uint64_t columns) {
  char verb[CHIP_FILE_VERB];
  chip_file_verb(&j->d, s->line, verb);
  return npy_read(&from->file, verb, s->path) && numbers_fit(j, s, format, from, columns);
}

static bool from_file(struct chip_job *j, const struct chip_statement *s, struct chip_tensor *t, struct source *from) {
  uint64_t shape[2];
  return open_file(j, s, s->format, from, shape) && count_elements(j, s, shape[0], shape[1]) &&
         sized(j, s, t, shape[0], shape[1]) && read_file(j, s, s->format, from, shape[1]);
}

static bool is_words(const struct chip_statement *s) {
  return strncmp(s->path, "zero:", 5) == 0 || strncmp(s->path, "fill:", 5) == 0 || strncmp(s->path, "random:", 7) == 0;
}

/* zero:RxC, fill:RxC:VALUE or random:RxC:SEED; floats in -1..1, signed integers in -100..100, unsigned ones in 0..200. */
static bool parse_words(struct chip_job *j, const struct chip_statement *s, struct source *from, uint64_t shape[2]) {
  unsigned long long rows = 0, columns = 0, seed = 0;
  bool random = s->path[0] == 'r', fill = s->path[0] == 'f';
  int used = 0;
  const char *at = strchr(s->path, ':');
  *from = (struct source){.kind = random ? SOURCE_RANDOM : SOURCE_VALUE};
  if (random) sscanf(at, ":%llux%llu:%llu%n", &rows, &columns, &seed, &used);
  else if (fill) sscanf(at, ":%llux%llu:%lf%n", &rows, &columns, &from->value, &used);
  else sscanf(at, ":%llux%llu%n", &rows, &columns, &used);
  from->seed = seed;
  shape[0] = rows;
  shape[1] = columns;
  return (used && !at[used]) ||
         chip_file_refuse(&j->d, s->line,
                          "'%s': write zero:ROWSxCOLUMNS, fill:ROWSxCOLUMNS:VALUE or random:ROWSxCOLUMNS:SEED", s->path);
}

static bool from_words(struct chip_job *j, const struct chip_statement *s, struct chip_tensor *t, struct source *from) {
  uint64_t shape[2];
  double least = 0, most = 0;
  if (!parse_words(j, s, from, shape) || !sized(j, s, t, shape[0], shape[1])) return false;
  from->integer = chip_format_is_integer(s->format);
  chip_format_range(s->format, &least, &most);
  from->is_signed = least < 0;
  double v = from->value;
  return !from->integer || from->kind != SOURCE_VALUE || (v >= least && v <= most && v == floor(v)) ||
         chip_file_refuse(&j->d, s->line, "%g does not fit into %s%s", v, chip_format_name(s->format),
                          range_help(s->format, v));
}

bool chip_tensors_fit(struct chip_job *j) {
  unsigned count = 0;
  for (size_t i = 0; i < j->d.count; i++) {
    const struct chip_statement *s = &j->d.statements[i];
    struct source from;
    uint64_t shape[2];
    if (s->kind != CHIP_TENSOR) continue;
    if (++count > CHIP_FILE_TENSORS) return chip_file_refuse(&j->d, s->line, "more than %u tensors", CHIP_FILE_TENSORS);
    if (is_words(s) && (!parse_words(j, s, &from, shape) || !count_elements(j, s, shape[0], shape[1]))) return false;
  }
  return true;
}

/* --- pages --- */

static uint32_t page_stride(const struct chip_tensor *t) {
  return (t->page_bytes + DRAM_ALIGNMENT - 1) / DRAM_ALIGNMENT * DRAM_ALIGNMENT;
}

/* The location of pages: `count` targets; page p is on target p % count (interleaved) or p / per (shards). */
struct spread {
  struct chip_at tiles[CHIP_JOB_TILES];
  unsigned count;
  uint32_t per, stride;
  bool interleaved;
};

static bool spread_of(struct chip_job *j, const struct chip_tensor *t, struct spread *out) {
  const struct chip_statement *s = t->s;
  out->interleaved = s->place.kind == CHIP_PLACE_DRAM;
  out->stride = s->place.kind == CHIP_PLACE_TILES ? t->page_bytes : page_stride(t);
  if (s->place.kind == CHIP_PLACE_TILES) {
    out->count = chip_job_tiles(j, s, out->tiles);
    if (!out->count) return false;
    if (t->pages % out->count)
      return chip_file_refuse(&j->d, s->line, "tensor %s: %u pages do not divide over %u tiles", s->name, t->pages,
                              out->count);
  } else if (s->place.kind == CHIP_PLACE_DRAM) {
    out->count = j->banks;
    for (unsigned i = 0; i < j->banks; i++) out->tiles[i] = chip_job_bank(i);
  } else {
    out->count = 1;
    out->tiles[0] = chip_job_bank(s->place.bank);
  }
  out->per = (t->pages + out->count - 1) / out->count;
  return true;
}

static uint64_t page_at(const struct chip_tensor *t, const struct spread *sp, uint32_t page, struct chip_at *tile) {
  uint32_t target = sp->interleaved ? page % sp->count : page / sp->per;
  uint32_t slot = sp->interleaved ? page / sp->count : page % sp->per;
  *tile = sp->tiles[target];
  return t->address + (uint64_t)slot * sp->stride;
}

/* The index in the matrix of element e of a page. Faces of 16 x 16, 0 1 / 2 3, row by row. */
static size_t element_of(const struct chip_tensor *t, uint32_t page, uint32_t e) {
  if (!t->s->tiled) return (size_t)page * t->columns + e;
  uint32_t across = t->columns / TILE, face = e / (FACE * FACE), in = e % (FACE * FACE);
  uint32_t row = page / across * TILE + face / 2 * FACE + in / FACE;
  uint32_t column = page % across * TILE + face % 2 * FACE + in % FACE;
  return (size_t)row * t->columns + column;
}

/* The buffer for moving pages: their bytes in the chip and their elements as numbers. */
struct page_buffer {
  uint8_t *bytes;
  double *numbers;
  uint32_t count;
};

static bool write_page(struct chip_job *j, const struct chip_tensor *t, const struct spread *sp, uint32_t page,
                       const struct page_buffer *b, const struct source *from) {
  struct chip_at tile = {0};
  uint64_t at = page_at(t, sp, page, &tile);
  for (uint32_t e = 0; e < b->count; e++) b->numbers[e] = source_at(from, element_of(t, page, e));
  chip_format_encode(t->s->format, b->numbers, b->count, b->bytes);
  return tessera_chip_write(j->chip, tile.x, tile.y, at, b->bytes, t->page_bytes) == TESSERA_OK;
}

/* `values` begins with element `first` of the matrix. */
static bool read_page(struct chip_job *j, const struct chip_tensor *t, const struct spread *sp, uint32_t page,
                      const struct page_buffer *b, double *values, size_t first) {
  struct chip_at tile = {0};
  uint64_t at = page_at(t, sp, page, &tile);
  if (tessera_chip_read(j->chip, tile.x, tile.y, at, b->bytes, t->page_bytes) != TESSERA_OK) return false;
  chip_format_decode(t->s->format, b->bytes, b->count, b->numbers);
  for (uint32_t e = 0; e < b->count; e++) values[element_of(t, page, e) - first] = b->numbers[e];
  return true;
}

/* The pages of one of a tensor's banks; the last ones may have fewer. */
static uint32_t pages_of(const struct chip_tensor *t, const struct spread *sp, unsigned bank) {
  uint32_t first = sp->interleaved ? bank : bank * sp->per;
  if (first >= t->pages) return 0;
  uint32_t left = t->pages - first;
  return sp->interleaved ? (left + sp->count - 1) / sp->count : left < sp->per ? left : sp->per;
}

/* The checkers compare circular buffers with this format, and accesses to DRAM with these ranges. Tensors beyond their limit are not
 * checked. */
static void note_for_checkers(struct chip_job *j, const struct chip_tensor *t, const struct spread *sp) {
  char name[CHIP_FILE_WORD + 8];
  if (t->s->place.kind == CHIP_PLACE_TILES) return;
  snprintf(name, sizeof name, "tensor %s", t->s->name);
  for (unsigned i = 0; i < sp->count; i++) {
    uint64_t bytes = (uint64_t)pages_of(t, sp, i) * sp->stride;
    if (!bytes) continue;
    (void)tessera_chip_note_format(j->chip, sp->tiles[i].x, sp->tiles[i].y, t->address, bytes,
                                   chip_format_code(t->s->format), t->s->name);
    (void)tessera_chip_note_range(j->chip, sp->tiles[i].x, sp->tiles[i].y, t->address, bytes, name);
  }
}

static bool open_pages(struct chip_job *j, const struct chip_tensor *t, struct spread *sp, struct page_buffer *b) {
  *b = (struct page_buffer){.bytes = malloc(t->page_bytes), .count = t->s->tiled ? TILE * TILE : t->columns};
  b->numbers = calloc(b->count, sizeof *b->numbers);
  if (!b->bytes || !b->numbers) return chip_file_refuse(&j->d, t->s->line, "out of memory");
  return spread_of(j, t, sp);
}

static void close_pages(struct page_buffer *b) {
  free(b->bytes);
  free(b->numbers);
}

static bool write_pages(struct chip_job *j, const struct chip_tensor *t, const struct source *from) {
  struct spread sp;
  struct page_buffer b;
  bool good = open_pages(j, t, &sp, &b);
  for (uint32_t p = 0; good && p < t->pages; p++)
    good = write_page(j, t, &sp, p, &b, from) || chip_file_refuse(&j->d, t->s->line, "tensor %s: out of memory", t->s->name);
  close_pages(&b);
  return good;
}

/* The rows of a band: all of a tensor that has fewer; more than BAND_ROWS if they are short, because a product reads its second operand once for
 * each band. */
static uint32_t band_rows(const struct chip_tensor *t) {
  uint32_t rows = BAND_NUMBERS / t->columns / BAND_ROWS * BAND_ROWS;
  rows = rows < BAND_ROWS ? BAND_ROWS : rows > 8 * BAND_ROWS ? 8 * BAND_ROWS : rows;
  return t->rows < rows ? t->rows : rows;
}

/* Rows of a tensor, from a multiple of BAND_ROWS on. */
static bool read_rows(struct chip_job *j, const struct chip_tensor *t, uint32_t row, uint32_t rows, double *values) {
  struct spread sp;
  struct page_buffer b;
  const uint32_t across = t->s->tiled ? t->columns / TILE : 1, high = t->s->tiled ? TILE : 1;
  bool good = open_pages(j, t, &sp, &b);
  for (uint32_t p = row / high * across; good && p < (row + rows) / high * across; p++)
    good = read_page(j, t, &sp, p, &b, values, (size_t)row * t->columns);
  close_pages(&b);
  return good;
}

static double *read_tensor(struct chip_job *j, const struct chip_tensor *t) {
  double *values = calloc((size_t)t->rows * t->columns, sizeof *values);
  if (!values) chip_file_refuse(&j->d, t->s->line, "out of memory");
  if (values && read_rows(j, t, 0, t->rows, values)) return values;
  free(values);
  return NULL;
}

/* Finds an address for a tensor without one: the first that is free in all its tiles or banks. */
static bool find_room(struct chip_job *j, struct chip_tensor *t) {
  struct spread sp;
  if (t->s->placed) return true;
  if (!spread_of(j, t, &sp)) return false;
  bool in_l1 = t->s->place.kind == CHIP_PLACE_TILES;
  uint64_t gap = in_l1 ? 0 : DRAM_GAP, length = (uint64_t)sp.per * sp.stride + 2 * gap, at = 0, next;
  for (next = in_l1 ? TESSERA_LAUNCH_HEAP : DRAM_FIRST - gap; at != next;) {
    at = next;
    for (unsigned i = 0; i < sp.count; i++) next = chip_job_free_from(j, sp.tiles[i], next, length);
  }
  t->address = at + gap;
  return true;
}

static bool claim_pages(struct chip_job *j, const struct chip_tensor *t) {
  struct spread sp;
  if (!spread_of(j, t, &sp)) return false;
  for (unsigned i = 0; i < sp.count; i++)
    if (!chip_job_claim(j, sp.tiles[i], t->address, (uint64_t)sp.per * sp.stride, t->s->line)) return false;
  note_for_checkers(j, t, &sp);
  return true;
}

static bool is_operand(const struct chip_job *j, const char *name) {
  for (size_t i = 0; i < j->d.count; i++) {
    const struct chip_statement *s = &j->d.statements[i];
    for (unsigned k = 0; s->kind == CHIP_EXPECT && k < s->word_count; k++)
      if (strcmp(s->word[k], name) == 0) return true;
  }
  return false;
}

static bool place_tensor(struct chip_job *j, struct chip_tensor *t) {
  const struct chip_statement *s = t->s;
  const unsigned step = s->place.kind == CHIP_PLACE_TILES ? 16 : DRAM_ALIGNMENT;
  if (s->number[0] % step)
    return chip_file_refuse(&j->d, s->line, "tensor %s: addresses are multiples of %u", s->name, step);
  j->placed += (uint64_t)t->pages * (s->place.kind == CHIP_PLACE_TILES ? t->page_bytes : page_stride(t));
  if (j->placed > CHIP_FILE_PLACED)
    return chip_file_refuse(
        &j->d, s->line,
        "tensor %s: %u pages of %u bytes, each at a multiple of %u: the tensors of a description take at most %llu bytes",
        s->name, t->pages, t->page_bytes, step, (unsigned long long)CHIP_FILE_PLACED);
  return find_room(j, t) && claim_pages(j, t);
}

static bool fill(struct chip_job *j, struct chip_tensor *t, const struct source *from) {
  if (!write_pages(j, t, from)) return false;
  /* Read back: rounding by the format is not an error of the program. */
  return !is_operand(j, t->s->name) || (t->values = read_tensor(j, t));
}

bool chip_tensor_fill(struct chip_job *j, size_t index) {
  struct chip_tensor *t = &j->tensors[index];
  struct source from = {.kind = SOURCE_VALUE};
  return !is_words(t->s) || (from_words(j, t->s, t, &from) && fill(j, t, &from));
}

/* A file is open once: its numbers are written with the tensor's place. */
bool chip_tensor_load(struct chip_job *j, const struct chip_statement *s) {
  struct chip_tensor t = {.s = s, .address = s->number[0]};
  struct source from = {.kind = SOURCE_VALUE};
  t.want_rows = (uint32_t)s->number[1]; /* shape of the tensor that an option's file replaces */
  t.want_columns = (uint32_t)s->number[2];
  if (chip_tensor_find(j, s->name)) return chip_file_refuse(&j->d, s->line, "tensor %s is already defined", s->name);
  if (!cli_reserve((void **)&j->tensors, &j->tensor_capacity, j->tensor_count + 1, sizeof t))
    return chip_file_refuse(&j->d, s->line, "out of memory");
  bool good = (is_words(s) ? from_words(j, s, &t, &from) : from_file(j, s, &t, &from)) && place_tensor(j, &t) &&
              (is_words(s) || fill(j, &t, &from));
  j->tensors[j->tensor_count++] = t;
  npy_close(&from.file);
  return good;
}

const struct chip_tensor *chip_tensor_find(const struct chip_job *j, const char *name) {
  for (size_t i = 0; i < j->tensor_count; i++)
    if (strcmp(j->tensors[i].s->name, name) == 0) return &j->tensors[i];
  return NULL;
}

bool chip_tensor_range(struct chip_job *j, const struct chip_tensor *t, unsigned index, struct chip_at *at,
                       uint64_t *address, uint64_t *length) {
  struct spread sp;
  if (!spread_of(j, t, &sp) || index >= sp.count) return false;
  *at = sp.tiles[index];
  *address = t->address;
  *length = (uint64_t)sp.per * sp.stride;
  return true;
}

static bool page_has(const struct chip_tensor *t, const struct spread *sp, uint32_t page, struct chip_at at,
                     uint64_t address, uint64_t *byte) {
  struct chip_at tile;
  *byte = address - page_at(t, sp, page, &tile);
  return tile.x == at.x && tile.y == at.y && *byte < t->page_bytes;
}

void chip_tensor_text(struct chip_job *j, struct chip_at at, uint64_t address, char *text, size_t size) {
  struct spread sp;
  uint64_t byte;
  text[0] = '\0';
  for (size_t i = 0; i < j->tensor_count; i++) {
    const struct chip_tensor *t = &j->tensors[i];
    if (!spread_of(j, t, &sp)) return;
    for (uint32_t page = 0; page < t->pages; page++)
      if (page_has(t, &sp, page, at, address, &byte)) {
        snprintf(text, size, "tensor %s, page %u, byte %llu", t->s->name, page, (unsigned long long)byte);
        return;
      }
  }
}

/* --- afterwards --- */

static const struct chip_tensor *named(struct chip_job *j, const struct chip_statement *s, const char *name) {
  const struct chip_tensor *t = chip_tensor_find(j, name);
  if (!t) chip_file_refuse(&j->d, s->line, "there is no tensor %s", name);
  return t;
}

/* Rows of a tensor in the format of the file. */
static void encode_rows(unsigned as, const double *values, size_t count, uint8_t *bytes) {
  chip_format_encode(as, values, (uint32_t)count, bytes);
  for (size_t i = 0; as == CHIP_INT8 && i < count; i++) bytes[i] = (uint8_t)(int8_t)values[i]; /* two's complement */
}

/* Band by band: the whole tensor is never held. */
bool chip_tensor_save(struct chip_job *j, const struct chip_statement *s) {
  const struct chip_tensor *t = named(j, s, s->name);
  char verb[CHIP_FILE_VERB];
  unsigned as;
  if (!t) return false;
  chip_file_verb(&j->d, s->line, verb);
  const char *descr = chip_format_saved(t->s->format, &as);
  const uint32_t high = band_rows(t);
  const size_t band = (size_t)high * t->columns, size = chip_format_bytes(as, band);
  double *values = calloc(band, sizeof *values);
  uint8_t *bytes = malloc(size);
  bool good = values && bytes;
  if (!good) chip_file_refuse(&j->d, s->line, "out of memory");
  FILE *file = good ? npy_create(verb, s->path, descr, (const uint64_t[]){t->rows, t->columns}, 2) : NULL;
  for (uint32_t row = 0; file && good && row < t->rows; row += high) {
    const uint32_t rows = t->rows - row < high ? t->rows - row : high;
    const size_t count = (size_t)rows * t->columns, length = chip_format_bytes(as, count);
    good = read_rows(j, t, row, rows, values);
    if (good) encode_rows(as, values, count, bytes);
    good = good && fwrite(bytes, 1, length, file) == length;
  }
  good = file && npy_finish(file, verb, s->path, good);
  free(bytes);
  free(values);
  return good;
}

/* An expectation's file, of the tensor's size; the caller closes it. false after one line. */
static bool open_expected(struct chip_job *j, const struct chip_statement *s, const struct chip_tensor *t,
                          struct source *from) {
  uint64_t shape[2];
  if (!open_file(j, s, t->s->format, from, shape)) return false;
  if (shape[0] != t->rows || shape[1] != t->columns)
    return chip_file_refuse(&j->d, s->line, "%s is %llu x %llu, %s is %u x %u", s->path, (unsigned long long)shape[0],
                            (unsigned long long)shape[1], s->name, t->rows, t->columns);
  return read_file(j, s, t->s->format, from, shape[1]);
}

static bool operands_match(struct chip_job *j, const struct chip_statement *s, const struct chip_tensor *t) {
  const struct chip_tensor *a = named(j, s, s->word[0]), *b = a ? named(j, s, s->word[1]) : NULL;
  if (!b) return false;
  bool match = strcmp(s->path, "matmul") == 0
                   ? a->columns == b->rows && a->rows == t->rows && b->columns == t->columns
                   : a->rows == t->rows && b->rows == t->rows && a->columns == t->columns && b->columns == t->columns;
  if (match && strcmp(s->path, "matmul") == 0 && (uint64_t)a->rows * a->columns > PRODUCTS_MAX / b->columns)
    return chip_file_refuse(&j->d, s->line, "a product of %u x %u x %u: the reference has at most %llu multiplications",
                            a->rows, a->columns, b->columns, (unsigned long long)PRODUCTS_MAX);
  return match ||
         chip_file_refuse(&j->d, s->line, "the sizes of %s (%u x %u), %s (%u x %u) and %s (%u x %u) do not match", s->name,
                          t->rows, t->columns, s->word[0], a->rows, a->columns, s->word[1], b->rows, b->columns);
}

static bool saved_by_job(const struct chip_job *j, const char *path) {
  for (size_t i = 0; i < j->d.count; i++)
    if (j->d.statements[i].kind == CHIP_SAVE && strcmp(j->d.statements[i].path, path) == 0) return true;
  return false;
}

bool chip_tensor_expectable(struct chip_job *j, const struct chip_statement *s) {
  const struct chip_tensor *t = named(j, s, s->name);
  if (!t || s->word_count) return t && operands_match(j, s, t);
  if (saved_by_job(j, s->path)) return true; /* the run writes it */
  struct source from = {.kind = SOURCE_FILE};
  bool good = open_expected(j, s, t, &from);
  npy_close(&from.file);
  return good;
}

/* A comparison, band by band: the whole result is never held. */
struct comparison {
  const struct chip_statement *s;
  const struct chip_tensor *t, *a, *b; /* operands; NULL: a file */
  struct source file;
  double *got, *want, *scale; /* band_rows rows */
  struct chip_block *block;   /* of a product */
  double worst;
  size_t worst_at, nans, first_nan;
};

static bool begin(struct chip_job *j, const struct chip_statement *s, struct comparison *c) {
  *c = (struct comparison){.s = s, .t = named(j, s, s->name)};
  if (!c->t) return false;
  const size_t band = (size_t)band_rows(c->t) * c->t->columns;
  c->got = calloc(band, sizeof *c->got);
  c->want = calloc(band, sizeof *c->want);
  c->scale = calloc(band, sizeof *c->scale);
  c->block = malloc(sizeof *c->block);
  if (!c->got || !c->want || !c->scale || !c->block) return chip_file_refuse(&j->d, s->line, "out of memory");
  if (!s->word_count) return open_expected(j, s, c->t, &c->file);
  if (!operands_match(j, s, c->t)) return false;
  c->a = named(j, s, s->word[0]);
  c->b = named(j, s, s->word[1]);
  return true;
}

/* The expected numbers of some rows, from the file or from the operands before the run, with a scale for the tolerance. */
static void expect_rows(const struct comparison *c, size_t row, size_t rows) {
  const size_t first = row * c->t->columns, count = rows * c->t->columns;
  const bool product = c->a && strcmp(c->s->path, "matmul") == 0;
  for (size_t i = 0; i < count; i++) {
    const double sum = !c->a     ? source_at(&c->file, first + i)
                       : product ? 0
                                 : c->a->values[first + i] + c->b->values[first + i];
    c->want[i] = sum;
    c->scale[i] = product ? 0 : 1 + fabs(sum);
  }
  if (product) {
    const size_t inner = c->a->columns;
    const struct chip_product p = {&c->a->values[row * inner], c->b->values, rows, inner, c->b->columns, c->want, c->scale};
    chip_product_add(&p, c->block);
  }
}

/* A part of the line about a comparison, printed and kept. */
__attribute__((format(printf, 2, 3))) static void say(struct chip_job *j, const char *format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  fputs(text, j->out ? j->out : stdout);
  const size_t length = strlen(text);
  if (!cli_reserve((void **)&j->compared, &j->compared_room, j->compared_size + length + 1, 1)) return;
  memcpy(j->compared + j->compared_size, text, length + 1);
  j->compared_size += length;
}

/* Relative to the scale. Between infinity or NaN and another number it is infinite. */
static double error_of(double got, double want, double scale) {
  if (got == want || (isnan(got) && isnan(want))) return 0;
  return isfinite(got) && isfinite(want) ? fabs(got - want) / (scale > 0 ? scale : 1) : INFINITY;
}

/* NaN where a number is expected has no error to name: they are counted. */
static void compare(struct comparison *c, size_t row, size_t rows) {
  const size_t columns = c->t->columns;
  expect_rows(c, row, rows);
  for (size_t i = 0; i < rows * columns; i++) {
    const size_t at = row * columns + i;
    const double error = error_of(c->got[i], c->want[i], c->scale[i]);
    if (isnan(c->got[i]) && !isnan(c->want[i]) && !c->nans++) c->first_nan = at;
    if (error > c->worst) c->worst = error, c->worst_at = at;
  }
}

static void print_comparison(struct chip_job *j, const struct comparison *c) {
  const size_t columns = c->t->columns;
  const struct chip_statement *s = c->s;
  say(j, "%s against %s%s%s%s%s: ", s->name, s->path, s->word_count ? " of " : "", s->word_count ? s->word[0] : "",
      s->word_count ? " and " : "", s->word_count ? s->word[1] : "");
  if (c->nans)
    say(j, "%zu of %zu numbers %s NaN where none is expected, the first at [%zu, %zu]: WRONG\n", c->nans,
        c->t->rows * columns, c->nans == 1 ? "is" : "are", c->first_nan / columns, c->first_nan % columns);
  else
    say(j, "worst error %.2g (allowed %.2g) at [%zu, %zu]: %s\n", c->worst, c->s->tolerance, c->worst_at / columns,
        c->worst_at % columns, c->worst <= c->s->tolerance ? "good" : "WRONG");
}

int chip_tensor_expect(struct chip_job *j, const struct chip_statement *s) {
  struct comparison c;
  bool good = begin(j, s, &c);
  for (uint32_t row = 0; good && row < c.t->rows && !cli_stopped(); row += band_rows(c.t)) {
    const uint32_t rows = c.t->rows - row < band_rows(c.t) ? c.t->rows - row : band_rows(c.t);
    good = read_rows(j, c.t, row, rows, c.got);
    if (good) compare(&c, row, rows);
  }
  const bool whole = good && !cli_stopped(); /* the caller reports a signal */
  if (whole) print_comparison(j, &c);
  free(c.got), free(c.want), free(c.scale), free(c.block);
  npy_close(&c.file.file);
  return !good ? -1 : whole && c.worst > s->tolerance;
}
