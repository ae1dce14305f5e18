/* The merge of trace_merge.h: parts without order are sorted in pieces, and all pieces and parts are merged. */
#include "api/trace_merge.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tessera/trace.h"

#define PIECE_BYTES ((size_t)32 << 20) /* sorted in memory at once */

/* --- records --- */

struct source {
  FILE *file;
  bool ordered, steady; /* of its part */
  bool own;             /* a piece, closed at the end */
  char *data;           /* the next record; of Perfetto: in `block` */
  size_t size, room;
  uint64_t key;
  bool more;
  char *block; /* Perfetto: what was read of the file */
  size_t at, end, block_room;
};

/* What is common to all sources. */
struct merge {
  bool json, good, began;
  int why; /* errno of what first failed */
  const struct api_trace_merge *request;
  size_t buffered;
  char buffer[65536];
  char footer[16]; /* the line after the last event */
  struct source *sources;
  size_t count, room;
};

static bool reserve(void **items, size_t *room, size_t needed, size_t item_size) {
  size_t wanted = *room ? *room : 16;
  while (wanted < needed) wanted *= 2;
  if (wanted == *room) return true;
  void *larger = realloc(*items, wanted * item_size);
  if (!larger) return false;
  *items = larger;
  *room = wanted;
  return true;
}

FILE *api_nameless(const char *scratch) {
  struct stat is;
  if (!scratch || (stat(scratch, &is) == 0 && !S_ISREG(is.st_mode)))
    return tmpfile(); /* beside a device no file can be created */
  const char *slash = strrchr(scratch, '/');
  const int folder = slash ? (int)(slash + 1 - scratch) : 0;
  const size_t size = (size_t)folder + sizeof "tessera-XXXXXX";
  char *name = malloc(size);
  if (!name) return NULL;
  snprintf(name, size, "%.*stessera-XXXXXX", folder, scratch);
  int number = mkstemp(name);
  FILE *file = number < 0 ? NULL : fdopen(number, "w+b");
  int why = errno;
  if (number >= 0) unlink(name);
  if (number >= 0 && !file) close(number);
  free(name);
  errno = why;
  return file;
}

/* --- output --- */

static void fail(struct merge *m) {
  if (m->good) m->why = errno;
  m->good = false;
}

static void flush(struct merge *m) {
  if (m->good && m->buffered && m->request->write(m->request->context, m->buffer, m->buffered) != 0) fail(m);
  m->buffered = 0;
}

static void put(struct merge *m, const char *data, size_t size) {
  if (size > sizeof m->buffer - m->buffered) flush(m);
  if (size > sizeof m->buffer) {
    if (m->good && m->request->write(m->request->context, data, size) != 0) fail(m);
    return;
  }
  memcpy(m->buffer + m->buffered, data, size);
  m->buffered += size;
}

/* --- input --- */

#define BLOCK_BYTES 32768u

/* Makes the next `wanted` bytes of the file available, or those that it has. */
static void fill(struct merge *m, struct source *s, size_t wanted) {
  if (s->end - s->at >= wanted) return;
  if (s->end > s->at) memmove(s->block, s->block + s->at, s->end - s->at);
  s->end -= s->at;
  s->at = 0;
  if (!reserve((void **)&s->block, &s->block_room, wanted < BLOCK_BYTES ? BLOCK_BYTES : wanted, 1)) return;
  s->end += fread(s->block + s->end, 1, s->block_room - s->end, s->file);
  if (ferror(s->file)) fail(m);
}

/* A number of Perfetto's encoding; `at` moves behind it. */
static uint64_t varint(const char *data, size_t size, size_t *at) {
  uint64_t value = 0;
  for (unsigned shift = 0; *at < size && shift < 64; shift += 7) {
    unsigned char byte = (unsigned char)data[(*at)++];
    value |= (uint64_t)(byte & 0x7fu) << shift;
    if (byte < 0x80) break;
  }
  return value;
}

enum {
  TAG_PACKET = 1 << 3 | 2,
  TAG_TIME = 8 << 3,
  TAG_SEQUENCE = 10 << 3,
  TAG_EVENT = 11 << 3 | 2,
  TAG_TYPE = 9 << 3,
  TYPE_END = 2
};

/* The time of a packet, doubled, and 1 more unless it ends a slice of a part that is not steady; 0: it has none. */
static uint64_t packet_key(const char *data, size_t size, size_t at, bool steady) {
  if (at >= size || data[at++] != TAG_TIME) return 0;
  uint64_t time = varint(data, size, &at);
  if (at < size && data[at] == TAG_SEQUENCE) at++, varint(data, size, &at);
  bool event = at < size && data[at] == TAG_EVENT;
  if (event) at++, varint(data, size, &at);
  bool ends = event && at + 1 < size && data[at] == TAG_TYPE && data[at + 1] == TYPE_END;
  return 2 * time + (steady || !ends);
}

#define HEAD_BYTES 11u /* of a packet: its tag and its length */

/* false: the end of the file, or a damaged one. */
static bool read_packet(struct merge *m, struct source *s, uint64_t *key) {
  errno = 0; /* of a damaged packet */
  fill(m, s, HEAD_BYTES);
  if (s->at == s->end) return false;
  size_t at = s->at + 1;
  const uint64_t length = varint(s->block, s->end, &at);
  const size_t head = at - s->at;
  bool good = s->block[s->at] == TAG_PACKET && head > 1 && (unsigned char)s->block[at - 1] < 0x80 && length < SIZE_MAX / 4;
  if (good) fill(m, s, head + (size_t)length);
  good = good && s->end - s->at >= head + length;
  if (!good) {
    fail(m);
    return false;
  }
  s->data = s->block + s->at;
  s->size = head + (size_t)length;
  s->at += s->size;
  *key = packet_key(s->data, s->size, head, s->steady);
  return true;
}

static uint64_t line_key(const char *line) {
  const char *time = strstr(line, "\"ts\":");
  uint64_t value = 0;
  if (!time) return 0;
  for (time += strlen("\"ts\":"); *time >= '0' && *time <= '9'; time++) value = 10 * value + (uint64_t)(*time - '0');
  return 2 * value + 1;
}

/* The next event, without what separates it from others. Lines around the events go to the start and the end of the file. */
static bool read_event(struct merge *m, struct source *s, uint64_t *key) {
  for (;;) {
    ssize_t length = getline(&s->data, &s->room, s->file);
    if (length <= 0) return false;
    while (length && (s->data[length - 1] == '\n' || s->data[length - 1] == ',')) s->data[--length] = '\0';
    if (!length) continue;
    if (s->data[length - 1] == '[') put(m, s->data, (size_t)length);
    else if (s->data[0] == ']') snprintf(m->footer, sizeof m->footer, "\n%.12s\n", s->data);
    else {
      s->size = (size_t)length;
      *key = line_key(s->data);
      return true;
    }
  }
}

static void advance(struct merge *m, struct source *s) {
  uint64_t key = 0;
  s->more = m->json ? read_event(m, s, &key) : read_packet(m, s, &key);
  if (m->json && ferror(s->file)) fail(m);
  if (key || !s->ordered) s->key = key;
}

static void free_source(const struct merge *m, struct source *s) { free(m->json ? s->data : s->block); }

static void write_record(struct merge *m, const char *data, size_t size) {
  if (m->json && m->began) put(m, ",", 1);
  if (m->json) put(m, "\n", 1);
  m->began = true;
  put(m, data, size);
}

/* --- pieces of a part without order --- */

struct record {
  uint64_t key;
  size_t at, size;
};

struct piece {
  struct record *records;
  size_t count, room;
  char *data;
  size_t size, data_room;
};

static int by_key(const void *a, const void *b) {
  const struct record *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return x->at < y->at ? -1 : x->at > y->at;
}

static struct source *add_source(struct merge *m, struct api_trace_part part, bool own) {
  if (!part.file || !reserve((void **)&m->sources, &m->room, m->count + 1, sizeof *m->sources)) {
    fail(m);
    return NULL;
  }
  m->sources[m->count] = (struct source){.file = part.file, .ordered = part.ordered, .steady = part.steady, .own = own};
  rewind(part.file);
  return &m->sources[m->count++];
}

static void write_piece(struct merge *m, struct piece *p, bool steady) {
  FILE *file = api_nameless(m->request->scratch);
  if (p->count) qsort(p->records, p->count, sizeof *p->records, by_key);
  for (size_t i = 0; file && i < p->count; i++) {
    if (fwrite(p->data + p->records[i].at, 1, p->records[i].size, file) != p->records[i].size) fail(m);
    if (m->json) putc('\n', file);
  }
  if (file && (fflush(file) != 0 || ferror(file))) fail(m);
  if (!add_source(m, (struct api_trace_part){.file = file, .steady = steady}, true) && file) fclose(file);
  p->count = p->size = 0;
}

static bool keep(struct piece *p, const struct source *s) {
  if (!reserve((void **)&p->records, &p->room, p->count + 1, sizeof *p->records) ||
      !reserve((void **)&p->data, &p->data_room, p->size + s->size, 1))
    return false;
  p->records[p->count++] = (struct record){.key = s->key, .at = p->size, .size = s->size};
  memcpy(p->data + p->size, s->data, s->size);
  p->size += s->size;
  return true;
}

static void sort_part(struct merge *m, const struct api_trace_part *part) {
  struct source s = {.file = part->file, .steady = part->steady};
  struct piece p = {.records = NULL};
  rewind(part->file);
  for (advance(m, &s); s.more && m->good; advance(m, &s)) {
    if (p.size + s.size > PIECE_BYTES) write_piece(m, &p, part->steady);
    if (!keep(&p, &s)) fail(m);
  }
  if (p.count) write_piece(m, &p, part->steady);
  free(p.records);
  free(p.data);
  free_source(m, &s);
}

/* --- the merge --- */

/* The source with the earliest record, the first of several; NULL: all have ended. `until`: the key of the next one. */
static struct source *earliest(const struct merge *m, uint64_t *until) {
  struct source *best = NULL;
  *until = UINT64_MAX;
  for (size_t i = 0; i < m->count; i++) {
    struct source *s = &m->sources[i];
    if (!s->more) continue;
    if (!best || s->key < best->key) {
      if (best) *until = best->key;
      best = s;
    } else if (s->key < *until) *until = s->key;
  }
  return best;
}

static void merge_all(struct merge *m) {
  struct source *s;
  uint64_t until;
  for (size_t i = 0; i < m->count; i++) advance(m, &m->sources[i]);
  while (m->good && (s = earliest(m, &until))) do {
      write_record(m, s->data, s->size);
      advance(m, s);
    } while (m->good && s->more && s->key < until);
}

bool api_trace_merge(const struct api_trace_merge *request) {
  struct merge *m = calloc(1, sizeof *m);
  if (!m) return false;
  m->json = request->json;
  m->good = true;
  m->request = request;
  for (size_t i = 0; i < request->count; i++) {
    const struct api_trace_part *part = &request->parts[i];
    if (fflush(part->file) != 0 || ferror(part->file)) fail(m);
    if (part->ordered) add_source(m, *part, false);
    else sort_part(m, part);
  }
  merge_all(m);
  if (m->json) put(m, m->footer, strlen(m->footer));
  flush(m);
  for (size_t i = 0; i < m->count; i++) {
    free_source(m, &m->sources[i]);
    if (m->sources[i].own) fclose(m->sources[i].file);
  }
  const bool good = m->good;
  const int why = m->why;
  free(m->sources);
  free(m);
  errno = why;
  return good;
}

enum tessera_result tessera_trace_merge(const struct tessera_trace_part *parts, size_t count,
                                        enum tessera_trace_format format, const char *scratch, tessera_write_fn *write,
                                        void *context) {
  if (!parts || !count || !write || (format != TESSERA_TRACE_PERFETTO && format != TESSERA_TRACE_CHROME))
    return TESSERA_INVALID;
  struct api_trace_part *own = calloc(count, sizeof *own);
  size_t opened = 0;
  while (own && opened < count) {
    const int file = dup(parts[opened].file);
    own[opened] =
        (struct api_trace_part){.file = file < 0 ? NULL : fdopen(file, "rb"), .ordered = parts[opened].ordered != 0};
    if (!own[opened].file && file >= 0) close(file);
    if (!own[opened].file) break;
    opened++;
  }
  const struct api_trace_merge request = {own, count, format == TESSERA_TRACE_CHROME, scratch, write, context};
  const bool good = own && opened == count && api_trace_merge(&request);
  const int why = errno;
  while (opened) fclose(own[--opened].file);
  free(own);
  errno = why;
  return good ? TESSERA_OK : TESSERA_INVALID;
}
