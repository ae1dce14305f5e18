/* The C API: traces of PTO runs. Every block has a tracer; those of several blocks are the parts of one file. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/pto_machine.h"
#include "api/trace_merge.h"
#include "observe/pto/report.h"
#include "observe/pto/tracer.h"

struct block_trace {
  struct pto_api_trace *trace;
  char title[48];
  char *kept; /* the compact format: written at the end, if the block is the slowest */
  size_t size, room;
  struct obs_pto_tracer tracer;
};

struct pto_api_trace {
  tessera_pto_write_fn *write;
  void *context;
  enum tessera_pto_trace_format format;
  FILE *marks; /* Perfetto, Chrome: the marks of each block in turn, put in order at the end; NULL: written in order */
  char *scratch;
  uint32_t count;
  struct block_trace blocks[];
};

static bool put(const struct pto_api_trace *trace, const void *bytes, size_t size) {
  if (trace->marks) return fwrite(bytes, 1, size, trace->marks) == size;
  return trace->write(trace->context, bytes, size) == 0;
}

static bool pass_on(void *context, const void *bytes, size_t size) {
  return put(((struct block_trace *)context)->trace, bytes, size);
}

static bool keep(void *context, const void *bytes, size_t size) {
  struct block_trace *b = context;
  if (size > b->room - b->size) {
    size_t room = 2 * b->room + size + 65536;
    char *more = realloc(b->kept, room);
    if (!more) return false;
    b->kept = more;
    b->room = room;
  }
  memcpy(b->kept + b->size, bytes, size);
  b->size += size;
  return true;
}

static bool begin_block(struct pto_api_trace *trace, uint32_t i, const struct tessera_pto_machine *from) {
  static const enum obs_trace_format formats[] = {OBS_TRACE_TEXT, OBS_TRACE_PERFETTO, OBS_TRACE_CHROME, OBS_TRACE_COMPACT};
  struct block_trace *b = &trace->blocks[i];
  bool several = trace->count > 1, parts = several && trace->format != TESSERA_PTO_TRACE_COMPACT;
  b->trace = trace;
  snprintf(b->title, sizeof b->title, "PTO, block %u (1 ns is one cycle)", i);
  const struct obs_trace_options options = {
      .format = formats[trace->format],
      .from = from->trace_from,
      .to = from->trace_to ? from->trace_to : SIM_NEVER,
      .part = parts ? i + 1 : 0,
      .title = b->title,
      .write = several && trace->format == TESSERA_PTO_TRACE_COMPACT ? keep : pass_on,
      .context = b,
  };
  return obs_pto_tracer_begin(&b->tracer, from->grid->blocks[i], &options);
}

/* Parts of a file have neither its head nor its end. */
static bool write_frame(const struct pto_api_trace *trace, const char *text) {
  bool framed = trace->count > 1 && trace->format == TESSERA_PTO_TRACE_CHROME;
  return !framed || put(trace, text, strlen(text));
}

static void release(struct pto_api_trace *trace) {
  for (uint32_t i = 0; i < trace->count; i++) free(trace->blocks[i].kept);
  if (trace->marks) fclose(trace->marks);
  free(trace->scratch);
  free(trace);
}

/* The tracer of each block passes on its marks when its buffer is full; those of one track are in order. */
static bool open_marks(struct pto_api_trace *trace, const char *scratch) {
  if (trace->format != TESSERA_PTO_TRACE_PERFETTO && trace->format != TESSERA_PTO_TRACE_CHROME) return true;
  if (scratch && !(trace->scratch = strdup(scratch))) return false;
  return (trace->marks = api_nameless(trace->scratch)) != NULL;
}

static bool merge_marks(const struct pto_api_trace *trace) {
  const struct api_trace_part part = {.file = trace->marks, .steady = true};
  return !trace->marks || api_trace_merge(&(struct api_trace_merge){.parts = &part,
                                                                    .count = 1,
                                                                    .json = trace->format == TESSERA_PTO_TRACE_CHROME,
                                                                    .scratch = trace->scratch,
                                                                    .write = trace->write,
                                                                    .context = trace->context});
}

enum tessera_pto_result tessera_pto_trace(struct tessera_pto_machine *m, enum tessera_pto_trace_format format,
                                          tessera_pto_write_fn *write, void *context) {
  static const char head[] = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n"
                             "{\"ph\":\"M\",\"name\":\"process_sort_index\",\"pid\":2,\"args\":{\"sort_index\":0}}";
  if (!pto_api_is_machine(m) || (unsigned)format >= TESSERA_PTO_TRACE_FORMATS || !write) return TESSERA_PTO_INVALID;
  struct pto_api_trace **place = format == TESSERA_PTO_TRACE_COMPACT ? &m->timeline : &m->trace;
  if (*place) return TESSERA_PTO_INVALID;
  const uint32_t count = m->grid->count;
  struct pto_api_trace *trace = calloc(1, sizeof *trace + count * sizeof trace->blocks[0]);
  if (!trace) return TESSERA_PTO_INVALID;
  trace->write = write;
  trace->context = context;
  trace->format = format;
  trace->count = count;
  uint32_t begun = 0;
  bool good = open_marks(trace, m->trace_scratch) && write_frame(trace, head);
  while (good && begun < count && begin_block(trace, begun, m)) begun++;
  if (good && begun == count) {
    *place = trace;
    m->trace_scratch = NULL;
    return TESSERA_PTO_OK;
  }
  while (begun) obs_pto_tracer_end(&trace->blocks[--begun].tracer);
  release(trace);
  return TESSERA_PTO_INVALID;
}

enum tessera_pto_result tessera_pto_trace_end(struct tessera_pto_machine *m) {
  if (!pto_api_is_machine(m)) return TESSERA_PTO_INVALID;
  struct pto_api_trace **place = m->trace ? &m->trace : &m->timeline, *trace = *place;
  if (!trace) return TESSERA_PTO_INVALID;
  bool good = true;
  for (uint32_t i = 0; i < trace->count; i++) good = obs_pto_tracer_end(&trace->blocks[i].tracer) && good;
  const struct block_trace *shown = &trace->blocks[obs_pto_report_block(m->grid)];
  if (shown->size) good = trace->write(trace->context, shown->kept, shown->size) == 0 && good;
  good = write_frame(trace, "\n]}\n") && good;
  good = good && merge_marks(trace);
  const int why = errno;
  release(trace);
  errno = why;
  *place = NULL;
  return good ? TESSERA_PTO_OK : TESSERA_PTO_INVALID;
}

enum tessera_pto_result tessera_pto_trace_range(struct tessera_pto_machine *m, uint64_t from, uint64_t to) {
  if (!pto_api_is_machine(m) || m->trace || (to && from > to)) return TESSERA_PTO_INVALID;
  m->trace_from = from;
  m->trace_to = to;
  return TESSERA_PTO_OK;
}

enum tessera_pto_result tessera_pto_trace_scratch(struct tessera_pto_machine *m, const char *path) {
  if (!pto_api_is_machine(m) || m->trace) return TESSERA_PTO_INVALID;
  m->trace_scratch = path;
  return TESSERA_PTO_OK;
}
