// SPDX-License-Identifier: Apache-2.0
#include "core/explain/launch_stages.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

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

    /// The stages that end with a launch which takes `buffer`.
    std::vector<LaunchStage> make(const Workspace& buffer) const {
        std::vector<LaunchStage> stages;
        const std::optional<std::string> body = body_up_to(definition_.body, buffer.name);
        for (std::size_t i = 0; body && i < candidate_.variant.launches.size(); ++i) {
            if (!takes(candidate_.variant.launches[i], buffer.name)) continue;
            if (std::optional<LaunchStage> stage = make(buffer, i, *body)) stages.push_back(std::move(*stage));
        }
        return stages;
    }

private:
    std::optional<LaunchStage> make(const Workspace& buffer, std::size_t last, const std::string& body) const {
        LaunchStage stage{last, buffer.name, definition_, candidate_};
        stage.candidate.variant.launches.resize(last + 1);
        stage.definition.body = body;
        stage.definition.outputs = {{.name = buffer.name, .shape = buffer.shape, .dtype = buffer.dtype}};
        drop_inputs(stage);
        const std::size_t kept = stage.definition.inputs.size();
        if (!std::equal(stage.definition.inputs.begin(), stage.definition.inputs.end(), definition_.inputs.begin(),
                        definition_.inputs.begin() + static_cast<std::ptrdiff_t>(kept)))
            return std::nullopt;
        make_room(stage);
        const Validated<Body> analysed = analyse(stage.definition);
        return analysed && has_shape_of_value(buffer, *analysed) ? std::optional(std::move(stage)) : std::nullopt;
    }

    static bool has_shape_of_value(const Workspace& buffer, const Body& body) {
        std::vector<std::string> value = body.nodes[static_cast<std::size_t>(body.outputs[0])].shape;
        if (value == buffer.shape) return true;
        if (value.empty() || value.back() != "1") return false;
        value.pop_back();
        return value == buffer.shape;
    }

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
    std::vector<std::vector<LaunchStage>> of_buffers;
    for (const Workspace& each : candidate.variant.workspace) {
        if (std::vector<LaunchStage> made = maker.make(each); !made.empty()) of_buffers.push_back(std::move(made));
    }
    std::ranges::stable_sort(of_buffers, std::less(), [](const auto& each) {
        return std::pair(each.front().launch, each.front().definition.body.size());  // the value that is assigned first
    });
    for (std::vector<LaunchStage>& each : of_buffers) std::ranges::move(each, std::back_inserter(stages));
    return stages;
}

}  // namespace kernelgen
