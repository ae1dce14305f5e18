# Chains of inlined calls against addr2line -i -f: for every instruction of the kernels in the tree, compiled at four levels of
# optimisation with DWARF 4 and 5. `make soak` (TESSERA_TEST_SCALE of 1000 and more) runs all kernels for all
# their cores, `make test` one kernel per setting, a different one for each. Two arguments select one setting, e.g. `lib_frames.sh -O3 5`.
# Prints TAP. Reads BUILD.
. tests/tap.sh
BUILD=${BUILD:-build}
scale=${TESSERA_TEST_SCALE:-100}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0
failures=0
prefix=riscv64-unknown-elf-

compile() { # SOURCE CORE FLAGS: $work/kernel.elf, firmware and kernel as kernels/kernels.mk links them
  base="-march=rv32im_zba_zbb -mabi=ilp32 -ffreestanding -nostdlib -fno-tree-loop-distribute-patterns -Ikernels/include
    -Itests/kernels -I$BUILD/kernels/include -D$2 $3"
  language=
  names=
  case $1 in
    tests/llk-like/*) names='-DLLK_OP=LLK_MATMUL -DMATH_FIDELITY=4' ;;
    *.cpp)
      language='-std=c++17 -fno-exceptions -fno-rtti'
      grep -q '^#define REDUCE_OP' "$1" || language="$language -include kernel_api.h" # the kernel's settings come first
      names='-Dnum_tiles=1 -DKt=1 -DKERNEL_COMPILE_TIME_ARGS=2,2048,0,2048,7 -DKERNEL_COMPILE_TIME_ARG_MAP={"cb_out",16}'
      ;;
  esac
  firmware=$work/firmware.$(echo "$2$3" | tr -d ' ')
  [ -f "$firmware.o" ] || { "${prefix}gcc" $base -c kernels/firmware/start.S -o "$firmware.start.o" &&
    "${prefix}gcc" $base -c kernels/firmware/firmware.c -o "$firmware.o" || return 1; }
  "${prefix}gcc" $base $language $names -c "$1" -o "$work/kernel.o" &&
    "${prefix}gcc" $base "$firmware.start.o" "$firmware.o" "$work/kernel.o" -T kernels/firmware/tensix.ld \
      -Wl,--defsym,CODE_BASE=0x2000,--defsym,LOCAL_BYTES=8192,--no-warn-rwx-segments -Wl,--noinhibit-exec -o "$work/kernel.elf"
}

# addr2line takes the name of a C++ function without a linkage name from the symbol table at the first query: with the address
# given twice in one call, its second answer is from DWARF. It still replaces the name of a function inlined at the very
# start of another one by the symbol: such a name passes if it is the symbol at that address.
compare() { # SOURCE CORE FLAGS
  compile "$1" "$2" "$3" > "$work/err" 2>&1 || return 1
  "${prefix}readelf" -SW "$work/kernel.elf" | sed 's/^ *\[ *[0-9]*\] *//' |
    awk '$1 == ".text" { print $3, $5 }' > "$work/text"
  read -r start size < "$work/text" || return 1
  awk -v start="$((0x$start))" -v size="$((0x$size))" 'BEGIN { for (a = start; a < start + size; a += 4) printf "0x%08x\n", a }' \
    > "$work/addresses"
  cat "$work/addresses" "$work/addresses" | "${prefix}addr2line" -a -i -f -e "$work/kernel.elf" |
    sed 's/ (discriminator [0-9]*)$//; s/:?$/:0/' > "$work/twice"
  awk -v first="$(head -n 1 "$work/addresses")" '$0 == first { seen++ } seen > 1' "$work/twice" > "$work/theirs"
  "$BUILD/tests/test_frames" "$work/kernel.elf" < "$work/addresses" > "$work/ours" || return 1
  "${prefix}nm" "$work/kernel.elf" | awk '{ print $3 }' | sort -u > "$work/symbols"
  [ "$(wc -l < "$work/ours")" -eq "$(wc -l < "$work/theirs")" ] || {
    diff "$work/ours" "$work/theirs" | head -n 20 > "$work/err"
    return 1
  }
  paste -d '|' "$work/ours" "$work/theirs" | awk -F '|' -v cxx="$(case $1 in *.cpp) echo 1 ;; *) echo 0 ;; esac)" '
    FILENAME == ARGV[1] { symbols[$1] = 1; next }
    /^0x/ { address = $1; innermost = 2 }
    $1 != $2 && !(cxx && ($2 in symbols)) { print address, innermost == 0 ? "line" : "chain", $1, $2 }
    { innermost-- }' "$work/symbols" - > "$work/differ"
  [ ! -s "$work/differ" ] || settle
}

# binutils 2.40 resolves the initial value of the line program's file register (1) to file 0 of a DWARF 5 table; DWARF 5, section
# 6.2.2 and LLVM resolve it to file 1. Where addr2line names the same line of another file, LLVM decides.
settle() {
  awk '{ split($3, a, ":"); split($4, b, ":") } $2 != "line" || a[2] != b[2] { print; bad = 1 } END { exit bad }' \
    "$work/differ" > "$work/err" || return 1
  command -v llvm-addr2line > "$work/err" || return 0
  awk '{ print $1 }' "$work/differ" | llvm-addr2line -e "$work/kernel.elf" | sed 's/ (discriminator [0-9]*)$//' > "$work/llvm"
  awk '{ print $3 }' "$work/differ" | diff - "$work/llvm" > "$work/err"
}

# Every kernel of the tree with every core it is for, SOURCE:DEFINE: a program of tests/hangs lists its cores; a source that tests COMPILE_FOR_... is for all
# five; the headers that a source includes decide the rest.
list_kernels() {
  for source in kernels/empty.c examples/*/*.c tests/kernels/*.c tests/kernels/*.cpp tests/bugs/*.c tests/slow/*.c tests/hangs/*.c \
    tests/llk-like/kernel.c $(ls kernels/probes/*.c 2> /dev/null); do
    case $source in */main.c | examples/host/* | */record.c | */bad_operand.c | */all_headers.c) continue ;;
      */api_noc_run.cpp) continue ;; esac # compiles only with the arguments of tests/cli_kernel_dataflow.sh
    cores=$(sed -n 's/^\/\* cores: //p' "$source")
    if [ -z "$cores" ]; then
      cores='brisc ncrisc'
      ! grep -q '"compute\|api/compute/\|matmul_loop\|tile_regs_' "$source" || cores='trisc0 trisc1 trisc2'
      ! grep -q '^#ifdef COMPILE_FOR_' "$source" || cores='brisc ncrisc trisc0 trisc1 trisc2'
    fi
    for core in $cores; do
      case $core in brisc) define=COMPILE_FOR_BRISC ;; ncrisc) define=COMPILE_FOR_NCRISC ;; trisc0) define=TRISC_UNPACK ;;
        trisc1) define=TRISC_MATH ;; *) define=TRISC_PACK ;; esac
      echo "$source:$define"
    done
  done
}
kernels=$(list_kernels)
count=$(printf '%s\n' "$kernels" | wc -l)

setting=0
compared=0
taken=0
for level in -O0 -Os -O2 -O3; do
  for dwarf in 4 5; do
    setting=$((setting + 1))
    [ "$level" = "${1:-$level}" ] && [ "$dwarf" = "${2:-$dwarf}" ] || continue
    status=0
    i=0
    for kernel in $kernels; do
      i=$((i + 1))
      [ "$scale" -ge 1000 ] || [ $i -eq $((setting * count / 8)) ] || continue
      if compare "${kernel%:*}" "${kernel#*:}" "$level -g -gdwarf-$dwarf"; then
        compared=$((compared + $(wc -l < "$work/addresses")))
        taken=$((taken + 1))
      else
        status=1
        echo "# ${kernel%:*} for ${kernel#*:}:"
        sed 's/^/#   /' "$work/err" | head -n 10
      fi
    done
    number=$((number + 1))
    if [ $status -eq 0 ]; then echo "ok $number - $level, DWARF $dwarf"; else
      failures=$((failures + 1))
      echo "not ok $number - $level, DWARF $dwarf"
    fi
  done
done
echo "note: chains of $compared instructions of $taken kernels compared with addr2line's"
echo "1..$number"
[ $failures -eq 0 ] && [ $compared -gt 0 ]
