// SPDX-License-Identifier: Apache-2.0
#include "core/tune/t1_export.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/json_reader.h"
#include "core/base/text.h"
#include "core/lang/integer_expression.h"
#include "core/tune/t1_expression.h"

namespace kernelgen {

using nlohmann::ordered_json;

namespace {

ordered_json parameter_of(const Tunable& tunable) {
    std::vector<std::string> values;
    for (const std::int64_t each : tunable.values) values.push_back(std::to_string(each));
    return {{"Name", tunable.name},
            {"Type", "int"},
            {"Values", "[" + join(values, ", ") + "]"},
            {"Default", tunable.value}};
}

/// "1" where there is none, or one that cannot be written.
ordered_json axes_of(const std::vector<std::string>& texts, const T1Expressions& expressions) {
    const char* names[] = {"X", "Y", "Z"};
    ordered_json axes = {{"X", "1"}};
    for (std::size_t i = 0; i < std::min(texts.size(), std::size(names)); ++i) {
        const Result<T1Text> written = expressions.write(texts[i]);
        axes[names[i]] = written ? written->text : "1";
    }
    return axes;
}

ordered_json kernel_of(const TuningHead& head, const Variant* variant, const T1Expressions& expressions) {
    const bool is_known = variant != nullptr;
    const Launch launch = is_known && !variant->launches.empty() ? variant->launches.front() : Launch();
    ordered_json kernel = {{"Language", is_known && variant->language == Language::cuda ? "CUDA" : "Hypertuner"},
                           {"BenchmarkName", head.project},
                           {"KernelName", is_known ? variant->entry : head.variant},
                           {"KernelFile", is_known ? variant->source : ""},
                           {"Device", {{"Name", head.device}}},
                           {"GlobalSizeType", "CUDA"},
                           {"GlobalSize", axes_of(launch.grid, expressions)},
                           {"LocalSize", axes_of(launch.block, expressions)}};
    if (!launch.entry.empty()) kernel["KernelName"] = launch.entry;
    if (is_known && !variant->flags.empty()) kernel["CompilerOptions"] = variant->flags;
    const Result<T1Text> shared = expressions.write(launch.shared_bytes);
    if (shared && shared->value) kernel["SharedMemory"] = *shared->value;
    return kernel;
}

std::vector<std::string> names_in(const std::string& text) {
    const auto expression = IntegerExpression::parse(text, "condition");
    return expression ? expression->names() : std::vector<std::string>();
}

/// A condition without its outermost parentheses. Kernel Tuner's solver takes a condition without `and` and `or` apart:
/// wrongly where several numbers are compared, or something is divided or subtracted. Then a condition that always
/// holds is added.
std::string condition_of(const std::string& text) {
    const std::string inner = text.starts_with("(") ? text.substr(1, text.size() - 2) : text;
    const bool has_words = inner.contains(" and ") || inner.contains(" or ");
    const bool is_plain =
        !inner.contains('-') && !inner.contains('/') && inner.find_first_of("<>") == inner.find_last_of("<>");
    return has_words || is_plain ? inner : inner + " and 1 == 1";
}

}  // namespace

Result<ordered_json> to_t1(const Tuning& tuning, const Variant* variant) {
    const TuningHead& head = tuning.head;
    const T1Expressions expressions(head.parameters, head.sizes, head.let);
    ordered_json parameters = ordered_json::array(), conditions = ordered_json::array();
    for (const Tunable& each : head.parameters) parameters.push_back(parameter_of(each));
    for (const std::string& each : head.restrictions) {
        const Result<T1Text> written = expressions.write(each);
        if (!written) return fail(say("the restriction {}: {}", in_backquotes(each), written.error().message));
        if (written->value && *written->value != 0) continue;  // it holds on this case, whatever the configuration
        conditions.push_back({{"Expression", condition_of(written->text)}, {"Parameters", names_in(written->text)}});
    }
    return ordered_json{{"General", {{"FormatVersion", 1}}},
                        {"ConfigurationSpace", {{"TuningParameters", parameters}, {"Conditions", conditions}}},
                        {"KernelSpecification", kernel_of(head, variant, expressions)}};
}

}  // namespace kernelgen
