# kernels/probes: each probe compiles as C and as C++, runs with timing on and off, and measures what the row of docs/evidence/time.md that names it
# says: the documents' figures where there are some; the others are printed. Prints TAP. Reads BUILD.
BUILD=${BUILD:-build}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
. tests/kernel_elfs.sh
plain=$kernel_cc
whole=0
[ "${TESSERA_TEST_SCALE:-100}" -lt 100 ] || whole=1 # make test takes half of the probes

# Cores without a part in a probe have an empty kernel.
kernel_build kernels/empty.c > "$work/out" 2> "$work/err" || exit 1
for core in brisc ncrisc trisc0 trisc1 trisc2; do mv "$work/$core.elf" "$work/$core.empty.elf"; done
probe() { # NAME CORES [FLAGS]: the words of its results in $words
  elfs=
  code=$((0x2000))
  for core in brisc ncrisc trisc0 trisc1 trisc2; do
    case $core in brisc | ncrisc) local_bytes=8192 ;; *) local_bytes=4096 ;; esac
    elf=$work/$core.empty.elf
    case " $2 " in
      *" $core "*)
        elf=$work/$core.elf
        # shellcheck disable=SC2086
        $plain $3 "-D$(kernel_define $core)" "kernels/probes/$1.c" "$work/start.o" "$work/$core.firmware.o" -T kernels/firmware/tensix.ld \
          -Wl,--no-warn-rwx-segments -Wl,--defsym,CODE_BASE=$code,--defsym,LOCAL_BYTES=$local_bytes -o "$elf" 2> "$work/err" || return 1
        ;;
    esac
    elfs="$elfs --elf $core=$elf"
    code=$((code + 0x6000))
  done
  for timing in off cycle; do
    # shellcheck disable=SC2046,SC2086
    "$BUILD/tessera" run $elfs $(kernel_launch 4) --poke 0x288=0x30000 --poke 0x28c=0x60000 --check none --timing $timing \
      --dump "0x30000:56:$work/words" --max-cycles 1000000 > "$work/out" 2> "$work/err" || return 1
  done
  words=$(od -An -v -tu4 -w56 "$work/words")
}
within() { # VALUE LOW HIGH: a number with a fraction
  awk -v v="$1" -v low="$2" -v high="$3" 'BEGIN { exit !(v >= low && v <= high) }' || { echo "$1 is not in $2 to $3 ($words)" >> "$work/err"; return 1; }
}
each() { # AFTER BEFORE COUNT
  awk -v a="$1" -v b="$2" -v n="$3" 'BEGIN { printf "%.2f", (a - b) / n }'
}

probe mover brisc && set -- $words && within "$(each ${13} ${12} 256)" 10.9 11.1 && alone=${13}
ok "mover: Mover.md has 11 cycles for 128 bytes" $?
probe scalar trisc0 && set -- $words && within "$(each $3 $1 32)" 3 3.5 && within "$(each $4 $1 32)" 5 5.5 && within "$(each $5 $1 32)" 3 16
ok "scalar unit: LOADIND.md has 3 cycles, L1.md 5 for a narrow write" $?
echo "note: SETDMAREG $(each $2 $1 32), LOADIND $(each $3 $1 32), STOREIND $(each $4 $1 32), ATINCGET $(each $5 $1 32) cycles"
probe watchdog brisc && set -- $words && within "$1" "$(($2 - 8))" "$(($2 + 8))" && [ "$3$4$5" = 010 ]
ok "watchdog: one a cycle, status at zero" $?
echo "note: the watchdog timer fell by $1 in $2 cycles"
probe hpm brisc && set -- $words && [ "$1" = 0 ]
ok "HPM counters: event 0 counts nothing" $?
probe mailboxes "trisc0 trisc1" && set -- $words && within "$(each $2 $1 32)" 6 20 && within "$(each $3 $1 32)" 1 4
ok "mailboxes" $?
echo "note: there and back through two mailboxes $(each $2 $1 32) cycles, a look into one $(each $3 $1 32)"
if [ $whole = 1 ]; then
  probe mover "brisc ncrisc" -DPROBE_NARROW && set -- $words && within "${13}" "$((alone + 100))" "$((alone * 4))"
  ok "mover beside narrow writes" $?
  echo "note: a copy of 64 KiB takes $alone cycles, beside a core that stores bytes ${13}"
  probe semaphores trisc1 && set -- $words && within "$(each $2 $1 32)" 1 4 && within "$(each $3 $1 32)" 1 4 && within "$(each $4 $1 32)" 1 15
  ok "semaphores" $?
  echo "note: a load of a semaphore $(each $2 $1 32), a post or get $(each $3 $1 32), a load of TTSync $(each $4 $1 32) cycles"
  probe packer trisc2 && set -- $words && within "$(each $5 $3 2)" 30 64
  ok "packer" $?
  echo "note: pack_tile of one data tile $(each $2 $1 1), of each further one $(each $5 $2 3) cycles"
  status=0
  for source in kernels/probes/*.c; do
    for core in brisc trisc0 trisc1 trisc2; do
      # shellcheck disable=SC2086
      $plain "-D$(kernel_define $core)" -x c++ -std=c++17 -fsyntax-only "$source" 2>> "$work/err" || status=1
    done
  done
  ok "every probe is C++ too" $status
fi
status=0
for source in kernels/probes/*.c; do
  grep -q "$(basename "$source")" docs/evidence/time.md || { echo "docs/evidence/time.md does not name $source" >> "$work/err"; status=1; }
done
ok "the table names every probe" $status
echo "1..$number"
[ $failures -eq 0 ]
