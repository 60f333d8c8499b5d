// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/report/comparison_reasons.h"
#include "core/report/log_sections.h"
#include "core/report/markdown.h"

namespace kernelgen {

namespace {

constexpr double least_noise = 0.01;  ///< differences below it are none

const RoundCase* timed(const ComparedVariant& variant, std::size_t place) {
    const bool has_time = place < variant.cases.size() && variant.cases[place].seconds > 0;
    return has_time ? &variant.cases[place] : nullptr;
}

/// How far the baseline's interval against itself is from 1.
double noise_of(const Comparison& comparison, std::size_t place) {
    const ComparedVariant* control = comparison.find(comparison.baseline);
    const RoundCase* each = control == nullptr ? nullptr : timed(*control, place);
    if (each == nullptr) return least_noise;
    return std::max({least_noise, std::abs(each->speedup_lower - 1), std::abs(each->speedup_upper - 1)});
}

std::vector<std::string> row_of(const Comparison& comparison, const ComparedVariant& variant, std::size_t place,
                                const Phrases& say) {
    const std::string name = in_code(variant.variant);
    const std::string configuration = configuration_phrase(variant.configuration, say);
    const RoundCase* each = timed(variant, place);
    if (each == nullptr) {
        const Status status =
            place < variant.cases.size() ? worst(variant.status, variant.cases[place].status) : variant.status;
        return {name, in_code(to_string(status)), say(Text::none), say(Text::none), say(Text::none), configuration};
    }
    const bool placed = each->roofline.bandwidth_gbps > 0;
    return {
        variant.variant == comparison.baseline ? name + " " + say(Text::comparison_baseline) : name,
        say.value(metrics::seconds, each->seconds),
        say.ratio_in(each->speedup, each->speedup_lower, each->speedup_upper),
        placed ? say.value(metrics::bandwidth_gbps, each->roofline.bandwidth_gbps) : say(Text::not_measured),
        each->roofline.has_ceilings ? say.value(metrics::fraction, each->roofline.fraction) : say(Text::not_measured),
        configuration};
}

/// The fastest variant of a kind in a case, or null.
template <class Kind>
const ComparedVariant* fastest(const Comparison& comparison, std::size_t place, const Kind& is_of_kind) {
    const ComparedVariant* best = nullptr;
    for (const ComparedVariant& each : comparison.variants) {
        if (!is_of_kind(each) || timed(each, place) == nullptr) continue;
        if (best == nullptr || each.cases[place].speedup > best->cases[place].speedup) best = &each;
    }
    return best;
}

/// The counted metrics of both variants, winner against loser; where nothing was counted, the resources of their
/// builds; an empty text without either.
std::string facts_phrase(const ComparedVariant& winner, const ComparedVariant& loser, std::size_t place,
                         const Phrases& say) {
    std::vector<std::string> facts;
    const auto add = [&](const Metric& metric, auto value_of) {
        const auto a = value_of(winner, place, metric.name), b = value_of(loser, place, metric.name);
        if (a && b) facts.push_back(say(Text::fact, say(metric), say.value(metric, *a), say.value(metric, *b)));
    };
    const auto traffic = [&](const ComparedVariant& variant) -> std::optional<double> {
        const auto moved = counted(variant, place, "dram_bytes");
        const double derived = derived_bytes(variant, place);
        return moved && derived > 0 ? std::optional(*moved / derived) : std::nullopt;
    };
    if (const auto a = traffic(winner), b = traffic(loser); a && b) {
        facts.push_back(say(Text::fact_traffic, say.ratio(*a), say.ratio(*b)));
    }
    add(metrics::achieved_occupancy, counted);
    add(metrics::cache_hit_rate, counted);
    if (!facts.empty()) return say(Text::comparison_counters, join(facts, say(Text::fact_separator)));
    add(metrics::registers, built);
    add(metrics::occupancy, built);
    return facts.empty() ? "" : say(Text::comparison_builds, join(facts, say(Text::fact_separator)));
}

std::string reason_phrase(const AdvantageFinding& finding, const ComparedVariant& winner, const ComparedVariant& loser,
                          double ratio, const Phrases& say) {
    const std::string fast = in_code(winner.variant), slow = in_code(loser.variant);
    switch (finding.kind) {
        case Advantage::less_traffic: {
            const double more = finding.loser / finding.winner;
            const bool is_enough = more >= ratio - least_noise;
            return say(is_enough ? Text::reason_traffic : Text::reason_some_traffic, slow, say.ratio(more));
        }
        case Advantage::fewer_repeated_fetches: return say(Text::reason_fetches, slow);
        case Advantage::occupancy: return say(Text::reason_occupancy, fast);
        case Advantage::built_occupancy: return say(Text::reason_built_occupancy, fast);
        case Advantage::no_spills:
            return say(Text::reason_spills, slow, say.measure(finding.loser, "B"), fast,
                       say.measure(finding.winner, "B"));
    }
    return {};
}

/// What is known of why one is faster.
std::string why_phrase(const ComparedVariant& winner, const ComparedVariant& loser, std::size_t place, double ratio,
                       const Phrases& say) {
    const std::string facts = facts_phrase(winner, loser, place, say);
    if (facts.empty()) return say(Text::comparison_no_counters);
    std::string reasons;
    for (const AdvantageFinding& each : find_advantages(winner, loser, place)) {
        reasons += reason_phrase(each, winner, loser, ratio, say);
    }
    return facts + (reasons.empty() ? say(Text::comparison_no_reason) : say(Text::comparison_reasons) + reasons);
}

/// Who wins, by how much, and what is known of why.
std::string verdict(const Comparison& comparison, const ComparedVariant& a, const ComparedVariant& b, std::size_t place,
                    const Phrases& say) {
    const bool first = a.cases[place].speedup >= b.cases[place].speedup;
    const ComparedVariant &winner = first ? a : b, &loser = first ? b : a;
    const double ratio = *advantage(comparison, winner.variant, loser.variant, place),
                 noise = noise_of(comparison, place);
    const std::string names[] = {in_code(winner.variant), in_code(loser.variant)};
    if (ratio - 1 < noise) return say(Text::comparison_level, names[0], names[1], say.ratio(ratio), say.percent(noise));
    const RoundCase &fast = winner.cases[place], &slow = loser.cases[place];
    std::string text = say(Text::comparison_wins, names[0], say.ratio(ratio), names[1]);
    if (fast.roofline.bandwidth_gbps > 0) {
        text += say(Text::comparison_rates, say.value(metrics::bandwidth_gbps, fast.roofline.bandwidth_gbps),
                    say.value(metrics::bandwidth_gbps, slow.roofline.bandwidth_gbps));
    }
    return text + why_phrase(winner, loser, place, ratio, say);
}

std::string verdicts(const Comparison& comparison, std::size_t place, const Phrases& say) {
    const auto of = [](Language language) {
        return [language](const ComparedVariant& each) { return each.language == language; };
    };
    const ComparedVariant* triton = fastest(comparison, place, of(Language::triton));
    const ComparedVariant* torch = fastest(comparison, place, of(Language::torch));
    const ComparedVariant* own = fastest(comparison, place, [](const ComparedVariant& each) {
        return each.language == Language::cuda || each.language == Language::cpp;
    });
    std::string text;
    for (const auto& [a, b] : {std::pair(triton, own), std::pair(triton, torch), std::pair(own, torch)}) {
        if (a != nullptr && b != nullptr) text += bullet(verdict(comparison, *a, *b, place, say));
    }
    return text.empty() ? text : text + "\n";
}

/// How a variant that was not compared ended, and why.
std::string outcome_phrase(const ComparedVariant& variant, const Phrases& say) {
    const std::string outcome = say(variant.status);
    return variant.reason.empty() ? outcome : outcome + ": " + as_prose(say.of_engine(variant.reason));
}

}  // namespace

std::string comparison_section(std::span<const Comparison> comparisons, const Phrases& say) {
    if (comparisons.empty()) return {};
    std::string text = heading(2, say(Text::comparison));
    for (const Comparison& comparison : comparisons) {
        const std::string& hardware = comparison.environment.hardware;
        text += paragraph(say(Text::comparison_of, as_prose(comparison.device),
                              hardware.empty() ? say(Text::not_noted) : as_prose(hardware),
                              in_code(comparison.baseline), comparison.time));
        for (std::size_t place = 0; place < comparison.cases.size(); ++place) {
            text += heading(3, as_prose(comparison.cases[place].name));
            MarkdownTable table{say.all(Text::column_variant, metrics::seconds, say.speedup_title(),
                                        metrics::bandwidth_gbps, metrics::fraction, Text::column_configuration),
                                {}};
            for (const ComparedVariant& each : comparison.variants) {
                table.rows.push_back(row_of(comparison, each, place, say));
            }
            text += to_markdown(table) + verdicts(comparison, place, say);
        }
        for (const ComparedVariant& each : comparison.variants) {
            for (const Said& warning : each.warnings) {
                text += bullet(in_code(each.variant) + ": " + as_prose(say.of_engine(warning)));
            }
            if (each.status == Status::ok) continue;
            text += bullet(in_code(each.variant) + ": " + outcome_phrase(each, say));
        }
        text += "\n";
    }
    return text;
}

}  // namespace kernelgen
