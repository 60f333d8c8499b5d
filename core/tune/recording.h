// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/tune/searcher.h"
#include "core/tune/space.h"

namespace kernelgen {

/// A configuration that someone tried before; without seconds where it failed.
struct RecordedTrial {
    Configuration configuration;
    std::optional<double> seconds;

    bool operator==(const RecordedTrial&) const = default;
};

/// A space that was tuned elsewhere. Where a configuration is there several times, its last trial counts.
struct Recording {
    std::vector<RecordedTrial> trials;
    std::vector<Said> warnings = {};  ///< what of the file could not be read

    bool operator==(const Recording&) const = default;
};

/// Reads a T4 file, a cache file of Kernel Tuner, results of KTT or a tuning's file, as it is or in gzip: which of them
/// it is, is seen from its keys. Errors: no such file, none of these formats, no trial, values that are no integers,
/// times without a known unit.
Validated<Recording> load_recording(const std::string& path);

/// The same for a text; `file` is its name in errors.
Validated<Recording> read_recording(std::string_view text, const std::string& file);

/// The space of exactly the configurations that were recorded.
Result<TuningSpace> space_of(const Recording& recording);

/// The recording's trials that are in the space. A parameter that a configuration lacks is filled in where the space
/// allows only one value. Configurations that the space does not have are left out.
std::vector<Trial> trials_in(const TuningSpace& space, const Recording& recording);

}  // namespace kernelgen
