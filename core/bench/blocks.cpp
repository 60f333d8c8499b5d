// SPDX-License-Identifier: Apache-2.0
#include "core/bench/blocks.h"

#include <algorithm>

namespace kernelgen {

std::vector<int> sides_in(const SampleRequest& request, std::size_t first, std::size_t end) {
    std::vector<int> sides;
    for (std::size_t turn = first; turn < end; ++turn) {
        for (const int side : request.turns[turn]) {
            if (side != SampleRequest::nobody && !std::ranges::contains(sides, side)) sides.push_back(side);
        }
    }
    return sides.empty() ? std::vector<int>{SampleRequest::nobody} : sides;
}

SampleRequest part_of(const Block& block, int sets) {
    const SampleRequest& request = block.request;
    SampleRequest part = request;
    part.turns.clear();
    part.states.clear();
    part.capture.reset();
    const auto width = static_cast<std::size_t>(sets);
    std::size_t place = 0;
    for (std::size_t turn = 0; turn < block.end; ++turn) {
        for (const int each : request.turns[turn]) {
            const std::size_t here = place++;
            if (turn < block.first || (each != block.side && each != SampleRequest::nobody)) continue;
            part.turns.push_back({each == SampleRequest::nobody ? each : 0});
            for (std::size_t i = here * width; i < (here + 1) * width && i < request.states.size(); ++i)
                part.states.push_back(request.states[i]);
            if (!request.capture || each == SampleRequest::nobody || request.capture->turn != turn) continue;
            if (request.capture->side == each) part.capture = {0, request.capture->set, part.turns.size() - 1};
        }
    }
    return part;
}

}  // namespace kernelgen
