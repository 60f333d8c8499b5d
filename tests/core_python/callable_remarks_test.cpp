// SPDX-License-Identifier: Apache-2.0
// Remarks on candidates of a Python-defined operator, which are no faults; and checks on sizes that no case has.
#include <gmock/gmock.h>

#include "tests/core_python/callable_files.h"

namespace kernelgen {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::relu_definition;
using testing::solution_of;
using testing::verify_callable;

class CallableRemark : public ::testing::Test {
protected:
    void SetUp() override { NEEDS(Language::torch); }

    VerifyResult verified(const std::string& definition, const Implementation& solution) {
        return verify(verify_callable(definition, solution), *backend_, testing::no_progress, {});
    }

    Backend* backend_ = testing::host_backend();
};

TEST_F(CallableRemark, TellsWhoDoesTheWorkAndWhatMemoryItTakes) {
    const VerifyResult result = verified(relu_definition, solution_of(R"(def solution(x, bias):
    try:
        raise NotImplementedError("the kernel is not written yet")
    except NotImplementedError:
        return torch.relu(x + bias)
)"));
    EXPECT_EQ(result.status, Status::ok) << result.reason;
    EXPECT_THAT(result.warnings, Contains("`solution` launches no kernel of its own: the work is done by PyTorch's "
                                          "operators, aten::add, aten::relu"));
    EXPECT_THAT(result.warnings, Contains("a call on case `default` holds at most 309,600 B of memory beside its "
                                          "arguments; the reference 309,600 B (what PyTorch's allocator gives out)"));
    EXPECT_THAT(result.warnings.back().arguments(), ElementsAre("default", "309,600", "309,600"));
}

TEST_F(CallableRemark, SaysWhereNothingIsSeenToCompute) {
    const VerifyResult result = verified(relu_definition, solution_of(R"(import numpy


def solution(x, bias):
    return torch.from_numpy(numpy.maximum(x.numpy() + bias.numpy(), 0))
)"));
    EXPECT_EQ(result.status, Status::ok) << result.reason;
    EXPECT_THAT(result.warnings, Contains(HasSubstr("launches no kernel and calls no operator of PyTorch that "
                                                    "computes: what it returns lies in its arguments, or was "
                                                    "computed before, or elsewhere")));
}

/// A package that a file imports may load machine code that computes nothing of the call.
TEST_F(CallableRemark, DoesNotSayThatMachineCodeWhichIsLoadedIsCalled) {
    const VerifyResult result = verified(relu_definition, solution_of(R"(import ctypes
import shutil
import tempfile

with open("/proc/self/maps") as maps:
    library = next(line.split()[-1] for line in maps if "/libm.so" in line)
with tempfile.TemporaryDirectory() as folder:
    ctypes.CDLL(shutil.copy(library, folder + "/libown.so"))


def solution(x, bias):
    return torch.relu(x + bias)
)"));
    EXPECT_EQ(result.status, Status::ok) << result.reason;
    EXPECT_THAT(result.warnings,
                Contains(HasSubstr("launches no kernel that can be seen; PyTorch's operators that it calls: aten::add, "
                                   "aten::relu; machine code that it has loaded and may call: ")));
}

TEST_F(CallableRemark, NamesTheTritonKernelsThatAreLaunched) {
    NEEDS(Language::triton);
    Implementation solution = solution_of(R"(import triton
import triton.language as tl


@triton.jit
def add_relu(x, bias, y, n, m, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    value = tl.load(x + i, i < n) + tl.load(bias + i % m, i < n)
    tl.store(y + i, tl.maximum(value, 0, propagate_nan=tl.PropagateNan.ALL), i < n)


def solution(x, bias):
    y = torch.empty_like(x)
    add_relu[(triton.cdiv(x.numel(), 8192),)](x, bias, y, x.numel(), bias.numel(), BLOCK=8192)
    return y
)");
    solution.variant.language = Language::triton;
    const VerifyResult result = verified(relu_definition, solution);
    EXPECT_EQ(result.status, Status::ok) << result.reason;
    EXPECT_THAT(result.warnings, Contains("`solution` launches add_relu; PyTorch's operators that it calls: none"));
}

TEST_F(CallableRemark, IsMadeOfACandidateThatCallsTheReference) {
    const char* const ways[] = {
        "[each for name, each in sys.modules.items() if name.startswith('kernelgen_operator')]",
        "[each for each in gc.get_objects() if type(each).__name__ == 'Definition']",
    };
    const auto backend = testing::own_backend();  // definitions of other tests would be found, too
    for (const std::string way : ways) {
        const Implementation calls =
            solution_of("import gc\nimport sys\n\n\ndef solution(x, bias):\n    found = " + way +
                        "\n    found = [each for each in found if hasattr(each, 'reference')]"
                        "\n    return found[0].reference(x, bias)\n");
        const VerifyResult result = verify(verify_callable(relu_definition, calls), *backend, testing::no_progress, {});
        EXPECT_EQ(result.status, Status::ok) << way << result.reason;
        EXPECT_THAT(result.warnings, Contains(HasSubstr("calls the reference's own code, reference of definition.py")))
            << way;
    }
}

TEST_F(CallableRemark, TellsOfAPrecisionThatOnlyTheToleranceAllows) {
    const std::string definition = R"(import torch

tolerance = {"rtol": 2e-2, "atol": 1e-3}


def reference(x, w):
    return x * w


def inputs(case, generator, device):
    return [torch.randn(300, 129, generator=generator), torch.randn(129, generator=generator)]
)";
    const VerifyResult narrow =
        verified(definition, solution_of("def solution(x, w):\n    return (x.bfloat16() * w.bfloat16()).float()\n"));
    EXPECT_EQ(narrow.status, Status::ok) << narrow.reason;
    EXPECT_THAT(narrow.warnings, Contains(HasSubstr("`solution` calls aten::mul in bfloat16, a precision narrower")));
    EXPECT_THAT(narrow.warnings, Contains(AllOf(HasSubstr("right by the project's own tolerance only"),
                                                HasSubstr("elements of `out` are not within rtol 1.3e-06"))));
    const VerifyResult honest = verified(definition, solution_of("def solution(x, w):\n    return x * w\n"));
    EXPECT_EQ(honest.status, Status::ok) << honest.reason;
    EXPECT_THAT(honest.warnings, Not(Contains(HasSubstr("tolerance"))));
}

TEST_F(CallableRemark, TellsOfArgumentsThatNeverVary) {
    const std::string masked = R"(import torch


def reference(x, mask, out):
    out.copy_(torch.where(mask, x, 0))
    return x.sum(1)


mutates = ["out"]


def inputs(case, generator, device):
    return [torch.randn(40, 40, generator=generator), torch.ones(40, 40).tril() > 0, torch.zeros(40, 40)]
)";
    const VerifyResult result =
        verified(masked, solution_of("def solution(x, mask, out):\n    out.copy_(x.tril())\n    return x.sum(1)\n"));
    EXPECT_EQ(result.status, Status::ok) << result.reason;
    EXPECT_THAT(result.warnings, Contains(HasSubstr("`mask`: these have the same values for all seeds")));
}

TEST_F(CallableRemark, TellsOfParametersThatAreLeftOut) {
    const std::string module = R"(class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.LayerNorm(24)

    def forward(self, x):
        return )";
    const std::string definition =
        "import torch\n\n\n" + module + "self.norm(x)\n\n\ndef get_inputs():\n    return [torch.randn(10, 24)]\n";
    const VerifyResult without =
        verified(definition, solution_of(module + "torch.nn.functional.layer_norm(x, (24,))\n", "Model"));
    EXPECT_EQ(without.status, Status::ok) << "ones and zeros change nothing";
    EXPECT_THAT(without.warnings,
                Contains(HasSubstr("for the parameters norm.weight, norm.bias, which are all equal")));
    const VerifyResult with = verified(definition, solution_of(module + "self.norm(x)\n", "Model"));
    EXPECT_THAT(with.warnings, Not(Contains(HasSubstr("parameters"))));
}

/// x times the softmax of a weight of 64 x 48.
const std::string softmax_of_weight = R"(import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(64, 48))

    def forward(self, x):
        return x @ torch.softmax(self.weight, 0)


def get_inputs():
    return [torch.randn(10, 64)]
)";

/// Packing weights once is what libraries do, and is told; so is it where a change of the weights is not seen.
TEST_F(CallableRemark, TellsWhatAModuleKeepsOfItsParameters) {
    const std::string begin = R"(class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(64, 48))
        self.packed, self.version = None, -1

    def forward(self, x):
        if )",
                      end = R"(:
            self.packed, self.version = torch.softmax(self.weight, 0), self.weight._version
        return x @ self.packed
)";
    const std::pair<const char*, const char*> modules[] = {
        {"True", ""},
        {"self.version != self.weight._version",
         "`Model` calls aten::softmax only after its parameters have changed: it keeps what it computed of them"},
        {"self.packed is None", "it keeps what it computed of the earlier ones, or relies on them"},
    };
    int files = 0;
    for (const auto& [when, remark] : modules) {
        const std::string file = "solution" + std::to_string(++files) + ".py";
        const Implementation solution = solution_of(begin + when + end, "Model", file);
        const VerifyResult result = verified(softmax_of_weight, solution);
        EXPECT_EQ(result.status, Status::ok) << when << ": " << result.reason;
        if (*remark != 0) {
            EXPECT_THAT(result.warnings, Contains(HasSubstr(remark))) << when;
        } else {
            EXPECT_THAT(result.warnings, Not(Contains(HasSubstr("parameters"))));
        }
    }
}

TEST_F(CallableRemark, TellsOfResultsThatALaterCallOverwrites) {
    const std::string reuses = R"(pool, calls = [], [0]


def solution(x, bias):
    if len(pool) < 3:
        pool.append(torch.empty_like(x))
    calls[0] += 1
    return torch.add(x, bias, out=pool[calls[0] % len(pool)]).clamp_(min=0)
)";
    const VerifyResult seen = verified(relu_definition, solution_of(reuses, "solution", "reuses.py"));
    EXPECT_THAT(seen.warnings, Contains(HasSubstr("hands out memory again in which its earlier results lie")))
        << seen.reason;
    const VerifyResult fresh =
        verified(relu_definition,
                 solution_of("def solution(x, bias):\n    return torch.relu(x + bias)\n", "solution", "fresh.py"));
    EXPECT_THAT(fresh.warnings, Not(Contains(HasSubstr("hands out memory again"))));
}

/// Of parameters under other names nobody can tell what was computed of them in advance.
TEST_F(CallableRemark, TellsOfParametersThatAModuleDoesNotHave) {
    const std::string hidden = R"(class Hidden(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.packed = torch.softmax(torch.randn(64, 48), 0)

    def forward(self, x):
        return x @ self.packed
)";
    const VerifyResult seen = verified(softmax_of_weight, solution_of(hidden, "Hidden"));
    EXPECT_EQ(seen.status, Status::ok) << seen.reason;
    EXPECT_THAT(seen.warnings,
                Contains(HasSubstr("`Hidden` has no parameters weight as the reference's module has them")));
}

/// A candidate that was observed with other values of its parameters is timed with its own ones, also where its file
/// keeps things for all its modules.
TEST_F(CallableRemark, LeavesParametersAsTheyWere) {
    const std::string solution = R"(packed = []


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.randn(64, 48))

    def forward(self, x):
        if not packed or packed[0] != self.weight._version:
            packed[:] = self.weight._version, torch.softmax(self.weight, 0)
        return x @ packed[1]
)";
    const VerifyResult seen = verified(softmax_of_weight, solution_of(solution, "Model"));
    EXPECT_EQ(seen.status, Status::ok) << seen.reason;
    const BenchRequest timing = testing::bench_callable(softmax_of_weight, solution_of(solution, "Model"), "Model");
    const BenchResult timed = bench(timing, *backend_, testing::no_progress, {}).front();
    EXPECT_EQ(timed.status, Status::ok) << timed.reason;
}

/// The operator with a size `N`.
VerifyRequest of_any_size(const std::string& precondition, const std::string& body) {
    const std::string definition =
        "import torch\n\n\ndef reference(x):\n    return torch.tanh(x)\n\n\ndef inputs(case, generator, device):\n"
        "    return [torch.randn(3, case.N, generator=generator)]\n\n\ndef preconditions(x):\n    return " +
        precondition + "\n";
    VerifyRequest request = verify_callable(definition, solution_of("def solution(x):\n" + body));
    request.definition.symbols = {"N"};
    request.cases = {{"default", DType::f32, {{"N", 64}}}};
    return request;
}

TEST_F(CallableRemark, AwkwardSizesAreTriedWhereTheDefinitionTakesThem) {
    const std::string right = "    return torch.tanh(x)\n";
    const std::string tiles =
        "    y = torch.zeros_like(x)\n    for i in range(x.shape[1] // 8):\n"
        "        y[:, 8 * i : 8 * i + 8] = torch.tanh(x[:, 8 * i : 8 * i + 8])\n    return y\n";
    const VerifyResult whole = verify(of_any_size("True", right), *backend_, testing::no_progress, {});
    EXPECT_EQ(whole.status, Status::ok) << whole.reason;
    EXPECT_GT(whole.checks, 15) << "the case's and one for each size";
    const VerifyResult cut = verify(of_any_size("True", tiles), *backend_, testing::no_progress, {});
    EXPECT_EQ(cut.status, Status::mismatch);
    EXPECT_THAT(cut.reason, HasSubstr("case `N=1 f32`: "));
    const VerifyResult allowed = verify(of_any_size("x.shape[1] % 8 == 0", tiles), *backend_, testing::no_progress, {});
    EXPECT_EQ(allowed.status, Status::ok) << allowed.reason;
    EXPECT_THAT(allowed.warnings,
                Contains(HasSubstr("awkward sizes: the definition does not take them, the first: N=1")));
}

TEST_F(CallableRemark, OnlyTheSizesOfCasesAreTriedWhereTheDefinitionSaysSo) {
    const std::string for_one = "    return torch.tanh(x) if x.shape[1] == 64 else x\n";
    VerifyRequest request = of_any_size("True", for_one);
    request.reference->text += "\n\nonly_cases = True\ncases = [{'name': 'default', 'N': 64}]\n";
    const VerifyResult own = verify(request, *backend_, testing::no_progress, {});
    EXPECT_EQ(own.status, Status::ok) << own.reason;
    EXPECT_THAT(own.warnings, Not(Contains(HasSubstr("awkward sizes"))));
    request.cases.front().sizes = {{"N", 32}};
    const VerifyResult other = verify(request, *backend_, testing::no_progress, {});
    EXPECT_EQ(other.status, Status::unavailable);
    EXPECT_THAT(other.reason, HasSubstr("`only_cases` of definition.py allows no other sizes than those of the case"));
}

/// What the definition refuses is left out; what the candidate refuses is its fault, whatever it calls its error.
TEST_F(CallableRemark, OnlyTheDefinitionDecidesWhichSizesAreLeftOut) {
    const std::string refusing =
        "    class InductorError(Exception): pass\n    if x.shape[1] != 64: raise InductorError()\n"
        "    return torch.tanh(x)\n";
    const VerifyResult refused = verify(of_any_size("True", refusing), *backend_, testing::no_progress, {});
    EXPECT_NE(refused.status, Status::ok);
    EXPECT_THAT(refused.reason, HasSubstr("N=1"));
    VerifyRequest request = of_any_size("True", "    return torch.tanh(x)\n");
    const std::string reference = "    return torch.tanh(x)\n";
    std::string& text = request.reference->text;
    text.insert(text.find(reference), "    assert x.shape[1] % 8 == 0\n");
    const VerifyResult taken = verify(request, *backend_, testing::no_progress, {});
    EXPECT_EQ(taken.status, Status::ok) << taken.reason;
    EXPECT_THAT(taken.warnings, Contains(HasSubstr("the definition does not take them, the first: N=1")));
}

}  // namespace
}  // namespace kernelgen
