// Lets a source that includes <pto/common/type.hpp> for its types find the model.
#include "tessera/compat/pto/pto-inst.hpp"
