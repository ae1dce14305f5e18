# tessera kernel new, build and run: the guide's commands print the guide's output; options, formats, and one line for bad input. Prints TAP.
. tests/tap.sh
BUILD=${BUILD:-build}
top=$(pwd)
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
T=$top/$BUILD/tessera
case $BUILD in /*) T=$BUILD/tessera ;; esac
number=0
check() { # NAME RESULT
  number=$((number + 1))
  if [ "$2" = 0 ]; then echo "ok $number - $1"; else echo "not ok $number - $1"; fi
}
# Compilation takes most of the time: below TESSERA_TEST_SCALE 100 the kernels that take longest are left out; make test-all has all.
whole() { [ "${TESSERA_TEST_SCALE:-100}" -ge 100 ]; }
left_out() { # COUNT: as many checks are not run
  for _ in $(seq "$1"); do
    number=$((number + 1))
    echo "ok $number # SKIP make test-all runs it"
  done
}
if ! command -v riscv64-unknown-elf-gcc > /dev/null; then
  echo "1..0 # SKIP no riscv64-unknown-elf-gcc"
  exit 0
fi

echo "1..116"
mkdir "$dir/bin" "$dir/empty" "$dir/work"
ln -s "$T" "$dir/bin/tessera"
cd "$dir/empty" || exit 1

# The first block after a mark of the guide: its commands ("$ ..."), run in an empty folder, print its other lines. Figures may change with
# the library and the compiler, and so may the stall reasons of a thread; everything else is compared.
plain() { sed 's/^\(thread [0-9] ([a-z]*)\).*[0-9].*/\1/; s/[0-9][0-9.]*/N/g; s/  */ /g' "$1"; }
replay() { # MARK
  awk -v mark="<!-- $1 -->" 'index($0, mark) { on = 1 } on && /^```/ { if (++fences == 2) exit; next } on && fences' "$top/docs/guide/kernels.md" > "$dir/block"
  : > "$dir/got"
  while IFS= read -r line; do
    case $line in
      '$ '*)
        echo "$line" >> "$dir/got"
        PATH=$dir/bin:$PATH sh -c "${line#\$ }" >> "$dir/got" 2>&1
        ;;
    esac
  done < "$dir/block"
  plain "$dir/block" > "$dir/wanted"
  plain "$dir/got" > "$dir/printed"
  [ -s "$dir/block" ] && cmp -s "$dir/wanted" "$dir/printed" || { diff "$dir/block" "$dir/got" | sed 's/^/# /'; false; }
}
replay "three commands"
check "three commands of the guide, in an empty folder: from nothing to a kernel that runs, with its report" $?
replay "own numbers"
check "the guide's run with files of one's own" $?

# --- options on the kernel that the guide has built ---
cd "$dir/work" || exit 1
cp -r "$dir/empty/mine" mine
run() { "$T" kernel run "$@" > "$dir/out" 2> "$dir/err"; }
said() { # WORD: checks for one line on standard error that contains it
  [ "$(wc -l < "$dir/err")" = 1 ] && grep -q -- "$1" "$dir/err"
}
python3 - << 'PY'
import struct
def save(path, descr, shape, data, fortran=False):
    head = ("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }" % (descr, fortran, shape)).encode()
    head += b' ' * (63 - (10 + len(head)) % 64) + b'\n'
    open(path, 'wb').write(b'\x93NUMPY\x01\x00' + struct.pack('<H', len(head)) + head + data)
n = 64 * 128
save('a.npy', '<f4', (64, 128), struct.pack('<%df' % n, *[i % 7 / 4 for i in range(n)]))
save('twice.npy', '<f8', (64, 128), struct.pack('<%dd' % n, *[i % 7 / 2 for i in range(n)]))
save('half.npy', '<f2', (64, 128), struct.pack('<%de' % n, *[i % 7 / 4 for i in range(n)]))
save('fortran.npy', '<f4', (64, 128), struct.pack('<%df' % n, *[(r * 128 + c) % 7 / 4 for c in range(128) for r in range(64)]), True)
save('deep.npy', '<f4', (2, 32, 128), struct.pack('<%df' % n, *[(s * 4096 + r * 128 + c) % 7 / 4 for c in range(128) for r in range(32) for s in range(2)]), True)
save('inf.npy', '<f4', (64, 128), struct.pack('<%df' % n, *[(float('inf'), float('-inf'), 1, 0)[i % 4] for i in range(n)]))
save('other.npy', '<f4', (64, 128), struct.pack('<%df' % n, *[(float('inf'), float('inf'), 1, 0)[i % 4] for i in range(n)]))
save('nans.npy', '<f4', (64, 128), struct.pack('<%df' % n, *[float('nan') if i in (130, 4000, n - 1) else i % 7 / 4 for i in range(n)]))
save('zero.npy', '<f4', (64, 128), bytes(4 * n))
save('bools.npy', '|b1', (64, 128), bytes(n))
save('small.npy', '<f4', (32, 128), bytes(4 * 32 * 128))
save('ints.npy', '<i4', (64, 128), struct.pack('<%di' % n, *[i % 50 for i in range(n)]))
save('large.npy', '<i8', (64, 128), struct.pack('<%dq' % n, *([70000] + [1] * (n - 1))))
PY
run mine --no-build --in A=a.npy --in B=half.npy --out C=c.npy --expect twice.npy --tolerance 0 && grep -q 'C against twice.npy: worst error 0 ' "$dir/out"
check "float32 and float16 files in, one expected as float64, and exact" $?
run mine --no-build --in A=fortran.npy --in B=deep.npy --out C=c.npy --expect twice.npy --tolerance 0
check "files in Fortran's order, of two and three dimensions" $?
run mine --no-build --in A=a.npy --out C=c.npy --expect C=twice.npy
[ $? = 1 ] && grep -q WRONG "$dir/out"
check "a result that differs is exit code 1" $?
run mine --no-build --in A=inf.npy --in B=zero.npy --out C=c.npy --expect C=inf.npy --tolerance 0 && grep -q 'C against inf.npy: worst error 0 ' "$dir/out"
check "equal infinities are equal" $?
run mine --no-build --in A=inf.npy --in B=zero.npy --out C=c.npy --expect C=other.npy
[ $? = 1 ] && grep -q 'at \[0, 1\]: WRONG' "$dir/out"
check "infinities of two signs differ" $?
run mine --no-build --in A=nans.npy --in B=zero.npy --expect A=a.npy # the matrix unit makes infinities of NaN, so A itself is compared
[ $? = 1 ] && grep -qx 'A against a.npy: 3 of 8192 numbers are NaN where none is expected, the first at \[1, 2\]: WRONG' "$dir/out" && [ "$(grep -c "^A against" "$dir/out")" = 1 ]
check "NaN that is not expected: how many, and the first" $?
run mine --no-build --in A=nans.npy --in B=zero.npy --expect A=nans.npy --tolerance 0
grep -q '^A against nans.npy: worst error 0 ' "$dir/out"
check "NaN that is expected is no error" $?
python3 - << 'PY'
data = bytearray(open('a.npy', 'rb').read())
data[-4:] = b'\0\0\x80\x7f'
open('infinite.npy', 'wb').write(data)
PY
run mine --no-build --expect A=infinite.npy
[ $? = 1 ] && grep -qx 'A against infinite.npy: worst error inf (allowed 0.01) at \[63, 127\]: WRONG' "$dir/out"
check "infinity that is expected and missing is an infinite error" $?
cp mine/reader.c reader.c
cp "$top/tests/kernels/struct_copies.h" mine && sed -i 's/^void kernel_main(void) {/#include "struct_copies.h"\n&\n  check_copies();/' mine/reader.c
run mine && grep -q ': good$' "$dir/out" &&
  [ "$(riscv64-unknown-elf-nm mine/build/ncrisc.elf | grep -cE ' W mem(cpy|move|set|cmp)$')" = 4 ] && ! riscv64-unknown-elf-nm mine/build/brisc.elf | grep -q ' mem'
check "copies of structs and arrays: the functions that the compiler calls, only where it calls them" $?
ls -l --time-style=full-iso mine/build/ncrisc.elf > "$dir/was" && run mine && ls -l --time-style=full-iso mine/build/ncrisc.elf | cmp -s - "$dir/was"
check "a second build of such a kernel has nothing to do" $?
mv reader.c mine && rm mine/struct_copies.h
# The forms of calls in the vendor's kernels: qualified names, calls of buffers as expressions, a VectorMode as a number, streams that print.
if whole; then
  cp -r mine forms && rm -rf forms/build forms/compute.c
  cp "$top/tests/kernels/api_forms.cpp" forms/compute.cpp
  run forms && grep -q ': good$' "$dir/out" && grep -q 'ff ffffffff  -100x1010 7 1.5$' "$dir/out"
  check "qualified names, buffers' calls as expressions, a VectorMode as a number, streams" $?
  sed -i 's/ckernel::cb_pop_front(0, 1);//' forms/compute.cpp
  run forms
  [ $? = 4 ] && grep -q '^hang after .*CB 0 is full.*TRISC0 waited for them at compute.cpp:19 and popped none; reader.c' "$dir/out"
  check "the line of a call of a buffer as an expression" $?
else left_out 2; fi
run mine --no-build --out C=d.npy && run mine --no-build --out C=e.npy --expect d.npy --tolerance 0 --timing off && cmp -s d.npy e.npy
check "--out saves what --expect reads; timing off gives the same" $?
run mine --no-build --cb 0=4x2048:bf16 --cb 16=4:bf16 && grep -q ': good$' "$dir/out"
check "--cb changes a buffer" $?
run mine --no-build --arg reader.2=4 --arg compute.0=4 --arg writer.1=4
[ $? = 1 ] && grep -q WRONG "$dir/out"
check "--arg changes an argument of one kernel: half of the tiles" $?
run mine --build beyond --arg compute.9=3 && grep -qx 'tessera kernel: note: --arg compute.9=3: the kernel has no argument 8, so it is 0' "$dir/err" && run mine --no-build --arg compute.0=8 && [ ! -s "$dir/err" ]
check "--arg beyond the kernel's arguments: a note" $?
run mine --no-build --trace t.json --json j.json --sarif s.sarif --profile p.json --coverage c.info --why --what-if noc &&
  grep -q '^why: ' "$dir/out" && grep -q 'the NoC answers at once: [0-9]* cycles instead of [0-9]*, [0-9.]* times faster' "$dir/out" && python3 -c 'import json; [json.load(open(f)) for f in ("t.json", "j.json", "s.sarif", "p.json")]' && grep -q '^DA:' c.info
check "trace, JSON, SARIF, profile, coverage, why and a what-if" $?
run mine --no-build --report r.html && grep -q '</html>' r.html
check "the HTML report" $?
run mine --no-build --max-cycles 3000
[ $? = 6 ] && said 'not done after 3000 cycles'
check "a limit of cycles is exit code 6" $?

printf '$?#3f$D#44' | "$T" kernel run mine --no-build --gdb stdio > "$dir/out" 2> "$dir/err" && grep -q 'T05thread' "$dir/out" && grep -q 'C against sum of A and B: .*: good$' "$dir/err"
check "a debugger stops it at the start and lets it go on" $?
printf '$vCont;c#a8$D#44' | "$T" kernel run mine --no-build --gdb stdio > "$dir/out" 2> "$dir/err" &&
  [ "$(grep '^done after' "$dir/err")" = "$("$T" kernel run mine --no-build | grep '^done after')" ]
check "a run that has ended under the debugger reports its own cycles" $?
mv mine/kernel.chip kept
run mine --no-build --in A=a.npy:bf16 --in B=half.npy:bf16 --out C=c.npy:bf16:64x128 --expect twice.npy --tolerance 0 --cb 0=2x2048:bf16 --cb 1=2:bf16 \
  --cb 16=2:bf16 --arg reader.0=A --arg reader.1=B --arg reader.2=A.pages --arg compute.0=8 --arg writer.0=C --arg writer.1=8 &&
  grep -q 'C against twice.npy: worst error 0 ' "$dir/out"
check "without a manifest: everything by options" $?
sed 's/^buffer 16 .*/tensor L zero:64x32 bf16 tiles 1,2\nbuffer 16 2 C on L\nsave L l.npy/' kept > mine/kernel.chip
run mine --no-build && grep -q ': good$' "$dir/out" && python3 -c 'import sys; d = open("mine/l.npy", "rb").read(); sys.exit(not any(d[128:]) or len(d) != 128 + 4 * 64 * 32)'
check "a circular buffer on a tensor in L1: its pages are the tensor's" $?
cp kept mine/kernel.chip

# --- a grid, C++, other formats: numbers through DRAM, the unpacker, Dst and the packer and back ---
cp mine/kernel.chip kept
cp mine/reader.c mine/writer.c .
sed -i 's/^grid .*/grid 1-2,2-3/; s/^args reader .*/args reader A B 2 col row/; s/^args compute .*/args compute 2/; s/^args writer .*/args writer C 2 col row/' mine/kernel.chip
sed -i 's/noc_async_read_page(i,/noc_async_read_page(i + 2 * get_arg_val(3) + 4 * get_arg_val(4),/' mine/reader.c
sed -i 's/noc_async_write_page(i,/noc_async_write_page(i + 2 * get_arg_val(2) + 4 * get_arg_val(3),/' mine/writer.c
run mine --tile 2,3 && grep -q ': 4 tiles ran' "$dir/out" &&
  grep -q '^tile (2, 3)$' "$dir/out" && grep -q ': good$' "$dir/out"
check "four tiles, a share each; the report is that of one of them" $?
run mine --no-build --trace grid.json && run mine --no-build --tile 2,3 --trace tile.json &&
  python3 "$top/tests/read_grid_trace.py" grid.json tile.json 'tile (2, 3)' 4 > "$dir/out" 2> "$dir/err"
check "a grid's trace has the trace of each tile in it, and the packets" $?
for kind in pftrace json; do
  for threads in 1 3; do run mine --no-build --threads $threads --trace $threads.$kind || echo differs > $threads.$kind; done
done
cmp -s 1.pftrace 3.pftrace && cmp -s 1.json 3.json && cmp -s 1.json grid.json && [ -s 1.pftrace ] && [ -z "$(ls ./*.pftrace.* ./*.json.* 2> /dev/null)" ] &&
  { ! PYTHONPATH=$top/$BUILD/python-perfetto python3 -c 'import perfetto' 2> /dev/null ||
    { run mine --no-build --tile 2,3 --trace tile.pftrace && PYTHONPATH=$top/$BUILD/python-perfetto python3 "$top/tests/read_grid_trace.py" 1.pftrace tile.pftrace 'tile (2, 3)' 4 > "$dir/out" 2> "$dir/err"; }; }
check "it is the same with 1 and 3 threads, and leaves no other file" $?
run mine --no-build --report grid.html && run mine --no-build --tile 2,3 --report tile.html &&
  [ "$(grep -o '"at":\[[12],[23]\],"last":' grid.html | sort -u | wc -l)" = 4 ] && grep -q '<h2>Grid</h2>' grid.html && grep -q '>Where the cycles of the chosen tile go<' grid.html &&
  grep -q 'bound by .*reader.c:1' grid.html && ! grep -q '<h2>Grid</h2>' tile.html && grep -q '<h2>Timeline</h2>' tile.html
check "the report of a grid has all its tiles, with --tile one of them" $?
run mine --no-build --report both.html --trace both.pftrace && cmp -s both.pftrace 1.pftrace && cmp -s both.html grid.html
check "a report and a trace of one run are those of two" $?
cp kept mine/kernel.chip
mv reader.c writer.c mine

mkdir copy
cat > copy/compute.cpp << 'CPP'
#include "compute.h"
#ifndef LARGE
#error "LARGE comes from the manifest"
#endif
void kernel_main(void) {
  constexpr uint32_t in = 0, out = 16;
  unary_op_init(in, out);
  copy_tile_init(in);
  for (uint32_t i = 0, tiles = get_arg_val(0); i < tiles; i++) {
    tile_regs_acquire();
    cb_wait_front(in, 1);
    copy_tile(in, 0, 0);
    cb_pop_front(in, 1);
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(out, 1);
    pack_tile(0, out);
    cb_push_back(out, 1);
    tile_regs_release();
  }
}
CPP
cat > copy/reader.cpp << 'CPP'
#include <cstdint>
void kernel_main() {
  constexpr auto args = TensorAccessorArgs<0>();
  const auto a = TensorAccessor(args, get_arg_val<uint32_t>(0), get_tile_size(tt::CBIndex::c_0));
  const uint32_t tiles = get_arg_val<uint32_t>(1);
  DPRINT("{} tiles\n", tiles);
  for (uint32_t i = 0; i < tiles; i++) {
    cb_reserve_back(tt::CBIndex::c_0, 1);
    noc_async_read_page(i, a, get_write_ptr(tt::CBIndex::c_0), 0);
    noc_async_read_barrier();
    cb_push_back(tt::CBIndex::c_0, 1);
  }
}
CPP
cp mine/writer.c copy/writer.c
manifest() { # FORMAT_IN FORMAT_OUT
  cat > copy/kernel.chip << M
define LARGE
define compute DST_ACCUM_MODE=$3
define compute UNPACK_TO_DST=$3
tensor A random:32x64:3 $1 tiles dram
tensor C zero:32x64 $2 tiles dram
buffer 0 2 A
buffer 16 2 C
args reader A A.pages
args compute A.pages
args writer C C.pages
compile reader accessor:A
M
}
manifest fp32 fp32 1
"$T" kernel build copy > "$dir/out" 2> "$dir/err"
check "a C++ reader without the library's header, a C++ compute kernel and a C writer build, with definitions of the manifest" $?
same() { # FORMAT_IN FORMAT_OUT TOLERANCE: the output equals the input
  manifest "$1" "$2" 1
  echo "expect C sum A Z $3" >> copy/kernel.chip
  echo "tensor Z zero:32x64 $1 tiles dram" >> copy/kernel.chip
  run copy --no-build && grep -q ': good$' "$dir/out" && head -1 "$dir/out" | grep -qx 'NCRISC: 2 tiles'
  check "a copy of $1 to $2 within $3" $?
}
same fp32 fp32 0
same fp32 bf16 0.004
same fp32 bfp8 0.01
same bf16 fp32 0
same bfp8 bfp8 0
same bfp4 bfp4 0
same fp16 fp16 0
same int32 int32 0

# --- results in a tile of Dst that nothing has written, macros that a kernel defines after kernel_api.h ---
mkdir fresh && cp mine/writer.c fresh
cat > fresh/compute.cpp << 'CPP'
#define REDUCE_OP PoolType::MAX
#define REDUCE_DIM ReduceDim::REDUCE_COL
#include "api/compute/reduce.h"
void kernel_main() {
  compute_kernel_hw_startup(0, 1, 16);
  reduce_init(0, 1, 16);
  cb_wait_front(0, 1);
  cb_wait_front(1, 1);
  cb_reserve_back(16, 2);
  tile_regs_acquire();
  reduce_tile(0, 1, 0, 0, 0);
  fill_tile_init();
  fill_tile(1, 0.1f);
  add_binary_tile(1, 1, 2);
  tile_regs_commit();
  tile_regs_wait();
  pack_tile(0, 16);
  pack_tile(2, 16);
  tile_regs_release();
  cb_push_back(16, 2);
}
CPP
cat > fresh/reader.c << 'C'
#include "noc.h"
#include "constant_tiles.h"
void kernel_main(void) {
  const struct InterleavedAddrGen a = {get_arg_val(0), get_tile_size(0)};
  push_scaler_tile(1, 0x3f800000);
  cb_reserve_back(0, 1);
  noc_async_read_page(0, &a, get_write_ptr(0));
  noc_async_read_barrier();
  cb_push_back(0, 1);
}
C
printf '%s\n' 'tensor A fill:32x32:0.5 bf16 tiles dram' 'tensor C zero:32x64 bf16 tiles dram' 'buffer 0 1 A' 'buffer 1 1 bf16' 'buffer 16 2 C' \
  'args reader A' 'args writer C C.pages' 'expect C fresh.npy 0' > fresh/kernel.chip
python3 - << 'PY'
import struct
row = lambda r: [0.0 if r else 0.5] * 32 + [0.2001953125] * 32  # the maxima of columns; 0.1 rounded to BFLOAT16, twice
head = b"{'descr': '<f4', 'fortran_order': False, 'shape': (32, 64), }"
head += b' ' * (63 - (10 + len(head)) % 64) + b'\n'
open('fresh/fresh.npy', 'wb').write(b'\x93NUMPY\x01\x00' + struct.pack('<H', len(head)) + head + b''.join(struct.pack('<64f', *row(r)) for r in range(32)))
PY
if whole; then
  run fresh && [ ! -s "$dir/err" ] && ! grep -q findings "$dir/out"
  check "fill_tile and add_binary_tile into a tile that nothing has written, REDUCE_OP defined in the kernel: exact, no finding, no warning" $?
else left_out 1; fi
# --- the vector functions are compiled in only where a kernel calls one, and a build that is up to date compiles nothing ---
printf '#!/bin/sh\ncase " $* " in *" -c "*) echo "$*" >> "%s" ;; esac\nexec riscv64-unknown-elf-gcc "$@"\n' "$dir/compiled" > "$dir/cc"
chmod +x "$dir/cc"
compiled() { # FOLDER MATH PACK: cores compiled with the functions
  rm -rf "$dir/compiled" "$1/build"
  "$T" kernel build "$1" --cc "$dir/cc" > "$dir/out" 2> "$dir/err" || return 1
  [ "$(wc -l < "$dir/compiled")" = $((5 + $2 + $3)) ] || return 1
  [ "$(grep TRISC_MATH "$dir/compiled" | grep -vc SFPU_WITHOUT_FUNCTIONS)" = "$2" ] && [ "$(grep TRISC_PACK "$dir/compiled" | grep -vc SFPU_WITHOUT_FUNCTIONS)" = "$3" ] || return 1
  : > "$dir/compiled"
  "$T" kernel build "$1" --cc "$dir/cc" > "$dir/out" 2> "$dir/err" && [ ! -s "$dir/compiled" ]
}
compiled mine 0 0
check "a kernel without vector functions is compiled once per core, without them" $?
if whole; then
  compiled fresh 1 0
  check "a kernel with one is compiled again with them for the math core only" $?
  sed -i 's/  pack_tile(0, 16);/  relu_tile_init_pack();\n  relu_tile_pack(0);\n&/' fresh/compute.cpp
  compiled fresh 1 1
  check "and for the pack core where it calls one for that core" $?
else left_out 2; fi

# --- the firmware is compiled once and kept; without a cache, or with a damaged one, every build compiles it ---
printf '#!/bin/sh\ncase "$*" in *firmware.c*) echo "$*" >> "%s" ;; esac\nexec riscv64-unknown-elf-gcc "$@"\n' "$dir/compiled" > "$dir/cc"
firmware() { # CACHE COMPILED: how often a build of all cores compiles it
  rm -rf "$dir/compiled" mine/build
  : > "$dir/compiled"
  TESSERA_CACHE=$1 "$T" kernel build mine --cc "$dir/cc" > "$dir/out" 2> "$dir/err" || return 1
  [ "$(wc -l < "$dir/compiled")" = "$2" ] && run mine --no-build --expect C=c.npy > /dev/null
}
cached() { # ENDING: the kept objects
  for file in "$dir"/firmware/firmware/*"$1"; do [ -f "$file" ] && echo "$file"; done
}
cp -r "$top/kernels" "$dir/library"
cp "$top/$BUILD"/kernels/include/*.h "$dir/library/include/" 2> /dev/null
if whole; then
  run mine --no-build --out C=c.npy
  firmware "$dir/firmware" 5 && [ "$(cached .o | wc -l)" = 5 ] && firmware "$dir/firmware" 0
  check "compiled firmware is kept, one object per core" $?
  for file in $(cached trisc1.o); do head -c 100 "$file" > "$dir/part" && mv "$dir/part" "$file"; done
  firmware "$dir/firmware" 1
  check "a damaged object in the cache: that core's firmware is compiled with the kernel" $?
  firmware /dev/null 5 && ! [ -d mine/build/firmware ]
  check "no place for a cache" $?
  echo '/* changed */' >> "$dir/library/include/launch.h"
  rm -f "$dir/compiled" && rm -rf mine/build && TESSERA_CACHE=$dir/firmware "$T" kernel build mine --cc "$dir/cc" --library "$dir/library" > "$dir/out" 2> "$dir/err" && [ "$(wc -l < "$dir/compiled")" = 5 ]
  check "another library has firmware of its own" $?
else left_out 4; fi
rm -rf mine/build && "$T" kernel build mine > "$dir/out" 2> "$dir/err"

if whole; then
  run fresh --cb 0=1x2048:int8
  [ $? = 3 ] && said 'compute.cpp:[0-9]*: TRISC[0-2] stopped: '
  check "a check inside a function of the library that was not inlined has the kernel's own line" $?
else left_out 1; fi

# --- the examples against NumPy's results (examples/reference.py has made expected.npy), with all checkers ---
whole && examples="gelu rmsnorm layernorm linear attention" || examples=gelu
for example in gelu rmsnorm layernorm linear attention; do
  case " $examples " in *" $example "*) ;; *)
    left_out 2
    continue
    ;;
  esac
  run "$top/examples/$example" --build "$dir/$example" --check all && grep -q 'expected.npy: .*: good$' "$dir/out" && ! grep -q '^findings' "$dir/out"
  check "examples/$example gives what NumPy computes" $?
  # The row of the guide's table: the same error, cycles within a tenth.
  row=$(sed -n "s/^| .examples\/$example. |.*| \([0-9,]*\) | \([0-9.]*\) |\$/\1 \2/p" "$top/docs/guide/kernels.md" | tr -d ,)
  cycles=$(sed -n 's/^done after \([0-9]*\) cycles.*/\1/p' "$dir/out")
  [ $((${row% *} * 9)) -le $((cycles * 10)) ] && [ $((cycles * 9)) -le $((${row% *} * 10)) ] && grep -q "worst error ${row#* } " "$dir/out"
  check "examples/$example: docs/guide/kernels.md has its cycles and its error" $?
done
run "$top/examples/gelu" --build "$dir/gelu" --out C=c.npy --expect "$top/examples/attention/expected.npy"
[ $? = 2 ] && said 'expected.npy is 64 x 64, C is 64 x 128' && [ ! -s "$dir/out" ]
check "an expectation of another shape: one line before the run, exit code 2" $?
run mine --no-build --expect C=nowhere.npy
[ $? = 2 ] && said 'cannot read nowhere.npy' && [ ! -s "$dir/out" ]
check "an expectation that is not there: one line before the run, exit code 2" $?
run mine --no-build --cb 16=2:fp32
[ $? = 1 ] && grep -q 'writer.c:[0-9]* .*tensor C is BF16, the packer made FP32 for CB 16.*TENSOR_FORMAT' "$dir/out" &&
  grep -q "help: name the tensor in place of the buffer's format: 'buffer INDEX PAGES TENSOR'" "$dir/out"
check "a buffer of another format than its tensor: a finding with the line" $?

# --- mistakes: one line, exit code 2 ---
bad() { # NAME WORD OPTION...
  name=$1 word=$2
  shift 2
  run "$@"
  [ $? = 2 ] && said "$word"
  check "$name: one line, exit code 2" $?
}
cp -r mine order && sed -i 's/^#include "noc.h"/#include "dataflow.h"\n&/' order/reader.c
bad "noc.h after dataflow.h" 'include noc.h before dataflow.h' order
bad "a wrong shape" '^tessera kernel: --in A=small.npy: small.npy is 32 x 128, tensor A is 64 x 128$' mine --no-build --in A=small.npy
bad "a wrong dtype" '^tessera kernel: --in A=ints.npy: ints.npy holds int32, which cannot fill a tensor of bf16' mine --no-build --in A=ints.npy
python3 - << 'PY'
import struct
head = "{'descr': '|i1', 'fortran_order': False, 'shape': (64, 128), }"
head += " " * (117 - len(head)) + "\n"
with open("least.npy", "wb") as f: f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + bytes([0x81] * 200 + [0x80] + [0] * 7991))
PY
bad "the number that sign and magnitude lack" 'least.npy: -128 at .1, 72. does not fit into int8, which the chip holds as sign and magnitude, -127 to 127: clip the numbers to -127, or make the tensor int32$' mine --no-build --in A=least.npy:int8
cp -r mine spelt
sed -i 's/^args compute /args compte /' spelt/kernel.chip
bad "args of a kernel that is none" "spelt/kernel.chip:[0-9]*: 'compte' is neither a 32-bit number .*banks; kernels are reader, compute, writer and common$" spelt --no-build
rm spelt/kernel.chip
bad "no kernel.chip" "spelt/kernel.chip is missing: it describes the tensors, circular buffers and arguments of the run ('tessera kernel new NAME' makes one; for kernels without any an empty file is enough)$" spelt --no-build
bad "a number that does not fit" 'large.npy: 70000 at .0, 0. does not fit into uint16' mine --no-build --in A=large.npy:uint16
bad "booleans" "bools.npy holds '|b1': only floats and integers of NumPy" mine --no-build --in A=bools.npy
bad "no such file" 'none.npy' mine --no-build --in A=none.npy
bad "no such tensor" 'has no tensor Z' mine --no-build --in Z=a.npy
PATH=/nonexistent "$T" kernel run mine > "$dir/out" 2> "$dir/err"
[ $? = 2 ] && said 'no RISC-V compiler: install riscv64-unknown-elf-gcc'
check "no compiler: one line, exit code 2" $?
bad "no such compiler" "cannot find the compiler 'no-such-gcc'" mine --cc no-such-gcc
bad "no folder" '^tessera kernel: the folder nowhere: No such file or directory$' nowhere
bad "no folder, with an option for its description" '^tessera kernel: the folder nowhere: No such file or directory$' nowhere --out C=c.npy
bad "a file instead of a folder" '^tessera kernel: kept is not a folder$' kept --out C=c.npy
bad "a buffer that does not exist" '^tessera kernel: --cb 32=2:bf16: circular buffer 32: the index must be below 32$' mine --no-build --cb 32=2:bf16
"$T" kernel run mine --no-build --json - > /dev/full 2> "$dir/err"
[ $? = 2 ] && [ "$(wc -l < "$dir/err")" = 1 ] && grep -q 'standard output could not be written: No space left on device' "$dir/err"
check "JSON to a full disk: one line" $?
sed '/^buffer 1 /d' kept > mine/kernel.chip
run mine --no-build --json "$dir/json" --sarif "$dir/sarif"
[ $? = 3 ] && said '[a-z]*.c:[0-9]*: [A-Z0-9]* uses circular buffer 1, which mine/kernel.chip does not have' &&
  grep -q '"result":"fault","code":3' "$dir/json" && grep -q '"ruleId":"KERNEL_CHECK"' "$dir/sarif" && ! grep -q '"ruleId":"L1_UNORDERED"' "$dir/sarif"
check "a missing circular buffer: one line, exit code 3 as in JSON, no finding on the failure record" $?
run mine --no-build --sarif /dev/full
[ $? = 2 ] && [ "$(wc -l < "$dir/err")" = 2 ] && sed -n 1p "$dir/err" | grep -q 'uses circular buffer 1' && sed -n 2p "$dir/err" | grep -q '/dev/full: could not be written'
check "a SARIF file that cannot be written comes after the fault's line" $?
run mine --no-build --sarif "$dir/none/sarif"
[ $? = 2 ] && said 'could not be written: No such file' && [ ! -s "$dir/out" ]
check "a SARIF file that cannot be created is refused before the run" $?
bad_chip() { # NAME EDIT WORD
  sed "$2" kept > mine/kernel.chip
  bad "$1" "kernel: mine/kernel.chip:[0-9]*: $3" mine --no-build
}
bad_chip "an unknown expectation" 's/^expect .*/expect C summ A B 0.01/' "expect takes FILE.npy, 'sum A B' or 'matmul A B', then a tolerance; not 'summ'"
bad_chip "a buffer of an unknown tensor" 's/^buffer 1 .*/buffer 1 2 Q/' "'Q' is neither a tensor above nor a format: bf16, "
bad_chip "a buffer without a format" 's/^buffer 1 .*/buffer 1 2/' 'the format of the buffer is missing: a tensor, or bf16, '
bad_chip "a tensor in an unknown place" 's/^tensor A .*/tensor A zero:64x128 bf16 tiles drm/' "'drm' is neither a place (dram, dram:BANK, X,Y) nor an address"
bad_chip "a buffer without pages" 's/^buffer 1 .*/buffer 1 0 B/' 'circular buffer 1 needs at least 1 page, not 0$'
bad_chip "a buffer with a page of 100 bytes" 's/^buffer 1 .*/buffer 1 2 bf16 100/' 'circular buffer 1: a page of 100 bytes; pages are multiples of 16 bytes$'
bad_chip "a buffer larger than L1" 's/^buffer 1 .*/buffer 1 4000 B/' 'circular buffer 1: 4000 pages of 2048 bytes do not fit into L1, which has 1572864$'
bad_chip "a grid without Tensix tiles" 's/^grid .*/grid 8,2/' '(8, 2) is not a Tensix tile of product full$'
bad_chip "a tensor's file that is missing" 's/^tensor A .*/tensor A none.npy bf16 tiles dram/' 'cannot read mine/none.npy: No such file or directory$'
for word in abc -1 nan inf; do
  bad_chip "the tolerance $word" "s/^expect .*/expect C sum A B $word/" "the tolerance must be a number of at least 0, not '$word'\$"
done
bad_chip "no tolerance" 's/^expect .*/expect C sum A B/' 'expect needs a tolerance at the end$'
cp kept mine/kernel.chip
bad "an argument that is no number" "^tessera kernel: --arg 0=99999999999: '99999999999' is neither a 32-bit number nor" mine --no-build --arg 0=99999999999
bad "an expectation's file that is missing" '^tessera kernel: --expect C=none.npy: cannot read none.npy: No such file' mine --no-build --expect C=none.npy
bad "an unknown format" "in A=a.npy:bf17: formats are bf16, .*, not 'bf17'" mine --no-build --in A=a.npy:bf17
sed -i 's/add_tiles(/add_tilez(/' mine/compute.c
bad "a kernel that does not compile" "kernel: compute.c does not build: mine/compute.c:14:5: error: .*add_tilez" mine
sed -i 's/add_tilez(/add_tiles(/' mine/compute.c
sed -i 's/cb_wait_front(CB_A, 1);/cb_wait_front(CB_A, 1)/' mine/compute.c
bad "an error inside a macro of the library has the kernel's own place" "kernel: compute.c does not build: mine/compute.c:13:5: error: expected ';' before" mine
sed -i 's/cb_wait_front(CB_A, 1)$/cb_wait_front(CB_A, 1);/; s/kernel_main/kernel_mian/' mine/compute.c
bad "no kernel_main" 'kernel: compute.c does not build: it has no function kernel_main$' mine
sed -i 's/kernel_mian/kernel_main/' mine/compute.c
"$T" kernel new "a b's" > "$dir/out" && "$T" kernel build "a b's" >> "$dir/out" && [ "$(grep -c "now: tessera kernel run 'a b'\\\\''s'\$" "$dir/out")" = 2 ]
check "the next command has a folder's name with blanks in quotes" $?
"$T" kernel new mine > "$dir/out" 2> "$dir/err"
[ $? = 2 ] && said 'mine'
check "new does not write over a folder: one line, exit code 2" $?

# --- mistakes that the run finds, with the user's own line ---
sed -i 's/pack_tile(0, CB_C)/pack_tile(8, CB_C)/' mine/compute.c
run mine
[ $? = 3 ] && said 'compute.c:20: TRISC2 stopped: tile 8 does not fit into this part of Dst, which has tiles 0 to 7$'
check "a tile beyond Dst: one line with the kernel's own line, exit code 3" $?
sed -i 's/pack_tile(8, CB_C)/pack_tile(0, CB_C)/; s/get_arg_val(0)/get_arg_val(1)/' mine/compute.c
run mine
[ $? = 3 ] && said 'compute.c:10: TRISC[0-2] stopped: get_arg_val(1): the host gave 1 such arguments: add it to args in kernel.chip, or --arg'
check "an argument that the description does not give: one line with the kernel's own line" $?
run mine --arg compute.1=8
check "--arg gives it" $?
sed -i 's/get_arg_val(1)/get_arg_val(0)/' mine/compute.c
if whole; then
  mkdir linear && cp "$top"/examples/linear/*.* linear && sed -i '/pack_reconfig_data_format/d' linear/compute.c
  run linear
  [ $? = 3 ] && said 'compute.c:[0-9]*: TRISC2 stopped: circular buffer 24 has another data format than the packer: call pack_reconfig_data_format'
  check "FP32 pages and a packer that is set to BF16: one line with the kernel's own line" $?
else left_out 1; fi
cp -r mine early && sed -i '/cb_reserve_back/d' early/reader.c && sed -i 's/^    noc_async_write_page/    if (i == 7) tt_store(0xFF000000u, 1);\n&/' early/writer.c
run early
[ $? = 3 ] && said 'writer.c:10, in tt_store): BRISC stopped: ' && grep -q '^findings$' "$dir/out" && grep -q '^reader.c:9 .*; CB_NOT_HELD]$' "$dir/out" &&
  grep -q '^  other side: reader.c:' "$dir/out" && ! grep -q '^core ' "$dir/out"
check "a fault: its line, and the findings before it, which may be the cause" $?
sed -i 's/if (i == 7) tt_store(0xFF000000u, 1)/KERNEL_CHECK(i < 7, "my own check")/' early/writer.c
run early
[ $? = 3 ] && said 'writer.c:10: BRISC stopped: my own check$' && grep -q '^reader.c:9 .*; CB_NOT_HELD]$' "$dir/out"
check "a check that fails: the same" $?
sed -i 's/cb_push_back(CB_A, 1)/cb_push_back(CB_A, 3)/' mine/reader.c
run mine
[ $? = 3 ] && said 'reader.c:[0-9]*: NCRISC stopped: 3 pages pushed or popped at once wrap around'
check "a count that wraps: one line with the kernel's own line" $?
sed -i 's/^void kernel_main/static volatile char big[9000];\nvoid kernel_main/; s/^    cb_wait_front/    big[i] = 1;\n&/' mine/writer.c
bad "a kernel that does not fit" 'kernel: writer.c does not build: .*do not fit into the core.s local RAM' mine

# An error in a header of the user's own, with another error behind it; the chip's name; a negative argument.
if whole; then
  "$T" kernel new own > /dev/null && rm own/compute.c
  echo 'template <int N> inline void helper() { not_there<N>(1); }' > own/helper.h
  printf '#include "helper.h"\nvoid kernel_main() {\n  helper<1>();\n  int x = ALSO_MISSING;\n}\n' > own/compute.cpp
  "$T" kernel build own > "$dir/out" 2> "$dir/err"
  [ $? = 2 ] && said 'compute.cpp does not build: own/helper.h:1:41: error: .not_there. was not declared'
  check "an error in the user's own header has its own place" $?
  printf '#ifdef ARCH_BLACKHOLE\nvoid kernel_main() { DPRINT("{} {}\\n", (int32_t)get_arg_val<uint32_t>(0), APPROX); }\n#endif\n' > own/compute.cpp
  sed -i '/^expect/d; s/^args compute .*/args compute -7/' own/kernel.chip
  run own --max-cycles 9000
  grep -qx 'TRISC1: -7 false' "$dir/out"
  check "ARCH_BLACKHOLE before any header, APPROX, a negative argument" $?
  printf 'kernel 1-2,2 own/build\nargs 1-2,2 compute -8\n' > prints.chip
  "$T" chip run prints.chip --max-cycles 9000 > "$dir/out" 2> "$dir/err"
  grep -qx '(1, 2) TRISC1: -8 false' "$dir/out" && grep -qx '(2, 2) TRISC2: -8 false' "$dir/out"
  check "chip run prints what kernels print" $?
  run own --no-build --max-cycles 9000 --arg compute.0=-2147483649
  [ $? = 2 ] && said "'-2147483649' is neither a 32-bit number nor"
  check "a negative argument of more than 32 bits: one line, exit code 2" $?
else left_out 4; fi

# until: the run of a kernel that never returns ends where its word has its value, and the expectations are compared.
"$T" kernel new serve > /dev/null
sed -i '$d' serve/writer.c
printf '  *(volatile uint32_t *)0x100000 = 7;\n  for (volatile uint32_t i = 0;; i++) {\n  }\n}\n' >> serve/writer.c
echo 'until 1,2 0x100000 0xff 7' >> serve/kernel.chip
run serve --json "$dir/serve.json"
[ $? = 0 ] && head -n 1 "$dir/out" | grep -q '^stopped after [0-9]* cycles$' && grep -q 'C against sum of A and B: .*: good' "$dir/out" &&
  grep -q '"result": *"stopped"' "$dir/serve.json"
check "until ends the run of a kernel that never returns" $?
sed -i 's/0xff 7/0xff 8/' serve/kernel.chip
run serve --max-cycles 50000
[ $? = 6 ] && head -n 1 "$dir/out" | grep -q '^limit after 50000 cycles: BRISC still runs'
check "a word that never has its value: the limit" $?

# A core that computes forever: the limit names its line and the cycle since which it has accessed only its own memory.
"$T" kernel new busy > /dev/null
printf '#include "compute.h"\nvoid kernel_main(void) {\n#ifdef TRISC_MATH\n  for (volatile int i = 0;; i++) {\n  }\n#endif\n}\n' > busy/compute.c
TESSERA_PROGRESS_SECONDS=0 "$T" kernel run busy --max-cycles 300000 --json "$dir/json" > "$dir/out" 2> "$dir/err"
[ $? = 6 ] && grep -q '^tessera kernel: not done after 300000 cycles: TRISC1 still runs at compute.c:4, and has read and written only its own memory since cycle [0-9]*; writer.c:9 (BRISC) has been waiting for page 1 of CB 16 since cycle [0-9]*; reader.c:9 (NCRISC) has been waiting for room in CB 0 since cycle [0-9]*$' "$dir/err" &&
  grep -q '^tessera kernel: still running after 0 s: [0-9]* cycles' "$dir/err" && [ "$(wc -l < "$dir/err")" = 2 ] &&
  grep -q '"running":\[{"core":"TRISC1","place":{.*"line":4.*"alone_since":[0-9]*,"polls":null}\]' "$dir/json"
check "a loop over a local variable ends at the limit with its line" $?

# A loop over pages reads words that no agent changes, for a branch: arguments, its own count, the number of banks. It waits for none of them.
"$T" kernel new pages > /dev/null
sed -i 's/64x128/512x512/; /^expect/d' pages/kernel.chip
sed -i 's/i = 0, tiles = get_arg_val(2); i < tiles;/i = 0; i < *(volatile uint32_t *)0x90000;/; s/^  for/  *(volatile uint32_t *)0x90000 = get_arg_val(2);\n&/' pages/reader.c
sed -i 's/^void kernel_main/static volatile uint32_t seed = 3;\n&/; s/^    noc_async_read_barrier/    for (uint32_t n = 0; n < 300; n++) seed = seed * 3 + 1;\n&/' pages/reader.c
sed -i 's/tiles = get_arg_val(1); i < tiles;/tiles = 0; i < get_arg_val(1) + tiles;/' pages/writer.c
"$T" kernel build pages > "$dir/out" 2> "$dir/err"
quiet=0
for cycles in 20000 30000 41000 61777; do
  run pages --no-build --check none --max-cycles $cycles --json "$dir/json"
  [ $? = 6 ] && head -n 1 "$dir/out" | grep -q "^limit after $cycles cycles: " && ! grep -q ' its loop has been ' "$dir/out" "$dir/err" &&
    ! grep -q '"polls":{' "$dir/json" && quiet=$((quiet + 1))
done
[ $quiet = 4 ]
check "a loop over pages polls nothing at the limit" $?

# A file of the library that is too large to be summed for the kept firmware: the build does without.
dd if=/dev/zero of="$dir/library/include/large.bin" bs=1048576 count=9 2> /dev/null
"$T" kernel new heavy > /dev/null
"$T" kernel build heavy --library "$dir/library" > "$dir/out" 2>&1 && [ "$(wc -l < "$dir/out")" = 1 ]
check "a large file beside the library's headers: no line about it" $?

# Builds at once in one fresh folder: each waits for the one before.
"$T" kernel new atonce > /dev/null
for i in 1 2 3; do
  { "$T" kernel build atonce > "$dir/once$i" 2>&1 || echo failed >> "$dir/once$i"; } &
done
wait
cat "$dir"/once? > "$dir/out"
! grep -q 'failed\|does not build\|cannot' "$dir/out" && "$T" kernel run atonce --no-build --timing off > /dev/null
check "builds at once in one folder" $?
