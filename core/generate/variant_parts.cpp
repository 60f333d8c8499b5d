// SPDX-License-Identifier: Apache-2.0
#include "core/generate/variant_parts.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/generate/kernel_text.h"
#include "core/generate/lower.h"
#include "core/generate/row_index.h"

namespace kernelgen {

namespace {

std::vector<std::string> launch_arguments(const Operator& definition) {
    std::vector<std::string> args;
    for (const Tensor& each : definition.inputs) args.push_back(each.name);
    for (const Tensor& each : definition.outputs) args.push_back(each.name);
    for (const std::string& each : definition.symbols) args.push_back(each);
    for (const Attribute& each : definition.attributes) args.push_back(each.name);
    return args;
}

}  // namespace

Validated<Body> lowered_body(const Operator& definition) {
    if (!has_body(definition.family)) {
        return std::unexpected(
            Diagnostics{{"", "operator.family", "family `" + to_string(definition.family) + "` has no generator",
                         "kernels are generated for family `tile`"}});
    }
    auto body = analyse(definition);
    if (!body) return body;
    return lower(*body);
}

std::string row_count_text(const Body& body) { return product_text({body.space.begin(), body.space.end() - 1}); }

Variant source_variant(const Operator& definition, Language language, std::string name, std::string source) {
    Variant variant;
    variant.name = std::move(name);
    variant.language = language;
    variant.source = std::move(source);
    variant.entry = entry_name(definition);
    variant.launches.emplace_back();
    variant.launches[0].args = launch_arguments(definition);
    return variant;
}

void set_grid(Variant& variant, const std::string& all, const std::string& staying) {
    variant.let.push_back("all_blocks = " + all);
    variant.let.push_back("staying_blocks = " + staying);
    variant.launches[0].grid = {"PERSISTENT == 0 ? all_blocks : min(all_blocks, staying_blocks)"};
}

std::string workspace_name(const Operator& definition, std::string wish) {
    while (std::ranges::contains(launch_arguments(definition), wish)) wish += "_";
    return wish;
}

GeneratedVariant finished(Variant variant, std::string text) {
    variant.generated = hash_hex(text);
    return {std::move(variant), std::move(text)};
}

}  // namespace kernelgen
