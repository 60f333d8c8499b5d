// SPDX-License-Identifier: Apache-2.0
#include "core/round/comparison.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "core/base/json_format.h"
#include "core/base/json_values.h"
#include "core/project/own_files.h"
#include "core/project/project_file.h"
#include "core/project/schema.h"
#include "core/said/said.h"

namespace kernelgen {

using nlohmann::json;
namespace fs = std::filesystem;

void read(const JsonPlace& place, Language& language);  // core/project
void read(const JsonPlace& place, Status& status);      // core/round/record
void read(const JsonPlace& place, RoundCase& summary);

namespace {

constexpr const char* schema = "kernelgen.comparison/1";

fs::path comparisons_folder(const fs::path& project_folder) { return project_folder / own_files::comparisons; }

json to_json(const ComparedVariant& variant) {
    json cases = json::array();
    for (const RoundCase& each : variant.cases) cases.push_back(kernelgen::to_json(each));
    json object = {{"variant", variant.variant},          {"language", to_string(variant.language)},
                   {"compiled", variant.compiled},        {"configuration", variant.configuration},
                   {"status", to_string(variant.status)}, {"cases", std::move(cases)},
                   {"counters", variant.counters},        {"resources", variant.resources}};
    put_said(object, "reason", variant.reason);
    put_said(object, "warnings", variant.warnings);
    return object;
}

}  // namespace

void read(const JsonPlace& place, ComparedVariant& variant) {
    JsonObject object(place);
    object.required("variant", variant.variant);
    object.required("language", variant.language);
    object.optional("compiled", variant.compiled);
    object.optional("configuration", variant.configuration);
    object.required("status", variant.status);
    object.optional("reason", variant.reason);
    object.optional("warnings", variant.warnings);
    object.optional("cases", variant.cases);
    if (place.value().contains("counters")) place.value().at("counters").get_to(variant.counters);
    if (place.value().contains("resources")) place.value().at("resources").get_to(variant.resources);
}

void read(const JsonPlace& place, Comparison& comparison) {
    JsonObject object(place);
    object.required("time", comparison.time);
    object.required("device", comparison.device);
    object.required("baseline", comparison.baseline);
    object.required("cases", comparison.cases);
    object.required("variants", comparison.variants);
    object.optional("budget_seconds", AnyNumber{comparison.budget_seconds});
    comparison.environment = environment_from_json(place.value().at("environment"));
}

const ComparedVariant* Comparison::find(std::string_view variant) const {
    const auto found = std::ranges::find(variants, variant, &ComparedVariant::variant);
    return found == variants.end() ? nullptr : &*found;
}

std::optional<double> advantage(const Comparison& comparison, std::string_view faster, std::string_view slower,
                                std::size_t place) {
    double speedups[2] = {};
    for (int side = 0; const std::string_view name : {faster, slower}) {
        const ComparedVariant* variant = comparison.find(name);
        if (variant == nullptr || place >= variant->cases.size() || variant->cases[place].speedup <= 0) return {};
        speedups[side++] = variant->cases[place].speedup;
    }
    return speedups[0] / speedups[1];
}

json to_json(const Comparison& comparison) {
    json cases = json::array(), variants = json::array();
    for (const Case& each : comparison.cases) cases.push_back(json(to_json(each)));
    for (const ComparedVariant& each : comparison.variants) variants.push_back(to_json(each));
    return {{"schema", schema},
            {"time", comparison.time},
            {"device", comparison.device},
            {"baseline", comparison.baseline},
            {"environment", to_json(comparison.environment)},
            {"budget_seconds", json_number(comparison.budget_seconds)},
            {"cases", std::move(cases)},
            {"variants", std::move(variants)}};
}

Result<Comparison> comparison_from_json(const json& source) {
    Diagnostics diagnostics;
    Comparison comparison;
    try {
        if (source.at("schema") != schema) return fail("is not a " + std::string(schema));
        read(JsonPlace(source, diagnostics), comparison);
    } catch (const json::exception& error) {
        return fail(error.what());
    }
    if (!diagnostics.empty()) return fail(to_string(diagnostics.front()));
    return comparison;
}

fs::path comparison_path(const fs::path& project_folder, std::string_view device) {
    std::string name(device);
    std::ranges::replace(name, ':', '-');
    return comparisons_folder(project_folder) / (name + ".json");
}

Result<void> save_comparison(const fs::path& project_folder, const Comparison& comparison) {
    std::error_code error;
    fs::create_directories(comparisons_folder(project_folder), error);
    if (error) return fail(comparisons_folder(project_folder).string() + ": " + error.message());
    return write_file_atomic(comparison_path(project_folder, comparison.device), to_json(comparison).dump(2) + "\n");
}

std::vector<Comparison> load_comparisons(const fs::path& project_folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(comparisons_folder(project_folder), error)) {
        if (entry.path().extension() == ".json") files.push_back(entry.path());
    }
    std::ranges::sort(files);
    std::vector<Comparison> comparisons;
    for (const fs::path& file : files) {
        const Result<std::string> text = read_file(file);
        Result<Comparison> comparison = comparison_from_json(text ? json::parse(*text, nullptr, false) : json());
        if (comparison) comparisons.push_back(std::move(*comparison));
    }
    return comparisons;
}

}  // namespace kernelgen
