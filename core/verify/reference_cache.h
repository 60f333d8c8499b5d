// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <vector>

#include "core/lang/operator.h"
#include "core/tensor/random.h"
#include "core/verify/variation.h"

namespace kernelgen {

/// The outputs of a body on a check's inputs, kept so that outputs of other variants can be judged without evaluating
/// the body again.
struct Reference {
    std::size_t bytes = 0;
    std::vector<std::unique_ptr<double[]>> expected;    ///< by output and element
    std::vector<std::unique_ptr<double[]>> own_errors;  ///< by output and stretch: StretchEvaluator::own_error
    std::vector<double> scales = {};                    ///< of each output: the scale s that outputs were judged with
};

/// Keeps the references of the checks that were judged last. For one thread.
class ReferenceCache {
public:
    /// What a reference depends on.
    struct Key {
        Case binding;
        InputSet set = InputSet::normal;
        std::uint64_t seed = 0;
        Variation variation = {};
        Operator definition;

        bool operator==(const Key&) const = default;
    };

    /// Holds at most `most_bytes`, and at most an eighth of the memory that is free when it allocates.
    explicit ReferenceCache(std::size_t most_bytes = std::size_t{4} << 30) : most_bytes_(most_bytes) {}

    /// The stored reference; null where there is none.
    std::shared_ptr<const Reference> find(const Key& key);
    /// Allocates a reference that the caller fills and passes to `keep`. `stretches`: the number of the space's
    /// stretches (stretch.h). Deletes the references that were not used for longest. Null where the reference is larger
    /// than the limit or smaller than 64 KiB, or where memory is short.
    std::shared_ptr<Reference> allocate(const Operator& definition, const Case& binding, std::int64_t stretches);
    void keep(Key key, std::shared_ptr<const Reference> reference);
    void clear();

private:
    struct Entry {
        Key key;
        std::shared_ptr<const Reference> reference;
    };

    std::size_t most_bytes_;
    std::size_t bytes_ = 0;
    std::list<Entry> entries_;  ///< the one used last first
};

}  // namespace kernelgen
