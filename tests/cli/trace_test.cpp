// SPDX-License-Identifier: Apache-2.0
// Triton files with their test calls, as people publish them, from the file to a verified project.
#include <gmock/gmock.h>

#include "tests/cli/traced_file.h"

namespace kernelgen {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::Ran;
using testing::TracedFile;

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
    EXPECT_THAT(ran.errors,
                HasSubstr("scaled(x: float32[100], scale: 2.0, bias: None, mode: 'tanh') gave float32[100]"));
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
    EXPECT_THAT(trace("").errors, HasSubstr("there is no reference for the call scaled("));
    const Ran ran = trace("lambda x, made_with: torch.tanh(x) * 2 + made_with['held']", {"--entry", "Held"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    EXPECT_EQ(kernelgen({"verify", "made"}).exit.status, 0) << kernelgen({"verify", "made"}).output;
}

}  // namespace
}  // namespace kernelgen
