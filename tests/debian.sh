# The Debian packages: dpkg-buildpackage in a copy of the tree, lintian without errors, installed by apt in a clean root of debootstrap, where
# tessera demo runs and python3-tessera works. Prints TAP. Reads CC. Needs root and a mirror; without them those parts are skipped.
. tests/tap.sh
work=$(mktemp -d "${TMPDIR:-/var/tmp}/tessera-debian.XXXXXX") || exit 1
export CC="${CC:-gcc}"
unset MAKEFLAGS MAKELEVEL MFLAGS PYTHONPATH TESSERA_LIBRARY
root=$work/root
finish() {
  for place in dev proc; do mountpoint -q "$root/$place" && umount "$root/$place"; done
  rm -rf --one-file-system "$work"
}
trap finish EXIT
number=0
failures=0
ok() { # WHAT: passes if the previous command succeeded, with the log where it failed
  status=$?
  number=$((number + 1))
  if [ $status -eq 0 ]; then echo "ok $number - $1"; else
    failures=$((failures + 1))
    echo "not ok $number - $1"
    sed 's/^/# /' "$work/log" | tail -n 60
  fi
}
skip() { number=$((number + 1)) && echo "ok $number # SKIP $1"; }
end() {
  echo "1..$number"
  [ $failures -eq 0 ]
  exit
}
for tool in dpkg-buildpackage dh dh_python3 lintian riscv64-unknown-elf-gcc; do
  command -v $tool > /dev/null || { echo "1..0 # SKIP $tool is not installed (tools/install-deps debian)"; exit 0; }
done

# The files that git tracks or would add: no build directory, no editor files.
mkdir "$work/tessera" || exit 1
git ls-files -z --cached --others --exclude-standard | tar -c --null --ignore-failed-read -T - 2> /dev/null | tar -x -C "$work/tessera"
(cd "$work/tessera" && PATH=/usr/bin:/bin:/usr/sbin:/sbin dpkg-buildpackage -b -us -uc "-j${JOBS:-2}") > "$work/log" 2>&1
ok "dpkg-buildpackage builds tessera, libtessera1, libtessera-dev and python3-tessera"
[ "$(cd "$work" && ls ./*_*.deb | sed 's,./,,; s/_.*//' | grep -v dbgsym | sort | tr '\n' ' ')" = "libtessera-dev libtessera1 python3-tessera tessera " ] || end
lintian --tag-display-limit 0 --fail-on error "$work"/*.changes > "$work/log" 2>&1
ok "lintian finds no error ($(grep -c '^W:' "$work/log") warnings)"
grep '^W:' "$work/log" | sort | uniq -c | sed 's/^/# /'

[ "$(id -u)" -eq 0 ] && command -v debootstrap > /dev/null || { skip "no root or no debootstrap for a clean root"; end; }
mirror=${DEBIAN_MIRROR:-http://deb.debian.org/debian}
if [ -f "${TESSERA_DEBIAN_ROOT:-}" ]; then mkdir "$root" && tar -x -C "$root" -f "$TESSERA_DEBIAN_ROOT"
else debootstrap --variant=minbase bookworm "$root" "$mirror" > "$work/log" 2>&1; fi ||
  { skip "debootstrap does not work here: $(tail -n 1 "$work/log")"; end; }
mount --bind /dev "$root/dev" && mount -t proc proc "$root/proc" || { skip "nothing can be mounted here"; end; }
cp /etc/resolv.conf /etc/hosts "$root/etc/" && mkdir "$root/debs" && cp "$work"/*.deb "$root/debs"
rm -f "$root"/debs/*dbgsym*
inside() { chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive ${http_proxy:+http_proxy="$http_proxy"} "$@"; }
inside apt-get -qq update > "$work/log" 2>&1
inside sh -c 'apt-get -qq -y --no-install-recommends install /debs/*.deb gcc-riscv64-unknown-elf python3-pytest' >> "$work/log" 2>&1
ok "apt installs all four in a clean root"
inside sh -c 'cd / && tessera demo' > "$work/log" 2>&1 && grep -q 'worst error .*: good' "$work/log"
ok "tessera demo from the package runs"
inside sh -c 'man_page=/usr/share/man/man1/tessera-demo.1.gz && [ -s $man_page ] && tessera sim --library && tessera isa MVMUL' > "$work/log" 2>&1
ok "manual pages, the device library and the tables are there"
inside sh -c 'cd /tmp && python3 -m pytest -q -p no:cacheprovider --pyargs tessera' > "$work/log" 2>&1
ok "python3 -m pytest --pyargs tessera in the clean root: $(tail -n 1 "$work/log")"
cat > "$root/tmp/user.c" << 'CODE'
#include <stdio.h>
#include <tessera/tensix.h>
int main(void) { return puts(tessera_version()) < 0; }
CODE
inside sh -c 'apt-get -qq -y --no-install-recommends install gcc libc6-dev pkg-config > /dev/null 2>&1; cd /tmp && gcc user.c $(pkg-config --cflags --libs tessera) -o user && ./user' > "$work/log" 2>&1
ok "a C program builds with libtessera-dev and pkg-config"
inside sh -c 'apt-get -qq -y purge tessera libtessera1 libtessera-dev python3-tessera && ! find /usr -name "*tessera*" | grep .' > "$work/log" 2>&1
ok "purge leaves nothing"
end
