/* The formatter of format.h. */
#include "sim/format.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct place {
  char *out;
  size_t size, length; /* length keeps counting when the text does not fit */
};

struct conversion {
  unsigned width, precision; /* precision UINT_MAX: none */
  bool left, zeros;
  char longs; /* 0, 1: l, 2: ll, 'z' */
  char kind;
};

static void put(struct place *p, const char *from, size_t n) {
  if (p->length < p->size) {
    size_t room = p->size - p->length;
    memcpy(p->out + p->length, from, n < room ? n : room);
  }
  p->length += n;
}

static void fill(struct place *p, char with, size_t n) {
  if (p->length < p->size) {
    size_t room = p->size - p->length;
    memset(p->out + p->length, with, n < room ? n : room);
  }
  p->length += n;
}

/* The first `sign` characters of the text precede the padding zeros. */
static void put_field(struct place *p, const struct conversion *c, const char *from, size_t n, size_t sign) {
  size_t gap = c->width > n ? c->width - n : 0;
  if (!gap) {
    put(p, from, n);
  } else if (c->left) {
    put(p, from, n);
    fill(p, ' ', gap);
  } else if (c->zeros) {
    put(p, from, sign);
    fill(p, '0', gap);
    put(p, from + sign, n - sign);
  } else {
    fill(p, ' ', gap);
    put(p, from, n);
  }
}

static void put_number(struct place *p, const struct conversion *c, unsigned long long value, bool negative) {
  char digits[24], *end = digits + sizeof digits, *at = end;
  const char *names = c->kind == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
  if (c->kind == 'x' || c->kind == 'X')
    for (; value || at == end; value >>= 4) *--at = names[value & 15u];
  else
    for (; value || at == end; value /= 10) *--at = (char)('0' + value % 10);
  if (negative) *--at = '-';
  put_field(p, c, at, (size_t)(end - at), negative);
}

static unsigned number_at(const char **at) {
  unsigned value = 0;
  while (**at >= '0' && **at <= '9' && value < 100000) value = 10 * value + (unsigned)(*(*at)++ - '0');
  return value;
}

/* Parses a conversion after %. false: vsnprintf has to do it. */
static bool take_conversion(const char **at, struct conversion *c) {
  *c = (struct conversion){.precision = UINT_MAX};
  for (;; (*at)++) {
    if (**at == '-') c->left = true;
    else if (**at == '0') c->zeros = true;
    else break;
  }
  c->width = number_at(at);
  if (**at == '.') {
    (*at)++;
    if (**at < '0' || **at > '9') return false;
    c->precision = number_at(at);
  }
  for (; **at == 'l' || **at == 'z'; (*at)++) c->longs = **at == 'z' ? 'z' : (char)(c->longs + 1);
  c->kind = *(*at)++;
  if (c->kind == 's') return !c->longs;
  return c->kind && strchr("diuxXc%", c->kind) && c->precision == UINT_MAX && (!c->longs || !strchr("c%", c->kind));
}

static void put_signed(struct place *p, const struct conversion *c, long long value) {
  put_number(p, c, value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value, value < 0);
}

static void put_string(struct place *p, const struct conversion *c, const char *value) {
  put_field(p, c, value, c->precision == UINT_MAX ? strlen(value) : strnlen(value, c->precision), 0);
}

/* Formats up to the first conversion that vsnprintf has to do; false: there is one. */
static bool format_known(struct place *p, const char *at, va_list args) {
  while (*at) {
    const char *next = strchr(at, '%');
    struct conversion c;
    put(p, at, next ? (size_t)(next - at) : strlen(at));
    if (!next) break;
    at = next + 1;
    if (!take_conversion(&at, &c)) return false;
    char one = '%';
    if (c.kind == 's') put_string(p, &c, va_arg(args, const char *));
    else if (c.kind == 'c') one = (char)va_arg(args, int), put_field(p, &c, &one, 1, 0);
    else if (c.kind == '%') put(p, &one, 1);
    else if (c.kind == 'd' || c.kind == 'i')
      put_signed(p, &c, c.longs == 2 ? va_arg(args, long long) : c.longs ? va_arg(args, long) : va_arg(args, int));
    else if (c.longs == 'z') put_number(p, &c, va_arg(args, size_t), false);
    else if (c.longs == 2) put_number(p, &c, va_arg(args, unsigned long long), false);
    else put_number(p, &c, c.longs ? va_arg(args, unsigned long) : va_arg(args, unsigned), false);
  }
  return true;
}

size_t sim_format_list(char *out, size_t size, const char *format, va_list args) {
  struct place p = {.out = out, .size = size ? size - 1 : 0};
  va_list again;
  va_copy(again, args);
  if (!format_known(&p, format, args)) {
    int n = vsnprintf(out, size, format, again);
    p.length = n > 0 ? (size_t)n : 0;
  } else if (size) {
    out[p.length < p.size ? p.length : p.size] = '\0';
  }
  va_end(again);
  return p.length;
}

size_t sim_format(char *out, size_t size, const char *format, ...) {
  va_list args;
  va_start(args, format);
  size_t length = sim_format_list(out, size, format, args);
  va_end(args);
  return length;
}
