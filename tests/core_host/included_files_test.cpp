// SPDX-License-Identifier: Apache-2.0
// Builds of several files: those of the project, which come with the request, and those of this machine.
#include <gmock/gmock.h>

#include <chrono>
#include <filesystem>
#include <thread>

#include "core/backend/build_cache.h"
#include "core/backend/source_tree.h"
#include "core/base/file.h"
#include "core/host/compiler.h"
#include "tests/core_host/kernels.h"

namespace kernelgen {
namespace {

namespace fs = std::filesystem;
using testing::bias_add_kernel;
using testing::bias_add_source;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// A text that no build before had.
std::string fresh() {
    return "// " + std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()) + "\n";
}

/// bias_add by `add(x, bias)`, which a file that `head` includes defines.
BuildRequest request_with(const std::string& head, SourceFiles files) {
    std::string text = bias_add_source("", "", head);
    const std::string sum = "x[pid0 * D + d] + bias[d]";
    text.replace(text.find(sum), sum.size(), "add(x[pid0 * D + d], bias[d])");
    Implementation kernel = bias_add_kernel(text);
    kernel.files = std::move(files);
    return {testing::bias_add_operator(), kernel, DType::f32, "cpu"};
}

BuildResult build(const BuildRequest& request) { return testing::host_backend()->build(request, {}, {}); }

const std::string add = "#pragma once\ninline DTYPE add(DTYPE a, DTYPE b) { return a + b; }\n";

TEST(IncludedFiles, OfTheProjectAreFoundWithAndWithoutAFlag) {
    for (const std::string flag : {"", "-I."}) {
        for (const std::string include : {"#include \"helper.h\"", "#include \"./helper.h\""}) {
            BuildRequest request = request_with(include, {{"helper.h", add}});
            if (!flag.empty()) request.implementation.variant.flags = {flag};
            EXPECT_EQ(build(request).status, Status::ok) << flag << include << build(request).reason;
        }
    }
    BuildRequest angled = request_with("#include <helper.h>", {{"helper.h", add}});
    EXPECT_EQ(build(angled).status, Status::build_failed);
    angled.implementation.variant.flags = {"-I."};
    EXPECT_EQ(build(angled).status, Status::ok);
}

TEST(IncludedFiles, AreFoundFromASourceInAFolder) {
    BuildRequest request = request_with("#include \"near.h\"\n#include \"inc/far.h\"",
                                        {{"kernels/near.h", "#include \"../inc/far.h\"\n"}, {"inc/far.h", add}});
    request.implementation.variant.source = "kernels/bias_add.cpp";
    EXPECT_EQ(build(request).status, Status::ok) << build(request).reason;
}

TEST(IncludedFiles, ThatChangeMakeAnotherBuild) {
    const std::string comment = fresh();
    BuildRequest request = request_with("#include \"helper.h\"", {{"helper.h", comment + add}});
    const BuildResult first = build(request), again = build(request);
    ASSERT_EQ(first.status, Status::ok) << first.reason;
    EXPECT_TRUE(again.cached);
    EXPECT_EQ(again.key, first.key);
    request.implementation.files["helper.h"] = comment + "// edited\n" + add;
    const BuildResult edited = build(request);
    EXPECT_FALSE(edited.cached);
    EXPECT_NE(edited.key, first.key);
}

TEST(IncludedFiles, ThatMakeTheResultWrongAreNeverVerified) {
    const auto backend = testing::host_backend();
    const auto status_with = [&](const std::string& helper) {
        const BuildRequest request = request_with("#include \"helper.h\"", {{"helper.h", helper}});
        return verify(testing::verify_request(request.implementation), *backend, testing::no_progress, {}).status;
    };
    EXPECT_EQ(status_with(add), Status::ok);
    EXPECT_EQ(status_with("inline DTYPE add(DTYPE a, DTYPE b) { return a - b; }\n"), Status::mismatch);
}

TEST(IncludedFiles, ThatAreMissingAreSaidWithTheProjectsFileAndLine) {
    BuildRequest request = request_with("#include \"helper.h\"", {{"helper.h", "\n#include \"gone.h\"\n"}});
    request.implementation.variant.flags = {"-I."};
    const BuildResult result = build(request);
    ASSERT_EQ(result.status, Status::build_failed);
    EXPECT_EQ(result.reason, "helper.h:2: gone.h: No such file or directory");
    EXPECT_THAT(result.log, Not(HasSubstr("build-")));
}

TEST(IncludedFiles, WithAnErrorHaveItOnTheirOwnLine) {
    BuildRequest request =
        request_with("#include \"größe und form/teil.h\"", {{"größe und form/teil.h", add + "int broken = ;\n"}});
    const BuildResult result = build(request);
    ASSERT_EQ(result.status, Status::build_failed);
    ASSERT_FALSE(result.messages.empty());
    EXPECT_EQ(result.messages[0].file, "größe und form/teil.h");
    EXPECT_EQ(result.messages[0].line, 3);
}

TEST(IncludedFiles, ThatIncludeEachOtherEndAsTheCompilerSays) {
    BuildRequest guarded = request_with("#include \"a.h\"", {{"a.h", "#pragma once\n#include \"b.h\"\n" + add},
                                                             {"b.h", "#pragma once\n#include \"a.h\"\n"}});
    EXPECT_EQ(build(guarded).status, Status::ok);
    BuildRequest endless =
        request_with("#include \"a.h\"", {{"a.h", "#include \"b.h\"\n"}, {"b.h", "#include \"a.h\"\n"}});
    const BuildResult result = build(endless);
    EXPECT_EQ(result.status, Status::build_failed);
    EXPECT_THAT(result.reason, HasSubstr("nested"));
}

TEST(SeveralSources, AreBuiltIntoOneKernel) {
    const std::string declared = "DTYPE add(DTYPE a, DTYPE b);\n";
    BuildRequest request =
        request_with(declared, {{"parts/part.cpp", declared + "DTYPE add(DTYPE a, DTYPE b) {\n"
                                                              "    return UNROLL > 0 ? a + b : 0;\n}\n"}});
    EXPECT_EQ(build(request).status, Status::build_failed) << "it is not listed";
    request.implementation.variant.sources = {"parts/part.cpp"};
    EXPECT_EQ(build(request).status, Status::ok) << build(request).reason;
    const auto backend = testing::host_backend();
    EXPECT_EQ(verify(testing::verify_request(request.implementation), *backend, testing::no_progress, {}).status,
              Status::ok);
}

TEST(SeveralSources, DefineTheKernelInAnyOfThemWithTheSignatureThatItMustHave) {
    BuildRequest request = request_with("", {});
    const std::string kernel = "inline DTYPE add(DTYPE a, DTYPE b) { return a + b; }\n" + request.implementation.text;
    request.implementation.text = "// the kernel is in part.cpp\n";
    request.implementation.variant.sources = {"part.cpp"};
    request.implementation.files = {{"part.cpp", kernel}};
    EXPECT_EQ(build(request).status, Status::ok) << build(request).reason;
    request.implementation.files = {{"part.cpp", "extern \"C\" void bias_add(float* out) { *out = 0; }\n"}};
    const BuildResult other = build(request);
    EXPECT_EQ(other.status, Status::build_failed);
    EXPECT_THAT(other.reason, HasSubstr("bias_add"));
}

TEST(SeveralSources, ThatDoNotEndAreSaidByTheirOwnNames) {
    BuildRequest request = request_with("inline DTYPE add(DTYPE a, DTYPE b) { return a + b; }\n",
                                        {{"part.cpp", "int f() {\n    return 1;\n"}});
    request.implementation.variant.sources = {"part.cpp"};
    EXPECT_THAT(build(request).reason, HasSubstr("part.cpp:2: the source ends inside an open block"));
}

/// A folder beside the project with one header.
class OutsideFiles : public ::testing::Test {
protected:
    void SetUp() override {
        scratch_.emplace(std::move(*ScratchFolder::create(fs::temp_directory_path())));
        comment_ = fresh();
        header(add);
    }
    void header(const std::string& text) {
        ASSERT_TRUE(write_file_atomic(scratch_->path / "outside.h", comment_ + text));
        std::this_thread::sleep_for(std::chrono::milliseconds(60));  // older than any build that reads it
    }
    BuildRequest request(const std::string& option) const {
        BuildRequest made = request_with("#include <outside.h>", {});
        made.implementation.variant.flags = {option + scratch_->path.string()};
        return made;
    }

    std::optional<ScratchFolder> scratch_;
    std::string comment_;
};

TEST_F(OutsideFiles, ThatChangeAreBuiltAgain) {
    for (const std::string option : {"-I", "-isystem"}) {
        header(add);
        const BuildResult first = build(request(option)), again = build(request(option));
        ASSERT_EQ(first.status, Status::ok) << first.reason;
        EXPECT_TRUE(again.cached);
        EXPECT_EQ(again.key, first.key);
        header("inline DTYPE add(DTYPE a, DTYPE b) { return a - b; }\n");
        const BuildResult changed = build(request(option));
        EXPECT_FALSE(changed.cached) << option;
        EXPECT_NE(changed.key, first.key);
        EXPECT_NE(changed.artifact.path, first.artifact.path);
    }
}

TEST_F(OutsideFiles, ThatChangeAreNotVerifiedByWhatWasBuiltBefore) {
    const auto backend = testing::host_backend();
    const auto status = [&] {
        return verify(testing::verify_request(request("-I").implementation), *backend, testing::no_progress, {}).status;
    };
    EXPECT_EQ(status(), Status::ok);
    header("inline DTYPE add(DTYPE a, DTYPE b) { return a - b; }\n");
    EXPECT_EQ(status(), Status::mismatch);
}

TEST_F(OutsideFiles, ThatChangeWhileTheyAreBuiltLeaveNothingInTheCache) {
    const BuildRequest asked = request("-I");
    fs::last_write_time(scratch_->path / "outside.h", fs::file_time_type::clock::now() + std::chrono::hours(1));
    ASSERT_EQ(build(asked).status, Status::ok);
    EXPECT_FALSE(build(asked).cached);
}

TEST(Dependencies, AreReadFromTheCompilersRule) {
    EXPECT_THAT(outside_dependencies("1.o: ./bias_add.cpp helper.h \\\n /usr/include/stdint.h \\\n"
                                     " /opt/with\\ space/a$$b\\#.h\n"),
                ElementsAre("/usr/include/stdint.h", "/opt/with space/a$b#.h"));
    EXPECT_THAT(outside_dependencies(""), ElementsAre());
}

}  // namespace
}  // namespace kernelgen
