// SPDX-License-Identifier: Apache-2.0
#include "core/tuning/pruned_list.h"

#include <algorithm>
#include <ranges>

#include "core/base/sentences.h"
#include "core/engine/device_numbers.h"
#include "core/project/source_files.h"
#include "core/tuning/failed_before.h"

namespace kernelgen {

namespace {

void add(std::vector<PrunedConfiguration>& all, std::vector<Configuration> configurations, const Said& reason) {
    for (Configuration& each : configurations) all.push_back({std::move(each), reason});
}

/// Those with a tile that is larger than the case.
void add_larger_tiles(const CaseSpace& made, std::size_t most, std::vector<PrunedConfiguration>& all) {
    std::vector<Tunable> parameters = made.chosen;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const Tunable& kept = made.space.parameters()[i];
        std::erase_if(parameters[i].values,
                      [&](std::int64_t each) { return std::ranges::contains(kept.values, each); });
        add(all, first_combinations(parameters, most), larger_than_case(kept.name));
        parameters[i] = kept;
    }
}

void add_forbidden(const Variant& variant, const CaseSpace& made, std::size_t most,
                   std::vector<PrunedConfiguration>& all) {
    Result<std::vector<TuningSpace::Forbidden>> forbidden =
        TuningSpace::forbidden_in(made.space.parameters(), made.restrictions, made.sizes, {variant.let, {}}, most);
    if (!forbidden) return;  // not where the space could be made
    for (TuningSpace::Forbidden& each : *forbidden)
        add(all, std::move(each.configurations), forbidden_by(made, variant, each.restriction));
}

/// The plan by which a recorded tuning's space was made.
Result<RunPlan> plan_of(const Project& project, const TuningHead& head) {
    const Variant* variant = project.find_variant(head.variant);
    if (variant == nullptr || setup_hash(project, head.variant) != head.setup_hash)
        return fail(say("`{}` or the definition was changed since tuning {}: what that left out is only counted",
                        head.variant, head.number));
    Result<Implementation> candidate = read_implementation(project, *variant);
    if (!candidate) return std::unexpected(candidate.error());
    candidate->device = device_of(head);
    RunPlan plan{.project = project, .candidate = std::move(*candidate), .cases = {}, .options = {}};
    plan.options.device = head.device;
    return with_configuration(with_case(std::move(plan), head.binding), head.incumbent);
}

}  // namespace

std::uint64_t PrunedCase::count_unlisted() const {
    const std::uint64_t count = count_of(counts);
    return count - std::min<std::uint64_t>(count, listed.size());
}

std::vector<PrunedConfiguration> list_pruned(const Variant& variant, const CaseSpace& made, std::size_t most_of_each) {
    std::vector<PrunedConfiguration> all;
    add_larger_tiles(made, most_of_each, all);
    add_forbidden(variant, made, most_of_each, all);
    for (const auto& [place, reason] : made.failed_before | std::views::take(most_of_each))
        all.push_back({made.space.at(place), reason});
    return all;
}

Result<std::vector<PrunedCase>> pruned_by_case(const TunePlan& plan, const TuningWorker& worker,
                                               std::size_t most_of_each, std::stop_token stop) {
    const RunPlan known = with_device_numbers(plan.run, *worker.client, std::move(stop));
    std::vector<PrunedCase> all;
    for (const Case& binding : known.cases) {
        const RunPlan of_case = with_case(known, binding);
        Result<CaseSpace> made = space_for(of_case, plan.options.chosen);
        if (!made) return fail(say(sentences::of_case, binding.name, made.error().message));
        leave_out_failed(of_case, {.environment = worker.environment}, *made);
        all.push_back(
            {binding, made->count(), made->pruned, list_pruned(of_case.candidate.variant, *made, most_of_each)});
    }
    return all;
}

Result<PrunedCase> pruned_by_tuning(const Project& project, const TuningHead& head, std::size_t most_of_each) {
    const Result<RunPlan> plan = plan_of(project, head);
    if (!plan) return std::unexpected(plan.error());
    Result<CaseSpace> made = space_for(*plan, head.chosen);
    if (!made) return std::unexpected(made.error());
    leave_out_failed(*plan, {.environment = head.environment, .before = head.number}, *made);
    return PrunedCase{head.binding, head.configurations, head.pruned,
                      list_pruned(plan->candidate.variant, *made, most_of_each)};
}

}  // namespace kernelgen
