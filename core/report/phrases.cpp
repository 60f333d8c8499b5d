// SPDX-License-Identifier: Apache-2.0
#include "core/report/phrases.h"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/report/markdown.h"
#include "core/report/sentences.h"
#include "core/round/noise.h"
#include "core/said/said.h"

namespace kernelgen {

namespace {

struct Wording {
    std::string_view english, chinese;
};

constexpr Wording wordings[] = {
#define TEXT(key, english, chinese) {english, chinese},
#include "core/report/texts.def"
#undef TEXT
};

/// The text at the same place after `first` as `value` among its kind.
template <class Enumeration>
Text following(Text first, Enumeration value) {
    return static_cast<Text>(static_cast<int>(first) + static_cast<int>(value));
}

}  // namespace

std::string_view text(Text key, Tongue tongue) {
    const Wording& wording = wordings[static_cast<std::size_t>(key)];
    return tongue == Tongue::english ? wording.english : wording.chinese;
}

std::string Phrases::operator()(Status status) const { return (*this)(following(Text::status_ok, status)); }

std::string Phrases::operator()(ChangeKind kind) const { return (*this)(following(Text::kind_first, kind)); }

std::string Phrases::operator()(Part part, std::string_view name) const {
    const std::string phrase = (*this)(following(Text::part_tunable, part), name.empty() ? "" : in_code(name));
    return std::string(trim(phrase));
}

std::string Phrases::operator()(const Metric& metric) const { return of_engine(std::string(metric.title)); }

std::string Phrases::rounds_spent(std::size_t spent, int planned) const {
    const auto all = static_cast<std::int64_t>(spent), more = all - planned;
    return more > 0 ? (*this)(Text::rounds_over, all, planned, more) : (*this)(Text::rounds_spent, all, planned);
}

std::string Phrases::of_engine(const Said& said) const {
    if (rewording_ == nullptr) return in_tongue(said, tongue_);
    return worded(said_by(said), rewording_->sentences).value_or(said.text());
}

std::string_view Phrases::format_of(Text key) const {
    if (rewording_ == nullptr || !rewording_->texts.contains(key)) return text(key, tongue_);
    return rewording_->texts.at(key);
}

std::string Phrases::speedup_title() const { return (*this)(Text::with_interval, (*this)(metrics::speedup)); }

std::string Phrases::finite_or(double value, const std::string& text) const {
    if (std::isfinite(value)) return text;
    if (std::isnan(value)) return (*this)(Text::not_a_number);
    return (*this)(value > 0 ? Text::infinite : Text::minus_infinite);
}

std::string Phrases::number(double value) const { return finite_or(value, std::format("{:.4g}", value)); }

std::string Phrases::percent(double fraction) const {
    return finite_or(fraction, std::format("{:.1f} %", 100 * fraction));
}

std::string Phrases::gain(double fraction) const {
    return finite_or(fraction, std::format("{:+.1f} %", 100 * fraction));
}

std::string Phrases::ratio(double value) const {
    const int decimals = std::abs(value) >= 1000 ? 0 : std::abs(value) >= 100 ? 1 : std::abs(value) >= 10 ? 2 : 3;
    return finite_or(value, std::format("{:.{}f}", value, decimals));
}

std::string Phrases::measure(double value, std::string_view unit) const {
    return finite_or(value, with_si_prefix(value, unit));
}

std::string Phrases::ratio_in(double value, double lower, double upper) const {
    return std::format("{} [{}, {}]", ratio(value), ratio(lower), ratio(upper));
}

std::string Phrases::speedup_of(const RoundCase& timed) const {
    return (is_noisy(timed) ? "≈ " : "") + ratio_in(timed.speedup, timed.speedup_lower, timed.speedup_upper);
}

std::string Phrases::count(std::int64_t value) const {
    std::string digits = std::to_string(value);
    const std::size_t first = value < 0 ? 1 : 0;
    for (std::size_t place = digits.size(); place > first + 3;) digits.insert(place -= 3, ",");
    return digits;
}

std::string Phrases::value(const Metric& metric, double value) const {
    const std::string unit = metric.unit.empty() ? "" : " " + std::string(metric.unit);
    switch (metric.form) {
        case Form::count: return finite_or(value, std::format("{:.0f}{}", value, unit));
        case Form::scaled: return measure(value, metric.unit);
        case Form::giga: return measure(1e9 * value, metric.unit.substr(1));
        case Form::share: return percent(value);
        case Form::ratio: return ratio(value) + "×";
        case Form::number: return number(value) + unit;
    }
    return {};
}

}  // namespace kernelgen
