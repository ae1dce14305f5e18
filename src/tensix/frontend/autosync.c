/* Auto TTSync of autosync.h: the side of the instructions (declarations, entries, the gate). */
#include "tensix/frontend/autosync.h"

#include <string.h>

#include "sim/keep.h"
#include "tensix/machine.h"

#define NO_CLASS TX_SYNC_CLASSES

/* Bits of a declaration. yaml: RESOURCEDECL, "resources"
 *
 *    8      7      6      5      4         3         2         1      0
 *   | TDMA W | R | GPR W | R | remainder | unpacker 1 | unpacker 0 | Config W | R | */
enum { READS_CONFIG = 1u << 0, WRITES_CONFIG = 1u << 1, READS_GPR = 1u << 5, READS_TDMA = 1u << 7 };
enum { CLASS_UNPACR = 11, CLASS_MOP = 13, CLASS_REPLAY = 14, CLASS_OTHER = 15 };

#define LINGER_DEFAULT 1u /* yaml: RESOURCEDECL, "linger_time" */

void tx_autosync_reset(struct tx_autosync *a) {
  static const uint16_t defaults[TX_SYNC_CLASSES] = TX_SYNC_DEFAULTS;
  memset(a, 0, sizeof *a);
  for (unsigned i = 0; i < TX_SYNC_CLASSES; i++) {
    a->declared[i] = defaults[i];
    a->linger[i] = LINGER_DEFAULT;
  }
}

static unsigned class_of(uint32_t word) {
  switch (word >> 24) {
    case TX_NOP:
    case TX_MOP_CFG:
    case TX_RESOURCEDECL: return NO_CLASS;
    case TX_ADDDMAREG:
    case TX_SUBDMAREG:
    case TX_MULDMAREG:
    case TX_BITWOPDMAREG:
    case TX_SHIFTDMAREG:
    case TX_CMPDMAREG:
    case TX_SETDMAREG: return 0;
    case TX_ATINCGET:
    case TX_ATINCGETPTR:
    case TX_ATSWAP:
    case TX_ATCAS: return 1;
    case TX_REG2FLOP: return 2;
    case TX_LOADIND:
    case TX_STOREIND: return 3;
    case TX_STREAMWRCFG:
    case TX_CFGSHIFTMASK: return 4;
    case TX_STOREREG: return 5;
    case TX_LOADREG: return 6;
    case TX_FLUSHDMA: return 7;
    case TX_WRCFG: return 8;
    case TX_RDCFG: return 9;
    case TX_XMOV: return 10;
    case TX_UNPACR:
    case TX_UNPACR_NOP: return CLASS_UNPACR;
    case TX_PACR: return 12;
    case TX_MOP: return CLASS_MOP;
    case TX_REPLAY: return CLASS_REPLAY;
    default: return CLASS_OTHER;
  }
}

/* --- resources of an instruction --- */

/* `reading` selects the read bits of the declaration, else the write bits, which are one above them. */
static uint32_t part_used(uint32_t declared, uint32_t config, bool reading) {
  uint32_t bits = reading ? declared : declared >> 1;
  return (bits & READS_CONFIG ? config : 0) | (bits & READS_GPR ? TX_SYNC_GPR : 0) | (bits & READS_TDMA ? TX_SYNC_TDMA : 0);
}

static void find_uses(const struct tx_tile *t, unsigned thread, uint32_t word, unsigned bank, uint32_t *reads,
                      uint32_t *writes) {
  unsigned class = class_of(word);
  *reads = *writes = 0;
  if (class == NO_CLASS) return;
  uint32_t declared = t->autosync[thread].declared[class], parts = declared >> 2 & TX_SYNC_CONFIG;
  if (class == CLASS_UNPACR && TX_THREAD_CFG_GET(t, thread, TENSIX_TRISC_SYNC_EnSubdividedCfgForUnpacr))
    parts = TX_FIELD(word, UNPACR, unpack_block_selection) ? TX_SYNC_UNPACKER1 : TX_SYNC_UNPACKER0;
  *reads = part_used(declared, parts << 3 * bank, true);
  *writes = part_used(declared, parts << 3 * bank, false);
}

void tx_autosync_declare(struct tx_tile *t, unsigned thread, uint32_t word) {
  unsigned class = TX_FIELD(word, RESOURCEDECL, op_class);
  t->autosync[thread].declared[class] = (uint16_t)TX_FIELD(word, RESOURCEDECL, resources);
  t->autosync[thread].linger[class] = (uint8_t)TX_FIELD(word, RESOURCEDECL, linger_time);
}

/* --- entries --- */

static uint32_t first_in(const struct tx_fifo *fifo) {
  for (uint32_t i = 0; i < fifo->count; i++) {
    uint32_t entry = fifo->slot[(fifo->head + i) % TX_FIFO_SLOTS].flags >> TX_SYNC_ENTRY_SHIFT;
    if (entry) return entry;
  }
  return 0;
}

uint32_t tx_autosync_oldest(const struct tx_frontend *fe) {
  uint32_t entry = first_in(&fe->fifo3);
  if (!entry && fe->replay.playing) entry = fe->replay.entry;
  if (!entry) entry = first_in(&fe->fifo2);
  if (!entry && fe->mop.active) entry = fe->mop.entry;
  if (!entry) entry = first_in(&fe->fifo1);
  return entry;
}

/* The bank that a word pushed now will use. AutoTTSync.md mentions special handling of a SETC16 that changes it, and does
 * not describe it. */
static unsigned bank_to_be(struct tx_tile *t, unsigned thread) {
  struct tx_autosync *a = sim_keep(&t->autosync[thread]);
  uint32_t from = tx_autosync_oldest(&t->frontend[thread]);
  if (a->state_entry && (!from || tx_autosync_is_younger(from, a->state_entry)))
    a->state_entry = a->state_bank = 0; /* it has passed */
  return a->state_entry ? a->state_bank : TX_CFG_BANK(t, thread);
}

/* Number of entries from the oldest with a word that has not passed to the newest. For assertions. */
__attribute__((unused)) static uint32_t entries_open(const struct tx_tile *t, unsigned thread) {
  uint32_t from = tx_autosync_oldest(&t->frontend[thread]);
  return from ? ((t->autosync[thread].last - from) & TX_SYNC_ENTRY_MAX) + 1 : 0;
}

static uint32_t cycles_of(uint32_t linger_bits) { /* cycles until a shift register is empty */
  return linger_bits ? 32u - (uint32_t)__builtin_clz(linger_bits) : 0;
}

uint32_t tx_autosync_enter(struct tx_tile *t, unsigned thread, uint32_t word) {
  struct tx_autosync *a = sim_keep(&t->autosync[thread]);
  uint32_t reads, writes;
  if (word >> 24 == TX_RESOURCEDECL) {
    tx_autosync_declare(t, thread, word);
    return TX_WORD_ORDERED;
  }
  find_uses(t, thread, word, bank_to_be(t, thread), &reads, &writes);
  bool sets_bank = word >> 24 == TX_SETC16 && TX_FIELD(word, SETC16, setc16_reg) == TX_CFG_CFG_STATE_ID_StateID_ADDR;
  if (!reads && !writes && !sets_bank) return 0;
  a->last = tx_autosync_after(a->last);
  tx_assert(entries_open(t, thread) < TX_SYNC_ENTRIES); /* an entry is not reused while it is open */
  uint32_t slot = a->last % TX_SYNC_ENTRIES;
  a->reads[slot] = (uint8_t)reads;
  a->writes[slot] = (uint8_t)writes;
  a->lingers[slot] = (uint8_t)cycles_of(a->linger[class_of(word)]);
  if (sets_bank) {
    a->state_entry = a->last;
    a->state_bank = TX_FIELD(word, SETC16, setc16_value) & 1u;
  }
  return TX_WORD_ORDERED | a->last << TX_SYNC_ENTRY_SHIFT;
}

uint32_t tx_autosync_writes(const struct tx_tile *t, unsigned thread, uint32_t word) {
  uint32_t reads, writes;
  find_uses(t, thread, word, TX_CFG_BANK(t, thread), &reads, &writes);
  return writes;
}

/* --- the gate --- */

static uint32_t conflict(const struct tx_autosync *a, uint32_t flags) {
  uint32_t entry = flags >> TX_SYNC_ENTRY_SHIFT, slot = entry % TX_SYNC_ENTRIES;
  if (!(flags & TX_WORD_ORDERED)) return 0; /* untracked, or not the first of an expansion */
  uint32_t of = (uint32_t)(a->reads[slot] | a->writes[slot]) & a->store_mask;
  if (a->load && tx_autosync_is_younger(entry, a->load_entry)) of |= a->writes[slot] & a->load;
  return of;
}

static void set_lingering(struct tx_tile *t, unsigned thread, uint32_t cycles) {
  struct tx_autosync *a = sim_keep(&t->autosync[thread]);
  tx_assert(!a->lingering || t->gate[thread].accesses > 0);
  t->gate[thread].accesses += (cycles != 0) - (uint32_t)(a->lingering != 0);
  a->lingering = cycles;
  a->linger_until = 0;
}

bool tx_autosync_holds_word(struct tx_tile *t, unsigned thread, uint32_t flags, struct tx_answer *answer) {
  struct tx_autosync *a = sim_keep(&t->autosync[thread]);
  uint32_t of = conflict(a, flags);
  *answer = (struct tx_answer){.retry_at = SIM_NEVER,
                               .channels = TX_CH(TX_CH_CORE),
                               .wait = {.kind = TX_BLOCKED_ACCESS, .object = thread, .detail = of}};
  if (of) {
    set_lingering(t, thread, t->timing ? a->lingers[(flags >> TX_SYNC_ENTRY_SHIFT) % TX_SYNC_ENTRIES] : 0);
    return true;
  }
  if (!a->lingering) return false;
  if (!a->linger_until) a->linger_until = t->engine.now + a->lingering;
  answer->retry_at = a->linger_until;
  if (a->linger_until > t->engine.now) return true;
  set_lingering(t, thread, 0);
  return false;
}

void tx_autosync_pass(struct tx_tile *t, unsigned thread, uint32_t flags) {
  t->autosync[thread].passed = flags >> TX_SYNC_ENTRY_SHIFT;
  t->autosync[thread].passed_at = t->engine.now;
}
