// SPDX-License-Identifier: Apache-2.0
#include "core/project/launch_plan.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "core/base/json_reader.h"
#include "core/base/text.h"
#include "core/lang/integer_expression.h"
#include "core/project/by_case.h"
#include "core/project/values.h"

namespace kernelgen {

namespace {

using Kind = Argument::Kind;
constexpr std::pair<Kind, std::string_view> argument_kinds[] = {
    {Kind::input, "input"},         {Kind::output, "output"}, {Kind::workspace, "workspace"},
    {Kind::attribute, "attribute"}, {Kind::symbol, "symbol"}, {Kind::tensor_map, "tensor_map"}};
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

/// A kernel's named things, in the order in which an argument's name is looked up.
std::optional<Argument> find_argument(const Operator& definition, const Variant& variant, const std::string& name) {
    const auto look = [&](const auto& items, Argument::Kind kind) -> std::optional<Argument> {
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (items[i].name == name) return Argument{kind, static_cast<int>(i), name};
        }
        return std::nullopt;
    };
    if (auto found = look(definition.inputs, Argument::Kind::input)) return found;
    if (auto found = look(definition.outputs, Argument::Kind::output)) return found;
    if (auto found = look(variant.workspace, Argument::Kind::workspace)) return found;
    if (auto found = look(definition.attributes, Argument::Kind::attribute)) return found;
    const auto symbol = std::ranges::find(definition.symbols, name);
    if (symbol == definition.symbols.end()) return std::nullopt;
    return Argument{Argument::Kind::symbol, static_cast<int>(symbol - definition.symbols.begin()), name};
}

std::vector<std::string> argument_names(const Operator& definition, const Variant& variant) {
    std::vector<std::string> names;
    for (const auto& each : definition.inputs) names.push_back(each.name);
    for (const auto& each : definition.outputs) names.push_back(each.name);
    for (const auto& each : variant.workspace) names.push_back(each.name);
    for (const auto& each : definition.attributes) names.push_back(each.name);
    names.insert(names.end(), definition.symbols.begin(), definition.symbols.end());
    return names;
}

/// The value of an expression within [lowest, highest].
Result<std::int64_t> value_of(const std::string& text, const std::string& place, const Sizes& values,
                              std::int64_t lowest, std::int64_t highest) {
    const Validated<IntegerExpression> expression = IntegerExpression::parse(text, place);
    if (!expression) return fail(to_string(expression.error()));
    const Result<std::int64_t> value = expression->evaluate(values);
    if (!value) return fail(say("{}: `{}`: {}", place, text, value.error().message));
    if (*value >= lowest && *value <= highest) return *value;
    const std::string what = place + ": `" + text + "`";
    if (highest == largest) return fail(say("{} is {}; it must be at least {}", what, *value, lowest));
    return fail(say("{} is {}; it must be from {} to {}", what, *value, lowest, highest));
}

/// Fills the first axes of `axes` and checks that their product fits 63 bits.
Result<void> plan_axes(const std::vector<std::string>& texts, const std::string& place, const Sizes& values,
                       std::array<std::int64_t, 3>& axes) {
    if (texts.size() > axes.size()) return fail(say("{} has more than three axes", place));
    std::int64_t product = 1;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const Result<std::int64_t> size = value_of(texts[i], place + "[" + std::to_string(i) + "]", values, 1, largest);
        if (!size) return std::unexpected(size.error());
        if (__builtin_mul_overflow(product, *size, &product))
            return fail(say("{}: the product overflows 63 bits", place));
        axes[i] = *size;
    }
    return {};
}

Result<void> plan_order(const std::vector<int>& order, std::array<int, 3>& axes) {
    std::vector<int> planned = order;
    for (int axis = 0; axis < 3; ++axis) {
        if (std::ranges::find(planned, axis) == planned.end()) planned.push_back(axis);
    }
    if (planned.size() != 3) return fail("order must name each axis of the grid once, from 0");
    std::ranges::copy(planned, axes.begin());
    return {};
}

Result<std::vector<PlannedConstant>> plan_constants(const Operator& definition, const Launch& launch) {
    std::vector<PlannedConstant> planned;
    for (const ConstantCopy& each : launch.constants) {
        const auto input = std::ranges::find(definition.inputs, each.from, &Tensor::name);
        if (input == definition.inputs.end()) return fail(say("args: unknown input `{}`", each.from));
        planned.push_back({each.constant, static_cast<int>(input - definition.inputs.begin())});
    }
    return planned;
}

/// Finds a tensor by its name: among the inputs, then among the outputs.
const Tensor* find_tensor(const Operator& definition, const std::string& name, PlannedTensorMap& planned) {
    for (const auto* tensors : {&definition.inputs, &definition.outputs}) {
        const auto found = std::ranges::find(*tensors, name, &Tensor::name);
        if (found == tensors->end()) continue;
        planned.is_output = tensors == &definition.outputs;
        planned.index = static_cast<int>(found - tensors->begin());
        return &*found;
    }
    return nullptr;
}

Result<PlannedTensorMap> plan_tensor_map(const Operator& definition, const TensorMap& map, const Case& binding,
                                         const Sizes& values) {
    PlannedTensorMap planned;
    planned.swizzle = map.swizzle;
    const Tensor* tensor = find_tensor(definition, map.tensor, planned);
    if (tensor == nullptr) return fail(say("args: unknown input or output `{}`", map.tensor));
    if (map.box.empty() || map.box.size() > tensor->shape.size())
        return fail(
            say("args: the box of `{}` has {} axes, the tensor {}", map.tensor, map.box.size(), tensor->shape.size()));
    planned.dtype = dtype_of(*tensor, binding);
    planned.extents.assign(map.box.size(), 1);
    const std::size_t merged = tensor->shape.size() - map.box.size();
    for (std::size_t axis = 0; axis < tensor->shape.size(); ++axis) {
        const auto size = value_of(tensor->shape[axis], "args: shape", values, 1, largest);
        if (!size) return std::unexpected(size.error());
        std::int64_t& extent = planned.extents[axis < merged ? 0 : axis - merged];
        if (__builtin_mul_overflow(extent, *size, &extent))
            return fail(say("args: `{}` overflows 63 bits", map.tensor));
    }
    for (const std::string& text : map.box) {
        const auto size = value_of(text, "args: box", values, 1, largest);
        if (!size) return std::unexpected(size.error());
        planned.box.push_back(*size);
    }
    return planned;
}

Result<PlannedLaunch> plan_launch(const Operator& definition, const Variant& variant, const Launch& launch,
                                  const Case& binding, const Sizes& values) {
    PlannedLaunch planned;
    planned.entry = launch.entry.empty() ? variant.entry : launch.entry;
    if (auto done = plan_axes(launch.grid, "grid", values, planned.grid); !done) return std::unexpected(done.error());
    if (auto done = plan_axes(launch.block, "block", values, planned.block); !done)
        return std::unexpected(done.error());
    if (auto done = plan_order(launch.order, planned.order); !done) return std::unexpected(done.error());
    if (!launch.shared_bytes.empty()) {
        const auto bytes = value_of(launch.shared_bytes, "shared_bytes", values, 0, largest);
        if (!bytes) return std::unexpected(bytes.error());
        planned.shared_bytes = *bytes;
    }
    if (!launch.threads.empty()) {
        const auto threads = value_of(launch.threads, "threads", values, 0, 1 << 16);
        if (!threads) return std::unexpected(threads.error());
        planned.threads = static_cast<int>(*threads);
    }
    Validated<std::vector<Argument>> args = resolve_arguments(definition, variant, launch, "args");
    if (!args) return fail(to_string(args.error()));
    planned.args = std::move(*args);
    Result<std::vector<PlannedConstant>> constants = plan_constants(definition, launch);
    if (!constants) return std::unexpected(constants.error());
    planned.constants = std::move(*constants);
    for (const TensorMap& each : launch.tensor_maps) {
        Result<PlannedTensorMap> map = plan_tensor_map(definition, each, binding, values);
        if (!map) return std::unexpected(map.error());
        planned.tensor_maps.push_back(std::move(*map));
    }
    return planned;
}

Result<std::int64_t> workspace_elements(const Workspace& workspace, const Sizes& values) {
    std::int64_t elements = 1, bytes = 0;
    for (std::size_t i = 0; i < workspace.shape.size(); ++i) {
        const std::string place = "workspace `" + workspace.name + "` shape[" + std::to_string(i) + "]";
        const Result<std::int64_t> size = value_of(workspace.shape[i], place, values, 1, largest);
        if (!size) return std::unexpected(size.error());
        if (__builtin_mul_overflow(elements, *size, &elements) ||
            __builtin_mul_overflow(elements, static_cast<std::int64_t>(size_of(workspace.dtype)), &bytes)) {
            return fail("workspace `" + workspace.name + "` overflows 2^63 bytes");
        }
    }
    return elements;
}

}  // namespace

std::string_view to_string(Argument::Kind kind) {
    return std::ranges::find(argument_kinds, kind, &std::pair<Kind, std::string_view>::first)->second;
}

std::optional<Argument::Kind> parse_argument_kind(std::string_view name) {
    const auto found = std::ranges::find(argument_kinds, name, &std::pair<Kind, std::string_view>::second);
    return found == std::end(argument_kinds) ? std::nullopt : std::optional(found->first);
}

Result<LaunchPlan> plan_launches(const Operator& definition, const Implementation& implementation,
                                 const Case& binding) {
    const Variant& variant = implementation.variant;
    const Values values = values_of(for_case(implementation, binding), binding);
    if (!values.problem.empty()) return fail("variant `" + variant.name + "`: " + values.problem);
    LaunchPlan plan;
    for (const Launch& launch : variant.launches) {
        Result<PlannedLaunch> planned = plan_launch(definition, variant, launch, binding, values.known);
        if (!planned) return fail(say("variant `{}`: {}", variant.name, planned.error().message));
        plan.launches.push_back(std::move(*planned));
    }
    for (const Workspace& workspace : variant.workspace) {
        const Result<std::int64_t> elements = workspace_elements(workspace, values.known);
        if (!elements) return fail(say("variant `{}`: {}", variant.name, elements.error().message));
        plan.workspace_elements.push_back(*elements);
    }
    return plan;
}

double workspace_bytes(const Variant& variant, const LaunchPlan& plan) {
    double bytes = 0;
    for (std::size_t i = 0; i < plan.workspace_elements.size(); ++i)
        bytes +=
            static_cast<double>(plan.workspace_elements[i]) * static_cast<double>(size_of(variant.workspace[i].dtype));
    return bytes;
}

Validated<std::vector<Argument>> resolve_arguments(const Operator& definition, const Variant& variant,
                                                   const Launch& launch, std::string_view where) {
    Diagnostics diagnostics;
    std::vector<Argument> arguments;
    const std::vector<std::string> known = argument_names(definition, variant);
    for (std::size_t i = 0; i < launch.args.size(); ++i) {
        if (const auto map = tensor_map_index(launch.args[i]); map && *map < launch.tensor_maps.size()) {
            arguments.push_back({Kind::tensor_map, static_cast<int>(*map), launch.tensor_maps[*map].tensor + "_map"});
        } else if (auto argument = find_argument(definition, variant, launch.args[i])) {
            arguments.push_back(std::move(*argument));
        } else {
            diagnostics.push_back({"", std::string(where) + "[" + std::to_string(i) + "]",
                                   say("unknown argument {}", in_backquotes(launch.args[i])),
                                   suggest(launch.args[i], known)});
        }
    }
    if (!diagnostics.empty()) return std::unexpected(std::move(diagnostics));
    return arguments;
}

}  // namespace kernelgen
