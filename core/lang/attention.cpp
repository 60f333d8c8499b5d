// SPDX-License-Identifier: Apache-2.0
#include "core/lang/attention.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "core/base/text.h"
#include "core/lang/philox.h"

namespace kernelgen {

namespace {

/// The size of a dimension; 0 where it is not given.
std::int64_t size_or_zero(const std::string& dimension, const Sizes& sizes) {
    long long number = 0;
    const auto found = sizes.find(dimension);
    if (!parse_integer(dimension, number)) number = found == sizes.end() ? 0 : found->second;
    return std::max<std::int64_t>(number, 0);
}

bool is_literal(const std::string& dimension) {
    long long number = 0;
    return parse_integer(dimension, number);
}

std::int64_t in_blocks(std::int64_t count, std::int64_t block) { return (count + block - 1) / block; }

/// The dimensions that are numbers of blocks of a head, each with that of the rows, every pair once.
std::set<std::pair<std::string, std::string>> scaled_blocks(const Attention& attention) {
    std::set<std::pair<std::string, std::string>> all;
    if (attention.query_scale.is_by_block()) all.emplace(attention.query_scale.blocks, attention.rows);
    if (attention.key_scale.is_by_block()) all.emplace(attention.key_scale.blocks, attention.columns);
    if (attention.value_scale.is_by_block()) all.emplace(attention.value_scale.blocks, attention.columns);
    return all;
}

/// The sum over all rows i of i + distance, where that is below 0 or above the number of columns of the nearer bound.
double sum_within(const AttentionSizes& sizes, std::int64_t distance) {
    const std::int64_t first = std::clamp<std::int64_t>(-distance, 0, sizes.rows);
    const std::int64_t end = std::clamp(sizes.columns - distance, first, std::max(first, sizes.rows));
    const double middle = (static_cast<double>(first) + static_cast<double>(end) - 1) / 2;
    return static_cast<double>(end - first) * (middle + static_cast<double>(distance)) +
           static_cast<double>(sizes.rows - end) * static_cast<double>(sizes.columns);
}

}  // namespace

bool is_attention(std::string_view function) {
    return function == attention_name || function == attention_backward_name;
}

std::vector<int> Attention::inputs() const {
    std::vector<int> all;
    for (const int each : {queries, keys, values, output, lse, output_gradient, lengths, bias, mask, block_table,
                           query_scale.input, key_scale.input, value_scale.input}) {
        if (each >= 0) all.push_back(each);
    }
    return all;
}

std::optional<std::int64_t> Attention::last_seen() const {
    if (is_causal) return window_right < 0 ? 0 : std::min<std::int64_t>(window_right, 0);
    return window_right < 0 ? std::nullopt : std::optional(window_right);
}

AttentionSizes sizes_of(const Attention& attention, const Sizes& sizes) {
    const auto size = [&](const std::string& dimension) { return size_or_zero(dimension, sizes); };
    const std::int64_t columns =
        attention.is_paged() ? size(attention.places) * size(attention.block_size) : size(attention.columns);
    return {size(attention.batch),     size(attention.heads),    size(attention.rows),
            size(attention.head_size), size(attention.kv_heads), columns};
}

double scale_of(const Attention& attention, const AttentionSizes& sizes) {
    return attention.scale.value_or(1 / std::sqrt(static_cast<double>(sizes.head_size)));
}

bool has_byte_operands(const Operator& definition, const Attention& attention) {
    const auto dtype = definition.inputs[static_cast<std::size_t>(attention.queries)].dtype;
    return dtype && is_float_of_8_bits(*dtype);
}

SeenColumns seen_columns(const Attention& attention, const AttentionSizes& sizes, std::int64_t row) {
    const std::int64_t diagonal = row + sizes.columns - sizes.rows;
    SeenColumns seen{0, sizes.columns};
    if (attention.window_left >= 0) seen.first = std::max<std::int64_t>(0, diagonal - attention.window_left);
    if (const auto last = attention.last_seen()) seen.end = std::min(seen.end, diagonal + *last + 1);
    return seen;
}

std::array<bool, 4> are_dropped(const Attention& attention, std::int64_t batch, std::int64_t head, std::int64_t row,
                                std::int64_t group) {
    const std::array<std::uint32_t, 4> words =
        philox(attention.seed, {static_cast<std::uint32_t>(group), static_cast<std::uint32_t>(row),
                                static_cast<std::uint32_t>(head), static_cast<std::uint32_t>(batch)});
    std::array<bool, 4> dropped{};
    for (std::size_t i = 0; i < words.size(); ++i) dropped[i] = words[i] < attention.dropped_below();
    return dropped;
}

double seen_scores(const Attention& attention, const AttentionSizes& sizes) {
    const std::int64_t distance = sizes.columns - sizes.rows;
    double columns = static_cast<double>(sizes.rows) * static_cast<double>(sizes.columns);
    if (const auto last = attention.last_seen()) columns = sum_within(sizes, distance + *last + 1);
    if (attention.window_left >= 0) columns -= sum_within(sizes, distance - attention.window_left);
    return columns * static_cast<double>(sizes.batch) * static_cast<double>(sizes.heads);
}

std::optional<Said> problem_of(const Attention& attention, const Sizes& sizes) {
    const std::int64_t heads = size_or_zero(attention.heads, sizes), kv_heads = size_or_zero(attention.kv_heads, sizes);
    if (heads >= 1 && kv_heads >= 1 && heads % kv_heads != 0)
        return say("the queries have {} heads, which the {} heads of the keys do not divide", heads, kv_heads);
    for (const auto& [blocks, rows] : scaled_blocks(attention)) {
        const std::int64_t count = size_or_zero(blocks, sizes), lines = size_or_zero(rows, sizes);
        const std::int64_t wanted = in_blocks(lines, attention.scale_block);
        if (count >= 1 && lines >= 1 && count != wanted)
            return say("a head has {} rows, of which every {} share a scale, so {} scales, not {}", lines,
                       attention.scale_block, wanted, count);
    }
    return std::nullopt;
}

std::vector<DerivedSize> required_sizes(const Attention& attention) {
    std::vector<DerivedSize> all;
    const std::string &heads = attention.heads, &kv_heads = attention.kv_heads;
    if (heads != kv_heads && kv_heads != "1" && !(is_literal(heads) && is_literal(kv_heads)))
        all.push_back({heads, heads + " / " + kv_heads + " * " + kv_heads});
    for (const auto& [blocks, rows] : scaled_blocks(attention)) {
        if (!is_literal(blocks) || !is_literal(rows))
            all.push_back({blocks, "(" + rows + " + " + std::to_string(attention.scale_block - 1) + ") / " +
                                       std::to_string(attention.scale_block)});
    }
    return all;
}

void fit_sizes(const Attention& attention, Sizes& sizes) {
    for (const auto& [blocks, rows] : scaled_blocks(attention)) {
        const auto found = sizes.find(blocks);
        if (found != sizes.end())
            found->second = std::max<std::int64_t>(1, in_blocks(size_or_zero(rows, sizes), attention.scale_block));
    }
    const std::int64_t heads = size_or_zero(attention.heads, sizes);
    std::int64_t kv_heads = size_or_zero(attention.kv_heads, sizes);
    if (heads < 1 || kv_heads < 1) return;
    const auto found = sizes.find(attention.kv_heads);
    if (found != sizes.end()) {
        kv_heads = std::min(kv_heads, heads);
        while (heads % kv_heads != 0) --kv_heads;
        found->second = kv_heads;
    } else if (const auto own = sizes.find(attention.heads); own != sizes.end()) {
        own->second = (heads + kv_heads - 1) / kv_heads * kv_heads;
    }
}

double flops_per_score(const Attention& attention) { return attention.is_backward() ? 10 : 4; }

std::vector<Tensor> results_of(const Attention& attention) {
    if (attention.is_backward())
        return {{"", attention.result()}, {"", attention.keys_shape()}, {"", attention.keys_shape()}};
    return {{"", attention.result()}, {"", {attention.batch, attention.heads, attention.rows, "1"}}};
}

}  // namespace kernelgen
