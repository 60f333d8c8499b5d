// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/completion.h"
#include "app/cli/manual.h"

namespace kernelgen::cli {

namespace {

constexpr const char* completion_examples = R"(Examples:
  kernelgen completion bash > ~/.local/share/bash-completion/completions/kernelgen
  kernelgen completion zsh > ~/.zfunc/_kernelgen          with fpath+=~/.zfunc before compinit in ~/.zshrc
  kernelgen completion fish > ~/.config/fish/completions/kernelgen.fish

The Debian package brings all three.)";

void print_completion(const CLI::App& app, const std::string& shell, const Context& context) {
    const ProgramOutline outline = outline_of(app);
    const std::string script = shell == "bash"  ? bash_completion(outline)
                               : shell == "zsh" ? zsh_completion(outline)
                                                : fish_completion(outline);
    if (context.json) print_json({{"shell", shell}, {"script", script}});
    else std::cout << script;
}

}  // namespace

void add_completion(CLI::App& app, Context& context) {
    auto shell = std::make_shared<std::string>();
    CLI::App* command = app.add_subcommand("completion", "A script that makes a shell complete commands and options");
    command->add_option("SHELL", *shell, "bash, zsh or fish")
        ->required()
        ->check(CLI::IsMember({"bash", "zsh", "fish"}));
    command->footer(completion_examples);
    command->callback([&app, shell, &context] { print_completion(app, *shell, context); });
    CLI::App* manual = app.add_subcommand("manual", "Print the manual page, for packages");
    manual->group("");
    manual->callback([&app, &context] {
        const std::string page = manual_page(outline_of(app));
        if (context.json) print_json({{"page", page}});
        else std::cout << page;
    });
}

}  // namespace kernelgen::cli
