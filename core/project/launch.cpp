// SPDX-License-Identifier: Apache-2.0
#include "core/project/launch.h"

namespace kernelgen {

std::vector<std::string> argument_texts(const Launch& launch) {
    std::vector<std::string> texts = launch.args;
    for (std::string& each : texts) {
        if (const auto index = tensor_map_index(each)) each = "tensor map of " + launch.tensor_maps[*index].tensor;
    }
    for (const ConstantCopy& each : launch.constants) texts.push_back(each.constant + " from " + each.from);
    return texts;
}

}  // namespace kernelgen
