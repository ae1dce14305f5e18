/* The chip's state as bytes: hash, save, restore. */
#include <stdlib.h>
#include <string.h>

#include "chip/internal.h"

void chip_put(struct chip_stream *s, const void *bytes, size_t length) {
  if (s->failed) return;
  if (s->length + length > s->capacity) {
    size_t wanted = 2 * s->capacity > s->length + length ? 2 * s->capacity : s->length + length + 4096;
    uint8_t *moved = realloc(s->bytes, wanted);
    if (!moved) {
      s->failed = true;
      return;
    }
    s->bytes = moved;
    s->capacity = wanted;
  }
  memcpy(s->bytes + s->length, bytes, length);
  s->length += length;
}

bool chip_get(struct chip_stream *s, void *bytes, size_t length) {
  if (s->failed || length > s->length - s->at) {
    s->failed = true;
    return false;
  }
  memcpy(bytes, s->bytes + s->at, length);
  s->at += length;
  return true;
}
