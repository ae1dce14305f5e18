/* Checkers: report errors of a program even when this schedule hides them.
 *
 *   a  circular buffers: a page used before its last user is known to have ended, wrong counts, buffers that overlap
 *   b  waits in the order of a thread: Dst, GPRs, configuration, MOP templates against STALLWAIT, SEMWAIT and TTSync
 *   c  all of L1: accesses of two agents that no synchronisation orders
 *   d  reads of unwritten memory; writes over code or over another object; DRAM outside all tensors
 *   e  data formats: a page is unpacked or packed in another format than that of its data
 *   f  generations of MOP templates, the ledger of the Src banks
 *
 * A checker observes one tile through the ports of the tile (state/ports.h), the list of accesses to L1 (mem/inflight.h) and the
 * event log, which cost nothing more while no checker is attached. Findings go into the tile's own list, with the instructions of
 * both sides. */
#ifndef TESSERA_CHECK_CHECK_H
#define TESSERA_CHECK_CHECK_H

#include "debug/program.h"
#include "noc/packet.h"
#include "tensix/tile/tile.h"

enum chk_kind { CHK_A, CHK_B, CHK_C, CHK_D, CHK_E, CHK_F, CHK_KINDS };
#define CHK_BIT(kind) (1u << (kind))
#define CHK_DEFAULT (CHK_ALL & ~CHK_BIT(CHK_F))
#define CHK_ALL ((1u << CHK_KINDS) - 1u)

struct chk;

struct chk *chk_create(void); /* NULL: no memory */
void chk_free(struct chk *c);
/* Attaches the checker with bits CHK_BIT(kind). The present contents of the tile count as written, and every agent is
 * ordered after those writes. */
void chk_attach(struct chk *c, struct tx_tile *t, uint32_t kinds);
/* All of L1 and all GPRs count as written. */
void chk_all_written(struct chk *c);
/* Call before every run: takes the ranges of code from the loaded executables, and whether they use the kernel library. */
void chk_program(struct chk *c, const struct dbg_program *p);
void chk_detach(struct chk *c);
/* Pauses and resumes the checker. At chk_resume the tile must have the state that it had at chk_pause. */
void chk_pause(struct chk *c);
void chk_resume(struct chk *c);
/* The program has ended: reports what is left over. Once per run. */
void chk_finish(struct chk *c);
/* The program hangs: no core will poll a word that it has not polled yet. What is left over is left by the hang, and no finding. */
void chk_hung(struct chk *c);
/* The checkers of a chip's tiles by tile number, and the coordinates in programs: x | y << 6. */
#define CHK_TILES (NOC_GRID_X * NOC_GRID_Y)
struct chk_dram;
/* A range of DRAM that holds numbers of one data format. */
#define CHK_TENSORS 256u
struct chk_tensor {
  uint64_t from, to;
  uint16_t controller, format;
  char name[16];
};
/* A range of DRAM that the host has declared; `name` is "tensor C" and the like. */
#define CHK_RANGES 1024u
struct chk_declared {
  uint64_t from, to;
  uint64_t reach; /* the farthest end of the ranges up to this one of its controller: ranges may overlap */
  uint16_t controller;
  char name[30];
};
struct chk_chip {
  struct chk *of[CHK_TILES];
  uint16_t logical[CHK_TILES];
  struct chk_dram *dram; /* NULL: accesses to DRAM are not checked */
  uint32_t host_cycle;   /* of the host's last write to a tile: orders all tiles */
  uint32_t tensors;
  struct chk_tensor tensor[CHK_TENSORS];
  uint32_t ranges;                       /* CHK_RANGES + 1: more than the table holds, accesses are not compared */
  struct chk_declared range[CHK_RANGES]; /* by controller and `from` */
};
/* false: no room. */
bool chk_note_tensor(struct chk_chip *chip, unsigned controller, uint64_t from, uint64_t bytes, unsigned format,
                     const char *name);
/* A range that kernels may access. Once there is one, an access to DRAM outside all of them is a finding. */
bool chk_note_range(struct chk_chip *chip, unsigned controller, uint64_t from, uint64_t bytes, const char *name);
struct chk_dram *chk_dram_create(void); /* NULL: no memory */
void chk_dram_free(struct chk_dram *d);
/* The host has written to DRAM: later accesses are ordered after all earlier ones. */
void chk_dram_forget(struct chk_dram *d);
/* A request reaches DRAM. Must not be called while tiles run. */
void chk_dram_arrives(const struct chk_chip *chip, unsigned controller, const struct noc_packet *p);
/* Registers the checker as that of tile number `tile`: NoC messages order it with other tiles. */
void chk_join_chip(struct chk *c, struct chk_chip *chip, unsigned tile);
/* The program of another tile of the same chip, and its coordinates; NULL: it has no checker. */
const struct dbg_program *chk_peer_program(const void *check, unsigned tile, unsigned at[2]);
uint32_t chk_kinds(const struct chk *c);
/* The cycle after which it knows accesses and order: 0, that of a restored state, or that in which it was attached. */
sim_time chk_since(const struct chk *c);

#endif
