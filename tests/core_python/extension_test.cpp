// SPDX-License-Identifier: Apache-2.0
// Candidates in C++ with host code of their own, without PyTorch and with it.
#include <gmock/gmock.h>

#include "tests/core_python/extension_files.h"

namespace kernelgen {
namespace {

using ::testing::Contains;
using testing::extension_of;
using ::testing::HasSubstr;
using testing::plain_relu;
using testing::relu_definition;
using testing::verify_callable;

const std::string of_torch = R"(#include <torch/extension.h>

#include <stdexcept>

torch::Tensor right(torch::Tensor x, torch::Tensor bias) { return torch::relu(x + bias); }
torch::Tensor one(torch::Tensor x) { return x; }
torch::Tensor throws(torch::Tensor x, torch::Tensor bias) { throw std::runtime_error("no such size"); }
torch::Tensor checks(torch::Tensor x, torch::Tensor bias) { TORCH_CHECK(x.dim() == 3, "three axes"); return x; }
torch::Tensor half(torch::Tensor x, torch::Tensor bias) { return torch::relu(x + bias).to(torch::kHalf); }
torch::Tensor flat(torch::Tensor x, torch::Tensor bias) { return torch::relu(x + bias).flatten(); }
torch::Tensor same(torch::Tensor x, torch::Tensor bias) { return x; }
std::vector<torch::Tensor> several(torch::Tensor x, torch::Tensor bias) { return {torch::relu(x + bias), x}; }
torch::Tensor unwritten(torch::Tensor x, torch::Tensor bias) { return torch::empty_like(x); }
torch::Tensor changes(torch::Tensor x, torch::Tensor bias) { return x.add_(bias).relu_(); }

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("right", &right);
    m.def("one", &one);
    m.def("throws", &throws);
    m.def("checks", &checks);
    m.def("half", &half);
    m.def("flat", &flat);
    m.def("same", &same);
    m.def("several", &several);
    m.def("unwritten", &unwritten);
    m.def("changes", &changes);
}
)";

struct OfTorch {
    const char* entry;
    Status status;
    const char* reason;
};

struct WrongExtension {
    std::string store, end;
    Status status;
    const char* reason;
};

class Extension : public ::testing::Test {
protected:
    void SetUp() override { NEEDS(Language::extension); }

    VerifyResult verified(const std::string& definition, const Implementation& solution) {
        return verify(verify_callable(definition, solution), *backend_, testing::no_progress, {});
    }
    void expect(const OfTorch& wanted) {
        const VerifyResult result = verified(relu_definition, extension_of(of_torch, "torch", wanted.entry));
        EXPECT_EQ(result.status, wanted.status) << wanted.entry << ": " << result.reason;
        EXPECT_THAT(result.reason, HasSubstr(wanted.reason)) << wanted.entry;
    }
    void expect(const WrongExtension& wrong) {
        const VerifyResult result = verified(relu_definition, extension_of(plain_relu(wrong.store, wrong.end)));
        EXPECT_EQ(result.status, wrong.status) << wrong.store << wrong.end << ": " << result.reason;
        EXPECT_THAT(result.reason, HasSubstr(wrong.reason)) << wrong.end;
    }

    Backend* backend_ = testing::host_backend();
};

using NightlyExtension = Extension;  // compilers take long

TEST_F(Extension, IsVerifiedAndTimed) {
    const Implementation solution = extension_of(plain_relu());
    const VerifyResult right = verified(relu_definition, solution);
    EXPECT_EQ(right.status, Status::ok) << right.reason;
    EXPECT_GT(right.checks, 8);
    const BenchResult timed =
        bench(testing::bench_callable(relu_definition, solution), *backend_, testing::no_progress, {}).front();
    EXPECT_EQ(timed.status, Status::ok) << timed.reason;
    const VerifyResult other = verified(relu_definition, extension_of("// another build\n" + plain_relu()));
    EXPECT_THAT(other.warnings, Contains(HasSubstr("launches machine code of solution.cpp; PyTorch's operators")));
}

const std::string right = "to = value < 0 ? 0 : value;";

TEST_F(Extension, EndsInAStatusWhereItsResultIsWrong) {
    const WrongExtension all[] = {
        {"to = value;", "return 0;", Status::mismatch, "out"},
        {right, "out[sizes[0] * sizes[1]] = 0; return 0;", Status::out_of_bounds, ""},
    };
    for (const WrongExtension& each : all) expect(each);
}

TEST_F(NightlyExtension, EndsInAStatusWhereItFails) {
    expect(WrongExtension{right, "throw std::runtime_error(\"no such size\");", Status::launch_failed,
                          "`relu` threw: no such size"});
}

TEST_F(Extension, ThatEndsItsProcessHasCrashed) { expect(WrongExtension{right, "std::exit(0);", Status::crashed, ""}); }

TEST_F(Extension, IsToldThatPlainHasNoGradients) {
    const VerifyResult result = verified("backward = True\n" + relu_definition, extension_of(plain_relu()));
    EXPECT_EQ(result.status, Status::unavailable);
    EXPECT_THAT(result.reason, HasSubstr("has no gradients"));
}

const std::string module_definition = R"(import torch


class Model(torch.nn.Module):
    def __init__(self, features):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.randn(features))

    def forward(self, x):
        return {"scaled": x * self.scale, "sum": x.sum(0)}


def get_inputs():
    return [torch.randn(6, 10)]


def get_init_inputs():
    return [10]
)";

TEST_F(Extension, GetsTheParametersOfTheReferencesModuleBehindTheArguments) {
    const VerifyResult result = verified(module_definition, extension_of(R"(#include <cstdint>

extern "C" int relu(void** tensors, const int64_t* sizes, void*) {
    float** all = reinterpret_cast<float**>(tensors);
    const int64_t P = sizes[0], D = sizes[1];
    for (int64_t d = 0; d < D; ++d) all[3][d] = 0;
    for (int64_t at = 0; at < P * D; ++at) {
        all[2][at] = all[0][at] * all[1][at % D];
        all[3][at % D] += all[0][at];
    }
    return 0;
}
)"));
    EXPECT_EQ(result.status, Status::ok) << result.reason;
}

TEST_F(Extension, IsToldThatPlainHasNoStrides) {
    const std::string definition = R"(import torch


def reference(x, bias):
    return torch.relu(x + bias)


def inputs(case, generator, device):
    return [torch.randn(129, 300, generator=generator).t(), torch.randn(129, generator=generator)]
)";
    const VerifyResult result = verified(definition, extension_of(plain_relu()));
    EXPECT_EQ(result.status, Status::unavailable);
    EXPECT_THAT(result.reason, HasSubstr("tensor 0 of the arguments, of shape [300, 129], has the strides [1, 300]"));
}

// PyTorch's headers take a compiler 15 seconds and more.
TEST_F(Extension, OfPyTorchIsCalledWithTheReferencesArguments) {
    const OfTorch all[] = {
        {"right", Status::ok, ""},
        {"one", Status::launch_failed,
         "`one` takes (arg0: torch.Tensor) -> torch.Tensor; the reference is called with "
         "(a tensor float32[300, 129], a tensor float32[129])"},
        {"throws", Status::launch_failed, "no such size"},
    };
    for (const OfTorch& each : all) expect(each);
}

TEST_F(NightlyExtension, EndsInItsStatus) {
    const WrongExtension all[] = {
        {"if (at != 5) to = value < 0 ? 0 : value;", "return 0;", Status::unwritten, "not written"},
        {right, "x[0] = 0; return 0;", Status::input_modified, ""},
        {right, "std::puts(\"done\"); return 0;", Status::ok, ""},
        {right, "return 3;", Status::launch_failed, "`relu` returned 3"},
        {right, "throw 1;", Status::launch_failed, "no std::exception"},
        {right, "std::abort();", Status::crashed, ""},
        {right, "return *static_cast<volatile int*>(nullptr);", Status::crashed, ""},
    };
    for (const WrongExtension& each : all) expect(each);
}

TEST_F(NightlyExtension, OfPyTorchEndsInItsStatus) {
    const OfTorch all[] = {
        {"checks", Status::launch_failed, "three axes"},
        {"half", Status::launch_failed, "dtype float16"},
        {"flat", Status::launch_failed, "shape (38700,)"},
        {"same", Status::mismatch, ""},
        {"several", Status::launch_failed, "returns (tensor, tensor)"},
        {"unwritten", Status::mismatch, ""},
        {"changes", Status::input_modified, ""},
        {"nothing", Status::build_failed, "binds no function `nothing` to Python; it has: changes, checks, flat"},
    };
    for (const OfTorch& each : all) expect(each);
}

}  // namespace
}  // namespace kernelgen
