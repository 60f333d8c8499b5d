// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <stop_token>

#include "core/backend/backend.h"

namespace kernelgen {

/// What a probe moves.
struct ProbeShape {
    double bytes = 0;          ///< of a call
    double written_share = 0;  ///< of the bytes that a kernel moves: the probe reads, writes or copies as it does
    /// On the whole device, and on the hampered one: threads of a CPU, multiprocessors of a GPU.
    int whole_threads = 1, left_threads = 1;
};

/// Two kernels of resources/ceilings in an executor of their own, one that moves bytes and one that multiplies and
/// adds: what is left of a device's memory bandwidth and arithmetic is told by how much longer they take.
class ShareProbe {
public:
    /// The backend must outlive it. Errors: of the build or the executor.
    static Result<std::unique_ptr<ShareProbe>> start(const ProbeShape& shape, const std::string& device,
                                                     Backend& backend, const Progress& progress, std::stop_token stop);

    enum class Kind { memory = 0, arithmetic = 1 };
    /// Mean seconds of a few calls, with the threads of the whole device or those of the hampered one.
    /// `neighbour_gbps`: of a neighbour in the executor (SampleRequest).
    Result<double> seconds(Kind kind, bool is_hampered, double neighbour_gbps);
    double bytes() const { return bytes_; }  ///< that a call of the first kind moves

private:
    ShareProbe() = default;
    Result<void> load_all(const ProbeShape& shape, const std::string& device, Backend& backend,
                          const Progress& progress, std::stop_token stop);

    std::shared_ptr<Executor> executor_;
    double bytes_ = 0, batch_seconds_ = 0;
};

}  // namespace kernelgen
