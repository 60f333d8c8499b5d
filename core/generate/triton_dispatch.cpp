// SPDX-License-Identifier: Apache-2.0
#include "core/generate/triton_dispatch.h"

#include <algorithm>
#include <filesystem>

#include "core/base/text.h"
#include "core/generate/triton_writer.h"
#include "core/project/dispatch.h"

namespace kernelgen {

std::vector<StatedRule> stated_rules(const Project& project) {
    std::vector<StatedRule> stated;
    for (const DispatchRule& rule : dispatch_on(project, "cuda")) {
        const Variant& variant = *project.find_variant(rule.variant);
        StatedRule& made = stated.emplace_back(rule.when, rule.variant);
        if (variant.language != Language::torch) continue;
        made.module = std::filesystem::path(variant.source).stem().string();
        made.entry = variant.entry;
        made.is_compiled = variant.compile;
    }
    return stated;
}

/// The sizes that the rules' conditions name.
void TritonWriter::write_sizes(SourceText& source) const {
    for (std::size_t i = 0; i < definition_.symbols.size(); ++i) {
        const std::string& symbol = definition_.symbols[i];
        const bool is_named =
            std::ranges::any_of(dispatch_, [&](const StatedRule& each) { return has_word(each.when, symbol); });
        for (std::size_t input = 0; is_named && input < definition_.inputs.size(); ++input) {
            const std::vector<std::string>& shape = definition_.inputs[input].shape;
            const auto place = std::ranges::find(shape, symbol);
            if (place == shape.end()) continue;
            source.line(interface_.symbols[i] + " = " + interface_.inputs[input] + ".shape[" +
                        std::to_string(place - shape.begin()) + "]");
            break;
        }
    }
}

/// A function beside the kernel's own, which always launches the kernel: so the tests of this file test this kernel.
void TritonWriter::write_dispatch(SourceText& source) const {
    if (dispatch_.empty()) return;
    PythonInterface chosen = interface_;
    chosen.function = chosen.names.take(interface_.function + "_by_size");
    const std::string other = chosen.names.take("other");
    const std::string arguments = "(" + join(interface_.arguments(), ", ") + ")";
    source.line();
    source.line();
    chosen.write_signature(source);
    source.line("\"\"\"" + interface_.function +
                " by the project's dispatch rules: the first that holds chooses.\"\"\"");
    write_sizes(source);
    for (const StatedRule& rule : dispatch_) {
        const bool is_here = rule.module.empty();
        source.open("if " + condition(rule.when) + ":  # variant " + rule.variant);
        if (!is_here) source.line("from " + rule.module + " import " + rule.entry + " as " + other);
        const std::string callee = is_here            ? interface_.function
                                   : rule.is_compiled ? "torch.compile(" + other + ")"
                                                      : other;
        const bool is_stand_in = is_here && rule.variant != "triton";
        source.line("return " + callee + arguments + (is_stand_in ? "  # in its place: it is no Python function" : ""));
        source.end();
    }
    source.line("return " + interface_.function + arguments);
    source.end();
}

}  // namespace kernelgen
