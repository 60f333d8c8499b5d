// SPDX-License-Identifier: Apache-2.0
#include "core/engine/hostile.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "core/base/json_reader.h"
#include "core/project/project_file.h"

namespace kernelgen {

namespace {

constexpr std::string_view attempts_schema = "kernelgen.attempts/1";

}  // namespace

static void read(const JsonPlace& place, Status& status) {
    std::string name;
    read(place, name);
    if (const auto known = parse_status(name)) status = *known;
    else place.error("unknown status " + in_backquotes(name));
}

static void read(const JsonPlace& place, HostileAttempt& attempt) {
    JsonObject object(place);
    object.required("variant", attempt.variant);
    object.required("ends", attempt.ends);
    object.optional("cases", attempt.cases);
    object.optional("device", attempt.device);
    object.optional("pace", attempt.is_pace);
    object.optional("spoils", attempt.spoils);
    object.finish();
    if (attempt.ends.empty()) place.error("`ends` names no status");
}

static void read(const JsonPlace& place, HostileProject& hostile) {
    std::string schema;
    JsonObject object(place);
    object.required("schema", schema);
    object.optional("timed", hostile.is_timed);
    object.required("attempts", hostile.attempts);
    object.finish();
    if (schema != attempts_schema) place.error("`schema` is not `" + std::string(attempts_schema) + "`");
}

namespace {

/// Checks that every attempt has its variant and its cases, and every variant an attempt.
void compare_names(const HostileProject& hostile, const std::string& file, Diagnostics& diagnostics) {
    const auto complain = [&](const Said& message) { diagnostics.push_back({file, "attempts", message, ""}); };
    for (const HostileAttempt& each : hostile.attempts) {
        if (hostile.project.find_variant(each.variant) == nullptr)
            complain("the project has no variant `" + each.variant + "`");
        for (const std::string& name : each.cases) {
            if (hostile.project.find_case(name) == nullptr) complain("the project has no case `" + name + "`");
        }
    }
    for (const Variant& variant : hostile.project.variants) {
        if (!std::ranges::contains(hostile.attempts, variant.name, &HostileAttempt::variant))
            complain("variant `" + variant.name + "` is never tried");
    }
}

}  // namespace

Validated<HostileProject> load_hostile(const std::filesystem::path& folder) {
    Validated<Project> project = load_project(folder);
    if (!project) return std::unexpected(project.error());
    const std::string file = (folder / "attempts.json").string();
    const Result<std::string> text = read_file(file);
    if (!text) return std::unexpected(Diagnostics{{file, "", text.error().message, ""}});
    const Validated<nlohmann::json> document = parse_json(*text, file);
    if (!document) return std::unexpected(document.error());
    HostileProject hostile{.project = std::move(*project), .is_timed = false, .attempts = {}};
    Diagnostics diagnostics;
    const JsonPlace place(*document, diagnostics);
    read(place, hostile);
    for (Diagnostic& each : diagnostics) each.file = file;
    if (diagnostics.empty()) compare_names(hostile, file, diagnostics);
    if (!diagnostics.empty()) return std::unexpected(std::move(diagnostics));
    return hostile;
}

bool is_too_fast(const std::map<std::string, double>& speedups, const std::map<std::string, double>& honest) {
    constexpr double most_faster = 1.15;
    return std::ranges::any_of(speedups, [&](const auto& timed) {
        const auto found = honest.find(timed.first);
        return found != honest.end() && timed.second > most_faster * found->second;
    });
}

}  // namespace kernelgen
