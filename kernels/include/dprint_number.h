/* Numbers as text, by the format specifications of DPRINT's holes: {:[[fill]align][sign][#][0][width][.precision][type]}, as the {fmt}
 * library of tt-metal's host writes them. The cores have no floating point: a float's decimal digits are those of an integer,
 * m * 2^e or m * 5^-e / 10^-e, so every digit is exact, and `{}` is the shortest text that reads back as the same float. */
#ifndef TENSIX_DPRINT_NUMBER_H
#define TENSIX_DPRINT_NUMBER_H

#include <stdint.h>

#define DPRINT_OUTLINED static __attribute__((noinline, cold, unused)) /* cold: small, because programs have 24 KiB of L1 */

#define DPRINT_PRECISION_MAX 60
#define DPRINT_WIDTH_MAX 255
#define DPRINT_FIELD 112 /* sign, 39 digits, point, DPRINT_PRECISION_MAX digits; or 0b and 64 digits */

struct dprint_spec {
  char fill, align, sign, type; /* 0: none given; fill has a default */
  uint8_t alternate, zeros;
  int16_t width, precision; /* precision -1: none given */
};

/* A number before it is padded; zeros go between its prefix (sign, 0x) and its digits. */
struct dprint_field {
  char text[DPRINT_FIELD];
  uint32_t length, prefix;
};

DPRINT_OUTLINED void dprint_put(struct dprint_field *f, char c) {
  if (f->length < DPRINT_FIELD) f->text[f->length++] = c;
}

/* --- specifications --- */

static inline int dprint_is_digit(char c) { return c >= '0' && c <= '9'; }
static inline int dprint_is_align(char c) { return c == '<' || c == '>' || c == '^'; }
static inline int dprint_is_one_of(char c, const char *all) {
  while (*all && *all != c) all++;
  return c && *all == c;
}

/* Field by field: without a call of memcpy. */
DPRINT_OUTLINED void dprint_clear(struct dprint_spec *s) {
  s->fill = ' ';
  s->align = s->sign = s->type = 0;
  s->alternate = s->zeros = 0;
  s->width = 0;
  s->precision = -1;
}

DPRINT_OUTLINED const char *dprint_read_number(const char *at, int16_t *value) {
  for (*value = 0; dprint_is_digit(*at); at++)
    if (*value <= 999) *value = (int16_t)(10 * *value + (*at - '0'));
  return at;
}

/* Reads from behind the hole's '{' to behind its '}'. NULL: not a hole. `index` stays as it is unless the hole has one. */
DPRINT_OUTLINED const char *dprint_read_hole(const char *at, struct dprint_spec *s, int16_t *index) {
  dprint_clear(s);
  if (dprint_is_digit(*at)) at = dprint_read_number(at, index);
  if (*at == ':') {
    at++;
    if (at[0] && at[0] != '{' && at[0] != '}' && dprint_is_align(at[1])) s->fill = *at++;
    if (dprint_is_align(*at)) s->align = *at++;
    if (*at == '+' || *at == '-' || *at == ' ') s->sign = *at++;
    if (*at == '#') s->alternate = 1, at++;
    if (*at == '0') s->zeros = 1, at++;
    if (dprint_is_digit(*at)) at = dprint_read_number(at, &s->width);
    if (at[0] == '.' && dprint_is_digit(at[1])) at = dprint_read_number(at + 1, &s->precision);
    if (dprint_is_one_of(*at, "bBcdeEfFgGopsxX")) s->type = *at++;
    if (s->width > DPRINT_WIDTH_MAX) s->width = DPRINT_WIDTH_MAX;
    if (s->precision > DPRINT_PRECISION_MAX) s->precision = DPRINT_PRECISION_MAX;
  }
  return *at == '}' ? at + 1 : 0;
}

/* --- long numbers --- */

/* 31 words of four decimal digits: (4 * 2^24 + 2) * 5^151 has 114 digits. */
#define DPRINT_WORDS 31u
#define DPRINT_DIGITS (4u * DPRINT_WORDS)

struct dprint_long {
  uint16_t words[DPRINT_WORDS];
  uint32_t used;
};

/* n = n * factor + add, both at most 2^16 */
DPRINT_OUTLINED void dprint_multiply(struct dprint_long *n, uint32_t factor, uint32_t add) {
  for (uint32_t i = 0; i < n->used || add; i++) {
    if (i == n->used) n->words[n->used++] = 0;
    uint32_t product = n->words[i] * factor + add;
    n->words[i] = (uint16_t)(product % 10000u);
    add = product / 10000u;
  }
}

/* All DPRINT_DIGITS digits, with zeros before the first one. */
DPRINT_OUTLINED void dprint_digits(const struct dprint_long *n, char *digits) {
  for (uint32_t i = 0; i < DPRINT_WORDS; i++) {
    uint32_t word = i < n->used ? n->words[i] : 0;
    for (char *end = digits + DPRINT_DIGITS - 4 * i, *at = end; at > end - 4; word /= 10) *--at = (char)('0' + word % 10);
  }
}

/* The digits of m * 2^e, or of m * 2^e * 10^-e for a negative e. */
DPRINT_OUTLINED void dprint_expand(uint32_t m, int32_t e, char *digits) {
  struct dprint_long n;
  n.used = 0;
  dprint_multiply(&n, 0, m >> 16);
  dprint_multiply(&n, 65536, m & 0xffffu);
  for (; e >= 16; e -= 16) dprint_multiply(&n, 65536, 0);
  if (e > 0) dprint_multiply(&n, 1u << e, 0);
  for (; e <= -6; e += 6) dprint_multiply(&n, 15625, 0);
  for (; e < 0; e++) dprint_multiply(&n, 5, 0);
  dprint_digits(&n, digits);
}

/* --- floats --- */

/* digits[first] is the first one that is not 0. */
struct dprint_decimal {
  char digits[DPRINT_DIGITS];
  int32_t first, scale; /* weight of digits[i]: 10^(scale - i) */
};

static inline int32_t dprint_exponent(const struct dprint_decimal *d) {
  return d->first < (int32_t)DPRINT_DIGITS ? d->scale - d->first : 0;
}

/* From `first` on. */
DPRINT_OUTLINED void dprint_find_first(struct dprint_decimal *d) {
  for (; d->first < (int32_t)DPRINT_DIGITS && d->digits[d->first] == '0';) d->first++;
}

DPRINT_OUTLINED void dprint_decimal_of(struct dprint_decimal *d, uint32_t m, int32_t e) {
  dprint_expand(m, e, d->digits);
  d->scale = (int32_t)DPRINT_DIGITS - 1 + (e < 0 ? e : 0);
  d->first = 0;
  dprint_find_first(d);
}

/* Zeros from digits[end] on, with one more in the digit before if `up`. */
DPRINT_OUTLINED void dprint_cut(struct dprint_decimal *d, int32_t end, int up) {
  for (int32_t i = end < 0 ? 0 : end; i < (int32_t)DPRINT_DIGITS; i++) d->digits[i] = '0';
  for (int32_t i = end - 1; up && i >= 0; i--) {
    up = d->digits[i] == '9';
    d->digits[i] = up ? '0' : (char)(d->digits[i] + 1);
  }
  d->first -= d->first > 0; /* where a carry ends */
  dprint_find_first(d);
}

/* Rounds to the nearest number with nothing from digits[end] on; between two of them to the even one. */
DPRINT_OUTLINED void dprint_round(struct dprint_decimal *d, int32_t end) {
  if (end >= (int32_t)DPRINT_DIGITS) return;
  int up = end >= 0 && d->digits[end] >= '5', tie = end >= 0 && d->digits[end] == '5';
  for (int32_t i = end + 1; tie && i < (int32_t)DPRINT_DIGITS; i++) tie = d->digits[i] == '0';
  dprint_cut(d, end, tie ? end > 0 && (d->digits[end - 1] & 1) : up);
}

DPRINT_OUTLINED int dprint_compare(const char *a, const char *b, int32_t from) {
  for (int32_t i = from; i < (int32_t)DPRINT_DIGITS; i++)
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  return 0;
}

/* By a loop: without a call of memcpy. */
DPRINT_OUTLINED void dprint_copy(struct dprint_decimal *to, const struct dprint_decimal *from, int32_t start) {
  for (int32_t i = start; i < (int32_t)DPRINT_DIGITS; i++) to->digits[i] = from->digits[i];
  to->first = from->first;
  to->scale = from->scale;
}

/* The shortest decimal that is nearer to m * 2^e than to any other float; of two the nearer one. Returns its digits. */
DPRINT_OUTLINED int32_t dprint_shortest(struct dprint_decimal *d, uint32_t m, int32_t e) {
  char low[DPRINT_DIGITS], high[DPRINT_DIGITS];
  struct dprint_decimal exact;
  uint32_t below = m == 0x800000u && e > -149 ? 1 : 2; /* the float below a power of two is half as far */
  dprint_decimal_of(&exact, 4 * m, e - 2);
  dprint_expand(4 * m - below, e - 2, low);
  dprint_expand(4 * m + 2, e - 2, high);
  int32_t start = exact.first > 0 ? exact.first - 1 : 0; /* before it all digits are 0 */
  dprint_copy(d, &exact, 0);
  for (int32_t count = 1;; count++) {
    int32_t end = exact.first + count;
    int nearer_up = end < (int32_t)DPRINT_DIGITS && exact.digits[end] >= '5';
    for (int turn = 0; turn < 2; turn++) {
      dprint_copy(d, &exact, start);
      dprint_cut(d, end, turn ? !nearer_up : nearer_up);
      int from_low = dprint_compare(d->digits, low, start), to_high = dprint_compare(high, d->digits, start);
      if (m & 1 ? from_low > 0 && to_high > 0 : from_low >= 0 && to_high >= 0) return count;
    }
  }
}

static inline char dprint_digit_at(const struct dprint_decimal *d, int32_t i) {
  return i >= 0 && i < (int32_t)DPRINT_DIGITS ? d->digits[i] : '0';
}

DPRINT_OUTLINED void dprint_put_point(struct dprint_field *f, const struct dprint_spec *s, int32_t decimals) {
  if (decimals > 0 || s->alternate) dprint_put(f, '.');
}

DPRINT_OUTLINED void dprint_put_fixed(struct dprint_field *f, const struct dprint_decimal *d, const struct dprint_spec *s,
                                      int32_t decimals) {
  int32_t i = d->first < d->scale ? d->first : d->scale;
  for (; i <= d->scale; i++) dprint_put(f, dprint_digit_at(d, i));
  dprint_put_point(f, s, decimals);
  for (; i <= d->scale + decimals; i++) dprint_put(f, dprint_digit_at(d, i));
}

DPRINT_OUTLINED void dprint_put_scientific(struct dprint_field *f, const struct dprint_decimal *d,
                                           const struct dprint_spec *s, int32_t decimals, char mark) {
  int32_t exponent = dprint_exponent(d), size = exponent < 0 ? -exponent : exponent;
  dprint_put(f, dprint_digit_at(d, d->first));
  dprint_put_point(f, s, decimals);
  for (int32_t i = 1; i <= decimals; i++) dprint_put(f, dprint_digit_at(d, d->first + i));
  dprint_put(f, mark);
  dprint_put(f, exponent < 0 ? '-' : '+');
  dprint_put(f, (char)('0' + size / 10));
  dprint_put(f, (char)('0' + size % 10));
}

/* Digits up to the last one that is not 0. */
DPRINT_OUTLINED int32_t dprint_significant(const struct dprint_decimal *d) {
  int32_t last = (int32_t)DPRINT_DIGITS - 1;
  while (last > d->first && d->digits[last] == '0') last--;
  return d->first > last ? 1 : last - d->first + 1;
}

/* Like printf's %g: with `count` digits, in the fixed form for exponents from -4 to below `limit`. */
DPRINT_OUTLINED void dprint_put_general(struct dprint_field *f, const struct dprint_decimal *d, const struct dprint_spec *s,
                                        int32_t count, int32_t limit) {
  int32_t exponent = dprint_exponent(d);
  char mark = s->type == 'G' || s->type == 'E' ? 'E' : 'e';
  if (exponent < -4 || exponent >= limit) dprint_put_scientific(f, d, s, count - 1, mark);
  else dprint_put_fixed(f, d, s, count - 1 > exponent ? count - 1 - exponent : 0);
}

#define DPRINT_FLOAT_LIMIT 7 /* exponent from which {} takes the scientific form */

DPRINT_OUTLINED void dprint_put_magnitude(struct dprint_field *f, uint32_t m, int32_t e, const struct dprint_spec *s) {
  struct dprint_decimal d;
  int32_t precision = s->precision < 0 ? 6 : s->precision;
  if (!s->type && s->precision < 0 && m) {
    int32_t count = dprint_shortest(&d, m, e);
    dprint_put_general(f, &d, s, count, DPRINT_FLOAT_LIMIT);
    return;
  }
  dprint_decimal_of(&d, m, e);
  if (s->type == 'f' || s->type == 'F') {
    dprint_round(&d, d.scale + 1 + precision);
    dprint_put_fixed(f, &d, s, precision);
  } else if (s->type == 'e' || s->type == 'E') {
    dprint_round(&d, d.first + 1 + precision);
    dprint_put_scientific(f, &d, s, precision, s->type);
  } else {
    precision += precision == 0;
    dprint_round(&d, d.first + precision);
    int32_t significant = dprint_significant(&d);
    dprint_put_general(f, &d, s, s->alternate || significant > precision ? precision : significant, precision);
  }
}

DPRINT_OUTLINED void dprint_put_sign(struct dprint_field *f, int negative, const struct dprint_spec *s) {
  if (negative) dprint_put(f, '-');
  else if (s->sign == '+' || s->sign == ' ') dprint_put(f, s->sign);
  f->prefix = f->length;
}

/* Returns whether the number is finite: infinities are not padded with zeros. */
DPRINT_OUTLINED int dprint_put_float(struct dprint_field *f, uint32_t bits, const struct dprint_spec *s) {
  uint32_t exponent = bits >> 23 & 255u, mantissa = bits & 0x7fffffu;
  int upper = s->type == 'F' || s->type == 'G' || s->type == 'E';
  dprint_put_sign(f, (int)(bits >> 31), s);
  if (exponent == 255) {
    const char *word = mantissa ? upper ? "NAN" : "nan" : upper ? "INF" : "inf";
    while (*word) dprint_put(f, *word++);
    return 0;
  }
  dprint_put_magnitude(f, exponent ? mantissa | 0x800000u : mantissa, (exponent ? (int32_t)exponent : 1) - 150, s);
  return 1;
}

/* --- integers --- */

/* Digits of any base: 64 bits, divided 16 by 16. */
DPRINT_OUTLINED void dprint_put_digits(struct dprint_field *f, uint32_t low, uint32_t high, uint32_t base, char ten) {
  uint16_t parts[4] = {(uint16_t)(high >> 16), (uint16_t)high, (uint16_t)(low >> 16), (uint16_t)low};
  char text[64];
  uint32_t n = 0, i = 0;
  do {
    uint32_t rest = 0;
    for (uint32_t k = i; k < 4; k++) {
      uint32_t part = rest << 16 | parts[k];
      parts[k] = (uint16_t)(part / base);
      rest = part % base;
    }
    text[n++] = (char)(rest + (rest < 10 ? (uint32_t)'0' : (uint32_t)ten - 10u));
    while (i < 4 && !parts[i]) i++;
  } while (i < 4);
  while (n) dprint_put(f, text[--n]);
}

DPRINT_OUTLINED void dprint_put_integer(struct dprint_field *f, uint32_t low, uint32_t high, int negative,
                                        const struct dprint_spec *s) {
  char type = s->type;
  uint32_t base = type == 'x' || type == 'X' ? 16u : type == 'o' ? 8u : type == 'b' || type == 'B' ? 2u : 10u;
  if (negative) {
    high = ~high + (low == 0);
    low = 0u - low;
  }
  dprint_put_sign(f, negative, s);
  if (s->alternate && base != 10 && (base != 8 || (low | high))) {
    dprint_put(f, '0');
    if (base != 8) dprint_put(f, type);
    f->prefix = f->length;
  }
  dprint_put_digits(f, low, high, base, type == 'X' ? 'A' : 'a');
}

#endif
