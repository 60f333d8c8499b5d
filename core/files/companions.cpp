// SPDX-License-Identifier: Apache-2.0
#include "core/files/companions.h"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "core/base/text.h"
#include "core/files/companion_texts.h"
#include "core/generate/device_choice.h"
#include "core/generate/python_expression.h"
#include "core/generate/python_interface.h"
#include "core/lang/free_symbols.h"
#include "core/verify/awkward_sizes.h"
#include "core/verify/tolerance.h"

namespace kernelgen {

namespace {

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result + "\"";
}

std::string module_of(const std::string& file) { return std::filesystem::path(file).stem().string(); }

std::string sizes_text(const Sizes& sizes, const Operator& definition) {
    std::vector<std::string> parts;
    for (const std::string& symbol : definition.symbols) {
        if (const auto size = sizes.find(symbol); size != sizes.end())
            parts.push_back(quoted(symbol) + ": " + std::to_string(size->second));
    }
    return join(parts, ", ");
}

std::string cases_text(const Project& project) {
    std::string text;
    for (const Case& each : project.cases) {
        text += "    {\"name\": " + quoted(each.name) + ", \"dtype\": " + quoted(std::string(to_string(each.dtype))) +
                ", " + sizes_text(each.sizes, project.definition) + "},\n";
    }
    return text;
}

/// The sizes of verification, but for those that depend on a configuration: moving a tunable leaves the file as it is.
std::string small_cases_text(const Project& project, const Variant& triton) {
    Variant plain = triton;
    plain.tunables.clear();
    plain.restrictions.clear();
    const auto body = analyse(project.definition);
    const AwkwardSizes sizes = awkward_sizes(project.definition, body ? &*body : nullptr, {plain, "", {}}, DType::f32);
    std::string text;
    for (const Case& each : sizes.cases) {
        const auto count = [&](const Tensor& tensor) { return element_count(tensor, each.sizes).value_or(1 << 30); };
        if (std::ranges::any_of(project.definition.outputs, [&](const Tensor& out) { return count(out) > 1 << 16; }))
            continue;
        text += "    {" + sizes_text(each.sizes, project.definition) + "},\n";
    }
    return text;
}

std::string inputs_text(const Operator& definition) {
    std::string text;
    for (const Tensor& each : definition.inputs) {
        std::vector<std::string> dimensions;
        for (const std::string& dimension : each.shape) {
            const bool is_symbol = std::ranges::contains(definition.symbols, dimension);
            dimensions.push_back(is_symbol ? quoted(dimension) : dimension);
        }
        const std::string dtype = each.dtype ? quoted(std::string(to_string(*each.dtype))) : "None";
        text += "    (" + quoted(each.name) + ", [" + join(dimensions, ", ") + "], " + dtype + "),\n";
    }
    return text;
}

std::string domain_text(const Domain& domain) {
    switch (domain.kind) {
        case Domain::Kind::positive: return quoted("positive");
        case Domain::Kind::interval:
            return "(" + python_number(domain.low) + ", " + python_number(domain.high) + ", False)";
        case Domain::Kind::integers: break;
    }
    return "(" + python_number(std::ceil(domain.low)) + ", " + python_number(std::floor(domain.high)) + ", True)";
}

std::string domains_text(const Operator& definition) {
    std::vector<std::string> all;
    for (const Tensor& each : definition.inputs) {
        if (!each.domain) continue;
        all.push_back(quoted(each.name) + ": " + domain_text(*each.domain));
    }
    return join(all, ", ");
}

std::string tolerances_text(const Project& project) {
    std::vector<DType> dtypes;
    const auto add = [&](DType dtype) {
        if (!std::ranges::contains(dtypes, dtype)) dtypes.push_back(dtype);
    };
    for (const Case& each : project.cases) add(each.dtype);
    for (const Tensor& each : project.definition.outputs) {
        if (each.dtype) add(*each.dtype);
    }
    std::string text;
    for (const DType dtype : dtypes) {
        const Tolerance pair = tolerance_for(project.accuracy, dtype);
        text += "    \"" + std::string(to_string(dtype)) + "\": (" + python_number(pair.rtol) + ", " +
                python_number(pair.atol) + "),\n";
    }
    return text;
}

std::string list_text(const std::vector<std::string>& names) {
    std::vector<std::string> parts;
    for (const std::string& each : names) parts.push_back(quoted(each));
    return join(parts, ", ");
}

const Variant* torch_variant(const Project& project) {
    const auto found = std::ranges::find(project.variants, Language::torch, &Variant::language);
    return found == project.variants.end() ? nullptr : &*found;
}

std::string companion_file(const Project& project, const Variant& triton, std::string_view kind) {
    const auto found = std::ranges::find(triton.companions, kind, &Companion::kind);
    return found == triton.companions.end() ? project.definition.name + "_" + std::string(kind) + ".py" : found->source;
}

void fill(std::string& text, std::string_view place, const std::string& value) {
    for (std::size_t at = text.find(place); at != std::string::npos; at = text.find(place, at + value.size()))
        text.replace(at, place.size(), value);
}

/// The lines by which the file chooses its device, in a block.
std::string device_text() {
    std::vector<std::string> lines = split(std::string(npu_import) + std::string(device_choice), '\n');
    lines.pop_back();  // after the last line's end
    for (std::string& each : lines) each.insert(0, "    ");
    return join(lines, "\n");
}

}  // namespace

std::vector<Companion> companions_for(const Operator& definition) {
    return {{"accuracy", definition.name + "_accuracy.py", ""},
            {"performance", definition.name + "_performance.py", ""}};
}

std::string companion_source(const Project& project, const Variant& triton, std::string_view kind) {
    const Operator& definition = project.definition;
    const Variant* baseline = torch_variant(project);
    std::vector<std::string> outputs;
    for (const Tensor& each : definition.outputs) outputs.push_back(each.name);
    std::string text(kind == "accuracy" ? accuracy_text : performance_text);
    fill(text, "@NAME@", definition.name);
    fill(text, "@FUNCTION@", triton.entry);
    fill(text, "@TRITON@", module_of(triton.source));
    fill(text, "@BASELINE_FUNCTION@", baseline == nullptr ? definition.name : baseline->entry);
    fill(text, "@BASELINE@", baseline == nullptr ? definition.name + "_baseline" : module_of(baseline->source));
    fill(text, "@ACCURACY@", module_of(companion_file(project, triton, "accuracy")));
    fill(text, "@PERFORMANCE@", module_of(companion_file(project, triton, "performance")));
    fill(text, "@DEVICE_CHOICE@", device_text());
    fill(text, "@CASES@", cases_text(project));
    fill(text, "@SMALL_CASES@", small_cases_text(project, triton));
    fill(text, "@INPUTS@", inputs_text(definition));
    fill(text, "@DOMAINS@", domains_text(definition));
    fill(text, "@OUTPUTS@", list_text(outputs));
    fill(text, "@KEYWORDS@", list_text(free_symbols(definition)));
    const Tensor* told = output_with_told_dtype(definition);
    fill(text, "@DTYPE_KEYWORD@", told == nullptr ? "" : told->name + "_dtype");
    fill(text, "@TOLERANCES@", tolerances_text(project));
    fill(text, "@TARGET@", python_number(project.performance.target_speedup));
    fill(text, "@SECONDS@", python_number(project.performance.budget_seconds));
    return text;
}

}  // namespace kernelgen
