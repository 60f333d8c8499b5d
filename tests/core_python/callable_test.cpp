// SPDX-License-Identifier: Apache-2.0
// Operators that a Python file defines: what is right, what is wrong, and what cannot be judged.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "core/base/process.h"
#include "tests/core_python/callable_files.h"

namespace kernelgen {
namespace {

using nlohmann::json;
using testing::definition_of;
using ::testing::HasSubstr;
using testing::relu_definition;
using testing::solution_of;
using testing::verify_callable;

class Callable : public ::testing::Test {
protected:
    void SetUp() override { NEEDS(Language::torch); }

    VerifyResult verified(const std::string& definition, const Implementation& solution) {
        return verify(verify_callable(definition, solution), *backend_, testing::no_progress, {});
    }
    VerifyResult of_relu(const std::string& body) {
        return verified(relu_definition, solution_of("def solution(x, bias):\n    " + body + "\n"));
    }

    Backend* backend_ = testing::host_backend();
};

const std::string problem_of_kernelbench = R"(import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self, features, hidden):
        super().__init__()
        self.linear = nn.Linear(features, hidden)
        self.norm = nn.BatchNorm1d(hidden)

    def forward(self, x):
        return self.norm(self.linear(x))


def get_inputs():
    return [torch.rand(16, 20)]


def get_init_inputs():
    return [20, 12]
)";

TEST_F(Callable, IsVerifiedAsAProblemOfKernelBenchIs) {
    const VerifyResult right = verified(problem_of_kernelbench, solution_of(R"(
class ModelNew(torch.nn.Module):
    def __init__(self, features, hidden):
        super().__init__()
        self.linear = torch.nn.Linear(features, hidden)
        self.norm = torch.nn.BatchNorm1d(hidden)

    def forward(self, x):
        y = torch.addmm(self.linear.bias, x, self.linear.weight.t())
        return torch.nn.functional.batch_norm(y, None, None, self.norm.weight, self.norm.bias, training=True)
)",
                                                                            "ModelNew"));
    EXPECT_EQ(right.status, Status::ok) << right.reason;
    EXPECT_GT(right.checks, 8);
    ASSERT_FALSE(right.cases.empty());
    EXPECT_EQ(right.cases[0].metrics.elements, 16 * 12);
}

TEST_F(Callable, HasOneSeedForTheRandomArgumentsOfItsModule) {
    const std::string definition = R"(import torch


class Model(torch.nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.scale = scale

    def forward(self, x):
        return x * self.scale


def get_inputs():
    return [torch.rand(16, 20)]


def get_init_inputs():
    return [torch.rand(20)]
)";
    const VerifyResult right = verified(definition, solution_of(R"(
class ModelNew(torch.nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.scale = scale

    def forward(self, x):
        return self.scale * x
)",
                                                                "ModelNew"));
    EXPECT_EQ(right.status, Status::ok) << right.reason;
}

const std::string tree_definition = R"(import torch


def reference(x, flags, scale, mode="sum", more=None):
    both = x["whole"] * scale + x["part"].sum()
    return {"loss": both.mean(), "picked": (both.argmax(1), flags), "t": both.t()}


def inputs(case, generator, device):
    whole = torch.randn(40, 24, generator=generator)
    return {"x": {"whole": whole.t(), "part": whole[3:5, ::2]}, "flags": torch.rand(7, generator=generator) > 0.5,
            "scale": 1.5, "mode": "sum"}
)";

TEST_F(Callable, TakesTreesOfViewsNumbersAndTexts) {
    const VerifyResult right = verified(tree_definition, solution_of(R"(
def solution(x, flags, scale, mode, more=None):
    assert not x["whole"].is_contiguous() and mode == "sum"
    assert x["part"].untyped_storage().data_ptr() == x["whole"].untyped_storage().data_ptr()
    both = x["whole"] * scale + x["part"].sum()
    return {"picked": [both.argmax(1), flags], "t": both.t(), "loss": both.mean()}
)"));
    EXPECT_EQ(right.status, Status::ok) << right.reason;
    const VerifyResult wrong = verified(tree_definition, solution_of(R"(
def solution(x, flags, scale, mode, more=None):
    both = x["whole"] * scale + x["part"].sum()
    return {"picked": [both.argmax(1), ~flags], "t": both.t(), "loss": both.mean()}
)"));
    EXPECT_EQ(wrong.status, Status::mismatch);
    EXPECT_THAT(wrong.reason, HasSubstr("out_picked_1"));
}

/// What a call allocates with an output's form is that output's buffer, which is elsewhere in the next call.
TEST_F(Callable, MayKeepMemoryToWorkInBetweenItsCalls) {
    const std::string keeps = R"(memory = []


def solution(x, bias):
    if len(memory) < 3:
        memory.append(torch.empty_like(x))
    torch.add(x, bias, out=memory[-1])
    return torch.relu(memory[-1])
)";
    VerifyRequest request = verify_callable(testing::relu_definition, solution_of(keeps, "solution", "keeps.py"));
    const VerifyResult result = verify(request, *backend_, testing::no_progress, {});
    EXPECT_EQ(result.status, Status::ok) << result.reason;
}

TEST_F(Callable, MayChangeTheArgumentsThatTheDefinitionNames) {
    const std::string definition = R"(import torch

mutates = ["cache"]


def reference(x, cache):
    cache[1:3] += x
    return cache.sum()


def inputs(case, generator, device):
    return [torch.randn(2, 8, generator=generator), torch.randn(5, 8, generator=generator)]
)";
    const std::string right = "def solution(x, cache):\n    cache[1:3] += x\n    return cache.sum()\n";
    const VerifyResult changed = verified(definition, solution_of(right));
    EXPECT_EQ(changed.status, Status::ok) << changed.reason;
    EXPECT_EQ(
        verified(definition, solution_of("def solution(x, cache):\n    cache = cache.clone()\n    cache[1:3] += x\n"
                                         "    return cache.sum()\n"))
            .status,
        Status::mismatch);
    const BenchResult timed =
        bench(testing::bench_callable(definition, solution_of(right)), *backend_, testing::no_progress, {}).front();
    EXPECT_EQ(timed.status, Status::ok) << timed.reason;
}

/// The library copies results byte by byte: views, values that are negated or conjugated in name only, numbers, and
/// changed arguments that do not lie in one piece.
TEST_F(Callable, ResultsOfEveryFormAreTimed) {
    const std::string definition = R"(import torch

mutates = ["state", "strided"]


def reference(x, state, strided):
    state.add_(x.sum(1))
    strided.t().mul_(2)
    z = torch.view_as_complex(x.reshape(-1, 32, 2))
    return {"view": x.t(), "list": [torch._neg_view(x), x.shape[0]], "conjugated": z.conj(), "sum": x.sum(), "bits": x > 0}


def inputs(case, generator, device):
    return [torch.randn(128, 64, generator=generator), torch.randn(128, generator=generator),
            torch.randn(40, 30, generator=generator).t()[::2]]
)";
    const Implementation solution = solution_of(R"(def solution(x, state, strided):
    state += x.sum(1)
    strided *= 2
    z = torch.complex(x[:, 0::2], -x[:, 1::2])
    return {"view": x.t().contiguous(), "list": [-x, 128], "conjugated": z, "sum": x.sum(), "bits": x.gt(0)}
)");
    const VerifyResult verified = verify(verify_callable(definition, solution), *backend_, testing::no_progress, {});
    EXPECT_EQ(verified.status, Status::ok) << verified.reason;
    const BenchResult timed =
        bench(testing::bench_callable(definition, solution), *backend_, testing::no_progress, {}).front();
    EXPECT_EQ(timed.status, Status::ok) << timed.reason;
    EXPECT_GT(timed.compared_calls, 0);
}

TEST_F(Callable, IsJudgedInTheCasesDtypeWhereTheReferenceDoesNotRunInFloat64) {
    const std::string definition = R"(import numpy
import torch


def reference(x):
    return torch.from_numpy(numpy.tanh(x.numpy().astype(numpy.float32)))


def inputs(case, generator, device):
    return [torch.randn(9, 9, generator=generator)]
)";
    const VerifyResult result = verified(definition, solution_of("def solution(x):\n    return torch.tanh(x)\n"));
    EXPECT_EQ(result.status, Status::ok) << result.reason;
    EXPECT_THAT(result.warnings, ::testing::Contains(HasSubstr("did not run in float64")));
}

struct Wrong {
    const char* body;
    Status status;
    const char* reason;
};

TEST_F(Callable, EndsInAStatusWhereItIsWrong) {
    const Wrong all[] = {
        {"return x", Status::mismatch, "out"},
        {"return torch.zeros_like(x)", Status::mismatch, "out"},
        {"return torch.empty_like(x)", Status::unwritten, "were not written"},
        {"return torch.relu(x.half() + bias.half()).float()", Status::mismatch, "out"},
        {"return torch.relu(x + bias).half()", Status::launch_failed, "dtype float16; the reference's is float32"},
        {"return torch.relu(x + bias).t()", Status::launch_failed, "shape"},
        {"return torch.relu(x + bias), 1", Status::launch_failed, "returns (tensor, tensor)"},
        {"return None", Status::launch_failed, "returns None"},
        {"return (each for each in [x])", Status::launch_failed, "generator"},
        {"return torch.relu(x + bias).to_sparse()", Status::launch_failed, "layout"},
        {"x.add_(bias); return x.relu_()", Status::input_modified, "in the definition's `mutates`"},
        {"return torch.relu(x + bias) * (1 + 1e-3 * torch.rand(1))", Status::mismatch, "out"},
        {"raise ValueError('on line five')", Status::launch_failed, "solution.py:5"},
        {"return torch.relu(x + bias", Status::build_failed, "solution.py"},
        {"import os; os.abort()", Status::crashed, ""},
    };
    for (const Wrong& each : all) {
        const VerifyResult result = of_relu(each.body);
        EXPECT_EQ(result.status, each.status) << each.body << ": " << result.reason;
        EXPECT_THAT(result.reason, HasSubstr(each.reason)) << each.body;
    }
}

TEST_F(Callable, IsRefusedWhereItsReferenceSaysNothing) {
    const std::string inputs =
        "\ndef inputs(case, generator, device):\n    return [torch.randn(3, 4, generator=generator)]\n";
    const VerifyResult infinite = verified("import torch\ndef reference(x):\n    return x / 0" + inputs,
                                           solution_of("def solution(x):\n    return x / 0\n"));
    EXPECT_EQ(infinite.status, Status::unavailable);
    EXPECT_THAT(infinite.reason, HasSubstr("no element of `out` is finite"));
    const VerifyResult constant = verified("import torch\ndef reference(x):\n    return torch.ones(3)" + inputs,
                                           solution_of("def solution(x):\n    return torch.ones(3)\n"));
    EXPECT_EQ(constant.status, Status::unavailable);
    EXPECT_THAT(constant.reason, HasSubstr("it is the same for all"));
}

/// The judge holds them as parts: two i32, an i8.
TEST_F(Callable, IsToldOfWrongIntegersByTheirWholeValues) {
    const std::string inputs =
        "def inputs(case, generator, device):\n    return [torch.randn(3, 4, generator=generator)]\n";
    const auto wrong = [&](const std::string& dtype, const std::string& value, const std::string& other) {
        const std::string made = "torch.full((3, 4), " + value + ", dtype=torch." + dtype + ")";
        const std::string reference =
            "import torch\ndef reference(x):\n    return " + made + " + (x > 9) + (x > 0).to(torch." + dtype + ")\n";
        return verified(reference + inputs, solution_of("def solution(x):\n    out = " + made + " + (x > 0).to(torch." +
                                                        dtype + ")\n    out[2, 1] = " + other + "\n    return out\n"))
            .cases.front();
    };
    for (const auto& [dtype, value, other] :
         {std::tuple{"int64", "5000000000", "-7"}, {"uint8", "200", "3"}, {"int16", "-300", "500"}}) {
        const CaseAccuracy found = wrong(dtype, value, other);
        ASSERT_EQ(found.first_mismatches.size(), 1u) << found.reason;
        const Mismatch& mismatch = found.first_mismatches.front();
        EXPECT_EQ(mismatch.index, (std::vector<std::int64_t>{2, 1})) << dtype;
        EXPECT_NEAR(mismatch.expected, std::stod(value), 1) << dtype;
        EXPECT_EQ(mismatch.actual, std::stod(other)) << dtype;
        EXPECT_THAT(found.reason, HasSubstr("1 of 12 elements")) << dtype;
        EXPECT_EQ(found.metrics.elements, 12) << dtype;
        EXPECT_NEAR(found.metrics.max_absolute, std::abs(std::stod(value) - std::stod(other)), 1) << dtype;
    }
}

TEST_F(Callable, HasAMeanErrorWhereTwoResultsAreInfinitelyWrong) {
    const std::string definition =
        "import torch\ndef reference(x):\n    return x + 1, x * 2\n"
        "def inputs(case, generator, device):\n    return [torch.randn(3, 4, generator=generator)]\n";
    const VerifyResult result = verified(definition, solution_of("def solution(x):\n    return x / 0, x * 2 / 0\n"));
    EXPECT_EQ(result.status, Status::mismatch);
    EXPECT_EQ(result.cases.front().metrics.mean_absolute, std::numeric_limits<double>::infinity());
    EXPECT_EQ(result.cases.front().metrics.mean_relative, std::numeric_limits<double>::infinity());
}

struct Refused {
    std::string text, reason;
};

/// Definitions that say nothing, or cannot be executed. Each begins with the line `import torch`.
std::vector<Refused> refused_definitions() {
    const std::string inputs =
        "\ndef inputs(case, generator, device):\n    return [torch.randn(3, 4, generator=generator)]\n";
    const std::string reference =
        "def reference(x, y=None):\n    return x * 2\ndef inputs(case, generator, device):\n    ";
    return {
        {"def reference(x):\n    return None" + inputs, "it returns no tensor"},
        {"def reference(x):\n    return x[:0]" + inputs, "is empty"},
        {"def reference(x):\n    return (i for i in [x])" + inputs, "generator"},
        {"def reference(x):\n    return x.to_sparse()" + inputs, "the result `out` is a sparse tensor"},
        {"def reference(x):\n    return torch.nn.functional.dropout(x)" + inputs, "differs between two calls"},
        {"class Model(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.w = "
         "torch.nn.Parameter(torch.full((4,), float('nan')))\n    def forward(self, x):\n        return x * self.w" +
             inputs,
         "the parameter `w` of `Model` holds NaN"},
        {"def reference(x):\n    return x +" + inputs, "definition.py:3: syntax error"},
        {"import nowhere_to_be_found\ndef reference(x):\n    return x" + inputs, "definition.py:2"},
        {"def reference_(x):\n    return x" + inputs, "there is neither `reference`"},
        {"def reference(x):\n    return x.nothing" + inputs, "definition.py:3"},
        {"mutates = ['z']\ndef reference(x):\n    return x * 2" + inputs, "`mutates` names `z`"},
        {"linked = ['z']\ndef reference(x):\n    return x * 2" + inputs, "`linked` names `z`"},
        {"preconditions = lambda x: bool((x > 9).all())\ndef reference(x):\n    return x" + inputs, "`preconditions`"},
        {reference + "return [torch.randn(int(torch.randint(2, 99, ())), 4)]", "the inputs differ from call to call"},
        {reference + "return [torch.frombuffer(bytearray(__import__('os').urandom(64)), dtype=torch.int8) * 1.0]",
         "not the same for the same seed"},
        {reference + "return [torch.randn(3, 4).to_sparse()]", "argument `x` is a sparse tensor"},
        {reference + "return [torch.quantize_per_tensor(torch.randn(3), 0.1, 0, torch.qint8)]", "a quantized tensor"},
        {reference + "return [torch.randn(3), (i for i in [1])]", "argument `y` is a generator"},
        {reference + "return torch.randn(3)", "`inputs` returns a Tensor"},
        {reference + "raise KeyError('on line five')", "definition.py:5"},
    };
}

TEST_F(Callable, IsRefusedWithLineAndCauseWhereItsDefinitionIsOfNoUse) {
    const std::vector<Refused> all = refused_definitions();
    json texts = json::array();
    for (const Refused& each : all) texts.push_back("import torch\n" + each.text + "\n");
    const std::string script = std::string(KERNELGEN_SOURCE_DIR) + "/tests/core_python/describe_all.py";
    const Result<Finished> finished = run_to_end(
        {.arguments = {python_program(), "-B", script, (resource_folder() / "python").string(), texts.dump()},
         .environment = {},
         .folder = {},
         .descriptors = {}});
    ASSERT_TRUE(finished) << finished.error().message;
    const json reasons = json::parse(finished->output, nullptr, false);
    ASSERT_EQ(reasons.size(), all.size()) << finished->output;
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_THAT(reasons[i].get<std::string>(), HasSubstr(all[i].reason)) << all[i].text;
    }
}

TEST_F(Callable, LeavesOutInputsOnWhichTheReferenceIsNotDefined) {
    const std::string definition = R"(import torch


def reference(p):
    return torch.log(p)


def inputs(case, generator, device):
    return [torch.rand(300, generator=generator) + 0.1]
)";
    // Right for positive numbers and NaN only.
    const VerifyResult result =
        verified(definition, solution_of("def solution(p):\n    return torch.log(p.abs() + 0)\n"));
    EXPECT_EQ(result.status, Status::mismatch) << "an infinity of the other sign has no logarithm";
    const VerifyResult right = verified(definition, solution_of("def solution(p):\n    return p.log()\n"));
    EXPECT_EQ(right.status, Status::ok) << right.reason;
    EXPECT_THAT(right.warnings, ::testing::Contains(HasSubstr("2 variations of the inputs were left out")));
}

}  // namespace
}  // namespace kernelgen
