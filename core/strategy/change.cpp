// SPDX-License-Identifier: Apache-2.0
#include "core/strategy/change.h"

#include <format>
#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/project/by_case.h"
#include "core/round/change.h"

namespace kernelgen {

using nlohmann::ordered_json;

namespace {

/// A visitor of several lambdas.
template <class... F>
struct Overloaded : F... {
    using F::operator()...;
};

std::string values_in_line(const Configuration& values, const Configuration& before) {
    std::vector<std::string> parts;
    for (const auto& [name, value] : values) {
        const auto old = before.find(name);
        parts.push_back(old == before.end() ? std::format("{} = {}", name, value)
                                            : std::format("{} {} → {}", name, old->second, value));
    }
    return join(parts, ", ");
}

std::string rule_in_line(const ConfigurationRule& rule) {
    std::vector<std::string> parts;
    for (const auto& [name, value] : rule.values) parts.push_back(std::format("{} = {}", name, value));
    return std::format("when {}: {}", rule.when, join(parts, ", "));
}

Result<Implementation> with_set(const SetTunables& set, Implementation before) {
    if (set.cases.empty()) return with_fixed(std::move(before), set.values);
    for (const Case& each : set.cases) {
        const Result<Configuration> chosen =
            with_changes(before.variant, for_case(before, each).configuration, set.values);
        if (!chosen) return std::unexpected(chosen.error());
        adopt_on(before.configuration, before.variant.configurations, each, before.device, *chosen);
    }
    return before;
}

}  // namespace

std::string in_one_line(const ProposedChange& change, const Implementation& before) {
    return std::visit(
        Overloaded{
            [&](const SetTunables& set) {
                return values_in_line(set.values, set.before.empty() ? before.configuration : set.before);
            },
            [&](const SearchTunables&) { return join(names_of(before.variant.tunables), ", "); },
            [&](const OtherVariant& other) {
                return std::format("{} → {}", before.variant.name, other.generated.variant.name);
            },
            [&](const AddRule& added) { return rule_in_line(added.rule); },
            [&](const AddDispatch& added) { return std::format("when {}: {}", added.rule.when, added.rule.variant); },
            [&](const EditSource& edit) { return std::format("{}:{}", before.variant.source, edit.line); }},
        change);
}

std::string difference_of(const ProposedChange& change, const Implementation& before) {
    const auto diff = [&](const std::string& file, const std::string& text) {
        return std::format("--- {}\n+++ {}\n{}", before.variant.source, file, unified_diff(before.text, text));
    };
    if (const auto* edit = std::get_if<EditSource>(&change)) return diff(before.variant.source, edit->text);
    if (const auto* other = std::get_if<OtherVariant>(&change))
        return diff(other->generated.variant.source, other->generated.text);
    return in_one_line(change, before) + "\n";
}

Result<Implementation> changed_by(const ProposedChange& change, Implementation before) {
    if (const auto* set = std::get_if<SetTunables>(&change)) return with_set(*set, std::move(before));
    if (const auto* other = std::get_if<OtherVariant>(&change)) {
        Implementation made{.variant = other->generated.variant,
                            .text = other->generated.text,
                            .configuration = configuration_of(other->generated.variant)};
        made.device = before.device;
        return made;
    }
    if (const auto* added = std::get_if<AddRule>(&change)) {
        const Result<Configuration> known = with_changes(before.variant, before.configuration, added->rule.values);
        if (!known) return std::unexpected(known.error());
        before.variant.configurations.insert(before.variant.configurations.begin(), added->rule);
    }
    if (const auto* edit = std::get_if<EditSource>(&change)) {
        before.text = edit->text;
        if (!edit->launches.empty()) before.variant.launches = edit->launches;
    }
    return before;
}

ordered_json to_json(const ProposedChange& change, const Implementation& before) {
    const auto source = [&](const char* kind) {
        return ordered_json{{"kind", kind}, {"difference", difference_of(change, before)}};
    };
    return std::visit(
        Overloaded{[](const SetTunables& set) { return ordered_json{{"kind", "tunables"}, {"values", set.values}}; },
                   [&](const SearchTunables&) {
                       return ordered_json{{"kind", "search"}, {"tunables", names_of(before.variant.tunables)}};
                   },
                   [&](const OtherVariant& other) {
                       ordered_json json = source("variant");
                       json["variant"] = other.generated.variant.name;
                       return json;
                   },
                   [](const AddRule& added) {
                       return ordered_json{
                           {"kind", "configuration"}, {"when", added.rule.when}, {"values", added.rule.values}};
                   },
                   [](const AddDispatch& added) {
                       return ordered_json{
                           {"kind", "dispatch"}, {"when", added.rule.when}, {"variant", added.rule.variant}};
                   },
                   [&](const EditSource& edit) {
                       ordered_json json = source("source");
                       json["line"] = edit.line;
                       return json;
                   }},
        change);
}

}  // namespace kernelgen
