// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/backend/executor.h"

namespace kernelgen {

/// The times of all sides, a sample of each for every turn, in seconds; and what else the samples told.
class TimedSamples {
public:
    explicit TimedSamples(std::size_t sides) : seconds_(sides) {}

    /// What a turn of a batch is, as OutputWatch says.
    struct Turns {
        std::vector<bool> counted;   ///< whether its times count
        std::vector<bool> mixed;     ///< whether its calls are mixed
        std::vector<bool> compared;  ///< whether it is compared with others for that
    };

    /// Takes the turns of a batch whose times count.
    void add(const Samples& samples, const Turns& turns);
    void clear();
    /// Leaves only the samples of mixed calls.
    void keep_mixed();
    /// Puts other samples, one for each side and turn, in place of all: none of mixed calls.
    void replace(std::vector<std::vector<double>> seconds);

    std::size_t count() const { return mixed_.size(); }
    std::size_t mixed_count() const;
    /// Of each side, also those that were cleared or replaced.
    std::size_t taken() const { return taken_; }
    int sides() const { return static_cast<int>(seconds_.size()); }
    const std::vector<std::vector<double>>& all() const { return seconds_; }
    const std::vector<double>& of(int side) const { return seconds_[static_cast<std::size_t>(side)]; }
    /// Those that are compared, mixed or not.
    std::vector<double> of(int side, bool is_mixed) const;

    /// The conditions of the device: of the last batch; energy of all.
    const std::map<std::string, double>& conditions() const { return conditions_; }
    std::int64_t grown_bytes() const { return grown_bytes_; }  ///< of the executor's memory
    int discarded_turns() const { return discarded_turns_; }   ///< because the device's clock fell

private:
    std::vector<std::vector<double>> seconds_;  ///< of each side
    std::vector<bool> mixed_, compared_;        ///< as Turns, for each sample
    std::size_t taken_ = 0;
    std::map<std::string, double> conditions_;
    std::int64_t grown_bytes_ = 0;
    int discarded_turns_ = 0;
};

}  // namespace kernelgen
