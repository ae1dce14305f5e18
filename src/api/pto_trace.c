/* The C API: traces of PTO runs. */
#include <stdlib.h>

#include "api/pto_machine.h"
#include "observe/pto_tracer.h"

struct pto_api_trace {
  tessera_pto_write_fn *write;
  void *context;
  struct obs_pto_tracer tracer;
};

static bool pass_on(void *context, const void *bytes, size_t size) {
  const struct pto_api_trace *trace = context;
  return trace->write(trace->context, bytes, size) == 0;
}

enum tessera_pto_result tessera_pto_trace(struct tessera_pto_machine *m, enum tessera_pto_trace_format format,
                                          tessera_pto_write_fn *write, void *context) {
  static const enum obs_trace_format formats[] = {OBS_TRACE_TEXT, OBS_TRACE_PERFETTO, OBS_TRACE_CHROME, OBS_TRACE_COMPACT};
  if (!pto_api_is_machine(m) || (unsigned)format >= TESSERA_PTO_TRACE_FORMATS || !write || m->trace)
    return TESSERA_PTO_INVALID;
  struct pto_api_trace *trace = calloc(1, sizeof *trace);
  if (!trace) return TESSERA_PTO_INVALID;
  *trace = (struct pto_api_trace){.write = write, .context = context};
  const struct obs_trace_options options = {.format = formats[format], .to = SIM_NEVER, .write = pass_on, .context = trace};
  if (!obs_pto_tracer_begin(&trace->tracer, m->machine, &options)) {
    free(trace);
    return TESSERA_PTO_INVALID;
  }
  m->trace = trace;
  return TESSERA_PTO_OK;
}

enum tessera_pto_result tessera_pto_trace_end(struct tessera_pto_machine *m) {
  if (!pto_api_is_machine(m) || !m->trace) return TESSERA_PTO_INVALID;
  bool good = obs_pto_tracer_end(&m->trace->tracer);
  free(m->trace);
  m->trace = NULL;
  return good ? TESSERA_PTO_OK : TESSERA_PTO_INVALID;
}
