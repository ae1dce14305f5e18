"""Clients of a run that waits for gdb at a port of this machine, without gdb: one that sends slowly, a second one, one that disconnects, one
that sends kill; and one that detaches from a run, which then ends as it does without gdb. usage: gdb_clients.py TESSERA ARGUMENTS..."""
import socket
import subprocess
import sys
import time

command = [sys.argv[1], "run", "--check", "none"] + sys.argv[2:]


def start(stdout):
    run = subprocess.Popen(command + ["--gdb", "0"], stderr=subprocess.PIPE, stdout=stdout, text=True)
    return [run] + run.stderr.readline().strip().split()[-1].rsplit(":", 1)


run, host, port = start(subprocess.DEVNULL)
print("listens at", host)


def connect():
    s = socket.create_connection((host, int(port)), 10)
    s.settimeout(20)
    return s


def frame(content):
    return b"$" + content + b"#%02x" % (sum(content) & 255)


def ask(s, content, pause=0.0):
    for byte in frame(content):
        s.sendall(bytes([byte]))
        if pause:
            time.sleep(pause)
    answer = b""
    while b"#" not in answer or len(answer.split(b"#")[-1]) < 2:
        part = s.recv(4096)
        if not part:
            return "closed"
        answer += part
    return answer.decode(errors="replace").lstrip("+")[1:-3]


first = connect()
print("slow:", "PacketSize" in ask(first, b"qSupported:multiprocess+", 0.002))
second = connect()
try:
    print("second:", ask(second, b"?"))
except OSError:
    print("second: closed")
print("first still answers:", ask(first, b"?").startswith("T05"))
first.sendall(b"$vCont;c")  # and disconnects in the middle of a packet
first.close()
third = connect()
print("third answers:", ask(third, b"?").startswith("T05"))
third.sendall(frame(b"vCont;c"))
third.close()
time.sleep(0.5)
fourth = connect()
print("fourth answers:", ask(fourth, b"?").startswith("T"))
fourth.sendall(frame(b"k"))
print("exit code:", run.wait(20))

run, host, port = start(subprocess.PIPE)
ask(connect(), b"D")
plain = subprocess.run(command, stdout=subprocess.PIPE, text=True).stdout
print("ends as a plain run:", run.communicate(timeout=60)[0] == plain and plain.startswith("done after"))
