// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace kernelgen::cli {

/// What the shells' completion and the manual say of an option or a positional argument.
struct OptionOutline {
    std::vector<std::string> names;  ///< as they are written: "-o", "--output"; a positional has one: PROJECT
    std::string about;               ///< its line of the help
    std::string value = "VALUE";     ///< what it takes, as the page names it
    bool takes_value = false;        ///< a positional always does
    bool takes_many = false;         ///< several values, one after the other
    bool is_required = false;
    std::string standard;              ///< the value without it; "" where the help names none
    std::vector<std::string> choices;  ///< the values that it may have; empty where they are not listed
};

/// A command of the program, or the program itself.
struct CommandOutline {
    std::string name, about, footer;
    std::vector<OptionOutline> positionals, options;
};

struct ProgramOutline {
    CommandOutline program;
    std::vector<CommandOutline> commands;  ///< those that `kernelgen --help` lists
};

ProgramOutline outline_of(const CLI::App& app);

}  // namespace kernelgen::cli
