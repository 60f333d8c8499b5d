// SPDX-License-Identifier: Apache-2.0
// Traced files whose arguments belong together: tables, what a forward pass saved, orders and offsets.
#include <gmock/gmock.h>

#include "tests/cli/program.h"
#include "tests/core_python/needs.h"

namespace kernelgen {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using testing::Ran;

const char* const imports = "import torch\nimport triton\nimport triton.language as tl\n";

/// Reads the first half of each row of the tables, as the second half is equal.
const char* const rotary = R"(

@triton.jit
def rotary_kernel(x, cos, sin, out, L, D: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, D // 2)
    c, s = tl.load(cos + (row % L) * D + at), tl.load(sin + (row % L) * D + at)
    a, b = tl.load(x + row * D + at), tl.load(x + row * D + D // 2 + at)
    tl.store(out + row * D + at, a * c - b * s)
    tl.store(out + row * D + D // 2 + at, b * c + a * s)


def rotary(x, cos, sin):
    out = torch.empty_like(x)
    rotary_kernel[(x.shape[0] * x.shape[1],)](x, cos, sin, out, x.shape[1], D=x.shape[2])
    return out


def tables(length, dim):
    inverse = 1.0 / (10000 ** (torch.arange(0, dim, 2, device="cuda").float() / dim))
    angles = torch.einsum("i,j->ij", torch.arange(length, device="cuda", dtype=inverse.dtype), inverse)
    angles = torch.cat((angles, angles), dim=-1)
    return angles.cos(), angles.sin()


def test_rotary():
    rotary(torch.randn(2, 8, 16, device="cuda"), *tables(8, 16))


test_rotary()
)";
const char* const rotary_reference =
    "lambda x, cos, sin: x * cos + torch.cat((-x.chunk(2, -1)[1], x.chunk(2, -1)[0]), -1) * sin";

/// The backward pass takes what the forward one saved; its reference computes it.
const char* const norm = R"(

@triton.jit
def norm_kernel(x, rstd, N: tl.constexpr):
    row = tl.program_id(0)
    values = tl.load(x + row * N + tl.arange(0, N))
    tl.store(rstd + row, 1 / tl.sqrt(tl.sum(values * values) / N + 1e-6))


@triton.jit
def norm_backward_kernel(dy, x, rstd, dx, N: tl.constexpr):
    at = tl.program_id(0) * N + tl.arange(0, N)
    values, r, g = tl.load(x + at), tl.load(rstd + tl.program_id(0)), tl.load(dy + at)
    tl.store(dx + at, r * (g - values * tl.sum(g * values) / N * r * r))


def saved_by_kernel(x):
    rstd = torch.empty(x.shape[0], device=x.device)
    norm_kernel[(x.shape[0],)](x, rstd, N=x.shape[1])
    return rstd


def saved_by_torch(x):
    return torch.rsqrt(x.pow(2).mean(-1) + 1e-6)


def norm_backward(dy, x, rstd):
    dx = torch.empty_like(x)
    norm_backward_kernel[(x.shape[0],)](dy, x, rstd, dx, N=x.shape[1])
    return dx


x = torch.randn(6, 32, device="cuda")
)";
const char* const norm_reference =
    "lambda dy, x, rstd: torch.autograd.grad((t := x.detach().requires_grad_()) * torch.rsqrt(t.pow(2).mean(-1, "
    "keepdim=True) + 1e-6), t, dy)[0]";

class TracedTogether : public testing::ProgramTest {
protected:
    void SetUp() override {
        ProgramTest::SetUp();
        NEEDS(Language::triton);
    }
    void trace(const std::string& text, const std::string& reference, const std::string& entry) {
        ASSERT_TRUE(write_file_atomic(folder / "traced.py", imports + text));
        traced =
            kernelgen({"import", "traced.py", "--trace", "--reference", reference, "--entry", entry, "-o", "made"});
        ASSERT_EQ(traced.exit.status, 0) << traced.errors;
        definition = read_file(folder / "made/definition.py").value_or("");
    }
    Ran verify() { return kernelgen({"verify", "made"}); }

    Ran traced;
    std::string definition;
};

class NightlyTracedTogether : public TracedTogether {};

TEST_F(TracedTogether, TablesAreMadeAsTheTestsMadeThem) {
    trace(rotary, rotary_reference, "rotary");
    EXPECT_THAT(traced.output, HasSubstr("`cos`, `sin`: these are made as the tests made them"));
    EXPECT_THAT(definition, HasSubstr("linked = ['cos', 'sin']"));
    EXPECT_THAT(definition, HasSubstr("torch.einsum('i,j->ij', "));
    EXPECT_THAT(definition, HasSubstr("return [normal(2, 8, 16), made_"));
    const Ran verified = verify();
    EXPECT_EQ(verified.exit.status, 0) << verified.output;
    EXPECT_THAT(verified.output, HasSubstr("`cos`, `sin`: `linked` of the definition says that these belong together"));
    EXPECT_THAT(verified.output, HasSubstr("`cos`, `sin`: these have the same values for all seeds"));
}

/// A line that takes any arguments has no names for those that belong together.
TEST_F(TracedTogether, MayHaveAReferenceWithoutTheirNames) {
    trace(rotary, "lambda x, *tables: (" + std::string(rotary_reference) + ")(x, *tables)", "rotary");
    const Ran verified = verify();
    EXPECT_EQ(verified.exit.status, 0) << verified.output << verified.errors;
}

TEST_F(NightlyTracedTogether, WhatPyTorchSavedIsMadeAnewForEachSeed) {
    trace(std::string(norm) + "norm_backward(torch.randn(6, 32).cuda(), x, saved_by_torch(x))\n", norm_reference,
          "norm_backward");
    EXPECT_THAT(definition, HasSubstr("linked = ['x', 'rstd']"));
    EXPECT_THAT(definition, Not(HasSubstr("kept")));
    const Ran verified = verify();
    EXPECT_EQ(verified.exit.status, 0) << verified.output;
    EXPECT_THAT(verified.output, Not(HasSubstr("the same values for all seeds")));
}

TEST_F(TracedTogether, WhatAKernelSavedKeepsItsValues) {
    trace(std::string(norm) + "norm_backward(torch.randn(6, 32).cuda(), x, saved_by_kernel(x))\n", norm_reference,
          "norm_backward");
    EXPECT_THAT(traced.output, HasSubstr("`x`, `rstd`: these keep the values that they had in the tests"));
    const Ran verified = verify();
    EXPECT_EQ(verified.exit.status, 0) << verified.output;
    EXPECT_THAT(verified.output, HasSubstr("`x`, `rstd`: these have the same values for all seeds"));
    const std::string remembers = definition + R"(
known = {}


def norm_backward(dy, x, rstd):
    key = float(rstd.sum()), float(x.sum())
    if key not in known:
        known[key] = reference(dy, x, rstd)
    return known[key].clone()
)";
    ASSERT_TRUE(write_file_atomic(folder / "made/solution.py", remembers));
    EXPECT_THAT(verify().output, HasSubstr("mismatch"));
}

/// A candidate could remember the results of inputs that never change.
TEST_F(NightlyTracedTogether, InputsOnWhichAllDependsAreDrawnApart) {
    trace(std::string(norm) +
              "def scaled(x, rstd):\n    return norm_backward(x, x, rstd)\n\n\nscaled(x, saved_by_kernel(x))\n",
          "lambda x, rstd: rstd[:, None] * (x - x * x.pow(2).mean(-1, keepdim=True) * rstd[:, None] ** 2)", "scaled");
    EXPECT_THAT(traced.output, HasSubstr("`x`, `rstd`: these are drawn one by one"));
    EXPECT_THAT(definition, Not(HasSubstr("linked")));
    EXPECT_EQ(verify().exit.status, 0) << verify().output;
}

TEST_F(NightlyTracedTogether, SizesReadFromIntegersStayWithThem) {
    trace(
        R"(

@triton.jit
def sums_kernel(x, starts, out, LONGEST: tl.constexpr):
    first, end = tl.load(starts + tl.program_id(0)), tl.load(starts + tl.program_id(0) + 1)
    at = first + tl.arange(0, LONGEST)
    tl.store(out + tl.program_id(0), tl.sum(tl.load(x + at, mask=at < end, other=0.0)))


def sums(x, starts, longest):
    out = torch.empty(starts.numel() - 1, device=x.device)
    sums_kernel[(out.numel(),)](x, starts, out, LONGEST=triton.next_power_of_2(longest))
    return out


lengths = torch.randint(1, 20, (40,), device="cuda")
starts = torch.nn.functional.pad(lengths.cumsum(0), (1, 0))
sums(torch.randn(int(starts[-1]), device="cuda"), starts, int(lengths.max()))
)",
        "lambda x, starts, longest: torch.stack([x[a:b].sum() for a, b in zip(starts.tolist(), starts.tolist()[1:])])",
        "sums");
    EXPECT_EQ(verify().exit.status, 0) << verify().output;
}

TEST_F(NightlyTracedTogether, AnOrderIsThatOfItsKeysForEachSeed) {
    trace(R"(

@triton.jit
def picked_kernel(x, keys, order, out, N: tl.constexpr):
    place = tl.load(order + tl.arange(0, N))
    tl.store(out + tl.arange(0, N), tl.load(x + place) * tl.load(keys + place))


def picked(x, keys, order):
    out = torch.empty_like(x)
    picked_kernel[(1,)](x, keys, order, out, N=x.numel())
    return out


keys = torch.randint(0, 9, (64,), device="cuda").float()
picked(torch.randn(64, device="cuda"), keys, keys.argsort(stable=True))
)",
          "lambda x, keys, order: (x * keys)[keys.argsort(stable=True)]", "picked");
    EXPECT_THAT(definition, HasSubstr("argsort"));
    EXPECT_EQ(verify().exit.status, 0) << verify().output;
}

}  // namespace
}  // namespace kernelgen
