/* Marks as the events of Chrome's JSON trace format ("Trace Event Format", JSON Object Format). Their text is put together by hand: printf
 * would take longer than all else of a mark. */
#include <stdio.h>
#include <string.h>

#include "observe/trace/tracer.h"

#define TEXT_BYTES 900u /* of a name; two of these and the other fields of a mark fit into a line */

struct line {
  size_t size;
  char text[2048];
};

static void add_bytes(struct line *l, const char *text, size_t size) {
  if (size > sizeof l->text - l->size) size = sizeof l->text - l->size;
  memcpy(l->text + l->size, text, size);
  l->size += size;
}

/* A text of known size is copied by a few instructions. */
#define ADD(l, literal) \
  do { \
    const size_t size_ = sizeof(literal) - 1; \
    if (__builtin_expect((l)->size + size_ > sizeof(l)->text, 0)) break; /* no room: left out */ \
    memcpy((l)->text + (l)->size, literal, size_); \
    (l)->size += size_; \
  } while (0)

static void add_number(struct line *l, uint64_t value) {
  char digits[24];
  size_t at = sizeof digits;
  do digits[--at] = (char)('0' + value % 10u);
  while (value /= 10u);
  add_bytes(l, digits + at, sizeof digits - at);
}

/* Names of zones may have quotes and backslashes; control characters they have not (obs_zone_name). */
static void add_escaped(struct line *l, const char *text, size_t size) {
  for (size_t from = 0, i = 0; i <= size; i++)
    if (i == size || text[i] == '"' || text[i] == '\\') {
      add_bytes(l, text + from, i - from);
      if (i < size) ADD(l, "\\");
      from = i;
    }
}

/* A comma before all but the first event. */
static void begin(struct obs_tracer *w, struct line *l) {
  l->size = 0;
  add_bytes(l, &",\n"[w->first], 2u - w->first);
  w->first = false;
}

static void declare(struct obs_tracer *w, unsigned track) {
  struct line l;
  char name[64];
  if (w->declared[track] || w->tracks->counts(track)) return;
  w->declared[track] = true;
  w->tracks->name(w->machine, track, name, sizeof name);
  begin(w, &l);
  obs_tracer_put(w, l.text, l.size);
  obs_tracer_printf(w, "{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"name\":\"thread_name\",\"args\":{\"name\":\"%s\"}}",
                    w->options.part + 1, track, name);
}

static void add_head(const struct obs_tracer *w, struct line *l, char phase, const struct obs_mark *m) {
  ADD(l, "{\"ph\":\"B"); /* or another phase */
  l->text[l->size - 1] = phase;
  ADD(l, "\",\"pid\":");
  add_number(l, w->options.part + 1);
  ADD(l, ",\"tid\":");
  add_number(l, m->track);
  ADD(l, ",\"ts\":");
  add_number(l, m->at);
}

static void put_flow(struct obs_tracer *w, const struct obs_mark *m) {
  struct line l;
  char id[20];
  begin(w, &l);
  add_head(w, &l, m->flow_ends ? 'f' : 's', m);
  snprintf(id, sizeof id, "%llx", (unsigned long long)obs_tracer_flow(w, m->flow));
  ADD(&l, ",\"id\":\"");
  add_bytes(&l, id, strlen(id));
  ADD(&l, "\",\"name\":\"flow\",\"cat\":\"flow\"");
  if (m->flow_ends) ADD(&l, ",\"bp\":\"e\"");
  ADD(&l, "}");
  obs_tracer_put(w, l.text, l.size);
}

void obs_chrome_mark(struct obs_tracer *w, const struct obs_mark *m) {
  static const char phases[] = {'B', 'E', 'i', 'C'};
  struct line l;
  char name[TEXT_BYTES];
  declare(w, m->track);
  begin(w, &l);
  add_head(w, &l, phases[m->type], m);
  if (m->type == OBS_MARK_COUNTER) {
    w->tracks->name(w->machine, m->track, name, sizeof name);
    ADD(&l, ",\"name\":\"");
    add_bytes(&l, name, strlen(name));
    ADD(&l, "\",\"args\":{\"value\":");
    add_number(&l, m->value);
    ADD(&l, "}");
  } else if (m->name) {
    ADD(&l, ",\"name\":\"");
    add_escaped(&l, name, obs_mark_name(m, name, sizeof name));
    ADD(&l, "\"");
  }
  if (m->type == OBS_MARK_INSTANT) ADD(&l, ",\"s\":\"t\"");
  ADD(&l, "}");
  obs_tracer_put(w, l.text, l.size);
  if (m->flow) put_flow(w, m);
}
