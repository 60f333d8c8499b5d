// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/round/record.h"

namespace kernelgen {

/// The version of a line of a pattern file. Raise it where an older reader would misread a newer line.
inline constexpr std::string_view pattern_schema = "kernelgen.pattern/1";

inline constexpr std::size_t longest_note = 2000;  ///< bytes

/// What a pattern is about: where a strategy was applied.
struct PatternKey {
    std::string strategy;        ///< id of core/strategy/catalogue.def
    std::string finding;         ///< id of a rule of resources/diagnosis; "" where none asked for it
    std::string operator_class;  ///< "elementwise", "broadcast", "rows", "custom", "callable"
    std::string dtype;
    std::string shape_class;  ///< bytes of all tensors and of a row: "large, long rows"
    std::string device;       ///< hardware: "NVIDIA H200"
    std::string kind;         ///< of device: "cuda"

    bool operator==(const PatternKey&) const = default;
};

/// A finding, a change and what it gained, over all rounds that were made so. Gains are kept as logarithms.
struct Pattern {
    PatternKey key;
    int count = 0;             ///< rounds
    double mean = 0;           ///< of the gains' natural logarithms
    double squares = 0;        ///< sum of squared differences from the mean
    int counterexamples = 0;   ///< rounds that became slower, or were not right
    bool is_own = true;        ///< from this user's rounds; otherwise shipped or imported
    bool is_shipped = false;   ///< lies with the program, so it cannot be removed
    bool is_disabled = false;  ///< by the user: it says nothing of a strategy any more
    std::string note;          ///< the user's

    /// A short name to remove it by: the first digits of the key's hash.
    std::string id() const;
    /// The interval in which 90 % of the next gains are expected, by Student's t; nothing from fewer than two rounds.
    std::optional<Gain> interval() const;

    bool operator==(const Pattern&) const = default;
};

nlohmann::ordered_json to_json(const Pattern& pattern);
/// Errors: a wrong schema, an unknown strategy, counts or numbers out of range.
Result<Pattern> pattern_from_json(const nlohmann::json& json);

/// Adds a round's gain; one that was not right counts as a counterexample alone.
void add_gain(Pattern& pattern, std::optional<double> gain);

/// The key for a case of a round's operator and device; strategy and finding are left empty.
PatternKey key_of(const Operator& definition, const Case& binding, const std::string& device,
                  const std::string& hardware);

/// What several patterns say of a strategy at a place. Patterns of similar places count more. The user's own rounds
/// count more than shipped or imported ones, which count less with each own round that contradicts them.
struct PatternAdvice {
    Gain expected;
    double rounds = 0;  ///< how many rounds of just this place it is worth
};
/// Disabled patterns are left out.
std::optional<PatternAdvice> advice_of(std::span<const Pattern> patterns, const PatternKey& place);

}  // namespace kernelgen
