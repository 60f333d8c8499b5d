// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/lang/body.h"
#include "core/measure/ceilings.h"
#include "core/project/project.h"
#include "core/report/phrases.h"

namespace kernelgen {

/// The sections of the definition document. `body` is nothing for families without a body.
std::string operator_section(const Project& project, const Phrases& say);
std::string analysis_section(const Project& project, const std::optional<Body>& body, const Ceilings& ceilings,
                             const Phrases& say);
std::string implementation_sections(const Project& project, const std::optional<Body>& body, const Phrases& say);

/// What the launch and the definition give to work with: warps and stages, memory access, data reuse, sizes.
std::string strategy_sections(const Project& project, const std::optional<Body>& body, const Phrases& say);

/// What to do where a goal is missed.
std::string remedy_section(const Project& project, const Phrases& say);

/// The variant's configurations by case; "" without any.
std::string configurations_paragraph(const Variant& variant, const Phrases& say);

/// "[P, D]"
std::string shape_phrase(const Tensor& tensor, const Phrases& say);

}  // namespace kernelgen
