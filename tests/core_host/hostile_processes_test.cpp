// SPDX-License-Identifier: Apache-2.0
// Kernels that start processes, attack those around them, or write files: the run ends (what they start would stay for
// an hour or for ever), nothing is left of it, and the next one is right. Each with a PID namespace and without.
#include <gtest/gtest.h>
#include <sys/prctl.h>

#include <filesystem>
#include <set>

#include "core/base/scratch_folder.h"
#include "tests/core_base/marked.h"
#include "tests/core_host/kernels.h"

namespace kernelgen {
namespace {

namespace fs = std::filesystem;
using testing::bias_add_kernel;
using testing::bias_add_source;

struct Attack {
    std::string name;
    std::string code;  ///< done once in a process; MARK is a string that tells its processes
    Status status = Status::ok;
    std::string reason = "";
    bool dies_without_a_namespace = false;  ///< with its keeper
};

void PrintTo(const Attack& attack, std::ostream* out) { *out << attack.name; }

constexpr const char* head = R"(
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
static int parent_of(int id) {  // as the system numbers them, whatever this process sees
    char name[64], text[512] = "";
    snprintf(name, sizeof name, id == 0 ? "/proc/self/stat" : "/proc/%d/stat", id);
    FILE* file = fopen(name, "r");
    if (!file) return -1;
    fgets(text, sizeof text, file);
    fclose(file);
    int parent = -1;
    sscanf(strrchr(text, ')') + 1, " %*c %d", &parent);
    return parent;
}
static void stay() { prctl(PR_SET_NAME, MARK); for (;;) pause(); }
static void attack() {
)";

std::string source_of(const std::string& code, const std::string& mark) {
    return bias_add_source("static bool done; if (pid0 == 0 && !done) { done = true; attack(); }", "",
                           "#define MARK \"" + mark + "\"\n" + head + code + "\n}\n");
}

class Attacking : public ::testing::TestWithParam<std::tuple<Attack, bool>> {
protected:
    void SetUp() override {
        if (std::get<1>(GetParam()) && !testing::namespaces_are_allowed()) {
            GTEST_SKIP() << "no PID namespace is allowed here";
        }
        ::setenv("KERNELGEN_PID_NAMESPACE", std::get<1>(GetParam()) ? "1" : "0", 1);
        ::prctl(PR_SET_DUMPABLE, 0);  // as `kernelgen worker` is
    }
    void TearDown() override {
        ::unsetenv("KERNELGEN_PID_NAMESPACE");
        ::prctl(PR_SET_DUMPABLE, 1);
    }
};

std::set<std::string> names_in(const fs::path& folder, const std::string& prefix = "") {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename();
        if (name.starts_with(prefix)) names.insert(name);
    }
    return names;
}

TEST_P(Attacking, EndsInItsStatusAndLeavesNothing) {
    const Attack& attack = std::get<0>(GetParam());
    const std::string mark = testing::new_mark();
    const auto files_before = names_in(fs::current_path());
    const auto backend = testing::host_backend();
    VerifyRequest request = testing::verify_request(bias_add_kernel(source_of(attack.code, mark)));
    request.timeout_seconds = 20;
    const VerifyResult result = verify(request, *backend, testing::no_progress, {});
    const bool dies = attack.dies_without_a_namespace && !std::get<1>(GetParam());
    EXPECT_EQ(to_string(result.status), to_string(dies ? Status::crashed : attack.status)) << result.reason;
    EXPECT_NE(result.reason.text().find(attack.reason), std::string::npos) << result.reason;
    EXPECT_EQ(testing::count_marked(mark), 0);
    EXPECT_EQ(names_in(fs::current_path()), files_before);
    const VerifyResult next =
        verify(testing::verify_request(bias_add_kernel(bias_add_source())), *backend, testing::no_progress, {});
    EXPECT_EQ(next.status, Status::ok) << next.reason;
}

const Attack attacks[] = {
    {"ForksAndLeavesTheSession", "if (fork() == 0) { setsid(); stay(); }"},
    {"StartsADaemonByAShell", "(void)!system(\"setsid sleep 4000 \" MARK \" &\");"},
    {"ForksTwiceAndKeepsTheOutput", "if (fork() == 0) { if (fork() == 0) { puts(\"here\"); stay(); } _exit(0); }"},
    {"IgnoresSignals",
     "if (fork() == 0) { for (int s = 1; s < 65; ++s) signal(s, SIG_IGN); setsid(); setpgid(0, 0); stay(); }"},
    {"HasFiftyProcessesThatForkAgain",
     "for (int i = 0; i < 50; ++i) if (fork() == 0) { setsid(); prctl(PR_SET_NAME, MARK);\n"
     "    for (;;) { int child = fork(); if (child == 0) stay(); waitpid(child, 0, 0); } }"},
    {"ForksItsLikeAndEnds",
     "if (fork() == 0) { prctl(PR_SET_NAME, MARK); for (;;) { if (fork() != 0) _exit(0); setsid(); } }"},
    {"StartsManyProcesses", "for (int i = 0; i < 600; ++i) if (fork() == 0) stay(); sleep(10);", Status::crashed,
     "512 processes"},
    {"ChangesItsFolder", "(void)!chdir(\"/\");"},
    {"RemovesItsFolder", "(void)!system(\"rm -rf .lock ./* ; rmdir $PWD\");"},
    {"RaisesItsPriority",
     "sched_param p{}; p.sched_priority = 50; const int before = getpriority(PRIO_PROCESS, 0);\n"
     "setpriority(PRIO_PROCESS, 0, -20); if (getpriority(PRIO_PROCESS, 0) < before || sched_setscheduler(0, "
     "SCHED_FIFO, &p) == 0) abort();"},
    {"ChangesItsAffinity", "cpu_set_t one; CPU_ZERO(&one); CPU_SET(0, &one); sched_setaffinity(0, sizeof one, &one);"},
    {"RaisesItsLimits",
     "rlimit all{RLIM_INFINITY, RLIM_INFINITY};\n"
     "if (setrlimit(RLIMIT_FSIZE, &all) == 0 || setrlimit(RLIMIT_CORE, &all) == 0) abort();"},
    {"OpensTheSystemsSettings",
     "if (getppid() != 1) return;\n"
     "const char* const names[] = {\"/proc/sys/kernel/core_pattern\", \"/proc/sys/vm/swappiness\",\n"
     "    \"/proc/sysrq-trigger\", \"/sys/kernel/mm/transparent_hugepage/enabled\"};\n"
     "for (const char* name : names) if (open(name, O_WRONLY) >= 0) abort();"},
    {"TracesTheWorker",
     "int id = 0; for (int i = 0; i < 2 || (i < 3 && getppid() == 1); ++i) {\n"
     "    id = parent_of(id);\n"
     "    if (id <= 1 && getppid() == 1) return;  // not even seen\n"
     "    if (id <= 1) abort();\n"
     "}\n"
     "char memory[64]; snprintf(memory, sizeof memory, \"/proc/%d/mem\", id);\n"
     "if (ptrace(PTRACE_ATTACH, id, 0, 0) == 0 || open(memory, O_RDWR) >= 0) abort();"},
    {"WritesAFile", "FILE* file = fopen(\"left-behind\", \"w\"); fputs(MARK, file); fclose(file);"},
    {"WritesAHugeFile",
     "int file = open(\"huge\", O_CREAT | O_WRONLY, 0600);\n"
     "for (long long at = 0; at <= 8ll << 30; at += 1 << 29) (void)!pwrite(file, \"x\", 1, at);",
     Status::crashed, "beyond the limit of 1 GiB"},
};

std::string name_of(const ::testing::TestParamInfo<std::tuple<Attack, bool>>& each) {
    return std::get<0>(each.param).name + (std::get<1>(each.param) ? "" : "WithoutANamespace");
}

INSTANTIATE_TEST_SUITE_P(Kernel, Attacking, ::testing::Combine(::testing::ValuesIn(attacks), ::testing::Bool()),
                         name_of);

// Within a namespace what is around is out of reach; without, the keeper dies and takes the kernel with it.
const Attack at_parents[] = {
    {"KillsItsParent", "kill(getppid(), SIGKILL); usleep(300000);", Status::ok, "", true},
    {"StopsItsParent", "kill(getppid(), SIGSTOP);"},
    // Never without a namespace: it would end everything that its user may end.
    {"KillsEverythingThatItSees",
     "char first[64] = \"\"; FILE* file = fopen(\"/proc/1/cmdline\", \"r\"); if (!file) return;\n"
     "size_t read = fread(first, 1, sizeof first, file); fclose(file);\n"
     "if (getppid() == 1 && memmem(first, read, \"\\0keeper\", 8) != 0) kill(-1, SIGKILL);"},
};

INSTANTIATE_TEST_SUITE_P(AtParents, Attacking, ::testing::Combine(::testing::ValuesIn(at_parents), ::testing::Bool()),
                         name_of);

}  // namespace
}  // namespace kernelgen
