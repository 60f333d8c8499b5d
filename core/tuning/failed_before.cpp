// SPDX-License-Identifier: Apache-2.0
#include "core/tuning/failed_before.h"

#include <regex>

#include "core/backend/build_cache.h"
#include "core/base/file.h"
#include "core/project/source_files.h"
#include "core/tune/tuning_file.h"
#include "core/tuning/tune.h"

namespace kernelgen {

namespace {

/// Whether a build of an earlier tuning was the same as it would be now, but for the case's sizes and the environment.
bool is_same_build(const RunPlan& plan, const std::string& headers, const TuningHead& head) {
    const std::string& variant = plan.candidate.variant.name;
    return head.variant == variant && head.headers_hash == headers && head.device == plan.options.device &&
           head.binding.dtype == plan.cases.front().dtype && head.source_hash == hash_of_sources(plan.candidate) &&
           !head.setup_hash.empty() && head.setup_hash == setup_hash(plan.project, variant);
}

/// Whether a reason names a line of a source, as a compiler's error does. A compiler that was killed or took too long
/// names none. What a full disk or too little memory made it say is no property of the configuration.
bool is_error_of_source(const std::string& reason) {
    static const std::regex place(R"(:\d+: )"), machine("(memory|No space left|exhausted)");
    return std::regex_search(reason, place) && !std::regex_search(reason, machine);
}

/// Whether the configuration would fail again. Builds of C++ and CUDA do not know the case's sizes. A build in Python
/// calls the kernel on them.
bool fails_again(Language language, const Tried& tried, bool are_sizes_same) {
    if (tried.screen_seconds > 0 || tried.race_seconds > 0) return false;  // it was built
    const bool is_compiled = language == Language::cpp || language == Language::cuda;
    if (is_compiled && tried.status == Status::build_failed) return is_error_of_source(tried.reason);
    if (tried.status != Status::over_limit) return false;
    if (language == Language::cuda) return true;  // registers, threads or shared memory of a block
    return language == Language::triton && are_sizes_same && tried.reason.text().contains("out of resource");
}

/// Takes what failed in a tuning. Returns how much of it other tunings had not told before.
std::uint64_t take_failed(const RunPlan& plan, const std::string& environment, const Tuning& tuning, CaseSpace& made) {
    const bool are_sizes_same = tuning.head.binding.sizes == plan.cases.front().sizes;
    std::uint64_t count = 0;
    for (const Tried& each : tuning.tried) {
        const auto place = made.space.find(each.configuration);
        const bool is_present = each.configuration == plan.candidate.configuration;
        const std::string& of_build = each.environment.empty() ? tuning.head.environment : each.environment;
        if (of_build != environment || !place || is_present ||
            !fails_again(plan.candidate.variant.language, each, are_sizes_same))
            continue;
        const Said reason = say("in tuning {} it did not build: {}", tuning.head.number, each.reason);
        if (made.failed_before.emplace(*place, reason).second) ++count;
    }
    return count;
}

}  // namespace

std::string own_headers_hash() { return hash_of_folder(resource_folder() / "include"); }

void leave_out_failed(const RunPlan& plan, const EarlierTunings& earlier, CaseSpace& made) {
    const std::string headers = own_headers_hash();
    const std::filesystem::path& folder = plan.project.folder;
    for (const int number : tuning_numbers(folder)) {
        if (number < earlier.oldest || number >= earlier.before) continue;
        const Result<Tuning> head = load_tuning_untried(folder, number);
        if (!head || !is_same_build(plan, headers, head->head)) continue;
        const Result<Tuning> tuning = load_tuning(folder, number);
        const std::uint64_t count = tuning ? take_failed(plan, earlier.environment, *tuning, made) : 0;
        if (count > 0) made.pruned.push_back({say("did not build in tuning {}", number), count});
    }
}

}  // namespace kernelgen
