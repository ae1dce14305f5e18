# The Python package as a user installs it: pip install . into a fresh virtual environment, its tests by --pyargs, the wheel by auditwheel, mypy on
# stubs and examples, the guide's outputs, a notebook by nbconvert and in Chromium. Prints TAP. Reads BUILD and CC. Needs an index for pip.
. tests/tap.sh
BUILD=${BUILD:-build}
mkdir -p "$BUILD"
TESSERA_BUILD=$(cd "$BUILD" && pwd)
export TESSERA_BUILD CC="${CC:-gcc}"
unset MAKEFLAGS MAKELEVEL MFLAGS PYTHONPATH PYTHONDONTWRITEBYTECODE TESSERA_LIBRARY
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export TESSERA_CACHE="$work/cache"
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

python=
for candidate in "${PYTHON:-}" python3.10 "$HOME/.pyenv/versions/"3.10.*/bin/python python3; do
  [ -n "$candidate" ] && "$candidate" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))' 2> /dev/null && { python=$candidate; break; }
done
[ -n "$python" ] || { echo "1..0 # SKIP no Python of 3.10 or later with venv"; exit 0; }
"$python" -m venv "$work/venv" && "$work/venv/bin/pip" -q download -d "$work/numpy" numpy > "$work/log" 2>&1 || {
  echo "1..0 # SKIP pip reaches no index: $(tail -n 1 "$work/log")"
  exit 0
}
bin=$work/venv/bin

"$bin/pip" install --find-links "$work/numpy" . > "$work/log" 2>&1
ok "pip install . in a fresh virtual environment of $("$python" --version)"
cp -r "$work/venv/lib"/python3*/site-packages/tessera "$work/installed" &&
  "$bin/python" - "$work" > "$work/log" 2>&1 << 'CODE'
import importlib.metadata as metadata, os, sys, tessera
assert "site-packages" in tessera.__file__ and "site-packages" in tessera._library.path, (tessera.__file__, tessera._library.path)
assert metadata.requires("tessera") == ["numpy", "pytest ; extra == 'test'"], metadata.requires("tessera")
assert metadata.version("tessera") == tessera.__version__
CODE
ok "the package brings its library and requires NumPy alone"
"$bin/pip" wheel -q --no-deps -w "$work/wheel" . > "$work/log" 2>&1 && "$bin/pip" wheel -q --no-deps -w "$work/second" ./python >> "$work/log" 2>&1 &&
  cmp "$work"/wheel/*.whl "$work"/second/*.whl >> "$work/log" 2>&1
ok "a wheel from the top and from python/ are the same file"

"$bin/pip" install -q pytest auditwheel mypy nbconvert ipykernel ml_dtypes > "$work/log" 2>&1
ok "tools from the index"
(cd "$work" && "$bin/python" -m pytest -q -p no:cacheprovider --pyargs tessera) > "$work/log" 2>&1
ok "python -m pytest --pyargs tessera: $(tail -n 1 "$work/log")"
grep '^note: ' "$work/log"
"$bin/auditwheel" show "$work"/wheel/*.whl > "$work/log" 2>&1 && grep -q 'manylinux_2_' "$work/log"
ok "auditwheel show: $(grep -o '"manylinux_2_[0-9]*_x86_64"' "$work/log" | head -n 1)"
# mypy in a user's project: the stubs and examples of the installed package.
cp -r python/examples "$work/examples" && (cd "$work/examples" && "$bin/mypy" --strict --cache-dir "$work/mypy" quantize.py kernel_tests/test_add.py) > "$work/log" 2>&1 &&
  "$bin/mypy" --strict --cache-dir "$work/mypy" --exclude 'tessera/tests' python/tessera >> "$work/log" 2>&1
ok "mypy --strict on the stubs, the package and the examples"
"$bin/python" tests/python/guide.py > "$work/log" 2>&1
ok "docs/guide/python.md prints what it shows, its first kernel in at most 15 lines"
(cd "$work/examples" && "$bin/python" quantize.py && "$bin/python" -m pytest -q -p no:cacheprovider kernel_tests --tessera-report "$work/pr") > "$work/log" 2>&1 &&
  "$bin/python" tests/sarif_rules.py "$work/pr/tessera.sarif" >> "$work/log" 2>&1
ok "the examples run, and the workflow's SARIF file keeps its rules"

"$bin/jupyter-nbconvert" --to html --execute --output-dir "$work/notebook" "$work/examples/kernels.ipynb" > "$work/log" 2>&1
ok "the notebook runs under nbconvert"
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome)
if [ -n "$browser" ] && [ -s "$work/notebook/kernels.html" ]; then
  cat >> "$work/notebook/kernels.html" << 'PAGE'
<script>
const reports = [...document.querySelectorAll('.tessera')], seen = [];
seen.push('reports ' + reports.length, 'visible ' + reports.every(r => r.getBoundingClientRect().height > 100));
seen.push('good ' + document.querySelectorAll('.tessera .good').length, 'bad ' + document.querySelectorAll('.tessera .bad').length);
const green = getComputedStyle(document.querySelector('.tessera .good')).backgroundColor;
seen.push('color ' + (green !== 'rgba(0, 0, 0, 0)'), 'bar ' + (document.querySelector('.tessera .bar').getBoundingClientRect().width > 0));
seen.push('line ' + reports[3].textContent.includes('compute.c:10'), 'why ' + reports[1].textContent.includes('bound by'));
seen.push('errors ' + document.querySelectorAll('[data-mime-type="application/vnd.jupyter.error"], .jp-OutputArea-output .ansi-red-fg').length);
document.title = 'SEEN ' + seen.join('; ');
</script>
PAGE
  timeout 120 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/profile" --window-size=1000,3600 \
    --virtual-time-budget=10000 --dump-dom "file://$work/notebook/kernels.html" > "$work/dom" 2> "$work/console"
  grep -o '<title>SEEN [^<]*' "$work/dom" > "$work/log"
  grep -q 'SEEN reports 4; visible true; good 3; bad 1; color true; bar true; line true; why true; errors 0' "$work/log"
  ok "the notebook in Chromium: four reports with tables, bars and lines"
else
  skip "no Chromium here for the notebook"
fi
echo "1..$number"
[ $failures -eq 0 ]
