// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/profiler.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <format>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "core/backend/build_cache.h"
#include "core/backend/call_json.h"
#include "core/base/file.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/measure/metrics.h"
#include "core/python/interpreter.h"
#include "core/said/told.h"

namespace kernelgen::cuda {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// A counter of Nsight Compute: sums add over launches, shares are weighted by time.
struct NcuCounter {
    std::string_view ncu, name;
    bool is_share;
};

constexpr std::string_view duration = "gpu__time_duration.sum";
constexpr NcuCounter ncu_counters[] = {
    {"dram__bytes_read.sum", metrics::dram_read_bytes.name, false},
    {"dram__bytes_write.sum", metrics::dram_write_bytes.name, false},
    {"lts__t_sector_hit_rate.pct", "l2_hit_rate", true},
    {"sm__warps_active.avg.pct_of_peak_sustained_active", metrics::achieved_occupancy.name, true},
    {"sm__throughput.avg.pct_of_peak_sustained_elapsed", metrics::multiprocessor_utilisation.name, true},
    {"sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed", metrics::tensor_utilisation.name, true},
};

/// Counters of the diagnosis, which not every version of ncu has for every GPU: sums that become ratios of each other.
constexpr std::string_view load_requests = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
                           load_sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
                           shared_conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum",
                           shared_wavefronts = "l1tex__data_pipe_lsu_wavefronts_mem_shared.sum";
constexpr NcuCounter diagnosis_counters[] = {
    {load_requests, load_requests, false},
    {load_sectors, load_sectors, false},
    {shared_conflicts, shared_conflicts, false},
    {shared_wavefronts, shared_wavefronts, false},
    {"smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio", metrics::memory_stall_warps.name,
     true},
};

/// Fields of a line of CSV with quotes.
std::vector<std::string> fields_of(std::string_view line) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (const char c : line) {
        if (c == '"') quoted = !quoted;
        else if (c == ',' && !quoted) fields.emplace_back();
        else fields.back() += c;
    }
    return fields;
}

std::optional<double> number_of(std::string text) {
    std::erase(text, ',');  // between thousands
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// The factor from a unit to bytes, seconds or a share of 1.
double scale_of(const std::string& unit) {
    if (unit == "Kbyte") return 1e3;
    if (unit == "Mbyte") return 1e6;
    if (unit == "Gbyte") return 1e9;
    if (unit == "%") return 0.01;
    if (unit == "nsecond" || unit == "ns") return 1e-9;
    if (unit == "usecond" || unit == "us") return 1e-6;
    if (unit == "msecond" || unit == "ms") return 1e-3;
    return 1;
}

/// The table of ncu's output: a line of names, one of units, then a launch each.
struct Table {
    std::vector<std::string> names, units;
    std::vector<std::vector<std::string>> launches;

    std::optional<double> value(std::size_t launch, std::string_view name) const {
        const auto found = std::ranges::find(names, name);
        const auto column = static_cast<std::size_t>(found - names.begin());
        if (found == names.end() || column >= launches[launch].size() || column >= units.size()) return std::nullopt;
        const std::optional<double> number = number_of(launches[launch][column]);
        return number ? std::optional(*number * scale_of(units[column])) : std::nullopt;
    }
};

Table table_of(const std::string& csv) {
    Table table;
    for (const std::string& line : split(csv, '\n')) {
        if (table.names.empty() && line.starts_with("\"ID\"")) table.names = fields_of(line);
        else if (!table.names.empty() && table.units.empty()) table.units = fields_of(line);
        else if (!table.names.empty() && line.starts_with('"')) table.launches.push_back(fields_of(line));
    }
    return table;
}

// Before what the profiled program says of its failure, and before what that was made of.
constexpr std::string_view own_words = "kernelgen: ", own_form = "kernelgen said: ";

/// What stands behind `beginning` in the first line that begins so.
std::optional<std::string> line_behind(const std::vector<std::string>& lines, std::string_view beginning) {
    const auto found =
        std::ranges::find_if(lines, [&](const std::string& line) { return line.starts_with(beginning); });
    return found == lines.end() ? std::nullopt : std::optional(found->substr(beginning.size()));
}

Said why_none(const std::string& output) {
    if (output.contains("ERR_NVGPUCTRPERM"))
        return "the driver does not permit hardware counters to this user (NVIDIA's page ERR_NVGPUCTRPERM says how to "
               "permit them)";
    const std::vector<std::string> lines = split(output, '\n');
    if (const auto text = line_behind(lines, own_words)) {
        const json form = json::parse(line_behind(lines, own_form).value_or(""), nullptr, false);
        return told(json{{"reason_said", form}}, "reason", *text);
    }
    for (const std::string& line : lines) {
        if (line.starts_with("==ERROR==")) return "ncu: " + std::string(trim(line.substr(9)));
    }
    return say("ncu answered without counters: {}", trim(output).substr(0, 300));
}

/// Replaces two sums by their ratio, where both are there.
void relate(std::map<std::string, double>& values, std::string_view part, std::string_view whole, const char* name) {
    const auto numerator = values.extract(std::string(part)), denominator = values.extract(std::string(whole));
    if (numerator && denominator && denominator.mapped() > 0) values[name] = numerator.mapped() / denominator.mapped();
}

Counters none(Said reason) {
    Counters counters;
    counters.reason = std::move(reason);
    return counters;
}

}  // namespace

std::vector<std::string> profile_arguments(const std::string& program, int ordinal, Language language,
                                           const std::string& request, bool for_diagnosis) {
    std::string names(duration);
    for (const NcuCounter& metric : ncu_counters) names += "," + std::string(metric.ncu);
    for (const NcuCounter& metric : diagnosis_counters) names += for_diagnosis ? "," + std::string(metric.ncu) : "";
    std::vector<std::string> arguments = {"ncu",  "--csv",     "--page", "raw", "--clock-control",
                                          "none", "--metrics", names};
    if (is_python(language)) {
        const std::string script = (resource_folder() / "python" / "kernelgen_once.py").string();
        arguments.insert(arguments.end(), {"--profile-from-start", "off", python_program(), "-B", script});
    } else {
        arguments.insert(arguments.end(), {program, "cuda-once"});
    }
    arguments.insert(arguments.end(), {std::to_string(ordinal), request});
    return arguments;
}

Counters parse_profile(const std::string& csv) {
    const Table table = table_of(csv);
    std::vector<NcuCounter> all(std::begin(ncu_counters), std::end(ncu_counters));
    all.insert(all.end(), std::begin(diagnosis_counters), std::end(diagnosis_counters));
    Counters counters;
    double total_time = 0;
    for (std::size_t launch = 0; launch < table.launches.size(); ++launch) {
        const double time = table.value(launch, duration).value_or(1);
        total_time += time;
        for (const NcuCounter& metric : all) {
            const std::optional<double> value = table.value(launch, metric.ncu);
            if (value) counters.values[std::string(metric.name)] += metric.is_share ? *value * time : *value;
        }
    }
    for (const NcuCounter& metric : all) {
        const auto found = counters.values.find(std::string(metric.name));
        if (metric.is_share && found != counters.values.end()) found->second /= total_time;
    }
    relate(counters.values, load_sectors, load_requests, metrics::sectors_per_request.name);
    relate(counters.values, shared_conflicts, shared_wavefronts, metrics::bank_conflict_share.name);
    // Hits and references are counted in different passes: their ratio may come out as 100.1 %.
    if (auto hits = counters.values.extract("l2_hit_rate")) counters.cache_hit_rate = std::min(1.0, hits.mapped());
    if (counters.values.empty() && !counters.cache_hit_rate) counters.reason = why_none(csv);
    return counters;
}

Counters profile(const std::string& program, int ordinal, const Artifact& artifact, const Call& call,
                 std::stop_token stop) {
    if (!artifact.python.callable.role.empty()) return none("operators of family `callable` are not profiled");
    const auto limit = std::chrono::seconds(is_python(artifact.language) ? 120 : 60);  // importing PyTorch is slow
    Result<ScratchFolder> scratch = ScratchFolder::create(fs::temp_directory_path());
    if (!scratch) return none(scratch.error().message);
    const fs::path request = scratch->path / "call.json";
    const json content = {{"artifact", to_json(artifact)},
                          {"call", to_json(call)},
                          {"temporary_folder", fs::temp_directory_path().string()}};
    if (auto written = write_file_atomic(request, content.dump()); !written) return none(written.error().message);
    Counters counters;
    // An ncu that does not know one of the names reads no counter at all: then without those of the diagnosis.
    for (const bool for_diagnosis : {true, false}) {
        Command command{
            .arguments = profile_arguments(program, ordinal, artifact.language, request.string(), for_diagnosis),
            .environment = {{"TMPDIR", scratch->path.string()}},
            .folder = scratch->path.string(),
            .descriptors = {}};
        const Result<Finished> finished = run_to_end(command, stop, limit);
        if (!finished) return none("Nsight Compute is not installed (`ncu` is not on PATH)");
        if (finished->stopped) return none("cancelled");
        if (finished->timed_out) return none(say("ncu did not end within {} s", limit.count()));
        counters = parse_profile(finished->output);
        if (!finished->output.contains("Failed to find metric")) break;
    }
    return counters;
}

}  // namespace kernelgen::cuda
