// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/cli/program.h"

namespace kernelgen::testing {

/// `MODE` chooses what the kernel does: 0 works eight times, 4 once; the others go wrong, and are faster than 4.
inline constexpr const char* modes = R"(#include <stdint.h>
#include <stdlib.h>
#if MODE == 5
#error no such mode
#endif
extern "C" void small(const DTYPE* x, const DTYPE* bias, DTYPE* out, int64_t P, int64_t D, int64_t row, int64_t, int64_t) {
    (void)P;
    int64_t columns = D, times = MODE == 0 ? 8 : 1;
    if (MODE == 1) columns = D / 2;
    if (MODE == 2) for (;;) {}
    if (MODE == 3) abort();
    if (MODE == 6 && D % 2 == 1) --columns;
    if (MODE == 11 && D == 3000) --columns;
    if (MODE == 12 && x[row * D] != x[row * D]) --columns;
    for (int64_t i = 0; i < times; ++i)
        for (int64_t d = 0; d < columns; ++d) ((volatile DTYPE*)out)[row * D + d] = x[row * D + d] + bias[d];
}
)";

/// A winner is as fast as the interval says; where others disturb the timing, the interval says less, and it is a tie.
/// Returns the configuration that was recommended.
inline std::int64_t expect_decided(const nlohmann::json& outcome, std::int64_t winner, std::int64_t incumbent) {
    const bool is_faster = outcome["lower"] > 1 && 1 / outcome["speedup"].get<double>() <= 0.99;
    EXPECT_EQ(outcome["outcome"], is_faster ? "winner" : "tie") << outcome;
    EXPECT_EQ(outcome["configuration"]["MODE"], is_faster ? winner : incumbent) << outcome;
    return outcome["configuration"]["MODE"];
}

class Tune : public ProgramTest {
protected:
    /// A project whose variant `modes` has this tunable.
    std::filesystem::path project_with(const std::vector<std::int64_t>& values, std::int64_t value) {
        const std::filesystem::path project = small_project();
        EXPECT_TRUE(write_file_atomic(project / "modes.cpp", modes));
        change(project, [&](nlohmann::ordered_json& document) {
            document["cases"] = {{{"name", "timed"}, {"dtype", "f32"}, {"P", 128}, {"D", 3000}}};
            document["performance"]["budget_seconds"] = 0.5;
            nlohmann::ordered_json variant = {
                {"name", "modes"}, {"language", "cpp"}, {"source", "modes.cpp"}, {"entry", "small"}};
            variant["launch"] = {{"grid", {"P"}}, {"args", {"x", "bias", "out", "P", "D"}}};
            variant["tunables"] = {{{"name", "MODE"}, {"values", values}, {"value", value}}};
            document["variants"].push_back(variant);
        });
        return project;
    }

    Ran tune(const std::vector<std::string>& more) {
        std::vector<std::string> arguments = {"tune", "small", "--variant", "modes", "--timeout", "2", "--json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return kernelgen(arguments);
    }
};

/// Tests of `./dev test all` alone.
class NightlyTune : public Tune {};

}  // namespace kernelgen::testing
