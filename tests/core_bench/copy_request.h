// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/bench/bench.h"

namespace kernelgen::testing {

/// A candidate and a baseline that copy four elements; their sources are empty.
inline BenchRequest copy_request() {
    BenchRequest request;
    Operator& definition = request.definition;
    definition.name = "copy";
    definition.symbols = {"N"};
    definition.inputs = {{"x", {"N"}, {}}};
    definition.outputs = {{"out", {"N"}, {}}};
    definition.body = "out = x";
    request.binding = {"timed", DType::f32, {{"N", 4}}};
    Launch launch;
    launch.grid = {"1"};
    launch.args = {"x", "out", "N"};
    request.baseline.variant.launches = {launch};
    request.candidates = {request.baseline};
    return request;
}

/// Has no devices, and measures nothing.
class BackendWithoutDevices : public Backend {
public:
    std::string kind() const override { return "cpu"; }
    std::vector<DeviceInfo> devices() override { return {}; }
    SampleLength sample_length(const std::string&) const override { return {}; }
    Counters count(Executor&, int, const std::string&, const Artifact&, const Call&, std::stop_token) override {
        return {};
    }
    Result<Ceilings> measure_ceilings(const std::string&, const Progress&, std::stop_token) override {
        return fail("none");
    }
};

}  // namespace kernelgen::testing
