/* Checkers: what a program does wrong even when this schedule hides it.
 *
 *   a  circular buffers: a page used before it is known to be one's own, wrong counts, buffers that overlap
 *   b  waits in the order of a thread: Dst, GPRs, configuration, MOP templates against STALLWAIT, SEMWAIT and TTSync
 *   c  all of L1: accesses of two agents that nothing puts in order
 *   d  what is read before it is written; what is written where code or another thing lies
 *   e  data formats: unpacked or packed as something else than the page holds
 *   f  generations of MOP templates, the ledger of the Src banks
 *
 * A checker watches one tile through the doors that are there: the ports of the tile (state/ports.h), the list of accesses to L1
 * (mem/inflight.h) and the event log. While none is attached those cost what they cost without it. Findings go into the tile's own list,
 * with the instructions of both sides. */
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
/* Watches the tile from now on, with bits CHK_BIT(kind). What the tile holds now counts as written and known to every agent. */
void chk_attach(struct chk *c, struct tx_tile *t, uint32_t kinds);
/* All of L1 and all GPRs count as written. */
void chk_all_written(struct chk *c);
/* The executables, when they are loaded: where code lies, whether they use the kernel library. Before every run. */
void chk_program(struct chk *c, const struct dbg_program *p);
void chk_detach(struct chk *c);
/* The program has come to its end: notes about what is left. Once per run. */
void chk_finish(struct chk *c);
/* The checkers of a chip's tiles, by the tile's number, and the coordinates that programs use: x | y << 6. */
#define CHK_TILES (NOC_GRID_X * NOC_GRID_Y)
struct chk_dram;
/* A range of DRAM that holds numbers of one data format. */
#define CHK_TENSORS 256u
struct chk_tensor {
  uint64_t from, to;
  uint16_t controller, format;
  char name[16];
};
struct chk_chip {
  struct chk *of[CHK_TILES];
  uint16_t logical[CHK_TILES];
  struct chk_dram *dram; /* NULL: accesses to DRAM are not looked at */
  uint32_t tensors;
  struct chk_tensor tensor[CHK_TENSORS];
};
/* false: no room. */
bool chk_note_tensor(struct chk_chip *chip, unsigned controller, uint64_t from, uint64_t bytes, unsigned format,
                     const char *name);
struct chk_dram *chk_dram_create(void); /* NULL: no memory */
void chk_dram_free(struct chk_dram *d);
/* The host has written: what it does comes after all before it. */
void chk_dram_forget(struct chk_dram *d);
/* A request reaches DRAM. Not while tiles run. */
void chk_dram_arrives(const struct chk_chip *chip, unsigned controller, const struct noc_packet *p);
/* The tile is number `tile` of the chip: its messages put it and other tiles in order. */
void chk_join_chip(struct chk *c, const struct chk_chip *chip, unsigned tile);
/* The program of another tile of the same chip, and its name in `text`; NULL: it has no checker. */
const struct dbg_program *chk_peer_program(const void *check, unsigned tile, char *text, size_t size);
uint32_t chk_kinds(const struct chk *c);
/* Bytes behind the pointer. They may be copied away and, for the same checker on the same tile, back: with the tile's state. */
size_t chk_bytes(void);

#endif
