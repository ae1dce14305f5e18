/* Shared by the files of the checkers. */
#ifndef TESSERA_CHECK_INTERNAL_H
#define TESSERA_CHECK_INTERNAL_H

#include "check/check.h"
#include "check/clock.h"

#define LAUNCH_BUFFERS_AT 0x88u /* kernels/include/launch.h: struct launch_buffer[32], then the arguments */
#define LAUNCH_ARGS_END 0x308u
#define LAUNCH_NCRISC_DONE 0x44u /* kernels/firmware: NCRISC stores here when its kernel has ended */
#define LAUNCH_FINISHED 0x58u    /* BRISC stores here when all kernels have ended */
#define CHK_SEM_RING 16u
#define CHK_STREAM_RING 16u
#define CHK_STAGED (TX_FIFO_SLOTS + 1u) /* one before each word of FIFO 1, and one after the last: never too few */
#define CHK_BUFFERS 32u
#define CHK_PAGES 4096u
#define CHK_UNKNOWN_PAGES 1024u /* most pages of a buffer that is not known: an L1 of pages of 1.5 KiB */
#define CHK_LINE 16u            /* bytes of L1 of one cell of checker c */
#define CHK_PART 2u             /* bytes of a part of it: two agents may write the two halves of a word */
#define CHK_DST_TILES 16u
#define CHK_CONTEXTS 8u
#define CHK_LINES_OUT 64u /* lines that a core has stored and that have not arrived: more than its queue and its port hold */
#define CHK_BLOCK 256u    /* bytes of L1 per entry of the map of the buffers */
#define CHK_PAST 32u      /* changes of a core's vector that are kept */
#define CHK_STORED 32u    /* stores of a core whose values are kept */
#define CHK_PEERS 24u     /* other tiles that a tile can track */
#define CHK_HEARD 64u
#define CHK_FLAGS 6u
#define CHK_CHANNELS 17u /* two NoCs with eight virtual channels; 0: not static */
#define CHK_SENT 128u
#define CHK_WORDS 64u
#define CHK_VALUES 16u
#define CHK_NEWS 64u /* latest arrivals of which a tile keeps what they tell */
#define CHK_CAUSES 24u
#define CHK_CAUSE_BYTES 64u /* a line of DRAM */
#define CHK_PULLED 32u
#define CHK_READS 64u
#define CHK_SUSPECTS 32u
#define CHK_AWAITED 4u
#define CHK_TURNS 64u
#define CHK_OWN 4u /* words of the own tile that a core increments by NoC requests */
#define CHK_BEHIND 32u
#define CHK_FIRST_POLLS 8u
#define CHK_OPERATIONS 128u
#define CHK_STACK_WORDS 64u /* of a core's stack that are searched for calls */
#define CHK_CALLERS 4u
#define CHK_LOOKS 32u
#define CHK_ATOMICS 16u
#define CHK_FLIGHTS 32u
#define CHK_CHANGED 64u /* words of L1 that cores change by atomics */
#define CHK_CHANGES 32u
#define CHK_LOADS 1024u /* loads for which the cache holds whether they poll */

/* A semaphore: the vectors that its posts and gets release, each the join of all before it. */
struct chk_semaphore {
  struct chk_vector init, post[CHK_SEM_RING], get[CHK_SEM_RING];
  uint32_t posts, gets;
  struct chk_mark room; /* the last wait for a value below the maximum: a semaphore that bounds what is ahead of its taker */
  uint16_t first;       /* value at the start or after SEMINIT */
};

/* A counter of pages in a stream register: its last values, and the vector released by each. */
struct chk_counter {
  struct chk_vector vector[CHK_STREAM_RING];
  struct chk_mark by[CHK_STREAM_RING]; /* who wrote each */
  uint16_t value[CHK_STREAM_RING];
  uint32_t writes;
  uint16_t last;            /* newest value */
  uint16_t known[TX_CORES]; /* the smallest value that would have ended each core's last poll */
  /* of polls before the first count: the smallest value that would have ended them, also below 0 */
  uint16_t wanted[TX_CORES];
  uint8_t polls[TX_CORES];
  struct chk_mark writer; /* mark of the newest value */
  struct chk_mark poll[TX_CORES];
};
enum { CHK_ACKED, CHK_RECEIVED };

/* A finding that later accesses confirm or refute. */
struct chk_claim {
  struct chk_mark at, other; /* at.clock 0: none; other.clock 0: no other side */
  uint16_t added, known;
};

#define CHK_WAITED (1u << (TX_CORES + 1u)) /* << core */
#define CHK_READ_BY_UNIT (1u << TX_CORES)
#define CHK_OVERRUN_HANGS (CHK_WAITED << TX_CORES)

struct chk_buffer {
  uint32_t base, limit, page_bytes, pages, format;
  uint32_t first_cell; /* index of its pages in chk.pages */
  bool tracked;
  bool wrapped; /* a counter has passed 0xffff: it gives no page number any more */
  uint32_t
      users; /* of its pages: bit per core, CHK_READ_BY_UNIT: another agent, CHK_WAITED: a core has waited for a page, CHK_OVERRUN_HANGS: its producer's wait for room does not end when more pages are popped than pushed. A producer's fence loads from its page */
  struct chk_claim
      pushed; /* more pages than the program reserves: refuted if an order covers them when the pages are used again */
  struct chk_claim popped; /* more pages than are known to be present: confirmed if an agent reads a page or waits for one */
  struct chk_counter count[2];
};

/* A wait that a thread has latched and that has not blocked an instruction yet. */
struct chk_latch {
  uint32_t opcode; /* 0: none */
  uint32_t block, condition, semaphores, stream;
};

/* The vector of a T core that its thread joins with the words pushed from then on. */
struct chk_staged {
  uint64_t pushed; /* words pushed before it */
  struct chk_vector vector;
};

/* A core's store and the calls around it, the innermost first; 0 ends them. */
struct chk_call {
  struct chk_mark mark;
  uint32_t from[CHK_CALLERS];
};

#define CHK_RECORDINGS 64u

/* What a REPLAY has recorded. */
struct chk_recording {
  uint32_t number; /* from 1 on; 0: none */
  uint8_t first, count;
  bool alone;               /* it has been played by itself */
  bool broken;              /* a part of it is recorded again */
  uint8_t torn, torn_first; /* before that: slots of a longer replay with a rest of what it has overwritten; 0: none */
  struct chk_mark by, torn_by;
};

struct chk_replay {
  uint32_t number; /* of the last recording */
  uint32_t slot[TX_REPLAY_SLOTS];
  struct chk_recording made[CHK_RECORDINGS];
};

#define CHK_GPR_STORES 64u

struct chk_thread {
  struct chk_latch latch;
  struct chk_staged staged[CHK_STAGED];
  uint32_t staged_first, staged_count;
  uint8_t locks;         /* mutexes that the thread holds */
  uint64_t pushed;       /* words pushed before its core's last access */
  uint32_t core_version; /* version of the core's vector that is staged */
  uint32_t unsynced;     /* units (bit per enum tx_unit) whose configuration its core has stored since the last C10 */
  struct chk_mark stored[TX_UNIT_COUNT];  /* the last such store */
  struct chk_mark foreign[TX_UNIT_COUNT]; /* the last change of such a word by another thread */
  bool stored_context; /* the last store for the unpackers was to a base address: only its context reads it */
  uint64_t stored_pushed[TX_UNIT_COUNT];    /* words pushed before it */
  uint64_t context_pushed[2][CHK_CONTEXTS]; /* the same for the base addresses, and for the core's stores to GPRs */
  uint64_t gpr_pushed[TX_GPRS];
  uint64_t gpr_stores;                        /* its own core's stores to GPRs */
  uint64_t gpr_number[TX_GPRS];               /* of the last store to each; 0: none, or by another core */
  uint64_t gpr_store_pushed[CHK_GPR_STORES];  /* words pushed before the last ones, by their number */
  struct chk_mark config_read[TX_UNIT_COUNT]; /* the last instruction of this thread that reads configuration */
  struct chk_cell context[2][CHK_CONTEXTS];   /* base address words of the unpackers' contexts */
  uint64_t mop_known;                         /* number of words expanded from MOPs that the core is ordered after */
  struct chk_mark mop;
  struct chk_call template; /* the last store to the MOP's template */
  uint64_t gpr_written;
  uint64_t gpr_half[2]; /* only the lower, only the upper half of these has been written */
  struct chk_cell gpr[TX_GPRS];
};

/* A store of a core to one or two words that has arrived. */
struct chk_stored {
  uint32_t address, clock;
  uint32_t before, value; /* of the word */
  uint32_t mask;          /* the bits that it sets */
};

/* A core's stores to L1, line by line: they arrive in program order. The clock of a line is the core's clock at the store.
 * `past` holds the core's vector of that time: an agent that reads the line is ordered after exactly that vector. */
struct chk_lines {
  uint32_t noted, arrived; /* numbers of lines */
  uint32_t clock[CHK_LINES_OUT];
  uint32_t last_line; /* 1 + the line that arrived last; its pieces arrive one by one */
  uint64_t last_now;
  uint32_t fenced; /* clock of the last line before the core's last fence: a load from L1 after that waits for it; 0: none */
  uint32_t version; /* of the core's vector, without the changes by its own lines */
  uint32_t pasts;
  uint32_t past_clock[CHK_PAST];
  struct chk_vector past[CHK_PAST];
  uint32_t stores;
  struct chk_stored store[CHK_STORED];
};

/* Writes of a core of another tile to tile `dest`, on one NoC and one virtual channel: those up to a clock have arrived, since a flag came
 * behind them. Channel 0: a request without a static channel, alone. */
struct chk_behind_flag {
  uint32_t clock; /* 0: none */
  uint16_t dest;
  uint8_t core, channel;
};

/* State of another tile that this tile is ordered after: the number of its newest message, and which of its cores' NoC
 * writes and reads have ended. */
struct chk_heard {
  uint32_t arrival; /* number of the admitted arrival at this tile that carried it */
  uint32_t tile, number;
  uint32_t part;                        /* of an answer: bit per cause that is known; 0: all */
  uint32_t far[TX_CORES], in[TX_CORES]; /* `far`: writes that have ended by a barrier, wherever they go */
  uint32_t loose[TX_CORES];             /* posted writes from this clock on, which no barrier waits for, have not; 0: none */
  struct chk_behind_flag flag[CHK_FLAGS];
};

struct chk_peer {
  uint32_t tile, count;
  struct chk_heard ring[CHK_HEARD];
};

/* A request to another tile: the core's vector for its own tile and for others. */
struct chk_request {
  uint32_t number; /* number of the packet; 0: none */
  uint32_t core, clock;
  struct chk_mark mark;
  struct chk_vector vector;
  struct chk_vector before;        /* join of the vectors of all packets up to this number */
  uint32_t from;                   /* source address of a write in L1 */
  uint32_t own[2][TX_CORES];       /* what the core itself is ordered after: writes and reads of its tile's cores */
  uint32_t part;                   /* of an answer to a poll: what is known of it, as in chk_heard */
  uint32_t base_number, base_part; /* and what the poll's sender knew before */
  uint32_t loose[TX_CORES];        /* as in chk_heard */
  uint8_t channel;                 /* of a write: 1 + 2 * virtual channel + NoC; 0: none is static */
  bool posted;
  bool behind; /* all writes of the core since its last barrier have had this channel */
  bool data;   /* a short read that fetches data and no flag */
  bool full;   /* `of` has no room for more tiles: what it does not have counts as known */
  struct chk_heard of[CHK_PEERS];
};

/* An arrival, and what its sender knew. It orders nothing until a core reads it. One of the tile itself gets no number: a core that
 * reads it joins the sender's vector. */
struct chk_news {
  uint32_t arrival, number; /* `number`: 0 until it is admitted */
  uint32_t tile, address;
  uint32_t dest;               /* the tile where it arrived; CHK_TILES + controller: DRAM */
  bool atomic, written, wrote; /* `wrote`: a write, `written`: a short one */
  struct chk_request sent;
};

/* A change of words that a core fetches by a short read: a store, an arrival, a write to DRAM. */
struct chk_cause {
  uint64_t from;
  uint32_t length; /* at most CHK_CAUSE_BYTES */
  uint32_t tile;   /* that made it */
  bool store;      /* by a core of the tile that serves the read, not by a request */
  bool adds, wrote, written;
  bool known; /* to the sender of the read */
  bool all;   /* what was there before is not known: a poll of the word needs it */
  bool taken;
  uint8_t before[CHK_CAUSE_BYTES], value[CHK_CAUSE_BYTES];
  struct chk_request sent; /* what it tells */
};

/* What such a read finds. */
struct chk_answer {
  uint64_t from;
  uint32_t number, length, count;
  uint32_t base_number, base_part; /* what the sender of the read has heard of this tile */
  bool dropped;                    /* there were more */
  bool racy;                       /* the sender of the read is not ordered after `unordered` */
  struct chk_mark unordered;
  struct chk_cause of[CHK_CAUSES];
};

/* A copy of words of another tile, of the same tile, of DRAM. */
struct chk_pulled {
  uint32_t to, length; /* length 0: none */
  uint32_t tile;       /* CHK_TILES + controller: DRAM */
  uint32_t core, pc;
  bool compared;
  struct chk_request told; /* by all causes */
  struct chk_answer answer;
};

/* Do the reads of a length at a place of the program fetch data? One place may be called for both. */
struct chk_reads {
  uint32_t pc, core, words;
  bool data, compared;
};

/* The word in which an atomic of a core returns the old value, until the core has waited for the answer. */
struct chk_awaited {
  uint32_t address;
  struct chk_mark by; /* clock 0: none */
};

/* own.c: a word of the tile itself that a core increments by NoC requests, until the core has waited for their answers. */
struct chk_own {
  uint32_t address;
  uint32_t under_way, arrived; /* sums of the increments */
  uint32_t first;              /* of the word's ring of values: the first of those that have arrived */
  struct chk_mark by;          /* the newest; clock 0: none */
};

/* A write over what a short read may still fetch: a finding if the read turns out to fetch data. */
struct chk_suspect {
  uint32_t address, controller;
  struct chk_mark now, read;
};

/* A flag in DRAM that a core of this tile has read: writes of the flag's core to the same controller, up to a clock, arrived before it. */
struct chk_behind {
  uint32_t tile, core, controller, channel, clock; /* clock 0: none */
};

/* Posted writes of a core on a channel that no answer covers, and the last answered write behind them. */
struct chk_posted {
  uint32_t first, last, cover; /* clocks; 0: none */
};

/* The last values that other tiles wrote to a word of L1. */
struct chk_word {
  uint32_t address, count;
  uint32_t arrival[CHK_VALUES], before[CHK_VALUES], value[CHK_VALUES]; /* `before`: the word when the write arrived */
  uint32_t mask[CHK_VALUES];                                           /* the bits that it sets; 0: it adds */
};

/* tiles.c */
struct chk_tiles {
  struct chk_chip *chip; /* NULL: a tile alone */
  uint32_t tile, arrivals, admitted, peers;
  uint32_t clock;                   /* clock on the sender's tile of the request that arrives now */
  const struct chk_request *acting; /* the packet that arrives now; NULL: none */
  uint16_t channel[TX_CORES];
  struct chk_posted posted[TX_CORES][CHK_CHANNELS];
  struct chk_vector left; /* join of the vectors of all messages that have left */
  struct chk_peer peer[CHK_PEERS];
  struct chk_request request[NOC_NOCS][NOC_INITIATORS];
  struct chk_request sent[CHK_SENT];
  struct chk_request looped[NOC_NOCS][NOC_LOOPS]; /* under way to the tile itself */
  struct chk_vector dropped;                      /* join of what own arrivals told that the ring no longer holds */
  struct chk_answer serving, answer[CHK_SENT];    /* by number of the answer's packet */
  uint32_t pulls;                                 /* all copies so far */
  struct chk_pulled pulled[CHK_PULLED];
  struct chk_reads reads[CHK_READS];
  struct chk_awaited awaited[TX_CORES][CHK_AWAITED];
  struct chk_own own[TX_CORES][CHK_OWN];
  uint32_t suspects;
  struct chk_suspect suspect[CHK_SUSPECTS];
  struct chk_behind behind[CHK_BEHIND]; /* dram.c */
  struct chk_word word[CHK_WORDS];
  struct chk_news news[CHK_NEWS]; /* by arrival */
};

/* local.c: the bits of a core's registers that were never written, and the load that they came from. */
struct chk_values {
  uint32_t bits[TX_CORE_REGISTERS];
  struct chk_undefined {
    uint32_t pc, address, cycle;
    bool computed; /* a sum or the like, and no copy; only of values from L1 */
  } from[TX_CORE_REGISTERS];
};

/* operation.c: the kinds of matrix instructions that the MOP at an address may run. */
struct chk_operation {
  uint32_t pc, kinds;
};

/* operation.c: reductions along rows. */
struct chk_reduction {
  bool pooled, unfinished; /* since the last commit: pools have run, and no move out of Dst after them */
  bool continued;          /* a later tile may turn what an earlier commit has left */
  struct chk_mark pool, left, commit;
};

/* A word of L1 that the scalar unit's atomics change: the vectors of all of them. */
struct chk_atomic {
  uint32_t address;
  struct chk_vector vector;
};

/* Two stores of cores to one word with no order between them: a finding if no core polls the word. */
struct chk_contended {
  uint32_t address, times; /* times 0: none */
  struct chk_mark now, other;
};

/* A flag that several cores store: the last store over that of another core. */
struct chk_turn {
  uint32_t address;
  uint8_t waited, raced; /* bit per core: such a store of it was ordered after the other core's; was not */
  struct chk_mark by;    /* clock 0: none */
};

/* atomics.c: a change of a word of L1 by a core's atomic, or by its store. */
struct chk_change {
  uint32_t clock, before, value;
  uint32_t operand; /* of a store: the bits that it sets */
  uint8_t op, core;
  bool atomic;
  struct chk_mark by; /* of an atomic */
};

/* The changes of a word that a core has changed by an atomic, the last ones. */
struct chk_changes {
  uint32_t address, count;
  uint32_t used; /* its turn among the uses of all words: the one that was used longest ago gives way */
  uint32_t pad;
  struct chk_change of[CHK_CHANGES];
};

/* A NoC request, until a poll of a counter has ended that covers it. */
struct chk_flight {
  uint32_t address, length, clock; /* the part of this tile's L1; clock of a write */
  uint8_t number;
  bool write, open, left;
};

/* A page of a circular buffer. Most are filled and read as a whole: one cell. Once a core or the NoC uses a part of it, the cells of its
 * lines decide instead, until it is written as a whole again. */
struct chk_page {
  struct chk_cell cell;
  uint32_t write_from, write_to, read_from, read_to; /* offsets that units have used since the cell's last write began */
  bool in_lines;
};

struct chk {
  struct tx_tile *t;
  struct tx_tile *paused; /* the tile to be observed again after chk_resume; NULL */
  const struct dbg_program *program;
  uint32_t kinds;
  int sink;
  bool finished;                /* the findings at the end have been reported */
  bool used;                    /* changed since chk_create */
  sim_time since;               /* the tile's cycle at chk_attach */
  const struct tx_ports *below; /* the ports below the checker's */
  struct tx_ports ports;
  struct chk_clocks clocks;
  struct chk_thread thread[TX_THREADS];
  struct chk_replay replay[TX_THREADS];
  struct chk_semaphore semaphore[TX_SEMAPHORES];
  uint32_t unpacks[2];        /* threads that have issued instructions to unpacker 0, 1 */
  struct chk_mark fill[2][2]; /* SrcA, SrcB: the last two instructions that hand a bank over */
  uint32_t fills[2];
  uint8_t valid[TX_THREADS]; /* bit per Src: the thread has waited for the bank that it has not released yet */
  uint32_t gives_banks;      /* threads whose matrix instructions use, and so release, banks of SrcA and SrcB */
  struct chk_vector mailbox[8];
  struct chk_atomic atomic[CHK_ATOMICS];
  struct chk_mark config_written[2][TX_CFG_WORDS]; /* the last instruction or store that changed a word of Config */
  struct chk_mark config_copied[2][TX_CFG_WORDS];  /* the last RDCFG of it */
  struct chk_vector stream[NOC_STREAMS_MAX];
  struct chk_cell dst[CHK_DST_TILES];
  uint8_t dst_width[CHK_DST_TILES];               /* bits per number as the matrix unit wrote them; 0: not known */
  struct chk_call format[3];                      /* the writers of the formats of unpacker 0, unpacker 1, packer */
  struct chk_mark noc[TX_CORES][2];               /* the last NoC read, write of each core */
  struct chk_mark noc_write[TX_CORES];            /* the last write that is not an atomic */
  struct chk_mark noc_linked[TX_CORES][NOC_NOCS]; /* a linked request that no later one has ended; clock 0: none */
  uint64_t answer_at[TX_CORES];                   /* when a read of each core was last launched */
  /* NOC_CTRL as stored last: the store reaches the register some cycles later */
  uint32_t noc_ctrl[NOC_NOCS][NOC_INITIATORS];
  bool library;                   /* the programs use the kernel library: its launch block describes the circular buffers */
  uint32_t known_loads;           /* program->loads, plus 1, when the programs were examined; 0: not yet */
  uint32_t stack_end[TX_CORES];   /* lowest address of the stack by the program */
  uint32_t stack_limit[TX_CORES]; /* the same in this run; 0: not known, or reported */
  struct tx_shadow shadow[TX_CORES];
  struct chk_values values[TX_CORES];
  uint32_t code_count;
  struct {
    uint32_t from, to;
    unsigned core;
  } code[TX_CORES * 4];
  struct chk_buffer buffer[CHK_BUFFERS];
  uint32_t cells_used;
  uint8_t guarded[TX_L1_BYTES / CHK_BLOCK];   /* a part of the block is code or the launch block */
  uint8_t buffer_of[TX_L1_BYTES / CHK_BLOCK]; /* 1 + the buffer that a block of L1 belongs to; 0: none, 0xff: several */
  struct chk_page page[CHK_PAGES];
  uint16_t page_tag[CHK_PAGES]; /* format of a page: CHK_TAG_PACKED + format, 1 + number of a tensor, 0: not known */
  uint32_t
      noc_place[NOC_NOCS][NOC_INITIATORS]
               [4]; /* words 0 and 3 as stored last (source of a write, destination of a read), the tag and the length */
  bool numbered[TX_CORES]; /* the core uses transaction numbers */
  uint32_t flights[TX_CORES];
  struct chk_flight flight[TX_CORES][CHK_FLIGHTS];
  struct chk_lines lines[TX_CORES];
  uint8_t unread_core, unread; /* of the newest stores of this core the values are in L1 only */
  struct chk_tiles tiles;
  struct chk_operation operation[CHK_OPERATIONS];
  struct chk_reduction reduction;
  uint32_t load_pc[CHK_LOADS];                   /* pc, and in bit 0 whether it polls */
  uint32_t load_code[CHK_LOADS];                 /* of the instructions there */
  uint8_t load_looks[CHK_LOADS];                 /* how often a load with the shape of a poll did not loop */
  uint32_t look_pc[TX_CORES], look_at[TX_CORES]; /* the last load of each core of a word that it is not ordered after */
  uint32_t stored[TX_L1_BYTES / 4];              /* clock of the store that wrote the word, if `writer` is a core */
  uint8_t writer[TX_L1_BYTES / 4]; /* 1 + entity of the last store to each word; 0: none since the tile was created */
  struct chk_vector host;          /* host.c: everything before the host's last write */
  uint32_t host_writes, host_seen[TX_CORES]; /* number of that write, and of the last one that each core is ordered after */
  uint8_t flag[TX_L1_BYTES / 32];            /* bit per word: a core polls it, so it synchronises and is not data */
  uint8_t shared[TX_L1_BYTES / 32];          /* bit per word: several cores store parts of it */
  struct chk_cell line[TX_L1_BYTES / CHK_LINE]; /* checker c */
  struct chk_changes changes[CHK_CHANGED];
  uint32_t changes_used;
  struct chk_contended contended[CHK_SUSPECTS];
  struct chk_turn turn[CHK_TURNS];
};

/* No agent has written this word. Before the checker was attached the host may have written zeros: pages of L1 that it wrote
 * then count as written, except for an unpacker. */
static inline bool chk_is_unwritten(const struct chk *c, uint32_t address) {
  uint32_t page = address / TX_L1_PAGE;
  return !c->writer[address / 4] && !(c->t->unsaved.l1_given[page / 64] >> page % 64 & 1u);
}

/* The recorded changes of the word by atomics of cores; NULL: none. */
static inline const struct chk_changes *chk_known_changes(const struct chk *c, uint32_t address) {
  for (unsigned i = 0; i < CHK_CHANGED && c->changes_used; i++)
    if (c->changes[i].count && c->changes[i].address == (address & ~3u)) return &c->changes[i];
  return NULL;
}

/* Do NoC requests add to the word, beside the atomics of cores? */
static inline bool chk_is_joint(const struct chk *c, uint32_t address) {
  const struct chk_word *n = &c->tiles.word[address / 4 % CHK_WORDS];
  if (n->address != (address & ~3u) || !n->count || n->mask[(n->count - 1) % CHK_VALUES]) return false;
  return chk_known_changes(c, address) != NULL;
}

static inline bool chk_on(const struct chk *c, enum chk_kind kind) { return c->kinds >> kind & 1u; }

#define CHK_TAG_PACKED 0x1000u

#endif
