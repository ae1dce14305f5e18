"""A program with one mistake in its data-movement kernel, for the report to name. Usage: seeded.py deadlock|pages|bounds|barrier|flush|print|none DIRECTORY
"seeded.py line NAME" prints the line of the mistake.

The kernel is written into DIRECTORY and runs on one tile. "none" and "print" have no mistake. Needs a compiler.
"""
import pathlib
import sys

import numpy as np
import ttnn

KERNELS = {
    "none": """
    noc_async_read(get_noc_addr_from_bank_id<true>(0, source), buffer, 2048);
    noc_async_read_barrier();
    *word += 1;
""",
    "print": """
    noc_async_read(get_noc_addr_from_bank_id<true>(0, source), buffer, 2048);
    noc_async_read_barrier();
    for (uint32_t i = 0; i < 100; i++) {
        DPRINT("line {} of 100: {:#x} {:.3f}\\n", i, *word, 1.5f);
    }
""",
    "deadlock": """
    volatile tt_l1_ptr uint32_t* never = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(buffer + 4096);
    *never = 0;
    noc_semaphore_wait(never, 7);  // MISTAKE: nothing sets it
""",
    "pages": """
    cb_wait_front(0, 1);  // MISTAKE: nothing pushes a page
""",
    "bounds": """
    uint64_t beyond = get_noc_addr(my_x[0], my_y[0], 0x00300000);
    noc_async_write(buffer, beyond, 64);  // MISTAKE: L1 ends at 0x00180000
    noc_async_write_barrier();
""",
    "barrier": """
    noc_async_read(get_noc_addr_from_bank_id<true>(0, source), buffer, 2048);
    *word += 1;  // MISTAKE: the read has not arrived
    noc_async_read_barrier();
""",
    "flush": """
    noc_async_write(buffer, get_noc_addr_from_bank_id<true>(0, source), 2048);
    *word = 1;  // MISTAKE: the write has not left
    noc_async_write_barrier();
""",
}
HEAD = """#include "api/dataflow/dataflow_api.h"
void kernel_main() {
    uint32_t source = get_arg_val<uint32_t>(0);
    uint32_t buffer = get_write_ptr(0);
    volatile tt_l1_ptr uint32_t* word = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(buffer);
"""


def program(path, source):
    cores = ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(0, 0))])
    kernel = ttnn.KernelDescriptor(kernel_source=str(path), core_ranges=cores, compile_time_args=[],
                                   runtime_args=[(ttnn.CoreCoord(0, 0), [source])], config=ttnn.ReaderConfigDescriptor())
    buffer = ttnn.CBDescriptor(total_size=8192, core_ranges=cores,
                               format_descriptors=[ttnn.CBFormatDescriptor(buffer_index=0, data_format=ttnn.bfloat16, page_size=2048)])
    return ttnn.ProgramDescriptor(kernels=[kernel], semaphores=[], cbs=[buffer])


def text_of(name):
    include = '#include "api/debug/dprint.h"\n' if name == "print" else ""
    return include + HEAD + KERNELS[name] + "}\n"


def main():
    if sys.argv[1] == "line":
        print(next(i for i, l in enumerate(text_of(sys.argv[2]).splitlines(), 1) if "MISTAKE" in l))
        return
    name, directory = sys.argv[1], pathlib.Path(sys.argv[2])
    path = directory.resolve() / f"seeded_{name}.cpp"
    path.write_text(text_of(name))
    device = ttnn.open_device(device_id=0)
    tensors = [ttnn.to_device(ttnn.to_layout(ttnn.Tensor(np.ones((32, 32), np.float32), ttnn.bfloat16), ttnn.TILE_LAYOUT), device)
               for _ in range(2)]
    print("begins", name, flush=True)
    ttnn.generic_op(tensors, program(path, tensors[0].buffer_address()))
    ttnn.synchronize_device(device)
    ttnn.close_device(device)
    print("result", name, "ended", flush=True)


if __name__ == "__main__":
    main()
