/* The names of symbols.h: one hash table; predefined names enter it at their first use. */
#include "tensix/isa/symbols.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tensix/isa/lex.h"

struct constant {
  const char *name;
  uint32_t value;
};

static const struct constant constants[] = {
#define CONSTANT(group, name, value) {#group "." #name, (value)},
#include "chips/blackhole/constants.def"
#undef CONSTANT
};
#define CONSTANT_COUNT (sizeof constants / sizeof constants[0])

/* A constant without a group is spelt without the dot. */
static const char *spelling(const struct constant *constant) { return constant->name + (constant->name[0] == '.'); }

static uint32_t config_mask(const struct tx_config_field *field) {
  return field->width >= 32 ? 0xffffffffu : ((1u << field->width) - 1u) << field->shift;
}

/* --- predefined names --- */

static bool find_constant(struct tx_symbol *symbol) {
  for (size_t i = 0; i < CONSTANT_COUNT; i++) {
    if (!tx_lex_same(symbol->name, symbol->length, spelling(&constants[i]))) continue;
    symbol->value = constants[i].value;
    return true;
  }
  return false;
}

static const struct tx_config_field *find_config(const char *name, size_t length) {
  for (size_t i = 0; i < tx_config_field_count; i++) {
    const char *known = tx_config_fields[i].name;
    if (strncmp(known, name, length) == 0 && known[length] == '\0') return &tx_config_fields[i];
  }
  return NULL;
}

static void use_address(struct tx_symbol *symbol, const struct tx_config_field *field) {
  symbol->value = field->addr;
  symbol->space = field->thread ? TX_SPACE_THREAD : TX_SPACE_CONFIG;
}

static bool find_register(struct tx_symbol *symbol) {
  static const struct {
    const char *text;
    char part;
  } suffixes[] = {{".addr", 'a'}, {"_ADDR32", 'a'}, {".shift", 's'}, {"_SHAMT", 's'},
                  {".mask", 'm'}, {"_MASK", 'm'},   {".width", 'w'}};
  const struct tx_config_field *field = find_config(symbol->name, symbol->length);
  if (field) {
    use_address(symbol, field);
    return true;
  }
  for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
    size_t length = strlen(suffixes[i].text);
    if (symbol->length <= length) continue;
    size_t base = symbol->length - length;
    if (strncmp(symbol->name + base, suffixes[i].text, length) != 0) continue;
    field = find_config(symbol->name, base);
    if (field == NULL) return false;
    switch (suffixes[i].part) {
      case 'a': use_address(symbol, field); break;
      case 's': symbol->value = field->shift; break;
      case 'm': symbol->value = config_mask(field); break;
      default: symbol->value = field->width; break;
    }
    return true;
  }
  return false;
}

/* --- the table --- */

static size_t hash(const char *name, size_t length) {
  uint32_t h = 2166136261u; /* FNV-1a */
  for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)name[i]) * 16777619u;
  return h;
}

/* The slot that holds the name, or the free slot for it. */
static struct tx_symbol *slot_of(const struct tx_symbols *symbols, const char *name, size_t length) {
  size_t mask = symbols->capacity - 1;
  for (size_t i = hash(name, length) & mask;; i = (i + 1) & mask) {
    struct tx_symbol *slot = &symbols->slots[i];
    if (slot->name == NULL) return slot;
    if (slot->length == length && memcmp(slot->name, name, length) == 0) return slot;
  }
}

static bool grow(struct tx_symbols *symbols) {
  if (symbols->count >= TX_SYMBOLS_MAX) return false;
  if (symbols->count * 2 < symbols->capacity) return true;
  struct tx_symbols larger = {.capacity = symbols->capacity ? symbols->capacity * 2 : 64, .count = symbols->count};
  larger.slots = calloc(larger.capacity, sizeof *larger.slots);
  if (larger.slots == NULL) return false;
  for (size_t i = 0; i < symbols->capacity; i++) {
    const struct tx_symbol *old = &symbols->slots[i];
    if (old->name) *slot_of(&larger, old->name, old->length) = *old;
  }
  free(symbols->slots);
  *symbols = larger;
  return true;
}

struct tx_symbol *tx_symbols_add(struct tx_symbols *symbols, const char *name, size_t length) {
  if (!grow(symbols)) return NULL;
  struct tx_symbol *slot = slot_of(symbols, name, length);
  if (slot->name == NULL) symbols->count++;
  *slot = (struct tx_symbol){.name = name, .length = length};
  return slot;
}

struct tx_symbol *tx_symbols_find(struct tx_symbols *symbols, const char *name, size_t length) {
  if (symbols->capacity) {
    struct tx_symbol *slot = slot_of(symbols, name, length);
    if (slot->name) return slot;
  }
  struct tx_symbol found = {.name = name, .length = length, .known = true};
  if (!find_constant(&found) && !find_register(&found)) return NULL;
  struct tx_symbol *slot = tx_symbols_add(symbols, name, length);
  if (slot) *slot = found;
  return slot;
}

void tx_symbols_free(struct tx_symbols *symbols) {
  free(symbols->slots);
  *symbols = (struct tx_symbols){0};
}

/* --- did you mean --- */

#define NEAR_LENGTH_MAX 63u
#define NEAR_EDITS_MAX 2u

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

/* Edit distance of two names: letters to insert, remove or change; case is ignored. */
static unsigned edits_between(const char *a, size_t a_length, const char *b, size_t b_length) {
  unsigned row[NEAR_LENGTH_MAX + 1];
  for (size_t j = 0; j <= b_length; j++) row[j] = (unsigned)j;
  for (size_t i = 1; i <= a_length; i++) {
    unsigned diagonal = row[0];
    row[0] = (unsigned)i;
    for (size_t j = 1; j <= b_length; j++) {
      unsigned above = row[j];
      bool same = tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[j - 1]);
      row[j] = least(least(above, row[j - 1]) + 1, diagonal + !same);
      diagonal = above;
    }
  }
  return row[b_length];
}

struct nearest {
  char text[NEAR_LENGTH_MAX + 1]; /* the text, with . for :: */
  size_t length;
  const char *best;
  unsigned edits; /* of the best */
};

static void consider(struct nearest *nearest, const char *name) {
  size_t length = strlen(name);
  size_t apart = length > nearest->length ? length - nearest->length : nearest->length - length;
  if (nearest->length == 0 || nearest->length > NEAR_LENGTH_MAX || length > NEAR_LENGTH_MAX || apart >= nearest->edits)
    return;
  if (tolower((unsigned char)name[0]) != tolower((unsigned char)nearest->text[0])) return;
  unsigned edits = edits_between(nearest->text, nearest->length, name, length);
  if (edits >= nearest->edits) return;
  nearest->edits = edits;
  nearest->best = name;
}

/* In a short name two changed letters make another word. For a name that is too long the length is set to 0, so that it
 * matches none. */
static struct nearest nearest_to(const char *name, size_t length) {
  struct nearest nearest = {.edits = length < 5 ? NEAR_EDITS_MAX : NEAR_EDITS_MAX + 1};
  if (length > NEAR_LENGTH_MAX) return nearest;
  for (size_t i = 0; i < length; i++) {
    if (name[i] == ':') i++;
    nearest.text[nearest.length++] = name[i] == ':' ? '.' : name[i];
  }
  return nearest;
}

const char *tx_nearest_name(const char *name, size_t length) {
  struct nearest nearest = nearest_to(name, length);
  for (size_t i = 0; i < CONSTANT_COUNT; i++) consider(&nearest, spelling(&constants[i]));
  for (size_t i = 0; i < tx_config_field_count; i++) consider(&nearest, tx_config_fields[i].name);
  return nearest.best;
}

const char *tx_nearest_op(const char *name, size_t length) {
  struct nearest nearest = nearest_to(name, length);
  for (size_t i = 0; i < 256; i++) {
    if (tx_ops[i].name) consider(&nearest, tx_ops[i].name);
  }
  return nearest.best;
}
