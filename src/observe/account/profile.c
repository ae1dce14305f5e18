/* The table of profile.h. */
#include "observe/account/profile.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "debug/symbols.h"
#include "tensix/mem/memo.h"
#include "tensix/riscv/polls.h"

static uint64_t key_of(unsigned agent, unsigned category, uint32_t pc) { return (uint64_t)pc << 16 | agent << 8 | category; }
static uint32_t hash(uint64_t key) { return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 40); }

_Static_assert(OBS_CATEGORIES <= 64, "a bit per category");
#define WAITS (((UINT64_C(1) << TX_BLOCKED_COUNT) - 2) | UINT64_C(1) << OBS_EMPTY | UINT64_C(1) << OBS_BOOT)
static bool is_wait(unsigned category) { return WAITS >> category & 1u; }

static sim_time known_until(const struct obs_account *a, unsigned agent) {
  return agent <= TX_AGENT_THREAD2 ? a->thread[agent].next : a->core[agent - TX_AGENT_TRISC0].next;
}

static struct obs_arrival *arrival_of(struct obs_profile *p, uint32_t word) {
  return &p->arrivals[(word / 16u ^ word / 4u) % OBS_ARRIVALS];
}

/* Who wrote the word last, before `end`: the core of another tile that sent a packet, or another agent of this tile. */
static struct obs_sender sender_of(struct obs_profile *p, unsigned agent, uint32_t address, sim_time end) {
  struct tx_memo_writer writer;
  uint32_t word = address & ~3u;
  const struct obs_arrival *a = arrival_of(p, word);
  if (address >= TX_L1_BYTES || !tx_memo_find(p->account.t, word, 4, &writer)) return (struct obs_sender){.tile = 0};
  if (writer.last.agent < OBS_PATH_AGENTS && writer.last.agent != agent && writer.last.cycle <= end)
    return (struct obs_sender){OBS_OWN_TILE, writer.last.agent, (uint32_t)(end - writer.last.cycle)};
  if (writer.last.agent != TX_AGENT_NETWORK || a->word != word + 1 || a->departed >= end)
    return (struct obs_sender){.tile = 0};
  return (struct obs_sender){a->tile, a->agent, (uint32_t)(end - a->departed)};
}

/* --- waits for several pages --- */

bool obs_profile_buffer(uint32_t address, unsigned *buffer, unsigned *pushes) {
  const uint32_t reg = address % TX_STREAM_BYTES / 4, popped = noc_stream_index(NOC_STREAM_DEST_START),
                 pushed = noc_stream_index(NOC_STREAM_DEST_SIZE);
  if (address < TX_ADDR_STREAM || address >= TX_ADDR_STREAM + OBS_BUFFERS * TX_STREAM_BYTES) return false;
  if (reg != popped && reg != pushed) return false;
  *buffer = (address - TX_ADDR_STREAM) / TX_STREAM_BYTES;
  *pushes = reg == pushed;
  return true;
}

#define COUNTER_MASK 0xffffu

static void on_buffer(void *context, const struct sim_event *e) {
  struct obs_profile *p = context;
  if (e->a >= OBS_BUFFERS || !e->b) return;
  struct obs_whole_waits *w = &p->whole_waits[e->a];
  const uint32_t block = w->pushed ? (e->c - (w->pushed - 1)) & COUNTER_MASK : 0;
  if (block > w->block && block <= COUNTER_MASK / 2) w->block = block; /* more: the counter was set back */
  w->pushed = (e->c & COUNTER_MASK) + 1;
  w->push_at[1] = w->push_at[0];
  w->push_at[0] = e->at;
}

#define TURN_INSTRUCTIONS 12u /* of a loop that polls a count: the code around a single wait has more */
#define TURN_CYCLES 64u

/* A wait that a push has ended: the first, or one more of the same loop. */
static void note_whole_wait(struct obs_profile *p, const struct obs_wait *wait) {
  unsigned buffer, pushes;
  if (wait->agent < TX_AGENT_TRISC0 || !obs_profile_buffer(wait->object, &buffer, &pushes) || !pushes) return;
  struct obs_whole_waits *w = &p->whole_waits[buffer];
  const uint64_t issued = p->stack[wait->agent - TX_AGENT_TRISC0].cycles[OBS_ISSUE];
  const bool again = w->consumer == wait->agent && w->end && issued - w->issued <= TURN_INSTRUCTIONS &&
                     wait->begin >= w->end && wait->begin - w->end <= TURN_CYCLES;
  if (!again) w->begin = wait->begin, w->several = false;
  if (w->push_at[1] > w->begin) {
    const struct noc_streams *s = &p->account.t->streams;
    w->waits += !w->several;
    w->cycles += wait->end - (w->several ? w->end : w->begin);
    w->several = true;
    w->pages = (s->reg[buffer][NOC_STREAM_DEST_SIZE] - s->reg[buffer][NOC_STREAM_DEST_START]) & COUNTER_MASK;
  }
  w->consumer = wait->agent;
  w->end = wait->end;
  w->issued = issued;
}

static void add_wait(struct obs_profile *p, unsigned agent, unsigned category, uint32_t pc, uint32_t object, sim_time begin,
                     sim_time end) {
  struct obs_wait wait = {
      .begin = begin, .end = end, .pc = pc, .object = object, .agent = (uint16_t)agent, .category = (uint16_t)category};
  if (category == TX_BLOCKED_ADDRESS) wait.sender = sender_of(p, agent, object, end);
  if (category == TX_BLOCKED_ADDRESS) note_whole_wait(p, &wait);
  obs_waits_add(&p->waits, &wait);
}

/* A packet may have changed a word that a core polls in a loop of several loads, which is no wait of the machine. */
static void on_arrival(void *context, const struct noc_packet *packet) {
  struct obs_profile *p = context;
  const struct tx_tile *t = p->account.t;
  uint32_t word = (uint32_t)packet->address & ~3u;
  if (packet->address >= TX_L1_BYTES || packet->length > TX_MEMO_BYTES || noc_packet_is_answer(packet)) return;
  *arrival_of(p, word) = (struct obs_arrival){
      .departed = packet->departs, .word = word + 1, .tile = (uint16_t)(packet->tile + 1), .agent = packet->agent};
  for (unsigned core = 0; core < TX_CORES; core++) {
    const struct tx_core *c = &t->core[core];
    sim_time since = c->spin.parked || c->state != TX_CORE_RUNNING ? SIM_NEVER : tx_core_first_poll(c, word);
    if (since == SIM_NEVER || since >= t->engine.now) continue;
    add_wait(p, TX_AGENT_TRISC0 + core, TX_BLOCKED_ADDRESS, tx_core_poll_pc(c, word), word, since, t->engine.now);
  }
}

static struct obs_profile_row *find_row(struct obs_profile *p, unsigned agent, unsigned category, uint32_t pc) {
  const uint64_t key = key_of(agent, category, pc);
  for (uint32_t i = hash(key) % OBS_PROFILE_ROWS;; i = (i + 1) % OBS_PROFILE_ROWS) {
    struct obs_profile_row *r = &p->rows[i];
    if (r->key == key) return key ? r : NULL;
    if (!r->key) return NULL;
  }
}

__attribute__((noinline)) static void add_jump(struct obs_profile_row *r, uint32_t from) {
  for (unsigned i = 0; i < OBS_JUMPS; i++) {
    struct obs_jumps *jumps = &r->jumps[i];
    if (jumps->times && jumps->from != from) continue;
    jumps->from = from;
    jumps->times++;
    return;
  }
  r->jumps_of_others++;
}

/* --- calls --- */

enum { OP_JALR = 0x67, OP_JAL = 0x6f, RA = 1 };

/* The place of a call in the table; OBS_CALLS: it is full. */
static uint32_t place_of_call(struct obs_profile *p, unsigned core, uint32_t site, uint32_t entry) {
  uint32_t at = hash((uint64_t)site << 32 | (entry ^ core));
  for (unsigned i = 0; i < OBS_CALLS; i++, at++) {
    struct obs_call *c = &p->calls[at % OBS_CALLS];
    if (!c->times) *c = (struct obs_call){.site = site, .entry = entry, .core = (uint16_t)core};
    if (c->site == site && c->entry == entry && c->core == core) return at % OBS_CALLS;
  }
  return OBS_CALLS;
}

static void add_cycles_of_call(struct obs_profile *p, struct obs_call_stack *s, uint32_t depth) {
  struct obs_call *c = &p->calls[s->frame[depth].call];
  if (s->hidden_by[depth]) return;
  for (unsigned k = 0; k < OBS_CATEGORIES; k++)
    if (s->cycles[k] > s->frame[depth].before[k]) c->cycles[k] += s->cycles[k] - s->frame[depth].before[k];
  memcpy(s->frame[depth].before, s->cycles, sizeof s->cycles);
}

/* The cycles of a function are those of its own instructions and of its calls. While it is active once more, deeper in the stack, they are
 * those of that activation: counted at both they would be more than all. */
static void hide_calls(struct obs_profile *p, struct obs_call_stack *s, uint32_t function) {
  for (uint32_t depth = 0; depth < s->depth; depth++) {
    if (s->function[depth] != function || s->hidden_by[depth]) continue;
    add_cycles_of_call(p, s, depth);
    s->hidden_by[depth] = (uint16_t)s->depth;
  }
}

/* The innermost call has returned. */
static void show_calls(struct obs_call_stack *s) {
  for (uint32_t depth = 0; depth < s->depth; depth++) {
    if (s->hidden_by[depth] != s->depth + 1) continue;
    s->hidden_by[depth] = 0;
    memcpy(s->frame[depth].before, s->cycles, sizeof s->cycles);
  }
}

static void begin_call(struct obs_profile *p, unsigned core, uint32_t site, uint32_t entry) {
  struct obs_call_stack *s = &p->stack[core];
  uint32_t call = place_of_call(p, core, site, entry);
  if (call == OBS_CALLS) return;
  p->calls[call].times++;
  if (s->depth == OBS_CALL_DEPTH) return; /* its caller has its cycles */
  s->frame[s->depth].call = call;
  s->function[s->depth + 1] = entry;
  s->hidden_by[s->depth] = 0;
  memcpy(s->frame[s->depth].before, s->cycles, sizeof s->cycles);
  s->depth++;
  hide_calls(p, s, entry);
}

/* Functions that end with a jump to another one return to the caller of the first: both end. */
static void end_call(struct obs_profile *p, unsigned core, uint32_t target) {
  struct obs_call_stack *s = &p->stack[core];
  uint32_t depth = s->depth;
  while (depth && p->calls[s->frame[depth - 1].call].site + 4 != target) depth--;
  if (!depth) return;
  while (s->depth >= depth) {
    add_cycles_of_call(p, s, --s->depth);
    show_calls(s);
  }
}

static uint32_t target_of(uint32_t jal, uint32_t at) {
  uint32_t offset = (jal >> 20 & 0x7feu) | (jal >> 9 & 0x800u) | (jal & 0xff000u);
  return at + offset - (jal >> 31 << 20);
}

/* Is the jump the end of one function and the begin of another? The firmware enters the kernel so. */
static bool changes_function(struct obs_profile *p, unsigned core, uint32_t from, uint32_t to) {
  struct obs_jump_kind *known = &p->jump_kinds[(from / 4u ^ to / 64u) % OBS_JUMP_KINDS];
  const struct dbg_program *program = p->program;
  uint32_t offset = 0, own = 0;
  if (known->from == from && known->to == to) return known->changes;
  *known = (struct obs_jump_kind){.from = from, .to = to};
  if (!program || !program->loaded[core]) return false;
  const uint32_t moved = program->moved[core];
  bool begins = dbg_symbol_at(&program->elf[core], to - moved, &offset) && offset == 0;
  known->changes = begins && dbg_symbol_at(&program->elf[core], from - moved, &own) && from - own != to;
  return known->changes;
}

__attribute__((noinline)) static void follow_call(struct obs_profile *p, unsigned core, uint32_t from, uint32_t to) {
  uint32_t word;
  if (!from || from > TX_L1_BYTES - 4) return;
  memcpy(&word, &p->account.t->l1[from], sizeof word);
  const uint32_t op = word & 0x7fu, rd = word >> 7 & 31u, rs1 = word >> 15 & 31u;
  if ((op == OP_JAL && rd == RA && target_of(word, from) == to) || (op == OP_JALR && rd == RA))
    begin_call(p, core, from, to);
  else if (op == OP_JALR && rd == 0 && rs1 == RA) end_call(p, core, to);
  else if ((op == OP_JAL || op == OP_JALR) && rd == 0 && changes_function(p, core, from, to)) begin_call(p, core, from, to);
}

static void note_order(struct obs_profile *p, struct obs_profile_row *r) {
  const unsigned core = r->agent - TX_AGENT_TRISC0;
  uint32_t *last = &p->last_pc[core];
  if (*last && *last + 4 != r->pc) {
    add_jump(r, *last);
  }
  *last = r->pc;
}

/* An instruction's waits may precede its issue. */
static void note_cycles(struct obs_profile *p, const struct obs_profile_row *r, uint64_t cycles) {
  const unsigned core = r->agent - TX_AGENT_TRISC0;
  struct obs_call_stack *s = &p->stack[core];
  if (r->pc - s->pc > 4) follow_call(p, core, s->pc, r->pc); /* neither the same instruction nor the next */
  s->pc = r->pc;
  s->cycles[r->category] += cycles;
}

/* Out of line, as is all that is rare here: `add` is called for every instruction. */
__attribute__((noinline)) static void note_wait(struct obs_profile *p, unsigned agent, unsigned category, uint32_t pc,
                                                uint32_t object, uint64_t cycles) {
  sim_time known = known_until(&p->account, agent);
  add_wait(p, agent, category, pc, object, known, known + cycles);
}

/* The row that is not where its hash is, or a new one. NULL: the table is full. */
__attribute__((noinline)) static struct obs_profile_row *row_elsewhere(struct obs_profile *p, uint64_t key) {
  for (uint32_t i = hash(key) % OBS_PROFILE_ROWS;; i = (i + 1) % OBS_PROFILE_ROWS) {
    struct obs_profile_row *r = &p->rows[i];
    if (r->key == key) return r;
    if (r->key) continue;
    if (p->count == OBS_PROFILE_ROWS / 4 * 3) return NULL;
    p->count++;
    *r = (struct obs_profile_row){
        .key = key, .pc = (uint32_t)(key >> 16), .agent = (uint16_t)(key >> 8 & 0xffu), .category = (uint16_t)(key & 0xffu)};
    return r;
  }
}

static void add(void *context, unsigned agent, unsigned category, uint32_t pc, uint32_t object, uint64_t cycles) {
  struct obs_profile *p = context;
  const uint64_t key = key_of(agent, category, pc);
  if (is_wait(category) && cycles) note_wait(p, agent, category, pc, object, cycles);
  if (!pc) return; /* belongs to no instruction */
  struct obs_profile_row *r = &p->rows[hash(key) % OBS_PROFILE_ROWS];
  if (__builtin_expect(r->key != key, 0)) r = row_elsewhere(p, key);
  if (!r) {
    p->lost += cycles;
    return;
  }
  r->cycles += cycles;
  r->times++;
  r->object = object;
  if (agent < TX_AGENT_TRISC0) return;
  if (category == OBS_ISSUE) note_order(p, r);
  note_cycles(p, r, cycles);
}

static void subtract(void *context, unsigned agent, unsigned category, uint32_t pc, uint32_t object, uint64_t cycles) {
  struct obs_profile *p = context;
  struct obs_profile_row *r = find_row(p, agent, category, pc);
  (void)object;
  if (!r) return;
  if (cycles > r->cycles) cycles = r->cycles;
  r->cycles -= cycles;
  if (agent >= TX_AGENT_TRISC0) p->stack[agent - TX_AGENT_TRISC0].cycles[category] -= cycles;
}

static void on_event(void *context, const struct sim_event *e) { obs_account_event(context, e); }

/* --- the region --- */

/* Calls that are open stay so: their cycles count from here. */
static void clear_calls(struct obs_profile *p) {
  for (unsigned i = 0; i < OBS_CALLS; i++) {
    memset(p->calls[i].cycles, 0, sizeof p->calls[i].cycles);
    p->calls[i].times = 0;
  }
  for (unsigned core = 0; core < TX_CORES; core++) {
    struct obs_call_stack *s = &p->stack[core];
    memset(s->cycles, 0, sizeof s->cycles);
    for (uint32_t i = 0; i < s->depth; i++) {
      memset(s->frame[i].before, 0, sizeof s->frame[i].before);
      p->calls[s->frame[i].call].times = 1;
    }
  }
}

/* Instructions that were executed stay known, for the coverage. */
static void clear(struct obs_profile *p) {
  p->lost = 0;
  clear_calls(p);
  for (uint32_t i = 0; i < OBS_PROFILE_ROWS; i++) p->rows[i].cycles = 0;
  p->waits.count = 0;
  memset(p->waits.last, 0, sizeof p->waits.last);
  memset(p->whole_waits, 0, sizeof p->whole_waits);
}

static bool is_zone(const struct obs_profile *p, const struct sim_event *e) {
  size_t size = strlen(p->region.zone) + 1;
  if (!e->a || e->b >= TX_L1_BYTES || size > TX_L1_BYTES - e->b) return false;
  return memcmp(&p->account.t->l1[e->b], p->region.zone, size) == 0;
}

static bool begins_region(const struct obs_profile *p, const struct sim_event *e) {
  if (e->kind == TX_EVENT_ZONE) return p->region.zone[0] && is_zone(p, e);
  if (e->kind != TX_EVENT_CORE) return false;
  const unsigned core = e->agent - TX_AGENT_TRISC0;
  for (unsigned i = 0; i < p->region.count[core]; i++)
    if (e->b == p->region.entry[core][i]) return true;
  return false;
}

/* The tile has passed the cycle before the region: what precedes it is forgotten. */
static void enter_region(struct obs_profile *p) {
  sim_time now = p->account.t->engine.now;
  if (!p->awaits || p->begins >= now) return;
  clear(p);
  obs_account_restart(&p->account, p->begins);
  p->awaits = false;
  sim_log_replace(p->log, p->sink, on_event, &p->account);
}

/* An entry may be logged by a core that is ahead of the tile: the region begins when the tile is there. */
static void await_region(struct obs_profile *p, const struct sim_event *e) {
  sim_time now = p->account.t->engine.now;
  enter_region(p);
  if (p->awaits && p->begins == SIM_NEVER && begins_region(p, e)) p->begins = e->at > now ? e->at : now;
}

static void on_event_before(void *context, const struct sim_event *e) {
  struct obs_profile *p = context;
  await_region(p, e);
  obs_account_event(&p->account, e);
}

bool obs_profile_attach(struct obs_profile *p, struct tx_tile *t, const struct dbg_program *program,
                        const struct obs_region *region) {
  const size_t ring = offsetof(struct obs_profile, waits.ring), behind = ring + sizeof p->waits.ring;
  memset(p, 0, ring); /* clears only the used part of the ring */
  memset((char *)p + behind, 0, sizeof *p - behind);
  obs_account_begin(&p->account, t);
  p->account.spent = add;
  p->account.unspent = subtract;
  p->account.counted = on_buffer;
  p->account.context = p;
  p->program = program;
  if (region) p->region = *region;
  p->awaits = region != NULL;
  p->begins = region ? SIM_NEVER : t->engine.now;
  const uint32_t events = OBS_ACCOUNT_EVENTS | 1u << TX_EVENT_BUFFER;
  uint32_t zones = p->region.zone[0] ? 1u << TX_EVENT_ZONE : 0;
  p->log = &t->unsaved.log;
  p->sink = region ? sim_log_attach(p->log, on_event_before, p, events | zones)
                   : sim_log_attach(p->log, on_event, &p->account, events);
  sim_log_accept_early(&t->unsaved.log, p->sink);
  if (p->sink < 0) return false;
  t->unsaved.arrivals.note = on_arrival;
  t->unsaved.arrivals.context = p;
  return true;
}

void obs_profile_detach(struct obs_profile *p, struct tx_tile *t) {
  sim_log_detach(&t->unsaved.log, p->sink);
  t->unsaved.arrivals.note = NULL;
  p->sink = -1;
}

void obs_profile_keep_all(struct obs_profile *p) {
  if (!p->awaits) return;
  p->awaits = false;
  p->begins = p->account.from;
  sim_log_replace(p->log, p->sink, on_event, &p->account);
}

void obs_profile_settle(struct obs_profile *p, sim_time last) {
  enter_region(p);
  obs_account_settle(&p->account, last);
}

static int compare(const void *a, const void *b) {
  const struct obs_profile_row *x = *(const struct obs_profile_row *const *)a,
                               *y = *(const struct obs_profile_row *const *)b;
  if (x->agent != y->agent) return x->agent < y->agent ? -1 : 1;
  if (x->pc != y->pc) return x->pc < y->pc ? -1 : 1;
  return x->category < y->category ? -1 : x->category > y->category;
}

void obs_profile_sort(struct obs_profile *p) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < OBS_PROFILE_ROWS; i++)
    if (p->rows[i].key && p->rows[i].cycles) p->order[count++] = &p->rows[i];
  p->sorted = count;
  for (unsigned core = 0; core < TX_CORES; core++)
    for (uint32_t i = 0; i < p->stack[core].depth; i++) add_cycles_of_call(p, &p->stack[core], i);
  qsort(p->order, count, sizeof *p->order, compare);
}

const struct obs_profile_row *obs_profile_row(const struct obs_profile *p, unsigned agent, uint32_t pc) {
  return find_row((struct obs_profile *)p, agent, OBS_ISSUE, pc);
}

/* --- sums --- */

/* The row of the same instruction and category, made if it is new; NULL: the table is full. */
static struct obs_profile_row *take_row(struct obs_profile *p, const struct obs_profile_row *like) {
  for (uint32_t i = hash(like->key) % OBS_PROFILE_ROWS;; i = (i + 1) % OBS_PROFILE_ROWS) {
    struct obs_profile_row *r = &p->rows[i];
    if (r->key == like->key) return r;
    if (r->key) continue;
    if (p->count == OBS_PROFILE_ROWS / 4 * 3) return NULL;
    p->count++;
    *r = (struct obs_profile_row){.key = like->key, .pc = like->pc, .agent = like->agent, .category = like->category};
    return r;
  }
}

static void add_jumps(struct obs_profile_row *r, const struct obs_jumps *more) {
  for (unsigned i = 0; i < OBS_JUMPS; i++) {
    struct obs_jumps *jumps = &r->jumps[i];
    if (jumps->times && jumps->from != more->from) continue;
    jumps->from = more->from;
    jumps->times += more->times;
    return;
  }
  r->jumps_of_others += more->times;
}

static void add_row(struct obs_profile *sum, const struct obs_profile_row *row) {
  struct obs_profile_row *r = take_row(sum, row);
  if (!r) {
    sum->lost += row->cycles;
    return;
  }
  r->cycles += row->cycles;
  r->times += row->times;
  r->jumps_of_others += row->jumps_of_others;
  for (unsigned i = 0; i < OBS_JUMPS; i++)
    if (row->jumps[i].times) add_jumps(r, &row->jumps[i]);
}

void obs_profile_add(struct obs_profile *sum, struct obs_profile *p) {
  obs_profile_sort(p);
  sum->lost += p->lost;
  for (uint32_t i = 0; i < OBS_PROFILE_ROWS; i++)
    if (p->rows[i].key) add_row(sum, &p->rows[i]);
  for (unsigned i = 0; i < OBS_CALLS; i++) {
    const struct obs_call *call = &p->calls[i];
    const uint32_t place = call->times ? place_of_call(sum, call->core, call->site, call->entry) : OBS_CALLS;
    if (place == OBS_CALLS) continue;
    sum->calls[place].times += call->times;
    for (unsigned k = 0; k < OBS_CATEGORIES; k++) sum->calls[place].cycles[k] += call->cycles[k];
  }
}
