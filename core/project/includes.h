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

/// In the order of the text, whatever `#if` they stand in. One that names a macro is left out.
std::vector<Include> includes_of(std::string_view text);

/// An `import` of a Python text: of `import a.b`, or of `from a.b import c, d`, or with `level` dots before `a`.
struct Import {
    int level = 0;
    std::string module;              ///< "a.b"; may be empty where there are dots
    std::vector<std::string> names;  ///< behind `import` of a `from`: what may be modules within
};

/// In the order of the text, wherever they stand in it.
std::vector<Import> imports_of(std::string_view text);

}  // namespace kernelgen
