// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kernelgen {

/// An `#include` of a C++ or CUDA text.
struct Include {
    std::string name;
    bool quoted = false;  ///< "name", as opposed to <name>
};

/// All includes in the order of the text, also those in an `#if` that is false. An include of a macro is left out.
std::vector<Include> includes_of(std::string_view text);

/// An import of a Python text: `import a.b`, or `from a.b import c, d`; `level` is the number of dots before `a`.
struct Import {
    int level = 0;
    std::string module;              ///< "a.b"; may be empty where there are dots
    std::vector<std::string> names;  ///< of `from … import`: the imported names, which may be modules
};

/// All imports in the order of the text, also those inside functions.
std::vector<Import> imports_of(std::string_view text);

}  // namespace kernelgen
