// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/toolkit_headers.h"

#include <algorithm>
#include <regex>
#include <string>

#include "core/base/file.h"
#include "core/base/text.h"
#include "gpu/cuda/library_places.h"

namespace kernelgen {

namespace fs = std::filesystem;

namespace {

/// The header that the compiler did not find; "" of another message.
std::string header_not_found(const std::string& text) {
    constexpr std::string_view begin = "cannot open source file \"";
    if (!text.starts_with(begin)) return "";
    return text.substr(begin.size(), text.rfind('"') - begin.size());
}

bool is_header_of_toolkit(const std::string& header) {
    constexpr std::string_view beginnings[] = {"cub/",    "cuda/",     "thrust/", "nv/",
                                               "cuda_fp", "cuda_bf16", "curand",  "cooperative_groups"};
    return std::ranges::any_of(beginnings, [&](std::string_view each) { return header.starts_with(each); });
}

/// The line of the project's file, or the file of this machine, that a message is about.
std::string line_of(const CompilerMessage& message, const Implementation& implementation) {
    const auto included = implementation.files.find(message.file);
    const std::string text = message.file == implementation.variant.source ? implementation.text
                             : included != implementation.files.end()      ? included->second
                                                                           : read_file(message.file).value_or("");
    const std::vector<std::string> lines = split(text, '\n');
    const auto line = static_cast<std::size_t>(message.line);
    return message.line > 0 && line <= lines.size() ? lines[line - 1] : "";
}

/// The first tunable whose name, which is a macro, is a word of a line; "" where there is none.
std::string tunable_in(const std::string& line, const Configuration& tunables) {
    for (const auto& [name, value] : tunables) {
        if (std::regex_search(line, std::regex("\\b" + name + "\\b"))) return name;
    }
    return "";
}

/// The message for an error in a file that is not the toolkit's, with what to do.
Said with_advice_to_user(const std::vector<fs::path>& toolkit, const CompilerMessage& message,
                         const Implementation& implementation) {
    const Said& text = message.text;
    const std::string line = line_of(message, implementation);
    const std::string tunable = tunable_in(line, implementation.configuration);
    if (!tunable.empty() && text.text().starts_with("expected a") && trim(line).starts_with("template"))
        return say("{}; `{}` is a tunable, a macro: give the template's parameter another name", text, tunable);
    const std::string header = header_not_found(text);
    if (header.empty()) return text;
    if (toolkit.empty() && is_header_of_toolkit(header))
        return say("{}; no CUDA toolkit is beside NVRTC: install one, or name its folder in CUDA_HOME", text);
    std::error_code error;
    for (const fs::path& folder : toolkit) {
        if (fs::is_regular_file(folder / "cuda" / "std" / header, error))
            return say("{}; NVRTC has no C++ library: include <cuda/std/{}>, whose names are in `cuda::std`", text,
                       header);
    }
    return text;
}

/// The same of an error in a header of the toolkit.
Said with_advice_in_toolkit(const CompilerMessage& message, const Implementation& implementation) {
    const std::string tunable = tunable_in(line_of(message, implementation), implementation.configuration);
    if (!tunable.empty())
        return say(
            "{}; this header of the toolkit has a name of its own that is the tunable `{}`, a macro: give the tunable "
            "another name",
            message.text, tunable);
    if (header_not_found(message.text).empty() && !message.text.text().contains("__host__")) return message.text;
    return say(
        "{}; this header of the toolkit has code for the host, which NVRTC does not compile: include only what kernels "
        "use, such as <cub/block/…>",
        message.text);
}

bool lies_in(const std::vector<fs::path>& folders, const std::string& file) {
    return std::ranges::any_of(folders, [&](const fs::path& each) { return file.starts_with(each.string() + "/"); });
}

}  // namespace

std::vector<fs::path> toolkit_include_folders(const NvrtcLibrary& library) {
    const fs::path beside = library.path.parent_path().parent_path();
    const fs::path wheels = beside.parent_path();  // of CUDA 12, a wheel for each part of the toolkit
    std::vector<fs::path> places = {beside / "include", wheels / "cuda_runtime" / "include"};
    for (const fs::path& toolkit : cuda::toolkit_folders()) places.push_back(toolkit / "include");
    std::error_code error;
    const auto found =
        std::ranges::find_if(places, [&](const fs::path& each) { return fs::exists(each / "cuda_fp16.h", error); });
    if (found == places.end()) return {};
    std::vector<fs::path> folders = {*found};
    for (const fs::path& cccl : {*found / "cccl", wheels / "cuda_cccl" / "include"}) {
        if (fs::exists(cccl, error)) folders.push_back(cccl);
    }
    return folders;
}

void explain_error(const std::vector<fs::path>& toolkit, const Implementation& implementation,
                   std::vector<CompilerMessage>& messages) {
    const auto first = std::ranges::find(messages, "error", &CompilerMessage::severity);
    if (first == messages.end()) return;
    first->text = lies_in(toolkit, first->file) ? with_advice_in_toolkit(*first, implementation)
                                                : with_advice_to_user(toolkit, *first, implementation);
}

}  // namespace kernelgen
