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

/// Tiles of the gradients for tensor cores of sm_90a: rows of a tile, elements of a head, stages, and heads whose
/// blocks begin by turns.
struct GradientTile {
    std::int64_t rows, head, stages, heads;

    Configuration configuration() const {
        return {{"BLOCK_M", rows},   {"BLOCK_N", head > 128 ? 64 : 128},
                {"HEAD_SIZE", head}, {"num_warps", 8},
                {"HEADS", heads},    {"num_stages", stages},
                {"COPY_WARPS", 4}};
    }
};

std::string tiles_of_rows(const Attention& attention) {
    const std::string heads = heads_of(attention, false);
    return "cdiv(" + attention.rows + ", BLOCK_M)" + (heads == "1" ? "" : " * " + heads);
}

/// `plain`, or where tensor cores compute the case `with`.
std::string chosen(const std::string& with, const std::string& plain) {
    return with == plain ? plain : "COPY_WARPS > 0 ? " + with + " : " + plain;
}

/// Adds to a variant of three launches, of which the second one is that of keys, what tensor cores of sm_90a need for
/// cases of 16 bits. Heads of any other number of elements than a multiple of 8 cannot be copied by boxes.
void add_tensor_gradients(Variant& variant, const Operator& definition, const Attention& attention,
                          std::int64_t heads_by_turns) {
    const std::string& size = attention.head_size;
    for (std::string& each : variant.restrictions) {
        if (each != size + " <= HEAD_SIZE") each = "COPY_WARPS > 0 or " + each;
    }
    variant.tunables = {{"BLOCK_M", {16, 32, 64, 128}, 64},
                        {"BLOCK_N", {16, 32, 64, 128}, 32},
                        {"HEAD_SIZE", {16, 32, 64, 128, 256}, 128},
                        {"num_warps", {2, 4, 8}, 8},
                        {"num_stages", {1, 2, 3}, 1},
                        {"COPY_WARPS", {0, 4}, 0},
                        {"HEADS", {1, 2, 4, 8}, 1}};
    variant.restrictions.insert(variant.restrictions.end(),
                                {"COPY_WARPS > 0 or BLOCK_M <= 64 and BLOCK_N <= 64 and num_stages == 1 and HEADS == 1",
                                 "COPY_WARPS == 0 or dtype_bytes == 2 and " + size + " % 8 == 0 and num_warps == 8",
                                 "COPY_WARPS == 0 or HEAD_SIZE >= 64 and BLOCK_M == (HEAD_SIZE == 64 ? 128 : 64) and "
                                 "BLOCK_N == (HEAD_SIZE == 256 ? 64 : 128)",
                                 "COPY_WARPS == 0 or HEAD_SIZE < 256 or num_stages < 3"});
    const std::string of_rows = tiles_of_rows(attention);
    for (const std::size_t each : {0, 2}) {
        Launch& launch = variant.launches[each];
        launch.grid = {chosen(of_rows, launch.grid[0])};
        if (launch.block[0] != "256") launch.block = {chosen("256", launch.block[0])};
    }
    Launch& keys = variant.launches[1];
    keys.block = {"32 * (num_warps + COPY_WARPS)"};
    keys.shared_bytes = chosen(
        "1280 + 4 * HEAD_SIZE * (BLOCK_N + num_stages * BLOCK_M) + "
        "(HEAD_SIZE == 256 ? 8 : 4) * BLOCK_M * BLOCK_N + 8 * num_stages * BLOCK_M",
        "0");
    for (TensorMap& map : maps_of_gradients(definition, attention)) {
        keys.args.push_back(tensor_map_argument(keys.tensor_maps.size()));
        keys.tensor_maps.push_back(std::move(map));
    }
    variant.workspace[0].shape = {
        chosen("4 + " + of_rows + " * (BLOCK_M * (HEAD_SIZE + 2) + 4)", variant.workspace[0].shape[0])};
    std::vector<ConfigurationRule> rules;
    const auto add = [&](std::int64_t most, const GradientTile& tile) {
        rules.push_back({"dtype_bytes == 2 and device.architecture == 90 and " + size + " % 8 == 0 and " + size +
                             " <= " + std::to_string(most),
                         tile.configuration()});
    };
    add(64, {128, 64, 2, heads_by_turns});
    add(128, {64, 128, 2, heads_by_turns});
    add(256, {64, 256, 2, heads_by_turns});
    variant.configurations.insert(variant.configurations.begin(), rules.begin(), rules.end());
}

/// The sums of the queries' gradients, in the arithmetic.
Workspace query_sums(const Operator& definition, const Attention& attention) {
    const bool in_f64 = definition.arithmetic == DType::f64;
    return {query_sums_name(definition),
            {product_text(attention.result()) + (in_f64 ? "" : " * (dtype_bytes == 8 ? 2 : 1)")},
            in_f64 ? DType::f64 : DType::f32};
}

}  // namespace

namespace {

/// Launches that clear the sums of the queries' gradients, compute the gradients of keys and values, and store those of
/// the queries. The first and the last are written for elements of the sums.
Variant variant_with_sums(const Operator& definition, const Attention& attention, const std::string& name,
                          const std::string& source) {
    Variant variant = source_variant(definition, Language::cuda, name, source);
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
    return variant;
}

}  // namespace

GeneratedVariant cuda_attention_backward(const Operator& definition, const Body& body) {
    const Attention& attention = *body.attention;
    const std::string source = definition.name + ".cu";
    if (why_gradients_are_plain(definition, attention)) {
        Variant variant = variant_of_two_launches(definition, Language::cuda, "cuda", source);
        for (Launch& each : variant.launches) each.block = {"32 * num_warps"};
        variant.launches[0].grid = {blocks_of_lines(attention, false)};
        variant.launches[1].grid = {blocks_of_lines(attention, true)};
        add_block_tunables(variant, definition, attention);
        return written(std::move(variant), definition, body, AttentionBackwardWriter::Style::cuda);
    }
    Variant variant = variant_with_sums(definition, attention, "cuda", source);
    variant.launches[0].grid = {"1"};  // nothing is cleared
    variant.workspace[0].shape = {"1"};
    variant.launches[2].grid = {blocks_of_lines(attention, false)};
    variant.launches[2].block = {"32 * num_warps"};
    add_tensor_gradients(variant, definition, attention, 1);
    AttentionBackwardWriter writer(definition, body, AttentionBackwardWriter::Style::cuda);
    return finished(std::move(variant), writer.write_in_order());
}

GeneratedVariant cuda_atomic_attention_backward(const Operator& definition, const Body& body) {
    const Attention& attention = *body.attention;
    Variant variant = variant_with_sums(definition, attention, "cuda_atomic", definition.name + "_atomic.cu");
    variant.deterministic = false;
    if (!why_gradients_are_plain(definition, attention))
        add_tensor_gradients(variant, definition, attention, sees_more_later(attention) ? 4 : 1);
    AttentionBackwardWriter writer(definition, body, AttentionBackwardWriter::Style::cuda);
    return finished(std::move(variant), writer.write_with_atomics());
}

}  // namespace kernelgen
