// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/lang/operator.h"
#include "core/project/configuration.h"

namespace kernelgen {

/// An expression as a T1 file has it.
struct T1Text {
    std::string text;
    std::optional<std::int64_t> value = {};  ///< where it names no parameter
    bool is_condition = false;               ///< whether Python's value is True or False
    bool is_positive = false;                ///< known to be above 0
    bool may_fail = false;                   ///< such as by a division by zero
};

/// Writes expressions of the integer language in the words that it shares with Python. They name parameters only: sizes
/// are written as numbers, and names of a `let` as what they stand for.
class T1Expressions {
public:
    /// `let`: "name = expression" each. One that cannot be written is an error of the expressions that name it.
    T1Expressions(const std::vector<Tunable>& parameters, const Sizes& sizes, const std::vector<std::string>& let);

    /// Errors: what cannot be read, an unknown name, a text that becomes too long, a `?` whose branches may fail:
    /// Python and the integer language share none, and what stands for it computes both.
    Result<T1Text> write(std::string_view expression) const;

private:
    std::vector<Tunable> parameters_;
    Sizes sizes_;
    std::map<std::string, Result<T1Text>> let_;
};

}  // namespace kernelgen
