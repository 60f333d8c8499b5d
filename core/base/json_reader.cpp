// SPDX-License-Identifier: Apache-2.0
#include "core/base/json_reader.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/text.h"

namespace kernelgen {

using nlohmann::json;

namespace {

constexpr std::size_t diagnostics_limit = 1000;

std::string in_path(std::string_view key) {
    const bool plain = !key.empty() && key.size() <= 60 &&
                       std::ranges::all_of(key, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
    return plain ? "." + std::string(key) : "[" + in_backquotes(key) + "]";
}

std::string without_leading_dot(const std::string& path) { return path.starts_with('.') ? path.substr(1) : path; }

void append(Diagnostics& diagnostics, Diagnostic diagnostic) {
    if (diagnostics.size() < diagnostics_limit) diagnostics.push_back(std::move(diagnostic));
}

/// "line 3, column 5" of a byte's position; columns count characters.
std::string line_and_column(std::string_view text, std::size_t position) {
    const std::string_view before = text.substr(0, std::min(position, text.size()));
    const std::size_t line_start = before.rfind('\n') + 1;
    const auto columns = std::ranges::count_if(before.substr(line_start), [](char c) { return (c & 0xc0) != 0x80; });
    return "line " + std::to_string(1 + std::ranges::count(before, '\n')) + ", column " +
           std::to_string(std::max<std::ptrdiff_t>(columns, 1));
}

/// Makes the document from the parser's events, and notes what the library itself lets pass.
class DocumentBuilder {
public:
    DocumentBuilder(std::string_view text, std::size_t depth_limit, Diagnostics& diagnostics)
        : text_(text), depth_limit_(depth_limit), diagnostics_(diagnostics) {}

    json take() { return std::move(root_); }

    bool null() { return add(nullptr); }
    bool boolean(bool value) { return add(value); }
    bool number_integer(json::number_integer_t value) { return add(value); }
    bool number_unsigned(json::number_unsigned_t value) { return add(value); }
    bool number_float(double value, const std::string& spelling) {
        if (spelling.find_first_of(".eE") == std::string::npos) {
            add(0);
            append(diagnostics_, {"", path(), "the integer " + in_backquotes(spelling) + " does not fit 64 bits", ""});
            return true;
        }
        return add(value);
    }
    bool string(std::string& value) { return add(std::move(value)); }
    bool binary(json::binary_t&) { return false; }
    bool start_object(std::size_t) { return open(json::object()); }
    bool start_array(std::size_t) { return open(json::array()); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }
    bool key(std::string& name) {
        open_.back().key = name;
        if (open_.back().container->contains(name)) {
            append(diagnostics_,
                   {"", path(), "the key " + in_backquotes(name) + " is given twice", "remove one of them"});
        }
        return true;
    }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& error) {
        std::string_view reason = error.what();
        if (const auto cut = reason.find("syntax error "); cut != reason.npos) {
            reason.remove_prefix(cut + 13);
        } else if (const auto end = reason.find("] "); end != reason.npos) {
            reason.remove_prefix(end + 2);
        }
        std::string message = "is not valid JSON: ";
        for (const char c : reason.substr(0, 200)) message += static_cast<unsigned char>(c) < 127 && c >= 32 ? c : '?';
        append(diagnostics_, {"", line_and_column(text_, position), message, ""});
        return false;
    }

private:
    struct Open {
        json* container;
        std::string key;
    };

    bool add(json value) {
        place(std::move(value));
        return true;
    }
    json* place(json value) {
        if (open_.empty()) return &(root_ = std::move(value));
        json& container = *open_.back().container;
        if (!container.is_array()) return &(container[open_.back().key] = std::move(value));
        container.push_back(std::move(value));
        return &container.back();
    }
    bool open(json container) {
        if (open_.size() >= depth_limit_) {
            append(diagnostics_, {"", "", "is nested deeper than " + std::to_string(depth_limit_) + " levels", ""});
            return false;
        }
        json* placed = place(std::move(container));
        open_.push_back({placed, ""});
        return true;
    }
    bool close() {
        open_.pop_back();
        return true;
    }
    std::string path() const {
        std::string result;
        for (const Open& each : open_) {
            result += each.container->is_array()
                          ? "[" + std::to_string(std::max<std::size_t>(each.container->size(), 1) - 1) + "]"
                          : in_path(each.key);
        }
        return without_leading_dot(result);
    }

    std::string_view text_;
    std::size_t depth_limit_;
    Diagnostics& diagnostics_;
    json root_;
    std::vector<Open> open_;
};

std::string found(const json& value) {
    switch (value.type()) {
        case json::value_t::null: return "null";
        case json::value_t::boolean: return value.get<bool>() ? "true" : "false";
        case json::value_t::string: return "the string " + in_backquotes(value.get_ref<const std::string&>());
        case json::value_t::array: return "an array";
        case json::value_t::object: return "an object";
        default: return "the number " + value.dump();
    }
}

void wrong_type(const JsonPlace& place, std::string_view expected) {
    place.error("expected " + std::string(expected) + ", found " + found(place.value()));
}

bool expect_few(const JsonPlace& place) {
    if (place.size() <= most_elements) return true;
    place.error("has " + std::to_string(place.size()) + " elements",
                "at most " + std::to_string(most_elements) + " are read");
    return false;
}

}  // namespace

Validated<json> parse_json(std::string_view text, std::string_view file, std::size_t depth_limit) {
    Diagnostics diagnostics;
    DocumentBuilder builder(text, depth_limit, diagnostics);
    if (trim(text).empty()) {
        diagnostics.push_back({"", "", "is empty", ""});
    } else {
        json::sax_parse(text.begin(), text.end(), &builder);
    }
    if (diagnostics.empty()) return builder.take();
    for (Diagnostic& diagnostic : diagnostics) diagnostic.file = file;
    return std::unexpected(std::move(diagnostics));
}

JsonPlace::JsonPlace(const json& document, Diagnostics& diagnostics) : value_(&document), diagnostics_(&diagnostics) {}

JsonPlace JsonPlace::member(const std::string& key, const json& value) const {
    JsonPlace child(value, *diagnostics_);
    child.parent_ = this;
    child.key_ = &key;
    return child;
}

JsonPlace JsonPlace::element(std::size_t index) const {
    JsonPlace child((*value_)[index], *diagnostics_);
    child.parent_ = this;
    child.index_ = index;
    return child;
}

std::string JsonPlace::path() const {
    std::string result;
    for (const JsonPlace* place = this; place->parent_; place = place->parent_) {
        result.insert(0, place->key_ ? in_path(*place->key_) : "[" + std::to_string(place->index_) + "]");
    }
    return without_leading_dot(result);
}

const json* JsonPlace::beside(const std::string& ending) const {
    if (parent_ == nullptr || key_ == nullptr) return nullptr;
    const auto found = parent_->value().find(*key_ + ending);
    return found == parent_->value().end() ? nullptr : &*found;
}

void JsonPlace::error(Said message, Said suggestion) const {
    append(*diagnostics_, {"", path(), std::move(message), std::move(suggestion)});
}

bool JsonPlace::expect_string() const {
    if (!value_->is_string()) wrong_type(*this, "a string");
    return value_->is_string();
}

bool JsonPlace::expect_array() const {
    if (!value_->is_array()) wrong_type(*this, "an array");
    return value_->is_array() && expect_few(*this);
}

bool JsonPlace::expect_object() const {
    if (!value_->is_object()) wrong_type(*this, "an object");
    return value_->is_object() && expect_few(*this);
}

std::size_t JsonPlace::size() const { return value_->size(); }

void read(const JsonPlace& place, std::string& value) {
    if (place.expect_string()) value = place.value().get_ref<const std::string&>();
}

void read(const JsonPlace& place, bool& value) {
    if (!place.value().is_boolean()) return wrong_type(place, "true or false");
    value = place.value().get<bool>();
}

void read(const JsonPlace& place, std::int64_t& value) {
    if (!place.value().is_number_integer()) return wrong_type(place, "an integer");
    if (place.value().is_number_unsigned() &&
        place.value().get<std::uint64_t>() > std::uint64_t{std::numeric_limits<std::int64_t>::max()}) {
        return place.error("the integer " + place.value().dump() + " does not fit 64 bits");
    }
    value = place.value().get<std::int64_t>();
}

void read(const JsonPlace& place, int& value) {
    std::int64_t wide = value;
    read(place, wide);
    if (wide < std::numeric_limits<int>::min() || wide > std::numeric_limits<int>::max()) {
        return place.error(std::to_string(wide) + " is too large");
    }
    value = static_cast<int>(wide);
}

void read(const JsonPlace& place, std::uint64_t& value) {
    const json& given = place.value();
    if (!given.is_number_unsigned() && !(given.is_number_integer() && given.get<std::int64_t>() >= 0))
        return wrong_type(place, "an integer from 0");
    value = given.get<std::uint64_t>();
}

void read(const JsonPlace& place, double& value) {
    if (!place.value().is_number()) return wrong_type(place, "a number");
    value = place.value().get<double>();
}

JsonObject::JsonObject(const JsonPlace& place) : place_(place), is_object_(place.expect_object()) {}

const json* JsonObject::find(const std::string& key) {
    asked_.push_back(key);
    if (!is_object_) return nullptr;
    const auto found = place_.value().find(key);
    return found == place_.value().end() ? nullptr : &*found;
}

bool JsonObject::has(const std::string& key) const { return is_object_ && place_.value().contains(key); }

void JsonObject::missing(const std::string& key) const { place_.error(say("the key `{}` is missing", key)); }

std::vector<std::string> JsonObject::others() const {
    std::vector<std::string> result;
    if (!is_object_) return result;
    for (const auto& [key, value] : place_.value().items()) {
        if (std::ranges::find(asked_, key) == asked_.end()) result.push_back(key);
    }
    return result;
}

void JsonObject::finish() const {
    for (const std::string& key : others()) {
        const JsonPlace place = place_.member(key, place_.value().at(key));
        place.error(say("unknown key {}", in_backquotes(key)), suggest(key, asked_));
    }
}

std::string in_backquotes(std::string_view text) {
    std::size_t end = std::min<std::size_t>(text.size(), 60);
    while (end < text.size() && end > 0 && (text[end] & 0xc0) == 0x80) --end;  // not within a character
    std::string result = "`";
    for (const char c : text.substr(0, end)) result += static_cast<unsigned char>(c) < 32 ? '?' : c;
    return result + (text.size() > end ? "…`" : "`");
}

Said suggest(std::string_view word, std::span<const std::string> known) {
    const Said nearest = word.size() <= 64 ? did_you_mean(word, known) : "";
    if (!nearest.empty() || known.empty()) return nearest;
    std::string choice;
    for (std::size_t i = 0; i < known.size() && i < 16; ++i) choice += (i > 0 ? ", " : "") + known[i];
    return say("one of: {}", choice + (known.size() > 16 ? " …" : ""));
}

}  // namespace kernelgen
