// So that a listing that says #include <pto/common/fifo.hpp> finds the model (-I .../include/tessera/compat). A source that has included
// <pto/pto-inst.hpp> has everything already.
#ifndef TESSERA_COMPAT_PTO_INST_HPP
#include "tessera/pto.hpp"
#endif
