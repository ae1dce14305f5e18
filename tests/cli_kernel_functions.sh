# Functions of the C++ API in their formats and modes, each compared with plain arithmetic (tests/kernels/api_groups.py, api_words.py), and those
# that refuse a kernel. Each run compiles a kernel: below TESSERA_TEST_SCALE 100 the words and one group run, below 1000 (make test-all) every group in
# two of its formats, from there on (make soak) in all. Prints TAP.
. tests/tap.sh
BUILD=${BUILD:-build}
T=$(pwd)/$BUILD/tessera
case $BUILD in /*) T=$BUILD/tessera ;; esac
for program in riscv64-unknown-elf-gcc python3; do
  command -v $program > /dev/null || { echo "1..0 # SKIP no $program"; exit 0; }
done
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
scale=${TESSERA_TEST_SCALE:-100}
some=block-maximum/bf16
[ "$scale" -lt 100 ] || some=--two
[ "$scale" -lt 1000 ] || some=
number=0
failures=0
# The numbers of each part follow those of the part before.
run() { # PROGRAM ARGUMENTS...
  python3 "$@" > "$dir/tap" 2> "$dir/err" || failures=1
  sed 's/^/# /' "$dir/err"
  sed -n "/^1\.\./d; s/^\(not \)*ok [0-9]* - /\1ok - /p; /^#/p" "$dir/tap" > "$dir/lines"
  while IFS= read -r line; do
    case $line in
      'ok - '*) number=$((number + 1)); echo "ok $number - ${line#ok - }" ;;
      'not ok - '*) number=$((number + 1)); echo "not ok $number - ${line#not ok - }" ;;
      *) printf '%s\n' "$line" ;;
    esac
  done < "$dir/lines"
}
run tests/kernels/api_words.py "$T" "$dir"
run tests/kernels/api_cases.py "$T" "$dir" $some

[ "$scale" -ge 100 ] || { echo "1..$number"; exit $failures; }
refused() { # NAME LINE CODE: a compute kernel with this code stops with this line
  mkdir "$dir/$1"
  printf '#include "api/compute/compute_kernel_api.h"\nvoid kernel_main() {\n  compute_kernel_hw_startup(0, 16);\n  %s\n}\n' "$3" > "$dir/$1/compute.cpp"
  printf 'tensor A zero:32x32 bf16 tiles dram\nbuffer 0 2 A\nbuffer 16 2 A\n' > "$dir/$1/kernel.chip"
  number=$((number + 1))
  if "$T" kernel run "$dir/$1" --timing off > "$dir/log" 2>&1 || ! grep -qi "$2" "$dir/log"; then
    echo "not ok $number - $1"
    failures=1
    sed 's/^/# /' "$dir/log" | head -3
  else
    echo "ok $number - $1"
  fi
}
refused width-of-dst 'compute.cpp:4: TRISC[0-2] stopped: Dst has one width per kernel' 'enable_fp32_dest_acc();'
refused rounded-quotient 'does not build: .*compute.cpp:4.*RoundingMode::Trunc and Floor need a 32-bit Dst: compile with DST_ACCUM_MODE 1' 'rdiv_tile<RoundingMode::Floor>(0, 0x3f800000);'
refused sticky-bits 'compute.cpp:4.*FPU_STICKY_BITS' '(void)get_compute_special_value_flags();'
refused sticky-bits-cleared 'compute.cpp:4.*FPU_STICKY_BITS' 'clear_compute_special_value_flags();'
echo "1..$number"
exit $failures
