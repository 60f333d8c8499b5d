// SPDX-License-Identifier: Apache-2.0
#include "core/project/variant.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/json_reader.h"
#include "core/base/text.h"
#include "core/lang/integer_expression.h"

namespace kernelgen {

namespace {

constexpr std::array<std::pair<Language, std::string_view>, 6> languages{{{Language::cpp, "cpp"},
                                                                          {Language::cuda, "cuda"},
                                                                          {Language::triton, "triton"},
                                                                          {Language::torch, "torch"},
                                                                          {Language::extension, "extension"},
                                                                          {Language::library, "library"}}};

std::string allowed_values(const Tunable& tunable) {
    std::vector<std::string> values;
    for (const std::int64_t value : tunable.values) values.push_back(std::to_string(value));
    return join(values, ", ");
}

Result<void> apply(const Variant& variant, Configuration& configuration, const std::string& name, std::int64_t value) {
    const auto tunable = std::ranges::find(variant.tunables, name, &Tunable::name);
    if (tunable == variant.tunables.end()) {
        std::vector<std::string> known;
        for (const Tunable& each : variant.tunables) known.push_back(each.name);
        const std::string nearest = did_you_mean(name, known);
        const std::string choice = known.empty() ? "it has none" : "it has " + join(known, ", ");
        return fail("variant `" + variant.name + "` has no tunable " + in_backquotes(name) + "; " +
                    (nearest.empty() ? choice : nearest));
    }
    if (std::ranges::find(tunable->values, value) == tunable->values.end()) {
        return fail("`" + name + "` cannot be " + std::to_string(value) + "; its values are " +
                    allowed_values(*tunable));
    }
    configuration[name] = value;
    return {};
}

}  // namespace

std::string_view to_string(Language language) {
    return std::ranges::find(languages, language, &std::pair<Language, std::string_view>::first)->second;
}

std::optional<Language> parse_language(std::string_view name) {
    const auto found = std::ranges::find(languages, name, &std::pair<Language, std::string_view>::second);
    return found == languages.end() ? std::nullopt : std::optional(found->first);
}

std::vector<std::string> language_names() {
    std::vector<std::string> names;
    for (const auto& [language, name] : languages) names.emplace_back(name);
    return names;
}

bool is_python(Language language) { return language == Language::triton || language == Language::torch; }

bool runs_in_python(Language language) { return is_python(language) || language == Language::extension; }

bool tunables_are_macros(Language language) {
    return language == Language::cpp || language == Language::cuda || language == Language::extension;
}

bool is_of_others(Language language) { return language == Language::library || language == Language::torch; }

Variant definition_as_variant(const Operator& definition) {
    return {.name = "definition", .language = Language::torch, .source = definition.file, .entry = "reference"};
}

Configuration configuration_of(const Variant& variant) {
    Configuration configuration;
    for (const Tunable& tunable : variant.tunables) configuration[tunable.name] = tunable.value;
    return configuration;
}

Result<Configuration> with_changes(const Variant& variant, Configuration base, const Configuration& changes) {
    for (const auto& [name, value] : changes) {
        if (const Result<void> applied = apply(variant, base, name, value); !applied) {
            return std::unexpected(applied.error());
        }
    }
    return base;
}

std::string hash_of_sources(const Implementation& implementation) {
    if (implementation.files.empty()) return hash_hex(implementation.text);
    std::string all = implementation.text;
    for (const auto& [file, text] : implementation.files) {
        all += '\0' + file + '\0' + std::to_string(text.size()) + '\0' + text;
    }
    return hash_hex(all);
}

}  // namespace kernelgen
