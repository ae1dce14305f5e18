/* The resource that a core of hang.h waits for: the word, counter or register that its loop polls, a mailbox, a local
 * variable. */
#include <stdio.h>
#include <string.h>

#include "../kernels/include/launch.h"
#include "debug/demangle.h"
#include "debug/loop.h"
#include "debug/symbols.h"
#include "noc/niu.h"
#include "noc/streams.h"
#include "observe/hang/constants.h"
#include "observe/hang/hang_internal.h"
#include "observe/hang/poll.h"
#include "observe/hang/reach.h"
#include "observe/words.h"
#include "tensix/riscv/polls.h"
#include "tensix/tile/bus.h"
#include "tensix/tile/control.h"

#define ROUND_LOADS 16u
#define POINTED_BYTES 4096u /* a table or a structure in which a loop polls */

/* Kernels count the tiles that a circular buffer received and acknowledged in two registers of its stream. */
static bool is_buffer_counter(uint32_t address, unsigned *cb, bool *received) {
  if (address - TX_ADDR_STREAM >= TX_STREAMS * TX_STREAM_BYTES) return false;
  uint32_t index = (address - TX_ADDR_STREAM) % TX_STREAM_BYTES / 4;
  *cb = (address - TX_ADDR_STREAM) / TX_STREAM_BYTES;
  *received = index == NOC_STREAM_INDEX_DEST_SIZE;
  return index == NOC_STREAM_INDEX_DEST_START || *received;
}

static uint32_t value_at(const struct tx_tile *t, const struct obs_resource *r, uint32_t otherwise) {
  unsigned cb;
  bool received;
  if (r->address <= TX_L1_BYTES - 4) return tx_l1_read(t, r->address, r->bytes);
  if (is_buffer_counter(r->address, &cb, &received))
    return tx_stream_read(t, cb, received ? NOC_STREAM_DEST_SIZE : NOC_STREAM_DEST_START);
  if (r->address - TX_ADDR_SEMAPHORE < 4 * TX_SEMAPHORES) return t->sync.sem[(r->address - TX_ADDR_SEMAPHORE) / 4].value;
  return otherwise;
}

/* The present value, and what the load at `pc` has last returned, if the word was written since. */
static uint32_t set_value(const struct tx_core *c, uint32_t pc, uint32_t now, struct obs_resource *r) {
  const uint32_t mask = r->bytes == 4 ? UINT32_MAX : (UINT32_C(1) << 8 * r->bytes) - 1;
  r->value = r->seen = now;
  for (unsigned i = 0; i < TX_CORE_POLLS && r->address <= TX_L1_BYTES - 4; i++)
    if (c->polls.last[i] && c->polls.pc[i] == pc && c->polls.address[i] == r->address) r->seen = c->polls.value[i] & mask;
  r->unread = r->seen != now;
  return r->seen;
}

/* The load that the core repeats with a store in between; the core may have stored just now. */
static uint32_t storing_poll_pc(const struct tx_core *c, uint32_t address) {
  for (unsigned i = 0; i < TX_CORE_POLLS; i++)
    if ((c->polls.address[i] & ~3u) == (address & ~3u) && tx_core_loop_since(c, i) != SIM_NEVER) return c->polls.pc[i];
  return UINT32_MAX;
}

/* The load of the word that was executed last: atomics in the loop end each sequence. */
static uint32_t last_poll_pc(const struct tx_core *c, uint32_t address) {
  unsigned last = TX_CORE_POLLS;
  for (unsigned i = 0; i < TX_CORE_POLLS; i++)
    if (c->polls.last[i] && (c->polls.address[i] & ~3u) == (address & ~3u)) last = tx_core_later_poll(c, i, last);
  return last == TX_CORE_POLLS ? UINT32_MAX : c->polls.pc[last];
}

/* The load of the parked spin, else the load that the core repeats. */
uint32_t obs_poll_pc(const struct tx_core *c, uint32_t address) {
  if (c->spin.parked && c->spin.keys[0] == (address & ~3u)) return c->spin.pc;
  uint32_t pc = tx_core_poll_pc(c, address);
  if (pc == UINT32_MAX) pc = storing_poll_pc(c, address);
  if (pc == UINT32_MAX && !c->spin.parked) pc = last_poll_pc(c, address);
  if (pc != UINT32_MAX) return pc;
  return c->spin.parked ? c->spin.pc : c->pc;
}

static bool decode_at(const struct tx_tile *t, uint32_t pc, struct tx_insn *d) {
  if (pc > TX_L1_BYTES - 4 || pc & 3u) return false;
  *d = tx_rv_decode(tx_l1_read(t, pc, 4));
  return true;
}

/* Address and size of a load. */
static void set_address(const struct tx_tile *t, uint32_t pc, uint32_t address, struct obs_resource *r) {
  struct tx_insn d;
  r->address = address & ~3u;
  r->bytes = 4;
  if (!decode_at(t, pc, &d) || d.class != TX_RV_CLASS_LOAD || address > TX_L1_BYTES - 4) return;
  r->bytes = d.op == TX_RV_LB || d.op == TX_RV_LBU ? 1 : d.op == TX_RV_LH || d.op == TX_RV_LHU ? 2 : 4;
  r->address = address & ~(r->bytes - 1);
}

/* A store or an atomic has ended the sequence of the load, and the core executes it again. */
static bool loop_stores(const struct tx_core *c, uint32_t pc) {
  for (unsigned i = 0; i < TX_CORE_POLLS; i++) {
    if (c->polls.pc[i] != pc || !c->polls.last[i]) continue;
    if (!c->polls.since[i] || (c->polls.left_round[i] && tx_core_loop_since(c, i) != SIM_NEVER)) return true;
  }
  return false;
}

/* Examines one load of the loop. false: no value of this word alone ends the loop. */
static bool try_load(const struct tx_tile *t, unsigned core, uint32_t pc, uint32_t address, uint32_t otherwise,
                     struct obs_resource *r) {
  unsigned cb;
  bool received;
  set_address(t, pc, address, r);
  const uint32_t seen = set_value(&t->core[core], pc, value_at(t, r, otherwise), r);
  r->wish = obs_poll_wish(t, core, pc, seen, is_buffer_counter(r->address, &cb, &received), &r->wanted);
  struct obs_branch branch; /* a loop that stores the same in every round: only another way of its branch can end it */
  if (r->wish == OBS_WISH_UNKNOWN && loop_stores(&t->core[core], pc))
    r->wish = obs_poll_branch_wish(t, core, pc, seen, &r->wanted, &branch);
  return r->wish != OBS_WISH_UNKNOWN;
}

/* --- loops over several words --- */

static bool is_listed(const struct obs_polled *loads, unsigned count, const struct obs_polled *load) {
  for (unsigned i = 0; i < count; i++)
    if (loads[i].address == load->address && loads[i].bytes == load->bytes) return true;
  return false;
}

/* First the words whose value alone can end the loop, of these first the flags that are still 0. */
static unsigned rank(const struct obs_resource *r) { return r->wish == OBS_WISH_UNKNOWN ? 2 : r->value ? 1 : 0; }

static bool precedes(const struct obs_resource *a, const struct obs_resource *b) {
  return rank(a) < rank(b) || (rank(a) == rank(b) && a->address < b->address);
}

static void sort_words(struct obs_resource *words, unsigned count) {
  for (unsigned i = 1; i < count; i++)
    for (unsigned k = i; k > 0 && precedes(&words[k], &words[k - 1]); k--) {
      struct obs_resource other = words[k];
      words[k] = words[k - 1];
      words[k - 1] = other;
    }
}

/* A loop for a sum: every word lacks the same amount. */
static bool is_sum(const struct obs_resource *words, unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    bool number = words[i].wish == OBS_WISH_EQUAL || words[i].wish == OBS_WISH_AT_LEAST;
    if (!number || words[i].wanted - words[i].value != words[0].wanted - words[0].value) return false;
  }
  return true;
}

/* The words that the core's loop polls, and the value of each that ends the loop while the others keep theirs. 0: another way has to
 * find the word. */
static unsigned words_of_round(const struct tx_tile *t, unsigned core, struct obs_resource *words) {
  struct obs_polled loads[ROUND_LOADS], once[ROUND_LOADS];
  unsigned loaded = obs_poll_round(t, core, loads, ROUND_LOADS), count = 0;
  for (unsigned i = 0; i < loaded; i++)
    if (!loads[i].pointer && !is_listed(once, count, &loads[i])) once[count++] = loads[i];
  for (unsigned i = 0; i < count; i++) {
    unsigned cb;
    bool received, counter = is_buffer_counter(once[i].address, &cb, &received);
    words[i] =
        (struct obs_resource){.address = once[i].address, .bytes = once[i].bytes, .pc = once[i].pc, .value = once[i].value};
    words[i].wish = obs_poll_round_wish(t, core, loads, loaded, &once[i], counter, &words[i].wanted);
  }
  if (count > 1) sort_words(words, count);
  return count;
}

/* The value is the address of what another load of the loop reads. */
static bool is_pointer(const struct tx_core *c, unsigned i) {
  for (unsigned k = 0; k < TX_CORE_POLLS && c->polls.value[i]; k++)
    if (k != i && c->polls.last[k] && c->polls.address[k] - c->polls.value[i] < POINTED_BYTES) return true;
  return false;
}

/* A register that changes by itself, such as the wall clock, only measures time: the loop waits for another word. */
static bool other_polls(const struct tx_core *c, uint32_t pc, unsigned i) {
  return tx_core_polls_now(c, i) && c->polls.pc[i] != pc && !tx_control_moves(c->polls.address[i]) && !is_pointer(c, i);
}

/* The load that the core has executed last, of a word that does not change by itself; TX_CORE_POLLS: none. */
static unsigned last_load(const struct tx_core *c) {
  unsigned last = TX_CORE_POLLS;
  for (unsigned i = 0; i < TX_CORE_POLLS; i++)
    if (c->polls.since[i] && !tx_control_moves(c->polls.address[i]) && !is_pointer(c, i))
      last = tx_core_later_poll(c, i, last);
  return last;
}

/* A loop may load several words. The wait is for the word whose value alone can end it; without one, for the first. */
static void choose_load(const struct tx_tile *t, unsigned core, const struct sim_wait *w, struct obs_resource *r) {
  const struct tx_core *c = &t->core[core];
  uint32_t value = (uint32_t)(w->detail >> 32), pc = obs_poll_pc(c, w->object), address = w->object;
  bool known = c->spin.parked && c->spin.pc == pc;
  for (unsigned i = 0; i < TX_CORE_POLLS; i++) /* the object is a whole word; a load may read a part */
    if (c->polls.last[i] && c->polls.pc[i] == pc) {
      address = c->polls.address[i];
      known = c->spin.parked || !is_pointer(c, i);
    }
  const unsigned last = last_load(c);
  if (!known && last != TX_CORE_POLLS) { /* a load with another address in each round */
    pc = c->polls.pc[last];
    address = c->polls.address[last];
  }
  if (!tx_control_moves(address) && try_load(t, core, pc, address, value, r)) return;
  for (unsigned i = 0; i < TX_CORE_POLLS; i++)
    if (other_polls(c, pc, i) && try_load(t, core, c->polls.pc[i], c->polls.address[i], value, r)) return;
  for (unsigned i = 0; i < TX_CORE_POLLS && tx_control_moves(address); i++)
    if (other_polls(c, pc, i)) {
      pc = c->polls.pc[i];
      address = c->polls.address[i];
    }
  try_load(t, core, pc, address, value, r);
}

/* --- names --- */

static const char *word_name(const struct obs_resource *r) {
  return r->bytes == 1 ? "byte" : r->bytes == 2 ? "half word" : "word";
}

/* "the word at 0x00030000", "the word at 0x00030000 (flag)" */
static void name_word(const struct obs_finder *f, unsigned core, struct obs_resource *r) {
  const char *variable = NULL;
  char readable[48];
  if (f->program && f->program->loaded[core]) variable = dbg_object_find(&f->program->elf[core], r->address);
  if (variable) dbg_readable_name(variable, readable, sizeof readable);
  snprintf(r->name, sizeof r->name, variable ? "the %s at 0x%08x (%s)" : "the %s at 0x%08x", word_name(r), r->address,
           readable);
}

static bool has_library(const struct dbg_program *p) {
  uint32_t address;
  for (unsigned core = 0; p && core < TX_CORES; core++)
    if (p->loaded[core] && dbg_symbol_find(&p->elf[core], "tt_fail", &address)) return true;
  return false;
}

static void name_semaphore(const struct obs_finder *f, const struct obs_waiter *w, struct obs_resource *r) {
  unsigned index;
  bool in_table = obs_is_noc_semaphore(r->address & ~3u, &index) && has_library(f->program);
  if (r->kind != OBS_RESOURCE_WORD) return;
  if (in_table) snprintf(r->name, sizeof r->name, "NoC semaphore %u at 0x%08x", index, r->address);
  else if (strstr(w->place.call, "emaphore")) snprintf(r->name, sizeof r->name, "the NoC semaphore at 0x%08x", r->address);
}

/* A comparison of a count with 1 is compiled as one with 0. */
static void count_from_zero(const struct obs_waiter *w, struct obs_resource *r) {
  if (r->kind != OBS_RESOURCE_WORD || r->wish != OBS_WISH_NOT_EQUAL || r->value || !strstr(w->place.call, "wait_min"))
    return;
  r->wish = OBS_WISH_AT_LEAST;
  r->wanted = 1;
}

void obs_name_semaphores(const struct obs_finder *f, struct obs_waiter *w) {
  count_from_zero(w, &w->resource);
  name_semaphore(f, w, &w->resource);
  for (uint32_t i = 0; i < w->word_count; i++) name_semaphore(f, w, &w->words[i].resource);
}

/* ISA: NoC/Counters.md */
static bool name_noc_counter(struct obs_resource *r) {
  static const struct {
    enum noc_counter counter;
    const char *what;
  } names[] = {{NOC_MST_ATOMIC_RESP, "answered atomics"},
               {NOC_MST_WR_ACK, "acknowledged writes"},
               {NOC_MST_RD_RESP, "answered reads"},
               {NOC_MST_RD_SENT, "sent reads"},
               {NOC_MST_NP_WR, "sent writes"},
               {NOC_MST_NP_ATOMIC, "sent atomics"},
               {NOC_MST_P_WR, "sent posted writes"}};
  uint32_t noc = (r->address - TX_ADDR_NOC) / TX_NOC_BYTES, index = ((r->address - TX_ADDR_NOC) % TX_NOC_BYTES - 0x200) / 4;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (noc >= TX_NOCS || names[i].counter != index) continue;
    r->index = noc;
    snprintf(r->name, sizeof r->name, "NoC %u's counter of %s", noc, names[i].what);
    return true;
  }
  return false;
}

static void name_register(unsigned core, struct obs_resource *r) {
  uint32_t gpr = (r->address - TX_ADDR_GPR) / 4, first = core < TX_THREADS ? core * TX_GPRS : 0;
  if (gpr + first < TX_THREADS * TX_GPRS) {
    snprintf(r->name, sizeof r->name, "GPR %u of thread %u", (gpr + first) % TX_GPRS, (gpr + first) / TX_GPRS);
    return;
  }
  if (r->address >= TX_ADDR_NOC && r->address < TX_ADDR_STREAM && name_noc_counter(r)) return;
  snprintf(r->name, sizeof r->name, "the register at 0x%08x", r->address);
}

void obs_semaphore_resource(const struct tx_tile *t, uint32_t mask, bool on_zero, struct obs_resource *r) {
  r->index = mask ? (uint32_t)__builtin_ctz(mask) % TX_SEMAPHORES : 0;
  r->value = t->sync.sem[r->index].value;
  r->max = t->sync.sem[r->index].max;
  r->kind = on_zero && r->value == 0 ? OBS_RESOURCE_SEMAPHORE_POST : OBS_RESOURCE_SEMAPHORE_GET;
  snprintf(r->name, sizeof r->name, "semaphore %u (%s)", r->index, obs_semaphore_name(r->index));
}

/* The kind and name of the polled word at r->address. */
static void name_polled(const struct obs_finder *f, unsigned core, struct obs_resource *r) {
  const struct tx_tile *t = f->t;
  unsigned cb = 0;
  bool received = false;
  if (is_buffer_counter(r->address, &cb, &received)) {
    r->kind = received ? OBS_RESOURCE_BUFFER_PAGES : OBS_RESOURCE_BUFFER_ROOM;
    r->index = cb;
    snprintf(r->name, sizeof r->name, "CB %u", cb);
  } else if (r->address - TX_ADDR_SEMAPHORE < 4 * TX_SEMAPHORES && core < TX_THREADS) {
    bool more = r->wish == OBS_WISH_UNKNOWN ? r->value == 0 : r->wish == OBS_WISH_NOT_EQUAL || r->wanted > r->value;
    obs_semaphore_resource(t, 1u << (r->address - TX_ADDR_SEMAPHORE) / 4, more, r);
    if (more) r->kind = OBS_RESOURCE_SEMAPHORE_POST;
  } else if (r->address <= TX_L1_BYTES - 4) {
    r->kind = OBS_RESOURCE_WORD;
    name_word(f, core, r);
  } else {
    r->kind = OBS_RESOURCE_REGISTER;
    name_register(core, r);
  }
}

/* A running core's polls: of several words the first is the resource of the wait. */
static void poll_words(const struct obs_finder *f, unsigned core, const struct sim_wait *w, struct obs_waiter *out) {
  struct obs_resource words[ROUND_LOADS];
  unsigned count = words_of_round(f->t, core, words);
  if (!count || (count == 1 && words[0].wish == OBS_WISH_UNKNOWN)) {
    choose_load(f->t, core, w, &out->resource);
    return;
  }
  bool some = words[0].wish != OBS_WISH_UNKNOWN, sum = count > 1 && is_sum(words, count);
  out->resource = words[0];
  for (unsigned i = 1; i < count; i++) {
    if (out->word_count == OBS_WORDS_MAX - 1) {
      out->words_left = count - i;
      break;
    }
    struct obs_word *word = &out->words[out->word_count++];
    word->resource = words[i];
    word->ends = words[i].wish != OBS_WISH_UNKNOWN || !some;
    if (sum && !words[0].value && words[i].value) word->ends = false; /* the flags that are still 0 are missing */
    name_polled(f, core, &word->resource);
  }
}

void obs_poll_resource(const struct obs_finder *f, unsigned agent, const struct sim_wait *w, struct obs_waiter *out) {
  const struct tx_tile *t = f->t;
  const unsigned core = obs_core_of_agent(agent) % TX_CORES;
  const bool is_core = agent >= TX_AGENT_TRISC0 &&
                       agent <= TX_AGENT_NCRISC; /* or a unit that waits for a word, while its core does anything */
  struct obs_resource *r = &out->resource;
  if (is_core && t->core[core].state == TX_CORE_RUNNING) {
    poll_words(f, core, w, out);
  } else { /* the wait of a unit or a scripted core contains the polled value */
    set_address(t, UINT32_MAX, w->object, r);
    r->value = value_at(t, r, (uint32_t)(w->detail >> 32));
    r->wish = (uint32_t)w->detail ? OBS_WISH_EQUAL : OBS_WISH_UNKNOWN;
    r->wanted = (uint32_t)(w->detail >> 32);
  }
  name_polled(f, core, r);
}

/* --- loops that do more than poll --- */

#define LOOP_CYCLES 4096u /* a wait that is shorter is none yet */

/* Code behind the other way of the branch does not return to the load. `fails`: it ends in a failed check. */
static bool leaves_loop(const struct obs_finder *f, unsigned core, uint32_t other, uint32_t load, bool *fails) {
  struct obs_reach reach;
  obs_reach_from(&reach, f->program, core, other);
  bool leaves = reach.known && !obs_reaches(&reach, load);
  *fails = leaves && !reach.ends && has_library(f->program); /* else the ebreak is its end */
  return leaves;
}

/* The code before the branch sets the register to a constant, in every round. */
static bool is_constant(const struct obs_finder *f, const struct dbg_loop *loop, uint32_t branch, uint32_t moved,
                        unsigned index) {
  uint32_t value[TX_CORE_REGISTERS] = {0};
  bool known[TX_CORE_REGISTERS] = {true};
  for (uint32_t pc = loop->function; pc < branch; pc += 4) {
    struct tx_insn d;
    if (!dbg_loop_has(loop, pc) || !decode_at(f->t, pc + moved, &d)) continue;
    if (d.class == TX_RV_CLASS_ALU) {
      known[d.rd] = obs_constant_result(&d, value, known, pc + moved, &value[d.rd]);
    } else if (d.class == TX_RV_CLASS_LOAD) {
      known[d.rd] = false;
    } else if (d.class != TX_RV_CLASS_STORE) {
      memset(known + 1, 0, sizeof known - sizeof *known);
    }
  }
  return known[index];
}

/* The loop counts what the word is compared with: it ends by itself, as a loop over as many tiles as the word has does. */
static bool counts(const struct obs_finder *f, unsigned core, const struct obs_branch *branch) {
  struct dbg_loop loop;
  if (!branch->against || !f->program || !f->program->loaded[core]) return false;
  const uint32_t moved = f->program->moved[core];
  if (!dbg_loop_around(&f->program->elf[core], branch->at - moved, &loop)) return false;
  if (is_constant(f, &loop, branch->at - moved, moved, branch->against)) return false;
  for (uint32_t pc = loop.function; pc < loop.end; pc += 4) {
    struct tx_insn d;
    if (!dbg_loop_has(&loop, pc) || !decode_at(f->t, pc + moved, &d) || d.class != TX_RV_CLASS_ALU) continue;
    if (d.rd == branch->against && (d.rs1 == branch->against || d.rs2 == branch->against)) return true;
  }
  return false;
}

/* The arguments and descriptors of a kernel keep their values while it runs. */
static bool is_of_launch(const struct obs_finder *f, uint32_t address) {
  uint32_t own = LAUNCH_FIELD(place);
  return address - own < LAUNCH_ADDRESS + sizeof(struct launch) - own && has_library(f->program);
}

/* Of several words, one that ends the loop, then the one that has been read for longest. */
bool obs_loop_resource(const struct obs_finder *f, unsigned core, struct obs_waiter *out, bool *ends) {
  const struct tx_core *c = &f->t->core[core];
  bool found = false;
  for (unsigned i = 0; i < TX_CORE_POLLS; i++) {
    sim_time since = tx_core_loop_since(c, i);
    struct obs_branch branch;
    bool fails;
    if (since == SIM_NEVER || f->t->engine.now - since < LOOP_CYCLES || c->polls.address[i] > TX_L1_BYTES - 4) continue;
    if (is_of_launch(f, c->polls.address[i])) continue;
    struct obs_resource r = {.pc = c->polls.pc[i]};
    set_address(f->t, r.pc, c->polls.address[i], &r);
    const uint32_t seen = set_value(c, r.pc, value_at(f->t, &r, c->polls.value[i]), &r);
    r.wish = obs_poll_branch_wish(f->t, core, r.pc, seen, &r.wanted, &branch);
    if (r.wish == OBS_WISH_UNKNOWN || counts(f, core, &branch)) continue;
    bool leaves = leaves_loop(f, core, branch.other, r.pc, &fails);
    if (fails) continue;
    if (found && (leaves < *ends || (leaves == *ends && since >= out->since))) continue;
    found = true;
    *ends = leaves;
    out->resource = r;
    out->since = since;
  }
  if (found) name_polled(f, core, &out->resource);
  return found;
}

/* --- mailboxes --- */

static bool stores(const struct obs_finder *f, unsigned core) {
  const struct tx_tile *t = f->t;
  struct tx_insn d;
  if (t->core[core].state != TX_CORE_HELD)
    return decode_at(t, dbg_program_holding_pc(&t->core[core]), &d) && d.class == TX_RV_CLASS_STORE;
  const struct tx_script *script = t->unsaved.scripts[core];
  return script && t->script[core].next < script->count && script->ops[t->script[core].next].kind == TX_SCRIPT_STORE;
}

void obs_mailbox_resource(const struct obs_finder *f, unsigned core, const struct sim_wait *w, struct obs_resource *r) {
  static const uint8_t cores[4] = {TX_CORE_BRISC, 0, 1, 2};
  bool full = stores(f, core);
  r->kind = full ? OBS_RESOURCE_MAILBOX_ROOM : OBS_RESOURCE_MAILBOX;
  r->address = w->object;
  r->index = cores[(w->object - TX_ADDR_MAILBOX) / 0x1000u & 3u];
  snprintf(r->name, sizeof r->name, "the mailbox %s %s", full ? "to" : "from", tx_core_name(r->index));
}

/* --- local variables --- */

const char *obs_polled_variable(const struct obs_finder *f, unsigned core, const struct sim_wait *w) {
  if (!w->detail || !f->program || !f->program->loaded[core]) return NULL;
  return dbg_object_find(&f->program->elf[core], (uint32_t)w->detail);
}

void obs_local_resource(const struct obs_finder *f, unsigned core, const struct sim_wait *w, struct obs_resource *r) {
  const char *variable = obs_polled_variable(f, core, w);
  r->kind = OBS_RESOURCE_ENDLESS;
  if (!variable) return;
  char readable[64];
  dbg_readable_name(variable, readable, sizeof readable);
  r->kind = OBS_RESOURCE_LOCAL;
  r->address = (uint32_t)w->detail;
  r->bytes = 4;
  memcpy(&r->value, &f->t->core[core].local[(r->address - TX_LOCAL_BASE) % TX_LOCAL_BYTES & ~3u], 4);
  snprintf(r->name, sizeof r->name, "the variable %s in local RAM", readable);
}
