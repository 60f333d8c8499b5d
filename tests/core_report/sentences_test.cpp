// SPDX-License-Identifier: Apache-2.0
#include "core/report/sentences.h"

#include <gtest/gtest.h>

#include "core/base/cause_sentences.h"
#include "core/base/checklist_sentences.h"
#include "core/base/mend_sentences.h"
#include "core/base/seen_sentences.h"
#include "core/base/sentences.h"
#include "core/base/tuning_sentences.h"
#include "core/base/verdict_sentences.h"

namespace kernelgen {
namespace {

struct Rendering {
    const char* name;
    std::string_view english, chinese;
};

constexpr Rendering renderings[] = {
#define SENTENCE(name, chinese) {#name, sentences::name, chinese},
#include "core/said/sentences.def"
#undef SENTENCE
#define SAID(id, english, chinese) {#id, english, chinese},
#include "core/said/said_in_place.def"
#undef SAID
};

/// A format with a word at each of its places.
std::string filled_with_words(std::string_view format) {
    std::string text;
    for (std::size_t open = format.find('{'); open != std::string_view::npos; open = format.find('{')) {
        text.append(format.substr(0, open)).append("word");
        format.remove_prefix(format.find('}', open) + 1);
    }
    return text.append(format);
}

TEST(Sentences, AreEachRecognisedByTheirFormat) {
    for (const Rendering& each : renderings) {
        EXPECT_EQ(in_tongue(filled_with_words(each.english), Tongue::chinese), filled_with_words(each.chinese))
            << each.name;
    }
}

TEST(Sentences, KeepNamesInBackquotesAndOneWordBeforeAColon) {
    EXPECT_EQ(in_tongue("baseline `default`: cancelled", Tongue::chinese), "基准 `default`：已取消");
    EXPECT_EQ(in_tongue("missing: cancelled", Tongue::chinese), "missing: 已取消");
    EXPECT_EQ(in_tongue("copying to the device: out of memory", Tongue::chinese), "复制到设备: 内存不足");
}

TEST(Sentences, AreRecognisedWithinOneAnother) {
    const std::string reason =
        "baseline `library`: 64x64 f16: oneDNN's `softmax`: not implemented for this dtype or shape on this processor; "
        "nothing was timed. Choose another with --baseline or in performance.baseline";
    EXPECT_EQ(in_tongue(reason, Tongue::chinese),
              "基准 `library`：64x64 f16: oneDNN 的 `softmax`：在此处理器上未实现该数据类型或形状；未进行计时。请用 "
              "--baseline 或 performance.baseline 选择其他基准");
    EXPECT_EQ(in_tongue("case `one`: while timing: no answer within 2 s; the limit is set by --timeout (inputs `nan`, "
                        "seed 1)",
                        Tongue::chinese),
              "测例 `one`：计时过程中：在 2 s 内没有响应；该时限由 --timeout 设置（输入 `nan`，种子 1）");
}

TEST(Sentences, StayAsTheyAreInEnglish) {
    EXPECT_EQ(in_tongue("no ceilings: cancelled", Tongue::english), "no ceilings: cancelled");
}

TEST(Sentences, OfOthersStayAsTheyAre) {
    const std::string compiler = "bias_add.cpp:3:7: 'y' was not declared in this scope: did you mean 'x'?";
    EXPECT_EQ(in_tongue(compiler, Tongue::chinese), compiler);
    EXPECT_EQ(in_tongue("", Tongue::chinese), "");
    const std::string long_one = "no ceilings: " + std::string(5000, ':');
    EXPECT_EQ(in_tongue(long_one, Tongue::chinese), long_one);
}

}  // namespace
}  // namespace kernelgen
