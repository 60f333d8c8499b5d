// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/verify/buffers.h"

namespace kernelgen::testing {

/// Buffers of `out = x` with 5×7 elements in an arena of this process.
struct Buffers {
    Call call;
    Layout layout;
    std::vector<std::byte> arena;

    Buffers() {
        call.inputs = {{"x", DType::f16, {5, 7}, 70}};
        call.outputs = {{"out", DType::f32, {5, 7}, 140}};
        call.workspace_dtypes = {DType::f64};
        call.plan.workspace_elements = {3};
        layout = lay_out(call);
        arena.resize(layout.total);
        fill_guards(layout, arena.data());
        fill_inputs(call, layout, arena.data(), InputSet::normal, 1);
        poison_outputs(layout, arena.data(), 0x3f);
    }
    std::optional<std::string> damage() const { return damaged_guard(call, layout, arena.data()); }
    std::byte* output() { return arena.data() + layout.outputs[0].offset; }
};

}  // namespace kernelgen::testing
