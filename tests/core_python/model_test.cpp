// SPDX-License-Identifier: Apache-2.0
// Models of which each call of an operator is measured, or becomes a definition.
#include <gmock/gmock.h>

#include <algorithm>

#include "core/bench/model.h"
#include "core/measure/model_profile.h"
#include "tests/core_python/callable_files.h"

namespace kernelgen {
namespace {

using nlohmann::json;
using testing::definition_of;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string head = R"(import torch
import torch.nn as nn


)";

const std::string tail = R"(

def get_inputs():
    return [torch.randn(4, 3, 12, 12)]


def get_init_inputs():
    return []
)";

/// Two blocks of which the second has other shapes.
const std::string blocks = head + R"(class Block(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv2d(channels, 2 * channels, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(2 * channels)
        self.act = nn.ReLU(inplace=True)

    def forward(self, x):
        return self.act(self.norm(self.conv(x)))


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = Block(3)
        self.second = Block(6)
        self.head = nn.Linear(12, 5)

    def forward(self, x):
        return self.head(self.second(self.first(x)).mean((2, 3)))
)" + tail;

/// A model whose `forward` is `body`.
std::string model_with(const std::string& body) {
    return head + "class Model(nn.Module):\n    def forward(self, x):\n        " + body + "\n" + tail;
}

class Model : public ::testing::Test {
protected:
    void SetUp() override { NEEDS(Language::torch); }

    ModelAnswer asked(const std::string& text, std::optional<CallRange> part = {}, double limit = 100) {
        const ModelRequest request{.definition = definition_of(text),
                                   .binding = {"default", DType::f32, {}},
                                   .timeout_seconds = limit,
                                   .part = part};
        return ask_model(request, *backend_, testing::no_progress, {});
    }
    std::string why(const std::string& text, std::optional<CallRange> part = {}, double limit = 100) {
        return asked(text, part, limit).reason;
    }
    ModelProfile profile(const std::string& text) {
        const ModelAnswer answer = asked(text);
        EXPECT_EQ(answer.status, Status::ok) << answer.reason;
        return model_profile_from_json(answer.told);
    }

    Backend* backend_ = testing::host_backend();
};

class NightlyModel : public Model {};

TEST_F(Model, TellsEachCallWithItsModuleCountsAndTime) {
    const ModelProfile found = profile(blocks);
    EXPECT_EQ(found.calls(), 8);
    EXPECT_GE(found.runs, 3);
    const ModelRow& convolution = *found.by_call()[0];
    EXPECT_EQ(convolution.operation, "aten.convolution");
    EXPECT_THAT(convolution.modules, ElementsAre("first.conv"));
    EXPECT_EQ(convolution.counts.flops, 2.0 * 4 * 6 * 12 * 12 * 3 * 9);
    EXPECT_TRUE(convolution.counts.is_contraction);
    EXPECT_EQ(convolution.counts.bytes_read, 4.0 * (4 * 3 * 144 + 6 * 3 * 9));
    EXPECT_EQ(convolution.counts.bytes_written, 4.0 * 4 * 6 * 144);
    EXPECT_GT(convolution.seconds, 0);
    EXPECT_GE(convolution.runs, 3);
    EXPECT_FALSE(found.by_call()[1]->counts.flops) << "nothing counts a batch norm";
    EXPECT_EQ(found.by_call()[2]->operation, "aten.relu_");
    EXPECT_EQ(found.by_call()[2]->counts.flops, 4.0 * 6 * 144);
    EXPECT_THAT(found.by_call()[7]->modules, ElementsAre("head"));
}

TEST_F(Model, RecurrentLayersCountTheirProducts) {
    const ModelProfile found = profile(
        "import torch\nclass Model(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        "        self.layer = torch.nn.LSTM(8, 16)\n    def forward(self, x):\n        return self.layer(x)[0]\n"
        "def get_inputs():\n    return [torch.randn(5, 3, 8)]\ndef get_init_inputs():\n    return []\n");
    double flops = 0;
    for (const ModelRow* each : found.by_call()) flops += each->counts.is_contraction ? *each->counts.flops : 0;
    EXPECT_EQ(flops, 2.0 * 5 * 3 * 4 * 16 * (8 + 16));
}

TEST_F(Model, NeighboursThatFeedEachOtherAreAGroupFromEachProductOn) {
    const ModelProfile found = profile(blocks);
    ASSERT_EQ(found.groups.size(), 2U);
    EXPECT_THAT(found.groups[0].operations, ElementsAre("aten.convolution", "aten.native_batch_norm", "aten.relu_"));
    EXPECT_THAT(found.groups[1].places, ElementsAre(4));
    EXPECT_EQ(found.groups[1].length, 4);
    EXPECT_EQ(found.groups[1].counts.bytes_written, 4.0 * 4 * 12) << "only the mean leaves the group";
}

TEST_F(Model, SameCallsAreOneRowAndViewsAreNone) {
    const ModelProfile found = profile(model_with("return torch.exp(torch.exp(x.view(4, -1)).t().t()[:2])"));
    EXPECT_EQ(found.rows.size(), 2U) << "the second has another shape";
    EXPECT_EQ(found.views, 4);
    const ModelProfile same = profile(model_with("return x.exp().view(-1).view(4, 3, 12, 12).exp()"));
    ASSERT_EQ(same.rows.size(), 1U);
    EXPECT_THAT(same.rows[0].calls, ElementsAre(1, 2));
}

TEST_F(Model, ExpandedTensorsAndLookupsCountWhatIsTouched) {
    const ModelProfile found =
        profile(model_with("return x[:1].expand(4, 3, 12, 12) + torch.nn.functional.embedding(x[0, 0].long() % 3, "
                           "torch.ones(1000, 12))[:3].sum()"));
    const auto row = [&](const std::string& name) {
        return std::ranges::find(found.rows, name, &ModelRow::operation)->counts;
    };
    EXPECT_EQ(row("aten.embedding").bytes_read, 4.0 * 144 * 12 + 8 * 144);
    EXPECT_EQ(row("aten.embedding").flops, 0);
    EXPECT_EQ(row("aten.add.Tensor").bytes_read, 4.0 * (3 * 144 + 1));
}

TEST_F(Model, RandomCallsAndReadValuesAreNoted) {
    const ModelProfile found =
        profile(model_with("return torch.nn.functional.dropout(x, 0.5, True) if x.sum() > -1e9 else x"));
    ASSERT_GE(found.notes.size(), 2U);  // besides, the machine may be noisy
    EXPECT_THAT(found.notes[0], HasSubstr("draw random numbers"));
    EXPECT_THAT(found.notes[1], HasSubstr("reads values of its tensors"));
    EXPECT_TRUE(found.notes[1].format().contains("times: {};")) << found.notes[1].format();
    EXPECT_THAT(profile(model_with("return {'loss': x.mean(), 'count': 3}")).notes.front(), HasSubstr("returns int"));
}

TEST_F(Model, AttentionWithoutDropoutIsNotRandom) {
    const std::string attends = model_with("return nn.functional.scaled_dot_product_attention(x, x, x)");
    for (const Said& note : profile(attends).notes) EXPECT_THAT(note, Not(HasSubstr("draw random numbers")));
    EXPECT_EQ(asked(attends, CallRange{1, 1}).status, Status::ok);
}

TEST_F(Model, ChangesInPlaceDoNotChangeTheRun) {
    const ModelProfile found = profile(model_with("y = x.clone().add_(1e30)\n        return y.add_(1e30).isfinite()"));
    EXPECT_EQ(found.rows[1].calls.size(), 2U);
    EXPECT_EQ(found.rows[1].counts.bytes_written, 4.0 * 4 * 3 * 144);
}

TEST_F(Model, WhatFailsNamesItsLine) {
    EXPECT_THAT(why(model_with("return x @ x.view(7, -1)")), HasSubstr("definition.py:7, in forward"));
    EXPECT_THAT(why(head + "1 / 0\n"), HasSubstr("definition.py:5"));
}

TEST_F(NightlyModel, WhatFailsSaysWhatIsMissing) {
    EXPECT_THAT(why(model_with("return 3")), HasSubstr("calls no operator"));
    EXPECT_THAT(why(head + "class Net(nn.Module):\n    pass\n"), HasSubstr("there is neither `reference`"));
    EXPECT_THAT(why(model_with("return x.to_sparse() * 2")), HasSubstr("sparse"));
}

TEST_F(NightlyModel, WhatTakesTooLongIsEnded) {
    const ModelAnswer slow = asked(model_with("import time; time.sleep(60)"), {}, 4);
    EXPECT_EQ(slow.status, Status::timed_out) << slow.reason;
    EXPECT_EQ(asked(model_with("print('x' * 30_000_000)\n        return x + 1")).status, Status::ok);
}

TEST_F(Model, CallsBecomeADefinitionWithOtherShapesAsCases) {
    const ModelAnswer part = asked(blocks, CallRange{1, 3});
    ASSERT_EQ(part.status, Status::ok) << part.reason;
    const std::string text = part.told.at("text");
    EXPECT_THAT(text, HasSubstr("def reference(x, conv_weight, norm_weight, norm_bias):"));
    EXPECT_THAT(text, HasSubstr("relu = aten.relu(native_batch_norm[0])"));
    EXPECT_EQ(part.told.at("cases").size(), 2U);
    EXPECT_EQ(part.told.at("cases").at("calls_4_6").size(), 3U);
    VerifyRequest request = testing::verify_callable(text, testing::solution_of(R"(
def solution(x, weight, scale, bias):
    y = torch.nn.functional.conv2d(x, weight, padding=1)
    return torch.nn.functional.batch_norm(y, None, None, scale, bias, training=True).relu()
)"));
    request.cases = {{"calls_1_3", DType::f32, {}}, {"calls_4_6", DType::f32, {}}};
    const VerifyResult right = verify(request, *backend_, testing::no_progress, {});
    EXPECT_EQ(right.status, Status::ok) << right.reason;
}

TEST_F(Model, PartsThatCannotBeJudgedAreRefused) {
    const std::string steps = model_with(
        "y = torch.rand_like(x)\n        z = torch.exp(x)\n        y = y.clone()\n        y[:2].add_(1)\n        "
        "w = (z + torch.full((12,), -float('inf')))\n        return y, w");
    EXPECT_THAT(why(steps, CallRange{1, 1}), HasSubstr("call 1 (aten.rand_like) draws random numbers"));
    EXPECT_THAT(why(steps, CallRange{2, 3}), HasSubstr("neither uses what other calls"));
    EXPECT_THAT(why(steps, CallRange{3, 4}), HasSubstr("changes a part of a tensor in place"));
    EXPECT_THAT(why(steps, CallRange{6, 6}), HasSubstr("holds infinities"));
    EXPECT_THAT(why(steps, CallRange{5, 5}), HasSubstr("no tensor as an input"));
    EXPECT_THAT(why(steps, CallRange{6, 9}), HasSubstr("there is no call 6-9: the model makes 6 calls"));
}

}  // namespace
}  // namespace kernelgen
