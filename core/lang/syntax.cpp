// SPDX-License-Identifier: Apache-2.0
#include "core/lang/syntax.h"

#include <algorithm>
#include <array>
#include <optional>

namespace kernelgen {

namespace {

/// Binary operators by how tightly they bind; && and || are spellings of `and` and `or`.
struct Binary {
    std::string_view text;
    int binding;
    std::string_view canonical;
};

constexpr std::array<Binary, 18> binaries = {{{"or", 2, "or"},
                                              {"||", 2, "or"},
                                              {"and", 3, "and"},
                                              {"&&", 3, "and"},
                                              {"<", 5, "<"},
                                              {"<=", 5, "<="},
                                              {">", 5, ">"},
                                              {">=", 5, ">="},
                                              {"==", 5, "=="},
                                              {"!=", 5, "!="},
                                              {"+", 6, "+"},
                                              {"-", 6, "-"},
                                              {"*", 7, "*"},
                                              {"/", 7, "/"},
                                              {"//", 7, "//"},
                                              {"%", 7, "%"},
                                              {"@", 7, "@"},
                                              {"**", 9, "**"}}};
constexpr int not_binding = 4;
constexpr int comparison_binding = 5;
constexpr int minus_binding = 8;

const Binary* find_binary(const Token& token) {
    if (token.kind != TokenKind::symbol && token.kind != TokenKind::name) return nullptr;
    const auto found = std::ranges::find(binaries, std::string_view(token.text), &Binary::text);
    return found == binaries.end() ? nullptr : &*found;
}

ExpressionPointer make(Expression::Kind kind, std::string text, Position position) {
    auto expression = std::make_unique<Expression>();
    expression->kind = kind;
    expression->text = std::move(text);
    expression->position = position;
    return expression;
}

void attach(Expression& node, ExpressionPointer operand) {
    node.height = std::max(node.height, operand->height + 1);
    node.operands.push_back(std::move(operand));
}

class Parser {
public:
    Parser(std::string_view text, std::string_view place, Diagnostics& diagnostics)
        : place_(place), diagnostics_(diagnostics) {
        if (text.size() > longest_text) {
            error({}, "longer than " + std::to_string(longest_text) + " bytes");
            text = {};
        }
        tokens_ = tokenise(text, place, diagnostics);
    }

    std::vector<Assignment> assignments() {
        std::vector<Assignment> all;
        for (;;) {
            while (current().kind == TokenKind::separator) ++next_;
            if (current().kind == TokenKind::end) return all;
            if (auto assignment = parse_assignment()) all.push_back(std::move(*assignment));
            while (current().kind != TokenKind::separator && current().kind != TokenKind::end) ++next_;
        }
    }

    ExpressionPointer whole_expression() {
        ExpressionPointer result = expression();
        if (!result) return nullptr;
        if (at("=")) return error(current().position, unexpected(), "a comparison is written `==`");
        if (current().kind != TokenKind::end) return error(current().position, unexpected());
        return result;
    }

private:
    const Token& current() const { return tokens_[next_]; }
    bool at(std::string_view symbol) const { return current().kind == TokenKind::symbol && current().text == symbol; }

    bool take(std::string_view symbol) {
        if (!at(symbol)) return false;
        ++next_;
        return true;
    }

    Said unexpected() const {
        if (current().kind == TokenKind::end) return "unexpected end";
        if (current().text == "\n") return "unexpected end of line";
        return say("unexpected `{}`", current().text);
    }

    std::nullptr_t error(Position position, Said message, Said suggestion = "") {
        if (diagnostics_.size() < 100) {
            diagnostics_.push_back({"", place_text(place_, position), std::move(message), std::move(suggestion)});
        }
        return nullptr;
    }

    std::optional<Assignment> parse_assignment() {
        const Token name = current();
        if (name.kind != TokenKind::name) {
            error(name.position, unexpected(), "expected an assignment, such as `out = x + bias`");
            return std::nullopt;
        }
        ++next_;
        std::vector<Assignment::Name> further;
        while (take(",")) {
            if (current().kind != TokenKind::name) {
                error(current().position, unexpected(), "expected a name, as in `out, lse = …`");
                return std::nullopt;
            }
            further.push_back({current().text, current().position});
            ++next_;
        }
        if (!take("=")) {
            error(current().position, unexpected(),
                  say("expected `=` after `{}`", further.empty() ? name.text : further.back().text));
            return std::nullopt;
        }
        ExpressionPointer value = expression();
        if (value && current().kind != TokenKind::separator && current().kind != TokenKind::end) {
            value = error(current().position, unexpected(), "expected an operator, `;` or the end of the line");
        }
        return Assignment{name.text, name.position, std::move(further), std::move(value)};
    }

    ExpressionPointer expression() {
        if (depth_ >= deepest_nesting) {
            return error(current().position, say("nested deeper than {} levels", deepest_nesting));
        }
        ++depth_;
        ExpressionPointer result = ternary();
        --depth_;
        return result;
    }

    ExpressionPointer ternary() {
        ExpressionPointer condition = binary(1);
        if (!condition || !at("?")) return condition;
        ExpressionPointer select = make(Expression::Kind::operation, "?", current().position);
        ++next_;
        ExpressionPointer then = expression();
        if (!then) return nullptr;
        if (!take(":")) return error(current().position, unexpected(), "expected `:` of `condition ? a : b`");
        ExpressionPointer otherwise = expression();
        if (!otherwise) return nullptr;
        attach(*select, std::move(condition));
        attach(*select, std::move(then));
        attach(*select, std::move(otherwise));
        return select;
    }

    bool at_not() { return current().kind == TokenKind::name && current().text == "not"; }

    ExpressionPointer binary(int least) {
        if (at_not() && least > not_binding) {
            return error(current().position, "`not` holds for all that follows it", "write `(not …)`, or `!`");
        }
        ExpressionPointer left = unary();
        for (int last = 0; left;) {
            const Binary* operation = find_binary(current());
            if (operation == nullptr || operation->binding < least) return left;
            if (operation->binding == comparison_binding && last == comparison_binding) {
                return error(current().position, "comparisons in a row",
                             "write `a < b and b < c`, or `(a < b) < c` for what a condition is compared with");
            }
            last = operation->binding;
            if (left->height >= tallest_tree) {
                return error(
                    current().position,
                    say("the expression is too long: more than {} operators one above the other", tallest_tree));
            }
            ExpressionPointer node =
                make(Expression::Kind::operation, std::string(operation->canonical), current().position);
            ++next_;
            ExpressionPointer right = operand(operation->text == "**" ? operation->binding : operation->binding + 1);
            if (!right) return nullptr;
            attach(*node, std::move(left));
            attach(*node, std::move(right));
            left = std::move(node);
        }
        return left;
    }

    /// An operand on the right, one level deeper.
    ExpressionPointer operand(int least) {
        if (depth_ >= deepest_nesting) {
            return error(current().position, say("nested deeper than {} levels", deepest_nesting));
        }
        ++depth_;
        ExpressionPointer result = binary(least);
        --depth_;
        return result;
    }

    ExpressionPointer unary() {
        const Token token = current();
        const bool negates = at("-");
        const bool inverts = at("!") || at_not();
        if (at("+")) {
            ++next_;
            return operand(minus_binding);
        }
        if (!negates && !inverts) return primary();
        ++next_;
        ExpressionPointer value = operand(token.text == "not" ? not_binding : minus_binding);
        if (!value) return nullptr;
        ExpressionPointer node = make(Expression::Kind::operation, negates ? "neg" : "not", token.position);
        attach(*node, std::move(value));
        return node;
    }

    ExpressionPointer primary() {
        const Token token = current();
        if (token.kind == TokenKind::number) {
            ++next_;
            return make(Expression::Kind::number, token.text, token.position);
        }
        if (token.kind == TokenKind::name && token.text != "and" && token.text != "or") {
            ++next_;
            if (!take("(")) return make(Expression::Kind::name, token.text, token.position);
            return call(token);
        }
        if (take("(")) {
            ExpressionPointer inner = expression();
            if (!inner) return nullptr;
            if (!take(")")) {
                return error(current().position, unexpected(),
                             say("expected `)` for the `(` at {}", place_text(place_, token.position)));
            }
            return inner;
        }
        return error(token.position, unexpected(), "expected a number, a name, a function or `(`");
    }

    /// An argument, by position or, as `stride=2`, by keyword.
    ExpressionPointer argument() {
        const bool has_keyword = current().kind == TokenKind::name && next_ + 1 < tokens_.size() &&
                                 tokens_[next_ + 1].kind == TokenKind::symbol && tokens_[next_ + 1].text == "=";
        const std::string keyword = has_keyword ? current().text : "";
        if (has_keyword) next_ += 2;
        ExpressionPointer value = expression();
        if (value) value->keyword = keyword;
        return value;
    }

    ExpressionPointer call(const Token& function) {
        ExpressionPointer node = make(Expression::Kind::call, function.text, function.position);
        if (take(")")) return node;
        for (;;) {
            ExpressionPointer next = argument();
            if (!next) return nullptr;
            attach(*node, std::move(next));
            if (take(")")) return node;
            if (!take(",")) {
                return error(current().position, unexpected(),
                             say("expected `,` or `)` in the arguments of `{}`", function.text));
            }
        }
    }

    std::string_view place_;
    Diagnostics& diagnostics_;
    std::vector<Token> tokens_;
    std::size_t next_ = 0;
    int depth_ = 0;
};

}  // namespace

std::vector<Assignment> parse_assignments(std::string_view text, std::string_view place, Diagnostics& diagnostics) {
    return Parser(text, place, diagnostics).assignments();
}

ExpressionPointer parse_expression(std::string_view text, std::string_view place, Diagnostics& diagnostics) {
    const std::size_t before = diagnostics.size();
    ExpressionPointer result = Parser(text, place, diagnostics).whole_expression();
    if (!result && diagnostics.size() == before) diagnostics.push_back({"", std::string(place), "no expression", ""});
    return diagnostics.size() == before ? std::move(result) : nullptr;
}

}  // namespace kernelgen
