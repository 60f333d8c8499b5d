// SPDX-License-Identifier: Apache-2.0
// Projects survive being saved, and saving is all or nothing.
#include "core/project/project_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <unistd.h>

#include <filesystem>

#include "core/base/file.h"
#include "core/project/attribute_value.h"
#include "core/project/upgrade.h"
#include "tests/core_project/example.h"

namespace kernelgen {
namespace {

using nlohmann::json;

/// A project in which every field of the schema has a value of its own.
Project full_project() {
    Project project;
    project.folder = "/project";
    project.definition = {
        .name = "everything",
        .family = Family::tile,
        .description = "Every field, \"quoted\" and µ.",
        .symbols = {"B", "P", "D"},
        .inputs = {{"x", {"B", "P", "D"}, {}},
                   {"bias", {"D"}, DType::f32},
                   {"scale", {}, {}},
                   {"w", {"1", "1"}, DType::i8}},
        .outputs = {{"out", {"B", "P", "D"}, {}}, {"top", {"B", "P"}, DType::f64}},
        .attributes = {{"alpha", 0.1},
                       {"axis", -1, AttributeType::integer},
                       {"causal", 1, AttributeType::boolean},
                       {"eps", 2, AttributeType::real}},
        .body =
            "m = row_max(x)  # a comment\nout = x * scale + bias * alpha + eps * axis * causal + row_sum(w)\ntop = m",
        .constraints = {"D >= 1", "P % 2 == 0"},
        .arithmetic = DType::f64,
        .reference = ""};
    project.cases = {{"one", DType::f32, {{"B", 1}, {"P", 2}, {"D", 3}}},
                     {"two", DType::bf16, {{"B", 9}, {"P", 8}, {"D", 7}}}};
    project.accuracy = {.f32 = Tolerance{1e-3, 1e-4}, .named = {{DType::f16, {0.5, 0.25}}, {DType::f64, {1e-12, 0}}}};
    project.performance = {.baseline = {{"cpu", "lib"}, {"cuda", "gpu"}},
                           .target_speedup = 1.25,
                           .max_rounds = 7,
                           .budget_seconds = 2.5,
                           .warm_caches = true};
    Variant host{.name = "host", .language = Language::cpp, .source = "kernels/host.cpp", .entry = "first"};
    host.launches = {
        {.entry = "",
         .grid = {"cdiv(P, BLOCK_M)", "B"},
         .args = {"x", "scratch", "P"},
         .order = {1, 0},
         .threads = "2"},
        {.entry = "second", .grid = {"1"}, .args = {"scratch", "bias", "scale", "w", "out", "top", "alpha", "D"}}};
    host.workspace = {{"scratch", {"P", "2 * BLOCK_M"}, DType::f64}, {"more", {"16"}, DType::f32}};
    host.tunables = {{"BLOCK_M", {1, 2, 4}, 2}, {"UNROLL", {0}, 0}};
    host.restrictions = {"BLOCK_M <= P"};
    host.flags = {"-O3", "-funroll-loops"};
    host.devices = {"cpu"};
    host.generated = "0123456789abcdef";
    host.deterministic = false;
    Variant gpu{.name = "gpu", .language = Language::cuda, .source = "gpu.cu", .entry = "kernel"};
    gpu.launches = {{.grid = {"P"},
                     .args = {"x", "out", "top"},
                     .block = {"256", "BLOCK"},
                     .shared_bytes = "4 * BLOCK",
                     .constants = {{"weights", "bias"}}}};
    gpu.tunables = {{"BLOCK", {1}, 1}};
    Variant lib{.name = "lib", .language = Language::library, .library = "onednn", .primitive = "binary_add"};
    project.variants = {host, gpu, lib};
    return project;
}

TEST(ProjectText, KeepsEveryField) {
    const Project project = full_project();
    const auto again = parse_project(project_text(project), "/project/project.json");
    ASSERT_TRUE(again) << to_string(again.error());
    EXPECT_EQ(again->definition, project.definition);
    EXPECT_EQ(again->cases, project.cases);
    EXPECT_EQ(again->accuracy, project.accuracy);
    EXPECT_EQ(again->performance, project.performance);
    ASSERT_EQ(again->variants.size(), 3u);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(again->variants[i], project.variants[i]) << i;
    EXPECT_EQ(*again, project);
    EXPECT_EQ(project_text(*again), project_text(project));
}

TEST(ProjectText, KeepsHowProductsAreAdded) {
    Project project;
    project.definition = {.name = "product",
                          .symbols = {"M", "K", "N"},
                          .inputs = {{"a", {"M", "K"}, DType::f8e4m3}, {"b", {"K", "N"}, DType::f8e5m2}},
                          .outputs = {{"out", {"M", "N"}, {}}},
                          .body = "out = a @ b",
                          .accumulate = Accumulation::f22};
    const auto again = parse_project(project_text(project), "/project/project.json");
    ASSERT_TRUE(again) << to_string(again.error());
    EXPECT_EQ(again->definition, project.definition);
}

TEST(ProjectText, KeepsTheDomainsOfInputs) {
    for (const auto& [domain, text] : {std::pair(Domain{}, "\"positive\""),
                                       {{Domain::Kind::interval, -1, 0.5}, "[-1, 0.5]"},
                                       {{Domain::Kind::integers, 0, 9}, "{\"integers\": [0, 9]}"}}) {
        Project project = example_project();
        project.definition.inputs[0].domain = domain;
        const std::string written = project_text(project);
        EXPECT_NE(written.find(std::string("\"domain\": ") + text), std::string::npos) << written;
        EXPECT_EQ(parse_project(written, "/project/project.json")->definition, project.definition);
    }
}

TEST(ProjectText, LeavesOutWhatIsDefault) {
    const std::string text = project_text(example_project());
    for (const char* key : {"arithmetic", "reference", "attributes", "workspace", "flags", "devices", "deterministic",
                            "caches", "budget"}) {
        EXPECT_EQ(text.find(key), std::string::npos) << key;
    }
    EXPECT_TRUE(text.starts_with("{\n  \"schema\": \"kernelgen.project/1\",\n  \"operator\": {"));
}

TEST(ProjectText, OrdersTheSizesOfACaseAsTheSymbolsAre) {
    EXPECT_NE(project_text(example_project()).find(R"({"name": "square", "dtype": "f32", "P": 4096, "D": 4096})"),
              std::string::npos);
}

TEST(ProjectParts, SurviveJsonOfTheWorkersProtocol) {
    const Project project = full_project();
    EXPECT_EQ(operator_from_json(json(to_json(project.definition))).value(), project.definition);
    EXPECT_EQ(case_from_json(json(to_json(project.cases[1]))).value(), project.cases[1]);
    EXPECT_EQ(accuracy_from_json(json(to_json(project.accuracy))).value(), project.accuracy);
    EXPECT_EQ(performance_from_json(json(to_json(project.performance))).value(), project.performance);
    for (const Variant& variant : project.variants)
        EXPECT_EQ(implementation_from_json(json(to_json(Implementation{variant, "", {}}))).value().variant, variant);
    const Implementation implementation{project.variants[0], "text\n\"µ\"", {{"BLOCK_M", 4}}};
    const Implementation again = implementation_from_json(json(to_json(implementation))).value();
    EXPECT_EQ(again.variant, implementation.variant);
    EXPECT_EQ(again.text, implementation.text);
    EXPECT_FALSE(json(to_json(implementation)).contains("files"));
    Implementation several = implementation;
    several.files = {{"inc/größe.h", "int x;\n"}};
    EXPECT_EQ(implementation_from_json(json(to_json(several)))->files, several.files);
    EXPECT_EQ(again.configuration, implementation.configuration);
}

TEST(Attributes, HaveTheTypeThatTheyAreWrittenIn) {
    const Project project = full_project();
    const auto read_again = [&](const std::string& text) {
        std::string whole = project_text(project);
        const std::string before = "\"alpha\": 0.1";
        whole.replace(whole.find(before), before.size(), "\"alpha\": " + text);
        const auto read = parse_project(whole, "project.json");
        return read ? read->definition.attributes[0] : Attribute{to_string(read.error()), -1, AttributeType::real};
    };
    EXPECT_EQ(read_again("1"), (Attribute{"alpha", 1, AttributeType::integer}));
    EXPECT_EQ(read_again("1.0"), (Attribute{"alpha", 1, AttributeType::real}));
    EXPECT_EQ(read_again("1e0"), (Attribute{"alpha", 1, AttributeType::real}));
    EXPECT_EQ(read_again("false"), (Attribute{"alpha", 0, AttributeType::boolean}));
    for (const char* text : {"1", "-1", "1.0", "1e-05", "true", "false"})
        EXPECT_EQ(attribute_text(*parse_attribute("a", text)), text);
    EXPECT_FALSE(parse_attribute("a", "True"));
}

TEST(Names, OfTensorsAndAttributesMayBeAnyWhereThereIsNoBody) {
    Project project;
    project.definition.name = "any";
    project.definition.inputs = {{"exp", {"4"}, {}}, {"_x", {"4"}, {}}};
    project.definition.outputs = {{"row_max", {"4"}, {}}};
    project.definition.attributes = {{"_eps", 1e-5}};
    const auto texts = [&] {
        std::string all;
        for (const Diagnostic& each : validate(project)) all += each.where + " " + each.message + "\n";
        return all;
    };
    EXPECT_THAT(texts(), ::testing::HasSubstr("`exp` is a word of the operator language"));
    EXPECT_THAT(texts(), ::testing::HasSubstr("`_x` is no identifier"));
    project.definition.family = Family::custom;
    EXPECT_THAT(texts(), ::testing::Not(::testing::HasSubstr("inputs")));
    EXPECT_THAT(texts(), ::testing::Not(::testing::HasSubstr("attributes")));
    project.definition.inputs[1].name = "_";
    EXPECT_THAT(texts(), ::testing::HasSubstr("operator.inputs[1].name `_` is empty"));
}

TEST(Validate, FindsInAProjectWhatReadingItWouldFind) {
    Project project = example_project();
    EXPECT_TRUE(validate(project).empty());
    project.cases[0].sizes["P"] = -1;
    project.variants[0].tunables[0].value = 3;
    EXPECT_EQ(to_string(validate(project)),
              "/project/project.json: cases[0].P: size -1 of `P` is below 1\n"
              "/project/project.json: variants[0].tunables[0].value: 3 is not among the values\n");
}

class ProjectFolder : public testing::Test {
protected:
    ProjectFolder() {
        char name[] = "/tmp/kernelgen-project-XXXXXX";
        folder_ = ::mkdtemp(name);
        project_ = example_project();
        project_.folder = folder_;
    }
    ~ProjectFolder() override { std::filesystem::remove_all(folder_); }

    std::size_t files() const {
        return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder_), {}));
    }

    std::filesystem::path folder_;
    Project project_;
};

TEST_F(ProjectFolder, IsOpenedByItsFolderOrItsFile) {
    ASSERT_TRUE(save_project(project_));
    EXPECT_EQ(load_project(folder_).value(), project_);
    EXPECT_EQ(load_project(folder_ / "project.json").value(), project_);
    EXPECT_EQ(files(), 1u);
}

TEST_F(ProjectFolder, OnAReadOnlyMountIsReadAndNotSaved) {
    ASSERT_TRUE(save_project(project_));
    if (::mount(folder_.c_str(), folder_.c_str(), nullptr, MS_BIND, nullptr) != 0)
        GTEST_SKIP() << "mounting is not allowed here";
    ASSERT_EQ(::mount(nullptr, folder_.c_str(), nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY, nullptr), 0);
    project_.performance.max_rounds = 9;
    const auto saved = save_project(project_);
    const auto loaded = load_project(folder_);
    ::umount(folder_.c_str());
    ASSERT_FALSE(saved);
    EXPECT_NE(saved.error().message.text().find((folder_ / "project.json").string() + ": Read-only file system"),
              std::string::npos)
        << saved.error().message;
    EXPECT_EQ(loaded->performance.max_rounds, 5);
}

TEST_F(ProjectFolder, OnAFullDiskKeepsWhatWasSavedBefore) {
    if (::mount("none", folder_.c_str(), "tmpfs", 0, "size=64k") != 0) GTEST_SKIP() << "mounting is not allowed here";
    const bool first = save_project(project_).has_value();
    project_.definition.description = std::string(200'000, 'x');
    const auto second = save_project(project_);
    const auto loaded = load_project(folder_);
    const std::size_t left = files();
    ::umount(folder_.c_str());
    EXPECT_TRUE(first);
    ASSERT_FALSE(second);
    EXPECT_NE(second.error().message.text().find("No space left on device"), std::string::npos)
        << second.error().message;
    EXPECT_EQ(loaded->definition.description, "");
    EXPECT_EQ(left, 1u);
}

TEST_F(ProjectFolder, IsNotCreatedBySaving) {
    project_.folder = folder_ / "missing";
    const auto saved = save_project(project_);
    ASSERT_FALSE(saved);
    EXPECT_NE(saved.error().message.text().find("No such file or directory"), std::string::npos);
}

TEST_F(ProjectFolder, HoldsTheSources) {
    ASSERT_TRUE(write_file_atomic(folder_ / "bias_add.cpp", "void f();"));
    EXPECT_EQ(source_text(project_, project_.variants[0]).value(), "void f();");
    EXPECT_EQ(source_text(project_, project_.variants[1]).value(), "");
    ASSERT_TRUE(write_file_atomic(folder_ / "bias_add.cpp", std::string((4 << 20) + 1, ' ')));
    EXPECT_FALSE(source_text(project_, project_.variants[0]));
}

TEST(Upgrades, AreOneForEachVersionBeforeThisOne) {
    EXPECT_EQ(project_upgrades().size(), static_cast<std::size_t>(project_schema_version - 1));
}

TEST(Upgrades, AreAppliedFromTheFilesVersionOn) {
    const UpgradeStep steps[] = {[](json& project) { project["log"] = project["log"].get<std::string>() + "1to2 "; },
                                 [](json& project) { project["log"] = project["log"].get<std::string>() + "2to3 "; }};
    const auto log_of = [&](int version) {
        json project = {{"log", ""}};
        upgrade_project(project, version, steps);
        return project["log"].get<std::string>();
    };
    EXPECT_EQ(log_of(1), "1to2 2to3 ");
    EXPECT_EQ(log_of(2), "2to3 ");
    EXPECT_EQ(log_of(3), "");
}

}  // namespace
}  // namespace kernelgen
