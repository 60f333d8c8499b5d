// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <format>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/json_format.h"
#include "core/base/json_reader.h"

namespace kernelgen {

/// Values that must be in a range or in a list, lists, and whole documents, beside what json_reader.h reads.

inline constexpr std::int64_t largest_int = std::numeric_limits<int>::max();
inline constexpr std::int64_t largest_int64 = std::numeric_limits<std::int64_t>::max();

/// An integer to read that is from `least` to `most`.
template <class T>
struct Within {
    T& value;
    std::int64_t least, most;
};

template <class T>
void read(const JsonPlace& place, const Within<T>& within) {
    std::int64_t number = within.least;
    read(place, number);
    if (number < within.least || number > within.most) {
        return place.error(
            std::format("expected an integer from {} to {}, found {}", within.least, within.most, number));
    }
    within.value = static_cast<T>(number);
}

/// A number to read that `json_number` may have written. Null, which other programs write for it, is NaN.
struct AnyNumber {
    double& value;
};

inline void read(const JsonPlace& place, const AnyNumber& number) {
    const nlohmann::json& found = place.value();
    if (!found.is_number() && !found.is_string() && !found.is_null()) return place.error("expected a number");
    number.value = number_from_json(found);
}

/// A name out of a closed list, such as a dtype. `what` it is, and all `known` names, are for the error.
template <class T>
void read_choice(const JsonPlace& place, T& value, std::optional<T> (*parse)(std::string_view), std::string_view what,
                 const std::vector<std::string>& known) {
    if (!place.expect_string()) return;
    std::string name;
    read(place, name);
    if (const auto parsed = parse(name)) value = *parsed;
    else place.error("unknown " + std::string(what) + " " + in_backquotes(name), suggest(name, known));
}

/// An array of what `write` makes of each element.
template <class T>
nlohmann::json list_of(const std::vector<T>& elements, nlohmann::json (*write)(const T&)) {
    nlohmann::json list = nlohmann::json::array();
    for (const T& each : elements) list.push_back(write(each));
    return list;
}

/// The value of a whole document, or its first error, as "place: what is wrong".
template <class T>
Result<T> read_whole(const nlohmann::json& document) {
    Diagnostics diagnostics;
    T value;
    read(JsonPlace(document, diagnostics), value);
    if (!diagnostics.empty()) return fail(to_string(diagnostics.front()));
    return value;
}

}  // namespace kernelgen
