// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/project/project.h"
#include "core/report/kernel_report.h"

namespace kernelgen::cli {

/// The language that `--lang` names: "zh" is Chinese, anything else English.
Tongue tongue_named(std::string_view language);

/// The text of a document's file, and what it lacks.
struct Exported {
    std::string text;
    std::vector<Said> warnings;
};

/// The form and the language of an exported document.
struct ExportForm {
    Tongue tongue = Tongue::english;
    bool is_page = false;  ///< a page with charts, else Markdown
};

/// The optimization log.
Validated<Exported> exported_log(const Project& project, const ExportForm& form);

/// The report on these projects; each path is a project's or that of a folder of projects.
Validated<Exported> exported_report(const std::vector<std::string>& paths, const ExportForm& form);

/// The name of the file of the log, or of the report, in its folder.
std::string export_name(bool is_report, bool is_page);

/// A document as it is written to a file.
std::string text_of(const Illustrated& document, const ExportForm& form);

}  // namespace kernelgen::cli
