// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace kernelgen {

/// Strict JSON. Errors: syntax with line and column, keys given twice, integers beyond 64 bits, nesting deeper than
/// `depth_limit`. `file` is the name used in diagnostics. A byte order mark is accepted.
Validated<nlohmann::json> parse_json(std::string_view text, std::string_view file, std::size_t depth_limit = 64);

/// The most elements of a list or object. People write no longer ones, and a longer one in a request would take too
/// long to check.
inline constexpr std::size_t most_elements = 10'000;

/// A value in a JSON document, with its path. All errors of a document are collected in one list, up to 1,000.
class JsonPlace {
public:
    JsonPlace(const nlohmann::json& document, Diagnostics& diagnostics);

    const nlohmann::json& value() const { return *value_; }
    Diagnostics& diagnostics() const { return *diagnostics_; }
    std::string path() const;  ///< "operator.inputs[1].shape"

    /// The parent must outlive its children.
    JsonPlace member(const std::string& key, const nlohmann::json& value) const;
    JsonPlace element(std::size_t index) const;

    /// The value beside this one, at this one's key with `ending` after it; null where there is none.
    const nlohmann::json* beside(const std::string& ending) const;

    void error(Said message, Said suggestion = "") const;
    bool expect_string() const;
    bool expect_array() const;   ///< an array, of at most `most_elements`
    bool expect_object() const;  ///< an object, of at most `most_elements`
    std::size_t size() const;

private:
    const nlohmann::json* value_;
    const JsonPlace* parent_ = nullptr;
    const std::string* key_ = nullptr;
    std::size_t index_ = 0;
    Diagnostics* diagnostics_;
};

/// Each function reads one value. Where the value is wrong, it adds an error (what was expected, what was found) and
/// leaves the target unchanged.
void read(const JsonPlace& place, std::string& value);
void read(const JsonPlace& place, bool& value);
void read(const JsonPlace& place, std::int64_t& value);
void read(const JsonPlace& place, int& value);
void read(const JsonPlace& place, std::uint64_t& value);
void read(const JsonPlace& place, double& value);

template <class T>
void read(const JsonPlace& place, std::vector<T>& values) {
    if (!place.expect_array()) return;
    for (std::size_t i = 0; i < place.size(); ++i) read(place.element(i), values.emplace_back());
}

template <class T>
void read(const JsonPlace& place, std::optional<T>& value) {
    read(place, value.emplace());
}

/// Reads the keys of an object, each once. `finish` adds an error for every other key, which names the nearest known
/// one.
class JsonObject {
public:
    explicit JsonObject(const JsonPlace& place);

    template <class T>
    void required(const std::string& key, T&& value) {
        if (!optional(key, value) && is_object_) missing(key);
    }
    /// Whether the key was there.
    template <class T>
    bool optional(const std::string& key, T&& value) {
        const nlohmann::json* found = find(key);
        if (found) read(place_.member(key, *found), value);
        return found != nullptr;
    }
    bool has(const std::string& key) const;
    void finish() const;
    std::vector<std::string> others() const;  ///< the keys not asked for

private:
    const nlohmann::json* find(const std::string& key);
    void missing(const std::string& key) const;

    const JsonPlace& place_;
    bool is_object_;
    std::vector<std::string> asked_;
};

/// `text` in backquotes as a message takes it: cut at 60 bytes, without control characters.
std::string in_backquotes(std::string_view text);

/// `did_you_mean`, or all choices where none is similar: "did you mean `f32`?", "one of: f64, f32".
Said suggest(std::string_view word, std::span<const std::string> known);

}  // namespace kernelgen
