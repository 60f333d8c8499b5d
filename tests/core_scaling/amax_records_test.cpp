// SPDX-License-Identifier: Apache-2.0
#include "core/scaling/amax_records.h"

#include <gmock/gmock.h>

namespace kernelgen {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<RecordedTensor> parsed(std::string_view text) { return parse_amax_records(text, "a.csv").value(); }

std::string problem_of_records(std::string_view text) {
    const auto records = parse_amax_records(text, "a.csv");
    return records ? "" : to_string(records.error()).text();
}

TEST(AmaxRecords, AreReadAsCsv) {
    const auto records = parsed("step,name,amax\n1,q,2.5\n1,k,1e-3\n2,q,3\n");
    ASSERT_EQ(records.size(), 2);
    EXPECT_EQ(records[0].name, "q");
    ASSERT_EQ(records[0].steps.size(), 2);
    EXPECT_EQ(records[0].steps[1].step, 2);
    EXPECT_EQ(records[0].steps[1].amax, 3);
    EXPECT_EQ(records[1].steps[0].amax, 1e-3);
}

TEST(AmaxRecords, HaveColumnsInAnyOrderAndCountStepsThatAreNotGiven) {
    const auto records = parsed("\xef\xbb\xbf# a remark\namax, name\r\n1 4 2, q\r\n\r\n2 3 1, q\r\n");
    EXPECT_THAT(records[0].steps[0].channels, ElementsAre(1, 4, 2));
    EXPECT_EQ(records[0].steps[0].amax, 4);
    EXPECT_EQ(records[0].steps[1].step, 2);
}

TEST(AmaxRecords, AreReadAsJsonLines) {
    const auto records = parsed(R"({"step": 7, "name": "x", "amax": [1, 2]}
{"name": "layer", "relative_error": 0.012}
{"step": 9, "name": "x", "amax": [3, 1]})");
    ASSERT_EQ(records.size(), 2);
    EXPECT_THAT(records[0].steps[1].channels, ElementsAre(3, 1));
    EXPECT_EQ(records[1].relative_error, 0.012);
    EXPECT_TRUE(records[1].steps.empty());
}

TEST(AmaxRecords, NameTheLineThatIsWrong) {
    EXPECT_THAT(problem_of_records("step,name,amax\n1,q,nan\n"),
                HasSubstr("a.csv: line 2: an amax must be a finite number"));
    EXPECT_THAT(problem_of_records("step,name,amax\n1,q,-1\n"), HasSubstr("not negative"));
    EXPECT_THAT(problem_of_records("step,name,amax\n1,q\n"), HasSubstr("line 2: 2 cells, and the first line has 3"));
    EXPECT_THAT(problem_of_records("step,name,amax\n1,q,1x\n"), HasSubstr("`1x` is no number"));
    EXPECT_THAT(problem_of_records("step,name,amax\nfirst,q,1\n"), HasSubstr("`first` is no step"));
    EXPECT_THAT(problem_of_records("step,name,amax\n1,,1\n"), HasSubstr("the name is empty"));
    EXPECT_THAT(problem_of_records("step,name,amax\n1,q,\n"), HasSubstr("expected an amax or a relative error"));
    EXPECT_THAT(problem_of_records("{\"name\": \"x\", \"amax\": \"1\"}\n"),
                HasSubstr("line 1: amax: expected a number"));
    EXPECT_THAT(problem_of_records("{\"name\": \"x\", \"amx\": 1}\n"), HasSubstr("amx"));
    EXPECT_THAT(problem_of_records("{\"name\": \"x\", \"amax\": 1\n"), HasSubstr("line 1"));
}

TEST(AmaxRecords, AreInTheOrderOfTheirStepsWithTheSameChannels) {
    EXPECT_THAT(problem_of_records("step,name,amax\n2,q,1\n2,q,1\n"),
                HasSubstr("step 2 of `q` does not come after step 2"));
    EXPECT_THAT(problem_of_records("name,amax\nq,1 2\nq,1\n"), HasSubstr("`q` had 2 channels before, and has 0 here"));
    EXPECT_THAT(problem_of_records("name,relative_error\nq,0.1\nq,0.2\n"),
                HasSubstr("`q` has a relative error already"));
}

TEST(AmaxRecords, RefuseOtherTexts) {
    EXPECT_THAT(problem_of_records(""), HasSubstr("no records: the file is empty"));
    EXPECT_THAT(problem_of_records("# only a remark\n"), HasSubstr("no records"));
    EXPECT_THAT(problem_of_records("hello\nworld\n"), HasSubstr("neither JSON lines nor CSV"));
    EXPECT_THAT(problem_of_records("step,name,name\n"), HasSubstr("neither JSON lines nor CSV"));
}

}  // namespace
}  // namespace kernelgen
