// SPDX-License-Identifier: Apache-2.0
#include "core/explain/launch_stages.h"

#include <algorithm>
#include <optional>

#include "core/lang/body.h"
#include "core/lang/syntax.h"

namespace kernelgen {
namespace {

bool takes(const Launch& launch, const std::string& name) {
    return std::ranges::contains(launch.args, name) ||
           std::ranges::contains(launch.constants, name, &ConstantCopy::from) ||
           std::ranges::contains(launch.tensor_maps, name, &TensorMap::tensor);
}

std::size_t offset_of(const std::string& text, const Position& position) {
    std::size_t begin = 0;
    for (int line = 1; line < position.line; ++line) begin = text.find('\n', begin) + 1;
    return begin + static_cast<std::size_t>(position.column) - 1;
}

/// The assignments of a body up to that of `name`; nothing where it has none.
std::optional<std::string> body_up_to(const std::string& body, const std::string& name) {
    Diagnostics problems;
    const std::vector<Assignment> assignments = parse_assignments(body, "body", problems);
    const auto found = std::ranges::find(assignments, name, &Assignment::name);
    if (!problems.empty() || found == assignments.end()) return std::nullopt;
    if (found + 1 == assignments.end()) return body;
    return body.substr(0, offset_of(body, (found + 1)->position));
}

class StageMaker {
public:
    StageMaker(const Operator& definition, const Implementation& candidate, DType dtype)
        : definition_(definition), candidate_(candidate), dtype_(dtype) {}

    std::optional<LaunchStage> make(const Workspace& buffer) const {
        const std::vector<Launch>& launches = candidate_.variant.launches;
        const auto first = std::ranges::find_if(launches, [&](const Launch& each) { return takes(each, buffer.name); });
        const std::optional<std::string> body = body_up_to(definition_.body, buffer.name);
        if (first == launches.end() || !body) return std::nullopt;
        LaunchStage stage{static_cast<std::size_t>(first - launches.begin()), buffer.name, definition_, candidate_};
        stage.candidate.variant.launches.assign(launches.begin(), first + 1);
        stage.definition.body = *body;
        stage.definition.outputs = {{.name = buffer.name, .shape = buffer.shape, .dtype = buffer.dtype}};
        drop_inputs(stage);
        make_room(stage);
        return analyse(stage.definition) ? std::optional(std::move(stage)) : std::nullopt;
    }

private:
    static bool is_taken(const LaunchStage& stage, const std::string& name) {
        return std::ranges::any_of(stage.candidate.variant.launches,
                                   [&](const Launch& each) { return takes(each, name); });
    }

    /// What only later launches take is no input of the stage.
    static void drop_inputs(LaunchStage& stage) {
        std::erase_if(stage.definition.inputs, [&](const Tensor& each) { return !is_taken(stage, each.name); });
    }

    /// The stage's output is no workspace any more, and the operator's outputs are.
    void make_room(LaunchStage& stage) const {
        std::vector<Workspace>& buffers = stage.candidate.variant.workspace;
        std::erase_if(buffers, [&](const Workspace& each) {
            return each.name == stage.workspace || !is_taken(stage, each.name);
        });
        for (const Tensor& each : definition_.outputs) {
            if (!is_taken(stage, each.name)) continue;
            const std::vector<std::string> one = {"1"};
            buffers.push_back({each.name, each.shape.empty() ? one : each.shape, each.dtype.value_or(dtype_)});
        }
    }

    const Operator& definition_;
    const Implementation& candidate_;
    DType dtype_;
};

}  // namespace

std::vector<LaunchStage> launch_stages(const Operator& definition, const Implementation& candidate, DType dtype) {
    std::vector<LaunchStage> stages;
    if (definition.family != Family::tile || candidate.variant.launches.size() < 2) return stages;
    const StageMaker maker(definition, candidate, dtype);
    for (const Workspace& each : candidate.variant.workspace) {
        if (std::optional<LaunchStage> stage = maker.make(each)) stages.push_back(std::move(*stage));
    }
    std::ranges::stable_sort(stages, std::less(), &LaunchStage::launch);
    return stages;
}

}  // namespace kernelgen
