// SPDX-License-Identifier: Apache-2.0
#include "core/measure/environment.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <nlohmann/json.hpp>
#include <stop_token>

#include "core/measure/device_lock.h"
#include "core/measure/lock_holder.h"

namespace kernelgen {
namespace {

Environment example() {
    return {.device = "cpu",
            .hardware = "Example CPU",
            .threads = 2,
            .caches = "L2 1 MiB",
            .memory_gib = 7.5,
            .clocks = "3.1 GHz",
            .instruction_set = "AVX2",
            .operating_system = "Debian 13",
            .compiler = "g++ 14.2",
            .libraries = "oneDNN 3.7",
            .driver = "",
            .kernelgen = "0.1.0"};
}

TEST(Environment, SurvivesJson) { EXPECT_EQ(to_json(environment_from_json(to_json(example()))), to_json(example())); }

TEST(Environment, OfAnOlderRecordHasEmptyFields) {
    EXPECT_EQ(environment_from_json(nlohmann::json::object()).hardware, "");
}

TEST(Fingerprint, ChangesWithWhatChangesMeasurements) {
    const std::string base = fingerprint(example());
    EXPECT_EQ(base.size(), 12u);
    Environment other = example();
    other.compiler = "g++ 13.3";
    EXPECT_NE(fingerprint(other), base);
    other = example();
    other.threads = 4;
    EXPECT_NE(fingerprint(other), base);
}

TEST(Fingerprint, DoesNotChangeWithTheClockOrThisProgramsVersion) {
    Environment other = example();
    other.clocks = "2.4 GHz";
    other.kernelgen = "0.2.0";
    EXPECT_EQ(fingerprint(other), fingerprint(example()));
}

TEST(DeviceLock, IsHeldByOneTimingOrManyBuilds) {
    const std::string device = "test:" + std::to_string(::getpid());
    std::stop_source stopped;
    stopped.request_stop();
    {
        const auto build = lock_device(device, FileLock::Mode::shared, {});
        const auto another = lock_device(device, FileLock::Mode::shared, {});
        ASSERT_TRUE(build && another);
        const auto timing = lock_device(device, FileLock::Mode::exclusive, stopped.get_token());
        ASSERT_FALSE(timing);
        EXPECT_EQ(timing.error().message,
                  "stopped while waiting for device `" + device + "`, for which another kernelgen builds or measures");
    }
    EXPECT_TRUE(lock_device(device, FileLock::Mode::exclusive, stopped.get_token()));
    ::unlink(("/tmp/kernelgen-test-" + std::to_string(::getpid()) + ".lock").c_str());
}

TEST(DeviceLock, SaysOnceThatItWaits) {
    const std::string device = "test-waiting:" + std::to_string(::getpid());
    int said = 0;
    std::stop_source stopped;
    {
        const auto build = lock_device(device, FileLock::Mode::shared, {}, [&](const std::string&) { ++said; });
        EXPECT_EQ(said, 0);
        const auto timing =
            lock_device(device, FileLock::Mode::exclusive, stopped.get_token(), [&](const std::string&) {
                ++said;
                stopped.request_stop();
            });
        EXPECT_FALSE(timing);
    }
    EXPECT_EQ(said, 1);
    ::unlink(("/tmp/kernelgen-test-waiting-" + std::to_string(::getpid()) + ".lock").c_str());
}

TEST(DeviceLock, NamesWhoHoldsIt) {
    const std::string device = "test-holder:" + std::to_string(::getpid());
    const std::string path = "/tmp/kernelgen-test-holder-" + std::to_string(::getpid()) + ".lock";
    EXPECT_FALSE(holder_of_lock(path)) << "there is no such file";
    {
        const auto build = lock_device(device, FileLock::Mode::shared, {});
        const auto holder = holder_of_lock(path);
        ASSERT_TRUE(holder);
        EXPECT_EQ(holder->id, ::getpid());
        EXPECT_THAT(holder->command, ::testing::HasSubstr("test_core_measure"));
        EXPECT_FALSE(holder->is_below);
    }
    EXPECT_FALSE(holder_of_lock(path)) << "nobody holds it";
    ::unlink(path.c_str());
}

TEST(DeviceLock, IsNotAwaitedForEverWhereAKernelHoldsIt) {
    const std::string device = "test-kernel:" + std::to_string(::getpid());
    const std::string path = "/tmp/kernelgen-test-kernel-" + std::to_string(::getpid()) + ".lock";
    const pid_t child = ::fork();
    if (child == 0) {
        ::flock(::open(path.c_str(), O_RDWR | O_CREAT, 0666), LOCK_EX);
        for (;;) ::pause();
    }
    while (!holder_of_lock(path)) ::usleep(1000);
    const auto timing = lock_device(device, FileLock::Mode::exclusive, {});
    ASSERT_FALSE(timing);
    EXPECT_THAT(timing.error().message, ::testing::HasSubstr("process " + std::to_string(child) + " ("));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    EXPECT_TRUE(lock_device(device, FileLock::Mode::exclusive, {}));
    ::unlink(path.c_str());
}

}  // namespace
}  // namespace kernelgen
