// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/session/queue_planner.h"

#include <algorithm>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"
#include "app/studio/session/session.h"
#include "core/project/by_case.h"
#include "core/project/values.h"
#include "core/tune/space.h"

namespace kernelgen::studio {

namespace {

/// The variant's tunables with only the wanted values.
std::vector<Tunable> wantedTunables(const Variant& variant, const QueueWish& wish) {
    std::vector<Tunable> wanted;
    for (Tunable each : variant.tunables) {
        const auto values = wish.values.find(each.name);
        if (values == wish.values.end()) continue;
        each.values = values->second;
        wanted.push_back(std::move(each));
    }
    return wanted;
}

QString whyNone(const QueueWish& wish) {
    if (wish.devices.empty()) return QueuePlanner::tr("Mark a device");
    if (wish.cases.empty()) return QueuePlanner::tr("Mark a case");
    for (const auto& [name, values] : wish.values) {
        if (values.empty()) return QueuePlanner::tr("Mark a value of %1").arg(toQt(name));
    }
    return {};
}

}  // namespace

QueuePlanner::QueuePlanner(Session& session) : present_(session.device().toStdString()) {
    const Variant* variant = session.variant();
    for (const WorkerDevice& each : session.engine().devices()) {
        const std::string& name = each.info.name;
        const bool runs = variant != nullptr && each.info.available && runs_on(*variant, name);
        if (!runs && name != present_) continue;
        Validated<RunPlan> plan = session.planOn(toQt(name));
        if (plan) {
            plan->candidate.device = each.info.numbers;
            bases_[name] = std::make_shared<const RunPlan>(std::move(*plan));
        } else if (name == present_) {
            problem_ = inWords(plan.error());
        }
    }
    if (bases_.empty() && problem_.isEmpty()) {
        const Validated<RunPlan> plan = session.plan();
        problem_ = plan ? QueuePlanner::tr("The worker has not told its devices yet") : inWords(plan.error());
    }
    if (!bases_.empty()) problem_.clear();  // the others may be free
}

std::vector<std::string> QueuePlanner::devices() const {
    std::vector<std::string> names;
    if (bases_.contains(present_)) names.push_back(present_);
    for (const auto& [name, base] : bases_)
        if (name != present_) names.push_back(name);
    return names;
}

/// Of each configuration one run of all cases, or one of each.
void QueuePlanner::addRuns(QueuePlan& made, const RunPlan& base, const std::vector<Configuration>& configurations,
                           const QueueWish& wish) const {
    std::vector<std::vector<Case>> groups;
    if (!wish.case_alone) groups.push_back(wish.cases);
    else
        for (const Case& each : wish.cases) groups.push_back({each});
    const Restrictions restrictions(base.candidate.variant);
    Implementation judged = base.candidate;  // without texts, which may be large
    judged.text.clear();
    judged.files.clear();
    for (const Configuration& configuration : configurations) {
        const Result<Implementation> fixed = with_fixed(judged, configuration);
        for (const std::vector<Case>& cases : groups) {
            const auto is_forbidden = [&](const Case& each) { return !fixed || restrictions.violated(*fixed, each); };
            if (std::ranges::any_of(cases, is_forbidden)) ++made.forbidden;
            else
                made.runs.push_back({.base = bases_.at(base.options.device),
                                     .configuration = configuration,
                                     .cases = cases,
                                     .note = wish.note});
        }
    }
}

QueuePlan QueuePlanner::plan(const QueueWish& wish) const {
    QueuePlan made;
    made.problem = problem_.isEmpty() ? whyNone(wish) : problem_;
    if (!made.problem.isEmpty()) return made;
    for (const std::string& device : wish.devices) {
        const RunPlan& base = *bases_.at(device);
        const std::vector<Tunable> tunables = wantedTunables(base.candidate.variant, wish);
        const std::uint64_t groups = wish.case_alone ? wish.cases.size() : 1;
        const std::uint64_t count = tunables.empty() ? 1 : count_combinations(tunables);
        if (count > most_judged || count * groups * wish.devices.size() > most_judged)
            return {.runs = {},
                    .problem = QueuePlanner::tr("More than %1 combinations: mark fewer values, or let F7 "
                                                "search them")
                                   .arg(most_judged)};
        addRuns(made, base, tunables.empty() ? std::vector{Configuration()} : first_combinations(tunables, count),
                wish);
    }
    if (made.runs.size() > most_runs)
        return {
            .runs = {},
            .problem = QueuePlanner::tr("More than %1 runs: mark fewer values, or let F7 search them").arg(most_runs)};
    if (made.runs.empty()) made.problem = QueuePlanner::tr("The variant's restrictions forbid all of them");
    return made;
}

}  // namespace kernelgen::studio
