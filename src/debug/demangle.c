/* See demangle.h. Itanium C++ ABI, 5.1 "External names". Each function consumes one production at the front of the input and appends
 * its text; the first unsupported construct sets `bad`, which stops all further parsing. */
#include "debug/demangle.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define DEPTH_MAX 32u
#define KEPT_MAX 48u /* substitution candidates */
#define NAME_MAX_LENGTH 1024u

struct parser {
  const char *at, *end;
  char *text;
  size_t used, size;
  unsigned depth, kept_count;
  struct {
    size_t from, to;
  } kept[KEPT_MAX]; /* pieces of `text` to which S_, S0_ ... refer */
  bool bad;
};

static void type(struct parser *p);
static void name(struct parser *p);

/* --- input and output --- */

static char peek(const struct parser *p) { return p->at < p->end ? *p->at : '\0'; }

static bool take(struct parser *p, char c) {
  if (p->bad || peek(p) != c) return false;
  p->at++;
  return true;
}

static bool take_two(struct parser *p, const char *two) {
  if (p->bad || p->end - p->at < 2 || p->at[0] != two[0] || p->at[1] != two[1]) return false;
  p->at += 2;
  return true;
}

static void put(struct parser *p, const char *text, size_t length) {
  if (p->bad || length >= p->size - p->used) {
    p->bad = true;
    return;
  }
  memmove(p->text + p->used, text, length);
  p->used += length;
}

static void put_text(struct parser *p, const char *text) { put(p, text, strlen(text)); }

static void keep(struct parser *p, size_t from) {
  if (p->kept_count == KEPT_MAX) p->bad = true;
  else if (!p->bad) {
    p->kept[p->kept_count].from = from;
    p->kept[p->kept_count++].to = p->used;
  }
}

/* Bounds the recursion. */
static bool enter(struct parser *p) {
  if (p->bad || ++p->depth > DEPTH_MAX) p->bad = true;
  return !p->bad;
}

static size_t number(struct parser *p) {
  size_t n = 0;
  if (peek(p) < '0' || peek(p) > '9') p->bad = true;
  while (peek(p) >= '0' && peek(p) <= '9' && n < NAME_MAX_LENGTH) n = n * 10 + (size_t)(*p->at++ - '0');
  return n;
}

/* --- names --- */

static void source_name(struct parser *p) {
  size_t length = number(p);
  if (p->bad || length == 0 || length > (size_t)(p->end - p->at)) {
    p->bad = true;
    return;
  }
  if (length >= 10 && memcmp(p->at, "_GLOBAL__N", 10) == 0) put_text(p, "(anonymous namespace)");
  else put(p, p->at, length);
  p->at += length;
}

static bool operator_name(struct parser *p) {
  static const struct {
    char code[3];
    const char *text;
  } operators[] = {
      {"cl", "operator()"}, {"ix", "operator[]"}, {"aS", "operator="},  {"eq", "operator=="}, {"ne", "operator!="},
      {"lt", "operator<"},  {"gt", "operator>"},  {"le", "operator<="}, {"ge", "operator>="}, {"pl", "operator+"},
      {"mi", "operator-"},  {"ml", "operator*"},  {"dv", "operator/"},  {"an", "operator&"},  {"or", "operator|"},
      {"eo", "operator^"},  {"ls", "operator<<"}, {"rs", "operator>>"}, {"pL", "operator+="}, {"mI", "operator-="},
      {"pp", "operator++"}, {"mm", "operator--"}, {"nt", "operator!"},  {"co", "operator~"},  {"pt", "operator->"}};
  for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++)
    if (take_two(p, operators[i].code)) {
      put_text(p, operators[i].text);
      return true;
    }
  return false;
}

/* Constructors and destructors repeat the class, whose name began at `class_from`. */
static bool structor(struct parser *p, size_t class_from, size_t class_to) {
  bool destroys = peek(p) == 'D';
  if ((peek(p) != 'C' && !destroys) || p->end - p->at < 2 || p->at[1] < '0' || p->at[1] > '5') return false;
  p->at += 2;
  if (destroys) put_text(p, "~");
  put(p, p->text + class_from, class_to - class_from);
  return true;
}

/* Ul <types> E [number] _ : a lambda; Ut [number] _ : a type without a name. */
static bool unnamed(struct parser *p) {
  bool lambda = take_two(p, "Ul");
  if (!lambda && !take_two(p, "Ut")) return false;
  put_text(p, lambda ? "{lambda" : "{unnamed");
  while (lambda && !p->bad && !take(p, 'E')) {
    put_text(p, " ");
    type(p);
  }
  while (peek(p) >= '0' && peek(p) <= '9') p->at++;
  if (!take(p, '_')) p->bad = true;
  put_text(p, "}");
  return true;
}

static void unqualified(struct parser *p, size_t class_from, size_t class_to) {
  take(p, 'L'); /* internal linkage */
  if (structor(p, class_from, class_to) || unnamed(p) || operator_name(p)) return;
  source_name(p);
  while (take(p, 'B')) { /* ABI tags */
    put_text(p, "[abi:");
    source_name(p);
    put_text(p, "]");
  }
}

/* --- template arguments --- */

static void literal_value(struct parser *p, char kind) {
  const char *suffix = kind == 'j'   ? "u"
                       : kind == 'm' ? "ul"
                       : kind == 'l' ? "l"
                       : kind == 'y' ? "ull"
                       : kind == 'x' ? "ll"
                                     : "";
  if (kind == 'b' && (peek(p) == '0' || peek(p) == '1')) {
    put_text(p, *p->at++ == '1' ? "true" : "false");
    return;
  }
  if (take(p, 'n')) put_text(p, "-");
  const char *from = p->at;
  while (p->at < p->end && *p->at != 'E') p->at++;
  put(p, from, (size_t)(p->at - from));
  put_text(p, suffix);
}

/* L <type> <value> E, or L _Z <name> <types> E */
static void literal(struct parser *p) {
  if (take_two(p, "_Z")) {
    name(p);
    size_t used = p->used;
    while (!p->bad && peek(p) != 'E') type(p);
    p->used = used; /* only the name is shown */
  } else {
    char kind = peek(p);
    bool plain = strchr("bijlmxystach", kind ? kind : '?') != NULL;
    if (plain) {
      p->at++;
    } else {
      put_text(p, "(");
      type(p);
      put_text(p, ")");
    }
    literal_value(p, plain ? kind : '\0');
  }
  if (!take(p, 'E')) p->bad = true;
}

static void argument(struct parser *p) {
  if (take(p, 'L')) {
    literal(p);
  } else if (take(p, 'J')) {
    for (bool first = true; !p->bad && !take(p, 'E'); first = false) {
      if (!first) put_text(p, ", ");
      argument(p);
    }
  } else {
    type(p); /* expressions (X) are not supported */
  }
}

static void arguments(struct parser *p) {
  if (!enter(p)) return;
  put_text(p, "<");
  for (bool first = true; !p->bad && !take(p, 'E'); first = false) {
    if (!first) put_text(p, ", ");
    argument(p);
  }
  put_text(p, ">");
  p->depth--;
}

/* --- substitutions and nested names --- */

static bool substitution(struct parser *p) {
  size_t index = 0;
  if (peek(p) != 'S' || p->end - p->at < 2 || p->at[1] == 't') return false;
  p->at++;
  if (!take(p, '_')) {
    for (; !p->bad && peek(p) != '_' && index < KEPT_MAX; p->at++) {
      char c = peek(p);
      if (c >= '0' && c <= '9') index = index * 36 + (size_t)(c - '0');
      else if (c >= 'A' && c <= 'Z') index = index * 36 + (size_t)(c - 'A') + 10;
      else p->bad = true; /* Sa, Ss ...: std's own, not in kernels */
    }
    index++;
    if (!take(p, '_')) p->bad = true;
  }
  if (p->bad || index >= p->kept_count) {
    p->bad = true;
    return true;
  }
  put(p, p->text + p->kept[index].from, p->kept[index].to - p->kept[index].from);
  return true;
}

/* N [qualifiers] <prefix> ... E */
static void nested(struct parser *p) {
  size_t from = p->used, last_from = p->used, last_to = p->used;
  while (take(p, 'r') || take(p, 'V') || take(p, 'K') || take(p, 'R') || take(p, 'O')) continue;
  for (bool first = true; !p->bad && !take(p, 'E'); first = false) {
    if (peek(p) == 'I') {
      p->at++;
      arguments(p);
    } else if (first && substitution(p)) {
      continue; /* known already */
    } else {
      if (!first) put_text(p, "::");
      size_t begin = p->used;
      if (first && take_two(p, "St")) {
        put_text(p, "std");
        continue;
      }
      unqualified(p, last_from, last_to);
      last_from = begin;
      last_to = p->used;
    }
    keep(p, from);
  }
}

static void name(struct parser *p) {
  if (!enter(p)) return;
  size_t from = p->used;
  if (take(p, 'N')) {
    nested(p);
  } else if (substitution(p)) {
    if (take(p, 'I')) arguments(p), keep(p, from);
  } else {
    if (take_two(p, "St")) put_text(p, "std::");
    unqualified(p, from, from);
    if (peek(p) == 'I') {
      p->at++;
      keep(p, from);
      arguments(p);
    }
  }
  p->depth--;
}

/* --- types --- */

static const char *builtin(char c) {
  static const char *const names[26] = {['v' - 'a'] = "void",
                                        ['b' - 'a'] = "bool",
                                        ['c' - 'a'] = "char",
                                        ['a' - 'a'] = "signed char",
                                        ['h' - 'a'] = "unsigned char",
                                        ['s' - 'a'] = "short",
                                        ['t' - 'a'] = "unsigned short",
                                        ['i' - 'a'] = "int",
                                        ['j' - 'a'] = "unsigned int",
                                        ['l' - 'a'] = "long",
                                        ['m' - 'a'] = "unsigned long",
                                        ['x' - 'a'] = "long long",
                                        ['y' - 'a'] = "unsigned long long",
                                        ['f' - 'a'] = "float",
                                        ['d' - 'a'] = "double",
                                        ['z' - 'a'] = "..."};
  return c >= 'a' && c <= 'z' ? names[c - 'a'] : NULL;
}

/* F <return> <parameters> E */
static void function_type(struct parser *p) {
  type(p);
  put_text(p, " (");
  for (bool first = true; !p->bad && !take(p, 'E'); first = false) {
    if (!first) put_text(p, ", ");
    type(p);
  }
  put_text(p, ")");
}

static void array_type(struct parser *p) {
  char length[24];
  snprintf(length, sizeof length, "[%zu]", number(p));
  if (!take(p, '_')) p->bad = true;
  type(p);
  put_text(p, length);
}

static const char *suffix_of(struct parser *p) {
  if (take(p, 'P')) return "*";
  if (take(p, 'R')) return "&";
  if (take(p, 'O')) return "&&";
  if (take(p, 'K')) return " const";
  if (take(p, 'V')) return " volatile";
  if (take(p, 'r')) return " restrict";
  return NULL;
}

static void type(struct parser *p) {
  if (!enter(p)) return;
  size_t from = p->used;
  const char *plain = builtin(peek(p)), *suffix = plain ? NULL : suffix_of(p);
  if (plain) {
    p->at++;
    put_text(p, plain);
  } else if (suffix) {
    type(p);
    put_text(p, suffix);
    keep(p, from);
  } else if (take(p, 'F')) {
    function_type(p);
    keep(p, from);
  } else if (take(p, 'A')) {
    array_type(p);
    keep(p, from);
  } else if (take_two(p, "Dn")) {
    put_text(p, "nullptr_t");
  } else {
    bool known = peek(p) == 'S' && p->end - p->at > 1 && p->at[1] != 't', nests = peek(p) == 'N';
    name(p);
    if (!known && !nests) keep(p, from);
  }
  p->depth--;
}

/* --- the whole --- */

bool dbg_demangle(const char *mangled, char *text, size_t size) {
  if (size) text[0] = '\0';
  size_t length = strnlen(mangled, NAME_MAX_LENGTH);
  if (size == 0 || length == NAME_MAX_LENGTH || strncmp(mangled, "_Z", 2) != 0) return false;
  const char *clone = strchr(mangled, '.'); /* .constprop.0, .isra.0: clones made by the compiler */
  struct parser p = {.at = mangled + 2, .end = clone ? clone : mangled + length, .text = text, .size = size};
  name(&p);
  if (!p.bad && clone) {
    put_text(&p, " [");
    put_text(&p, clone + 1);
    put_text(&p, "]");
  }
  text[p.bad ? 0 : p.used] = '\0';
  return !p.bad;
}

void dbg_readable_name(const char *mangled, char *text, size_t size) {
  if (!dbg_demangle(mangled, text, size) && size) snprintf(text, size, "%s", mangled);
}
