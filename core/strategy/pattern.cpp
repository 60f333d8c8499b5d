// SPDX-License-Identifier: Apache-2.0
#include "core/strategy/pattern.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/json_values.h"
#include "core/base/text.h"
#include "core/lang/analysis.h"
#include "core/strategy/catalogue.h"

namespace kernelgen {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

constexpr double largest_logarithm = 20;  ///< of a gain: five hundred million times
constexpr std::size_t longest_name = 200;

/// The 95 % quantile of Student's t (Abramowitz and Stegun, table 26.10).
double t_quantile(double freedom) {
    constexpr double table[] = {6.314, 2.920, 2.353, 2.132, 2.015, 1.943, 1.895, 1.860, 1.833, 1.812};
    const auto place = static_cast<std::size_t>(std::max(1.0, std::floor(freedom)));
    return place <= std::size(table) ? table[place - 1] : 1.645 + 1.6 / freedom;
}

Gain gain_about(double mean, double half_width) {
    return {std::exp(mean), std::exp(mean - half_width), std::exp(mean + half_width)};
}

std::string text_of(const PatternKey& key) {
    return key.strategy + '\n' + key.finding + '\n' + key.operator_class + '\n' + key.dtype + '\n' + key.shape_class +
           '\n' + key.device + '\n' + key.kind;
}

}  // namespace

std::string Pattern::id() const { return hash_hex(text_of(key)).substr(0, 8); }

std::optional<Gain> Pattern::interval() const {
    if (count < 2) return std::nullopt;
    const double deviation = std::sqrt(squares / (count - 1) * (1 + 1.0 / count));
    return gain_about(mean, t_quantile(count - 1) * deviation);
}

void add_gain(Pattern& pattern, std::optional<double> gain) {
    if (!gain || *gain < 1) ++pattern.counterexamples;
    if (!gain || !(*gain > 0)) return;
    const double value = std::clamp(std::log(*gain), -largest_logarithm, largest_logarithm);
    const double distance = value - pattern.mean;
    ++pattern.count;
    pattern.mean += distance / pattern.count;
    pattern.squares += distance * (value - pattern.mean);
}

ordered_json to_json(const Pattern& pattern) {
    const PatternKey& key = pattern.key;
    ordered_json line = {{"schema", pattern_schema},
                         {"strategy", key.strategy},
                         {"finding", key.finding},
                         {"operator_class", key.operator_class},
                         {"dtype", key.dtype},
                         {"shape_class", key.shape_class},
                         {"device", key.device},
                         {"kind", key.kind},
                         {"count", pattern.count},
                         {"mean_log_gain", pattern.mean},
                         {"sum_of_squares", pattern.squares},
                         {"counterexamples", pattern.counterexamples}};
    if (pattern.is_disabled) line["disabled"] = true;
    if (!pattern.note.empty()) line["note"] = pattern.note;
    return line;
}

namespace {

void check_numbers(const JsonPlace& place, const Pattern& pattern) {
    if (!(std::abs(pattern.mean) <= largest_logarithm)) place.error("`mean_log_gain` is out of range");
    if (!(pattern.squares >= 0 && pattern.squares <= 1e6)) place.error("`sum_of_squares` is out of range");
    if (pattern.count == 0 && pattern.counterexamples == 0) place.error("a pattern needs a round");
}

void check_names(const JsonPlace& place, const PatternKey& key) {
    if (find_strategy_text(key.strategy) == nullptr) {
        std::vector<std::string> known;
        for (const StrategyText& each : all_strategy_texts()) known.emplace_back(each.id);
        place.error(say("unknown strategy {}", in_backquotes(key.strategy)), suggest(key.strategy, known));
    }
    for (const std::string* each :
         {&key.finding, &key.operator_class, &key.dtype, &key.shape_class, &key.device, &key.kind}) {
        if (each->size() > longest_name) place.error("a name is longer than 200 bytes");
    }
}

}  // namespace

void read(const JsonPlace& place, Pattern& pattern) {
    JsonObject object(place);
    std::string schema;
    object.required("schema", schema);
    if (schema != pattern_schema) return place.error(say("`schema` is not {}", pattern_schema));
    object.required("strategy", pattern.key.strategy);
    object.required("finding", pattern.key.finding);
    object.required("operator_class", pattern.key.operator_class);
    object.required("dtype", pattern.key.dtype);
    object.required("shape_class", pattern.key.shape_class);
    object.required("device", pattern.key.device);
    object.required("kind", pattern.key.kind);
    object.required("count", Within<int>{pattern.count, 0, 1'000'000});
    object.required("mean_log_gain", pattern.mean);
    object.required("sum_of_squares", pattern.squares);
    object.required("counterexamples", Within<int>{pattern.counterexamples, 0, 1'000'000});
    object.optional("disabled", pattern.is_disabled);
    object.optional("note", pattern.note);
    object.finish();
    if (pattern.note.size() > longest_note) place.error("`note` is longer than 2000 bytes");
    check_names(place, pattern.key);
    check_numbers(place, pattern);
}

Result<Pattern> pattern_from_json(const json& document) { return read_whole<Pattern>(document); }

namespace {

std::string class_of(const Operator& definition) {
    if (!has_body(definition.family)) return to_string(definition.family);
    const Validated<Body> body = analyse(definition);
    if (!body) return to_string(definition.family);
    if (body->contraction) return "contraction";
    if (body->attention) return "attention";
    if (body->has_reductions()) return "rows";
    const bool has_broadcast = std::ranges::any_of(body->nodes, [&](const Node& each) {
        return each.op == Op::input && !(each.per_column && (each.per_row || body->space.size() == 1));
    });
    return has_broadcast ? "broadcast" : "elementwise";
}

/// The class of a case's sizes, by what fits into a core's caches, the last cache of today's devices, or only their
/// memory.
std::string shape_class_of(const Operator& definition, const Case& binding) {
    const Validated<Body> body = analyse(definition);
    if (!has_body(definition.family) || !body) return "";
    const Result<Space> space = space_of(*body, binding.sizes);
    if (!space) return "";
    const double bytes = analyse_case(definition, *body, binding).bytes();
    const double row = static_cast<double>(space->columns) * static_cast<double>(size_of(binding.dtype));
    const std::string size = bytes < 1e6 ? "small" : bytes < 64e6 ? "medium" : "large";
    return size + (row < 4096 ? ", short rows" : ", long rows");
}

}  // namespace

PatternKey key_of(const Operator& definition, const Case& binding, const std::string& device,
                  const std::string& hardware) {
    PatternKey key;
    key.operator_class = class_of(definition);
    key.dtype = to_string(binding.dtype);
    key.shape_class = shape_class_of(definition, binding);
    key.device = hardware.substr(0, longest_name);
    key.kind = kind_of_device(device);
    return key;
}

namespace {

/// How much a round at one place says of another, 0 … 1.
double likeness(const PatternKey& one, const PatternKey& other) {
    if (one.strategy != other.strategy || one.kind != other.kind) return 0;
    double likeness = 1;
    if (one.finding != other.finding) likeness *= 0.7;
    if (one.operator_class != other.operator_class) likeness *= 0.5;
    if (one.dtype != other.dtype) likeness *= 0.8;
    if (one.shape_class != other.shape_class) likeness *= 0.6;
    if (one.device != other.device) likeness *= 0.5;
    return likeness;
}

constexpr double most_of_others = 6;    ///< rounds that a shipped or imported pattern is worth at most
constexpr double spread_unknown = 0.1;  ///< of logarithms of gains, where too few rounds tell it

/// Rounds of others lose weight with each own round that their mean does not explain.
double contradictions(std::span<const Pattern> patterns, const Pattern& other) {
    double sum = 0;
    for (const Pattern& own : patterns) {
        if (!own.is_own || own.is_disabled || own.count + own.counterexamples == 0) continue;
        const double alike = likeness(own.key, other.key);
        const double rounds = std::max(own.count, own.counterexamples);
        const bool is_contrary = own.count == 0 || std::abs(own.mean - other.mean) > 2 * spread_unknown;
        if (is_contrary) sum += alike * rounds;
    }
    return sum;
}

double weight_of(const Pattern& pattern, const PatternKey& place, std::span<const Pattern> patterns) {
    if (pattern.is_disabled) return 0;
    const double alike = likeness(pattern.key, place);
    if (pattern.is_own) return alike * pattern.count;
    const double doubt = 1 + contradictions(patterns, pattern);
    return alike * std::min<double>(pattern.count, most_of_others) / (doubt * doubt * doubt);
}

}  // namespace

std::optional<PatternAdvice> advice_of(std::span<const Pattern> patterns, const PatternKey& place) {
    double weight = 0, mean = 0, squares = 0;
    for (const Pattern& each : patterns) {
        const double own = weight_of(each, place, patterns);
        weight += own;
        mean += own * each.mean;
        if (each.count > 0) squares += own * (each.squares / each.count + each.mean * each.mean);
    }
    constexpr double least = 0.5;
    if (weight < least) return std::nullopt;
    mean /= weight;
    // Few rounds tell little of how gains spread. So the usual spread is added, with the weight of two rounds.
    const double within = std::max(0.0, squares / weight - mean * mean) * weight;
    const double variance = (within + 2 * spread_unknown * spread_unknown) / (weight + 1);
    const double half_width = t_quantile(weight + 1) * std::sqrt(variance * (1 + 1 / weight));
    return PatternAdvice{gain_about(mean, half_width), weight};
}

}  // namespace kernelgen
