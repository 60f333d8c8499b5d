// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/trace/tokens.h"

namespace kernelgen {

/// A type as far as addresses need it.
struct CodeType {
    std::string base;        ///< "float", "DTYPE", "auto"; without qualifiers and template arguments
    int pointers = 0;        ///< depth
    bool is_shared = false;  ///< `__shared__`
};

/// Bytes of a type's value, given those of `DTYPE`; 0 where the type is not known.
int bytes_of(const CodeType& type, int dtype_bytes);

/// A node of the syntax tree of a function's body.
struct CodeNode {
    enum class Kind {
        number,
        name,
        text,
        unary,
        postfix,
        binary,
        assign,
        conditional,
        call,
        index,
        member,
        cast,
        list,
        lambda,
        block,
        declare,
        expression,
        when,
        loop,
        do_loop,
        give,
        leave,
        next,
        empty
    };
    Kind kind = Kind::empty;
    std::string text;  ///< number, name, operator, called function, member, declared name
    int line = 0;
    int place = 0;  ///< number of its token in the file
    CodeType type;  ///< of `declare`, `cast`
    /// `call`: arguments; `member`: object; `declare`: initial value, where `has_value`, then dimensions; `when`:
    /// condition, then, else; `loop`: initial statement, condition, step, body; `give`: value.
    std::vector<std::unique_ptr<CodeNode>> parts;
    bool has_value = false;
};
using CodePointer = std::unique_ptr<CodeNode>;

struct CodeParameter {
    std::string name;
    CodeType type;
};

struct CodeFunction {
    std::string name;
    std::vector<CodeParameter> parameters;
    CodePointer body;
};

/// Bytes of a source that are read; the rest of a longer source is ignored.
inline constexpr std::size_t longest_code = 256 << 10;

/// A C++ or CUDA C++ source whose functions are parsed when they are asked for. It reads the plain subset in which
/// kernels are written: declarations, loops, conditions, expressions, calls; no classes.
class CodeFile {
public:
    explicit CodeFile(std::string_view source);

    /// The function of this name that has a body, parsed once; null where there is none or where it cannot be read.
    const CodeFunction* find(const std::string& name) const;
    /// Why a function that exists cannot be read: "line 12: …"; "" where it can.
    Said problem_of(const std::string& name) const;
    /// Constants outside of functions, as declarations.
    const std::vector<CodePointer>& constants() const { return constants_; }

private:
    struct Parsed {
        CodeFunction function;
        Said problem;
        bool exists = false;
    };
    const Parsed& parsed(const std::string& name) const;

    std::vector<CodeToken> tokens_;
    std::vector<CodePointer> constants_;
    mutable std::map<std::string, Parsed> functions_;
};

}  // namespace kernelgen
