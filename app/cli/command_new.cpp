// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/print.h"
#include "core/base/text.h"
#include "core/files/sources.h"
#include "core/generate/generate.h"
#include "core/project/attribute_value.h"
#include "core/project/project_file.h"

namespace kernelgen::cli {

namespace {

constexpr const char* new_examples = R"(Examples:
  kernelgen new scaled --name scaled --body "out = x * sigmoid(1.702 * x) + residual" \
      --input x:P,D --input residual:P,D --output out:P,D
  kernelgen new norm --name norm --body "m = row_mean(x); out = (x - m) * rsqrt(row_var(x) + eps) * gamma" \
      --input x:P,D --input gamma:D:f32 --output out:P,D --attribute eps=1e-5

A tensor is NAME:DIM,DIM…[:DTYPE][:DOMAIN]; dimensions are symbols or numbers, outermost first. The DOMAIN of an input
says which values it may have: x:P,D:positive, x:P,D:-1..1, "index:P:i32:integers 0..9".)";

struct NewOptions {
    std::string folder, name, body, description;
    std::vector<std::string> inputs, outputs, attributes, constraints, cases;
};

std::string dtype_names() {
    std::string names;
    for (const DType dtype : all_dtypes) names += (names.empty() ? "" : ", ") + std::string(to_string(dtype));
    return names;
}

Result<Tensor> parse_tensor(const std::string& text) {
    const std::vector<std::string> parts = split(text, ':');
    if (parts.size() < 2 || parts.size() > 4 || parts[0].empty()) {
        return fail("`" + text + "` is not NAME:DIM,DIM…[:DTYPE][:DOMAIN], such as x:P,D");
    }
    Tensor tensor{.name = parts[0], .shape = {}, .dtype = {}};
    if (!parts[1].empty()) tensor.shape = split(parts[1], ',');
    for (std::size_t i = 2; i < parts.size(); ++i) {
        const auto dtype = i == 2 ? parse_dtype(parts[i]) : std::nullopt;
        const auto domain = i == 3 || parts.size() == 3 ? parse_domain(parts[i]) : std::nullopt;
        if (dtype) tensor.dtype = dtype;
        else if (domain) tensor.domain = domain;
        else
            return fail("`" + parts[i] + "` of tensor `" + tensor.name + "` is no dtype (" + dtype_names() +
                        "), and no domain such as `positive`");
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

Validated<Operator> definition_of(const NewOptions& options) {
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

/// The option that a place of project.json comes from: `--input x:P,D` of "operator.inputs[0].shape".
std::string option_of(const std::string& where, const NewOptions& options) {
    const std::pair<std::string_view, const std::vector<std::string>*> lists[] = {
        {"operator.inputs[", &options.inputs},
        {"operator.outputs[", &options.outputs},
        {"operator.constraints[", &options.constraints},
        {"cases[", &options.cases}};
    constexpr const char* names[] = {"--input", "--output", "--constraint", "--case"};
    for (std::size_t i = 0; i < std::size(lists); ++i) {
        if (!where.starts_with(lists[i].first)) continue;
        const std::size_t index = std::strtoul(where.c_str() + lists[i].first.size(), nullptr, 10);
        return index < lists[i].second->size() ? names[i] + (" " + (*lists[i].second)[index]) : names[i];
    }
    constexpr std::string_view attribute = "operator.attributes.";
    for (const std::string& each : options.attributes) {
        const std::string name = each.substr(0, each.find('='));
        if (where == std::string(attribute) + name) return "--attribute " + each;
    }
    if (where.starts_with("operator.name")) return "--name";
    return where.starts_with("operator.symbols") ? "a dimension" : where;
}

/// The errors in what the user wrote. Errors of what was generated from it are left out where there are such errors:
/// they follow from them.
Diagnostics problems_of(const Project& project, const NewOptions& options) {
    Diagnostics problems = validate(project), own;
    for (Diagnostic& each : problems) {
        each.file.clear();
        const bool is_own = each.where.starts_with("operator") || each.where.starts_with("cases");
        each.where = option_of(each.where, options);
        if (is_own) own.push_back(each);
    }
    return own.empty() ? problems : own;
}

int new_command(const NewOptions& options, Context& context) {
    const Validated<Operator> definition = definition_of(options);
    if (!definition) return report(context, definition.error());
    Validated<Project> project = make_project(*definition);
    if (!project) return report(context, project.error());
    std::vector<Case> cases;
    for (const std::string& text : options.cases) {
        const Result<Case> binding = parse_ad_hoc_case(text, *definition);
        if (!binding) return report(context, Diagnostics{{"", "--case", binding.error().message, ""}});
        cases.push_back(*binding);
    }
    if (!cases.empty()) project->cases = cases;
    project->folder = options.folder;
    if (const Diagnostics problems = problems_of(*project, options); !problems.empty()) {
        return report(context, problems);
    }
    const Result<void> written = create_project(*project);
    if (!written) return report(context, written.error());
    if (context.json) {
        print_json({{"project", project->folder.string()}});
    } else {
        std::cout << "made " << project->folder.string() << "; next: kernelgen run "
                  << in_shell(project->folder.string()) << "\n";
    }
    return exit_done;
}

}  // namespace

void add_new(CLI::App& app, Context& context) {
    auto options = std::make_shared<NewOptions>();
    CLI::App* command = app.add_subcommand("new", "Make a project with generated sources from a definition");
    command->add_option("DIR", options->folder, "The project's folder; must not hold a project yet")->required();
    command->add_option("--name", options->name, "The operator's name, an identifier")->required();
    command->add_option("--body", options->body, "Its body: assignments separated by ;")->required();
    const auto list = [&](const char* name, std::vector<std::string>& values, const char* help) {
        return command->add_option(name, values, help)->allow_extra_args(false);
    };
    list("--input", options->inputs, "NAME:DIM,DIM…[:DTYPE][:DOMAIN]; repeatable");
    list("--output", options->outputs, "NAME:DIM,DIM…[:DTYPE]; repeatable")->required();
    list("--attribute", options->attributes,
         "NAME=VALUE: a number (1e-5, 2.0), an integer (2), true or false; repeatable");
    list("--constraint", options->constraints, "A condition on the symbols, such as \"D % 2 == 0\"; repeatable");
    list("--case", options->cases, "\"P=4096,D=4096,dtype=f32\"; repeatable; default: chosen for the operator");
    command->add_option("--description", options->description, "What it is for; the definition document says it");
    command->footer(new_examples);
    command->callback([options, &context] { context.exit_status = new_command(*options, context); });
}

}  // namespace kernelgen::cli
