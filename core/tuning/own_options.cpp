// SPDX-License-Identifier: Apache-2.0
#include "core/tuning/own_options.h"

#include <algorithm>
#include <array>
#include <format>

#include "core/base/json_reader.h"
#include "core/base/text.h"
#include "core/engine/usage.h"
#include "core/project/configuration_text.h"

namespace kernelgen {

namespace {

/// A tuning that is to go on, and the options with which it is asked to.
struct AskedToGoOn {
    const TuneOptions& options;
    const TuningHead& head;
    const Project& project;
};

/// An option that cannot change while a tuning goes on: as a text, what was given now, and what the tuning has. "":
/// nothing. Equal texts are equal values.
struct OwnOption {
    std::string_view name;
    std::string (*given)(const AskedToGoOn&);
    std::string (*own)(const AskedToGoOn&);
};

std::string seconds_as_text(double seconds) { return std::format("{}", seconds); }

std::string evaluations_text(const std::optional<int>& evaluations) {
    return evaluations ? std::to_string(*evaluations) : "";
}

std::string case_names(std::vector<std::string> names) {
    for (std::string& each : names) each = trim(each);
    std::ranges::sort(names);
    return join(names, ", ");
}

std::string values_text(const ChosenValues& chosen) {
    std::vector<std::string> texts;
    for (auto [name, values] : chosen) {
        std::vector<std::string> numbers;
        std::ranges::sort(values);
        for (const std::int64_t each : values) numbers.push_back(std::to_string(each));
        texts.push_back(name + "=" + join(numbers, ","));
    }
    return join(texts, " ");
}

std::string own_baseline(const AskedToGoOn& asked) {
    if (!asked.head.baseline.empty()) return asked.head.baseline;
    const Variant* usual = baseline_for(asked.project, asked.head.device);
    return usual == nullptr ? "" : usual->name;
}

/// Older files do not have it: then what was given counts.
std::string own_timeout(const AskedToGoOn& asked) {
    const double own = asked.head.timeout_seconds;
    return seconds_as_text(own > 0 ? own : asked.options.run.timeout_seconds);
}

using Asked = const AskedToGoOn&;

constexpr std::array own_options{
    OwnOption{"--variant", [](Asked asked) { return asked.options.run.variant; },
              [](Asked asked) { return asked.head.variant; }},
    OwnOption{"--device", [](Asked asked) { return asked.options.run.device; },
              [](Asked asked) { return asked.head.device; }},
    OwnOption{"--baseline", [](Asked asked) { return asked.options.run.baseline; }, own_baseline},
    OwnOption{"--case", [](Asked asked) { return case_names(asked.options.run.cases); },
              [](Asked asked) { return case_names(names_of(asked.head.cases)); }},
    OwnOption{"--set", [](Asked asked) { return configuration_text(asked.options.run.changes); },
              [](Asked asked) { return configuration_text(asked.head.settings); }},
    OwnOption{"--timeout", [](Asked asked) { return seconds_as_text(asked.options.run.timeout_seconds); }, own_timeout},
    OwnOption{"--evaluations", [](Asked asked) { return evaluations_text(asked.options.evaluations); },
              [](Asked asked) { return evaluations_text(asked.head.evaluations); }},
    OwnOption{"--strategy", [](Asked asked) { return std::string(to_string(asked.options.strategy)); },
              [](Asked asked) { return asked.head.strategy; }},
    OwnOption{"--objective", [](Asked asked) { return to_string(asked.options.objective); },
              [](Asked asked) { return asked.head.objective; }},
    OwnOption{"--tunable", [](Asked asked) { return values_text(asked.options.chosen); },
              [](Asked asked) { return values_text(asked.head.chosen); }},
    OwnOption{"--seed", [](Asked asked) { return std::to_string(asked.options.seed); },
              [](Asked asked) { return std::to_string(asked.head.seed); }},
};

}  // namespace

void check_own_options(const TuneOptions& options, const TuningHead& head, const Project& project,
                       Diagnostics& diagnostics) {
    const AskedToGoOn asked{options, head, project};
    for (const OwnOption& each : own_options) {
        if (!std::ranges::contains(options.given, each.name)) continue;
        const std::string own = each.own(asked);
        if (each.given(asked) == own) continue;
        diagnostics.push_back(
            usage(std::string(each.name),
                  own.empty() ? say("tuning {}, which goes on, was begun without it", head.number)
                              : say("tuning {}, which goes on, was begun with {}", head.number, in_backquotes(own)),
                  "leave it out, or leave --resume out to begin another tuning"));
    }
}

}  // namespace kernelgen
