# tessera chip run: the examples give the same hash for every number of threads, and bad input is one line and exit code 2. Prints TAP.
. tests/tap.sh
BUILD=${BUILD:-build}
KERNELS=${KERNELS:-$BUILD/kernels}
T=$BUILD/tessera
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
number=0
check() { # NAME RESULT
  number=$((number + 1))
  if [ "$2" = 0 ]; then echo "ok $number - $1"; else echo "not ok $number - $1"; fi
}

echo "1..70"

# Kernels are compiled into the plain build's directory; the examples name it.
for name in reduce_tree all_gather grid_add grid_matmul dispatch noc_calls; do
  from=examples/$name/$name.chip
  [ $name = noc_calls ] && from=tests/kernels/$name.chip
  sed "s|build/kernels|$KERNELS|" "$from" > "$dir/$name.chip"
  for timing in off cycle; do
    hashes=
    for threads in 1 3; do
      "$T" chip run "$dir/$name.chip" --timing $timing --threads $threads --hash --quiet > "$dir/out" 2>&1 || hashes="$hashes failed"
      hashes="$hashes $(grep '^hash' "$dir/out")"
    done
    set -- $hashes
    [ $# = 4 ] && [ "$2" = "$4" ]
    check "$name, timing $timing: right, and the same state with 1 and 3 threads" $?
  done
done

for product in galaxy p150 p100; do
  "$T" chip run "$dir/grid_matmul.chip" --timing off --product $product --threads 2 --quiet > "$dir/out" 2>&1
  check "the grid matmul on product $product" $?
done

"$T" chip run "$dir/grid_add.chip" --threads 1 > "$dir/out" 2>&1 && grep -q 'packets delivered$' "$dir/out" && grep -q 'bytes that arrived' "$dir/out"
check "the report has a picture" $?

# The HTML report: one complete file, the same for every number of threads; names with an end tag and quotes are escaped.
odd=$dir/odd
mkdir -p "$odd/<" && cp "$dir/grid_add.chip" "$odd/</script>\"'.chip"
for threads in 1 3; do
  "$T" chip run "$odd/</script>\"'.chip" --threads $threads --quiet --report "$dir/$threads.html" > "$dir/out" 2>&1
  echo "exit code $?" >> "$dir/out"
  sed 's/"threads":[0-9]*//' "$dir/$threads.html" > "$dir/$threads.same"
done
grep -q 'exit code 0' "$dir/out" && [ "$(tail -1 "$dir/1.html")" = '</script></body></html>' ] && ! grep -qE 'src=|href="http|@import' "$dir/1.html"
check "--report writes one complete file that fetches nothing" $?
cmp -s "$dir/1.same" "$dir/3.same" && grep -q '"flits_along_x":[1-9]' "$dir/1.same" && grep -q '"matrix unit":[1-9]' "$dir/1.same"
check "--report: units and links, the same with 1 and 3 threads" $?
end=$(grep -o '"end":[0-9]*' "$dir/1.html" | head -1 | cut -d: -f2) own=$(grep -o '"kernel_cycles":[0-9]*' "$dir/1.html" | head -1 | cut -d: -f2)
[ "${own:-0}" -gt 0 ] && [ "$own" -lt "${end:-0}" ]
check "a tile's own cycles begin after the start of its firmware" $?
[ "$(grep -c '<script' "$dir/1.html")" = "$(grep -c '</script>' "$dir/1.html")" ] && grep -q 'u003c/script>' "$dir/1.html"
check "--report: a name with </script> does no harm" $?
printf 'kernel 3,4 %s\nargs 3,4 0 12 7\nkernel 12,7 %s\nargs 12,7 0 3 4\n' "$KERNELS/chip_hang" "$KERNELS/chip_hang" > "$dir/hang.chip"
"$T" chip run "$dir/hang.chip" --max-cycles 24000 --report "$dir/hang.html" > "$dir/out" 2>&1
[ $? = 4 ] && grep -q '"result":"hang"' "$dir/hang.html" && grep -q '>hang after [0-9]* cycles: deadlock: NCRISC of Tensix.*chip_hang.c:' "$dir/hang.html"
check "--report of a hang has its words and lines" $?
"$T" chip run "$dir/grid_add.chip" --report /nonexistent/r.html > "$dir/out" 2> "$dir/err"
[ $? = 2 ] && [ "$(wc -l < "$dir/err")" = 1 ]
check "--report to a place that does not exist is one line" $?

# The trace: one packet per line or slice, the same for every number of threads.
for threads in 1 3; do
  "$T" chip run "$dir/grid_add.chip" --threads $threads --trace "$dir/$threads.txt" > "$dir/out" 2>&1
  "$T" chip run "$dir/grid_add.chip" --threads $threads --trace "$dir/$threads.json" > "$dir/out" 2>&1
done
packets=$(sed -n 's/.* \([0-9]*\) packets delivered$/\1/p' "$dir/out")
cmp -s "$dir/1.txt" "$dir/3.txt" && [ "${packets:-0}" -gt 0 ] && [ "$(grep -c 'hops' "$dir/1.txt")" = $((packets + 1)) ] && grep -q ' answer to a read, 2048 bytes at ' "$dir/1.txt"
check "--trace: a line for each packet, the same with 1 and 3 threads" $?
cmp -s "$dir/1.json" "$dir/3.json" && [ "$(grep -c '"ph":"s".*"pid":1,' "$dir/1.json")" = "$packets" ] && [ "$(grep -c '"ph":"f".*"pid":1,' "$dir/1.json")" = "$packets" ] &&
  [ "$(tail -1 "$dir/1.json")" = ']}' ] && { ! command -v python3 > /dev/null || python3 -m json.tool "$dir/1.json" > /dev/null; }
check "--trace FILE.json: an arrow for each packet, whole JSON" $?
for threads in 1 3; do "$T" chip run "$dir/grid_add.chip" --threads $threads --trace "$dir/$threads.pftrace" > "$dir/out" 2>&1; done
cmp -s "$dir/1.pftrace" "$dir/3.pftrace" && [ -s "$dir/1.pftrace" ]
check "--trace FILE.pftrace: the same with 1 and 3 threads" $?
if PYTHONPATH=$BUILD/python-perfetto python3 -c 'import perfetto' 2> "$dir/err"; then
  PYTHONPATH=$BUILD/python-perfetto python3 tests/read_chip_trace.py "$dir/1.pftrace" "$dir/1.txt" > "$dir/out" 2>&1
  check "--trace FILE.pftrace: Perfetto's own classes find every packet of the text" $?
else
  echo "ok $((++number)) # SKIP the perfetto package is not in $BUILD/python-perfetto (tests/cli_trace.sh installs it)"
fi
"$T" chip run "$dir/grid_add.chip" --trace "$dir/x.vcd" > "$dir/out" 2> "$dir/err"
[ $? = 2 ] && [ "$(wc -l < "$dir/err")" = 1 ] && [ ! -e "$dir/x.vcd" ]
check "--trace in a format that there is not is one line" $?
"$T" chip run "$dir/grid_add.chip" --trace "$dir/some.json" --trace-tiles "2,3 1,3" --trace-from 2000 --trace-to 3000 > "$dir/out" 2>&1
[ "$(grep -c 'process_name.*"tile (' "$dir/some.json")" = 2 ] && grep -q '"tile (1, 3)"' "$dir/some.json" &&
  python3 -c 'import json, sys
at = [e["ts"] for e in json.load(open(sys.argv[1]))["traceEvents"] if e["ph"] in "BiX"]
sys.exit(not (at and 2000 <= min(at) and max(at) < 3100))' "$dir/some.json"
check "--trace-tiles, --trace-from and --trace-to narrow the trace" $?
# Packets on a link and accesses of DRAM that are under way at the begin or the end are cut there.
cat > "$dir/cut.py" << 'PYTHON'
import json, sys
def noc(path):
    events = [e for e in json.load(open(path))["traceEvents"] if e["pid"] == 1]
    names = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
    return sorted((names[e["tid"]], e["ts"], e["ts"] + e["dur"], e["name"]) for e in events if e["ph"] == "X"), events
whole = noc(sys.argv[1])[0]
long = sorted((b + e) // 2 for t, b, e, n in whole if e - b >= 8)
first, last = long[len(long) // 3], long[2 * len(long) // 3]
if len(sys.argv) == 2: sys.exit(print(first, last))
part, events = noc(sys.argv[2])
cut = sorted((t, max(b, first), min(e, last + 1), n) for t, b, e, n in whole if e > first and b <= last)
arrows = [{e["id"] for e in events if e["ph"] == ph} for ph in "sf"]
sys.exit(0 if part == cut and part and arrows[0] and arrows[0] == arrows[1] else f"{len(part)} slices, not {len(cut)}")
PYTHON
cycles=$(python3 "$dir/cut.py" "$dir/1.json")
"$T" chip run "$dir/grid_add.chip" --trace "$dir/cut.json" --trace-from "${cycles% *}" --trace-to "${cycles#* }" > "$dir/out" 2>&1 &&
  python3 "$dir/cut.py" "$dir/1.json" "$dir/cut.json" > "$dir/out" 2>&1
check "--trace-from and --trace-to cut packets and accesses of DRAM" $?
for bad in "--trace-tiles 9,9" "--trace-tiles 1" "--trace-to 0"; do
  # shellcheck disable=SC2086
  "$T" chip run "$dir/grid_add.chip" --trace "$dir/bad.json" $bad > "$dir/out" 2> "$dir/err"
  [ $? = 2 ] && [ "$(wc -l < "$dir/err")" = 1 ] && [ -z "$(ls "$dir"/bad.json* 2> /dev/null)" ]
  check "$bad is one line, and leaves no file" $?
done

# A saved file can be given to --expect, and a dump can be loaded.
{ cat "$dir/grid_add.chip"; echo "save C $dir/c.npy"; echo "dump dram:0 0x300000 0x800 $dir/c.bin"; } > "$dir/save.chip"
{ cat "$dir/grid_add.chip"; echo "expect C $dir/c.npy 0"; echo "image dram:0 0x900000 $dir/c.bin"; echo "dump dram:0 0x900000 0x800 $dir/d.bin"; } > "$dir/again.chip"
"$T" chip run "$dir/save.chip" --quiet > "$dir/out" 2>&1 && "$T" chip run "$dir/again.chip" --quiet > "$dir/out" 2>&1 && cmp "$dir/c.bin" "$dir/d.bin" > "$dir/out2" 2>&1
check "save, dump, image and expect of a file" $?
# 32 such rows would have 2^33 bits.
{ cat "$dir/grid_add.chip"; echo "tensor WIDE random:1x33554432:1 u8 rows dram"; echo "save WIDE $dir/wide.npy"; } > "$dir/wide.chip"
"$T" chip run "$dir/wide.chip" --quiet > "$dir/out" 2>&1 && [ "$(wc -c < "$dir/wide.npy")" -eq $((33554432 + 128)) ] && ! ls "$dir"/tessera-*.part > "$dir/out2" 2>&1
check "save of one wide row" $?
rm -f "$dir/wide.npy"
sed 's/random:224x256:5/random:224x256:55/' "$dir/again.chip" > "$dir/other.chip"
"$T" chip run "$dir/other.chip" --quiet > "$dir/out" 2>&1
[ $? = 1 ] && grep -q WRONG "$dir/out"
check "a result that differs is exit code 1" $?
{ sed '/expect/d' "$dir/reduce_tree.chip"; echo "until 1,6 0x58 0xffffffff 1"; } > "$dir/until.chip"
"$T" chip run "$dir/until.chip" > "$dir/out" 2>&1 && head -1 "$dir/out" | grep -q '^[0-9]* cycles:'
check "until a word has a value: the launch of a kernel is finished" $?
{ sed '/expect/d' "$dir/reduce_tree.chip"; echo "cycles 100"; } > "$dir/limit.chip"
"$T" chip run "$dir/limit.chip" > "$dir/out" 2>&1
[ $? = 6 ]
check "a limit of cycles is exit code 6" $?

# Hangs between tiles: found at once, both sides named by their coordinates, by both where they differ, with the line of the kernel.
hangs() { # NAME WORD...: the description in $dir/hang.chip ends with exit code 4, within 20000 cycles, and its first line has the words
  name=$1
  shift
  for timing in off cycle; do
    "$T" chip run "$dir/hang.chip" --timing $timing --max-cycles 24000 > "$dir/out" 2> "$dir/err"
    result=$?
    [ $result = 4 ] && [ "$(wc -l < "$dir/err")" -le 24 ] && result=0
    for word in "$@"; do head -1 "$dir/err" | grep -qF -e "$word" || result=1; done
    check "$name, timing $timing" $result
  done
}
line_of() { echo "chip_hang.c:$(grep -n "@$1" tests/kernels/chip_hang.c | cut -d: -f1)"; }
H=$KERNELS/chip_hang
printf 'kernel 3,4 %s\nargs 3,4 0 12 7\nkernel 12,7 %s\nargs 12,7 0 3 4\n' "$H" "$H" > "$dir/hang.chip"
hangs "two tiles that wait for each other" "deadlock: NCRISC of Tensix (12,7) -> NCRISC of Tensix (3,4) -> NCRISC of Tensix (12,7)" "$(line_of turn), called at chip_hang.c:32 (NCRISC of Tensix (3,4), in noc_semaphore_wait)" "$(line_of turn), called at chip_hang.c:32 (NCRISC of Tensix (12,7), in noc_semaphore_wait)"
"$T" chip run "$dir/hang.chip" --json "$dir/json" --sarif "$dir/sarif" --verbose > "$dir/out" 2> "$dir/err"
[ $? = 4 ] && [ "$(wc -l < "$dir/err")" -gt 4 ] && grep -q '"result":"hang","code":4,"hang":{"cycle":[0-9]*,.*"tile":{"x":3,"y":4}.*"tile":{"x":12,"y":7}.*"other":{"x":3,"y":4}' "$dir/json" &&
  grep -q '"tile":"3,4"' "$dir/sarif" && grep -q '"tile":"12,7"' "$dir/sarif" && [ "$(grep -o '"cause":[a-z]*' "$dir/sarif" | tr '\n' ' ')" = '"cause":true "cause":false ' ] && python3 tests/sarif_rules.py "$dir/sarif" > "$dir/out" 2>&1
check "the hang of two tiles as JSON and SARIF, every wait with its tile; --verbose adds lines" $?
"$T" chip run "$dir/hang.chip" --sarif "$dir/none/sarif" > "$dir/out" 2> "$dir/err"
[ $? = 2 ] && [ "$(wc -l < "$dir/err")" = 1 ] && grep -q 'none/sarif: could not be written' "$dir/err"
check "a SARIF file that cannot be created is refused before the run" $?
printf 'product p100\nkernel 3,4 %s\nargs 3,4 0 14 7\nkernel 14,7 %s\nargs 14,7 0 3 4\n' "$H" "$H" > "$dir/hang.chip"
hangs "the same on a part with fused-off columns" "deadlock: NCRISC of Tensix" "NCRISC of Tensix (3,4) -> " "(14,7), NoC 0 (16,7)"
printf 'kernel 1-3,2 %s\nargs 1-3,2 1 2 2 4 2 3 1 2\n' "$H" > "$dir/hang.chip"
hangs "a multicast receiver without a kernel" "$(line_of collect), called at chip_hang.c:33 (NCRISC of Tensix (1,2), in noc_semaphore_wait)" "(now 0x2) to become 0x3" \
  "Tensix (4,2) has not" "held in reset"
printf 'product p100\nkernel 3,4 %s\nargs 3,4 2 16 5\n' "$H" > "$dir/hang.chip"
hangs "a read from a tile without a clock" "$(line_of read) (NCRISC of Tensix (3,4), in noc_async_read_barrier)" \
  "read of 64 bytes at 0x20000 of Tensix (16,5), NoC 0 (4,5)" "never answered: the tile is fused off"
printf 'product p100\nkernel 3,4 %s\nargs 3,4 3 14 5 15 5 2\n' "$H" > "$dir/hang.chip"
hangs "a multicast over a tile that is fused off" "$(line_of barrier) (NCRISC of Tensix (3,4), in noc_async_write_barrier)" "every request has been answered" "is none of them: it is fused off"
# A read from a place without a tile: the coordinates as the kernel wrote them, and its tile, core and line. (8,8) has a router only.
for place in "0 50" "40 40" "8 8"; do
  for timing in cycle off; do
    printf 'kernel 3,4 %s\nargs 3,4 2 %s\n' "$H" "$place" > "$dir/hang.chip"
    "$T" chip run "$dir/hang.chip" --timing $timing > "$dir/out" 2> "$dir/err"
    [ $? = 3 ] && grep -qF "($(echo "$place" | tr ' ' ','))" "$dir/err" && grep -qE 'no such tile|a router and no tile' "$dir/err" &&
      grep -q 'NCRISC' "$dir/err" && grep -qF '(3,4)' "$dir/err" && grep -q 'chip_hang.c:[0-9]' "$dir/err"
    check "a read from ($place), where no tile is, timing $timing" $?
  done
done
# A ring of four tiles of which one has no kernel.
printf 'tensor A random:4x256:7 int32 rows 1-4,4 0x40000\nkernel 1-3,4 %s/all_gather\nargs 1-3,4 col 4 1 A 0x50000 1024\n' "$KERNELS" > "$dir/hang.chip"
hangs "a ring with a tile without a kernel" "NCRISC of Tensix (" "gather.c:"

refuses() { # NAME WORD: the description in $dir/bad.chip is rejected with one line that has the word
  "$T" chip run "$dir/bad.chip" > "$dir/out" 2> "$dir/err"
  [ $? = 2 ] && [ "$(wc -l < "$dir/err")" = 1 ] && grep -q "$2" "$dir/err" && [ ! -s "$dir/out" ]
  check "$1" $?
}
K=$KERNELS/grid_add
echo "kernel 8,4 $K" > "$dir/bad.chip"; refuses "a place without a Tensix tile" "not a Tensix tile"
printf 'product p100\nkernel 16,4 %s\n' "$K" > "$dir/bad.chip"; refuses "a tile that is fused off" "not a Tensix tile"
echo "kernel 1,2 /nonexistent" > "$dir/bad.chip"; refuses "kernels that do not exist" "nonexistent"
printf 'tensor A zero:64x64 bf16 tiles dram 0x1000\ntensor B zero:64x64 bf16 tiles dram 0x1040\n' > "$dir/bad.chip"
refuses "overlapping tensors" "overlap those of line 1"
printf 'kernel 1,2 %s\ntensor A zero:64x64 fp32 tiles 1,2 0x10000\n' "$K" > "$dir/bad.chip"; refuses "a tensor over a kernel" "overlap"
echo "tensor A zero:1024x1024 fp32 tiles 1,2 0x20000" > "$dir/bad.chip"; refuses "a tensor that does not fit" "do not fit"
echo "tensor A zero:33x64 bf16 tiles dram 0" > "$dir/bad.chip"; refuses "a tensor that is no multiple of 32" "multiples of 32"
echo "tensor A zero:64x64 bf17 tiles dram 0" > "$dir/bad.chip"; refuses "an unknown format" "formats are"
echo "frobnicate 1,2" > "$dir/bad.chip"; refuses "an unknown statement" "unknown statement"
echo "image 1,2 0x20000 /nonexistent" > "$dir/bad.chip"; refuses "an image that does not exist" "nonexistent"
printf 'kernel 1,2 %s\nargs 1,2 whatever\n' "$K" > "$dir/bad.chip"; refuses "an argument that is nothing" "neither a 32-bit number"
printf 'kernel 1,2 %s\nargs 1,2 reader 1\nargs 1,2 writer 1\nargs 1,2 reader 2\n' "$K" > "$dir/bad.chip"
refuses "a second line of arguments for one kernel" "bad.chip:4: the arguments are set in line 2 already: one line has all of them"
printf 'grid 1-2,2\nkernel %s\nargs 3\nargs 2,2 4\nargs 5\n' "$K" > "$dir/bad.chip"; refuses "a second line of arguments for a grid" "bad.chip:5: the arguments are set in line 3 already"
printf 'kernel 1,2 %s\nuntil 1-2,2 0x20000 1 1\n' "$K" > "$dir/bad.chip"; refuses "until on two tiles" "until takes one tile"
echo "product p999" > "$dir/bad.chip"; refuses "an unknown product" "bad.chip:1: products are"
for line in "product full" "cycles 5" "timing off"; do
  printf '%s\n\n%s\n' "$line" "$line" > "$dir/bad.chip"; refuses "a second '${line%% *}'" "bad.chip:3: ${line%% *} is already set in line 1"
done
echo "tensor A zero:64x64 bf16 tiles dram 0" > "$dir/bad.chip"; refuses "a description without a program" "no tile has a program"
"$T" chip walk x > "$dir/out" 2> "$dir/err"; [ $? = 2 ] && [ "$(wc -l < "$dir/err")" = 1 ]
check "an unknown action" $?
