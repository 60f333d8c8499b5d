// SPDX-License-Identifier: Apache-2.0
#include "core/measure/ceilings.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/base/file.h"

namespace kernelgen {

using nlohmann::json;

namespace {

/// The bandwidths at a size: interpolated linearly in log bytes between the measured sizes, constant outside them.
BandwidthCeiling at_size(const std::vector<BandwidthCeiling>& points, double bytes) {
    const auto above = std::ranges::upper_bound(points, bytes, {}, &BandwidthCeiling::bytes);
    if (above == points.begin()) return points.front();
    if (above == points.end()) return points.back();
    const BandwidthCeiling &a = *std::prev(above), &b = *above;
    const double t = std::log(bytes / a.bytes) / std::log(b.bytes / a.bytes);
    return {bytes, std::lerp(a.copy_gbps, b.copy_gbps, t), std::lerp(a.read_gbps, b.read_gbps, t),
            std::lerp(a.write_gbps, b.write_gbps, t)};
}

/// The version of the kernels in resources/ceilings that measure ceilings. Raise it where these change: ceilings that
/// older ones measured may be too low.
constexpr int measured_by = 2;

std::filesystem::path cached_path(const std::string& device, const std::string& fingerprint) {
    std::string name = device + "-" + fingerprint;
    std::ranges::replace(name, ':', '-');
    std::ranges::replace(name, '/', '-');
    return cache_folder() / "ceilings" / (name + ".json");
}

/// Whether the file was written less than `age` ago. A time in the future, of a clock that was set back, does not
/// count.
bool is_younger(const std::filesystem::path& path, std::chrono::minutes age) {
    std::error_code error;
    const auto written = std::filesystem::last_write_time(path, error);
    const auto now = std::filesystem::file_time_type::clock::now();
    return !error && written <= now && now - written < age;
}

json bandwidths_to_json(const std::vector<BandwidthCeiling>& points) {
    json list = json::array();
    for (const BandwidthCeiling& point : points) {
        list.push_back({{"bytes", point.bytes},
                        {"copy_gbps", point.copy_gbps},
                        {"read_gbps", point.read_gbps},
                        {"write_gbps", point.write_gbps}});
    }
    return list;
}

std::vector<BandwidthCeiling> bandwidths_from_json(const json& list) {
    std::vector<BandwidthCeiling> points;
    for (const json& point : list) {
        points.push_back({point.at("bytes"), point.at("copy_gbps"), point.at("read_gbps"), point.at("write_gbps")});
    }
    return points;
}

json rates_to_json(const std::map<DType, double>& rates) {
    json object = json::object();
    for (const auto& [dtype, rate] : rates) object[std::string(to_string(dtype))] = rate;
    return object;
}

std::map<DType, double> rates_from_json(const json& object) {
    std::map<DType, double> rates;
    for (const auto& [name, rate] : object.items()) {
        if (const auto dtype = parse_dtype(name)) rates[*dtype] = rate;
    }
    return rates;
}

/// The time that moving `to` bytes takes beyond that of moving the first `from` of them, in bytes over GB/s: neither
/// more than at the rate of all `to`, nor less than at the highest rate that was measured.
double further_time(const std::vector<BandwidthCeiling>& points, double BandwidthCeiling::* rate, double from,
                    double to) {
    const double further = to - from, all_rate = at_size(points, to).*rate;
    if (!(from > 0)) return further / all_rate;
    const double highest = std::ranges::max(points, {}, rate).*rate;
    return std::clamp(to / all_rate - from / at_size(points, from).*rate, further / std::max(highest, all_rate),
                      further / all_rate);
}

}  // namespace

void keep_shortest(Ceilings& ceilings, double one_seconds, double all_seconds, double programs) {
    const auto keep = [](double& kept, double now) {
        if (now > 0 && (kept == 0 || now < kept)) kept = now;
    };
    keep(ceilings.launch_seconds, one_seconds);
    keep(ceilings.program_seconds, (all_seconds - one_seconds) / programs);
}

void keep_fastest(std::vector<BandwidthCeiling>& points, const BandwidthCeiling& now) {
    const auto known = std::ranges::find(points, now.bytes, &BandwidthCeiling::bytes);
    if (known == points.end()) return points.push_back(now);
    known->copy_gbps = std::max(known->copy_gbps, now.copy_gbps);
    known->read_gbps = std::max(known->read_gbps, now.read_gbps);
    known->write_gbps = std::max(known->write_gbps, now.write_gbps);
}

double bandwidth_ceiling(const Ceilings& ceilings, double bytes_read, double bytes_written) {
    const double bytes = bytes_read + bytes_written;
    if (!ceilings.measured() || !(bytes > 0)) return 0;
    const double copied = 2 * std::min(bytes_read, bytes_written);
    const double copying = copied > 0 ? copied / at_size(ceilings.all_threads, copied).copy_gbps : 0;
    const auto pure = bytes_read > bytes_written ? &BandwidthCeiling::read_gbps : &BandwidthCeiling::write_gbps;
    return bytes / (copying + further_time(ceilings.all_threads, pure, copied, bytes));
}

double flop_ceiling(const Ceilings& ceilings, DType arithmetic, std::optional<DType> multiplied) {
    if (multiplied && size_of(*multiplied) < 4) {
        const auto rate = ceilings.tensor_gflops.find(std::string(to_string(*multiplied)));
        return rate == ceilings.tensor_gflops.end() ? 0 : rate->second;
    }
    const auto found = ceilings.gflops_all_threads.find(arithmetic);
    return found == ceilings.gflops_all_threads.end() ? 0 : found->second;
}

std::optional<Ceilings> load_ceilings(const std::string& device, const std::string& fingerprint) {
    const std::filesystem::path path = cached_path(device, fingerprint);
    const Result<std::string> text = read_file(path);
    if (!text) return std::nullopt;
    try {
        const json object = json::parse(*text);
        Ceilings ceilings = ceilings_from_json(object);
        if (object.at("measured_by") != measured_by || ceilings.fingerprint != fingerprint) return std::nullopt;
        const bool is_kept = ceilings.quiet || is_younger(path, disturbed_are_kept);
        return is_kept && ceilings.measured() ? std::optional(ceilings) : std::nullopt;
    } catch (const json::exception&) {
        return std::nullopt;  // a file that an older version wrote or that was torn: measured again
    }
}

Result<void> save_ceilings(const Ceilings& ceilings) {
    const auto known = load_ceilings(ceilings.device, ceilings.fingerprint);
    if (!ceilings.quiet && known && known->quiet) return {};
    const std::filesystem::path path = cached_path(ceilings.device, ceilings.fingerprint);
    std::error_code ignored;  // writing says what is wrong
    std::filesystem::create_directories(path.parent_path(), ignored);
    json object = to_json(ceilings);
    object["measured_by"] = measured_by;
    return write_file_atomic(path, object.dump(2) + "\n");
}

json to_json(const Ceilings& ceilings) {
    return {{"device", ceilings.device},
            {"fingerprint", ceilings.fingerprint},
            {"measured_at", ceilings.measured_at},
            {"quiet", ceilings.quiet},
            {"all_threads", bandwidths_to_json(ceilings.all_threads)},
            {"one_thread", bandwidths_to_json(ceilings.one_thread)},
            {"gflops_all_threads", rates_to_json(ceilings.gflops_all_threads)},
            {"gflops_one_thread", rates_to_json(ceilings.gflops_one_thread)},
            {"tensor_gflops", ceilings.tensor_gflops},
            {"launch_seconds", ceilings.launch_seconds},
            {"program_seconds", ceilings.program_seconds}};
}

Ceilings ceilings_from_json(const json& object) {
    Ceilings ceilings;
    ceilings.device = object.at("device");
    ceilings.fingerprint = object.at("fingerprint");
    ceilings.measured_at = object.at("measured_at");
    ceilings.quiet = object.value("quiet", true);
    ceilings.all_threads = bandwidths_from_json(object.at("all_threads"));
    ceilings.one_thread = bandwidths_from_json(object.at("one_thread"));
    ceilings.gflops_all_threads = rates_from_json(object.at("gflops_all_threads"));
    ceilings.gflops_one_thread = rates_from_json(object.at("gflops_one_thread"));
    if (object.contains("tensor_gflops")) {
        ceilings.tensor_gflops = object.at("tensor_gflops").get<std::map<std::string, double>>();
    }
    ceilings.launch_seconds = object.value("launch_seconds", 0.0);
    ceilings.program_seconds = object.value("program_seconds", 0.0);
    return ceilings;
}

}  // namespace kernelgen
