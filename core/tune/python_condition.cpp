// SPDX-License-Identifier: Apache-2.0
#include "core/tune/python_condition.h"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "core/base/text.h"
#include "core/lang/lexer.h"
#include "core/lang/syntax.h"
#include "core/tune/python_membership.h"
#include "core/tune/python_text.h"

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

/// A comparison of a side with the one before it; "in" and "not in" are comparisons too.
Result<std::string> compared(const std::string& left, const std::string& comparison, const std::string& right) {
    if (!comparison.ends_with("in")) return left + " " + comparison + " " + right;
    const Result<std::string> is_member = membership(left, right);
    if (!is_member || comparison == "in") return is_member;
    return "(" + *is_member + " == 0)";
}

/// Comparisons in a row: `1 < a < 8` has the sides "1", "a", "8".
class Chain {
public:
    void add(const std::string& text) { sides_.back() += (sides_.back().empty() ? "" : " ") + text; }
    /// As people write it, "range(1, 8)", which `python_integers` reads.
    void append(const std::string& text) {
        const bool is_tight = text == "(" || text == ")" || text == "," || sides_.back().ends_with('(');
        if (is_tight) sides_.back() += text;
        else add(text);
    }
    void compare(const std::string& comparison) {
        comparisons_.push_back(comparison);
        sides_.emplace_back();
    }

    /// The text so far, with which a new chain begins.
    Result<std::string> take() {
        std::vector<std::string> pairs;
        for (std::size_t i = 0; i < comparisons_.size(); ++i) {
            const Result<std::string> pair = compared(sides_[i], comparisons_[i], sides_[i + 1]);
            if (!pair) return pair;
            pairs.push_back(*pair);
        }
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
            else if (is_membership()) compare_membership(chain);
            else if (ends_chain(token)) text += taken(chain) + " " + token.text + " ";
            else chain.add(token.text);
            if (text.size() > longest_text) is_too_long_ = true;
        }
        return text + taken(chain);
    }

    bool is_at_end() const { return is_too_long_ || error_ || tokens_[next_].kind == TokenKind::end; }
    bool is_too_long() const { return is_too_long_; }
    const std::optional<Error>& error() const { return error_; }

private:
    std::string taken(Chain& chain) {
        const Result<std::string> text = chain.take();
        if (text) return *text;
        if (!error_) error_ = text.error();
        return "";
    }

    bool is_word(std::size_t at, std::string_view word) const {
        return tokens_[at].kind == TokenKind::name && tokens_[at].text == word;
    }
    bool is_membership() const { return is_word(next_, "in") || (is_word(next_, "not") && is_word(next_ + 1, "in")); }

    /// Ends at the collection's last token.
    void compare_membership(Chain& chain) {
        const bool is_negated = is_word(next_, "not");
        chain.compare(is_negated ? "not in" : "in");
        int depth = 0;
        for (next_ += is_negated ? 2 : 1; tokens_[next_].kind != TokenKind::end; ++next_) {
            const Token& token = tokens_[next_];
            if (token.kind == TokenKind::separator) continue;
            if (depth == 0 && (token.text == ")" || is_comparison(token) || ends_chain(token) || is_membership()))
                break;
            if (is_word(next_, "in") && !error_)
                error_ = Error{"has an `in` within what follows `in`: write its values"};
            depth += (token.text == "(" ? 1 : 0) - (token.text == ")" ? 1 : 0);
            chain.append(token.text);
        }
        --next_;
    }

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
    std::optional<Error> error_;
};

}  // namespace

Result<std::string> in_integer_language(std::string_view python) {
    if (python.size() > longest_text) return fail(say("is longer than {} bytes", longest_text));
    Diagnostics diagnostics;
    const std::vector<Token> tokens = tokenise(plain_python(python), "condition", diagnostics);
    if (!diagnostics.empty()) return fail(to_string(diagnostics.front()));
    Rewriter rewriter(tokens);
    std::string text = rewriter.rewrite();
    if (rewriter.error()) return std::unexpected(*rewriter.error());
    if (rewriter.is_too_long()) return fail("has too many comparisons in parentheses; write chains as two conditions");
    if (!rewriter.is_at_end()) return fail("has a `)` that closes nothing");
    return text;
}

}  // namespace kernelgen
