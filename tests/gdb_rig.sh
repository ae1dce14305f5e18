# For scripts that debug the matmul of examples/: `. tests/gdb_rig.sh` after BUILD and work are set. Sets $run, the arguments of tessera run
# for a product of 2 x 2 by 2 x 2 tiles in BF16, and gdb_do, which runs gdb on it.
. tests/kernel_elfs.sh
gdb_programs() { # the five kernels of examples/matmul in $work/mm
  mkdir -p "$work/mm" && kernel_firmware || return 1
  code=$((0x2000))
  elfs=
  for core in brisc ncrisc trisc0 trisc1 trisc2; do
    case $core in brisc) source=writer local_bytes=8192 ;; ncrisc) source=reader local_bytes=8192 ;; *) source=compute local_bytes=4096 ;; esac
    $kernel_cc "-D$(kernel_define $core)" -c "examples/matmul/$source.c" -o "$work/mm/kernel.o" &&
      $kernel_cc "$work/start.o" "$work/$core.firmware.o" "$work/mm/kernel.o" -T kernels/firmware/tensix.ld -Wl,--no-warn-rwx-segments \
        -Wl,--defsym,CODE_BASE=$code,--defsym,LOCAL_BYTES=$local_bytes -o "$work/mm/$core.elf" || return 1
    elfs="$elfs --elf $core=$work/mm/$core.elf"
    code=$((code + 0x6000))
  done
  # 8 tiles of 2 KiB: numbers 0.5, 1, 2 and -1 in BF16, by a fixed rule
  awk 'BEGIN { split("000077 200077 000100 200277", v, " ")
    for (i = 0; i < 8192; i++) { n = v[i * 7 % 11 % 4 + 1]; printf "\\%s\\%s", substr(n, 1, 3), substr(n, 4, 3) } }' > "$work/mm/octal"
  # shellcheck disable=SC2059
  printf "$(cat "$work/mm/octal")" > "$work/mm/tiles"
  run="$elfs $(kernel_launch 2) --load 0x60000:$work/mm/tiles --poke 0x288=2 --poke 0x28c=2 --poke 0x290=2 --poke 0x2a8=0x60000
    --poke 0x2ac=0x62000 --poke 0x2b0=0x70000"
}
gdb_do() { # commands of gdb on standard input; gdb's output in $work/out
  { printf 'set pagination off\nset confirm off\nset width 0\nset schedule-multiple on\n'
    # shellcheck disable=SC2086
    echo "target extended-remote | $BUILD/tessera run --check none --gdb stdio" $run ${gdb_more:-}
    cat
  } > "$work/commands"
  timeout ${gdb_seconds:-60} gdb-multiarch -nx -batch -x "$work/commands" > "$work/out" 2>&1
}
