/* Tensors of a program description: from a file, constants or random numbers into DRAM or L1, and back. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/chip_job.h"
#include "cli/cli.h"
#include "cli/npy.h"

#define TILE 32u
#define FACE 16u
#define DRAM_ALIGNMENT 64u
#define DRAM_FIRST 0x100000u /* first address for tensors without one */
#define DRAM_GAP 0x10000u    /* free before and after them, so that a page beyond a tensor's end is in no other one */
#define ELEMENTS_MAX (UINT64_C(1) << 28)

/* --- sources --- */

static bool sized(struct chip_job *j, const struct chip_statement *s, struct chip_tensor *t, uint64_t rows,
                  uint64_t columns) {
  if (!rows || !columns || rows > UINT32_MAX || columns > UINT32_MAX || rows * columns > ELEMENTS_MAX)
    return chip_file_refuse(&j->d, s->line, "tensor %s has no size, or is too large", s->name);
  if (t->want_rows && (rows != t->want_rows || columns != t->want_columns))
    return chip_file_refuse(&j->d, s->line, "%s is %llu x %llu, tensor %s is %u x %u", s->path, (unsigned long long)rows,
                            (unsigned long long)columns, s->name, t->want_rows, t->want_columns);
  if (s->tiled && (rows % TILE || columns % TILE))
    return chip_file_refuse(&j->d, s->line, "tensor %s is %llu x %llu; in tiles both are multiples of 32", s->name,
                            (unsigned long long)rows, (unsigned long long)columns);
  t->rows = (uint32_t)rows;
  t->columns = (uint32_t)columns;
  t->page_bytes = chip_format_bytes(s->format, s->tiled ? TILE * TILE : t->columns);
  t->pages = s->tiled ? t->rows / TILE * (t->columns / TILE) : t->rows;
  t->values = calloc(rows * columns, sizeof *t->values);
  return t->values || chip_file_refuse(&j->d, s->line, "out of memory");
}

/* INT8 is the format in which the least number of its file's type is missing. */
static const char *range_help(unsigned format, double value) {
  return format != CHIP_INT8 || value != -128 ? ""
                                              : ", which the chip holds as sign and magnitude, -127 to 127: clip the "
                                                "numbers to -127, or make the tensor int32";
}

/* Converts the file's numbers; integers must fit into the format. */
static bool take_numbers(struct chip_job *j, const struct chip_statement *s, const struct npy *n, struct chip_tensor *t) {
  bool raw = s->format == CHIP_BF16 && n->kind != 'f'; /* NumPy has no bfloat16: the file holds its words */
  double least = 0, most = 0;
  chip_format_range(s->format, &least, &most);
  for (uint64_t i = 0; i < n->count; i++) {
    double v = t->values[i] = raw ? npy_bfloat16(n, i) : npy_number(n, i);
    if (chip_format_is_integer(s->format) && (v < least || v > most))
      return chip_file_refuse(&j->d, s->line, "%s: %.0f at [%llu, %llu] does not fit into %s%s", s->path, v,
                              (unsigned long long)(i / t->columns), (unsigned long long)(i % t->columns),
                              chip_format_name(s->format), range_help(s->format, v));
  }
  return true;
}

static bool from_file(struct chip_job *j, const struct chip_statement *s, struct chip_tensor *t) {
  struct npy n;
  char verb[CHIP_FILE_VERB];
  chip_file_verb(&j->d, s->line, verb);
  bool good = npy_open(&n, verb, s->path);
  if (good && !chip_format_takes(s->format, &n))
    good = chip_file_refuse(&j->d, s->line, "%s holds %s%u, which cannot fill a tensor of %s", s->path,
                            n.kind == 'f'   ? "float"
                            : n.kind == 'i' ? "int"
                            : n.kind == 'u' ? "uint"
                                            : "void",
                            8 * n.size, chip_format_name(s->format));
  if (good) {
    uint64_t columns = n.rank ? n.shape[n.rank - 1] : 1;
    good = sized(j, s, t, columns ? n.count / columns : 0, columns) && take_numbers(j, s, &n, t);
  }
  cli_input_free(&n.file);
  return good;
}

static double next_random(uint64_t *state) {
  uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return (double)((z ^ (z >> 31)) >> 11) / 4503599627370496.0 - 1.0;
}

/* zero:RxC, fill:RxC:VALUE or random:RxC:SEED; floats in -1..1, signed integers in -100..100, unsigned ones in 0..200. */
static bool from_words(struct chip_job *j, const struct chip_statement *s, struct chip_tensor *t) {
  unsigned long long rows = 0, columns = 0, seed = 0;
  bool random = strncmp(s->path, "random:", 7) == 0, fill = strncmp(s->path, "fill:", 5) == 0;
  double value = 0;
  int used = 0;
  const char *at = strchr(s->path, ':');
  if (random) sscanf(at, ":%llux%llu:%llu%n", &rows, &columns, &seed, &used);
  else if (fill) sscanf(at, ":%llux%llu:%lf%n", &rows, &columns, &value, &used);
  else sscanf(at, ":%llux%llu%n", &rows, &columns, &used);
  if (!used || at[used])
    return chip_file_refuse(&j->d, s->line,
                            "'%s': write zero:ROWSxCOLUMNS, fill:ROWSxCOLUMNS:VALUE or random:ROWSxCOLUMNS:SEED", s->path);
  if (!sized(j, s, t, rows, columns)) return false;
  uint64_t state = seed;
  bool integer = chip_format_is_integer(s->format);
  double least = 0, most = 0;
  chip_format_range(s->format, &least, &most);
  if (fill && integer && (value < least || value > most || value != floor(value)))
    return chip_file_refuse(&j->d, s->line, "%g does not fit into %s%s", value, chip_format_name(s->format),
                            range_help(s->format, value));
  for (uint64_t i = 0; fill && i < rows * columns; i++) t->values[i] = value;
  for (uint64_t i = 0; random && i < rows * columns; i++) {
    double v = next_random(&state);
    t->values[i] = integer ? floor((least < 0 ? v : v + 1) * 100) : v;
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
                       const struct page_buffer *b, const double *values) {
  struct chip_at tile = {0};
  uint64_t at = page_at(t, sp, page, &tile);
  for (uint32_t e = 0; e < b->count; e++) b->numbers[e] = values[element_of(t, page, e)];
  chip_format_encode(t->s->format, b->numbers, b->count, b->bytes);
  return tessera_chip_write(j->chip, tile.x, tile.y, at, b->bytes, t->page_bytes) == TESSERA_OK;
}

static bool read_page(struct chip_job *j, const struct chip_tensor *t, const struct spread *sp, uint32_t page,
                      const struct page_buffer *b, double *values) {
  struct chip_at tile = {0};
  uint64_t at = page_at(t, sp, page, &tile);
  if (tessera_chip_read(j->chip, tile.x, tile.y, at, b->bytes, t->page_bytes) != TESSERA_OK) return false;
  chip_format_decode(t->s->format, b->bytes, b->count, b->numbers);
  for (uint32_t e = 0; e < b->count; e++) values[element_of(t, page, e)] = b->numbers[e];
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

static bool move_pages(struct chip_job *j, const struct chip_tensor *t, double *values, bool write) {
  struct spread sp;
  struct page_buffer b = {.bytes = malloc(t->page_bytes), .count = t->s->tiled ? TILE * TILE : t->columns};
  b.numbers = calloc(b.count, sizeof *b.numbers);
  bool good = b.bytes && b.numbers && spread_of(j, t, &sp);
  for (uint32_t p = 0; good && p < t->pages; p++)
    good = write ? write_page(j, t, &sp, p, &b, values) : read_page(j, t, &sp, p, &b, values);
  if (good && write) note_for_checkers(j, t, &sp);
  free(b.bytes);
  free(b.numbers);
  return good;
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
  return true;
}

bool chip_tensor_load(struct chip_job *j, const struct chip_statement *s) {
  struct chip_tensor t = {.s = s, .address = s->number[0]};
  t.want_rows = (uint32_t)s->number[1]; /* shape of the tensor that an option's file replaces */
  t.want_columns = (uint32_t)s->number[2];
  if (chip_tensor_find(j, s->name)) return chip_file_refuse(&j->d, s->line, "tensor %s is already defined", s->name);
  if (!cli_reserve((void **)&j->tensors, &j->tensor_capacity, j->tensor_count + 1, sizeof t))
    return chip_file_refuse(&j->d, s->line, "out of memory");
  bool words = strncmp(s->path, "zero:", 5) == 0 || strncmp(s->path, "fill:", 5) == 0 || strncmp(s->path, "random:", 7) == 0;
  bool good = words ? from_words(j, s, &t) : from_file(j, s, &t);
  j->tensors[j->tensor_count++] = t;
  if (!good) return false;
  if (s->number[0] % (s->place.kind == CHIP_PLACE_TILES ? 16 : DRAM_ALIGNMENT))
    return chip_file_refuse(&j->d, s->line, "tensor %s: addresses are multiples of %u", s->name,
                            s->place.kind == CHIP_PLACE_TILES ? 16 : DRAM_ALIGNMENT);
  if (!find_room(j, &t)) return false;
  j->tensors[j->tensor_count - 1].address = t.address;
  /* Reads the values back: rounding by the format is not an error of the program. */
  return claim_pages(j, &t) && move_pages(j, &t, t.values, true) && move_pages(j, &t, t.values, false);
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

static double *read_tensor(struct chip_job *j, const struct chip_tensor *t) {
  double *values = calloc((size_t)t->rows * t->columns, sizeof *values);
  if (values && move_pages(j, t, values, false)) return values;
  free(values);
  return NULL;
}

static const struct chip_tensor *named(struct chip_job *j, const struct chip_statement *s, const char *name) {
  const struct chip_tensor *t = chip_tensor_find(j, name);
  if (!t) chip_file_refuse(&j->d, s->line, "there is no tensor %s", name);
  return t;
}

bool chip_tensor_save(struct chip_job *j, const struct chip_statement *s) {
  const struct chip_tensor *t = named(j, s, s->name);
  double *values = t ? read_tensor(j, t) : NULL;
  if (!values) return false;
  unsigned as;
  const char *descr = chip_format_saved(t->s->format, &as);
  size_t count = (size_t)t->rows * t->columns, size = chip_format_bytes(as, (uint32_t)count);
  uint8_t *bytes = malloc(size);
  if (bytes) chip_format_encode(as, values, (uint32_t)count, bytes);
  for (size_t i = 0; bytes && as == CHIP_INT8 && i < count; i++)
    bytes[i] = (uint8_t)(int8_t)values[i]; /* two's complement */
  char verb[CHIP_FILE_VERB];
  chip_file_verb(&j->d, s->line, verb);
  bool good = bytes && npy_save(verb, s->path, descr, (const uint64_t[]){t->rows, t->columns}, 2, bytes, size);
  free(bytes);
  free(values);
  return good;
}

/* The inner loop runs along rows. `scale` is the sum of |a b|. */
/* Two columns at once: the reference of a large product takes as long as its simulation. */
typedef double pair __attribute__((vector_size(16), aligned(8), may_alias));
typedef int64_t pair_bits __attribute__((vector_size(16)));

static void multiply_row(double factor, const double *from, double *want, double *scale, size_t columns) {
  size_t column = 0;
  for (; column + 1 < columns; column += 2) {
    const pair product = *(const pair *)&from[column] * factor;
    *(pair *)&want[column] += product;
    *(pair *)&scale[column] += (pair)((pair_bits)product & INT64_MAX); /* without the sign */
  }
  if (column < columns) want[column] += factor * from[column], scale[column] += fabs(factor * from[column]);
}

static void multiply(const struct chip_tensor *a, const struct chip_tensor *b, double *want, double *scale) {
  for (size_t row = 0; row < a->rows; row++)
    for (size_t k = 0; k < a->columns; k++)
      multiply_row(a->values[row * a->columns + k], &b->values[k * b->columns], &want[row * b->columns],
                   &scale[row * b->columns], b->columns);
}

/* The numbers of an expectation's file, of the tensor's size; the caller frees them. NULL after one line. */
static double *file_values(struct chip_job *j, const struct chip_statement *s, const struct chip_tensor *t) {
  struct chip_statement from = *s;
  struct chip_tensor other = {.s = &from};
  from.format = t->s->format;
  bool good = from_file(j, &from, &other);
  if (good && (other.rows != t->rows || other.columns != t->columns))
    good = chip_file_refuse(&j->d, s->line, "%s is %u x %u, %s is %u x %u", s->path, other.rows, other.columns, s->name,
                            t->rows, t->columns);
  if (!good) free(other.values);
  return good ? other.values : NULL;
}

static bool operands_match(struct chip_job *j, const struct chip_statement *s, const struct chip_tensor *t) {
  const struct chip_tensor *a = named(j, s, s->word[0]), *b = a ? named(j, s, s->word[1]) : NULL;
  if (!b) return false;
  bool match = strcmp(s->path, "matmul") == 0
                   ? a->columns == b->rows && a->rows == t->rows && b->columns == t->columns
                   : a->rows == t->rows && b->rows == t->rows && a->columns == t->columns && b->columns == t->columns;
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
  double *values = file_values(j, s, t);
  free(values);
  return values != NULL;
}

/* The expected values: from a file, or computed from the operands before the run, with a scale for the tolerance. */
static bool expected(struct chip_job *j, const struct chip_statement *s, const struct chip_tensor *t, double *want,
                     double *scale) {
  size_t count = (size_t)t->rows * t->columns;
  if (!s->word_count) {
    double *values = file_values(j, s, t);
    for (size_t i = 0; values && i < count; i++) want[i] = values[i], scale[i] = 1 + fabs(want[i]);
    free(values);
    return values != NULL;
  }
  if (!operands_match(j, s, t)) return false;
  const struct chip_tensor *a = named(j, s, s->word[0]), *b = named(j, s, s->word[1]);
  if (strcmp(s->path, "matmul") == 0) multiply(a, b, want, scale);
  else
    for (size_t i = 0; i < count; i++) want[i] = a->values[i] + b->values[i], scale[i] = 1 + fabs(want[i]);
  return true;
}

/* What was compared with what: the beginning of the line about it. */
static FILE *begin_comparison(const struct chip_job *j, const struct chip_statement *s) {
  FILE *out = j->out ? j->out : stdout;
  fprintf(out, "%s against %s%s%s%s%s: ", s->name, s->path, s->word_count ? " of " : "", s->word_count ? s->word[0] : "",
          s->word_count ? " and " : "", s->word_count ? s->word[1] : "");
  return out;
}

/* NaN where a number is expected has no error to name: how many there are, and the first one. */
static bool has_nan(const struct chip_job *j, const struct chip_statement *s, const struct chip_tensor *t, const double *got,
                    const double *want) {
  size_t all = (size_t)t->rows * t->columns, count = 0, first = 0;
  for (size_t i = 0; i < all; i++)
    if (isnan(got[i]) && !isnan(want[i]) && !count++) first = i;
  if (count)
    fprintf(begin_comparison(j, s), "%zu of %zu numbers %s NaN where none is expected, the first at [%zu, %zu]: WRONG\n",
            count, all, count == 1 ? "is" : "are", first / t->columns, first % t->columns);
  return count > 0;
}

/* Relative to the scale. Between infinity or NaN and another number it is infinite. */
static double error_of(double got, double want, double scale) {
  if (got == want || (isnan(got) && isnan(want))) return 0;
  return isfinite(got) && isfinite(want) ? fabs(got - want) / (scale > 0 ? scale : 1) : INFINITY;
}

int chip_tensor_expect(struct chip_job *j, const struct chip_statement *s) {
  const struct chip_tensor *t = named(j, s, s->name);
  size_t count = t ? (size_t)t->rows * t->columns : 0, at = 0;
  double *got = t ? read_tensor(j, t) : NULL, worst = 0;
  double *want = calloc(count + 1, sizeof *want), *scale = calloc(count + 1, sizeof *scale);
  bool good = got && want && scale && expected(j, s, t, want, scale);
  for (size_t i = 0; good && i < count; i++) {
    double error = error_of(got[i], want[i], scale[i]);
    if (error > worst) worst = error, at = i;
  }
  bool equal = good && worst <= s->tolerance;
  if (good && !has_nan(j, s, t, got, want))
    fprintf(begin_comparison(j, s), "worst error %.2g (allowed %.2g) at [%zu, %zu]: %s\n", worst, s->tolerance,
            at / t->columns, at % t->columns, equal ? "good" : "WRONG");
  free(got), free(want), free(scale);
  return !good ? -1 : !equal;
}
