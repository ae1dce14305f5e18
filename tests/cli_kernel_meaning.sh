# Calls of the kernel library whose meaning was not tt-metal's, and checks that fitted only the old meaning: what a card does, tessera kernel run does too.
# Each was reported by a user; the sources of tt-metal's library are the reference. Prints TAP. Reads BUILD.
. tests/tap.sh
BUILD=${BUILD:-build}
case $BUILD in /*) T=$BUILD/tessera ;; *) T=$PWD/$BUILD/tessera ;; esac
command -v riscv64-unknown-elf-gcc > /dev/null || { echo "1..0 # SKIP no RISC-V compiler"; exit 0; }
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
export TESSERA_PROGRESS_SECONDS=1000
check() { # NAME RESULT
  if [ "$2" -eq 0 ]; then echo "ok - $1"; else
    echo "not ok - $1"
    sed 's/^/# /' "$dir/out" | head -n 12
  fi
}
run() { # FOLDER CODE: runs it and compares the exit code
  "$T" kernel run "$dir/$1" > "$dir/out" 2>&1
  got=$?
  [ $got -eq "$2" ] || { echo "# $1: exit code $got, not $2"; return 1; }
}

# The first tile of 2 x 2 sends four pages to the others, as tt-metal's readers do; each tile writes them to its own rows of C.
multicast() { # NAME CORE FIRST LAST SET: the corners of the rectangle, and how the flag is set
  mkdir "$dir/$1"
  printf 'grid 1-2,2-3\ntensor A random:32x128:1 bf16 tiles dram\ntensor C zero:128x128 bf16 tiles dram\nbuffer 0 2 A\nargs %s A C A.pages col row 1 2\nsave C c.npy\nsave A a.npy\n' "$2" > "$dir/$1/kernel.chip"
  cat > "$dir/$1/$2.cpp" << E2
#include "dataflow_api.h"
void kernel_main() {
  uint32_t n = get_arg_val<uint32_t>(2), col = get_arg_val<uint32_t>(3), row = get_arg_val<uint32_t>(4);
  uint32_t x0 = get_arg_val<uint32_t>(5), y0 = get_arg_val<uint32_t>(6), x1 = x0 + 1, y1 = y0 + 1;
  constexpr uint32_t cb = 0;
  uint32_t bytes = get_tile_size(cb), ready_at = get_semaphore(0), valid_at = get_semaphore(1);
  volatile tt_l1_ptr uint32_t *ready = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(ready_at);
  volatile tt_l1_ptr uint32_t *valid = reinterpret_cast<volatile tt_l1_ptr uint32_t *>(valid_at);
  const InterleavedAddrGen<true> a = {.bank_base_address = get_arg_val<uint32_t>(0), .page_size = bytes};
  const InterleavedAddrGen<true> c = {.bank_base_address = get_arg_val<uint32_t>(1), .page_size = bytes};
  for (uint32_t i = 0; i < n; i++) {
    cb_reserve_back(cb, 1);
    uint32_t page = get_write_ptr(cb);
    if (!col && !row) {
      noc_async_read_page(i, a, page);
      noc_async_read_barrier();
      noc_semaphore_wait(ready, 3);
      set(ready, 0);
      noc_async_write_multicast(page, get_noc_multicast_addr($3, $4, page), bytes, 3);
      set(valid, VALID);
      noc_semaphore_set_multicast(valid_at, get_noc_multicast_addr($3, $4, valid_at), 3);
      noc_async_write_barrier();
    } else {
      set(valid, INVALID);
      noc_semaphore_inc(get_noc_addr(x0, y0, ready_at), 1);
      noc_semaphore_wait(valid, VALID);
    }
    cb_push_back(cb, 1);
    cb_wait_front(cb, 1);
    noc_async_write_page((row * 2 + col) * n + i, c, get_read_ptr(cb));
    noc_async_write_barrier();
    cb_pop_front(cb, 1);
  }
}
E2
  sed -i "s/void kernel_main/static void set(volatile tt_l1_ptr uint32_t *p, uint32_t v) { $5 }\n&/" "$dir/$1/$2.cpp"
}
LOADED='noc_semaphore_set(p, v); noc_semaphore_wait(p, v);'
copied() { # FOLDER: C is A four times
  python3 -c 'import sys
a, c = (open(f"{sys.argv[1]}/{n}.npy", "rb").read()[128:] for n in "ac")
sys.exit(c != 4 * a)' "$dir/$1"
}

# get_noc_multicast_addr exchanged the corners on NoC 1: a kernel that is right on a card hung, and one that wraps around the grid there passed.
multicast noc1 writer 'x1, y1' 'x0, y0' "$LOADED"
run noc1 0 && copied noc1
check "NoC 1: the rectangle begins at its larger corner, and the caller exchanges the two" $?
multicast wraps writer 'x0, y0' 'x1, y1' "$LOADED"
run wraps 4 && grep -q '^hang after .*multicast at writer.cpp:.* to (1,2) to (2,3) had 1[0-9][0-9] receivers, because its rectangle wraps around the grid: NoC 1 flows to smaller coordinates, exchange start and end' "$dir/out"
check "NoC 1: with the corners of NoC 0 the rectangle wraps around the grid" $?
multicast noc0 reader 'x0, y0' 'x1, y1' "$LOADED"
run noc0 0 && copied noc0
check "NoC 0: the rectangle begins at its smaller corner" $?

# noc_semaphore_set loaded the word back: a race that the vendor's bare store has was hidden.
multicast bare reader 'x0, y0' 'x1, y1' 'noc_semaphore_set(p, v);'
run bare 5 && grep -q 'tile (1, 2): reader.cpp:[0-9]* (kernel_main, in noc_semaphore_set_multicast): error: .*0x1010 read by a NoC write, and a store of NCRISC may not have arrived: no load back of it before' "$dir/out" &&
  grep -q 'tile (2, 2): reader.cpp:[0-9]* .*in noc_semaphore_set.*: error: .*flag 0x1010 written by another tile, which does not wait for NCRISC' "$dir/out"
check "noc_semaphore_set is a bare store: both races are reported" $?
multicast pointer reader 'x0, y0' 'x1, y1' '*p = v;'
run pointer 5 && [ "$(grep -c 'L1_UNORDERED\]' "$dir/out")" -ge 2 ]
check "a store through a pointer is reported as noc_semaphore_set is" $?
# The flag is stored once, before the loop. Every wait for the receivers has a fence and a load from L1 after it, so the store has arrived.
multicast once reader 'x0, y0' 'x1, y1' "$LOADED"
sed -i 's/      set(valid, VALID);//; s/^  for (uint32_t i/  if (!col \&\& !row) noc_semaphore_set(valid, VALID);\n&/' "$dir/once/reader.cpp"
run once 0 && copied once
check "a store before a fence and a later load from L1 has arrived" $?

# CB_NOT_HELD for the reserved page of a core that also pops the buffer.
one_core() { # NAME BEFORE_PUSH AFTER_POP
  mkdir "$dir/$1"
  printf 'tensor A zero:32x128 bf16 tiles dram\ntensor C zero:32x128 bf16 tiles dram\nbuffer 0 2 A\nargs writer A C A.pages\n' > "$dir/$1/kernel.chip"
  cat > "$dir/$1/writer.cpp" << E2
#include "dataflow_api.h"
void kernel_main() {
  const InterleavedAddrGen<true> a = {.bank_base_address = get_arg_val<uint32_t>(0), .page_size = 2048};
  const InterleavedAddrGen<true> c = {.bank_base_address = get_arg_val<uint32_t>(1), .page_size = 2048};
  for (uint32_t i = 0, n = get_arg_val<uint32_t>(2); i < n; i++) {
    cb_reserve_back(0, 1);
    uint32_t page = get_write_ptr(0);
    noc_async_read_page(i, a, page);
    noc_async_read_barrier();
    $2
    cb_push_back(0, 1);
    $3
    cb_wait_front(0, 1);
    cb_pop_front(0, 1);
  }
}
E2
}
one_core reserved 'noc_async_write_page(i, c, page); noc_async_write_barrier();' ''
run reserved 0 && ! grep -q CB_NOT_HELD "$dir/out"
check "one core at both ends of a buffer may send its reserved page" $?
one_core taken '' 'if (i) noc_async_read_page(i, a, page); noc_async_read_barrier(); noc_async_write_page(i, c, page); noc_async_write_barrier();'
run taken 0 && ! grep -q CB_NOT_HELD "$dir/out"
check "one core at both ends of a buffer may fill a page that it has pushed and not popped" $?
# With another consumer the page belongs to that one after the push.
one_core pushed '' 'noc_async_read_page(i, a, page); noc_async_read_barrier();'
sed -i '/cb_wait_front/d; /cb_pop_front/d' "$dir/pushed/writer.cpp"
printf '#include "dataflow_api.h"\nvoid kernel_main() { for (uint32_t i = 0; i < 4; i++) { cb_wait_front(0, 1); cb_pop_front(0, 1); } }\n' > "$dir/pushed/reader.cpp"
run pushed 5 && grep -q 'CB_NOT_HELD\]' "$dir/out"
check "a page that was pushed to another core is not filled again" $?

# DPRINT of the name of a type, of a place in the program, and by the names with DEVICE_ in front.
mkdir "$dir/names"
: > "$dir/names/kernel.chip"
cat > "$dir/names/reader.cpp" << 'E2'
#include "api/debug/dprint.h"
struct Foo {};
void kernel_main() {
  DEVICE_PRINT("{} {} {}\n", dp_type_name_t<int>(), dp_type_name_t<Foo>(), ct_string{"text"});
  DEVICE_PRINT_DATA1("{}\n", dp_top_callstack_t(0x1234, UINTPTR_MAX, 0));
  auto here = dp_top_callstack_t::current(0);
  DPRINT("{}\n", here.pc > 0x8000 && here.pc < 0xe000);
}
E2
run names 0 && grep -qx 'NCRISC: int Foo text' "$dir/out" && grep -qx 'NCRISC: pc 0x1234, called from 0xffffffff' "$dir/out" && grep -qx 'NCRISC: true' "$dir/out"
check "DPRINT of type names and places" $?
