// SPDX-License-Identifier: Apache-2.0
#include "core/lang/body.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <optional>

#include "core/base/text.h"
#include "core/lang/attention.h"
#include "core/lang/contraction.h"
#include "core/lang/outputs_problem.h"
#include "core/lang/shape.h"
#include "core/lang/syntax.h"

namespace kernelgen {

namespace {

constexpr std::string_view place = "body";
constexpr std::size_t most_nodes = 4096;
constexpr std::string_view transpose_name = "transpose";

int index_of(const auto& list, std::string_view name) {
    for (std::size_t i = 0; i < list.size(); ++i) {
        if constexpr (requires { list[i].name; }) {
            if (list[i].name == name) return static_cast<int>(i);
        } else if (list[i] == name) {
            return static_cast<int>(i);
        }
    }
    return -1;
}

std::optional<double> named_constant(std::string_view name) {
    if (name == "pi") return std::numbers::pi;
    if (name == "inf") return std::numeric_limits<double>::infinity();
    if (name == "nan") return std::numeric_limits<double>::quiet_NaN();
    return std::nullopt;
}

Said wrong_count(const Operation& function, int count) {
    const int least = function.least_operands;
    if (function.most_operands > least)
        return say("`{}` takes {} or more arguments, not {}", function.name, least, count);
    return function.most_operands == 1 ? say("`{}` takes 1 argument, not {}", function.name, count)
                                       : say("`{}` takes {} arguments, not {}", function.name, least, count);
}

/// Turns assignments into nodes; equal subexpressions become one.
class Builder {
public:
    explicit Builder(const Operator& definition) : definition_(definition) {}

    Validated<Body> run() {
        const std::vector<Assignment> assignments = parse_assignments(definition_.body, place, diagnostics_);
        for (const Assignment& each : assignments) positions_.emplace(each.name, each.position);
        for (const Assignment& each : assignments) {
            if (diagnostics_.size() < most_errors) assign(each);
        }
        for (const Tensor& output : definition_.outputs) finish_output(output);
        if (diagnostics_.empty()) check_inputs();
        if (diagnostics_.empty() && body_.attention) check_attention(assignments);
        if (diagnostics_.empty() && contraction_ >= 0) split();
        if (diagnostics_.empty()) find_space();
        if (!diagnostics_.empty()) return std::unexpected(std::move(diagnostics_));
        drop_unused(body_);
        mark_extents(body_);
        return std::move(body_);
    }

private:
    void split() {
        const int number = node_at(contraction_).index;
        std::optional<Convolution> convolution;
        if (number >= 0) convolution = convolutions_[static_cast<std::size_t>(number)];
        split_at_contraction(body_, contraction_, static_cast<int>(definition_.inputs.size()), convolution);
        if (body_.contraction) check_reductions();
    }

    /// Attention stands alone: its arguments are inputs, its results are outputs.
    void check_attention(const std::vector<Assignment>& assignments) {
        const auto is_output = [&](const std::string& name) { return index_of(definition_.outputs, name) >= 0; };
        const auto suggestion = "what is computed beside attention cannot be fused: make an operator of it";
        if (assignments.size() > 1)
            return error(assignments[1].position,
                         say("`{}` is the only statement of its body", body_.attention->name()), suggestion);
        const Assignment& only = assignments[0];
        if (!is_output(only.name))
            return error(only.position,
                         say("a result of `{}` must be an output: `{}`", body_.attention->name(), only.name),
                         suggestion);
        for (const Assignment::Name& each : only.further) {
            if (!is_output(each.text))
                error(each.position,
                      say("a result of `{}` must be an output: `{}`", body_.attention->name(), each.text), suggestion);
        }
    }

    /// Beside a contraction no row reduction can be fused, whatever it adds up.
    void check_reductions() {
        for (const Node& node : body_.nodes) {
            if (!is_reduction(node.op)) continue;
            error(reductions_.at(node.op),
                  say("`{}` of a product cannot be fused: a tile has a part of a row", name_of(node.op)),
                  "compute the reduction in an operator of its own, which takes the product as an input");
            return;
        }
    }

    void error(Position position, Said message, Said suggestion = "") {
        if (diagnostics_.size() == most_errors) return;
        diagnostics_.push_back({"", place_text(place, position), std::move(message), std::move(suggestion)});
    }

    void check_name(const std::string& name, Position position) {
        if (index_of(definition_.inputs, name) >= 0)
            error(position, say("`{}` is an input and cannot be assigned", name));
        else if (index_of(definition_.symbols, name) >= 0)
            error(position, say("`{}` is a symbol and cannot be assigned", name));
        else if (index_of(definition_.attributes, name) >= 0)
            error(position, say("`{}` is an attribute and cannot be assigned", name));
        else if (index_of(reserved_names(), name) >= 0)
            error(position, say("`{}` is a word of the language", name), "choose another name");
        else if (values_.contains(name))
            error(position, say("`{}` is assigned twice", name), "give the second value another name");
    }

    void check_count_of_results(const Assignment& assignment) {
        const std::string_view name = assignment.value->text;
        const std::size_t further = assignment.further.size();
        if (name == attention_backward_name && further != 2)
            error(assignment.position, say("`{}` gives three values, not {}", name, further + 1),
                  "the gradients of queries, keys and values: `dq, dk, dv = attention_backward(…)`");
        if (name == attention_name && further > 1)
            error(assignment.further[1].position, say("`{}` gives two values at most", name),
                  "the result and its log-sum-exp: `out, lse = attention(…)`");
    }

    /// The value and, of attention, its log-sum-exp, which goes to the second name; or the three gradients.
    void assign_attention(const Assignment& assignment) {
        const auto report = [this](Position position, Said message, Said suggestion) {
            error(position, std::move(message), std::move(suggestion));
        };
        const auto made = attention_of_call(*assignment.value, definition_, report);
        if (made && body_.attention)
            error(assignment.position, "a body has one `attention` or `attention_backward` at most",
                  "make an operator of each");
        check_count_of_results(assignment);
        const std::vector<Tensor> results = made ? results_of(*made) : std::vector<Tensor>();
        const auto result = [&](std::size_t i) {
            if (i >= results.size()) return -1;
            return leaf(Op::attention, static_cast<int>(definition_.inputs.size() + i), results[i].shape);
        };
        values_.emplace(assignment.name, result(0));
        for (std::size_t i = 0; i < assignment.further.size(); ++i) {
            const Assignment::Name& each = assignment.further[i];
            check_name(each.text, each.position);
            positions_.emplace(each.text, each.position);
            values_.emplace(each.text, result(i + 1));
        }
        if (made) body_.attention = std::make_shared<Attention>(*made);
    }

    void assign(const Assignment& assignment) {
        const std::string& name = assignment.name;
        check_name(name, assignment.position);
        const bool is_call = assignment.value && assignment.value->kind == Expression::Kind::call;
        if (is_call && is_attention(assignment.value->text)) return assign_attention(assignment);
        for (const Assignment::Name& each : assignment.further) {
            error(each.position, "only `attention` and `attention_backward` give several values",
                  "`out, lse = attention(…)`");
            values_.emplace(each.text, -1);
        }
        const int node = assignment.value ? build(*assignment.value) : -1;
        // A failed value still defines its name, so that one error is not reported as many.
        if (!values_.emplace(name, node).second || node < 0) return;
        Node& value = body_.nodes[static_cast<std::size_t>(node)];
        if (value.label.empty() && !value.operands.empty()) value.label = name;
    }

    int build(const Expression& expression) {
        switch (expression.kind) {
            case Expression::Kind::number: return number(expression);
            case Expression::Kind::name: return name(expression);
            case Expression::Kind::call: return call(expression);
            case Expression::Kind::operation: return operation(expression);
        }
        return -1;
    }

    int number(const Expression& expression) {
        double value = 0;
        if (!parse_number(expression.text, value)) {
            error(expression.position, say("`{}` is not a number", expression.text));
            return -1;
        }
        return constant(value);
    }

    int constant(double value) {
        Node node;
        node.value = value;
        return add(std::move(node));
    }

    int leaf(Op op, int index, Shape shape) {
        Node node;
        node.op = op;
        node.index = index;
        node.shape = std::move(shape);
        return add(std::move(node));
    }

    int name(const Expression& expression) {
        const std::string& text = expression.text;
        if (const auto found = values_.find(text); found != values_.end()) return found->second;
        if (const int i = index_of(definition_.inputs, text); i >= 0) {
            return leaf(Op::input, i, definition_.inputs[static_cast<std::size_t>(i)].shape);
        }
        if (const int i = index_of(definition_.attributes, text); i >= 0) return leaf(Op::attribute, i, {});
        if (const int i = index_of(definition_.symbols, text); i >= 0) return leaf(Op::symbol, i, {});
        if (const auto value = named_constant(text)) return constant(*value);
        if (const auto later = positions_.find(text); later != positions_.end()) {
            error(expression.position,
                  say("`{}` is used before its assignment at {}", text, place_text(place, later->second)),
                  "assignments are evaluated in order and cannot form a cycle");
        } else if (find_function(text) != nullptr) {
            error(expression.position, say("`{}` is a function", text), say("call it: `{}(…)`", text));
        } else {
            error(expression.position, say("unknown name `{}`", text), did_you_mean(text, known_names()));
        }
        return -1;
    }

    std::vector<std::string> known_names() const {
        std::vector<std::string> names = definition_.symbols;
        for (const Tensor& input : definition_.inputs) names.push_back(input.name);
        for (const Attribute& attribute : definition_.attributes) names.push_back(attribute.name);
        for (const auto& [name, node] : values_) names.push_back(name);
        return names;
    }

    int call(const Expression& expression) {
        if (expression.text == transpose_name) return transpose(expression);
        if (expression.text == convolution_name || expression.text == channels_last_convolution_name)
            return convolve(expression);
        if (is_attention(expression.text)) {
            error(expression.position, say("`{}` is the only statement of its body", expression.text),
                  "write `out = attention(…)`, and make an operator of what is computed with its result");
            return -1;
        }
        const Operation* function = find_function(expression.text);
        const int count = static_cast<int>(expression.operands.size());
        if (function == nullptr) {
            error(expression.position, say("unknown function `{}`", expression.text),
                  did_you_mean(expression.text, reserved_names()));
        } else if (count < function->least_operands || count > function->most_operands) {
            error(expression.position, wrong_count(*function, count));
            function = nullptr;
        }
        const auto operands = build_operands(expression);
        if (function == nullptr || !operands) return -1;
        if (function->op != Op::minimum && function->op != Op::maximum)
            return apply(function->op, *operands, expression.position);
        int result = (*operands)[0];
        for (std::size_t i = 1; i < operands->size() && result >= 0; ++i)
            result = apply(function->op, {result, (*operands)[i]}, expression.position);
        return result;
    }

    int operation(const Expression& expression) {
        if (expression.text == "@") return contract(expression);
        const Operation* found = find_operator(expression.text);
        const auto operands = build_operands(expression);
        if (found == nullptr) {
            error(expression.position, say("`{}` is for integer expressions", expression.text),
                  "use floor(a / b) in a body");
            return -1;
        }
        return operands ? apply(found->op, *operands, expression.position) : -1;
    }

    int transpose(const Expression& expression) {
        const auto operands = build_operands(expression);
        if (!operands) return -1;
        if (operands->size() != 1) {
            error(expression.position, say("`{}` takes 1 argument, not {}", transpose_name, operands->size()));
            return -1;
        }
        Node node;
        node.op = Op::transpose;
        node.shape = node_at((*operands)[0]).shape;
        node.depth = node_at((*operands)[0]).depth;
        if (is_transpose((*operands)[0], expression.position)) return -1;
        if (node.shape.size() < 2) {
            error(expression.position, say("`{}` exchanges the last two axes, and this has shape {}", transpose_name,
                                           to_string(node.shape)));
            return -1;
        }
        std::swap(node.shape[node.shape.size() - 1], node.shape[node.shape.size() - 2]);
        node.operands = *operands;
        return add(std::move(node));
    }

    int contract(const Expression& expression) {
        const auto operands = build_operands(expression);
        if (!operands) return -1;
        Said problem;
        const auto shape = contracted(node_at((*operands)[0]).shape, node_at((*operands)[1]).shape, problem);
        if (!shape) {
            error(expression.position, problem);
            return -1;
        }
        return add_contraction(expression, *operands, *shape);
    }

    int convolve(const Expression& expression) {
        const auto report = [this](Position position, Said message, Said suggestion) {
            error(position, std::move(message), std::move(suggestion));
        };
        std::optional<Convolution> made = convolution_options(expression, definition_, report);
        if (!made) return -1;
        const int image = build(*expression.operands[0]), kernels = build(*expression.operands[1]);
        if (image < 0 || kernels < 0 || is_transpose(image, expression.position) ||
            is_transpose(kernels, expression.position))
            return -1;
        Said problem;
        if (!set_dimensions(*made, node_at(image).shape, node_at(kernels).shape, definition_.outputs[0].shape,
                            problem)) {
            error(expression.position, problem);
            return -1;
        }
        const auto same = std::ranges::find(convolutions_, *made);
        const auto number = static_cast<int>(same - convolutions_.begin());
        if (same == convolutions_.end()) convolutions_.push_back(*made);
        return add_contraction(expression, {image, kernels}, made->result(), number);
    }

    /// `convolution`: its number; -1 for a product.
    int add_contraction(const Expression& expression, const std::vector<int>& operands, const Shape& shape,
                        int convolution = -1) {
        for (const int operand : operands) {
            if (node_at(operand).depth == 0) continue;
            error(expression.position,
                  say("an operand of `{}` has a row reduction, which cannot be fused into it", expression.text),
                  "compute the reduction in an operator of its own, and take its result as an input");
            return -1;
        }
        Node node;
        node.op = Op::contraction;
        node.index = convolution;
        node.shape = shape;
        node.operands = operands;
        const int made = add(std::move(node));
        if (contraction_ >= 0 && made != contraction_) {
            error(expression.position,
                  "a body has one `@` or convolution at most: a second one cannot be fused with the first",
                  "make an operator of each; the second one takes the result of the first as an input");
            return -1;
        }
        return contraction_ = made;
    }

    /// Whether a value is a transposed one, which only `@` can use. Says so.
    bool is_transpose(int node, Position position) {
        if (node_at(node).op != Op::transpose) return false;
        error(position, say("`{}` is a way to read an operand of `@`; here it would be a copy", transpose_name),
              "declare the input with its axes in the order in which the body uses them");
        return true;
    }

    std::optional<std::vector<int>> build_operands(const Expression& expression) {
        std::vector<int> operands;
        for (const auto& operand : expression.operands) {
            operands.push_back(build(*operand));
            if (operand->keyword.empty()) continue;
            error(operand->position, say("`{}` takes its arguments by position", expression.text),
                  say("leave `{}=` out", operand->keyword));
            operands.back() = -1;
        }
        if (std::ranges::contains(operands, -1)) return std::nullopt;
        return operands;
    }

    int apply(Op op, std::vector<int> operands, Position position) {
        const Node& first = node_at(operands[0]);
        if (op == Op::negate && first.op == Op::constant) return constant(-first.value);
        if (op == Op::power && node_at(operands[1]).op == Op::constant) {
            const double exponent = node_at(operands[1]).value;
            if (exponent == 2) return apply(Op::multiply, {operands[0], operands[0]}, position);
            if (exponent == 3) {
                const int square = apply(Op::multiply, {operands[0], operands[0]}, position);
                return square < 0 ? -1 : apply(Op::multiply, {square, operands[0]}, position);
            }
        }
        Node node;
        node.op = op;
        for (const int operand : operands) {
            if (is_transpose(operand, position)) return -1;
            Said problem;
            const auto shape = broadcast(node.shape, node_at(operand).shape, problem);
            if (!shape) {
                error(position, problem);
                return -1;
            }
            node.shape = *shape;
            node.depth = std::max(node.depth, node_at(operand).depth);
        }
        if (is_reduction(op)) {
            if (node.shape.empty()) {
                error(position, say("`{}` of a scalar: it has no last axis", name_of(op)));
                return -1;
            }
            reductions_.try_emplace(op, position);
            node.shape.back() = "1";
            ++node.depth;
        }
        node.operands = std::move(operands);
        return add(std::move(node));
    }

    const Node& node_at(int index) const { return body_.nodes[static_cast<std::size_t>(index)]; }

    int add(Node node) {
        const auto same =
            std::ranges::find_if(body_.nodes, [&](const Node& other) { return is_same_value(other, node); });
        if (same != body_.nodes.end()) return static_cast<int>(same - body_.nodes.begin());
        if (body_.nodes.size() == most_nodes) {
            if (!full_) error({}, say("more than {} operations", most_nodes));
            full_ = true;
            return -1;
        }
        body_.nodes.push_back(std::move(node));
        return static_cast<int>(body_.nodes.size()) - 1;
    }

    /// The output as a shape of the space's rank: a reduced last axis may be left out of the declaration.
    static Shape full_shape(const Tensor& output, const Shape& value) {
        Shape shape = output.shape;
        if (value.size() == shape.size() + 1 && value.back() == "1") shape.push_back("1");
        return shape;
    }

    void finish_output(const Tensor& output) {
        const auto found = values_.find(output.name);
        if (found == values_.end()) {
            diagnostics_.push_back({"", std::string(place), say("output `{}` is not assigned", output.name),
                                    say("add `{} = …`", output.name)});
            return;
        }
        body_.outputs.push_back(found->second);
        if (found->second < 0 || is_transpose(found->second, positions_.at(output.name))) return;
        const Shape& value = node_at(found->second).shape;
        const Shape shape = full_shape(output, value);
        Said problem;
        const auto common = broadcast(shape, value, problem);
        // No kernel of attention repeats rows, and gradients have rows of their own.
        const bool is_broadcast =
            body_.attention != nullptr && (shape != value || (body_.attention->is_backward() && output.shape != value));
        if (!common || *common != shape || is_broadcast) {
            error(positions_.at(output.name), say("output `{}` is declared {}, but its value has shape {}", output.name,
                                                  to_string(output.shape), to_string(value)));
            return;
        }
        output_shapes_.push_back(shape);
    }

    void check_inputs() {
        for (std::size_t i = 0; i < definition_.inputs.size(); ++i) {
            const bool used = std::ranges::any_of(body_.nodes, [&](const Node& node) {
                return node.op == Op::input && node.index == static_cast<int>(i);
            });
            const bool is_of_attention =
                body_.attention && std::ranges::contains(body_.attention->inputs(), static_cast<int>(i));
            if (used || is_of_attention) continue;
            diagnostics_.push_back({"", std::string(place), say("input `{}` is not used", definition_.inputs[i].name),
                                    "use it, or remove it from the inputs"});
        }
    }

    /// The broadcast of everything that the body names.
    void find_space() {
        if (body_.attention && body_.attention->is_backward()) {
            body_.space = body_.attention->result();  // each result has rows of its own (space_of)
            return;
        }
        Shape space;
        Said problem;
        const auto widen = [&](const Shape& shape) {
            const auto wider = broadcast(space, shape, problem);
            if (wider) space = *wider;
            else error({}, problem);
        };
        for (const Node& node : body_.nodes) widen(node.shape);
        for (const Shape& shape : output_shapes_) widen(shape);
        if (space.empty()) space.push_back("1");
        if (body_.contraction && body_.contraction->shape != space)
            return error({},
                         say("the product has shape {}, but the body's rows are of {}",
                             to_string(body_.contraction->shape), to_string(space)),
                         "a product cannot be broadcast: everything beside it has its shape or broadcasts to it");
        for (std::size_t i = 0; i < output_shapes_.size(); ++i) {
            Shape whole = space, reduced = space;
            reduced.back() = "1";
            const Tensor& output = definition_.outputs[i];
            if (output_shapes_[i].size() > output.shape.size()) body_.reduced_outputs.push_back(output.name);
            if (output_shapes_[i] == whole || output_shapes_[i] == reduced ||
                (output_shapes_[i].empty() && space == Shape{"1"}))
                continue;
            error(positions_.at(output.name),
                  say("output `{}` has shape {}, but the body's rows are of {}", output.name, to_string(output.shape),
                      to_string(space)),
                  "an output has the shape of the whole computation, or that with its last axis reduced");
        }
        body_.space = std::move(space);
    }

    const Operator& definition_;
    Diagnostics diagnostics_;
    Body body_;
    std::map<std::string, Position> positions_;
    std::map<std::string, int> values_;
    std::vector<Shape> output_shapes_;
    int contraction_ = -1;  ///< the node of `@` or the convolution
    std::vector<Convolution> convolutions_;
    std::map<Op, Position> reductions_;  ///< where each was first used
    bool full_ = false;                  ///< `most_nodes` were reached, and it was said
};

}  // namespace

bool is_same_value(const Node& a, const Node& b) {
    return a.op == b.op && a.operands == b.operands && a.index == b.index && a.value == b.value &&
           std::signbit(a.value) == std::signbit(b.value);
}

void mark_extents(Body& body) {
    for (Node& node : body.nodes) {
        for (std::size_t i = 0; i < node.shape.size(); ++i) {
            if (node.shape[i] == "1") continue;
            (i + 1 == node.shape.size() ? node.per_column : node.per_row) = true;
        }
        body.depth = std::max(body.depth, node.depth);
    }
}

void drop_unused(Body& body) {
    std::vector<bool> used(body.nodes.size(), false);
    for (const int output : body.outputs) used[static_cast<std::size_t>(output)] = true;
    for (std::size_t i = body.nodes.size(); i-- > 0;) {
        if (!used[i]) continue;
        for (const int operand : body.nodes[i].operands) used[static_cast<std::size_t>(operand)] = true;
    }
    std::vector<int> moved(body.nodes.size(), -1);
    std::vector<Node> kept;
    for (std::size_t i = 0; i < body.nodes.size(); ++i) {
        if (!used[i]) continue;
        for (int& operand : body.nodes[i].operands) operand = moved[static_cast<std::size_t>(operand)];
        moved[i] = static_cast<int>(kept.size());
        kept.push_back(std::move(body.nodes[i]));
    }
    body.nodes = std::move(kept);
    for (int& output : body.outputs) output = moved[static_cast<std::size_t>(output)];
}

Validated<Body> analyse(const Operator& definition) {
    if (has_file(definition.family)) {
        return std::unexpected(
            Diagnostics{{"", "body", say("an operator of family `{}` has no body", to_string(definition.family)), ""}});
    }
    if (const auto problem = outputs_problem(definition)) return std::unexpected(Diagnostics{*problem});
    return Builder(definition).run();
}

}  // namespace kernelgen
