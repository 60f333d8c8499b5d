// SPDX-License-Identifier: Apache-2.0
#include "core/host/kernel_source.h"

#include <algorithm>
#include <array>
#include <format>

#include "core/backend/kernel_interface.h"

namespace kernelgen {
namespace {

std::string argument_value(const BuildRequest& request, const Argument& argument, std::size_t i) {
    const std::string type = parameter_type(request, argument);
    const std::string_view member = argument.is_pointer() ? "pointer" : type == "double" ? "real" : "integer";
    return std::format("static_cast<{}>(kg_a[{}].{})", type, i, member);
}

/// Grid axes from slowest to fastest.
std::array<int, 3> axis_order(const Launch& launch) {
    std::array<int, 3> order = {0, 1, 2};
    std::ranges::copy(launch.order, order.begin());
    return order;
}

std::string launch_function(const BuildRequest& request, const Launch& launch, const std::vector<Argument>& arguments,
                            std::size_t number) {
    const std::string parameters = parameter_list(request, arguments) + (arguments.empty() ? "" : ", ");
    std::string values;
    for (std::size_t i = 0; i < arguments.size(); ++i) values += argument_value(request, arguments[i], i) + ", ";
    const auto [slow, middle, fast] = axis_order(launch);
    return std::format(R"(
extern "C" void {0}({1}int64_t pid0, int64_t pid1, int64_t pid2);
extern "C" void {2}(const kg_launch_argument* kg_a, int64_t kg_begin, int64_t kg_end, const int64_t* kg_grid) {{
    int64_t kg_pid[3];
    kg_pid[{5}] = kg_begin % kg_grid[{5}];
    kg_pid[{4}] = kg_begin / kg_grid[{5}] % kg_grid[{4}];
    kg_pid[{3}] = kg_begin / kg_grid[{5}] / kg_grid[{4}];
    for (int64_t kg_program = kg_begin; kg_program < kg_end; ++kg_program) {{
        {0}({6}kg_pid[0], kg_pid[1], kg_pid[2]);
        if (++kg_pid[{5}] < kg_grid[{5}]) continue;
        kg_pid[{5}] = 0;
        if (++kg_pid[{4}] < kg_grid[{4}]) continue;
        kg_pid[{4}] = 0;
        ++kg_pid[{3}];
    }}
}}
)",
                       entry_of(request.implementation.variant, launch), parameters, launch_symbol(number), slow,
                       middle, fast, values);
}

}  // namespace

std::string launch_symbol(std::size_t launch) { return "kg_launch_" + std::to_string(launch); }

Result<std::string> kernel_translation_unit(const BuildRequest& request) {
    const Variant& variant = request.implementation.variant;
    std::string functions;
    bool needs_header = false;
    for (std::size_t i = 0; i < variant.launches.size(); ++i) {
        const auto arguments = resolve_arguments(request.definition, variant, variant.launches[i], "args");
        if (!arguments) return fail(to_string(arguments.error()));
        needs_header = needs_header || needs_kernel_header(request, *arguments);
        functions += launch_function(request, variant.launches[i], *arguments, i);
    }
    return std::format(
        "#line 1 \"{}\"\n{}\n#line 1 \"interface of {}\"\n#include <stdint.h>\n{}"
        "union kg_launch_argument {{ void* pointer; int64_t integer; double real; }};\n{}",
        variant.source, request.implementation.text, variant.name, needs_header ? "#include <kernelgen.h>\n" : "",
        functions);
}

}  // namespace kernelgen
