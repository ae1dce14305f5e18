# Temporary files and sockets: names that cannot be foreseen and follow no link, the longest names, every signal that ends the command leaves nothing,
# a socket of another server stays, and several processes with libttsim.so share a folder of reports. Prints TAP. Reads BUILD.
. tests/tap.sh
BUILD=${BUILD:-build}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
BUILD="$BUILD" WORK="$work" python3 - << 'PYTHON'
import os, signal, socket, struct, subprocess, sys, time
build, work = os.path.abspath(os.environ["BUILD"]), os.environ["WORK"]
tessera, number = build + "/tessera", 0
example = os.path.abspath("examples/mop_and_replay.tta")
os.chdir(work)
def ok(good, name, *why):
    global number
    number += 1
    print(("ok" if good else "not ok"), number, "-", name, flush=True)
    if not good:
        for line in why: print("#", line)
def write(name, data):
    with open(name, "wb") as file: file.write(data)
def read(name):
    with open(name, "rb") as file: return file.read()
def until(condition, seconds=20):
    end = time.time() + seconds
    while time.time() < end and not condition(): time.sleep(0.02)
    return condition()
write("count.bin", struct.pack("<II", 0x00150513, 0xffdff06f))  # addi a0, a0, 1; j back
forever = [tessera, "run", "--load", "0x1000:count.bin", "--reset-pc", "brisc=0x1000", "--max-cycles", "1000000000000000"]

# A link under each name that a process number gives.
write("victim", b"precious\n")
os.mkdir("links")
here = os.getpid()
for pid in range(here, here + 300):
    for name in ("out.sarif.part%d" % pid, "out.sarif.%d" % pid): os.symlink("../victim", "links/" + name)
done = subprocess.run([tessera, "exec", example, "--sarif", "links/out.sarif"], capture_output=True)
ok(done.returncode == 0 and read("victim") == b"precious\n" and read("links/out.sarif")[:1] == b"{" and not os.path.islink("links/out.sarif"),
   "no link under a name from a process number is followed", done.stderr, read("victim")[:60])
traced = ["strace", "-f", "-e", "trace=open,openat", "-o", "calls"] + [tessera, "exec", example, "--sarif", "s"]
if subprocess.run(["sh", "-c", "command -v strace"], capture_output=True).returncode == 0 and subprocess.run(traced, capture_output=True).returncode == 0:
    opened = [line for line in read("calls").decode().splitlines() if "tessera-" in line and ".part" in line]
    ok(opened and all("O_EXCL" in line and "O_NOFOLLOW" in line for line in opened), "temporary files are created with O_EXCL and O_NOFOLLOW", opened)

# Names of 255 bytes.
longest = "j" * 249 + ".sarif"
done = subprocess.run([tessera, "exec", example, "--sarif", longest, "--trace", "t" * 247 + ".pftrace"], capture_output=True)
ok(done.returncode == 0 and read(longest)[:1] == b"{" and os.path.getsize("t" * 247 + ".pftrace") > 0, "files with names of 255 bytes", done.stderr)

# Signals.
os.mkdir("run")
wrong = []
for name in "INT TERM HUP QUIT PIPE ALRM USR1 USR2 XCPU VTALRM PROF".split():
    process = subprocess.Popen(forever + ["--json", "run/a.json", "--trace", "run/t.txt", "--trace-from", "1000000000"],
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if not until(lambda: [f for f in os.listdir("run") if ".part" in f]): wrong.append((name, "no file", os.listdir("run")))
    time.sleep(0.1)
    process.send_signal(getattr(signal, "SIG" + name))
    try: process.communicate(timeout=60)
    except subprocess.TimeoutExpired: process.kill(), process.communicate()
    expected = {"INT": 130, "TERM": 143}.get(name, -getattr(signal, "SIG" + name))
    left = [f for f in os.listdir("run") if ".part" in f]
    if process.returncode != expected or left: wrong.append((name, process.returncode, left))
    for f in os.listdir("run"): os.unlink("run/" + f)
ok(not wrong, "a signal that ends the command leaves no temporary file", *wrong)
process = subprocess.Popen(["sh", "-c", "trap '' HUP; exec \"$@\"", "sh"] + forever + ["--json", "run/a.json"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
until(lambda: os.listdir("run"))
process.send_signal(signal.SIGHUP)
time.sleep(0.3)
alive = process.poll() is None
process.send_signal(signal.SIGINT)
ok(process.wait(60) == 130 and alive, "a signal that is ignored (nohup) stays ignored")

# Sockets.
def serve(path): return subprocess.Popen(forever + ["--gdb", "unix:" + path], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
def ends(process, seconds=20):
    try: return process.communicate(timeout=seconds)[1].decode()
    except subprocess.TimeoutExpired:
        process.kill()
        return "runs " + process.communicate()[1].decode()
foreign = socket.socket(socket.AF_UNIX)
foreign.bind("foreign")
foreign.listen(1)
inode = os.stat("foreign").st_ino
process = serve("foreign")
said = ends(process)
ok(process.returncode == 2 and "Address already in use" in said and said.count("\n") == 1 and os.stat("foreign").st_ino == inode,
   "--gdb refuses the socket of another program that listens", process.returncode, said)
foreign.close()
process = serve("foreign")
def connects():
    client = socket.socket(socket.AF_UNIX)
    return client.connect_ex("foreign") == 0
ok(until(connects), "a socket without a server is replaced")
second = serve("foreign")
said = ends(second)
ok(second.returncode == 2 and "Address already in use" in said and process.poll() is None and os.path.exists("foreign"), "so does a second server", said)
os.unlink("foreign")
other = socket.socket(socket.AF_UNIX)
other.bind("foreign")
process.send_signal(signal.SIGTERM)
ends(process)
ok(os.path.exists("foreign"), "a server removes only its own socket")

# Two processes with libttsim.so and one folder of reports.
host = """
import ctypes, sys, time, os
lib = ctypes.CDLL(sys.argv[1])
lib.libttsim_init.restype = None
lib.libttsim_init()
lib.libttsim_clock(100)
lib.libttsim_exit()
open(sys.argv[2], "w").close()
while not os.path.exists("go"): time.sleep(0.02)
"""
os.mkdir("reports")
for n in range(here, here + 300): os.symlink("../victim", "reports/report.txt.%d" % n)
environment = dict(os.environ, TESSERA_REPORT="reports", TESSERA_LOG="error")
hosts = []
for i in range(2):
    hosts.append(subprocess.Popen([sys.executable, "-c", host, build + "/libttsim.so", "done%d" % i], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT))
    if i == 0: until(lambda: os.path.exists("done0") or hosts[0].poll() is not None)
until(lambda: os.path.exists("done1") or hosts[1].poll() is not None)
write("go", b"")
said = [h.communicate()[0].decode() for h in hosts]
names = sorted(f for f in os.listdir("reports") if not os.path.islink("reports/" + f))
ok(names == ["report-2.html", "report-2.txt", "report.html", "report.txt"] and read("victim") == b"precious\n",
   "two processes that run write two reports into one folder", names, *said)
print("1..%d" % number)
PYTHON
