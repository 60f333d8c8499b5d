// SPDX-License-Identifier: Apache-2.0
#include "app/cli/print_model.h"

#include <algorithm>
#include <format>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/print.h"
#include "core/base/text.h"
#include "core/report/markdown.h"

namespace kernelgen::cli {

namespace {

constexpr std::size_t rows_printed = 40, groups_printed = 10, widest_inputs = 44, widest_chain = 70;

/// A part of a model with its share.
template <class Part>
struct Ranked {
    const Part* part;
    ModelShare share;
};

/// What gains most first; without ceilings, what takes most.
template <class Part>
std::vector<Ranked<Part>> ranked(const std::vector<Part>& parts, const ModelReport& report) {
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

/// "conv > relu_" of {"aten.conv", "aten.relu_"}.
std::string chain_text(const std::vector<std::string>& operations) {
    std::vector<std::string> names;
    for (const std::string& each : operations) {
        const std::vector<std::string> parts = split(each, '.');
        names.push_back(parts.size() > 1 ? parts[1] : each);
    }
    return cut(join(names, " > "), widest_chain);
}

std::string first_of(const std::vector<std::string>& names) {
    const std::string name = names.empty() || names.front().empty() ? "(model)" : names.front();
    return names.size() > 1 ? std::format("{} +{}", name, names.size() - 1) : name;
}

std::string flops_text(const ModelCounts& counts) {
    return counts.flops ? with_si_prefix(*counts.flops, "FLOP") : "not counted";
}

std::string gain_text(const ModelShare& share) { return share.gain ? std::format("{:.3f}×", *share.gain) : "-"; }

std::string roofline_text(const ModelShare& share) {
    if (!share.point.has_ceilings) return "-";
    return std::format("{:.0f} % of {}", share.point.fraction * 100, share.point.memory_bound ? "memory" : "FLOPs");
}

std::string intensity_text(const ModelCounts& counts) {
    const double bytes = counts.bytes_read + counts.bytes_written;
    return counts.flops && bytes > 0 ? std::format("{:.3g}", *counts.flops / bytes) : "-";
}

std::vector<std::string> row_cells(const Ranked<ModelRow>& each) {
    const ModelRow& row = *each.part;
    return {std::to_string(row.calls.front()),
            std::to_string(row.calls.size()),
            row.operation,
            first_of(row.modules),
            cut(join(row.inputs, " "), widest_inputs),
            seconds_text(row.seconds),
            flops_text(row.counts),
            with_si_prefix(row.counts.bytes_read + row.counts.bytes_written, "B"),
            intensity_text(row.counts),
            roofline_text(each.share),
            std::format("{:.1f} %", each.share.share * 100),
            gain_text(each.share)};
}

std::vector<std::string> group_cells(const Ranked<ModelGroup>& each) {
    const ModelGroup& group = *each.part;
    const int first = group.places.front();
    return {std::format("{}-{}", first, first + group.length - 1),
            std::to_string(group.places.size()),
            chain_text(group.operations),
            seconds_text(each.share.seconds / static_cast<double>(group.places.size())),
            with_si_prefix(group.counts.bytes_read + group.counts.bytes_written, "B"),
            roofline_text(each.share),
            std::format("{:.1f} %", each.share.share * 100),
            gain_text(each.share)};
}

void print_cells(const std::vector<std::string>& headings, std::vector<std::vector<std::string>> rows, bool markdown) {
    if (markdown) std::cout << to_markdown({headings, std::move(rows)});
    else print_table(std::cout, {headings, std::move(rows)});
}

template <class Part, class Cells>
void print_ranked(const std::vector<Ranked<Part>>& parts, std::size_t most, const std::vector<std::string>& headings,
                  Cells cells, bool markdown) {
    std::vector<std::vector<std::string>> rows;
    double left_out = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i < most) rows.push_back(cells(parts[i]));
        else left_out += parts[i].share.share;
    }
    print_cells(headings, std::move(rows), markdown);
    if (parts.size() > most)
        std::cout << std::format("{} more rows, together {:.1f} % (--json has all)\n", parts.size() - most,
                                 left_out * 100);
}

void print_heading(const ModelReport& report) {
    const ModelProfile& profile = report.profile;
    std::cout << std::format("{} on {}, case {}: {} (median of {} runs)\n", report.file, report.device,
                             report.case_name, seconds_text(profile.seconds), profile.runs);
    const double sum = profile.seconds_of_calls();
    std::cout << std::format("{} calls, each alone with cold caches: {} together; ", profile.calls(),
                             seconds_text(sum));
    if (sum > profile.seconds) std::cout << "more than the whole, so shares are of this sum\n";
    else std::cout << std::format("{} of the whole lie between them\n", seconds_text(profile.seconds - sum));
    std::cout << std::format("{} views and allocations move nothing and are left out\n", profile.views);
    for (const std::string& note : profile.notes) std::cout << "note: " << note << "\n";
    if (!report.ceilings.measured())
        std::cout << std::format(
            "note: no ceilings are known of {}: rows are ordered by time; kernelgen devices "
            "--measure --device {}\n",
            report.device, report.device);
    std::cout << "\n";
}

void print_replacements(const ModelReport& report) {
    if (report.replacements.empty()) return;
    std::cout << "\n";
    for (const ModelReplacement& each : report.replacements) {
        std::cout << std::format("with {} (`{}`, round {}, {:.3f}×) at {} place{}: {} becomes {}\n", each.folder,
                                 each.variant, each.round, each.speedup, each.places.size(),
                                 each.places.size() == 1 ? "" : "s", seconds_text(each.seconds_before),
                                 seconds_text(each.seconds_after));
    }
    const double total = report.profile.total(), after = report.seconds_with_replacements();
    std::cout << std::format("the whole: {} becomes {}, {:.3f}×, by the shares above\n", seconds_text(total),
                             seconds_text(after), total / after);
}

nlohmann::ordered_json share_json(const ModelCounts& counts, const ModelShare& share) {
    nlohmann::ordered_json told = {{"flops", counts.flops ? nlohmann::ordered_json(*counts.flops) : nullptr},
                                   {"bytes_read", counts.bytes_read},
                                   {"bytes_written", counts.bytes_written},
                                   {"dtype", counts.dtype ? std::string(to_string(*counts.dtype)) : ""},
                                   {"all_seconds", share.seconds},
                                   {"share", share.share},
                                   {"roofline", to_json(share.point)},
                                   {"gain", share.gain ? nlohmann::ordered_json(*share.gain) : nullptr}};
    if (!counts.flops) told["roofline"].erase(std::string(metrics::intensity.name));
    return told;
}

nlohmann::ordered_json rows_json(const ModelReport& report) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Ranked<ModelRow>& each : ranked(report.profile.rows, report)) {
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

nlohmann::ordered_json groups_json(const ModelReport& report) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Ranked<ModelGroup>& each : ranked(report.profile.groups, report)) {
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

nlohmann::ordered_json to_json(const ModelReport& report) {
    const ModelProfile& profile = report.profile;
    nlohmann::ordered_json document = {{"file", report.file},
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
                                    {"seconds_before", each.seconds_before},
                                    {"seconds_after", each.seconds_after}});
    }
    document["whole_speedup"] = profile.total() / report.seconds_with_replacements();
    return document;
}

void print_model(const ModelReport& report, bool markdown) {
    print_heading(report);
    print_ranked(ranked(report.profile.rows, report), rows_printed,
                 {"call", "times", "operator", "module", "inputs", "time", "FLOPs", "bytes", "FLOP/B", "reached",
                  "share", "whole gains"},
                 row_cells, markdown);
    if (!report.profile.groups.empty()) {
        std::cout << "\nneighbours of which each feeds the next, as if each group were one kernel:\n\n";
        print_ranked(ranked(report.profile.groups, report), groups_printed,
                     {"calls", "times", "operators", "time", "bytes", "reached", "share", "whole gains"}, group_cells,
                     markdown);
    }
    print_replacements(report);
}

}  // namespace kernelgen::cli
