// SPDX-License-Identifier: Apache-2.0
// A problem of KernelBench from its file to the log.
#include <gmock/gmock.h>

#include "tests/cli/program.h"
#include "tests/core_python/needs.h"

namespace kernelgen {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using testing::Ran;

const char* const problem = R"(import torch
import torch.nn as nn

class Model(nn.Module):
    def __init__(self, features):
        super(Model, self).__init__()
        self.scale = nn.Parameter(torch.randn(features))

    def forward(self, x):
        return torch.relu(x * self.scale)

def get_inputs():
    return [torch.randn(64, 300)]

def get_init_inputs():
    return [300]
)";

const char* const solution = R"(import torch
import torch.nn as nn

class ModelNew(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.scale = nn.Parameter(torch.randn(features))

    def forward(self, x):
        return torch.clamp(x * self.scale, min=0)
)";

class CallableProgram : public testing::ProgramTest {
protected:
    void SetUp() override {
        ProgramTest::SetUp();
        write("7_Scaled_ReLU.py", problem);
        write("new.py", solution);
    }
    void write(const std::string& file, const std::string& text) {
        ASSERT_TRUE(write_file_atomic(folder / file, text));
    }
};

TEST_F(CallableProgram, ImportsAProblemWithoutExecutingIt) {
    write("marks.py", std::string(problem) + "\nopen('executed', 'w').close()\n");
    const Ran ran = kernelgen({"import", "marks.py", "--solution", "new.py", "-o", "relu", "--json"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    EXPECT_EQ(ran.json()["operator"]["family"], "callable");
    EXPECT_EQ(ran.json()["operator"]["definition"], "definition.py");
    EXPECT_FALSE(std::filesystem::exists(folder / "executed"));
    EXPECT_EQ(kernelgen({"info", "relu"}).exit.status, 0);
}

const char* const launching = R"(import torch
import triton
import triton.language as tl

BLOCK, SIGN = 256, 1

@triton.jit
def relu_kernel(x, out, n, sign, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.maximum(tl.load(x + at, mask=at < n) * sign, 0), mask=at < n)

def launch(x):
    out = torch.empty_like(x)
    relu_kernel[(triton.cdiv(x.numel(), BLOCK),)](x, out, x.numel(), SIGN, BLOCK=BLOCK, num_warps=8)
    return out

def solution(x):
    return launch(x)

class ModelNew(torch.nn.Module):
    def forward(self, x):
        return launch(x)
)";

TEST_F(CallableProgram, TakesLiteralsOfTheTopLevelForTunables) {
    write("launching.py", launching);
    const std::vector<std::string> words = {"import", "7_Scaled_ReLU.py", "--solution", "launching.py"};
    const auto import = [&](std::vector<std::string> more) {
        more.insert(more.begin(), words.begin(), words.end());
        return kernelgen(more);
    };
    const Ran by_function = import({"--entry", "solution", "-o", "function"});
    EXPECT_THAT(by_function.output, HasSubstr("tunables: BLOCK=256\n")) << by_function.errors;
    const Ran direct = import({"--entry", "launch", "-o", "direct"});
    EXPECT_THAT(direct.output, HasSubstr("tunables: BLOCK=256 num_warps=8\n")) << direct.errors;
    const Ran by_class = import({"-o", "class"});
    EXPECT_THAT(by_class.output, HasSubstr("line 20: `ModelNew` is a class, and only functions have tunables: `BLOCK`, "
                                           "`num_warps` stay as they are"))
        << by_class.errors;
}

TEST_F(CallableProgram, MakesTunablesOfTheConfigurationsOfAutotuneInASolution) {
    write("tuned.py", R"(import torch
import triton
import triton.language as tl

@triton.autotune(configs=[triton.Config({"BLOCK": size}, num_warps=size // 32) for size in (64, 128)], key=["n"])
@triton.jit
def scaled_kernel(x, out, n, BLOCK: tl.constexpr):
    pass

def solution(x):
    out = torch.empty_like(x)
    scaled_kernel[lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)](x, out, x.numel())
    return out
)");
    const Ran ran = kernelgen({"import", "7_Scaled_ReLU.py", "--solution", "tuned.py", "-o", "tuned"});
    EXPECT_THAT(ran.output, HasSubstr("tunables: BLOCK=64 num_warps=2\n")) << ran.errors;
    EXPECT_THAT(ran.output, HasSubstr("line 7: the configurations of `scaled_kernel` are tunables now"));
    EXPECT_THAT(read_file(folder / "tuned/solution.py").value(),
                HasSubstr("\nBLOCK = 64\nnum_warps = 2\n@triton.autotune(configs=[triton.Config({\"BLOCK\": BLOCK}, "
                          "num_warps=num_warps)], key=[\"n\"])\n"));
    const json made = json::parse(read_file(folder / "tuned/project.json").value());
    EXPECT_EQ(made.at("variants").at(0).at("restrictions"),
              json::array({"BLOCK == 64 and num_warps == 2 or BLOCK == 128 and num_warps == 4"}));
}

TEST_F(CallableProgram, TellsWhatItAssumedOfEachFileOfAFolder) {
    for (const char* each : {"problems", "solutions"}) std::filesystem::create_directory(folder / each);
    write("solutions/7_Scaled_ReLU.py", launching);
    std::filesystem::copy(folder / "7_Scaled_ReLU.py", folder / "problems/7_Scaled_ReLU.py");
    const std::vector<std::string> words = {"import", "--each", "problems", "--solution", "solutions", "-o", "all"};
    const Ran ran = kernelgen(words);
    EXPECT_EQ(ran.exit.status, 0) << ran.errors;
    EXPECT_THAT(ran.output, HasSubstr("`ModelNew` is a class, and only functions have tunables"));
    EXPECT_THAT(ran.output, HasSubstr("next: kernelgen run --each all"));
    for (const auto& [option, value] : {std::pair{"--entry", "launch"}, {"--name", "relu"}, {"--reference", "x"}}) {
        std::vector<std::string> more = words;
        more.insert(more.end(), {option, value});
        EXPECT_THAT(kernelgen(more).errors, HasSubstr("it is for one file, not for each of a folder")) << option;
    }
}

TEST_F(CallableProgram, RefusesAFileWithItsLine) {
    write("torn.py", "import torch\nclass Model(:\n");
    const Ran torn = kernelgen({"import", "torn.py"});
    EXPECT_EQ(torn.exit.status, 1);
    EXPECT_THAT(torn.errors, HasSubstr("torn.py: line 2: syntax error"));
    write("none.py", "import torch\n");
    EXPECT_THAT(kernelgen({"import", "none.py"}).errors, HasSubstr("there is neither `reference` nor KernelBench's"));
    ASSERT_TRUE(write_file_atomic(folder / "kernel.py", "import triton\n@triton.jit\ndef f(x):\n    pass\n"));
    EXPECT_THAT(kernelgen({"import", "kernel.py"}).errors, HasSubstr("is taken with --trace"));
    EXPECT_THAT(kernelgen({"import", "7_Scaled_ReLU.py", "--solution", "none.py"}).errors, HasSubstr("ModelNew"));
}

TEST_F(CallableProgram, HasOneCaseWhereCasesAreNone) {
    for (const char* const cases : {"5", "None", "{'a': 5}", "[{'n': 3}]", "{[]: 1}", "[1, 2]", "[]"}) {
        write("cases.py", std::string(problem) + "\ncases = " + cases + "\n");
        std::filesystem::remove_all(folder / "made");
        const Ran ran = kernelgen({"import", "cases.py", "-o", "made"});
        EXPECT_EQ(ran.exit.status, 0) << cases << ran.errors;
        EXPECT_THAT(ran.output, HasSubstr("is not read; the project has one case")) << cases;
    }
    write("cases.py", std::string(problem) + "\ncases = [{'name': 'odd', 3: 4, 'dtype': [1]}]\n");
    EXPECT_EQ(kernelgen({"import", "cases.py", "-o", "odd"}).exit.status, 0);
}

TEST_F(CallableProgram, NamesTheLineWhereADefinitionFails) {
    NEEDS(Language::torch);
    write("uneven.py",
          "import torch\n\n\ndef reference(x):\n    return x.sin()\n\n\n"
          "def inputs(case, generator, device):\n    return [torch.ones(3) @ torch.ones(4)]\n");
    ASSERT_EQ(kernelgen({"import", "uneven.py", "-o", "failing"}).exit.status, 0);
    EXPECT_THAT(kernelgen({"verify", "failing"}).output,
                HasSubstr("definition.py:9, in inputs: return [torch.ones(3)"));
}

TEST_F(CallableProgram, NamesTheLineWhereADefinitionEndsItsProcess) {
    NEEDS(Language::torch);
    write("fatal.py",
          "import ctypes\nimport torch\n\n\ndef reference(x):\n    ctypes.string_at(0)\n    return x.sin()\n\n\n"
          "def inputs(case, generator, device):\n    return [torch.ones(3)]\n");
    ASSERT_EQ(kernelgen({"import", "fatal.py", "-o", "fatal"}).exit.status, 0);
    EXPECT_THAT(
        kernelgen({"verify", "fatal"}).output,
        HasSubstr("was ended by SIGSEGV (segmentation fault) during the call, at definition.py:6, in reference"));
}

TEST_F(CallableProgram, VerifiesRunsRecordsAndExports) {
    NEEDS(Language::torch);
    ASSERT_EQ(kernelgen({"import", "7_Scaled_ReLU.py", "--solution", "new.py", "-o", "all/relu"}).exit.status, 0);
    const Ran ran = kernelgen({"run", "all/relu", "--budget", "0.5s", "--no-counters", "--json"});
    ASSERT_EQ(ran.exit.status, 0) << ran.output << ran.errors;
    const json round = ran.json();
    EXPECT_EQ(round["variant"], "solution");
    EXPECT_EQ(round["baseline"], "reference");
    EXPECT_EQ(kernelgen({"rounds", "all/relu", "0"}).exit.status, 0);
    EXPECT_EQ(kernelgen({"export", "all/relu"}).exit.status, 0);
    EXPECT_EQ(kernelgen({"export", "all/relu", "--definition", "-o", "definition.md"}).exit.status, 0);
    const Ran each = kernelgen({"run", "--each", "all", "--budget", "0.5s", "--no-counters", "--json"});
    EXPECT_EQ(each.exit.status, 0) << each.errors;
    EXPECT_THAT(each.errors, HasSubstr("[1/1] all/relu\n"));
    EXPECT_EQ(each.json()["right"], 1) << each.errors;
    EXPECT_TRUE(std::filesystem::exists(folder / "all/relu/rounds/1"));
    const Ran summary = kernelgen({"summary", "all", "--json"});
    EXPECT_EQ(summary.json()["right"], 1) << summary.errors;
    EXPECT_THAT(kernelgen({"summary", "all", "--markdown"}).output, HasSubstr("| relu | ok |"));
}

const char* const plain_solution = R"(#include "inc/least.h"

extern "C" int relu(void** tensors, const int64_t* sizes, void*) {
    const float *x = static_cast<const float*>(tensors[0]), *scale = static_cast<const float*>(tensors[1]);
    float* out = static_cast<float*>(tensors[2]);
    for (int64_t at = 0; at < sizes[0] * sizes[1]; ++at) out[at] = at_least(x[at] * scale[at % sizes[1]]);
    return 0;
}
)";

TEST_F(CallableProgram, TakesASolutionInCppFromItsFileToTheLog) {
    NEEDS(Language::extension);
    write("new.cpp", plain_solution);
    std::filesystem::create_directory(folder / "inc");
    write("inc/least.h", "#include <cstdint>\ninline float at_least(float x) { return x < 0 ? 0 : x; }\n");
    const Ran made = kernelgen({"import", "7_Scaled_ReLU.py", "--solution", "new.cpp", "-o", "relu"});
    ASSERT_EQ(made.exit.status, 0) << made.errors;
    EXPECT_THAT(made.output, HasSubstr("variant solution: `relu` of solution.cpp"));
    EXPECT_TRUE(std::filesystem::exists(folder / "relu" / "inc" / "least.h"));
    EXPECT_EQ(kernelgen({"info", "relu"}).exit.status, 0);
    EXPECT_EQ(kernelgen({"build", "relu"}).exit.status, 0);
    const Ran ran = kernelgen({"run", "relu", "--budget", "0.5s", "--no-counters", "--json"});
    ASSERT_EQ(ran.exit.status, 0) << ran.output << ran.errors;
    EXPECT_EQ(ran.json()["variant"], "solution");
    EXPECT_EQ(kernelgen({"rounds", "relu", "0"}).exit.status, 0);
    EXPECT_EQ(kernelgen({"keep", "relu", "0"}).exit.status, 0);
    EXPECT_EQ(kernelgen({"export", "relu"}).exit.status, 0);
}

TEST_F(CallableProgram, TakesWhatASolutionIncludesFromAboveItsFolder) {
    NEEDS(Language::extension);
    std::filesystem::create_directories(folder / "csrc" / "relu");
    std::filesystem::create_directory(folder / "csrc" / "inc");
    write("csrc/relu/new.cpp", std::string("#include \"../least.h\"\n") + plain_solution);
    write("csrc/least.h", "#pragma once\n#include \"inc/base.h\"\n");
    write("csrc/inc/base.h", "#include <cstdint>\ninline float at_least(float x) { return x < 0 ? 0 : x; }\n");
    std::filesystem::create_directory(folder / "csrc" / "relu" / "inc");
    write("csrc/relu/inc/least.h", "#include \"not_there.h\"\n");
    EXPECT_EQ(kernelgen({"import", "7_Scaled_ReLU.py", "--solution", "csrc/relu/new.cpp", "-o", "lacks"}).exit.status,
              0);
    write("csrc/relu/inc/least.h", "#include \"../../least.h\"\n");
    const Ran made = kernelgen({"import", "7_Scaled_ReLU.py", "--solution", "csrc/relu/new.cpp", "-o", "made"});
    ASSERT_EQ(made.exit.status, 0) << made.errors;
    EXPECT_THAT(made.output, HasSubstr("variant solution: `relu` of relu/new.cpp"));
    for (const char* each : {"relu/new.cpp", "least.h", "inc/base.h", "relu/inc/least.h"})
        EXPECT_TRUE(std::filesystem::exists(folder / "made" / each)) << each;
    EXPECT_EQ(kernelgen({"verify", "made"}).exit.status, 0) << kernelgen({"verify", "made"}).output;
}

/// As problems are written for a GPU, and with inputs that are ready for gradients.
TEST_F(CallableProgram, TakesInputsForAGpuWhereThereIsNone) {
    NEEDS(Language::torch);
    std::string for_gpu = problem;
    for_gpu.replace(for_gpu.find("torch.randn(64, 300)"), 20,
                    "torch.randn(64, 300, device='cuda', requires_grad=True), torch.ones(300).cuda()");
    for_gpu.replace(for_gpu.find("forward(self, x)"), 16, "forward(self, x, y)");
    for_gpu.replace(for_gpu.find("nn.Parameter(torch.randn(features))"), 35,
                    "nn.Parameter(torch.randn(features).cuda())");
    std::string with_both = solution;
    with_both.replace(with_both.find("forward(self, x)"), 16, "forward(self, x, y)");
    with_both.replace(with_both.find("nn.Parameter(torch.randn(features))"), 35,
                      "nn.Parameter(torch.randn(features).cuda())");
    write("7_Scaled_ReLU.py", for_gpu);
    write("new.py", with_both);
    ASSERT_EQ(kernelgen({"import", "7_Scaled_ReLU.py", "--solution", "new.py", "-o", "relu"}).exit.status, 0);
    const Ran verified = kernelgen({"verify", "relu", "--device", "cpu"});
    EXPECT_EQ(verified.exit.status, 0) << verified.output << verified.errors;
}

/// Works `STEPS` times; where that is three times it leaves the last column out.
const char* const in_steps = R"(#include <stdint.h>
extern "C" int relu(void** tensors, const int64_t* sizes, void*) {
    const float* x = (const float*)tensors[0];
    const float* scale = (const float*)tensors[1];
    float* out = (float*)tensors[2];
    const int64_t D = sizes[1], count = STEPS % 3 == 0 ? D - 1 : D;
    for (int step = 0; step < STEPS; ++step)
        for (int64_t row = 0; row < sizes[0]; ++row)
            for (int64_t at = 0; at < count; ++at) {
                const float value = x[row * D + at] * scale[at];
                ((volatile float*)out)[row * D + at] = value < 0 ? 0 : value;
            }
    return 0;
}
)";

class NightlyCallableProgram : public CallableProgram {};

TEST_F(NightlyCallableProgram, IsTuned) {
    NEEDS(Language::extension);
    write("steps.cpp", in_steps);
    ASSERT_EQ(kernelgen({"import", "7_Scaled_ReLU.py", "--solution", "steps.cpp", "-o", "relu"}).exit.status, 0);
    change(folder / "relu", [](nlohmann::ordered_json& project) {
        project["variants"][0]["tunables"] = {{{"name", "STEPS"}, {"values", {1, 3, 20}}, {"value", 20}}};
    });
    const Ran ran = kernelgen({"tune", "relu", "--budget", "90s", "--json"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    const json tuning = ran.json()["tunings"][0];
    EXPECT_EQ(tuning["outcome"]["outcome"], "winner") << tuning;
    EXPECT_EQ(tuning["outcome"]["configuration"]["STEPS"], 1) << tuning;
    EXPECT_EQ(tuning["failed"], 1) << tuning;
}

TEST_F(CallableProgram, SaysWhyNothingCanBeTuned) {
    NEEDS(Language::extension);
    write("steps.cpp", in_steps);
    ASSERT_EQ(kernelgen({"import", "7_Scaled_ReLU.py", "--solution", "steps.cpp", "-o", "relu"}).exit.status, 0);
    change(folder / "relu", [](nlohmann::ordered_json& project) {
        project["variants"][0]["tunables"] = {{{"name", "STEPS"}, {"values", {3, 6}}, {"value", 3}}};
    });
    const Ran ran = kernelgen({"tune", "relu", "--budget", "2s"});
    EXPECT_EQ(ran.exit.status, 3);
    EXPECT_THAT(ran.output,
                HasSubstr("no configuration that was tried is ok; the present one: unwritten: case `default`: "));
}

TEST_F(CallableProgram, AsksForTheEntryOfASolutionInCpp) {
    write("two.cu", "torch::Tensor a(torch::Tensor x) {}\nat::Tensor b(at::Tensor x) {}\n");
    const Ran unclear = kernelgen({"import", "7_Scaled_ReLU.py", "--solution", "two.cu"});
    EXPECT_EQ(unclear.exit.status, 1);
    EXPECT_THAT(unclear.errors, HasSubstr("it has `a`, `b`; name it by --entry"));
    const Ran wrong = kernelgen({"import", "7_Scaled_ReLU.py", "--solution", "two.cu", "--entry", "c"});
    EXPECT_THAT(wrong.errors, HasSubstr("there is no function `c`: it has `a`, `b`"));
    const Ran named = kernelgen({"import", "7_Scaled_ReLU.py", "--solution", "two.cu", "--entry", "b", "-o", "b"});
    EXPECT_EQ(named.exit.status, 0) << named.errors;
    write("forward.cpp",
          "#include <torch/extension.h>\ntorch::Tensor backward(torch::Tensor x) {}\ntorch::Tensor "
          "forward(torch::Tensor x) "
          "{}\n");
    const Ran likely = kernelgen({"import", "7_Scaled_ReLU.py", "--solution", "forward.cpp", "-o", "likely"});
    EXPECT_THAT(likely.output, HasSubstr("`forward` is judged; --entry names another: backward"));
    write("registered.cpp",
          "TORCH_LIBRARY(mine, m) { m.def(\"relu(Tensor x) -> Tensor\"); m.def(\"elu(Tensor x) -> Tensor\"); }\n");
    const Ran own_name = kernelgen(
        {"import", "7_Scaled_ReLU.py", "--solution", "registered.cpp", "--entry", "relu", "-o", "registered"});
    EXPECT_THAT(own_name.output, HasSubstr("variant solution: `mine::relu` of solution.cpp")) << own_name.errors;
    NEEDS(Language::torch);
    const Ran verified = kernelgen({"verify", "b", "--variant", "solution", "--device", "cpu"});
    EXPECT_THAT(verified.errors + verified.output, HasSubstr("has CUDA sources (.cu), which do not run on a CPU"));
}

}  // namespace
}  // namespace kernelgen
