// SPDX-License-Identifier: Apache-2.0
#include "core/host/compiler.h"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>

#include "core/base/file.h"
#include "core/base/scratch_folder.h"
#include "core/host/compiler_run.h"
#include "tests/core_host/kernels.h"

namespace kernelgen {
namespace {

using testing::bias_add_kernel;
using testing::bias_add_source;

BuildRequest request_for(const std::string& text) {
    return {testing::bias_add_operator(), bias_add_kernel(text), DType::f32, "cpu"};
}

TEST(Compiler, AnswersTheSecondBuildFromTheCache) {
    const auto backend = testing::host_backend();
    const std::string text =
        bias_add_source("/* " + std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()) + " */");
    const BuildResult first = backend->build(request_for(text), {}, {}),
                      second = backend->build(request_for(text), {}, {});
    ASSERT_EQ(first.status, Status::ok) << first.reason;
    EXPECT_FALSE(first.cached);
    EXPECT_TRUE(second.cached);
    EXPECT_EQ(first.key, second.key);
    EXPECT_EQ(first.artifact.path, second.artifact.path);
}

TEST(Compiler, BuildsAnotherKernelForAnotherConfigurationAndDtype) {
    const auto backend = testing::host_backend();
    BuildRequest request = request_for(bias_add_source());
    const std::string key = backend->build(request, {}, {}).key;
    request.implementation.configuration["UNROLL"] = 2;
    const std::string unrolled = backend->build(request, {}, {}).key;
    request.dtype = DType::f64;
    EXPECT_NE(key, unrolled);
    EXPECT_NE(backend->build(request, {}, {}).key, unrolled);
}

TEST(Compiler, NamesTheLineOfTheUsersSource) {
    const auto backend = testing::host_backend();
    const BuildResult result = backend->build(request_for("#include <stdint.h>\n\nint broken = ;\n"), {}, {});
    ASSERT_EQ(result.status, Status::build_failed);
    ASSERT_FALSE(result.messages.empty());
    EXPECT_EQ(result.messages[0].file, "bias_add.cpp");
    EXPECT_EQ(result.messages[0].line, 3);
    EXPECT_EQ(result.messages[0].severity, "error");
    EXPECT_TRUE(result.reason.text().starts_with("bias_add.cpp:3: ")) << result.reason;
}

TEST(Compiler, SaysWhichSignatureTheLaunchDemands) {
    const auto backend = testing::host_backend();
    const BuildResult result = backend->build(
        request_for("#include <stdint.h>\n\nextern \"C\" void bias_add(const float* x, int n) {}\n"), {}, {});
    ASSERT_EQ(result.status, Status::build_failed);
    EXPECT_EQ(
        result.reason,
        "bias_add.cpp:3: the signature of `bias_add` is not the one that the launch's `args` and the dtypes "
        "demand: `extern \"C\" void bias_add(const float* x, const float* bias, float* out, int64_t P, int64_t D, "
        "int64_t pid0, int64_t pid1, int64_t pid2);`");
}

TEST(Compiler, SaysThatASourceDoesNotEnd) {
    const auto backend = testing::host_backend();
    const std::string text = bias_add_source("");
    const BuildResult result = backend->build(request_for(text.substr(0, text.rfind('}'))), {}, {});
    EXPECT_NE(result.reason.text().find("the source ends inside an open block"), std::string::npos) << result.reason;
    EXPECT_TRUE(result.reason.text().starts_with("bias_add.cpp:")) << result.reason;
}

TEST(Compiler, StopsWhenToldTo) {
    const auto backend = testing::host_backend();
    std::stop_source stop;
    stop.request_stop();
    const std::string text = bias_add_source("/* stopped " + std::to_string(::getpid()) + " */");
    EXPECT_EQ(backend->build(request_for(text), {}, stop.get_token()).status, Status::cancelled);
}

/// The result of a build whose compiler is a shell script.
BuildResult build_with(const std::string& script) {
    const Result<ScratchFolder> folder = ScratchFolder::create(std::filesystem::temp_directory_path());
    const std::string program = (folder->path / "compiler").string();
    EXPECT_TRUE(write_file_atomic(program, "#!/bin/sh\n" + script + "\n"));
    std::filesystem::permissions(program, std::filesystem::perms::owner_all);
    return compile_kernel({program, "1"}, "any", request_for(bias_add_source()), {}, {});
}

TEST(Compiler, ThatIsKilledSaysSoAndWhatToDo) {
    for (const std::string script :
         {"echo 'g++: fatal error: Killed signal terminated program cc1plus'; exit 1", "kill -9 $$"}) {
        const BuildResult result = build_with(script);
        EXPECT_EQ(result.status, Status::build_failed);
        EXPECT_TRUE(
            result.reason.text().starts_with("the compiler was ended by SIGKILL, as the system does where memory "
                                             "runs out"))
            << result.reason;
    }
}

TEST(Compiler, WithoutSpaceForItsFilesSaysNothingOfTheSource) {
    for (const std::string said :
         {"interface of bias_add:1:8: fatal error: error writing to ../0.s: No space left on device",
          "/usr/bin/ld: final link failed: No space left on device"}) {
        const BuildResult result = build_with("echo '" + said + "'; exit 1");
        EXPECT_EQ(result.status, Status::unavailable);
        EXPECT_TRUE(result.reason.text().starts_with("the compiler has no space left for its files in /"))
            << result.reason;
        EXPECT_TRUE(result.messages.empty());
    }
}

TEST(Compiler, ThatWasToldToEndSaysNothingOfTheSource) {
    for (const std::string script :
         {"echo 'g++: fatal error: Terminated signal terminated program cc1plus'; exit 1", "kill -TERM $$"}) {
        const BuildResult result = build_with(script);
        EXPECT_EQ(result.status, Status::cancelled);
        EXPECT_TRUE(result.reason.text().starts_with("the compiler was ended by SIGTERM, as when")) << result.reason;
    }
}

TEST(Compiler, IsNotWaitedForByWhatItLeftRunning) {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(build_with("setsid sleep 30 & echo 'bias_add.cpp:1:1: error: no'; exit 1").reason, "bias_add.cpp:1: no");
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(Compiler, BuildsAgainWhereTheKeptFileIsCutOff) {
    const auto backend = testing::host_backend();
    const BuildRequest request = request_for(bias_add_source("/* cut off */"));
    const BuildResult first = backend->build(request, {}, {});
    ASSERT_EQ(first.status, Status::ok) << first.reason;
    std::filesystem::resize_file(first.artifact.path, 1000);
    const BuildResult second = backend->build(request, {}, {});
    EXPECT_FALSE(second.cached);
    EXPECT_GT(std::filesystem::file_size(second.artifact.path), 1000u);
    EXPECT_TRUE(backend->build(request, {}, {}).cached);
}

TEST(Compiler, SaysWhenThereIsNone) {
    ::setenv("KERNELGEN_CXX", "/nowhere/g++", 1);
    const Result<Compiler> compiler = find_compiler();
    ::unsetenv("KERNELGEN_CXX");
    ASSERT_FALSE(compiler);
    EXPECT_NE(compiler.error().message.text().find("/nowhere/g++"), std::string::npos);
}

TEST(Compiler, ReadsMessagesOfCompilerAndLinker) {
    const auto messages = parse_compiler_output(
        "a.cpp: In function 'int main()':\n"
        "a.cpp:3:14: error: 'y' was not declared\n"
        "a.cpp:9: warning: unused\n"
        "a.cpp:99999999999:1: note: far\n"
        "ld: k.o: undefined reference to `bias_add'\n",
        [](const std::string& symbol) { return say("nothing defines `{}`; define it", symbol); });
    ASSERT_EQ(messages.size(), 4u);
    EXPECT_EQ(messages[2].line, 0);
    EXPECT_EQ(messages[0].line, 3);
    EXPECT_EQ(messages[0].column, 14);
    EXPECT_EQ(messages[1].severity, "warning");
    EXPECT_EQ(messages[3].text, "nothing defines `bias_add`; define it");
}

TEST(HostBackend, SaysWhichLibrariesAndLanguagesItDoesNotHave) {
    const auto backend = testing::host_backend();
    BuildRequest request = request_for("");
    request.implementation.variant.language = Language::library;
    request.implementation.variant.library = "onednn";
    request.implementation.variant.primitive = "no_such_primitive";
    const BuildResult primitive = backend->build(request, {}, {});
    EXPECT_EQ(primitive.status, Status::unavailable);
    EXPECT_NE(primitive.reason.text().find("no_such_primitive"), std::string::npos);
    request.implementation.variant.language = Language::cuda;
    EXPECT_EQ(backend->build(request, {}, {}).status, Status::unavailable);
}

TEST(HostBackend, DescribesTheMachine) {
    const std::vector<DeviceInfo> devices = testing::host_backend()->devices();
    ASSERT_EQ(devices.size(), 1u);
    EXPECT_EQ(devices[0].name, "cpu");
    EXPECT_GE(devices[0].environment.threads, 1);
    EXPECT_GT(devices[0].environment.memory_gib, 0);
    EXPECT_FALSE(devices[0].environment.compiler.empty());
    EXPECT_EQ(fingerprint(devices[0].environment), fingerprint(testing::host_backend()->devices()[0].environment));
}

TEST(Language, ThatDoesNotRunOnTheDeviceIsToldFirst) {
    Implementation cuda = testing::bias_add_kernel("");
    cuda.variant.language = Language::cuda;
    cuda.variant.launches[0].grid = {"device.multiprocessors"};
    const VerifyResult result =
        verify(testing::verify_request(cuda), *testing::host_backend(), testing::no_progress, {});
    EXPECT_EQ(result.status, Status::unavailable);
    EXPECT_EQ(result.reason, "variant `host` is in `cuda`, which does not run on `cpu`");
}

}  // namespace
}  // namespace kernelgen
