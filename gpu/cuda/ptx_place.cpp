// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/ptx_place.h"

#include <sstream>
#include <vector>

#include "core/base/text.h"

namespace kernelgen {

namespace {

/// The name that `.file NUMBER "NAME"` gives; the directives stand at the end.
std::string file_name(const std::vector<std::string>& lines, int number) {
    const std::string directive = ".file\t" + std::to_string(number) + " \"";
    for (const std::string& each : lines) {
        const std::string_view text = trim(each);
        if (!text.starts_with(directive)) continue;
        const std::string_view name = text.substr(directive.size());
        return std::string(name.substr(0, name.find('"')));
    }
    return "";
}

}  // namespace

std::optional<PtxPlace> place_in_source(std::string_view ptx, int line) {
    const std::vector<std::string> lines = split(ptx, '\n');
    if (line < 1 || static_cast<std::size_t>(line) > lines.size()) return std::nullopt;
    PtxPlace place;
    place.instruction = trim(lines[static_cast<std::size_t>(line) - 1]);
    for (auto i = static_cast<std::size_t>(line); i-- > 0;) {
        const std::string_view text = trim(lines[i]);
        if (text.starts_with(".visible") || text.starts_with(".func") || text.starts_with(".entry")) break;
        if (!text.starts_with(".loc")) continue;
        std::istringstream numbers(std::string(text.substr(4)));
        int file = 0;
        if (numbers >> file >> place.line >> place.column) place.file = file_name(lines, file);
        break;
    }
    return place;
}

}  // namespace kernelgen
