// SPDX-License-Identifier: Apache-2.0
// What generated rules choose on the devices of resources/device_models: values that the variant allows, and launches
// that the device has room for.
#include <gtest/gtest.h>

#include <format>

#include "core/generate/generate.h"
#include "core/lang/contraction.h"
#include "core/project/by_case.h"
#include "core/project/launch_plan.h"
#include "core/project/values.h"
#include "tests/core_generate/samples.h"

namespace kernelgen::tests {
namespace {

struct DeviceOfRules {
    std::int64_t architecture, multiprocessors, shared_per_block;
};
constexpr DeviceOfRules devices_of_rules[] = {{75, 40, 65536},   {80, 108, 166912},  {86, 82, 101376},
                                              {90, 132, 232448}, {100, 148, 232448}, {120, 170, 101376}};

void expect_rules_that_fit(const Operator& definition, const Validated<GeneratedVariant>& generated,
                           const std::vector<Sizes>& all, const std::vector<DType>& dtypes) {
    ASSERT_TRUE(generated) << to_string(generated.error());
    const Variant& variant = generated->variant;
    for (const auto& [architecture, multiprocessors, shared] : devices_of_rules) {
        const Implementation implementation = {
            variant,
            "",
            configuration_of(variant),
            {},
            {{"architecture", architecture}, {"multiprocessors", multiprocessors}, {"shared_per_block", shared}}};
        for (const DType dtype : dtypes) {
            for (Sizes sizes : all) {
                fit_sizes(definition, sizes);
                const Case binding{"", dtype, sizes};
                const Implementation made = for_case(implementation, binding);
                std::string where =
                    std::format("{} {} sm_{} {}", definition.name, variant.name, architecture, to_string(dtype));
                for (const auto& [name, value] : sizes) where += std::format(" {}={}", name, value);
                for (const auto& [name, value] : made.configuration) where += std::format(" {}={}", name, value);
                const auto violated = violated_restriction(made, binding);
                EXPECT_FALSE(violated) << where;
                const auto plan = plan_launches(definition, made, binding);
                ASSERT_TRUE(plan) << where << ": " << plan.error().message;
                for (const PlannedLaunch& launch : plan->launches) {
                    EXPECT_LE(launch.shared_bytes, shared) << where;
                    EXPECT_LE(launch.block[0], 1024) << where;
                }
            }
        }
    }
}

TEST(RulesOfDevices, OfDepthwiseConvolutionsFit) {
    for (const int down : {3, 4, 5, 7}) {
        for (const int across : {1, 3, 7}) {
            for (const bool last : {false, true}) {
                const std::string name = std::format("depthwise_{}_{}_{}", down, across, last ? "last" : "first");
                const Operator definition =
                    last ? make_operator(name, "out = conv2d_nhwc(x, w, padding=1, groups=C)",
                                         {"x:N,H,W,C", std::format("w:C,{},{},1", down, across)}, {"out:N,OH,OW,C"})
                         : make_operator(name, "out = conv2d(x, w, padding=1, groups=C)",
                                         {"x:N,C,H,W", std::format("w:C,1,{},{}", down, across)}, {"out:N,C,OH,OW"});
                const std::vector<Sizes> sizes = {{{"N", 2}, {"C", 64}, {"H", 32}, {"W", 32}},
                                                  {{"N", 2}, {"C", 33}, {"H", 31}, {"W", 41}}};
                expect_rules_that_fit(definition, generate_cuda_variant(definition), sizes,
                                      {DType::f64, DType::f32, DType::f16, DType::f8e4m3});
            }
        }
    }
}

TEST(RulesOfDevices, OfConvolutionsFit) {
    const Operator definition =
        make_operator("last", "out = conv2d_nhwc(x, w, padding=1)", {"x:N,H,W,C", "w:O,3,3,C"}, {"out:N,OH,OW,O"});
    std::vector<Sizes> all;
    for (const int channels : {3, 24, 64, 128})
        for (const int kernels : {8, 64, 72, 256})
            for (const int size : {5, 56})
                all.push_back({{"N", 32}, {"C", channels}, {"H", size}, {"W", size}, {"O", kernels}});
    expect_rules_that_fit(definition, generate_cuda_variant(definition), all,
                          {DType::f64, DType::f32, DType::f16, DType::f8e4m3});
}

TEST(RulesOfDevices, OfAttentionFit) {
    for (const char* const options : {"", ", causal=1", ", softcap=2", ", lengths=lengths"}) {
        std::vector<std::string> inputs = {"q:B,H,N,D", "k:B,G,M,D", "v:B,G,M,D"};
        if (std::string(options).contains("lengths")) inputs.push_back("lengths:B");
        Operator definition = make_operator("attention", std::string("out, lse = attention(q, k, v") + options + ")",
                                            inputs, {"out:B,H,N,D", "lse:B,H,N"});
        if (inputs.size() > 3) definition.inputs[3].dtype = DType::i32;
        Operator bytes = definition;
        bytes.accumulate = Accumulation::f22;
        for (std::size_t i = 0; i < 3; ++i) bytes.inputs[i].dtype = DType::f8e4m3;
        std::vector<std::string> further = inputs;
        for (const char* const each : {"out:B,H,N,D", "lse:B,H,N", "dout:B,H,N,D"}) further.push_back(each);
        Operator backward = make_operator(
            "backward", std::string("dq, dk, dv = attention_backward(q, k, v, out, lse, dout") + options + ")", further,
            {"dq:B,H,N,D", "dk:B,G,M,D", "dv:B,G,M,D"});
        if (inputs.size() > 3) backward.inputs[3].dtype = DType::i32;
        std::vector<Sizes> all;
        for (const int size : {20, 64, 100, 256})
            for (const int rows : {1, 300})
                for (const int columns : {333})
                    for (const int group : {1, 7})
                        all.push_back({{"B", 2}, {"H", 2 * group}, {"G", 2}, {"N", rows}, {"M", columns}, {"D", size}});
        expect_rules_that_fit(definition, generate_cuda_variant(definition), all, {DType::f64, DType::f32, DType::f16});
        expect_rules_that_fit(bytes, generate_cuda_variant(bytes), all, {DType::f64, DType::f32, DType::f16});
        expect_rules_that_fit(backward, generate_cuda_variant(backward), all, {DType::f64, DType::f32, DType::bf16});
        expect_rules_that_fit(backward, generate_cuda_atomic_variant(backward), all,
                              {DType::f64, DType::f32, DType::bf16});
    }
}

}  // namespace
}  // namespace kernelgen::tests
