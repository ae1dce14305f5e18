/* The program description of a kernel's folder: its manifest with the options of tessera kernel applied. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/kernel.h"
#include "cli/kernel_names.h"

#define VERB "kernel"

static bool bad(const char *option, const char *wants, const char *got) {
  cli_bad_input(VERB, "%s takes %s, not '%s'", option, wants, got);
  return false;
}

/* NAME=REST: copies the name and returns REST; NULL: the text has no such form. */
static const char *split(const char *text, char name[CHIP_FILE_WORD]) {
  size_t length = strcspn(text, "=");
  if (!length || length >= CHIP_FILE_WORD || text[length] != '=' || !text[length + 1]) return NULL;
  memcpy(name, text, length);
  name[length] = '\0';
  return text + length + 1;
}

static bool set_path(struct chip_statement *s, const char *path, size_t length) {
  if (length >= sizeof s->path)
    return cli_bad_input(VERB, "%s: the name must have at most %zu characters", path, sizeof s->path - 1), false;
  memcpy(s->path, path, length);
  s->path[length] = '\0';
  return true;
}

static struct chip_statement *tensor_of(struct chip_description *d, const char *name) {
  for (size_t i = 0; i < d->count; i++)
    if (d->statements[i].kind == CHIP_TENSOR && strcmp(d->statements[i].name, name) == 0) return &d->statements[i];
  return NULL;
}

static struct chip_statement *new_tensor(struct chip_description *d, const char *name, int format) {
  struct chip_statement *t = chip_file_add(d, CHIP_TENSOR);
  if (!t) return NULL;
  memcpy(t->name, name, CHIP_FILE_WORD);
  t->format = (uint8_t)format;
  t->tiled = 1;
  t->place = (struct chip_place){.kind = CHIP_PLACE_DRAM};
  return t;
}

/* Removes statements of a kind with this name ("": any); keeps the order of the others. */
static void drop(struct chip_description *d, enum chip_statement_kind kind, const char *name, bool files_only) {
  size_t kept = 0;
  for (size_t i = 0; i < d->count; i++) {
    const struct chip_statement *s = &d->statements[i];
    bool same = s->kind == kind && (!name[0] || strcmp(s->name, name) == 0) && (!files_only || !s->word_count);
    if (!same) d->statements[kept++] = *s;
  }
  d->count = kept;
}

/* --- options --- */

/* A=FILE or A=FILE:FORMAT. If the manifest generates the tensor's numbers, the file must have the same shape. */
static bool apply_in(struct chip_description *d, const char *text) {
  char name[CHIP_FILE_WORD] = "";
  const char *path = split(text, name);
  if (!path) return bad("--in", "NAME=FILE.npy or NAME=FILE.npy:FORMAT", text);
  const char *colon = strrchr(path, ':');
  int format = colon ? chip_format_number(colon + 1) : -1;
  struct chip_statement *t = tensor_of(d, name);
  if (colon && format < 0 && access(path, F_OK) != 0)
    return cli_bad_input(VERB, "--in %s: formats are " CHIP_FORMAT_NAMES ", not '%s'", text, colon + 1), false;
  if (!t && format < 0)
    return cli_bad_input(VERB, "--in %s: %s has no tensor %s; write --in %s:FORMAT to make one", text, d->path, name, text),
           false;
  if (!t && !(t = new_tensor(d, name, format))) return false;
  unsigned long long rows = 0, columns = 0;
  const char *size = strchr(t->path, ':');
  if (size && sscanf(size, ":%llux%llu", &rows, &columns) == 2) t->number[1] = rows, t->number[2] = columns;
  if (format >= 0) t->format = (uint8_t)format;
  return (t->line = chip_file_option(d, "--in", text)) &&
         set_path(t, path, format >= 0 ? (size_t)(colon - path) : strlen(path));
}

/* C=FILE, or C=FILE:FORMAT:ROWSxCOLUMNS for a tensor that the manifest does not have. */
static bool apply_out(struct chip_description *d, const char *text) {
  char name[CHIP_FILE_WORD] = "", format[CHIP_FILE_WORD] = "";
  unsigned long long rows = 0, columns = 0;
  const char *path = split(text, name);
  if (!path) return bad("--out", "NAME=FILE.npy or NAME=FILE.npy:FORMAT:ROWSxCOLUMNS", text);
  size_t length = strlen(path);
  if (!tensor_of(d, name)) {
    const char *size = strrchr(path, ':'), *at = size;
    while (at && at > path && *--at != ':') {}
    int used = 0;
    if (!size || *at != ':' || sscanf(at, ":%63[^:]:%llux%llu%n", format, &rows, &columns, &used) != 3 || at[used] ||
        chip_format_number(format) < 0)
      return cli_bad_input(VERB, "--out %s: %s has no tensor %s; write --out %s:FORMAT:ROWSxCOLUMNS to make one", text,
                           d->path, name, text),
             false;
    struct chip_statement *t = new_tensor(d, name, chip_format_number(format));
    if (!t) return false;
    snprintf(t->path, sizeof t->path, "zero:%llux%llu", rows, columns);
    if (!(t->line = chip_file_option(d, "--out", text))) return false;
    length = (size_t)(at - path);
  }
  struct chip_statement *s = chip_file_add(d, CHIP_SAVE);
  if (!s || !(s->line = chip_file_option(d, "--out", text))) return false;
  memcpy(s->name, name, sizeof name);
  return set_path(s, path, length);
}

/* INDEX=PAGES[xBYTES]:FORMAT */
static bool apply_cb(struct chip_description *d, const char *text) {
  unsigned long long index = 0, pages = 0, bytes = 0;
  char format[CHIP_FILE_WORD] = "";
  int used = 0;
  if (sscanf(text, "%llu=%llux%llu:%63s%n", &index, &pages, &bytes, format, &used) != 4) {
    bytes = 0, used = 0;
    if (sscanf(text, "%llu=%llu:%63s%n", &index, &pages, format, &used) != 3) used = 0;
  }
  int number = chip_format_number(format);
  if (!used || text[used] || strchr(text, '-')) return bad("--cb", "INDEX=PAGES:FORMAT or INDEX=PAGESxBYTES:FORMAT", text);
  if (number < 0) return cli_bad_input(VERB, "--cb %s: formats are " CHIP_FORMAT_NAMES, text), false;
  size_t kept = 0;
  for (size_t i = 0; i < d->count; i++)
    if (d->statements[i].kind != CHIP_BUFFER || d->statements[i].number[0] != index)
      d->statements[kept++] = d->statements[i];
  d->count = kept;
  struct chip_statement *s = chip_file_add(d, CHIP_BUFFER);
  if (!s || !(s->line = chip_file_option(d, "--cb", text))) return false;
  s->number[0] = index;
  s->number[1] = pages;
  s->number[2] = bytes;
  s->format = (uint8_t)number;
  return true;
}

/* NAME=WORD or ROLE.NAME=WORD: every argument, also a compile-time one, that kernel.chip has under this name. */
static bool apply_named_arg(struct chip_description *d, const char *text, int role, const char *name, const char *word) {
  size_t length = strlen(name);
  unsigned found = 0, line = chip_file_option(d, "--arg", text);
  for (size_t i = 0; line && i < d->count; i++) {
    struct chip_statement *s = &d->statements[i];
    bool mine = (s->kind == CHIP_ARGS || s->kind == CHIP_COMPILE) && (role == CHIP_ALL_ROLES || s->role == role);
    for (unsigned k = 0; mine && k < s->word_count; k++) {
      if (strncmp(s->word[k], name, length) != 0 || s->word[k][length] != '=') continue;
      if (length + 1 + strlen(word) >= CHIP_FILE_WORD) return chip_file_refuse(d, line, "the value is too long");
      memcpy(s->word[k] + length + 1, word, strlen(word) + 1);
      s->line = line;
      found++;
    }
  }
  return found || (line && chip_file_refuse(
                               d, line, "%s names no argument %s: write 'args reader %s=VALUE' there, or --arg INDEX=VALUE",
                               d->path, name, name));
}

/* INDEX=WORD or ROLE.INDEX=WORD */
static bool apply_arg(struct chip_description *d, const char *text) {
  static const char wants[] =
      "INDEX=VALUE or reader.INDEX=VALUE (compute, writer) with INDEX 0 to 340 or a name of kernel.chip";
  char name[CHIP_FILE_WORD] = "";
  const char *word = split(text, name);
  char *dot = strchr(name, '.');
  if (dot) *dot = '\0';
  int role = dot ? chip_role_number(name) : CHIP_ALL_ROLES;
  const char *which = dot ? dot + 1 : name;
  uint64_t index = TESSERA_LAUNCH_OWN_ARGS;
  if (!word || role < 0 || strlen(word) >= CHIP_FILE_WORD) return bad("--arg", wants, text);
  if (*which && (*which < '0' || *which > '9')) return apply_named_arg(d, text, role, which, word);
  if (!cli_parse_u64(which, &index) || index >= TESSERA_LAUNCH_OWN_ARGS) return bad("--arg", wants, text);
  struct chip_statement *s = chip_file_add(d, CHIP_ARGS);
  if (!s || !(s->line = chip_file_option(d, "--arg", text))) return false;
  s->role = (uint8_t)role;
  s->number[0] = index;
  if (!chip_file_words(d, s, 1)) return false;
  s->word_count = 1;
  memcpy(s->word[0], word, strlen(word) + 1);
  return true;
}

/* The tensor of --expect FILE without a name: that of the only --out. */
static bool only_out(const struct kernel_settings *s, char name[CHIP_FILE_WORD]) {
  return s->out_count == 1 && split(s->outs[0], name);
}

static bool apply_expect(const struct kernel_settings *k, struct chip_description *d, const char *text) {
  char name[CHIP_FILE_WORD] = "";
  const char *path = split(text, name);
  if (!path && !only_out(k, name)) return bad("--expect", "NAME=FILE.npy, or FILE.npy with exactly one --out", text);
  if (!path) path = text;
  const struct chip_statement *t = tensor_of(d, name);
  if (!t) return cli_bad_input(VERB, "--expect %s: there is no tensor %s", text, name), false;
  double tolerance = k->tolerance >= 0 ? k->tolerance : chip_format_is_integer(t->format) ? 0 : 0.01;
  drop(d, CHIP_EXPECT, name, false);
  struct chip_statement *s = chip_file_add(d, CHIP_EXPECT);
  if (!s || !(s->line = chip_file_option(d, "--expect", text))) return false;
  memcpy(s->name, name, sizeof name);
  s->tolerance = tolerance;
  return set_path(s, path, strlen(path));
}

/* Whether a kernel has this argument without the statement `but`. */
static bool has_arg(const struct chip_description *d, unsigned role, uint64_t index, const struct chip_statement *but) {
  for (size_t i = 0; i < d->count; i++) {
    const struct chip_statement *s = &d->statements[i];
    if (s->kind == CHIP_ARGS && s != but && (s->role == role || s->role == CHIP_ALL_ROLES) && s->number[0] <= index &&
        index < s->number[0] + s->word_count)
      return true;
  }
  return false;
}

/* --arg INDEX=WORD beyond the arguments of every kernel that it is for: those between are 0, and the index is probably a wrong one. */
static void note_gap(const struct chip_description *d, const struct chip_statement *s) {
  if (s->kind != CHIP_ARGS || !s->number[0]) return;
  for (unsigned role = 0; role < CHIP_ROLES; role++)
    if ((s->role == role || s->role == CHIP_ALL_ROLES) && has_arg(d, role, s->number[0] - 1, s)) return;
  fprintf(stderr, "tessera " VERB ": note: --arg %s: %s no argument %llu, so it is 0\n",
          d->options[s->line - CHIP_OPTION_LINES].text, s->role == CHIP_ALL_ROLES ? "the kernels have" : "the kernel has",
          (unsigned long long)s->number[0] - 1);
}

static bool apply_options(const struct kernel_settings *s, struct chip_description *d) {
  bool good = true;
  if (s->in_count) drop(d, CHIP_EXPECT, "", true); /* the manifest's expected files belong to its own inputs */
  for (size_t i = 0; good && i < s->in_count; i++) good = apply_in(d, s->ins[i]);
  for (size_t i = 0; good && i < s->out_count; i++) good = apply_out(d, s->outs[i]);
  for (size_t i = 0; good && i < s->cb_count; i++) good = apply_cb(d, s->cbs[i]);
  for (size_t i = 0; good && i < s->arg_count; i++) good = apply_arg(d, s->args[i]);
  for (size_t i = 0; good && i < d->count; i++) note_gap(d, &d->statements[i]);
  for (size_t i = 0; good && i < s->expect_count; i++) good = apply_expect(s, d, s->expects[i]);
  if (good && s->tolerance >= 0)
    for (size_t i = 0; i < d->count; i++)
      if (d->statements[i].kind == CHIP_EXPECT) d->statements[i].tolerance = s->tolerance;
  return good;
}

static bool describe_names(void *context, struct chip_description *view, unsigned program) {
  (void)context, (void)program;
  return kernel_names_describe(view);
}

bool kernel_describe(const struct kernel_settings *s, struct chip_description *d, char path[KERNEL_PATH]) {
  *d = (struct chip_description){.verb = VERB,
                                 .folder = s->folder,
                                 .has_grid = true,
                                 .grid = {.kind = CHIP_PLACE_TILES, .x0 = 1, .x1 = 1, .y0 = 2, .y1 = 2}};
  if (strlen(s->folder) >= KERNEL_PATH - 64) return cli_bad_input(VERB, "the folder's name is too long"), false;
  struct stat is;
  if (stat(s->folder, &is) != 0) return cli_bad_input(VERB, "the folder %s: %s", s->folder, strerror(errno)), false;
  if (!S_ISDIR(is.st_mode)) return cli_bad_input(VERB, "%s is not a folder", s->folder), false;
  snprintf(path, KERNEL_PATH, "%s/" KERNEL_MANIFEST, s->folder);
  const char *from = access(path, F_OK) == 0 ? path : "/dev/null";
  bool good = chip_file_read(d, from);
  d->path = path;
  return good && apply_options(s, d) && kernel_each_program(d, describe_names, NULL);
}
