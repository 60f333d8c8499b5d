// SPDX-License-Identifier: Apache-2.0
#include "core/strategy/by_rounds.h"

#include <algorithm>
#include <format>

#include "core/base/text.h"
#include "core/project/by_case.h"
#include "core/round/best.h"
#include "core/strategy/gain.h"

namespace kernelgen {

namespace {

/// The condition that holds on this case alone: sizes that differ between the project's cases, and the dtype's bytes.
/// Nothing where there is none, as between f16 and bf16 of the same sizes.
std::optional<std::string> condition_for(const Case& binding, const std::vector<RoundCase>& all) {
    std::vector<std::string> parts;
    for (const auto& [symbol, size] : binding.sizes) {
        const bool differs = std::ranges::any_of(all, [&](const RoundCase& each) {
            const auto other = each.binding.sizes.find(symbol);
            return other == each.binding.sizes.end() || other->second != size;
        });
        if (differs || all.size() < 2) parts.push_back(std::format("{} == {}", symbol, size));
    }
    const bool differs = std::ranges::any_of(
        all, [&](const RoundCase& each) { return size_of(each.binding.dtype) != size_of(binding.dtype); });
    if (differs || parts.empty()) parts.push_back(std::format("dtype_bytes == {}", size_of(binding.dtype)));
    std::string condition = join(parts, " and ");
    const bool has_twin = std::ranges::any_of(
        all, [&](const RoundCase& each) { return each.binding != binding && holds_on(condition, each.binding, {}); });
    return has_twin ? std::nullopt : std::optional(std::move(condition));
}

std::optional<Proposal> library_for(const Situation& situation, const RoundCase& timed) {
    const Round& round = situation.round.round;
    const Variant* baseline = situation.project.find_variant(round.baseline);
    if (baseline == nullptr || !is_of_others(baseline->language) || !(timed.speedup_upper < 1)) return std::nullopt;
    RoundCase itself = timed;
    itself.speedup = itself.speedup_lower = itself.speedup_upper = 1;
    const auto gain = gain_between(timed, itself);
    const auto condition = condition_for(timed.binding, round.cases);
    if (!gain || !condition) return std::nullopt;
    Proposal proposal{.strategy = "library",
                      .finding = {},
                      .change = AddDispatch{{*condition, baseline->name}},
                      .line = {},
                      .expected = *gain,
                      .expected_from = GainSource::rounds,
                      .where = {}};
    proposal.line = in_one_line(proposal.change, situation.round.candidate);
    return proposal;
}

/// The first rule whose condition holds takes all that differs from the tunables' own values.
Configuration different_from(const Configuration& own, const Configuration& wanted) {
    Configuration values;
    for (const auto& [name, value] : wanted) {
        const auto present = own.find(name);
        if (present != own.end() && present->second != value) values[name] = value;
    }
    if (values.empty() && !wanted.empty()) values.insert(*wanted.begin());
    return values;
}

/// The values of the round that was fastest on a case, where these differ from the present ones.
std::optional<Proposal> configuration_for(const Situation& situation, const RoundCase& timed) {
    const Round& present = situation.round.round;
    std::optional<Gain> best;
    Configuration values;
    for (const Round& each : situation.rounds) {
        const RoundCase* other = timed_case(each, timed.binding);
        if (other == nullptr || each.variant != present.variant || each.source_hash != present.source_hash) continue;
        const auto gain = comparable(each, present) ? gain_between(timed, *other) : std::nullopt;
        if (!gain || gain->lower <= 1 || (best && gain->likely <= best->likely)) continue;
        const Configuration wanted = configuration_of(each, *other);
        if (wanted == configuration_of(present, timed)) continue;
        best = gain;
        values = different_from(situation.round.candidate.configuration, wanted);
    }
    const auto condition = condition_for(timed.binding, present.cases);
    if (!best || values.empty() || !condition) return std::nullopt;
    Proposal proposal{.strategy = "configuration_by_case",
                      .finding = {},
                      .change = AddRule{{*condition, std::move(values)}},
                      .line = {},
                      .expected = as_part(*best, 1, present.cases.size()),
                      .expected_from = GainSource::rounds,
                      .where = {}};
    proposal.line = in_one_line(proposal.change, situation.round.candidate);
    return proposal;
}

}  // namespace

std::vector<Proposal> proposals_of_rounds(const Situation& situation) {
    std::vector<Proposal> proposals;
    const std::vector<const RoundCase*> cases = timed_cases(situation.round.round);
    for (const RoundCase* each : cases) {
        if (auto library = library_for(situation, *each)) proposals.push_back(std::move(*library));
        if (cases.size() < 2) continue;
        if (auto configuration = configuration_for(situation, *each)) proposals.push_back(std::move(*configuration));
    }
    return proposals;
}

}  // namespace kernelgen
