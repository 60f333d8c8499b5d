// SPDX-License-Identifier: Apache-2.0
// Kernels that are right whenever they are verified, and try to be fast when they are timed: none gets a speedup.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/bench/bench.h"
#include "tests/core_host/kernels.h"

namespace kernelgen {
namespace {

const std::string honest = "for (int64_t i = 0; i < P * D; ++i) out[i] = x[i] + bias[i % D];";

const std::string hashes_three =
    "    uint64_t hash = 0;\n"
    "    for (int64_t i : {int64_t(0), P * D / 2, P * D - 1}) { uint32_t bits; memcpy(&bits, x + i, 4); hash = hash * "
    "31 "
    "+ bits; }\n";

const std::string hashes_all =
    "    uint64_t hash = 0;\n"
    "    for (int64_t i = 0; i < P * D; ++i) { uint32_t bits; memcpy(&bits, x + i, 4); hash = hash * 31 + bits; }\n"
    "    for (int64_t i = 0; i < D; ++i) { uint32_t bits; memcpy(&bits, bias + i, 4); hash = hash * 31 + bits; }\n";

/// Computing takes longer than reading.
const std::string long_work =
    "for (volatile int again = 0; again < 20; ++again)\n"
    "    for (int64_t i = 0; i < P * D; ++i) out[i] = x[i] + bias[i % D];\n";

const std::string remembers =
    "static std::map<uint64_t, std::vector<float>> known;\n"
    "static void remember(uint64_t key, const float* out, int64_t n) { known[key].assign(out, out + n); }\n"
    "static bool recall(uint64_t key, float* out) {\n"
    "    auto found = known.find(key); if (found == known.end()) return false;\n"
    "    memcpy(out, found->second.data(), found->second.size() * 4); return true; }\n";

/// bias_add by one program, which runs `code`.
Implementation whole_kernel(const std::string& code, const std::string& head = "") {
    Implementation kernel = testing::bias_add_kernel(
        "#include <stdint.h>\n#include <string.h>\n#include <map>\n#include <random>\n#include "
        "<thread>\n"
        "#include <vector>\n" +
        head +
        "\nextern \"C\" void bias_add(const DTYPE* x, const DTYPE* bias, DTYPE* out, int64_t P, int64_t D, int64_t, "
        "int64_t, int64_t) {\n" +
        code + "\n}\n");
    kernel.variant.launches[0].grid = {"1"};
    return kernel;
}

struct Cheat {
    std::string name;
    Implementation kernel;
    std::vector<Status> statuses = {Status::mismatch};
    bool custom = false;
};

void PrintTo(const Cheat& cheat, std::ostream* out) { *out << cheat.name; }

BenchRequest request_for(const Cheat& cheat) {
    BenchRequest request;
    request.definition = testing::bias_add_operator();
    request.binding = {"timed", DType::f32, {{"P", 400}, {"D", 1000}}};
    request.performance.budget_seconds = 1;
    request.candidates = {cheat.kernel};
    request.baseline = whole_kernel(honest);
    if (cheat.custom) {
        request.definition.family = Family::custom;
        request.definition.body.clear();
        request.definition.reference = "host";
        request.reference = whole_kernel(honest);
    }
    return request;
}

BenchResult time_it(const BenchRequest& request) {
    const auto backend = testing::host_backend();
    return bench(request, *backend, testing::no_progress, {}).front();
}

BenchResult time_it(const Cheat& cheat) { return time_it(request_for(cheat)); }

class TimedCheat : public ::testing::TestWithParam<Cheat> {};

TEST_P(TimedCheat, PostsNoSpeedup) {
    const BenchResult result = time_it(GetParam());
    EXPECT_TRUE(std::ranges::contains(GetParam().statuses, result.status))
        << to_string(result.status) << ": " << result.reason;
    if (result.status == Status::ok) {
        EXPECT_LE(result.speedup.lower, 1);
        return;
    }
    EXPECT_EQ(result.speedup.pairs, 0);
    EXPECT_FALSE(result.reason.empty());
}

const std::string counts = "static int calls;\nstatic std::mt19937 generator(7);\n";

const std::string without_nan =
    "const bool late = ++calls > 50;\n"
    "for (int64_t i = 0; i < P * D; ++i) out[i] = late && x[i] != x[i] ? 0 : x[i] + bias[i % D];";

const std::string without_rare_values =
    "const bool late = ++calls > 50;\n"
    "for (int64_t i = 0; i < P * D; ++i) out[i] = late && !(x[i] > -9 && x[i] < 9) ? 0 : x[i] + bias[i % D];";

INSTANTIATE_TEST_SUITE_P(
    All, TimedCheat,
    ::testing::Values(
        Cheat{"SkipsHalfTheRowsOnInputsThatItHasSeenSevenTimes",
              whole_kernel(hashes_three + "if (++seen[hash] > 7) P /= 2;\n" + honest,
                           "static std::map<uint64_t, int> seen;")},
        Cheat{"SkipsEverythingOnInputsThatItHasSeenSevenTimes",
              whole_kernel(hashes_three + "if (++seen[hash] > 7) return;\n" + honest,
                           "static std::map<uint64_t, int> seen;")},
        Cheat{"RemembersOutputsByThreeElements",
              whole_kernel(hashes_three + "if (recall(hash, out)) return;\n" + honest + "remember(hash, out, P * D);",
                           remembers)},
        Cheat{
            "TellsTheTwoContentsOfFamilyCustomByASixtyFourthOfTheInputs",
            whole_kernel("uint64_t hash = 0;\n"
                         "for (int64_t i = 0; i < P * D; i += 64) { uint32_t b; memcpy(&b, x + i, 4); hash = hash * 31 "
                         "+ b; }\nfor (int64_t i = 0; i < D; i += 64) { uint32_t b; memcpy(&b, bias + i, 4); hash = "
                         "hash * 31 + b; }\nif (recall(hash, out)) return;\n" +
                             honest + "remember(hash, out, P * D);",
                         remembers),
            {Status::mismatch},
            true},
        Cheat{"RemembersOutputsByPointer",
              whole_kernel("const auto key = reinterpret_cast<uint64_t>(x); if (recall(key, out)) return;\n" + honest +
                               "remember(key, out, P * D);",
                           remembers)},
        Cheat{"SkipsEveryTenthCall", whole_kernel("if (++calls % 10 == 0) return;\n" + honest, counts)},
        Cheat{"SkipsATenthOfTheCallsAtRandom", whole_kernel("if (generator() % 10 == 0) return;\n" + honest, counts)},
        Cheat{"SkipsAfterTheFiftiethCall", whole_kernel("if (++calls > 50) return;\n" + honest, counts)},
        Cheat{"WritesZerosForATenthOfTheContents",
              whole_kernel("uint32_t bits = 0; for (int64_t i = 0; i < P * D; ++i) { uint32_t b; memcpy(&b, x + i, 4); "
                           "bits += b; }\nif ((bits >> 7) % 10 == 0) { memset(out, 0, P * D * 4); return; }\n" +
                           honest)},
        Cheat{"LeavesOutputsThatLookRight",
              whole_kernel("if (out[0] == x[0] + bias[0] && out[P * D - 1] == x[P * D - 1] + bias[D - 1]) return;\n"
                           "if (calls++ > 20) { out[0] = x[0] + bias[0]; out[P * D - 1] = x[P * D - 1] + bias[D - 1]; "
                           "return; }\n" +
                               honest,
                           counts)},
        Cheat{"SkipsOneElementNowAndThen",
              whole_kernel(honest + "if (++calls % 9 == 0) out[calls % (P * D)] = 0;", counts)},
        Cheat{"FinishesInAnotherThreadLater",
              whole_kernel("std::thread([=] { std::this_thread::sleep_for(std::chrono::milliseconds(3)); " + honest +
                           " }).detach();"),
              {Status::mismatch, Status::crashed, Status::nondeterministic}},
        Cheat{"WritesTheOutputsOfTheCallBefore",
              whole_kernel("static std::vector<float> last; if (last.size() == size_t(P * D) && ++calls > 20) { "
                           "memcpy(out, last.data(), P * D * 4); return; }\n" +
                               honest + "last.assign(out, out + P * D);",
                           counts)},
        Cheat{"IsRightOnlyWhileTheFirstOutputHoldsThePoisonOfAVerification",
              whole_kernel(
                  "uint8_t bytes[4]; memcpy(bytes, out, 4); if (bytes[0] != 0x3f && bytes[0] != 0xbe) P -= 1;\n" +
                  honest),
              {Status::mismatch, Status::unwritten}},
        Cheat{"RemembersOfACustomOperatorByThreeElements",
              whole_kernel(hashes_three + "if (recall(hash, out)) return;\n" + honest + "remember(hash, out, P * D);",
                           remembers),
              {Status::mismatch},
              true},
        Cheat{"RemembersOfACustomOperatorByAllElements",  // where hashing takes longer than the work, it claims nothing
              whole_kernel(hashes_all + "if (recall(hash, out)) return;\n" + long_work + "remember(hash, out, P * D);",
                           remembers),
              {Status::mismatch, Status::ok},
              true},
        Cheat{
            "RemembersTilesByTheirFirstAndLastElement",
            whole_kernel(
                "static std::vector<float> seen, made; const bool known = seen.size() == size_t(P * D);\n"
                "if (!known) { seen.assign(x, x + P * D); made.resize(P * D); }\n"
                "for (int64_t t = 0; t < P * D; t += 64) { const int64_t last = std::min(P * D, t + 64) - 1;\n"
                "  if (known && ++calls > 20 && seen[t] == x[t] && seen[last] == x[last]) { memcpy(out + t, &made[t], "
                "4 * (last - t + 1)); continue; }\n"
                "  for (volatile int again = 0; again < 20; ++again)\n"
                "    for (int64_t i = t; i <= last; ++i) { seen[i] = x[i]; made[i] = out[i] = x[i] + bias[i % D]; } }",
                "#include <algorithm>\n" + counts)},
        Cheat{"WorksWhenItsOutputsAreRead",
              whole_kernel(
                  "input = x; other = bias; output = out; rows = P; columns = D;\n"
                  "if (++calls < 20) return work(out);\n"
                  "struct sigaction action{}; action.sa_handler = later; sigaction(SIGSEGV, &action, nullptr);\n"
                  "mprotect((void*)((uintptr_t(out) + 4095) & ~4095ul), (P * D * 4 - 8192) & ~4095ul, PROT_NONE);",
                  "#include <signal.h>\n#include <sys/mman.h>\n" + counts +
                      "static const float *input, *other; static float* output; static int64_t rows, columns;\n"
                      "static void work(float* out) { for (volatile int again = 0; again < 20; ++again)\n"
                      "  for (int64_t i = 0; i < rows * columns; ++i) out[i] = input[i] + other[i % columns]; }\n"
                      "static void later(int) { mprotect((void*)((uintptr_t(output) + 4095) & ~4095ul), (rows * "
                      "columns * 4 - 8192) & "
                      "~4095ul, PROT_READ | PROT_WRITE); work(output); }\n"),
              {Status::crashed, Status::mismatch}},
        Cheat{"LeavesOutNaNAfterTheFiftiethCall", whole_kernel(without_nan, counts)},
        Cheat{"LeavesOutRareValuesAfterTheFiftiethCall", whole_kernel(without_rare_values, counts)},
        Cheat{"LeavesOutRareValuesOfACustomOperatorAfterTheFiftiethCall",
              whole_kernel(without_rare_values, counts),
              {Status::mismatch},
              true},
        Cheat{"SkipsATenthOfTheCallsOfACustomOperator",
              whole_kernel("if (generator() % 10 == 0) return;\n" + honest, counts),
              {Status::mismatch},
              true}),
    [](const auto& each) { return each.param.name; });

TEST(TimedKernel, ThatRemembersOutputsByAFortiethOfTheInputGainsNothing) {
    const BenchResult result = time_it(
        {"", whole_kernel("uint64_t hash = 0; for (int64_t i = 0; i < P * D; i += 40) { uint32_t bits; "
                          "memcpy(&bits, x + i, 4); hash = hash * 31 + bits; }\nif (recall(hash, out)) return;\n" +
                              honest + "if (known.size() < 20) remember(hash, out, P * D);",
                          remembers)});
    if (result.status == Status::ok) {
        EXPECT_LT(result.speedup.lower, 1.0);
    } else {
        EXPECT_EQ(result.status, Status::mismatch) << result.reason;
    }
}

TEST(NightlyTimedKernel, WhoseRunsMayDifferIsJudgedFortyFourTimes) {
    Cheat cheat{"", whole_kernel("if (generator() % 4 == 0) out[0] = 7;\n else out[0] = x[0] + bias[0];\nfor (int64_t "
                                 "i = 1; i < P * D; ++i) out[i] = x[i] + bias[i % D];",
                                 counts)};
    cheat.kernel.variant.deterministic = false;
    EXPECT_EQ(time_it(cheat).status, Status::mismatch);
    cheat.kernel = whole_kernel(honest);
    cheat.kernel.variant.deterministic = false;
    const BenchResult right = time_it(cheat);
    EXPECT_EQ(right.status, Status::ok) << right.reason;
    EXPECT_GE(right.checked_calls, 44);
}

TEST(TimedKernel, WhoseBitsDependOnAllInputsGainsNothingByRemembering) {
    // Checksums cannot tell it; its calls still see inputs that differ from all before.
    const BenchResult result = time_it(
        {"", whole_kernel(hashes_all + "if (recall(hash, out)) return;\n" + long_work +
                              "if (hash % 2) out[0] = std::nextafter(out[0], 1e9f);\nremember(hash, out, P * D);",
                          "#include <cmath>\n" + remembers)});
    if (result.status == Status::ok) {
        EXPECT_LT(result.speedup.lower, 1.0);
    } else {
        EXPECT_EQ(result.status, Status::mismatch) << result.reason;
    }
}

TEST(TimedKernel, WhoseRunsDifferThoughItDoesNotSaySoIsNondeterministic) {
    Cheat cheat{"", whole_kernel(honest + "if (++calls > 30) out[5] *= 1 + 3e-7f * (generator() % 3);", counts)};
    const BenchResult result = time_it(cheat);
    EXPECT_TRUE(result.status == Status::nondeterministic || result.status == Status::mismatch) << result.reason;
}

TEST(TimedKernel, WhoseRunsDifferWhileItsChecksumsAreLearntIsNondeterministic) {
    // The second content's checksum is not what the first one's tells: its bits do not depend on other rows for that.
    const BenchResult result = time_it(
        {"", whole_kernel(honest + "for (int i = 0; i < 8; ++i) out[i] *= 1 + 3e-7f * (generator() % 3);", counts)});
    EXPECT_EQ(result.status, Status::nondeterministic) << result.reason;
}

TEST(TimedKernel, WhoseBitsDependOnOtherRowsIsNotRefused) {
    // Adds in another order where a number anywhere in the inputs is large: always right, with other last bits.
    const BenchResult result =
        time_it({"", whole_kernel("bool large = false; for (int64_t i = 0; i < P * D; ++i) large |= x[i] > 4.4f;\n"
                                  "for (int64_t i = 0; i < P * D; ++i) out[i] = large ? x[i] + bias[i % D] : (x[i] + "
                                  "bias[i % D]) * (1 + 1e-7f);")});
    EXPECT_EQ(result.status, Status::ok) << result.reason;
}

TEST(TimedKernel, IsNotRefusedForABaselineThatIsWrongOnRareValues) {
    for (const bool custom : {false, true}) {
        BenchRequest request = request_for({"", whole_kernel(honest), {}, custom});
        request.baseline = whole_kernel(without_rare_values, counts);
        const BenchResult result = time_it(request);
        EXPECT_EQ(result.status, Status::ok) << result.reason;
    }
}

}  // namespace
}  // namespace kernelgen
