// SPDX-License-Identifier: Apache-2.0
#include "core/project/unread.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>

#include "core/base/json_reader.h"

namespace kernelgen {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

/// Whether `place` is `path` or within it.
bool is_within(std::string_view place, std::string_view path) {
    if (path.empty()) return true;
    if (!place.starts_with(path)) return false;
    return place.size() == path.size() || place[path.size()] == '.' || place[path.size()] == '[';
}

std::string name_of(const ordered_json& element) {
    return element.is_object() && element.contains("name") && element["name"].is_string() ? element["name"] : "";
}

/// Where element `index` of `read` is in `now`; nothing where it was removed.
std::optional<std::size_t> found_again(const ordered_json& read, std::size_t index, const ordered_json& now) {
    const ordered_json& element = read[index];
    if (index < now.size() && now[index] == element) return index;
    if (const auto same = std::ranges::find(now, element); same != now.end()) return same - now.begin();
    if (now.size() == read.size()) return index;
    const std::string name = name_of(element);
    const auto named = std::ranges::find(now, name, name_of);
    if (name.empty() || named == now.end()) return std::nullopt;
    return named - now.begin();
}

class Keeper {
public:
    explicit Keeper(const std::vector<std::string>& places) : places_(places) {}

    /// `place` and `ordered` are the same part of the file.
    void keep(const JsonPlace& place, const ordered_json& ordered, const ordered_json& read, ordered_json& now) const {
        if (!has_error(place)) return;
        if (now == read) {
            now = ordered;
        } else if (ordered.is_object() && read.is_object() && now.is_object()) {
            keep_members(place, ordered, read, now);
        } else if (ordered.is_array() && read.is_array() && now.is_array() && ordered.size() == read.size()) {
            keep_elements(place, ordered, read, now);
        }
    }

private:
    void keep_members(const JsonPlace& place, const ordered_json& ordered, const ordered_json& read,
                      ordered_json& now) const {
        for (const auto& [key, value] : place.value().items()) {
            const JsonPlace member = place.member(key, value);
            const bool was_read = read.contains(key);
            if (was_read && now.contains(key)) keep(member, ordered[key], read[key], now[key]);
            else if (!was_read && !now.contains(key) && has_error(member)) now[key] = ordered[key];
        }
        if (std::ranges::contains(places_, place.path())) remove_stand_ins(ordered, read, now);
    }

    void keep_elements(const JsonPlace& place, const ordered_json& ordered, const ordered_json& read,
                       ordered_json& now) const {
        for (std::size_t i = 0; i < ordered.size(); ++i) {
            if (const auto at = found_again(read, i, now)) keep(place.element(i), ordered[i], read[i], now[*at]);
        }
    }

    /// Keys that the file lacks, with the values that stood in for them.
    static void remove_stand_ins(const ordered_json& ordered, const ordered_json& read, ordered_json& now) {
        std::set<std::string> lacking;
        for (const auto& [key, value] : read.items()) {
            if (!ordered.contains(key) && now.contains(key) && now[key] == value) lacking.insert(key);
        }
        for (const std::string& key : lacking) now.erase(key);
    }

    bool has_error(const JsonPlace& place) const {
        const std::string path = place.path();
        return std::ranges::any_of(places_, [&](const auto& each) { return is_within(each, path); });
    }

    const std::vector<std::string>& places_;
};

}  // namespace

void keep_unread(const UnreadFile& file, ordered_json& now) {
    Diagnostics none;
    Keeper(file.places).keep(JsonPlace(file.sorted, none), file.ordered, file.read, now);
}

}  // namespace kernelgen
