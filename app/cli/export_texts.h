// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/project/project.h"
#include "core/report/kernel_report.h"

namespace kernelgen::cli {

/// Of `--lang`: "zh", or English.
Tongue tongue_named(std::string_view language);

/// A document with its charts, and what it lacks.
struct Exported {
    Illustrated document;
    std::vector<std::string> warnings;
};

/// The optimization log.
Checked<Exported> exported_log(const Project& project, Tongue tongue);

/// The report on these projects; each path is a project's or that of a folder of projects.
Checked<Exported> exported_report(const std::vector<std::string>& paths, Tongue tongue);

/// The document's file: Markdown, whose pictures are left out, or a page.
std::string text_of(const Illustrated& document, bool as_page, Tongue tongue);

}  // namespace kernelgen::cli
