// SPDX-License-Identifier: Apache-2.0
#include "core/tune/python_condition.h"

#include <algorithm>
#include <span>
#include <vector>

#include "core/base/text.h"
#include "core/lang/lexer.h"
#include "core/lang/syntax.h"

namespace kernelgen {

namespace {

bool is_comparison(const Token& token) {
    static constexpr std::string_view comparisons[] = {"<", "<=", ">", ">=", "==", "!="};
    return token.kind == TokenKind::symbol && std::ranges::contains(comparisons, token.text);
}

/// Whether a chain of comparisons ends before this token.
bool ends_chain(const Token& token) {
    static constexpr std::string_view ends[] = {"and", "or", "not", "&&", "||", ",", "?", ":"};
    return token.kind != TokenKind::number && std::ranges::contains(ends, token.text);
}

/// Comparisons in a row: `1 < a < 8` has the sides "1", "a", "8".
class Chain {
public:
    void add(const std::string& text) { sides_.back() += (sides_.back().empty() ? "" : " ") + text; }
    void compare(const std::string& comparison) {
        comparisons_.push_back(comparison);
        sides_.emplace_back();
    }

    /// The text so far, with which a new chain begins.
    std::string take() {
        std::vector<std::string> pairs;
        for (std::size_t i = 0; i < comparisons_.size(); ++i)
            pairs.push_back(sides_[i] + " " + comparisons_[i] + " " + sides_[i + 1]);
        std::string text = pairs.empty() ? sides_[0] : join(pairs, " and ");
        if (pairs.size() > 1) text = "(" + text + ")";
        *this = Chain();
        return text;
    }

private:
    std::vector<std::string> sides_ = {""}, comparisons_;
};

/// Reads tokens up to the `)` that closes, or to the end.
class Rewriter {
public:
    explicit Rewriter(std::span<const Token> tokens) : tokens_(tokens) {}

    std::string rewrite() {
        std::string text;
        Chain chain;
        for (; !is_at_end() && tokens_[next_].text != ")"; ++next_) {
            const Token& token = tokens_[next_];
            if (token.kind == TokenKind::separator) continue;
            if (token.text == "(") chain.add(parentheses());
            else if (is_comparison(token)) chain.compare(token.text);
            else if (ends_chain(token)) text += chain.take() + " " + token.text + " ";
            else chain.add(token.text);
            if (text.size() > longest_text) is_too_long_ = true;
        }
        return text + chain.take();
    }

    bool is_at_end() const { return is_too_long_ || tokens_[next_].kind == TokenKind::end; }
    bool is_too_long() const { return is_too_long_; }

private:
    /// Ends at the closing one.
    std::string parentheses() {
        if (++depth_ > deepest_nesting) is_too_long_ = true;
        ++next_;
        std::string text = "(" + rewrite();
        --depth_;
        if (text.size() > longest_text) is_too_long_ = true;
        if (is_at_end()) {
            --next_;  // it is missing: the parser says so
            return text;
        }
        return text + ")";
    }

    std::span<const Token> tokens_;
    std::size_t next_ = 0;
    int depth_ = 0;
    bool is_too_long_ = false;
};

}  // namespace

Result<std::string> in_integer_language(std::string_view python) {
    if (python.size() > longest_text) return fail(say("is longer than {} bytes", longest_text));
    Diagnostics diagnostics;
    const std::vector<Token> tokens = tokenise(python, "condition", diagnostics);
    if (!diagnostics.empty()) return fail(to_string(diagnostics.front()));
    Rewriter rewriter(tokens);
    std::string text = rewriter.rewrite();
    if (rewriter.is_too_long()) return fail("has too many comparisons in parentheses; write chains as two conditions");
    if (!rewriter.is_at_end()) return fail("has a `)` that closes nothing");
    return text;
}

}  // namespace kernelgen
