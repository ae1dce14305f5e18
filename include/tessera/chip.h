/* Tessera, the Blackhole chip: the C API.
 *
 * A chip is 140 Tensix tiles, DRAM, Ethernet and the other tiles around a pair of NoCs. Coordinates are those that software uses after
 * the management firmware has run (translated coordinates): Tensix x 1..7 and 10..16, y 2..11; DRAM x 17 and 18, y 12..23; they name the
 * same tile on both NoCs. Different chips may be used from different threads at the same time; one chip from one thread at a time.
 *
 *   struct tessera_chip_options options = {.product = "full", .timing = TESSERA_TIMING_CYCLE};
 *   struct tessera_chip *chip = tessera_chip_create(&options);
 *   tessera_chip_write(chip, 1, 2, 0x20000, data, sizeof data);
 *   if (tessera_chip_run(chip, 100000) == TESSERA_FAULT) puts(tessera_chip_explain(chip));
 *   tessera_chip_destroy(chip); */
#ifndef TESSERA_CHIP_H
#define TESSERA_CHIP_H

#include <stddef.h>
#include <stdint.h>

#include "tessera/hang.h"
#include "tessera/profile.h"
#include "tessera/tile.h"
#include "tessera/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

#define TESSERA_TENSIX_TILES 140u /* of a chip, at most */
#define TESSERA_DRAM_BANKS 8u

struct tessera_chip;

/* Memory of the host as the PCIe tile reaches it. `address` is that of the NoC request: bits 63 to 58 are the window (0 plain, 1 relaxed ordering,
 * 2 no snoop, 3 both, 4 to 7 the same through the outbound iATU, which is the host's to apply), the rest the address in it. 0: there is
 * no memory at that address. Called inside tessera_chip_run. */
struct tessera_host_memory {
  void *host;
  int (*read)(void *host, uint64_t address, void *bytes, size_t length);
  int (*write)(void *host, uint64_t address, const void *bytes, size_t length);
};

struct tessera_chip_options {
  const char *product; /* NULL: all 140 tiles; tessera_chip_product lists the names */
  enum tessera_timing timing;
  unsigned threads; /* host threads; 0: as many as there are cores. Results do not depend on it. */
  struct tessera_host_memory host;
  /* With product NULL: the columns and tiles that are fused off. All 0: the whole die. A die with anything fused off has two or all 14
   * Ethernet tiles fused off too. */
  uint16_t harvest_tensix; /* bit per column of the die */
  uint16_t harvest_ethernet;
  uint8_t harvest_dram;
  uint8_t pcie;        /* the PCIe tile to which the host is connected */
  uint8_t noc_at_once; /* 1: packets take a constant few cycles and links are never busy: a what-if (tessera/profile.h) */
};

/* NULL: out of memory, or the options are invalid. */
struct tessera_chip *tessera_chip_create(const struct tessera_chip_options *options);
void tessera_chip_destroy(struct tessera_chip *chip);
/* One line about the last tessera_chip_read, _write, _broadcast or _restore if it was rejected; "" if not. */
const char *tessera_chip_error(const struct tessera_chip *chip);
/* Name of product `index`; "" after the last. */
const char *tessera_chip_product(unsigned index);

/* The tile at these coordinates. TESSERA_INVALID: there is none. */
enum tessera_node_kind {
  TESSERA_NODE_ROUTER, /* a router without a tile */
  TESSERA_NODE_TENSIX,
  TESSERA_NODE_DRAM,
  TESSERA_NODE_ETHERNET,
  TESSERA_NODE_PCIE,
  TESSERA_NODE_ARC,
  TESSERA_NODE_SECURITY,
  TESSERA_NODE_L2CPU,
  TESSERA_NODE_KINDS
};
const char *tessera_node_kind_name(enum tessera_node_kind kind); /* "Tensix" */
struct tessera_node {
  enum tessera_node_kind kind;
  int good;              /* 0: fused off; accesses to it are never answered */
  unsigned index;        /* Tensix 0..139, DRAM controller 0..7, Ethernet 0..13 */
  unsigned noc_x, noc_y; /* raw coordinates of NoC 0 */
  uint64_t bytes;        /* size of the memory that begins at address 0: L1 or a DRAM bank; 0: none */
};
enum tessera_result tessera_chip_node(const struct tessera_chip *chip, unsigned x, unsigned y, struct tessera_node *node);

/* The Tensix tile at these coordinates, for every call of tessera/tile.h except run, reset, restore and destroy; NULL: no
 * Tensix tile. The chip owns it: tessera_chip_destroy frees it. */
struct tessera_tile *tessera_chip_tile(struct tessera_chip *chip, unsigned x, unsigned y);

/* Memory and registers of any tile as NoC 0 addresses them, at once and without cost in cycles. TESSERA_INVALID: no such
 * address. */
enum tessera_result tessera_chip_read(struct tessera_chip *chip, unsigned x, unsigned y, uint64_t address, void *bytes,
                                      size_t length);
enum tessera_result tessera_chip_write(struct tessera_chip *chip, unsigned x, unsigned y, uint64_t address,
                                       const void *bytes, size_t length);
/* Writes to every tile of a rectangle that takes part in broadcasts, as a broadcast window of the host does. */
enum tessera_result tessera_chip_broadcast(struct tessera_chip *chip, unsigned x_start, unsigned y_start, unsigned x_end,
                                           unsigned y_end, uint64_t address, const void *bytes, size_t length);

/* Runs for at most `cycles` more cycles. TESSERA_HANG and TESSERA_DONE: the chip stays idle until the host accesses it; the
 * clock has advanced by `cycles` nevertheless. */
enum tessera_result tessera_chip_run(struct tessera_chip *chip, uint64_t cycles);
/* Runs until (word & mask) == value at that address, compared every `every` cycles, or for `cycles`. TESSERA_STOPPED: they
 * are equal. TESSERA_INVALID too: an address that is no multiple of 4, a value with bits outside the mask. */
enum tessera_result tessera_chip_run_until(struct tessera_chip *chip, unsigned x, unsigned y, uint64_t address,
                                           uint32_t mask, uint32_t value, uint64_t every, uint64_t cycles);
uint64_t tessera_chip_cycle(const struct tessera_chip *chip);

/* The first fault or KERNEL_CHECK that did not hold (its kind is "check"), and the coordinates of its tile (may be NULL);
 * 0: there is none. */
int tessera_chip_fault(struct tessera_chip *chip, struct tessera_fault *fault, unsigned *x, unsigned *y);
/* 1: the last run ended in a hang. Waiters of all tiles are numbered together; `waits_for` and `chain` are such numbers. hang.h */
int tessera_chip_hang(struct tessera_chip *chip, struct tessera_hang *hang);
/* TESSERA_INVALID: the chip does not hang, or there is no such waiter. */
enum tessera_result tessera_chip_waiter(struct tessera_chip *chip, size_t index, struct tessera_waiter *waiter);
/* The cores of all tiles that ran and do not wait, by number from 0. TESSERA_INVALID: the chip does not hang, or there is no such core. */
enum tessera_result tessera_chip_party(struct tessera_chip *chip, size_t index, struct tessera_party *party);

/* One or more lines about the last fault or hang, which name tiles by both coordinates; "" when there is none. */
const char *tessera_chip_explain(struct tessera_chip *chip);
/* What the chip does at this moment: "62 of 64 tiles run, 10 wait for the NoC". As tessera_tile_activity. */
size_t tessera_chip_activity(struct tessera_chip *chip, char *text, size_t size);
/* A run of kernels on some tiles of a chip, for tessera_chip_verdict. */
struct tessera_tile_at {
  unsigned x, y;
};
struct tessera_kernel_run {
  enum tessera_result end;             /* of the last tessera_chip_run */
  uint64_t cycles;                     /* the limit that the run was given */
  const char *description;             /* name of the file that describes the circular buffers (kernel.chip) */
  const struct tessera_tile_at *tiles; /* with kernels */
  size_t tile_count;
};
/* The first problem of the run, as `tessera kernel run` prints it: a fault or a check that failed, a circular buffer that the description
 * lacks, a hang, error findings, the limit; "" when there is none. `code` (may be NULL) is set to the command's exit code.
 * Valid until the next call. */
const char *tessera_chip_verdict(struct tessera_chip *chip, const struct tessera_kernel_run *run, int *code);
/* The report of one tile of the run (NULL: of the first with something to report) as JSON or SARIF, with the outcome of the whole chip: its exit
 * code, the hang of all tiles, faults, failed checks and findings of every tile. Valid until the next call; "" for other formats. */
const char *tessera_chip_outcome(struct tessera_chip *chip, struct tessera_tile *tile, enum tessera_report format);
/* As tessera_tile_set_exit_code, for the reports of the chip. */
void tessera_chip_set_exit_code(struct tessera_chip *chip, int code);
/* Tiles, traffic and findings of the run so far, as text. Valid until the next call. */
const char *tessera_chip_report(struct tessera_chip *chip);
/* The same as JSON: every tile of the grid with its units' busy cycles, and the flits that each link of its routers carried
 * (docs/guide/chip.md). Valid until the next call; "" for no chip. */
const char *tessera_chip_report_json(struct tessera_chip *chip);
/* As tessera_tile_profile of tessera/profile.h, over all tiles that have an account. callgrind and speedscope have the sum of the tiles with
 * the same executables; LCOV has the records of each tile one after the other, which its readers add up. */
const char *tessera_chip_profile(struct tessera_chip *chip, enum tessera_profile_format format);
/* As tessera_tile_why of tessera/profile.h and the calls below it, for all tiles that have an account: the verdict is about the tile
 * that ended last, or the tile that it waited for. */
const char *tessera_chip_why(struct tessera_chip *chip);
const char *tessera_chip_why_json(struct tessera_chip *chip); /* as tessera_tile_why_json */
const char *tessera_chip_why_what_if(struct tessera_chip *chip);
const char *tessera_chip_why_cause(struct tessera_chip *chip, unsigned index);
int tessera_chip_why_decide(struct tessera_chip *chip, uint64_t cycles, const uint64_t *reruns, unsigned count);
uint64_t tessera_chip_findings(const struct tessera_chip *chip);
uint64_t tessera_chip_packets(const struct tessera_chip *chip);

/* A packet of a NoC, reported when its arrival is known. Positions are raw coordinates of NoC 0, as in struct tessera_node. */
struct tessera_packet {
  uint64_t departs, arrives; /* cycles: its first flit leaves the sender's NIU; its last flit is in the receiver's */
  uint64_t sequence;         /* of the sender; packets of one broadcast share it */
  uint64_t address;          /* at the receiver */
  uint32_t bytes;            /* bytes of payload; of a read request: bytes to be read */
  uint32_t hops;
  uint32_t cycles; /* of occupying the link into the receiver, up to its arrival; 0 with timing off */
  unsigned noc;
  unsigned from_x, from_y, to_x, to_y;
  const char *kind; /* "read", "answer to a read", "write" */
};
/* Declares that the host stores numbers of a data format (the hardware's number, as in a row of the launch block's buffers)
 * in this range of a DRAM tile. The checkers compare it with the formats that unpackers and packer use for these pages.
 * Findings show the first 15 characters of `name`. TESSERA_INVALID: no DRAM, or more ranges than the checkers hold (256). */
enum tessera_result tessera_chip_note_format(struct tessera_chip *chip, unsigned x, unsigned y, uint64_t address,
                                             uint64_t length, unsigned format, const char *name);

/* Declares a range of a DRAM tile that kernels may access; `name` ("tensor C") is for findings, which show its first 29 characters. Once a chip has
 * such a range, the checkers report a kernel's access to DRAM outside all of them (DRAM_OUTSIDE). TESSERA_INVALID: no DRAM, or more
 * ranges than the checkers hold (1024): then they report none. */
enum tessera_result tessera_chip_note_range(struct tessera_chip *chip, unsigned x, unsigned y, uint64_t address,
                                            uint64_t length, const char *name);

typedef void tessera_packet_fn(void *context, const struct tessera_packet *packet);
/* Calls `hook` for every packet, inside tessera_chip_run, in one order for any number of host threads; that is not the
 * order of arrival. A broadcast counts as one packet per receiver. NULL removes the hook. The hook must not call the chip. */
enum tessera_result tessera_chip_packet_hook(struct tessera_chip *chip, tessera_packet_fn *hook, void *context);

/* One access of a DRAM controller to its memory. */
struct tessera_burst {
  uint64_t cycle;   /* of its begin */
  uint64_t address; /* in the controller's memory */
  uint32_t cycles, bytes;
  unsigned controller;
  int is_write;
};
typedef void tessera_burst_fn(void *context, const struct tessera_burst *burst);
/* Calls `hook` for every access of a DRAM controller, inside tessera_chip_run; those of one controller in the order of time, and all in
 * one order for any number of host threads. NULL removes the hook. The hook must not call the chip. */
enum tessera_result tessera_chip_burst_hook(struct tessera_chip *chip, tessera_burst_fn *hook, void *context);

/* Both as events: docs/reference/trace-schema.md has a row for each kind. */
enum tessera_chip_event_kind {
  TESSERA_CHIP_EVENT_PACKET, /* `packet` is not NULL */
  TESSERA_CHIP_EVENT_BURST,  /* `burst` is not NULL */
  TESSERA_CHIP_EVENT_KINDS
};
struct tessera_chip_event {
  enum tessera_chip_event_kind kind;
  const struct tessera_packet *packet;
  const struct tessera_burst *burst;
};
const char *tessera_chip_event_kind_name(enum tessera_chip_event_kind kind); /* "packet" */
typedef void tessera_chip_hook_fn(void *context, const struct tessera_chip_event *event);
/* Calls `hook` for every event whose bit (TESSERA_EVENT_BIT of its kind) is in `mask`, beside the hooks above and as they do: each kind in its
 * own order. One such hook; NULL or mask 0 removes it. */
enum tessera_result tessera_chip_hook(struct tessera_chip *chip, uint64_t mask, tessera_chip_hook_fn *hook, void *context);

/* Writes the packets that depart and the accesses of DRAM that begin from cycle `from` to cycle `to`, while the chip runs: text, Perfetto or
 * Chrome; other formats, cores and parts are TESSERA_INVALID. One trace at a time, beside the hook. */
enum tessera_result tessera_chip_trace(struct tessera_chip *chip, const struct tessera_trace_options *options,
                                       tessera_write_fn *write, void *context);
/* Ends the trace. TESSERA_REFUSED: a part of it could not be written. */
enum tessera_result tessera_chip_trace_end(struct tessera_chip *chip);

/* The state: a hash; a copy of the memory that was touched, to be freed with tessera_chip_free; a restore from such a copy. The
 * executables are not in it: load them into a new chip before the restore, so that reports have names and lines. Hooks, traces, breaks and
 * checkers stay attached over a restore; checkers and accounts begin again with the restored cycle, and reports name that cycle.
 * TESSERA_REFUSED: not a copy made by this version of the library, or damaged. */
uint64_t tessera_chip_hash(const struct tessera_chip *chip);
enum tessera_result tessera_chip_save(const struct tessera_chip *chip, void **state, size_t *length);
void tessera_chip_free(void *state);
enum tessera_result tessera_chip_restore(struct tessera_chip *chip, const void *state, size_t length);

#ifdef __cplusplus
}
#endif

#endif
