// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace kernelgen {

/// How a metric's value is written.
enum class Form {
    count,   ///< a whole number and the unit: "48 B"
    scaled,  ///< three digits, an SI prefix and the unit: "1.20 ms"
    giga,    ///< as `scaled`, of a value that counts 10^9: "1.20 TB/s" of 1200 GB/s
    share,   ///< a fraction as percent: "83.1 %"
    ratio,   ///< four digits, three decimals at most: "1.234×", "66.21×"
    number   ///< four significant digits
};

/// Which of two values is better, all else being equal.
enum class Better { neither, lower, higher };
std::string_view to_string(Better better);

/// A number that is measured or that a build tells, and everything that is said of it.
struct Metric {
    const char* name;        ///< in JSON and in maps of values
    std::string_view title;  ///< for tables; core/said/said_in_place.def has it in Chinese, and the meaning too
    std::string_view unit;   ///< of the value in JSON; "" where it has none
    Form form = Form::number;
    Better better = Better::neither;
    std::string_view meaning;  ///< one sentence
};

namespace metrics {
#define METRIC(name, title, unit, form, better, meaning) \
    inline constexpr Metric name{#name, title, unit, Form::form, Better::better, meaning};
#include "core/measure/metrics.def"
#undef METRIC
}  // namespace metrics

/// All metrics, in the order in which a reader looks at them.
inline constexpr Metric all_metrics[] = {
#define METRIC(name, title, unit, form, better, meaning) metrics::name,
#include "core/measure/metrics.def"
#undef METRIC
};

/// The metric of this name, or null.
const Metric* find_metric(std::string_view name);

}  // namespace kernelgen
