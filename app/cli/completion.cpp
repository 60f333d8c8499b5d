// SPDX-License-Identifier: Apache-2.0
#include "app/cli/completion.h"

#include <algorithm>
#include <format>

#include "core/base/text.h"

namespace kernelgen::cli {

namespace {

std::string replaced_each(std::string text, std::string_view old, std::string_view by) {
    for (std::size_t at = text.find(old); at != std::string::npos; at = text.find(old, at + by.size()))
        text.replace(at, old.size(), by);
    return text;
}

std::vector<std::string> names_of_options(const CommandOutline& command) {
    std::vector<std::string> names;
    for (const OptionOutline& each : command.options) names.insert(names.end(), each.names.begin(), each.names.end());
    return names;
}

std::vector<std::string> names_of_commands(const ProgramOutline& outline) {
    std::vector<std::string> names;
    for (const CommandOutline& each : outline.commands) names.push_back(each.name);
    return names;
}

/// The options of a command after which a value follows, as patterns of a `case` of bash.
std::string bash_values(const CommandOutline& command) {
    std::string cases;
    std::vector<std::string> free;
    for (const OptionOutline& each : command.options) {
        if (!each.takes_value) continue;
        if (each.choices.empty()) free.insert(free.end(), each.names.begin(), each.names.end());
        else
            cases +=
                std::format("                {}) values='{}' ;;\n", join(each.names, " | "), join(each.choices, " "));
    }
    if (!free.empty()) cases += std::format("                {}) return ;;\n", join(free, " | "));
    return cases;
}

std::string bash_command(const CommandOutline& command, const CommandOutline& program) {
    std::vector<std::string> options = names_of_options(command);
    const std::vector<std::string> common = names_of_options(program);
    for (const std::string& each : common)
        if (!std::ranges::contains(options, each) && each != "--version") options.push_back(each);
    std::string values = bash_values(command), words;
    if (!values.empty()) values = "            case $previous in\n" + values + "            esac\n";
    for (const OptionOutline& each : command.positionals)
        if (!each.choices.empty()) words += std::format("            words='{}'\n", join(each.choices, " "));
    return std::format("        {})\n            options='{}'\n{}{}            ;;\n", command.name, join(options, " "),
                       words, values);
}

constexpr std::string_view bash_frame = R"(# bash completion of kernelgen, made by `kernelgen completion bash`
_kernelgen() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}} command='' i
    local options='' words='' values=''
    COMPREPLY=()
    [[ $previous == '=' ]] && previous=${{COMP_WORDS[COMP_CWORD - 2]}}
    for ((i = 1; i < COMP_CWORD; i++)); do
        if [[ ${{COMP_WORDS[i]}} == --worker ]]; then
            while ((i < COMP_CWORD)) && [[ ${{COMP_WORDS[i]}} != -- ]]; do i=$((i + 1)); done
            continue
        fi
        [[ ${{COMP_WORDS[i]}} == -* ]] || {{ command=${{COMP_WORDS[i]}} && break; }}
    done
    case $command in
        '')
            options='{}'
            words='{}'
            ;;
{}    esac
    if [ -n "$values" ]; then words=$values; elif [[ $current == -* ]]; then words=$options; fi
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}}
complete -o bashdefault -o default -F _kernelgen kernelgen
)";

/// A text of a specification of zsh's _arguments or _describe, in single quotes.
std::string zsh_text(std::string text) {
    for (const auto& [old, by] : {std::pair{"\\", "\\\\"}, {"[", "\\["}, {"]", "\\]"}, {":", "\\:"}, {"'", "'\\''"}})
        text = replaced_each(std::move(text), old, by);
    return text;
}

std::string zsh_values(const OptionOutline& option) {
    return option.choices.empty() ? "_files" : "(" + join(option.choices, " ") + ")";
}

std::string zsh_options(const CommandOutline& command) {
    std::string lines;
    for (const OptionOutline& each : command.options) {
        for (const std::string& name : each.names) {
            lines += std::format(" \\\n                '*{}[{}]", name, zsh_text(each.about));
            if (each.takes_value) lines += ":value:" + zsh_values(each);
            lines += "'";
        }
    }
    return lines;
}

std::string zsh_command(const CommandOutline& command, const CommandOutline& program) {
    std::string lines = std::format("        {})\n            _arguments", command.name) + zsh_options(command);
    for (const OptionOutline& each : program.options) {
        if (std::ranges::contains(each.names, "--json") || std::ranges::contains(each.names, "--worker"))
            lines += std::format(" \\\n                '{}[{}]{}'", each.names.back(), zsh_text(each.about),
                                 each.takes_value ? ":value:" + zsh_values(each) : "");
    }
    for (const OptionOutline& each : command.positionals)
        lines += std::format(" \\\n                '{}:{}:{}'", each.takes_many ? "*" : "",
                             zsh_text(each.names.front()), zsh_values(each));
    return lines + "\n            ;;\n";
}

constexpr std::string_view zsh_frame = R"(#compdef kernelgen
# zsh completion of kernelgen, made by `kernelgen completion zsh`
_kernelgen() {{
    local state line
    local -a commands
    local curcontext=$curcontext
    typeset -A opt_args
    commands=(
{}    )
    _arguments -C{} \
                '1: :->command' '*:: :->arguments'
    [[ $state == command ]] && {{ _describe command commands; return }}
    [[ $state == arguments ]] || return
    curcontext=${{curcontext%:*}}-$words[1]:
    case $words[1] in
{}    esac
}}
if [[ $funcstack[1] == _kernelgen ]]; then _kernelgen "$@"; else compdef _kernelgen kernelgen; fi
)";

std::string fish_text(std::string text) {
    for (const auto& [old, by] : {std::pair{"\\", "\\\\"}, {"'", "\\'"}})
        text = replaced_each(std::move(text), old, by);
    return "'" + text + "'";
}

std::string fish_option(const OptionOutline& option, const std::string& when) {
    std::string line = "complete -c kernelgen" + when;
    for (const std::string& name : option.names)
        line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (!option.choices.empty()) line += " -x -a " + fish_text(join(option.choices, " "));
    else if (option.takes_value) line += " -r -F";
    return line + " -d " + fish_text(option.about) + "\n";
}

std::string fish_command(const CommandOutline& command) {
    const std::string when = " -n '__fish_seen_subcommand_from " + command.name + "'";
    std::string lines = std::format("complete -c kernelgen -n __fish_use_subcommand -f -a {} -d {}\n", command.name,
                                    fish_text(command.about));
    for (const OptionOutline& each : command.positionals) {
        if (!each.choices.empty())
            lines += std::format("complete -c kernelgen{} -a {}\n", when, fish_text(join(each.choices, " ")));
    }
    for (const OptionOutline& each : command.options)
        if (!std::ranges::contains(each.names, "--help")) lines += fish_option(each, when);
    return lines;
}

}  // namespace

std::string bash_completion(const ProgramOutline& outline) {
    std::string commands;
    for (const CommandOutline& each : outline.commands) commands += bash_command(each, outline.program);
    return std::format(bash_frame, join(names_of_options(outline.program), " "), join(names_of_commands(outline), " "),
                       commands);
}

std::string zsh_completion(const ProgramOutline& outline) {
    std::string names, commands;
    for (const CommandOutline& each : outline.commands) {
        names += std::format("        '{}:{}'\n", each.name, zsh_text(each.about));
        commands += zsh_command(each, outline.program);
    }
    return std::format(zsh_frame, names, zsh_options(outline.program), commands);
}

std::string fish_completion(const ProgramOutline& outline) {
    std::string script = "# fish completion of kernelgen, made by `kernelgen completion fish`\n";
    for (const OptionOutline& each : outline.program.options) {
        const bool is_first = std::ranges::contains(each.names, "--version");
        script += fish_option(each, is_first ? " -n __fish_use_subcommand" : "");
    }
    for (const CommandOutline& each : outline.commands) script += fish_command(each);
    return script;
}

}  // namespace kernelgen::cli
