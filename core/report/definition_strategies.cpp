// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/base/text.h"
#include "core/diagnose/rule.h"
#include "core/report/definition_sections.h"
#include "core/report/log_sections.h"
#include "core/report/markdown.h"
#include "core/round/noise.h"
#include "core/tensor/dtype.h"

namespace kernelgen {

namespace {

constexpr std::int64_t line_bytes = 64;  // of a cache

/// "4, 8" where the variant has such a tunable; else "–".
std::string values_of_tunable(const Variant& variant, std::string_view name, const Phrases& say) {
    const auto tunable = std::ranges::find(variant.tunables, name, &Tunable::name);
    if (tunable == variant.tunables.end()) return say(Text::none);
    std::vector<std::string> values;
    for (const std::int64_t each : tunable->values) values.push_back(std::to_string(each));
    return join(values, ", ");
}

std::string warps_text(const Project& project, const Phrases& say) {
    MarkdownTable table{{say(Text::column_variant), "num_warps", "num_stages", say(Text::column_block)}, {}};
    for (const Variant& each : project.variants) {
        if (each.language != Language::cuda && each.language != Language::triton) continue;
        const bool has_block = !each.launches.empty() && !each.launches.front().block.empty();
        table.rows.push_back({in_code(each.name), values_of_tunable(each, "num_warps", say),
                              values_of_tunable(each, "num_stages", say),
                              has_block ? in_codes(each.launches.front().block) : say(Text::none)});
    }
    return heading(3, say(Text::warps)) + (table.rows.empty() ? paragraph(say(Text::warps_none)) : to_markdown(table));
}

/// Bytes from one row to the next of a contiguous tensor, or nothing for one without axes.
std::optional<std::int64_t> row_bytes(const Tensor& tensor, const Case& binding) {
    if (tensor.shape.empty()) return std::nullopt;
    return extents(tensor, binding.sizes).back() * static_cast<std::int64_t>(size_of(dtype_of(tensor, binding)));
}

std::string access_text(const Project& project, const Phrases& say) {
    MarkdownTable table{say.all(Text::column_tensor, Text::column_last_axis), {}};
    for (const Case& each : project.cases) table.header.push_back(say(Text::row_bytes_of, as_prose(each.name)));
    for (const auto* tensors : {&project.definition.inputs, &project.definition.outputs}) {
        for (const Tensor& tensor : *tensors) {
            table.rows.push_back(
                {in_code(tensor.name), tensor.shape.empty() ? say(Text::scalar) : in_code(tensor.shape.back())});
            for (const Case& each : project.cases) {
                const auto bytes = row_bytes(tensor, each);
                const bool is_even = bytes && *bytes % line_bytes == 0;
                table.rows.back().push_back(
                    !bytes ? say(Text::none) : say(is_even ? Text::row_even : Text::row_uneven, say.count(*bytes)));
            }
        }
    }
    return heading(3, say(Text::access)) + paragraph(say(Text::access_rule, line_bytes)) + to_markdown(table);
}

/// The inputs that are broadcast: what they are read for once, and what they would be without reuse.
std::string reuse_text(const Project& project, const std::optional<Body>& body, const Phrases& say) {
    const std::string title = heading(3, say(Text::reuse));
    if (!body) return title + paragraph(say(Text::analysis_missing, as_prose(to_string(project.definition.family))));
    MarkdownTable table{say.all(Text::column_input, Text::column_case, Text::column_read_once, Text::column_read_often),
                        {}};
    for (const Tensor& input : project.definition.inputs) {
        for (const Case& each : project.cases) {
            const auto once = element_count(input, each.sizes);
            const auto often = element_count(Tensor{.name = "", .shape = body->space, .dtype = {}}, each.sizes);
            const auto bytes = static_cast<double>(size_of(dtype_of(input, each)));
            if (once && often && *often > *once)
                table.rows.push_back({in_code(input.name), as_prose(each.name),
                                      say.measure(bytes * static_cast<double>(*once), "B"),
                                      say.measure(bytes * static_cast<double>(*often), "B")});
        }
    }
    return title + paragraph(say(table.rows.empty() ? Text::reuse_none : Text::reuse_rule)) + to_markdown(table) +
           (body->has_reductions() ? paragraph(say(Text::data_flow_reductions, body->depth)) : "");
}

std::string shapes_text(const Project& project, const Phrases& say) {
    std::string rules;
    for (const Variant& each : project.variants) rules += configurations_paragraph(each, say);
    return heading(3, say(Text::dynamic_shapes)) + paragraph(say(Text::dynamic_shapes_rule)) + rules +
           dispatch_paragraph(project, say);
}

}  // namespace

std::string strategy_sections(const Project& project, const std::optional<Body>& body, const Phrases& say) {
    return warps_text(project, say) + access_text(project, say) + reuse_text(project, body, say) +
           shapes_text(project, say);
}

std::string remedy_section(const Project& project, const Phrases& say) {
    MarkdownTable table{say.all(Text::column_indicator, Text::column_goal, Text::column_remedy), {}};
    const Validated<RuleBook> book = load_rules();
    const std::map<std::string, double> goals = book ? book->goals : std::map<std::string, double>();
    const auto goal = [&](const Metric& metric) {
        const auto found = goals.find(std::string(metric.name));
        return found == goals.end() ? say(Text::no_goal) : "> " + say.percent(found->second);
    };
    table.rows = {
        {say(metrics::speedup), "≥ " + say.number(project.performance.target_speedup), say(Text::remedy_speedup)},
        {say(metrics::bandwidth_use), goal(metrics::bandwidth_use), say(Text::advice_memory)},
        {say(metrics::cache_hit_rate), goal(metrics::cache_hit_rate), say(Text::advice_cache)},
        {say(metrics::tail_waste), goal(metrics::tail_waste), say(Text::advice_parallelism)},
        {say(Text::compute_use), say(Text::no_goal), say(Text::advice_compute)},
        {say(metrics::relative_standard_deviation), "≤ " + say.percent(spread_limit), say(Text::advice_spread)}};
    std::string text = heading(2, say(Text::remedy_section)) + heading(3, say(Text::remedy_diagnosis)) +
                       paragraph(say(Text::remedy_diagnosis_rule)) + heading(3, say(Text::remedy_measures)) +
                       to_markdown(table) + heading(3, say(Text::remedy_record));
    for (const Text each : {Text::remedy_note, Text::remedy_lessons, Text::remedy_log}) text += bullet(say(each));
    return text + "\n";
}

}  // namespace kernelgen
