# A C program and a Python script outside the tree do through the installed library what the command does: their output is the
# command's. Prints TAP. Reads BUILD and CC.
. tests/tap.sh
BUILD=${BUILD:-build}
CC=${CC:-gcc}
unset MAKEFLAGS MAKELEVEL MFLAGS
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0
ok() { # WHAT: passes if the previous command succeeded
  status=$?
  number=$((number + 1))
  if [ $status -eq 0 ]; then echo "ok $number - $1"; else
    echo "not ok $number - $1"
    cat "$work/log" "$work/diff" 2> /dev/null | sed 's/^/# /' | head -n 20
  fi
}

make -s BUILD="$BUILD" CC="$CC" PREFIX="$work/usr" install > "$work/log" 2>&1
ok "make install"
cp tests/api/everything.c tests/api/everything.py tests/asm/handshake.tta tests/api/two.case examples/pto/pattern1.pto "$work/"
riscv64-unknown-elf-gcc -g -O1 -march=rv32im_zicsr_zba_zbb -mabi=ilp32 -nostdlib -nostartfiles -ffreestanding -fno-pic -Wl,-N \
  -Wl,--defsym=BASE=0x6000 -T tests/cores/core.ld tests/cores/start.S tests/cores/sum.c -o "$work/sum.elf" 2> "$work/log"
ok "the kernel builds"
cd "$work" || exit 1
PKG_CONFIG_PATH=$work/usr/lib/pkgconfig
export PKG_CONFIG_PATH
$CC -std=c11 -Wall -Wextra -Wpedantic -Werror -Iusr/include everything.c -Lusr/lib -ltessera -o everything 2> "$work/log"
ok "the C program builds outside the tree, with the installed headers"
LD_LIBRARY_PATH=$work/usr/lib
export LD_LIBRARY_PATH
c() { ./everything "$@"; }
py() { python3 everything.py "$work/usr/lib/libtessera.so.1" "$@"; }

same() { # NAME ARGUMENTS-OF-THE-COMMAND -- ARGUMENTS-OF-THE-PROGRAMS
  name=$1
  shift
  command=
  while [ "$1" != -- ]; do command="$command $1" && shift; done
  shift
  # shellcheck disable=SC2086
  usr/bin/tessera $command > expected 2> log
  for language in c py; do
    $language "$@" > got 2> log && diff expected got > diff && [ -s got ]
    ok "$name from $language is the command's"
  done
}
same run run --elf trisc0=sum.elf --json - -- run trisc0=sum.elf
same exec exec handshake.tta -- exec handshake.tta
same conform conform two.case -- conform two.case
same "pto run" pto run pattern1.pto -- pto pattern1.pto

cat > expected << END
flipped: refused, the saved state is damaged: its checksum is wrong
other version: refused, the saved state has another format version
cut: refused, the saved state is truncated
good: ok
the same end: yes
END
for language in c py; do
  $language state sum.elf > got 2> log && diff expected got > diff
  ok "damaged states are refused in one line, from $language"
done
cat > expected << END
stopped: breakpoint
at the symbol: yes
stepped: yes
stopped: watchpoint
end: done
events: many
END
for language in c py; do
  $language debug sum.elf > got 2> log && diff expected got > diff
  ok "breakpoints, steps, watchpoints and hooks from $language"
done

# The same with the command, through a file.
bad() { # WORDS: the state in file `bad` is rejected with one line
  usr/bin/tessera run --restore bad > got 2> log
  [ $? -eq 2 ] && [ ! -s got ] && [ "$(wc -l < log)" -eq 1 ] && grep -qF -- "$1" log
}
usr/bin/tessera run --elf trisc0=sum.elf --max-cycles 100 --save-state saved > got 2> log
[ $? -eq 6 ] && usr/bin/tessera run --elf trisc0=sum.elf --restore saved --dump 0x20000:4:dump > got 2> log &&
  [ "$(od -An -tu4 dump | tr -d ' ')" -eq 16941 ]
ok "the command goes on from a state file"
head -c 1000000 saved > bad && bad "truncated"
ok "a truncated state file is rejected"
{ head -c 1000000 saved; printf x; tail -c +1000002 saved; } > bad && ! cmp -s bad saved && bad "damaged"
ok "a state file with a changed byte is refused"
{ head -c 8 saved; printf '\007'; tail -c +10 saved; } > bad && bad "another format version"
ok "a state file of another version is refused"
cp sum.elf bad && bad "not a saved state"
ok "another file is refused"

cd "$OLDPWD" || exit 1
[ "$(MANPATH=$work/usr/share/man man -w tessera 2> "$work/log")" = "$work/usr/share/man/man1/tessera.1" ] &&
  MANPATH=$work/usr/share/man man tessera-run 2> "$work/log" | grep -q -- --elf
ok "man tessera finds the installed page"
bash -c "source $work/usr/share/bash-completion/completions/tessera && complete -p tessera" > "$work/log" 2>&1
ok "the installed completion loads in bash"
echo "1..$number"
