// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/assembly/folding.h"

#include <algorithm>
#include <map>

namespace kernelgen::studio {

void Folding::setRegions(std::vector<CodeRegion> regions, std::vector<std::string> names, std::size_t lines) {
    regions_ = std::move(regions);
    names_ = std::move(names);
    loops_.assign(lines, 0);
    begins_.assign(lines, 0);
    for (const CodeRegion& each : regions_) {
        begins_[each.first] = 1;
        if (each.kind != RegionKind::loop) continue;
        for (std::size_t line = each.first; line <= each.last; ++line) ++loops_[line];
    }
    show();
}

/// Regions follow one another as they begin, the outer before the inner.
void Folding::show() {
    shown_.clear();
    std::size_t line = 0;
    for (std::size_t i = 0; i < regions_.size(); ++i) {
        if (regions_[i].first < line || !isFolded(i)) continue;
        for (; line <= regions_[i].first; ++line) shown_.push_back(line);
        line = regions_[i].last + 1;
    }
    for (; line < loops_.size(); ++line) shown_.push_back(line);
}

int Folding::rowOf(std::size_t line) const {
    const auto next = std::ranges::upper_bound(shown_, line);
    return static_cast<int>(next - shown_.begin()) - 1;
}

const CodeRegion* Folding::foldedAt(std::size_t line) const {
    const auto first = std::ranges::lower_bound(regions_, line, {}, &CodeRegion::first);
    for (auto each = first; each != regions_.end() && each->first == line; ++each) {
        if (isFolded(static_cast<std::size_t>(each - regions_.begin()))) return &*each;
    }
    return nullptr;
}

bool Folding::beginsRegion(std::size_t line) const { return begins_[line] != 0; }

std::optional<std::size_t> Folding::fold(std::size_t line) {
    std::optional<std::size_t> innermost;
    for (std::size_t i = 0; i < regions_.size() && regions_[i].first <= line; ++i) {
        if (line <= regions_[i].last && !isFolded(i)) innermost = i;
    }
    if (!innermost) return std::nullopt;
    folded_.insert(names_[*innermost]);
    show();
    return regions_[*innermost].first;
}

void Folding::foldAt(std::size_t line) {
    const auto outermost = std::ranges::lower_bound(regions_, line, {}, &CodeRegion::first);
    if (outermost == regions_.end() || outermost->first != line) return;
    folded_.insert(names_[static_cast<std::size_t>(outermost - regions_.begin())]);
    show();
}

bool Folding::unfold(std::size_t line) {
    bool any = false;
    for (std::size_t i = 0; i < regions_.size() && regions_[i].first <= line; ++i) {
        if (regions_[i].first == line) any = folded_.erase(names_[i]) > 0 || any;
    }
    if (any) show();
    return any;
}

void Folding::foldAll(RegionKind kind) {
    for (std::size_t i = 0; i < regions_.size(); ++i) {
        if (regions_[i].kind == kind) folded_.insert(names_[i]);
    }
    show();
}

void Folding::unfoldAll() {
    folded_.clear();
    show();
}

void Folding::reveal(std::size_t line) {
    bool any = false;
    for (std::size_t i = 0; i < regions_.size() && regions_[i].first < line; ++i) {
        if (line <= regions_[i].last) any = folded_.erase(names_[i]) > 0 || any;
    }
    if (any) show();
}

std::vector<std::string> namesOf(const std::vector<CodeRegion>& regions, const Listing& listing) {
    std::vector<std::string> names;
    std::string function;
    std::map<std::string, int> before;
    for (const CodeRegion& each : regions) {
        if (each.kind == RegionKind::function) {
            function = listing.lines[each.first].text;
            before.clear();
        }
        const std::string kind = function + "/" + std::string(to_string(each.kind));
        names.push_back(kind + "/" + std::to_string(before[kind]++));
    }
    return names;
}

}  // namespace kernelgen::studio
