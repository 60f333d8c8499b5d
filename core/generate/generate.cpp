// SPDX-License-Identifier: Apache-2.0
#include "core/generate/generate.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/generate/attention_backward_variants.h"
#include "core/generate/attention_writer.h"
#include "core/generate/convolution_writer.h"
#include "core/generate/kernel_writer.h"
#include "core/generate/row_index.h"
#include "core/generate/variant_parts.h"

namespace kernelgen {

namespace {

Tunable tunable(std::string name, std::vector<std::int64_t> values, std::int64_t value) {
    return {std::move(name), std::move(values), value};
}

/// Adds the tunables that pay on a CPU: how much a program does, and how its loads and stores are issued.
void add_tunables(Variant& variant, const Body& body, bool column_tiles, bool prefetches) {
    const bool has_rows = body.space.size() > 1;
    if (has_rows) variant.tunables.push_back(tunable("BLOCK_M", {1, 2, 4, 8, 16, 32, 64}, column_tiles ? 16 : 32));
    if (!has_rows && column_tiles) variant.tunables.push_back(tunable("BLOCK_N", {1024, 4096, 16384, 65536}, 16384));
    else if (column_tiles) variant.tunables.push_back(tunable("BLOCK_N", {64, 128, 256, 512, 1024, 2048, 4096}, 4096));
    else variant.tunables.push_back(tunable("BLOCK_N", {256, 512, 1024, 2048, 4096, 8192}, 4096));
    variant.tunables.push_back(tunable("UNROLL", {1, 2, 4, 8}, 4));
    // Lines ahead in a tile, rows ahead where whole rows are walked several times; nothing where no input is long.
    if (prefetches)
        variant.tunables.push_back(column_tiles ? tunable("PREFETCH", {0, 8, 16, 32}, 0)
                                                : tunable("PREFETCH", {0, 1, 2, 4}, 2));
    variant.tunables.push_back(tunable("STREAM", {0, 1}, 1));
    if (has_rows && column_tiles) variant.restrictions.push_back("BLOCK_M * BLOCK_N <= 65536");
}

GeneratedVariant host_contraction(const Operator& definition, const Contraction& contraction, std::string text) {
    Variant variant = source_variant(definition, Language::cpp, "host", definition.name + ".cpp");
    variant.launches[0].grid = {"cdiv(" + contraction.rows() + ", BLOCK_M)",
                                "cdiv(" + contraction.columns() + ", BLOCK_N)"};
    if (contraction.shape.size() > 2) variant.launches[0].grid.push_back(product_text(contraction.batch()));
    variant.tunables = {tunable("BLOCK_M", {16, 32, 64, 128, 256, 512, 1024}, 256),
                        tunable("BLOCK_N", {64, 128, 256, 512, 1024, 2048}, 512),
                        tunable("BLOCK_K", {64, 128, 256, 512, 1024}, 256), tunable("REGISTER_M", {2, 4, 6, 8, 12}, 8),
                        tunable("STREAM", {0, 1}, 0)};
    variant.restrictions = {"BLOCK_M * BLOCK_N <= 1048576", "(BLOCK_M + BLOCK_N) * BLOCK_K <= 1048576"};
    return finished(std::move(variant), std::move(text));
}

GeneratedVariant host_convolution(const Operator& definition, const Body& body) {
    constexpr auto style = ContractionWriter::Style::host;
    if (const auto view = matrix_view(definition, body)) {
        GeneratedVariant made =
            host_contraction(definition, *view->body.contraction, ConvolutionWriter(*view, style).write());
        // Whole rows of images that are 28, 56, 112 or 224 pixels wide.
        if (!convolution_of(body)->is_channels_last)
            *std::ranges::find(made.variant.tunables, "BLOCK_N", &Tunable::name) =
                tunable("BLOCK_N", {64, 128, 256, 448, 512, 896, 1024, 2048}, 448);
        return made;
    }
    Variant variant = source_variant(definition, Language::cpp, "host", definition.name + ".cpp");
    variant.launches[0].grid = {"cdiv(" + row_count_text(body) + ", BLOCK_M)"};
    variant.tunables = {tunable("BLOCK_M", {1, 4, 16, 64, 256, 1024}, 64), tunable("UNROLL", {1, 2, 4}, 1),
                        tunable("STREAM", {0, 1}, 0)};
    return finished(std::move(variant), DirectConvolutionWriter(definition, body, style).write());
}

GeneratedVariant host_attention(const Operator& definition, const Body& body) {
    const Attention& attention = *body.attention;
    Variant variant = source_variant(definition, Language::cpp, "host", definition.name + ".cpp");
    variant.launches[0].grid = {"cdiv(" + attention.rows + ", BLOCK_M)",
                                product_text({attention.batch, attention.heads})};
    variant.tunables = {tunable("BLOCK_M", {16, 32, 64, 128, 256}, 64), tunable("BLOCK_N", {64, 128, 256, 512}, 128),
                        tunable("REGISTER_M", {2, 4, 6, 8, 12}, 8), tunable("STREAM", {0, 1}, 0)};
    return finished(std::move(variant), AttentionWriter(definition, body, AttentionWriter::Style::host).write());
}

}  // namespace

Validated<GeneratedVariant> generate_host_variant(const Operator& definition) {
    const auto body = lowered_body(definition);
    if (!body) return std::unexpected(body.error());
    if (body->attention && body->attention->is_backward()) return host_attention_backward(definition, *body);
    if (body->attention) return host_attention(definition, *body);
    if (convolution_of(*body)) return host_convolution(definition, *body);
    if (body->contraction) {
        ContractionWriter writer(definition, *body, ContractionWriter::Style::host);
        return host_contraction(definition, *body->contraction, writer.write());
    }
    const bool column_tiles = has_column_tiles(definition, *body);
    std::vector<std::string> grid;
    // A program takes more rows where rows are short: otherwise starting it would cost more than its work.
    if (body->space.size() > 1)
        grid.push_back("cdiv(" + row_count_text(*body) + ", BLOCK_M * cdiv(256, " + body->space.back() + "))");
    if (column_tiles) grid.push_back("cdiv(" + body->space.back() + ", BLOCK_N)");
    if (grid.empty()) grid.push_back("1");
    Variant variant = source_variant(definition, Language::cpp, "host", definition.name + ".cpp");
    variant.launches[0].grid = std::move(grid);
    KernelWriter writer(definition, *body, KernelStyle::host);
    std::string text = writer.write();
    add_tunables(variant, *body, column_tiles, writer.prefetches());
    return finished(std::move(variant), std::move(text));
}

Validated<GeneratedVariant> generate_naive_variant(const Operator& definition) {
    const auto body = lowered_body(definition);
    if (!body) return std::unexpected(body.error());
    if (body->attention && body->attention->is_backward()) return naive_attention_backward(definition, *body);
    Variant variant = source_variant(definition, Language::cpp, "naive", definition.name + "_naive.cpp");
    variant.launches[0].grid = {row_count_text(*body)};
    if (body->attention) {
        AttentionWriter writer(definition, *body, AttentionWriter::Style::naive);
        return finished(std::move(variant), writer.write());
    }
    if (convolution_of(*body)) {
        DirectConvolutionWriter writer(definition, *body, ContractionWriter::Style::naive);
        return finished(std::move(variant), writer.write());
    }
    if (body->contraction) {
        ContractionWriter writer(definition, *body, ContractionWriter::Style::naive);
        return finished(std::move(variant), writer.write());
    }
    return finished(std::move(variant), KernelWriter(definition, *body, KernelStyle::naive).write());
}

bool is_unedited(const Variant& variant, std::string_view text) {
    return !variant.generated.empty() && variant.generated == hash_hex(text);
}

}  // namespace kernelgen
