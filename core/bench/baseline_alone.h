// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "core/bench/alternations.h"
#include "core/bench/rotation.h"

namespace kernelgen {

/// Times the baseline in an executor of its own, in which no candidate was ever loaded. A candidate can slow the
/// baseline down in the process that both share, for example by replacing functions of PyTorch; it cannot do so here.
class BaselineAlone {
public:
    /// All arguments but the request must outlive it.
    BaselineAlone(const BenchRequest& request, Backend& backend, const Progress& progress, std::stop_token stop);

    /// Starts the executor; the baseline gets the same inputs and as many sets of buffers as in `beside`.
    TimingFailure start(Rotation& beside);
    /// Samples a batch of these turns of `beside`. On a CPU the candidates' turns are idle, so that the baseline's
    /// threads and caches rest between two calls as they do in `beside`. Fails if anything runs in the executor of
    /// `beside` meanwhile.
    TimingFailure sample(SampleRequest turns, Rotation& beside);
    /// Takes the batch that was sampled beside the candidates right after the last one, in seconds of a call.
    void compare_with(std::span<const double> beside);
    void forget();

    int samples() const { return static_cast<int>(seconds_.size()); }
    double median() const;
    /// Whether the times of the baseline beside the candidates seem to be longer than those alone by more than chance
    /// and the machine explain: by a tenth and a microsecond, in Python on a CPU by a quarter and five.
    bool seems_slower(const std::vector<double>& beside) const;
    /// The same by all batches that were compared.
    Alternations::Longer is_slower() const { return batches_.longer(limit()); }

private:
    TimingFailure warm_up(Rotation& beside);
    Alternations::Limit limit() const;

    BenchRequest request_;  ///< without candidates
    Backend& backend_;
    Rotation rotation_;
    std::vector<double> seconds_;
    std::size_t last_batch_ = 0;  ///< the first sample of it
    Alternations batches_;
};

}  // namespace kernelgen
