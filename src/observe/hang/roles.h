/* The possible actions of programs, found in their code: which core may push a page, post a semaphore, write a word.
 *
 * The executable segments are scanned once from front to back, tracking constants in registers (lui, addi and the like). A store to a
 * constant address counts, and so does a pushed instruction word (.ttinsn, or a store of a constant to a push or MOP register). The
 * op lists of scripted cores are scanned too. Actions that depend on run-time values are not found: absence proves nothing. */
#ifndef TESSERA_OBSERVE_HANG_ROLES_H
#define TESSERA_OBSERVE_HANG_ROLES_H

#include "debug/program.h"
#include "observe/hang/deed.h"
#include "observe/hang/future.h"
#include "observe/hang/hang_value.h"
#include "observe/hang/reach.h"
#include "tensix/tile/tile.h"

/* Kinds of actions for the queries below. */
enum obs_role_kind { OBS_ROLE_STORE, OBS_ROLE_REGISTER, OBS_ROLE_POST, OBS_ROLE_TAKE, OBS_ROLE_UNPACK };

struct obs_role {
  enum obs_role_kind kind;
  uint32_t index; /* address, semaphore or unpacker */
  uint32_t tile;  /* OBS_ROLE_STORE: of the word; a packet writes it too */
  uint32_t pc;    /* OBS_ROLE_STORE: a packet of this instruction has written the word before; 0: none */
  /* OBS_ROLE_STORE: the value that the word has to get. NULL: any */
  const struct obs_resource *want; /* OBS_ROLE_REGISTER: the count of a circular buffer */
  uint32_t others;                 /* what other cores add to the word; 0: none */
  const struct obs_waits *waits;   /* further waits on the way to the act; NULL: every one ends */
};

/* Can the core still reach such an instruction? `*any`: its code has one. */
bool obs_roles_ahead(const struct tx_tile *t, const struct dbg_program *program, unsigned core, struct obs_role role,
                     const struct obs_reach *reach, bool *any);

/* Does the core still do it after its present wait (future.h)? `thread`: it is its thread that waits, which has words of the core still
 * to execute. OBS_FUTURE_UNKNOWN also if a MOP or a replay may contain the instruction. */
enum obs_future obs_roles_future(const struct tx_tile *t, const struct dbg_program *program, unsigned core, bool thread,
                                 struct obs_role role);

/* What the core at most adds to the word, or counts in the register, of `role.want` after its present wait; not much more than is missing. */
uint32_t obs_roles_gives(const struct tx_tile *t, const struct dbg_program *program, unsigned core, struct obs_role role);

/* Does the core come to the store at `pc` again? */
enum obs_future obs_roles_comes_to(const struct tx_tile *t, const struct dbg_program *program, unsigned core, uint32_t pc);

/* Cores (bit per core) whose own code, not that of the library's firmware, does this. */
unsigned obs_roles_store(const struct tx_tile *t, const struct dbg_program *program, uint32_t address);
unsigned obs_roles_register(const struct tx_tile *t, const struct dbg_program *program,
                            uint32_t address); /* a store, or STOREREG */
unsigned obs_roles_semaphore(const struct tx_tile *t, const struct dbg_program *program, unsigned index, bool post);
unsigned obs_roles_unpack(const struct tx_tile *t, const struct dbg_program *program, unsigned unpacker);

#endif
