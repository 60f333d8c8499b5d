// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <format>
#include <set>

#include "core/base/checklist_sentences.h"
#include "core/base/text.h"
#include "core/files/checklist_builder.h"

namespace kernelgen {

namespace {

const std::vector<std::string> launch_options = {"num_warps", "num_stages", "num_ctas", "maxnreg",
                                                 "grid",      "warmup",     "stream"};

}  // namespace

/// How a launch fits its kernel's parameters.
void ChecklistBuilder::check_launch(const PythonLaunch& launch, const PythonKernel& kernel,
                                    std::vector<Said>& faults) const {
    const std::vector<std::string> names = names_of(kernel.parameters);
    std::set<std::string> bound;
    for (std::size_t i = 0; i < std::min(names.size(), launch.arguments.size()); ++i) bound.insert(names[i]);
    if (launch.arguments.size() > names.size()) {
        faults.push_back(say(sentences::too_many_passed, launch.arguments.size(), kernel.name, names.size()));
    }
    for (const auto& [name, value] : launch.keywords) {
        if (!std::ranges::contains(names, name)) {
            if (std::ranges::contains(launch_options, name)) continue;
            const Said near = did_you_mean(name, names);
            faults.push_back(near.empty() ? say(sentences::unknown_passed, name, kernel.name)
                                          : say(sentences::misnamed_passed, name, kernel.name, near));
        } else if (!bound.insert(name).second) {
            faults.push_back(say(sentences::passed_twice, name));
        }
    }
    for (const PythonParameter& each : kernel.parameters) {
        const bool given = bound.contains(each.name) || each.default_value || launch.open;
        if (!given && !(kernel.autotuned && each.is_constexpr)) {
            faults.push_back(say(sentences::not_passed, each.name, kernel.name));
        }
    }
    if (launch.grid_rank && *launch.grid_rank < kernel.axes) {
        faults.push_back(say(sentences::grid_too_small, *launch.grid_rank, kernel.name, kernel.axes - 1));
    }
}

void ChecklistBuilder::check_launches() {
    if (kernel_.function == nullptr) return;
    std::vector<std::string> names;
    bool agrees = true;
    for (const PythonLaunch& launch : kernel_.function->launches) {
        const PythonKernel* kernel = kernel_.parsed->find_kernel(launch.kernel);
        if (kernel == nullptr) continue;
        names.push_back(kernel->name);
        std::vector<Said> faults;
        const PythonFunction* hiding = kernel_.parsed->find_function(launch.kernel);
        if (hiding != nullptr && hiding->line > kernel->line) {
            faults.push_back(say(sentences::hidden_kernel, kernel->name, hiding->line));
        }
        check_launch(launch, *kernel, faults);
        agrees = agrees && faults.empty();
        for (Said& fault : faults) {
            mismatch(kernel_.file, launch.line, std::move(fault), say(sentences::make_launch_agree, kernel->line));
        }
    }
    if (names.empty()) return note(Aspect::kernel_arguments, FileRole::kernel, sentences::no_launch);
    set(Aspect::kernel_arguments, FileRole::kernel, agrees, join(names, ", "));
}

void ChecklistBuilder::check_tunables() {
    if (kernel_.function == nullptr || wrapper_.tunables.empty()) return;
    std::vector<std::string> texts;
    bool agrees = true;
    for (const Tunable& tunable : wrapper_.tunables) {
        const auto site = std::ranges::find(kernel_.parsed->sites, tunable.name, &TunableSite::name);
        if (site == kernel_.parsed->sites.end()) {
            agrees = false;
            mismatch(kernel_.file, kernel_.function->line, say(sentences::no_literal, tunable.name, kernel_.entry),
                     say(sentences::write_literal, tunable.name, tunable.value));
            continue;
        }
        texts.push_back(std::format("{}={}", site->name, site->value));
        if (site->value == tunable.value) continue;
        agrees = false;
        mismatch(kernel_.file, site->line, say(sentences::other_literal, tunable.name, site->value, tunable.value),
                 sentences::fix_literal);
    }
    set(Aspect::tunables, FileRole::kernel, agrees, join(texts, " "));
}

}  // namespace kernelgen
