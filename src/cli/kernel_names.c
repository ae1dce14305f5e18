/* The definitions of kernel_names.h: macros with lists, which the kernel library expands to constants. */
#include "cli/kernel_names.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/kernel_accessor.h"
#include "tessera/launch.h"
#include "tessera/tile.h"

#define SEMAPHORES 32u /* kernels/include/launch.h */

/* --- names --- */

/* Of C++17, alternative spellings included: constants of these names do not compile. */
static const char keywords[] =
    " alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t class compl const "
    "constexpr const_cast continue decltype default delete do double dynamic_cast else enum explicit export extern false "
    "float for friend goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private "
    "protected public register reinterpret_cast return short signed sizeof static static_assert static_cast struct switch "
    "template this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t "
    "while xor xor_eq ";

static bool is_keyword(const char *name, size_t length) {
  char spaced[CHIP_FILE_WORD + 2];
  snprintf(spaced, sizeof spaced, " %.*s ", (int)length, name);
  return strstr(keywords, spaced) != NULL;
}

static bool check_name(const struct chip_description *d, unsigned line, const char *name, size_t length) {
  return !is_keyword(name, length) ||
         chip_file_refuse(d, line, "'%.*s' is a word of C++: choose another name", (int)length, name);
}

/* --- addresses: common arguments after those of the description --- */

#define ADDRESSES "addresses" /* name of the statement with them */

static bool begins(const char *text, const char *start) { return strncmp(text, start, strlen(start)) == 0; }

static const struct chip_statement *tensor_of(const struct chip_description *d, const char *name) {
  for (size_t i = 0; i < d->count; i++)
    if (d->statements[i].kind == CHIP_TENSOR && strcmp(d->statements[i].name, name) == 0) return &d->statements[i];
  return NULL;
}

/* The words of the addresses, in the order of the description: tensors once each, every scratchpad. `until`: stops at this word and
 * returns its number; NULL: returns how many there are. */
static unsigned address_of(const struct chip_description *d, const char *until, const char *list[TESSERA_LAUNCH_ARGS]) {
  const char *own[TESSERA_LAUNCH_ARGS];
  unsigned count = 0;
  if (!list) list = own;
  for (size_t i = 0; i < d->count; i++) {
    const struct chip_statement *s = &d->statements[i];
    for (unsigned k = 0; s->kind == CHIP_COMPILE && k < s->word_count; k++) {
      const char *value = chip_word_value(s->word[k]);
      bool tensor = begins(value, "accessor:"), scratch = begins(value, "scratch:");
      if (value == s->word[k] || (!tensor && !scratch)) continue;
      unsigned at = 0;
      while (at < count && (scratch || strcmp(list[at], value) != 0)) at++;
      if (until == s->word[k]) return at;
      if (at == count && count == TESSERA_LAUNCH_ARGS) return count + 1;
      if (at == count) list[count++] = value;
    }
  }
  return count;
}

static unsigned common_end(const struct chip_description *d) {
  uint64_t end = 0;
  for (size_t i = 0; i < d->count; i++) {
    const struct chip_statement *s = &d->statements[i];
    bool common = s->kind == CHIP_ARGS && (s->role == CHIP_COMMON || s->role == CHIP_ALL_ROLES);
    if (common && strcmp(s->name, ADDRESSES) != 0 && end < s->number[0] + s->word_count) end = s->number[0] + s->word_count;
  }
  return end < TESSERA_LAUNCH_ARGS ? (unsigned)end : TESSERA_LAUNCH_ARGS;
}

static bool add_addresses(struct chip_description *d) {
  const char *list[TESSERA_LAUNCH_ARGS];
  unsigned count = address_of(d, NULL, list), first = common_end(d);
  if (!count) return true;
  if (first + count > TESSERA_LAUNCH_ARGS)
    return chip_file_refuse(
        d, 0, "%s: %u common arguments and the addresses of named tensors and scratchpads: a kernel has at most %u", d->path,
        first, TESSERA_LAUNCH_ARGS);
  struct chip_statement *s = chip_file_add(d, CHIP_ARGS);
  if (!s || !chip_file_words(d, s, count)) return false;
  memcpy(s->name, ADDRESSES, sizeof ADDRESSES);
  s->role = CHIP_COMMON;
  s->number[0] = first;
  for (; s->word_count < count; s->word_count++) {
    const char *word = list[s->word_count];
    snprintf(s->word[s->word_count], CHIP_FILE_WORD, "%s", begins(word, "accessor:") ? word + 9 : word);
  }
  return true;
}

/* --- lists for the compiler --- */

struct text {
  char *at;
  size_t length, capacity;
  bool full;
};

__attribute__((format(printf, 2, 3))) static void append(struct text *t, const char *format, ...) {
  char part[CHIP_FILE_WORD + 64];
  va_list args;
  va_start(args, format);
  size_t length = (size_t)vsnprintf(part, sizeof part, format, args);
  va_end(args);
  if (!cli_reserve((void **)&t->at, &t->capacity, t->length + length + 1, 1)) {
    t->full = true;
    return;
  }
  memcpy(t->at + t->length, part, length + 1);
  t->length += length;
}

enum space { ARGS, BUFFERS, SEMAPHORE_NAMES, TENSORS, SCRATCHPADS, SPACES };
static const char *const space_names[SPACES] = {"args", "dfb", "sem", "tensor", "scratch"};
static const char *const macros[SPACES] = {"KERNEL_ARG_NAMES", "KERNEL_BUFFER_NAMES", "KERNEL_SEMAPHORE_NAMES",
                                           "KERNEL_TENSOR_NAMES", "KERNEL_SCRATCH_NAMES"};

/* What one kernel gets. */
struct names {
  const struct chip_description *d;
  unsigned role;
  struct text list[SPACES]; /* KERNEL_RTA(count, 0) KERNEL_CTA(block, 4) ... */
  struct text map;          /* {"block", 4}, */
  struct kernel_word_list words;
  unsigned named_args, named_common, positional;
};

/* Whether the list has the name already, which then has two meanings. */
static bool has_name(const struct text *list, const char *name, size_t length) {
  for (const char *at = list->at; at && (at = strchr(at, '(')); at++)
    if (strncmp(at + 1, name, length) == 0 && at[1 + length] == ',') return true;
  return false;
}

static bool add_name(struct names *n, enum space space, const struct chip_statement *s, const char *name, const char *macro,
                     const char *value) {
  size_t length = strcspn(name, "=");
  if (!check_name(n->d, s->line, name, length)) return false;
  if (has_name(&n->list[space], name, length))
    return chip_file_refuse(n->d, s->line, "%s::%.*s is named twice for %s", space_names[space], (int)length, name,
                            chip_role_name(n->role));
  append(&n->list[space], "%s(%.*s,%s) ", macro, (int)length, name, value);
  return true;
}

static bool is_of(const struct names *n, const struct chip_statement *s) {
  return s->role == n->role || s->role == CHIP_ALL_ROLES;
}

static bool name_args(struct names *n, const struct chip_statement *s) {
  bool common = s->role == CHIP_COMMON;
  unsigned *end = common ? &n->named_common : &n->named_args;
  if (!common && !is_of(n, s)) return true;
  for (unsigned k = 0; k < s->word_count; k++) {
    char offset[16];
    unsigned at = (unsigned)s->number[0] + k;
    if (chip_word_value(s->word[k]) == s->word[k]) continue;
    snprintf(offset, sizeof offset, "%u", 4 * at);
    if (!add_name(n, ARGS, s, s->word[k], common ? "KERNEL_CRTA" : "KERNEL_RTA", offset)) return false;
    if (*end < at + 1) *end = at + 1;
  }
  return true;
}

static bool name_buffer(struct names *n, const struct chip_statement *s) {
  char index[16];
  snprintf(index, sizeof index, "%u", (unsigned)s->number[0]);
  return !s->label[0] || add_name(n, BUFFERS, s, s->label, "KERNEL_DFB", index);
}

/* --- compile-time arguments --- */

static bool add_word(struct names *n, uint32_t value) {
  if (n->words.count < KERNEL_WORD_LIST) n->words.words[n->words.count++] = value;
  else n->words.full = true;
  return true;
}

static bool add_positional(struct names *n, const struct chip_statement *s, const char *word) {
  uint32_t value;
  int found = kernel_word(n->d, word, &value);
  if (found) return found > 0 && add_word(n, value);
  if (!begins(word, "accessor:"))
    return chip_file_refuse(n->d, s->line, "'%s' is neither a 32-bit number nor accessor:TENSOR", word);
  const struct chip_statement *t = tensor_of(n->d, word + 9);
  return t ? kernel_accessor(n->d, t, &n->words)
           : chip_file_refuse(n->d, s->line, "%s: there is no tensor %s", word, word + 9);
}

static bool index_of(const struct names *n, const struct chip_statement *s, const char *word, const char *digits,
                     uint64_t *index) {
  return (cli_parse_u64(digits, index) && *index < SEMAPHORES) ||
         chip_file_refuse(n->d, s->line, "%s: the index must be below %u", word, SEMAPHORES);
}

static bool has_buffer(const struct chip_description *d, uint64_t index) {
  for (size_t i = 0; i < d->count; i++)
    if (d->statements[i].kind == CHIP_BUFFER && d->statements[i].number[0] == index) return true;
  return false;
}

static bool name_scratchpad(struct names *n, const struct chip_statement *s, const char *word, const char *bytes) {
  uint64_t size;
  char value[48];
  if (!cli_parse_u64(bytes, &size) || !size || size % 4 || size > TESSERA_L1_BYTES)
    return chip_file_refuse(n->d, s->line, "%s: a scratchpad has a multiple of 4 bytes, in L1", word);
  snprintf(value, sizeof value, "%u,%u", common_end(n->d) + address_of(n->d, word, NULL), (unsigned)size);
  return add_name(n, SCRATCHPADS, s, word, "KERNEL_SCRATCH", value);
}

static bool name_tensor(struct names *n, const struct chip_statement *s, const char *word, const char *tensor) {
  const struct chip_statement *t = tensor_of(n->d, tensor);
  char value[48];
  if (!t) return chip_file_refuse(n->d, s->line, "%s: there is no tensor %s", word, tensor);
  snprintf(value, sizeof value, "%u,%u", n->words.count, 4 * (common_end(n->d) + address_of(n->d, word, NULL)));
  return add_name(n, TENSORS, s, word, "KERNEL_TENSOR", value) && kernel_accessor(n->d, t, &n->words);
}

static bool name_number(struct names *n, const struct chip_statement *s, const char *word, uint32_t number) {
  char value[16];
  snprintf(value, sizeof value, "%uu", (unsigned)number);
  append(&n->map, "{\"%.*s\",%s},", (int)strcspn(word, "="), word, value);
  return add_name(n, ARGS, s, word, "KERNEL_CTA", value);
}

static bool name_word(struct names *n, const struct chip_statement *s, const char *word, const char *value) {
  uint64_t index;
  uint32_t number;
  char digits[16];
  if (begins(value, "accessor:")) return name_tensor(n, s, word, value + 9);
  if (begins(value, "scratch:")) return name_scratchpad(n, s, word, value + 8);
  bool buffer = begins(value, "buffer:");
  if (buffer || begins(value, "semaphore:")) {
    if (!index_of(n, s, word, strchr(value, ':') + 1, &index)) return false;
    if (buffer && !has_buffer(n->d, index))
      return chip_file_refuse(n->d, s->line, "%s: there is no buffer %u", word, (unsigned)index);
    snprintf(digits, sizeof digits, "%u", (unsigned)index);
    return buffer ? add_name(n, BUFFERS, s, word, "KERNEL_DFB", digits)
                  : add_name(n, SEMAPHORE_NAMES, s, word, "KERNEL_SEM", digits);
  }
  int found = kernel_word(n->d, value, &number);
  if (found) return found > 0 && name_number(n, s, word, number);
  return chip_file_refuse(
      n->d, s->line, "'%s' is neither a 32-bit number nor accessor:TENSOR, buffer:INDEX, semaphore:INDEX or scratch:BYTES",
      value);
}

/* Words without a name come first, so that names change no index. */
static bool add_compile(struct names *n, bool named) {
  for (size_t i = 0; i < n->d->count; i++) {
    const struct chip_statement *s = &n->d->statements[i];
    for (unsigned k = 0; s->kind == CHIP_COMPILE && is_of(n, s) && k < s->word_count; k++) {
      const char *word = s->word[k], *value = chip_word_value(word);
      if ((value != word) != named) continue;
      if (!(named ? name_word(n, s, word, value) : add_positional(n, s, word))) return false;
      if (n->words.full)
        return chip_file_refuse(n->d, s->line, "a kernel has %u compile-time arguments at most", KERNEL_WORD_LIST);
    }
  }
  return true;
}

/* --- the whole --- */

static bool collect(struct names *n) {
  for (size_t i = 0; i < n->d->count; i++) {
    const struct chip_statement *s = &n->d->statements[i];
    if (s->kind == CHIP_ARGS && !name_args(n, s)) return false;
    if (s->kind == CHIP_BUFFER && !name_buffer(n, s)) return false;
  }
  if (!add_compile(n, false)) return false;
  n->positional = n->words.count;
  return add_compile(n, true);
}

static bool out_of_memory(const struct names *n) {
  bool full = n->map.full;
  for (unsigned i = 0; i < SPACES; i++) full |= n->list[i].full;
  return full;
}

static void define(const struct names *n, struct kernel_words *w) {
  struct text words = {0};
  for (unsigned k = 0; k < n->words.count; k++) append(&words, "%s%uu", k ? "," : "", (unsigned)n->words.words[k]);
  if (words.length) kernel_words_add(w, "-DKERNEL_COMPILE_TIME_ARGS=%s", words.at);
  free(words.at);
  for (unsigned i = 0; i < SPACES; i++)
    if (n->list[i].length) kernel_words_add(w, "-D%s=%s", macros[i], n->list[i].at);
  if (n->map.length) kernel_words_add(w, "-DKERNEL_NAMED_COMPILE_ARGS=%s", n->map.at);
  if (n->named_args) kernel_words_add(w, "-DKERNEL_NAMED_ARGS=%u", n->named_args);
  if (n->named_common) kernel_words_add(w, "-DKERNEL_NAMED_COMMON_ARGS=%u", n->named_common);
  if (n->positional) kernel_words_add(w, "-DKERNEL_COMPILE_VARARGS=%u", n->positional);
}

static bool of_role(const struct chip_description *d, unsigned role, struct kernel_words *w) {
  struct names *n = calloc(1, sizeof *n);
  bool good = n != NULL;
  if (good) n->d = d, n->role = role;
  good = good && collect(n);
  if (good && out_of_memory(n)) good = chip_file_refuse(d, 0, "out of memory");
  if (good && w) define(n, w);
  for (unsigned i = 0; n && i < SPACES; i++) free(n->list[i].at);
  if (n) free(n->map.at);
  free(n);
  return good;
}

bool kernel_names_describe(struct chip_description *d) {
  if (!add_addresses(d)) return false;
  for (unsigned role = 0; role < CHIP_ROLES; role++)
    if (!of_role(d, role, NULL)) return false;
  return true;
}

bool kernel_names_add(const struct chip_description *d, unsigned role, struct kernel_words *w) {
  return of_role(d, role, w);
}
