// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/listing/code_outline.h"
#include "core/listing/instruction_mix.h"

namespace kernelgen::studio {

/// A listing with what a view of it looks up. It is made in another thread and never changes.
struct CodeView {
    Listing listing;
    std::vector<std::map<int, std::vector<std::size_t>>> by_source;  ///< for each file of the listing
    std::vector<int> colours;                                        ///< of each row, 0 …; -1: it has no place
    std::vector<int> functions;                                      ///< rows at which functions begin
    std::vector<CodeRegion> regions;
    std::vector<char> marks;  ///< of each row, where it is compared (core/listing/listing_difference.h); else empty
    InstructionMix before;    ///< of the code that it is compared with
    int removed = 0, added = 0;

    int fileOf(const std::string& name) const;  ///< -1 where nothing comes from it
    /// The rows that come from a line of a file, ascending.
    std::vector<std::size_t> rowsOf(const std::string& file, int line) const;
    std::string fileOfRow(std::size_t row) const;  ///< "" where it has no place
};
using SharedCode = std::shared_ptr<const CodeView>;

/// A build's text, and the project's files that it was built of.
struct CodeText {
    std::string text;
    std::vector<std::string> own_files;
};

/// The code, where `other` is given with what that has alone in its place.
SharedCode readCode(const CodeText& text, CodeKind kind, const std::optional<CodeText>& other = std::nullopt);

/// The first row of each difference to the other code.
std::vector<int> differencesOf(const CodeView& code);

/// The rows that have this text in them, whatever its case.
std::vector<int> rowsWith(const SharedCode& code, const QString& text);

/// The colours that link lines of sources with rows: for each file, of each line that has code.
using LineColours = std::map<std::string, std::map<int, int>>;
LineColours lineColoursOf(const CodeView& code);

}  // namespace kernelgen::studio
