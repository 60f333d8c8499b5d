// SPDX-License-Identifier: Apache-2.0
// Traced files whose tests go back through what is judged.
#include <gmock/gmock.h>

#include "tests/cli/program.h"
#include "tests/core_python/needs.h"

namespace kernelgen {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::Ran;

/// The square of x, scaled; `FACTOR` is 2 in a right backward pass.
const char* const square = R"(import torch
import triton
import triton.language as tl


@triton.jit
def square_kernel(x, out, n, scale, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + at, mask=at < n)
    tl.store(out + at, values * values * scale, mask=at < n)


@triton.jit
def slope_kernel(x, grad, out, n, scale, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + at, mask=at < n) * tl.load(grad + at, mask=at < n)
    tl.store(out + at, FACTOR * values * scale, mask=at < n)


class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        out = torch.empty_like(x)
        square_kernel[(triton.cdiv(x.numel(), 64),)](x, out, x.numel(), scale, BLOCK=64)
        ctx.save_for_backward(x)
        ctx.scale = scale
        return out

    @staticmethod
    def backward(ctx, grad):
        x, = ctx.saved_tensors
        out = TARGET
        slope_kernel[(triton.cdiv(x.numel(), 64),)](x, grad.contiguous(), out, x.numel(), ctx.scale, BLOCK=64)
        return out, None


def square(x, scale=2.0):
    return Square.apply(x, scale)


)";

class TracedBackward : public testing::ProgramTest {
protected:
    void SetUp() override {
        ProgramTest::SetUp();
        NEEDS(Language::triton);
    }
    Ran trace(const std::string& tests, const std::string& factor = "2",
              const std::string& target = "torch.empty_like(x)",
              const std::string& reference = "lambda x, scale: scale * x ** 2") {
        std::string text = square + tests;
        text.replace(text.find("FACTOR"), 6, factor);
        text.replace(text.find("TARGET"), 6, target);
        EXPECT_TRUE(write_file_atomic(folder / "square.py", text));
        std::filesystem::remove_all(folder / "made");
        Ran ran = kernelgen({"import", "square.py", "--trace", "-o", "made", "--reference", reference});
        EXPECT_EQ(ran.exit.status, 0) << ran.errors;
        return ran;
    }
    std::string definition() { return read_file(folder / "made/definition.py").value_or(""); }
};

const std::string goes_back =
    "x = torch.randn(100, device='cuda', requires_grad=True)\nsquare(x, 3.0).sum().backward()\n";

TEST_F(TracedBackward, MayFollowACallOfTheSameFormWithoutGradients) {
    trace("x = torch.randn(100, device='cuda')\nsquare(x, 3.0)\nx.requires_grad_()\nsquare(x, 3.0).sum().backward()\n");
    EXPECT_THAT(definition(), HasSubstr("backward = ['x']"));
}

TEST_F(TracedBackward, IsJudgedByItsGradients) {
    EXPECT_THAT(trace(goes_back).output, HasSubstr("the backward pass is judged too: gradients of x"));
    EXPECT_THAT(definition(), HasSubstr("backward = ['x']"));
    const Ran right = kernelgen({"verify", "made"});
    EXPECT_EQ(right.exit.status, 0) << right.output << right.errors;
    trace(goes_back, "3");
    const Ran wrong = kernelgen({"verify", "made"});
    EXPECT_EQ(wrong.exit.status, 3) << wrong.output << wrong.errors;
    EXPECT_THAT(wrong.output + wrong.errors, HasSubstr("grad_x"));
}

TEST_F(TracedBackward, IsLeftOutWhereItCannotBeJudged) {
    trace("square(torch.randn(100, device='cuda', requires_grad=True))\n");
    EXPECT_THAT(definition(), Not(HasSubstr("backward =")));
    EXPECT_THAT(trace(goes_back, "2", "x.detach()").output, HasSubstr("changes arguments of `square`"));
    EXPECT_THAT(definition(), Not(HasSubstr("backward =")));
    EXPECT_THAT(trace(goes_back, "2", "torch.empty_like(x)", "lambda x, scale: scale * x.detach() ** 2").output,
                HasSubstr("the reference has no gradients"));
    EXPECT_EQ(kernelgen({"verify", "made"}).exit.status, 0);
}

TEST_F(TracedBackward, IsLeftOutWhereACallChangesItsArguments) {
    const std::string in_place = R"(
def squared_into(x, out):
    out.copy_(square(x, 1.0).detach())
    return out * 1.0 + x.sum()


x = torch.randn(50, device="cuda", requires_grad=True)
squared_into(x, torch.zeros(50, device="cuda")).sum().backward()
)";
    const Ran ran =
        trace(in_place, "2", "torch.empty_like(x)", "lambda x, out: out.copy_(x.detach().square()) * 1.0 + x.sum()");
    EXPECT_THAT(ran.output,
                HasSubstr("the tests' backward pass is not judged: `squared_into` changes its arguments in place"));
    EXPECT_THAT(ran.output, Not(HasSubstr("backward = True"))) << "which is refused beside `mutates`";
    EXPECT_EQ(kernelgen({"verify", "made"}).exit.status, 0) << kernelgen({"verify", "made"}).output;
}

/// A refusal names the line of the file's function, and not of what records it.
TEST_F(TracedBackward, MayBeRefusedAtTheLineOfARegisteredOperator) {
    for (const char* const operation : {"custom_op", "triton_op"}) {
        const std::string text = std::string(square) + "@torch.library." + operation +
                                 "('mine::tripled', mutates_args=())\ndef tripled(x: torch.Tensor) -> torch.Tensor:\n"
                                 "    return square(x, 1.0)\n\n\ntripled(torch.randn(50, device='cuda'))\n";
        ASSERT_TRUE(write_file_atomic(folder / "square.py", text));
        const Ran ran = kernelgen({"import", "square.py", "--trace", "-o", "made", "--reference", "lambda x: x.sum()"});
        EXPECT_EQ(ran.exit.status, 1) << ran.output;
        const auto line = 1 + std::ranges::count(text.substr(0, text.find("@torch.library")), '\n');
        EXPECT_THAT(ran.errors, HasSubstr("square.py: line " + std::to_string(line) + ":")) << operation;
    }
}

TEST_F(TracedBackward, MayBeOfARegisteredOperator) {
    trace(R"(
@torch.library.custom_op("mine::cubed", mutates_args=())
def cubed(x: torch.Tensor) -> torch.Tensor:
    return square(x, 1.0) * x


def keep(ctx, inputs, output):
    ctx.save_for_backward(*inputs)


cubed.register_autograd(lambda ctx, grad: 3 * grad * ctx.saved_tensors[0] ** 2, setup_context=keep)
x = torch.randn(50, device="cuda", requires_grad=True)
cubed(x).sum().backward()
)",
          "2", "torch.empty_like(x)", "lambda x: x ** 3");
    EXPECT_THAT(definition(), HasSubstr("backward = ['x']"));
    const Ran right = kernelgen({"verify", "made"});
    EXPECT_EQ(right.exit.status, 0) << right.output << right.errors;
}

}  // namespace
}  // namespace kernelgen
