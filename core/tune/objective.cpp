// SPDX-License-Identifier: Apache-2.0
#include "core/tune/objective.h"

#include <algorithm>
#include <cmath>
#include <format>
#include <optional>
#include <utility>
#include <vector>

#include "core/base/json_reader.h"
#include "core/base/text.h"

namespace kernelgen {

namespace {

const std::vector<std::string> known_words = {"time", "memory", "energy"};

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words = split(text, ' ');
    std::erase(words, "");
    return words;
}

/// Null for an unknown word.
double* place_of(std::string_view word, Objective& objective) {
    if (word == "time") return &objective.time;
    if (word == "memory") return &objective.memory;
    return word == "energy" ? &objective.energy : nullptr;
}

}  // namespace

Result<Objective> parse_objective(std::string_view text) {
    Objective objective{0, 0, 0};
    std::vector<std::string> named;
    std::optional<double> weight;
    for (const std::string& word : words_of(text)) {
        double number = 0;
        if (!weight && parse_number(word, number)) {
            if (!std::isfinite(number) || number < 0)
                return fail(say("{} is no weight: 0 or more", in_backquotes(word)));
            weight = number;
            continue;
        }
        double* const place = place_of(word, objective);
        if (place == nullptr)
            return fail(say("unknown objective {}; {}", in_backquotes(word), suggest(word, known_words)));
        if (std::ranges::contains(named, word)) return fail(say("the objective names `{}` twice", word));
        named.push_back(word);
        *place = weight.value_or(1);
        weight.reset();
    }
    const double sum = objective.time + objective.memory + objective.energy;
    if (weight || !(sum > 0)) return fail("an objective is `time`, `memory` or a weighting: \"0.6 time 0.4 memory\"");
    return Objective{objective.time / sum, objective.memory / sum, objective.energy / sum};
}

std::string to_string(const Objective& objective) {
    const std::pair<const char*, double> weights[] = {
        {"time", objective.time}, {"memory", objective.memory}, {"energy", objective.energy}};
    std::string text;
    for (const auto& [word, weight] : weights) {
        if (weight == 1) return word;
        if (weight > 0) text += std::format("{}{:g} {}", text.empty() ? "" : " ", weight, word);
    }
    return text;
}

}  // namespace kernelgen
