/* The trace of tessera run: a line an instruction.
 *
 *       cycle  who      pc        word      text                              what it wrote
 *         812  TRISC1   000060a4  00f52023  sw a5, 0(a0)                      [00020000] = 0000002a
 *         815  thread1            26010000  MVMUL ...                         matrix unit
 *
 * A core's line has the cycle in which the instruction enters the pipeline. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/run.h"
#include "observe/words.h"
#include "tensix/isa/dis.h"

struct run_trace {
  FILE *file;
  struct tx_tile *t;
  int handle;
};

static const char *const abi[32] = {"zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
                                    "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
                                    "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};

static void what_it_wrote(const struct tx_tile *t, const struct sim_event *e, char *text, size_t size) {
  const struct tx_core *c = &t->core[e->agent - TX_AGENT_TRISC0];
  struct tx_insn d = tx_rv_decode(e->a);
  unsigned rd = (unsigned)(e->c >> 32);
  text[0] = '\0';
  if (d.class == TX_RV_CLASS_STORE) snprintf(text, size, "[%08x] = %08x", c->r[d.rs1] + d.imm, c->r[d.rs2]);
  else if (c->waiting.kind && c->waiting.rd == rd && rd < 32) snprintf(text, size, "%s is on its way", abi[rd]);
  else if (rd > 0 && rd < 32) snprintf(text, size, "%s = %08x", abi[rd], (uint32_t)e->c);
  else if (rd >= 32 && rd < 64) snprintf(text, size, "f%u = %08x", rd - 32, (uint32_t)e->c);
}

static void core_line(struct run_trace *trace, const struct sim_event *e) {
  char text[96], wrote[64];
  tx_rv_dis(e->a, e->b, text, sizeof text);
  what_it_wrote(trace->t, e, wrote, sizeof wrote);
  fprintf(trace->file, "%12llu  %-8s %08x  %08x  %-40s %s\n", (unsigned long long)e->at, obs_agent_name(e->agent), e->b,
          e->a, text, wrote);
}

static void thread_line(struct run_trace *trace, const struct sim_event *e) {
  char text[256];
  tx_dis(e->a, text, sizeof text);
  fprintf(trace->file, "%12llu  thread%u  %08x  %08x  %-40s %s\n", (unsigned long long)e->at, e->agent, e->b, e->a, text,
          obs_unit_name((unsigned)e->c));
}

static void line(void *context, const struct sim_event *e) {
  struct run_trace *trace = context;
  if (e->kind == TX_EVENT_CORE) core_line(trace, e);
  else thread_line(trace, e);
}

struct run_trace *run_trace_open(struct tx_tile *t, const char *path) {
  struct run_trace *trace = calloc(1, sizeof *trace);
  if (trace) trace->file = fopen(path, "w");
  if (!trace || !trace->file) {
    cli_bad_input("run", "%s: cannot be written", path);
    free(trace);
    return NULL;
  }
  trace->t = t;
  trace->handle = sim_log_attach(&t->unsaved.log, line, trace, 1u << TX_EVENT_ISSUE | 1u << TX_EVENT_CORE);
  return trace;
}

bool run_trace_close(struct run_trace *trace) {
  sim_log_detach(&trace->t->unsaved.log, trace->handle);
  bool good = fclose(trace->file) == 0;
  free(trace);
  return good;
}
