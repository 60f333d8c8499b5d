// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "core/base/text.h"
#include "core/engine/sources.h"
#include "core/generate/generate.h"
#include "core/project/attribute_value.h"
#include "core/project/project_file.h"

namespace kernelgen::cli {

namespace {

constexpr const char* examples = R"(Examples:
  kernelgen new scaled --name scaled --body "out = x * sigmoid(1.702 * x) + residual" \
      --input x:P,D --input residual:P,D --output out:P,D
  kernelgen new norm --name norm --body "m = row_mean(x); out = (x - m) * rsqrt(row_var(x) + eps) * gamma" \
      --input x:P,D --input gamma:D:f32 --output out:P,D --attribute eps=1e-5

A tensor is NAME:DIM,DIM…[:DTYPE]; dimensions are symbols or numbers, outermost first.)";

struct Options {
    std::string folder, name, body, description;
    std::vector<std::string> inputs, outputs, attributes, constraints, cases;
};

Result<Tensor> parse_tensor(const std::string& text) {
    const std::vector<std::string> parts = split(text, ':');
    if (parts.size() < 2 || parts.size() > 3 || parts[0].empty()) {
        return fail("`" + text + "` is not NAME:DIM,DIM…[:DTYPE], such as x:P,D");
    }
    Tensor tensor{.name = parts[0], .shape = {}, .dtype = {}};
    if (!parts[1].empty()) tensor.shape = split(parts[1], ',');
    if (parts.size() == 3) {
        tensor.dtype = parse_dtype(parts[2]);
        if (!tensor.dtype) return fail("`" + parts[2] + "` of tensor `" + tensor.name + "` is no dtype");
    }
    return tensor;
}

/// Dimensions that are not numbers, in order of appearance.
void collect_symbols(const Tensor& tensor, std::vector<std::string>& symbols) {
    for (const std::string& dimension : tensor.shape) {
        long long number = 0;
        if (parse_integer(dimension, number) || std::ranges::find(symbols, dimension) != symbols.end()) continue;
        symbols.push_back(dimension);
    }
}

Checked<Operator> definition_of(const Options& options) {
    Diagnostics diagnostics;
    Operator definition;
    definition.name = options.name;
    definition.body = options.body;
    definition.description = options.description;
    definition.constraints = options.constraints;
    const auto add = [&](const std::vector<std::string>& texts, const char* option, std::vector<Tensor>& tensors) {
        for (const std::string& text : texts) {
            const Result<Tensor> tensor = parse_tensor(text);
            if (!tensor) {
                diagnostics.push_back({"", option, tensor.error().message, ""});
                continue;
            }
            collect_symbols(*tensor, definition.symbols);
            tensors.push_back(*tensor);
        }
    };
    add(options.inputs, "--input", definition.inputs);
    add(options.outputs, "--output", definition.outputs);
    for (const std::string& text : options.attributes) {
        const std::size_t equals = text.find('=');
        const auto attribute = equals == std::string::npos
                                   ? std::nullopt
                                   : parse_attribute(text.substr(0, equals), text.substr(equals + 1));
        if (attribute) definition.attributes.push_back(*attribute);
        else
            diagnostics.push_back(
                {"", "--attribute", "`" + text + "` is not NAME=VALUE", "such as eps=1e-5, axis=-1 or causal=true"});
    }
    if (!diagnostics.empty()) return std::unexpected(std::move(diagnostics));
    return definition;
}

int new_command(const Options& options, Context& context) {
    const Checked<Operator> definition = definition_of(options);
    if (!definition) return report(definition.error());
    Checked<Project> project = make_project(*definition);
    if (!project) return report(project.error());
    std::vector<Case> cases;
    for (const std::string& text : options.cases) {
        const Result<Case> binding = parse_ad_hoc_case(text, *definition);
        if (!binding) return report(Diagnostics{{"", "--case", binding.error().message, ""}});
        cases.push_back(*binding);
    }
    if (!cases.empty()) project->cases = cases;
    project->folder = options.folder;
    const Result<void> written = create_project(*project);
    if (!written) return report(written.error());
    if (context.json) {
        print_json({{"project", project->folder.string()}});
    } else {
        std::cout << "made " << project->folder.string() << "; next: kernelgen run " << project->folder.string()
                  << "\n";
    }
    return exit_done;
}

}  // namespace

void add_new(CLI::App& app, Context& context) {
    auto options = std::make_shared<Options>();
    CLI::App* command = app.add_subcommand("new", "Make a project with generated sources from a definition");
    command->add_option("DIR", options->folder, "The project's folder; must not hold a project yet")->required();
    command->add_option("--name", options->name, "The operator's name, an identifier")->required();
    command->add_option("--body", options->body, "Its body: assignments separated by ;")->required();
    const auto list = [&](const char* name, std::vector<std::string>& values, const char* help) {
        return command->add_option(name, values, help)->allow_extra_args(false);
    };
    list("--input", options->inputs, "NAME:DIM,DIM…[:DTYPE]; repeatable");
    list("--output", options->outputs, "NAME:DIM,DIM…[:DTYPE]; repeatable")->required();
    list("--attribute", options->attributes, "NAME=VALUE: a number (1e-5, 2.0), an integer (2), true or false; repeatable");
    list("--constraint", options->constraints, "A condition on the symbols, such as \"D % 2 == 0\"; repeatable");
    list("--case", options->cases, "\"P=4096,D=4096,dtype=f32\"; repeatable; default: chosen for the operator");
    command->add_option("--description", options->description, "What it is for; the definition document says it");
    command->footer(examples);
    command->callback([options, &context] { context.exit_status = new_command(*options, context); });
}

}  // namespace kernelgen::cli
