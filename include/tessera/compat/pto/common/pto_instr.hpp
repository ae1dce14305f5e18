// Lets a source that includes <pto/common/pto_instr.hpp> for its instructions find the model.
#include "tessera/compat/pto/pto-inst.hpp"
