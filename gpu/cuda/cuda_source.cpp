// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/cuda_source.h"

#include <algorithm>
#include <format>
#include <regex>

#include "core/backend/kernel_interface.h"
#include "core/base/text.h"

namespace kernelgen {
namespace {

constexpr std::string_view indentation = "  ";  // of the source line that NVRTC shows under a message

std::string interface_name(const Variant& variant) { return "interface of " + variant.name; }

Result<std::vector<Argument>> arguments_of(const BuildRequest& request, const Launch& launch) {
    auto arguments = resolve_arguments(request.definition, request.implementation.variant, launch, "args");
    if (!arguments) return fail(to_string(arguments.error()));
    return std::move(*arguments);
}

std::string prototype(const BuildRequest& request, const Launch& launch, const std::vector<Argument>& arguments) {
    return std::format("extern \"C\" __global__ void {}({});", entry_of(request.implementation.variant, launch),
                       parameter_list(request, arguments));
}

const Launch* launch_of(const Variant& variant, std::string_view entry) {
    const auto found =
        std::ranges::find_if(variant.launches, [&](const Launch& each) { return entry_of(variant, each) == entry; });
    return found == variant.launches.end() ? nullptr : &*found;
}

/// The line on which `entry` is first followed by a parenthesis; 0 where there is none.
int line_of(std::string_view text, const std::string& entry) {
    const std::regex call("(^|[^A-Za-z0-9_])" + entry + R"(\s*\()");
    int line = 0;
    for (const std::string& each : split(text, '\n')) {
        ++line;
        if (each.size() < 2000 && std::regex_search(each, call)) return line;
    }
    return 0;
}

/// The error of a kernel that is not what its launch demands.
CompilerMessage wrong_signature(const BuildRequest& request, const std::string& entry) {
    const Variant& variant = request.implementation.variant;
    const Launch* launch = launch_of(variant, entry);
    const auto arguments = launch == nullptr ? Result<std::vector<Argument>>(fail("")) : arguments_of(request, *launch);
    const std::string demanded = arguments ? ": `" + prototype(request, *launch, *arguments) + "`" : "";
    return {
        variant.source, line_of(request.implementation.text, entry), 0, "error",
        "the signature of `" + entry + "` is not the one that the launch's `args` and the dtypes demand" + demanded};
}

/// The column that the caret on the second line after a message points to; 0 where there is none.
int column_of(const std::vector<std::string>& lines, std::size_t message) {
    if (message + 2 >= lines.size() || !lines[message + 1].starts_with(indentation)) return 0;
    const std::size_t caret = lines[message + 2].find('^');
    if (caret == std::string::npos || trim(lines[message + 2]) != "^") return 0;
    return static_cast<int>(caret - indentation.size()) + 1;
}

/// The entry that a message about a prototype names in quotes.
std::string quoted_entry(const Variant& variant, const std::string& text) {
    for (const std::string& entry : entries_of(variant)) {
        if (text.find("\"" + entry) != std::string::npos) return entry;
    }
    return variant.entry;
}

std::string severity_of(const std::string& word) {
    if (word == "warning") return "warning";
    return word == "remark" || word == "note" || word == "info" ? "note" : "error";
}

}  // namespace

std::vector<std::string> entries_of(const Variant& variant) {
    std::vector<std::string> entries;
    for (const Launch& launch : variant.launches) {
        const std::string& entry = entry_of(variant, launch);
        if (std::ranges::find(entries, entry) == entries.end()) entries.push_back(entry);
    }
    return entries;
}

Result<std::string> cuda_translation_unit(const BuildRequest& request) {
    const Variant& variant = request.implementation.variant;
    std::string prototypes;
    bool needs_header = false;
    for (const Launch& launch : variant.launches) {
        const auto arguments = arguments_of(request, launch);
        if (!arguments) return std::unexpected(arguments.error());
        needs_header = needs_header || needs_kernel_header(request, *arguments);
        prototypes += prototype(request, launch, *arguments) + "\n";
    }
    return std::format("#line 1 \"{}\"\n{}\n#line 1 \"{}\"\n#include <stdint.h>\n{}{}", variant.source,
                       request.implementation.text, interface_name(variant),
                       needs_header ? "#include <kernelgen.cuh>\n" : "", prototypes);
}

std::vector<CompilerMessage> parse_nvrtc_log(const BuildRequest& request, std::string_view log) {
    static const std::regex located(
        R"(^(.+?)\((\d+)\): (?:catastrophic |fatal |internal )?(error|warning|remark|note)(?: #[\w-]+)?: (.*)$)");
    static const std::regex unplaced(R"(^(?:nvrtc|ptxas)\b.*?\b(error|fatal|warning)\s*: (.*)$)");
    const Variant& variant = request.implementation.variant;
    const std::vector<std::string> lines = split(log, '\n');
    std::vector<CompilerMessage> messages;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        std::smatch match;
        if (lines[i].size() > 2000) continue;  // std::regex recurses with the length
        if (std::regex_match(lines[i], match, located)) {
            const std::string severity = severity_of(match[3]);
            if (match[1] == interface_name(variant) && severity == "error") {
                messages.push_back(wrong_signature(request, quoted_entry(variant, match[4])));
            } else {
                messages.push_back({match[1], std::stoi(match[2]), column_of(lines, i), severity, match[4]});
            }
        } else if (std::regex_match(lines[i], match, unplaced)) {
            messages.push_back({"", 0, 0, severity_of(match[1]), match[2]});
        }
    }
    return messages;
}

std::vector<CompilerMessage> missing_entries(const BuildRequest& request, std::string_view ptx) {
    const Variant& variant = request.implementation.variant;
    std::vector<CompilerMessage> messages;
    for (const std::string& entry : entries_of(variant)) {
        if (ptx.find(".entry " + entry + "(") != std::string_view::npos ||
            ptx.find(".entry " + entry + "\n") != std::string_view::npos) {
            continue;
        }
        messages.push_back({variant.source, 0, 0, "error",
                            "nothing defines `" + entry +
                                "`; a kernel is an `extern \"C\" __global__` function of the name that `entry` gives"});
    }
    return messages;
}

}  // namespace kernelgen
