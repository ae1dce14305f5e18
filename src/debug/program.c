/* Programs of program.h. */
#include "debug/program.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "../kernels/include/launch.h"
#include "debug/demangle.h"
#include "debug/entry.h"
#include "debug/frames.h"
#include "debug/kept.h"
#include "debug/place.h"
#include "debug/symbols.h"
#include "observe/words.h"
#include "sim/text.h"
#include "tensix/isa/dis.h"
#include "tensix/riscv/breaks.h"
#include "tensix/riscv/polls.h"
#include "tensix/tile/outside.h"

int dbg_core_number(const char *name, size_t length) {
  for (unsigned core = 0; core < TX_CORES; core++)
    if (strlen(tx_core_name(core)) == length && strncasecmp(name, tx_core_name(core), length) == 0) return (int)core;
  return -1;
}

/* --- loading --- */

/* The address of a core's own local RAM for the NoC. */
static uint32_t network_address(unsigned core, uint32_t address) {
  static const uint8_t order[TX_CORES] = TX_LOCAL_SLOW_ORDER;
  uint32_t window = TX_ADDR_LOCAL_SLOW;
  for (unsigned i = 0; order[i] != core; i++) window += TX_LOCAL_SLOW_STRIDE;
  return address - TX_LOCAL_BASE < tx_core_local_bytes(core) ? window + (address - TX_LOCAL_BASE) : address;
}

static bool put(struct tx_tile *t, uint32_t address, const uint8_t *bytes, uint32_t length) {
  return length == 0 || tx_outside_write(t, address, bytes, length);
}

static bool clear(struct tx_tile *t, uint32_t address, uint32_t length) {
  static const uint8_t zeros[4096] = {0};
  for (uint32_t at = 0; at < length; at += sizeof zeros)
    if (!put(t, address + at, zeros, length - at < sizeof zeros ? length - at : sizeof zeros)) return false;
  return true;
}

static bool load_segment(struct tx_tile *t, unsigned core, const struct dbg_segment *s) {
  uint32_t address = network_address(core, s->address), file_size = (uint32_t)s->bytes.size;
  if (!tx_outside_visible(address, s->memory_size)) return false;
  if (address >= TX_ADDR_TDMA && address - TX_ADDR_LOCAL_SLOW >= TX_LOCAL_SLOW_BYTES)
    return false; /* registers are not memory */
  /* Bytes in local RAM would not survive the reset; zeros are what it leaves. */
  if (address != s->address && file_size) t->control.word[TX_CONTROL_DISABLE_RESET / 4] |= 1u << (2 * core);
  return put(t, address, s->bytes.data, file_size) && clear(t, address + file_size, s->memory_size - file_size);
}

void dbg_program_reset_pc(struct tx_tile *t, unsigned core, uint32_t pc) {
  uint32_t *word = t->control.word;
  if (core < 3) {
    word[TX_CONTROL_TRISC0_RESET_PC / 4 + core] = pc;
    word[TX_CONTROL_TRISC_RESET_PC_OVERRIDE / 4] |= 1u << core;
  } else if (core == TX_CORE_NCRISC) {
    word[TX_CONTROL_NCRISC_RESET_PC / 4] = pc;
    word[TX_CONTROL_NCRISC_RESET_PC_OVERRIDE / 4] |= 1u;
  }
}

/* Reports give shares of the kernels' own time: from kernel_main on, without the start-up of the firmware. */
static void await_kernel(struct tx_tile *t, unsigned core, const struct dbg_elf *elf) {
  uint32_t pc;
  if (dbg_kernel_find(elf, &pc)) tx_break_kernel(t, core, pc);
}

bool dbg_program_load(struct dbg_program *p, struct tx_tile *t, unsigned core, const void *file, size_t size, char *why,
                      size_t n) {
  struct dbg_elf *elf = &p->elf[core];
  struct dbg_segment s;
  p->loaded[core] = false;
  p->loads++;
  if (!dbg_elf_open(elf, file, size, why, n)) return false;
  for (unsigned i = 0; dbg_elf_segment(elf, i, &s); i++)
    if (!load_segment(t, core, &s)) {
      snprintf(why, n, "segment %u: 0x%x bytes at 0x%08x are neither in L1 nor in %s's local RAM", i, s.memory_size,
               s.address, tx_core_name(core));
      return false;
    }
  if (elf->entry & 3u || elf->entry >= TX_L1_BYTES) {
    snprintf(why, n, "entry point 0x%08x is not an aligned address in L1", elf->entry);
    return false;
  }
  dbg_program_reset_pc(t, core, elf->entry);
  await_kernel(t, core, elf);
  p->loaded[core] = true;
  return true;
}

void dbg_program_start(struct tx_tile *t, unsigned cores, uint32_t brisc_pc) {
  uint32_t bits = t->control.word[TX_CONTROL_SOFT_RESET_0 / 4];
  bool brisc = (cores >> TX_CORE_BRISC & 1u) && (bits >> tx_control_reset_bit(TX_CORE_BRISC) & 1u);
  for (unsigned core = 0; core < TX_CORES; core++)
    if (cores >> core & 1u) bits &= ~(1u << tx_control_reset_bit(core));
  tx_control_write(t, TX_ADDR_CONTROL + TX_CONTROL_SOFT_RESET_0, bits);
  if (brisc && !t->fault.kind) t->core[TX_CORE_BRISC].pc = t->core[TX_CORE_BRISC].reset_pc = brisc_pc;
}

/* --- where --- */

/* " or writer.c:20" for each line of a source that gives the same code, once. */
static void add_twins(const struct dbg_program *p, unsigned core, uint32_t pc, struct sim_text *out) {
  char line[128], known[DBG_TWINS + 1][128] = {""};
  struct dbg_place place;
  dbg_place_find(&p->elf[core], pc - p->moved[core], &place);
  if (!place.file) return;
  snprintf(known[0], sizeof known[0], "%s:%u", place.file, place.line);
  for (unsigned i = 0, count = 1; i < DBG_TWINS && p->twins[core][i].elf; i++) {
    dbg_place_find(p->twins[core][i].elf, pc - p->twins[core][i].moved, &place);
    if (!place.file) continue;
    snprintf(line, sizeof line, "%s:%u", place.file, place.line);
    bool told = false;
    for (unsigned k = 0; k < count; k++) told |= strcmp(known[k], line) == 0;
    if (told) continue;
    memcpy(known[count++], line, sizeof line);
    sim_text_add(out, " or %s", line);
  }
}

void dbg_program_where(const struct dbg_program *p, unsigned core, uint32_t pc, char *text, size_t size) {
  if (size) text[0] = '\0';
  if (core < TX_CORES && p->loaded[core]) {
    dbg_place_words(&p->elf[core], pc - p->moved[core], text, size);
    struct sim_text out = {.data = text, .size = size, .length = strlen(text)};
    if (text[0] && p->twins[core][0].elf) add_twins(p, core, pc, &out);
  }
  if (core < TX_CORES && p->has_second[core] && size && !text[0])
    dbg_place_words(&p->second[core], pc - p->second_moved[core], text, size);
  for (unsigned other = 0; other < TX_CORES && size && !text[0]; other++) /* code shared between cores */
    if (p->loaded[other]) dbg_place_words(&p->elf[other], pc - p->moved[other], text, size);
}

/* The start of the wait. For a poll, that of the first load: until the loop is parked, each iteration restarts the wait. */
static sim_time since(const struct tx_core *c, const struct sim_wait *wait) {
  sim_time first = wait->kind == TX_BLOCKED_ADDRESS ? tx_core_first_poll(c, (uint32_t)wait->object) : SIM_NEVER;
  return first < wait->since ? first : wait->since;
}

static void what_it_does(const struct tx_tile *t, unsigned core, char *text, size_t size) {
  const struct sim_wait *wait = &t->engine.agents[TX_AGENT_TRISC0 + core].wait;
  if (t->core[core].state == TX_CORE_EBREAK) {
    snprintf(text, size, t->core[core].stop_word ? "stopped at ebreak" : "paused by a debugger");
  } else if (t->fault.kind && t->fault.agent == TX_AGENT_TRISC0 + core && !wait->kind) {
    snprintf(text, size, "faulted");
  } else if (!wait->kind) {
    snprintf(text, size, "running");
  } else {
    int used =
        snprintf(text, size, "has been waiting since cycle %llu for ", (unsigned long long)since(&t->core[core], wait));
    if (used > 0 && (size_t)used < size) obs_words.wait(t, wait, text + used, size - (size_t)used);
  }
}

uint32_t dbg_program_holding_pc(const struct tx_core *c) {
  if (c->waiting.kind) return c->waiting.pc;
  return c->refused && c->queue_count ? c->queue[0].pc : c->pc;
}

/* The instruction at a thread's wait gate, and the line that pushed it. */
static void add_thread(struct sim_text *out, const struct dbg_program *p, const struct tx_tile *t, unsigned thread) {
  const struct tx_fifo *fifo = &t->frontend[thread].fifo3;
  const struct tx_word *head = &fifo->slot[fifo->head % TX_FIFO_SLOTS];
  char text[TX_DIS_MAX], where[256] = "";
  if (!fifo->count) return;
  tx_dis(head->word, text, sizeof text);
  if (head->pc) dbg_program_where(p, head->flags & TX_WORD_BRISC ? TX_CORE_BRISC : thread, head->pc, where, sizeof where);
  sim_text_add(out, "%s: next instruction: %s%s%s\n", obs_agent_name(tx_agent_of_thread(thread)), text,
               where[0] ? ", pushed in " : "", where);
}

size_t dbg_program_cores(const struct dbg_program *p, const struct tx_tile *t, dbg_core_words_fn *words, const void *context,
                         char *text, size_t size) {
  struct sim_text out = {.data = text, .size = size};
  if (size) text[0] = '\0';
  for (unsigned core = 0; core < TX_CORES; core++) {
    char what[256] = "", where[256];
    if (t->core[core].state == TX_CORE_HELD) continue;
    if (words) words(context, core, what, sizeof what);
    if (!what[0]) what_it_does(t, core, what, sizeof what);
    uint32_t pc = dbg_program_holding_pc(&t->core[core]);
    dbg_program_where(p, core, pc, where, sizeof where);
    sim_text_add(&out, "%s at 0x%08x%s%s: %s\n", tx_core_name(core), pc, where[0] ? " " : "", where, what);
  }
  for (unsigned thread = 0; thread < TX_THREADS; thread++) add_thread(&out, p, t, thread);
  return out.length;
}

/* --- places as values --- */

static bool is_kernel(const struct dbg_source *place) {
  return strncmp(place->function, "kernel_main", 11) == 0 || strcmp(place->function, "main") == 0;
}

/* A name that is too long goes without its template arguments. */
static void set_call(struct dbg_source *out, const char *name) {
  size_t length = strlen(name) < sizeof out->call ? strlen(name) : strcspn(name, "<");
  snprintf(out->call, sizeof out->call, "%.*s", (int)length, name);
}

static bool source_in(const struct dbg_elf *elf, uint32_t pc, struct dbg_source *out) {
  struct dbg_frame frames[DBG_FRAMES_MAX];
  unsigned count = dbg_frames_find(elf, pc, frames, DBG_FRAMES_MAX), user = dbg_frames_user(frames, count);
  if (count == 0) { /* without debug sections: the symbol table */
    uint32_t offset;
    const char *symbol = dbg_elf_executes(elf, pc) ? dbg_symbol_at(elf, pc, &offset) : NULL;
    if (symbol) dbg_readable_name(symbol, out->function, sizeof out->function);
    return symbol;
  }
  const struct dbg_frame *shown = &frames[user < count ? user : 0];
  if (shown->function) dbg_readable_name(shown->function, out->function, sizeof out->function);
  if (shown->path.file) {
    snprintf(out->file, sizeof out->file, "%s", dbg_path_base(&shown->path));
    dbg_path_text(&shown->path, out->path, sizeof out->path);
    out->line = shown->line;
    out->library = user == count;
  }
  if (user < count && user > 0 && frames[user - 1].function) set_call(out, frames[user - 1].function);
  if (is_kernel(out)) return true; /* its caller is the entry code */
  unsigned caller = user < count ? user + 1 + dbg_frames_user(frames + user + 1, count - user - 1) : count;
  if (caller < count && frames[caller].path.file) {
    snprintf(out->caller, sizeof out->caller, "%.95s:%u", dbg_path_base(&frames[caller].path), frames[caller].line);
    dbg_path_text(&frames[caller].path, out->caller_path, sizeof out->caller_path);
    out->caller_line = frames[caller].line;
  }
  return true;
}

void dbg_program_source(const struct dbg_program *p, unsigned core, uint32_t pc, struct dbg_source *out) {
  memset(out, 0, sizeof *out);
  if (!p || pc == 0) return;
  if (p->script && core < TX_CORES && !p->loaded[core]) {
    out->line = pc;
    snprintf(out->path, sizeof out->path, "%s", p->script);
    snprintf(out->file, sizeof out->file, "%s", sim_base_name(p->script));
    return;
  }
  out->pc = pc;
  if (core < TX_CORES && p->loaded[core] && source_in(&p->elf[core], pc - p->moved[core], out)) {
    struct sim_text also = {.data = out->also, .size = sizeof out->also};
    if (p->twins[core][0].elf) add_twins(p, core, pc, &also);
    return;
  }
  if (core < TX_CORES && p->has_second[core] && source_in(&p->second[core], pc - p->second_moved[core], out)) return;
  for (unsigned other = 0; other < TX_CORES; other++) /* code shared between cores */
    if (p->loaded[other] && other != core && source_in(&p->elf[other], pc - p->moved[other], out)) return;
}

int dbg_source_text(const struct dbg_source *source, char *text, size_t size) {
  if (size) text[0] = '\0';
  return source->file[0] ? snprintf(text, size, "%s:%u%s", source->file, source->line, source->also) : 0;
}

/* --- faults --- */

static bool executes(const struct dbg_program *p, uint32_t pc) {
  for (unsigned core = 0; core < TX_CORES; core++)
    if (p->loaded[core] && dbg_elf_executes(&p->elf[core], pc - p->moved[core])) return true;
  return false;
}

/* A word that is no instruction of the core may be one that it pushes: then the thread that executes it faults. */
static bool may_have_caused(const struct tx_tile *t, unsigned core) {
  unsigned agent = t->fault.agent;
  if (agent <= TX_AGENT_THREAD2) return core == agent || core == TX_CORE_BRISC;
  return agent == TX_AGENT_TRISC0 + core;
}

bool dbg_program_jumped(const struct dbg_program *p, const struct tx_tile *t, unsigned core, struct dbg_jump *out) {
  const struct tx_core *c = &t->core[core];
  if (!p || !p->loaded[core] || c->state == TX_CORE_HELD) return false;
  if (executes(p, c->pc) || executes(p, c->jump_to) || !executes(p, c->jump_from)) return false;
  *out = (struct dbg_jump){.core = core, .from = c->jump_from, .to = c->jump_to};
  dbg_program_source(p, core, c->jump_from, &out->place);
  return true;
}

bool dbg_program_wild_jump(const struct dbg_program *p, const struct tx_tile *t, struct dbg_jump *out) {
  for (unsigned core = 0; t->fault.kind && core < TX_CORES; core++)
    if (may_have_caused(t, core) && dbg_program_jumped(p, t, core, out)) return true;
  return false;
}

void dbg_program_fault_place(const struct dbg_program *p, const struct tx_tile *t, char *text, size_t size) {
  unsigned agent = t->fault.agent, core = TX_CORES;
  struct dbg_jump jump = {.from = 0};
  if (agent <= TX_AGENT_THREAD2) core = agent; /* the core that pushed the instruction */
  else if (agent >= TX_AGENT_TRISC0 && agent <= TX_AGENT_NCRISC) core = agent - TX_AGENT_TRISC0;
  if (size) text[0] = '\0';
  if (dbg_program_wild_jump(p, t, &jump)) dbg_program_where(p, jump.core, jump.from, text, size);
  if (jump.from || !t->fault.kind || core >= TX_CORES || (!t->fault.pc && t->fault.agent <= TX_AGENT_THREAD2)) return;
  dbg_program_where(p, core, t->fault.pc, text, size);
}

/* --- KERNEL_CHECK --- */

#define LAUNCH_WORD(t, member) tx_l1_read(t, LAUNCH_FIELD(member), 4)

static void l1_text(const struct tx_tile *t, uint32_t address, char *text, size_t size) {
  size_t i = 0;
  for (; i + 1 < size && address + i < TX_L1_BYTES && t->l1[address + i]; i++) {
    unsigned char c = t->l1[address + i];
    text[i] = c >= ' ' && c < 127 ? (char)c : '?';
  }
  text[i] = '\0';
}

static bool stands_in(const struct dbg_program *p, const struct tx_tile *t, unsigned core, const char *function) {
  if (!p->loaded[core] || t->core[core].state != TX_CORE_EBREAK) return false;
  const char *name = dbg_kept_symbol(&p->elf[core], t->core[core].pc);
  return name && strcmp(name, function) == 0;
}

int dbg_program_failed_core(const struct dbg_program *p, const struct tx_tile *t, uint32_t cores) {
  for (unsigned core = 0; core < TX_CORES; core++)
    if (cores >> core & 1u && stands_in(p, t, core, "tt_fail")) return (int)core;
  return -1;
}

bool dbg_program_failed_at(const struct dbg_program *p, const struct tx_tile *t, sim_time *at) {
  bool any = false;
  for (unsigned core = 0; core < TX_CORES; core++) {
    if (!stands_in(p, t, core, "tt_fail")) continue;
    if (!any || t->core[core].clock < *at) *at = t->core[core].clock;
    any = true;
  }
  return any;
}

/* If several failed, the core whose text is in the launch block: the last one. */
static int core_of_text(const struct dbg_program *p, const struct tx_tile *t) {
  static const unsigned cores[LAUNCH_CORES] = {TX_CORE_BRISC, TX_CORE_NCRISC, 0, 1, 2}; /* enum launch_core */
  uint32_t failed = LAUNCH_WORD(t, failed);
  int core = -1;
  if (failed >= 1 && failed <= LAUNCH_CORES) core = dbg_program_failed_core(p, t, 1u << cores[failed - 1]);
  return core >= 0 ? core : dbg_program_failed_core(p, t, (1u << TX_CORES) - 1);
}

bool dbg_program_is_return(const struct tx_tile *t, uint32_t word) {
  if (word % 4 || word < 4 || word >= TX_L1_BYTES) return false;
  uint32_t call = tx_l1_read(t, word - 4, 4), opcode = call & 0x7fu;
  return (call >> 7 & 31u) == 1 && (opcode == 0x6f || opcode == 0x67);
}

#define JAL 0x6fu
/* The distance of a jal. */
static uint32_t jump_offset(uint32_t word) {
  uint32_t far = (uint32_t)((int32_t)word >> 31 << 20);
  return far | (word & 0xff000u) | (word >> 20 & 1u) << 11 | (word >> 21 & 0x3ffu) << 1;
}

/* The return address of the function at the core's pc: from the place where the function's first instructions store ra, or ra itself if they
 * do not (a leaf). 0: not known. */
#define PROLOGUE_WORDS 24u
static uint32_t return_address(const struct dbg_program *p, const struct tx_tile *t, unsigned core, uint32_t pc) {
  const struct tx_core *c = &t->core[core];
  uint32_t offset = 0, ra = c->x[1];
  if (!dbg_symbol_at(&p->elf[core], pc - p->moved[core], &offset)) return 0;
  for (uint32_t at = pc - offset, n = 0; at < pc && at < TX_L1_BYTES && n < PROLOGUE_WORDS; at += 4, n++) {
    uint32_t word = tx_l1_read(t, at, 4);
    bool stores_ra = (word & 0x7fu) == 0x23 && (word >> 12 & 7u) == 2 && (word >> 15 & 31u) == 2 && (word >> 20 & 31u) == 1;
    if (!stores_ra) continue; /* sw ra, imm(sp) */
    uint32_t slot = c->x[2] + (uint32_t)(((int32_t)word >> 25) * 32) + (word >> 7 & 31u) - TX_LOCAL_BASE;
    if (slot % 4 || slot >= TX_LOCAL_BYTES) return 0;
    memcpy(&ra, &c->local[slot], sizeof ra);
    break;
  }
  return dbg_program_is_return(t, ra) ? ra : 0;
}

/* The function that returns to `ra` called another one last: the jump in it to the function at `start`. 0: there is none, or several lines
 * have one. */
static uint32_t last_call(const struct dbg_program *p, const struct tx_tile *t, unsigned core, uint32_t ra, uint32_t start) {
  const struct dbg_elf *elf = &p->elf[core];
  struct dbg_source one, other;
  uint32_t offset, found = 0, word = tx_l1_read(t, ra - 4, 4), begin = ra - 4 + jump_offset(word);
  const char *name = dbg_symbol_at(elf, begin - p->moved[core], &offset);
  if ((word & 0x7fu) != JAL || !name || offset || begin == start) return 0;
  for (uint32_t at = begin; at < TX_L1_BYTES - 4 && dbg_symbol_at(elf, at - p->moved[core], &offset) == name; at += 4) {
    word = tx_l1_read(t, at, 4);
    if ((word & 0xfffu) != JAL || at + jump_offset(word) != start) continue; /* j */
    dbg_program_source(p, core, at, found ? &other : &one);
    if (found && (one.line != other.line || strcmp(one.file, other.file) != 0)) return 0;
    found = at;
  }
  return found;
}

void dbg_program_add_caller(const struct dbg_program *p, const struct tx_tile *t, unsigned core, struct dbg_source *place) {
  struct dbg_source from;
  uint32_t offset = 0;
  if (!p || core >= TX_CORES || !p->loaded[core] || !place->file[0] || place->library || place->caller[0] ||
      is_kernel(place))
    return;
  uint32_t ra = return_address(p, t, core, place->pc);
  if (!ra) return;
  dbg_symbol_at(&p->elf[core], place->pc - p->moved[core], &offset);
  uint32_t jump = last_call(p, t, core, ra, place->pc - offset);
  dbg_program_source(p, core, jump ? jump : ra - 4, &from);
  if (from.library || !from.file[0]) return;
  snprintf(place->caller, sizeof place->caller, "%.95s:%u", from.file, from.line);
  memcpy(place->caller_path, from.path, sizeof place->caller_path);
  place->caller_line = from.line;
}

/* The nearest caller outside the library, by the return addresses on the core's stack: of a check in a function that was not
 * inlined. */
static bool find_caller(const struct dbg_program *p, const struct tx_tile *t, unsigned core, struct dbg_source *out) {
  const struct tx_core *c = &t->core[core];
  for (uint32_t at = c->x[2] - TX_LOCAL_BASE; at % 4 == 0 && at < TX_LOCAL_BYTES; at += 4) {
    uint32_t word;
    memcpy(&word, &c->local[at], sizeof word);
    if (!dbg_program_is_return(t, word)) continue;
    dbg_program_source(p, core, word - 4, out);
    if (out->file[0] && !out->library) return true;
  }
  return false;
}

/* The message carries the caller's place: file and line of the check in the user's code. */
bool dbg_program_failure(const struct dbg_program *p, const struct tx_tile *t, struct dbg_failure *out) {
  char text[160], path[192];
  memset(out, 0, sizeof *out);
  int core = core_of_text(p, t);
  if (core < 0) return false;
  out->core = (unsigned)core;
  l1_text(t, LAUNCH_WORD(t, failed_text), text, sizeof text);
  l1_text(t, LAUNCH_WORD(t, failed_file), path, sizeof path);
  char *value = strstr(text, "%u");
  if (value) *value = '\0';
  if (value) snprintf(out->text, sizeof out->text, "%s%u%s", text, LAUNCH_WORD(t, failed_value), value + 2);
  else snprintf(out->text, sizeof out->text, "%s", text);
  /* The call of tt_fail, which does not return: other code follows it. */
  dbg_program_source(p, out->core, t->core[core].x[1] - 4, &out->place);
  if ((!out->place.file[0] || out->place.library) && !find_caller(p, t, out->core, &out->place)) {
    snprintf(out->place.path, sizeof out->place.path, "%s", path);
    snprintf(out->place.file, sizeof out->place.file, "%.95s", sim_base_name(path));
    out->place.line = LAUNCH_WORD(t, failed_line);
  }
  size_t used = strlen(out->text);
  if (out->place.caller[0]) snprintf(out->text + used, sizeof out->text - used, " (called at %s)", out->place.caller);
  return true;
}
