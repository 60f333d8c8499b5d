// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/lang/body.h"
#include "core/project/project.h"

namespace kernelgen {

/// Collects the errors of a project's values, up to 1,000.
class Findings {
public:
    void add(std::string where, Said message, Said suggestion = "");
    void add(Diagnostics diagnostics);
    bool empty() const { return diagnostics_.empty(); }
    Diagnostics take() { return std::move(diagnostics_); }

private:
    Diagnostics diagnostics_;
};

/// "cases[3].P"
std::string element_path(const std::string& list, std::size_t index);

void validate_operator(const Operator& definition, Findings& findings);

/// Validates the operator and, in family `tile`, its body. Returns the body; nothing where there is none, or where
/// there are errors.
std::optional<Body> validate_definition(const Operator& definition, Findings& findings);

/// `body` is the definition's body, or null where the definition has none.
void validate_case(const Operator& definition, const Body* body, const Case& binding, const std::string& where,
                   Findings& findings);

void validate_variant(const Operator& definition, const Variant& variant, const std::string& where, Findings& findings);

inline constexpr std::size_t longest_case_name = 100;  ///< in bytes

/// Why `seconds` cannot be the budget for the samples of a case; nothing where it can.
std::optional<Said> budget_problem(double seconds);

/// The names of symbols, inputs, outputs and attributes, which a variant must not use for its tunables and workspace.
std::vector<std::string> names_of(const Operator& definition);

}  // namespace kernelgen
