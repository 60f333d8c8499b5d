// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <vector>

#include "core/whatif/forecast.h"
#include "core/worker/client.h"

namespace kernelgen::cli {

/// The build of a round's CUDA kernel with fewer registers for each thread, for the installed model of its device. It
/// runs nothing.
struct CappedBuild {
    Case binding;
    int cap = 0;  ///< registers that the compiler may give to a thread
    BuildResult whole, capped;
};

/// Builds a round's kernel for the installed model of its device, where the round has nothing of its builds. Errors: no
/// such model, a kernel that was not built.
Result<void> complete_builds(ForecastBase& base, WorkerClient& worker, const Progress& progress, std::stop_token stop);

/// Builds the kernel of each case with this share of the registers that it has now, by the compiler's
/// `--maxrregcount`. Errors: as above, and a kernel that is not in CUDA.
Result<std::vector<CappedBuild>> build_capped(const ForecastBase& base, double share, WorkerClient& worker,
                                              const Progress& progress, std::stop_token stop);

}  // namespace kernelgen::cli
