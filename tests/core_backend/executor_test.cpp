// SPDX-License-Identifier: Apache-2.0
#include "core/backend/executor.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace kernelgen {
namespace {

/// An executor that greets and then answers nothing.
std::unique_ptr<Executor> silent_executor() {
    auto executor = Executor::start({"sh", "-c", "echo '{}' >&3; cat <&3 >/dev/null"}, {});
    EXPECT_TRUE(executor) << executor.error().message;
    (*executor)->set_limit(0.25, {});
    return std::move(*executor);
}

Artifact compiling(double seconds) {
    Artifact artifact{.language = Language::triton, .python = {}};
    artifact.python.compile_seconds = seconds;
    return artifact;
}

TEST(Executor, IsKilledWhenItsLimitHasPassed) {
    const auto executor = silent_executor();
    const Outcome loaded = executor->load(0, compiling(0), {});
    EXPECT_EQ(loaded.status, Status::timed_out);
    EXPECT_EQ(loaded.reason, "no answer within 250 ms; the limit is set by --timeout");
    EXPECT_FALSE(executor->alive());
}

TEST(Executor, SaysWhichPartOfALimitIsForCompiling) {
    EXPECT_EQ(silent_executor()->load(0, compiling(0.5), {}).reason,
              "no answer within 750 ms: 250 ms by --timeout, and the rest for what compiles when it is first called");
}

TEST(Executor, DoesNotNameTheOptionWhereATrialTakesTooLong) {
    nlohmann::json reply;
    EXPECT_EQ(silent_executor()->try_out(0, compiling(0.5), {}, reply).reason,
              "the trial call did not end within 750 ms");
}

}  // namespace
}  // namespace kernelgen
