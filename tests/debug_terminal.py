"""tessera debug on a pseudo terminal: completion by TAB, the history by the arrow keys, a deleted character, the end by Ctrl-D.

Usage: debug_terminal.py COMMAND...; prints one line per check, `good` or what was seen instead.
"""
import os
import pty
import re
import select
import sys
import time

pid, terminal = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])

seen = ""
SECONDS = 60


def shown(text):
    """The lines as a user sees them: what a carriage return and "erase to the end" leave."""
    return [re.split(r"\r\x1b\[K", line)[-1].strip("\r") for line in text.split("\n")]


def expect(name, keys, last, before=""):
    """Types; waits until the last line begins with `last` and an earlier one contains `before`."""
    global seen
    seen = ""
    os.write(terminal, keys.encode())
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        lines = shown(seen)
        if lines[-1].rstrip() == last and (not before or any(before in line for line in lines[:-1])):
            print(f"{name}: good")
            return
        if select.select([terminal], [], [], 0.2)[0]:
            try:
                seen += os.read(terminal, 4096).decode("utf-8", "replace")
            except OSError:
                break
    print(f"{name}: {shown(seen)[-5:]}")


PROMPT = "(tessera)"
UP, DOWN = "\x1b[A", "\x1b[B"
expect("prompt", "", PROMPT)
expect("TAB completes a command", "got\t", "(tessera) goto")
expect("a command runs", " 500\r", PROMPT, "at cycle 500")
expect("TAB completes an argument", "core nc\t", "(tessera) core ncrisc")
expect("a core is selected", "\r", PROMPT, "NCRISC")
expect("up recalls the last line", UP, "(tessera) core ncrisc")
expect("up again the line before", UP, "(tessera) goto 500")
expect("a recalled line can be changed", "\x7f\x7f\x7f700\r", PROMPT, "at cycle 700")
expect("down after up", UP + UP + DOWN, "(tessera) goto 700")
expect("down to the empty line", DOWN, PROMPT)
os.write(terminal, b"\x04")
print("exit code:", os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
