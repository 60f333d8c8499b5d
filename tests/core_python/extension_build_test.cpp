// SPDX-License-Identifier: Apache-2.0
// Building C++ with host code of its own: what it reads, what it says, and what it waits for.
#include <gmock/gmock.h>

#include <thread>

#include "core/base/file.h"
#include "core/base/scratch_folder.h"
#include "core/host/compiler_run.h"
#include "core/host/extension_build.h"
#include "tests/core_python/extension_files.h"

namespace kernelgen {
namespace {

namespace fs = std::filesystem;
using testing::build_request;
using testing::extension_of;
using ::testing::HasSubstr;
using testing::plain_relu;

class ExtensionBuild : public ::testing::Test {
protected:
    void SetUp() override { NEEDS(Language::extension); }

    BuildResult built(const Implementation& implementation) {
        return backend_->build(build_request(implementation), {}, {});
    }

    Backend* backend_ = testing::host_backend();
};

TEST_F(ExtensionBuild, IsKeptForTheSameSources) {
    const Implementation made = extension_of(plain_relu());
    const BuildResult first = built(made);
    ASSERT_EQ(first.status, Status::ok) << first.reason;
    EXPECT_TRUE(built(made).cached);
    EXPECT_EQ(first.artifact.language, Language::extension);
    Implementation other = made;
    other.variant.flags = {"-O2"};
    EXPECT_NE(built(other).key, first.key);
}

TEST_F(ExtensionBuild, IsMadeAgainWhereAHeaderOutsideTheProjectHasChanged) {
    const Result<ScratchFolder> folder = ScratchFolder::create(fs::temp_directory_path());
    const auto write = [&](const std::string& text) {
        ASSERT_TRUE(write_file_atomic(folder->path / "outside.h", text));
        std::this_thread::sleep_for(std::chrono::milliseconds(50));  // what changed in this moment is built again
    };
    write("#define LEAST 0\n");
    Implementation made = extension_of("#include <outside.h>\n" + plain_relu("to = value < LEAST ? LEAST : value;"));
    made.variant.flags = {"-I" + folder->path.string()};
    ASSERT_EQ(built(made).status, Status::ok);
    EXPECT_TRUE(built(made).cached);
    write("#define LEAST 1\n");
    EXPECT_FALSE(built(made).cached);
}

TEST_F(ExtensionBuild, LinksSeveralSourcesWithTheirHeader) {
    Implementation made = extension_of("#include \"least.h\"\n" + plain_relu("to = value < 0 ? least() : value;"));
    made.files = {{"least.h", "float least();\n"},
                  {"more/least.cpp", "#include \"least.h\"\nfloat least() { return LEAST; }\n"}};
    made.variant.sources = {"more/least.cpp"};
    made.variant.tunables = {{"LEAST", {0, 1}, 0}};
    made.configuration = {{"LEAST", 0}};
    EXPECT_EQ(built(made).status, Status::ok) << built(made).reason;
    made.variant.sources = {};
    EXPECT_THAT(built(made).reason, HasSubstr("nothing defines `least()`; list its file in `sources`"));
}

struct Unbuilt {
    std::string text, reason;
};

TEST_F(ExtensionBuild, SaysWhatIsWrongAndWhere) {
    const std::string right = plain_relu();
    const Unbuilt all[] = {
        {plain_relu("to = valu;"), "solution.cpp:14: "},
        {"#include \"nowhere.h\"\n" + right, "solution.cpp:1: nowhere.h: No such file"},
        {"extern \"C\" int relu(float* x) { return 0; }\n",
         "solution.cpp:1: the source has to declare the entry as `int relu(void** tensors, const int64_t* sizes, void* "
         "stream)`"},
        {"extern \"C\" int another(void**) { return 0; }\n", "the source has to declare the entry as"},
        {right + "namespace {\n", "solution.cpp:18: the source ends inside an open block"},
    };
    for (const Unbuilt& each : all) {
        const BuildResult result = built(extension_of(each.text));
        EXPECT_EQ(result.status, Status::build_failed) << each.text;
        EXPECT_THAT(result.reason, HasSubstr(each.reason));
    }
    Implementation linked = extension_of(right);
    linked.variant.flags = {"-lnowhere_to_be_found"};
    EXPECT_THAT(built(linked).reason, HasSubstr("the linker finds no library `nowhere_to_be_found`: install it"));
}

TEST_F(ExtensionBuild, SaysThatCudaSourcesNeedAGpu) {
    const BuildResult result = built(extension_of("", "plain", "relu", "solution.cu"));
    EXPECT_EQ(result.status, Status::unavailable);
    EXPECT_THAT(result.reason, HasSubstr("which do not run on a CPU: choose a GPU"));
}

/// The result of a build whose compiler is a shell script, with 0.05 s as the request's limit.
BuildResult built_by(const std::string& script, std::stop_token stop = {}) {
    const Result<ScratchFolder> folder = ScratchFolder::create(fs::temp_directory_path());
    const std::string program = (folder->path / "compiler").string();
    EXPECT_TRUE(write_file_atomic(program, "#!/bin/sh\n" + script + "\n"));
    fs::permissions(program, fs::perms::owner_all);
    BuildRequest request = build_request(extension_of(plain_relu()));
    request.timeout_seconds = 0.05;
    return build_extension(Compiler{program, "1"}, "", request, {}, std::move(stop));
}

TEST_F(ExtensionBuild, EndsACompilerThatHangs) {
    const BuildResult result = built_by("exec sleep 60");
    EXPECT_EQ(result.status, Status::build_failed);
    EXPECT_EQ(result.reason, "the compiler did not end within 1 s; --timeout gives it longer");
}

TEST_F(ExtensionBuild, StopsWhenToldTo) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_EQ(built_by("exec sleep 60", stop.get_token()).status, Status::cancelled);
}

TEST_F(ExtensionBuild, TellsItsProgress) {
    std::vector<std::string> stages;
    const Progress heard = [&](std::string_view stage, int, int) { stages.emplace_back(stage); };
    const std::string text =
        plain_relu("to = value > 0 ? value : value < 0 ? 0 : value; /* " + std::to_string(::getpid()) + " */");
    ASSERT_EQ(backend_->build(build_request(extension_of(text)), heard, {}).status, Status::ok);
    EXPECT_THAT(stages, ::testing::Contains("build kernelgen_binding.cpp"));
}

TEST(CompilerOutput, IsReadAsNvccWritesIt) {
    const auto messages = parse_compiler_output(
        "relu.cu(7): error: identifier \"valu\" is undefined\n"
        "relu.cu(9): warning #177-D: variable \"x\" was declared but never referenced\n",
        [](const std::string&) { return Said(); });
    ASSERT_EQ(messages.size(), 2u);
    EXPECT_EQ(messages[0].file, "relu.cu");
    EXPECT_EQ(messages[0].line, 7);
    EXPECT_EQ(messages[1].severity, "warning");
}

}  // namespace
}  // namespace kernelgen
