// SPDX-License-Identifier: Apache-2.0
#include "core/base/said.h"

#include <ostream>

namespace kernelgen {

/// A sentence where there is a format, else a list.
struct Said::Structure {
    std::string_view format;
    std::vector<Said> parts;
};

Said Said::sentence(std::string_view format, std::vector<Said> arguments) {
    Said said;
    std::string_view rest = format;
    for (const Said& each : arguments) {
        const std::size_t open = rest.find('{');
        said.text_.append(rest.substr(0, open)).append(each.text_);
        rest.remove_prefix(rest.find('}', open) + 1);
    }
    said.text_ += rest;
    if (!arguments.empty()) said.structure_ = std::make_shared<Structure>(format, std::move(arguments));
    return said;
}

std::string_view Said::format() const { return structure_ ? structure_->format : std::string_view(); }

std::span<const Said> Said::arguments() const {
    return format().empty() ? std::span<const Said>() : std::span<const Said>(structure_->parts);
}

std::span<const Said> Said::parts() const {
    return structure_ && format().empty() ? std::span<const Said>(structure_->parts) : std::span<const Said>();
}

Said& Said::operator+=(const Said& next) {
    if (next.empty()) return *this;
    if (empty()) return *this = next;
    const bool has_list = !parts().empty();
    if (!has_list || structure_.use_count() > 1)
        structure_ = std::make_shared<Structure>("", has_list ? structure_->parts : std::vector{*this});
    if (next.parts().empty()) structure_->parts.push_back(next);
    else structure_->parts.insert(structure_->parts.end(), next.parts().begin(), next.parts().end());
    text_ += next.text_;
    return *this;
}

std::ostream& operator<<(std::ostream& out, const Said& said) { return out << said.text_; }

Said join(std::span<const Said> all, const char* separator) {
    Said joined;
    for (const Said& each : all) joined += (&each == all.data() ? "" : separator) + each;
    return joined;
}

std::string_view place_of(std::string_view format, std::size_t number) {
    std::size_t open = format.find('{');
    for (; number > 0; --number) open = format.find('{', open + 1);
    return format.substr(open, format.find('}', open) + 1 - open);
}

}  // namespace kernelgen
