// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/print.h"

namespace kernelgen::cli {

namespace {

nlohmann::ordered_json entry_of(const Metric& metric) {
    return {{"name", metric.name},
            {"title", metric.title},
            {"unit", metric.unit},
            {"better", to_string(metric.better)},
            {"meaning", metric.meaning}};
}

void metrics_command(const Context& context) {
    nlohmann::ordered_json entries = nlohmann::ordered_json::array();
    Table table{{"name", "unit", "better", "meaning"}, {}};
    for (const Metric& metric : all_metrics) {
        entries.push_back(entry_of(metric));
        table.rows.push_back({metric.name, std::string(metric.unit), std::string(to_string(metric.better)),
                              std::string(metric.meaning)});
    }
    if (context.json) print_json({{"metrics", entries}});
    else print_table(std::cout, table);
}

}  // namespace

void add_metrics(CLI::App& app, Context& context) {
    CLI::App* command = app.add_subcommand("metrics", "What each number of a result means, and its unit in JSON");
    command->footer("Examples:\n  kernelgen metrics\n  kernelgen metrics --json");
    command->callback([&context] { metrics_command(context); });
}

}  // namespace kernelgen::cli
