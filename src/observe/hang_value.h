/* A hang as a value: who waits for what since when, who could release it, which wait is the cause. Text, JSON and the API's forms are
 * made from this one structure.
 *
 * Waiters are cores and threads that wait inside the user's program. A core whose kernel has returned, that idles in its firmware or
 * that was never started is no waiter: it is a party that will release nothing.
 *
 * Roles say who can release a wait: a circular buffer's counter its publisher, a semaphore those who post (or take) it, a mutex its
 * holder, a source bank the unit on its other side, a mailbox its writer. They come from what has happened (the last writers that the
 * tile keeps), from what the programs can do (instructions found in their code) and, when neither is known, from the hardware: then the
 * wait has no known releaser, and nothing is claimed.
 *
 * The chain begins with the wait that is the cause, and each following waiter waits for the one before it. `deadlock`: the chain is a
 * closed one, the last waits for the first as well. */
#ifndef TESSERA_OBSERVE_HANG_VALUE_H
#define TESSERA_OBSERVE_HANG_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "debug/source.h"
#include "tensix/tile/tile.h"

#define OBS_WAITERS_MAX 16u
#define OBS_RELEASERS_MAX 8u
#define OBS_NO_TILE 0xffffffffu

enum obs_resource_kind {
  OBS_RESOURCE_NONE,
  OBS_RESOURCE_BUFFER_PAGES, /* a push to circular buffer `index` */
  OBS_RESOURCE_BUFFER_ROOM,  /* a pop from it */
  OBS_RESOURCE_SEMAPHORE_POST,
  OBS_RESOURCE_SEMAPHORE_GET,
  OBS_RESOURCE_MUTEX,
  OBS_RESOURCE_SRC_FILLED,   /* `index` 0 SrcA, 1 SrcB: the matrix unit wants a bank */
  OBS_RESOURCE_SRC_RELEASED, /* the unpacker wants it back */
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
  OBS_RESOURCE_ENDLESS,      /* nothing: the core loops without polling anything */
  OBS_RESOURCE_LOCAL,        /* a variable in the core's own local RAM that is polled */
  OBS_RESOURCE_MAILBOX_ROOM, /* `index`: the core that reads it */
};

enum obs_wish { OBS_WISH_UNKNOWN, OBS_WISH_EQUAL, OBS_WISH_NOT_EQUAL, OBS_WISH_AT_LEAST, OBS_WISH_BITS };

struct obs_resource {
  enum obs_resource_kind kind;
  uint32_t index;
  uint32_t address; /* of the word, half word or byte that is polled; 0: none */
  uint32_t bytes;   /* that the poll loads */
  uint32_t value;   /* now */
  enum obs_wish wish;
  uint32_t wanted; /* by `wish` */
  uint32_t max;    /* of a semaphore; pages of a circular buffer, 0: not known */
  char name[96];   /* "CB 16", "semaphore 1 (MATH_PACK)", "the word at 0x00020040" */
};

/* The agent that did something last, and where. */
struct obs_actor {
  bool known;
  uint16_t agent;
  uint32_t tile; /* of a chip, + 1: another tile, whose packet did it; 0: this tile */
  uint32_t pc;
  uint64_t cycle;
  char name[32];
  struct dbg_source place;
};

enum obs_party_state {
  OBS_PARTY_RUNNING,
  OBS_PARTY_WAITING,
  OBS_PARTY_RETURNED, /* its kernel has returned to the firmware, or its program has ended */
  OBS_PARTY_IDLE,     /* in the firmware, before a launch; a thread without instructions */
  OBS_PARTY_FAILED,   /* stopped by KERNEL_CHECK */
  OBS_PARTY_HELD,     /* never started */
  OBS_PARTY_LOOPING,  /* in a loop of the user's program that nothing ends: the end of its program, or a mistake */
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
  struct obs_actor push, pop;     /* the last ones; the firmware's reset of a counter is none */
  struct obs_actor reserve, wait; /* the core that looked last for room, for pages */
  bool filled;                    /* data was written to the page that was reserved last */
};

struct obs_waiter {
  uint32_t tile;  /* y << 16 | x on a chip, or OBS_NO_TILE */
  uint16_t agent; /* enum tx_agent */
  uint16_t core;  /* whose program it is: 0..4 */
  char name[32];  /* "TRISC1", "thread 2 (pack)" */
  uint64_t since; /* the first poll */
  struct obs_resource resource;
  char what[192]; /* "page 1 of CB 16", "a post to semaphore 1 (MATH_PACK)" */
  struct dbg_source place;
  struct obs_actor last;  /* the last agent that wrote the word, posted, filled ... */
  struct obs_pages pages; /* of a circular buffer */
  char detail[256];       /* of a circular buffer: the counts, and the lines that pushed and popped; "" */
  struct obs_releaser releasers[OBS_RELEASERS_MAX];
  uint32_t releaser_count;
  int32_t waits_for; /* the waiter that has to go on first; -1: none will */
  bool by_custom;    /* that one is the usual releaser on this hardware; neither its past nor its code has shown it */
};

struct obs_party {
  uint16_t agent;
  char name[32];
  enum obs_party_state state;
  struct dbg_source place;
};

struct obs_hang {
  uint64_t cycle; /* in which the last core or thread stopped making progress */
  struct obs_waiter waiters[OBS_WAITERS_MAX];
  uint32_t waiter_count;
  uint32_t chain[OBS_WAITERS_MAX]; /* waiters: the cause first */
  uint32_t chain_count;
  bool deadlock;
  struct obs_party parties[TX_CORES]; /* the cores that do not wait */
  uint32_t party_count;
  char cause[512]; /* one sentence */
};

#endif
