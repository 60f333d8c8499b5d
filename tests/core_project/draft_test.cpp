// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/core_project/example.h"

namespace kernelgen {
namespace {

using nlohmann::json;

Project draft_of(const json& file) { return parse_draft(file.dump(), "/project/project.json").value(); }

json written(const Project& project) { return json::parse(project_text(project)); }

std::string places(const Diagnostics& errors) {
    std::string all;
    for (const Diagnostic& each : errors) all += (all.empty() ? "" : " ") + each.where;
    return all;
}

TEST(ADraft, WithoutErrorsIsAProject) {
    EXPECT_EQ(draft_of(example_json()), example_project());
    EXPECT_EQ(draft_of(example_json()).unread, "");
}

TEST(ADraft, IsReadWithEveryKindOfErrorAndWrittenAsItStands) {
    const json files[] = {
        example_with("/operator/family", "tyle"),
        example_with("/operator/colour", "red"),
        example_with("/operator/inputs/0/dtype", "f33"),
        example_with("/operator/inputs/1/shape", 7),
        example_with("/operator/arithmetic", "f8"),
        example_with("/cases/1/dtype", "bf61"),
        example_with("/cases/0/P", "many"),
        example_with("/cases", "none"),
        example_with("/accuracy/bf61", {{"rtol", 1}}),
        example_with("/performance/caches", "hot"),
        example_with("/variants/0/language", "cxx"),
        example_with("/variants/0/launch/grid", false),
        example_with("/variants/0/tunables/1/valus", 1),
        example_without("/operator/inputs/0/shape"),
        example_without("/cases/0/dtype"),
        example_without("/variants/1/name"),
        example_with("/key.with[signs]", json::object()),
    };
    for (const json& file : files) {
        const Project draft = draft_of(file);
        EXPECT_EQ(written(draft), file) << file.dump();
        EXPECT_EQ(to_string(errors_of(draft)), errors_of(file)) << file.dump();
        EXPECT_EQ(draft_of(written(draft)), draft);
    }
}

TEST(ADraft, KeepsWhatItCannotReadWhileOtherPartsAreEdited) {
    Project draft = draft_of(example_with("/cases/1/dtype", "bf61"));
    draft.cases[1].sizes["P"] = 9;
    draft.cases.erase(draft.cases.begin());
    draft.definition.description = "another";
    const json file = written(draft);
    EXPECT_EQ(file["cases"][0], json({{"name", "odd"}, {"dtype", "bf61"}, {"P", 9}, {"D", 333}}));
    EXPECT_EQ(file["operator"]["description"], "another");
    EXPECT_EQ(places(errors_of(draft)), "cases[0].dtype");
}

TEST(ADraft, LeavesOutAMissingKeyUntilItIsGiven) {
    Project draft = draft_of(example_without("/cases/0/dtype"));
    draft.cases[0].sizes["P"] = 9;
    EXPECT_FALSE(written(draft)["cases"][0].contains("dtype"));
    EXPECT_EQ(places(unread_parts(draft)), "cases[0]");
    draft.cases[0].dtype = DType::f16;
    EXPECT_EQ(written(draft)["cases"][0]["dtype"], "f16");
    EXPECT_TRUE(unread_parts(draft).empty());
}

TEST(ADraft, TakesAnEditInPlaceOfWhatItCouldNotRead) {
    Project draft = draft_of(example_with("/cases/1/dtype", "bf61"));
    draft.cases[1].dtype = DType::f16;
    EXPECT_EQ(written(draft)["cases"][1]["dtype"], "f16");
    EXPECT_TRUE(errors_of(draft).empty());
}

TEST(ADraft, ForgetsAPartWithWhatHeldIt) {
    Project draft = draft_of(example_with("/cases/1/dtype", "bf61"));
    draft.cases.pop_back();
    EXPECT_TRUE(errors_of(draft).empty());
}

TEST(ADraft, FindsAnElementAgainByItsName) {
    Project draft = draft_of(example_with("/variants/0/colour", "red"));
    draft.variants[0].flags = {"-O2"};
    draft.variants.insert(draft.variants.begin(), draft.variants[1]);
    draft.variants[0].name = "another";
    EXPECT_EQ(written(draft)["variants"][1]["colour"], "red");
}

TEST(ADraft, IsNoneOfAnotherSchemaOrOfWhatIsNoJson) {
    for (const json& file : {example_with("/schema", "kernelgen.project/99"), example_without("/schema"), json("text")})
        EXPECT_FALSE(parse_draft(file.dump(), "project.json")) << file.dump();
    EXPECT_FALSE(parse_draft("{", "project.json"));
}

}  // namespace
}  // namespace kernelgen
