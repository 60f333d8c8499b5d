// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <utility>

#include "app/studio/operator/table_content.h"
#include "core/base/text.h"

namespace kernelgen::studio {

/// The index in "PATH[2].key" and the rest (".key"); nothing where `where` is not of that list.
inline std::optional<std::pair<int, std::string>> elementOf(const std::string& path, const std::string& where) {
    if (!where.starts_with(path + "[")) return std::nullopt;
    const std::size_t begin = path.size() + 1;
    const std::size_t end = where.find(']', begin);
    long long index = 0;
    if (end == where.npos || !parse_integer(where.substr(begin, end - begin), index)) return std::nullopt;
    return std::pair(static_cast<int>(index), where.substr(end + 1));
}

/// A list of a project; `List` gives it: std::vector<Item>& (Project&).
template <auto List>
class ListContent : public TableContent {
public:
    void insert(Project& project, int row) const override {
        auto& list = List(project);
        list.insert(list.begin() + row, make(project, row));
    }
    void erase(Project& project, int row) const override {
        auto& list = List(project);
        list.erase(list.begin() + row);
    }
    void exchange(Project& project, int row, int other) const override {
        auto& list = List(project);
        std::swap(list[static_cast<std::size_t>(row)], list[static_cast<std::size_t>(other)]);
    }
    std::optional<CellPlace> placeOf(const Project& project, const std::string& where) const override {
        const auto element = elementOf(path(), where);
        if (!element || element->first >= static_cast<int>(list(project).size())) return std::nullopt;
        return CellPlace{element->first, columnOf(project, element->second)};
    }

protected:
    /// The value with which a new row at `row` begins.
    virtual std::remove_cvref_t<decltype(List(std::declval<Project&>())[0])> make(const Project& project,
                                                                                  int row) const = 0;
    /// The column of the rest of a diagnostic's path (".shape[0]").
    virtual int columnOf(const Project&, const std::string&) const { return 0; }

    static const auto& list(const Project& project) { return List(const_cast<Project&>(project)); }
    static auto& item(Project& project, int row) { return List(project)[static_cast<std::size_t>(row)]; }
};

}  // namespace kernelgen::studio
