// SPDX-License-Identifier: Apache-2.0
#include "core/report/build_table.h"

#include <algorithm>
#include <utility>

#include "core/base/text.h"
#include "core/measure/metrics.h"

namespace kernelgen {

namespace {

using Row = std::vector<std::string>;

std::string cell_of(const BuildSummary& build, const Metric& metric, const Phrases& say) {
    const auto found = build.resources.find(metric.name);
    return found == build.resources.end() ? say(Text::no_goal) : say.value(metric, found->second);
}

void add_builds(const Builds& builds, const std::string& variant, const std::string& mark, MarkdownTable& table,
                std::vector<BuildSummary>& told) {
    for (const auto& [dtype, build] : builds) {
        if (build.resources.empty()) continue;
        table.header.push_back(variant + ", " + std::string(to_string(dtype)) + mark);
        told.push_back(build);
    }
}

}  // namespace

std::string limiter_phrase(std::string_view limiter, const Phrases& say) {
    constexpr std::pair<std::string_view, Text> words[] = {{"registers", Text::limiter_registers},
                                                           {"shared memory", Text::limiter_shared_memory},
                                                           {"threads", Text::limiter_threads},
                                                           {"blocks", Text::limiter_blocks}};
    std::string phrase;
    for (const auto& [word, text] : words) {
        if (!limiter.contains(word)) continue;
        phrase += (phrase.empty() ? "" : say(Text::limiter_and)) + say(text);
    }
    return phrase;
}

std::vector<Row> build_rows(std::span<const BuildSummary> builds, const Phrases& say) {
    std::vector<Row> rows;
    for (const Metric& metric : all_metrics) {
        const auto tells = [&](const BuildSummary& build) { return build.resources.contains(metric.name); };
        if (std::ranges::none_of(builds, tells)) continue;
        Row& row = rows.emplace_back(Row{say(metric)});
        for (const BuildSummary& build : builds) row.push_back(cell_of(build, metric, say));
    }
    if (std::ranges::all_of(builds, &std::string::empty, &BuildSummary::occupancy_limiter)) return rows;
    Row& row = rows.emplace_back(Row{say(Text::limited_by)});
    for (const BuildSummary& build : builds) {
        const std::string limiter = limiter_phrase(build.occupancy_limiter, say);
        row.push_back(limiter.empty() ? say(Text::no_goal) : limiter);
    }
    return rows;
}

MarkdownTable build_table(const RoundDetail& detail, const Phrases& say) {
    MarkdownTable table{{say(Text::column_build)}, {}};
    std::vector<BuildSummary> builds;
    add_builds(detail.verification.builds, detail.round.variant, "", table, builds);
    add_builds(detail.baseline_builds, detail.round.baseline, " " + say(Text::comparison_baseline), table, builds);
    table.rows = build_rows(builds, say);
    return table;
}

}  // namespace kernelgen
