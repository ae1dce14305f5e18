#!/bin/sh
# Whatever an input holds, no character that a terminal obeys (C0, DEL, C1) reaches the output, and JSON and SARIF stay UTF-8: names of
# functions and files in executables, words of .npy, .chip, .tta and .pto files, sources, arguments.
. tests/tap.sh
set -u
command -v riscv64-unknown-elf-gcc > /dev/null || { echo "1..0 # SKIP no riscv64-unknown-elf-gcc"; exit 0; }
t=$(realpath "$BUILD/tessera") n=0 failed=0
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
ok() { n=$((n + 1)); if [ "$2" -eq 0 ]; then echo "ok $n - $1"; else echo "not ok $n - $1"; failed=1; fi; }

# Every file given is free of what a terminal obeys; $1 is the description, $2 what must be shown in the first file.
clean() {
  python3 - "$@" << 'PYTHON'
import re, sys
for path in sys.argv[3:]:
    text = open(path, "rb").read().decode("utf-8")  # raises if it is not UTF-8
    bad = re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", text)
    if bad:
        sys.exit(f"{path}: {text[max(0, bad.start() - 30):bad.end() + 10]!r}")
if sys.argv[2] not in open(sys.argv[3], "rb").read().decode("utf-8"):
    sys.exit(f"{sys.argv[3]}: no {sys.argv[2]!r}")
PYTHON
  ok "$1" $?
}

python3 - "$tmp" << 'PYTHON'
import struct, sys
def npy(kind):
    head = b"{'descr': '" + kind + b"', 'fortran_order': False, 'shape': (4,), }"
    head += b" " * (64 - (11 + len(head)) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + bytes(16)
for name, kind in ("esc", b"\x1b[31m"), ("c1", b"<\xc2\x9b31m"), ("latin", b"<\x9b2"), ("cut", b"<\xe2\x82"):
    open(f"{sys.argv[1]}/{name}.npy", "wb").write(npy(kind))
PYTHON
(cd "$tmp" && "$t" kernel new mine > /dev/null) || exit 1
for f in 'esc:\x1b[31m' 'c1:<\xc2\x9b31m' 'latin:<\x9b2' 'cut:<\xe2\x82'; do
  "$t" kernel run "$tmp/mine" --in A="$tmp/${f%%:*}.npy" > "$tmp/out" 2>&1
  clean "a .npy file (${f%%:*})" "holds '${f#*:}'" "$tmp/out"
done

# A kernel that hangs in a function and a file with such names, in both versions of DWARF: the text, JSON, SARIF, profile and coverage.
sed 's/^void kernel_main/#line 1 "a\\033[32mb.c"\n__attribute__((noinline)) void evil(volatile uint32_t *p) { while (*p != 77); }\n&/
     s/void kernel_main.*{/& evil((volatile uint32_t *)0x20000);/' "$tmp/mine/reader.c" > "$tmp/reader.c"
mv "$tmp/reader.c" "$tmp/mine/reader.c"
"$t" kernel run "$tmp/mine" > "$tmp/out" 2>&1
clean "a file's name in a hang report" 'a?[32mb.c:1' "$tmp/out"
python3 - "$tmp/mine/build/ncrisc.elf" << 'PYTHON'
import sys
data = open(sys.argv[1], "rb").read()
assert b"evil" in data
open(sys.argv[1], "wb").write(data.replace(b"evil", b"e\x1b\x9bl"))
PYTHON
"$t" kernel run "$tmp/mine" --no-build --json "$tmp/o.json" --sarif "$tmp/o.sarif" --profile "$tmp/o.prof" --coverage "$tmp/o.lcov" \
  --trace "$tmp/o.txt" --verbose > "$tmp/out" 2>&1
clean "a function's name in text, profile and coverage" 'e??l' "$tmp/o.prof" "$tmp/out" "$tmp/o.txt" "$tmp/o.lcov"
clean "in JSON and SARIF" 'a?[32mb.c' "$tmp/o.json" "$tmp/o.sarif"
"$t" annotate "$tmp/o.prof" > "$tmp/out" 2>&1
clean "annotate" 'cycles' "$tmp/out"
riscv64-unknown-elf-gcc -gdwarf-4 -O1 -march=rv32im -mabi=ilp32 -nostdlib -Wl,-Ttext=0 -x c -o "$tmp/four.elf" - << 'C'
#line 7 "x\033[35my.c"
void _start(void) { while (*(volatile unsigned *)0x20000 != 5); }
C
"$t" run --elf brisc="$tmp/four.elf" > "$tmp/out" 2>&1
clean "a file's name of DWARF 4" '_start' "$tmp/out"

printf 'grid 1,2\ntens\033[31mor\n' > "$tmp/mine/kernel.chip"
"$t" kernel run "$tmp/mine" > "$tmp/out" 2>&1
clean "a kernel.chip" 'tens\x1b[31mor' "$tmp/out"
printf 'NO\033[31mP x\n' > "$tmp/x.tta"
"$t" asm --verbose "$tmp/x.tta" > "$tmp/out" 2>&1
clean "an assembler program" 'NO\x1b[31mP' "$tmp/out"
"$t" pto run --verbose tests/regressions/esc.pto > "$tmp/out" 2>&1
clean "a .pto file" '\x1b' "$tmp/out"
printf 'case a\033[31m\n' > "$tmp/x.case"
"$t" conform "$tmp/x.case" > "$tmp/out" 2>&1
clean "a case" 'a\x1b[31m' "$tmp/out"
"$t" run --elf "brisc=$(printf 'no\033[31m\302\233such')" > "$tmp/out" 2>&1
clean "an argument" 'no\x1b[31m\xc2\x9bsuch' "$tmp/out"
"$t" exec "$(printf 'no\342\200\256such')" > "$tmp/out" 2>&1
clean "a name that turns the direction" 'no\xe2\x80\xaesuch' "$tmp/out"
printf 'bad\033[31mcmd\nbreak brisc:\033[31m\n' | "$t" debug --elf "brisc=$tmp/four.elf" > "$tmp/out" 2>&1
clean "commands of debug" 'bad\x1b[31mcmd' "$tmp/out"
"$t" "$(printf 'no\033[31msuch')" > "$tmp/out" 2>&1
clean "a verb" 'such' "$tmp/out"
hostile=$(printf 'n\033]0;x\007\033[31m\377')
sed 's/ttsempost/; &/' examples/mop_and_replay.tta > "$tmp/$hostile.tta"
for options in "" --account; do
  "$t" exec $options "$tmp/$hostile.tta" > "$tmp/out" 2>&1
  clean "the name of an assembler program in a hang ${options:-alone}" 'n?]0;x??[31m?.tta:36' "$tmp/out"
done
cp examples/pto/pattern1.pto "$tmp/$hostile.pto"
"$t" pto run "$tmp/$hostile.pto" > "$tmp/out" 2>&1
clean "the name of a .pto file in a verdict" 'n?]0;x??[31m?.pto:' "$tmp/out"
echo "1..$n"
exit $failed
