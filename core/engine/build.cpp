// SPDX-License-Identifier: Apache-2.0
#include "core/engine/build.h"

#include <algorithm>
#include <utility>

#include "core/base/sentences.h"
#include "core/engine/device_numbers.h"
#include "core/project/by_case.h"
#include "core/project/values.h"

namespace kernelgen {
namespace {

/// The builds that the plan's cases need, each with the cases that need it.
std::vector<std::pair<DtypeBuild, std::vector<Case>>> builds_of(const RunPlan& plan) {
    std::vector<std::pair<DtypeBuild, std::vector<Case>>> builds;
    for (const Case& each : plan.cases) {
        Configuration configuration = for_case(plan.candidate, each).configuration;
        const auto same = std::ranges::find_if(builds, [&](const auto& known) {
            return known.first.dtype == each.dtype && known.first.configuration == configuration;
        });
        if (same != builds.end()) same->second.push_back(each);
        else builds.push_back({{each.dtype, std::move(configuration), {}}, {each}});
    }
    return builds;
}

/// The restriction that forbids the configuration for one of these cases; "" where none does.
Said restriction(const RunPlan& plan, const std::vector<Case>& cases) {
    for (const Case& each : cases) {
        const auto violated = violated_restriction(plan.candidate, each);
        if (violated) return say(sentences::of_case, each.name, *violated);
    }
    return "";
}

/// Notes the wanted texts that a backend without texts cannot give: such a backend says nothing of them itself.
void note_missing_texts(const Variant& variant, const std::vector<std::string>& texts, BuildResult& result) {
    const bool has_texts = variant.language == Language::cuda || is_python(variant.language);
    if (has_texts || result.status != Status::ok) return;
    for (const std::string& text : texts) {
        const bool is_assembly = text == "assembly";
        if (is_assembly && variant.language == Language::cpp) continue;
        const Said why = is_assembly ? say("no assembly of variant `{}`: its language is `{}`, not `cpp`", variant.name,
                                           to_string(variant.language))
                                     : say("no {} of variant `{}`: its language is `{}`, not `cuda` or `triton`", text,
                                           variant.name, to_string(variant.language));
        result.messages.push_back({"", 0, 0, "note", why});
    }
}

}  // namespace

std::vector<DtypeBuild> build_candidate(const RunPlan& asked, const std::vector<std::string>& texts,
                                        WorkerClient& worker, const Progress& progress, std::stop_token stop) {
    const RunPlan plan = with_device_numbers(asked, worker, stop);
    std::vector<DtypeBuild> builds;
    for (const auto& [wanted, cases] : builds_of(plan)) {
        DtypeBuild& build = builds.emplace_back(wanted);
        if (const Said why = restriction(plan, cases); !why.empty()) {
            build.result.status = Status::restricted;
            build.result.reason = why;
            continue;
        }
        const BuildRequest request{plan.project.definition,
                                   for_case(plan.candidate, cases.front()),
                                   build.dtype,
                                   plan.options.device,
                                   texts,
                                   cases.front().sizes,
                                   plan.options.timeout_seconds};
        build.result = worker.build(request, "", progress, stop);
        note_missing_texts(plan.candidate.variant, texts, build.result);
    }
    return builds;
}

namespace {

/// All plans but the first, and one whose candidate is the baseline, unless that is among them.
std::vector<RunPlan> plans_to_build(std::span<const RunPlan> plans) {
    std::vector<RunPlan> rest(plans.begin() + 1, plans.end());
    const std::optional<Implementation>& baseline = plans.front().baseline;
    const auto is_baseline = [&](const RunPlan& plan) { return plan.candidate.variant.name == baseline->variant.name; };
    if (!baseline || std::ranges::any_of(plans, is_baseline)) return rest;
    rest.push_back(plans.front());
    rest.back().candidate = *baseline;
    return rest;
}

}  // namespace

BuildsAhead::BuildsAhead(std::span<const RunPlan> plans, WorkerClient& worker, std::stop_token stop)
    : plans_(plans_to_build(plans)),
      thread_([this, &worker](std::stop_token ended) {
          for (const RunPlan& plan : plans_) {
              if (!ended.stop_requested()) build_candidate(plan, {}, worker, {}, ended);
          }
      }),
      cancelled_(std::move(stop), [this] { thread_.request_stop(); }) {}

void BuildsAhead::wait() {
    if (thread_.joinable()) thread_.join();
}

}  // namespace kernelgen
