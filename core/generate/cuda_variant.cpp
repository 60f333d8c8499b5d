// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/generate/attention_backward_variants.h"
#include "core/generate/convolution_writer.h"
#include "core/generate/cuda_attention_variant.h"
#include "core/generate/cuda_row_writer.h"
#include "core/generate/cuda_tile_writer.h"
#include "core/generate/generate.h"
#include "core/generate/kernel_writer.h"
#include "core/generate/lower.h"
#include "core/generate/row_index.h"
#include "core/generate/sigmoid_rewrite.h"
#include "core/generate/variant_parts.h"
#include "core/lang/attention.h"

namespace kernelgen {

namespace {

void add_memory_tunables(Variant& variant, bool loads) {
    variant.tunables.push_back({"VEC", {4, 8, 16, 32}, 16});
    if (loads) variant.tunables.push_back({"LOAD_CACHE", {0, 1, 2, 3}, 0});
    variant.tunables.push_back({"STORE_CACHE", {0, 1, 2, 3}, 0});
}

void make_tiles(Variant& variant, const Body& body, bool flat, bool loads_tiles) {
    const std::string rows = row_count_text(body), columns = body.space.back();
    std::string tiles = flat ? "cdiv(" + (rows == "1" ? "" : rows + " * ") + columns + ", BLOCK_N)"
                             : "cdiv(" + rows + ", BLOCK_M) * cdiv(" + columns + ", BLOCK_N)";
    set_grid(variant, tiles, "PERSISTENT * device.multiprocessors");
    if (!flat) variant.tunables.push_back({"BLOCK_M", {1, 2, 4, 8, 16, 32, 64}, loads_tiles ? 1 : 2});
    variant.tunables.push_back({"BLOCK_N", {128, 256, 512, 1024, 2048, 4096, 8192, 16384}, 1024});
    variant.tunables.push_back({"num_warps", {1, 2, 4, 8, 16, 32}, loads_tiles ? 4 : 2});
    if (loads_tiles) variant.tunables.push_back({"num_stages", {1, 2, 3, 4}, 1});
    add_memory_tunables(variant, loads_tiles);
    variant.tunables.push_back({"PERSISTENT", {0, 1, 2, 4, 8, 16}, 0});
    // Elements that a thread holds in registers.
    const std::string stages = loads_tiles ? "num_stages * " : "";
    variant.restrictions = {stages + (flat ? "" : "BLOCK_M * ") + "BLOCK_N <= 64 * 32 * num_warps"};
}

void make_rows(Variant& variant, const Body& body) {
    const std::string rows = row_count_text(body), columns = body.space.back();
    variant.let = {"blocks_per_row = min(CLUSTER, pow2ceil(cdiv(" + columns + ", BLOCK_N)))"};
    set_grid(variant, "cdiv(cdiv(" + rows + ", BLOCK_M), CLUSTER / blocks_per_row) * CLUSTER",
             "cdiv(PERSISTENT * device.multiprocessors, CLUSTER) * CLUSTER");
    variant.tunables = {{"BLOCK_M", {1, 2, 4, 8, 16}, 1},
                        {"BLOCK_N", {256, 512, 1024, 2048, 4096, 8192, 16384, 32768}, 8192},
                        {"num_warps", {1, 2, 4, 8, 16, 32}, 8},
                        {"num_stages", {1, 2, 3, 4}, 1},
                        {"CLUSTER", {1, 2, 4, 8}, 1},
                        {"HOLD", {0, 1, 2, 4, 8}, 0},
                        {"PERSISTENT", {0, 1, 2, 3, 4, 6, 8, 12, 16}, 0}};
    // Bytes of every column of every input whose rows are held.
    const auto held = std::ranges::count_if(body.nodes, [&](const Node& node) {
        return node.op == Op::input && node.per_column && (node.per_row || body.space.size() == 1);
    });
    variant.launches[0].shared_bytes =
        (held == 1 ? "" : std::to_string(held) + " * ") + "HOLD * num_stages * BLOCK_M * BLOCK_N";
    add_memory_tunables(variant, true);
    variant.restrictions = {"num_warps % BLOCK_M == 0", "BLOCK_M * BLOCK_N <= 64 * 32 * num_warps",
                            "HOLD > 0 or num_stages <= 2"};
}

/// Sums and elements that a thread holds, and static shared memory of a block in f64.
const std::vector<std::string> limits_of_plain_tiles = {"BLOCK_M % (2 * num_warps) == 0",
                                                        "BLOCK_M * BLOCK_N <= 128 * 32 * num_warps",
                                                        "BLOCK_K * (BLOCK_M + BLOCK_N + 8) <= 6144"};

/// A tile of 64×128 for a few tiles, a larger one where it fills the device: `has_large_tiles`, a condition.
const Configuration large_plain_tile = {{"BLOCK_M", 256}, {"BLOCK_N", 128}, {"BLOCK_K", 8}, {"num_warps", 8}};

void make_plain_tiles(Variant& variant, const std::string& has_large_tiles) {
    variant.tunables = {{"BLOCK_M", {32, 64, 128, 256}, 64}, {"BLOCK_N", {32, 64, 128, 256}, 128},
                        {"BLOCK_K", {8, 16, 32}, 16},        {"GROUP_M", {1, 4, 8, 16}, 8},
                        {"num_warps", {2, 4, 8, 16}, 4},     {"num_stages", {1}, 1},
                        {"PERSISTENT", {0, 1, 2, 4}, 0}};
    variant.restrictions = limits_of_plain_tiles;
    variant.configurations = {{"dtype_bytes <= 4 and " + has_large_tiles, large_plain_tile}};
}

/// What the rules of a contraction's variant depend on.
struct ContractionShape {
    std::string rows;
    std::string depth;
    std::string large_tiles, small_tiles;   ///< how many tiles of 128×256, and of 128×128, a case has
    std::string short_tiles, narrow_tiles;  ///< of 64×128 and of 64×64
    std::string has_large_plain_tiles;      ///< a condition
    std::string cannot_be_copied;           ///< by the copy engine: rows of an operand that are no multiple of 16 bytes
    bool has_rows_along_depth;              ///< the left operand's rows follow the depth
    bool has_columns_along_depth;           ///< the right operand's columns do
};

/// Rules for a deep product whose tiles would not fill the device: so many blocks share the depth of a tile, a `narrow`
/// one of 64×64 or a `small` one of 64×128. A cluster of more than two lies on multiprocessors that are neighbours, of
/// which there is not room for as many clusters as the device's number of multiprocessors suggests.
std::vector<ConfigurationRule> split_rules(const std::string& when, const ContractionShape& shape,
                                           const Configuration& narrow, const Configuration& small) {
    std::vector<ConfigurationRule> rules;
    const auto add = [&](std::int64_t split, const std::string& tiles, Configuration configuration) {
        configuration["SPLIT_K"] = split;
        rules.push_back({when + " and " + std::to_string(split > 2 ? 2 * split : split) + " * " + tiles +
                             " <= device.multiprocessors and " + shape.depth + " >= " + std::to_string(512 * split),
                         std::move(configuration)});
    };
    for (const std::int64_t split : {8, 4, 2}) {
        add(split, shape.narrow_tiles, narrow);
        add(split, shape.short_tiles, small);
    }
    return rules;
}

/// Tiles by case: of 16-bit operands by how many of them fill the device, and how deep they are.
void add_tensor_rules(Variant& variant, const ContractionShape& shape) {
    const Configuration for_least_memory = {
        {"BLOCK_M", 64}, {"BLOCK_N", 64}, {"BLOCK_K", 64}, {"num_warps", 4}, {"num_stages", 3}};
    Configuration for_little_memory = for_least_memory;
    for_little_memory["BLOCK_M"] = 128;
    Configuration by_threads = for_least_memory;
    by_threads["num_stages"] = 4;
    const Configuration narrow = {{"BLOCK_M", 64},  {"BLOCK_N", 64},   {"BLOCK_K", 128},
                                  {"num_warps", 4}, {"num_stages", 6}, {"COPY_WARPS", 4}};
    const Configuration small = {{"BLOCK_M", 64},  {"BLOCK_N", 128},  {"BLOCK_K", 128},
                                 {"num_warps", 4}, {"num_stages", 4}, {"COPY_WARPS", 4}};
    Configuration narrow_part = narrow, small_part = small;  // of the depth
    narrow_part["BLOCK_K"] = small_part["BLOCK_K"] = 64;
    narrow_part["num_stages"] = 8, small_part["num_stages"] = 6;
    const Configuration middle = {{"BLOCK_M", 128}, {"BLOCK_N", 128},  {"BLOCK_K", 64},   {"GROUP_M", 1},
                                  {"num_warps", 4}, {"num_stages", 6}, {"COPY_WARPS", 4}, {"CLUSTER", 2}};
    const Configuration large = {{"BLOCK_M", 128},  {"BLOCK_N", 256}, {"BLOCK_K", 64},
                                 {"GROUP_M", 16},   {"num_warps", 8}, {"num_stages", 4},
                                 {"COPY_WARPS", 4}, {"CLUSTER", 2},   {"PERSISTENT", 1}};
    Configuration one_wave = large;  // sharing an operand does not pay there
    one_wave["CLUSTER"] = 1;
    const auto add = [&](const std::vector<ConfigurationRule>& rules) {
        variant.configurations.insert(variant.configurations.end(), rules.begin(), rules.end());
    };
    const std::string has_few_rows = "dtype_bytes == 2 and " + shape.rows + " <= 64";
    add({{"dtype_bytes == 2 and device.shared_per_block < 85000", for_least_memory},
         {"dtype_bytes == 2 and device.shared_per_block < 220000", for_little_memory},
         {"dtype_bytes == 2 and " + shape.cannot_be_copied, by_threads}});
    add(split_rules("dtype_bytes == 2", shape, narrow_part, small_part));
    add({{has_few_rows, narrow},
         {"dtype_bytes == 2 and 2 * " + shape.narrow_tiles + " <= device.multiprocessors", narrow},
         {"dtype_bytes == 2 and 2 * " + shape.small_tiles + " < device.multiprocessors", small},
         {"dtype_bytes == 2 and 2 * " + shape.large_tiles + " < device.multiprocessors", middle},
         {"dtype_bytes == 2 and " + shape.large_tiles + " <= device.multiprocessors", one_wave},
         {"dtype_bytes == 2", large},
         {"dtype_bytes == 4 and " + shape.has_large_plain_tiles, large_plain_tile}});
}

/// Tiles of 16 rows, where rows of the left operand follow the depth.
void add_few_rows(Variant& variant, const ContractionShape& shape) {
    variant.tunables[0].values.insert(variant.tunables[0].values.begin(), 16);
    variant.restrictions.emplace_back(
        "dtype_bytes != 2 or BLOCK_M > 16 or BLOCK_N <= 64 and num_warps <= 8 and COPY_WARPS == 0 and "
        "SPLIT_K == 1");
    variant.configurations.push_back({"dtype_bytes == 2 and " + shape.rows + " <= 16",
                                      {{"BLOCK_M", 16},
                                       {"BLOCK_N", shape.has_columns_along_depth ? 32 : 64},
                                       {"BLOCK_K", 64},
                                       {"num_warps", shape.has_columns_along_depth ? 4 : 8},
                                       {"num_stages", 4}}});
    // Of columns along the depth a thread holds all stages' parts: of 64 columns more than four stages spill.
    variant.restrictions.emplace_back(shape.has_columns_along_depth
                                          ? "dtype_bytes != 2 or BLOCK_M > 16 or BLOCK_N < 64 or num_stages <= 4"
                                          : "dtype_bytes != 2 or BLOCK_M > 16 or BLOCK_N == 64");
}

/// Tiles that are computed by tensor cores where the case's dtype has 16 bits, and as plain ones otherwise.
void make_tensor_tiles(Variant& variant, const ContractionShape& shape) {
    variant.tunables = {{"BLOCK_M", {32, 64, 128, 256}, 64},
                        {"BLOCK_N", {32, 64, 128, 256}, 128},
                        {"BLOCK_K", {8, 16, 32, 64, 128}, 16},
                        {"GROUP_M", {1, 4, 8, 16}, 8},
                        {"num_warps", {2, 4, 8, 16}, 4},
                        {"num_stages", {1, 3, 4, 5, 6, 8}, 1},
                        {"COPY_WARPS", {0, 4}, 0},
                        {"CLUSTER", {1, 2, 4}, 1},
                        {"SPLIT_K", {1, 2, 4, 8}, 1},
                        {"PERSISTENT", {0, 1, 2, 4}, 0}};
    const std::string few = shape.has_rows_along_depth ? "BLOCK_M == 16 or " : "";
    for (const std::string& each : limits_of_plain_tiles) variant.restrictions.push_back("dtype_bytes == 2 or " + each);
    variant.restrictions.insert(
        variant.restrictions.end(),
        {"dtype_bytes == 2 or num_stages == 1 and COPY_WARPS == 0 and SPLIT_K == 1",
         "dtype_bytes != 2 or num_stages > 1",
         "dtype_bytes != 2 or " + few + "BLOCK_M >= 64 and BLOCK_N >= 64 and BLOCK_K >= 64 and num_warps >= 4",
         // Sums that a thread holds: from 32 to 128.
         "dtype_bytes != 2 or " + few + "BLOCK_M * BLOCK_N >= 1024 * num_warps",
         "dtype_bytes != 2 or BLOCK_M * BLOCK_N <= 4096 * num_warps", "COPY_WARPS == 0 or num_warps <= 8",
         "COPY_WARPS > 0 or CLUSTER == 1", "SPLIT_K == 1 or CLUSTER == 1",
         // Sums that blocks exchange lie where the stages did.
         "SPLIT_K == 1 or 2 * BLOCK_M * BLOCK_N <= num_stages * (BLOCK_M + BLOCK_N) * BLOCK_K"});
    // Stages, 2,304 bytes a warp for results on their way, 192 for barriers; the stages begin at a multiple of a
    // kilobyte.
    std::string shared_bytes = "1216 + num_stages * (BLOCK_M + BLOCK_N) * BLOCK_K * 2 + 2304 * num_warps";
    if (shape.has_rows_along_depth) {
        add_few_rows(variant, shape);
        shared_bytes = "BLOCK_M == 16 ? 64 * BLOCK_N * num_warps : " + shared_bytes;
    }
    variant.launches[0].shared_bytes = "dtype_bytes != 2 ? 0 : " + shared_bytes;
    variant.launches[0].block = {"32 * (num_warps + COPY_WARPS)"};
    add_tensor_rules(variant, shape);
}

void add_byte_rules(Variant& variant, const ContractionShape& shape) {
    const Configuration least = {{"BLOCK_M", 64},  {"BLOCK_N", 64},   {"BLOCK_K", 128},
                                 {"num_warps", 4}, {"num_stages", 3}, {"COPY_WARPS", 0}};
    const Configuration narrow = {{"BLOCK_M", 64},  {"BLOCK_N", 64},   {"BLOCK_K", 256},
                                  {"num_warps", 4}, {"num_stages", 6}, {"COPY_WARPS", 4}};
    Configuration narrow_part = narrow;  // of the depth
    narrow_part["BLOCK_K"] = 128, narrow_part["num_stages"] = 8;
    const Configuration small = {{"BLOCK_M", 64},  {"BLOCK_N", 128},  {"BLOCK_K", 128},
                                 {"num_warps", 4}, {"num_stages", 6}, {"COPY_WARPS", 4}};
    const Configuration middle = {{"BLOCK_M", 128}, {"BLOCK_N", 128},  {"BLOCK_K", 128},  {"GROUP_M", 1},
                                  {"num_warps", 8}, {"num_stages", 6}, {"COPY_WARPS", 4}, {"CLUSTER", 2}};
    const Configuration large = {{"BLOCK_M", 128},  {"BLOCK_N", 256}, {"BLOCK_K", 128},
                                 {"GROUP_M", 16},   {"num_warps", 8}, {"num_stages", 4},
                                 {"COPY_WARPS", 4}, {"CLUSTER", 2},   {"PERSISTENT", 1}};
    Configuration one_wave = large;  // sharing an operand does not pay there
    one_wave["CLUSTER"] = 1;
    const auto add = [&](const std::vector<ConfigurationRule>& rules) {
        variant.configurations.insert(variant.configurations.end(), rules.begin(), rules.end());
    };
    const std::string has_few_rows = shape.rows + " <= 64";
    add({{"device.shared_per_block < 220000 or dtype_bytes > 4", least}, {shape.cannot_be_copied, least}});
    add(split_rules("dtype_bytes <= 4", shape, narrow_part, small));
    add({{has_few_rows, narrow},
         {"2 * " + shape.narrow_tiles + " <= device.multiprocessors", narrow},
         {"2 * " + shape.small_tiles + " < device.multiprocessors", small},
         {"2 * " + shape.large_tiles + " < device.multiprocessors", middle},
         {shape.large_tiles + " <= device.multiprocessors", one_wave},
         {"dtype_bytes <= 4", large}});
}

/// Tiles of operands of 8 bits, which tensor cores of sm_90a compute. A thread holds all its sums, and up to 64 that
/// are not yet added to them.
void make_byte_tiles(Variant& variant, const ContractionShape& shape) {
    variant.tunables = {{"BLOCK_M", {64, 128, 256}, 128}, {"BLOCK_N", {64, 128, 256}, 128},
                        {"BLOCK_K", {128, 256}, 128},     {"GROUP_M", {1, 4, 8, 16}, 8},
                        {"num_warps", {4, 8}, 8},         {"num_stages", {3, 4, 5, 6, 8}, 4},
                        {"COPY_WARPS", {0, 4}, 4},        {"CLUSTER", {1, 2, 4}, 1},
                        {"SPLIT_K", {1, 2, 4, 8}, 1},     {"PERSISTENT", {0, 1, 2, 4}, 0}};
    variant.restrictions = {"BLOCK_M * BLOCK_N >= 1024 * num_warps", "BLOCK_M * BLOCK_N <= 4096 * num_warps",
                            "COPY_WARPS > 0 or CLUSTER == 1", "SPLIT_K == 1 or CLUSTER == 1",
                            "SPLIT_K == 1 or 4 * BLOCK_M * BLOCK_N <= num_stages * (BLOCK_M + BLOCK_N) * BLOCK_K"};
    variant.launches[0].shared_bytes = "1216 + num_stages * (BLOCK_M + BLOCK_N) * BLOCK_K + 2304 * num_warps";
    variant.launches[0].block = {"32 * (num_warps + COPY_WARPS)"};
    add_byte_rules(variant, shape);
}

/// The copy engine cannot read rows that are no multiple of 16 bytes: of so many `elements`.
std::string cannot_be_copied(const Contraction& contraction, const std::string& elements) {
    const auto is_odd = [&](const ContractionOperand& operand) {
        return operand.values.space.back() + " % " + elements + " != 0";
    };
    const std::string left = is_odd(contraction.left), right = is_odd(contraction.right);
    return right == left ? left : "(" + left + " or " + right + ")";
}

/// Tiles that tensor cores compute from operands which all threads copy, as patches are, and plain ones otherwise.
/// There a thread computes the places of what it gathers: with four warps, and with large tiles, registers would spill.
void make_gathered_tiles(Variant& variant, const std::string& has_large_tiles) {
    variant.tunables = {{"BLOCK_M", {32, 64, 128, 256}, 64},
                        {"BLOCK_N", {32, 64, 128, 256}, 128},
                        {"BLOCK_K", {8, 16, 32, 64}, 16},
                        {"GROUP_M", {1, 4, 8, 16}, 8},
                        {"num_warps", {2, 4, 8, 16}, 8},
                        {"num_stages", {1, 3, 4, 5, 6}, 1},
                        {"COPY_WARPS", {0}, 0},
                        {"CLUSTER", {1}, 1},
                        {"SPLIT_K", {1}, 1},
                        {"PERSISTENT", {0, 1, 2, 4}, 0}};
    for (const std::string& each : limits_of_plain_tiles) variant.restrictions.push_back("dtype_bytes == 2 or " + each);
    variant.restrictions.insert(
        variant.restrictions.end(),
        {"dtype_bytes == 2 or num_stages == 1", "dtype_bytes != 2 or num_stages > 1",
         "dtype_bytes != 2 or BLOCK_M >= 64 and BLOCK_N >= 64 and BLOCK_K >= 64 and num_warps >= 4",
         "dtype_bytes != 2 or BLOCK_M * BLOCK_N >= 1024 * num_warps",
         "dtype_bytes != 2 or BLOCK_M * BLOCK_N <= 4096 * num_warps"});
    variant.launches[0].shared_bytes =
        "dtype_bytes != 2 ? 0 : 1216 + num_stages * (BLOCK_M + BLOCK_N) * BLOCK_K * 2 + 2304 * num_warps";
    const Configuration small = {
        {"BLOCK_M", 64}, {"BLOCK_N", 64}, {"BLOCK_K", 64}, {"num_warps", 4}, {"num_stages", 3}};
    const Configuration large = {
        {"BLOCK_M", 128}, {"BLOCK_N", 128}, {"BLOCK_K", 64}, {"num_warps", 8}, {"num_stages", 4}};
    variant.configurations = {{"dtype_bytes == 2 and device.shared_per_block >= 160000 and " + has_large_tiles, large},
                              {"dtype_bytes == 2", small}};
}

/// As make_gathered_tiles, of a convolution whose patches the copy engine can copy too: large tiles, for which other
/// warps do so, where there are enough of them.
void make_copied_tiles(Variant& variant, const Convolution& of, const std::string& has_large_tiles) {
    make_gathered_tiles(variant, has_large_tiles);
    const auto values = [&](std::string_view name) -> std::vector<std::int64_t>& {
        return std::ranges::find(variant.tunables, name, &Tunable::name)->values;
    };
    values("COPY_WARPS") = {0, 4};
    values("CLUSTER") = {1, 2};
    variant.restrictions.insert(variant.restrictions.end(), {"dtype_bytes == 2 or COPY_WARPS == 0",
                                                             "COPY_WARPS == 0 or num_warps <= 8 and BLOCK_M >= 64",
                                                             "COPY_WARPS > 0 or CLUSTER == 1"});
    variant.launches[0].block = {"32 * (num_warps + COPY_WARPS)"};
    const Configuration large = {{"BLOCK_M", 256}, {"BLOCK_N", 128},  {"BLOCK_K", 64},   {"GROUP_M", 16},
                                 {"num_warps", 8}, {"num_stages", 4}, {"COPY_WARPS", 4}, {"PERSISTENT", 1}};
    Configuration narrow = large, middle = large;
    narrow["BLOCK_N"] = 64, narrow["num_stages"] = 5;
    middle["BLOCK_M"] = 128, middle["num_stages"] = 6;
    const std::string copied =
        "dtype_bytes == 2 and device.architecture == 90 and device.shared_per_block >= 220000 and " + of.channels +
        " % 64 == 0";
    variant.configurations.insert(variant.configurations.begin(), {{copied + " and " + of.kernels + " <= 64", narrow},
                                                                   {copied + " and " + has_large_tiles, large},
                                                                   {copied, middle}});
}

/// How the blocks of `sliding_windows` share a result, as the kernel reckons it.
void add_slide_blocks(Variant& variant, const Convolution& of) {
    const bool last = of.is_channels_last;
    const std::string pieces = "cdiv(" + of.channels + ", elements)";  // of a pixel's channels
    const std::string steps = last ? of.out_width : "cdiv(" + of.out_width + ", elements)";
    const std::string padding = std::to_string(of.padding);
    const std::string further =  // steps that a window has besides its own
        last ? of.kernel_width + " - 1"
             : "(cdiv(" + padding + ", elements) * elements - " + padding + " + elements + " + of.kernel_width +
                   " - 2) / elements";
    const std::string threads = last ? "32 * num_warps / block_channels" : "32 * num_warps";
    const std::string channels = last ? "block_channels * " : "";
    variant.let = {"elements = max(VEC / dtype_bytes, 1)"};
    if (last) variant.let.push_back("block_channels = cdiv(" + pieces + ", cdiv(" + pieces + ", 16))");
    variant.let.push_back("block_steps = cdiv(" + steps + ", cdiv(" + steps + ", " + threads + "))");
    const std::string window_steps = "(block_steps + " + further + ")";
    variant.let.push_back("block_lines = min(32 * num_warps / " +
                          (last ? "(" + channels + "block_steps)" : "block_steps") + ", 64 * num_warps / " +
                          (last ? "(" + channels + window_steps + ")" : window_steps) + ")");
    variant.let.push_back("strip_rows = cdiv(" + of.out_height + ", cdiv(" + of.out_height + ", STRIP))");
    const std::string strips =
        of.images + (last ? "" : " * " + of.channels) + " * cdiv(" + of.out_height + ", strip_rows)";
    set_grid(variant,
             "cdiv(" + strips + ", block_lines) * cdiv(" + steps + ", block_steps)" +
                 (last ? " * cdiv(" + pieces + ", block_channels)" : ""),
             "PERSISTENT * device.multiprocessors");
}

/// Blocks that go down strips of the images. A thread has its weights and the sums of a few rows in registers.
void make_slides(Variant& variant, const Convolution& of) {
    const int down = of.kernel_height[0] - '0', taps = down * (of.kernel_width[0] - '0');
    int most = 16;  // elements of a thread
    while (most * (of.is_channels_last ? taps + down : down) > (of.is_channels_last ? 128 : 64)) most /= 2;
    variant.tunables = {{"VEC", {4, 8, 16}, 16},
                        {"STRIP", {7, 14, 28, 56, 112}, of.is_channels_last ? 112 : 28},
                        {"num_warps", {4, 8}, 4},
                        {"num_stages", {2, 3, 4}, 3},
                        {"PERSISTENT", {0, 1, 2, 3, 4, 6}, 0}};
    // The least VEC is allowed, too, where elements have 8 bits.
    variant.restrictions = {"VEC >= dtype_bytes", most < 4 ? "VEC <= max(" + std::to_string(most) + " * dtype_bytes, 4)"
                                                           : "VEC <= " + std::to_string(most) + " * dtype_bytes"};
    add_slide_blocks(variant, of);
    // The rows of two pieces a thread; where channels come last the weights of 16 pieces, in float or double.
    variant.launches[0].shared_bytes = "num_stages * " + std::to_string(64 * down) + " * num_warps * VEC";
    if (of.is_channels_last)
        variant.launches[0].shared_bytes += " + " + std::to_string(128 * taps) + " * VEC / dtype_bytes";
    const std::string& line = of.is_channels_last ? of.channels : of.out_width;  // whose elements follow each other
    for (const int bytes : {4, 8}) {
        const std::string next = std::to_string(2 * bytes), is_odd = line + " * dtype_bytes % " + next + " != 0";
        const bool can_be_few = most < 2 * bytes;
        variant.configurations.push_back(
            {can_be_few ? is_odd + " or " + std::to_string(most) + " * dtype_bytes < " + next : is_odd,
             {{"VEC", bytes}}});
    }
    // More rows than a device with 64 KiB has room for.
    if (down > 4) variant.configurations.push_back({"device.shared_per_block < 90000", {{"VEC", 8}}});
}

/// Blocks whose threads go down the images together, or threads for a few elements each.
GeneratedVariant direct_cuda_convolution(Variant variant, const Operator& definition, const Body& body) {
    using Threads = DirectConvolutionWriter::Threads;
    const std::vector<std::string>& space = body.space;
    const bool slides = has_sliding_windows(definition, body);
    if (slides) {
        make_slides(variant, *convolution_of(body));
    } else {
        // Rows of the result that follow each other in an image: its height, or where channels come last its width.
        variant.tunables = {{"STRIP", {1, 2, 4, 8, 16}, 8}, {"num_warps", {1, 2, 4, 8, 16}, 4}};
        variant.launches[0].grid = {"cdiv(" + space[0] + " * " + space[1] + " * cdiv(" + space[2] + ", STRIP) * " +
                                    space[3] + ", 32 * num_warps)"};
        variant.configurations = {{space[2] + " >= 64", {{"STRIP", 16}}}};
    }
    DirectConvolutionWriter writer(definition, body, ContractionWriter::Style::cuda_naive,
                                   slides ? Threads::slides : Threads::strips);
    return finished(std::move(variant), writer.write());
}

void add_maps(Launch& launch, std::vector<TensorMap> maps) {
    for (TensorMap& map : maps) {
        launch.args.push_back(tensor_map_argument(launch.tensor_maps.size()));
        launch.tensor_maps.push_back(std::move(map));
    }
}

/// Tiles of a product of matrices where the convolution is one.
GeneratedVariant cuda_convolution(const Operator& definition, const Body& body) {
    Variant variant = source_variant(definition, Language::cuda, "cuda", definition.name + ".cu");
    variant.launches[0].block = {"32 * num_warps"};
    const auto view = matrix_view(definition, body);
    if (!view) return direct_cuda_convolution(std::move(variant), definition, body);
    const Contraction& contraction = *view->body.contraction;
    const std::string batches = product_text(contraction.batch());
    const auto tiles = [&](const std::string& rows, const std::string& columns) {
        return "cdiv(" + contraction.rows() + ", " + rows + ") * cdiv(" + contraction.columns() + ", " + columns + ")" +
               (batches == "1" ? "" : " * " + batches);
    };
    const std::string has_large_tiles = tiles("256", "128") + " >= device.multiprocessors";
    const std::string all = tiles("BLOCK_M", "BLOCK_N");
    std::vector<TensorMap> maps = maps_of_operands(view->definition, view->body);
    if (!maps.empty()) {
        const Convolution& of = *contraction.convolution;
        make_copied_tiles(variant, of, has_large_tiles);
        // With copies, tiles are of pixels in rows of 16 of an image.
        variant.let = {"row_tiles = COPY_WARPS == 0 ? cdiv(" + contraction.rows() + ", BLOCK_M) : " + of.images +
                       " * cdiv(" + of.out_height + ", BLOCK_M / 16) * cdiv(" + of.out_width + ", 16)"};
        set_grid(variant, "CLUSTER * cdiv(row_tiles, CLUSTER) * cdiv(" + contraction.columns() + ", BLOCK_N)",
                 "PERSISTENT * device.multiprocessors / CLUSTER * CLUSTER");
    } else {
        if (uses_tensor_cores(view->definition, view->body)) make_gathered_tiles(variant, has_large_tiles);
        else make_plain_tiles(variant, has_large_tiles);
        set_grid(variant, all, "PERSISTENT * device.multiprocessors");
    }
    add_maps(variant.launches[0], std::move(maps));
    return finished(std::move(variant), ConvolutionWriter(*view, ContractionWriter::Style::cuda).write());
}

GeneratedVariant cuda_contraction(const Operator& definition, const Body& body) {
    const Contraction& contraction = *body.contraction;
    Variant variant = source_variant(definition, Language::cuda, "cuda", definition.name + ".cu");
    const std::string batches = product_text(contraction.batch());
    const auto tiles = [&](const std::string& rows, const std::string& columns) {
        return "cdiv(" + contraction.rows() + ", " + rows + ") * cdiv(" + contraction.columns() + ", " + columns + ")" +
               (batches == "1" ? "" : " * " + batches);
    };
    const std::string has_large_plain_tiles = tiles("256", "128") + " >= device.multiprocessors";
    Launch& launch = variant.launches[0];
    add_maps(launch, maps_of_operands(definition, body));
    const bool are_bytes = uses_tensor_cores_for_bytes(definition, body);
    if (are_bytes || uses_tensor_cores(definition, body)) {
        const ContractionShape shape = {contraction.rows(),
                                        contraction.depth,
                                        tiles("128", "256"),
                                        tiles("128", "128"),
                                        tiles("64", "128"),
                                        tiles("64", "64"),
                                        has_large_plain_tiles,
                                        cannot_be_copied(contraction, are_bytes ? "16" : "8"),
                                        !contraction.left.is_transposed,
                                        contraction.right.is_transposed};
        (are_bytes ? make_byte_tiles : make_tensor_tiles)(variant, shape);
        set_grid(variant, "CLUSTER * SPLIT_K * " + tiles("BLOCK_M * CLUSTER", "BLOCK_N"),
                 "PERSISTENT * device.multiprocessors / (CLUSTER * SPLIT_K) * (CLUSTER * SPLIT_K)");
    } else {
        make_plain_tiles(variant, has_large_plain_tiles);
        launch.block = {"32 * num_warps"};
        set_grid(variant, tiles("BLOCK_M", "BLOCK_N"), "PERSISTENT * device.multiprocessors");
    }
    return finished(std::move(variant), ContractionWriter(definition, body, ContractionWriter::Style::cuda).write());
}

/// The tile becomes as narrow as still covers the columns of all cases, and each thread keeps as much to do: half as
/// many columns, half as many warps. Without cases it stays.
void fit_tile(Variant& variant, const Body& body, std::span<const Case> cases) {
    std::int64_t columns = 0;
    for (const Case& each : cases) {
        if (const Result<Space> space = space_of(body, each.sizes)) columns = std::max(columns, space->columns);
    }
    if (columns == 0) return;
    Tunable& width = *std::ranges::find(variant.tunables, "BLOCK_N", &Tunable::name);
    Tunable& warps = *std::ranges::find(variant.tunables, "num_warps", &Tunable::name);
    while (width.value / 2 >= columns && width.value > width.values.front()) {
        width.value /= 2;
        warps.value = std::max(warps.value / 2, warps.values.front());
    }
}

}  // namespace

Validated<GeneratedVariant> generate_cuda_variant(const Operator& definition, std::span<const Case> cases) {
    const auto lowered = lowered_body(definition);
    if (!lowered) return std::unexpected(lowered.error());
    const Body body = with_sigmoids(*lowered);
    if (body.attention && body.attention->is_backward()) return cuda_attention_backward(definition, body);
    if (body.attention) return cuda_attention(definition, body);
    if (convolution_of(body)) return cuda_convolution(definition, body);
    if (body.contraction) return cuda_contraction(definition, body);
    Variant variant = source_variant(definition, Language::cuda, "cuda", definition.name + ".cu");
    variant.launches[0].block = {"32 * num_warps"};
    if (!has_column_tiles(definition, body)) {
        make_rows(variant, body);
        fit_tile(variant, body, cases);
        return finished(std::move(variant), CudaRowWriter(definition, body).write());
    }
    CudaTileWriter writer(definition, body);
    make_tiles(variant, body, writer.is_flat(), writer.loads_tiles());
    if (!writer.is_flat()) fit_tile(variant, body, cases);
    return finished(std::move(variant), writer.write());
}

bool has_cuda_naive_variant(const Operator& definition) {
    const auto body = analyse(definition);
    return !body || body->attention == nullptr;
}

bool has_cuda_atomic_variant(const Operator& definition) {
    const auto body = analyse(definition);
    return body && body->attention && body->attention->is_backward();
}

Validated<GeneratedVariant> generate_cuda_atomic_variant(const Operator& definition) {
    const auto body = lowered_body(definition);
    if (!body) return std::unexpected(body.error());
    if (!body->attention || !body->attention->is_backward())
        return std::unexpected(Diagnostics{{"", "body", "there is no CUDA kernel of it that adds with atomics", ""}});
    return cuda_atomic_attention_backward(definition, *body);
}

Validated<GeneratedVariant> generate_cuda_naive_variant(const Operator& definition) {
    const auto body = lowered_body(definition);
    if (!body) return std::unexpected(body.error());
    if (body->attention)
        return std::unexpected(
            Diagnostics{{"", "body", say("there is no plain CUDA kernel of `{}`", body->attention->name()),
                         "variant `cuda` has it"}});
    Variant variant = source_variant(definition, Language::cuda, "cuda_naive", definition.name + "_naive.cu");
    const std::string rows = row_count_text(*body);
    const std::string elements = (rows == "1" ? "" : rows + " * ") + body->space.back();
    variant.launches[0].grid = {has_column_tiles(definition, *body) ? "cdiv(" + elements + ", 256)" : rows};
    variant.launches[0].block = {"256"};
    if (convolution_of(*body)) {
        DirectConvolutionWriter writer(definition, *body, ContractionWriter::Style::cuda_naive);
        return finished(std::move(variant), writer.write());
    }
    if (body->contraction) {
        ContractionWriter writer(definition, *body, ContractionWriter::Style::cuda_naive);
        return finished(std::move(variant), writer.write());
    }
    return finished(std::move(variant), KernelWriter(definition, *body, KernelStyle::cuda_naive).write());
}

}  // namespace kernelgen
