// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>
#include <map>
#include <span>
#include <vector>

#include "core/tune/features.h"
#include "core/tune/gaussian_process.h"
#include "core/tune/searcher.h"

namespace kernelgen {

/// What recordings of the same space on other devices or cases say of configurations, on the scale of `ObjectiveScale`:
/// 0 is the best of a recording. All values are divided by the mean of the recordings' deviations. Where a recording
/// lacks a configuration, a Gaussian process over the configurations that it has fills in.
class Past {
public:
    /// Recordings without a success say nothing, and are left out. `features` must outlive the past. `space_size`: of a
    /// recording that has all configurations nothing need be learnt.
    Past(const std::vector<std::vector<Trial>>& lists, const Features& features, std::size_t space_size);

    std::size_t count() const { return recordings_.size(); }
    double unit() const { return unit_; }  ///< by which a logarithm is divided
    /// A row for each configuration, a column for each recording.
    Eigen::ArrayXXf rows(std::span<const std::size_t> indices) const;

private:
    struct Recording {
        std::map<std::size_t, double> values;  ///< by index
        std::vector<std::size_t> learnt;       ///< configurations of which the kernel was learnt
        Kernel kernel;
    };

    Recording read(const std::vector<Trial>& list) const;
    void learn(Recording& recording) const;
    void fill(const Recording& recording, std::span<const std::size_t> indices, Eigen::ArrayXXf::ColXpr column) const;

    const Features& features_;
    std::vector<Recording> recordings_;
    double unit_ = 1;
};

}  // namespace kernelgen
