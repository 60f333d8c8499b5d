// SPDX-License-Identifier: Apache-2.0
#include "core/measure/environment.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <future>
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

void remove_locks(const std::string& name) {
    for (const char* ending : {".lock", ".turn"}) ::unlink(("/tmp/kernelgen-" + name + ending).c_str());
}

TEST(DeviceLock, IsHeldByOneTimingOrManyBuilds) {
    const std::string device = "test:" + std::to_string(::getpid());
    std::stop_source stopped;
    stopped.request_stop();
    {
        const auto build = lock_device(device, DeviceUse::together, {});
        const auto another = lock_device(device, DeviceUse::together, {});
        ASSERT_TRUE(build && another);
        const auto timing = lock_device(device, DeviceUse::alone, stopped.get_token());
        ASSERT_FALSE(timing);
        EXPECT_EQ(timing.error().message,
                  "stopped while waiting for device `" + device + "`, for which another kernelgen builds or measures");
    }
    EXPECT_TRUE(lock_device(device, DeviceUse::alone, stopped.get_token()));
    remove_locks("test-" + std::to_string(::getpid()));
}

TEST(DeviceLock, IsThatOfTheDeviceWhateverItsNameInAProcess) {
    const std::string physical = "test-bus-" + std::to_string(::getpid());
    set_names_of_locks([&](const std::string& device) { return device.starts_with("test:") ? physical : ""; });
    std::stop_source stopped;
    stopped.request_stop();
    {
        const auto timing = lock_device("test:0", DeviceUse::alone, {});
        EXPECT_FALSE(lock_device("test:1", DeviceUse::alone, stopped.get_token()));
        EXPECT_TRUE(lock_device("other:0", DeviceUse::alone, stopped.get_token()));
    }
    set_names_of_locks([](const std::string&) { return std::string(); });
    remove_locks(physical);
    remove_locks("other-0");
}

TEST(DeviceLock, GivesWayToThoseThatWaitToBeAlone) {
    const std::string device = "test-turn:" + std::to_string(::getpid());
    const std::string path = "/tmp/kernelgen-test-turn-" + std::to_string(::getpid());
    std::stop_source stopped;
    stopped.request_stop();
    Result<FileLock> verifying = lock_device(device, DeviceUse::giving_way, {});
    ASSERT_TRUE(verifying);
    EXPECT_TRUE(lock_device(device, DeviceUse::giving_way, stopped.get_token())) << "nobody waits to be alone";
    auto timing = std::async(std::launch::async, [&] { return lock_device(device, DeviceUse::alone, {}).has_value(); });
    while (const Result<FileLock> turn = FileLock::try_acquire(path + ".turn", FileLock::Mode::shared)) {
        if (!turn->held()) break;
    }
    EXPECT_FALSE(lock_device(device, DeviceUse::giving_way, stopped.get_token()));
    EXPECT_TRUE(lock_device(device, DeviceUse::together, stopped.get_token())) << "a build within the verification";
    verifying = fail("given way");
    EXPECT_TRUE(timing.get());
    EXPECT_TRUE(lock_device(device, DeviceUse::giving_way, {}));
    remove_locks("test-turn-" + std::to_string(::getpid()));
}

TEST(DeviceLock, SaysOnceThatItWaits) {
    const std::string device = "test-waiting:" + std::to_string(::getpid());
    int said = 0;
    std::stop_source stopped;
    {
        const auto build = lock_device(device, DeviceUse::together, {}, [&](const std::string&) { ++said; });
        EXPECT_EQ(said, 0);
        const auto timing = lock_device(device, DeviceUse::alone, stopped.get_token(), [&](const std::string&) {
            ++said;
            stopped.request_stop();
        });
        EXPECT_FALSE(timing);
    }
    EXPECT_EQ(said, 1);
    remove_locks("test-waiting-" + std::to_string(::getpid()));
}

TEST(DeviceLock, NamesWhoHoldsIt) {
    const std::string device = "test-holder:" + std::to_string(::getpid());
    const std::string path = "/tmp/kernelgen-test-holder-" + std::to_string(::getpid()) + ".lock";
    EXPECT_FALSE(holder_of_lock(path)) << "there is no such file";
    {
        const auto build = lock_device(device, DeviceUse::together, {});
        const auto holder = holder_of_lock(path);
        ASSERT_TRUE(holder);
        EXPECT_EQ(holder->id, ::getpid());
        EXPECT_THAT(holder->command, ::testing::HasSubstr("test_core_measure"));
        EXPECT_FALSE(holder->is_below);
    }
    EXPECT_FALSE(holder_of_lock(path)) << "nobody holds it";
    ::unlink(path.c_str());
}

class DeviceLockOfAKernel : public ::testing::TestWithParam<const char*> {};

TEST_P(DeviceLockOfAKernel, IsNotAwaitedForEver) {
    const std::string name = "test-kernel-" + std::to_string(::getpid());
    const std::string path = "/tmp/kernelgen-" + name + GetParam();
    const pid_t child = ::fork();
    if (child == 0) {
        ::flock(::open(path.c_str(), O_RDWR | O_CREAT, 0666), LOCK_EX);
        for (;;) ::pause();
    }
    while (!holder_of_lock(path)) ::usleep(1000);
    const auto timing = lock_device(name, DeviceUse::alone, {});
    ASSERT_FALSE(timing);
    EXPECT_THAT(timing.error().message, ::testing::HasSubstr("process " + std::to_string(child) + " ("));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    EXPECT_TRUE(lock_device(name, DeviceUse::alone, {}));
    remove_locks(name);
}

INSTANTIATE_TEST_SUITE_P(All, DeviceLockOfAKernel, ::testing::Values(".lock", ".turn"));

}  // namespace
}  // namespace kernelgen
