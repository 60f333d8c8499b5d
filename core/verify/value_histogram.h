// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace kernelgen {

/// How the values of a reference are distributed, and those of the outputs at the same elements. Bins are of both
/// signs, four for each octave from 2^-48 to 2^48 (values outside count in the nearest bin), and one each for 0 and
/// NaN. Each thread has one; they are merged at the end.
class ValueHistogram {
public:
    /// `expected` is finite.
    void add(double expected, double actual);
    /// Elements whose values are as expected.
    void add_equal(std::span<const double> values);
    void merge(const ValueHistogram& other);

    /// Kullback-Leibler divergence of the outputs' distribution from the reference's, Σ p ln(p / q), in nats; p is the
    /// reference's. Half an element is added to each bin that is not empty in both (Jeffreys), so that it is finite. 0
    /// where both are distributed alike, and where nothing was added.
    double divergence() const;

private:
    void make_room();
    std::int64_t equal(std::size_t bin) const;  ///< elements of add_equal

    std::int64_t count_ = 0;
    std::vector<std::int64_t> expected_, actual_;  ///< of add
    std::vector<std::int64_t> equal_;  ///< of add_equal: tables side by side, which neighbours in memory take in turn
};

}  // namespace kernelgen
