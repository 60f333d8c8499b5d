// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "core/files/consistency.h"
#include "core/measure/ceilings.h"
#include "core/project/project.h"
#include "core/round/history.h"

namespace kernelgen {

enum class Tongue { english, chinese };

class Phrases;

/// A picture that the log shows: its path is relative to the log's folder.
struct Figure {
    std::string title, path;
};

inline constexpr std::size_t all_rounds = std::numeric_limits<std::size_t>::max();

/// The text of `optimization_log.md`: the figures; then for every round the sections of the template (version
/// information, bottleneck analysis, change, test result, lessons); then the table of parameters of all rounds. Values
/// that were not measured are "not measured", with the reason. Details are read from `rounds/N/`; where they are
/// missing, the summary is used, and the log says so. `newest`: only so many of the last rounds have sections and rows,
/// for a preview. `consistency`: the checklist of the operator's files, if there is one.
std::string optimization_log(const Project& project, const History& history, const Phrases& say,
                             std::size_t newest = all_rounds, std::span<const Figure> figures = {},
                             const Consistency* consistency = nullptr);
std::string optimization_log(const Project& project, const History& history, Tongue tongue,
                             std::size_t newest = all_rounds, std::span<const Figure> figures = {},
                             const Consistency* consistency = nullptr);

/// The log's sections of one round.
std::string log_of_round(const Project& project, const History& history, const Round& round, const Phrases& say);

/// The operator definition document: all that follows from the definition, and the device's ceilings where they were
/// measured.
Validated<std::string> definition_document(const Project& project, const Ceilings& ceilings, Tongue tongue);

}  // namespace kernelgen
