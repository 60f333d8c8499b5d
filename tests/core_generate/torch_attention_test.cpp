// SPDX-License-Identifier: Apache-2.0
// Which of PyTorch's kernels the baseline of attention calls.
#include <gmock/gmock.h>

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

}  // namespace

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
