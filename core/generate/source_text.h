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
    void open(std::string_view text);   ///< a line that ends in '{'; what follows is indented
    void close(std::string_view text);  ///< the line that ends the block
    void begin() { ++depth_; }          ///< indents what follows
    void end() { --depth_; }            ///< ends the block without a line, as Python does
    const std::string& text() const { return text_; }

private:
    std::string text_;
    int depth_ = 0;
};

/// Names that a source has given out; each is given once.
class Names {
public:
    Names();  ///< knows C++'s keywords and what kernels use already
    explicit Names(std::set<std::string, std::less<>> taken) : taken_(std::move(taken)) {}
    /// `wish`, with a number appended where it is taken.
    std::string take(const std::string& wish);

private:
    std::set<std::string, std::less<>> taken_;
};

/// Whether `word` stands in `text` as a name.
bool has_word(const std::string& text, const std::string& word);

/// A number as C++ reads it back exactly.
std::string number_text(double value);

}  // namespace kernelgen
