// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/operator/rename.h"

#include <algorithm>
#include <ranges>

#include "core/lang/lexer.h"
#include "core/project/validate.h"

namespace kernelgen::studio {

namespace {

std::size_t offsetOf(const std::string& text, Position position) {
    std::size_t line = 0;
    for (int i = 1; i < position.line; ++i) line = text.find('\n', line) + 1;
    return line + static_cast<std::size_t>(position.column) - 1;
}

/// Every name token `from` of an expression or a body.
void renameIn(std::string& text, const std::string& from, const std::string& to) {
    Diagnostics ignored;
    for (const Token& token : tokenise(text, "", ignored) | std::views::reverse) {
        if (token.kind == TokenKind::name && token.text == from) {
            text.replace(offsetOf(text, token.position), from.size(), to);
        }
    }
}

void renameIn(std::vector<std::string>& texts, const std::string& from, const std::string& to) {
    for (std::string& each : texts) renameIn(each, from, to);
}

void renameIn(std::vector<Tensor>& tensors, const std::string& from, const std::string& to) {
    for (Tensor& each : tensors) std::ranges::replace(each.shape, from, to);
}

void renameIn(Variant& variant, const std::string& from, const std::string& to) {
    for (Launch& launch : variant.launches) {
        renameIn(launch.grid, from, to);
        std::ranges::replace(launch.args, from, to);
        for (ConstantCopy& each : launch.constants) {
            if (each.from == from) each.from = to;
        }
        for (TensorMap& each : launch.tensor_maps) {
            if (each.tensor == from) each.tensor = to;
            renameIn(each.box, from, to);
        }
        renameIn(launch.block, from, to);
        renameIn(launch.threads, from, to);
        renameIn(launch.shared_bytes, from, to);
    }
    for (Workspace& each : variant.workspace) renameIn(each.shape, from, to);
    renameIn(variant.let, from, to);
    renameIn(variant.restrictions, from, to);
    for (ConfigurationRule& rule : variant.configurations) renameIn(rule.when, from, to);
}

bool isTaken(const Operator& definition, const std::string& name) {
    return std::ranges::contains(names_of(definition), name);
}

}  // namespace

void renameUses(Project& project, const std::string& from, const std::string& to) {
    Operator& definition = project.definition;
    if (from.empty() || isTaken(definition, to)) return;
    renameIn(definition.inputs, from, to);
    renameIn(definition.outputs, from, to);
    renameIn(definition.body, from, to);
    renameIn(definition.constraints, from, to);
    for (Case& each : project.cases) {
        if (auto size = each.sizes.extract(from)) {
            size.key() = to;
            each.sizes.insert(std::move(size));
        }
    }
    for (Variant& each : project.variants) renameIn(each, from, to);
    for (DispatchRule& rule : project.dispatch) renameIn(rule.when, from, to);
}

std::string freshName(const Operator& definition, const std::string& base) {
    std::string name = base;
    for (int number = 2; isTaken(definition, name); ++number) name = base + std::to_string(number);
    return name;
}

}  // namespace kernelgen::studio
