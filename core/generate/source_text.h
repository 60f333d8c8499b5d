// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace kernelgen {

/// A source under construction: lines, indented by the blocks that are open.
class SourceText {
public:
    void line(std::string_view text = "");
    void open(std::string_view text);   ///< a line that ends in '{'; later lines are indented
    void close(std::string_view text);  ///< the line that ends the block
    void begin() { ++depth_; }          ///< indents later lines
    void end() { --depth_; }            ///< ends a block without a line, as in Python
    const std::string& text() const { return text_; }

private:
    std::string text_;
    int depth_ = 0;
};

/// The names that are used in a source; each is given out once.
class Names {
public:
    Names();  ///< contains C++'s keywords and the names of the kernel header
    explicit Names(std::set<std::string, std::less<>> taken) : taken_(std::move(taken)) {}
    /// `wish`, with a number appended where the name is taken.
    std::string take(const std::string& wish);

private:
    std::set<std::string, std::less<>> taken_;
};

/// Whether `text` contains `word` as a name.
bool has_word(const std::string& text, const std::string& word);

/// The text of a number that C++ reads back exactly.
std::string number_text(double value);

}  // namespace kernelgen
