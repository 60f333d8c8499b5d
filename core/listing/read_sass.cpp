// SPDX-License-Identifier: Apache-2.0
#include "core/base/text.h"
#include "core/listing/readers.h"

namespace kernelgen {

namespace {

/// The place after `File "PATH", line 12`.
OwnPlace place_of_comment(std::string_view text, ListingWriter& out) {
    const std::size_t begin = text.find('"');
    if (begin == std::string_view::npos) return {};
    const std::size_t end = text.find('"', begin + 1);
    constexpr std::string_view line = ", line ";
    if (end == std::string_view::npos || !text.substr(end + 1).starts_with(line)) return {};
    return out.place(text.substr(begin + 1, end - begin - 1), line_number(text.substr(end + 1 + line.size())));
}

class SassReader {
public:
    explicit SassReader(ListingWriter& out) : out_(out) {}

    bool take(std::string_view line) {
        const std::string_view text = trim(line);
        if (text.starts_with("//##")) take_location(text);
        else if (text.starts_with("/*")) take_instruction(text);
        else if (text.starts_with("Function : ")) begin_function(std::string(text.substr(11)) + ":");
        else if (text.ends_with(':') && !text.contains(' ')) take_label(text);
        return !out_.is_full();
    }

private:
    void begin_function(const std::string& name) {
        out_.add(name, ListingLineKind::function);
        here_ = {};
    }

    void take_label(std::string_view text) {
        if (text.starts_with(".text.") || text.starts_with(".nv") || text.starts_with(".debug")) return;
        if (text.starts_with(".L")) out_.add(text, ListingLineKind::label, here_);
        else begin_function(std::string(text));
    }

    /// The comments before an instruction tell its place first, and then by which calls it was inlined.
    void take_location(std::string_view text) {
        if (!in_group_) here_ = place_of_comment(text, out_);
        else if (!here_.is_own()) here_ = place_of_comment(text, out_);
        in_group_ = text.contains(" inlined at ");
    }

    /// "/*0010*/  S2R R0, SR_CTAID.X ;", perhaps with its encoding in a comment behind.
    void take_instruction(std::string_view text) {
        const std::size_t address = text.find("*/");
        if (address == std::string_view::npos) return;
        std::string_view code = trim(text.substr(address + 2));
        code = trim(code.substr(0, code.find("/*")));
        if (code.empty()) return;  // an encoding alone
        in_group_ = false;
        out_.add(std::string(text.substr(2, address - 2)) + ":  " + std::string(code), ListingLineKind::instruction,
                 here_);
    }

    ListingWriter& out_;
    OwnPlace here_;
    bool in_group_ = false;  ///< the last comment names a call, which the next comment is about
};

}  // namespace

void read_sass(std::string_view text, ListingWriter& out) {
    SassReader reader(out);
    for_each_line(text, [&](std::string_view line) { return reader.take(line); });
}

}  // namespace kernelgen
