// So that a source that includes <pto/common/constants.hpp> for its directions, splits, layouts finds the model.
#include "tessera/compat/pto/pto-inst.hpp"
