// SPDX-License-Identifier: Apache-2.0
#include "core/report/model_report.h"

#include <algorithm>
#include <format>
#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/measure/metrics.h"

namespace kernelgen {

namespace {

using nlohmann::ordered_json;

constexpr std::size_t rows_told = 40, groups_told = 10, widest_inputs = 44, widest_chain = 70;

template <class Part>
std::vector<Ranked<Part>> ranked_parts(const std::vector<Part>& parts, const ModelReport& report) {
    std::vector<Ranked<Part>> found;
    for (const Part& each : parts) found.push_back({&each, share_of(report.profile, each, report.ceilings)});
    std::ranges::stable_sort(found, std::greater(), [](const Ranked<Part>& each) {
        return std::pair(each.share.gain.value_or(0), each.share.seconds);
    });
    return found;
}

std::string cut(const std::string& text, std::size_t most) {
    return text.size() <= most ? text : text.substr(0, most - 3) + "...";
}

std::string flops_text(const ModelCounts& counts) {
    return counts.flops ? with_si_prefix(*counts.flops, "FLOP") : "not counted";
}

std::string roofline_text(const ModelShare& share) {
    if (!share.point.has_ceilings) return "-";
    return std::format("{:.0f} % of {}", share.point.fraction * 100, share.point.memory_bound ? "memory" : "FLOPs");
}

std::vector<std::string> row_cells(const Ranked<ModelRow>& each) {
    const ModelRow& row = *each.part;
    return {std::to_string(row.calls.front()),
            std::to_string(row.calls.size()),
            row.operation,
            place_text(row),
            cut(join(row.inputs, " "), widest_inputs),
            with_si_prefix(row.seconds, "s"),
            flops_text(row.counts),
            bytes_text(row.counts),
            intensity_text(row.counts),
            roofline_text(each.share),
            share_text(each.share),
            gain_text(each.share)};
}

std::vector<std::string> group_cells(const Ranked<ModelGroup>& each) {
    const ModelGroup& group = *each.part;
    const int first = group.places.front();
    return {std::format("{}-{}", first, first + group.length - 1),
            std::to_string(group.places.size()),
            cut(chain_text(group), widest_chain),
            with_si_prefix(each.share.seconds / static_cast<double>(group.places.size()), "s"),
            bytes_text(group.counts),
            roofline_text(each.share),
            share_text(each.share),
            gain_text(each.share)};
}

using TableText = std::function<std::string(const MarkdownTable&)>;

template <class Part, class Cells>
std::string ranked_text(const std::vector<Ranked<Part>>& parts, std::size_t most, std::vector<std::string> headings,
                        Cells cells, const TableText& layout) {
    MarkdownTable table{std::move(headings), {}};
    double left_out = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i < most) table.rows.push_back(cells(parts[i]));
        else left_out += parts[i].share.share;
    }
    std::string text = layout(table);
    if (parts.size() > most)
        text += std::format("{} more rows, together {:.1f} % (JSON has all)\n", parts.size() - most, left_out * 100);
    return text;
}

std::string heading_text(const ModelReport& report) {
    const ModelProfile& profile = report.profile;
    const double sum = profile.seconds_of_calls();
    std::string text = std::format("{} on {}, case {}: {} (median of {} runs)\n", report.file, report.device,
                                   report.case_name, with_si_prefix(profile.seconds, "s"), profile.runs);
    const std::string together = with_si_prefix(sum, "s");
    text += profile.calls() == 1
                ? std::format("1 call, alone with cold caches: {}; ", together)
                : std::format("{} calls, each alone with cold caches: {} together; ", profile.calls(), together);
    if (sum > profile.seconds) text += "more than the whole, so shares are of this sum\n";
    else text += std::format("{} of the whole lie between them\n", with_si_prefix(profile.seconds - sum, "s"));
    text += std::format("{} views and allocations move nothing and are left out\n", profile.views);
    for (const Said& note : profile.notes) text += "note: " + note + "\n";
    if (!report.ceilings.measured())
        text += std::format(
            "note: no ceilings are known of {}: rows are ordered by time; kernelgen devices --measure --device {}\n",
            report.device, report.device);
    return text + "\n";
}

std::string replacements_text(const ModelReport& report) {
    if (report.replacements.empty()) return "";
    std::string text = "\n";
    for (const ModelReplacement& each : report.replacements) {
        text +=
            std::format("with {} (`{}`, round {}, {:.3f}×) at {} place{}: {} becomes {}\n", each.folder, each.variant,
                        each.round, each.speedup, each.places.size(), each.places.size() == 1 ? "" : "s",
                        with_si_prefix(each.seconds_before, "s"), with_si_prefix(each.seconds_after, "s"));
        if (!each.not_timed.empty())
            text += std::format("note: round {} has not timed {}: these calls stay as they are; kernelgen run {}\n",
                                each.round, join(each.not_timed, ", "), each.folder);
    }
    const double total = report.profile.total(), after = report.seconds_with_replacements();
    return text + std::format("the whole: {} becomes {}, {:.3f}×, by the shares above\n", with_si_prefix(total, "s"),
                              with_si_prefix(after, "s"), total / after);
}

ordered_json share_json(const ModelCounts& counts, const ModelShare& share) {
    ordered_json told = {{"flops", counts.flops ? ordered_json(*counts.flops) : nullptr},
                         {"bytes_read", counts.bytes_read},
                         {"bytes_written", counts.bytes_written},
                         {"dtype", counts.dtype ? std::string(to_string(*counts.dtype)) : ""},
                         {"all_seconds", share.seconds},
                         {"share", share.share},
                         {"roofline", to_json(share.point)},
                         {"gain", share.gain ? ordered_json(*share.gain) : nullptr}};
    if (!counts.flops) told["roofline"].erase(std::string(metrics::intensity.name));
    return told;
}

ordered_json rows_json(const ModelReport& report) {
    ordered_json list = ordered_json::array();
    for (const Ranked<ModelRow>& each : ranked_rows(report)) {
        const ModelRow& row = *each.part;
        list.push_back({{"calls", row.calls},
                        {"operator", row.operation},
                        {"modules", row.modules},
                        {"inputs", row.inputs},
                        {"outputs", row.outputs},
                        {"signature", row.signature},
                        {"random", row.is_random},
                        {"seconds", row.seconds},
                        {"runs", row.runs}});
        list.back().update(share_json(row.counts, each.share));
    }
    return list;
}

ordered_json groups_json(const ModelReport& report) {
    ordered_json list = ordered_json::array();
    for (const Ranked<ModelGroup>& each : ranked_groups(report)) {
        const ModelGroup& group = *each.part;
        list.push_back({{"places", group.places}, {"length", group.length}, {"operators", group.operations}});
        list.back().update(share_json(group.counts, each.share));
    }
    return list;
}

}  // namespace

double ModelReport::seconds_with_replacements() const {
    double seconds = profile.total();
    for (const ModelReplacement& each : replacements) seconds += each.seconds_after - each.seconds_before;
    return seconds;
}

Result<ModelReport> model_report(const std::string& file, const ModelRequest& request, const ModelAnswer& answer,
                                 const Ceilings& ceilings) {
    try {
        return ModelReport{.file = file,
                           .case_name = request.binding.name,
                           .device = request.device,
                           .profile = model_profile_from_json(answer.told),
                           .ceilings = ceilings,
                           .replacements = {}};
    } catch (const std::exception&) {
        return fail("what the model's process answered is no profile");
    }
}

Result<void> replace_calls(ModelReport& report, const std::vector<MeasuredPart>& parts) {
    report.replacements.clear();
    std::vector<bool> taken(static_cast<std::size_t>(report.profile.calls()));
    for (const MeasuredPart& each : parts) {
        Result<ModelReplacement> replaced = replace_calls(report.profile, each, taken);
        if (!replaced) return std::unexpected(replaced.error());
        report.replacements.push_back(std::move(*replaced));
    }
    return {};
}

std::vector<Ranked<ModelRow>> ranked_rows(const ModelReport& report) {
    return ranked_parts(report.profile.rows, report);
}

std::vector<Ranked<ModelGroup>> ranked_groups(const ModelReport& report) {
    return ranked_parts(report.profile.groups, report);
}

std::string chain_text(const ModelGroup& group) {
    std::vector<std::string> names;
    for (const std::string& each : group.operations) {
        const std::vector<std::string> parts = split(each, '.');
        names.push_back(parts.size() > 1 ? parts[1] : each);
    }
    return join(names, " > ");
}

std::string place_text(const ModelRow& row) {
    const std::string name = row.modules.empty() || row.modules.front().empty() ? "(model)" : row.modules.front();
    return row.modules.size() > 1 ? std::format("{} +{}", name, row.modules.size() - 1) : name;
}

std::string bytes_text(const ModelCounts& counts) {
    return with_si_prefix(counts.bytes_read + counts.bytes_written, "B");
}

std::string intensity_text(const ModelCounts& counts) {
    const double bytes = counts.bytes_read + counts.bytes_written;
    return counts.flops && bytes > 0 ? std::format("{:.3g}", *counts.flops / bytes) : "-";
}

std::string share_text(const ModelShare& share) { return std::format("{:.1f} %", share.share * 100); }

std::string gain_text(const ModelShare& share) { return share.gain ? std::format("{:.3f}×", *share.gain) : "-"; }

std::string model_text(const ModelReport& report, const TableText& table) {
    std::string text = heading_text(report);
    text += ranked_text(ranked_rows(report), rows_told,
                        {"call", "times", "operator", "module", "inputs", "time", "FLOPs", "bytes", "FLOP/B", "reached",
                         "share", "whole gains"},
                        row_cells, table);
    if (!report.profile.groups.empty()) {
        text += "\nneighbours of which each feeds the next, as if each group were one kernel:\n\n";
        text += ranked_text(ranked_groups(report), groups_told,
                            {"calls", "times", "operators", "time", "bytes", "reached", "share", "whole gains"},
                            group_cells, table);
    }
    return text + replacements_text(report);
}

ordered_json to_json(const ModelReport& report) {
    const ModelProfile& profile = report.profile;
    ordered_json document = {{"file", report.file},
                             {"case", report.case_name},
                             {"device", report.device},
                             {"seconds", profile.seconds},
                             {"runs", profile.runs},
                             {"calls", profile.calls()},
                             {"seconds_of_calls", profile.seconds_of_calls()},
                             {"views", profile.views},
                             {"has_ceilings", report.ceilings.measured()},
                             {"notes", profile.notes},
                             {"rows", rows_json(report)},
                             {"groups", groups_json(report)}};
    if (report.replacements.empty()) return document;
    for (const ModelReplacement& each : report.replacements) {
        document["with"].push_back({{"project", each.folder},
                                    {"variant", each.variant},
                                    {"round", each.round},
                                    {"speedup", each.speedup},
                                    {"places", each.places},
                                    {"not_timed", each.not_timed},
                                    {"seconds_before", each.seconds_before},
                                    {"seconds_after", each.seconds_after}});
    }
    document["whole_speedup"] = profile.total() / report.seconds_with_replacements();
    return document;
}

}  // namespace kernelgen
