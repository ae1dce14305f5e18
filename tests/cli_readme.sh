# The commands that README.md and the guides show after "$ " give the output that stands below them. Prints TAP. Reads BUILD.
#
# A block counts when its first line begins with "$ ". Its commands are run one after the other in an empty folder that has build and examples of the
# tree. Lines that end in " ..." in the document stand for any rest of that line.
BUILD=${BUILD:-build}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
python3 - "$BUILD" "$work" README.md << 'PY'
import os, re, subprocess, sys
build, work, files = sys.argv[1], sys.argv[2], sys.argv[3:]
number = failures = 0
os.symlink(os.path.abspath(build), work + "/build")
os.symlink(os.path.abspath("examples"), work + "/examples")
for name in files:
    for block in re.findall(r"^```\n(\$ .*?)^```", open(name, encoding="utf-8").read(), re.M | re.S):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, wanted = part.partition("\n")
            number += 1
            got = subprocess.run(["sh", "-c", command], cwd=work, capture_output=True, text=True).stdout
            pairs = list(zip(wanted.rstrip("\n").split("\n"), got.rstrip("\n").split("\n")))
            same = wanted.rstrip("\n").count("\n") == got.rstrip("\n").count("\n") and all(w == g or w.endswith(" ...") and g.startswith(w[:-4]) for w, g in pairs)
            print("%s %d - %s: %s" % ("ok" if same else "not ok", number, name, command))
            if not same:
                failures += 1
                print("\n".join("# wanted %s\n# got    %s" % pair for pair in pairs if pair[0] != pair[1]))
print("1..%d" % number)
sys.exit(1 if failures or number < 2 else 0)
PY
