// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <format>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/said.h"
#include "core/base/status.h"
#include "core/measure/metrics.h"
#include "core/report/report.h"
#include "core/round/change.h"

namespace kernelgen {

/// The texts of the documents; texts.def has them in both languages.
enum class Text {
#define TEXT(key, english, chinese) key,
#include "core/report/texts.def"
#undef TEXT
};

std::string_view text(Text key, Tongue tongue);

/// Other words for a reader who has no command line.
struct Rewording {
    std::vector<std::string_view> sentences;  ///< the formats of all, in the order of `english_formats`
    std::map<Text, std::string_view> texts;   ///< of some
};

/// The language of a document: its texts and its format of numbers.
class Phrases {
public:
    /// `rewording` is in the same language, and outlives this; null for none.
    explicit Phrases(Tongue tongue, const Rewording* rewording = nullptr) : tongue_(tongue), rewording_(rewording) {}

    template <class... Args>
    std::string operator()(Text key, const Args&... args) const {
        return std::vformat(format_of(key), std::make_format_args(args...));
    }
    /// The one of two texts that is in this language.
    const std::string& choose(const std::string& english, const std::string& chinese) const {
        return tongue_ == Tongue::english ? english : chinese;
    }
    std::string operator()(bool value) const { return (*this)(value ? Text::yes : Text::no); }
    std::string operator()(Status status) const;  ///< a sentence
    std::string operator()(ChangeKind kind) const;
    std::string operator()(Part part, std::string_view name) const;  ///< "tunable `BLOCK_M`"

    std::string operator()(const Metric& metric) const;              ///< its title
    std::string rounds_spent(std::size_t spent, int planned) const;  ///< "3 of 5 planned rounds spent"

    std::string of_engine(const Said& said) const;  ///< a recorded reason or warning

    /// The titles of a table's columns: each a Text, a metric, or a text that is ready.
    template <class... Columns>
    std::vector<std::string> all(const Columns&... columns) const {
        return {title(columns)...};
    }

    /// NaN and infinities are written in words.
    std::string number(double value) const;                                ///< four significant digits
    std::string percent(double fraction) const;                            ///< "83.1 %"
    std::string gain(double fraction) const;                               ///< "+12.2 %"
    std::string ratio(double value) const;                                 ///< "1.234", "66.21", "150.5"
    std::string measure(double value, std::string_view unit) const;        ///< "1.20 ms"
    std::string ratio_in(double value, double lower, double upper) const;  ///< "1.234 [1.20, 1.25]"
    std::string speedup_of(const RoundCase& timed) const;         ///< as `ratio_in`, with "≈ " before what is noisy
    std::string speedup_title() const;                            ///< of a column of `ratio_in`
    std::string count(std::int64_t value) const;                  ///< "16,777,216"
    std::string value(const Metric& metric, double value) const;  ///< in the metric's form and unit

private:
    std::string title(Text key) const { return (*this)(key); }
    std::string title(const Metric& metric) const { return (*this)(metric); }
    std::string title(const std::string& text) const { return text; }
    std::string_view format_of(Text key) const;
    std::string finite_or(double value, const std::string& text) const;
    Tongue tongue_;
    const Rewording* rewording_;
};

}  // namespace kernelgen
