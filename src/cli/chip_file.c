/* The reader of chip_file.h. */
#include "cli/chip_file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/input.h"

#define FILE_MAX ((size_t)16 << 20)
#define COORDINATE_MAX 31u

bool chip_file_refuse(const struct chip_description *d, unsigned line, const char *format, ...) {
  char why[512];
  va_list args;
  va_start(args, format);
  vsnprintf(why, sizeof why, format, args);
  va_end(args);
  cli_bad_input("chip", "%s:%u: %s", d->path, line, why);
  return false;
}

struct reader {
  struct chip_description *d;
  struct chip_statement *s;
  char *words[CHIP_FILE_WORDS + 8];
  unsigned count, next;
};

#define REFUSE(r, ...) chip_file_refuse((r)->d, (r)->s->line, __VA_ARGS__)

static const char *take(struct reader *r) { return r->next < r->count ? r->words[r->next++] : NULL; }

static bool copy(struct reader *r, char *to, size_t size, const char *what) {
  const char *word = take(r);
  if (!word) return REFUSE(r, "%s is missing", what);
  if (strlen(word) >= size) return REFUSE(r, "%s has more than %zu characters", what, size - 1);
  memcpy(to, word, strlen(word) + 1);
  return true;
}

static bool number(struct reader *r, uint64_t *value, const char *what) {
  const char *word = take(r);
  if (!word) return REFUSE(r, "%s is missing", what);
  return cli_parse_u64(word, value) || REFUSE(r, "%s is a number, not '%s'", what, word);
}

/* N or N-N at *at, up to `end`. */
static bool span(const char **at, char end, uint8_t *first, uint8_t *last) {
  char *stop;
  if (**at < '0' || **at > '9') return false;
  unsigned long low = strtoul(*at, &stop, 10), high = low;
  if (*stop == '-' && stop[1] >= '0' && stop[1] <= '9') high = strtoul(stop + 1, &stop, 10);
  if (*stop != end || low > high || high > COORDINATE_MAX) return false;
  *first = (uint8_t)low;
  *last = (uint8_t)high;
  *at = end ? stop + 1 : stop;
  return true;
}

static bool tiles(struct reader *r, struct chip_place *place) {
  const char *word = take(r), *at = word;
  if (!word) return REFUSE(r, "the tile is missing");
  place->kind = CHIP_PLACE_TILES;
  if (span(&at, ',', &place->x0, &place->x1) && span(&at, '\0', &place->y0, &place->y1)) return true;
  return REFUSE(r, "'%s' is no tile; write X,Y or X0-X1,Y0-Y1", word);
}

static bool any_place(struct reader *r, struct chip_place *place) {
  const char *word = r->next < r->count ? r->words[r->next] : "";
  uint64_t bank;
  if (strcmp(word, "dram") == 0) {
    place->kind = CHIP_PLACE_DRAM;
    r->next++;
    return true;
  }
  if (strncmp(word, "dram:", 5) != 0) return tiles(r, place);
  if (!cli_parse_u64(word + 5, &bank) || bank > 7) return REFUSE(r, "'%s': DRAM banks are 0 to 7", word);
  place->kind = CHIP_PLACE_BANK;
  place->bank = (uint8_t)bank;
  r->next++;
  return true;
}

static bool format(struct reader *r, uint8_t *value) {
  static const char *const names[CHIP_FORMATS] = {"bf16", "fp32", "int32", "u8"};
  const char *word = take(r);
  for (unsigned i = 0; word && i < CHIP_FORMATS; i++)
    if (strcmp(word, names[i]) == 0) {
      *value = (uint8_t)i;
      return true;
    }
  return REFUSE(r, "formats are bf16, fp32, int32 and u8, not '%s'", word ? word : "");
}

static bool layout(struct reader *r, uint8_t *tiled) {
  const char *word = take(r);
  *tiled = word && strcmp(word, "tiles") == 0;
  return (word && (*tiled || strcmp(word, "rows") == 0)) || REFUSE(r, "a tensor lies in tiles or in rows");
}

static bool read_args(struct reader *r) {
  struct chip_statement *s = r->s;
  if (!tiles(r, &s->place)) return false;
  while (r->next < r->count)
    if (!copy(r, s->word[s->word_count++], CHIP_FILE_WORD, "an argument")) return false;
  return s->word_count <= 32 || REFUSE(r, "a kernel has 32 arguments");
}

static bool read_expect(struct reader *r) {
  struct chip_statement *s = r->s;
  if (!copy(r, s->name, sizeof s->name, "the tensor's name") || !copy(r, s->path, sizeof s->path, "what is expected"))
    return false;
  bool operands = strcmp(s->path, "matmul") == 0 || strcmp(s->path, "sum") == 0;
  for (s->word_count = 0; operands && s->word_count < 2; s->word_count++)
    if (!copy(r, s->word[s->word_count], CHIP_FILE_WORD, "an operand")) return false;
  const char *word = take(r);
  char *end = NULL;
  s->tolerance = word ? strtod(word, &end) : 0;
  return (word && end != word && !*end && s->tolerance >= 0) || REFUSE(r, "expect needs a tolerance at the end");
}

static bool read_buffer(struct reader *r) {
  struct chip_statement *s = r->s;
  if (!tiles(r, &s->place) || !number(r, &s->number[0], "the buffer's index") ||
      !number(r, &s->number[1], "the number of pages") || !format(r, &s->format))
    return false;
  return r->next == r->count || number(r, &s->number[2], "the bytes of a page");
}

static bool read_kernel(struct reader *r) {
  struct chip_statement *s = r->s;
  if (!tiles(r, &s->place) || !copy(r, s->path, sizeof s->path, "the directory")) return false;
  const char *word = take(r);
  s->number[0] = word != NULL;
  return !word || strcmp(word, "waits") == 0 || REFUSE(r, "'%s': behind the directory only 'waits' may stand", word);
}

static bool read_operands(struct reader *r) {
  struct chip_statement *s = r->s;
  switch (s->kind) {
    case CHIP_ELF:
      return tiles(r, &s->place) && copy(r, s->name, sizeof s->name, "the core") &&
             copy(r, s->path, sizeof s->path, "the file");
    case CHIP_KERNEL: return read_kernel(r);
    case CHIP_BUFFER: return read_buffer(r);
    case CHIP_ARGS: return read_args(r);
    case CHIP_IMAGE:
      return any_place(r, &s->place) && number(r, &s->number[0], "the address") &&
             copy(r, s->path, sizeof s->path, "the file");
    case CHIP_TENSOR:
      return copy(r, s->name, sizeof s->name, "the tensor's name") && copy(r, s->path, sizeof s->path, "the source") &&
             format(r, &s->format) && layout(r, &s->tiled) && any_place(r, &s->place) &&
             number(r, &s->number[0], "the address");
    case CHIP_UNTIL:
      return tiles(r, &s->place) && number(r, &s->number[0], "the address") && number(r, &s->number[1], "the mask") &&
             number(r, &s->number[2], "the value");
    case CHIP_SAVE:
      return copy(r, s->name, sizeof s->name, "the tensor's name") && copy(r, s->path, sizeof s->path, "the file");
    case CHIP_DUMP:
      return any_place(r, &s->place) && number(r, &s->number[0], "the address") && number(r, &s->number[1], "the length") &&
             copy(r, s->path, sizeof s->path, "the file");
    default: return read_expect(r);
  }
}

/* The settings of the whole program; 1: it was one, 0: not, -1: refused. */
static int read_setting(struct reader *r) {
  const char *word = r->words[0];
  r->next = 1;
  if (strcmp(word, "product") == 0) return copy(r, r->d->product, sizeof r->d->product, "the product") ? 1 : -1;
  if (strcmp(word, "cycles") == 0) return number(r, &r->d->cycles, "the number of cycles") ? 1 : -1;
  if (strcmp(word, "timing") != 0) return 0;
  const char *value = take(r);
  r->d->timing = value && strcmp(value, "cycle") == 0;
  if (value && (r->d->timing || strcmp(value, "off") == 0)) return 1;
  REFUSE(r, "timing is off or cycle");
  return -1;
}

static bool read_statement(struct reader *r) {
  static const char *const words[] = {"elf",    "kernel", "buffer", "args", "image",
                                      "tensor", "until",  "save",   "dump", "expect"};
  struct chip_description *d = r->d;
  int setting = read_setting(r);
  if (setting < 0) return false;
  if (setting == 0) {
    unsigned kind = 0;
    while (kind <= CHIP_EXPECT && strcmp(r->words[0], words[kind]) != 0) kind++;
    if (kind > CHIP_EXPECT) return REFUSE(r, "'%s' begins no statement", r->words[0]);
    r->s->kind = (enum chip_statement_kind)kind;
    if (!read_operands(r)) return false;
    d->count++;
  }
  return r->next == r->count || REFUSE(r, "'%s' is one word too many", r->words[r->next]);
}

static bool read_line(struct chip_description *d, char *text, unsigned line) {
  struct reader r = {.d = d};
  text[strcspn(text, "#")] = '\0';
  if (!cli_reserve((void **)&d->statements, &d->capacity, d->count + 1, sizeof *d->statements))
    return chip_file_refuse(d, line, "out of memory");
  r.s = &d->statements[d->count];
  memset(r.s, 0, sizeof *r.s);
  r.s->line = line;
  char *rest = NULL;
  for (char *word = strtok_r(text, " \t\r", &rest); word; word = strtok_r(NULL, " \t\r", &rest)) {
    if (r.count == CHIP_FILE_WORDS) return REFUSE(&r, "more than %u words", CHIP_FILE_WORDS);
    r.words[r.count++] = word;
  }
  return r.count == 0 || read_statement(&r);
}

bool chip_file_read(struct chip_description *d, const char *path) {
  struct cli_input in;
  *d = (struct chip_description){.path = path, .product = "full", .timing = true};
  if (!cli_input_read(&in, "chip", path, FILE_MAX)) return false;
  bool good = strlen(in.data) == in.size;
  if (!good) cli_bad_input("chip", "%s: this is no text", path);
  char *at = in.data;
  for (unsigned line = 1; good && at; line++) {
    char *end = strchr(at, '\n');
    if (end) *end = '\0';
    good = read_line(d, at, line);
    at = end ? end + 1 : NULL;
  }
  cli_input_free(&in);
  if (!good) chip_file_free(d);
  return good;
}

void chip_file_free(struct chip_description *d) {
  free(d->statements);
  d->statements = NULL;
  d->count = d->capacity = 0;
}
