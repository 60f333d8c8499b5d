// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>

#include "core/bench/output_watch.h"
#include "core/bench/rotation.h"
#include "core/bench/timed_samples.h"

namespace kernelgen {

inline constexpr int least_pairs = 20;  ///< samples of each side

/// Samples batches of turns, checks the outputs of all calls, and chooses those that are judged in full.
class Sampling {
public:
    static constexpr int baseline = 0, nobody = -1;  ///< sides

    /// All arguments must outlive it.
    Sampling(const Performance& performance, Rotation& rotation, OutputWatch& watch, std::mt19937_64& random);

    TimingFailure warm_up();
    /// Samples a batch. The outputs of a call of side `judged` are judged in full.
    TimingFailure sample(int judged = nobody, OutputWatch::Judged which = OutputWatch::Judged::any);
    /// Samples batch `number`. While calls have to be judged, it has one. Mixed calls are judged in every second batch
    /// until enough were, and then in a few batches that are drawn at random.
    TimingFailure sample_batch(int number);
    /// A batch in which a mixed call may be judged.
    TimingFailure sample_surprising();
    /// Samples idle turns, which consist only of what surrounds samples: the worker's clock needs their time.
    TimingFailure sample_idle();

    /// Whether of all sides enough calls were judged.
    bool has_judged_enough() const;
    /// Of sampling alone, idle turns too, in seconds: judging is not counted.
    double elapsed() const { return elapsed_; }
    double turn_seconds() const { return turn_seconds_; }  ///< with poisoning and flushing
    TimedSamples& samples() { return samples_; }
    const TimedSamples& samples() const { return samples_; }

private:
    int side_to_judge() const;
    int side_to_judge_mixed() const;
    int side_to_surprise();
    bool takes_long_to_judge() const { return judging_seconds_ > performance_.budget_seconds; }
    TimingFailure sample_judging_mixed(int side);

    const Performance& performance_;
    Rotation& rotation_;
    OutputWatch& watch_;
    std::mt19937_64& random_;
    TimedSamples samples_;
    double batch_seconds_;
    double turn_seconds_ = 0;
    double idle_turn_seconds_ = 0;  ///< 0: none was sampled
    double judging_seconds_ = 0;    ///< of batches with a mixed call that is judged
    double elapsed_ = 0;
};

}  // namespace kernelgen
