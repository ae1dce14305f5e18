/* Dst between the cores. Math and pack: tile_regs_acquire, commit, wait, release. Semaphore MATH_PACK counts the parts of
 * Dst that hold results: up to two halves, or the whole (DST_SYNC_FULL). The
 * half is the thread's MATH_Offset and the packer's Offset (docs/evidence/errata.md A30). ISA: Dst.md, SEMWAIT.md, ZEROACC.md. */
#ifndef TENSIX_DST_SYNC_H
#define TENSIX_DST_SYNC_H

#include "data_format.h"
#include "kernel.h"

/* Does the unpacker write copied tiles of this format directly into Dst, bypassing SrcA? */
TT_INLINE uint32_t format_goes_to_dst(uint32_t format) {
  if (!DST_ACCUM_MODE) return 0;
  return format == DATA_FORMAT_INT32 || (UNPACK_TO_DST && (format == DATA_FORMAT_FLOAT32 || format == DATA_FORMAT_TF32));
}

/* Rows of half of Dst, in the view in use. */
#define DST_HALF_ROWS (DST_ACCUM_MODE ? 256u : 512u)

static uint32_t dst_half __attribute__((unused)); /* the half that this core uses, 0 or 1 */

TT_INLINE uint32_t dst_base(void) { return dst_half ? DST_HALF_ROWS : 0; }

TT_INLINE void dst_flip(void) {
  if (!DST_SYNC_FULL) dst_half ^= 1;
}

/* Does this core have its part of Dst? The math core from tile_regs_acquire to tile_regs_commit, the pack core from tile_regs_wait to
 * tile_regs_release. The compiler knows the value wherever it sees these calls, and generates no check there. */
static uint32_t dst_held __attribute__((unused));
#ifdef KERNEL_UNCHECKED /* for tests of the checkers, which report the same mistakes of kernels without this library */
#define DST_CHECK_HELD() ((void)0)
#elif defined(TRISC_PACK)
#define DST_CHECK_HELD() \
  KERNEL_CHECK(dst_held, "tile_regs_wait is missing: it precedes what reads Dst, again after each tile_regs_release")
#else
#define DST_CHECK_HELD() \
  KERNEL_CHECK(dst_held, "tile_regs_acquire is missing: it precedes what writes Dst, again after each tile_regs_commit")
#endif

#ifdef TRISC_MATH
/* The operation that the last init has set the matrix unit up for. */
enum math_setup { SETUP_NONE, SETUP_MATMUL, SETUP_ELTWISE, SETUP_COPY, SETUP_ROWS, SETUP_REDUCE };
static uint32_t math_setup __attribute__((unused));
#ifdef KERNEL_UNCHECKED
#define MATH_CHECK_SETUP(setup, operation, inits) ((void)0)
#else
#define MATH_CHECK_SETUP(setup, operation, inits) \
  KERNEL_CHECK(math_setup == (setup), operation " without its init: call " inits " before it, again after another init")
#endif

/* Sets the destination of the following instructions: tile `tile` of the half. */
TT_INLINE void math_set_dst_tile(uint32_t tile) {
  DST_CHECK_HELD();
  DST_CHECK_TILE(tile);
  TT_SETC16(DEST_TARGET_REG_CFG_MATH_Offset_ADDR32, dst_base() + 64 * tile);
}

TT_INLINE void math_dst_sync_init(void) {
  tensix_sync();
  tt_poll(semaphore_address(semaphore_MATH_PACK), 15, 0); /* earlier packs are done */
  dst_half = 0;
  TT_SEMINIT(DST_SYNC_FULL ? 1 : 2, 0, 1u << semaphore_MATH_PACK);
  TTI_SETC16(DEST_TARGET_REG_CFG_MATH_Offset_ADDR32, 0);
  TTI_ZEROACC(p_zeroacc_CLR_ALL, 0, 0, ADDR_MOD_0, 0);
}
#endif

/* --- Dst between the unpack and the math core --- */

/* MATH_DONE signals that the math core has left a tile of its part to the unpacker, UNPACK_TO_DEST that the tile is
 * unpacked. Both cores compute the same tile index: they run the same kernel. If the unpacker and a ZEROACC act in one
 * cycle, hardware loses the valid flags of the rows (budabackend#2730): a mutex excludes the packer's ZEROACC. It is that of shared
 * configuration, the one mutex which the golden model has. */

#define MUTEX_DST_ZERO_FLAGS mutex_REG_RMW

#ifdef TRISC_UNPACK
TT_INLINE void unpack_wait_for_dst(void) {
  TTI_SEMWAIT(p_stall_STALL_UNPACK | p_stall_STALL_SYNC, 1u << semaphore_MATH_DONE, p_stall_STALL_ON_ZERO);
  TTI_SEMGET(1u << semaphore_MATH_DONE);
  t6_mutex_acquire(MUTEX_DST_ZERO_FLAGS);
}

TT_INLINE void unpack_give_dst_back(void) {
  TTI_STALLWAIT(p_stall_STALL_SYNC, p_stall_UNPACK0);
  t6_mutex_release(MUTEX_DST_ZERO_FLAGS);
  t6_semaphore_post(semaphore_UNPACK_TO_DEST, 0);
}
#endif

#ifdef TRISC_MATH
TT_INLINE void math_unpack_to_dst_init(void) {
  addr_mod_set(ADDR_MOD_7, (addr_mod_t){.srca = {.incr = 0}});
  TT_SEMINIT(1, 0, 1u << semaphore_MATH_DONE);
  TT_SEMINIT(1, 0, 1u << semaphore_UNPACK_TO_DEST);
}

TT_INLINE void math_let_unpack_write_dst(void) {
  DST_CHECK_HELD();
  t6_semaphore_post(semaphore_MATH_DONE, p_stall_MATH | p_stall_WAIT_SFPU);
  TTI_SEMWAIT(p_stall_STALL_MATH | p_stall_STALL_SFPU | p_stall_STALL_SYNC, 1u << semaphore_UNPACK_TO_DEST,
              p_stall_STALL_ON_ZERO);
  TTI_SEMGET(1u << semaphore_UNPACK_TO_DEST);
}
#endif

#ifdef TRISC_PACK
static uint32_t pack_unpacker_writes_dst __attribute__((unused)); /* a buffer of this kernel bypasses SrcA */

TT_INLINE void pack_select_dst(void) {
  TT_WRCFG(dst_half ? p_gpr_pack_DEST_OFFSET_HI : p_gpr_pack_DEST_OFFSET_LO, p_cfg_WRCFG_32b,
           DEST_TARGET_REG_CFG_PACK_SEC0_Offset_ADDR32);
  TTI_NOP;
  TTI_NOP;
}

TT_INLINE void pack_dst_sync_init(void) {
  dst_half = 0;
  gpr_set(p_gpr_pack_DEST_OFFSET_LO, 0);
  gpr_set(p_gpr_pack_DEST_OFFSET_HI, DST_HALF_ROWS);
  TTI_STALLWAIT(p_stall_STALL_CFG, p_stall_THCON | p_stall_PACK);
  pack_select_dst();
}
#endif

/* The source line of a core's last call on Dst; the host's hang report shows it beside the semaphore. */
#define KERNEL_TEXT_(x) #x
#define KERNEL_TEXT(x) KERNEL_TEXT_(x)
#ifdef TT_RECORD
#define KERNEL_PLACE(function) ((void)0)
#else
#define KERNEL_PLACE(function) \
  tt_store(LAUNCH_FIELD(place) + 4 * KERNEL_CORE, (uint32_t)(function " at " __FILE__ ":" KERNEL_TEXT(__LINE__)))
#endif

/* The kinds of numbers that copies have left in the tiles of this part of Dst: two bits per tile, and a bit for those that are known. Unknown:
 * the kind that the last init has set. The math and the pack core follow them, because both run the same kernel. */
static uint32_t dst_kinds __attribute__((unused)), dst_kinds_known __attribute__((unused));
TT_INLINE void dst_set_kind(uint32_t tile, uint32_t kind) {
  dst_kinds = (dst_kinds & ~(3u << (2 * tile))) | kind << (2 * tile);
  dst_kinds_known |= 1u << tile;
}
/* Tile `to` gets the kind of tile `from`. */
TT_INLINE void dst_copy_kind(uint32_t from, uint32_t to) {
  dst_kinds_known = (dst_kinds_known & ~(1u << to)) | (dst_kinds_known >> from & 1u) << to;
  dst_kinds = (dst_kinds & ~(3u << (2 * to))) | (dst_kinds >> (2 * from) & 3u) << (2 * to);
}
TT_INLINE uint32_t dst_kind_or(uint32_t tile, uint32_t otherwise) {
  return dst_kinds_known >> tile & 1u ? dst_kinds >> (2 * tile) & 3u : otherwise;
}

/* Tiles of this part of Dst that hold finished reductions: a bit per tile, on the core that computes. */
static uint32_t dst_reduced __attribute__((unused));
/* Tiles that a reduction has begun to write. */
static uint32_t dst_reducing __attribute__((unused));
TT_INLINE void dst_set_reduced(uint32_t tile) { dst_reduced |= 1u << tile; }
TT_INLINE uint32_t dst_take_reduced(uint32_t tile) {
  uint32_t was = dst_reduced >> tile & 1u;
  dst_reduced &= ~(1u << tile);
  return was;
}

/* The vendor's reduce_init sets the packer to mask all but the result, up to reduce_uninit. This library's packer has no mask; only kernels in C++
 * have the two names. */
static uint32_t pack_masked __attribute__((unused));
#ifdef KERNEL_UNCHECKED
#define DST_CHECK_MASK() ((void)0)
#else
#define DST_CHECK_MASK() \
  KERNEL_CHECK( \
      !pack_masked || dst_reducing, \
      "reduce_uninit is missing: the packer still masks what a reduction leaves out, and this part of Dst has none")
#endif

TT_INLINE void tile_regs_acquire(void) {
  dst_reduced = dst_reducing = 0;
  dst_kinds_known = 0;
  MATH(dst_held = 1;)
  MATH(TTI_SEMWAIT(p_stall_STALL_MATH | p_stall_STALL_SFPU | p_stall_STALL_SYNC, 1u << semaphore_MATH_PACK,
                   p_stall_STALL_ON_MAX);)
}

TT_INLINE void tile_regs_commit(void) {
#ifdef TRISC_MATH
  DST_CHECK_MASK();
  dst_held = 0;
  t6_semaphore_post(semaphore_MATH_PACK, p_stall_MATH | p_stall_WAIT_SFPU);
  dst_flip();
  TTI_STALLWAIT(p_stall_STALL_CFG, p_stall_MATH | p_stall_WAIT_SFPU);
  TT_SETC16(DEST_TARGET_REG_CFG_MATH_Offset_ADDR32, dst_base());
#endif
  UNPACK(dst_flip();) /* the unpack core follows the half, for tiles that it unpacks to Dst */
}

TT_INLINE void tile_regs_wait(void) {
  PACK(dst_held = 1;)
  PACK(TTI_SEMWAIT(p_stall_STALL_TDMA, 1u << semaphore_MATH_PACK, p_stall_STALL_ON_ZERO);)
}

TT_INLINE void tile_regs_release(void) {
#ifdef TRISC_PACK
  dst_held = 0;
  TTI_STALLWAIT(p_stall_STALL_MATH | p_stall_STALL_SYNC, p_stall_PACK);
  if (DST_ACCUM_MODE && pack_unpacker_writes_dst) t6_mutex_acquire(MUTEX_DST_ZERO_FLAGS);
  TT_ZEROACC(DST_SYNC_FULL ? p_zeroacc_CLR_ALL : p_zeroacc_CLR_HALF, 0, 0, ADDR_MOD_0, dst_half);
  if (DST_ACCUM_MODE && pack_unpacker_writes_dst) t6_mutex_release(MUTEX_DST_ZERO_FLAGS);
  TTI_SEMGET(1u << semaphore_MATH_PACK);
  dst_flip();
  if (!DST_SYNC_FULL) pack_select_dst();
#endif
}

/* The names of the functions are those that reports print: the macros only note the caller's line before. */
#if defined(__cplusplus) && !defined(TT_RECORD) /* overloads, so that a namespace may precede the name */
#define KERNEL_PLACED(name) \
  TT_INLINE void name(const char *place) { \
    tt_store(LAUNCH_FIELD(place) + 4 * KERNEL_CORE, (uint32_t)place); \
    name(); \
  }
#define KERNEL_PLACE_TEXT(name) name " at " __FILE__ ":" KERNEL_TEXT(__LINE__)
#ifdef TRISC_MATH
KERNEL_PLACED(tile_regs_acquire)
#define tile_regs_acquire() tile_regs_acquire(KERNEL_PLACE_TEXT("tile_regs_acquire"))
#endif
#ifdef TRISC_PACK
KERNEL_PLACED(tile_regs_wait)
#define tile_regs_wait() tile_regs_wait(KERNEL_PLACE_TEXT("tile_regs_wait"))
#endif
#else
#ifdef TRISC_MATH
#define tile_regs_acquire() (KERNEL_PLACE("tile_regs_acquire"), tile_regs_acquire())
#endif
#ifdef TRISC_PACK
#define tile_regs_wait() (KERNEL_PLACE("tile_regs_wait"), tile_regs_wait())
#endif
#endif

#endif
