// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/listing/instruction_mix.h"

namespace kernelgen::studio {

/// A listing with what a view of it looks up. It is made in another thread and never changes.
struct CodeView {
    Listing listing;
    std::vector<std::map<int, std::vector<std::size_t>>> by_source;  ///< for each file of the listing
    std::vector<int> colours;                                        ///< of each row, 0 …; -1: it has no place
    std::vector<int> functions;                                      ///< rows at which functions begin

    int fileOf(const std::string& name) const;  ///< -1 where nothing comes from it
    /// The rows that come from a line of a file, ascending.
    std::vector<std::size_t> rowsOf(const std::string& file, int line) const;
    std::string fileOfRow(std::size_t row) const;  ///< "" where it has no place
};
using SharedCode = std::shared_ptr<const CodeView>;

SharedCode readCode(const std::string& text, CodeKind kind, const std::vector<std::string>& own_files);

/// The rows that have this text in them, whatever its case.
std::vector<int> rowsWith(const SharedCode& code, const QString& text);

/// The colours that link lines of sources with rows: for each file, of each line that has code.
using LineColours = std::map<std::string, std::map<int, int>>;
LineColours lineColoursOf(const CodeView& code);

}  // namespace kernelgen::studio
