/* DPRINT: text from a kernel to the host. In C++ DPRINT("{} tiles of {}\n", n, 1.5f) and DPRINT << n << ENDL(); in C the first form,
 * with integers. HEX(), DEC(), OCT() and SETW(n) hold for the integers that follow them in streams. DPRINT_UNPACK, _MATH, _PACK, _DATA0 (BRISC) and _DATA1 (NCRISC) print on that core only. `tessera kernel run` prints
 * the text, tessera_tile_printed reads it. Floats are printed with six decimals, beyond 2^31 in powers of two. */
#ifndef TENSIX_DPRINT_H
#define TENSIX_DPRINT_H

#include "kernel.h"
#include "print_buffer.h"

TT_INLINE void dprint_char(char c) {
#ifdef TT_RECORD
  (void)c;
#else
  uint32_t area = PRINT_BUFFER_BASE + PRINT_BUFFER_BYTES * KERNEL_CORE, count = tt_load(area);
  if (count < PRINT_BUFFER_TEXT) *(volatile char *)(area + 4 + count) = c;
  tt_store(area, count + 1);
#endif
}

static __attribute__((noinline, unused)) void dprint_text(const char *text) {
  for (; *text; text++) dprint_char(*text);
}

static __attribute__((noinline, unused)) void dprint_number(uint32_t value, uint32_t base, uint32_t digits) {
  char text[33];
  uint32_t n = 0;
  do {
    text[n++] = "0123456789abcdef"[value % base];
    value /= base;
  } while (value || n < digits);
  while (n) dprint_char(text[--n]);
}

static __attribute__((noinline, unused)) void dprint_signed(int32_t value) {
  if (value < 0) dprint_char('-');
  dprint_number(value < 0 ? 0u - (uint32_t)value : (uint32_t)value, 10, 1);
}

/* Fixed point in 32.32 bits, by integers only: the cores have no floating point. */
static __attribute__((noinline, unused)) void dprint_float_bits(uint32_t bits) {
  int32_t exponent = (int32_t)(bits >> 23 & 255u) - 127;
  uint64_t fixed = (bits & 0x7fffffu) | 0x800000u;
  if (bits >> 31) dprint_char('-');
  if (exponent == 128) {
    dprint_text(bits & 0x7fffffu ? "nan" : "inf");
    return;
  }
  if (exponent > 30) { /* mantissa x 2^n */
    dprint_number((uint32_t)fixed, 10, 1);
    dprint_text(" * 2^");
    dprint_number((uint32_t)(exponent - 23), 10, 1);
    return;
  }
  fixed = exponent < -40 ? 0 : exponent >= -9 ? fixed << (exponent + 9) : fixed >> (-9 - exponent);
  uint64_t millionths = ((fixed & 0xffffffffu) * 1000000u + 0x80000000u) >> 32;
  uint32_t whole = (uint32_t)(fixed >> 32) + (millionths == 1000000u);
  dprint_number(whole, 10, 1);
  dprint_char('.');
  dprint_number(millionths == 1000000u ? 0 : (uint32_t)millionths, 10, 6);
}

/* Prints up to the next {}; NULL after the last one. */
static __attribute__((noinline, unused)) const char *dprint_until_hole(const char *format) {
  for (; *format; format++) {
    if (format[0] == '{') {
      while (*format && *format != '}') format++;
      return *format ? format + 1 : format;
    }
    dprint_char(*format);
  }
  return format;
}

#ifdef __cplusplus

struct ENDL {};
struct HEX { /* HEX(n): this number; HEX(): those that follow in streams */
  uint32_t value;
  bool follows;
  constexpr HEX() : value(0), follows(true) {}
  explicit constexpr HEX(uint32_t v) : value(v), follows(false) {}
};
struct DEC {};
struct OCT {};
struct SETW { /* sticky: until another one */
  uint32_t width;
  explicit constexpr SETW(uint32_t n, bool = true) : width(n) {}
};
constexpr float F32(float v) { return v; }
constexpr uint32_t U32(uint32_t v) { return v; }
struct bf16_t {
  uint16_t bits;
  explicit constexpr bf16_t(uint16_t b) : bits(b) {}
};
typedef bf16_t BF16;
inline void dprint_value(const char *text) { dprint_text(text); }
inline void dprint_value(char c) { dprint_char(c); }
inline void dprint_value(bool b) { dprint_text(b ? "true" : "false"); }
inline void dprint_value(unsigned v) { dprint_number(v, 10, 1); }
inline void dprint_value(unsigned long v) { dprint_number((uint32_t)v, 10, 1); }
inline void dprint_value(int v) { dprint_signed(v); }
inline void dprint_value(long v) { dprint_signed((int32_t)v); }
inline void dprint_value(float v) { dprint_float_bits(__builtin_bit_cast(uint32_t, v)); }
inline void dprint_value(bf16_t v) { dprint_float_bits((uint32_t)v.bits << 16); }
inline void dprint_value(ENDL) { dprint_char('\n'); }
inline void dprint_value(HEX v) {
  dprint_text("0x");
  dprint_number(v.value, 16, 1);
}
inline void dprint_value(unsigned long long v) {
  dprint_text("0x");
  dprint_number((uint32_t)(v >> 32), 16, 8);
  dprint_number((uint32_t)v, 16, 8);
}
inline void dprint_value(const volatile void *p) { dprint_value(HEX{(uint32_t)(uintptr_t)p}); }

inline void dprint_format(const char *format) { dprint_text(format); }
template <typename T, typename... Rest> inline void dprint_format(const char *format, T first, Rest... rest) {
  const char *behind = dprint_until_hole(format);
  dprint_value(first);
  dprint_format(behind, rest...);
}

static uint32_t dprint_base __attribute__((unused)) = 10, dprint_width __attribute__((unused));
static __attribute__((noinline, unused)) void dprint_streamed(uint32_t value, bool negative) {
  uint32_t size = negative ? 2 : 1;
  for (uint32_t rest = value; rest >= dprint_base; rest /= dprint_base) size++;
  for (; size < dprint_width; size++) dprint_char(' ');
  if (negative) dprint_char('-');
  dprint_number(value, dprint_base, 1);
}

struct dprint_stream {
  template <typename T> const dprint_stream &operator<<(T value) const {
    dprint_value(value);
    return *this;
  }
  const dprint_stream &operator<<(unsigned v) const { return dprint_streamed(v, false), *this; }
  const dprint_stream &operator<<(unsigned long v) const { return dprint_streamed((uint32_t)v, false), *this; }
  const dprint_stream &operator<<(unsigned short v) const { return dprint_streamed(v, false), *this; }
  const dprint_stream &operator<<(int v) const {
    bool negative = v < 0 && dprint_base == 10; /* otherwise the bits */
    return dprint_streamed(negative ? 0u - (uint32_t)v : (uint32_t)v, negative), *this;
  }
  const dprint_stream &operator<<(long v) const { return *this << (int)v; }
  const dprint_stream &operator<<(short v) const { return *this << (int)v; }
  const dprint_stream &operator<<(HEX v) const {
    if (v.follows) dprint_base = 16;
    else dprint_value(v);
    return *this;
  }
  const dprint_stream &operator<<(DEC) const { return dprint_base = 10, *this; }
  const dprint_stream &operator<<(OCT) const { return dprint_base = 8, *this; }
  const dprint_stream &operator<<(SETW v) const { return dprint_width = v.width, *this; }
};
static const dprint_stream DPRINT __attribute__((unused));
inline void dprint_format(const dprint_stream &) {} /* DPRINT_MATH(DPRINT << ...) */
#define DPRINT(...) dprint_format(__VA_ARGS__)

#else

static __attribute__((noinline, unused)) void dprint_format(const char *format, const uint32_t *values, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    format = dprint_until_hole(format);
    dprint_number(values[i], 10, 1);
  }
  dprint_text(format);
}
/* The list has one element more, so that it is never empty. */
#define DPRINT(format, ...) \
  dprint_format(format, (const uint32_t[]){__VA_ARGS__ __VA_OPT__(, ) 0}, \
                sizeof((uint32_t[]){__VA_ARGS__ __VA_OPT__(, ) 0}) / 4 - 1)

#endif

#define DPRINT_NOTHING(...) ((void)0)
#ifdef TRISC_UNPACK
#define DPRINT_UNPACK DPRINT
#else
#define DPRINT_UNPACK DPRINT_NOTHING
#endif
#ifdef TRISC_MATH
#define DPRINT_MATH DPRINT
#else
#define DPRINT_MATH DPRINT_NOTHING
#endif
#ifdef TRISC_PACK
#define DPRINT_PACK DPRINT
#else
#define DPRINT_PACK DPRINT_NOTHING
#endif
#ifdef COMPILE_FOR_BRISC
#define DPRINT_DATA0 DPRINT
#else
#define DPRINT_DATA0 DPRINT_NOTHING
#endif
#ifdef COMPILE_FOR_NCRISC
#define DPRINT_DATA1 DPRINT
#else
#define DPRINT_DATA1 DPRINT_NOTHING
#endif
#define DEVICE_PRINT DPRINT

#endif
