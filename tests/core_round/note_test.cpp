// SPDX-License-Identifier: Apache-2.0
// A note that the program makes is told in the reader's language; what a person wrote stays as it is.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/round/history_line.h"
#include "core/round/record.h"
#include "core/said/said.h"

namespace kernelgen {
namespace {

TEST(NoteOfARound, KeepsWhatItWasMadeOf) {
    Round round;
    round.time = "2026-11-23T02:00:00Z";
    round.note = say("tuning {}, tie: {}", 3, say("objective {}", "memory"));
    const Round full = round_from_json(to_json(round)).value();
    EXPECT_EQ(full.note.text(), "tuning 3, tie: objective memory");
    EXPECT_EQ(full.note.format(), "tuning {}, tie: {}");
    const nlohmann::json line = nlohmann::json::parse(history_line(round));
    EXPECT_EQ(line["note"], "tuning 3, tie: objective memory");
    EXPECT_EQ(round_from_json(line)->note.format(), "tuning {}, tie: {}");
}

}  // namespace
}  // namespace kernelgen
