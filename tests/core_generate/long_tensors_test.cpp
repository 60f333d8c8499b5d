// SPDX-License-Identifier: Apache-2.0
// Tensors of more than 2^31 elements: offsets that a 32-bit integer cannot hold.
#include <gtest/gtest.h>

#include <cmath>
#include <new>

#include "tests/core_generate/compiled.h"
#include "tests/core_generate/emulated.h"
#include "tests/core_generate/samples.h"
#include "tests/core_lang/evaluate.h"

namespace kernelgen::tests {

namespace {

constexpr std::int64_t columns = 64;

struct Long {
    std::string name;
    Operator definition;
    Sizes sizes;
    Sizes end;  ///< of what is at the end of each tensor: one row, or as many elements
};

void PrintTo(const Long& each, std::ostream* out) { *out << each.name; }

std::vector<Long> all() {
    const Sizes rows = {{"P", (std::int64_t{1} << 31) / columns + 3}, {"D", columns}};
    const Sizes row = {{"P", 1}, {"D", columns}};
    return {
        {"bias_add", make_operator("bias_add", "out = x + bias", {"x:P,D", "bias:D"}), rows, row},
        {"vector_add",
         make_operator("vector_add", "out = x + y", {"x:N", "y:N"}, {"out:N"}),
         {{"N", (std::int64_t{1} << 31) + columns + 13}},
         {{"N", columns}}},
        {"softmax", make_operator("softmax", "e = exp(x - row_max(x)); out = e / row_sum(e)", {"x:P,D"}), rows, row}};
}

class LongTensor : public testing::TestWithParam<Long> {
protected:
    /// Runs what `run` makes of the end of the tensors, and holds it against the definition.
    template <class Run>
    void expect_right_end(const Run& run) const {
        const auto& [name, definition, sizes, end] = GetParam();
        std::vector<std::vector<double>> inputs;
        try {
            SparseArguments arguments(definition, DType::bf16, sizes);
            for (std::size_t i = 0; i < definition.inputs.size(); ++i) {
                inputs.emplace_back(columns);
                for (std::size_t j = 0; j < columns; ++j) inputs[i][j] = static_cast<double>((7 * i + j) % 32) / 8 + 1;
                arguments.set_end(i, inputs[i]);
            }
            run(arguments);
            const std::vector<double> actual = arguments.end_of(0, columns);
            const std::vector<double> expected = evaluate<double>(definition, end, inputs);
            for (std::size_t j = 0; j < columns; ++j) {
                EXPECT_NEAR(actual[j], expected[j], 8e-3 * std::abs(expected[j])) << "element " << j;
            }
        } catch (const std::bad_alloc&) {
            GTEST_SKIP() << "this system reserves memory for what is not written";
        }
    }
};

TEST_P(LongTensor, IsComputedToItsEndOnTheHost) {
    const Operator& definition = GetParam().definition;
    const bool has_rows = definition.outputs[0].shape.size() > 1;
    for (const auto& generated : {generate_host_variant(definition), generate_naive_variant(definition)}) {
        ASSERT_TRUE(generated) << to_string(generated.error());
        if (generated->variant.name == "naive" && !has_rows) continue;  // one program of all elements
        const CompiledKernel kernel(definition, *generated, {DType::bf16}, configuration_of(generated->variant));
        expect_right_end([&](SparseArguments& arguments) { kernel.run_last(arguments); });
    }
}

TEST_P(LongTensor, IsComputedToItsEndByCuda) {
    const Operator& definition = GetParam().definition;
    for (const auto& generated : {generate_cuda_variant(definition), generate_cuda_naive_variant(definition)}) {
        ASSERT_TRUE(generated) << to_string(generated.error());
        const EmulatedKernel kernel(definition, *generated, DType::bf16, {});
        expect_right_end([&](SparseArguments& arguments) { kernel.run_last(arguments); });
    }
}

INSTANTIATE_TEST_SUITE_P(All, LongTensor, testing::ValuesIn(all()), [](const auto& each) { return each.param.name; });

}  // namespace

}  // namespace kernelgen::tests
