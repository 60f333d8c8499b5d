// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/cuda_source.h"

#include <algorithm>
#include <filesystem>
#include <format>
#include <optional>
#include <regex>

#include "core/backend/kernel_interface.h"
#include "core/backend/wrong_signature.h"
#include "core/base/text.h"
#include "core/project/name_expression.h"
#include "core/project/source_files.h"
#include "gpu/cuda/ptx_place.h"

namespace kernelgen {
namespace {

constexpr std::string_view indentation = "  ";  // of the source line that NVRTC shows under a message

constexpr std::string_view end_of_source = "At end of source";

// Text that is appended to a source. If the source does not end (an open brace, say), an error in the lines before the
// prototypes shows that: a linkage specification may stand only between declarations.
constexpr std::string_view appended_head = "extern \"C\" {}\n#include <stdint.h>\n";
constexpr int appended_head_lines = 2;
constexpr int first_demand_line = 101;                        // of the first launch; each launch has one line
constexpr std::string_view after_the_unit = "__nv_name_map";  // where NVRTC looks name expressions up

Result<std::vector<Argument>> arguments_of(const BuildRequest& request, const Launch& launch) {
    auto arguments = resolve_arguments(request.definition, request.implementation.variant, launch, "args");
    if (!arguments) return fail(to_string(arguments.error()));
    return std::move(*arguments);
}

std::string prototype(const BuildRequest& request, const Launch& launch, const std::vector<Argument>& arguments) {
    const std::string& entry = entry_of(request.implementation.variant, launch);
    return std::format("{}__global__ void {}({});", is_name_expression(entry) ? "" : "extern \"C\" ", entry,
                       parameter_list(request, arguments));
}

/// The line behind the source that a kernel of another signature fails: its prototype, or of a name expression a
/// conversion that only a pointer to the demanded type of function has.
std::string demand(const BuildRequest& request, const Launch& launch, const std::vector<Argument>& arguments) {
    const std::string& entry = entry_of(request.implementation.variant, launch);
    if (!is_name_expression(entry)) return prototype(request, launch, arguments);
    return std::format("static_assert(sizeof(static_cast<void (*)({})>(decltype(&{})(nullptr))) > 0);",
                       parameter_list(request, arguments), entry);
}

const Launch* launch_of(const Variant& variant, std::string_view entry) {
    const auto found =
        std::ranges::find_if(variant.launches, [&](const Launch& each) { return entry_of(variant, each) == entry; });
    return found == variant.launches.end() ? nullptr : &*found;
}

/// The name expression that a message in the line of its launch is of; "" where it is of something else.
std::string name_expression_at(const Variant& variant, int line) {
    const auto launch = static_cast<std::size_t>(line - first_demand_line);
    if (line < first_demand_line || launch >= variant.launches.size()) return "";
    const std::string& entry = entry_of(variant, variant.launches[launch]);
    return is_name_expression(entry) ? entry : "";
}

/// The further sources, each by the path that leads to it from beside the variant's own.
std::string further_sources_included(const Implementation& implementation) {
    const std::filesystem::path source = std::filesystem::path(implementation.variant.source).lexically_normal();
    std::string text;
    for (const std::string& each : translation_units(implementation)) {
        const std::filesystem::path path = std::filesystem::path(each).lexically_relative(source.parent_path());
        text += "#line 1 \"further sources of " + implementation.variant.name + "\"\n#include \"" +
                (source.has_parent_path() ? path.generic_string() : each) + "\"\n";
    }
    return text;
}

/// The column that the caret on the second line after a message points to; 0 where there is none.
int column_of(const std::vector<std::string>& lines, std::size_t message) {
    if (message + 2 >= lines.size() || !lines[message + 1].starts_with(indentation)) return 0;
    const std::size_t caret = lines[message + 2].find('^');
    if (caret == std::string::npos || trim(lines[message + 2]) != "^") return 0;
    return static_cast<int>(caret - indentation.size()) + 1;
}

/// Whether an error in what is appended to the source, or behind it, tells that the source itself does not end.
bool tells_open_end(const Variant& variant, const CompilerMessage& message) {
    if (message.severity != "error") return false;
    if (message.file == end_of_source) return true;
    return message.file == interface_name(variant) && message.line <= appended_head_lines &&
           kernel_quoted_in(variant, message.text, '"').empty();
}

/// The message for an entry that the compiler cannot look up: where the function is, and what the compiler says.
CompilerMessage no_kernel(const BuildRequest& request, const std::string& entry, const CompilerMessage& message) {
    const Implementation& implementation = request.implementation;
    CompilerMessage told = wrong_signature(implementation.variant.source, implementation.text, entry, "");
    told.text = say("`{}` names no kernel: {}", entry, message.text);
    return told;
}

/// An error in what a launch demands, as one of the kernel that it is of.
CompilerMessage of_kernel(const BuildRequest& request, const CompilerMessage& message) {
    const Variant& variant = request.implementation.variant;
    if (message.file != interface_name(variant) || message.severity != "error") return message;
    const std::string expression = name_expression_at(variant, message.line);
    if (!expression.empty() && message.text != "invalid type conversion")
        return no_kernel(request, expression, message);
    const std::string named = expression.empty() ? kernel_quoted_in(variant, message.text, '"') : expression;
    const std::string& entry = named.empty() ? variant.entry : named;
    const Launch* launch = launch_of(variant, entry);
    const auto arguments = launch == nullptr ? Result<std::vector<Argument>>(fail("")) : arguments_of(request, *launch);
    return wrong_signature(variant.source, request.implementation.text, entry,
                           arguments ? prototype(request, *launch, *arguments) : "");
}

std::string severity_of(const std::string& word) {
    if (word == "warning") return "warning";
    return word == "remark" || word == "note" || word == "info" ? "note" : "error";
}

/// A message of ptxas about a line of the PTX, moved to the line of the source that it comes from. It names the PTX
/// instruction, which in inline assembly is what the user wrote.
CompilerMessage of_ptx(const Variant& variant, std::string_view ptx, int line, CompilerMessage message) {
    const std::optional<PtxPlace> place = place_in_source(ptx, line);
    if (!place) return message;
    if (!place->instruction.empty()) message.text += " in PTX `" + place->instruction + "`";
    if (place->line == 0) return message;
    message.file = place->file.ends_with("/" + variant.source) ? variant.source : place->file;
    message.line = place->line;
    message.column = place->column;
    return message;
}

/// The message that begins on line `i` of a log, placed as NVRTC does.
std::optional<CompilerMessage> read_message(const BuildRequest& request, std::string_view ptx,
                                            const std::vector<std::string>& lines, std::size_t i) {
    static const std::regex located(
        R"(^(?:(.+?)\((\d+)\)|At end of source): (?:catastrophic |fatal |internal )?(error|warning|remark|note)(?: #[\w-]+)?: (.*)$)");
    static const std::regex unplaced(R"(^(?:nvrtc|ptxas)\b(?:.*?, line (\d+);)?.*?\b(error|fatal|warning)\s*: (.*)$)");
    const std::string& line = lines[i];
    std::smatch match;
    if (line.starts_with(indentation)) return std::nullopt;  // the user's source, shown under a message
    if (line.size() > 2000) return std::nullopt;             // std::regex recurses with the length
    if (std::regex_match(line, match, located)) {
        return CompilerMessage{match[1].matched ? match[1].str() : std::string(end_of_source), place_number(match[2]),
                               column_of(lines, i), severity_of(match[3]), match[4].str()};
    }
    if (!std::regex_match(line, match, unplaced)) return std::nullopt;
    const CompilerMessage message{"", 0, 0, severity_of(match[2]), match[3].str()};
    return of_ptx(request.implementation.variant, ptx, match[1].matched ? place_number(match[1]) : 0, message);
}

/// Whether a line such as ".const .align 4 .b8 d_filter[4356];" declares the variable.
bool declares_constant(std::string_view ptx, const std::string& name) {
    for (const std::string& line : split(ptx, '\n')) {
        if (!line.contains(".const ")) continue;
        if (line.contains(" " + name + "[") || line.contains(" " + name + ";") || line.contains(" " + name + " "))
            return true;
    }
    return false;
}

std::vector<CompilerMessage> missing_constants(const Variant& variant, std::string_view ptx) {
    std::vector<CompilerMessage> messages;
    for (const Launch& launch : variant.launches) {
        for (const ConstantCopy& each : launch.constants) {
            if (declares_constant(ptx, each.constant)) continue;
            messages.push_back({variant.source, 0, 0, "error",
                                say("nothing defines the constant `{}`; declare it as `__constant__` at the top of the "
                                    "source, outside of a namespace",
                                    each.constant)});
        }
    }
    return messages;
}

}  // namespace

Result<std::string> cuda_translation_unit(const BuildRequest& request) {
    const Variant& variant = request.implementation.variant;
    std::string demands;
    bool needs_header = false;
    for (const Launch& launch : variant.launches) {
        const auto arguments = arguments_of(request, launch);
        if (!arguments) return std::unexpected(arguments.error());
        needs_header = needs_header || needs_kernel_header(request, *arguments);
        demands += demand(request, launch, *arguments) + "\n";
    }
    const std::string name = interface_name(variant);
    return std::format("#line 1 \"{}\"\n{}\n{}#line 1 \"{}\"\n{}{}#line {} \"{}\"\n{}", variant.source,
                       request.implementation.text, further_sources_included(request.implementation), name,
                       appended_head, needs_header ? "#include <kernelgen.cuh>\n" : "", first_demand_line, name,
                       demands);
}

std::vector<CompilerMessage> parse_nvrtc_log(const BuildRequest& request, std::string_view log, std::string_view ptx) {
    const Variant& variant = request.implementation.variant;
    const std::vector<std::string> lines = split(log, '\n');
    std::vector<CompilerMessage> messages;
    bool is_open = false;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        std::optional<CompilerMessage> message = read_message(request, ptx, lines, i);
        if (message && message->file == after_the_unit) {
            if (tells_error(messages)) continue;  // it says the same again
            message = {variant.source, 0, 0, message->severity, message->text};
        }
        // Once the source is known to have an open end, messages from outside of the source are its consequence, and
        // are left out.
        if (!message || (is_open && message->file != variant.source)) continue;
        is_open = is_open || tells_open_end(variant, *message);
        messages.push_back(tells_open_end(variant, *message) ? open_end(variant.source, request.implementation.text)
                                                             : of_kernel(request, *message));
    }
    return messages;
}

std::vector<CompilerMessage> missing_symbols(const BuildRequest& request, const Artifact& artifact,
                                             std::string_view ptx) {
    const Variant& variant = request.implementation.variant;
    std::vector<CompilerMessage> messages = missing_constants(variant, ptx);
    for (const std::string& entry : entries_of(variant)) {
        const std::string defined = ".entry " + symbol_of(artifact, entry);
        if (ptx.contains(defined + "(") || ptx.contains(defined + "\n")) continue;
        messages.push_back({variant.source, 0, 0, "error",
                            is_name_expression(entry) ? say("nothing defines `{}`; the source only declares it", entry)
                                                      : say("nothing defines `{}`; a kernel is an `extern \"C\" "
                                                            "__global__` function of the name that `entry` "
                                                            "gives",
                                                            entry)});
    }
    return messages;
}

}  // namespace kernelgen
