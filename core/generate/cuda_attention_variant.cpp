// SPDX-License-Identifier: Apache-2.0
#include "core/generate/cuda_attention_variant.h"

#include "core/generate/attention_writer.h"
#include "core/generate/row_index.h"
#include "core/generate/variant_parts.h"

namespace kernelgen {

namespace {

/// What a block of plain attention holds: rows and sums of a thread, and static shared memory.
std::vector<std::string> limits_of_plain_attention(bool in_f64) {
    return {"BLOCK_M >= 2 * num_warps", "BLOCK_M * HEAD_SIZE <= 128 * 32 * num_warps",
            "BLOCK_M * BLOCK_N <= 32 * 32 * num_warps",
            (in_f64 ? "8" : "(dtype_bytes == 8 ? 8 : 4)") +
                std::string(" * ((BLOCK_M + 4) * BLOCK_N + 16 * (BLOCK_M + BLOCK_N + HEAD_SIZE + 12)) <= 49152")};
}

/// Attention in any arithmetic, without tensor cores. HEAD_SIZE covers the elements of a head: sums of that many
/// columns stay in registers.
void make_plain_attention(Variant& variant, const Operator& definition, const std::string& size,
                          bool has_tensor_tiles) {
    const bool in_f64 = definition.arithmetic == DType::f64;
    variant.tunables = {{"BLOCK_M", {16, 32, 64, 128}, 64},
                        {"BLOCK_N", {16, 32, 64}, 32},
                        {"HEAD_SIZE", {16, 32, 64, 128, 256}, 128},
                        {"num_warps", {2, 4, 8}, 8}};
    variant.restrictions = {size + " <= HEAD_SIZE"};
    for (const std::string& each : limits_of_plain_attention(in_f64))
        variant.restrictions.push_back((has_tensor_tiles ? "COPY_WARPS > 0 or " : "") + each);
    const std::string wide = in_f64 ? "" : "dtype_bytes == 8 and ";
    variant.configurations = {
        {wide + size + " <= 64", {{"BLOCK_M", 32}, {"BLOCK_N", 32}, {"HEAD_SIZE", 64}, {"num_warps", 4}}},
        {wide + size + " <= 128", {{"BLOCK_M", 32}, {"BLOCK_N", 32}, {"HEAD_SIZE", 128}, {"num_warps", 4}}},
        {wide + size + " <= 256", {{"BLOCK_M", 16}, {"BLOCK_N", 16}, {"HEAD_SIZE", 256}, {"num_warps", 4}}},
        {size + " <= 64", {{"BLOCK_M", 64}, {"BLOCK_N", 64}, {"HEAD_SIZE", 64}, {"num_warps", 8}}},
        {size + " > 128", {{"BLOCK_M", 64}, {"BLOCK_N", 32}, {"HEAD_SIZE", 256}, {"num_warps", 8}}}};
}

/// Tiles of attention for tensor cores: rows and columns of a tile, elements of a head, and stages.
struct AttentionTile {
    std::int64_t rows, columns, head, stages, query_stages, turns;

    Configuration configuration() const {
        return {{"BLOCK_M", rows},        {"BLOCK_N", columns},   {"HEAD_SIZE", head},
                {"num_warps", rows / 16}, {"num_stages", stages}, {"QUERY_STAGES", query_stages},
                {"COPY_WARPS", 4},        {"TURNS", turns},       {"PERSISTENT", 1}};
    }
};

/// Rules for cases of 16 bits on a device of sm_90a: no other has wgmma.
std::vector<ConfigurationRule> rules_of_tensor_attention(const Attention& attention) {
    std::vector<ConfigurationRule> rules;
    const auto add = [&](std::int64_t most, const std::string& further, const AttentionTile& tile) {
        rules.push_back({"dtype_bytes == 2 and device.architecture == 90 and " + attention.head_size +
                             " <= " + std::to_string(most) + further,
                         tile.configuration()});
    };
    const bool sees_all = !attention.last_seen() && attention.window_left < 0;
    add(64, "", {192, 128, 64, 3, 2, 1});
    add(96, "", {128, 128, 96, 2, 2, 1});
    if (sees_all) add(128, " and " + attention.columns + " >= 2048", {128, 160, 128, 2, 2, 0});
    if (sees_more_later(attention)) add(128, " and " + attention.columns + " > 8192", {128, 176, 128, 2, 1, 0});
    add(128, "", {128, 128, 128, 2, 2, 1});
    add(192, "", {128, 112, 192, 2, 1, 1});
    add(256, "", {128, 80, 256, 2, 1, 0});
    return rules;
}

/// The same for operands of 8 bits, whatever the case's dtype, but f64.
std::vector<ConfigurationRule> rules_of_byte_attention(const Attention& attention) {
    std::vector<ConfigurationRule> rules;
    for (const auto& [most, stages] : {std::pair{64, 4}, {128, 3}})
        rules.push_back({"dtype_bytes <= 4 and device.architecture == 90 and " + attention.head_size +
                             " <= " + std::to_string(most),
                         AttentionTile{128, 128, most, stages, 2, 0}.configuration()});
    return rules;
}

/// What tensor cores take of operands of 8 bits. Values are brought into their order by a kernel of its own.
void add_byte_attention(Variant& variant, const Operator& definition, const Attention& attention) {
    variant.restrictions.insert(
        variant.restrictions.end(),
        {"COPY_WARPS > 0 or BLOCK_M % (2 * num_warps) == 0 and num_stages == 1 and QUERY_STAGES == 1 and TURNS == 0",
         "COPY_WARPS == 0 or dtype_bytes <= 4 and BLOCK_M == 128 and BLOCK_N == 128 and num_warps == 8",
         "COPY_WARPS == 0 or HEAD_SIZE >= 64 and HEAD_SIZE <= 128"});
    Launch& launch = variant.launches[0];
    launch.shared_bytes =
        "COPY_WARPS == 0 ? 0 : 1280 + QUERY_STAGES * BLOCK_M * 128 + num_stages * BLOCK_N * (128 + HEAD_SIZE)";
    const std::string heads = product_text({attention.batch, attention.kv_heads});
    const std::string tiles = "cdiv(" + attention.columns + ", 128)" + (heads == "1" ? "" : " * " + heads);
    variant.workspace = {
        {value_tiles_name(definition), {"COPY_WARPS == 0 ? 1 : " + tiles + " * 128 * HEAD_SIZE"}, DType::i8}};
    launch.args.push_back(variant.workspace[0].name);
    Launch values = launch;
    values.grid = {"COPY_WARPS == 0 ? 1 : " + tiles};
    values.block = {"256"};
    values.shared_bytes = {};
    launch.entry = variant.entry;
    variant.entry = value_tiles_entry(definition);
    variant.launches.insert(variant.launches.begin(), std::move(values));
}

/// Few rows, all of heads that share keys: 16 rows for each warp of a team.
struct DecodeTile {
    std::int64_t rows, columns, head, warps, stages;

    Configuration configuration() const {
        return {{"BLOCK_M", rows},      {"BLOCK_N", columns}, {"HEAD_SIZE", head}, {"num_warps", warps},
                {"num_stages", stages}, {"DECODE", 1},        {"PERSISTENT", 1}};
    }
};

/// The rows of the heads that share keys, as an expression.
std::string rows_of_group(const Attention& attention) {
    if (attention.heads == attention.kv_heads) return attention.rows;
    return attention.heads + " / " + attention.kv_heads + " * " + attention.rows;
}

/// Rules for cases of 16 bits with at most 8 queries, on a device with mma: one of little shared memory (from 99 KiB
/// on) and one of more.
std::vector<ConfigurationRule> rules_of_decoding(const Attention& attention) {
    std::vector<ConfigurationRule> rules;
    const auto add = [&](const std::string& further, const DecodeTile& tile) {
        rules.push_back({"dtype_bytes == 2 and device.architecture >= 80 and " + attention.rows + " <= 8 and " +
                             rows_of_group(attention) + " <= " + std::to_string(tile.rows) + " and " +
                             attention.head_size + " <= " + std::to_string(tile.head) + further,
                         tile.configuration()});
    };
    const std::string on_small = " and device.shared_per_block < 200000";
    for (const DecodeTile& tile :
         {DecodeTile{16, 32, 64, 4, 2}, DecodeTile{16, 16, 128, 4, 2}, DecodeTile{16, 16, 256, 2, 2},
          DecodeTile{32, 16, 128, 4, 2}, DecodeTile{64, 16, 128, 4, 2}, DecodeTile{128, 16, 128, 8, 2}})
        add(on_small, tile);
    for (const DecodeTile& tile :
         {DecodeTile{16, 32, 64, 8, 2}, DecodeTile{16, 16, 128, 8, 2}, DecodeTile{16, 16, 256, 4, 2},
          DecodeTile{32, 32, 128, 8, 2}, DecodeTile{64, 32, 128, 8, 3}, DecodeTile{128, 32, 128, 8, 4}})
        add("", tile);
    return rules;
}

/// Adds to the kernels of tiles the one for few rows.
void add_decoding(Variant& variant, const Operator& definition, const Attention& attention) {
    const std::string rows = rows_of_group(attention);
    variant.tunables.push_back({"DECODE", {0, 1}, 0});
    variant.restrictions.insert(
        variant.restrictions.end(),
        {"DECODE == 0 or dtype_bytes == 2 and COPY_WARPS == 0 and PERSISTENT > 0 and 16 * num_warps % BLOCK_M == 0",
         "DECODE == 0 or " + rows + " <= BLOCK_M and BLOCK_N <= 64"});
    Launch& launch = variant.launches[0];
    // Of each team the stages with their barriers, and the sums of its rows.
    launch.shared_bytes =
        "DECODE == 1 ? 1040 + 16 * num_warps / BLOCK_M * (num_stages * (256 * BLOCK_N * cdiv(HEAD_SIZE, 64) + "
        "16) + 8 * BLOCK_M + 4 * HEAD_SIZE * " +
        as_factor(rows) + ") : " + launch.shared_bytes;
    variant.workspace = {{attention_parts_name(definition),
                          {"DECODE == 0 ? 1 : min(all_blocks, staying_blocks) * 2 * BLOCK_M * (HEAD_SIZE + 2)"}}};
    launch.args.push_back(variant.workspace[0].name);
    const std::vector<ConfigurationRule> rules = rules_of_decoding(attention);
    variant.configurations.insert(variant.configurations.begin(), rules.begin(), rules.end());
}

/// Adds to plain attention what tensor cores of sm_90a need, for cases of 16 bits.
void add_tensor_attention(Variant& variant, const Operator& definition, const Attention& attention,
                          const std::string& tiles) {
    variant.tunables = {{"BLOCK_M", {16, 32, 64, 128, 192}, 64},
                        {"BLOCK_N", {16, 32, 64, 80, 96, 112, 128, 144, 160, 176}, 32},
                        {"HEAD_SIZE", {16, 32, 64, 96, 128, 192, 256}, 128},
                        {"num_warps", {2, 4, 8, 12}, 8},
                        {"num_stages", {1, 2, 3, 4}, 1},
                        {"QUERY_STAGES", {1, 2}, 1},
                        {"COPY_WARPS", {0, 4}, 0},
                        {"TURNS", {0, 1}, 0},
                        {"PERSISTENT", {0, 1, 2, 4}, 0}};
    variant.launches[0].block = {"32 * (num_warps + COPY_WARPS)"};
    set_grid(variant, tiles, "PERSISTENT * device.multiprocessors");
    const bool is_bytes = has_byte_operands(definition, attention);
    const std::vector<ConfigurationRule> rules =
        is_bytes ? rules_of_byte_attention(attention) : rules_of_tensor_attention(attention);
    variant.configurations.insert(variant.configurations.begin(), rules.begin(), rules.end());
    if (is_bytes) return add_byte_attention(variant, definition, attention);
    variant.restrictions.insert(
        variant.restrictions.end(),
        {"COPY_WARPS > 0 or BLOCK_M % (2 * num_warps) == 0 and (num_stages == 1 or DECODE == 1) and QUERY_STAGES == 1 "
         "and TURNS == 0",
         "COPY_WARPS == 0 or dtype_bytes == 2 and BLOCK_M == 16 * num_warps and num_warps >= 4",
         "COPY_WARPS == 0 or BLOCK_N >= 64 and HEAD_SIZE >= 64", "TURNS == 0 or num_warps >= 8",
         // Sums, scores and weights that a thread holds.
         "COPY_WARPS == 0 or 2 * HEAD_SIZE + 3 * BLOCK_N <= (num_warps == 12 ? 528 : 800)"});
    variant.launches[0].shared_bytes =
        "COPY_WARPS == 0 ? 0 : 1280 + (QUERY_STAGES * BLOCK_M + 2 * num_stages * BLOCK_N) * cdiv(HEAD_SIZE, 64) * 128";
}

}  // namespace

GeneratedVariant cuda_attention(const Operator& definition, const Body& body) {
    const Attention& attention = *body.attention;
    const std::string heads = product_text({attention.batch, attention.heads});
    const std::string tiles = "cdiv(" + attention.rows + ", BLOCK_M)" + (heads == "1" ? "" : " * " + heads);
    Variant variant = source_variant(definition, Language::cuda, "cuda", definition.name + ".cu");
    Launch& launch = variant.launches[0];
    launch.block = {"32 * num_warps"};
    launch.grid = {tiles};
    const bool has_tensor_tiles = !why_attention_is_plain(definition, attention);
    make_plain_attention(variant, definition, attention.head_size, has_tensor_tiles);
    if (has_tensor_tiles) {
        const bool has_bytes = has_byte_operands(definition, attention);
        // Of few rows a block has at least four blocks of columns to read.
        const std::string parts = "cdiv(" + attention.columns + ", 4 * BLOCK_N)",
                          kv_heads = product_text({attention.batch, attention.kv_heads});
        const std::string of_few_rows = parts + (kv_heads == "1" ? "" : " * " + kv_heads);
        add_tensor_attention(variant, definition, attention,
                             has_bytes ? tiles : "DECODE == 0 ? " + tiles + " : " + of_few_rows);
        if (!has_bytes) add_decoding(variant, definition, attention);
        Launch& of_tiles = variant.launches.back();
        for (TensorMap& map : maps_of_attention(definition, attention)) {
            of_tiles.args.push_back(tensor_map_argument(of_tiles.tensor_maps.size()));
            of_tiles.tensor_maps.push_back(std::move(map));
        }
    }
    return finished(std::move(variant), AttentionWriter(definition, body, AttentionWriter::Style::cuda).write());
}

}  // namespace kernelgen
