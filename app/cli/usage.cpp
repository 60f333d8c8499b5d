// SPDX-License-Identifier: Apache-2.0
#include "app/cli/usage.h"

#include <algorithm>

#include "core/base/text.h"

namespace kernelgen::cli {

namespace {

/// The commands that `kernelgen --help` lists; the others are started by workers only.
std::vector<std::string> command_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* each : app.get_subcommands([](const CLI::App* command) { return command->get_group() != ""; }))
        names.push_back(each->get_name());
    return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::Option* option : app.get_options([](const CLI::Option*) { return true; })) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
        for (const std::string& name : option->get_snames()) names.push_back("-" + name);
    }
    return names;
}

/// The command that was being read, or the program itself.
const CLI::App& command_of(const CLI::App& app) {
    const std::vector<CLI::App*> commands = app.get_subcommands();
    return commands.empty() ? app : *commands.front();
}

std::string called(const CLI::App& app) {
    const CLI::App& command = command_of(app);
    return &command == &app ? "kernelgen" : "kernelgen " + command.get_name();
}

std::string help_of(const CLI::App& app) { return "`" + called(app) + " --help` shows what it takes"; }

Diagnostic unknown_option(const CLI::App& app, const std::string& text) {
    const std::string name = text.substr(0, text.find('='));
    std::vector<std::string> known = option_names(app);
    if (const CLI::App& command = command_of(app); &command != &app) {
        const std::vector<std::string> own = option_names(command);
        known.insert(known.begin(), own.begin(), own.end());
    }
    const std::string near = did_you_mean(name, known);
    return {"", called(app), "unknown option `" + name + "`", near.empty() ? help_of(app) : near};
}

Diagnostics unknown_options(const CLI::App& app) {
    Diagnostics diagnostics;
    for (const std::string& each : app.remaining(true)) {
        if (each.starts_with('-') && each.size() > 1) diagnostics.push_back(unknown_option(app, each));
    }
    return diagnostics;
}

Diagnostic too_many(const CLI::App& app) {
    return {"", called(app), "too many arguments: `" + join(app.remaining(true), "`, `") + "`",
            "put what holds blanks in quotes; " + help_of(app)};
}

/// "PROJECT is required" with what PROJECT is.
Diagnostic missing(const CLI::App& app, const std::string& what) {
    const std::string name = what.substr(0, what.find(" is required"));
    const CLI::Option* option = command_of(app).get_option_no_throw(name);
    const std::string about = option == nullptr ? help_of(app) : "give " + name + ": " + option->get_description();
    return {"", called(app), name + " is missing", about};
}

/// "--note: At Most 1 required but received 2", "--note: 1 required TEXT missing".
Diagnostic mismatched(const CLI::App& app, const std::string& what) {
    const std::string name = what.substr(0, what.find(": "));
    if (what.contains("At Most")) return {"", called(app), name + " is given more than once", "give it once"};
    if (what.contains("missing")) return {"", called(app), name + " needs a value", help_of(app)};
    return {"", called(app), what, help_of(app)};
}

/// "Could not convert: ROUND = x".
Diagnostic unconverted(const CLI::App& app, const std::string& what) {
    const std::size_t begin = what.find(": "), equals = what.find(" = ");
    if (begin == std::string::npos || equals == std::string::npos) return {"", called(app), what, help_of(app)};
    const std::string name = what.substr(begin + 2, equals - begin - 2);
    return {"", called(app), name + ": `" + what.substr(equals + 3) + "` is no number that fits", help_of(app)};
}

}  // namespace

std::optional<Diagnostic> unknown_command(const CLI::App& app, const std::vector<std::string>& arguments) {
    const auto first = std::ranges::find_if(arguments, [](const std::string& each) { return !each.starts_with('-'); });
    if (first == arguments.end()) return std::nullopt;
    const auto is_named = [&](const CLI::App* command) { return command->get_name() == *first; };
    if (!app.get_subcommands(is_named).empty()) return std::nullopt;
    const std::vector<std::string> known = command_names(app);
    const std::string near = did_you_mean(*first, known);
    return Diagnostic{"", "kernelgen", "unknown command `" + *first + "`",
                      near.empty() ? "there are: " + join(known, ", ") : near};
}

Diagnostics usage_errors(const CLI::App& app, const CLI::ParseError& error) {
    const std::string what = error.what();
    // The value of an unknown option is read as an argument, which may then not fit.
    if (Diagnostics unknown = unknown_options(app); !unknown.empty()) return unknown;
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) return {too_many(app)};
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr) return {mismatched(app, what)};
    if (dynamic_cast<const CLI::ConversionError*>(&error) != nullptr) return {unconverted(app, what)};
    if (dynamic_cast<const CLI::RequiredError*>(&error) == nullptr) return {{"", called(app), what, help_of(app)}};
    if (app.get_subcommands().empty()) {
        return {{"", "kernelgen", "a command is missing", "there are: " + join(command_names(app), ", ")}};
    }
    return {missing(app, what)};
}

}  // namespace kernelgen::cli
