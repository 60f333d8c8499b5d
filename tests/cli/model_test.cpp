// SPDX-License-Identifier: Apache-2.0
// A model from its file to its operators, to a project of some of them, and back to the whole.
#include <gmock/gmock.h>

#include "tests/cli/program.h"
#include "tests/core_python/needs.h"
#include "tests/model_text.h"

namespace kernelgen {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using testing::Ran;

class ModelProgram : public testing::ProgramTest {
protected:
    void SetUp() override {
        ProgramTest::SetUp();
        write("net.py", testing::model_text);
    }
    void write(const std::string& file, const std::string& text) {
        std::filesystem::create_directories((folder / file).parent_path());
        ASSERT_TRUE(write_file_atomic(folder / file, text));
    }
};

TEST_F(ModelProgram, TellsTheOperatorsMakesAProjectAndTellsTheWholeAgain) {
    NEEDS(Language::torch);
    const Ran told = kernelgen({"model", "net.py", "--json"});
    ASSERT_EQ(told.exit.status, 0) << told.errors;
    EXPECT_EQ(told.json()["calls"], 8);
    EXPECT_EQ(told.json()["rows"].size(), 4U);

    const Ran made = kernelgen({"model", "net.py", "--project", "2-3", "-o", "act"});
    ASSERT_EQ(made.exit.status, 0) << made.errors;
    EXPECT_THAT(made.output, HasSubstr("wrote act with case calls_2_3; next: kernelgen run act"));
    const Ran early = kernelgen({"model", "net.py", "--with", "act"});
    EXPECT_EQ(early.exit.status, 1);
    EXPECT_THAT(early.errors, HasSubstr("act has no round on cpu that is right"));

    write("act/solution.py", "import torch\n\n\ndef solution(x):\n    return torch.tanh(x).mul_(0.5)\n");
    change(folder / "act", [](nlohmann::ordered_json& document) {
        document["variants"].push_back(
            {{"name", "own"}, {"language", "torch"}, {"source", "solution.py"}, {"entry", "solution"}});
    });
    const Ran ran = kernelgen({"run", "act", "--variant", "own", "--budget", "0.5s", "--no-counters", "--json"});
    ASSERT_EQ(ran.exit.status, 0) << ran.output << ran.errors;

    const Ran against = kernelgen(
        {"run", "act", "--variant", "reference", "--baseline", "own", "--budget", "0.5s", "--no-counters", "--json"});
    ASSERT_EQ(against.exit.status, 0) << against.output << against.errors;

    const Ran with = kernelgen({"model", "net.py", "--with", "act", "--json"});
    ASSERT_EQ(with.exit.status, 0) << with.errors;
    const json replaced = with.json()["with"][0];
    EXPECT_EQ(replaced["variant"], "own") << "a round against another baseline says nothing of the model";
    EXPECT_EQ(replaced["places"], json({2, 6}));
    EXPECT_NEAR(replaced["speedup"], ran.json()["cases"][0]["speedup"], 1e-4);
    EXPECT_GT(with.json()["whole_speedup"], 0);
}

TEST_F(ModelProgram, PrintsTablesAndSaysWhatIsMissing) {
    NEEDS(Language::torch);
    const Ran text = kernelgen({"model", "net.py"}, {{"XDG_CACHE_HOME", (folder / "cache").string()}});
    ASSERT_EQ(text.exit.status, 0) << text.errors;
    EXPECT_THAT(text.output, HasSubstr("8 calls, each alone with cold caches"));
    EXPECT_THAT(text.output, HasSubstr("no ceilings are known of cpu: rows are ordered by time; kernelgen devices"));
    const Ran markdown = kernelgen({"model", "net.py", "--markdown"});
    EXPECT_THAT(markdown.output, HasSubstr("| aten.addmm | up |"));
}

TEST_F(ModelProgram, MayHaveOneCall) {
    ASSERT_TRUE(
        write_file_atomic(folder / "one.py",
                          "import torch\n\n\nclass Model(torch.nn.Module):\n    def forward(self, x):\n"
                          "        return torch.relu(x)\n\n\ndef get_inputs():\n    return [torch.randn(64, 64)]\n"));
    EXPECT_THAT(kernelgen({"model", "one.py"}).output, HasSubstr("1 call, alone with cold caches: "));
}

TEST_F(ModelProgram, MayImportFilesBesideIt) {
    NEEDS(Language::torch);
    const std::string model =
        "import torch\nimport blocks\nclass Model(blocks.Half):\n    pass\n"
        "def get_inputs():\n    return [torch.randn(8, 16)]\ndef get_init_inputs():\n    return []\n";
    write("beside.py", model);
    write("blocks.py",
          "import torch\nclass Half(torch.nn.Module):\n    def forward(self, x):\n        return torch.tanh(x) / 2\n");
    const Ran told = kernelgen({"model", "beside.py", "--json"});
    ASSERT_EQ(told.exit.status, 0) << told.errors;
    EXPECT_EQ(told.json()["calls"], 2);
    write("nets/__init__.py", "raise RuntimeError('not needed')\n");
    write("nets/deep.py", "import torch\nfrom . import blocks\n" + model.substr(model.find("class")));
    write("nets/blocks.py", read_file(folder / "blocks.py").value());
    const Ran packaged = kernelgen({"model", "nets/deep.py", "--json"});
    ASSERT_EQ(packaged.exit.status, 0) << packaged.errors;
    EXPECT_EQ(packaged.json()["calls"], 2);
}

TEST_F(ModelProgram, RefusesWrongInputWithItsCause) {
    write("none.py", "import torch\n");
    EXPECT_THAT(kernelgen({"model", "none.py"}).errors, HasSubstr("there is neither `reference` nor KernelBench's"));
    write("torn.py", "import torch\nclass Model(:\n");
    const Ran torn = kernelgen({"model", "torn.py"});
    EXPECT_EQ(torn.exit.status, 1);
    EXPECT_THAT(torn.errors, HasSubstr("torn.py: line 2: syntax error"));
    EXPECT_THAT(kernelgen({"model", "missing.py"}).errors, HasSubstr("missing.py"));
    EXPECT_THAT(kernelgen({"model", "net.py", "--project", "7-5"}).errors, HasSubstr("names no calls"));
    EXPECT_THAT(kernelgen({"model", "net.py", "--case", "large"}).errors, HasSubstr("the file has: default"));
    EXPECT_THAT(kernelgen({"model", "net.py", "-o", "x"}).errors, HasSubstr("--project"));
    EXPECT_EQ(kernelgen({"model", "net.py", "--device", "cuda:9"}).exit.status, 4);
}

TEST_F(ModelProgram, TellsWhereTheModelFails) {
    NEEDS(Language::torch);
    std::string wrong = testing::model_text;
    wrong.replace(wrong.find("randn(48, 64)"), 13, "randn(48, 65)");
    write("wrong.py", wrong);
    const Ran ran = kernelgen({"model", "wrong.py"});
    EXPECT_EQ(ran.exit.status, 4);
    EXPECT_THAT(ran.errors, HasSubstr("wrong.py:13, in forward"));
}

}  // namespace
}  // namespace kernelgen
