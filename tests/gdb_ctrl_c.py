"""Ctrl-C as a user types it: gdb on a terminal of its own, continue, control-C, and the commands that follow, each after gdb's prompt. Prints gdb's
output. usage: gdb_ctrl_c.py COMMANDS_FILE ROUND... (a ROUND is commands with ; that run after a Ctrl-C)"""
import os
import pty
import select
import sys
import time

PROMPT = b"(gdb) "


def read_until(text, seconds):
    """Reads gdb's output up to a text; ends the test if the text does not appear."""
    seen = b""
    end = time.time() + seconds
    while text not in seen:
        ready = select.select([terminal], [], [], max(0.0, end - time.time()))[0]
        part = os.read(terminal, 4096) if ready else b""
        if not part:
            sys.exit(f"gdb does not say {text!r}: {seen.decode(errors='replace')}")
        seen += part
    sys.stdout.write(seen.decode(errors="replace").replace("\r", ""))
    sys.stdout.flush()


def command(line, answer=PROMPT):
    os.write(terminal, line.encode() + b"\n")
    read_until(answer, 30)


pid, terminal = pty.fork()
if pid == 0:
    os.execvp("gdb-multiarch", ["gdb-multiarch", "-nx", "-q", "-iex", "set style enabled off", "-iex", "set pagination off"])
read_until(PROMPT, 30)
with open(sys.argv[1]) as file:
    for row in file:
        command(row.strip())
for commands in sys.argv[2:]:
    command("continue", b"Continuing.")
    time.sleep(0.5)
    os.write(terminal, b"\x03")
    read_until(PROMPT, 30)
    for one in commands.split(";"):
        command(one)
os.write(terminal, b"detach\nquit\n")
sys.exit(1 if os.waitpid(pid, 0)[1] else 0)
