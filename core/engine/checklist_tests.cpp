// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <format>
#include <set>
#include <utility>

#include "core/base/text.h"
#include "core/engine/checklist_builder.h"

namespace kernelgen {

namespace {

/// Leading dimensions as rows: an import may have flattened them.
std::vector<std::int64_t> as_rows(const std::vector<std::int64_t>& shape) {
    std::vector<std::int64_t> rows{1, shape.empty() ? 1 : shape.back()};
    for (std::size_t i = 0; i + 1 < shape.size(); ++i) rows[0] *= shape[i];
    return rows;
}

bool is_call_of(const PythonTestCall& call, const Operator& definition, const Case& binding) {
    return std::ranges::all_of(definition.inputs, [&](const Tensor& input) {
        const auto shape = call.shapes.find(input.name);
        return shape == call.shapes.end() || (as_rows(shape->second) == as_rows(extents(input, binding.sizes)) &&
                                              call.dtypes.at(input.name) == to_string(dtype_of(input, binding)));
    });
}

std::string call_text(const PythonTestCall& call) {
    std::vector<std::string> texts;
    for (const auto& [name, shape] : call.shapes) {
        std::vector<std::string> sizes;
        for (const std::int64_t size : shape) sizes.push_back(std::to_string(size));
        texts.push_back(name + " [" + join(sizes, ", ") + "] " + call.dtypes.at(name));
    }
    return join(texts, ", ");
}

}  // namespace

/// A test file is to import both functions, by the names that the two files give them.
void Checklist::check_imports(Artefact artefact) {
    const PythonFile* parsed = file_of(artefact);
    if (parsed == nullptr || parsed->error) return;
    const std::string& file = result_.files[static_cast<std::size_t>(artefact)];
    std::vector<std::string> found;
    bool agrees = true;
    for (const Side* side : {&kernel_, &baseline_}) {
        if (side->file.empty()) continue;
        const std::string module = std::filesystem::path(side->file).stem();
        const auto of_module = [&](const PythonImport& each) { return each.module == module; };
        const auto import = std::ranges::find_if(parsed->imports, [&](const PythonImport& each) {
            return of_module(each) && (each.name == side->entry || each.name.empty());
        });
        if (import != parsed->imports.end()) {
            found.push_back(import->as);
            continue;
        }
        agrees = false;
        const auto other = std::ranges::find_if(parsed->imports, of_module);
        const bool wrong_name = other != parsed->imports.end();
        mismatch(file, wrong_name ? other->line : 0,
                 wrong_name
                     ? "imports `" + other->name + "` from " + module + ", whose function is `" + side->entry + "`"
                     : "does not import `" + side->entry + "` from " + module,
                 "from " + module + " import " + side->entry);
    }
    set(Aspect::function_name, artefact, agrees, found.empty() ? "no import" : join(found, ", "));
}

/// Every tolerance that a test states is to be one of the project's.
void Checklist::check_tolerances(Artefact artefact, const PythonTests& tests) {
    if (tests.tolerances.empty()) return;
    std::vector<Tolerance> known;
    if (project_.accuracy.f32) known.push_back(*project_.accuracy.f32);
    for (const auto& [dtype, tolerance] : project_.accuracy.named) known.push_back(tolerance);
    std::vector<std::string> texts;
    bool agrees = true;
    for (const PythonTests::Stated& each : tests.tolerances) {
        const Tolerance stated{each.rtol, each.atol};
        const std::string text = tolerance_text(stated);
        if (!std::ranges::contains(texts, text)) texts.push_back(text);
        if (known.empty() || std::ranges::contains(known, stated)) continue;
        agrees = false;
        mismatch(result_.files[static_cast<std::size_t>(artefact)], each.line,
                 "the test's tolerance is " + text + ", and the project's " + tolerance_text(known.front()),
                 "state the same in both: `accuracy` in project.json");
    }
    if (known.empty()) note(Aspect::tolerances, artefact, join(texts, "; "));
    else set(Aspect::tolerances, artefact, agrees, join(texts, "; "));
}

/// What a test calls the function with is to be a case of the project.
void Checklist::check_cases(Artefact artefact, const PythonTests& tests) {
    if (tests.calls.empty()) return note(Aspect::cases, artefact, "not followed");
    std::set<std::string> used;
    bool agrees = true;
    for (const PythonTestCall& call : tests.calls) {
        const auto found = std::ranges::find_if(
            project_.cases, [&](const Case& each) { return is_call_of(call, project_.definition, each); });
        if (found != project_.cases.end()) {
            used.insert(found->name);
        } else if (std::exchange(agrees, false)) {
            mismatch(result_.files[static_cast<std::size_t>(artefact)], call.line,
                     "`" + kernel_.entry + "` is called with " + call_text(call) + ", which is no case of the project",
                     "add the case to project.json, or test the project's");
        }
    }
    set(Aspect::cases, artefact, agrees, std::format("{} of {}", used.size(), project_.cases.size()));
}

void Checklist::check_tests(Artefact artefact) {
    check_imports(artefact);
    const auto tests = tests_.find(result_.files[static_cast<std::size_t>(artefact)]);
    if (tests == tests_.end()) return;
    check_tolerances(artefact, tests->second);
    check_cases(artefact, tests->second);
}

}  // namespace kernelgen
