"""A client of the Debug Adapter Protocol for tests/dap.sh: attaches cdt-gdb-adapter to a run of tessera that waits for gdb, sets a breakpoint by
line, reads the stack and a register, steps, and steps back. usage: dap_client.py ADAPTER.js PROGRAM.elf SOCKET SOURCE LINE"""
import json
import subprocess
import sys

adapter, program, socket, source, line = sys.argv[1:6]
process = subprocess.Popen(["node", adapter], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
sequence = 0
events = []


def read():
    length = 0
    while True:
        head = process.stdout.readline().decode().strip()
        if not head:
            break
        if head.lower().startswith("content-length:"):
            length = int(head.split(":")[1])
    return json.loads(process.stdout.read(length))


def send(command, arguments):
    global sequence
    sequence += 1
    body = json.dumps({"seq": sequence, "type": "request", "command": command, "arguments": arguments}).encode()
    process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    process.stdin.flush()
    return sequence


def ask(command, **arguments):
    number = send(command, arguments)
    while True:
        message = read()
        if message["type"] == "event":
            events.append(message)
        elif message["type"] == "response" and message["request_seq"] == number:
            if not message["success"]:
                print("failed:", command, message.get("message"))
                sys.exit(1)
            return message.get("body", {})


def wait_for(name):
    while True:
        for i, event in enumerate(events):
            if event["event"] == name:
                return events.pop(i).get("body", {})
        message = read()
        if message["type"] == "event":
            events.append(message)


def top(thread):
    frame = ask("stackTrace", threadId=thread, startFrame=0, levels=4)["stackFrames"]
    return frame[0], [f["name"] for f in frame]


ask("initialize", adapterID="gdbtarget", linesStartAt1=True, columnsStartAt1=True, pathFormat="path")
number = send("attach", {
    "gdb": "gdb-multiarch", "program": program, "cwd": ".",
    "initCommands": ["set schedule-multiple on"],
    "target": {"type": "extended-remote", "parameters": [socket]}})
wait_for("initialized")
print("breakpoint verified:", ask("setBreakpoints", source={"path": source}, breakpoints=[{"line": int(line)}])["breakpoints"][0]["verified"])
ask("configurationDone")
stopped = wait_for("stopped")
thread = stopped["threadId"]
print("stopped:", stopped["reason"])
print("threads:", ", ".join(t["name"] for t in ask("threads")["threads"]))
frame, names = top(thread)
print("frame:", frame["name"], frame["source"]["name"], frame["line"], "called by", names[1:])
before = ask("evaluate", expression="$pc", frameId=frame["id"], context="watch")["result"]
ask("setBreakpoints", source={"path": source}, breakpoints=[])  # the line is a loop that polls: it would stop again
ask("next", threadId=thread)
wait_for("stopped")
frame, names = top(thread)
print("next:", frame["name"], frame["line"])
ask("evaluate", expression=">reverse-next", frameId=frame["id"], context="repl")
wait_for("stopped")
frame, names = top(thread)
print("back:", frame["name"], frame["line"])
print("pc restored:", before == ask("evaluate", expression="$pc", frameId=frame["id"], context="watch")["result"])
process.terminate()
