/* Texts for the Tensix tile (words.h). */
#include "observe/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../kernels/include/launch.h"
#include "tensix/regs/streams.h"
#include "tensix/tile/bus.h"

static const char *const agent_names[TX_AGENT_WATCH] = {
    "thread 0 (unpack)", "thread 1 (math)", "thread 2 (pack)", "TRISC0", "TRISC1", "TRISC2", "BRISC", "NCRISC",
    "scalar unit",
};
static const char *const unit_names[] = {
    "sync unit",   "unpackers",          "matrix unit", "packer",    "vector unit",
    "scalar unit", "configuration unit", "mover",       "misc unit", "front end",
};
static const char *const semaphore_names[TX_SEMAPHORES] = {
    "FPU_SFPU",  "MATH_PACK",   "UNPACK_TO_DEST",   "UNPACK_OPERAND_SYNC",
    "PACK_DONE", "UNPACK_SYNC", "UNPACK_MATH_DONE", "MATH_DONE",
};
static const char *const condition_names[TX_CONDITIONS] = {
    "scalar unit's memory requests of this thread to finish",
    "unpacker 0 to finish this thread's instructions",
    "unpacker 1 to finish this thread's instructions",
    "packer to finish this thread's instructions",
    "matrix unit to finish this thread's instructions",
    "SrcA unpack bank to be released by the matrix unit",
    "SrcB unpack bank to be released by the matrix unit",
    "SrcA matrix bank to be filled by unpacker 0",
    "SrcB matrix bank to be filled by unpacker 1",
    "mover to finish",
    "core's requests to configuration, GPRs or TDMA to be processed",
    "vector unit to finish this thread's instructions",
    "configuration unit's pipeline to drain",
};
static const char *const wait_names[TX_BLOCKED_COUNT] = {
    [TX_BLOCKED_NOT] = "running",
    [TX_BLOCKED_CONDITION] = "STALLWAIT",
    [TX_BLOCKED_SEMAPHORE] = "semaphore",
    [TX_BLOCKED_STREAM] = "stream",
    [TX_BLOCKED_SRCA] = "SrcA bank",
    [TX_BLOCKED_SRCB] = "SrcB bank",
    [TX_BLOCKED_MUTEX] = "mutex",
    [TX_BLOCKED_UNIT] = "unit busy",
    [TX_BLOCKED_UNPACK_BANK] = "unpack bank",
    [TX_BLOCKED_HAZARD] = "interlock",
    [TX_BLOCKED_CONFIG] = "configuration pipeline",
    [TX_BLOCKED_FIFO] = "FIFO full",
    [TX_BLOCKED_ADDRESS] = "polling",
    [TX_BLOCKED_TTSYNC] = "tensix sync",
    [TX_BLOCKED_MOPSYNC] = "MOP sync",
    [TX_BLOCKED_LATCH] = "open wait",
    [TX_BLOCKED_LOAD] = "load",
    [TX_BLOCKED_LOOP] = "endless loop",
    [TX_BLOCKED_MAILBOX] = "mailbox",
    [TX_BLOCKED_PCBUF] = "PC buffer",
    [TX_BLOCKED_TRACKED] = "Auto TTSync",
    [TX_BLOCKED_ACCESS] = "core access",
};

const char *obs_agent_name(unsigned agent) {
  if (agent >= TX_AGENT_COUNT) return agent == TX_AGENT_NETWORK ? "a packet from the NoC" : "no agent";
  return agent >= TX_AGENT_WATCH ? "watch" : agent_names[agent];
}
const char *obs_unit_name(unsigned unit) { return unit <= TX_UNIT_FRONTEND ? unit_names[unit] : "no unit"; }
const char *obs_wait_name(uint32_t kind) { return kind < TX_BLOCKED_COUNT ? wait_names[kind] : "?"; }

const char *obs_reason_name(uint32_t reason) {
  static const char *const names[TX_REASON_COUNT - TX_BLOCKED_COUNT] = {
      "fetch", "load", "operand", "retire queue", "mispredict", "divide", "memory port", "pipeline"};
  if (reason < TX_BLOCKED_COUNT) return wait_names[reason];
  return reason < TX_REASON_COUNT ? names[reason - TX_BLOCKED_COUNT] : "?";
}

const char *obs_semaphore_name(unsigned index) { return index < TX_SEMAPHORES ? semaphore_names[index] : ""; }

/* Appends to a text that may already be full. */
static void append(char *text, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));

static void append(char *text, size_t size, const char *format, ...) {
  size_t have = strlen(text);
  va_list args;
  if (have + 1 >= size) return;
  va_start(args, format);
  vsnprintf(text + have, size - have, format, args);
  va_end(args);
}

bool obs_is_noc_semaphore(uint32_t address, unsigned *index) {
  const uint32_t offset = address - LAUNCH_SEMAPHORES, stride = 16;
  *index = offset / stride;
  return *index < LAUNCH_SEMAPHORE_COUNT && offset % stride == 0;
}

static void agent_words(const void *machine, unsigned agent, char *text, size_t size) {
  (void)machine;
  snprintf(text, size, "%s", obs_agent_name(agent));
}

/* SEMWAIT waits for all semaphores of its mask: those that hold it up. */
static uint32_t blocking_semaphores(const struct tx_tile *t, const struct sim_wait *w) {
  uint32_t blocking = 0;
  for (unsigned i = 0; i < TX_SEMAPHORES; i++) {
    const struct sim_csem *sem = &t->sync.sem[i];
    if ((w->detail & 1u && !sem->value) || (w->detail & 2u && sem->value >= sem->max)) blocking |= 1u << i;
  }
  return blocking & w->object;
}

static void semaphore_words(const struct tx_tile *t, const struct sim_wait *w, char *text, size_t size) {
  uint32_t blocking = blocking_semaphores(t, w), named = blocking ? blocking : w->object;
  const char *between = "";
  snprintf(text, size, "semaphore");
  for (unsigned i = 0; i < TX_SEMAPHORES; i++) {
    const struct sim_csem *sem = &t->sync.sem[i];
    if (!(named >> i & 1u)) continue;
    const char *what = !blocking ? "" : w->detail & 1u && !sem->value ? " to be posted" : " to fall below its maximum";
    append(text, size, "%s %u (%s)%s: value %u, maximum %u", between, i, semaphore_names[i], what, sem->value, sem->max);
    between = " and";
  }
}

static void condition_words(const struct sim_wait *w, char *text, size_t size) {
  const char *between = "";
  text[0] = '\0';
  for (unsigned i = 0; i < TX_CONDITIONS; i++) {
    if (!(w->object >> i & 1u)) continue;
    append(text, size, "%s%s (C%u)", between, condition_names[i], i);
    between = " and ";
  }
  if (!text[0]) append(text, size, "STALLWAIT's condition");
}

/* The stream registers that kernels use as the two counters of a circular buffer. */
static const char *buffer_counter(uint32_t address) {
  if (address < TX_ADDR_STREAM || address >= TX_ADDR_STREAM + TX_STREAMS * TX_STREAM_BYTES) return NULL;
  uint32_t index = address % TX_STREAM_BYTES / 4;
  return index == 8 ? "acknowledged" : index == 10 ? "received" : NULL;
}

static void address_words(const struct sim_wait *w, char *text, size_t size) {
  uint32_t mask = (uint32_t)w->detail, value = (uint32_t)(w->detail >> 32);
  if (!mask && buffer_counter(w->object)) {
    snprintf(text, size, "circular buffer %u: pages %s (0x%08x) to change: it polls the word and reads %u",
             (w->object - TX_ADDR_STREAM) / TX_STREAM_BYTES, buffer_counter(w->object), w->object, value);
    return;
  }
  if (!mask) { /* a core's loop: its code contains the condition */
    snprintf(text, size, "the word at 0x%08x to change: it polls the word and reads 0x%x", w->object, value);
    return;
  }
  snprintf(text, size, "the word at 0x%08x to become 0x%x (mask 0x%x)", w->object, value, mask);
}

/* A latched wait that blocks no instruction yet: its kind and its open condition. */
static void latch_words(const struct tx_tile *t, unsigned thread, char *text, size_t size) {
  const struct tx_latch *latch = &t->gate[thread % TX_THREADS].latch;
  struct sim_wait w = {.object = latch->semaphores, .detail = latch->condition};
  const struct tx_op *op = &tx_ops[latch->opcode & 0xffu];
  if (latch->opcode == TX_SEMWAIT) {
    semaphore_words(t, &w, text, size);
  } else if (latch->opcode == TX_STALLWAIT) {
    w.object = latch->condition;
    condition_words(&w, text, size);
  } else {
    snprintf(text, size, "stream %u to reach %u", latch->stream, latch->target);
  }
  append(text, size, " (its last instruction, %s, has not retired)", op->name ? op->name : "a wait");
}

/* An UNPACR that waits for its bank has left the gate: its thread appears idle. */
static void unpacker_words(const struct tx_tile *t, unsigned thread, char *text, size_t size) {
  for (unsigned unpacker = 0; unpacker < 2; unpacker++) {
    if (!tx_unpack_waiting(t, unpacker) || !tx_unpack_busy(t, unpacker, thread)) continue;
    append(text, size, "; its UNPACR is in unpacker %u and waits for the %s", unpacker,
           condition_names[unpacker ? TX_C6_SRCB_CLEARED : TX_C5_SRCA_CLEARED]);
  }
}

/* Auto TTSync's resources. A bank of configuration is listed as one word. */
static void resource_words(uint32_t resources, char *text, size_t size) {
  static const char *const parts[] = {"unpacker 0's configuration", "unpacker 1's configuration", "configuration"};
  const char *between = " ";
  for (unsigned i = 0; i < 3; i++) {
    bool some = resources >> i & TX_SYNC_BOTH_BANKS, general = resources & TX_SYNC_REMAINDER * TX_SYNC_BOTH_BANKS;
    if (!some || (i < 2 && general)) continue;
    append(text, size, "%s%s", between, parts[i]);
    between = ", ";
  }
  if (resources & TX_SYNC_GPR) append(text, size, "%sGPRs", between), between = ", ";
  if (resources & TX_SYNC_TDMA) append(text, size, "%sTDMA-RISC", between);
}

static void tracked_words(const struct sim_wait *w, char *text, size_t size) {
  bool of_core = w->kind == TX_BLOCKED_TRACKED;
  snprintf(text, size, of_core ? "instructions of thread %u that use" : "TRISC%u's access to", w->object);
  resource_words((uint32_t)w->detail, text, size);
  append(text, size, of_core ? " to pass the gate (Auto TTSync)" : " to be done (Auto TTSync)");
}

static void wait_words(const void *machine, const struct sim_wait *w, char *text, size_t size) {
  const struct tx_tile *t = machine;
  switch (w->kind) {
    case TX_BLOCKED_CONDITION: condition_words(w, text, size); break;
    case TX_BLOCKED_SEMAPHORE: semaphore_words(t, w, text, size); break;
    case TX_BLOCKED_STREAM: snprintf(text, size, "stream %u to reach %u", w->object, (unsigned)w->detail); break;
    case TX_BLOCKED_SRCA: snprintf(text, size, "%s", condition_names[TX_C7_SRCA_VALID]); break;
    case TX_BLOCKED_SRCB: snprintf(text, size, "%s", condition_names[TX_C8_SRCB_VALID]); break;
    case TX_BLOCKED_MUTEX:
      snprintf(text, size, "mutex %u, held by %s", w->object, obs_agent_name(t->sync.mutex_holder[w->object & 7u]));
      break;
    case TX_BLOCKED_UNIT:
    case TX_BLOCKED_HAZARD: snprintf(text, size, "the %s to accept", obs_unit_name(w->object)); break;
    case TX_BLOCKED_UNPACK_BANK:
      snprintf(text, size, "%s", condition_names[w->object ? TX_C6_SRCB_CLEARED : TX_C5_SRCA_CLEARED]);
      break;
    case TX_BLOCKED_CONFIG: snprintf(text, size, "the configuration pipeline to have a free stage"); break;
    case TX_BLOCKED_FIFO: snprintf(text, size, "room in the instruction FIFO of thread %u", w->object); break;
    case TX_BLOCKED_ADDRESS: address_words(w, text, size); break;
    case TX_BLOCKED_TTSYNC:
      snprintf(text, size, "thread %u to become idle (tensix_sync)", w->object);
      unpacker_words(t, w->object, text, size);
      break;
    case TX_BLOCKED_MOPSYNC: snprintf(text, size, "the MOP expander of thread %u to become idle", w->object); break;
    case TX_BLOCKED_LATCH: latch_words(t, w->object, text, size); break;
    case TX_BLOCKED_LOOP: snprintf(text, size, "nothing: it jumps to itself at 0x%08x forever", w->object); break;
    case TX_BLOCKED_MAILBOX: snprintf(text, size, "a word in the mailbox at 0x%08x, or room in it", w->object); break;
    case TX_BLOCKED_PCBUF: snprintf(text, size, "the PC buffer at 0x%08x", w->object); break;
    case TX_BLOCKED_TRACKED:
    case TX_BLOCKED_ACCESS: tracked_words(w, text, size); break;
    case TX_BLOCKED_LOAD: snprintf(text, size, "the load from 0x%08x", w->object); break;
    default: snprintf(text, size, "nothing"); break;
  }
}

#define BIT(agent) (UINT64_C(1) << (agent))

static const uint64_t all_threads = BIT(TX_AGENT_THREAD0) | BIT(TX_AGENT_THREAD1) | BIT(TX_AGENT_THREAD2);
static const uint64_t all_cores =
    BIT(TX_AGENT_TRISC0) | BIT(TX_AGENT_TRISC1) | BIT(TX_AGENT_TRISC2) | BIT(TX_AGENT_BRISC) | BIT(TX_AGENT_NCRISC);

/* A condition on a bank is ended by a thread that may issue UNPACR or a releasing instruction: any other thread. */
static uint64_t releasers(const void *machine, unsigned agent, const struct sim_wait *w) {
  const struct tx_tile *t = machine;
  uint64_t others = all_threads | all_cores;
  for (unsigned i = 0; i < TX_AGENT_COUNT; i++) /* a core that was never started cannot release it */
    if (i == agent || t->engine.agents[i].state == SIM_AGENT_OFF) others &= ~BIT(i);
  switch (w->kind) {
    case TX_BLOCKED_MUTEX: {
      uint8_t holder = t->sync.mutex_holder[w->object & 7u];
      return holder < TX_THREADS ? BIT(holder) : others;
    }
    case TX_BLOCKED_UNIT: return w->object == TX_UNIT_SCALAR && t->scalar.waiting_word ? BIT(TX_AGENT_SCALAR) : others;
    case TX_BLOCKED_LOOP: return 0;
    case TX_BLOCKED_FIFO:
    case TX_BLOCKED_ACCESS: return BIT(tx_agent_of_trisc(w->object));
    case TX_BLOCKED_TRACKED:
    case TX_BLOCKED_TTSYNC:
    case TX_BLOCKED_MOPSYNC: return BIT(tx_agent_of_thread(w->object));
    default: return others;
  }
}

const struct sim_words obs_words = {.agent = agent_words, .wait = wait_words, .releasers = releasers};

void obs_add_buffers(struct sim_text *out, uint32_t buffers) {
  for (uint32_t left = buffers; left; left &= left - 1)
    sim_text_add(out, "%sCB %d", left == buffers ? "" : left & (left - 1) ? ", " : " and ", __builtin_ctz(left));
}

void obs_fault_line(const struct tx_tile *t, char *text, size_t size) {
  const struct sim_fault *f = &t->fault;
  const struct tx_op *op = &tx_ops[f->word >> 24];
  text[0] = '\0';
  append(text, size, "%s: %s", sim_fault_kind_name(f->kind), f->why);
  append(text, size, " [%s, cycle %llu", obs_agent_name(f->agent), (unsigned long long)f->cycle);
  if (f->agent <= TX_AGENT_THREAD2) append(text, size, ", %s 0x%08x", op->name ? op->name : "word", f->word);
  if (f->pc && f->agent != TX_AGENT_NETWORK) append(text, size, ", pc 0x%08x", f->pc);
  const bool named = f->document[0] && strcmp(f->document, "none") != 0; /* "none": no document has it */
  append(text, size, named ? "; %s]" : "]", f->document);
}
