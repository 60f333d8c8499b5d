// SPDX-License-Identifier: Apache-2.0
#include "app/cli/export_texts.h"

#include "core/files/sources.h"
#include "core/round/history.h"

namespace kernelgen::cli {

Tongue tongue_named(std::string_view language) { return language == "zh" ? Tongue::chinese : Tongue::english; }

Checked<ExportedLog> exported_log(const Project& project, Tongue tongue) {
    const Result<History> history = load_history(project.folder);
    if (!history) return std::unexpected(as_diagnostics(history.error()));
    ExportedLog log{"", history->warnings};
    const Result<Consistency> checked = check_consistency(project, source_texts(project));
    if (!checked) log.warnings.push_back("the log is without its checklist: " + checked.error().message);
    log.text = optimization_log(project, *history, tongue, all_rounds, {}, checked ? &*checked : nullptr);
    return log;
}

}  // namespace kernelgen::cli
