// SPDX-License-Identifier: Apache-2.0
// Other right ways to compute what a PyTorch function computes, and wrong ones beside them (docs/ACCURACY.md).
#include <gmock/gmock.h>

#include "tests/core_python/variants.h"

namespace kernelgen {
namespace {

using ::testing::HasSubstr;
using testing::torch_variant;

/// An operator of `x` and `bias`, judged by a function of PyTorch.
VerifyRequest request_for(const std::string& reference, DType dtype, std::int64_t rows, std::int64_t columns) {
    VerifyRequest request;
    request.definition = testing::bias_add_operator();
    request.definition.family = Family::custom;
    request.definition.body.clear();
    request.definition.reference = "torch";
    request.reference = torch_variant(reference);
    request.cases = {{"small", dtype, {{"P", rows}, {"D", columns}}}};
    request.own_cases_only = true;
    request.timeout_seconds = 20;
    return request;
}

/// Adds from left to right, into one number of f32.
const std::string one_by_one =
    "import numpy\n"
    "def running(x): return torch.from_numpy(numpy.add.accumulate(x.float().numpy(), axis=-1))\n"
    "def total(x): return running(x)[:, -1:]\n"
    "def narrow(x):\n"
    "    sums = [x[:, 0].bfloat16()]\n"
    "    for each in x.bfloat16().unbind(-1)[1:]: sums.append(sums[-1] + each)\n"
    "    return torch.stack(sums, -1).float()\n"
    "F = torch.nn.functional\n";

void expect_each(Status status, VerifyRequest request, const std::vector<std::string>& candidates) {
    Backend* const backend = testing::host_backend();
    for (const std::string& each : candidates) {
        request.candidate = torch_variant(each, one_by_one);
        const VerifyResult result = verify(request, *backend, testing::no_progress, {});
        EXPECT_EQ(to_string(result.status), to_string(status)) << each << ": " << result.reason;
    }
}

struct Operation {
    std::string reference;
    std::vector<std::string> right, wrong;
};

const std::vector<Operation> sums = {
    {"return x.cumsum(-1)",
     {"return running(x)"},
     {"return running(x) - x", "return narrow(x)", "return running(x) * 1.01",
      "x = x.clone(); x[:, 1000] = 0; return running(x)"}},
    {"return x.mean(-1, keepdim=True) + 0 * x",
     {"return total(x) / x.shape[1] + 0 * x", "return total(x / x.shape[1]) + 0 * x"},
     {"return total(x[:, :-1]) / x.shape[1] + 0 * x", "return narrow(x)[:, -1:] / x.shape[1] + 0 * x",
      "return total(x) / (x.shape[1] - 40) + 0 * x"}},
    {"return x.softmax(-1)",
     {"e = (x - x.amax(-1, keepdim=True)).exp(); return e / total(e)"},
     {"e = (x - x.amax(-1, keepdim=True)).exp(); return e / total(e[:, :-1])",
      "e = (x - x.amax(-1, keepdim=True)).exp(); return e / narrow(e)[:, -1:]", "return x.softmax(-1) * 1.01"}},
    {"return F.layer_norm(x, x.shape[-1:], eps=1e-5)",
     {"c = x - total(x) / x.shape[1]; return c * torch.rsqrt(total(c * c) / x.shape[1] + 1e-5)",
      "m = total(x) / x.shape[1]; c = x - m; r = torch.rsqrt(total(c * c) / x.shape[1] + 1e-5); return x * r - m * r"},
     {"c = x - total(x) / x.shape[1]; return c * torch.rsqrt(total(c * c) / (x.shape[1] - 1) + 1e-5)",
      "c = x - total(x) / x.shape[1]; return c * torch.rsqrt(total(c * c) / x.shape[1] + 1e-3)",
      "c = x - total(x) / x.shape[1]; return c * torch.rsqrt(narrow(c * c)[:, -1:] / x.shape[1] + 1e-5)"}},
    {"return F.kl_div(F.log_softmax(x, -1), F.softmax(x.flip(0), -1), reduction='none').sum(-1, keepdim=True) + 0 * x",
     {"def log_of(y): c = y - y.amax(-1, keepdim=True); return c - total(c.exp()).log()\n"
      "    p = log_of(x.flip(0)); return total(p.exp() * (p - log_of(x))) + 0 * x"},
     {"p, q = x.flip(0).log_softmax(-1), x.log_softmax(-1); return total((p.exp() * (p - q))[:, :-8]) + 0 * x",
      "p, q = x.flip(0).log_softmax(-1), x.log_softmax(-1); return total(p.exp() * (p - q)) * 1.01 + 0 * x"}},
};

TEST(NightlyTorchReference, RefusesNoOrderOfAdditionsAndFindsWhatIsWrongBesideIt) {
    NEEDS(Language::torch);
    for (const Operation& each : sums) {
        VerifyRequest request = request_for(each.reference, DType::f32, 5, 4099);
        request.reference->text.replace(0, 13, "import torch\nF = torch.nn.functional\n");
        SCOPED_TRACE(each.reference);
        expect_each(Status::ok, request, each.right);
        expect_each(Status::mismatch, request, each.wrong);
    }
}

TEST(NightlyTorchReference, RefusesNoProductOfMatricesForItsOrderOfAdditions) {
    NEEDS(Language::torch);
    const VerifyRequest request = request_for("return x @ (x.T @ x)", DType::f32, 67, 129);
    expect_each(Status::ok, request,
                {"a = sum(r[:, None] * r[None] for r in x.unbind(0)); b = 0\n"
                 "    for i in range(129): b = b + x[:, i:i + 1] * a[i]\n    return b"});
    expect_each(Status::mismatch, request,
                {"return x @ (x[:-1].T @ x[:-1])", "return (x.bfloat16() @ (x.T @ x).bfloat16()).float()",
                 "return x @ (x.T @ x) * 1.01"});
}

TEST(NightlyTorchReference, RefusesNoAttentionForItsOrderOfAdditions) {
    NEEDS(Language::torch);
    VerifyRequest request = request_for(
        "F = torch.nn.functional; return F.scaled_dot_product_attention(x, x * bias, x)", DType::f32, 300, 33);
    const std::string written =
        "s = (x @ (x * bias).T) / SCALE ** 0.5; e = (s - s.amax(-1, keepdim=True)).exp(); out = 0\n"
        "    for i in range(LAST): out = out + e[:, i:i + 1] * x[i]\n    return out / total(e)";
    const auto with = [&](const std::string& scale, const std::string& last) {
        std::string text = written;
        text.replace(text.find("SCALE"), 5, scale);
        return text.replace(text.find("LAST"), 4, last);
    };
    expect_each(Status::ok, request, {with("33", "300")});
    expect_each(Status::mismatch, request, {with("34", "300"), with("33", "299")});
}

TEST(NightlyTorchReference, HoldsNoTieAgainstAKernelThatRoundsItTheOtherWay) {
    NEEDS(Language::torch);
    for (const DType dtype : {DType::f16, DType::bf16}) {
        VerifyRequest request =
            request_for("return torch.round(x / 0.1).clamp(-127, 127).to(torch.int8)", dtype, 16, 1031);
        request.definition.outputs[0].dtype = DType::i8;
        expect_each(Status::ok, request,
                    {"return torch.round(x.float() / 0.1).clamp(-127, 127).to(torch.int8)",
                     "return torch.round(x.float() * 10).clamp(-127, 127).to(torch.int8)",
                     "return torch.round(x * 10).clamp(-127, 127).to(torch.int8)"});
        expect_each(Status::mismatch, request,
                    {"return torch.trunc(x.float() / 0.1).clamp(-127, 127).to(torch.int8)",
                     "return torch.floor(x.float() / 0.1 + 0.55).clamp(-127, 127).to(torch.int8)",
                     "return torch.round(x.float() / 0.11).clamp(-127, 127).to(torch.int8)"});
    }
}

TEST(NightlyTorchReference, AllowsTheScaleOfEveryRowItsRounding) {
    NEEDS(Language::torch);
    const std::string eager =
        "s = x.abs().amax(-1, keepdim=True) / 127; return torch.round(x / s).clamp(-127, 127).to(torch.int8)";
    VerifyRequest request = request_for(eager, DType::bf16, 63, 7);
    request.definition.outputs[0].dtype = DType::i8;
    expect_each(Status::ok, request, {eager, "x = x.float(); " + eager});
    expect_each(
        Status::mismatch, request,
        {"s = x.abs().amax(-1, keepdim=True) / 127; return torch.trunc(x / s).clamp(-127, 127).to(torch.int8)"});
}

TEST(NightlyTorchReference, HoldsNoTieAgainstANumberThatIsMadeOfAnInteger) {
    NEEDS(Language::torch);
    const VerifyRequest request =
        request_for("return torch.round(x.float() / 0.1) * 0.1 + 0 * x", DType::f32, 64, 4099);
    expect_each(Status::ok, request, {"return torch.round(x * torch.tensor(1 / 0.1)) * 0.1 + 0 * x"});
    expect_each(Status::mismatch, request, {"return torch.trunc(x / 0.1) * 0.1 + 0 * x"});
}

const std::string by_hand =
    "c = x - x.mean(-1, keepdim=True); return c * torch.rsqrt((c * c).mean(-1, keepdim=True) + 1e-5)";

void expect_rounding_allowed(DType dtype) {
    const VerifyRequest request = request_for(by_hand, dtype, 131, 1);
    expect_each(Status::ok, request,
                {"m = x.float(); r = torch.rsqrt(torch.zeros_like(m) + 1e-5); s = (-m.double() * r).float()\n"
                 "    return (m.double() * r + s).to(x.dtype)"});
    expect_each(Status::mismatch, request, {"return x * 1e-3"});
}

TEST(NightlyTorchReference, ThatIsZeroButForRoundingAllowsTheRounding) {
    NEEDS(Language::torch);
    for (const DType dtype : {DType::f32, DType::f16, DType::bf16}) expect_rounding_allowed(dtype);
}

TEST(TorchReference, RefusesNoVarianceThatIsAddedUpInOnePass) {
    NEEDS(Language::torch);
    // Where two numbers nearly agree, what is left of their difference has the error of their mean.
    const VerifyRequest request =
        request_for("return torch.rsqrt(x.var(-1, keepdim=True, unbiased=False) + 1e-5) + 0 * x", DType::f32, 1030, 2);
    const std::string welford =
        "first, second = x[:, :1], x[:, 1:]; d = second - first; mean = first + d / 2\n"
        "    return torch.rsqrt(d * (second - mean) / 2 + EPS) + 0 * x";
    const auto with = [&](const std::string& eps) {
        std::string text = welford;
        return text.replace(text.find("EPS"), 3, eps);
    };
    expect_each(Status::ok, request, {with("1e-5")});
    expect_each(Status::mismatch, request, {with("1.01e-5"), with("0")});
}

TEST(NightlyTorchReference, JudgesNothingThatALargerNumberCoversWhereItOverflows) {
    NEEDS(Language::torch);
    VerifyRequest request = request_for(by_hand + " * bias + bias.flip(0)", DType::f32, 7, 13);
    request.own_cases_only = false;
    expect_each(Status::ok, request, {"return F.layer_norm(x, x.shape[-1:], bias, bias.flip(0).contiguous(), 1e-5)"});
    request.reference = torch_variant("return torch.maximum(x, bias)");
    expect_each(Status::ok, request,
                {"return torch.where(x > bias, x, torch.where(bias.isnan() | (bias >= x), bias, x))"});
    expect_each(Status::mismatch, request, {"return torch.maximum(x, bias).clamp(max=1e4)"});
}

}  // namespace
}  // namespace kernelgen
