// SPDX-License-Identifier: Apache-2.0
#include "core/generate/passes.h"

#include <algorithm>
#include <set>

#include "core/generate/row_index.h"
#include "core/lang/attention.h"
#include "core/lang/contraction.h"

namespace kernelgen {

namespace {

const Node& node_at(const Body& body, int index) { return body.nodes[static_cast<std::size_t>(index)]; }

class Scheduler {
public:
    Scheduler(const Operator& definition, const Body& body, bool keep)
        : definition_(definition), body_(body), keep_(keep), first_pass_(body.nodes.size(), -1) {}

    Schedule run() {
        plan_row_values();
        for (std::size_t i = 0; i < body_.outputs.size(); ++i) {
            if (!has_columns(body_, definition_.outputs[i])) result_.row_outputs.push_back(static_cast<int>(i));
        }
        for (int depth = 0; depth <= body_.depth; ++depth) plan_pass(depth);
        std::erase_if(result_.passes, [](const Pass& pass) {
            return pass.reductions.empty() && pass.outputs.empty() && pass.row_values.empty();
        });
        return std::move(result_);
    }

private:
    void plan_row_values() {
        result_.passes.resize(static_cast<std::size_t>(body_.depth) + 1);
        for (int i = 0; i < static_cast<int>(body_.nodes.size()); ++i) {
            const Node& node = node_at(body_, i);
            if (node.per_column || (is_leaf(node.op) && node.op != Op::input)) continue;
            if (node.depth > 0) result_.passes[static_cast<std::size_t>(node.depth) - 1].row_values.push_back(i);
            else (node.per_row ? result_.row_values : result_.kernel_values).push_back(i);
        }
    }

    void plan_pass(int depth) {
        Pass& pass = result_.passes[static_cast<std::size_t>(depth)];
        needed_.assign(body_.nodes.size(), false);
        for (const int value : pass.row_values) {
            if (!is_reduction(node_at(body_, value).op)) continue;
            pass.reductions.push_back(value);
            need(node_at(body_, value).operands[0], depth);
        }
        for (std::size_t i = 0; i < body_.outputs.size(); ++i) {
            const int node = body_.outputs[i];
            if (node_at(body_, node).depth != depth || !has_columns(body_, definition_.outputs[i])) continue;
            pass.outputs.push_back(static_cast<int>(i));
            need(node, depth);
        }
        for (int i = 0; i < static_cast<int>(body_.nodes.size()); ++i) {
            const std::size_t at = static_cast<std::size_t>(i);
            if (!needed_[at]) continue;
            if (recalls(i, depth)) {
                pass.recalled.push_back(i);
                auto& kept = result_.passes[static_cast<std::size_t>(first_pass_[at])].kept;
                if (std::ranges::find(kept, i) == kept.end()) kept.push_back(i);
            } else {
                pass.columns.push_back(i);
                if (first_pass_[at] < 0) first_pass_[at] = depth;
            }
        }
    }

    bool recalls(int index, int depth) const {
        const int first = first_pass_[static_cast<std::size_t>(index)];
        return keep_ && first >= 0 && first < depth && is_costly(node_at(body_, index).op);
    }

    void need(int index, int depth) {
        const Node& node = node_at(body_, index);
        if (!node.per_column || needed_[static_cast<std::size_t>(index)]) return;
        needed_[static_cast<std::size_t>(index)] = true;
        if (recalls(index, depth)) return;
        for (const int operand : node.operands) need(operand, depth);
    }

    const Operator& definition_;
    const Body& body_;
    bool keep_;
    std::vector<int> first_pass_;  ///< that computes the node, or -1
    std::vector<bool> needed_;
    Schedule result_;
};

}  // namespace

Schedule schedule(const Operator& definition, const Body& lowered, bool keep) {
    return Scheduler(definition, lowered, keep).run();
}

bool has_columns(const Body& body, const Tensor& output) {
    if (std::ranges::find(body.reduced_outputs, output.name) != body.reduced_outputs.end()) return false;
    return output.shape.empty() || output.shape.back() == body.space.back();
}

bool fills_space(const Body& body, const Tensor& tensor) {
    if (tensor.shape.empty() || tensor.shape.back() != body.space.back()) return false;
    const bool is_one_row = product_text({body.space.begin(), body.space.end() - 1}) == "1";
    return row_index_text(tensor.shape, body.space) == (is_one_row ? "0" : "i");
}

std::vector<int> input_nodes(const Body& body) {
    std::vector<int> nodes;
    for (int i = 0; i < static_cast<int>(body.nodes.size()); ++i) {
        if (node_at(body, i).op == Op::input) nodes.push_back(i);
    }
    std::ranges::stable_sort(nodes, {}, [&](int node) { return node_at(body, node).index; });
    return nodes;
}

std::vector<int> inputs_read(const Body& body) {
    std::set<int> inputs;
    for (const int node : input_nodes(body)) inputs.insert(node_at(body, node).index);
    if (body.attention) {
        const std::vector<int> read = body.attention->inputs();
        inputs.insert(read.begin(), read.end());
    }
    if (body.contraction) {
        for (const ContractionOperand* operand : {&body.contraction->left, &body.contraction->right}) {
            const std::vector<int> read = inputs_read(operand->values);
            inputs.insert(read.begin(), read.end());
        }
    }
    return {inputs.begin(), inputs.end()};
}

}  // namespace kernelgen
