// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/base/text.h"
#include "core/listing/readers.h"

namespace kernelgen {

namespace {

/// The place of "PATH:12", "PATH:12 (discriminator 2)" or "PATH:12 (f<A, B (*)(C)>)".
OwnPlace place_of_location(std::string_view line, ListingWriter& out) {
    constexpr std::string_view digits = "0123456789";
    for (std::size_t colon = line.find(':'); colon != std::string_view::npos; colon = line.find(':', colon + 1)) {
        const std::string_view number = line.substr(colon + 1);
        const std::size_t end = std::min(number.find_first_not_of(digits), number.size());
        const bool ends_there = end == number.size() || number.substr(end).starts_with(" (");
        if (end > 0 && ends_there) return out.place(line.substr(0, colon), line_number(number));
    }
    return {};
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
        here_ = base_ = {};
        is_left_out_ = std::ranges::contains(functions_of_start_files, name);
        if (!is_left_out_) out_.add(std::string(name) + ":", ListingLineKind::function);
    }

    /// The lines before an instruction tell its place, and then by which calls it was inlined. The place is left out
    /// where it is the last instruction's; the calls are told again.
    void take_location(std::string_view line) {
        constexpr std::string_view inlined = "inlined by ";
        const std::string_view text = trim(line);
        const bool is_call = text.starts_with(inlined);
        if (!is_call) base_ = place_of_location(text, out_);
        if (!is_call || is_after_instruction_) here_ = base_;
        if (is_call && !here_.is_own()) here_ = place_of_location(text.substr(inlined.size()), out_);
        is_after_instruction_ = false;
    }

    void take_instruction(std::string_view line) {
        const std::size_t colon = line.find(":\t");
        std::string text = std::string(trim(line.substr(0, colon))) + ":  " + std::string(trim(line.substr(colon + 2)));
        out_.add(text, ListingLineKind::instruction, here_);
        is_after_instruction_ = true;
    }

    ListingWriter& out_;
    OwnPlace here_;
    OwnPlace base_;  ///< the place that was told last, without the calls by which it was inlined
    bool is_after_instruction_ = false;
    bool is_left_out_ = false;
};

}  // namespace

void read_objdump(std::string_view text, ListingWriter& out) {
    ObjdumpReader reader(out);
    for_each_line(text, [&](std::string_view line) { return reader.take(line); });
}

}  // namespace kernelgen
