# examples/embed.c against the shared library, as a user builds it; and the exports of the library. Prints TAP. Reads BUILD and CC.
. tests/tap.sh
BUILD=${BUILD:-build}
CC=${CC:-gcc}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
echo "1..3"

riscv64-unknown-elf-gcc -g -O1 -march=rv32im_zicsr_zba_zbb -mabi=ilp32 -nostdlib -nostartfiles -ffreestanding -fno-pic -Wl,-N \
  -Wl,--defsym=BASE=0xa000 -T tests/cores/core.ld tests/cores/start.S tests/cores/add_five.c -o "$work/kernel.elf" 2> "$work/log" &&
  $CC -std=c11 -Wall -Wextra -Werror -Iinclude examples/embed.c -L"$BUILD" -ltessera -o "$work/embed" 2>> "$work/log" &&
  LD_LIBRARY_PATH=$BUILD "$work/embed" "$work/kernel.elf" > "$work/out" 2>> "$work/log"
if [ $? -eq 0 ] && grep -q '^input 10: result 15 after' "$work/out" && grep -q '^input 20: result 25 after' "$work/out"; then
  echo "ok 1 - the example builds with the public header and runs a kernel twice"
else
  echo "not ok 1 - the example builds with the public header and runs a kernel twice"
  sed 's/^/# /' "$work/log" "$work/out"
fi

# Every function of the headers is exported, and nothing else.
sed 's,/\*.*\*/,,; /^typedef/d' include/tessera/*.h | sed -n '/^ *\(\/\*\| \*\)/d; s/.*\b\(tessera_[a-z_0-9]*\)(.*/\1/p' | sort -u > "$work/declared"
nm -D --defined-only "$BUILD/libtessera.so" | awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }' | sort -u > "$work/exported"
if comm -13 "$work/declared" "$work/exported" | grep -q .; then
  echo "not ok 2 - nothing is exported that the headers do not declare"
  comm -13 "$work/declared" "$work/exported" | sed 's/^/# /'
else
  echo "ok 2 - nothing is exported that the headers do not declare"
fi
if comm -23 "$work/declared" "$work/exported" | grep -q .; then
  echo "not ok 3 - everything that the headers declare is exported"
  comm -23 "$work/declared" "$work/exported" | sed 's/^/# /'
else
  echo "ok 3 - everything that the headers declare is exported"
fi
