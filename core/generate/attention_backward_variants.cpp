// SPDX-License-Identifier: Apache-2.0
#include "core/generate/attention_backward_variants.h"

#include "core/generate/attention_backward_writer.h"
#include "core/generate/row_index.h"
#include "core/generate/variant_parts.h"

namespace kernelgen {

namespace {

Variant variant_of_two_launches(const Operator& definition, Language language, const std::string& name,
                                const std::string& source) {
    Variant variant = source_variant(definition, language, name, source);
    variant.entry = queries_entry(definition);
    variant.launches.push_back(variant.launches[0]);
    variant.launches[1].entry = keys_entry(definition);
    return variant;
}

std::string heads_of(const Attention& attention, bool is_keys) {
    return product_text({attention.batch, is_keys ? attention.kv_heads : attention.heads});
}

GeneratedVariant written(Variant variant, const Operator& definition, const Body& body,
                         AttentionBackwardWriter::Style style) {
    return finished(std::move(variant), AttentionBackwardWriter(definition, body, style).write());
}

/// What a block holds: the sums of a thread, and static shared memory.
std::vector<std::string> restrictions_of_blocks(const Attention& attention, bool in_f64) {
    const std::string widest = "max(BLOCK_M, BLOCK_N)";
    return {attention.head_size + " <= HEAD_SIZE",
            "BLOCK_M >= 2 * num_warps",
            "BLOCK_N >= 2 * num_warps",
            "BLOCK_M * HEAD_SIZE <= 64 * 32 * num_warps",
            "BLOCK_N * HEAD_SIZE <= 32 * 32 * num_warps",
            "BLOCK_M * BLOCK_N <= 16 * 32 * num_warps",
            (in_f64 ? "8" : "(dtype_bytes == 8 ? 8 : 4)") + std::string(" * (") + widest + " * (" + widest +
                " + 4) + 16 * (BLOCK_M + BLOCK_N + HEAD_SIZE + 12)) <= 49152"};
}

}  // namespace

GeneratedVariant host_attention_backward(const Operator& definition, const Body& body) {
    const Attention& attention = *body.attention;
    Variant variant = variant_of_two_launches(definition, Language::cpp, "host", definition.name + ".cpp");
    variant.launches[0].grid = {"cdiv(" + attention.rows + ", BLOCK_M)", heads_of(attention, false)};
    variant.launches[1].grid = {"cdiv(" + attention.columns + ", BLOCK_N)", heads_of(attention, true)};
    variant.tunables = {{"BLOCK_M", {16, 32, 64, 128, 256}, 64},
                        {"BLOCK_N", {32, 64, 128, 256}, 64},
                        {"REGISTER_M", {2, 4, 6, 8, 12}, 8},
                        {"STREAM", {0, 1}, 0}};
    return written(std::move(variant), definition, body, AttentionBackwardWriter::Style::host);
}

GeneratedVariant naive_attention_backward(const Operator& definition, const Body& body) {
    const Attention& attention = *body.attention;
    Variant variant = variant_of_two_launches(definition, Language::cpp, "naive", definition.name + "_naive.cpp");
    variant.launches[0].grid = {product_text({attention.batch, attention.heads, attention.rows})};
    variant.launches[1].grid = {product_text({attention.batch, attention.kv_heads, attention.columns})};
    return written(std::move(variant), definition, body, AttentionBackwardWriter::Style::naive);
}

namespace {

std::string blocks_of_lines(const Attention& attention, bool is_keys) {
    const std::string heads = heads_of(attention, is_keys);
    return "cdiv(" + (is_keys ? attention.columns + ", BLOCK_N)" : attention.rows + ", BLOCK_M)") +
           (heads == "1" ? "" : " * " + heads);
}

void add_block_tunables(Variant& variant, const Operator& definition, const Attention& attention) {
    const std::string& size = attention.head_size;
    const bool in_f64 = definition.arithmetic == DType::f64;
    const std::string wide = in_f64 ? "" : "dtype_bytes == 8 and ";
    variant.tunables = {{"BLOCK_M", {16, 32, 64}, 64},
                        {"BLOCK_N", {16, 32, 64}, 32},
                        {"HEAD_SIZE", {16, 32, 64, 128, 256}, 128},
                        {"num_warps", {2, 4, 8}, 8}};
    variant.restrictions = restrictions_of_blocks(attention, in_f64);
    variant.configurations = {
        {wide + size + " <= 128", {{"BLOCK_M", 32}, {"BLOCK_N", 32}, {"HEAD_SIZE", 128}, {"num_warps", 8}}},
        {wide + size + " <= 256", {{"BLOCK_M", 16}, {"BLOCK_N", 16}, {"HEAD_SIZE", 256}, {"num_warps", 8}}},
        {size + " <= 64", {{"BLOCK_M", 64}, {"BLOCK_N", 64}, {"HEAD_SIZE", 64}, {"num_warps", 8}}},
        {size + " > 128", {{"BLOCK_M", 32}, {"BLOCK_N", 32}, {"HEAD_SIZE", 256}, {"num_warps", 8}}}};
}

/// The sums of the queries' gradients, in the arithmetic.
Workspace query_sums(const Operator& definition, const Attention& attention) {
    const bool in_f64 = definition.arithmetic == DType::f64;
    return {query_sums_name(definition),
            {product_text(attention.result()) + (in_f64 ? "" : " * (dtype_bytes == 8 ? 2 : 1)")},
            in_f64 ? DType::f64 : DType::f32};
}

}  // namespace

GeneratedVariant cuda_attention_backward(const Operator& definition, const Body& body) {
    const Attention& attention = *body.attention;
    Variant variant = variant_of_two_launches(definition, Language::cuda, "cuda", definition.name + ".cu");
    for (Launch& each : variant.launches) each.block = {"32 * num_warps"};
    variant.launches[0].grid = {blocks_of_lines(attention, false)};
    variant.launches[1].grid = {blocks_of_lines(attention, true)};
    add_block_tunables(variant, definition, attention);
    return written(std::move(variant), definition, body, AttentionBackwardWriter::Style::cuda);
}

GeneratedVariant cuda_atomic_attention_backward(const Operator& definition, const Body& body) {
    const Attention& attention = *body.attention;
    Variant variant = source_variant(definition, Language::cuda, "cuda_atomic", definition.name + "_atomic.cu");
    variant.deterministic = false;
    variant.workspace = {query_sums(definition, attention)};
    variant.entry = clear_entry(definition);
    Launch& clear = variant.launches[0];
    clear.args.push_back(variant.workspace[0].name);
    clear.grid = {"cdiv(" + product_text(attention.result()) + ", 1024)"};
    clear.block = {"256"};
    Launch keys = clear, store = clear;
    keys.entry = keys_entry(definition);
    keys.grid = {blocks_of_lines(attention, true)};
    keys.block = {"32 * num_warps"};
    store.entry = queries_entry(definition);
    variant.launches.push_back(std::move(keys));
    variant.launches.push_back(std::move(store));
    add_block_tunables(variant, definition, attention);
    AttentionBackwardWriter writer(definition, body, AttentionBackwardWriter::Style::cuda);
    return finished(std::move(variant), writer.write_with_atomics());
}

}  // namespace kernelgen
