"""Opens the device, transfers tensors of every format to the device and back, closes it. Prints "result NAME equal" or "failed NAME why".
Needs no compiler in slow dispatch mode."""
import numpy as np
import ttnn

FORMATS = {"bfloat16": np.float32, "float32": np.float32, "bfloat8_b": np.float32, "bfloat4_b": np.float32,
           "uint32": np.uint32, "int32": np.int32, "uint16": np.uint16, "uint8": np.uint8}
BLOCK = ("bfloat8_b", "bfloat4_b")


def there_and_back(device, name, kind, layout, memory):
    values = np.random.default_rng(7).integers(0, 200, (96, 160)).astype(kind)
    tensor = ttnn.Tensor(values, getattr(ttnn, name))
    if layout == "tile":
        tensor = ttnn.to_layout(tensor, ttnn.TILE_LAYOUT)
    config = ttnn.DRAM_MEMORY_CONFIG if memory == "dram" else ttnn.L1_MEMORY_CONFIG
    back = ttnn.from_device(ttnn.to_device(tensor, device, memory_config=config))
    return back.to_list() == tensor.to_list()


def main():
    device = ttnn.open_device(device_id=0)
    grid = device.compute_with_storage_grid_size()
    print(f"result open {grid.x}x{grid.y}")
    for name, kind in FORMATS.items():
        for layout in ("tile", "row"):
            if layout == "row" and name in BLOCK:
                continue
            for memory in ("dram", "l1"):
                what = f"{name}_{layout}_{memory}"
                try:
                    equal = there_and_back(device, name, kind, layout, memory)
                    print(f"result {what} equal" if equal else f"failed {what} the bytes differ")
                except Exception as error:
                    print(f"failed {what} {str(error).strip().splitlines()[0]}")
    ttnn.close_device(device)
    print("result close equal")


if __name__ == "__main__":
    main()
