// SPDX-License-Identifier: Apache-2.0
// Gradients as results of a Python-defined operator, and modules that keep a state.
#include <gmock/gmock.h>

#include "tests/core_python/callable_files.h"

namespace kernelgen {
namespace {

using ::testing::HasSubstr;
using testing::solution_of;
using testing::verify_callable;

class CallableBackward : public ::testing::Test {
protected:
    void SetUp() override { NEEDS(Language::torch); }

    VerifyResult verified(const std::string& definition, const std::string& text, const std::string& entry) {
        return verify(verify_callable(definition, solution_of(text, entry)), *backend_, testing::no_progress, {});
    }

    Backend* backend_ = testing::host_backend();
};

/// A linear layer whose input and parameters have gradients.
const std::string linear_definition = R"(import torch

backward = ["x", "parameters"]


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(20, 12)

    def forward(self, x):
        return self.linear(x).relu()


def get_inputs():
    return [torch.randn(16, 20)]
)";

/// A candidate with a backward pass of its own. `gradient`: what it returns for x.
std::string linear_by_hand(const std::string& gradient, const std::string& result = "y.relu()") {
    return R"(class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, b):
        ctx.save_for_backward(x, w)
        y = torch.empty(x.shape[0], w.shape[0])
        return torch.addmm(b, x, w.t(), out=y)

    @staticmethod
    def backward(ctx, g):
        x, w = ctx.saved_tensors
        return )" +
           gradient + R"(, g.t() @ x, g.sum(0)


class ModelNew(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(20, 12)

    def forward(self, x):
        y = Linear.apply(x, self.linear.weight, self.linear.bias)
        return )" +
           result + "\n";
}

TEST_F(CallableBackward, GradientsOfArgumentsAndParametersAreResults) {
    const VerifyResult right = verified(linear_definition, linear_by_hand("g @ w"), "ModelNew");
    EXPECT_EQ(right.status, Status::ok) << right.reason;
    ASSERT_FALSE(right.cases.empty());
    EXPECT_EQ(right.cases[0].metrics.elements, 16 * 12 + 16 * 20 + 12 * 20 + 12);
    const VerifyResult wrong = verified(linear_definition, linear_by_hand("1.01 * (g @ w)"), "ModelNew");
    EXPECT_EQ(wrong.status, Status::mismatch);
    EXPECT_THAT(wrong.reason, HasSubstr("`grad_x`"));
    const VerifyResult none = verified(linear_definition, linear_by_hand("None"), "ModelNew");
    EXPECT_EQ(none.status, Status::mismatch) << "no gradient counts as zeros";
    EXPECT_THAT(none.reason, HasSubstr("`grad_x`"));
}

TEST_F(CallableBackward, ResultsWithoutAGraphOrParameterAreALaunchThatFailed) {
    const VerifyResult detached = verified(linear_definition, linear_by_hand("g @ w", "y.relu().detach()"), "ModelNew");
    EXPECT_EQ(detached.status, Status::launch_failed);
    EXPECT_THAT(detached.reason, HasSubstr("`ModelNew` returns `out` without a grad_fn"));
    const VerifyResult without =
        verified(linear_definition, "def solution(x):\n    return torch.relu(x[:, :12])\n", "solution");
    EXPECT_EQ(without.status, Status::launch_failed);
    EXPECT_THAT(without.reason, HasSubstr("`solution` has no parameter `linear.weight`"));
}

TEST_F(CallableBackward, IsTimedForwardAndBackward) {
    const std::string definition = R"(import torch

backward = True


def reference(x, w, places):
    return torch.tanh(x @ w)[places]


def inputs(case, generator, device):
    return [torch.randn(128, 96, generator=generator), torch.randn(96, 80, generator=generator),
            torch.randint(0, 128, (64,), generator=generator)]
)";
    const std::string right = "def solution(x, w, places):\n    return torch.tanh(x @ w)[places]\n";
    const auto timed = [&](const std::string& text, const std::string& file) {
        return bench(testing::bench_callable(definition, solution_of(text, "solution", file)), *backend_,
                     testing::no_progress, {})
            .front();
    };
    const BenchResult result = timed(right, "right.py");
    EXPECT_EQ(result.status, Status::ok) << result.reason;
    const std::string remembers = R"(known = []


class Both(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, w, places):
        ctx.save_for_backward(x, w, places)
        return torch.tanh(x @ w)[places]

    @staticmethod
    def backward(ctx, g):
        if not known:
            x, w, places = ctx.saved_tensors
            y = torch.tanh(x @ w)
            d = torch.zeros_like(y).index_add_(0, places, g) * (1 - y * y)
            known.append((d @ w.t(), x.t() @ d, None))
        return known[0]


def solution(x, w, places):
    return Both.apply(x, w, places)
)";
    EXPECT_EQ(timed(remembers, "remembers.py").status, Status::mismatch) << "it returns the first call's gradients";
}

/// A moving mean in buffers, on which results depend.
const std::string state_definition = R"(import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("mean", torch.zeros(8))
        self.register_buffer("calls", torch.zeros((), dtype=torch.int64))

    def forward(self, x):
        self.calls += 1
        self.mean = 0.9 * self.mean + 0.1 * x.mean(0)
        return x - self.mean / (1 - 0.9 ** self.calls.item()) ** 2


def get_inputs():
    return [torch.randn(50, 8)]
)";

TEST_F(CallableBackward, BuffersOfAModuleAreRestoredBeforeItIsCalled) {
    const std::string same = state_definition.substr(state_definition.find("class Model"));
    const VerifyResult right = verified(state_definition, same, "Model");
    EXPECT_EQ(right.status, Status::ok) << right.reason;
    const BenchResult timed = bench(testing::bench_callable(state_definition, solution_of(same, "Model"), "Model"),
                                    *backend_, testing::no_progress, {})
                                  .front();
    EXPECT_EQ(timed.status, Status::ok) << timed.reason;
    std::string hidden = same;
    const std::string buffer = "register_buffer(\"mean\", torch.zeros(8))";
    hidden.replace(hidden.find(buffer), buffer.size(), "mean = torch.zeros(8)");
    EXPECT_EQ(verified(state_definition, hidden, "Model").status, Status::mismatch)
        << "what is no buffer is not restored";
}

TEST_F(CallableBackward, IsDoneByAReferenceThatAsksForGradientsItself) {
    const std::string saved = R"(import torch


def reference(x, upstream):
    x = x.detach().requires_grad_()
    return torch.autograd.grad(torch.tanh(x), x, upstream)[0]


def inputs(case, generator, device):
    return [torch.randn(20, 30, generator=generator), torch.randn(20, 30, generator=generator)]
)";
    const auto status_of = [&](const std::string& derivative) {
        const std::string text = "def solution(x, upstream):\n    return upstream * (" + derivative + ")\n";
        return verify(verify_callable(saved, solution_of(text)), *backend_, testing::no_progress, {});
    };
    const VerifyResult right = status_of("1 - torch.tanh(x) ** 2");
    EXPECT_EQ(right.status, Status::ok) << right.reason;
    EXPECT_EQ(status_of("1 - torch.tanh(x)").status, Status::mismatch);
}

}  // namespace
}  // namespace kernelgen
