// So that a source that includes <pto/common/type.hpp> for its types finds the model.
#include "tessera/compat/pto/pto-inst.hpp"
