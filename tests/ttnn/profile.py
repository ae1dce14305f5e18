"""The device side of tt-metal's profiler without a Tracy-enabled build, which the host side needs: a kernel with two zones, compiled as the
profiler compiles it, and the markers that it leaves in L1. Usage: profile.py DIRECTORY

Prints "result profile START LENGTH START LENGTH" in cycles of the wall clock. Needs a compiler.
"""
import pathlib
import sys

import numpy as np
import ttnn

KERNEL = """#include "api/dataflow/dataflow_api.h"
#include "tools/profiler/kernel_profiler.hpp"
namespace kernel_profiler {  // firmware compiled for the profiler has them
uint32_t wIndex, stackSize, traceCount, sums[SUM_COUNT], sumIDs[SUM_COUNT];
}
void kernel_main() {
    uint32_t target = get_arg_val<uint32_t>(0);
    kernel_profiler::wIndex = kernel_profiler::CUSTOM_MARKERS;
    for (uint32_t n = 1; n <= 2; n++) {
        DeviceZoneScopedN("loop");
        for (uint32_t i = 0; i < 1000 * n; i++) { asm volatile("nop"); }
    }
    auto* data = &kernel_profiler::profiler_data_buffer[myRiscID].data[kernel_profiler::CUSTOM_MARKERS];
    for (uint32_t i = 0; i < 8; i++) { reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_write_ptr(0))[i] = data[i]; }
    noc_async_write(get_write_ptr(0), get_noc_addr_from_bank_id<true>(0, target), 32);
    noc_async_write_barrier();
}
"""
DEFINES = [("PROFILE_KERNEL", "1"), ("PROFILER_FULL_HOST_BUFFER_SIZE_PER_RISC", "65536")]


def program(path, target):
    core = ttnn.CoreCoord(0, 0)
    cores = ttnn.CoreRangeSet([ttnn.CoreRange(core, core)])
    kernel = ttnn.KernelDescriptor(kernel_source=str(path), core_ranges=cores, compile_time_args=[], defines=DEFINES,
                                   runtime_args=[(core, [target])], config=ttnn.ReaderConfigDescriptor())
    buffer = ttnn.CBDescriptor(total_size=8192, core_ranges=cores,
                               format_descriptors=[ttnn.CBFormatDescriptor(buffer_index=0, data_format=ttnn.bfloat16, page_size=2048)])
    return ttnn.ProgramDescriptor(kernels=[kernel], semaphores=[], cbs=[buffer])


def main():
    path = pathlib.Path(sys.argv[1]).resolve() / "profiled.cpp"
    path.write_text(KERNEL)
    device = ttnn.open_device(device_id=0)
    tensors = [ttnn.to_device(ttnn.to_layout(ttnn.Tensor(np.zeros((32, 32), np.uint32), ttnn.uint32), ttnn.TILE_LAYOUT), device)
               for _ in range(2)]
    ttnn.generic_op(tensors, program(path, tensors[1].buffer_address()))
    ttnn.synchronize_device(device)
    words = [int(w) for w in ttnn.from_device(tensors[1]).to_list()[0][:8]]  # the first row of the tile's first face
    ttnn.close_device(device)
    # A marker is two words: valid, packet type (0 start, 1 end) and name, upper time; lower time.
    kinds = [(high >> 31, high >> 28 & 7) for high in words[::2]]
    names = {high >> 12 & 0xFFFF for high in words[::2]}
    times = [(high & 0xFFF) << 32 | low for high, low in zip(words[::2], words[1::2])]
    if kinds != [(1, 0), (1, 1)] * 2 or len(names) != 1:
        print("failed profile", " ".join(hex(w) for w in words), flush=True)
    else:
        print("result profile", times[0], times[1] - times[0], times[2], times[3] - times[2], flush=True)


if __name__ == "__main__":
    main()
