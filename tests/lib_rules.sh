# The rules of the house that can be checked from outside, on the built library and on the sources. Prints TAP.
# Reads BUILD (the build directory) and CC.
BUILD=${BUILD:-build}
CC=${CC:-gcc}
number=0
found=$(mktemp) || exit 1
trap 'rm -f "$found"' EXIT

echo "1..8"
none() { # RULE: holds when the list of offenders is empty
  number=$((number + 1))
  if [ -s "$found" ]; then echo "not ok $number - $1"; else echo "ok $number - $1"; fi
  sed 's/^/# /' "$found"
}

model_objects() { find "src/$1" -name '*.c' 2> /dev/null | sort | sed "s|\(.*\)\.c|$BUILD/obj/\1.o|"; }
model_sources() { find "src/$1" -name '*.[ch]' -o -name '*.def' 2> /dev/null | sort; }

nm -D --defined-only "$BUILD/libtessera.so" | awk '$2 != "A" && $3 !~ /^tessera_/ { print $3 }' > "$found"
none "the shared library exports tessera_* only"

readelf -d "$BUILD/libtessera.so" | awk '/NEEDED/ && !/\[lib[cm]\.so\.6\]/ && !/\[ld-linux/ { print $NF }' > "$found"
none "the library needs libc and its libm only"

# Tables of constants that hold pointers are in .data.rel.ro and do not count.
size -A "$BUILD/libtessera.a" | awk '
  / : *$|\(ex / { object = $1 }
  $1 ~ /^\.(bss|data|tbss|tdata)/ && $1 !~ /^\.data\.rel\.ro/ && $2 > 0 { print object, $1, $2, "bytes" }' > "$found"
none "no globals"

for layer in sim chips noc tensix chip pto; do
  for object in $(model_objects $layer); do
    nm -u "$object" | awk -v object="$object" '
      $2 ~ /^(__)?v?[fd]?printf(_chk)?$|^(f?puts|f?putc|putchar|fwrite|fopen|fflush|perror|stdout|stderr)$/ ||
      $2 ~ /^(exit|_exit|_Exit|abort|__assert_fail|system|getenv|time|clock|clock_gettime|rand|random|srand)$/ {
        print object ": " $2 }'
  done
done > "$found"
none "the machines do not print, exit, or ask for the time or the environment"

while read -r layer prefix; do
  for object in $(model_objects "$layer"); do
    nm --defined-only -g "$object" | awk -v object="$object" -v prefix="^(tessera|$prefix)_" '
      $3 !~ prefix && $3 !~ /^__(asan|odr|ubsan)/ { print object ": " $3 }'
  done
done << LAYERS > "$found"
sim sim
chips tx
noc noc
tensix (tx|num)
chip chip
host (host|libttsim)
pto pto
LAYERS
none "exported names carry the prefix of their layer"

# Arrows point down only: cli -> observe, debug -> chip -> tensix -> noc -> chips, sim; pto -> sim.
while read -r layer allowed; do
  grep -rnE '^ *# *include *"(sim|chips|noc|chip|tensix|pto|load|observe|debug|host|api|cli)/' "src/$layer" 2> /dev/null |
    grep -vE "include *\"($allowed)/"
done << LAYERS > "$found"
sim sim
chips chips|sim
noc noc|chips|sim
tensix tensix|noc|chips|sim
chip chip|tensix|noc|chips|sim
pto pto|sim
pto/program pto/program|sim
pto/ir pto/ir|pto/program|sim
pto/runtime pto/runtime|pto/program|sim
observe observe|debug|chip|tensix|noc|chips|pto|sim
debug debug|observe|chip|tensix|noc|chips|pto|sim
host host|observe|debug|chip|tensix|noc|chips|sim
load load|chip|tensix|noc|chips|sim
api api|host|load|observe|debug|chip|tensix|noc|chips|pto|sim
LAYERS
none "no layer includes one above it"

# The command is a customer of the public API alone; pto*.c and chip*.c still look below it.
grep -rnE '^ *# *include *"' src/cli | grep -vE 'include *"(cli|tessera)/' | grep -vE '^src/cli/(pto|chip)' > "$found"
none "the command includes include/tessera and its own headers only"

for layer in sim chips noc tensix chip; do
  for source in $(model_sources $layer); do
    "$CC" -fpreprocessed -dD -E -P -x c "$source" 2> /dev/null | sed 's/"[^"]*"//g' | grep -nwE 'float|double|_Float16' |
      sed "s|^[0-9]*:|$source: |"
  done
done > "$found"
none "the model of the hardware computes with integers only"
