// SPDX-License-Identifier: Apache-2.0
#include "core/verify/kept_inputs.h"

#include <gtest/gtest.h>

#include "tests/core_verify/copied_buffers.h"

namespace kernelgen {
namespace {

using testing::Buffers;

/// What a call's inputs are made of.
struct Making {
    DType dtype = DType::f16;
    InputSet set = InputSet::normal;
    std::uint64_t seed = 1;
    std::optional<Domain> domain = {};
};

Buffers buffers_for(const Making& making) {
    Buffers buffers;
    buffers.call.inputs[0].dtype = making.dtype;
    buffers.call.inputs[0].domain = making.domain;
    return buffers;
}

std::vector<std::byte> filled_by(KeptInputs& inputs, const Making& making) {
    Buffers buffers = buffers_for(making);
    inputs.fill(buffers.call, buffers.layout, buffers.arena.data(), making.set, making.seed);
    return buffers.arena;
}

std::vector<std::byte> made_of(const Making& making) {
    Buffers buffers = buffers_for(making);
    fill_inputs(buffers.call, buffers.layout, buffers.arena.data(), making.set, making.seed);
    return buffers.arena;
}

TEST(KeptInputs, HaveTheBytesThatFillInputsWritesEachTime) {
    KeptInputs inputs;
    const Making making{.seed = 7};
    const std::vector<std::byte> expected = made_of(making);
    EXPECT_NE(expected, made_of({}));
    for (int time = 0; time < 3; ++time) EXPECT_EQ(filled_by(inputs, making), expected) << time;
    inputs.clear();
    EXPECT_EQ(filled_by(inputs, making), expected);
}

TEST(KeptInputs, AreMadeAgainWhereAnythingOfTheirMakingDiffers) {
    const Making others[] = {{.seed = 2},
                             {.dtype = DType::bf16},
                             {.set = InputSet::ones},
                             {.domain = Domain{.kind = Domain::Kind::interval, .low = 5, .high = 6}}};
    for (const Making& other : others) {
        KeptInputs inputs;
        const std::vector<std::byte> first = filled_by(inputs, {});
        EXPECT_EQ(filled_by(inputs, other), made_of(other));
        EXPECT_NE(filled_by(inputs, other), first);
        EXPECT_EQ(filled_by(inputs, {}), first);
    }
}

}  // namespace
}  // namespace kernelgen
