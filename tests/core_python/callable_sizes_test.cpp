// SPDX-License-Identifier: Apache-2.0
// Sizes that stand as integers in a Python-defined operator's file: a candidate may be written for them.
#include <gmock/gmock.h>

#include "tests/core_python/callable_files.h"

namespace kernelgen {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::solution_of;
using testing::verify_callable;

/// As KernelBench writes them. `classes` belongs to the module, which takes `features` too.
const std::string sized_definition = R"(import torch

batch_size, features = 64, 48
classes = 10
scale = 2.0


class Model(torch.nn.Module):
    def __init__(self, features, classes):
        super().__init__()
        self.linear = torch.nn.Linear(features, classes)

    def forward(self, x):
        return torch.relu(self.linear(x))


def get_inputs():
    return [torch.randn(batch_size, features) * scale]


def get_init_inputs():
    return [features, classes]
)";

std::string module_with(const std::string& forward) {
    return "class ModelNew(torch.nn.Module):\n    def __init__(self, features, classes):\n        super().__init__()\n"
           "        self.linear = torch.nn.Linear(features, classes)\n\n    def forward(self, x):\n" +
           forward;
}

class CallableSizes : public ::testing::Test {
protected:
    void SetUp() override { NEEDS(Language::torch); }

    VerifyResult verified(const std::string& text, const std::string& forward, const Sizes& sizes = {}) {
        VerifyRequest request = verify_callable(text, solution_of(module_with(forward), "ModelNew"));
        request.cases.front().sizes = sizes;
        return verify(request, *backend_, testing::no_progress, {});
    }

    Backend* backend_ = testing::host_backend();
};

TEST_F(CallableSizes, WhatIsRightElsewhereTooIsTold) {
    const VerifyResult result = verified(sized_definition, "        return self.linear(x).clamp(min=0)\n");
    EXPECT_EQ(result.status, Status::ok) << result.reason;
    EXPECT_THAT(result.warnings, Contains("right at 2 other sizes too, the first: batch_size = 17, features = 24"));
}

TEST_F(CallableSizes, WhatIsRightOnlyAtItsOwnIsOkWithARemark) {
    const VerifyResult rows = verified(sized_definition,
                                       "        y = self.linear(x).clamp(min=0)\n"
                                       "        y[x.shape[0] // 8 * 8 :] = 0\n        return y\n");
    EXPECT_EQ(rows.status, Status::ok) << rows.reason;
    EXPECT_THAT(
        rows.warnings,
        Contains(HasSubstr("only right at its own sizes: mismatch with case `batch_size = 17, features = 24`: ")));
    const VerifyResult fixed =
        verified(sized_definition, "        return self.linear(x.reshape(64, 48)).clamp(min=0)\n");
    EXPECT_EQ(fixed.status, Status::ok) << fixed.reason;
    EXPECT_THAT(fixed.warnings,
                Contains(HasSubstr("only right at its own sizes: launch_failed with case `batch_size = 17, ")));
}

TEST_F(CallableSizes, WhatTheReferenceDoesNotTakeIsNotTried) {
    std::string strict = sized_definition;
    strict.replace(strict.find("        return torch.relu"), 0, "        assert x.shape == (64, 48)\n");
    const VerifyResult result = verified(strict, "        return self.linear(x).clamp(min=0)\n");
    EXPECT_EQ(result.status, Status::ok) << result.reason;
    EXPECT_THAT(result.warnings, Not(Contains(HasSubstr("sizes"))));
}

TEST_F(CallableSizes, ACaseOfTheProjectMayHaveOtherOnes) {
    const std::string forward = "        assert x.shape == (5, 48)\n        return self.linear(x).clamp(min=0)\n";
    const VerifyResult known = verified(sized_definition, forward, {{"batch_size", 5}});
    EXPECT_EQ(known.status, Status::ok) << known.reason;
    const VerifyResult unknown = verified(sized_definition, forward, {{"rows", 5}});
    EXPECT_EQ(unknown.status, Status::build_failed);
    EXPECT_THAT(unknown.reason,
                HasSubstr("the case has a size `rows`, which is no integer that `get_inputs` uses: write "
                          "`rows = 5` once at the file's top level"));
}

}  // namespace
}  // namespace kernelgen
