// SPDX-License-Identifier: Apache-2.0
#include "core/base/result.h"

namespace kernelgen {

Said to_string(const Diagnostic& diagnostic) {
    Said text;
    if (!diagnostic.file.empty()) text += diagnostic.file + ": ";
    if (!diagnostic.where.empty()) text += diagnostic.where + ": ";
    text += diagnostic.message;
    if (!diagnostic.suggestion.empty()) text += "; " + diagnostic.suggestion;
    return text;
}

Said to_string(const Diagnostics& diagnostics) {
    Said text;
    for (const Diagnostic& diagnostic : diagnostics) text += to_string(diagnostic) + "\n";
    return text;
}

}  // namespace kernelgen
