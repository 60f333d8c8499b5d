// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <format>
#include <set>
#include <utility>

#include "core/base/checklist_sentences.h"
#include "core/base/text.h"
#include "core/files/checklist_builder.h"
#include "core/verify/tolerance.h"

namespace kernelgen {

namespace {

/// A shape with its leading dimensions as rows: an import may have flattened them.
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

std::string listed_text(const PythonTests::Listed& listed) {
    std::string text;
    for (const auto& [symbol, size] : listed.sizes) text += std::format("{}={} ", symbol, size);
    return text + listed.dtype;
}

/// The tolerance that the project has for a dtype that a test names; for a test that names none, all tolerances that
/// the project states.
std::vector<Tolerance> tolerances_in_force(const Accuracy& accuracy, const std::string& dtype) {
    if (const auto known = parse_dtype(dtype)) return {tolerance_for(accuracy, *known)};
    std::vector<Tolerance> stated;
    if (accuracy.f32) stated.push_back(*accuracy.f32);
    for (const auto& [named, tolerance] : accuracy.named) stated.push_back(tolerance);
    return stated;
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
void ChecklistBuilder::check_imports(FileRole role) {
    const PythonFile* parsed = file_of(role);
    if (parsed == nullptr || parsed->error) return;
    const std::string& file = result_.files[static_cast<std::size_t>(role)];
    std::vector<std::string> found;
    bool agrees = true;
    for (const FileSide* side : {&kernel_, &baseline_}) {
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
                 wrong_name ? say(sentences::other_import, other->name, module, side->entry)
                            : say(sentences::import_missing, side->entry, module),
                 "from " + module + " import " + side->entry);
    }
    set(Aspect::function_name, role, agrees, found.empty() ? Said(sentences::no_import) : Said(join(found, ", ")));
}

/// Every tolerance that a test states is to be the project's: of its dtype, or, where it names none, one of them.
void ChecklistBuilder::check_tolerances(FileRole role, const PythonTests& tests) {
    if (tests.tolerances.empty()) return;
    std::vector<std::string> texts;
    bool agrees = true, compared = false;
    for (const PythonTests::Stated& each : tests.tolerances) {
        const Tolerance stated{each.rtol, each.atol};
        const std::string text = each.dtype + (each.dtype.empty() ? "" : ": ") + tolerance_text(stated);
        if (!std::ranges::contains(texts, text)) texts.push_back(text);
        const std::vector<Tolerance> known = tolerances_in_force(project_.accuracy, each.dtype);
        compared = compared || !known.empty();
        if (known.empty() || std::ranges::contains(known, stated)) continue;
        agrees = false;
        mismatch(result_.files[static_cast<std::size_t>(role)], each.line,
                 say(sentences::other_tolerance, text, tolerance_text(known.front())), sentences::state_alike);
    }
    if (compared) set(Aspect::tolerances, role, agrees, join(texts, "; "));
    else note(Aspect::tolerances, role, join(texts, "; "));
}

/// Checks that the cases which a test runs are cases of the project.
void ChecklistBuilder::check_cases(FileRole role, const PythonTests& tests) {
    std::set<std::string> used;
    const std::string& file = result_.files[static_cast<std::size_t>(role)];
    bool agrees = true;
    const auto look_up = [&](int line, Said what, const auto& is_it) {
        const auto found = std::ranges::find_if(project_.cases, is_it);
        if (found != project_.cases.end()) {
            used.insert(found->name);
        } else if (std::exchange(agrees, false)) {
            mismatch(file, line, std::move(what), sentences::add_case);
        }
    };
    for (const PythonTests::Listed& listed : tests.cases) {
        look_up(listed.line, say(sentences::other_case_listed, listed_text(listed)),
                [&](const Case& each) { return to_string(each.dtype) == listed.dtype && each.sizes == listed.sizes; });
    }
    for (const PythonTestCall& call : tests.calls) {
        look_up(call.line, say(sentences::other_case_called, kernel_.entry, call_text(call)),
                [&](const Case& each) { return is_call_of(call, project_.definition, each); });
    }
    if (tests.cases.empty() && tests.calls.empty()) return note(Aspect::cases, role, sentences::not_followed);
    set(Aspect::cases, role, agrees, std::format("{} of {}", used.size(), project_.cases.size()));
}

void ChecklistBuilder::check_tests(FileRole role) {
    check_imports(role);
    const auto tests = tests_.find(result_.files[static_cast<std::size_t>(role)]);
    if (tests == tests_.end()) return;
    check_tolerances(role, tests->second);
    check_cases(role, tests->second);
}

}  // namespace kernelgen
