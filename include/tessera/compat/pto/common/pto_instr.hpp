// So that a source that includes <pto/common/pto_instr.hpp> for its instructions finds the model.
#include "tessera/compat/pto/pto-inst.hpp"
