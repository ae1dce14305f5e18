/* DPRINT in C++, part of dprint.h: values of any type, with holes that the compiler checks, and the older form DPRINT << n << ENDL(), where
 * HEX(), DEC(), OCT(), SETW(n), SETPRECISION(n), FIXED() and DEFAULTFLOAT() hold for the numbers that follow. A double is printed as the
 * nearest float, an enumeration as its number. */
#ifndef TENSIX_DPRINT_CPP_H
#define TENSIX_DPRINT_CPP_H

#include <type_traits>

/* --- what can be printed --- */

struct ENDL {};
struct HEX { /* HEX(n): this number; HEX(): those that follow in streams */
  uint32_t value;
  bool follows;
  constexpr HEX() : value(0), follows(true) {}
  explicit constexpr HEX(uint32_t v) : value(v), follows(false) {}
};
struct DEC {};
struct OCT {};
struct FIXED {};
struct DEFAULTFLOAT {};
struct SETPRECISION {
  int16_t digits;
  explicit constexpr SETPRECISION(int n) : digits(int16_t(n < DPRINT_PRECISION_MAX ? n : DPRINT_PRECISION_MAX)) {}
};
struct SETW { /* sticky: until another one */
  uint32_t width;
  explicit constexpr SETW(uint32_t n, bool = true) : width(n) {}
};
constexpr float F32(float v) { return v; }
constexpr uint32_t U32(uint32_t v) { return v; }
struct bf16_t {
  uint16_t bits;
  constexpr bf16_t(uint16_t b) : bits(b) {}
};
typedef bf16_t BF16;
/* Numbers of BFP8_b and BFP4_b with the exponent of their block: sign, then 7 or 3 bits of magnitude, the first of weight 2^(exponent - 127) */
struct bf8_t {
  uint8_t exponent, mantissa;
  constexpr bf8_t(uint16_t v) : exponent(uint8_t(v)), mantissa(uint8_t(v >> 8)) {}
  constexpr bf8_t(uint8_t e, uint8_t m) : exponent(e), mantissa(m) {}
};
struct bf4_t {
  uint8_t exponent, mantissa;
  constexpr bf4_t(uint16_t v) : exponent(uint8_t(v)), mantissa(uint8_t(v >> 8)) {}
  constexpr bf4_t(uint8_t e, uint8_t m) : exponent(e), mantissa(m) {}
};
#define CTSTR(text) (text)
struct ct_string {
  const char *ptr;
  void print(const dprint_spec &s) const { dprint_string(ptr, &s); }
};

/* The name of a type, as the compiler writes it. */
template <typename T> struct dp_type_name_t {
  void print(const dprint_spec &) const {
    const char *at = __PRETTY_FUNCTION__; /* "... [with T = NAME]" */
    while (*at != '=') at++;
    for (at += 2; *at && !(at[0] == ']' && !at[1]); at++) dprint_char(*at);
  }
};

/* Where the core is and where it returns to, as addresses of its executable: all ones are an unknown one. */
struct dp_top_callstack_t {
  uintptr_t pc, ra, skip_frames;
  dp_top_callstack_t(uintptr_t at, uintptr_t back, uintptr_t skip) : pc(at), ra(back), skip_frames(skip) {}
  __attribute__((always_inline)) static inline dp_top_callstack_t current(uintptr_t skip) {
    uintptr_t at;
    __asm__ volatile("auipc %0, 0" : "=r"(at));
    return dp_top_callstack_t(at, (uintptr_t)__builtin_return_address(0), skip + 1);
  }
  void print(const dprint_spec &) const {
    dprint_spec s;
    dprint_clear(&s);
    s.type = 'x', s.alternate = 1;
    dprint_text("pc ");
    dprint_integer((uint32_t)pc, 0, 0, &s);
    dprint_text(", called from ");
    dprint_integer((uint32_t)ra, 0, 0, &s);
  }
};

/* The float with this sign and `size` bits of magnitude. A magnitude of 0 is 0. */
DPRINT_OUTLINED uint32_t dprint_block_float(uint32_t exponent, uint32_t sign, uint32_t magnitude, uint32_t size) {
  if (!magnitude) return sign << 31;
  for (; !(magnitude >> (size - 1)); magnitude <<= 1)
    if (!exponent--) return sign << 31;
  return sign << 31 | exponent << 23 | (magnitude << (24 - size) & 0x7fffffu);
}

/* Types with a `void print(const dprint_spec &) const` print themselves. */
template <typename T> inline void dprint_print_object(const dprint_value *v, dprint_spec *s) {
  static_cast<const T *>(v->object)->print(*s);
}
inline void dprint_hex(uint32_t value, dprint_spec *s) {
  s->type = 'x', s->alternate = 1;
  dprint_integer(value, 0, 0, s);
}
inline void dprint_print_hex(const dprint_value *v, dprint_spec *s) {
  dprint_hex(static_cast<const HEX *>(v->object)->value, s);
}

template <typename T> constexpr bool dprint_is_text = false;
template <> inline constexpr bool dprint_is_text<char *> = true;
template <> inline constexpr bool dprint_is_text<const char *> = true;
template <typename T>
constexpr bool dprint_is_block = std::is_same_v<T, bf16_t> || std::is_same_v<T, bf8_t> || std::is_same_v<T, bf4_t>;

template <typename T> constexpr char dprint_kind() {
  if (std::is_same_v<T, bool>) return 'b';
  if (std::is_integral_v<T> || std::is_enum_v<T>) return 'i';
  if (std::is_floating_point_v<T> || dprint_is_block<T>) return 'f';
  if (dprint_is_text<T>) return 's';
  return std::is_pointer_v<T> ? 'p' : 'o';
}

/* Written field by field: without a call of memcpy. */
template <typename T> inline void dprint_take(dprint_value &out, const T &v) {
  out.low = out.high = 0;
  out.negative = 0;
  out.object = &v;
  out.print = dprint_print_float;
  if constexpr (std::is_same_v<T, bf16_t>) out.low = (uint32_t)v.bits << 16;
  else if constexpr (std::is_same_v<T, bf8_t>)
    out.low = dprint_block_float(v.exponent, v.mantissa >> 7, v.mantissa & 127u, 7);
  else if constexpr (std::is_same_v<T, bf4_t>)
    out.low = dprint_block_float(v.exponent, v.mantissa >> 3 & 1u, v.mantissa & 7u, 3);
  else if constexpr (std::is_floating_point_v<T>) out.low = __builtin_bit_cast(uint32_t, (float)v);
  else if constexpr (std::is_same_v<T, bool>) out.low = v, out.print = dprint_print_bool;
  else if constexpr (dprint_is_text<T>) out.object = v, out.print = dprint_print_string;
  else if constexpr (std::is_pointer_v<T>) out.low = (uint32_t)(uintptr_t)v, out.print = dprint_print_pointer;
  else if constexpr (std::is_same_v<T, HEX>) out.print = dprint_print_hex;
  else if constexpr (dprint_kind<T>() == 'i') {
    long long number = (long long)v;
    out.print = dprint_print_integer;
    out.negative = (sizeof(T) < 8 || std::is_signed_v<T>)&&number < 0;
    out.low = (uint32_t)number;
    out.high = (uint32_t)((unsigned long long)number >> 32);
  } else out.print = dprint_print_object<T>;
}

/* --- the compiler's checks --- */

enum dprint_fault {
  DPRINT_GOOD,
  DPRINT_BAD_HOLE,
  DPRINT_MIXED,
  DPRINT_COUNT,
  DPRINT_INDEX,
  DPRINT_UNUSED,
  DPRINT_TYPE,
  DPRINT_LONG
};

/* Whether the type of a hole suits the value's kind; 'o' decides itself. */
constexpr bool dprint_suits(char type, char kind) {
  const char *types = kind == 'i'   ? "bBcdoxX"
                      : kind == 'b' ? "bBdoxXs"
                      : kind == 'f' ? "eEfFgG"
                      : kind == 's' ? "s"
                      : kind == 'p' ? "pxX"
                                    : "bBcdoxXseEfFgG";
  while (*types && *types != type) types++;
  return !type || *types == type;
}

struct dprint_checker {
  const char *at;
  bool indexed = false, plain = false;
  char type = 0;
  uint32_t index = 0, width = 0, precision = 0;

  constexpr bool dprint_digit() const { return *at >= '0' && *at <= '9'; }
  constexpr bool dprint_align(char c) const { return c == '<' || c == '>' || c == '^'; }
  constexpr uint32_t dprint_number() {
    uint32_t n = 0;
    for (; dprint_digit(); at++) n = n > 9999 ? n : 10 * n + (uint32_t)(*at - '0');
    return n;
  }
  constexpr bool dprint_is_type() const {
    const char *types = "bBcdeEfFgGopsxX";
    while (*types && *types != *at) types++;
    return *at && *types == *at;
  }
  /* A hole as dprint_read_hole reads it, from behind its '{' to behind its '}'. */
  constexpr bool dprint_hole() {
    type = 0, width = precision = 0;
    if (dprint_digit()) indexed = true, index = dprint_number();
    else plain = true;
    if (*at == ':') {
      at++;
      if (at[0] && at[0] != '{' && at[0] != '}' && dprint_align(at[1])) at++;
      if (dprint_align(*at)) at++;
      if (*at == '+' || *at == '-' || *at == ' ') at++;
      if (*at == '#') at++;
      if (*at == '0') at++;
      width = dprint_number();
      if (at[0] == '.' && at[1] >= '0' && at[1] <= '9') at++, precision = dprint_number();
      if (dprint_is_type()) type = *at++;
    }
    return *at == '}' && (at++, true);
  }
};

constexpr dprint_fault dprint_check(const char *format, const char *kinds, uint32_t count) {
  dprint_checker c{format};
  uint32_t holes = 0;
  uint64_t used = 0;
  while (*c.at) {
    if ((c.at[0] == '{' || c.at[0] == '}') && c.at[1] == c.at[0]) {
      c.at += 2;
      continue;
    }
    if (*c.at++ != '{') continue;
    if (!c.dprint_hole()) return DPRINT_BAD_HOLE;
    if (c.indexed && c.plain) return DPRINT_MIXED;
    uint32_t index = c.indexed ? c.index : holes;
    holes++;
    if (index >= count) return c.indexed ? DPRINT_INDEX : DPRINT_COUNT;
    if (!dprint_suits(c.type, kinds[index])) return DPRINT_TYPE;
    if (c.width > DPRINT_WIDTH_MAX || c.precision > DPRINT_PRECISION_MAX) return DPRINT_LONG;
    used |= uint64_t(1) << index % 64;
  }
  if (!c.indexed && holes != count) return DPRINT_COUNT;
  for (uint32_t i = 0; c.indexed && i < count; i++)
    if (!(used >> i % 64 & 1)) return DPRINT_UNUSED;
  return DPRINT_GOOD;
}

template <typename... T> struct dprint_types {
  static constexpr uint32_t count = sizeof...(T);
  static constexpr char kinds[] = {dprint_kind<T>()..., 0};
};
template <typename... T> dprint_types<T...> dprint_types_of(T...); /* for decltype only */

template <typename... T> inline void dprint_format(const char *format, T... values) {
  dprint_value all[sizeof...(T) + 1];
  all[sizeof...(T)].print = nullptr; /* so that none of it is undefined to the compiler */
  int32_t count = 0;
  (dprint_take(all[count++], values), ...);
  dprint_values(format, all, count);
}

/* The text in quotes, as it is in the source: escapes are no braces. Other expressions have no quote at their beginning and end. */
constexpr dprint_fault dprint_check_source(const char *source, const char *kinds, uint32_t count) {
  const char *end = source;
  while (*end) end++;
  return source[0] == '"' && end[-1] == '"' ? dprint_check(source, kinds, count) : DPRINT_GOOD;
}
#define DPRINT_ASSERT(fault, text) static_assert(dprint_fault_here != fault, "DPRINT: " text)
#define DPRINT_CHECKED(source, format, ...) \
  ({ \
    using dprint_types_here = decltype(dprint_types_of(__VA_ARGS__)); \
    constexpr dprint_fault dprint_fault_here = \
        dprint_check_source(source, dprint_types_here::kinds, dprint_types_here::count); \
    DPRINT_ASSERT(DPRINT_BAD_HOLE, "a { begins no hole such as {}, {0} or {:8.3f}; {{ is a brace"); \
    DPRINT_ASSERT(DPRINT_MIXED, "holes with and without numbers, as {} and {0}, in one text"); \
    DPRINT_ASSERT(DPRINT_COUNT, "the number of holes {} is not the number of values"); \
    DPRINT_ASSERT(DPRINT_INDEX, "the number of a hole is not below the number of values"); \
    DPRINT_ASSERT(DPRINT_UNUSED, "a value is in no hole"); \
    DPRINT_ASSERT(DPRINT_TYPE, "the letter of a hole does not suit its value, as {:f} and an integer"); \
    DPRINT_ASSERT(DPRINT_LONG, "a width above 255 or a precision above 60"); \
    dprint_format(format __VA_OPT__(, ) __VA_ARGS__); \
  })
#define DPRINT_SOURCE(...) #__VA_ARGS__
#define DPRINT(format, ...) DPRINT_CHECKED(DPRINT_SOURCE(format), format __VA_OPT__(, ) __VA_ARGS__)

/* --- streams --- */

static int16_t dprint_width __attribute__((unused)), dprint_precision __attribute__((unused)) = -1;
static char dprint_integer_type __attribute__((unused)); /* 0, 'x' or 'o' */
static char dprint_float_type __attribute__((unused)) = 'g';

struct dprint_stream {
  template <typename T> const dprint_stream &operator<<(T value) const {
    constexpr char kind = dprint_kind<T>();
    dprint_value one;
    dprint_take(one, value);
    dprint_spec s;
    dprint_clear(&s);
    if (kind == 'i' || kind == 'f') s.width = dprint_width;
    if (kind == 'i') s.type = dprint_integer_type;
    if (kind == 'f') s.type = dprint_float_type, s.precision = dprint_precision;
    if (kind == 'i' && s.type) { /* the bits */
      one.negative = 0;
      if (sizeof(T) < 8) one.high = 0;
    }
    one.print(&one, &s);
    return *this;
  }
  const dprint_stream &operator<<(char c) const { return dprint_char(c), *this; }
  const dprint_stream &operator<<(ENDL) const { return dprint_char('\n'), *this; }
  const dprint_stream &operator<<(HEX v) const {
    dprint_spec s;
    dprint_clear(&s);
    if (v.follows) dprint_integer_type = 'x';
    else dprint_hex(v.value, &s);
    return *this;
  }
  const dprint_stream &operator<<(DEC) const { return dprint_integer_type = 0, *this; }
  const dprint_stream &operator<<(OCT) const { return dprint_integer_type = 'o', *this; }
  const dprint_stream &operator<<(SETW v) const { return dprint_width = (int16_t)v.width, *this; }
  const dprint_stream &operator<<(SETPRECISION v) const { return dprint_precision = v.digits, *this; }
  const dprint_stream &operator<<(FIXED) const { return dprint_float_type = 'f', *this; }
  const dprint_stream &operator<<(DEFAULTFLOAT) const { return dprint_float_type = 'g', *this; }
};
static const dprint_stream DPRINT __attribute__((unused));
inline void dprint_format(const dprint_stream &) {} /* DPRINT_MATH(DPRINT << ...) */

#endif
