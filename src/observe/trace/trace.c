/* The trace of trace.h. */
#include "observe/trace/trace.h"

#include <string.h>

#include "observe/words.h"
#include "sim/format.h"
#include "tensix/isa/dis.h"

static const char *const abi[32] = {"zero", "ra", "sp", "gp", "tp",  "t0",  "t1", "t2", "s0", "s1", "a0",
                                    "a1",   "a2", "a3", "a4", "a5",  "a6",  "a7", "s2", "s3", "s4", "s5",
                                    "s6",   "s7", "s8", "s9", "s10", "s11", "t3", "t4", "t5", "t6"};

#define DIS_MAX 256
#define WROTE_MAX 64

static void what_it_wrote(const struct tx_tile *t, const struct sim_event *e, char *text, size_t size) {
  const struct tx_core *c = &t->core[e->agent - TX_AGENT_TRISC0];
  struct tx_insn d = tx_rv_decode(e->a);
  unsigned rd = (unsigned)(e->c >> 32);
  text[0] = '\0';
  if (d.class == TX_RV_CLASS_STORE) sim_format(text, size, "[%08x] = %08x", c->r[d.rs1] + d.imm, c->r[d.rs2]);
  else if (c->waiting.kind && c->waiting.rd == rd && rd < 32) sim_format(text, size, "%s is on its way", abi[rd]);
  else if (rd > 0 && rd < 32) sim_format(text, size, "%s = %08x", abi[rd], (uint32_t)e->c);
  else if (rd >= 32 && rd < 64) sim_format(text, size, "f%u = %08x", rd - 32, (uint32_t)e->c);
}

#define TENSIX 1u /* pc of Tensix instructions: no core has an instruction there */

static const char *disassemble(struct obs_dis *seen, uint32_t word, uint32_t pc, char *text, size_t size) {
  unsigned place = (word ^ word >> 11 ^ pc >> 2) % OBS_DIS_ENTRIES;
  if (seen && seen->entry[place].text[0] && seen->entry[place].word == word && seen->entry[place].pc == pc)
    return seen->entry[place].text;
  if (pc == TENSIX) tx_dis(word, text, size);
  else tx_rv_dis(word, pc, text, (uint32_t)size);
  size_t length = strlen(text);
  if (seen && length < sizeof seen->entry[place].text) {
    seen->entry[place].word = word;
    seen->entry[place].pc = pc;
    memcpy(seen->entry[place].text, text, length + 1);
  }
  return text;
}

static char *put_hex(char *at, uint32_t value) {
  for (unsigned i = 0; i < 8; i++) at[i] = "0123456789abcdef"[value >> (28 - 4 * i) & 15u];
  return at + 8;
}

static char *put_text(char *at, const char *text, size_t width) {
  size_t length = strlen(text);
  memcpy(at, text, length);
  if (length < width) memset(at + length, ' ', width - length);
  return at + (length < width ? width : length);
}

/* "%12llu %-8s %08x %08x %-40s %s" for texts that fit; a general formatter is too slow for one line per instruction. */
static size_t instruction_line(const struct sim_event *e, const char *who, const char *text, const char *last, char *line,
                               size_t size) {
  char whole[128 + DIS_MAX + WROTE_MAX], *at = whole;
  at += sim_format(at, 24, "%12llu", (unsigned long long)e->at);
  at = put_text(put_text(at, "  ", 0), who, 8);
  *at++ = ' ';
  at = put_text(put_hex(at, e->b), "  ", 0);
  at = put_text(put_hex(at, e->a), "  ", 0);
  at = put_text(put_text(put_text(at, text, 40), " ", 0), last, 0);
  size_t length = (size_t)(at - whole);
  if (size) {
    memcpy(line, whole, length < size ? length : size - 1);
    line[length < size ? length : size - 1] = '\0';
  }
  return length;
}

static size_t core_line(const struct tx_tile *t, const struct sim_event *e, struct obs_dis *seen, char *line, size_t size) {
  char space[DIS_MAX], wrote[WROTE_MAX];
  const char *text = disassemble(seen, e->a, e->b, space, sizeof space);
  what_it_wrote(t, e, wrote, sizeof wrote);
  return instruction_line(e, obs_agent_name(e->agent), text, wrote, line, size);
}

static size_t thread_line(const struct sim_event *e, struct obs_dis *seen, char *line, size_t size) {
  static const char *const who[TX_THREADS] = {"thread0", "thread1", "thread2"};
  char space[DIS_MAX];
  const char *text = disassemble(seen, e->a, TENSIX, space, sizeof space);
  return instruction_line(e, who[e->agent % TX_THREADS], text, obs_unit_name((unsigned)e->c), line, size);
}

static size_t finding_line(const struct tx_tile *t, const struct sim_event *e, char *line, size_t size) {
  const struct tx_finding *f = &t->diag.findings[e->c % TX_FINDINGS_MAX];
  return sim_format(line, size, "%12llu  %-8s %08x  %08x  finding: %s%s%s", (unsigned long long)e->at,
                    obs_agent_name(e->agent), f->pc, e->b, tx_diag_infos[f->id].what, f->why[0] ? ": " : "", f->why);
}

static const char *owner_name(uint64_t owner) { return owner ? "matrix unit" : "unpackers"; }

/* Changes of the tile, or of an agent's wait. */
static void other_words(const struct sim_event *e, char *text, size_t size) {
  unsigned unit = (unsigned)(e->c & 0xffu), cycles = (unsigned)(e->c & UINT32_MAX);
  switch (e->kind) {
    case TX_EVENT_BLOCK: sim_format(text, size, e->a ? "waits: %s (0x%x)" : "goes on", obs_wait_name(e->a), e->b); break;
    case TX_EVENT_UNIT:
      sim_format(text, size, "%s: starts +%u, free +%u, retires +%u", obs_unit_name(e->a & 0xffu), e->a >> 8, e->b, cycles);
      break;
    case TX_EVENT_RETIRE: sim_format(text, size, "%s: complete +%u", obs_unit_name(unit), (unsigned)(e->c >> 16)); break;
    case TX_EVENT_BANK: sim_format(text, size, "Src%c bank %u to the %s", e->a ? 'B' : 'A', e->b, owner_name(e->c)); break;
    case TX_EVENT_SEMAPHORE:
      sim_format(text, size, "semaphore %u (%s) = %u of %u", e->a, obs_semaphore_name(e->a), e->b, cycles);
      break;
    case TX_EVENT_MUTEX:
      sim_format(text, size, e->b == TX_MUTEX_FREE ? "mutex %u is free" : "mutex %u is held", e->a);
      break;
    case TX_EVENT_BUFFER: sim_format(text, size, "CB %u: %s %u", e->a, e->b ? "pushed" : "popped", cycles); break;
    default:
      if (e->a == TX_BLOCKED_ADDRESS) /* turns of its loop that read the same value have no lines of their own */
        sim_format(text, size, "polled 0x%08x for %u cycles: turns left out", (unsigned)(e->c >> 32), cycles);
      else sim_format(text, size, "%u cycles: %s", cycles, obs_reason_name(e->a));
      break;
  }
}

/* The bytes of the UTF-8 character at the address; 0: there is none. */
static size_t letter_bytes(const struct tx_tile *t, uint32_t address) {
  const uint8_t first = t->l1[address];
  const size_t count = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0x20 || first == 0x7f || (first >= 0x80 && first < 0xc2) || first > 0xf4 || count > t->l1_bytes - address)
    return 0;
  for (size_t i = 1; i < count; i++)
    if ((t->l1[address + i] & 0xc0u) != 0x80u) return 0;
  return count;
}

void obs_zone_name(const struct tx_tile *t, uint32_t address, char *text, size_t size) {
  size_t n = 0;
  while (n + 4 < size && address < t->l1_bytes && t->l1[address]) {
    const size_t count = letter_bytes(t, address);
    if (count) memcpy(text + n, &t->l1[address], count);
    else text[n] = '_';
    n += count ? count : 1;
    address += count ? (uint32_t)count : 1;
  }
  text[n] = '\0';
  if (!n) sim_format(text, (uint32_t)size, "zone");
}

static size_t other_line(const struct tx_tile *t, const struct sim_event *e, char *line, size_t size) {
  char text[OBS_ZONE_NAME + 16], who[16], zone[OBS_ZONE_NAME];
  if (e->kind == TX_EVENT_ZONE) {
    obs_zone_name(t, e->b, zone, sizeof zone);
    sim_format(text, sizeof text, "zone %s %s", zone, e->a ? "begins" : "ends");
  } else {
    other_words(e, text, sizeof text);
  }
  if (e->agent <= TX_AGENT_THREAD2) sim_format(who, sizeof who, "thread%u", e->agent);
  else sim_format(who, sizeof who, "%.15s", obs_agent_name(e->agent));
  return sim_format(line, size, "%12llu  %-8s %28s%s", (unsigned long long)e->at, who, "", text);
}

size_t obs_trace_line(const struct tx_tile *t, const struct sim_event *e, struct obs_dis *seen, char *line, size_t size) {
  switch (e->kind) {
    case TX_EVENT_CORE: return core_line(t, e, seen, line, size);
    case TX_EVENT_FINDING: return finding_line(t, e, line, size);
    case TX_EVENT_ISSUE: return thread_line(e, seen, line, size);
    default: return other_line(t, e, line, size);
  }
}
