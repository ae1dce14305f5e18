/* A hang as a value: each waiter with its resource and cycle, its possible releasers, and the wait that is the cause. Text, JSON and
 * the API's structs are generated from it.
 *
 * Waiters are cores and threads that wait inside the user's program. A core whose kernel has returned, that idles in its firmware or
 * that was never started is not a waiter: it is a party that cannot release a wait.
 *
 * Roles define the releasers of a wait: of a circular buffer's counter its publisher, of a semaphore the agents that post (or take)
 * it, of a mutex its holder, of a source bank the unit on its other side, of a mailbox its writer. They come from the past (the last
 * writers that the tile records), from the instructions in the code of the programs and, if neither is known, from the hardware: then
 * the wait has no known releaser, and the report claims none.
 *
 * The chain begins with the wait that is the cause, and each following waiter waits for an earlier one. `deadlock`: the chain is
 * closed; each waiter waits for the next one, the last for the first. */
#ifndef TESSERA_OBSERVE_HANG_HANG_VALUE_H
#define TESSERA_OBSERVE_HANG_HANG_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "debug/source.h"
#include "tensix/tile/tile.h"

#define OBS_WAITERS_MAX 16u
#define OBS_RELEASERS_MAX 8u
#define OBS_WORDS_MAX 4u /* words of one polling loop */
#define OBS_NO_TILE 0xffffffffu

enum obs_resource_kind {
  OBS_RESOURCE_NONE,
  OBS_RESOURCE_BUFFER_PAGES, /* a push to circular buffer `index` */
  OBS_RESOURCE_BUFFER_ROOM,  /* a pop from it */
  OBS_RESOURCE_SEMAPHORE_POST,
  OBS_RESOURCE_SEMAPHORE_GET,
  OBS_RESOURCE_MUTEX,
  OBS_RESOURCE_SRC_FILLED,   /* `index` 0 SrcA, 1 SrcB: the matrix unit waits for a filled bank */
  OBS_RESOURCE_SRC_RELEASED, /* the unpacker waits for a released bank */
  OBS_RESOURCE_WORD,         /* a word of L1 that is polled */
  OBS_RESOURCE_REGISTER,     /* a register that is polled */
  OBS_RESOURCE_MAILBOX,      /* `index`: the core that writes it */
  OBS_RESOURCE_PC_BUFFER,
  OBS_RESOURCE_THREAD, /* tensix_sync: `index` is the thread */
  OBS_RESOURCE_FIFO,   /* room in the instruction FIFO of thread `index` */
  OBS_RESOURCE_MOP,    /* the MOP expander of thread `index` */
  OBS_RESOURCE_UNIT,   /* `index`: enum tx_unit */
  OBS_RESOURCE_STREAM,
  OBS_RESOURCE_ACCESS,       /* Auto TTSync */
  OBS_RESOURCE_ENDLESS,      /* none: the core loops without polling */
  OBS_RESOURCE_LOCAL,        /* a variable in the core's own local RAM that is polled */
  OBS_RESOURCE_MAILBOX_ROOM, /* `index`: the core that reads it */
};

enum obs_wish { OBS_WISH_UNKNOWN, OBS_WISH_EQUAL, OBS_WISH_NOT_EQUAL, OBS_WISH_AT_LEAST, OBS_WISH_BITS };

struct obs_resource {
  enum obs_resource_kind kind;
  uint32_t index;
  uint32_t address; /* address of the polled word, half word or byte; 0: none */
  uint32_t bytes;   /* size of the polling load */
  uint32_t pc;      /* of that load; 0: not known */
  uint32_t value;   /* now */
  uint32_t seen;    /* `unread`: what the load has last returned; the word was written since */
  bool unread;
  enum obs_wish wish;
  uint32_t wanted; /* by `wish` */
  uint32_t max;    /* maximum of a semaphore; pages of a circular buffer, 0: not known */
  char name[96];   /* "CB 16", "semaphore 1 (MATH_PACK)", "the word at 0x00020040" */
};

/* The last actor on a resource, and its place. */
struct obs_actor {
  bool known;
  uint16_t agent;
  uint32_t tile;  /* 1 + number of the other tile whose packet did it; 0: this tile */
  uint32_t count; /* packets of that core to the word so far; 0: not known, or no packet */
  uint32_t pc;
  uint64_t cycle;
  char name[32];
  struct dbg_source place;
};

enum obs_party_state {
  OBS_PARTY_RUNNING,
  OBS_PARTY_WAITING,
  OBS_PARTY_RETURNED, /* its kernel has returned to the firmware, or its program has ended */
  OBS_PARTY_IDLE,     /* a core in its firmware before a launch, or a thread without instructions */
  OBS_PARTY_FAILED,   /* stopped by KERNEL_CHECK */
  OBS_PARTY_HELD,     /* never started */
  OBS_PARTY_LOOPING,  /* in an endless loop of the user's program: the end of its program, or an error */
};

struct obs_releaser {
  uint16_t agent;
  char name[32];
  char role[32]; /* "pushes", "pops", "posts", "takes", "holds", "fills", "releases", "writes" */
  enum obs_party_state state;
};

/* The past of a circular buffer. Counts are those of its two counters, 16 bits. */
struct obs_pages {
  uint32_t pushed, popped;
  struct obs_actor push, pop;     /* the last push and pop; a reset by the firmware does not count */
  struct obs_actor reserve, wait; /* the core that last tested for room, for pages */
  bool filled;                    /* the page that was reserved last has been written */
  uint32_t present;               /* pages, or free pages for a wait for room */
  uint32_t needed;                /* `present` has to reach this value; 0: not known */
};

/* A further word that a waiter's loop polls. */
struct obs_word {
  struct obs_resource resource;
  bool ends; /* it can end the wait as the resource can: alone, or, if no word alone can, together with others */
  struct obs_actor last;
};

struct obs_waiter {
  uint32_t tile;  /* y << 16 | x on a chip, or OBS_NO_TILE */
  uint16_t agent; /* enum tx_agent */
  uint16_t core;  /* the core whose program it is: 0..4 */
  char name[32];  /* "TRISC1", "thread 2 (pack)" */
  uint64_t since; /* the first poll */
  struct obs_resource resource;
  struct obs_word words[OBS_WORDS_MAX - 1]; /* of a loop over several words: the others */
  uint32_t word_count;
  uint32_t words_left; /* words of the loop that are not listed */
  char what[224];      /* "page 1 of CB 16", "a post to semaphore 1 (MATH_PACK)" */
  struct dbg_source place;
  struct obs_actor
      last; /* the last agent that wrote the word, posted or filled; not the waiter itself where another one is known */
  struct obs_actor own;   /* the waiter's own write of the word after that one: it has reset the flag or semaphore */
  struct obs_pages pages; /* of a circular buffer */
  char detail
      [256]; /* of a circular buffer: the counts, and the lines that pushed and popped; words that cannot end the wait; "" */
  char few[128]; /* cores that wait themselves would not give enough: "NCRISC would add 1 of the 2 that are missing"; "" */
  struct obs_releaser releasers[OBS_RELEASERS_MAX];
  uint32_t releaser_count;
  int32_t waits_for; /* the waiter that has to continue first; -1: there is none */
  bool by_custom;    /* only the usual role of that waiter on this hardware suggests it, neither its past nor its code */
  bool either;       /* another waiter can end it too, by another word: no part of a closed chain */
};

struct obs_party {
  uint16_t agent;
  char name[32];
  enum obs_party_state state;
  struct dbg_source place;
};

struct obs_hang {
  uint64_t cycle; /* the cycle in which the last core or thread stopped making progress */
  struct obs_waiter waiters[OBS_WAITERS_MAX];
  uint32_t waiter_count;
  uint32_t chain[OBS_WAITERS_MAX]; /* waiters: the cause first */
  uint32_t chain_count;
  bool deadlock;
  struct obs_party parties[TX_CORES]; /* the cores that do not wait */
  uint32_t party_count;
  char cause[768]; /* one sentence */
};

#endif
