// SPDX-License-Identifier: Apache-2.0
// What the round of a tuning says of how it was found.
#include <gmock/gmock.h>

#include "core/report/phrases.h"
#include "core/round/history.h"
#include "tests/core_tuning/simulated_workers.h"

namespace kernelgen {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class NoteOfTuning : public SimulatedWorkers {};

TEST_F(NoteOfTuning, IsToldInTheReadersLanguage) {
    ASSERT_TRUE(tune_with({worker("")}, 8, [](TuneOptions& options) {
        options.objective = {.time = 0.5, .memory = 0.5};
        options.seed = 7;
    }));
    const Result<History> history = load_history(project_folder);
    ASSERT_TRUE(history && !history->rounds.empty());
    const Said& note = history->rounds.back().note;
    EXPECT_THAT(note.text(),
                AllOf(HasSubstr("tuning 1, winner: tried 8 of 1024 configurations (0 failed, 0 pruned) in "),
                      HasSubstr("strategy exhaustive, seed 7; objective "), HasSubstr("; incumbent A=1 ")));
    EXPECT_THAT(Phrases(Tongue::chinese).of_engine(note),
                AllOf(HasSubstr("第 1 次调优，找到更快的配置：已试 8/1024 个配置"), HasSubstr("种子 7"),
                      HasSubstr("原有配置 A=1"), Not(HasSubstr("tuning")), Not(HasSubstr("seed"))));
}

}  // namespace
}  // namespace kernelgen
