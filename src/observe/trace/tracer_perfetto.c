/* Marks as packets of a Perfetto trace: the few fields of its protobuf that are needed, encoded by hand.
 *
 * Field numbers are those of the published schema: protos/perfetto/trace/trace.proto, trace_packet.proto, track_event/track_event.proto,
 * track_event/track_descriptor.proto. */
#include <string.h>

#include "observe/trace/tracer.h"

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

#define MESSAGE_BYTES 2048u
#define TEXT_BYTES 900u /* of a name or a note; the other fields of a packet fit beside it */

struct message {
  size_t size; /* the rest is not initialised: that would take longer than the message */
  uint8_t bytes[MESSAGE_BYTES];
};

static void varint(struct message *m, uint64_t value) {
  for (; value >= 0x80; value >>= 7) m->bytes[m->size++] = (uint8_t)(value | 0x80u);
  m->bytes[m->size++] = (uint8_t)value;
}

static void number(struct message *m, unsigned field, uint64_t value) {
  varint(m, field << 3 | VARINT);
  varint(m, value);
}

static void fixed64(struct message *m, unsigned field, uint64_t value) {
  varint(m, field << 3 | FIXED64);
  for (unsigned i = 0; i < 8; i++) m->bytes[m->size++] = (uint8_t)(value >> 8 * i);
}

static void bytes(struct message *m, unsigned field, const void *data, size_t size) {
  varint(m, field << 3 | BYTES);
  varint(m, size);
  memcpy(m->bytes + m->size, data, size);
  m->size += size;
}

static void string(struct message *m, unsigned field, const char *text) {
  const size_t size = strlen(text);
  bytes(m, field, text, size < TEXT_BYTES ? size : TEXT_BYTES);
}

/* Trace.packet, in one piece: parts of a file are put between pieces. Its last field is `message`. */
static void put(struct obs_tracer *w, struct message *packet, unsigned field, const struct message *message) {
  struct message head;
  head.size = 0;
  varint(packet, field << 3 | BYTES);
  varint(packet, message->size);
  varint(&head, 1u << 3 | BYTES);
  varint(&head, packet->size + message->size);
  if (head.size + packet->size + message->size > OBS_TRACE_BUFFER - w->buffered) obs_tracer_flush(w);
  obs_tracer_put(w, head.bytes, head.size);
  obs_tracer_put(w, packet->bytes, packet->size);
  obs_tracer_put(w, message->bytes, message->size);
}

static void put_descriptor(struct obs_tracer *w, const struct message *descriptor) {
  struct message packet;
  packet.size = 0;
  number(&packet, 10, sequence(w)); /* trusted_packet_sequence_id */
  if (w->first) number(&packet, 13, STATE_CLEARED);
  w->first = false;
  put(w, &packet, 60, descriptor); /* track_descriptor */
}

static void declare_process(struct obs_tracer *w) {
  struct message process, descriptor;
  process.size = descriptor.size = 0;
  number(&process, 1, sequence(w)); /* pid */
  string(&process, 6, w->options.part ? w->options.title : w->tracks->process);
  number(&descriptor, 1, uuid(w, PROCESS_UUID));
  bytes(&descriptor, 3, process.bytes, process.size);
  put_descriptor(w, &descriptor);
}

static void declare(struct obs_tracer *w, unsigned track) {
  struct message descriptor;
  char name[64];
  descriptor.size = 0;
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
  struct message annotation;
  annotation.size = 0;
  string(&annotation, 10, "packet"); /* DebugAnnotation: name, string_value */
  string(&annotation, 6, note);
  bytes(event, 4, annotation.bytes, annotation.size);
}

void obs_perfetto_mark(struct obs_tracer *w, const struct obs_mark *m) {
  static const uint8_t types[] = {SLICE_BEGIN, SLICE_END, INSTANT, COUNTER};
  struct message event, packet;
  char name[TEXT_BYTES];
  event.size = packet.size = 0;
  declare(w, m->track);
  number(&event, 9, types[m->type]);
  number(&event, 11, uuid(w, m->track + 1u)); /* track_uuid */
  if (m->name && !m->waits && m->number < 0) string(&event, 23, m->name);
  else if (m->name) bytes(&event, 23, name, obs_mark_name(m, name, sizeof name));
  if (m->note) annotate(&event, m->note);
  if (m->type == OBS_MARK_COUNTER) number(&event, 30, m->value);
  if (m->flow) fixed64(&event, m->flow_ends ? 48 : 47, obs_tracer_flow(w, m->flow)); /* terminating_flow_ids, flow_ids */
  number(&packet, 8, m->at);                                                         /* timestamp */
  number(&packet, 10, sequence(w));
  put(w, &packet, 11, &event); /* track_event */
}
