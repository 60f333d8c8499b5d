// SPDX-License-Identifier: Apache-2.0
// Triton files with their test calls, as people publish them, from the file to a verified project.
#include <gmock/gmock.h>

#include "tests/cli/program.h"
#include "tests/core_python/needs.h"

namespace kernelgen {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Ran;

const char* const kernels = R"(import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.autotune(configs=[triton.Config({"BLOCK": 64}, num_warps=2), triton.Config({"BLOCK": 128})], key=["n"])
@triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
@triton.jit
def scaled_kernel(x, out, n, scale, BLOCK: tl.constexpr, EVEN: "tl.constexpr"):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + at, mask=at < n)
    tl.store(out + at, libdevice.tanh(values) * scale, mask=at < n)
)";

const char* const wrapper = R"(

def scaled(x, scale=2.0, bias=None, mode="tanh"):
    assert x.is_cuda and mode == "tanh"
    out = torch.empty_like(x)
    with torch.cuda.device(x.device):
        scaled_kernel[lambda meta: [triton.cdiv(x.numel(), meta["BLOCK"])]](x, out, x.numel(), scale)
    return out if bias is None else out + bias


def torch_scaled(x, scale=2.0):
    return torch.tanh(x) * scale


def test_scaled():
    short = scaled(torch.randn(100, device="cuda"))
    long = scaled(torch.randn(3, 64, device="cuda"), 0.5)
    return short, long


)";

class TracedFile : public testing::ProgramTest {
protected:
    void SetUp() override {
        ProgramTest::SetUp();
        NEEDS(Language::triton);
    }
    void write(const std::string& tests) {
        ASSERT_TRUE(write_file_atomic(folder / "scaled.py", std::string(kernels) + wrapper + tests));
    }
    Ran trace(const std::string& reference, const std::vector<std::string>& further = {}) {
        std::vector<std::string> arguments = {"import", "scaled.py", "--trace", "-o", "made"};
        if (!reference.empty()) arguments.insert(arguments.end(), {"--reference", reference});
        arguments.insert(arguments.end(), further.begin(), further.end());
        return kernelgen(arguments);
    }
    std::string made(const std::string& file) { return read_file(folder / "made" / file).value_or(""); }
};

class NightlyTracedFile : public TracedFile {};

TEST_F(TracedFile, BecomesAProjectThatVerifies) {
    write("result_gold = test_scaled()\nprint(result_gold)\n");
    const Ran ran = trace("lambda x, scale: torch.tanh(x) * scale");
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    EXPECT_THAT(made("solution.py"), HasSubstr("# result_gold = test_scaled()\n# print(result_gold)"));
    EXPECT_THAT(made("definition.py"), HasSubstr("normal(3, 64"));
    const Ran verified = kernelgen({"verify", "made"});
    EXPECT_EQ(verified.exit.status, 0) << verified.output << verified.errors;
    EXPECT_THAT(verified.output, HasSubstr("call_2"));
}

/// The answers for a machine without a GPU are there in each process, however the file imports Triton.
TEST_F(TracedFile, MayImportTritonBesideOthers) {
    const std::string text = R"(import torch, triton, triton.language as tl


@triton.jit
def twice_kernel(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, 2 * tl.load(x + at, mask=at < n), mask=at < n)


def twice(x):
    assert x.is_cuda
    out = torch.empty_like(x)
    twice_kernel[(triton.cdiv(x.numel(), 64),)](x, out, x.numel(), BLOCK=64)
    return out


twice(torch.randn(100, device="cuda"))
)";
    ASSERT_TRUE(write_file_atomic(folder / "scaled.py", text));
    const Ran ran = trace("lambda x: 2 * x");
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    const Ran verified = kernelgen({"verify", "made"});
    EXPECT_EQ(verified.exit.status, 0) << verified.output << verified.errors;
}

TEST_F(TracedFile, IsNotExecutedUnlessAsked) {
    write("open('executed', 'w').close()\n");
    EXPECT_EQ(kernelgen({"import", "scaled.py"}).exit.status, 1);
    EXPECT_THAT(kernelgen({"import", "scaled.py", "--reference", "torch_scaled"}).errors, HasSubstr("add --trace"));
    EXPECT_FALSE(std::filesystem::exists(folder / "executed"));
}

TEST_F(TracedFile, TakesAFunctionOfTheFileAsReference) {
    write("if __name__ == '__main__':\n    print('x' * 30_000_000)\n    test_scaled()\n");
    const Ran ran = trace("torch_scaled");
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    EXPECT_THAT(made("definition.py"), HasSubstr("def torch_scaled(x, scale=2.0):"));
    EXPECT_EQ(kernelgen({"verify", "made"}).exit.status, 0);
}

TEST_F(TracedFile, SaysWhatItWouldGuessAndWhatToType) {
    write("test_scaled()\n");
    const Ran ran = trace("");
    EXPECT_EQ(ran.exit.status, 1);
    EXPECT_THAT(ran.errors, HasSubstr("scaled(x: float32[100], scale: 2.0, bias: None, mode: tanh) gave float32[100]"));
    EXPECT_THAT(ran.errors, HasSubstr("the guess would be --reference 'torch_scaled'"));
    EXPECT_THAT(ran.errors, HasSubstr("--reference 'lambda x, scale, bias, mode: …'"));
}

TEST_F(TracedFile, FindsWhatChangesInPlaceAndWhichIntegersAreIndices) {
    const std::string in_place = R"(

@triton.jit
def row_kernel(src, rows, dst, WIDTH: tl.constexpr):
    row = tl.load(rows + tl.program_id(0))
    at = tl.arange(0, WIDTH)
    tl.store(dst + row * WIDTH + at, tl.load(src + tl.program_id(0) * WIDTH + at))


class Rows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, tensors, rows, dst):
        row_kernel[(rows.numel(),)](tensors[0], rows, dst, WIDTH=tensors[0].shape[1])


Rows.apply([torch.randn(4, 8, device="cuda")], torch.tensor([3, 0, 5, 1], device="cuda"), torch.zeros(6, 8).cuda())
)";
    write(in_place);
    const Ran ran = trace("lambda tensors, rows, dst: dst.index_copy(0, rows, tensors[0])");
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    EXPECT_THAT(made("definition.py"), HasSubstr("mutates = ['dst']"));
    EXPECT_THAT(made("definition.py"), HasSubstr("torch.tensor([3, 0, 5, 1], dtype=torch.int64, device=device)"));
    EXPECT_EQ(kernelgen({"verify", "made"}).exit.status, 0) << kernelgen({"verify", "made"}).output;
}

TEST_F(NightlyTracedFile, MayWrapItsKernelForPyTorchsCompilerAndHaveWordsOfBits) {
    write(R"(

@triton.jit
def low_kernel(words, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, (tl.load(words + at, mask=at < n) & 15).to(tl.float32), mask=at < n)


def low(words, scale):
    out = torch.empty(words.shape, device=words.device)
    torch.library.wrap_triton(low_kernel)[(triton.cdiv(words.numel(), 64),)](words, out, words.numel(), BLOCK=64)
    return out * scale


low(torch.randint(-2**31, 2**31 - 1, (100,), dtype=torch.int32, device="cuda"),
    torch.rand(100, device="cuda", requires_grad=True))
)");
    const Ran ran = trace("lambda words, scale: (words & 15).float() * scale");
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    EXPECT_THAT(made("definition.py"), HasSubstr("integers(100, dtype=torch.int32, low=-"));
    EXPECT_THAT(ran.output + ran.errors, HasSubstr("arguments that require gradients"));
    EXPECT_EQ(kernelgen({"verify", "made"}).exit.status, 0) << kernelgen({"verify", "made"}).output;
}

TEST_F(NightlyTracedFile, MayHaveAKernelWithAParameterNamedAsALaunchOption) {
    const std::string text = R"(import torch
import triton
import triton.language as tl


@triton.jit
def times_kernel(x, out, n, num_warps: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, num_warps * tl.load(x + at, mask=at < n), mask=at < n)


def times(x):
    out = torch.empty_like(x)
    times_kernel[(triton.cdiv(x.numel(), 64),)](x, out, x.numel(), num_warps=4, BLOCK=64)
    return out


times(torch.randn(100, device="cuda"))
)";
    ASSERT_TRUE(write_file_atomic(folder / "scaled.py", text));
    const Ran ran = trace("lambda x: 4 * x");
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    const Ran verified = kernelgen({"verify", "made"});
    EXPECT_EQ(verified.exit.status, 0) << verified.output << verified.errors;
}

TEST_F(NightlyTracedFile, MayConvertNumbersInItsKernel) {
    ASSERT_TRUE(write_file_atomic(folder / "scaled.py", R"(import torch
import triton
import triton.language as tl


@triton.jit
def scaled_kernel(x, out, n, scale, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    values = tl.load(x + at, mask=at < n)
    tl.store(out + at, values * scale.to(values.dtype), mask=at < n)


def scaled(x, scale):
    out = torch.empty_like(x)
    scaled_kernel[(1,)](x, out, x.numel(), scale, BLOCK=128)
    return out


scaled(torch.randn(100), 0.3)
)"));
    ASSERT_EQ(trace("lambda x, scale: x * scale").exit.status, 0);
    const Ran verified = kernelgen({"verify", "made"});
    EXPECT_EQ(verified.exit.status, 0) << verified.output << verified.errors;
}

TEST_F(TracedFile, NeedsNothingOfTheFileForAReferencesOwnParameters) {
    write("x = torch.randn(100, device='cuda')\nscaled(x)\n");
    ASSERT_EQ(trace("lambda x: 2 * torch.tanh(x)").exit.status, 0);
    EXPECT_THAT(made("definition.py"), Not(HasSubstr("cuda")));
    std::filesystem::remove_all(folder / "made");
    ASSERT_EQ(trace("lambda y: 2 * torch.tanh(y) + 0 * x").exit.status, 0);
    EXPECT_THAT(made("definition.py"), HasSubstr("\nx = torch.randn(100"));
}

TEST_F(NightlyTracedFile, GivesByPlaceWhatHasNoName) {
    write(
        "def into(x, /, *, out):\n    out.copy_(scaled(x))\n    return out\n\n\n"
        "into(torch.randn(9, device='cuda'), out=torch.zeros(9).cuda())\n");
    const Ran ran = trace("lambda x, out: torch.tanh(x) * 2");
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    EXPECT_EQ(kernelgen({"verify", "made"}).exit.status, 0) << kernelgen({"verify", "made"}).output;
}

TEST_F(TracedFile, LeavesOutCallsWhoseResultsAreNotFinite) {
    write("scaled(torch.randn(4, device='cuda'), float('inf'))\nscaled(torch.randn(9, device='cuda'))\n");
    const Ran ran = trace("lambda x, scale: torch.tanh(x) * scale");
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    EXPECT_THAT(ran.output, HasSubstr("of 2 calls 1 are left out"));
}

TEST_F(TracedFile, KeepsTheCallsBeforeTheOneThatFails) {
    write("scaled(torch.randn(10, device='cuda'))\nscaled(torch.randn(10, device='cuda'), mode='other')\n");
    const Ran ran = trace("lambda x: torch.tanh(x) * 2");
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    EXPECT_THAT(ran.output, HasSubstr("the tests ended here (AssertionError)"));
    EXPECT_THAT(made("definition.py"), Not(HasSubstr("call_2")));
}

TEST_F(TracedFile, NamesTheReadBeyondATensorThatCrashes) {
    const std::string text = R"(import torch
import triton
import triton.language as tl


@triton.jit
def picked_kernel(x, out, starts, n):
    row = tl.program_id(0)
    first = tl.load(starts + row + 1)  # the last row has none
    tl.store(out + row, tl.load(x + first * 0 + row.to(tl.int64) // 2 * 1000000000000))


def picked(x, starts):
    out = torch.empty_like(starts, dtype=x.dtype)
    picked_kernel[(starts.numel(),)](x, out, starts, x.numel())
    return out


picked(torch.randn(100, device="cuda"), torch.tensor([0, 0, 0], device="cuda"))
)";
    ASSERT_TRUE(write_file_atomic(folder / "scaled.py", text));
    const Ran ran = trace("lambda x, starts: x[starts]");
    EXPECT_EQ(ran.exit.status, 1);
    EXPECT_THAT(ran.errors, HasSubstr("scaled.py: line 9: "));
    EXPECT_THAT(ran.errors, HasSubstr("accesses element 3 of `starts`, which has 3 elements"));
}

/// `scaled` with tests that pytest, unittest or a benchmark call.
class TracedTests : public TracedFile {
protected:
    std::string cases_of(const std::string& tests) {
        std::filesystem::remove_all(folder / "made");
        write(tests);
        const Ran ran = trace("lambda x, scale: torch.tanh(x) * scale");
        EXPECT_EQ(ran.exit.status, 0) << ran.errors;
        EXPECT_THAT(ran.output, Not(HasSubstr("the tests ended here")));
        const std::size_t at = ran.output.find("cases: ");
        return ran.output.substr(at, ran.output.find('\n', at) - at);
    }
};

TEST_F(TracedTests, AreCalledAsPytestCallsThem) {
    const std::string tests = R"(
import os, pytest


@pytest.mark.parametrize("rows", [3, pytest.param(5, id="five")])
@pytest.mark.parametrize("columns, scale", [(16, 0.5), (33, 2.0)])
def test_rows(rows, columns, scale):
    if rows == 5 and columns == 33:
        pytest.skip("too odd")
    scaled(torch.randn(rows, columns, device="cuda"), scale)


@pytest.mark.skipif(True, reason="never")
def test_skipped():
    os._exit(1)


def test_with(fixture):
    os._exit(1)


if __name__ == "__main__":
    pytest.main([__file__])
)";
    EXPECT_EQ(cases_of(tests), "cases: call_1, call_2, call_3, call_4, call_5");  // two are of `test_scaled`
    EXPECT_THAT(made("definition.py"), AllOf(HasSubstr("normal(5, 16)"), Not(HasSubstr("normal(5, 33)"))));
    const Ran verified = kernelgen({"verify", "made"});
    EXPECT_EQ(verified.exit.status, 0) << verified.output << verified.errors;
}

TEST_F(TracedTests, MayBeAProgramWithArgumentsEventsAndStreams) {
    EXPECT_EQ(cases_of(R"(
import argparse
import unittest


class TestScaled(unittest.TestCase):
    def test_scaled(self):
        begun, ended = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begun.record()
        with torch.cuda.stream(torch.cuda.Stream()):
            scaled(torch.randn(argparse.ArgumentParser().parse_args() and 50, device="cuda"))
        ended.record()
        torch.cuda.current_stream().wait_event(ended)
        self.assertGreater(begun.elapsed_time(ended), 0)
        scaled(torch.randn(60, device="cuda"))


if __name__ == "__main__":
    unittest.main()
)"),
              "cases: call_1, call_2");
}

TEST_F(TracedTests, MayBeABenchmarkAlone) {
    const std::string benchmark = R"(
@triton.testing.perf_report(
    triton.testing.Benchmark(x_names=["n"], x_vals=[100, 1 << 28], line_arg="provider", line_vals=["triton", "torch"],
                             line_names=["Triton", "PyTorch"], plot_name="scaled", args={}))
def bench(n, provider):
    x = torch.randn(n, device="cuda")
    call = (lambda: scaled(x)) if provider == "triton" else (lambda: torch.tanh(x) * 2)
    milliseconds, low, high = triton.testing.do_bench(call, quantiles=[0.5, 0.2, 0.8])
    return n / milliseconds


bench.run(print_data=True, show_plots=True)
)";
    EXPECT_EQ(cases_of(benchmark), "cases: call_1");
    EXPECT_EQ(cases_of("test_scaled()\n" + benchmark), "cases: call_1, call_2");
}

TEST_F(TracedFile, MakesTunablesOfLiteralsThatALaunchUses) {
    write(R"(
WIDE_BLOCK = 128


@triton.jit
def doubled_kernel(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n) * 2, mask=at < n)


def doubled(x):
    out = torch.empty_like(x)
    doubled_kernel[(triton.cdiv(x.numel(), WIDE_BLOCK),)](x, out, x.numel(), WIDE_BLOCK)
    return out


doubled(torch.randn(1000, device="cuda"))
)");
    const Ran ran = trace("lambda x: x * 2");
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    EXPECT_THAT(ran.output, HasSubstr("tunables: WIDE_BLOCK=128"));
    EXPECT_EQ(kernelgen({"verify", "made", "--set", "WIDE_BLOCK=64"}).exit.status, 0);
}

TEST_F(TracedFile, MakesTunablesOfAutotunedConfigurations) {
    write("test_scaled()\n");
    const Ran ran = trace("torch_scaled");
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    EXPECT_THAT(ran.output,
                HasSubstr("line 10: the configurations of `scaled_kernel` are tunables now: BLOCK, num_warps"));
    EXPECT_THAT(made("solution.py"), HasSubstr(R"(

BLOCK = 64
num_warps = 2
@triton.autotune(configs=[triton.Config({"BLOCK": BLOCK}, num_warps=num_warps)], key=["n"])
@triton.heuristics({"EVEN":)"));
    const json variant = json::parse(made("project.json")).at("variants").at(0);
    EXPECT_EQ(variant.at("tunables"), json::parse(R"([{"name": "BLOCK", "values": [64, 128], "value": 64},
                                                      {"name": "num_warps", "values": [2, 4], "value": 2}])"));
    EXPECT_EQ(variant.at("restrictions"),
              json::array({"BLOCK == 64 and num_warps == 2 or BLOCK == 128 and num_warps == 4"}));
    EXPECT_EQ(kernelgen({"verify", "made", "--set", "BLOCK=128", "--set", "num_warps=4"}).exit.status, 0);
    EXPECT_THAT(kernelgen({"verify", "made", "--set", "BLOCK=128"}).output,
                HasSubstr("BLOCK == 64 and num_warps == 2"));
}

const char* const two_tuned = R"(

def computed(blocks):
    return [triton.Config({"BLOCK": block}, num_warps=warps) for block in blocks for warps in (1, 2)]


@triton.autotune(computed([16, 32]), key=["n"])
@triton.jit
def times_block(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n) * BLOCK, mask=at < n)


@triton.autotune([triton.Config({"BLOCK": 8, "ADDS": True}), triton.Config({"BLOCK": 4, "ADDS": False})], key=["n"])
@triton.jit
def plus_one(x, n, BLOCK: tl.constexpr, ADDS: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + at, tl.load(x + at, mask=at < n) + (1 if ADDS else 0), mask=at < n)


@triton.autotune(configs=[triton.Config({"BLOCK": size}, pre_hook=lambda _: None) for size in (4, 8)], key=["n"])
@triton.jit
def hooked(x, n, BLOCK: tl.constexpr):
    pass


class Both(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        num_warps, out = x.numel(), torch.empty_like(x)
        times_block[lambda meta: (triton.cdiv(num_warps, meta["BLOCK"]),)](x, out, num_warps)
        plus_one[lambda meta: (triton.cdiv(num_warps, meta["BLOCK"]),)](out, num_warps)
        hooked[(1,)](out, num_warps)
        return out


Both.apply(torch.randn(40, device="cuda"))
)";

/// And classes made of Triton's own tuner take the first one too.
TEST_F(TracedFile, TakesTheFirstConfigurationThatPruningLeaves) {
    const std::string text = R"(import torch
import triton
import triton.language as tl
from triton.runtime.autotuner import Autotuner


class OwnTuner(Autotuner):
    pass


def few(configs, named, **_):
    return [each for each in configs if each.kwargs["BLOCK"] <= named["n"]]


configs = [triton.Config({"BLOCK": 256}, num_warps=8), triton.Config({"BLOCK": 64}), triton.Config({"BLOCK": 32})]


@triton.autotune(configs, key=["n"], prune_configs_by={"early_config_prune": few})
@triton.jit
def twice_kernel(x, out, n, BLOCK: tl.constexpr):
    tl.static_assert(BLOCK <= 100)
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, 2 * tl.load(x + at, mask=at < n), mask=at < n)


@lambda kernel: OwnTuner(kernel, kernel.arg_names, configs[1:], ["n"], None, None)
@triton.jit
def copy_kernel(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n), mask=at < n)


def twice(x):
    made, out = torch.empty_like(x), torch.empty_like(x)
    twice_kernel[lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)](x, made, x.numel())
    copy_kernel[lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)](made, out, x.numel())
    return out


twice(torch.randn(100, device="cuda"))
)";
    ASSERT_TRUE(write_file_atomic(folder / "scaled.py", text));
    const Ran ran = trace("lambda x: 2 * x");
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    EXPECT_THAT(ran.output, HasSubstr("BLOCK=64"));
    const Ran verified = kernelgen({"verify", "made"});
    EXPECT_EQ(verified.exit.status, 0) << verified.output << verified.errors;
}

TEST_F(NightlyTracedFile, GivesTheTunablesOfSeveralKernelsNamesOfTheirOwn) {
    write(two_tuned);
    const Ran ran = trace("lambda x: x * 16 + 1");
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    EXPECT_THAT(ran.output, HasSubstr("ADDS=1 plus_one_BLOCK=8 times_block_BLOCK=16 times_block_num_warps=1"));
    EXPECT_THAT(ran.output, HasSubstr("the configurations of `hooked` stay Triton's own choice"));
    EXPECT_THAT(made("solution.py"), HasSubstr(R"([triton.Config({"BLOCK": plus_one_BLOCK, "ADDS": bool(ADDS)})])"));
    EXPECT_EQ(kernelgen({"verify", "made"}).exit.status, 0) << kernelgen({"verify", "made"}).output;
    const Ran other = kernelgen({"verify", "made", "--set", "times_block_BLOCK=32"});
    EXPECT_THAT(other.output, HasSubstr("mismatch")) << other.errors;
}

TEST_F(NightlyTracedFile, KeepsConfigurationsWhereTestsAreMadeSmaller) {
    write(R"(

def configurations():
    return [triton.Config({"BLOCK": block}) for block in (128, 256)]


@triton.autotune(configurations(), key=["n"])
@triton.jit
def doubled_kernel(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n) * 2, mask=at < n)


def doubled(x):
    out = torch.empty_like(x)
    doubled_kernel[lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)](x, out, x.numel())
    return out


doubled(torch.randn(33554432, device="cuda"))
)");
    const Ran ran = trace("lambda x: x * 2", {"--timeout", "4s"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    EXPECT_THAT(ran.output, HasSubstr("integers over 64 were made smaller"));
    EXPECT_THAT(ran.output, HasSubstr("tunables: BLOCK=128"));
}

const char* const module = R"(

class Scaled(torch.nn.Module):
    def __init__(self, width, scale=2.0):
        super().__init__()
        self.mix = torch.nn.Linear(width, width)
        self.scale = scale

    def forward(self, key):
        mixed, out = self.mix(key), torch.empty_like(key)
        grid = lambda meta: (triton.cdiv(key.numel(), meta["BLOCK"]),)
        scaled_kernel[grid](mixed, out, key.numel(), self.scale if self.training else 1.0)
        return out


layer = Scaled(4).cuda()
layer(torch.randn(3, 4, device="cuda"))
Scaled(8, scale=0.5).cuda().eval()(torch.randn(2, 8, device="cuda"))
)";

TEST_F(TracedFile, JudgesAModuleAsAFunctionOfItsParametersToo) {
    write(module);
    const Ran ran = trace(
        "lambda key, mix_weight, mix_bias, made_with, training: "
        "torch.tanh(F.linear(key, mix_weight, mix_bias)) * (made_with['scale'] if training else 1.0)");
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    EXPECT_THAT(ran.output, Not(HasSubstr("differs")));
    EXPECT_THAT(ran.output, HasSubstr("tunables: BLOCK=64 num_warps=2"));
    EXPECT_THAT(made("definition.py"), HasSubstr("{'width': 8, 'scale': 0.5},\n            False,\n        ]"));
    const Ran verified = kernelgen({"verify", "made", "--set", "BLOCK=128", "--set", "num_warps=4"});
    EXPECT_EQ(verified.exit.status, 0) << verified.output << verified.errors;
    EXPECT_THAT(verified.output, HasSubstr("call_2"));
}

TEST_F(NightlyTracedFile, MakesAModuleOfTensorsForEachCall) {
    write(R"(

class Held(torch.nn.Module):
    def __init__(self, held):
        super().__init__()
        self.held = held

    def forward(self, x):
        return scaled(x) + self.held


Held(torch.randn(5, device="cuda"))(torch.randn(5, device="cuda"))
)");
    EXPECT_THAT(trace("").errors, HasSubstr("there is no reference for scaled("));
    const Ran ran = trace("lambda x, made_with: torch.tanh(x) * 2 + made_with['held']", {"--entry", "Held"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    EXPECT_EQ(kernelgen({"verify", "made"}).exit.status, 0) << kernelgen({"verify", "made"}).output;
}

struct Refusal {
    std::string tests, reference, said;
};

class TracedFileRefusal : public TracedFile, public ::testing::WithParamInterface<Refusal> {};

TEST_P(TracedFileRefusal, NamesTheCause) {
    write(GetParam().tests);
    const Ran ran = trace(GetParam().reference, {"--timeout", "3s"});
    EXPECT_EQ(ran.exit.status, 1);
    EXPECT_THAT(ran.errors, HasSubstr(GetParam().said));
    EXPECT_FALSE(std::filesystem::exists(folder / "made"));
}

const std::string called = "scaled(torch.randn(10, device='cuda'))\n";
const std::string right_reference = "lambda x: torch.tanh(x) * 2";

INSTANTIATE_TEST_SUITE_P(
    All, TracedFileRefusal,
    ::testing::Values(Refusal{"test_scaled = None\n", right_reference,
                              "nothing in the file calls a function that launches a Triton kernel"},
                      Refusal{"scaled(torch.randn(10), mode='other')\n", right_reference,
                              "line 17: its test calls fail: AssertionError"},
                      Refusal{"while True: pass\n", right_reference, "ended within 3 s"},
                      Refusal{"import os\nos._exit(7)\n", right_reference, "ended the process with status 7"},
                      Refusal{"import os\nos.kill(os.getpid(), 11)\n", right_reference, "SIGSEGV"},
                      Refusal{"import os\nif os.fork() == 0:\n    while True: pass\nexit(1)\n", right_reference,
                              "calls fail: SystemExit"}));
INSTANTIATE_TEST_SUITE_P(
    NightlyAll, TracedFileRefusal,
    ::testing::Values(
        Refusal{"import not_there\n", right_reference, "No module named 'not_there'"},
        Refusal{"torch.empty(1 << 50)\n", right_reference, "its test calls fail: RuntimeError"},
        Refusal{"scaled(torch.randn(10, device='cuda'), bias=type('Bias', (), {'__radd__': lambda *_: 0})())\n",
                right_reference, "argument `bias` is a Bias"},
        Refusal{std::string("class Many(torch.nn.Module):\n    def forward(self, *x):\n") +
                    "        scaled_kernel[(1,)](*x, x[0].numel(), 1.0)\n\n\n" +
                    "Many()(torch.randn(9).cuda(), torch.randn(9).cuda())\n",
                right_reference, "`Many` cannot be judged: it takes `*x`: these arguments have no names"},
        Refusal{called, "lambda x: torch.tanh(x", "does not parse"},
        Refusal{called, "lambda x: torch.tan_h(x)", "fails: AttributeError"},
        Refusal{called, "lambda x: torch.tanh(x).sum()", "the reference gives float32[] where scaled(x: float32[10]"},
        Refusal{called, "lambda x: (torch.tanh(x) * 2, None)",
                "the reference gives float32[10] in the form (tensor, None), not tensor, where scaled("},
        Refusal{called, "", "there is no reference"}, Refusal{"def (:\n", right_reference, "syntax error"}));

}  // namespace
}  // namespace kernelgen
