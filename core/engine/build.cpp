// SPDX-License-Identifier: Apache-2.0
#include "core/engine/build.h"

#include <algorithm>

namespace kernelgen {
namespace {

std::vector<DType> dtypes_of(const std::vector<Case>& cases) {
    std::vector<DType> dtypes;
    for (const Case& each : cases) {
        if (std::ranges::find(dtypes, each.dtype) == dtypes.end()) dtypes.push_back(each.dtype);
    }
    return dtypes;
}

/// The restriction that forbids the configuration for a case of this dtype; "" where none does.
std::string restriction(const RunPlan& plan, DType dtype) {
    for (const Case& each : plan.cases) {
        if (each.dtype != dtype) continue;
        const auto violated = violated_restriction(plan.candidate.variant, plan.candidate.configuration, each.sizes);
        if (violated) return "case `" + each.name + "`: " + *violated;
    }
    return "";
}

void note_missing_texts(const Variant& variant, const std::vector<std::string>& texts, BuildResult& result) {
    if (variant.language == Language::cuda || result.status != Status::ok) return;
    for (const std::string& text : texts) {
        result.messages.push_back({"", 0, 0, "note",
                                   "variant `" + variant.name + "` has no " + text + ": its language is `" +
                                       std::string(to_string(variant.language)) + "`, not `cuda`"});
    }
}

}  // namespace

std::vector<DtypeBuild> build_candidate(const RunPlan& plan, const std::vector<std::string>& texts,
                                        WorkerClient& worker, std::stop_token stop) {
    std::vector<DtypeBuild> builds;
    for (const DType dtype : dtypes_of(plan.cases)) {
        DtypeBuild& build = builds.emplace_back(dtype, BuildResult{});
        if (const std::string why = restriction(plan, dtype); !why.empty()) {
            build.result.status = Status::restricted;
            build.result.reason = why;
            continue;
        }
        const BuildRequest request{plan.project.definition, plan.candidate, dtype, plan.options.device, texts};
        build.result = worker.build(request, "", stop);
        note_missing_texts(plan.candidate.variant, texts, build.result);
    }
    return builds;
}

}  // namespace kernelgen
