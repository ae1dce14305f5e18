/* The possible actions of programs, found in their code: which core may push a page, post a semaphore, write a word.
 *
 * The executable segments are scanned once from front to back, tracking constants in registers (lui, addi and the like). A store to a
 * constant address counts, and so does a pushed instruction word (.ttinsn, or a store of a constant to a push or MOP register). The
 * op lists of scripted cores are scanned too. Actions that depend on run-time values are not found: absence proves nothing. */
#ifndef TESSERA_OBSERVE_ROLES_H
#define TESSERA_OBSERVE_ROLES_H

#include "debug/program.h"
#include "observe/reach.h"
#include "tensix/tile/tile.h"

struct obs_deed {
  uint32_t pc;      /* of a scripted core: the line */
  uint32_t index;   /* of a scripted core: index in its list */
  bool push;        /* an instruction word for a thread, in `value` */
  uint32_t address; /* of a store */
  uint32_t value;
  bool value_known;
};

typedef bool obs_deed_fn(void *context, const struct obs_deed *deed); /* true: seen enough */

/* Kinds of actions for the queries below. */
enum obs_role_kind { OBS_ROLE_STORE, OBS_ROLE_REGISTER, OBS_ROLE_POST, OBS_ROLE_TAKE, OBS_ROLE_UNPACK };

struct obs_role {
  enum obs_role_kind kind;
  uint32_t index; /* address, semaphore or unpacker */
};

/* Can the core still reach such an instruction? `*any`: its code has one. */
bool obs_roles_ahead(const struct tx_tile *t, const struct dbg_program *program, unsigned core, struct obs_role role,
                     const struct obs_reach *reach, bool *any);

/* Cores (bit per core) whose own code, not that of the library's firmware, does this. */
unsigned obs_roles_store(const struct tx_tile *t, const struct dbg_program *program, uint32_t address);
unsigned obs_roles_register(const struct tx_tile *t, const struct dbg_program *program,
                            uint32_t address); /* a store, or STOREREG */
unsigned obs_roles_semaphore(const struct tx_tile *t, const struct dbg_program *program, unsigned index, bool post);
unsigned obs_roles_unpack(const struct tx_tile *t, const struct dbg_program *program, unsigned unpacker);

#endif
