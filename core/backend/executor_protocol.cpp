// SPDX-License-Identifier: Apache-2.0
#include "core/backend/executor_protocol.h"

#include <format>

namespace kernelgen {

Said other_protocol(std::string_view peer, std::string_view version) {
    const int own = executor_protocol_version;
    if (peer == "it")
        return say("it speaks protocol {}, this program {}: install the same version of both", version, own);
    return say("{} speaks protocol {}, this program {}: install the same version of both", peer, version, own);
}

}  // namespace kernelgen
