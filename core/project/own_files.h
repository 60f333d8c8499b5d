// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

/// The files and folders that KernelGen writes into a project's folder. No source may have one of these names
/// (`source_path_problem`). docs/PROJECT_FORMAT.md says what each holds.
namespace kernelgen::own_files {

inline constexpr std::string_view project = "project.json";
inline constexpr std::string_view model_part = "model.json";
inline constexpr std::string_view history = "history.jsonl";
inline constexpr std::string_view rounds = "rounds";
inline constexpr std::string_view round_result = "result.json";  ///< in a round's folder, beside copies of the sources
inline constexpr std::string_view tunings = "tunings";
inline constexpr std::string_view comparisons = "comparisons";
inline constexpr std::string_view gate = "gate.json";
inline constexpr std::string_view gate_history = "gate.jsonl";
inline constexpr std::string_view log = "optimization_log.md";
inline constexpr std::string_view log_page = "optimization_log.html";
inline constexpr std::string_view log_charts = "optimization_log_charts";
inline constexpr std::string_view report = "kernel_report.md";
inline constexpr std::string_view report_page = "kernel_report.html";
inline constexpr std::string_view definition = "operator_definition.md";
inline constexpr std::string_view definition_page = "operator_definition.html";

inline constexpr std::string_view all[] = {
    project,      model_part, history,  rounds,     round_result, tunings,     comparisons, gate,
    gate_history, log,        log_page, log_charts, report,       report_page, definition,  definition_page};

}  // namespace kernelgen::own_files
