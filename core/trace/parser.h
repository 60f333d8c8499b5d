// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/trace/code.h"

namespace kernelgen {

/// What ends the reading of a function: something outside of the subset.
struct UnreadableCode {
    Said message;
};

/// Reads types, expressions and statements from tokens. Throws UnreadableCode, which CodeFile turns into a message.
class CodeParser {
public:
    CodeParser(std::span<const CodeToken> tokens, std::size_t at) : tokens_(tokens), at_(at) {}

    std::vector<CodeParameter> parameters();  ///< after `(`; ends after `)`
    CodePointer block();                      ///< from `{`; ends after `}`
    CodePointer declaration();                ///< "T a = 1, b[4];"; null, and nothing read, where it is none
    std::size_t position() const { return at_; }

private:
    const CodeToken& now() const { return tokens_[at_]; }
    const CodeToken& ahead(std::size_t count) const { return tokens_[std::min(at_ + count, tokens_.size() - 1)]; }
    bool take(std::string_view symbol);
    bool take_name(std::string_view name);
    void expect(std::string_view symbol);
    [[noreturn]] void fail_here() const;

    std::optional<CodeType> type();
    bool type_arguments();
    bool qualifier(CodeType& type, bool& known);
    CodePointer declared(CodeType type);
    CodePointer statement();
    CodePointer keyword_statement();
    CodePointer when();
    CodePointer for_loop();
    CodePointer while_loop();
    CodePointer expression() { return comma(); }
    CodePointer comma();
    CodePointer assignment();
    CodePointer conditional();
    CodePointer binary(int least);
    CodePointer unary();
    CodePointer cast();
    CodePointer postfix();
    CodePointer primary();
    CodePointer named();
    CodePointer lambda();
    CodePointer list(std::string_view end);
    void arguments(CodeNode& call);
    CodePointer node(CodeNode::Kind kind, std::string text = {}) const;
    void deeper();

    std::span<const CodeToken> tokens_;
    std::size_t at_;
    int depth_ = 0;
};

}  // namespace kernelgen
