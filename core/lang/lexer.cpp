// SPDX-License-Identifier: Apache-2.0
#include "core/lang/lexer.h"

#include <algorithm>
#include <array>

#include "core/base/json_reader.h"

namespace kernelgen {

std::string place_text(std::string_view place, Position position) {
    return std::string(place) + ":" + std::to_string(position.line) + ":" + std::to_string(position.column);
}

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_part(char c) { return is_name_start(c) || is_digit(c); }

class Lexer {
public:
    Lexer(std::string_view text, std::string_view place, Diagnostics& diagnostics)
        : text_(text), place_(place), diagnostics_(diagnostics) {}

    std::vector<Token> run() {
        while (next_ < text_.size()) step();
        add(TokenKind::end, 0);
        return std::move(tokens_);
    }

private:
    void step() {
        const char c = text_[next_];
        if (c == ';') open_ = 0;  // it ends an assignment in any case
        if (c == ';' || (c == '\n' && open_ == 0)) return add(TokenKind::separator, 1);
        if (c == '\n') return skip(1);  // between parentheses a line's end separates nothing
        if (c == ' ' || c == '\t' || c == '\r') return skip(1);
        if (c == '#') return skip(std::min(text_.find('\n', next_), text_.size()) - next_);
        if (is_digit(c) || (c == '.' && next_ + 1 < text_.size() && is_digit(text_[next_ + 1]))) return number();
        if (is_name_start(c)) return name();
        symbol();
    }

    void number() {
        std::size_t end = next_;
        const auto digits = [&] {
            while (end < text_.size() && is_digit(text_[end])) ++end;
        };
        digits();
        if (end < text_.size() && text_[end] == '.') {
            ++end;
            digits();
        }
        if (end < text_.size() && (text_[end] == 'e' || text_[end] == 'E')) {
            std::size_t exponent = end + 1;
            if (exponent < text_.size() && (text_[exponent] == '+' || text_[exponent] == '-')) ++exponent;
            if (exponent < text_.size() && is_digit(text_[exponent])) {
                end = exponent;
                digits();
            }
        }
        add(TokenKind::number, end - next_);
    }

    void name() {
        std::size_t end = next_;
        const auto letters = [&] {
            while (end < text_.size() && is_name_part(text_[end])) ++end;
        };
        letters();
        if (text_.substr(next_, end + 1 - next_) == device_prefix) {
            ++end;
            letters();
        }
        add(TokenKind::name, end - next_);
    }

    void symbol() {
        static constexpr std::array<std::string_view, 8> twos = {"**", "<=", ">=", "==", "!=", "&&", "||", "//"};
        const std::string_view rest = text_.substr(next_);
        for (const std::string_view two : twos) {
            if (rest.starts_with(two)) return add(TokenKind::symbol, 2);
        }
        if (rest[0] == '(') ++open_;
        if (rest[0] == ')' && open_ > 0) --open_;
        if (std::string_view("+-*/%<>=?:(),!@").find(rest[0]) != std::string_view::npos) {
            return add(TokenKind::symbol, 1);
        }
        std::size_t length = 1;  // the whole of a UTF-8 sequence
        while (next_ + length < text_.size() && (static_cast<unsigned char>(text_[next_ + length]) & 0xC0) == 0x80)
            ++length;
        if (diagnostics_.size() < 100) {
            diagnostics_.push_back({"", place_text(place_, position_),
                                    say("unexpected character {}", in_backquotes(text_.substr(next_, length))), ""});
        }
        skip(length);
    }

    void add(TokenKind kind, std::size_t length) {
        tokens_.push_back({kind, std::string(text_.substr(next_, length)), position_});
        skip(length);
    }

    void skip(std::size_t length) {
        for (std::size_t i = 0; i < length; ++i, ++next_) {
            if (text_[next_] == '\n') position_ = {position_.line + 1, 1};
            else ++position_.column;
        }
    }

    std::string_view text_;
    std::string_view place_;
    Diagnostics& diagnostics_;
    std::vector<Token> tokens_;
    std::size_t next_ = 0;
    int open_ = 0;  ///< parentheses
    Position position_;
};

}  // namespace

std::vector<Token> tokenise(std::string_view text, std::string_view place, Diagnostics& diagnostics) {
    return Lexer(text, place, diagnostics).run();
}

}  // namespace kernelgen
