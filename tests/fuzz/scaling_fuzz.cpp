// SPDX-License-Identifier: Apache-2.0
// Files of the scaling assistant: any bytes are read or refused as a tensor's header, as records and as a state, and
// what was read can be followed and written again.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "core/scaling/scaling_state.h"
#include "core/verify/npy_reader.h"

namespace kernelgen {
namespace {

void expect(bool is_so) {
    if (!is_so) std::abort();
}

void fuzz_header(std::string_view bytes) {
    const Result<NpyHeader> header = parse_npy_header(bytes, "x.npy", true);
    if (!header) return expect(!header.error().message.empty());
    expect(header->data_at <= bytes.size() && header->elements() >= 0);
}

void fuzz_records(std::string_view text) {
    const auto records = parse_amax_records(text, "a.csv");
    if (!records) return expect(!records.error().empty());
    for (const RecordedTensor& each : *records) {
        AmaxHistory history;
        const DelayedRun run = follow(history, each.steps, {});
        expect(run.steps.size() == each.steps.size() && std::isfinite(history.average));
        expect(run.clip_ratio() >= 0 && run.clip_ratio() <= 1 && run.channel_clip_ratio() <= 1);
    }
}

void fuzz_state(std::string_view text) {
    const Validated<ScalingState> state = parse_scaling_state(text, "s.json");
    if (!state) return expect(!state.error().empty());
    expect(parse_scaling_state(format_scaling_state(*state), "s.json") == state);
}

}  // namespace
}  // namespace kernelgen

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    kernelgen::fuzz_header(bytes);
    kernelgen::fuzz_records(bytes);
    kernelgen::fuzz_state(bytes);
    return 0;
}
