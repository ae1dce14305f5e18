// Lets a listing that includes <pto/common/fifo.hpp> find the model (-I .../include/tessera/compat). A source that includes
// <pto/pto-inst.hpp> needs nothing more.
#ifndef TESSERA_COMPAT_PTO_INST_HPP
#include "tessera/pto.hpp"
#endif
