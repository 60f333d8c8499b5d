// SPDX-License-Identifier: Apache-2.0
#include "core/verify/reference_cache.h"

#include <gtest/gtest.h>

namespace kernelgen {
namespace {

constexpr std::int64_t elements = 1 << 14;

Operator copying() {
    Operator definition;
    definition.name = "copy";
    definition.symbols = {"N"};
    definition.inputs = {{"x", {"N"}, {}}};
    definition.outputs = {{"out", {"N"}, {}}};
    definition.body = "out = x";
    return definition;
}

ReferenceCache::Key key_of(std::uint64_t seed, std::int64_t size = elements) {
    return {{"case", DType::f32, {{"N", size}}}, InputSet::normal, seed, {}, copying()};
}

std::shared_ptr<const Reference> keep(ReferenceCache& cache, const ReferenceCache::Key& key) {
    std::shared_ptr<Reference> reference = cache.allocate(key.definition, key.binding, 1);
    if (reference) cache.keep(key, reference);
    return reference;
}

TEST(ReferenceCache, FindsWhatWasKeptForTheSameCheckOnly) {
    ReferenceCache cache;
    const auto kept = keep(cache, key_of(1));
    ASSERT_NE(kept, nullptr);
    EXPECT_EQ(cache.find(key_of(1)), kept);
    EXPECT_EQ(cache.find(key_of(2)), nullptr);
    ReferenceCache::Key other = key_of(1);
    other.definition.body = "out = -x";
    EXPECT_EQ(cache.find(other), nullptr);
    other = key_of(1);
    other.definition.inputs[0].domain = Domain{};
    EXPECT_EQ(cache.find(other), nullptr);
    other = key_of(1);
    other.variation = {7, {{0, 3, 1}}};
    EXPECT_EQ(cache.find(other), nullptr);
    cache.clear();
    EXPECT_EQ(cache.find(key_of(1)), nullptr);
}

TEST(ReferenceCache, ForgetsWhatWasUsedLongestAgo) {
    constexpr std::size_t one = (elements + 1) * sizeof(double);
    ReferenceCache cache(2 * one + one / 2);
    keep(cache, key_of(1));
    keep(cache, key_of(2));
    EXPECT_NE(cache.find(key_of(1)), nullptr);
    keep(cache, key_of(3));
    EXPECT_EQ(cache.find(key_of(2)), nullptr);
    EXPECT_NE(cache.find(key_of(1)), nullptr);
    EXPECT_NE(cache.find(key_of(3)), nullptr);
}

TEST(ReferenceCache, KeepsNeitherWhatIsTooLargeNorWhatIsSmall) {
    ReferenceCache cache(elements * sizeof(double));
    EXPECT_EQ(keep(cache, key_of(1)), nullptr);
    EXPECT_EQ(keep(cache, key_of(1, 100)), nullptr);
}

}  // namespace
}  // namespace kernelgen
