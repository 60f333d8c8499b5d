// SPDX-License-Identifier: Apache-2.0
#include "core/backend/foreign_threads.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace kernelgen {
namespace {

/// A process with a thread of its own. At a byte from the pipe the thread ends, and another one keeps a processor busy.
[[noreturn]] void be_an_executor(int told, int ready) {
    std::atomic<bool> ends = false;
    std::thread own([&] {
        while (!ends) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
    char byte = 0;
    (void)!::write(ready, &byte, 1);
    (void)!::read(told, &byte, 1);
    ends = true;
    own.join();
    static std::atomic<int> turns = 0;
    std::thread([] {
        while (true) ++turns;
    }).detach();
    (void)!::write(ready, &byte, 1);
    while (true) ::pause();
}

TEST(ForeignThreads, AreSeenThoughAThreadOfTheExecutorWasEnded) {
    int told[2], ready[2];
    ASSERT_EQ(::pipe(told), 0);
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    if (child == 0) be_an_executor(told[0], ready[1]);
    char byte = 0;
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    const ForeignThreads threads(::getpid());
    const auto at_rest = threads.running();
    ASSERT_FALSE(at_rest.empty());
    ASSERT_EQ(::write(told[1], &byte, 1), 1);
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    const auto before = threads.running();
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    EXPECT_GT(ran_between(before, threads.running()), 0.05);
    EXPECT_LT(ran_between(at_rest, before), 0.05) << "what the ended thread ran counts as the executor's own";
    EXPECT_TRUE(threads.own_changed());
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    for (const int end : {told[0], told[1], ready[0], ready[1]}) ::close(end);
}

}  // namespace
}  // namespace kernelgen
