// So that a source that includes <pto/common/pto_tile.hpp> for its tiles and global tensors finds the model.
#include "tessera/compat/pto/pto-inst.hpp"
