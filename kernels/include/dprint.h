/* DPRINT: text from a kernel to the host, DPRINT("{} tiles of {:#x}\n", n, address), with the format specifications of dprint_number.h and
 * {{ and }} for braces. In C++ (dprint_cpp.h) it takes numbers, texts, pointers and tiles and is checked by the compiler, in C unsigned
 * integers. DPRINT_UNPACK, _MATH, _PACK, _DATA0 (BRISC) and _DATA1 (NCRISC) print on that core only. `tessera kernel run` prints the
 * text, tessera_tile_printed reads it. */
#ifndef TENSIX_DPRINT_H
#define TENSIX_DPRINT_H

#include "dprint_number.h"
#include "kernel.h"
#include "print_buffer.h"

#define DPRINT_AREA (PRINT_BUFFER_BASE + PRINT_BUFFER_BYTES * KERNEL_CORE)

/* A character for a full area: print_buffer.h. Its symbol, the same in C and C++, shows the host that a kernel prints. */
static void dprint_late_char(char c) __asm__("dprint_late_char");
DPRINT_OUTLINED __attribute__((cold, noclone)) void dprint_late_char(char c) {
#ifdef TT_RECORD
  (void)c;
#else
  uint32_t count = tt_load(DPRINT_AREA);
  if (tt_load(PRINT_BUFFER_DRAINED)) {
    tt_store(PRINT_BUFFER_FULL, 1);
    do count = tt_load(DPRINT_AREA);
    while (count >= PRINT_BUFFER_TEXT);
    *(volatile char *)(DPRINT_AREA + 4 + count) = c;
  }
  tt_store(DPRINT_AREA, count + 1);
#endif
}

DPRINT_OUTLINED void dprint_char(char c) {
#ifdef TT_RECORD
  (void)c;
#else
  uint32_t count = tt_load(DPRINT_AREA);
  if (__builtin_expect(count >= PRINT_BUFFER_TEXT, 0)) {
    dprint_late_char(c);
    return;
  }
  *(volatile char *)(DPRINT_AREA + 4 + count) = c;
  tt_store(DPRINT_AREA, count + 1);
#endif
}

DPRINT_OUTLINED void dprint_text(const char *text) {
  for (; *text; text++) dprint_char(*text);
}

/* --- one value --- */

DPRINT_OUTLINED void dprint_fill(char c, int32_t count) {
  for (; count > 0; count--) dprint_char(c);
}

/* `usual`: the alignment of this kind of value. */
DPRINT_OUTLINED void dprint_padded(const char *text, uint32_t length, const struct dprint_spec *s, char usual) {
  int32_t room = s->width - (int32_t)length;
  char align = s->align ? s->align : usual;
  int32_t before = room <= 0 || align == '<' ? 0 : align == '>' ? room : room / 2;
  dprint_fill(s->fill, before);
  for (uint32_t i = 0; i < length; i++) dprint_char(text[i]);
  dprint_fill(s->fill, room - before);
}

DPRINT_OUTLINED void dprint_field_padded(const struct dprint_field *f, const struct dprint_spec *s, int zeros) {
  if (!zeros || !s->zeros || s->align) {
    dprint_padded(f->text, f->length, s, '>');
    return;
  }
  for (uint32_t i = 0; i < f->prefix; i++) dprint_char(f->text[i]);
  dprint_fill('0', s->width - (int32_t)f->length);
  for (uint32_t i = f->prefix; i < f->length; i++) dprint_char(f->text[i]);
}

DPRINT_OUTLINED void dprint_integer(uint32_t low, uint32_t high, int negative, const struct dprint_spec *s) {
  struct dprint_field f;
  char c = (char)low;
  if (s->type == 'c') {
    dprint_padded(&c, 1, s, '<');
    return;
  }
  f.length = f.prefix = 0;
  dprint_put_integer(&f, low, high, negative, s);
  dprint_field_padded(&f, s, 1);
}

DPRINT_OUTLINED void dprint_float(uint32_t bits, const struct dprint_spec *s) {
  struct dprint_field f;
  f.length = f.prefix = 0;
  int finite = dprint_put_float(&f, bits, s);
  dprint_field_padded(&f, s, finite);
}

DPRINT_OUTLINED void dprint_string(const char *text, const struct dprint_spec *s) {
  uint32_t length = 0;
  while (text[length] && (s->precision < 0 || length < (uint32_t)s->precision)) length++;
  dprint_padded(text, length, s, '<');
}

/* --- all values --- */

/* Each value brings the function that prints it, so that a program contains those of its own kinds of values only. */
struct dprint_value {
  uint32_t low, high; /* of an integer; a float's bits */
  int negative;
  const void *object; /* a text, or an object of the user */
  void (*print)(const struct dprint_value *v, struct dprint_spec *s);
};

DPRINT_OUTLINED void dprint_print_integer(const struct dprint_value *v, struct dprint_spec *s) {
  dprint_integer(v->low, v->high, v->negative, s);
}
DPRINT_OUTLINED void dprint_print_float(const struct dprint_value *v, struct dprint_spec *s) { dprint_float(v->low, s); }
DPRINT_OUTLINED void dprint_print_string(const struct dprint_value *v, struct dprint_spec *s) {
  dprint_string((const char *)v->object, s);
}
DPRINT_OUTLINED void dprint_print_pointer(const struct dprint_value *v, struct dprint_spec *s) {
  s->type = 'x';
  s->alternate = 1;
  dprint_integer(v->low, 0, 0, s);
}
DPRINT_OUTLINED void dprint_print_bool(const struct dprint_value *v, struct dprint_spec *s) {
  if (!s->type || s->type == 's') dprint_string(v->low ? "true" : "false", s);
  else dprint_integer(v->low, 0, 0, s);
}

/* A brace that begins no hole with a value is printed as it is; in C++ it does not compile. */
DPRINT_OUTLINED void dprint_values(const char *format, const struct dprint_value *values, int32_t count) {
  int16_t next = 0;
  for (; *format; format++) {
    struct dprint_spec s;
    int16_t index = next;
    const char *behind = *format == '{' ? dprint_read_hole(format + 1, &s, &index) : 0;
    if (behind && index < count) {
      values[index].print(&values[index], &s);
      next++;
      format = behind - 1;
      continue;
    }
    if ((format[0] == '{' || format[0] == '}') && format[1] == format[0]) format++;
    dprint_char(*format);
  }
}

#ifdef __cplusplus
#include "dprint_cpp.h"
#else

#define DPRINT_VALUES_MAX 16
#pragma GCC diagnostic push /* a copy of it for no values warns of those that it does not read */
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
DPRINT_OUTLINED void dprint_format(const char *format, const uint32_t *words, uint32_t count) {
  struct dprint_value values[DPRINT_VALUES_MAX];
  if (count > DPRINT_VALUES_MAX) count = DPRINT_VALUES_MAX;
  for (uint32_t i = 0; i < count; i++) {
    values[i].low = words[i];
    values[i].high = 0;
    values[i].negative = 0;
    values[i].print = dprint_print_integer;
  }
  dprint_values(format, values, (int32_t)count);
}
#pragma GCC diagnostic pop
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
#define DEVICE_PRINT_UNPACK DPRINT_UNPACK
#define DEVICE_PRINT_MATH DPRINT_MATH
#define DEVICE_PRINT_PACK DPRINT_PACK
#define DEVICE_PRINT_DATA0 DPRINT_DATA0
#define DEVICE_PRINT_DATA1 DPRINT_DATA1

#endif
