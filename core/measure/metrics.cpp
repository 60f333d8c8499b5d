// SPDX-License-Identifier: Apache-2.0
#include "core/measure/metrics.h"

namespace kernelgen {

std::string_view to_string(Better better) {
    switch (better) {
        case Better::lower: return "lower";
        case Better::higher: return "higher";
        case Better::neither: break;
    }
    return "neither";
}

}  // namespace kernelgen
