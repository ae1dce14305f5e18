# Assertions on invariants (src/sim/assert.h): their number, their absence from the release build, and that a broken one is
# detected. Prints TAP. Reads BUILD and CC.
. tests/tap.sh
BUILD=${BUILD:-build}
CC=${CC:-gcc}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0
check() { # NAME RESULT
  number=$((number + 1))
  if [ "$2" = 0 ]; then echo "ok $number - $1"; else echo "not ok $number - $1"; fi
}

echo "1..4"
count=$(grep -rhoE '\b(sim|tx)_assert\(' src --include='*.[ch]' | wc -l)
files=$(grep -rlE '\b(sim|tx)_assert\(' src --include='*.[ch]' | wc -l)
echo "note: $count assertions in $files files"
[ "$count" -ge 150 ]
check "at least 150 assertions" $?

nm "$BUILD/libtessera.a" 2> /dev/null | grep -q sim_assert_failed
[ $? = 1 ]
check "the release build has no assertion" $?

# The same function with and without assertions, as the release build compiles it: the same code.
cat > "$work/f.c" << SOURCE
#include "sim/assert.h"
unsigned f(const unsigned *p);
unsigned f(const unsigned *p) {
#ifdef WITH
  sim_assert(p[1] < p[2] && p[3]);
#endif
  return *p;
}
SOURCE
$CC -std=c11 -O2 -Isrc -S -DWITH "$work/f.c" -o "$work/with.s" && $CC -std=c11 -O2 -Isrc -S "$work/f.c" -o "$work/without.s" &&
  cmp -s "$work/with.s" "$work/without.s"
check "an assertion costs nothing in the release build" $?

cat > "$work/g.c" << SOURCE
#include "sim/assert.h"
int main(int argc, char **argv) {
  (void)argv;
  sim_assert(argc == 1);
  return 0;
}
SOURCE
$CC -std=c11 -DTESSERA_INVARIANTS -Isrc "$work/g.c" src/sim/assert.c -o "$work/g" && "$work/g" &&
  { "$work/g" x 2> "$work/err"; [ $? -gt 128 ]; } && grep -q 'g.c:4: invariant broken: argc == 1' "$work/err"
check "a broken invariant ends the process with its place" $?
