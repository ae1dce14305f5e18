// Lets a source that includes <pto/common/pto_tile.hpp> for its tiles and global tensors find the model.
#include "tessera/compat/pto/pto-inst.hpp"
