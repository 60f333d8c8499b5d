// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/generate/generate.h"
#include "core/lang/body.h"

namespace kernelgen {

/// The lowered body from which kernels are written. Errors: a family without a generator, an invalid body.
Validated<Body> lowered_body(const Operator& definition);

/// The number of rows of the space, as a launch expression.
std::string row_count_text(const Body& body);

/// A variant with one launch, whose arguments are all names of the definition.
Variant source_variant(const Operator& definition, Language language, std::string name, std::string source);

/// The first launch's grid: all blocks, or those that stay on the multiprocessors and walk over all work.
void set_grid(Variant& variant, const std::string& all, const std::string& staying);

/// A name for a workspace that nothing of the definition has: `wish`, or with underscores.
std::string workspace_name(const Operator& definition, std::string wish);

GeneratedVariant finished(Variant variant, std::string text);

}  // namespace kernelgen
