"""A second process attaches to the chip of a first one through tt-umd's sockets: attach.py LIBRARY. The first process runs the second."""
import subprocess
import sys

import tt_umd

WORD, ANSWER = 0x1234abcd, 0x55aa1234


def connect(place, serve):
    options = tt_umd.SimulationConnectorOptions()
    options.simulator_directory = place
    options.serve_over_sockets = serve
    return tt_umd.SimulationConnector.discover(options)


def second(directory):
    connection, devices, _ = connect(directory, False)
    if devices[0].noc_read32(1, 2, 0x200) == WORD:
        devices[0].noc_write32(1, 2, 0x204, ANSWER)
    del connection


def first(library):
    before = {str(s.directory) for s in tt_umd.SimulationConnector.list_servers()}
    connection, devices, _ = connect(library, True)
    devices[0].noc_write32(1, 2, 0x200, WORD)
    served = [s.directory for s in tt_umd.SimulationConnector.list_servers() if str(s.directory) not in before]
    got = subprocess.run([sys.executable, __file__, "second", str(served[0])], capture_output=True, text=True, timeout=60)
    answer = devices[0].noc_read32(1, 2, 0x204)
    if answer == ANSWER:
        print("result attach")
    else:
        print(f"failed attach the second process left 0x{answer:x}: {got.stderr.strip()[-200:]}")
    del connection


if sys.argv[1] == "second":
    second(sys.argv[2])
else:
    first(sys.argv[1])
