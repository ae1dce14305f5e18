/* Loading, starting and finishing a program description on a chip. */
#include "cli/chip_job.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/chip_expression.h"
#include "cli/cli.h"
#include "cli/gdb.h"
#include "cli/output.h"
#include "cli/session.h"

#define FILE_MAX ((size_t)64 << 20)

/* --- units and files --- */

static struct chip_unit *unit_of(struct chip_job *j, struct chip_at at) {
  for (size_t i = 0; i < j->unit_count; i++)
    if (j->units[i].at.x == at.x && j->units[i].at.y == at.y) return &j->units[i];
  if (!cli_reserve((void **)&j->units, &j->unit_capacity, j->unit_count + 1, sizeof *j->units)) return NULL;
  struct chip_unit *u = &j->units[j->unit_count];
  memset(u, 0, sizeof *u);
  u->at = at;
  u->tile = tessera_chip_tile(j->chip, at.x, at.y);
  if (!u->tile) return NULL;
  j->unit_count++;
  return u;
}

static const struct cli_input *file_of(struct chip_job *j, const char *path) {
  for (size_t i = 0; i < j->file_count; i++)
    if (strcmp(j->files[i].path, path) == 0) return &j->files[i].in;
  if (!cli_reserve((void **)&j->files, &j->file_capacity, j->file_count + 1, sizeof *j->files)) return NULL;
  struct chip_elf_file *f = &j->files[j->file_count];
  snprintf(f->path, sizeof f->path, "%s", path);
  if (!cli_input_read(&f->in, j->d.verb, path, FILE_MAX)) return NULL;
  j->file_count++;
  return &f->in;
}

static bool load_elf(struct chip_job *j, struct chip_unit *u, unsigned core, const char *path, unsigned line) {
  if (access(path, R_OK) != 0) return chip_file_refuse(&j->d, line, "cannot read %s: %s", path, strerror(errno));
  const struct cli_input *in = file_of(j, path);
  if (!in) return false;
  if (u->cores >> core & 1u)
    return chip_file_refuse(&j->d, line, "(%u, %u): this core already has a program", u->at.x, u->at.y);
  if (tessera_tile_load_elf(u->tile, (enum tessera_core)core, in->data, in->size) != TESSERA_OK)
    return chip_file_refuse(&j->d, line, "%s: %s", path, tessera_tile_error(u->tile));
  u->cores |= 1u << core;
  while (&j->files[u->program[core]++].in != in) continue;
  return true;
}

/* --- statements, tile by tile --- */

typedef bool on_unit(struct chip_job *j, const struct chip_statement *s, struct chip_unit *u, unsigned column, unsigned row);

/* Columns 8 and 9 have no Tensix tile. */
static unsigned columns_between(unsigned x0, unsigned x) { return x - x0 - (x0 < 8 && x > 9 ? 2u : 0u); }

/* The rectangle from whose corner a statement's col and row count: with programs the whole grid. */
static const struct chip_place *counted_from(const struct chip_job *j, const struct chip_statement *s) {
  return j->d.program_count ? &j->d.grid : &s->place;
}

static bool each_unit(struct chip_job *j, const struct chip_statement *s, on_unit *act) {
  struct chip_at tiles[CHIP_JOB_TILES];
  unsigned count = chip_job_tiles(j, s, tiles);
  const struct chip_place *from = counted_from(j, s);
  for (unsigned i = 0; i < count; i++) {
    struct chip_at at = tiles[i];
    if (s->program && chip_file_program(&j->d, at.x, at.y) != s->program) continue;
    struct chip_unit *u = unit_of(j, at);
    if (!u) return chip_file_refuse(&j->d, s->line, "out of memory");
    if (!act(j, s, u, columns_between(from->x0, at.x), (unsigned)at.y - from->y0)) return false;
  }
  return count > 0;
}

static bool load_one(struct chip_job *j, const struct chip_statement *s, struct chip_unit *u, unsigned column,
                     unsigned row) {
  int core = tessera_core_number(s->name);
  (void)column, (void)row;
  if (core < 0)
    return chip_file_refuse(&j->d, s->line, "cores are brisc, ncrisc, trisc0, trisc1 and trisc2, not '%s'", s->name);
  return load_elf(j, u, (unsigned)core, s->path, s->line);
}

/* A definition in the commands of `tessera kernel build`, which it leaves beside the executables (kernel_fresh.c); UINT_MAX: the folder has none,
 * because something else built them. */
static bool built_count(struct chip_job *j, const char *folder, const char *core, const char *name, unsigned *count) {
  char path[CHIP_FILE_PATH + 16];
  snprintf(path, sizeof path, "%s/%s.made", folder, core);
  *count = UINT_MAX;
  if (access(path, R_OK) != 0) return true;
  const struct cli_input *in = file_of(j, path);
  const char *at = in ? strstr(in->data, name) : NULL;
  if (at) *count = (unsigned)strtoul(at + strlen(name), NULL, 10);
  return in != NULL;
}

/* How many arguments the kernels were built for: get_arg_val stops at an index beyond them. */
static bool read_built_counts(struct chip_job *j, const struct chip_statement *s, struct chip_unit *u) {
  static const char *const cores[CHIP_ROLES] = {"ncrisc", "trisc0", "brisc"};
  for (unsigned role = 0; role < CHIP_ROLES; role++)
    if (!built_count(j, s->path, cores[role], "\n-DKERNEL_ARG_COUNT=", &u->built_args[role])) return false;
  return built_count(j, s->path, cores[0], "\n-DKERNEL_COMMON_ARG_COUNT=", &u->built_common);
}

static bool load_kernel(struct chip_job *j, const struct chip_statement *s, struct chip_unit *u, unsigned column,
                        unsigned row) {
  static const char *const names[TESSERA_CORES] = {"trisc0", "trisc1", "trisc2", "brisc", "ncrisc"};
  char path[CHIP_FILE_PATH + 16];
  (void)column, (void)row;
  if (!chip_job_claim(j, u->at, 0, TESSERA_LAUNCH_HEAP, s->line)) return false;
  for (unsigned core = 0; core < TESSERA_CORES; core++) {
    snprintf(path, sizeof path, "%s/%s.elf", s->path, names[core]);
    if (!load_elf(j, u, core, path, s->line)) return false;
  }
  u->kernel = true;
  if (!read_built_counts(j, s, u)) return false;
  u->launch.waits = s->number[0] != 0;
  u->launch.launches = 1;
  u->launch.dram_banks = j->banks;
  return true;
}

static bool need_kernel(struct chip_job *j, const struct chip_statement *s, const struct chip_unit *u) {
  return u->kernel || chip_file_refuse(&j->d, s->line, "(%u, %u) has no kernel", u->at.x, u->at.y);
}

/* The address of the buffer: on a tensor's shard, or in free memory. 0 after one line. */
static uint32_t buffer_place(struct chip_job *j, const struct chip_statement *s, const struct chip_unit *u, uint32_t bytes) {
  if (s->name[0]) {
    const struct chip_tensor *t = chip_tensor_find(j, s->name);
    if (!t || t->s->place.kind != CHIP_PLACE_TILES) {
      chip_file_refuse(&j->d, s->line, "buffer %u: %s is not a tensor in L1", (unsigned)s->number[0], s->name);
      return 0;
    }
    return (uint32_t)t->address;
  }
  uint32_t address = chip_job_room(j, u->at, bytes);
  if (!address) chip_file_refuse(&j->d, s->line, "(%u, %u): no room in L1 for the buffer", u->at.x, u->at.y);
  else if (!chip_job_claim(j, u->at, address, bytes, s->line)) return 0;
  return address;
}

static bool fits_l1(struct chip_job *j, const struct chip_statement *s, uint64_t pages, uint64_t page) {
  unsigned index = (unsigned)s->number[0];
  if (!pages) return chip_file_refuse(&j->d, s->line, "circular buffer %u needs at least 1 page, not 0", index);
  if (page % 16)
    return chip_file_refuse(&j->d, s->line, "circular buffer %u: a page of %llu bytes; pages are multiples of 16 bytes",
                            index, (unsigned long long)page);
  return (page <= TESSERA_L1_BYTES && pages <= TESSERA_L1_BYTES / page) ||
         chip_file_refuse(&j->d, s->line, "circular buffer %u: %llu pages of %llu bytes do not fit into L1, which has %u",
                          index, (unsigned long long)pages, (unsigned long long)page, TESSERA_L1_BYTES);
}

static bool add_buffer(struct chip_job *j, const struct chip_statement *s, struct chip_unit *u, unsigned column,
                       unsigned row) {
  const struct chip_tensor *like = s->path[0] ? chip_tensor_find(j, s->path) : NULL;
  unsigned format = like ? like->s->format : s->format;
  uint64_t page = s->number[2] ? s->number[2] : like ? like->page_bytes : chip_format_bytes(format, 1024);
  uint64_t pages = s->number[1];
  (void)column, (void)row;
  if (!need_kernel(j, s, u)) return false;
  if (s->number[0] >= TESSERA_LAUNCH_BUFFERS)
    return chip_file_refuse(&j->d, s->line, "circular buffer %llu: the index must be below 32",
                            (unsigned long long)s->number[0]);
  if (u->launch.buffer[s->number[0]].pages)
    return chip_file_refuse(&j->d, s->line, "circular buffer %u is already defined", (unsigned)s->number[0]);
  if (!fits_l1(j, s, pages, page)) return false;
  uint32_t address = buffer_place(j, s, u, (uint32_t)(pages * page));
  u->launch.buffer[s->number[0]] =
      (struct tessera_launch_buffer){address, (uint32_t)page, (uint32_t)pages, chip_format_code(format)};
  return address != 0;
}

/* TENSOR or TENSOR.WHAT; false: it is neither. */
static bool tensor_word(const struct chip_job *j, const char *word, uint64_t *value) {
  char name[CHIP_FILE_WORD];
  size_t length = strcspn(word, ".");
  memcpy(name, word, length);
  name[length] = '\0';
  const struct chip_tensor *t = chip_tensor_find(j, name);
  const char *what = word + length;
  if (!t) return false;
  if (!*what) *value = t->address;
  else if (strcmp(what, ".pages") == 0) *value = t->pages;
  else if (strcmp(what, ".rows") == 0) *value = t->rows;
  else if (strcmp(what, ".cols") == 0) *value = t->columns;
  else if (strcmp(what, ".ht") == 0) *value = t->rows / 32;
  else if (strcmp(what, ".wt") == 0) *value = t->columns / 32;
  else if (strcmp(what, ".page_bytes") == 0) *value = t->page_bytes;
  else return false;
  return true;
}

static bool float_word(const char *word, uint64_t *value) {
  char *end = NULL;
  if (strncmp(word, "float:", 6) != 0) return false;
  float f = strtof(word + 6, &end);
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  *value = bits;
  return end != word + 6 && !*end;
}

/* scratch:BYTES, of a kernel's folder: the address of free memory. */
static bool scratchpad(struct chip_job *j, const struct chip_statement *s, const struct chip_unit *u, const char *word,
                       uint64_t *value) {
  uint64_t bytes = 0;
  if (!cli_parse_u64(word + 8, &bytes) || !bytes || bytes > TESSERA_L1_BYTES ||
      !(*value = chip_job_room(j, u->at, (uint32_t)bytes)))
    return chip_file_refuse(&j->d, s->line, "(%u, %u): no room in L1 for %s", u->at.x, u->at.y, word);
  return chip_job_claim(j, u->at, *value, bytes, s->line);
}

/* The words that each tile has its own value of. */
struct tile_words {
  const struct chip_job *j;
  const struct chip_statement *s;
  const struct chip_unit *u;
  unsigned column, row;
};

static bool tile_word(const struct tile_words *t, const char *word, uint64_t *value) {
  const struct chip_place *from = counted_from(t->j, t->s);
  unsigned columns = columns_between(from->x0, from->x1) + 1;
  if (strcmp(word, "x") == 0) *value = t->u->at.x;
  else if (strcmp(word, "y") == 0) *value = t->u->at.y;
  else if (strcmp(word, "col") == 0) *value = t->column;
  else if (strcmp(word, "row") == 0) *value = t->row;
  else if (strcmp(word, "index") == 0) *value = t->row * columns + t->column;
  else if (strcmp(word, "banks") == 0) *value = t->j->banks;
  else if (strcmp(word, "rows") == 0) *value = (uint64_t)from->y1 - from->y0 + 1;
  else if (strcmp(word, "cols") == 0) *value = columns;
  else return false;
  return true;
}

static bool name_in_expression(const void *context, const char *name, int64_t *value) {
  const struct tile_words *t = context;
  uint64_t found;
  if (!tensor_word(t->j, name, &found) && !tile_word(t, name, &found)) return false;
  *value = (int64_t)found;
  return true;
}

static bool expression(const struct tile_words *t, const char *word, uint64_t *value) {
  char part[CHIP_EXPRESSION_PART];
  uint32_t result;
  const char *wrong = chip_expression(word, name_in_expression, t, &result, part);
  *value = result;
  return !wrong || chip_file_refuse(&t->j->d, t->s->line, "'%s'%s%s%s: %s%s", word, part[0] ? ", at '" : "", part,
                                    part[0] ? "'" : "", part[0] ? "it " : "", wrong);
}

static bool argument(struct chip_job *j, const struct chip_statement *s, const struct chip_unit *u, const char *named,
                     unsigned column, unsigned row, uint64_t *value) {
  const struct tile_words tile = {j, s, u, column, row};
  const char *word = chip_word_value(named);
  if (tensor_word(j, word, value) || float_word(word, value)) return true;
  if (j->d.folder && s->role == CHIP_COMMON && strncmp(word, "scratch:", 8) == 0) return scratchpad(j, s, u, word, value);
  if (tile_word(&tile, word, value)) return true;
  if (chip_is_expression(word)) return expression(&tile, word, value);
  if (word[0] == '-' && cli_parse_u64(word + 1, value) && *value <= UINT64_C(1) << 31) *value = (uint32_t) - *value;
  else if (!cli_parse_u64(word, value) || *value > UINT32_MAX)
    return chip_file_refuse(
        &j->d, s->line, "'%s' is neither a 32-bit number nor a tensor nor one of x y col row cols rows index banks%s", word,
        named == s->word[0] && s->role == CHIP_ALL_ROLES && !s->number[0]
            ? "; kernels are reader, compute, writer and common"
            : "");
  return true;
}

static void set_own(struct chip_unit *u, unsigned role, unsigned at, uint32_t value) {
  u->own_args[role][at] = value;
  if (u->arg_count[role] <= at) u->arg_count[role] = at + 1;
}

static unsigned most_args(const struct chip_unit *u) {
  unsigned most = 0;
  for (unsigned role = 0; role < CHIP_ROLES; role++)
    if (most < u->arg_count[role]) most = u->arg_count[role];
  return most;
}

/* Could a kernel of the statement read its last argument? */
static bool are_read(struct chip_job *j, const struct chip_statement *s, const struct chip_unit *u) {
  unsigned most = s->role == CHIP_COMMON || s->role == CHIP_ALL_ROLES ? u->built_common : 0;
  for (unsigned role = 0; role < CHIP_ROLES; role++)
    if ((s->role == role || s->role == CHIP_ALL_ROLES) && most < u->built_args[role]) most = u->built_args[role];
  const char *whose = s->role < CHIP_ROLES ? chip_role_name(s->role) : s->role == CHIP_COMMON ? "common" : "kernel";
  return s->number[0] + s->word_count <= most ||
         chip_file_refuse(
             &j->d, s->line,
             "the kernels were built for %u %s arguments, this line gives %u: tessera kernel build takes the number from "
             "args in kernel.chip",
             most, whose, (unsigned)s->number[0] + s->word_count);
}

/* From argument number[0] on: an option sets one of them. */
static bool set_args(struct chip_job *j, const struct chip_statement *s, struct chip_unit *u, unsigned column,
                     unsigned row) {
  uint64_t value;
  unsigned was = most_args(u);
  if (!need_kernel(j, s, u)) return false;
  for (unsigned i = 0; i < s->word_count; i++) {
    if (!argument(j, s, u, s->word[i], column, row, &value)) return false;
    unsigned at = (unsigned)s->number[0] + i;
    for (unsigned role = 0; role < CHIP_ROLES; role++)
      if (s->role == role || s->role == CHIP_ALL_ROLES) set_own(u, role, at, (uint32_t)value);
    if ((s->role == CHIP_ALL_ROLES || s->role == CHIP_COMMON) && at < TESSERA_LAUNCH_ARGS)
      u->launch.args[at] = (uint32_t)value;
  }
  if (!are_read(j, s, u)) return false;
  bool many = was <= TESSERA_LAUNCH_ARGS && most_args(u) > TESSERA_LAUNCH_ARGS;
  return !many || chip_job_claim(j, u->at, TESSERA_LAUNCH_OWN_AT, 4096, s->line);
}

/* --- images --- */

/* An image or a dump in DRAM is memory that kernels may access. */
static void note_range(struct chip_job *j, const struct chip_statement *s, struct chip_at at, uint64_t length,
                       const char *what) {
  char name[32];
  snprintf(name, sizeof name, "the %s of line %u", what, s->line);
  if (s->place.kind == CHIP_PLACE_BANK) (void)tessera_chip_note_range(j->chip, at.x, at.y, s->number[0], length, name);
}

static bool put_image(struct chip_job *j, const struct chip_statement *s, struct chip_at at, const struct cli_input *in) {
  if (!chip_job_claim(j, at, s->number[0], in->size, s->line)) return false;
  note_range(j, s, at, in->size, "image");
  return tessera_chip_write(j->chip, at.x, at.y, s->number[0], in->data, in->size) == TESSERA_OK ||
         chip_file_refuse(&j->d, s->line, "%s cannot be written there", s->path);
}

static bool load_image(struct chip_job *j, const struct chip_statement *s) {
  struct chip_at tiles[CHIP_JOB_TILES];
  struct cli_input in;
  if (s->place.kind == CHIP_PLACE_DRAM)
    return chip_file_refuse(&j->d, s->line, "an image goes to tiles or to one bank (dram:0); a tensor is interleaved");
  char verb[CHIP_FILE_VERB];
  chip_file_verb(&j->d, s->line, verb);
  if (!cli_input_read(&in, verb, s->path, FILE_MAX)) return false;
  bool good = true;
  if (s->place.kind == CHIP_PLACE_BANK) {
    good = put_image(j, s, chip_job_bank(s->place.bank), &in);
  } else {
    unsigned count = chip_job_tiles(j, s, tiles);
    good = count > 0;
    for (unsigned i = 0; good && i < count; i++) good = put_image(j, s, tiles[i], &in);
  }
  cli_input_free(&in);
  return good;
}

/* --- the whole --- */

static bool set_until(struct chip_job *j, const struct chip_statement *s) {
  uint8_t word[4];
  struct chip_at tiles[CHIP_JOB_TILES];
  unsigned count = chip_job_tiles(j, s, tiles);
  if (count > 1 || s->number[0] > UINT32_MAX || s->number[0] & 3u || s->number[2] & ~s->number[1])
    return chip_file_refuse(&j->d, s->line, "until takes one tile, an aligned address, a mask and a value within it");
  if (count != 1) return false;
  if (j->until) return chip_file_refuse(&j->d, s->line, "line %u already has an until", j->until->line);
  if (tessera_chip_read(j->chip, tiles[0].x, tiles[0].y, s->number[0], word, sizeof word) != TESSERA_OK)
    return chip_file_refuse(&j->d, s->line, "the word at 0x%x of (%u, %u) cannot be read", (unsigned)s->number[0],
                            tiles[0].x, tiles[0].y);
  j->until = s;
  j->until_at = tiles[0];
  return true;
}

/* Before the run, which may be long. */
static bool is_writable(struct chip_job *j, const struct chip_statement *s) {
  return cli_can_create(s->path) ||
         chip_file_refuse(&j->d, s->line, "%s: could not be written: %s", s->path, strerror(errno));
}

static bool is_savable(struct chip_job *j, const struct chip_statement *s) {
  if (!chip_tensor_find(j, s->name)) return chip_file_refuse(&j->d, s->line, "there is no tensor %s", s->name);
  return is_writable(j, s);
}

/* The tile or bank of a dump, whose range must lie inside its memory. */
static bool dump_place(struct chip_job *j, const struct chip_statement *s, struct chip_at *at) {
  struct chip_at tiles[CHIP_JOB_TILES];
  struct tessera_node node;
  const uint64_t first = s->number[0], length = s->number[1];
  if (s->place.kind == CHIP_PLACE_DRAM) return chip_file_refuse(&j->d, s->line, "dump takes a tile or one bank (dram:0)");
  if (s->place.kind == CHIP_PLACE_BANK) {
    tiles[0] = chip_job_bank(s->place.bank);
  } else {
    unsigned count = chip_job_tiles(j, s, tiles);
    if (count == 0) return false;
    if (count > 1) return chip_file_refuse(&j->d, s->line, "dump takes one tile");
  }
  *at = tiles[0];
  if (tessera_chip_node(j->chip, at->x, at->y, &node) != TESSERA_OK || !node.good || first > node.bytes ||
      length > node.bytes - first)
    return chip_file_refuse(&j->d, s->line, "the range lies outside the memory");
  return length <= FILE_MAX || chip_file_refuse(&j->d, s->line, "0x%llx bytes: a dump has at most %zu MiB",
                                                (unsigned long long)length, FILE_MAX >> 20);
}

static bool is_dumpable(struct chip_job *j, const struct chip_statement *s) {
  struct chip_at at;
  return dump_place(j, s, &at) && is_writable(j, s);
}

/* Programs and tensors are loaded first: buffers use the remaining memory, and arguments name tensors. */
static bool load_pass(struct chip_job *j, unsigned pass) {
  for (size_t i = 0; i < j->d.count; i++) {
    const struct chip_statement *s = &j->d.statements[i];
    bool good = true;
    if (pass == 0 && s->kind == CHIP_ELF) good = each_unit(j, s, load_one);
    else if (pass == 0 && s->kind == CHIP_KERNEL) good = each_unit(j, s, load_kernel);
    else if (pass == 1 && s->kind == CHIP_IMAGE) good = load_image(j, s);
    else if (pass == 1 && s->kind == CHIP_TENSOR) good = chip_tensor_load(j, s);
    else if (pass == 1 && s->kind == CHIP_DUMP) note_range(j, s, chip_job_bank(s->place.bank), s->number[1], "dump");
    else if (pass == 2 && s->kind == CHIP_BUFFER) good = each_unit(j, s, add_buffer);
    else if (pass == 2 && s->kind == CHIP_ARGS) good = each_unit(j, s, set_args);
    else if (pass == 2 && s->kind == CHIP_UNTIL) good = set_until(j, s);
    else if (pass == 2 && s->kind == CHIP_SAVE) good = is_savable(j, s);
    else if (pass == 2 && s->kind == CHIP_DUMP) good = is_dumpable(j, s);
    else if (pass == 2 && s->kind == CHIP_EXPECT) good = chip_tensor_expectable(j, s);
    if (!good) return false;
  }
  return true;
}

bool chip_job_load(struct chip_job *j) {
  for (unsigned i = 0; i < CHIP_JOB_BANKS; i++) {
    struct chip_at at = chip_job_bank(i);
    struct tessera_node node;
    j->banks += tessera_chip_node(j->chip, at.x, at.y, &node) == TESSERA_OK && node.good;
  }
  if (!chip_tensors_fit(j)) return false;
  for (unsigned pass = 0; pass < 3; pass++)
    if (!load_pass(j, pass)) return false;
  for (size_t i = 0; i < j->file_count; i++) cli_input_free(&j->files[i].in); /* the chip has its copies */
  if (!j->unit_count) return cli_bad_input(j->d.verb, "%s: no tile has a program", j->d.path), false;
  /* Last, because it takes long: a description that is refused is refused before. */
  for (size_t i = 0; i < j->tensor_count; i++)
    if (!chip_tensor_fill(j, i)) return false;
  return true;
}

static bool has_same_programs(const struct chip_job *j, size_t unit) {
  for (size_t i = 0; i < unit; i++)
    if (memcmp(j->units[i].program, j->units[unit].program, sizeof j->units[i].program) == 0) return true;
  return false;
}

void chip_job_notes(const struct chip_job *j) {
  for (size_t i = 0; i < j->unit_count; i++) {
    char place[32];
    if (has_same_programs(j, i)) continue;
    snprintf(place, sizeof place, "(%u, %u): ", j->units[i].at.x, j->units[i].at.y);
    cli_print_load_notes(j->d.verb, j->unit_count > 1 ? place : "", j->units[i].tile);
  }
}

static bool launch(const struct chip_job *j, struct chip_unit *u) {
  static const enum tessera_core cores[CHIP_ROLES] = {TESSERA_NCRISC, TESSERA_TRISC0, TESSERA_BRISC};
  bool good = tessera_tile_launch(u->tile, &u->launch) == TESSERA_OK;
  for (unsigned role = 0; good && role < CHIP_ROLES; role++) {
    unsigned count = u->arg_count[role] > TESSERA_LAUNCH_ARGS ? u->arg_count[role] : TESSERA_LAUNCH_ARGS;
    if (u->built_args[role] > count && u->built_args[role] <= TESSERA_LAUNCH_OWN_ARGS)
      count = u->built_args[role]; /* the kernel reads them elsewhere */
    good = tessera_tile_launch_args(u->tile, cores[role], 0, u->own_args[role], count) == TESSERA_OK;
  }
  if (!good) cli_bad_input(j->d.verb, "%s: (%u, %u): %s", j->d.path, u->at.x, u->at.y, tessera_tile_error(u->tile));
  return good;
}

enum tessera_result chip_job_run(struct chip_job *j, uint64_t cycles) {
  const struct chip_statement *s = j->until;
  if (!s) return tessera_chip_run(j->chip, cycles);
  return tessera_chip_run_until(j->chip, j->until_at.x, j->until_at.y, s->number[0], (uint32_t)s->number[1],
                                (uint32_t)s->number[2], CHIP_JOB_SLICE, cycles);
}

size_t chip_job_activity(void *chip, char *text, size_t size) { return tessera_chip_activity(chip, text, size); }

bool chip_job_until_met(const struct chip_job *j) {
  const struct chip_statement *s = j->until;
  uint32_t word = 0;
  return s && tessera_chip_read(j->chip, j->until_at.x, j->until_at.y, s->number[0], &word, sizeof word) == TESSERA_OK &&
         (word & (uint32_t)s->number[1]) == (uint32_t)s->number[2];
}

bool chip_job_start(struct chip_job *j, uint32_t check) {
  for (size_t i = 0; i < j->unit_count; i++) {
    struct chip_unit *u = &j->units[i];
    if (u->kernel && !launch(j, u)) return false;
    if (tessera_tile_set_option(u->tile, TESSERA_OPTION_CHECK, check) != TESSERA_OK) return false;
    if (tessera_tile_start(u->tile, u->cores) != TESSERA_OK) return false;
  }
  return true;
}

static bool dump(struct chip_job *j, const struct chip_statement *s) {
  struct chip_at at;
  if (!dump_place(j, s, &at)) return false;
  uint8_t *bytes = malloc(s->number[1] + 1);
  if (!bytes) return chip_file_refuse(&j->d, s->line, "out of memory");
  if (tessera_chip_read(j->chip, at.x, at.y, s->number[0], bytes, s->number[1]) != TESSERA_OK) {
    free(bytes);
    return chip_file_refuse(&j->d, s->line, "the range lies outside the memory");
  }
  char verb[CHIP_FILE_VERB];
  chip_file_verb(&j->d, s->line, verb);
  FILE *file = cli_create(s->path);
  if (!file) return free(bytes), chip_file_refuse(&j->d, s->line, "%s: could not be written: %s", s->path, strerror(errno));
  bool good = fwrite(bytes, 1, s->number[1], file) == s->number[1];
  good = cli_finish(file, s->path, good);
  free(bytes);
  return good || (cli_not_written(verb, s->path), false);
}

int chip_job_finish(struct chip_job *j) {
  int code = CLI_OK;
  for (size_t i = 0; i < j->d.count; i++) {
    const struct chip_statement *s = &j->d.statements[i];
    if (s->kind == CHIP_SAVE && !chip_tensor_save(j, s)) return CLI_BAD_INPUT;
    if (s->kind == CHIP_DUMP && !dump(j, s)) return CLI_BAD_INPUT;
    if (s->kind != CHIP_EXPECT) continue;
    int differs = chip_tensor_expect(j, s);
    if (differs < 0) return CLI_BAD_INPUT;
    if (differs) code = CLI_FAILED;
  }
  return code;
}

void chip_job_free(struct chip_job *j) {
  for (size_t i = 0; i < j->tensor_count; i++) free(j->tensors[i].values);
  for (size_t i = 0; i < j->file_count; i++) cli_input_free(&j->files[i].in);
  for (size_t i = 0; i < j->unit_count; i++)
    for (unsigned core = 0; core < TESSERA_CORES; core++) free(j->units[i].printed[core].text);
  free(j->tensors);
  free(j->compared);
  free(j->files);
  free(j->ranges);
  free(j->units);
  tessera_chip_destroy(j->chip);
  chip_file_free(&j->d);
}

/* --- debugging --- */

struct tessera_debugger *chip_job_debugger(struct chip_job *j, const char *verb, uint64_t cycles) {
  struct tessera_debugger *debugger = cli_debugger_open(verb, NULL, j->chip, tessera_chip_cycle(j->chip) + cycles);
  for (size_t i = 0; debugger && i < j->unit_count; i++)
    tessera_debugger_add_tile(debugger, j->units[i].at.x, j->units[i].at.y);
  return debugger;
}
