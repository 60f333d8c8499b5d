// SPDX-License-Identifier: Apache-2.0
#include "core/trace/tokens.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "core/base/text.h"

namespace kernelgen {

namespace {

using Macros = std::map<std::string, std::vector<CodeToken>>;

/// The longest first.
constexpr std::array<std::string_view, 23> long_symbols = {"<<=", ">>=", "...", "::", "->", "++", "--", "<<",
                                                           ">>",  "<=",  ">=",  "==", "!=", "&&", "||", "+=",
                                                           "-=",  "*=",  "/=",  "%=", "&=", "|=", "^="};

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

class CodeLexer {
public:
    explicit CodeLexer(std::string_view source) : source_(source) {}

    std::vector<CodeToken> all() {
        while (next_ < source_.size()) step();
        tokens_.push_back({CodeToken::Kind::end, "", line_});
        return std::move(tokens_);
    }

private:
    std::string_view rest() const { return source_.substr(next_); }

    void step() {
        const char c = source_[next_];
        if (c == '\n') {
            ++line_;
            ++next_;
            begins_line_ = true;
        } else if (std::isspace(static_cast<unsigned char>(c)) != 0) ++next_;
        else if (rest().starts_with("//")) skip_line();
        else if (rest().starts_with("/*")) skip_comment();
        else if (c == '#' && begins_line_) directive();
        else token(c);
    }

    void token(char c) {
        begins_line_ = false;
        if (c == '"' || c == '\'') quoted(c);
        else if (std::isdigit(static_cast<unsigned char>(c)) != 0) number();
        else if (is_letter(c)) name();
        else symbol();
    }

    void skip_line() { next_ = std::min(source_.find('\n', next_), source_.size()); }

    void skip_comment() {
        const std::size_t end = std::min(source_.find("*/", next_ + 2), source_.size());
        line_ += static_cast<int>(std::ranges::count(source_.substr(next_, end - next_), '\n'));
        next_ = std::min(end + 2, source_.size());
    }

    /// Reads to the end of a directive, over lines that end in a backslash.
    std::string whole_directive() {
        std::string text;
        for (;;) {
            const std::size_t end = std::min(source_.find('\n', next_), source_.size());
            text += source_.substr(next_, end - next_);
            next_ = end;
            if (text.empty() || text.back() != '\\' || next_ == source_.size()) return text;
            text.back() = ' ';
            ++next_;
            ++line_;
        }
    }

    void directive() {
        const int line = line_;
        const std::string text = whole_directive();
        constexpr std::string_view define = "#define ";
        if (!text.starts_with(define)) return;
        const std::string_view content = trim(std::string_view(text).substr(define.size()));
        const auto end = static_cast<std::size_t>(std::ranges::find_if_not(content, is_letter) - content.begin());
        if (end == content.size() || content[end] == '(') return;
        std::vector<CodeToken> tokens = CodeLexer(content.substr(end)).all();
        tokens.pop_back();
        constexpr std::size_t longest_macro = 64;
        if (tokens.size() > longest_macro) return;
        for (CodeToken& each : tokens) each.line = line;
        macros_[std::string(content.substr(0, end))] = std::move(tokens);
    }

    void quoted(char quote) {
        std::size_t end = next_ + 1;
        while (end < source_.size() && source_[end] != quote && source_[end] != '\n')
            end += source_[end] == '\\' ? 2 : 1;
        add(CodeToken::Kind::text, std::min(end + 1, source_.size()) - next_);
    }

    /// Reads a number with a hexadecimal's letters, an exponent's sign, digit separators and suffixes.
    void number() {
        std::size_t end = next_;
        const auto is_sign = [&] {
            return (source_[end] == '+' || source_[end] == '-') &&
                   (source_[end - 1] == 'e' || source_[end - 1] == 'E') && !rest().starts_with("0x");
        };
        while (end < source_.size() &&
               (is_letter(source_[end]) || source_[end] == '.' || source_[end] == '\'' || is_sign()))
            ++end;
        add(CodeToken::Kind::number, end - next_);
    }

    void name() {
        const auto length = static_cast<std::size_t>(std::ranges::find_if_not(rest(), is_letter) - rest().begin());
        const auto macro = macros_.find(std::string(rest().substr(0, length)));
        if (macro == macros_.end()) return add(CodeToken::Kind::name, length);
        next_ += length;
        for (CodeToken each : macro->second) {
            each.line = line_;
            tokens_.push_back(std::move(each));
        }
    }

    void symbol() {
        const auto found =
            std::ranges::find_if(long_symbols, [this](std::string_view each) { return rest().starts_with(each); });
        add(CodeToken::Kind::symbol, found == long_symbols.end() ? 1 : found->size());
    }

    void add(CodeToken::Kind kind, std::size_t length) {
        tokens_.push_back({kind, std::string(source_.substr(next_, length)), line_});
        next_ += length;
    }

    std::string_view source_;
    std::size_t next_ = 0;
    int line_ = 1;
    bool begins_line_ = true;
    Macros macros_;
    std::vector<CodeToken> tokens_;
};

}  // namespace

std::vector<CodeToken> tokens_of(std::string_view source) { return CodeLexer(source).all(); }

}  // namespace kernelgen
