// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <format>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace kernelgen {

/// A reason, a warning or an error for people: its English text, and what it was made of. That is a sentence (a format
/// with arguments, each of which is such a value again), several that follow each other, or nothing more than the text
/// (a name, a compiler's message, a sentence without arguments). Records and translations go by the format
/// (core/said/said.h), so no one needs to read the text.
class Said {
public:
    Said() = default;
    Said(std::string text) : text_(std::move(text)) {}
    Said(const char* text) : text_(text) {}
    Said(std::string_view text) : text_(text) {}

    /// A sentence: `format` filled with as many arguments as it has places. The format must live as long as the
    /// program.
    static Said sentence(std::string_view format, std::vector<Said> arguments);

    const std::string& text() const { return text_; }
    operator const std::string&() const { return text_; }
    bool empty() const { return text_.empty(); }

    std::string_view format() const;          ///< of a sentence with arguments, "{} of {:.1f}"; else empty
    std::span<const Said> arguments() const;  ///< of the sentence
    std::span<const Said> parts() const;      ///< those that follow each other, which are no lists; else empty

    Said& operator+=(const Said& next);
    friend Said operator+(Said first, const Said& next) { return std::move(first += next); }
    /// Compares the texts: a reason that a record gave back may have less structure.
    friend bool operator==(const Said& one, const Said& other) { return one.text_ == other.text_; }
    friend std::ostream& operator<<(std::ostream& out, const Said& said);

private:
    struct Structure;
    std::string text_;
    std::shared_ptr<Structure> structure_;  ///< null where it is a text only
};

/// Joins texts, with `separator` between each two.
Said join(std::span<const Said> all, const char* separator);

/// A format of `say`, which is checked when it is compiled: it has a place for each argument, with what std::format
/// takes there but a number, and no braces else.
template <class... Arguments>
struct SaidFormat {
    template <class Text>
    consteval SaidFormat(const Text& format) : text(format) {
        [[maybe_unused]] const std::format_string<const Arguments&...> types(format);
        std::size_t places = 0;
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] == '}') throw "a brace that is no place";
            if (text[i] != '{') continue;
            ++places;
            if (++i < text.size() && text[i] != '}' && text[i] != ':') throw "a place with a number, or a brace";
            while (i < text.size() && text[i] != '}') ++i;
        }
        if (places != sizeof...(Arguments)) throw "as many places as arguments";
    }
    std::string_view text;
};

/// One argument of a sentence, as its place has it: "{}" or "{:.1f}".
template <class Argument>
Said said_at(std::string_view place, const Argument& argument) {
    if constexpr (std::is_same_v<Argument, Said>) return argument;  // text, whose place can ask for nothing
    else return std::vformat(place, std::make_format_args(argument));
}

/// The place of this number, with its braces.
std::string_view place_of(std::string_view format, std::size_t number);

/// A sentence: `format` filled with `arguments`, as say("{} of {}", 3, name).
template <class... Arguments>
Said say(SaidFormat<std::type_identity_t<Arguments>...> format, const Arguments&... arguments) {
    [[maybe_unused]] std::size_t number = 0;
    return Said::sentence(format.text, {said_at(place_of(format.text, number++), arguments)...});
}

}  // namespace kernelgen

template <>
struct std::formatter<kernelgen::Said> {
    constexpr auto parse(auto& context) { return context.begin(); }
    auto format(const kernelgen::Said& said, auto& context) const {
        return std::ranges::copy(said.text(), context.out()).out;
    }
};
