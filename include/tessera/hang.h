/* Tessera, a hang of a tile as a value: each waiter with its resource and cycle, the agents that can release it, and the
 * wait that is the cause.
 *
 *   struct tessera_hang hang;
 *   if (tessera_tile_hang(tile, &hang)) {
 *     puts(hang.cause);
 *     for (size_t i = 0; i < hang.waiter_count; i++) {
 *       struct tessera_waiter waiter;
 *       tessera_tile_waiter(tile, i, &waiter);
 *       printf("%s at %s:%u waits for %s\n", waiter.name, waiter.place.file, waiter.place.line, waiter.what);
 *     }
 *   } */
#ifndef TESSERA_HANG_H
#define TESSERA_HANG_H

#include "tessera/base.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TESSERA_WAITERS_MAX 16u
#define TESSERA_RELEASERS_MAX 8u

struct tessera_tile;

/* A source position: the innermost frame outside the kernel library. */
struct tessera_source {
  uint32_t pc, line;           /* 0: not known */
  char file[96], path[256];    /* "reader.c", and with its directory */
  char function[64], call[64]; /* the user's function, and the library call in it; "" */
  char caller[112]; /* "writer.c:5": the user's line that calls the function; "": not known, or the kernel's own function */
};

struct tessera_hang {
  uint64_t cycle;
  int deadlock; /* 1: the chain is closed: its last waiter waits for its first */
  size_t waiter_count;
  size_t chain_count;
  unsigned chain[TESSERA_WAITERS_MAX]; /* waiters by number, the cause first; in a deadlock each waits for the next */
  char cause[1024];                    /* one sentence */
};

struct tessera_releaser {
  char name[32];     /* "TRISC2"; of another tile of a chip "NCRISC of Tensix (2,2)" */
  char role[32];     /* "pushes", "pops", "posts", "takes", "holds", "fills", "releases", "writes", "executes" */
  const char *state; /* "running", "waiting", "returned", "idle", "failed", "held" */
};

struct tessera_waiter {
  int tile_x, tile_y; /* -1: the only tile */
  int core;           /* the core whose program contains it; -1 */
  char name[32];      /* "TRISC1", "thread 2 (pack)" */
  uint64_t since;     /* the first poll */
  char what[192];     /* "page 1 of CB 16" */
  char resource[96];  /* "CB 16", "semaphore 1 (MATH_PACK)" */
  const char *kind;   /* of the resource: "buffer_pages", "semaphore_post", "mutex", "src_filled", "word", ... */
  uint32_t index;     /* of the buffer, semaphore, mutex, thread or unit */
  uint32_t address;   /* address of the polled word; 0: none */
  uint32_t value;     /* now */
  /* the condition that ends the poll: "equal", "not_equal", "at_least", "bits" compared with `wanted`; "unknown" */
  const char *wish;
  uint32_t wanted;
  struct tessera_source place;
  int waits_for; /* the waiter that has to continue first; -1: there is none */
  size_t releaser_count;
  struct tessera_releaser releasers[TESSERA_RELEASERS_MAX];
  char last_name[32]; /* the agent that wrote, posted or filled last; "": not known */
  uint64_t last_cycle;
  struct tessera_source last_place;
  int other_x, other_y; /* on a chip: the tile that has to act; -1: none is known */
  char why[384];        /* the evidence; of a circular buffer: the pages pushed and popped, by which core and line; "" */
};

/* A core that does not wait, and so releases no wait unless it is running. */
struct tessera_party {
  int tile_x, tile_y; /* -1: the only tile */
  int core;
  char name[32];               /* "TRISC1" */
  const char *state;           /* as that of a releaser, or "looping" */
  struct tessera_source place; /* of a core that has returned: its kernel */
};

/* 1: the last run ended in a hang. */
int tessera_tile_hang(const struct tessera_tile *tile, struct tessera_hang *hang);
/* TESSERA_INVALID: the tile does not hang, or there is no such waiter. */
enum tessera_result tessera_tile_waiter(const struct tessera_tile *tile, size_t index, struct tessera_waiter *waiter);
/* The cores that do not wait, by number from 0. TESSERA_INVALID: the tile does not hang, or there is no such core. */
enum tessera_result tessera_tile_party(const struct tessera_tile *tile, size_t index, struct tessera_party *party);

#ifdef __cplusplus
}
#endif

#endif
