// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/generate/generate.h"
#include "core/project/project.h"

namespace kernelgen {

/// Other values of some tunables.
struct SetTunables {
    Configuration values;
    std::vector<Case> cases = {};  ///< where they count, by the rules that hold there; none: everywhere
    Configuration before = {};     ///< what these cases have now; empty: what the variant has
};

/// A search over all tunables (core/tuning).
struct SearchTunables {};

/// A generated variant, in the configuration with which the generator begins.
struct OtherVariant {
    GeneratedVariant generated;
};

/// Values for the cases on which a condition holds.
struct AddRule {
    ConfigurationRule rule;
};

/// Another variant for the cases on which a condition holds.
struct AddDispatch {
    DispatchRule rule;
};

/// Another text of the variant's source. Where the variant has launches in project.json, these may change too.
struct EditSource {
    std::string text;
    int line = 0;  ///< the first that differs, from 1
    std::vector<Launch> launches = {};
};

/// How the next round differs from the one before. It is data: nothing is written before it is applied.
using ProposedChange = std::variant<SetTunables, SearchTunables, OtherVariant, AddRule, AddDispatch, EditSource>;

/// In one line: "BLOCK_M 64 → 16". `before` is what it changes.
std::string in_one_line(const ProposedChange& change, const Implementation& before);

/// The change as a person reads it before it is applied: a unified diff of the source, or the lines of `in_one_line`.
std::string difference_of(const ProposedChange& change, const Implementation& before);

/// The implementation as changed; `before` has the device's numbers, by which rules hold. Unchanged where only the
/// project changes (a dispatch), or a search must come first. Errors: a tunable or a value that the variant does not
/// have.
Result<Implementation> changed_by(const ProposedChange& change, Implementation before);

/// {"kind": "tunables", "values": {…}}, and "difference" where a source differs.
nlohmann::ordered_json to_json(const ProposedChange& change, const Implementation& before);

}  // namespace kernelgen
