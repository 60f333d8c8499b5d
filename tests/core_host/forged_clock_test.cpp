// SPDX-License-Identifier: Apache-2.0
// Kernels that change the clock of the process in which they run: the worker has a clock of its own.
#include <gtest/gtest.h>

#include "core/base/scratch_folder.h"
#include "core/bench/bench.h"
#include "core/bench/race.h"
#include "tests/core_host/kernels.h"

namespace kernelgen {
namespace {

/// Replaces `clock_gettime` in the executor by `forged`, which a test defines, on the kernel's first call. `real` is
/// the system's. The work that follows takes long beside what surrounds it.
const std::string forger = R"(
#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
static int64_t real() { timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1000000000 + t.tv_nsec; }
static int64_t forged(int64_t now);
static int stands_in(clockid_t, timespec* t) {
    const int64_t now = forged(real());
    t->tv_sec = now / 1000000000; t->tv_nsec = now % 1000000000; return 0;
}
static void replace(uintptr_t base, const Elf64_Rela* table, size_t bytes, const Elf64_Sym* symbols, const char* names) {
    for (size_t i = 0; i < bytes / sizeof *table; ++i) {
        if (strcmp(names + symbols[ELF64_R_SYM(table[i].r_info)].st_name, "clock_gettime") != 0) continue;
        uintptr_t* entry = (uintptr_t*)(base + table[i].r_offset);
        mprotect((void*)((uintptr_t)entry & ~4095ul), 8192, PROT_READ | PROT_WRITE);
        *entry = (uintptr_t)&stands_in;
    }
}
static int visit(dl_phdr_info* info, size_t, void* done) {
    if (*(bool*)done) return 1;
    *(bool*)done = true;
    uintptr_t table[2] = {}, bytes[2] = {}, symbols = 0, names = 0;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        if (info->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
        for (auto* d = (const Elf64_Dyn*)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr); d->d_tag != DT_NULL; ++d) {
            if (d->d_tag == DT_JMPREL) table[0] = d->d_un.d_ptr;
            if (d->d_tag == DT_PLTRELSZ) bytes[0] = d->d_un.d_val;
            if (d->d_tag == DT_RELA) table[1] = d->d_un.d_ptr;
            if (d->d_tag == DT_RELASZ) bytes[1] = d->d_un.d_val;
            if (d->d_tag == DT_SYMTAB) symbols = d->d_un.d_ptr;
            if (d->d_tag == DT_STRTAB) names = d->d_un.d_ptr;
        }
    }
    for (int i = 0; i < 2; ++i) {
        if (table[i]) replace(info->dlpi_addr, (const Elf64_Rela*)table[i], bytes[i], (const Elf64_Sym*)symbols,
                              (const char*)names);
    }
    return 1;
}
static void forge() { static bool done; dl_iterate_phdr(visit, &done); }
)";

const std::string slow_work =
    "    for (volatile int i = 0; i < 30; ++i) for (int64_t d = 0; d < P * D; ++d) out[d] = x[d] + bias[d % D];\n";

Implementation kernel(const std::string& head, const std::string& before, const std::string& after) {
    Implementation made = testing::bias_add_kernel(
        "#include <stdint.h>\n" + head +
        "\nextern \"C\" void bias_add(const DTYPE* x, const DTYPE* bias, DTYPE* out, int64_t P, int64_t D, int64_t, "
        "int64_t, int64_t) {\n" +
        before + slow_work + after + "\n}\n");
    made.variant.launches[0].grid = {"1"};
    return made;
}

BenchRequest request_of(const Implementation& candidate, double budget = 2) {
    BenchRequest request;
    request.definition = testing::bias_add_operator();
    request.binding = {"timed", DType::f32, {{"P", 100}, {"D", 1000}}};
    request.performance.budget_seconds = budget;
    request.candidates = {candidate};
    request.baseline = kernel("", "", "");
    return request;
}

BenchResult time_it(const Implementation& candidate) {
    const auto backend = testing::host_backend();
    return bench(request_of(candidate), *backend, testing::no_progress, {}).front();
}

/// The clock goes wrong in the first process that calls it, as on a machine that was disturbed for long.
Implementation disturbs_the_first_process(const std::filesystem::path& folder) {
    return kernel(
        forger +
            "#include <fcntl.h>\nstatic int64_t start; static int64_t forged(int64_t now) { if (!start) start "
            "= now; return start + (now - start) / 10; }\n"
            "static bool is_first() { static const bool made = open(\"" +
            (folder / "disturbed").string() + "\", O_CREAT | O_EXCL, 0600) >= 0; return made; }",
        "if (is_first()) forge();", "");
}

/// `forge` changes the executor's own table of functions.
class ForgedClock : public ::testing::Test {
protected:
    void SetUp() override {
#ifdef KERNELGEN_SANITIZED
        GTEST_SKIP() << "the C++ library, which reads the clock, is a library of its own under the sanitizers";
#endif
    }
};

using NightlyForgedClock = ForgedClock;

TEST_F(ForgedClock, ThatRunsSlowerIsFound) {
    const BenchResult result =
        time_it(kernel(forger + "static int64_t start; static int64_t forged(int64_t now) { if (!start) start = now; "
                                "return start + (now - start) / 10; }",
                       "forge();", ""));
    EXPECT_EQ(result.status, Status::implausible) << result.reason;
    EXPECT_EQ(result.speedup.pairs, 0);
}

/// The part of a call that is told as what surrounds it: the clock is behind for two readings, the call's end and the
/// beginning of what follows.
Implementation calls_it_surroundings(const std::string& before) {
    return kernel(
        forger +
            "#include <unistd.h>\nstatic volatile int64_t hidden; static volatile int readings; static int calls;\n"
            "static int64_t forged(int64_t now) { return readings > 0 ? (readings = readings - 1, now - hidden) : now; "
            "}",
        "forge(); const int64_t start = real(); bool slow = false;" + before,
        "if (!slow) { hidden = (real() - start) * 9 / 10; readings = 2; }");
}

TEST_F(NightlyForgedClock, ThatCallsItSurroundingsGainsNothing) {
    for (const std::string before : {"", "slow = ++calls <= 13; if (slow) usleep(100000);"}) {
        const BenchResult result = time_it(calls_it_surroundings(before));
        constexpr double no_gain =
            1.1;  // where other programs take the processors, the interval allows for what is hidden
        EXPECT_TRUE(result.status == Status::implausible || result.speedup.lower < no_gain)
            << before << result.reason << result.speedup.lower;
    }
}

const std::string leaves_out = "static volatile int64_t hidden; static volatile int readings;\n";

TEST_F(ForgedClock, ThatLeavesOutTheCallIsFound) {
    const Implementation cheat =
        kernel(forger + leaves_out +
                   "static int64_t forged(int64_t now) { return readings > 0 ? (readings = readings - 1, now - hidden) "
                   ": now; }",
               "forge(); const int64_t start = real();", "hidden = (real() - start) * 9 / 10; readings = 1;");
    // Where other programs take the processors, the clocks tell nothing (docs/TIMING.md).
    constexpr int tries = 4;
    BenchResult result;
    for (int i = 0; i < tries && result.status == Status::ok; ++i) result = time_it(cheat);
    EXPECT_EQ(result.status, Status::implausible) << result.reason;
}

TEST_F(ForgedClock, OfOneProcessOnlyIsTimedOnceMoreInAnother) {
    const Result<ScratchFolder> folder = ScratchFolder::create(std::filesystem::temp_directory_path());
    ASSERT_TRUE(folder) << folder.error().message;
    const BenchResult result = time_it(disturbs_the_first_process(folder->path));
    EXPECT_TRUE(std::filesystem::exists(folder->path / "disturbed"));
    EXPECT_EQ(result.status, Status::ok) << result.reason;
    EXPECT_GT(result.speedup.pairs, 0);
}

TEST_F(ForgedClock, OfOneProcessOnlyIsRacedOnceMoreInAnother) {
    const Result<ScratchFolder> folder = ScratchFolder::create(std::filesystem::temp_directory_path());
    ASSERT_TRUE(folder) << folder.error().message;
    RaceRequest request;
    request.sides = request_of(disturbs_the_first_process(folder->path), 0.3);
    const auto backend = testing::host_backend();
    const RaceResult result = race(request, *backend, testing::no_progress, {}).front();
    EXPECT_TRUE(std::filesystem::exists(folder->path / "disturbed"));
    EXPECT_EQ(result.status, Status::ok) << result.reason;
    EXPECT_FALSE(result.seconds.empty());
}

}  // namespace
}  // namespace kernelgen
