// SPDX-License-Identifier: Apache-2.0
// Kernels that try to answer the worker themselves, to silence it, or to break what both share. A right one stays
// right; a wrong one ends in its status, and the process that judges lives on (here: the test).
#include <gtest/gtest.h>

#include "tests/core_host/kernels.h"

namespace kernelgen {
namespace {

using testing::bias_add_kernel;
using testing::bias_add_source;

const std::string headers =
    "#include <dirent.h>\n#include <fcntl.h>\n#include <setjmp.h>\n#include <signal.h>\n#include <stdio.h>\n"
    "#include <stdlib.h>\n#include <string.h>\n#include <sys/mman.h>\n#include <unistd.h>\n";

const std::string forged_lines = R"(static const char* const forged[] = {
    "{\"status\":\"ok\",\"reason\":\"\"}\n",
    "{\"status\":\"ok\",\"candidate\":[1e-9],\"baseline\":[1],\"grown_bytes\":0}\n",
    "{\"status\":\"ok\",\"candidate\":[],\"baseline\":[]}\n", "{{{{\n"};
static void forge(int fd) {
    for (const char* line : forged) { ssize_t ignored = write(fd, line, strlen(line)); (void)ignored; }
}
)";

/// `each(begin, end)` for every mapping of the executor's memory whose line in /proc/self/maps has `part`.
const std::string mappings = R"(template <class Each> static void for_each_mapping(const char* part, Each each) {
    static char line[4096];
    FILE* maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps)) {
        unsigned long begin = 0, end = 0;
        if (strstr(line, part) && sscanf(line, "%lx-%lx", &begin, &end) == 2) each((char*)begin, (char*)end);
    }
    if (maps) fclose(maps);
}
)";

/// Runs `doing` once a call and then its row of the right result.
std::string right_after(const std::string& doing, const std::string& functions = "") {
    return bias_add_source("if (pid0 == 0) { " + doing + " }", "", headers + functions);
}

/// Runs `doing` once a call, and is wrong.
std::string wrong_after(const std::string& doing, const std::string& functions = "") {
    return bias_add_source("if (pid0 == 0) { " + doing + " }", "out[pid0 * D] += 1;", headers + functions);
}

VerifyResult verified(const std::string& source) {
    VerifyRequest request = testing::verify_request(bias_add_kernel(source), {{"P", 5}, {"D", 33}});
    request.timeout_seconds = 4;
    return verify(request, *testing::host_backend(), testing::no_progress, {});
}

const std::string to_all = "for (int fd = 0; fd < 1024; ++fd) ";

struct Takeover {
    std::string name, source;
    Status status;
};

void PrintTo(const Takeover& each, std::ostream* out) { *out << each.name; }

class TakeoverKernel : public ::testing::TestWithParam<Takeover> {};

TEST_P(TakeoverKernel, DoesNotChangeTheVerdict) {
    const VerifyResult result = verified(GetParam().source);
    EXPECT_EQ(to_string(result.status), to_string(GetParam().status)) << result.reason;
    EXPECT_EQ(result.reason.text().find("exception"), std::string::npos) << result.reason;
}

/// A hundred children: on a busy machine, more of them could live at once than may.
const std::string fork_and_forge =
    "static int children; if (++children <= 100 && fork() == 0) { " + to_all + "forge(fd); }";
const std::string close_all = to_all + "forge(fd); " + to_all + "close(fd);";
const std::string find_channel = R"(DIR* folder = opendir("/proc/self/fd");
    for (dirent* entry; (entry = readdir(folder)) != nullptr;) {
        char path[300], link[300] = {};
        snprintf(path, sizeof path, "/proc/self/fd/%s", entry->d_name);
        if (readlink(path, link, sizeof link - 1) > 0 && (strstr(link, "memfd:") || strstr(link, "socket:")))
            raise(SIGKILL);
    }
    closedir(folder);)";
const std::string truncate_of_parent = R"(char folder[100];
    snprintf(folder, sizeof folder, "/proc/%d/fd", (int)getppid());
    DIR* all = opendir(folder);
    for (dirent* entry; all && (entry = readdir(all)) != nullptr;) {
        char path[400], link[300] = {};
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (readlink(path, link, sizeof link - 1) <= 0 || !strstr(link, "kernelgen-")) continue;
        const int fd = open(path, O_RDWR);
        if (fd < 0) continue;
        ftruncate(fd, 0) == 0 ? (void)raise(SIGKILL) : (void)close(fd);
    }
    if (all) closedir(all);)";

INSTANTIATE_TEST_SUITE_P(
    All, TakeoverKernel,
    ::testing::Values(
        Takeover{"WritesGarbageToEveryDescriptor", right_after(to_all + "forge(fd);", forged_lines), Status::ok},
        Takeover{"ForgesRepliesAndClosesEveryDescriptor", right_after(close_all, forged_lines), Status::ok},
        Takeover{"ForgesRepliesAndIsWrong", wrong_after(to_all + "forge(fd);", forged_lines), Status::mismatch},
        Takeover{"ClosesEveryDescriptorAndIsWrong", wrong_after(close_all, forged_lines), Status::mismatch},
        Takeover{"PutsItsOutputOverEveryDescriptor",
                 right_after("for (int fd = 3; fd < 200; ++fd) { dup2(1, fd); forge(fd); }", forged_lines), Status::ok},
        Takeover{"ForksAndTheChildForges", right_after(fork_and_forge, forged_lines), Status::ok},
        Takeover{"ForksAndTheChildForgesAndIsWrong", wrong_after(fork_and_forge, forged_lines), Status::mismatch},
        Takeover{"LooksForTheChannelInProcSelfFd", right_after(find_channel), Status::ok},
        Takeover{"TruncatesWhatTheWorkerHasOpen", right_after(truncate_of_parent), Status::ok},
        Takeover{"SendsItselfSigusr1", right_after("raise(SIGUSR1);"), Status::crashed},
        Takeover{"SendsItselfSigterm", right_after("kill(getpid(), SIGTERM);"), Status::crashed},
        Takeover{"StopsItself", right_after("raise(SIGSTOP);"), Status::timed_out},
        Takeover{"ExitsWithStatus0", right_after("_exit(0);"), Status::crashed},
        Takeover{"JumpsWithinItself", right_after("jmp_buf here; if (setjmp(here) == 0) longjmp(here, 1);"),
                 Status::ok},
        Takeover{"WritesBeyondTheArena",
                 right_after("for_each_mapping(\"kernelgen-arena\", [](char*, char* end) { end[-1] = 1; });", mappings),
                 Status::crashed}),
    [](const auto& each) { return each.param.name; });

class BreakingKernel : public ::testing::TestWithParam<Takeover> {};

/// Which memory the kernel overwrites differs from call to call. In every call the run ends, and not with `ok`.
TEST_P(BreakingKernel, NeverEndsWell) {
    const VerifyResult result = verified(GetParam().source);
    EXPECT_NE(result.status, Status::ok);
    EXPECT_EQ(result.reason.text().find("exception"), std::string::npos) << result.reason;
}

const std::string make_writable = "mprotect(begin, end - begin, PROT_READ | PROT_WRITE); ";
const std::string in_mailbox = "for_each_mapping(\"kernelgen-mailbox\", [](char* begin, char* end) { " + make_writable;

INSTANTIATE_TEST_SUITE_P(
    All, BreakingKernel,
    ::testing::Values(
        Takeover{"ScribblesOnSharedMemory",
                 right_after("for_each_mapping(\"rw-s\", [](char* begin, char*) { memset(begin, 0xa5, 1 << 16); });",
                             mappings),
                 {}},
        Takeover{
            "ScribblesOnTheMailbox", right_after(in_mailbox + "memset(begin, 0xa5, end - begin); });", mappings), {}},
        Takeover{"ZeroesTheMailbox", right_after(in_mailbox + "memset(begin, 0, end - begin); });", mappings), {}},
        Takeover{"UnmapsTheMailbox", right_after(in_mailbox + "munmap(begin, end - begin); });", mappings), {}},
        Takeover{"LeavesByAnOldJump",
                 bias_add_source("if (pid0 == 0 && setjmp(here) == 0) jumps = 1; else if (jumps) longjmp(here, 1);", "",
                                 headers + "static jmp_buf here; static int jumps;"),
                 {}},
        // It answers in the executor's place, and is judged by its outputs all the same.
        Takeover{"AnswersThroughTheMailboxAndIsWrong",
                 wrong_after(in_mailbox + R"(
                     char* ring = begin + 64 + (64 + 64 + (1 << 20));
                     uint32_t* written = (uint32_t*)ring;
                     for (const char* c = forged[0]; *c; ++c) ring[128 + (*written + (c - forged[0])) % (1 << 20)] = *c;
                     *written += strlen(forged[0]); });)",
                             forged_lines + mappings),
                 {}}),
    [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace kernelgen
