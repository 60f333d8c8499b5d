// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/generate/byte_products.h"
#include "core/generate/generate.h"
#include "core/generate/power_rewrite.h"
#include "core/generate/row_index.h"
#include "core/generate/sigmoid_rewrite.h"
#include "core/generate/torch_attention.h"
#include "core/generate/torch_writer.h"
#include "core/generate/triton_writer.h"
#include "core/generate/variant_parts.h"
#include "core/project/by_case.h"

namespace kernelgen {

namespace {

/// A variant whose entry is a Python function, which plans its launches itself.
Variant python_variant(const Operator& definition, Language language, std::string name, const std::string& file) {
    Variant variant;
    variant.name = std::move(name);
    variant.language = language;
    variant.source = definition.name + file;
    variant.entry = PythonInterface(definition).function;
    return variant;
}

void add_tunables(Variant& variant, const Operator& definition, const Body& body) {
    const auto add = [&](std::string name, std::vector<std::int64_t> values, std::int64_t value) {
        variant.tunables.push_back({std::move(name), std::move(values), value});
    };
    const TritonForm form = triton_form(definition, body);
    if (form == TritonForm::contraction) {
        add("BLOCK_M", {16, 32, 64, 128, 256}, 128);
        add("BLOCK_N", {16, 32, 64, 128, 256}, 128);
        const bool are_bytes = uses_tensor_cores_for_bytes(definition, body);
        if (are_bytes) add("BLOCK_K", {32, 64, 128, 256}, 128);
        else add("BLOCK_K", {16, 32, 64, 128}, 32);
        add("GROUP_M", {1, 4, 8, 16}, 8);
        add("SPLIT_K", {1, 2, 4, 8}, 1);
        add("num_warps", {2, 4, 8, 16}, 8);
        add("num_stages", {1, 2, 3, 4, 5}, 3);
        // Sums that a thread holds, and elements of both operands in shared memory.
        variant.restrictions = {
            "BLOCK_M * BLOCK_N <= 128 * 32 * num_warps",
            std::string("(BLOCK_M + BLOCK_N) * BLOCK_K * num_stages <= ") + (are_bytes ? "229376" : "114688")};
        return;
    }
    if (form == TritonForm::attention) {
        const std::string& size = body.attention->head_size;
        add("BLOCK_M", {16, 32, 64, 128}, 64);
        add("BLOCK_N", {16, 32, 64, 128}, 32);
        add("num_warps", {2, 4, 8}, 4);
        add("num_stages", {1, 2, 3, 4}, 2);
        // Sums that a thread holds, and keys and values in shared memory.
        variant.restrictions = {size + " <= " + std::to_string(longest_triton_head),
                                "BLOCK_M * pow2ceil(" + size + ") <= 128 * 32 * num_warps",
                                "2 * BLOCK_N * pow2ceil(" + size + ") * num_stages * dtype_bytes <= 229376"};
        if (!body.attention->is_backward()) return;
        // Two sums of keys, and what the rows of the next stages give: queries, the result and its gradient.
        variant.restrictions.push_back("2 * BLOCK_N * pow2ceil(" + size + ") <= 128 * 32 * num_warps");
        variant.restrictions.push_back("3 * BLOCK_M * pow2ceil(" + size +
                                       ") * (num_stages - 1) * dtype_bytes <= 229376");
        return;
    }
    const bool in_rows = form == TritonForm::rows, has_rows = form != TritonForm::flat && body.space.size() > 1;
    if (has_rows) add("BLOCK_M", {1, 2, 4, 8, 16, 32, 64}, in_rows ? 1 : 2);
    if (in_rows) add("BLOCK_N", {256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536}, 16384);
    else add("BLOCK_N", {64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384}, has_rows ? 512 : 1024);
    add("num_warps", {1, 2, 4, 8, 16, 32}, in_rows ? 8 : 4);
    add("num_stages", {1, 2, 3, 4}, 1);
    if (std::ranges::any_of(body.nodes, [&](const Node& node) { return is_whole_load(node, form); }))
        add("LOAD_CACHE", {0, 2, 3}, 0);
    // Elements of a tile that a thread holds.
    const std::string longest = in_rows ? "min(BLOCK_N, pow2ceil(" + body.space.back() + "))" : "BLOCK_N";
    variant.restrictions = {(has_rows ? "BLOCK_M * " : "") + longest + " <= 128 * 32 * num_warps"};
}

/// Parts of the depth where tiles would not fill the device. A large tile for operands of 16 bits, which tensor cores
/// multiply, where such tiles fill the device and its shared memory holds the stages. Operands with a prologue are
/// multiplied in f32.
std::vector<ConfigurationRule> rules_of_new_contraction(const Operator& definition, const Body& body) {
    const Contraction& contraction = *body.contraction;
    if (contraction.left.has_prologue() || contraction.right.has_prologue()) return {};
    const std::string batches = product_text(contraction.batch());
    const auto tiles = [&](const std::string& columns) {
        return "cdiv(" + contraction.rows() + ", 128) * cdiv(" + contraction.columns() + ", " + columns + ")" +
               (batches == "1" ? "" : " * " + batches);
    };
    const bool are_bytes = uses_tensor_cores_for_bytes(definition, body);
    std::vector<ConfigurationRule> rules;
    for (const std::int64_t split : {4, 2}) {
        rules.push_back({(are_bytes ? "" : "dtype_bytes == 2 and ") + std::to_string(split) + " * " + tiles("128") +
                             " <= device.multiprocessors and " + contraction.depth +
                             " >= " + std::to_string(512 * split),
                         {{"SPLIT_K", split}}});
    }
    if (are_bytes) {
        rules.push_back({"device.shared_per_block >= 220000", {{"num_stages", 4}}});
        return rules;
    }
    rules.push_back(
        {"dtype_bytes == 2 and device.shared_per_block >= 220000 and 2 * " + tiles("256") +
             " >= device.multiprocessors",
         {{"BLOCK_M", 128}, {"BLOCK_N", 256}, {"BLOCK_K", 64}, {"GROUP_M", 16}, {"num_warps", 8}, {"num_stages", 4}}});
    return rules;
}

}  // namespace

Validated<GeneratedVariant> generate_triton_variant(const Operator& definition, const Configuration& chosen,
                                                    const std::vector<ConfigurationRule>& rules,
                                                    const std::vector<StatedRule>& dispatch) {
    const auto lowered = lowered_body(definition);
    if (!lowered) return std::unexpected(lowered.error());
    Body body = with_products(with_sigmoids(*lowered));
    std::vector<NamedSize> sizes;
    if (convolution_of(body)) {
        if (auto view = matrix_view(definition, body)) {
            body = std::move(view->body);
            sizes = std::move(view->sizes);
        }
    }
    Variant variant = python_variant(definition, Language::triton, "triton", "_triton.py");
    add_tunables(variant, definition, body);
    for (Tunable& tunable : variant.tunables) {
        const auto value = chosen.find(tunable.name);
        if (value != chosen.end() && std::ranges::contains(tunable.values, value->second))
            tunable.value = value->second;
    }
    const bool is_new = chosen.empty() && rules.empty();
    variant.configurations = rules_for(variant, is_new && body.contraction && !convolution_of(body)
                                                    ? rules_of_new_contraction(definition, body)
                                                    : rules);
    std::string text =
        TritonWriter(definition, body, variant.tunables, variant.configurations, dispatch, sizes).write();
    return finished(std::move(variant), std::move(text));
}

Validated<GeneratedVariant> generate_torch_variant(const Operator& definition, const std::vector<DType>& eager) {
    const auto body = lowered_body(definition);
    if (!body) return std::unexpected(body.error());
    Variant variant = python_variant(definition, Language::torch, "torch", "_baseline.py");
    variant.deterministic = !TorchAttention::has_library_gradients(definition, *body);
    return finished(std::move(variant), torch_source(definition, with_exact_roots(*body), eager));
}

Validated<GeneratedVariant> generate_torch_compile_variant(const Operator& definition,
                                                           const std::vector<DType>& eager) {
    auto generated = generate_torch_variant(definition, eager);
    if (!generated) return generated;
    generated->variant.name = "torch_compile";
    generated->variant.compile = true;
    return generated;
}

}  // namespace kernelgen
