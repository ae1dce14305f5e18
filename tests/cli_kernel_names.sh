# Names of kernel.chip as the constants of C++ kernels: args::NAME, dfb::NAME, sem::NAME, tensor::NAME, scratch::NAME (examples/names), their values, and one line
# with the user's place for a name that is missing. Prints TAP.
. tests/tap.sh
BUILD=${BUILD:-build}
top=$(pwd)
T=$top/$BUILD/tessera
case $BUILD in /*) T=$BUILD/tessera ;; esac
command -v riscv64-unknown-elf-gcc > /dev/null || { echo "1..0 # SKIP no riscv64-unknown-elf-gcc"; exit 0; }
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cp -r examples/names "$dir/names"
cd "$dir" || exit 1
number=0
check() { # NAME RESULT
  number=$((number + 1))
  if [ "$2" = 0 ]; then echo "ok $number - $1"; else
    echo "not ok $number - $1"
    sed 's/^/# /' log | tail -n 5
  fi
}
run() { "$T" kernel run "$@" > log 2>&1; }
refused() { # NAME PATTERN [OPTIONS]: exit code 2 and exactly one line
  name=$1 pattern=$2
  shift 2
  run names "$@"
  [ $? = 2 ] && [ "$(wc -l < log)" = 1 ] && grep -qE "$pattern" log
  check "$name" $?
}
again() { cp "$top"/examples/names/*.* names; }

run names
check "the example: C is the sum of A and B" $?
run names --arg compute.scale=float:2
[ $? = 1 ] && grep -q 'C against sum of A and B: .*WRONG' log
check "--arg by a name changes the argument" $?
refused "--arg with a name that the description does not have" '^tessera kernel: --arg size=3: names/kernel.chip names no argument size: ' --arg size=3

# Values and indices: runtime, common and compile-time arguments, those without a name after them, and what each namespace holds.
mkdir values
cat > values/kernel.chip << 'END'
tensor A random:64x96:1 bf16 tiles dram
tensor S zero:32x64 bf16 tiles 1,2
buffer first=3 2 A
args first=11 second=-2 33 44
args common shared=55 66
compile reader 7 block=8 9 wide=A.wt half=float:0.5 dst=accessor:S src=accessor:A mine=buffer:3 go=semaphore:5 pad=scratch:128
compile limit=0xffffffff
END
cp "$top/tests/kernels/names_run.cpp" values/reader.cpp
run values
check "a kernel with all kinds of names" $?
grep -q '^NCRISC: compile 8 3 0x3f000000 0xffffffff$' log && grep -q '^NCRISC: run 11 -2 33 44$' log && grep -q '^NCRISC: common 55 66$' log
check "values of arguments by name, and of those after them" $?
grep -q '^NCRISC: tensors 2048 77 78$' log && grep -q '^NCRISC: pad 32 32 2$' log
check "tensors, a scratchpad and a buffer by name" $?
sed -i 's/pad\[31\] = 78/pad[32] = 78/' values/reader.cpp
run values
[ $? = 3 ] && grep -q "reader.cpp:15: NCRISC stopped: Scratchpad: the index is past its end" log
check "an index past a scratchpad" $?

# A name that is missing: the kernel's line, the name and the statement that adds it.
missing() { # SPACE::NAME SED HELP
  again
  sed -i "$2" names/reader.cpp
  refused "$1 is missing" "^tessera kernel: reader.cpp does not build: names/reader.cpp:[0-9]+:[0-9]+: kernel.chip does not name $1: add $3.* \(all of it: names/build/ncrisc.log\)\$"
}
missing args::tile 's/args::tiles/args::tile/' "'args reader tile=VALUE', 'args common ...' or 'compile ...'"
if [ "${TESSERA_TEST_SCALE:-100}" -ge 100 ]; then # make test-all has the others
missing dfb::in2 's/dfb::in1/dfb::in2/' "'compile reader in2=buffer:INDEX'"
missing sem::done 's/sem::ready/sem::done/' "'compile reader done=semaphore:INDEX'"
missing tensor::d 's/tensor::a/tensor::d/' "'compile reader d=accessor:TENSOR'"
missing scratch::pad 's/scratch::note/scratch::pad/' "'compile reader pad=scratch:BYTES'"
again
sed -i '/semaphore:0 note/d' names/kernel.chip
refused "the namespace has no name at all" "names/reader.cpp:10:[0-9]+: kernel.chip does not name scratch::note: add 'compile reader note=scratch:BYTES'"
named='get_named_compile_time_arg_val\("bloc"\): kernel.chip does not name this argument: add .compile compute bloc=VALUE.'
again
sed -i 's/get_arg(args::block)/get_named_compile_time_arg_val("bloc")/' names/compute.cpp
refused "a named compile-time argument that is missing, in a constant" "^tessera kernel: compute.cpp does not build: names/compute.cpp:7:[0-9]+: $named"
sed -i 's/constexpr uint32_t block/const uint32_t block/' names/compute.cpp
refused "the same outside a constant expression" "^tessera kernel: compute.cpp does not build: names/compute.cpp:7:[0-9]+: $named"
again
sed -i 's/get_arg(args::block)/get_compile_time_arg_val(4)/' names/compute.cpp
refused "a compile-time argument past the last" "^tessera kernel: compute.cpp does not build: names/compute.cpp:7:[0-9]+: error: .*the host gives fewer compile-time arguments: add it to 'compile' in kernel.chip"
fi

# Mistakes of the description.
wrong() { # NAME SED PATTERN
  again
  sed -i "$2" names/kernel.chip
  refused "$1" "^tessera kernel: names/kernel.chip:[0-9]+: $3\$"
}
wrong "a name that is a word of C++" 's/block=1/int=1/' "'int' is a word of C\+\+: choose another name"
wrong "one name twice in a kernel" 's/^args compute/& tiles=3/' "args::tiles is named twice for compute"
wrong "a name for a buffer that is not there" 's/buffer:16 block/buffer:17 block/' "out=buffer:17: there is no buffer 17"
wrong "a name for a tensor that is not there" 's/c=accessor:C/c=accessor:D/' "c=accessor:D: there is no tensor D"
wrong "a semaphore past the last" 's/ready=semaphore:0 note/ready=semaphore:32 note/' "ready=semaphore:32: the index must be below 32"
wrong "a scratchpad without a size" 's/note=scratch:64/note=scratch:x/' "note=scratch:x: a scratchpad has a multiple of 4 bytes, in L1"
wrong "a word of no kind" 's/block=1/block=one/' "'one' is neither a 32-bit number nor accessor:TENSOR, buffer:INDEX, semaphore:INDEX or scratch:BYTES"
wrong "compile without a kernel and without a name" 's/^compile writer/compile/; s/c=accessor:C/accessor:C/' "compile needs reader, compute or writer, or NAME=WORD"
wrong "a macro whose name is none" 's/^expect.*/&\ndefine A-B=1/' "'A-B=1' cannot be defined as a macro: write NAME or NAME=VALUE"
again
refused "--define with a name that is none" "^tessera kernel: --define takes NAME or NAME=VALUE, not 'A B=1'\$" --define 'A B=1'

# Shapes and iterators of a sharded tensor, headers, and --include.
mkdir more more/headers
cp "$top/tests/kernels/names_more.cpp" more/reader.cpp
echo '#define MINE 41' > more/headers/mine.h
printf 'tensor S zero:64x128 bf16 tiles 1-2,2\nbuffer 0 2 S\ncompile reader s=accessor:S\n' > more/kernel.chip
run more --include more/headers --check none
[ $? = 0 ] && grep -qx 'NCRISC: 42 0 1 8 4' log && grep -qx 'NCRISC: 3 5' log && grep -qx 'NCRISC: 5 6' log
check "dspec, iterators and --include" $?
grep -qx 'NCRISC:   \[0x100000\] 0x0000abcd' log && grep -q '^NCRISC: cb_id 0: { size: 4096,' log && grep -qx 'NCRISC: checkpoint here' log
check "debug_dump_l1, debug_dump_cb and DEBUG_CHECKPOINT" $?
run more
[ $? = 2 ] && [ "$(wc -l < log)" = 1 ] && grep -q 'more/reader.cpp:[0-9]*:[0-9]*: fatal error: mine.h: No such file or directory' log
check "a header that no folder has" $?
run more --include nowhere
[ $? = 2 ] && grep -qx 'tessera kernel: --include nowhere: No such file or directory' log
check "--include of a folder that does not exist" $?

# Constant tiles take floats as well as the bits of one, in C and in C++.
mkdir constants
printf 'tensor A zero:32x32 bf16 tiles dram\nbuffer 0 2 A\nbuffer 1 2 A\nbuffer 2 2 A\n' > constants/kernel.chip
for language in c cpp; do
  rm -f constants/reader.*
  cat > constants/reader.$language << 'END'
#include "constant_tiles.h"
#include "dprint.h"
void kernel_main(void) {
  push_filled_tile(0, 1.5f);
  push_scaler_tile(1, 0.25);
  push_column_tile(2, 0x40000000u);
  DPRINT("{:#x} {:#x} {:#x}\n", tt_load(get_read_ptr(0)), tt_load(get_read_ptr(1)), tt_load(get_read_ptr(2)));
}
END
  run constants --check none && grep -qx 'NCRISC: 0x3fc03fc0 0x3e803e80 0x4000' log
  check "constant tiles of floats, .$language" $?
done
# C++ functions have readable names in reports without debug information too, and a breakpoint takes them as they are shown.
cat > waits.cc << 'END'
namespace ns { template <int N, bool B> struct Gate { __attribute__((noinline)) static void wait(volatile unsigned *p, unsigned v) { while (*p != v) {} } }; }
extern "C" void go() { ns::Gate<7, true>::wait((volatile unsigned *)0x20000, 5); }
extern "C" __attribute__((naked)) void _start() { __asm__ volatile("li sp, 0xFFB00800\n call go\n ebreak"); }
END
riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -nostdlib -ffreestanding -O2 -Ttext=0 -e _start -o waits.elf waits.cc 2> log &&
  "$T" run --elf brisc=waits.elf > log 2>&1
[ $? = 4 ] && [ "$(grep -c 'in ns::Gate<7, true>::wait' log)" -ge 2 ] && ! grep -q _ZN log
check "a hang report has the readable name of a C++ function" $?
"$T" run --elf brisc=waits.elf --break 'brisc:ns::Gate<7, true>::wait' > log 2>&1 && grep -q '^break: BRISC at 0x[0-9a-f]* ns::Gate<7, true>::wait+0x0' log
check "a breakpoint at that name" $?
cat > overloads.cc << 'END'
namespace ns {
__attribute__((noinline)) void poke(int v) { *(volatile int *)0x20000 = v; }
__attribute__((noinline)) void poke(short v) { *(volatile short *)0x20004 = v; }
}
__attribute__((noinline)) void poke(char *p) { *(volatile char *)p = 1; }
extern "C" void go() { ns::poke((short)1); poke((char *)0x20008); ns::poke(1); }
extern "C" __attribute__((naked)) void _start() { __asm__ volatile("li sp, 0xFFB00800\n call go\n ebreak"); }
END
riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -nostdlib -ffreestanding -O2 -Ttext=0 -e _start -o overloads.elf overloads.cc 2> log &&
  "$T" run --elf brisc=overloads.elf --break brisc:ns::poke > log 2>&1 && grep -q '^break: BRISC at 0x[0-9a-f]* ns::poke+0x0' log &&
  "$T" run --elf brisc=overloads.elf --break brisc:poke > other 2>&1 && grep -q '^break: BRISC at 0x[0-9a-f]* poke+0x0' other &&
  [ "$(grep '^break' log | cut -d' ' -f4)" = "0x$(riscv64-unknown-elf-nm overloads.elf | sed -n 's/ T _ZN2ns4pokeEs//p')" ]
check "a breakpoint at overloads stops at the first that is called" $?

echo "1..$number"
