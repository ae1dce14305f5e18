#!/bin/sh
# Bad input gives one clear line on stderr and exit code 2, writes nothing to stdout and leaves no partial file. Good input gives its own exit code.
# Prints TAP. BUILD: the build directory.
. tests/tap.sh
BUILD=${BUILD:-build}
tessera=$BUILD/tessera
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
n=0

# check CODE WORDS ARGUMENTS...: exit code, a text that must be in the one line on stderr
check() {
  code=$1 words=$2
  shift 2
  n=$((n + 1))
  "$tessera" "$@" > "$work/out" 2> "$work/err" < /dev/null
  got=$?
  lines=$(wc -l < "$work/err")
  if [ "$got" -eq "$code" ] && [ "$lines" -eq 1 ] && grep -qF -- "$words" "$work/err" && [ ! -s "$work/out" ]; then
    echo "ok $n - $*"
  else
    echo "not ok $n - $* (exit $got, $lines lines: $(head -c 300 "$work/err"))"
  fi
}

# good CODE ARGUMENTS...: exit code alone
good() {
  code=$1
  shift
  n=$((n + 1))
  "$tessera" "$@" > "$work/out" 2> "$work/err" < /dev/null
  got=$?
  if [ "$got" -eq "$code" ]; then echo "ok $n - $* exits $code"; else echo "not ok $n - $* (exit $got)"; fi
}

printf 'case a\nl1 zz 00\nend\n' > "$work/hex.case"
printf 'case a\ncore 3\nend\n' > "$work/core.case"
printf 'case a\nfill 17fff0 20 0\nend\n' > "$work/range.case"
printf 'case a\npush 2000000\nend\n' > "$work/outside.case"
printf 'case a\ncore 0\npush 2000000\n' > "$work/cut.case"
printf 'core 0\n' > "$work/nocase.case"
printf 'case a\nl1 20000 000\nend\n' > "$work/odd.case"
printf 'case a\ncore 0\npush ff000000\nexpectfill 20000 1 0\nend\n' > "$work/opcode.case"
printf 'case a\nexpect 20000 00\nend\n' > "$work/good.case"
printf 'case a\nexpect 20000 01\nend\n' > "$work/differs.case"
printf 'ttnop\n' > "$work/good.tta"
printf 'ttseminit 1,0,2\nttsemwait 511,2,1\nttnop\n' > "$work/hang.tta"
printf 'ttsemget 1\n' > "$work/hazard.tta"
printf '.ttinsn 0x14000000\n' > "$work/undoc.tta"
head -c 100 /dev/urandom > "$work/noise.case"
gzip -c "$work/good.case" | head -c 25 > "$work/cut.case.gz"
yes '# no case, only what a small file can be blown up to; a reader that goes on to its end would take as long as its writer likes' |
  head -c 40000000 | gzip -1 > "$work/bomb.case.gz"
awk 'BEGIN { printf ".equ a, "; for (i = 0; i < 500; i++) printf "("; print "1" }' > "$work/deep.tta"
awk 'BEGIN { print "func.func @x() {"; for (i = 0; i < 500; i++) print "scf.for %i = %a to %b step %c {" }' > "$work/deep.pto"

check 2 'give the directory that sim-dir created' sim
check 2 'has no libttsim.so' sim "$work"
check 2 '--library or a directory' sim --library "$work"
check 2 'one directory at a time' sim "$work" "$work"
check 2 "--nonsense" sim --nonsense
check 2 "unknown verb" nonsense
check 2 "no file given" conform
check 2 "no case ends within 32 MiB of text" conform "$work/bomb.case.gz"
check 2 "nested too deep" asm "$work/deep.tta"
check 2 "nested more than 32 deep" pto run "$work/deep.pto"
check 2 "cannot be read" conform "$work/absent.case"
check 2 "hex.case:2: expected a hexadecimal address" conform "$work/hex.case"
check 2 "core.case:2: core takes 0, 1 or 2" conform "$work/core.case"
check 2 "outside L1" conform "$work/range.case"
check 2 "inside a core block" conform "$work/outside.case"
check 2 "ends inside case a" conform "$work/cut.case"
check 2 "outside a case" conform "$work/nocase.case"
check 2 "pairs of hexadecimal digits" conform "$work/odd.case"
check 2 "read error: " conform "$work/cut.case.gz"
check 2 "--timing takes off or cycle" conform --timing fast "$work/good.case"
check 2 "unknown option" conform --frobnicate "$work/good.case"
check 2 "needs a value" conform "$work/good.case" --only
check 2 "--max-cycles" conform --max-cycles -3 "$work/good.case"
check 2 "no file given" exec
check 2 "unknown option" exec --what "$work/good.tta"
check 2 "--dump takes ADDR:LEN" exec --dump 0x17fffc:8 "$work/good.tta"
check 2 "no parameter 'x'" exec --param x=3 "$work/good.tta"
check 2 "could not be written" exec --trace "$work/no/such/dir" "$work/good.tta"
for option in --trace --profile --coverage; do
  check 2 "$option takes the name of a file, not standard output (./- is a file of that name)" exec $option - "$work/good.tta"
done
check 2 "--report takes the name of a file" run --cores brisc --report -
check 2 "--report takes the name of a file" kernel run "$work" --report -
check 2 "--report takes the name of a file" chip run "$work/good.chip" --report -
check 2 "--trace takes the name of a file" chip run "$work/good.chip" --trace -
check 2 "--trace takes the name of a file" pto run "$work/good.pto" --trace -
check 2 "--trace-from 500 is after --trace-to 100" exec --trace "$work/t.json" --trace-from 500 --trace-to 100 "$work/good.tta"
check 2 "pack, buffers N,N, hand-overs N, semaphore N, dram N, link NOC X,Y in|out|x|y, CORE page by page, CORE@FILE:LINE, CORE@FILE:FIRST-LAST or CORE@FUNCTION, not 'bogus'" run --what-if bogus
check 2 "not 'ncrisc@reader.c:9-3'" run --what-if ncrisc@reader.c:9-3
: > "$work/empty"
mkdir "$work/dir"
check 2 "no case in it" conform "$work/empty"
check 2 "it is a directory" conform "$work/dir"
check 2 "leave no case to run" conform --only NOSUCH "$work/good.case"
check 2 "--max-cycles takes a number of cycles above 0" exec --max-cycles 99999999999999999999 "$work/good.tta"
check 2 "it is a directory" exec "$work/dir"
check 2 "nothing to run" run --cores brisc
check 2 "not an ELF file" run --elf "trisc0=$work/empty"
check 2 "it is a directory" run --elf "trisc0=$work/dir"
check 2 "could not be written: No such file or directory" run --load "0:$work/good.tta" --cores brisc --dump "0:4:$work/no/such"
check 2 "neither a word (up to eight hexadecimal digits) nor a file" dis 123456789
check 2 "neither a word" dis ""
check 2 "no instruction 'NOSUCH'" isa --json MVMUL NOSUCH
check 2 "unknown sub-verb 'nonsense'; tessera pto --help lists them" pto nonsense
check 2 "--schedules takes at least 1" explore --schedules 0
check 2 "--threads takes at least 1" explore --threads 0 "$work/good.tta"
check 2 "--ignore takes ADDR:LENGTH, at most eight times, with a length of at least 1, not '0x100:0'" explore --ignore 0x100:0 "$work/good.tta"
check 2 "--elf exclude each other" explore "$work/dir" --elf "brisc=$work/empty"
check 2 "--check goes with --sarif" explore --check all "$work/good.tta"
check 2 "--json and --sarif cannot both go to standard output" explore --json - --sarif - "$work/good.tta"
check 2 "no instruction in it" exec /dev/null
check 2 "no instruction in it" explore /dev/null
check 2 "the program has no parameter x" pto run examples/pto/pattern1.pto --set x=1
check 2 "--timing cannot be combined with --restore" run --restore "$work/empty" --timing off
check 2 "--reset-pc cannot be combined with --restore" run --restore "$work/empty" --reset-pc brisc=0x1000
check 2 "could not be written: No such file or directory" run --load "0:$work/good.tta" --cores brisc --json ""
# Outputs that would overwrite each other, or what is read, are refused before the run.
check 2 "--trace and --sarif cannot both go to $work/same" exec --trace "$work/same" --sarif "$work/same" "$work/good.tta"
check 2 "--json and --report cannot both go to $work/same" run --load "0:$work/good.tta" --cores brisc --json "$work/same" --report="$work/same"
check 2 "--out and --out cannot both go to $work/same" pto run "$work/good.pto" --out A="$work/same" --out B="$work/same"
check 2 "--trace would overwrite $work/./good.tta, which is read" exec --trace "$work/./good.tta" "$work/good.tta"
check 2 "-o would overwrite $work/good.tta, which is read" asm -o "$work/good.tta" "$work/good.tta"
good 0 exec --trace /dev/null --sarif /dev/null "$work/good.tta"
# Every limit is one line that names it, at once: the time is that of a slow machine beside other work.
awk 'BEGIN { for (i = 0; i < 2000000; i++) print "zz" }' > "$work/wrong.tta"
awk 'BEGIN { for (i = 0; i < 2000000; i++) print "ttnop" }' > "$work/words.tta"
awk 'BEGIN { for (i = 0; i < 200000; i++) print "L" i ":" }' > "$work/labels.tta"
awk 'BEGIN { for (i = 0; i < 1200000; i++) print ".sync" }' > "$work/syncs.tta"
awk 'BEGIN { print "# callgrind format"; for (i = 0; i < 2000000; i++) print i % 99999 " 1" }' > "$work/lines.prof"
awk 'BEGIN { print "# callgrind format"; for (i = 0; i < 200000; i++) print "fl=" i }' > "$work/files.prof"
check 2 "wrong.tta:1:1: error: unknown instruction 'zz'; at least 20 more errors: --verbose shows them" asm "$work/wrong.tta"
check 2 "more than 1048576 words in one thread" asm "$work/words.tta"
check 2 "more than 65536 names" asm "$work/labels.tta"
check 2 "more than 1048576 core operations in one thread" exec "$work/syncs.tta"
check 2 "longer than 16 MiB" exec /dev/zero
check 2 "longer than 32 MiB" dis /dev/zero
check 2 "longer than 16 MiB" annotate /dev/zero
check 2 "more than 16384 lines with cycles, or more than 1024 files" annotate "$work/lines.prof"
check 2 "more than 16384 lines with cycles, or more than 1024 files" annotate "$work/files.prof"
for command in "asm $work/wrong.tta" "asm $work/words.tta" "exec $work/labels.tta" "annotate $work/lines.prof" "annotate $work/files.prof"; do
  n=$((n + 1))
  cpu=$( (ulimit -t 4; "$tessera" $command > /dev/null 2>&1; echo $?) )
  if [ "$cpu" -eq 2 ]; then echo "ok $n - $command ends soon"; else echo "not ok $n - $command ends soon (exit $cpu)"; fi
done
# Closed standard files: nothing that is printed lands in a file that was asked for.
n=$((n + 1))
(cd "$work" && "$OLDPWD/$tessera" exec good.tta --trace closed.txt > closed.out >&- 2>&- <&-)
if grep -q ttnop "$work/closed.txt" && ! grep -q cycles "$work/closed.txt"; then echo "ok $n - closed standard files"; else echo "not ok $n - closed standard files: $(head -3 "$work/closed.txt")"; fi
check 2 "no file given; tessera pto run --help" pto run
check 2 "policies takes no argument" pto policies x
# Files that are needed after the run are looked at before it.
check 2 "cannot read $work/absent.npy" pto run examples/pto/pattern1.pto --expect "C=$work/absent.npy"
check 2 "$work/absent/c.npy: could not be written" pto run examples/pto/pattern1.pto --out "C=$work/absent/c.npy"
check 2 "this is not a .npy file" pto run examples/pto/pattern1.pto --expect C=/dev/zero
check 2 "this is not a .npy file" pto run examples/pto/pattern1.pto --in A=/dev/zero

# A word of 100,000 characters is not shown whole, and the reason behind it is.
long=$(awk 'BEGIN { for (i = 0; i < 100000; i++) printf "x" }')
for arguments in "run --elf brisc=$long" "pto run examples/pto/pattern1.pto --policy $long" "pto run $long" "$long"; do
  case $arguments in *elf* | "pto run x"*) words="File name too long" ;; *policy*) words="policy" ;; *) words="'; tessera --help lists them" ;; esac
  n=$((n + 1))
  "$tessera" $arguments > /dev/null 2> "$work/err"
  got=$?
  if [ $got -eq 2 ] && [ "$(wc -c < "$work/err")" -lt 2000 ] && [ "$(wc -l < "$work/err")" -eq 1 ] && grep -qF -- "$words" "$work/err"; then
    echo "ok $n - a long word: ${arguments%%x*}"
  else
    echo "not ok $n - a long word: ${arguments%%x*} (exit $got, $(wc -c < "$work/err") bytes: $(tail -c 100 "$work/err"))"
  fi
done

# A full disk is an error, reported once.
for command in "--help" "--version" "isa" "dis 26014000" "asm $work/good.tta" "exec $work/good.tta" "conform $work/good.case"; do
  n=$((n + 1))
  [ -e /dev/full ] || { echo "ok $n - $command to a full disk # SKIP no /dev/full"; continue; }
  "$tessera" $command > /dev/full 2> "$work/err"
  got=$?
  if [ $got -eq 2 ] && [ "$(wc -l < "$work/err")" -eq 1 ] && grep -q 'standard output' "$work/err"; then
    echo "ok $n - $command to a full disk"
  else
    echo "not ok $n - $command to a full disk (exit $got: $(cat "$work/err"))"
  fi
done
good 0 conform "$work/good.case"
good 1 conform "$work/differs.case"
good 1 conform "$work/opcode.case"
good 0 exec "$work/good.tta"
good 4 exec "$work/hang.tta"
good 3 exec "$work/undoc.tta"
good 5 exec "$work/hazard.tta"
good 5 exec --strict "$work/hazard.tta"
good 5 exec --quiet-hazards "$work/hazard.tta"
good 6 exec --max-cycles 2 "$work/good.tta"
for verb in run exec asm dis isa conform pto "pto run" "pto check" "pto explore" "pto sweep" "pto policies"; do
  good 0 $verb --help
  n=$((n + 1))
  if grep -q '^example: ' "$work/out"; then echo "ok $n - $verb --help has an example"; else echo "not ok $n - $verb --help has an example"; fi
done
good 0 --help
good 2
echo "1..$n"
