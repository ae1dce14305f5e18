# Programs of a kernel's folder with tiles of their own, expressions in arguments, builds with other options, and builds after a change. Prints TAP.
# Reads BUILD.
. tests/tap.sh
BUILD=${BUILD:-build}
case $BUILD in /*) T=$BUILD/tessera ;; *) T=$PWD/$BUILD/tessera ;; esac
for program in riscv64-unknown-elf-gcc python3; do
  command -v $program > /dev/null || { echo "1..0 # SKIP no $program"; exit 0; }
done
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
check() { # NAME RESULT
  if [ "$2" -eq 0 ]; then echo "ok - $1"; else
    echo "not ok - $1"
    sed 's/^/# /' "$dir/out" | head -n 12
  fi
}
cd "$dir" || exit 1

# A sender and three receivers with kernels of their own, which share the writer.
"$T" kernel new two --template multicast > out 2>&1
cp -r two two.new
"$T" kernel run two > out 2>&1 && grep -q '4 tiles ran' out && python3 -c '
a, c = (open(f"two/{n}.npy", "rb").read()[128:] for n in "ac")
assert c == 4 * a'
check "two programs of one folder on a grid: the sender's tile has the last program that names it" $?
[ -f two/build/sender/ncrisc.elf ] && [ -f two/build/receiver/ncrisc.elf ] && [ ! -e two/build/ncrisc.elf ]
check "a build folder per program" $?
"$T" kernel run two --build other --arg receiver.0=1 > out 2>&1
[ $? -eq 2 ] && "$T" kernel run two --build other > out 2>&1 && [ -f other/sender/brisc.elf ]
check "programs with --build" $?
"$T" kernel run two --no-build --tile 2,3 --json json > out 2>&1 && grep -q '"cycles"' json
check "programs with --no-build, --tile and --json" $?

wrong() { # NAME LINE SED: one line of error after this change
  rm -rf bad
  cp -r two.new bad
  sed -i "$3" bad/kernel.chip
  "$T" kernel run bad > out 2>&1
  [ $? -eq 2 ] && [ "$(wc -l < out)" -eq 1 ] && grep -qF "$2" out
  check "$1" $?
}
wrong "program without a grid" "program needs a line 'grid TILES' above" '/^grid/d'
wrong "tiles outside the grid" "program receiver: its tiles lie outside the grid" 's/receiver 1-2,2-3/receiver 1-3,2-3/'
wrong "a program without tiles" "program sender: its tiles are missing" 's/sender 1,2/sender/'
wrong "two programs of one name" "program sender is there already" 's/program receiver/program sender/'
wrong "a program's folder without kernels" "bad/none has no reader.c" 's/program sender 1,2/program none 1,2/; /^writer writer/d'
wrong "an unknown name in an expression" "'x-cal', at 'cal': it is neither a number nor a name" 's/x-col/x-cal/'
wrong "a division by zero" "'x/(row-row)': divides by 0" 's/x-col/x\/(row-row)/'
wrong "an open parenthesis" "'x-(col': a ) is missing" 's/x-col/x-(col/'
wrong "a missing operand" "'x*': a number or a name is missing" 's/x-col/x*/'
wrong "a value of more than 32 bits" "'x*0x80000000*4': does not fit into 32 bits" 's/x-col/x*0x80000000*4/'

# Expressions: compared with the shell's arithmetic on each tile of a grid.
mkdir words
cat > words/reader.cpp << 'E2'
#include "dataflow_api.h"
void kernel_main() {
  for (uint32_t i = 0; i < 8; i++) DPRINT("{} ", (int)get_arg_val<uint32_t>(i));
  DPRINT("\n");
}
E2
cat > words/kernel.chip << 'E2'
grid 6-11,3-4
tensor A zero:96x64 bf16 tiles dram
args reader index row*cols+col (A.pages+1)/cols -3+col*2 -(x-y)*2 A.pages%4-A.ht what=2*(rows+1) 17-3-4
E2
"$T" kernel run words > out 2>&1
got=$(grep -c ') NCRISC: ' out)
bad=0
for y in 3 4; do
  for x in 6 7 10 11; do
    col=$((x < 8 ? x - 6 : x - 8)) row=$((y - 3))
    grep -q "$x, *$y.*: $((row * 4 + col)) $((row * 4 + col)) $((7 / 4)) $((-3 + col * 2)) $((-(x - y) * 2)) $((6 % 4 - 3)) 6 10 *\$" out || bad=1
  done
done
[ "$got" -eq 8 ] && [ $bad -eq 0 ]
check "expressions of col, row, index, cols, rows, x, y and a tensor's sizes on 4 x 2 tiles" $?

# The templates: each without a finding, and with the result of plain arithmetic.
"$T" kernel new --list > out 2>&1 && [ "$(cut -d' ' -f1 out | tr '\n' ' ')" = 'add copy eltwise matmul multicast reduce ring softmax ' ] && ! grep -qvE '^[a-z]+ +[A-Z].*[.)]$' out
check "kernel new --list: a line per template" $?
for template in copy eltwise matmul reduce ring softmax; do
  "$T" kernel new "$template" --template "$template" > out 2>&1 && "$T" kernel run "$template" --strict > out 2>&1
  check "template $template" $?
done
python3 - > out 2>&1 << 'PY'
import math, struct
def load(name):
    data = open(name, "rb").read()
    return struct.unpack("<%df" % ((len(data) - 128) // 4), data[128:])
assert load("ring/c.npy") == 4 * load("ring/a.npy")
sums = load("reduce/c.npy")
assert [sums[32 * row] for row in range(64)] == 64 * [0.25 * 128]
a, c = load("softmax/a.npy"), load("softmax/c.npy")
for row in range(64):
    x = a[128 * row : 128 * row + 128]
    e = [math.exp(v - max(x)) for v in x]
    assert all(abs(v / sum(e) - got) < 0.001 for v, got in zip(e, c[128 * row : 128 * row + 128])), row
PY
check "results of ring, reduce and softmax" $?
"$T" kernel new none --template no-such > out 2>&1
[ $? -eq 2 ] && grep -q "no template 'no-such': tessera kernel new --list names them" out && [ ! -e none ]
check "a template that does not exist" $?

# Mistakes that the compiler names in one line, with tt-metal's spelling.
mkdir raw
printf '#include "api/dataflow/dataflow_api.h"\nconstexpr uint32_t n = 0;\nvoid kernel_main() { (void)get_arg(n); }\n' > raw/reader.cpp
: > raw/kernel.chip
"$T" kernel run raw > out 2>&1
[ $? -eq 2 ] && [ "$(wc -l < out)" -eq 1 ] && grep -q 'reader.cpp:3:.*get_arg takes a name of kernel.chip, get_arg(args::NAME); argument number n is get_arg_val<uint32_t>(n)' out
check "get_arg of a number" $?

# Builds after a change of a header, also to an older one, and with other options.
"$T" kernel new mine > out 2>&1
printf '#define TILES_MORE 0\n' > mine/more.h
sed -i '1i #include "more.h"' mine/reader.c
sed -i 's/tiles = get_arg_val(2)/tiles = get_arg_val(2) + TILES_MORE/' mine/reader.c
grep -q TILES_MORE mine/reader.c && "$T" kernel run mine > out 2>&1
check "a folder with a header" $?
stamp() { cksum < mine/build/ncrisc.elf; }
first=$(stamp)
cp -p mine/more.h older.h
sleep 0.02
printf '#define TILES_MORE 1\n' > mine/more.h
"$T" kernel build mine > out 2>&1 && second=$(stamp) && [ "$first" != "$second" ]
check "a newer header is compiled" $?
cp -p older.h mine/more.h
"$T" kernel build mine > out 2>&1 && [ "$(stamp)" = "$first" ]
check "a header that an older one replaces is compiled" $?
made=$(ls -l --time-style=full-iso mine/build/ncrisc.elf)
"$T" kernel build mine > out 2>&1 && [ "$(ls -l --time-style=full-iso mine/build/ncrisc.elf)" = "$made" ]
check "nothing is compiled twice" $?
"$T" kernel run mine --debug > out 2>&1 && grep -qx -e '-Og' mine/build/ncrisc.made
check "--debug compiles for the debugger" $?
"$T" kernel run mine --cflag -O3 --cflag -DUNUSED=1 > out 2>&1 && grep -qx -e '-DUNUSED=1' mine/build/brisc.made
check "--cflag is passed to the compiler" $?
"$T" kernel build mine --cc 'riscv64-unknown-elf-gcc -DFROM_CC=1  -fno-ipa-cp' > out 2>&1 && grep -qx -e '-fno-ipa-cp' mine/build/brisc.made
check "--cc with arguments" $?
"$T" kernel build mine --cc 'no-such-compiler -O2' > out 2>&1
[ $? -eq 2 ] && grep -q "cannot find the compiler 'no-such-compiler'" out
check "--cc with the name of no program" $?
