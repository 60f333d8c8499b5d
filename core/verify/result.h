// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/backend/build.h"
#include "core/base/said.h"
#include "core/base/status.h"
#include "core/lang/operator.h"
#include "core/tensor/random.h"

namespace kernelgen {

/// One element that does not pass.
struct Mismatch {
    std::string output;
    std::vector<std::int64_t> index;
    double expected = 0;
    double actual = 0;
};

/// Errors of all judged elements of a check. Absolute error is in the output's unit; relative errors are of elements
/// whose reference is not zero.
struct ErrorMetrics {
    std::int64_t elements = 0;
    std::int64_t mismatches = 0;
    std::int64_t excluded = 0;  ///< elements that are not judged, since the precision decides whether they are finite
    double max_absolute = 0, mean_absolute = 0;
    double p50_absolute = 0, p90_absolute = 0, p99_absolute = 0;
    double max_relative = 0, mean_relative = 0;
    double kl_divergence = 0;  ///< of the outputs' distribution from the reference's, in nats (ValueHistogram)
    /// Share of the elements that are at an end of their dtype's range (its largest or lowest number, or an infinity)
    /// although the reference is finite.
    double clip_ratio = 0;
    /// Counts of elements by absolute error, four bins for each decade: bin i holds 10^(first_exponent + i/4) ≤ e <
    /// 10^(first_exponent + (i+1)/4), with edges accurate to 1 %. Errors outside count in the first bin or in the last
    /// one; the last bin is the last that is not empty. `exact` counts errors of zero. Quantiles are within 1 %.
    std::int64_t exact = 0;
    int first_exponent = -20;
    std::vector<std::int64_t> histogram;
};

/// Facts about a check's reference. Not part of the record.
struct ReferenceFacts {
    std::uint64_t digest = 0;     ///< hash of all values: equal for equal references
    std::string says_nothing_in;  ///< the first output in which no finite element could be judged; "" for none

    bool operator==(const ReferenceFacts&) const = default;
};

/// One check: a case, an input set and a seed.
struct CaseAccuracy {
    Case binding;
    InputSet set = InputSet::normal;
    std::uint64_t seed = 0;
    bool own_case = false;  ///< a case of the project, not one of the studio's awkward sizes
    Status status = Status::ok;
    Said reason;  ///< a sentence with the set and seed of the inputs
    ErrorMetrics metrics;
    std::vector<double> scales;              ///< the scale s with which each output was judged; in memory only
    std::vector<Mismatch> first_mismatches;  ///< at most 8
    ReferenceFacts reference;
    std::string remark;     ///< on a check that passed; in memory only
    std::string build_key;  ///< of the candidate's build, as of BuildResult; in memory only
};

struct VerifyResult {
    Status status = Status::ok;  ///< the first that is not ok, in the order of core/base/status.h
    Said reason;
    int checks = 0;
    double seconds = 0;
    std::vector<CaseAccuracy> cases;  ///< all cases of the project, and the other cases that failed
    std::vector<Said> warnings;       ///< skipped sizes, memory that grew
    std::string printed;              ///< the last 4 KiB that the candidate printed
    Builds builds;                    ///< the candidate's
};

nlohmann::json to_json(const ErrorMetrics& metrics);
nlohmann::json to_json(const CaseAccuracy& accuracy);
nlohmann::json to_json(const VerifyResult& result);
VerifyResult verify_result_from_json(const nlohmann::json& json);

}  // namespace kernelgen
