// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/base/text.h"
#include "core/listing/readers.h"

namespace kernelgen {

namespace {

/// The place of "PATH:12" or "PATH:12 (discriminator 2)".
OwnPlace place_of_location(std::string_view line, ListingWriter& out) {
    const std::size_t colon = line.substr(0, line.rfind(" (")).rfind(':');
    if (colon == std::string_view::npos) return {};
    return out.place(line.substr(0, colon), line_number(line.substr(colon + 1)));
}

/// What the compiler's own start files put into every object.
constexpr std::string_view functions_of_start_files[] = {"deregister_tm_clones", "register_tm_clones", "frame_dummy",
                                                         "__do_global_dtors_aux"};

class ObjdumpReader {
public:
    explicit ObjdumpReader(ListingWriter& out) : out_(out) {}

    bool take(std::string_view line) {
        if (line.empty() || line.starts_with("Disassembly of section") || line.contains("file format ")) return true;
        if (line.ends_with(">:") && line.contains('<')) begin_function(line);
        else if (is_left_out_) return true;
        else if (line.starts_with(' ') && line.contains(":\t")) take_instruction(line);
        else if (!line.ends_with("):")) take_location(line);  // else the name of the function that the place is in
        return !out_.is_full();
    }

private:
    void begin_function(std::string_view line) {
        const std::size_t begin = line.find('<') + 1;
        const std::string_view name = line.substr(begin, line.size() - begin - 2);
        here_ = {};
        is_left_out_ = std::ranges::contains(functions_of_start_files, name);
        if (!is_left_out_) out_.add(std::string(name) + ":", ListingLineKind::function);
    }

    /// The lines before an instruction tell its place, and then by which calls it was inlined.
    void take_location(std::string_view line) {
        constexpr std::string_view inlined = "inlined by ";
        const std::string_view text = trim(line);
        if (!text.starts_with(inlined)) here_ = place_of_location(text, out_);
        else if (!here_.is_own()) here_ = place_of_location(text.substr(inlined.size()), out_);
    }

    void take_instruction(std::string_view line) {
        const std::size_t colon = line.find(":\t");
        std::string text = std::string(trim(line.substr(0, colon))) + ":  " + std::string(trim(line.substr(colon + 2)));
        out_.add(text, ListingLineKind::instruction, here_);
    }

    ListingWriter& out_;
    OwnPlace here_;
    bool is_left_out_ = false;
};

}  // namespace

void read_objdump(std::string_view text, ListingWriter& out) {
    ObjdumpReader reader(out);
    for_each_line(text, [&](std::string_view line) { return reader.take(line); });
}

}  // namespace kernelgen
