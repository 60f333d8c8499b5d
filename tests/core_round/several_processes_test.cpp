// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "core/round/history.h"
#include "tests/core_round/sample_round.h"
#include "tests/core_round/temporary_folder.h"

namespace kernelgen {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

using SeveralProcesses = InFolder;

/// Runs `work` in a child process of its own.
pid_t in_child(const std::function<void()>& work) {
    const pid_t child = ::fork();
    if (child != 0) return child;
    work();
    ::_exit(0);
}

TEST_F(SeveralProcesses, RecordAtOnceAndEachRoundGetsANumberOfItsOwn) {
    constexpr int processes = 4, rounds = 15;
    std::vector<pid_t> children;
    for (int i = 0; i < processes; ++i) {
        children.push_back(in_child([&] {
            for (int j = 0; j < rounds; ++j) {
                RoundDetail detail = sample_round();
                if (!record_round(folder, detail)) ::_exit(1);
            }
        }));
    }
    for (const pid_t child : children) {
        int status = -1;
        ::waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
    }
    const History history = load_history(folder).value();
    EXPECT_THAT(history.warnings, IsEmpty());
    ASSERT_THAT(history.rounds, SizeIs(processes * rounds));
    EXPECT_EQ(history.rounds.back().number, processes * rounds - 1);
    EXPECT_EQ(history.rounds.back().parent, processes * rounds - 2);
}

TEST_F(SeveralProcesses, ARecorderKilledAtAnyMomentLeavesEveryEarlierRecord) {
    for (int attempt = 0; attempt < 40; ++attempt) {
        const std::size_t before = load_history(folder)->rounds.size();
        int pipe_ends[2];
        ASSERT_EQ(::pipe(pipe_ends), 0);
        const pid_t child = in_child([&] {
            while (true) {
                RoundDetail detail = sample_round();
                if (record_round(folder, detail)) static_cast<void>(!::write(pipe_ends[1], "", 1));
            }
        });
        ::usleep(static_cast<useconds_t>(1000 + 613 * attempt));
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);
        ::close(pipe_ends[1]);
        std::size_t reported = 0;
        for (char byte = 0; ::read(pipe_ends[0], &byte, 1) == 1;) ++reported;
        ::close(pipe_ends[0]);
        const History history = load_history(folder).value();
        ASSERT_GE(history.rounds.size(), before + reported);
        for (const Round& round : history.rounds) ASSERT_TRUE(load_round_detail(folder, round.number)) << round.number;
        if (history.rounds.size() < 60) continue;
        std::filesystem::remove_all(folder / "rounds");
        std::filesystem::remove(folder / "history.jsonl");
    }
    RoundDetail detail = sample_round();
    EXPECT_TRUE(record_round(folder, detail));
}

}  // namespace
}  // namespace kernelgen
