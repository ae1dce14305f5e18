// So that a listing that says #include <pto/common/fifo.hpp> finds the model (-I .../include/tessera/compat).
#include "tessera/pto.hpp"
