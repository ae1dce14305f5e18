# What `make install` puts down can be used, and `make uninstall` takes all of it away. Prints TAP. Reads BUILD and CC.
BUILD=${BUILD:-build}
CC=${CC:-gcc}
CXX=${CXX:-g++}
unset MAKEFLAGS MAKELEVEL MFLAGS
root=$(mktemp -d) || exit 1
trap 'rm -rf "$root"' EXIT
number=0
check() { # WHAT: by the exit status of the command before it
  if [ $? -eq 0 ]; then result=ok; else result="not ok"; fi
  number=$((number + 1))
  echo "$result $number - $1"
}

echo "1..7"
make -s BUILD="$BUILD" CC="$CC" PREFIX=/opt/tessera DESTDIR="$root/stage" install
check "make install with DESTDIR"

prefix=$root/stage/opt/tessera
(cd "$prefix" && [ -x bin/tessera ] && [ -f lib/libtessera.a ] && [ -f lib/libtessera.so.1 ] && [ -L lib/libtessera.so ] && [ -x share/tessera/sim/libttsim.so ] && [ -x share/tessera/sim/sim-dir ] &&
  [ "$(find . ! -type d | wc -l)" -eq $((10 + $(find include -name '*.h' -o -name '*.hpp' | wc -l) + $(bin/tessera man --list | wc -l))) ] &&
  [ -f include/tessera/pto.hpp ] && [ -f include/tessera/compat/pto/common/fifo.hpp ] &&
  [ -f include/tessera/compat/pto/pto-inst.hpp ] && [ -f include/tessera/compat/pto/detail/record.hpp ])
check "the command, all three libraries, the pkg-config file, sim-dir, headers, manual pages, completion, nothing else"

"$prefix/bin/tessera" --help > "$root/help"
check "the installed command runs"

grep -qx 'prefix=/opt/tessera' "$prefix/lib/pkgconfig/tessera.pc" && ! grep -q '@' "$prefix/lib/pkgconfig/tessera.pc"
check "the pkg-config file names the prefix without DESTDIR"

{
  (cd "$prefix/include" && find tessera -name '*.h' | sort | sed 's/.*/#include <&>/')
  echo 'int main(void) { return 0; }'
} > "$root/user.c"
$CC -std=c11 -Wall -Wextra -Wpedantic -Werror -I"$prefix/include" "$root/user.c" -Wl,--no-as-needed \
  -L"$prefix/lib" -ltessera -o "$root/user" && LD_LIBRARY_PATH="$prefix/lib" "$root/user"
check "a program with every public header builds and runs with the shared library"

if command -v "$CXX" > /dev/null; then
  "$CXX" -std=c++17 -Wall -Wextra -Werror -I"$prefix/include" -I"$prefix/include/tessera/compat" tests/pto/listings.cpp \
    -L"$prefix/lib" -ltessera -o "$root/listings" && LD_LIBRARY_PATH="$prefix/lib" "$root/listings" > "$root/listings.tap"
fi
check "the document's listings build with the installed C++ header and run with the shared library"

make -s BUILD="$BUILD" PREFIX=/opt/tessera DESTDIR="$root/stage" uninstall && [ -z "$(find "$root/stage" ! -type d)" ]
check "make uninstall leaves no file"
