// SPDX-License-Identifier: Apache-2.0
#include "core/generate/body_text.h"

#include <algorithm>

#include "core/base/text.h"
#include "core/lang/lexer.h"

namespace kernelgen {

std::vector<std::string> body_statements(const Operator& definition) {
    std::string body = definition.body;
    std::ranges::replace(body, '\n', ';');
    std::vector<std::string> statements;
    for (const std::string& each : split(body, ';')) {
        if (!trim(each).empty()) statements.emplace_back(trim(each));
    }
    return statements;
}

std::string with_names(const std::string& expression, const std::function<std::string(const std::string&)>& name,
                       const std::string& division) {
    Diagnostics ignored;
    std::string text;
    for (const Token& token : tokenise(expression, "size", ignored)) {
        if (token.kind == TokenKind::end) break;
        const bool is_joined = text.empty() || text.ends_with('(') || token.text == ")";
        text += (is_joined ? "" : " ") + (token.kind == TokenKind::name ? name(token.text)
                                          : token.text == "/"           ? division
                                                                        : token.text);
    }
    return text;
}

std::string name_of_unlabelled(Op op) {
    switch (op) {
        case Op::row_sum: return "sum";
        case Op::row_max: return "largest";
        case Op::row_min: return "smallest";
        case Op::row_mean: return "mean";
        case Op::multiply: return "product";
        case Op::subtract: return "difference";
        case Op::exp: return "e";
        case Op::rsqrt: return "inverse_root";
        default: return "t";
    }
}

std::vector<bool> named_values(const Body& body) {
    std::vector<int> uses(body.nodes.size(), 0);
    std::vector<bool> is_for_columns(body.nodes.size(), false);
    for (const Node& user : body.nodes) {
        for (const int operand : user.operands) {
            const std::size_t at = static_cast<std::size_t>(operand);
            ++uses[at];
            if (user.per_column && !body.nodes[at].per_column) is_for_columns[at] = true;
        }
    }
    for (const int output : body.outputs) ++uses[static_cast<std::size_t>(output)];
    std::vector<bool> named(body.nodes.size(), false);
    for (std::size_t i = 0; i < body.nodes.size(); ++i) {
        const bool is_labelled =
            !body.nodes[i].label.empty() && !std::ranges::contains(body.outputs, static_cast<int>(i));
        named[i] = !is_leaf(body.nodes[i].op) && (uses[i] > 1 || is_labelled || is_for_columns[i]);
    }
    return named;
}

}  // namespace kernelgen
