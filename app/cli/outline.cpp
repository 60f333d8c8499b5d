// SPDX-License-Identifier: Apache-2.0
#include "app/cli/outline.h"

#include "core/base/text.h"

namespace kernelgen::cli {

namespace {

/// CLI11 keeps the values of IsMember in the type's name alone: "TEXT:{en,zh}".
std::vector<std::string> choices_in(const std::string& type) {
    const std::size_t begin = type.find('{'), end = type.find('}');
    if (begin == std::string::npos || end == std::string::npos) return {};
    return split(type.substr(begin + 1, end - begin - 1), ',');
}

OptionOutline outline_of_option(const CLI::Option& option) {
    OptionOutline outline{.names = {},
                          .about = option.get_description(),
                          .value = "VALUE",
                          .takes_value = option.get_items_expected_max() > 0,
                          .takes_many = option.get_items_expected_max() > 1,
                          .is_required = option.get_required(),
                          .standard = option.get_default_str(),
                          .choices = choices_in(option.get_type_name())};
    // "CMD…: reach the worker through this command"
    constexpr std::string_view many = "…: ";
    const std::size_t end = outline.about.find(many);
    if (end != std::string::npos && !outline.about.substr(0, end).contains(' ')) {
        outline.value = outline.about.substr(0, end) + "…";
        outline.about.erase(0, end + many.size());
    }
    if (option.get_positional()) outline.names.push_back(option.get_name(true));
    for (const std::string& name : option.get_snames()) outline.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) outline.names.push_back("--" + name);
    return outline;
}

CommandOutline outline_of_command(const CLI::App& command) {
    CommandOutline outline{command.get_name(), command.get_description(), command.get_footer(), {}, {}};
    for (const CLI::Option* option : command.get_options([](const CLI::Option*) { return true; })) {
        (option->get_positional() ? outline.positionals : outline.options).push_back(outline_of_option(*option));
    }
    return outline;
}

}  // namespace

ProgramOutline outline_of(const CLI::App& app) {
    ProgramOutline outline{outline_of_command(app), {}};
    for (const CLI::App* command : app.get_subcommands([](const CLI::App* each) { return each->get_group() != ""; })) {
        outline.commands.push_back(outline_of_command(*command));
    }
    return outline;
}

}  // namespace kernelgen::cli
