// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/listing/code_outline.h"

namespace kernelgen::studio {

/// Which parts of a listing are folded to their first line, and so which lines are shown. What is folded stays so in
/// the code of the next build, where that has such a part.
class Folding {
public:
    /// Of a listing of so many lines. `names`: what each region is called from build to build.
    void setRegions(std::vector<CodeRegion> regions, std::vector<std::string> names, std::size_t lines);

    int count() const { return static_cast<int>(shown_.size()); }
    std::size_t lineOf(int row) const { return shown_[static_cast<std::size_t>(row)]; }
    /// The row of a line, or of what it is folded into.
    int rowOf(std::size_t line) const;

    /// The outermost region that is folded to this line; null where the line stands for itself.
    const CodeRegion* foldedAt(std::size_t line) const;
    bool beginsRegion(std::size_t line) const;  ///< that can be folded, or is
    /// How many loops the line is in.
    int loopsAround(std::size_t line) const { return loops_[line]; }

    /// Folds the innermost region around a line that is not folded yet; its first line, nothing where there is none.
    std::optional<std::size_t> fold(std::size_t line);
    void foldAt(std::size_t line);  ///< the outermost region that begins there
    /// Shows what is folded to this line; whether anything was.
    bool unfold(std::size_t line);
    void foldAll(RegionKind kind);
    void unfoldAll();
    void reveal(std::size_t line);  ///< unfolds what hides it

private:
    bool isFolded(std::size_t region) const { return folded_.contains(names_[region]); }
    void show();

    std::vector<CodeRegion> regions_;
    std::vector<std::string> names_;
    std::set<std::string> folded_;
    std::vector<std::size_t> shown_;
    std::vector<int> loops_;
    std::vector<char> begins_;
};

/// "softmax:/loop/2": the function, the kind, and how many of the kind come before it in the function.
std::vector<std::string> namesOf(const std::vector<CodeRegion>& regions, const Listing& listing);

}  // namespace kernelgen::studio
