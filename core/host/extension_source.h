// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/backend/compiler_message.h"
#include "core/project/variant.h"

namespace kernelgen {

/// The Python module that an extension is, and the function of one without PyTorch
/// (resources/python/kernelgen_extension.py).
inline constexpr const char* extension_module = "kernelgen_extension";

/// Whether an extension is called without PyTorch.
bool is_plain(const Variant& variant);

/// The files of which an `extension` variant is built.
struct ExtensionSources {
    SourceFiles files;               ///< the variant's, without those of Python; and the one that was made
    std::vector<std::string> units;  ///< those that are compiled on their own
};

/// Where the sources do not bind the entry to Python themselves, by `PYBIND11_MODULE` or `TORCH_LIBRARY`, a file is
/// made that includes the variant's source and binds it: through PyTorch, or for interface `plain` by a C function.
ExtensionSources extension_sources(const Implementation& implementation);

/// Errors in the file that was made become ones of the variant's source, which say what `entry` has to be; where a
/// header of PyTorch's is missing, an error says what to install.
void move_into_extension(const Implementation& implementation, std::vector<CompilerMessage>& messages);

}  // namespace kernelgen
