// SPDX-License-Identifier: Apache-2.0
#include "core/base/keeper.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <latch>
#include <thread>
#include <vector>

#include "core/base/process.h"
#include "tests/core_base/marked.h"

namespace kernelgen {
namespace {

using testing::count_marked;
using testing::soon;

/// With a PID namespace where the system allows one ("1"), and without ("0").
class Keeper : public ::testing::TestWithParam<const char*> {
protected:
    Command shell(const std::string& script) const {
        Command command;
        command.arguments = keeper_command({"sh", "-c", script});
        command.environment = {{"KERNELGEN_PID_NAMESPACE", GetParam()}};
        command.keeper = true;
        return command;
    }

    std::string mark = testing::new_mark();
};

INSTANTIATE_TEST_SUITE_P(, Keeper, ::testing::Values("0", "1"), [](const auto& each) {
    return std::string(each.param) == "0" ? "WithoutANamespace" : "WithANamespace";
});

TEST_P(Keeper, EndsAsTheProgramEnds) {
    EXPECT_EQ(to_string(run_to_end(shell("exit 3"))->exit), "exited with status 3");
    EXPECT_EQ(to_string(run_to_end(shell("kill -SEGV $$"))->exit), "was ended by SIGSEGV (segmentation fault)");
    EXPECT_EQ(run_to_end(shell("echo out; echo err >&2"))->output, "out\nerr\n");
}

TEST_P(Keeper, SaysThatAProgramCannotBeStarted) {
    Command command = shell("");
    command.arguments = keeper_command({"no-such-program"});
    const auto finished = run_to_end(command);
    EXPECT_EQ(finished->exit.status, 127);
    EXPECT_EQ(finished->output, "cannot start no-such-program: No such file or directory\n");
}

TEST_P(Keeper, EndsWhatHasLeftTheSessionAndIgnoresSignals) {
    const auto finished = run_to_end(shell("setsid sh -c 'trap \"\" TERM HUP INT; setsid sleep " + mark + "; sleep " +
                                           mark + "' & (sleep " + mark + " &) & sleep 0.3; exit 4"));
    EXPECT_EQ(finished->exit.status, 4);
    EXPECT_EQ(count_marked(mark), 0);
}

TEST_P(Keeper, EndsEverythingWhenAsked) {
    auto process = Process::start(shell("setsid sleep " + mark + " & sleep " + mark));
    ASSERT_TRUE(process);
    EXPECT_TRUE(soon([&] { return count_marked(mark) >= 2; }));
    process->kill();
    EXPECT_EQ(count_marked(mark), 0);
}

TEST_P(Keeper, EndsEverythingWhenItsParentIsKilled) {
    const pid_t parent = ::fork();
    if (parent == 0) {
        const auto process = Process::start(shell("setsid sleep " + mark + " & sleep " + mark));
        const bool begun = soon([&] { return count_marked(mark) >= 2; });
        if (begun) ::raise(SIGKILL);
        ::_exit(1);
    }
    int status = 0;
    ::waitpid(parent, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status)) << "the processes did not begin";
    EXPECT_TRUE(soon([&] { return count_marked(mark) == 0; }));
}

TEST_P(Keeper, ThatIsKilledLeavesNothingEither) {
    auto process = Process::start(shell("setsid sleep " + mark + " & sleep " + mark));
    ASSERT_TRUE(process);
    EXPECT_TRUE(soon([&] { return count_marked(mark) >= 2; }));
    ::kill(process->id(), SIGKILL);
    EXPECT_EQ(process->wait().signal, SIGKILL);
    EXPECT_TRUE(soon([&] { return count_marked(mark) == 0; }));
}

TEST_P(Keeper, EndsProcessesThatStartTheirLikeAndEnd) {
    const std::string chain = "f() { : " + mark + "; (f) & }; f; sleep 60";
    const auto finished = run_to_end(shell("setsid sh -c '" + chain + "' & sleep 0.5; exit 5"));
    EXPECT_EQ(finished->exit.status, 5);
    EXPECT_EQ(count_marked(mark), 0);
}

TEST_P(Keeper, CountsProcessesWhereThoseOfOthersEndMeanwhile) {
    std::latch others_end(1);
    std::vector<std::jthread> others;
    for (int i = 0; i < 700; ++i) others.emplace_back([&] { others_end.wait(); });
    const std::jthread ending([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(500));
        others_end.count_down();
    });
    const auto finished = run_to_end(shell("sleep 1; for i in $(seq 600); do sleep 10 & done; wait"));
    EXPECT_EQ(finished->exit.status, too_many_processes_status);
}

TEST_P(Keeper, AllowsNoCoreAndNoHugeFile) {
    EXPECT_EQ(run_to_end(shell("ulimit -c; ulimit -f"))->output, "0\n2097152\n");  // blocks of 512 bytes
}

TEST(KeeperInANamespace, IsNotSeenByTheProgram) {
    if (!testing::namespaces_are_allowed()) GTEST_SKIP() << "no PID namespace is allowed here";
    Command command;
    command.arguments = keeper_command({"sh", "-c", "kill -KILL 1; kill -STOP 1; echo survived"});
    command.keeper = true;
    const auto finished = run_to_end(command);
    EXPECT_EQ(finished->output, "survived\n");
    EXPECT_TRUE(finished->exit.success()) << to_string(finished->exit);
}

}  // namespace
}  // namespace kernelgen
