# An adapter of the Debug Adapter Protocol, as Visual Studio Code uses it, on a run that waits for gdb. Installs cdt-gdb-adapter with npm into
# $BUILD/dap when it is not there. Prints TAP. Reads BUILD. Not part of make test: it needs the network once.
. tests/tap.sh
BUILD=${BUILD:-build}
for tool in gdb-multiarch riscv64-unknown-elf-gcc node npm python3; do
  command -v $tool > /dev/null || { echo "1..0 # SKIP $tool is not installed"; exit 0; }
done
adapter=$BUILD/dap/node_modules/cdt-gdb-adapter/dist/debugTargetAdapter.js
[ -f "$adapter" ] || npm install --silent --ignore-scripts --prefix "$BUILD/dap" cdt-gdb-adapter@1.7.0 > /dev/null 2>&1 ||
  { echo "1..0 # SKIP cdt-gdb-adapter cannot be installed"; exit 0; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
. tests/gdb_rig.sh
echo "1..1"
gdb_programs 2> "$work/err" || { ok "the kernels compile" 1; exit 1; }
# shellcheck disable=SC2086
"$BUILD/tessera" run --check none --gdb "unix:$work/socket" $run > /dev/null 2>&1 &
tessera=$!
for i in 1 2 3 4 5 6 7 8 9 10; do [ -S "$work/socket" ] || sleep 0.2; done
timeout 120 python3 tests/dap_client.py "$adapter" "$work/mm/trisc0.elf" "$work/socket" "$PWD/examples/matmul/compute.c" 13 > "$work/out" 2> "$work/err"
code=$?
kill $tessera 2> /dev/null
[ $code -eq 0 ] && grep -q 'breakpoint verified: True' "$work/out" && grep -q 'frame: kernel_main compute.c 13' "$work/out" &&
  grep -q 'next: kernel_main 14' "$work/out" && grep -q 'back: kernel_main 13' "$work/out" &&
  grep -q 'pc restored: True' "$work/out"
ok "a debug adapter breaks, steps, shows the stack and goes back" $?
sed 's/^/# /' "$work/out"
[ $failures -eq 0 ]
