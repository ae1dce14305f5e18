# tessera chip run --account: rows that sum to the cycles, of every tile, the same for every number of host threads. Prints TAP.
. tests/tap.sh
BUILD=${BUILD:-build}
KERNELS=${KERNELS:-$BUILD/kernels}
T=$BUILD/tessera
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
number=0
check() { # NAME RESULT
  number=$((number + 1))
  if [ "$2" = 0 ]; then echo "ok $number - $1"; else
    echo "not ok $number - $1"
    sed 's/^/# /' "$dir/err" "$dir/out" 2> /dev/null | tail -n 40
  fi
}
refused() { # NAME OPTIONS: one line, exit code 2, and no file
  name=$1
  shift
  "$T" chip run "$dir/grid_add.chip" "$@" > "$dir/out" 2> "$dir/err"
  [ $? = 2 ] && [ "$(wc -l < "$dir/err")" = 1 ] && [ ! -s "$dir/out" ] && [ -z "$(ls "$dir"/bad* 2> /dev/null)" ]
  check "$name" $?
}

for name in grid_add grid_matmul reduce_tree dispatch; do sed "s|build/kernels|$KERNELS|" "examples/$name/$name.chip" > "$dir/$name.chip"; done

# Sums of the text and of JSON; JSON against the counters of the machine, which are not those of the account: the cycles in which the matrix
# unit and the packer could accept nothing else, and the cycles of the run.
cat > "$dir/account.py" << 'PYTHON'
import json, re, sys
text, report = open(sys.argv[1]).read(), json.load(open(sys.argv[2]))
begun = len(sys.argv) > 3  # by kernel_main: a tile's account begins later
def check(good, what):
    if not good: sys.exit(what)
places = {tuple(p["at"]): p for p in report["places"] if "at" in p}
ran = {at for at, p in places.items() if p.get("instructions")}
check({tuple(a["at"]) for a in report["accounts"]} == ran, "not the tiles that ran")
for a in report["accounts"]:
    p = places[tuple(a["at"])]
    check(a["from"] + a["cycles"] == report["cycles"], f"{a['at']}: {a['from']} + {a['cycles']} is not {report['cycles']}")
    check((a["from"] > 0) == begun, "begin")
    rows = {**a["cores"], **a["threads"], **a["units"]}
    check(len(a["cores"]) == 5 and len(a["threads"]) == 3 and len(rows) >= 16, "rows are missing")
    for name, row in rows.items(): check(sum(row.values()) == a["cycles"], f"{a['at']} {name}")
    if not begun:
        for unit in ("matrix unit", "packer", "vector unit"):
            check(a["units"][unit].get("busy", 0) == p["occupied"][unit], f"{a['at']} {unit}: {a['units'][unit]} {p['occupied'][unit]}")
blocks = re.findall(r"^where the cycles go(.*): each line sums to (\d+)\n((?:.+\n)*)", text, re.M)
check(blocks, "no account in the text")
for title, cycles, lines in blocks:
    at = re.match(r", tile \((\d+), (\d+)\)", title)
    tiles = [a for a in report["accounts"] if not at or tuple(a["at"]) == (int(at[1]), int(at[2]))]
    if at: check(len(tiles) == 1, title)
    same = re.match(r", the sum of (\d+) tiles", title)
    if same and int(same[1]) == len(ran): check(int(cycles) == sum(a["cycles"] for a in tiles), title)
    if at: check(int(cycles) == tiles[0]["cycles"], title)
    for line in lines.splitlines():
        parts = re.findall(r"  ((?:[A-Za-z]+ )+)(\d+) \(", line)
        check(sum(int(n) for _, n in parts) == int(cycles), f"row does not sum: {line}")
        name = line[:18].strip()
        if at or not title or (same and int(same[1]) == len(ran)):
            for category, n in parts:
                all = sum({**a["cores"], **a["threads"], **a["units"]}[name].get(category.strip(), 0) for a in tiles)
                check(all == int(n), f"{title} {name} {category}: {n}, JSON {all}")
print(len(blocks), *[t.split(":")[0] for t, _, _ in blocks], sep="\n")
PYTHON
for name in grid_add grid_matmul reduce_tree; do
  for threads in 1 3; do
    "$T" chip run "$dir/$name.chip" --account --quiet --threads $threads --json "$dir/$threads.json" > "$dir/$threads.txt" 2> "$dir/err"
    echo "exit code $?" >> "$dir/err"
  done
  cp "$dir/1.txt" "$dir/out"
  grep -q 'exit code 0' "$dir/err" && python3 "$dir/account.py" "$dir/1.txt" "$dir/1.json" > "$dir/titles" 2>> "$dir/err"
  check "$name: every row sums to the cycles, and units have the cycles of the machine's own counters" $?
  cmp -s "$dir/1.txt" "$dir/3.txt" && cmp -s "$dir/1.json" "$dir/3.json"
  check "$name: the same with 1 and 3 host threads" $?
  [ "$(head -n 1 "$dir/titles")" -le 5 ] && grep -q ', which stopped last$' "$dir/titles" && grep -q ', the sum of [0-9]* tiles with the same programs' "$dir/titles"
  check "$name: of many tiles the text has sums, the tile that stopped last and at most one more for each sum" $?
done
"$T" chip run "$dir/grid_matmul.chip" --account --verbose --quiet --json "$dir/1.json" > "$dir/out" 2> "$dir/err" && python3 "$dir/account.py" "$dir/out" "$dir/1.json" > "$dir/titles" &&
  [ "$(head -n 1 "$dir/titles")" = 16 ]
check "--verbose has the account of each of 16 tiles" $?
"$T" chip run "$dir/grid_add.chip" --account --from kernel_main --quiet --json "$dir/1.json" > "$dir/out" 2> "$dir/err" && python3 "$dir/account.py" "$dir/out" "$dir/1.json" begun > "$dir/titles"
check "--from kernel_main: the accounts begin after the start of the firmware" $?
hash() { "$T" chip run "$dir/grid_add.chip" --quiet --hash "$@" 2> "$dir/err" | grep '^hash'; }
[ "$(hash)" = "$(hash --account)" ] && [ -n "$(hash)" ]
check "--account does not change the state" $?
printf 'kernel 1-6,2 %s\nargs 1-6,2 2 17 12\n' "$KERNELS/chip_hang" > "$dir/read.chip"
"$T" chip run "$dir/read.chip" --account --quiet > "$dir/out" 2> "$dir/err"
grep -q '^where the cycles go, the sum of 6 tiles with the same programs, (1, 2) to (6, 2): each line sums to' "$dir/out"
check "tiles with the same programs are named as a rectangle" $?
printf 'kernel 3,4 %s\nargs 3,4 0 12 7\nkernel 12,7 %s\nargs 12,7 0 3 4\n' "$KERNELS/chip_hang" "$KERNELS/chip_hang" > "$dir/hang.chip"
"$T" chip run "$dir/hang.chip" --account --max-cycles 24000 > "$dir/out" 2> "$dir/err"
[ $? = 4 ] && [ "$(grep -c '^where the cycles go, tile ' "$dir/out")" = 2 ] && grep -q '^NCRISC  .*polling' "$dir/out"
check "a hang has the accounts of its tiles" $?
refused "--from without an account is one line" --from kernel_main
refused "--from a function that no tile has is one line" --account --from no_such_function
refused "--account and --gdb are one line" --account --gdb "unix:$dir/bad.socket"
"$T" chip run "$dir/grid_add.chip" --account --from zone:never --quiet > "$dir/out" 2> "$dir/err"
[ $? = 2 ] && grep -q "^tessera chip: --from: no zone 'never' began in this run, so it has no account\$" "$dir/err"
check "--from a zone that never begins is one line" $?
echo "1..$number"
