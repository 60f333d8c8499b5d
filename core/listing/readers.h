// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "core/listing/listing.h"

namespace kernelgen {

/// A place in a file of the listing; -1 where it is in none of the project's.
struct OwnPlace {
    int file = -1;
    int line = 0;
    bool is_own() const { return file >= 0; }
};

/// Fills a listing, and finds out which places are in the project's files.
class ListingWriter {
public:
    ListingWriter(Listing& listing, const std::vector<std::string>& own_files)
        : listing_(listing), own_files_(own_files) {}

    /// The place in the file at a path as a compiler tells it, such as "/tmp/x/sources/./relu.cpp".
    OwnPlace place(std::string_view path, int line);

    void add(std::string_view text, ListingLineKind kind, OwnPlace at = {});
    bool is_full() const { return listing_.is_cut; }
    std::size_t rows() const { return listing_.lines.size(); }
    void set_place(std::size_t row, OwnPlace at);

private:
    int index_of(const std::string& own_file);

    Listing& listing_;
    const std::vector<std::string>& own_files_;
    std::map<std::string, int, std::less<>> by_path_;
    bool has_frame_pointer_ = false;  ///< rbp points into the stack of the function
};

/// Calls with each line, without its end, until it returns false.
void for_each_line(std::string_view text, const std::function<bool(std::string_view)>& visit);

/// The number that a text begins with; 0 where it begins with none, or with one that is no line's.
int line_number(std::string_view text);

void read_objdump(std::string_view text, ListingWriter& out);
void read_ptx(std::string_view text, ListingWriter& out);
void read_sass(std::string_view text, ListingWriter& out);
void read_mlir(std::string_view text, ListingWriter& out);

}  // namespace kernelgen
