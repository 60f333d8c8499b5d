// SPDX-License-Identifier: Apache-2.0
#include "core/explain/mutation.h"

#include <algorithm>
#include <array>
#include <format>
#include <map>
#include <utility>

#include "core/lang/attention.h"
#include "core/lang/contraction.h"

namespace kernelgen {

namespace {

constexpr std::size_t longest_expression = 60;

/// How bodies write the operations that have a symbol.
std::string_view symbol_of(Op op) {
    switch (op) {
#define OPERATOR(op, symbol, ...) \
    case Op::op: return symbol;
#include "core/lang/operations.def"
        default: return "";
    }
}

class ExpressionText {
public:
    ExpressionText(const Operator& definition, const Body& body) : definition_(definition), body_(body) {}

    std::string of(int node, bool is_root) const {
        const Node& each = at(node);
        if (each.op == Op::input) return definition_.inputs[place(each)].name;
        if (each.op == Op::attribute) return definition_.attributes[place(each)].name;
        if (each.op == Op::symbol) return definition_.symbols[place(each)];
        if (each.op == Op::constant) return std::format("{:.6g}", each.value);
        if (each.op == Op::attention) return call(*body_.attention);
        if (each.op == Op::contraction) {
            if (const Convolution* convolution = convolution_of(body_)) return call(*convolution);
            const std::string product = operand(body_.contraction->left) + " @ " + operand(body_.contraction->right);
            return is_root ? product : "(" + product + ")";
        }
        if (!is_root && !each.label.empty()) return each.label;
        return operation(each, is_root);
    }

private:
    const Node& at(int node) const { return body_.nodes[static_cast<std::size_t>(node)]; }
    static std::size_t place(const Node& node) { return static_cast<std::size_t>(node.index); }

    std::string call(const Convolution& convolution) const {
        std::string options;
        if (convolution.stride != 1) options += std::format(", stride={}", convolution.stride);
        if (convolution.padding != 0) options += std::format(", padding={}", convolution.padding);
        if (convolution.dilation != 1) options += std::format(", dilation={}", convolution.dilation);
        if (convolution.groups != "1") options += ", groups=" + convolution.groups;
        return std::format("{}({}, {}{})",
                           convolution.is_channels_last ? channels_last_convolution_name : convolution_name,
                           operand(body_.contraction->left), operand(body_.contraction->right), options);
    }

    std::string call(const Attention& attention) const {
        const auto name = [&](int input) { return definition_.inputs[static_cast<std::size_t>(input)].name; };
        std::string options;
        for (const int each : {attention.output, attention.lse, attention.output_gradient})
            if (each >= 0) options += ", " + name(each);
        if (attention.scale) options += std::format(", scale={}", *attention.scale);
        if (attention.is_causal) options += ", causal=1";
        if (attention.window_left >= 0) options += std::format(", window_left={}", attention.window_left);
        if (attention.window_right >= 0) options += std::format(", window_right={}", attention.window_right);
        if (attention.softcap > 0) options += std::format(", softcap={}", attention.softcap);
        if (attention.dropout > 0) options += std::format(", dropout={}, seed={}", attention.dropout, attention.seed);
        if (attention.lengths >= 0) options += ", lengths=" + name(attention.lengths);
        if (attention.bias >= 0) options += ", bias=" + name(attention.bias);
        if (attention.mask >= 0) options += ", mask=" + name(attention.mask);
        const auto scale = [&](const char* keyword, const OperandScale& of) {
            if (of.is_given())
                options +=
                    std::format(", {}={}", keyword, of.input < 0 ? std::format("{}", of.number) : name(of.input));
        };
        scale("q_scale", attention.query_scale);
        scale("k_scale", attention.key_scale);
        scale("v_scale", attention.value_scale);
        if (attention.scale_block != 128) options += std::format(", scale_block={}", attention.scale_block);
        return std::format("{}({}, {}, {}{})", attention.name(), name(attention.queries), name(attention.keys),
                           name(attention.values), options);
    }

    std::string operand(const ContractionOperand& operand) const {
        const std::string text =
            ExpressionText(definition_, operand.values).of(operand.values.outputs[0], operand.is_transposed);
        return operand.is_transposed ? "transpose(" + text + ")" : text;
    }

    std::string operation(const Node& node, bool is_root) const {
        const std::string_view symbol = symbol_of(node.op);
        std::string text;
        if (node.op == Op::negate) text = "-" + of(node.operands[0], false);
        else if (!symbol.empty() && node.operands.size() == 2)
            text = std::format("{} {} {}", of(node.operands[0], false), symbol, of(node.operands[1], false));
        else return call(node);
        return is_root ? text : "(" + text + ")";
    }

    std::string call(const Node& node) const {
        const std::string_view name = name_of(node.op);
        std::string text = std::string(name.empty() ? symbol_of(node.op) : name) + "(";
        for (std::size_t i = 0; i < node.operands.size(); ++i) {
            const std::string argument = of(node.operands[i], false);
            const bool is_wrapped = argument.starts_with('(');  // as an operand of an operator needs it
            text += (i ? ", " : "") + (is_wrapped ? argument.substr(1, argument.size() - 2) : argument);
        }
        return text + ")";
    }

    const Operator& definition_;
    const Body& body_;
};

/// Operations that are taken for each other.
constexpr auto related_operations = std::to_array<std::pair<Op, Op>>({
    {Op::add, Op::subtract},
    {Op::multiply, Op::divide},
    {Op::multiply, Op::add},
    {Op::minimum, Op::maximum},
    {Op::less, Op::less_equal},
    {Op::less, Op::greater},
    {Op::greater, Op::greater_equal},
    {Op::less_equal, Op::greater_equal},
    {Op::equal, Op::not_equal},
    {Op::logical_and, Op::logical_or},
    {Op::exp, Op::exp2},
    {Op::exp, Op::expm1},
    {Op::log, Op::log2},
    {Op::log, Op::log1p},
    {Op::sqrt, Op::rsqrt},
    {Op::sin, Op::cos},
    {Op::tanh, Op::sigmoid},
    {Op::tanh, Op::erf},
    {Op::floor, Op::ceil},
    {Op::floor, Op::round},
    {Op::row_max, Op::row_min},
    {Op::row_sum, Op::row_mean},
    {Op::row_max, Op::row_sum},
    {Op::row_max, Op::row_mean},
});

class Mutator {
public:
    Mutator(const Operator& definition, const Body& body, const Sizes& sizes)
        : definition_(definition), body_(body), text_(definition, body), sizes_(sizes) {}

    std::vector<Mutation> run() {
        for (int node = 0; node < static_cast<int>(body_.nodes.size()); ++node) {
            leave_out_operands(node);
            take_related(node);
            exchange_operands(node);
            take_other_inputs(node);
            if (at(node).op == Op::attribute) take_constant(node, 0);
            if (at(node).op == Op::constant && at(node).value != 0) {
                for (const double factor : {-1.0, 10.0, 0.1}) take_constant(node, factor * at(node).value);
            }
            negate_operand(node);
            if (at(node).op == Op::row_max) take_constant(node, 0);
            if (at(node).op == Op::row_var) take_unbiased(node);
        }
        return std::move(found_);
    }

private:
    const Node& at(int node) const { return body_.nodes[static_cast<std::size_t>(node)]; }

    std::string input_of(int node) const {
        return at(node).op == Op::input ? definition_.inputs[static_cast<std::size_t>(at(node).index)].name : "";
    }

    void add(Mutation mutation) {
        derive(mutation.body);
        found_.push_back(std::move(mutation));
    }

    /// Computes anew, after a change, the properties of nodes that follow from their operands.
    static void derive(Body& body) {
        drop_unused(body);
        body.depth = 0;
        for (Node& node : body.nodes) {
            if (is_leaf(node.op)) continue;
            node.per_row = node.per_column = false;
            node.depth = 0;
            for (const int operand : node.operands) {
                const Node& of = body.nodes[static_cast<std::size_t>(operand)];
                node.per_row = node.per_row || of.per_row;
                node.per_column = node.per_column || of.per_column;
                node.depth = std::max(node.depth, of.depth);
            }
            if (is_reduction(node.op)) {
                node.per_column = false;
                ++node.depth;
            }
            body.depth = std::max(body.depth, node.depth);
        }
    }

    /// Every use of `node` becomes one of `other`.
    Body with_alias(int node, int other) const {
        Body changed = body_;
        for (std::size_t i = static_cast<std::size_t>(node) + 1; i < changed.nodes.size(); ++i)
            std::ranges::replace(changed.nodes[i].operands, node, other);
        std::ranges::replace(changed.outputs, node, other);
        return changed;
    }

    void leave_out_operands(int node) {
        const Node& each = at(node);
        if (is_leaf(each.op) || (is_reduction(each.op) && each.op != Op::row_max)) return;
        for (std::size_t kept = 0; kept < each.operands.size(); ++kept) {
            if (each.op == Op::row_max) break;
            const int operand = each.operands[kept];
            std::string left_out, tensor;
            for (std::size_t i = 0; i < each.operands.size(); ++i) {
                if (i == kept) continue;
                left_out += (left_out.empty() ? "" : ", ") + text_.of(each.operands[i], false);
                if (tensor.empty()) tensor = input_of(each.operands[i]);
            }
            if (left_out.empty()) left_out = std::string(name_of(each.op));
            if (each.op == Op::negate) left_out = "-";
            add({with_alias(node, operand), text_.of(node, true), text_.of(operand, false), left_out, tensor});
        }
    }

    void take_related(int node) {
        for (const auto& [one, other] : related_operations) {
            if (at(node).op == one) take_operation(node, other);
            if (at(node).op == other) take_operation(node, one);
        }
    }

    void take_operation(int node, Op op) {
        Mutation mutation{body_, text_.of(node, true), "", "", ""};
        mutation.body.nodes[static_cast<std::size_t>(node)].op = op;
        mutation.after = expression_text(definition_, mutation.body, node);
        add(std::move(mutation));
    }

    void exchange_operands(int node) {
        const Op op = at(node).op;
        const bool matters = op == Op::subtract || op == Op::divide || op == Op::power || op == Op::select;
        if (!matters) return;
        Mutation mutation{body_, text_.of(node, true), "", "", ""};
        std::vector<int>& operands = mutation.body.nodes[static_cast<std::size_t>(node)].operands;
        std::swap(operands[operands.size() - 2], operands[operands.size() - 1]);
        mutation.after = expression_text(definition_, mutation.body, node);
        add(std::move(mutation));
    }

    /// The argument of a function with the other sign.
    void negate_operand(int node) {
        const Node& each = at(node);
        const bool is_function = each.operands.size() == 1 && !is_reduction(each.op) && each.op != Op::negate;
        if (!is_function || is_leaf(each.op)) return;
        Mutation mutation{body_, text_.of(node, true), "", "", ""};
        Node negative = at(each.operands[0]);
        negative.op = Op::negate;
        negative.operands = {each.operands[0]};
        negative.label.clear();
        mutation.body = with_operand(node, 0, negative);
        mutation.after = expression_text(definition_, mutation.body, node + 1);
        add(std::move(mutation));
    }

    /// The body in which `node`, then at the next index, takes a new node for one of its operands.
    Body with_operand(int node, std::size_t place, const Node& operand) const {
        Body changed = body_;
        std::vector<Node>& nodes = changed.nodes;
        nodes.insert(nodes.begin() + node, operand);
        const auto moved = [node](int old) { return old >= node ? old + 1 : old; };
        for (std::size_t i = static_cast<std::size_t>(node) + 1; i < nodes.size(); ++i) {
            for (int& old : nodes[i].operands) old = moved(old);
        }
        for (int& output : changed.outputs) output = moved(output);
        nodes[static_cast<std::size_t>(node) + 1].operands[place] = node;
        return changed;
    }

    /// Mutations in which one operand is another input of the same shape.
    void take_other_inputs(int node) {
        for (std::size_t place = 0; place < at(node).operands.size(); ++place) {
            const int operand = at(node).operands[place];
            for (int other = 0; other < static_cast<int>(body_.nodes.size()); ++other) {
                const bool is_other_input =
                    at(other).op == Op::input && at(operand).op == Op::input && at(other).index != at(operand).index;
                if (!is_other_input || at(other).shape != at(operand).shape) continue;
                Mutation mutation{with_operand(node, place, at(other)), text_.of(node, true), "", "", input_of(other)};
                mutation.after = expression_text(definition_, mutation.body, node + 1);
                add(std::move(mutation));
            }
        }
    }

    void take_constant(int node, double value) {
        Mutation mutation{body_, text_.of(node, at(node).op == Op::row_max), std::format("{:.6g}", value), "", ""};
        if (value == 0) mutation.left_out = mutation.before;
        Node& changed = mutation.body.nodes[static_cast<std::size_t>(node)];
        changed.op = Op::constant;
        changed.operands.clear();
        changed.value = value;
        changed.per_row = changed.per_column = false;
        changed.depth = 0;
        add(std::move(mutation));
    }

    /// A variance over N − 1 is Σ/N · N/(N − 1): a mean of squares of deviations with another divisor.
    void take_unbiased(int node) {
        const auto size = sizes_.find(body_.space.back());
        if (size == sizes_.end() || size->second < 2) return;
        const auto count = static_cast<double>(size->second);
        Mutation mutation{body_, text_.of(node, true), "", "", ""};
        mutation.after = std::format("{} * {} / ({} - 1)", mutation.before, size->first, size->first);
        mutation.body = scaled(node, count / (count - 1));
        add(std::move(mutation));
    }

    /// The body with `node` multiplied by a number wherever it is used.
    Body scaled(int node, double factor) const {
        Body changed = body_;
        const auto after = changed.nodes.begin() + node + 1;
        Node constant{.op = Op::constant, .operands = {}, .value = factor, .label = {}, .shape = {}};
        Node product{.op = Op::multiply, .operands = {node, node + 1}, .label = {}, .shape = at(node).shape};
        product.per_row = at(node).per_row;
        changed.nodes.insert(after, {constant, product});
        const auto moved = [node](int old) { return old >= node ? old + 2 : old; };
        for (std::size_t i = static_cast<std::size_t>(node) + 3; i < changed.nodes.size(); ++i) {
            for (int& operand : changed.nodes[i].operands) operand = moved(operand);
        }
        for (int& output : changed.outputs) output = moved(output);
        return changed;
    }

    const Operator& definition_;
    const Body& body_;
    ExpressionText text_;
    const Sizes& sizes_;
    std::vector<Mutation> found_;
};

}  // namespace

std::vector<Mutation> mutations_of(const Operator& definition, const Body& body, const Sizes& sizes) {
    return Mutator(definition, body, sizes).run();
}

std::string expression_text(const Operator& definition, const Body& body, int node) {
    std::string text = ExpressionText(definition, body).of(node, true);
    if (text.size() > longest_expression) text = text.substr(0, longest_expression) + "…";
    return text;
}

}  // namespace kernelgen
