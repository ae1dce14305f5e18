#!/bin/sh
# Every command runs with a stack of 256 KiB: reports of hangs, verdicts and profiles have their large values elsewhere. Prints TAP. Reads BUILD.
. tests/tap.sh
set -u
case ${BUILD:-build} in *asan*) echo "1..0 # SKIP the sanitizers need more"; exit 0 ;; esac
t=$(realpath "${BUILD:-build}/tessera") number=0 failed=0
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
small() { # EXIT_CODE COMMAND...
  want=$1; shift
  (ulimit -s 256; exec "$@" > "$work/out" 2> "$work/err")
  code=$? number=$((number + 1))
  if [ $code -eq "$want" ]; then echo "ok $number - $*"; else
    failed=1
    echo "not ok $number - exit code $code, not $want: $*"
    sed 's/^/# /' "$work/err" | head -n 5
  fi
}
cat > "$work/hang.tta" << 'CODE'
.thread 0
  ttsemwait 0x1ff, 1 << semaphore::MATH_PACK, p_stall::STALL_ON_ZERO
  ttnop
CODE
small 0 "$t" exec examples/mop_and_replay.tta --account --json --trace "$work/t.vcd" --profile "$work/p.json" --coverage "$work/c.info" --sarif "$work/s"
small 4 "$t" exec "$work/hang.tta" --verbose --sarif "$work/s"
small 4 "$t" exec "$work/hang.tta" --json
small 0 "$t" explore tests/asm/handshake.tta --schedules 3 --json "$work/j" --sarif "$work/s"
small 0 "$t" pto run examples/pto/attention.pto --report "$work/r.html" --sarif "$work/s"
small 4 "$t" pto run examples/pto/issue301.pto --json
small 0 "$t" pto sweep examples/pto/stages.pto --depth 1:2 --svg "$work/s"
small 0 "$t" conform tests/cases/fpu.case.gz
small 0 "$t" isa MVMUL
small 0 "$t" man tessera
if command -v riscv64-unknown-elf-gcc > /dev/null; then
  small 0 "$t" kernel new "$work/k"
  small 0 "$t" kernel build "$work/k"
  small 0 "$t" kernel run "$work/k" --why --what-if all --report "$work/r.html" --json "$work/j" --profile "$work/p.json" --coverage "$work/c" --sarif "$work/s" --out "C=$work/c.npy"
  small 0 "$t" kernel run "$work/k" --trace "$work/t.pftrace"
  small 0 "$t" explore "$work/k" --schedules 2 --sarif "$work/s"
  small 6 "$t" kernel run "$work/k" --max-cycles 3000 --json "$work/j" --sarif "$work/s"
  sed -i 's/^args compute.*/args compute 99/' "$work/k/kernel.chip"
  small 4 "$t" kernel run "$work/k" --verbose --json "$work/j" --sarif "$work/s" --report "$work/r.html"
  sed -i 's/^grid.*/grid 1-2,2/' "$work/k/kernel.chip"
  small 4 "$t" kernel run "$work/k" --verbose --json "$work/j" --sarif "$work/s" --report "$work/r.html" --why
fi
echo "1..$number"
exit $failed
