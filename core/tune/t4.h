// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>

#include "core/base/json_reader.h"
#include "core/tune/recording.h"

namespace kernelgen {

/// T4: the results of a tuning as several tuners write them (https://github.com/odgaard/TuningSchema). These parts of a
/// result are read: its `configuration`, its `invalidity`, and of its `measurements` the one that its first objective
/// names, a time.

bool is_t4(const nlohmann::json& document);

/// Errors are added to the place's diagnostics.
Recording read_t4(const JsonPlace& document);

/// An object of integers; `true` and `false` are 1 and 0.
void read_configuration(const JsonPlace& place, Configuration& configuration);

/// Seconds in a unit ("miliseconds", as Kernel Tuner writes it, "Microseconds", as KTT does, "ms", "s", …).
std::optional<double> seconds_in(std::string_view unit);

}  // namespace kernelgen
