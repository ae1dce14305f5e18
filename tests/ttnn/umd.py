"""tt-umd's Python package: creates the device from a library, and reads and writes L1, DRAM and registers of tiles.
Usage: umd.py LIBRARY. Prints "result NAME equal" or "failed NAME why"."""
import sys

import tt_umd


def check(name, got, want):
    print(f"result {name} equal" if got == want else f"failed {name} got {got!r}, expected {want!r}")


def main():
    device = tt_umd.TTSimTTDevice.create(sys.argv[1])
    device.noc_write32(1, 2, 0x100, 0xDEADBEEF)
    check("l1_word", device.noc_read32(1, 2, 0x100), 0xDEADBEEF)
    block = bytes(i * 7 & 255 for i in range(100000))
    device.noc_write(16, 11, 0x1000, block)
    check("l1_block", bytes(device.noc_read(16, 11, 0x1000, len(block))), block)
    device.noc_write(17, 14, 0x100080, block)
    check("dram_block", bytes(device.noc_read(17, 14, 0x100080, len(block))), block)
    check("dram_other_port", bytes(device.noc_read(17, 12, 0x100080, 64)), block[:64])
    check("reset_register", device.noc_read32(1, 2, 0xFFB121B0), 0x47800)
    check("arc_boot_status", device.noc_read32(8, 0, 0x80030408) & 7, 5)
    check("architecture", str(device.get_arch()).lower().endswith("blackhole"), True)


if __name__ == "__main__":
    main()
