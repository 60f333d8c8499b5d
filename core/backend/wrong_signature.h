// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/backend/build.h"

namespace kernelgen {

/// The prototypes that a variant's launches demand stand behind its source, as if they were in a file of this name.
/// The compiler's errors in it tell that a kernel has another signature.
std::string interface_name(const Variant& variant);

/// The first kernel of a variant that a compiler's message names between two of the characters `quote`, as in
/// `declaration is incompatible with "void relu(float *)"`; "" where it names none.
std::string kernel_quoted_in(const Variant& variant, const std::string& message, char quote);

/// The error of kernel `entry` in `text`, the source `file`: it is not what its launch demands, which is `prototype`
/// ("" where that is unknown). At the line, `//` comments left out, on which the function is first followed by
/// a parenthesis.
CompilerMessage wrong_signature(const std::string& file, std::string_view text, const std::string& entry,
                                const std::string& prototype);

}  // namespace kernelgen
