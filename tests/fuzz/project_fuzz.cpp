// SPDX-License-Identifier: Apache-2.0
// Any bytes as project.json: diagnostics, or a project that survives being saved and read again.
#include <cstdlib>
#include <iostream>

#include "core/project/project_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace kernelgen;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const Validated<Project> project = parse_project(text, "/project/project.json");
    if (!project) return 0;
    const Validated<Project> again = parse_project(project_text(*project), "/project/project.json");
    if (again && *again == *project) return 0;
    std::cerr << "not the same project after saving it:\n" << project_text(*project) << "\n";
    if (!again) std::cerr << to_string(again.error()) << "\n";
    std::abort();
}
