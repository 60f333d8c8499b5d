// SPDX-License-Identifier: Apache-2.0
#include "core/measure/model_profile.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>

#include "core/said/told.h"

namespace kernelgen {

using nlohmann::json;

namespace {

/// The ceilings with tensor cores' rates as those of arithmetic.
Ceilings with_tensor_cores(Ceilings ceilings) {
    for (const auto& [operands, gflops] : ceilings.tensor_gflops) {
        const std::optional<DType> dtype = parse_dtype(operands);
        if (!dtype) continue;
        double& rate = ceilings.gflops_all_threads[*dtype];
        rate = std::max(rate, gflops);
    }
    return ceilings;
}

ModelShare share_of(const ModelProfile& profile, const ModelCounts& counts, double seconds, std::size_t count,
                    const Ceilings& ceilings) {
    const Analysis analysis{
        .flops = counts.flops.value_or(0), .bytes_read = counts.bytes_read, .bytes_written = counts.bytes_written};
    ModelShare share;
    share.seconds = seconds * static_cast<double>(count);
    share.share = share.seconds / profile.total();
    if (!(analysis.bytes() > 0)) return share;
    share.point = place_on_roofline(analysis, counts.dtype.value_or(DType::f32), seconds,
                                    counts.is_contraction ? with_tensor_cores(ceilings) : ceilings);
    if (!share.point.has_ceilings) return share;
    const double saved = share.seconds * (1 - std::min(1.0, share.point.fraction));
    share.gain = profile.total() / (profile.total() - saved);
    return share;
}

/// A number that times and counts may have.
double amount(const json& value) {
    const double number = value.get<double>();
    if (!std::isfinite(number) || number < 0) throw std::out_of_range("a number that cannot be measured");
    return number;
}

ModelCounts counts_from_json(const json& object) {
    ModelCounts counts;
    if (const json& flops = object.at("flops"); !flops.is_null()) counts.flops = amount(flops);
    counts.bytes_read = amount(object.at("bytes_read"));
    counts.bytes_written = amount(object.at("bytes_written"));
    counts.dtype = parse_dtype(object.at("dtype").get<std::string>());
    counts.is_contraction = object.at("contraction");
    return counts;
}

ModelRow row_from_json(const json& object) {
    ModelRow row{.calls = object.at("calls"),
                 .operation = object.at("operator"),
                 .signature = object.at("signature"),
                 .modules = object.at("modules"),
                 .inputs = object.at("inputs"),
                 .outputs = object.at("outputs")};
    row.counts = counts_from_json(object);
    row.seconds = amount(object.at("seconds"));
    row.runs = object.at("runs");
    row.is_random = object.at("random");
    return row;
}

ModelGroup group_from_json(const json& object) {
    ModelGroup group{.places = object.at("places"), .operations = object.at("operators")};
    group.length = static_cast<int>(group.operations.size());
    group.counts = counts_from_json(object);
    return group;
}

/// Throws where the numbers of the calls are not 1 to their count, each once.
void require_every_call(const ModelProfile& profile) {
    std::vector<bool> seen(static_cast<std::size_t>(profile.calls()));
    for (const ModelRow& row : profile.rows) {
        for (const int call : row.calls) seen.at(static_cast<std::size_t>(call) - 1) = true;
    }
    if (std::ranges::contains(seen, false)) throw std::out_of_range("a call without a row");
    for (const ModelGroup& group : profile.groups) {
        for (const int place : group.places) {
            if (place < 1 || place + group.length - 1 > profile.calls()) throw std::out_of_range("a group of no calls");
        }
    }
}

}  // namespace

int ModelProfile::calls() const {
    return std::accumulate(rows.begin(), rows.end(), 0,
                           [](int sum, const ModelRow& row) { return sum + static_cast<int>(row.calls.size()); });
}

double ModelProfile::seconds_of_calls() const {
    return std::accumulate(rows.begin(), rows.end(), 0.0, [](double sum, const ModelRow& row) {
        return sum + row.seconds * static_cast<double>(row.calls.size());
    });
}

double ModelProfile::total() const { return std::max(seconds, seconds_of_calls()); }

std::vector<const ModelRow*> ModelProfile::by_call() const {
    std::vector<const ModelRow*> found(static_cast<std::size_t>(calls()));
    for (const ModelRow& row : rows) {
        for (const int call : row.calls) found.at(static_cast<std::size_t>(call) - 1) = &row;
    }
    return found;
}

ModelShare share_of(const ModelProfile& profile, const ModelRow& row, const Ceilings& ceilings) {
    return share_of(profile, row.counts, row.seconds, row.calls.size(), ceilings);
}

ModelShare share_of(const ModelProfile& profile, const ModelGroup& group, const Ceilings& ceilings) {
    const std::vector<const ModelRow*> rows = profile.by_call();
    const auto first = rows.begin() + group.places.front() - 1;
    const double seconds = std::accumulate(first, first + group.length, 0.0,
                                           [](double sum, const ModelRow* row) { return sum + row->seconds; });
    return share_of(profile, group.counts, seconds, group.places.size(), ceilings);
}

ModelProfile model_profile_from_json(const json& object) {
    ModelProfile profile;
    profile.seconds = amount(object.at("seconds"));
    profile.runs = object.at("runs");
    profile.views = object.at("views");
    for (const json& each : object.at("rows")) profile.rows.push_back(row_from_json(each));
    for (const json& each : object.at("groups")) profile.groups.push_back(group_from_json(each));
    profile.notes = all_told(object, "notes");
    require_every_call(profile);
    if (!(profile.total() > 0)) throw std::out_of_range("a model that takes no time");
    return profile;
}

}  // namespace kernelgen
