/* NCRISC: launches the kernels of a rectangle of tiles by one multicast of GO, and ends when all of them are done.
 * Arguments: 0 x0, 1 y0, 2 columns, 3 rows. */
#include "noc.h"

void kernel_main(void) {
  uint32_t x0 = get_arg_val(0), y0 = get_arg_val(1), columns = get_arg_val(2), rows = get_arg_val(3);
  noc_launch(x0, y0, worker_x(x0, columns - 1), y0 + rows - 1, columns * rows);
  for (uint32_t row = 0; row < rows; row++)
    for (uint32_t column = 0; column < columns; column++) noc_launch_wait(worker_x(x0, column), y0 + row);
}
