// Lets a source that includes <pto/common/constants.hpp> for its directions, splits and layouts find the model.
#include "tessera/compat/pto/pto-inst.hpp"
