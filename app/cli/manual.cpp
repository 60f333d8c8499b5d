// SPDX-License-Identifier: Apache-2.0
#include "app/cli/manual.h"

#include <algorithm>
#include <format>

#include "core/base/text.h"
#include "core/base/version.h"

namespace kernelgen::cli {

namespace {

/// A text as roff shows it unchanged: a line that begins with a dot or a quote would be a request.
std::string roff(std::string_view text) {
    std::string escaped;
    bool is_first = true;
    for (const char each : text) {
        if (is_first && (each == '.' || each == '\'')) escaped += "\\&";
        if (each == '\\') escaped += "\\e";
        else if (each == '-') escaped += "\\-";
        else escaped += each;
        is_first = each == '\n';
    }
    return escaped;
}

/// Lines as they are, such as examples.
std::string as_written(std::string_view text) { return text.empty() ? "" : ".PP\n.nf\n" + roff(text) + "\n.fi\n"; }

std::string option_entry(const OptionOutline& option) {
    std::vector<std::string> names;
    for (const std::string& each : option.names) names.push_back("\\fB" + roff(each) + "\\fR");
    std::string entry = ".TP\n" + join(names, ", ");
    const bool is_positional = !option.names.front().starts_with('-');
    if (!option.choices.empty()) entry += " " + roff(join(option.choices, "|"));
    else if (option.takes_value && !is_positional) entry += " \\fI" + roff(option.value) + "\\fR";
    entry += "\n" + roff(option.about);
    if (!option.standard.empty()) entry += " (default: " + roff(option.standard) + ")";
    return entry + "\n";
}

std::string entries(const CommandOutline& command, bool with_help) {
    std::string text;
    for (const OptionOutline& each : command.positionals) text += option_entry(each);
    for (const OptionOutline& each : command.options)
        if (with_help || !std::ranges::contains(each.names, "--help")) text += option_entry(each);
    return text;
}

std::string command_section(const CommandOutline& command) {
    std::string synopsis = "\\fBkernelgen " + roff(command.name) + "\\fR [\\fIOPTIONS\\fR]";
    for (const OptionOutline& each : command.positionals) {
        const std::string name = "\\fI" + roff(each.names.front()) + "\\fR";
        synopsis += each.is_required ? " " + name : " [" + name + "]";
    }
    return std::format(".SS {}\n{}\n.PP\n{}\n", roff(command.name), synopsis, roff(command.about)) +
           entries(command, false) + as_written(command.footer);
}

}  // namespace

std::string manual_page(const ProgramOutline& outline) {
    const CommandOutline& program = outline.program;
    std::string page = std::format(
        ".\\\" -*- coding: utf-8 -*-\n.TH KERNELGEN 1 \"{}\" \"kernelgen {}\" \"User Commands\"\n"
        ".SH NAME\nkernelgen \\- verified, tuned and documented kernels of an operator\n"
        ".SH SYNOPSIS\n\\fBkernelgen\\fR [\\fIOPTIONS\\fR] \\fICOMMAND\\fR [\\fIARGUMENTS\\fR]\n"
        ".SH DESCRIPTION\n{}\n",
        release_date, version, roff(program.about));
    page += as_written(program.footer) + ".SH OPTIONS\n" + entries(program, true) + ".SH COMMANDS\n";
    for (const CommandOutline& each : outline.commands) page += command_section(each);
    return page + ".SH SEE ALSO\n.BR kernelgen\\-studio (1)\n";
}

}  // namespace kernelgen::cli
