// SPDX-License-Identifier: Apache-2.0
#include <functional>
#include <numeric>
#include <set>

#include "core/base/text.h"
#include "core/project/launch_plan.h"
#include "core/report/definition_sections.h"
#include "core/report/log_sections.h"
#include "core/report/markdown.h"

namespace kernelgen {

namespace {

std::string programs_phrase(const Project& project, const Variant& variant, const Case& binding, std::size_t launch,
                            const Phrases& say) {
    const auto plan = plan_launches(project.definition, {variant, "", configuration_of(variant)}, binding);
    if (!plan) return as_prose(say.of_engine(plan.error().message));
    const auto& grid = plan->launches[launch].grid;
    return say.count(std::accumulate(grid.begin(), grid.end(), std::int64_t{1}, std::multiplies{}));
}

/// A library binds tensors by itself: it has no launch.
std::vector<std::string> library_row(const Project& project, const Variant& variant, const Phrases& say) {
    std::vector<std::string> row = {in_code(variant.name), std::string(to_string(variant.language)),
                                    as_prose(variant.library + " " + variant.primitive), say(Text::none),
                                    say(Text::none)};
    row.resize(row.size() + project.cases.size(), say(Text::none));
    return row;
}

std::string launches_text(const Project& project, const Phrases& say) {
    MarkdownTable table{say.all(Text::column_variant, Text::column_language, Text::column_entry, Text::column_grid,
                                Text::column_arguments),
                        {}};
    for (const Case& each : project.cases) table.header.push_back(say(Text::column_programs, as_prose(each.name)));
    for (const Variant& variant : project.variants) {
        if (variant.language == Language::library) table.rows.push_back(library_row(project, variant, say));
        for (std::size_t i = 0; i < variant.launches.size(); ++i) {
            const Launch& launch = variant.launches[i];
            table.rows.push_back({in_code(variant.name), std::string(to_string(variant.language)),
                                  in_code(launch.entry.empty() ? variant.entry : launch.entry), in_codes(launch.grid),
                                  in_codes(argument_texts(launch))});
            for (const Case& each : project.cases) {
                table.rows.back().push_back(programs_phrase(project, variant, each, i, say));
            }
        }
    }
    std::string values;
    for (const Variant& variant : project.variants) {
        if (variant.let.empty()) continue;
        values += paragraph(say(Text::let_values, in_code(variant.name), in_codes(variant.let)));
    }
    return heading(3, say(Text::launches)) + to_markdown(table) + values;
}

}  // namespace

std::string configurations_paragraph(const Variant& variant, const Phrases& say) {
    if (variant.configurations.empty()) return "";
    std::vector<std::string> rules;
    for (const ConfigurationRule& rule : variant.configurations) {
        std::vector<std::string> values;
        for (const auto& [name, value] : rule.values) values.push_back(name + "=" + std::to_string(value));
        rules.push_back(rule.when + ": " + join(values, " "));
    }
    return paragraph(say(Text::configurations_by_case, in_code(variant.name), in_codes(rules)));
}

namespace {

std::string tunables_text(const std::vector<Variant>& variants, const Phrases& say) {
    MarkdownTable table{say.all(Text::column_variant, Text::column_tunable, Text::column_values, Text::column_value),
                        {}};
    std::string limits;
    for (const Variant& variant : variants) {
        for (const Tunable& tunable : variant.tunables) {
            std::vector<std::string> values;
            for (const std::int64_t value : tunable.values) values.push_back(std::to_string(value));
            table.rows.push_back(
                {in_code(variant.name), in_code(tunable.name), join(values, ", "), std::to_string(tunable.value)});
        }
        if (variant.restrictions.empty()) continue;
        limits += paragraph(say(Text::restrictions, in_code(variant.name), in_codes(variant.restrictions)));
    }
    return heading(3, say(Text::tunables)) +
           (table.rows.empty() ? paragraph(say(Text::no_tunables)) : to_markdown(table)) + limits;
}

/// Names the tensors of `tensors` that are not passed to any launch.
std::string coverage_phrase(const std::vector<Tensor>& tensors, const std::set<std::string>& passed,
                            const Phrases& say) {
    std::vector<std::string> missing;
    for (const Tensor& tensor : tensors) {
        if (!passed.contains(tensor.name)) missing.push_back(tensor.name);
    }
    return missing.empty() ? say(Text::all_of) : say(Text::missing_of, in_codes(missing));
}

std::vector<std::string> consistency_row(const Operator& definition, const Variant& variant, const Phrases& say) {
    if (variant.language == Language::library || runs_in_python(variant.language)) {
        const bool is_library = variant.language == Language::library;
        const std::string bound = say(is_library ? Text::by_primitive : Text::by_function,
                                      as_prose(is_library ? variant.primitive : variant.entry));
        return {in_code(variant.name), bound, bound, bound};
    }
    std::set<std::string> passed;
    Diagnostics unknown;
    for (const Launch& launch : variant.launches) {
        passed.insert(launch.args.begin(), launch.args.end());
        for (const ConstantCopy& each : launch.constants) passed.insert(each.from);
        for (const TensorMap& each : launch.tensor_maps) passed.insert(each.tensor);
        if (const auto resolved = resolve_arguments(definition, variant, launch, variant.name); !resolved) {
            unknown.insert(unknown.end(), resolved.error().begin(), resolved.error().end());
        }
    }
    return {in_code(variant.name), coverage_phrase(definition.inputs, passed, say),
            coverage_phrase(definition.outputs, passed, say),
            unknown.empty() ? say(true) : as_prose(say.of_engine(to_string(unknown.front())))};
}

std::string consistency_text(const Project& project, const Phrases& say) {
    MarkdownTable table{
        say.all(Text::column_variant, Text::column_inputs_passed, Text::column_outputs_passed, Text::column_known), {}};
    for (const Variant& variant : project.variants) {
        table.rows.push_back(consistency_row(project.definition, variant, say));
    }
    return heading(2, say(Text::consistency_section)) +
           paragraph(say(Text::consistency_rule, in_code(project.definition.name))) + to_markdown(table);
}

}  // namespace

std::string implementation_sections(const Project& project, const std::optional<Body>& body, const Phrases& say) {
    if (project.variants.empty()) return heading(2, say(Text::strategy_section)) + paragraph(say(Text::no_variants));
    return heading(2, say(Text::strategy_section)) + launches_text(project, say) +
           tunables_text(project.variants, say) + strategy_sections(project, body, say) + remedy_section(project, say) +
           consistency_text(project, say);
}

}  // namespace kernelgen
