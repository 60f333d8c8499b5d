// SPDX-License-Identifier: Apache-2.0
#include "core/verify/reference_cache.h"

#include <algorithm>
#include <new>

#include "core/base/memory.h"

namespace kernelgen {
namespace {

constexpr std::size_t least_bytes = 1 << 16;
constexpr std::size_t share_of_free_memory = 8;

std::size_t bytes_of(const Operator& definition, const Case& binding, std::size_t stretches) {
    std::size_t bytes = 0;
    for (const Tensor& output : definition.outputs) {
        bytes += (static_cast<std::size_t>(element_count(output, binding.sizes).value()) + stretches) * sizeof(double);
    }
    return bytes;
}

}  // namespace

std::shared_ptr<const Reference> ReferenceCache::find(const Key& key) {
    const auto found = std::ranges::find(entries_, key, &Entry::key);
    if (found == entries_.end()) return nullptr;
    entries_.splice(entries_.begin(), entries_, found);
    return found->reference;
}

std::shared_ptr<Reference> ReferenceCache::allocate(const Operator& definition, const Case& binding,
                                                    std::int64_t stretches) {
    const auto errors = static_cast<std::size_t>(stretches);
    const std::size_t bytes = bytes_of(definition, binding, errors);
    const std::size_t most = std::min(most_bytes_, (available_memory() + bytes_) / share_of_free_memory);
    if (bytes < least_bytes || bytes > most) return nullptr;
    while (bytes_ + bytes > most) {
        bytes_ -= entries_.back().reference->bytes;
        entries_.pop_back();
    }
    try {
        auto reference = std::make_shared<Reference>(bytes);
        for (const Tensor& output : definition.outputs) {
            const auto elements = static_cast<std::size_t>(element_count(output, binding.sizes).value());
            // The memory is not cleared here, so that the threads that fill it touch its pages first.
            reference->expected.push_back(std::make_unique_for_overwrite<double[]>(elements));
            reference->own_errors.push_back(std::make_unique_for_overwrite<double[]>(errors));
        }
        return reference;
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void ReferenceCache::keep(Key key, std::shared_ptr<const Reference> reference) {
    bytes_ += reference->bytes;
    entries_.push_front({std::move(key), std::move(reference)});
}

void ReferenceCache::clear() {
    entries_.clear();
    bytes_ = 0;
}

}  // namespace kernelgen
