// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "core/backend/build_cache.h"
#include "core/backend/executor_protocol.h"
#include "core/base/file.h"
#include "core/base/process.h"
#include "core/python/python_executor.h"
#include "tests/core_python/variants.h"

namespace kernelgen {
namespace {

using ::testing::HasSubstr;
using testing::torch_variant;
namespace fs = std::filesystem;

TEST(PythonExecutor, ThatIsLetGoServesTheNextWhoWantsOne) {
    NEEDS(Language::torch);
    const auto backend = testing::own_backend();
    const Executor* first = nullptr;
    {
        const auto executor = backend->start_executor("cpu", {ExecutorKind::python, {"a.py"}}, {});
        ASSERT_TRUE(executor) << executor.error().message;
        first = executor->get();
    }
    const auto second = backend->start_executor("cpu", {ExecutorKind::python, {"b.py", "a.py"}}, {});
    ASSERT_TRUE(second) << second.error().message;
    EXPECT_EQ(second->get(), first);
}

TEST(PythonExecutor, OfATimingThatFailedServesNobodyElse) {
    NEEDS(Language::torch);
    const auto backend = testing::own_backend();
    const auto process = [&] {
        const auto executor = backend->start_executor("cpu", {ExecutorKind::python, {"bias_add_file.py"}}, {});
        return executor.value()->foreign_threads().running().begin()->first;
    };
    const ForeignThreads::Id before = process();
    ASSERT_EQ(process(), before);
    BenchRequest request;
    request.definition = testing::bias_add_operator();
    request.binding = testing::verify_request({}).cases.front();
    request.baseline = torch_variant("return x + bias");
    request.candidates = {torch_variant("return x")};
    EXPECT_EQ(bench(request, *backend, testing::no_progress, {}).front().status, Status::mismatch);
    EXPECT_NE(process(), before);
}

TEST(PythonExecutor, OfAnotherProtocolIsRefusedByTheLibrary) {
    NEEDS(Language::torch);
    const std::string of_version_4 =
        "import ctypes, sys\n"
        "class Callbacks(ctypes.Structure):\n"
        "    _fields_ = [('protocol', ctypes.c_int), ('ask', ctypes.c_void_p), ('call', ctypes.c_void_p)]\n"
        "serve = ctypes.CDLL(sys.argv[1]).kernelgen_executor_serve\n"
        "sys.exit(serve(b'cpu', 0, b'', ctypes.byref(Callbacks(4, None, None))))\n";
    const fs::path library =
        resource_folder().parent_path().parent_path() / "lib" / "kernelgen" / "libkernelgen_executor.so";
    const Result<Finished> finished = run_to_end({.arguments = {python_program(), "-c", of_version_4, library.string()},
                                                  .environment = {},
                                                  .folder = {},
                                                  .descriptors = {}});
    ASSERT_TRUE(finished) << finished.error().message;
    EXPECT_EQ(finished->exit.status, 1);
    const std::string own = std::to_string(executor_protocol_version);
    EXPECT_THAT(finished->output, HasSubstr("kernelgen_executor.py speaks protocol 4, this program " + own +
                                            ": install the same version of both"));
}

TEST(PythonExecutor, ThatLoadedAKernelInCppServesNoBaselineWithoutIt) {
    NEEDS(Language::torch);
    const auto backend = testing::own_backend();
    const Implementation torch = torch_variant("return x + bias");
    Implementation cpp;
    cpp.variant.language = Language::cpp;
    cpp.variant.source = "bias_add.cpp";
    const auto process_of = [&](const std::vector<const Implementation*>& all) {
        const auto executor = backend->start_executor("cpu", use_for(all), {}).value();
        return executor->foreign_threads().running().begin()->first;
    };
    const ForeignThreads::Id both = process_of({&torch, &cpp});
    EXPECT_NE(process_of({&torch}), both);
    EXPECT_EQ(process_of({&torch, &cpp}), both);
}

TEST(Executor, ThatIsTooSlowToGreetIsSaidWithWhatItWasDoing) {
    const auto executor = Executor::start({"sleep", "20"}, {}, {0.1, "import PyTorch", {}});
    ASSERT_FALSE(executor);
    EXPECT_THAT(executor.error().message, HasSubstr("it did not import PyTorch within 0.1 s"));
}

TEST(PythonExecutor, LeavesNoFolderWhenItsFileEndsTheProcess) {
    NEEDS(Language::torch);
    const Result<ScratchFolder> folder = ScratchFolder::create(fs::temp_directory_path());
    ASSERT_TRUE(folder);
    ::setenv("TMPDIR", folder->path.c_str(), 1);
    const auto folders = [&] {
        return std::ranges::count_if(fs::directory_iterator(folder->path),
                                     [](const auto& each) { return each.is_directory(); });
    };
    {
        const auto killed = start_python_executor("cpu", {"cpu"}, {}, {});
        ASSERT_TRUE(killed) << killed.error().message;
        EXPECT_EQ(folders(), 1);
        const BuildResult built = testing::own_backend()->build(
            {testing::bias_add_operator(), torch_variant("pass", "import os; os._exit(3)"), DType::f32, "cpu", {}, {}},
            {}, {});
        (*killed)->load(0, built.artifact, {});
        EXPECT_FALSE((*killed)->alive());
    }
    EXPECT_EQ(folders(), 0);
    ::unsetenv("TMPDIR");
}

TEST(PythonExecutor, IsNotWaitedForWhenItIsCancelled) {
    NEEDS(Language::torch);
    std::stop_source stop;
    stop.request_stop();
    const auto backend = testing::own_backend();
    const VerifyResult result = verify(testing::verify_request(torch_variant("return x + bias")), *backend,
                                       testing::no_progress, stop.get_token());
    EXPECT_EQ(result.status, Status::cancelled) << result.reason;
}

TEST(PythonBuild, WithoutATrialNeverExecutesTheFile) {
    if (!python_interpreter()) GTEST_SKIP() << python_interpreter().error().message;
    const Result<ScratchFolder> folder = ScratchFolder::create(fs::temp_directory_path());
    ASSERT_TRUE(folder);
    const fs::path mark = folder->path / "executed";
    BuildRequest request;
    request.definition = testing::bias_add_operator();
    request.implementation = torch_variant("return x + bias", "open('" + mark.string() + "', 'w')");
    const auto backend = testing::own_backend();
    const BuildResult result = backend->build(request, {}, {});
    EXPECT_EQ(result.status, Status::ok) << result.reason;
    EXPECT_FALSE(fs::exists(mark));
    request.implementation.text += "def f(:\n";
    const BuildResult broken = backend->build(request, {}, {});
    EXPECT_EQ(broken.status, Status::build_failed);
    ASSERT_EQ(broken.messages.size(), 1u);
    EXPECT_EQ(broken.messages[0].line, 6);
}

TEST(PythonBuild, MayTakeAsLongToImportItsFileAsTheCallersTimeoutSays) {
    NEEDS(Language::torch);
    BuildRequest request;
    request.definition = testing::bias_add_operator();
    request.implementation = torch_variant("return x + bias", "import time; time.sleep(2)");
    request.trial = {{"P", 3}, {"D", 5}};
    const auto backend = testing::own_backend();
    request.timeout_seconds = 0.5;
    const BuildResult stopped = backend->build(request, {}, {});
    EXPECT_EQ(to_string(stopped.status), "timed_out");
    EXPECT_THAT(stopped.reason, HasSubstr("--timeout gives it longer"));
    request.timeout_seconds = 60;
    const BuildResult built = backend->build(request, {}, {});
    EXPECT_EQ(to_string(built.status), "ok") << built.reason;
}

/// What `kernelgen ARGUMENTS` prints and how it ends, with another interpreter.
Finished run_with_python(const std::string& python, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), KERNELGEN_PROGRAM);
    Command command{.arguments = std::move(arguments),
                    .environment = {{"KERNELGEN_PYTHON", python}},
                    .folder = {},
                    .descriptors = {}};
    return run_to_end(command).value();
}

/// A program that answers as an interpreter with these packages would.
class Interpreter {
public:
    explicit Interpreter(const std::string& answer)
        : folder_(ScratchFolder::create(fs::temp_directory_path()).value()) {
        const auto written = write_file_atomic(path(), "#!/bin/sh\necho '" + answer + "'\n");
        EXPECT_TRUE(written);
        ::chmod(path().c_str(), 0755);
    }
    std::string path() const { return (folder_.path / "python3").string(); }

private:
    ScratchFolder folder_;
};

TEST(PythonInterpreter, ThatLacksPyTorchIsSaidWithHowToGetIt) {
    const Interpreter bare(
        R"({"python": "3.12.3", "program": "p", "torch": "", "triton": "", "numpy": "", "cuda": "", "torch_npu": false})");
    EXPECT_THAT(run_with_python(bare.path(), {"devices"}).output, HasSubstr("PyTorch is not installed"));
}

TEST(PythonInterpreter, WhosePackagesAreTooOldIsSaidWithWhatIsNeeded) {
    const Interpreter old(
        R"({"python": "3.12.3", "program": "p", "torch": "2.5.1", "triton": "2.3.1", "numpy": "2.2", "cuda": "", "torch_npu": false})");
    const Finished finished = run_with_python(old.path(), {"devices"});
    EXPECT_THAT(finished.output, HasSubstr("Triton 2.3.1"));
    EXPECT_THAT(finished.output, HasSubstr("3.0 or later is needed"));
}

TEST(PythonInterpreter, ThatIsNotThereIsSaidWithWhereToNameOne) {
    const Finished finished = run_with_python("/no/such/python", {"devices"});
    EXPECT_TRUE(finished.exit.success());
    EXPECT_THAT(finished.output, HasSubstr("KERNELGEN_PYTHON"));
}

TEST(PythonExecutor, ThatCannotImportPyTorchSaysWhatPythonSaid) {
#if defined(KERNELGEN_SANITIZED)
    GTEST_SKIP() << "a library with sanitizers cannot be loaded by Python";
#endif
    const Interpreter broken(
        R"({"python": "3.12.3", "program": "p", "torch": "2.6.0", "triton": "", "numpy": "2.2", "cuda": "", "torch_npu": false})");
    const Result<ScratchFolder> folder = ScratchFolder::create(fs::temp_directory_path());
    ASSERT_TRUE(folder);
    ASSERT_TRUE(write_file_atomic(folder->path / "p_file.py", "def p(x):\n    return x\n"));
    ASSERT_TRUE(write_file_atomic(folder->path / "project.json", R"({
        "schema": "kernelgen.project/1",
        "operator": {"name": "p", "family": "tile", "symbols": ["N"], "inputs": [{"name": "x", "shape": ["N"]}],
                     "outputs": [{"name": "out", "shape": ["N"]}], "body": "out = x"},
        "cases": [{"name": "c", "dtype": "f32", "N": 3}],
        "variants": [{"name": "torch", "language": "torch", "source": "p_file.py", "entry": "p"}]})"));
    const Finished finished = run_with_python(broken.path(), {"verify", folder->path.string(), "--variant", "torch"});
    EXPECT_EQ(finished.exit.status, 4) << finished.output;
    EXPECT_THAT(finished.output, HasSubstr("did not start"));
}

}  // namespace
}  // namespace kernelgen
