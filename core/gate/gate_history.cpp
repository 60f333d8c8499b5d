// SPDX-License-Identifier: Apache-2.0
#include "core/gate/gate_history.h"

#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "core/base/json_reader.h"
#include "core/base/json_values.h"
#include "core/base/lines.h"
#include "core/base/text.h"
#include "core/project/own_files.h"
#include "core/project/project_file.h"
#include "core/project/schema.h"
#include "core/said/said.h"

namespace kernelgen {

using nlohmann::json;

namespace {

json to_json(const GatedCase& checked) {
    json result = {{"case", to_json(checked.binding)},
                   {"verdict", to_string(checked.verdict)},
                   {"ratio", checked.ratio.median},
                   {"ratio_lower", checked.ratio.lower},
                   {"ratio_upper", checked.ratio.upper},
                   {"threshold", checked.threshold.share},
                   {"threshold_from", checked.threshold.from},
                   {"timings", checked.runs},
                   {"less_accurate", checked.less_accurate()},
                   {"less_accurate_in", checked.worse_in}};
    for (const AccuracyMeasure& each : accuracy_measures()) {
        if (checked.accuracy_then) result[each.key + "_before"] = (*checked.accuracy_then).*each.value;
        result[each.key] = checked.accuracy_now.*each.value;
    }
    put_said(result, "reason", checked.reason);
    return result;
}

}  // namespace

void read(const JsonPlace& place, Verdict& verdict) {
    read_choice(place, verdict, parse_verdict, "verdict", {"same", "faster", "slower", "ambiguous"});
}

void read(const JsonPlace& place, Status& status);  // core/round/record

void read(const JsonPlace& place, GatedCase& checked) {
    JsonObject object(place);
    object.required("case", checked.binding);
    object.required("verdict", checked.verdict);
    object.required("ratio", checked.ratio.median);
    object.required("ratio_lower", checked.ratio.lower);
    object.required("ratio_upper", checked.ratio.upper);
    object.required("threshold", checked.threshold.share);
    object.required("threshold_from", checked.threshold.from);
    object.required("timings", checked.runs);
    bool less_accurate = false;
    object.required("less_accurate", less_accurate);
    for (const AccuracyMeasure& each : accuracy_measures()) {
        double before = 0;
        if (object.optional(each.key + "_before", before)) {
            if (!checked.accuracy_then) checked.accuracy_then.emplace();
            (*checked.accuracy_then).*each.value = before;
        }
        object.optional(each.key, checked.accuracy_now.*each.value);
    }
    // Older lines knew the first measure only.
    if (!object.optional("less_accurate_in", checked.worse_in) && less_accurate)
        checked.worse_in = {accuracy_measures().front().key};
    object.required("reason", checked.reason);
}

void read(const JsonPlace& place, GateCheck& check) {
    JsonObject object(place);
    object.required("project", check.project);
    object.required("variant", check.variant);
    object.required("device", check.device);
    object.required("time", check.time);
    object.required("environment", check.environment);
    object.required("source", check.source);
    object.required("round", check.round);
    object.required("archived", check.archived);
    object.optional("unchanged", check.unchanged);  // older lines do not say it
    object.required("status", check.status);
    object.required("reason", check.reason);
    object.required("hint", check.hint);
    object.required("cases", check.cases);
}

json to_json(const GateCheck& check) {
    json result = {{"project", check.project},
                   {"variant", check.variant},
                   {"device", check.device},
                   {"time", check.time},
                   {"environment", check.environment},
                   {"source", check.source},
                   {"round", check.round},
                   {"archived", check.archived},
                   {"unchanged", check.unchanged},
                   {"status", to_string(check.status)},
                   {"cases", list_of(check.cases, to_json)}};
    put_said(result, "reason", check.reason);
    put_said(result, "hint", check.hint);
    return result;
}

Result<GateCheck> gate_check_from_json(const json& source) { return read_whole<GateCheck>(source); }

std::filesystem::path gate_history_path(const std::filesystem::path& project_folder) {
    return project_folder / own_files::gate_history;
}

Result<void> append_check(const std::filesystem::path& project_folder, const GateCheck& check) {
    const std::filesystem::path path = gate_history_path(project_folder);
    const Result<FileLock> lock = FileLock::acquire(path, FileLock::Mode::exclusive);
    if (!lock) return std::unexpected(lock.error());
    return append_line(path, to_json(check).dump(-1, ' ', false, json::error_handler_t::replace));
}

CheckHistory load_checks(const std::filesystem::path& project_folder) {
    CheckHistory history;
    int unread = 0;
    const auto take = [&](std::string_view line) {
        if (trim(line).empty()) return;
        const Validated<json> document = parse_json(line, std::string(own_files::gate_history));
        Result<GateCheck> check = document ? gate_check_from_json(*document) : fail("no JSON");
        if (check) history.checks.push_back(std::move(*check));
        else ++unread;
    };
    const Result<void> read = for_each_line(gate_history_path(project_folder), take);
    if (!read) history.warning = read.error().message;
    else if (unread > 0) history.warning = say("lines of gate.jsonl that cannot be read, and are left out: {}", unread);
    return history;
}

std::vector<GateCheck> last_checks_of(std::vector<GateCheck> checks, std::string_view variant, std::string_view device,
                                      std::size_t most) {
    std::erase_if(checks, [&](const GateCheck& each) { return each.variant != variant || each.device != device; });
    if (checks.size() > most) checks.erase(checks.begin(), checks.end() - static_cast<std::ptrdiff_t>(most));
    return checks;
}

CheckHistory load_checks(const std::filesystem::path& project_folder, std::string_view variant, std::string_view device,
                         std::size_t most) {
    CheckHistory history = load_checks(project_folder);
    history.checks = last_checks_of(std::move(history.checks), variant, device, most);
    return history;
}

}  // namespace kernelgen
