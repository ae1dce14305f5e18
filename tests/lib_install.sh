# The files of `make install` work, and `make uninstall` removes all of them. Prints TAP. Reads BUILD and CC.
. tests/tap.sh
BUILD=${BUILD:-build}
CC=${CC:-gcc}
CXX=${CXX:-g++}
unset MAKEFLAGS MAKELEVEL MFLAGS
root=$(mktemp -d) || exit 1
trap 'rm -rf "$root"' EXIT
number=0
check() { # WHAT: passes if the previous command succeeded
  if [ $? -eq 0 ]; then result=ok; else result="not ok"; fi
  number=$((number + 1))
  echo "$result $number - $1"
}

echo "1..10"
make -s BUILD="$BUILD" CC="$CC" PREFIX=/opt/tessera DESTDIR="$root/stage" install
check "make install with DESTDIR"

prefix=$root/stage/opt/tessera
(cd "$prefix" && [ -x bin/tessera ] && [ -f lib/libtessera.a ] && [ -f lib/libtessera.so.1 ] && [ -L lib/libtessera.so ] && [ -x share/tessera/sim/libttsim.so ] && [ -x share/tessera/sim/sim-dir ] && [ -f lib/libtessera_kernel.a ] &&
  [ "$(find . ! -type d ! -path './share/tessera/kernels/*' | wc -l)" -eq $((12 + $(find include -name '*.h' -o -name '*.hpp' | wc -l) + $(bin/tessera man --list | wc -l))) ] &&
  [ -f include/tessera/pto.hpp ] && [ -f include/tessera/compat/pto/common/fifo.hpp ] &&
  [ -f include/tessera/compat/pto/pto-inst.hpp ] && [ -f include/tessera/compat/pto/detail/record.hpp ])
check "the command, all four libraries, the pkg-config files, sim-dir, headers, manual pages, completion, nothing else"

[ "$(cd "$prefix/share/tessera/kernels" && find . -type f | sort)" = "$( { (cd kernels && find ./include ./firmware ./template ./templates ./empty.c ./host/kernel_host.h -type f); (cd "$BUILD/kernels" && find ./include -type f ! -name "*.ok"); } | sort)" ]
check "the kernel library: headers, the generated one too, firmware, linker script, template, the launcher's header, nothing else"

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

mkdir "$root/nothing" && if command -v riscv64-unknown-elf-gcc > /dev/null; then
  (cd "$root/nothing" && "$prefix/bin/tessera" kernel new mine && "$prefix/bin/tessera" kernel run mine) > "$root/kernel" 2>&1 && grep -q 'C against sum of A and B: .* good$' "$root/kernel"
fi
check "the installed command makes, builds and runs a kernel in an empty folder, far from the source tree"

# A host program that uses the launcher library, with the flags that pkg-config would give.
flags() { sed -n "s/^$1: //p" "$prefix/lib/pkgconfig/tessera-kernels.pc" | sed "s|\${libdir}|$prefix/lib|; s|\${host_includedir}|$prefix/share/tessera/kernels/host|"; }
printf '#include <kernel_host.h>\n#include <stdio.h>\nint main(int argc, char **argv) {\n  struct tessera_tile *tile = tessera_tile_create(TESSERA_TIMING_OFF);\n  struct launch l = {.launches = 1};\n  char why[512] = "";\n  int bad = argc < 2 || kernel_load(tile, argv[1]) || kernel_launch(tile, &l, 100000, why, sizeof why) == TESSERA_DONE;\n  puts(why);\n  tessera_tile_destroy(tile);\n  return bad;\n}\n' > "$root/launcher.c"
# shellcheck disable=SC2046
"$CC" -std=c11 -Wall -Wextra -I"$prefix/include" $(flags Cflags) "$root/launcher.c" $(flags Libs) -L"$prefix/lib" -ltessera -o "$root/launcher" &&
  if command -v riscv64-unknown-elf-gcc > /dev/null; then
    LD_LIBRARY_PATH="$prefix/lib" "$root/launcher" "$root/nothing/mine/build" > "$root/launched" && grep -q 'circular buffer [0-9]* was never configured' "$root/launched"
  fi
check "a host program builds with the installed launcher and gets a kernel's failed check"

if command -v "$CXX" > /dev/null; then
  "$CXX" -std=c++17 -Wall -Wextra -Werror -I"$prefix/include" -I"$prefix/include/tessera/compat" tests/pto/listings.cpp \
    -L"$prefix/lib" -ltessera -o "$root/listings" && LD_LIBRARY_PATH="$prefix/lib" "$root/listings" > "$root/listings.tap"
fi
check "the TPUSH page's listings build with the installed C++ header and run with the shared library"

make -s BUILD="$BUILD" PREFIX=/opt/tessera DESTDIR="$root/stage" uninstall && [ -z "$(find "$root/stage" ! -type d)" ]
check "make uninstall leaves no file"
