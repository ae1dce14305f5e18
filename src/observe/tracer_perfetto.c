/* Marks as packets of a Perfetto trace: the few fields of its protobuf that are needed, encoded by hand.
 *
 * Field numbers are those of the published schema: protos/perfetto/trace/trace.proto, trace_packet.proto, track_event/track_event.proto,
 * track_event/track_descriptor.proto. */
#include <string.h>

#include "observe/tracer.h"

enum { VARINT = 0, FIXED64 = 1, BYTES = 2 };
enum { SLICE_BEGIN = 1, SLICE_END = 2, INSTANT = 3, COUNTER = 4 }; /* TrackEvent.Type */
enum { STATE_CLEARED = 1 };
#define PROCESS_UUID 10000u  /* above every track */
#define UUIDS_OF_PART 16384u /* above it */

/* Numbers that differ between the parts of a file: of the sequence of packets and the process, and of a track. */
static uint32_t sequence(const struct obs_tracer *w) { return w->options.part + 1; }
static uint64_t uuid(const struct obs_tracer *w, unsigned number) {
  return (uint64_t)w->options.part * UUIDS_OF_PART + number;
}

struct message {
  uint8_t bytes[512];
  size_t size;
};

static void varint(struct message *m, uint64_t value) {
  do {
    uint8_t byte = value & 0x7fu;
    value >>= 7;
    if (m->size < sizeof m->bytes) m->bytes[m->size++] = (uint8_t)(byte | (value ? 0x80u : 0));
  } while (value);
}

static void number(struct message *m, unsigned field, uint64_t value) {
  varint(m, field << 3 | VARINT);
  varint(m, value);
}

static void fixed64(struct message *m, unsigned field, uint64_t value) {
  varint(m, field << 3 | FIXED64);
  for (unsigned i = 0; i < 8 && m->size < sizeof m->bytes; i++) m->bytes[m->size++] = (uint8_t)(value >> 8 * i);
}

static void bytes(struct message *m, unsigned field, const void *data, size_t size) {
  varint(m, field << 3 | BYTES);
  varint(m, size);
  if (size > sizeof m->bytes - m->size) size = sizeof m->bytes - m->size;
  memcpy(m->bytes + m->size, data, size);
  m->size += size;
}

static void string(struct message *m, unsigned field, const char *text) { bytes(m, field, text, strlen(text)); }

/* Trace.packet, in one piece: parts of a file are put between pieces. */
static void put(struct obs_tracer *w, const struct message *packet) {
  struct message head = {.size = 0};
  uint8_t record[sizeof head.bytes + 16];
  varint(&head, 1u << 3 | BYTES);
  varint(&head, packet->size);
  memcpy(record, head.bytes, head.size);
  memcpy(record + head.size, packet->bytes, packet->size);
  obs_tracer_put(w, record, head.size + packet->size);
}

static void put_descriptor(struct obs_tracer *w, const struct message *descriptor) {
  struct message packet = {.size = 0};
  number(&packet, 10, sequence(w)); /* trusted_packet_sequence_id */
  if (w->first) number(&packet, 13, STATE_CLEARED);
  w->first = false;
  bytes(&packet, 60, descriptor->bytes, descriptor->size); /* track_descriptor */
  put(w, &packet);
}

static void declare_process(struct obs_tracer *w) {
  struct message process = {.size = 0}, descriptor = {.size = 0};
  number(&process, 1, sequence(w)); /* pid */
  string(&process, 6, w->options.part ? w->options.title : w->tracks->process);
  number(&descriptor, 1, uuid(w, PROCESS_UUID));
  bytes(&descriptor, 3, process.bytes, process.size);
  put_descriptor(w, &descriptor);
}

static void declare(struct obs_tracer *w, unsigned track) {
  struct message descriptor = {.size = 0};
  char name[64];
  if (w->declared[track]) return;
  if (w->first) declare_process(w);
  w->declared[track] = true;
  w->tracks->name(w->machine, track, name, sizeof name);
  number(&descriptor, 1, uuid(w, track + 1u));
  string(&descriptor, 2, name);
  number(&descriptor, 5, uuid(w, PROCESS_UUID));              /* parent_uuid */
  if (w->tracks->counts(track)) bytes(&descriptor, 8, "", 0); /* counter */
  put_descriptor(w, &descriptor);
}

static void annotate(struct message *event, const char *note) {
  struct message annotation = {.size = 0};
  string(&annotation, 10, "packet"); /* DebugAnnotation: name, string_value */
  string(&annotation, 6, note);
  bytes(event, 4, annotation.bytes, annotation.size);
}

void obs_perfetto_mark(struct obs_tracer *w, const struct obs_mark *m) {
  static const uint8_t types[] = {SLICE_BEGIN, SLICE_END, INSTANT, COUNTER};
  struct message event = {.size = 0}, packet = {.size = 0};
  char name[128];
  declare(w, m->track);
  number(&event, 9, types[m->type]);
  number(&event, 11, uuid(w, m->track + 1u)); /* track_uuid */
  if (m->name) {
    obs_mark_name(m, name, sizeof name);
    string(&event, 23, name);
  }
  if (m->note) annotate(&event, m->note);
  if (m->type == OBS_MARK_COUNTER) number(&event, 30, m->value);
  if (m->flow) fixed64(&event, m->flow_ends ? 48 : 47, obs_tracer_flow(w, m->flow)); /* terminating_flow_ids, flow_ids */
  number(&packet, 8, m->at);                                                         /* timestamp */
  number(&packet, 10, sequence(w));
  bytes(&packet, 11, event.bytes, event.size); /* track_event */
  put(w, &packet);
}
