# kernels/probes: each probe compiles as C and as C++, runs with timing on and off, and measures the figure of the row in docs/evidence/time.md that names it:
# documented figures are compared, the others are printed. Prints TAP. Reads BUILD.
. tests/tap.sh
BUILD=${BUILD:-build}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
. tests/kernel_elfs.sh
plain=$kernel_cc
whole=0
[ "${TESSERA_TEST_SCALE:-100}" -lt 100 ] || whole=1 # make test takes half of the probes

# Cores that a probe does not use have an empty kernel.
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
      --dump "0x30000:128:$work/words" --max-cycles 1000000 > "$work/out" 2> "$work/err" || return 1
  done
  words=$(od -An -v -tu4 -w128 "$work/words")
}
within() { # VALUE LOW HIGH: a number with a fraction
  awk -v v="$1" -v low="$2" -v high="$3" 'BEGIN { exit !(v >= low && v <= high) }' || { echo "$1 is not in $2 to $3 ($words)" >> "$work/err"; return 1; }
}
each() { # AFTER BEFORE COUNT
  awk -v a="$1" -v b="$2" -v n="$3" 'BEGIN { printf "%.2f", (a - b) / n }'
}

probe mover brisc && set -- $words && within "$(each ${13} ${12} 256)" 10.9 11.1 && alone=${13}
ok "mover: Mover.md has 11 cycles for 128 bytes" $?
probe scalar trisc0 && set -- $words && within "$(each $3 $1 32)" 3 3.5 && within "$(each $4 $1 32)" 5 5.5 && within "$(each $5 $1 32)" 3 16 && within "$(each $6 $1 32)" 15 15.5
ok "scalar unit: LOADIND.md has 3 cycles, L1.md 5 for a narrow write, ATCAS.md 15" $?
echo "note: SETDMAREG $(each $2 $1 32), LOADIND $(each $3 $1 32), STOREIND $(each $4 $1 32), ATINCGET $(each $5 $1 32), ATCAS $(each $6 $1 32) cycles"
probe watchdog brisc && set -- $words && within "$1" "$(($2 - 8))" "$(($2 + 8))" && [ "$3$4$5" = 010 ]
ok "watchdog: one a cycle, status at zero" $?
echo "note: the watchdog timer fell by $1 in $2 cycles"
probe hpm brisc && set -- $words && [ "$1" = 0 ]
ok "HPM counters: event 0 counts nothing" $?
probe latency trisc1 && set -- $words && within "$(each $2 $1 32)" 4.9 5.2 && within "$(each $3 $1 32)" 4.9 5.2 && within "$(each $5 $1 32)" 7.9 8.2 && within "$(each ${10} $1 32)" 8.9 9.4 &&
  within "$(each ${11} $1 32)" 11.9 12.5
ok "latencies: README.md has 4, 4, 7, 8 and 12 cycles before the use" $?
echo "note: GPR $(each $2 $1 32), configuration $(each $3 $1 32), TDMA-RISC $(each $4 $1 32), tile control $(each $5 $1 32), pc $(each $6 $1 32), NIU $(each $7 $1 32), stream $(each $8 $1 32), slow path $(each $9 $1 32), L1 $(each ${10} $1 32), amoadd $(each ${11} $1 32), fence $(each ${12} $1 32), CSR $(each ${13} $1 32)"
echo "note: divu of 1, 4, 8 ... 32 bits: $(each ${14} $1 32) $(each ${15} $1 32) $(each ${16} $1 32) $(each ${17} $1 32) $(each ${18} $1 32) $(each ${19} $1 32) $(each ${20} $1 32) $(each ${21} $1 32) $(each ${22} $1 32)"
probe pcbuf "brisc trisc1" && set -- $words && within "$(each $2 $1 16)" 1 5 && within "$(each $3 $1 32)" 6 30 && within "$(each $5 $4 16)" 0.9 2
ok "PC buffer" $?
echo "note: a load from the PC buffer $(each $2 $1 16), a store to it $(each $5 $4 16), there by mailbox and back by PC buffer $(each $3 $1 32) cycles"
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
  probe packer "trisc1 trisc2" && set -- $words && within "$(each $5 $3 2)" 30 64
  ok "packer" $?
  echo "note: pack_tile of one data tile $(each $2 $1 1), of each further one $(each $5 $2 3) cycles"
  probe overtake "trisc0 trisc1 trisc2" && set -- $words && [ "$1 $2" = "0 0" ]
  ok "WRCFG after SETDMAREG: no stale value, alone or beside two busy threads" $?
  probe fetch "trisc1 trisc2" && set -- $words && within "$1" 200 260 && within "$2" "$1" "$(($1 + 40))" && within "$4" 5000 5400 && within "$3" "$(($4 - 20))" "$(($4 + 400))"
  ok "fetches beside loads" $?
  echo "note: 128 loads alone $1, beside fetches $2 cycles; 4096 instructions from L1 beside loads $3, alone $4"
  probe unpack "trisc0 trisc1 trisc2" && set -- $words && within "$(each $5 $3 2)" 16 80
  ok "unpackers" $?
  echo "note: copy_tile of one BF16 tile $(each $2 $1 1), of each further one $(each $5 $2 3) cycles"
  probe config trisc1 && set -- $words && within "$(each $2 $1 32)" 1 1.5 && within "$(each $3 $1 32)" 2 2.5 && within "$(each $4 $1 32)" 1 1.5 && within "$(each $5 $1 32)" 1 2
  ok "configuration unit: ConfigurationUnit.md has 1, 2, 1 and 1 cycles" $?
  echo "note: WRCFG $(each $2 $1 32), CFGSHIFTMASK $(each $3 $1 32), RDCFG $(each $4 $1 32), STREAMWRCFG $(each $5 $1 32) cycles"
  probe front trisc1 && set -- $words && within "$(each $7 $6 16)" 2.9 3.1 && within "$(each ${13} ${12} 16)" 2.9 3.1 && within "$(each $5 $4 4)" 0 2
  ok "front end: three cycles per word once the places behind the expander are full" $?
  echo "note: expanded after $2 $3 $4 $5 $6 $7 cycles, idle after $8 $9 ${10} ${11} ${12} ${13}"
  probe dst trisc1 && set -- $words && within "$(each $2 $1 32)" 5.8 6.2 && within "$(each $3 $1 32)" 2.9 3.4 && within "$(each $9 $1 32)" 5.8 6.2
  ok "Dst: six cycles from one use of a block to the next, three when two take turns" $?
  echo "note: blocks 0, 1, 2, 4, 8, 16, 32, 64 apart: $(each $2 $1 32) $(each $3 $1 32) $(each $4 $1 32) $(each $5 $1 32) $(each $6 $1 32) $(each $7 $1 32) $(each $8 $1 32) $(each $9 $1 32) cycles"
  probe noc_loop brisc && set -- $words && within "$1" 40 400 && within "$(each $3 $2 1)" 80 300
  ok "a write to the tile itself" $?
  echo "note: 64 bytes $1, 1024 bytes $2, 8192 bytes $3 cycles"
  alone=$3
  probe noc_loop "brisc ncrisc" -DPROBE_NARROW && set -- $words && within "$3" "$((alone + 20))" "$((alone * 3))"
  ok "a write to the tile itself beside narrow writes" $?
  echo "note: 64 bytes $1, 1024 bytes $2, 8192 bytes $3 cycles beside a core that stores bytes"
  status=0
  for source in kernels/probes/*.c; do
    for core in brisc trisc0 trisc1 trisc2; do # the cores that it uses
      grep -q "$(kernel_define $core)\|PROBE_DATA_MOVEMENT" "$source" || continue
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
status=0
for name in $(sed -n 's/^PARAM(\([a-z0-9_]*\), [0-9]*, \(INFERRED\|DOCUMENT\),.*/\1/p' src/chips/blackhole/params.def); do
  grep -q "\`$name\`" docs/evidence/time.md || { echo "docs/evidence/time.md does not say what would settle $name" >> "$work/err"; status=1; }
done
ok "the table names every parameter that no card has shown" $status
echo "1..$number"
[ $failures -eq 0 ]
