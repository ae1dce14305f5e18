/* The trace of trace.h. */
#include "observe/trace.h"

#include <stdio.h>

#include "observe/words.h"
#include "tensix/isa/dis.h"

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

static size_t core_line(const struct tx_tile *t, const struct sim_event *e, char *line, size_t size) {
  char text[96], wrote[64];
  tx_rv_dis(e->a, e->b, text, sizeof text);
  what_it_wrote(t, e, wrote, sizeof wrote);
  int n = snprintf(line, size, "%12llu  %-8s %08x  %08x  %-40s %s", (unsigned long long)e->at, obs_agent_name(e->agent),
                   e->b, e->a, text, wrote);
  return n > 0 ? (size_t)n : 0;
}

static size_t thread_line(const struct sim_event *e, char *line, size_t size) {
  char text[256];
  tx_dis(e->a, text, sizeof text);
  int n = snprintf(line, size, "%12llu  thread%u  %08x  %08x  %-40s %s", (unsigned long long)e->at, e->agent, e->b, e->a,
                   text, obs_unit_name((unsigned)e->c));
  return n > 0 ? (size_t)n : 0;
}

static size_t finding_line(const struct tx_tile *t, const struct sim_event *e, char *line, size_t size) {
  const struct tx_finding *f = &t->diag.findings[e->c % TX_FINDINGS_MAX];
  int n = snprintf(line, size, "%12llu  %-8s %08x  %08x  finding: %s%s%s", (unsigned long long)e->at,
                   obs_agent_name(e->agent), f->pc, e->b, tx_diag_infos[f->id].what, f->why[0] ? ": " : "", f->why);
  return n > 0 ? (size_t)n : 0;
}

static const char *owner_name(uint64_t owner) { return owner ? "matrix unit" : "unpackers"; }

/* What changes in the tile, or in what an agent waits for. */
static void other_words(const struct sim_event *e, char *text, size_t size) {
  unsigned unit = (unsigned)(e->c & 0xffu), cycles = (unsigned)(e->c & UINT32_MAX);
  switch (e->kind) {
    case TX_EVENT_BLOCK: snprintf(text, size, e->a ? "waits: %s (0x%x)" : "goes on", obs_wait_name(e->a), e->b); break;
    case TX_EVENT_UNIT:
      snprintf(text, size, "%s: starts +%u, free +%u, retires +%u", obs_unit_name(e->a & 0xffu), e->a >> 8, e->b, cycles);
      break;
    case TX_EVENT_RETIRE: snprintf(text, size, "%s: complete +%u", obs_unit_name(unit), (unsigned)(e->c >> 16)); break;
    case TX_EVENT_BANK: snprintf(text, size, "Src%c bank %u to the %s", e->a ? 'B' : 'A', e->b, owner_name(e->c)); break;
    case TX_EVENT_SEMAPHORE:
      snprintf(text, size, "semaphore %u (%s) = %u of %u", e->a, obs_semaphore_name(e->a), e->b, cycles);
      break;
    case TX_EVENT_MUTEX: snprintf(text, size, e->b == TX_MUTEX_FREE ? "mutex %u is free" : "mutex %u is held", e->a); break;
    case TX_EVENT_BUFFER: snprintf(text, size, "CB %u: %s %u", e->a, e->b ? "pushed" : "popped", cycles); break;
    default: snprintf(text, size, "%u cycles: %s", cycles, obs_reason_name(e->a)); break;
  }
}

static size_t other_line(const struct sim_event *e, char *line, size_t size) {
  char text[128], who[16];
  other_words(e, text, sizeof text);
  if (e->agent <= TX_AGENT_THREAD2) snprintf(who, sizeof who, "thread%u", e->agent);
  else snprintf(who, sizeof who, "%.15s", obs_agent_name(e->agent));
  int n = snprintf(line, size, "%12llu  %-8s %28s%s", (unsigned long long)e->at, who, "", text);
  return n > 0 ? (size_t)n : 0;
}

size_t obs_trace_line(const struct tx_tile *t, const struct sim_event *e, char *line, size_t size) {
  switch (e->kind) {
    case TX_EVENT_CORE: return core_line(t, e, line, size);
    case TX_EVENT_FINDING: return finding_line(t, e, line, size);
    case TX_EVENT_ISSUE: return thread_line(e, line, size);
    default: return other_line(e, line, size);
  }
}
