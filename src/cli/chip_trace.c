/* The trace of chip_trace.h. A track per place, NoC and direction; on it a slice for each packet; an arrow from the sender to the receiver. */
#include "cli/chip_trace.h"

#include <errno.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/output.h"

#define COLUMNS 17u
enum { SENDS, RECEIVES };

static void text_line(const struct chip_trace *t, const struct tessera_packet *p) {
  fprintf(t->file, "%12llu %12llu  NoC %u  (%u,%u) to (%u,%u)  %u hops  %s, %u bytes at 0x%llx\n",
          (unsigned long long)p->departs, (unsigned long long)p->arrives, p->noc, p->from_x, p->from_y, p->to_x, p->to_y,
          p->hops, p->kind, p->bytes, (unsigned long long)p->address);
}

/* The track's number; its name stands in front of its first event. */
static unsigned track_of(struct chip_trace *t, unsigned x, unsigned y, unsigned noc, unsigned direction) {
  unsigned track = (y * COLUMNS + x) * 4 + noc * 2 + direction;
  if (!t->declared[track])
    fprintf(t->file,
            ",\n{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":1,\"tid\":%u,\"args\":{\"name\":\"(%u,%u) NoC %u %s\"}}",
            track + 1, x, y, noc, direction == SENDS ? "sends" : "receives");
  t->declared[track] = true;
  return track + 1;
}

static void slice(const struct chip_trace *t, const struct tessera_packet *p, unsigned track, uint64_t from,
                  uint64_t cycles) {
  fprintf(t->file,
          ",\n{\"ph\":\"X\",\"pid\":1,\"tid\":%u,\"ts\":%llu,\"dur\":%llu,\"name\":\"%s\",\"args\":{\"from\":\"(%u,%u)\","
          "\"to\":\"(%u,%u)\",\"bytes\":%u,\"hops\":%u,\"address\":\"0x%llx\"}}",
          track, (unsigned long long)from, (unsigned long long)cycles, p->kind, p->from_x, p->from_y, p->to_x, p->to_y,
          p->bytes, p->hops, (unsigned long long)p->address);
}

static void arrow(const struct chip_trace *t, const char *end, unsigned track, uint64_t at) {
  fprintf(t->file, ",\n{\"ph\":%s,\"cat\":\"noc\",\"name\":\"packet\",\"id\":%llu,\"pid\":1,\"tid\":%u,\"ts\":%llu}", end,
          (unsigned long long)t->count, track, (unsigned long long)at);
}

static void json_events(struct chip_trace *t, const struct tessera_packet *p) {
  unsigned out = track_of(t, p->from_x, p->from_y, p->noc, SENDS), in = track_of(t, p->to_x, p->to_y, p->noc, RECEIVES);
  uint64_t *sent = &t->sent[p->from_y * COLUMNS + p->from_x][p->noc];
  uint64_t cycles = p->cycles ? p->cycles : 1;
  if (*sent != p->sequence + 1) slice(t, p, out, p->departs, 1); /* of a broadcast once */
  *sent = p->sequence + 1;
  arrow(t, "\"s\"", out, p->departs);
  slice(t, p, in, p->arrives - cycles, cycles);
  arrow(t, "\"f\",\"bp\":\"e\"", in, p->arrives - cycles);
}

static void packet(void *context, const struct tessera_packet *p) {
  struct chip_trace *t = context;
  t->count++;
  if (t->json) json_events(t, p);
  else text_line(t, p);
}

static bool ends_in(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n >= m && strcmp(text + n - m, end) == 0;
}

bool chip_trace_begin(struct chip_trace *t, struct tessera_chip *chip, const char *path) {
  if (ends_in(path, ".pftrace") || ends_in(path, ".vcd") || ends_in(path, ".kanata"))
    return cli_bad_input("chip", "--trace writes text or .json (ui.perfetto.dev opens it), not '%s'", path), false;
  t->file = cli_create(path);
  if (!t->file) return cli_bad_input("chip", "%s: could not be written: %s", path, strerror(errno)), false;
  t->json = ends_in(path, ".json");
  if (t->json)
    fputs("{\"traceEvents\":[\n{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":1,\"args\":{\"name\":\"NoCs\"}}", t->file);
  else fputs("#    departs      arrives  NoC, places of NoC 0, hops, what\n", t->file);
  return tessera_chip_packet_hook(chip, packet, t) == TESSERA_OK;
}

bool chip_trace_end(struct chip_trace *t, struct tessera_chip *chip, const char *path) {
  if (!t->file) return true;
  tessera_chip_packet_hook(chip, NULL, NULL);
  if (t->json) fputs("\n]}\n", t->file);
  if (cli_finish(t->file, path, !ferror(t->file))) return true;
  return cli_bad_input("chip", "%s: could not be written to its end", path), false;
}
