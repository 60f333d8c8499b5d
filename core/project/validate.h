// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/lang/body.h"
#include "core/project/project.h"

namespace kernelgen {

/// Collects errors of meaning; of very many, the first 1,000.
class Findings {
public:
    void add(std::string where, std::string message, std::string suggestion = "");
    void add(Diagnostics diagnostics);
    bool empty() const { return diagnostics_.empty(); }
    Diagnostics take() { return std::move(diagnostics_); }

private:
    Diagnostics diagnostics_;
};

/// "cases[3].P"
std::string element_path(const std::string& list, std::size_t index);

void validate_operator(const Operator& definition, Findings& findings);

/// The operator and, of family `tile`, its body: nothing where it has none or anything is wrong.
std::optional<Body> validate_definition(const Operator& definition, Findings& findings);

/// `body` is the definition's, or null where it has none.
void validate_case(const Operator& definition, const Body* body, const Case& binding, const std::string& where,
                   Findings& findings);

void validate_variant(const Operator& definition, const Variant& variant, const std::string& where, Findings& findings);

inline constexpr std::size_t longest_case_name = 100;  ///< in bytes

/// Why this is no time for the samples of a case, or nothing.
std::optional<std::string> budget_problem(double seconds);

/// Symbols, inputs, outputs and attributes: the names that a variant's own must not take.
std::vector<std::string> names_of(const Operator& definition);

}  // namespace kernelgen
