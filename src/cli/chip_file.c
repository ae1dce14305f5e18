/* The reader of chip_file.h. */
#include "cli/chip_file.h"

#include <float.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/input.h"
#include "cli/session.h"

#define FILE_MAX ((size_t)16 << 20)
#define COORDINATE_MAX 31u

bool chip_file_refuse(const struct chip_description *d, unsigned line, const char *format, ...) {
  char why[512];
  va_list args;
  va_start(args, format);
  vsnprintf(why, sizeof why, format, args);
  va_end(args);
  char verb[CHIP_FILE_VERB];
  chip_file_verb(d, line, verb);
  cli_bad_input(verb, "%s", why);
  return false;
}

void chip_file_place(const struct chip_description *d, unsigned line, char text[CHIP_FILE_PLACE]) {
  if (!line) text[0] = '\0';
  else if (line < CHIP_OPTION_LINES) snprintf(text, CHIP_FILE_PLACE, "%s:%u", d->path, line);
  else {
    const struct chip_option *o = &d->options[line - CHIP_OPTION_LINES];
    snprintf(text, CHIP_FILE_PLACE, "%s %s", o->name, o->text);
  }
}

void chip_file_verb(const struct chip_description *d, unsigned line, char text[CHIP_FILE_VERB]) {
  char place[CHIP_FILE_PLACE];
  chip_file_place(d, line, place);
  snprintf(text, CHIP_FILE_VERB, "%s%s%s", d->verb, place[0] ? ": " : "", place);
}

unsigned chip_file_option(struct chip_description *d, const char *name, const char *text) {
  if (!cli_reserve((void **)&d->options, &d->option_capacity, d->option_count + 1, sizeof *d->options)) {
    cli_bad_input(d->verb, "out of memory");
    return 0;
  }
  d->options[d->option_count] = (struct chip_option){name, text};
  return CHIP_OPTION_LINES + (unsigned)d->option_count++;
}

static bool is_word_of_name(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

const char *chip_word_value(const char *word) {
  size_t length = 0;
  while (is_word_of_name(word[length])) length++;
  bool named = length && !(word[0] >= '0' && word[0] <= '9') && word[length] == '=' && word[length + 1];
  return named ? word + length + 1 : word;
}

static const char *const role_names[CHIP_ROLES] = {"reader", "compute", "writer"};

const char *chip_role_name(unsigned role) { return role_names[role]; }

int chip_role_number(const char *name) {
  for (int i = 0; i < CHIP_ROLES; i++)
    if (strcmp(role_names[i], name) == 0) return i;
  return -1;
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

/* A file's name; in a kernel's folder it is relative to the folder unless it begins with /. */
static bool file(struct reader *r, char *to, size_t size, const char *what) {
  const char *word = take(r), *folder = r->s->line ? r->d->folder : NULL;
  if (!word) return REFUSE(r, "%s is missing", what);
  bool within = folder && word[0] != '/';
  int length = snprintf(to, size, "%s%s%s", within ? folder : "", within ? "/" : "", word);
  return (length > 0 && (size_t)length < size) || REFUSE(r, "%s has more than %zu characters", what, size - 1);
}

static bool number(struct reader *r, uint64_t *value, const char *what) {
  const char *word = take(r);
  if (!word) return REFUSE(r, "%s is missing", what);
  return cli_parse_u64(word, value) || REFUSE(r, "%s must be a number, not '%s'", what, word);
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
  const char *word = r->next < r->count ? r->words[r->next] : NULL, *at = word;
  if (r->d->has_grid && (!word || !strchr(word, ','))) {
    *place = r->d->program_count ? r->d->programs[r->d->program_count - 1].place : r->d->grid;
    return true;
  }
  if (!word) return REFUSE(r, "the tile is missing");
  r->next++;
  place->kind = CHIP_PLACE_TILES;
  if (span(&at, ',', &place->x0, &place->x1) && span(&at, '\0', &place->y0, &place->y1)) return true;
  return REFUSE(r, "'%s' is not a tile; write X,Y or X0-X1,Y0-Y1", word);
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
  const char *word = take(r);
  int number = word ? chip_format_number(word) : -1;
  *value = (uint8_t)number;
  return number >= 0 || REFUSE(r, "formats are " CHIP_FORMAT_NAMES ", not '%s'", word ? word : "");
}

/* Consumes the next word if it is a role. */
static void role(struct reader *r, uint8_t *value) {
  int number = r->next < r->count ? chip_role_number(r->words[r->next]) : -1;
  *value = (uint8_t)(number < 0 ? CHIP_ALL_ROLES : number);
  if (number >= 0) r->next++;
}

static bool layout(struct reader *r, uint8_t *tiled) {
  const char *word = take(r);
  *tiled = word && strcmp(word, "tiles") == 0;
  return (word && (*tiled || strcmp(word, "rows") == 0)) || REFUSE(r, "the layout of a tensor is tiles or rows");
}

static bool read_words(struct reader *r, const char *what, unsigned most) {
  struct chip_statement *s = r->s;
  unsigned given = r->count - r->next;
  if (given > most) return REFUSE(r, "%u words: a kernel has at most %u of them: %s", given, most, what);
  r->d->words_read += given;
  if (r->d->words_read > CHIP_FILE_ALL_WORDS)
    return REFUSE(r, "more than %u words of args and compile in a description", CHIP_FILE_ALL_WORDS);
  if (!chip_file_words(r->d, s, given)) return false;
  while (r->next < r->count)
    if (!copy(r, s->word[s->word_count++], CHIP_FILE_WORD, what)) return false;
  return true;
}

/* A second line for the same kernels would replace the first one's words. One for some of the tiles or roles may. */
static bool is_first(struct reader *r) {
  for (const struct chip_statement *s = r->d->statements; s < r->s; s++) {
    bool same = s->kind == r->s->kind && s->role == r->s->role && s->program == r->s->program &&
                s->place.x0 == r->s->place.x0 && s->place.x1 == r->s->place.x1 && s->place.y0 == r->s->place.y0 &&
                s->place.y1 == r->s->place.y1;
    if (same) return REFUSE(r, "the arguments are set in line %u already: one line has all of them", s->line);
  }
  return true;
}

static bool read_args(struct reader *r) {
  if (!tiles(r, &r->s->place)) return false;
  role(r, &r->s->role);
  if (r->s->role == CHIP_ALL_ROLES && r->next < r->count && strcmp(r->words[r->next], "common") == 0) {
    r->s->role = CHIP_COMMON;
    r->next++;
  }
  if (!is_first(r)) return false;
  return read_words(r, "an argument", r->s->role == CHIP_COMMON ? TESSERA_LAUNCH_ARGS : TESSERA_LAUNCH_OWN_ARGS);
}

bool chip_is_macro(const char *text) {
  size_t length = 0;
  while (is_word_of_name(text[length])) length++;
  return length && !(text[0] >= '0' && text[0] <= '9') && (!text[length] || text[length] == '=');
}

static bool read_define(struct reader *r) {
  struct chip_statement *s = r->s;
  role(r, &s->role);
  if (!copy(r, s->path, sizeof s->path, "the name")) return false;
  return chip_is_macro(s->path) || REFUSE(r, "'%s' cannot be defined as a macro: write NAME or NAME=VALUE", s->path);
}

static bool read_compile(struct reader *r) {
  struct chip_statement *s = r->s;
  role(r, &s->role);
  if (!read_words(r, "a compile-time argument", CHIP_FILE_COMPILE)) return false;
  bool named = s->word_count > 0;
  for (unsigned i = 0; i < s->word_count; i++) named &= chip_word_value(s->word[i]) != s->word[i];
  return named || s->role != CHIP_ALL_ROLES || REFUSE(r, "compile needs reader, compute or writer, or NAME=WORD");
}

static bool is_computed(const char *word) { return strcmp(word, "matmul") == 0 || strcmp(word, "sum") == 0; }

static bool read_expected(struct reader *r) {
  struct chip_statement *s = r->s;
  if (r->next < r->count && is_computed(r->words[r->next])) return copy(r, s->path, sizeof s->path, "what is expected");
  return file(r, s->path, sizeof s->path, "what is expected");
}

static bool read_expect(struct reader *r) {
  struct chip_statement *s = r->s;
  if (!copy(r, s->name, sizeof s->name, "the tensor's name") || !read_expected(r)) return false;
  bool operands = is_computed(s->path);
  if (!operands && r->count - r->next > 1)
    return REFUSE(r, "expect takes FILE.npy, 'sum A B' or 'matmul A B', then a tolerance; not '%s'", r->words[r->next - 1]);
  if (operands && !chip_file_words(r->d, s, 2)) return false;
  for (s->word_count = 0; operands && s->word_count < 2; s->word_count++)
    if (!copy(r, s->word[s->word_count], CHIP_FILE_WORD, "an operand")) return false;
  const char *word = take(r);
  char *end = NULL;
  if (!word) return REFUSE(r, "expect needs a tolerance at the end");
  s->tolerance = strtod(word, &end);
  return (end != word && !*end && s->tolerance >= 0 && s->tolerance <= DBL_MAX) ||
         REFUSE(r, "the tolerance must be a number of at least 0, not '%s'", word);
}

static bool tensor_before(const struct chip_description *d, const char *name) {
  for (size_t i = 0; i < d->count; i++)
    if (d->statements[i].kind == CHIP_TENSOR && strcmp(d->statements[i].name, name) == 0) return true;
  return false;
}

/* INDEX or NAME=INDEX */
static bool index_and_name(struct reader *r) {
  const char *word = r->next < r->count ? r->words[r->next] : "", *value = chip_word_value(word);
  struct chip_statement *s = r->s;
  if (value == word) return number(r, &s->number[0], "the buffer's index");
  r->next++;
  if ((size_t)(value - word) > sizeof s->label)
    return REFUSE(r, "the buffer's name has more than %zu characters", sizeof s->label - 1);
  memcpy(s->label, word, (size_t)(value - word) - 1); /* the statement is zero */
  return cli_parse_u64(value, &s->number[0]) || REFUSE(r, "the buffer's index must be a number, not '%s'", value);
}

static bool read_buffer(struct reader *r) {
  struct chip_statement *s = r->s;
  if (!tiles(r, &s->place) || !index_and_name(r) || !number(r, &s->number[1], "the number of pages")) return false;
  const char *like = r->next < r->count ? r->words[r->next] : ""; /* a tensor: takes its format and pages */
  bool known = chip_format_number(like) >= 0, named = !known && tensor_before(r->d, like);
  if (!like[0]) return REFUSE(r, "the format of the buffer is missing: a tensor, or " CHIP_FORMAT_NAMES);
  if (!known && !named) return REFUSE(r, "'%s' is neither a tensor above nor a format: " CHIP_FORMAT_NAMES, like);
  if (named ? !copy(r, s->path, sizeof s->path, "the tensor") : !format(r, &s->format)) return false;
  bool on = r->next < r->count && strcmp(r->words[r->next], "on") == 0;
  if (r->next < r->count && !on && !number(r, &s->number[2], "the bytes of a page")) return false;
  if (r->next == r->count) return true;
  const char *word = take(r);
  return strcmp(word, "on") == 0 ? copy(r, s->name, sizeof s->name, "the tensor's name")
                                 : REFUSE(r, "'%s': only 'on TENSOR' may follow the page", word);
}

/* A file, or a rule that generates the numbers. */
static bool read_source(struct reader *r) {
  const char *word = r->next < r->count ? r->words[r->next] : "";
  bool made = strncmp(word, "zero:", 5) == 0 || strncmp(word, "fill:", 5) == 0 || strncmp(word, "random:", 7) == 0;
  return made ? copy(r, r->s->path, sizeof r->s->path, "the source") : file(r, r->s->path, sizeof r->s->path, "the source");
}

static bool read_tensor(struct reader *r) {
  struct chip_statement *s = r->s;
  if (!copy(r, s->name, sizeof s->name, "the tensor's name") || !read_source(r) || !format(r, &s->format) ||
      !layout(r, &s->tiled) || !any_place(r, &s->place))
    return false;
  s->placed = r->next < r->count;
  if (chip_format_is_block(s->format) && !s->tiled)
    return REFUSE(r, "tensor %s: %s has no rows, only tiles", s->name, chip_format_name(s->format));
  if (s->placed && !cli_parse_u64(r->words[r->next], &s->number[0]))
    return REFUSE(r, "'%s' is neither a place (dram, dram:BANK, X,Y) nor an address", r->words[r->next]);
  r->next += s->placed;
  return true;
}

static bool read_kernel(struct reader *r) {
  struct chip_statement *s = r->s;
  if (!tiles(r, &s->place) || !file(r, s->path, sizeof s->path, "the directory")) return false;
  const char *word = take(r);
  s->number[0] = word != NULL;
  return !word || strcmp(word, "waits") == 0 || REFUSE(r, "'%s': only 'waits' may follow the directory", word);
}

static bool read_operands(struct reader *r) {
  struct chip_statement *s = r->s;
  switch (s->kind) {
    case CHIP_ELF:
      return tiles(r, &s->place) && copy(r, s->name, sizeof s->name, "the core") &&
             file(r, s->path, sizeof s->path, "the file");
    case CHIP_KERNEL: return read_kernel(r);
    case CHIP_BUFFER: return read_buffer(r);
    case CHIP_ARGS: return read_args(r);
    case CHIP_IMAGE:
      return any_place(r, &s->place) && number(r, &s->number[0], "the address") &&
             file(r, s->path, sizeof s->path, "the file");
    case CHIP_TENSOR:
      if (++r->d->tensors_read > CHIP_FILE_TENSORS) return REFUSE(r, "more than %u tensors", CHIP_FILE_TENSORS);
      return read_tensor(r);
    case CHIP_UNTIL:
      return tiles(r, &s->place) && number(r, &s->number[0], "the address") && number(r, &s->number[1], "the mask") &&
             number(r, &s->number[2], "the value");
    case CHIP_SAVE:
      return copy(r, s->name, sizeof s->name, "the tensor's name") && file(r, s->path, sizeof s->path, "the file");
    case CHIP_DUMP:
      return any_place(r, &s->place) && number(r, &s->number[0], "the address") && number(r, &s->number[1], "the length") &&
             file(r, s->path, sizeof s->path, "the file");
    case CHIP_SOURCE: return file(r, s->path, sizeof s->path, "the file");
    case CHIP_DEFINE: return read_define(r);
    case CHIP_COMPILE: return read_compile(r);
    default: return read_expect(r);
  }
}

unsigned chip_file_program(const struct chip_description *d, unsigned x, unsigned y) {
  for (unsigned i = d->program_count; i > 0; i--) {
    const struct chip_place *p = &d->programs[i - 1].place;
    if (x >= p->x0 && x <= p->x1 && y >= p->y0 && y <= p->y1) return i;
  }
  return 0;
}

/* program NAME TILES: the statements after it are for these tiles. */
static bool read_program(struct reader *r) {
  struct chip_description *d = r->d;
  struct chip_program p = {.name = ""};
  const struct chip_place *grid = &d->grid;
  if (!d->grid_line) return REFUSE(r, "program needs a line 'grid TILES' above: col and row count from its corner");
  if (d->program_count == CHIP_FILE_PROGRAMS) return REFUSE(r, "more than %u programs", CHIP_FILE_PROGRAMS);
  if (!copy(r, p.name, sizeof p.name, "the program's name")) return false;
  if (p.name[strspn(p.name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")] || p.name[0] == '-')
    return REFUSE(r, "'%s': the name of a program consists of letters, digits and _", p.name);
  for (unsigned i = 0; i < d->program_count; i++)
    if (strcmp(d->programs[i].name, p.name) == 0) return REFUSE(r, "program %s is there already", p.name);
  if (r->next == r->count) return REFUSE(r, "program %s: its tiles are missing", p.name);
  if (!tiles(r, &p.place)) return false;
  if (p.place.x0 < grid->x0 || p.place.x1 > grid->x1 || p.place.y0 < grid->y0 || p.place.y1 > grid->y1)
    return REFUSE(r, "program %s: its tiles lie outside the grid", p.name);
  d->programs[d->program_count++] = p;
  return true;
}

/* Statements that can be for one program. */
static bool is_of_program(enum chip_statement_kind kind) {
  return kind == CHIP_BUFFER || kind == CHIP_ARGS || kind >= CHIP_SOURCE;
}

/* A setting of the whole program may be given once. */
static bool once(struct reader *r, unsigned *line) {
  if (*line) return REFUSE(r, "%s is already set in line %u", r->words[0], *line);
  *line = r->s->line;
  return true;
}

/* The settings of the whole program; 1: it was one, 0: it was not, -1: rejected. */
static int read_setting(struct reader *r) {
  const char *word = r->words[0];
  r->next = 1;
  if (strcmp(word, "product") == 0)
    return once(r, &r->d->product_line) && copy(r, r->d->product, sizeof r->d->product, "the product") ? 1 : -1;
  if (strcmp(word, "grid") == 0) {
    if (r->d->folder && !once(r, &r->d->grid_line)) return -1; /* all tiles of a folder have the same kernels */
    r->d->has_grid = false;
    r->d->has_grid = tiles(r, &r->d->grid);
    r->d->grid_line = r->s->line;
    return r->d->has_grid ? 1 : -1;
  }
  if (strcmp(word, "cycles") == 0)
    return once(r, &r->d->cycles_line) && number(r, &r->d->cycles, "the number of cycles") ? 1 : -1;
  if (strcmp(word, "program") == 0 && r->d->folder) return read_program(r) ? 1 : -1;
  if (strcmp(word, "timing") != 0) return 0;
  if (!once(r, &r->d->timing_line)) return -1;
  const char *value = take(r);
  if (value && cli_parse_timing(value, &r->d->timing)) return 1;
  REFUSE(r, "timing is off or cycle");
  return -1;
}

/* The kind of statement that starts with this word; -1: none. */
static int kind_of(struct reader *r) {
  static const char *const words[] = {"elf",    "kernel", "buffer", "args", "image",
                                      "tensor", "until",  "save",   "dump", "expect"};
  const char *word = r->words[0];
  for (int kind = 0; kind <= CHIP_EXPECT; kind++)
    if (strcmp(word, words[kind]) == 0) return kind;
  if (!r->d->folder) return -1;
  int role_number = chip_role_number(word);
  if (role_number >= 0) {
    r->s->role = (uint8_t)role_number;
    return CHIP_SOURCE;
  }
  return strcmp(word, "define") == 0 ? CHIP_DEFINE : strcmp(word, "compile") == 0 ? CHIP_COMPILE : -1;
}

static bool read_statement(struct reader *r) {
  int setting = read_setting(r);
  if (setting < 0) return false;
  if (setting == 0) {
    int kind = kind_of(r);
    if (kind < 0) return REFUSE(r, "unknown statement '%s'", r->words[0]);
    r->s->kind = (enum chip_statement_kind)kind;
    r->s->program = (uint8_t)(is_of_program(r->s->kind) ? r->d->program_count : 0);
    if (!read_operands(r)) return false;
    r->d->count++;
  }
  return r->next == r->count || REFUSE(r, "unexpected '%s' at the end of the line", r->words[r->next]);
}

static bool read_line(struct chip_description *d, char *text, unsigned line) {
  struct reader r = {.d = d};
  text[strcspn(text, "#")] = '\0';
  if (d->lines_read++ == CHIP_FILE_STATEMENTS)
    return chip_file_refuse(d, line, "more than %u statements in a description", CHIP_FILE_STATEMENTS);
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
  *d = (struct chip_description){.verb = d->verb,
                                 .folder = d->folder,
                                 .has_grid = d->has_grid,
                                 .grid = d->grid,
                                 .path = path,
                                 .product = "full",
                                 .timing = TESSERA_TIMING_CYCLE};
  if (!cli_input_read(&in, d->verb, path, FILE_MAX)) return false;
  bool good = strlen(in.data) == in.size;
  if (!good) cli_bad_input(d->verb, "%s: not a text file", path);
  char *at = in.data;
  for (unsigned line = 1; good && at; line++) {
    char *end = strchr(at, '\n');
    if (end) *end = '\0';
    const char *first = at + strspn(at, " \t\r");
    good = !*first || *first == '#' || read_line(d, at, line);
    at = end ? end + 1 : NULL;
  }
  cli_input_free(&in);
  if (!good) chip_file_free(d);
  return good;
}

struct chip_statement *chip_file_add(struct chip_description *d, enum chip_statement_kind kind) {
  if (!cli_reserve((void **)&d->statements, &d->capacity, d->count + 1, sizeof *d->statements)) {
    cli_bad_input(d->verb, "out of memory");
    return NULL;
  }
  struct chip_statement *s = &d->statements[d->count++];
  memset(s, 0, sizeof *s);
  s->kind = kind;
  s->role = CHIP_ALL_ROLES;
  s->place = d->grid;
  return s;
}

bool chip_file_words(struct chip_description *d, struct chip_statement *s, unsigned count) {
  if (!cli_reserve((void **)&d->blocks, &d->block_capacity, d->block_count + 1, sizeof *d->blocks) ||
      !(s->word = calloc(count + 1, sizeof *s->word)))
    return chip_file_refuse(d, s->line, "out of memory");
  d->blocks[d->block_count++] = s->word;
  return true;
}

void chip_file_free(struct chip_description *d) {
  for (size_t i = 0; i < d->block_count; i++) free(d->blocks[i]);
  free(d->blocks);
  free(d->statements);
  free(d->options);
  d->blocks = NULL;
  d->statements = NULL;
  d->options = NULL;
  d->block_count = d->block_capacity = 0;
  d->count = d->capacity = d->option_count = d->option_capacity = 0;
}
