# TESSERA_GDB: gdb-multiarch on a core of the chip that a host program drives through libttsim.so. Prints TAP. Reads BUILD.
. tests/tap.sh
BUILD=${BUILD:-build}
for tool in gdb-multiarch riscv64-unknown-elf-gcc python3; do
  command -v $tool > /dev/null || { echo "1..0 # SKIP no $tool"; exit 0; }
done
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
library=$(realpath "$BUILD/libttsim.so")
count=0
ok() { # WHAT STATUS
  count=$((count + 1))
  [ "$2" -eq 0 ] && echo "ok $count - $1" && return
  echo "not ok $count - $1"
  sed 's/^/# /' "$work/out" "$work/err" 2> /dev/null | tail -40
}
has() { for text; do grep -qF -- "$text" "$work/out" || return 1; done; }
echo "1..6"

cat > "$work/core.c" << 'C'
#define WORD(address) (*(volatile unsigned *)(address))
static unsigned last;
__attribute__((noinline)) void answer(unsigned number) {
  WORD(0x8004) = number * 3;
  WORD(0x8008) = number;
}
__attribute__((section(".first"), naked)) void _start(void) { __asm__("li sp, 0x4000\n j main"); }
void main(void) {
  for (;;) {
    unsigned number = WORD(0x8000);
    if (number == last) continue;
    last = number;
    answer(number);
  }
}
C
riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -O1 -g -ffreestanding -nostdlib -Wno-main -Wl,--no-warn-rwx-segments -Wl,-Ttext=0 \
  -Wl,--section-start=.first=0 -Wl,-Ttext=0x40 -Wl,-Tdata=0x2000 -Wl,-e,_start "$work/core.c" -o "$work/core.elf" 2> "$work/err" &&
  riscv64-unknown-elf-objcopy -O binary "$work/core.elf" "$work/core.bin" 2>> "$work/err"
ok "the core's program compiles" $?

begin_host() { # the host program, and the first commands of gdb in $work/commands
  rm -f "$work/answers" "$work/socket"
  TESSERA_GDB=unix:$work/socket TESSERA_LOG=error timeout 60 python3 tests/gdb_host.py "$library" "$work/core.bin" "$work/answers" ${until:-} 2> "$work/err" &
  host=$!
  for _ in $(seq 300); do [ -S "$work/socket" ] && break; sleep 0.1; done
  { printf 'set pagination off\nset confirm off\nset width 0\nset schedule-multiple on\nset architecture riscv:rv32\n'
    echo "target extended-remote $work/socket"
  } > "$work/commands"
}
session() { # commands of gdb on standard input
  begin_host
  cat >> "$work/commands"
  timeout 50 gdb-multiarch -nx -batch -x "$work/commands" > "$work/out" 2>&1 || return 1
  wait $host
}

session << GDB
inferior 4
file $work/core.elf
break answer
continue
print number
print/x *(unsigned *)0x8004
delete
watch *(unsigned *)0x8004
continue
print *(unsigned *)0x8004
reverse-continue
delete
break answer
continue
continue
print number
detach
GDB
status=$?
[ $status -eq 0 ] && has 'Breakpoint 1, answer (number=7)' '$1 = 7' '$2 = 0x0' '$3 = 21' '$4 = 9'
ok "breakpoints and a watchpoint stop the core of a host program" $?
printf '7 gives 21\n9 gives 27\n' | cmp -s - "$work/answers" && grep -q 'TESSERA_GDB: .*continues without it' "$work/err"
ok "the host program goes on when gdb detaches, and ends well" $?

session << GDB
inferior 4
file $work/core.elf
continue
detach
GDB
[ $? -eq 0 ] && has 'the host program has closed the device'
ok "gdb is told when the host program closes the device" $?

# Steps back over a write of the host: the second number disappears and is written again.
session << GDB
inferior 4
file $work/core.elf
break answer
continue
continue
print number
print *(unsigned *)0x8000
reverse-continue
print number
print *(unsigned *)0x8000
continue
print number
reverse-stepi
stepi
print number
delete
detach
GDB
[ $? -eq 0 ] && has '$1 = 9' '$2 = 9' '$3 = 7' '$4 = 7' '$5 = 9' '$6 = 9' && printf '7 gives 21\n9 gives 27\n' | cmp -s - "$work/answers"
ok "steps back go over a write of the host, which stands again on the way forwards" $?

# Ctrl-C in gdb while the host calls the clock and the core polls: twice, with a step back from there.
until=$work/over
begin_host
printf 'inferior 4\nfile %s\n' "$work/core.elf" >> "$work/commands"
timeout 50 python3 tests/gdb_ctrl_c.py "$work/commands" 'print *(unsigned *)0x8008;reverse-stepi' "info threads;shell touch $work/over" > "$work/out" 2>&1
wait $host && [ "$(grep -c 'received signal SIGINT' "$work/out")" -eq 2 ] && has '$1 = 9' && printf '7 gives 21\n9 gives 27\n' | cmp -s - "$work/answers"
ok "Ctrl-C stops the core of a host program that calls the clock, and it goes on" $?
