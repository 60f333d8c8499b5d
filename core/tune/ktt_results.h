// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/base/json_reader.h"
#include "core/tune/recording.h"

namespace kernelgen {

/// The results that KTT itself writes (https://github.com/HiPerCoRe/KTT): `Results` with a `Configuration` of names and
/// values, a `Status` and a `TotalDuration`, in the `TimeUnit` of its `Metadata`.

bool is_ktt_results(const nlohmann::json& document);

/// Errors are added to the place's diagnostics.
Recording read_ktt_results(const JsonPlace& document);

}  // namespace kernelgen
