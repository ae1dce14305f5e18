# Files that cannot be written are refused before the run, by every verb and option that writes one; and `tessera chip run` refuses arguments that kernels built for fewer
# could not read. One line each. Prints TAP.
. tests/tap.sh
BUILD=${BUILD:-build}
T=$(pwd)/$BUILD/tessera
case $BUILD in /*) T=$BUILD/tessera ;; esac
example=$(pwd)/examples/pto/issue188.pto
command -v riscv64-unknown-elf-gcc > /dev/null || { echo "1..0 # SKIP no riscv64-unknown-elf-gcc"; exit 0; }
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
number=0
check() { # NAME RESULT
  number=$((number + 1))
  if [ "$2" = 0 ]; then echo "ok $number - $1"; else
    echo "not ok $number - $1"
    cat out err | sed 's/^/# /' | head -n 4
  fi
}
refused() { # PATTERN COMMAND...: exit code 2, one line, nothing of a run on standard output
  pattern=$1
  shift
  "$T" "$@" > out 2> err
  [ $? = 2 ] && [ ! -s out ] && [ "$(wc -l < err)" = 1 ] && grep -q "$pattern" err
  check "$*" $?
}
"$T" kernel new mine > /dev/null
"$T" kernel build mine > /dev/null
x=none/x
why='x[.a-z]*: could not be written: No such file or directory$'
refused "^tessera kernel: --out C=$x.npy: none/$why" kernel run mine --out C=$x.npy
for option in json sarif trace profile report coverage; do refused "^tessera kernel: none/$why" kernel run mine --$option $x; done
refused '^tessera kernel: --out C=mine: mine: could not be written: Is a directory$' kernel run mine --out C=mine
cp mine/kernel.chip chip
for line in 'save C ../none/x.npy' 'dump 1,2 0 64 ../none/x.bin'; do
  { cat chip; echo "$line"; } > mine/kernel.chip
  refused "^tessera kernel: mine/kernel.chip:18: mine/../none/$why" kernel run mine
done
{ cat chip; echo 'save D d.npy'; } > mine/kernel.chip
refused '^tessera kernel: mine/kernel.chip:18: there is no tensor D$' kernel run mine
cp chip mine/kernel.chip
sed 's/^grid.*/kernel 1,2 mine\/build/; s/^\(buffer\|args\)/& 1,2/' chip > run.chip
"$T" chip run run.chip > out 2> err
check "chip run of the folder's executables" $?
for option in json sarif report; do refused "^tessera chip: none/$why" chip run run.chip --$option $x; done
refused "^tessera chip: none/$why" chip run run.chip --trace $x.json
{ cat run.chip; echo 'save C none/x.npy'; } > save.chip
refused "^tessera chip: save.chip:18: none/$why" chip run save.chip
for option in json sarif trace profile report coverage save-state; do
  refused "^tessera run: none/$why" run --elf brisc=mine/build/brisc.elf --max-cycles 5000 --$option $x
done
refused "^tessera run: none/$why" run --elf brisc=mine/build/brisc.elf --max-cycles 5000 --dump 0:64:$x
for option in json sarif; do refused "^tessera explore: none/$why" explore --elf brisc=mine/build/brisc.elf --max-cycles 5000 --$option $x; done
for option in sarif report; do refused "^tessera pto run: none/$why" pto run "$example" --$option $x; done
refused "^tessera pto check: none/$why" pto check "$example" --sarif $x
"$T" kernel run mine --out C=c.npy > out 2> err && [ -s c.npy ] && [ "$(ls | grep -c part)" = 0 ]
check "a file that can be written, and nothing beside it" $?

cp chip mine/kernel.chip
for role in reader compute; do
  printf 'void kernel_main(void) {}\n' > mine/$role.c
  [ $role = compute ] && header=compute || header=dataflow
  refused "^tessera kernel: $role.c does not build: it includes no header of the kernel library: #include \"$header.h\"\$" kernel build mine
  rm mine/$role.c && "$T" kernel new other > out && mv other/$role.c mine && rm -r other
done

# The number of arguments is part of the executables.
for role in reader:3 compute:1 writer:2; do
  sed "/^args ${role%:*}/d" chip > mine/kernel.chip
  "$T" kernel build mine > /dev/null
  refused "^tessera chip: run.chip:[0-9]*: the kernels were built for 0 ${role%:*} arguments, this line gives ${role#*:}: tessera kernel build takes the number from args in kernel.chip\$" chip run run.chip
done
{ sed '/^args/d' chip; echo 'args 1 2'; } > mine/kernel.chip
"$T" kernel build mine > /dev/null
refused '^tessera chip: run.chip:[0-9]*: the kernels were built for 2 reader arguments, this line gives 3: ' chip run run.chip
# Kernels that were built for more than 32 read them elsewhere: 33 and one given.
mkdir many
printf 'void kernel_main() { DPRINT("{} {}\\n", get_arg_val<uint32_t>(0), get_arg_val<uint32_t>(32)); }\n' > many/reader.cpp
echo "args reader $(seq -s ' ' 1 33)" > many/kernel.chip
"$T" kernel build many > /dev/null
printf 'kernel 1,2 many/build\nargs 1,2 reader 71\n' > many.chip
"$T" chip run many.chip > out 2> err && grep -q 'NCRISC: 71 0$' out
check "fewer arguments than the kernel was built for are zero, also past the 32nd" $?
echo "1..$number"
