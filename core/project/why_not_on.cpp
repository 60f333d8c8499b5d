// SPDX-License-Identifier: Apache-2.0
#include "core/project/why_not_on.h"

#include <format>

namespace kernelgen {

Said why_not_on(const Variant& variant, std::string_view device) {
    const bool needs_gpu = variant.language == Language::extension && has_cuda_source(variant);
    if (needs_gpu && runs_on_host(device))
        return say(
            "variant `{}` has CUDA sources (.cu), which do not run on a CPU: choose a GPU, or a model of one, for "
            "which they are only built",
            variant.name);
    return say("variant `{}` is in `{}`, which does not run on `{}`", variant.name, to_string(variant.language),
               device);
}

}  // namespace kernelgen
