// SPDX-License-Identifier: Apache-2.0
// Which of PyTorch's kernels the baseline of attention calls.
#include <gmock/gmock.h>

#include <map>

#include "core/generate/generate.h"
#include "tests/core_generate/samples.h"

namespace kernelgen::tests {

namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string torch_text(const std::string& options, const std::string& columns = "M",
                       const std::vector<std::string>& further = {}, bool has_lse = false) {
    std::vector<std::string> inputs = {"q:B,H,N,D", "k:B,G," + columns + ",D", "v:B,G," + columns + ",D"};
    inputs.insert(inputs.end(), further.begin(), further.end());
    std::vector<std::string> outputs = {"out:B,H,N,D"};
    if (has_lse) outputs.push_back("lse:B,H,N");
    const std::string call = "attention(q, k, v" + options + ")";
    return generate_torch_variant(make_operator("a", (has_lse ? "out, lse = " : "out = ") + call, inputs, outputs))
        ->text;
}

struct TorchGradients {
    std::string options, columns = "M", lse = "B,H,N", head_size = "D";
    std::vector<std::string> further = {};
    std::map<std::string, DType> dtypes = {};  ///< of tensors that have their own
};

GeneratedVariant torch_gradients(const TorchGradients& of) {
    const std::string rows = ":B,H,N," + of.head_size, keys = ":B,G," + of.columns + "," + of.head_size;
    std::vector<std::string> inputs = {"q" + rows,   "k" + keys,      "v" + keys,
                                       "out" + rows, "lse:" + of.lse, "dout" + rows};
    inputs.insert(inputs.end(), of.further.begin(), of.further.end());
    Operator made = make_operator("a", "dq, dk, dv = attention_backward(q, k, v, out, lse, dout" + of.options + ")",
                                  inputs, {"dq" + rows, "dk" + keys, "dv" + keys});
    for (auto* tensors : {&made.inputs, &made.outputs})
        for (Tensor& each : *tensors)
            if (const auto found = of.dtypes.find(each.name); found != of.dtypes.end()) each.dtype = found->second;
    return *generate_torch_variant(made);
}

const std::string cudnn_call = "torch.ops.aten._scaled_dot_product_cudnn_attention_backward(";

}  // namespace

TEST(TorchAttention, HasTheGradientsOfCudnnForSizesThatItTakes) {
    const std::string all = torch_gradients({""}).text, causal = torch_gradients({", causal=1"}).text,
                      square = torch_gradients({", causal=1, scale=0.5", "N", "B,H,N,1", "64"}).text;
    EXPECT_THAT(all, AllOf(HasSubstr(cudnn_call), HasSubstr("lse.to(torch.float32)[..., None],"),
                           HasSubstr("fits = D % 8 == 0 and D <= 128 and N > 1 and M > 1  #"),
                           HasSubstr("if is_fast and fits and torch.cuda.get_device_capability(q.device)[0] >= 8:"),
                           HasSubstr("None, None, None, N, M, 0.0, False,\n")));
    EXPECT_THAT(causal, AllOf(HasSubstr("M > 1 and N == M  #"), HasSubstr("N, M, 0.0, True,\n")));
    EXPECT_THAT(square, AllOf(HasSubstr("fits = 64 % 8 == 0 and 64 <= 128 and N > 1 and N > 1  #"),
                              HasSubstr("lse.to(torch.float32),"), HasSubstr("0.0, True, scale=0.5,\n")));
}

TEST(TorchAttention, HasNoGradientsOfCudnnForWhatItDoesNotCompute) {
    const TorchGradients others[] = {{", causal=1, window_left=3"},
                                     {", window_right=2"},
                                     {", softcap=2"},
                                     {", dropout=0.5"},
                                     {", bias=bias", "M", "B,H,N", "D", {"bias:N,M"}},
                                     {"", "M", "B,H,N", "D", {}, {{"dq", DType::f32}}},
                                     {"", "M", "B,H,N", "D", {}, {{"out", DType::f32}}}};
    for (const TorchGradients& each : others) {
        EXPECT_THAT(torch_gradients(each).text, Not(HasSubstr("cudnn"))) << each.options;
        EXPECT_TRUE(torch_gradients(each).variant.deterministic) << each.options;
    }
    EXPECT_THAT(torch_gradients({"", "M", "B,H,N", "D", {}, {{"lse", DType::f32}}}).text, HasSubstr(cudnn_call));
}

/// cuDNN's kernel adds the queries' gradient with atomics.
TEST(TorchAttention, IsNotDeterministicWhereItHasTheGradientsOfCudnn) {
    EXPECT_FALSE(torch_gradients({""}).variant.deterministic);
    EXPECT_TRUE(generate_torch_variant(make_operator("a", "out = attention(q, k, v)",
                                                     {"q:B,H,N,D", "k:B,G,M,D", "v:B,G,M,D"}, {"out:B,H,N,D"}))
                    ->variant.deterministic);
}

TEST(TorchAttention, NeedsNoMaskWhereTheLastRowIsTheLastColumn) {
    const auto square = torch_text(", causal=1", "N");
    EXPECT_THAT(square, AllOf(HasSubstr("is_causal=True"), Not(HasSubstr("attn_mask")), Not(HasSubstr("if N =="))));
    const auto any = torch_text(", causal=1");
    EXPECT_THAT(any,
                AllOf(HasSubstr("if N == M:"), HasSubstr("causal_lower_right(N, M)"), HasSubstr("attn_mask=seen")));
    EXPECT_THAT(torch_text(", causal=1, window_left=3", "N"), Not(HasSubstr("is_causal")));
}

TEST(TorchAttention, TriesTheKernelsOfCudnnFirst) {
    EXPECT_THAT(torch_text(""), AllOf(HasSubstr("KERNELS = [SDPBackend.CUDNN_ATTENTION"),
                                      HasSubstr("with sdpa_kernel(KERNELS, set_priority=True):")));
}

TEST(TorchAttention, IsFlexAttentionWhereItIsCompiledAndSizesAloneSayWhatIsHidden) {
    const auto window = torch_text(", window_left=20, window_right=3");
    EXPECT_THAT(window, AllOf(HasSubstr("(j <= i + distance + 3) & (j >= i + distance - 20)"),
                              HasSubstr("block_mask=block_mask(N, M, q.device)")));
    EXPECT_THAT(torch_text(", bias=m", "M", {"m:N,M"}), Not(HasSubstr("flex")));
    EXPECT_THAT(torch_text(", dropout=0.5"), Not(HasSubstr("flex")));
}

TEST(TorchAttention, CapsLogitsAndReturnsTheirSumInCompiledCode) {
    EXPECT_THAT(
        torch_text(", softcap=30", "M", {}, true),
        AllOf(HasSubstr("score_mod=capped"), HasSubstr("return_lse=True"), HasSubstr("30.0 * torch.tanh(score")));
}

}  // namespace kernelgen::tests
