// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/followed_launch.h"

#include <algorithm>

#include "core/project/by_case.h"

namespace kernelgen {

namespace {

/// Axes from the fastest to the slowest: of a GPU x first, of a host kernel the last of its order.
std::array<std::size_t, 3> fastest_first(const PlannedLaunch& launch, bool is_cuda) {
    if (is_cuda) return {0, 1, 2};
    const auto axis = [&](std::size_t i) { return static_cast<std::size_t>(launch.order[i]); };
    return {axis(2), axis(1), axis(0)};
}

std::array<std::int64_t, 3> place_of(std::int64_t number, const std::array<std::int64_t, 3>& extents,
                                     const std::array<std::size_t, 3>& axes) {
    std::array<std::int64_t, 3> place{};
    for (const std::size_t axis : axes) {
        place[axis] = number % std::max<std::int64_t>(extents[axis], 1);
        number /= std::max<std::int64_t>(extents[axis], 1);
    }
    return place;
}

TracedArgument argument_of(const RoundDetail& detail, const Case& binding, const Argument& argument) {
    const auto index = static_cast<std::size_t>(argument.index);
    TracedArgument traced{.name = argument.name, .number = {}, .is_tensor = argument.is_pointer(), .element_bytes = 4};
    if (argument.kind == Argument::Kind::symbol) {
        if (const auto size = binding.sizes.find(argument.name); size != binding.sizes.end())
            traced.number = size->second;
        return traced;
    }
    const auto bytes = [](DType dtype) { return static_cast<int>(size_of(dtype)); };
    if (argument.kind == Argument::Kind::input)
        traced.element_bytes = bytes(dtype_of(detail.definition.inputs[index], binding));
    if (argument.kind == Argument::Kind::output)
        traced.element_bytes = bytes(dtype_of(detail.definition.outputs[index], binding));
    if (argument.kind == Argument::Kind::workspace)
        traced.element_bytes = bytes(detail.candidate.variant.workspace[index].dtype);
    return traced;
}

}  // namespace

std::optional<FollowedLaunch> FollowedLaunch::of(const RoundDetail& detail, const CodeFile& file, const Case& binding,
                                                 const PlannedLaunch& launch, Said& problem) {
    const CodeFunction* kernel = file.find(launch.entry);
    if (kernel == nullptr) {
        problem = file.problem_of(launch.entry);
        return std::nullopt;
    }
    TraceRequest request{.arguments = {},
                         .constants = {},
                         .dtype_bytes = static_cast<int>(size_of(binding.dtype)),
                         .is_cuda = detail.candidate.variant.language == Language::cuda,
                         .program = {},
                         .grid = launch.grid,
                         .thread = {},
                         .block = launch.block};
    for (const Argument& each : launch.args) request.arguments.push_back(argument_of(detail, binding, each));
    for (const auto& [name, value] : for_case(detail.candidate, binding).configuration) request.constants[name] = value;
    return FollowedLaunch(file, *kernel, launch, std::move(request));
}

std::int64_t FollowedLaunch::programs() const { return launch_.grid[0] * launch_.grid[1] * launch_.grid[2]; }

std::int64_t FollowedLaunch::threads_of_program() const {
    return request_.is_cuda ? launch_.block[0] * launch_.block[1] * launch_.block[2] : 1;
}

Trace FollowedLaunch::follow(std::int64_t program, std::int64_t thread) const {
    TraceRequest request = request_;
    request.program = place_of(program, launch_.grid, fastest_first(launch_, request.is_cuda));
    request.thread = place_of(thread, launch_.block, {0, 1, 2});
    return trace_thread(*file_, *kernel_, request);
}

std::optional<std::int64_t> FollowedLaunch::neighbour(int axis) const {
    std::int64_t step = 1;
    for (const std::size_t each : fastest_first(launch_, request_.is_cuda)) {
        if (launch_.grid[each] > 1 && axis-- == 0) return step;
        step *= launch_.grid[each];
    }
    return std::nullopt;
}

}  // namespace kernelgen
