// SPDX-License-Identifier: Apache-2.0
// Descriptions of devices: any bytes are read or refused, and what was read can be compared with a round's device.
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/whatif/other_device.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace kernelgen;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const Validated<DeviceDescription> described = parse_device_description(text, "device.json");
    if (!described) return described.error().empty() ? (std::abort(), 0) : 0;
    for (const char* device : {"cpu", "cuda:0"}) {
        RoundDetail round;
        round.round.device = device;
        round.ceilings.all_threads = {{.bytes = 1, .copy_gbps = 1, .read_gbps = 1, .write_gbps = 1}};
        round.ceilings.gflops_all_threads = {{DType::f32, 1}};
        round.environment.threads = 2;
        const Result<OtherDevice> other = compared_with_round(*described, round);
        if (!other) continue;
        for (const auto& [resource, factor] : other->factors) {
            if (!std::isfinite(factor) || !(factor > 0)) std::abort();
        }
        if (!std::isfinite(other->arithmetic) || !(other->arithmetic > 0)) std::abort();
    }
    return 0;
}
