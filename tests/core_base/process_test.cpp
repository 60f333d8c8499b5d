// SPDX-License-Identifier: Apache-2.0
#include "core/base/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

namespace kernelgen {
namespace {

using namespace std::chrono_literals;

Command shell(const std::string& script) {
    Command command;
    command.arguments = {"sh", "-c", script};
    return command;
}

bool lives(pid_t id) {
    std::ifstream stat("/proc/" + std::to_string(id) + "/stat");
    std::ostringstream read;
    read << stat.rdbuf();  // does not throw where the process has ended meanwhile
    const std::string text = read.str();
    return !text.empty() && text.find(") Z") == std::string::npos;
}

bool dies_soon(pid_t id) {
    for (int attempt = 0; attempt < 500 && lives(id); ++attempt) std::this_thread::sleep_for(10ms);
    return !lives(id);
}

TEST(Process, CollectsBothStreamsInOrder) {
    const auto finished = run_to_end(shell("echo out; echo err >&2; echo again"));
    ASSERT_TRUE(finished) << finished.error().message;
    EXPECT_TRUE(finished->exit.success());
    EXPECT_EQ(finished->output, "out\nerr\nagain\n");
}

TEST(Process, ReportsTheExitStatus) {
    const auto finished = run_to_end(shell("exit 3"));
    ASSERT_TRUE(finished);
    EXPECT_EQ(to_string(finished->exit), "exited with status 3");
}

TEST(Process, NamesTheSignalThatEndedIt) {
    const auto finished = run_to_end(shell("kill -SEGV $$"));
    ASSERT_TRUE(finished);
    EXPECT_EQ(to_string(finished->exit), "was ended by SIGSEGV (segmentation fault)");
}

TEST(Process, SaysThatAProgramIsNotOnPath) {
    Command command;
    command.arguments = {"no-such-program-here"};
    const auto process = Process::start(command);
    ASSERT_FALSE(process);
    EXPECT_EQ(process.error().message, "cannot start `no-such-program-here`: no such program on PATH");
}

TEST(Process, SaysWhyAProgramCannotBeExecuted) {
    Command command;
    command.arguments = {"/etc/passwd"};
    const auto process = Process::start(command);
    ASSERT_FALSE(process);
    EXPECT_EQ(process.error().message, "cannot start /etc/passwd: Permission denied");
}

TEST(Process, SaysThatTheFolderCannotBeEntered) {
    Command command = shell("true");
    command.folder = "/no/such/folder";
    const auto process = Process::start(command);
    ASSERT_FALSE(process);
    EXPECT_EQ(process.error().message, "cannot start `sh` in /no/such/folder: No such file or directory");
}

TEST(Process, RunsInTheFolderWithTheAddedEnvironment) {
    Command command = shell("pwd; echo $GREETING");
    command.folder = "/usr";
    command.environment = {{"GREETING", "hello"}};
    const auto finished = run_to_end(command);
    ASSERT_TRUE(finished);
    EXPECT_EQ(finished->output, "/usr\nhello\n");
}

TEST(Process, PutsDescriptorsWhereAsked) {
    int ends[2];
    ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
    Command command = shell("echo three >&3; echo four >&4");
    command.descriptors = {{3, ends[1]}, {4, ends[1]}};
    auto process = Process::start(command);
    ASSERT_TRUE(process) << process.error().message;
    EXPECT_TRUE(process->wait().success());
    ::close(ends[1]);
    char text[64] = {};
    EXPECT_EQ(::read(ends[0], text, sizeof text), 11);
    EXPECT_STREQ(text, "three\nfour\n");
    ::close(ends[0]);
}

TEST(Process, SwapsDescriptorsThatNameOneAnother) {
    int first[2], second[2];
    ASSERT_EQ(::pipe2(first, O_CLOEXEC), 0);
    ASSERT_EQ(::pipe2(second, O_CLOEXEC), 0);
    Command command = shell("echo a >&" + std::to_string(second[1]) + "; echo b >&" + std::to_string(first[1]));
    command.descriptors = {{second[1], first[1]}, {first[1], second[1]}};
    auto process = Process::start(command);
    ASSERT_TRUE(process);
    EXPECT_TRUE(process->wait().success());
    char text[8] = {};
    EXPECT_EQ(::read(first[0], text, sizeof text), 2);
    EXPECT_STREQ(text, "a\n");
    for (const int end : {first[0], first[1], second[0], second[1]}) ::close(end);
}

TEST(Process, InheritsNoOtherDescriptors) {
    const int leaked = ::open("/dev/null", O_RDONLY);
    const auto finished = run_to_end(shell("ls /proc/$$/fd; true"));  // a pipe would be a descriptor more
    ::close(leaked);
    ASSERT_TRUE(finished);
    EXPECT_EQ(finished->output, "0\n1\n2\n");
}

TEST(Process, StartsWithDefaultSignals) {
    std::signal(SIGPIPE, SIG_IGN);
    const auto finished = run_to_end(shell("grep -E 'Sig(Blk|Ign)' /proc/self/status | cut -f2 | tr '\\n' ' '"));
    std::signal(SIGPIPE, SIG_DFL);
    ASSERT_TRUE(finished);
    EXPECT_EQ(finished->output, "0000000000000000 0000000000000000 ");
}

TEST(Process, StopsWhenAsked) {
    std::stop_source source;
    std::jthread later([&] {
        std::this_thread::sleep_for(50ms);
        source.request_stop();
    });
    const auto finished = run_to_end(shell("sleep 60"), source.get_token());
    ASSERT_TRUE(finished);
    EXPECT_TRUE(finished->stopped);
    EXPECT_EQ(finished->exit.signal, SIGKILL);
}

TEST(Process, IsKilledAtItsTimeLimitWhatItPrintedBeingKept) {
    const auto finished = run_to_end(shell("echo begun; sleep 60"), {}, 200ms);
    ASSERT_TRUE(finished);
    EXPECT_TRUE(finished->timed_out);
    EXPECT_EQ(finished->output, "begun\n");
}

TEST(Process, IsKilledAtItsTimeLimitWhileItPrintsWithoutEnd) {
    const auto finished = run_to_end(shell("yes"), {}, 200ms, 1000);
    ASSERT_TRUE(finished);
    EXPECT_TRUE(finished->timed_out);
    EXPECT_EQ(finished->output.size(), 1000u);
}

TEST(Process, KeepsTheFirstOfALongOutputAndLetsTheProgramEnd) {
    const auto finished = run_to_end(shell("echo first; head -c 3000000 /dev/zero; exit 5"), {}, 60s, 10);
    ASSERT_TRUE(finished);
    EXPECT_EQ(finished->output.substr(0, 6), "first\n");
    EXPECT_EQ(finished->output.size(), 10u);
    EXPECT_EQ(finished->exit.status, 5);
}

TEST(Process, TakesItsWholeGroupWithIt) {
    const auto finished = run_to_end(shell("sleep 60 & echo $!"));
    ASSERT_TRUE(finished);
    EXPECT_TRUE(dies_soon(std::stoi(finished->output)));
}

TEST(Process, IsNotWaitedForByADaemonThatKeepsItsOutput) {
    const auto finished = run_to_end(shell("setsid sleep 4000 & echo $!"));
    ASSERT_TRUE(finished);
    EXPECT_FALSE(finished->timed_out);
    ::kill(std::stoi(finished->output), SIGKILL);
}

TEST(Process, IsKilledByItsDestructor) {
    pid_t id = 0;
    {
        auto process = Process::start(shell("sleep 60"));
        ASSERT_TRUE(process);
        id = process->id();
        EXPECT_FALSE(process->wait_for(10ms));
        EXPECT_TRUE(lives(id));
    }
    EXPECT_FALSE(lives(id));
}

TEST(Process, LivesOnWhenTheThreadThatStartedItEnds) {
    std::optional<Process> process;
    std::thread([&] { process = std::move(*Process::start(shell("sleep 0.2; exit 7"))); }).join();
    EXPECT_EQ(process->wait().status, 7);
}

TEST(Process, DiesWithItsParent) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t parent = ::fork();
    if (parent == 0) {
        const auto process = Process::start(shell("exec sleep 60"));
        const pid_t id = process ? process->id() : 0;
        [[maybe_unused]] const auto written = ::write(ends[1], &id, sizeof id);
        ::raise(SIGKILL);
    }
    pid_t child = 0;
    ASSERT_EQ(::read(ends[0], &child, sizeof child), static_cast<ssize_t>(sizeof child));
    ASSERT_GT(child, 0);
    ::waitpid(parent, nullptr, 0);
    EXPECT_TRUE(dies_soon(child));
    ::close(ends[0]);
    ::close(ends[1]);
}

TEST(Process, StartsFromManyThreadsAtOnce) {
    std::vector<std::jthread> threads;
    std::vector<std::string> outputs(8);
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([i, &outputs] {
            for (int repeat = 0; repeat < 5; ++repeat) {
                if (const auto finished = run_to_end(shell("echo " + std::to_string(i))))
                    outputs[i] += finished->output;
            }
        });
    }
    threads.clear();
    for (int i = 0; i < 8; ++i) {
        const std::string line = std::to_string(i) + "\n";
        EXPECT_EQ(outputs[i], line + line + line + line + line);
    }
}

}  // namespace
}  // namespace kernelgen
