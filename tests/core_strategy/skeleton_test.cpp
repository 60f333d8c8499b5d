// SPDX-License-Identifier: Apache-2.0
#include "core/strategy/skeleton.h"

#include <gmock/gmock.h>

#include "core/base/file.h"
#include "core/project/project_file.h"
#include "tests/core_project/example.h"
#include "tests/core_round/temporary_folder.h"

namespace kernelgen {
namespace {

using Skeleton = InFolder;

/// Two optimizations of one project at once: both add what neither had when it began.
TEST_F(Skeleton, OfOneNameIsNotAddedTwice) {
    Project one = example_project();
    one.folder = folder;
    ASSERT_TRUE(write_file_atomic(folder / "bias_add.cpp", "// a kernel\n"));
    ASSERT_TRUE(save_project(one));
    Project other = one;
    GeneratedVariant generated{.variant = one.variants[0], .text = "// generated\n"};
    generated.variant.name = "host_generated";
    generated.variant.source = "bias_add_generated.cpp";
    ASSERT_TRUE(add_generated(one, generated));
    const Result<void> again = add_generated(other, generated);
    ASSERT_FALSE(again);
    EXPECT_THAT(again.error().message, ::testing::HasSubstr("another variant `host_generated` since"));
    EXPECT_TRUE(load_project(folder));
}

}  // namespace
}  // namespace kernelgen
