// SPDX-License-Identifier: Apache-2.0
// Sets of Python files that a person or another tool wrote, made projects of.
#include "core/files/import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/files/import_source.h"
#include "core/project/project_file.h"

namespace kernelgen {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr const char* kernel = R"(import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x_ptr, out_ptr, N, factor, BLOCK: tl.constexpr):
    pid = tl.program_id(0)


def scale(x: torch.Tensor, factor: float = 2.0) -> torch.Tensor:
    out = torch.empty_like(x)
    BLOCK = 128
    scale_kernel[(triton.cdiv(x.numel(), BLOCK),)](x, out, x.numel(), factor, BLOCK=BLOCK, num_warps=4)
    return out
)";
constexpr const char* baseline = "import torch\n\n\ndef scale(x, factor=2.0):\n    return x * factor\n";
constexpr const char* accuracy = R"(import torch
from scale_triton import scale
from scale_baseline import scale as expected

SHAPES = [(64, 32), (128, 2**6)]
for M, N in SHAPES:
    for dtype in (torch.float32, torch.bfloat16):
        x = torch.randn(M, N, device="cuda", dtype=dtype)
        torch.testing.assert_close(scale(x, factor=3.0), expected(x, 3.0), rtol=1e-2, atol=1e-3)
)";

class Import : public ::testing::Test {
protected:
    void SetUp() override {
        std::string pattern = (fs::temp_directory_path() / "kernelgen-import-XXXXXX").string();
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        folder = pattern;
        fs::create_directory(folder / "set");
    }
    void TearDown() override {
        std::error_code ignored;
        fs::remove_all(folder, ignored);
    }
    void write(const std::string& file, std::string_view text) {
        ASSERT_TRUE(write_file_atomic(folder / "set" / file, text));
    }
    void write_set() {
        write("scale_triton.py", kernel);
        write("scale_baseline.py", baseline);
        write("scale_accuracy.py", accuracy);
    }
    /// What reading the set was refused for.
    std::string refusal() {
        const auto set = read_python_set(folder / "set");
        return set ? "it was read" : to_string(set.error());
    }

    fs::path folder;
};

std::vector<std::string> names_of_all(const auto& items) {
    std::vector<std::string> names;
    for (const auto& each : items) names.push_back(each.name);
    return names;
}

const Tunable& tunable(const ImportedSet& set, const std::string& name) {
    return *std::ranges::find(set.project.variants[0].tunables, name, &Tunable::name);
}

TEST(ImportSource, OfAKernelAloneSaysThatADefinitionIsMissing) {
    const fs::path file = fs::path(::testing::TempDir()) / "alone.cu";
    ASSERT_TRUE(write_file_atomic(file, "__global__ void f() {}\n"));
    const auto alone = read_source({.path = file});
    ASSERT_FALSE(alone);
    EXPECT_THAT(to_string(alone.error()), HasSubstr("a kernel alone does not say what is right; write a definition"));
    const fs::path problem = fs::path(::testing::TempDir()) / "problem.py", solution = problem.parent_path() / "new.c";
    ASSERT_TRUE(write_file_atomic(problem, "def reference(x):\n    return x\n"));
    ASSERT_TRUE(write_file_atomic(solution, "int f();\n"));
    const auto solved = read_source({.path = problem, .solution = solution});
    ASSERT_FALSE(solved);
    EXPECT_THAT(to_string(solved.error()), HasSubstr("new.c: a solution is a file in Python, C++ or CUDA C++"));
}

TEST_F(Import, TakesTheSetThatTheSourcePrints) {
    const auto set = read_python_set(fs::path(KERNELGEN_SOURCE_DIR) / "tests/core_files/sets/broadcast_v1");
    ASSERT_TRUE(set) << to_string(set.error());
    const Operator& definition = set->project.definition;
    EXPECT_EQ(definition.name, "broadcast_v1");
    EXPECT_EQ(definition.family, Family::custom);
    EXPECT_THAT(definition.inputs[0].shape, ElementsAre("N1", "N2", "D"));
    EXPECT_THAT(definition.inputs[1].shape, ElementsAre("D"));
    EXPECT_THAT(definition.outputs[0].shape, ElementsAre("N1", "N2", "D"));
    EXPECT_THAT(names_of_all(set->project.cases),
                ElementsAre("512x512x512 f32", "1024x1024x1024 f32", "2048x2048x2048 f32"));
    EXPECT_EQ(set->project.accuracy.f32, (Tolerance{1e-3, 1e-3}));
    EXPECT_THAT(names_of_all(set->project.variants), ElementsAre("triton", "torch", "torch_compile"));
    EXPECT_EQ(set->files[static_cast<std::size_t>(FileRole::performance)], "broadcast_v1_test_relu_performance.py");
    EXPECT_EQ(tunable(*set, "BLOCK_M").value, 32);
    EXPECT_EQ(tunable(*set, "BLOCK_N").value, 512);
    EXPECT_THAT(tunable(*set, "BLOCK_M").values, ElementsAre(4, 8, 16, 32, 64, 128, 256));
    EXPECT_EQ(tunable(*set, "num_warps").value, 4);
    EXPECT_EQ(tunable(*set, "num_stages").value, 3);
}

TEST_F(Import, LetsAFileForOneDeviceRunOnOthersAndTellsEveryEdit) {
    const fs::path source = fs::path(KERNELGEN_SOURCE_DIR) / "tests/core_files/sets/broadcast_v1";
    const auto set = read_python_set(source);
    ASSERT_TRUE(set) << to_string(set.error());
    for (const auto& [file, text] : set->texts) EXPECT_THAT(text, Not(HasSubstr("npu()"))) << file;
    const std::string& text = set->texts.at("broadcast_v1_triton.py");
    EXPECT_THAT(text, HasSubstr("assert x.device.type in (\"npu\", \"cuda\", \"cpu\") and bias.device.type in"));
    EXPECT_THAT(text, HasSubstr("def broadcast_v1_kernel(x_ptr"));
    EXPECT_THAT(text, HasSubstr("    broadcast_v1_kernel[grid]("));
    EXPECT_THAT(text, HasSubstr("def broadcast_v1(x: torch.Tensor"));
    EXPECT_EQ(set->edits.size(), 16u) << to_string(set->edits);
    EXPECT_THAT(to_string(set->edits), HasSubstr("broadcast_v1_triton.py: line 8: `broadcast_v1` became"));
    EXPECT_TRUE(check_consistency(set->project, set->texts)->consistent());
}

TEST_F(Import, KeepsWhatADeviceCheckIsComparedWith) {
    write_set();
    std::string text = kernel;
    const std::string checks =
        "    assert x.is_cuda == x.is_cuda, \"x\"\n    assert x.is_cuda & True\n"
        "    if not x.is_cuda:\n        raise ValueError(\"x\")\n";
    text.insert(text.find("    out = torch.empty_like"), checks);
    write("scale_triton.py", text);
    const auto set = read_python_set(folder / "set");
    ASSERT_TRUE(set) << to_string(set.error());
    const std::string& edited = set->texts.at("scale_triton.py");
    const std::string check = R"(x.device.type in ("npu", "cuda", "cpu"))";
    EXPECT_THAT(edited, HasSubstr("assert (" + check + ") == (" + check + "), \"x\"\n"));
    EXPECT_THAT(edited, HasSubstr("assert (" + check + ") & True\n"));
    EXPECT_THAT(edited, HasSubstr("if not " + check + ":\n"));
}

TEST_F(Import, ChoosesATestsDeviceWhereTorchIsThere) {
    write_set();
    const auto edited = [&](const std::string& imports) {
        write("scale_accuracy.py", imports);
        const auto set = read_python_set(folder / "set");
        return set ? set->texts.at("scale_accuracy.py") : to_string(set.error()).text();
    };
    const std::string tried = "try:\n    import torch\nexcept ImportError:\n    raise SystemExit(0)\n";
    EXPECT_THAT(edited("import os\nfrom scale_triton import scale\n" + tried + "scale(torch.randn(2, 3).npu())\n"),
                HasSubstr("    raise SystemExit(0)\n\nDEVICE = \"cuda\" if torch"));
    EXPECT_THAT(edited("from scale_triton import scale\ndef main():\n    import torch\n"
                       "    scale(torch.randn(2, 3).npu())\nmain()\n"),
                HasSubstr("import scale\n\nimport torch\n\nDEVICE = \"cuda\" if torch"));
    EXPECT_THAT(edited("# it\ndef main():\n    import torch\n    from scale_triton import scale\n"
                       "    scale(torch.randn(2, 3).npu())\nmain()\n"),
                HasSubstr("# it\nimport torch\n\nDEVICE = \"cuda\" if torch"));
}

TEST_F(Import, WritesAProjectThatLoadsAndLeavesTheSetAsItWas) {
    write_set();
    auto set = read_python_set(folder / "set", "scaled");
    ASSERT_TRUE(set) << to_string(set.error());
    const auto written = write_imported(*set, folder / "project");
    ASSERT_TRUE(written) << written.error().message;
    const auto loaded = load_project(folder / "project");
    ASSERT_TRUE(loaded) << to_string(loaded.error());
    EXPECT_EQ(loaded->definition.name, "scaled");
    EXPECT_EQ(read_file(folder / "project" / "scale_triton.py"), kernel);
    EXPECT_EQ(read_file(folder / "set" / "scale_accuracy.py"), accuracy);
    const auto again = write_imported(*set, folder / "project");
    ASSERT_FALSE(again);
    EXPECT_THAT(again.error().message, HasSubstr("is not empty; choose another with -o"));
}

TEST_F(Import, ReadsShapesDtypesAttributesAndTolerancesByFollowingTheTests) {
    write_set();
    const auto set = read_python_set(folder / "set");
    ASSERT_TRUE(set) << to_string(set.error());
    const Project& project = set->project;
    EXPECT_THAT(project.definition.symbols, ElementsAre("M", "N"));
    EXPECT_THAT(project.definition.inputs[0].shape, ElementsAre("M", "N"));
    EXPECT_EQ(project.definition.attributes, (std::vector<Attribute>{{"factor", 3.0}}));
    EXPECT_THAT(names_of_all(project.cases), ElementsAre("64x32 f32", "64x32 bf16", "128x64 f32", "128x64 bf16"));
    EXPECT_EQ(project.accuracy.f32, (Tolerance{1e-2, 1e-3}));
    EXPECT_EQ(project.accuracy.named.at(DType::bf16), (Tolerance{1e-2, 1e-3}));
    EXPECT_THAT(set->edits, IsEmpty());
}

TEST_F(Import, KeepsTheTypesOfAttributesAndTheirPlacesAmongTheTensors) {
    write("scale_triton.py",
          "import torch\nimport triton\n\n\n@triton.jit\ndef k(x_ptr):\n    pass\n\n\n"
          "def scale(x, _eps, exp, axis=-1, causal=False, *, mode=None, kind=\"sum\"):\n"
          "    k[(1,)](x)\n    return torch.empty_like(x)\n");
    write("scale_baseline.py",
          "import torch\n\n\ndef scale(x, _eps, exp, axis=-1, causal=False, *, mode=None):\n"
          "    return x\n");
    write("scale_accuracy.py",
          "import torch\nfrom scale_triton import scale\nfrom scale_baseline import scale as expected\n"
          "x = torch.randn(8, 4)\nscale(x, 1.0, torch.randn(4), axis=2, causal=True, mode=None, kind=\"sum\")\n");
    const auto set = read_python_set(folder / "set");
    ASSERT_TRUE(set) << to_string(set.error());
    EXPECT_THAT(names_of_all(set->project.definition.inputs), ElementsAre("x", "exp"));
    EXPECT_EQ(set->project.definition.attributes, (std::vector<Attribute>{{"_eps", 1.0, AttributeType::real},
                                                                          {"axis", 2, AttributeType::integer},
                                                                          {"causal", 1, AttributeType::boolean}}));
    const auto checked = check_consistency(set->project, set->texts);
    EXPECT_TRUE(checked->consistent()) << to_string(checked->mismatches);
}

TEST_F(Import, NamesWhatKeptItFromFollowingEveryCall) {
    write_set();
    write("scale_accuracy.py",
          "import torch\nfrom scale_triton import scale\n\n"
          "scale(torch.randn(8, 4), factor=None)\nscale(torch.randn(8, 4), factor=None)\n");
    EXPECT_THAT(refusal(),
                HasSubstr("scale_accuracy.py: line 4: no call of `scale` with shapes that can be followed; "
                          "the call of `scale` was left out: its argument `factor` is None, neither a tensor "
                          "nor a number; call it"));
}

TEST_F(Import, TakesNoLiteralForATunableThatMeansSomething) {
    write_set();
    std::string text = kernel;
    const std::string launch = "num_warps=4)";
    text.replace(text.find(launch), launch.size(), "value=10, stage=3, GROUP_SIZE_M=8, num_heads=8, num_warps=4)");
    write("scale_triton.py", text);
    const auto set = read_python_set(folder / "set");
    ASSERT_TRUE(set) << to_string(set.error());
    EXPECT_THAT(names_of_all(set->project.variants[0].tunables), ElementsAre("BLOCK", "GROUP_SIZE_M", "num_warps"));
    EXPECT_THAT(to_string(set->notes), HasSubstr("`stage = 3` was taken for a meaning of the operator"));
}

TEST_F(Import, ReadsTestFunctionsThatPytestGivesTheirArguments) {
    write("scale_triton.py", kernel);
    write("scale_baseline.py", baseline);
    write("test_scale.py", R"(import pytest, torch
from scale_triton import scale
@pytest.mark.parametrize("shape", [(8, 16), (32, 48)])
@pytest.mark.parametrize("dtype", [torch.float16])
def test_scale(shape, dtype):
    x = torch.rand(shape, dtype=dtype).cuda() * 0.1
    assert torch.allclose(scale(x), x * 2)
)");
    const auto set = read_python_set(folder / "set");
    ASSERT_TRUE(set) << to_string(set.error());
    EXPECT_THAT(names_of_all(set->project.cases), ElementsAre("8x16 f16", "32x48 f16"));
    EXPECT_THAT(set->project.definition.inputs[0].shape, ElementsAre("P", "D"));
}

TEST_F(Import, ReadsPytestsOwnRowsAndNotesWhichItCannot) {
    write("scale_triton.py", kernel);
    write("scale_baseline.py", baseline);
    write("test_scale.py", R"(import pytest, torch
from scale_triton import scale
@pytest.mark.parametrize("M, N", [(8, 16), pytest.param(1823, 781, id="odd"), row(3), (1, 2, 3)])
@pytest.mark.parametrize("dtype", [pytest.param(torch.float16)])
def test_scale(M, N, dtype):
    scale(torch.rand(M, N, dtype=dtype))
)");
    const auto set = read_python_set(folder / "set");
    ASSERT_TRUE(set) << to_string(set.error());
    EXPECT_THAT(names_of_all(set->project.cases), ElementsAre("8x16 f16", "1823x781 f16"));
    EXPECT_THAT(to_string(set->notes), HasSubstr("line 3: rows of `test_scale` left out, not understood: 2 of 4"));
}

TEST_F(Import, FollowsWhatIsNotForOtherMachines) {
    write("scale_triton.py", kernel);
    write("scale_baseline.py", baseline);
    write("scale_accuracy.py", R"(import sys, torch
from scale_triton import scale
def main():
    if not torch.cuda.is_available():
        return 1
    for i, (rows, cols) in enumerate([(4, 8), (3, 5), (7, 9), (2, 2)]):
        if rows == 3:
            continue
        if rows == 7:
            break
        scale(torch.randn((rows, cols), device="cuda"))
if __name__ == "__main__":
    sys.exit(main())
)");
    const auto set = read_python_set(folder / "set");
    ASSERT_TRUE(set) << to_string(set.error());
    EXPECT_THAT(names_of_all(set->project.cases), ElementsAre("4x8 f32"));
}

TEST_F(Import, HasNoSliderForATunableThatTheFileBindsAgain) {
    write_set();
    std::string text = kernel;
    text.replace(text.find("    BLOCK = 128\n"), 16, "");
    text.insert(text.find("@triton.jit"), "BLOCK = 1024\nif DEVICE == \"cpu\":\n    BLOCK = 64\n\n\n");
    write("scale_triton.py", text);
    const auto set = read_python_set(folder / "set");
    ASSERT_TRUE(set) << to_string(set.error());
    EXPECT_THAT(names_of_all(set->project.variants[0].tunables), ElementsAre("num_warps"));
}

/// The kernel of the set with decorators, which chooses BLOCK itself.
std::string autotuned_by(const std::string& decorators) {
    std::string text = kernel;
    text.insert(text.find("@triton.jit"), decorators);
    const std::size_t block = text.find("    BLOCK = 128\n");
    text.erase(block, std::string_view("    BLOCK = 128\n").size());
    const std::string grid = "(triton.cdiv(x.numel(), BLOCK),)", own = ", BLOCK=BLOCK, num_warps=4";
    text.replace(text.find(grid), grid.size(), "lambda meta: (triton.cdiv(x.numel(), meta[\"BLOCK\"]),)");
    return text.erase(text.find(own), own.size());
}

TEST_F(Import, MakesTunablesOfTheConfigurationsOfAutotune) {
    write_set();
    write("scale_triton.py", autotuned_by("@triton.autotune(configs=[triton.Config({\"BLOCK\": 64}, num_warps=2), "
                                          "triton.Config({\"BLOCK\": 128, }, num_warps=8)], key=[\"N\"])\n"));
    const auto set = read_python_set(folder / "set");
    ASSERT_TRUE(set) << to_string(set.error());
    const Variant& variant = set->project.variants[0];
    EXPECT_THAT(variant.tunables, ElementsAre(Tunable{"BLOCK", {64, 128}, 64}, Tunable{"num_warps", {2, 8}, 2}));
    EXPECT_THAT(variant.restrictions, ElementsAre("BLOCK == 64 and num_warps == 2 or BLOCK == 128 and num_warps == 8"));
    EXPECT_THAT(set->texts.at("scale_triton.py"),
                HasSubstr("\nBLOCK = 64\nnum_warps = 2\n@triton.autotune(configs=[triton.Config({\"BLOCK\": BLOCK}, "
                          "num_warps=num_warps)], key=[\"N\"])\n@triton.jit\n"));
    EXPECT_THAT(to_string(set->edits),
                HasSubstr("line 8: the configurations of `scale_kernel` are tunables now: BLOCK, num_warps"));
    EXPECT_THAT(to_string(set->notes), Not(HasSubstr("no tunables were found")));
}

TEST_F(Import, ReadsConfigurationsThatLoopsAndListsWriteOut) {
    write_set();
    const auto values_with = [&](const std::string& configs) {
        write("scale_triton.py", autotuned_by("SIZES = [(32, 1), (64, 2)]\nCONFIGS = " + configs +
                                              "\n\n\n@triton.autotune(CONFIGS, [\"N\"])\n"));
        const auto set = read_python_set(folder / "set").value();
        return set.project.variants[0].tunables.empty() ? std::vector<std::int64_t>() : tunable(set, "BLOCK").values;
    };
    EXPECT_THAT(values_with("[triton.Config({'BLOCK': b * 2}, num_warps=w) for b, w in SIZES]"), ElementsAre(64, 128));
    EXPECT_THAT(values_with("[triton.Config({'BLOCK': 2**4 if b else 1}) for b in range(2)]"), IsEmpty());
    EXPECT_THAT(values_with("[triton.Config({'BLOCK': 16 * b}) for b in range(1, 4)] + [triton.Config({'BLOCK': 8})]"),
                ElementsAre(8, 16, 32, 48));
}

TEST_F(Import, LeavesConfigurationsToTritonThatCannotBeTunables) {
    write_set();
    const auto note_with = [&](const std::string& configs) {
        write("scale_triton.py", autotuned_by("@triton.autotune(configs=" + configs + ", key=[\"N\"])\n"));
        return to_string(read_python_set(folder / "set").value().notes).text();
    };
    const std::string stay = "the configurations of `scale_kernel` stay Triton's own choice, without tunables: ";
    EXPECT_THAT(note_with("configurations()"), HasSubstr(stay + "`configurations()` is not written out"));
    EXPECT_THAT(note_with("[triton.Config({'BLOCK': 8}, pre_hook=f)]"), HasSubstr(stay + "they have hooks"));
    EXPECT_THAT(note_with("[triton.Config({'BLOCK': 8}), triton.Config({'SIZE': 8})]"),
                HasSubstr(stay + "they do not all have the same names"));
    EXPECT_THAT(note_with("[]"), HasSubstr(stay + "there are none"));
    EXPECT_THAT(note_with("[triton.Config({'BLOCK': 8})]"), HasSubstr("no tunables were found"));
}

TEST_F(Import, FlattensLeadingDimensionsWhereTestShapesDifferInRank) {
    write("scale_triton.py", kernel);
    write("scale_baseline.py", baseline);
    write("scale_accuracy.py",
          "import torch\nfrom scale_triton import scale\nfor shape in [(4, 8), (2, 3, 16), (5,)]:\n"
          "    scale(torch.randn(shape))\n");
    const auto set = read_python_set(folder / "set");
    ASSERT_TRUE(set) << to_string(set.error());
    EXPECT_THAT(set->project.definition.inputs[0].shape, ElementsAre("P", "D"));
    EXPECT_THAT(names_of_all(set->project.cases), ElementsAre("4x8 f32", "6x16 f32", "1x5 f32"));
    EXPECT_THAT(to_string(set->notes), HasSubstr("leading dimensions were flattened to rows"));
}

TEST_F(Import, TakesShapesOfManyDimensions) {
    write("scale_triton.py", kernel);
    write("scale_baseline.py", baseline);
    write("scale_accuracy.py",
          "import torch\nfrom scale_triton import scale\n"
          "for shape in [(2,) * 20 + (3,)]:\n    scale(torch.randn(shape))\n");
    const auto set = read_python_set(folder / "set");
    ASSERT_TRUE(set) << to_string(set.error());
    EXPECT_EQ(set->project.definition.symbols.size(), 21u);
    EXPECT_EQ(set->project.definition.outputs[0].shape, set->project.definition.inputs[0].shape);
}

TEST_F(Import, TellsThatTheShapesOfTwoTuplesAreTied) {
    std::string text = kernel;
    text.replace(text.find("factor: float = 2.0"), 19, "bias: torch.Tensor");
    write("scale_triton.py", text);
    write("scale_baseline.py", "import torch\n\n\ndef scale(x, bias):\n    return x + bias\n");
    const auto shapes = [&](const std::string& loop) {
        write("scale_accuracy.py", "import torch\nfrom scale_triton import scale\n" + loop);
        const auto set = read_python_set(folder / "set");
        EXPECT_TRUE(set) << to_string(set.error());
        return set ? set->project.definition.inputs : std::vector<Tensor>{};
    };
    const std::string calls = ":\n    scale(torch.randn(a), torch.randn(b))\n";
    const auto bias = shapes("for a, b in [((64, 128), (128,)), ((32, 256), (256,))]" + calls);
    EXPECT_THAT(bias[0].shape, ElementsAre("P", "D"));
    EXPECT_THAT(bias[1].shape, ElementsAre("D"));
    EXPECT_THAT(shapes("for a, b in [((64, 64), (64, 64))]" + calls)[1].shape, ElementsAre("P", "D"));
    EXPECT_THAT(shapes("for a, b in [((64, 128), (128, 3)), ((4, 5), (5, 6))]" + calls)[1].shape,
                ElementsAre("D", "D2"));
    EXPECT_THAT(shapes("for a, b in [((64, 128), (128,)), ((4, 5), (7,))]" + calls)[1].shape, ElementsAre("D2"));
    EXPECT_THAT(
        shapes("for (M, N), b in [((64, 128), (128,))]:\n    scale(torch.randn(M, N), torch.randn(b))\n")[1].shape,
        ElementsAre("N"));
}

TEST_F(Import, FindsTheShapesOfOutputsInWhatTheWrapperReturns) {
    write("sum_triton.py", R"(import torch, triton
import triton.language as tl
@triton.jit
def k(x, a, b, N, BLOCK: tl.constexpr): pass
def sums(x):
    M, N = x.shape
    a = torch.empty(M, device=x.device, dtype=x.dtype)
    b = x.new_empty((x.numel() // M, 1))
    BLOCK = 64
    k[(M,)](x, a, b, N, BLOCK)
    return a, b
)");
    write("sum_baseline.py", "import torch\ndef sums(x):\n    return x.sum(-1), x.sum(0)\n");
    write("sum_accuracy.py",
          "import torch\nfrom sum_triton import sums\nsums(torch.randn(8, 16))\nsums(torch.randn(4, 32))\n");
    const auto set = read_python_set(folder / "set");
    ASSERT_TRUE(set) << to_string(set.error());
    const Operator& definition = set->project.definition;
    ASSERT_EQ(definition.outputs.size(), 2u);
    EXPECT_THAT(names_of_all(definition.outputs), ElementsAre("a", "b"));
    EXPECT_THAT(definition.outputs[0].shape, ElementsAre(definition.symbols[0]));
    EXPECT_THAT(definition.outputs[1].shape, ElementsAre(definition.symbols[1], "1"));
}

TEST_F(Import, NeverExecutesAFile) {
    write_set();
    const fs::path trace = folder / "executed";
    write("scale_baseline.py", std::string(baseline) + "open(" + "'" + trace.string() + "', 'w').close()\n");
    ASSERT_TRUE(read_python_set(folder / "set"));
    EXPECT_FALSE(fs::exists(trace));
}

TEST_F(Import, SaysWhatAFolderWithoutASetLacks) {
    EXPECT_THAT(refusal(), HasSubstr("there is no Python file in the folder"));
    write("scale_baseline.py", baseline);
    EXPECT_THAT(refusal(), HasSubstr("no file has a Triton kernel, a function under `@triton.jit`: scale_baseline.py"));
    write("scale_triton.py", kernel);
    EXPECT_THAT(refusal(), HasSubstr("no file imports `scale` from scale_triton.py, so its shapes are not known"));
    write("scale_accuracy.py", accuracy);
    EXPECT_EQ(refusal(), "it was read");
    fs::remove(folder / "set" / "scale_baseline.py");
    EXPECT_THAT(refusal(), HasSubstr("no baseline: no file beside scale_triton.py defines `scale`"));
    const auto nowhere = read_python_set(folder / "nowhere");
    ASSERT_FALSE(nowhere);
    EXPECT_THAT(to_string(nowhere.error()), HasSubstr("nowhere: cannot be read as a folder"));
}

TEST_F(Import, NamesTheCandidatesWhereARoleHasSeveral) {
    write_set();
    write("scale_v2_triton.py", kernel);
    EXPECT_THAT(refusal(), HasSubstr("2 files could be the kernel: scale_triton.py, scale_v2_triton.py"));
    fs::remove(folder / "set" / "scale_v2_triton.py");
    write("other_baseline.py", baseline);
    EXPECT_THAT(refusal(), HasSubstr("2 files could be the baseline: other_baseline.py, scale_baseline.py"));
}

TEST_F(Import, NamesFileAndLineOfWhatCannotBeRead) {
    write_set();
    write("scale_baseline.py", "import torch\ndef scale(x:\n");
    EXPECT_THAT(refusal(), HasSubstr("scale_baseline.py: line 2: syntax error"));
    write("scale_baseline.py", "\xff\xfe\x00");
    EXPECT_THAT(refusal(), HasSubstr("scale_baseline.py: the file is not UTF-8 text; save it as UTF-8"));
    write("scale_baseline.py", baseline);
    ::chmod((folder / "set" / "scale_accuracy.py").c_str(), 0);
    if (::geteuid() != 0) {
        EXPECT_THAT(refusal(), HasSubstr("scale_accuracy.py"));
    }
}

TEST_F(Import, RefusesAWrapperThatIsALambdaOrTakesAnything) {
    write_set();
    write("scale_triton.py",
          std::string(kernel).substr(0, std::string(kernel).find("def scale(")) + "scale = lambda x, factor: x\n");
    EXPECT_THAT(refusal(), HasSubstr("scale_triton.py: line 11: the wrapper `scale` is a lambda"));
    std::string text = kernel;
    text.replace(text.find("factor: float = 2.0"), 19, "**options");
    write("scale_triton.py", text);
    EXPECT_THAT(refusal(), HasSubstr("takes `*` or `**` parameters"));
}

TEST_F(Import, LeavesOutCallsThatItCannotFollowAndSaysSo) {
    write_set();
    write("scale_accuracy.py",
          std::string(accuracy) + "scale(torch.load('x.pt'))\nscale(torch.randn(3, 3), \"fast\")\n");
    const auto set = read_python_set(folder / "set");
    ASSERT_TRUE(set) << to_string(set.error());
    EXPECT_EQ(set->project.cases.size(), 4u);
    EXPECT_THAT(to_string(set->notes), HasSubstr("line 10: the call of `scale` was left out: its argument `x`"));
    EXPECT_THAT(to_string(set->notes), HasSubstr("is 'fast', neither a tensor nor a number"));
}

TEST_F(Import, KeepsWhatItsNotesWereMadeOf) {
    write_set();
    write("scale_accuracy.py", std::string(accuracy) + "scale(torch.randn(3, 3), \"fast\")\n");
    const auto set = read_python_set(folder / "set");
    ASSERT_TRUE(set) << to_string(set.error());
    const Said note = set->notes.front().message;
    EXPECT_EQ(note.format(), "the call of `{}` was left out: {}") << note;
    ASSERT_EQ(note.arguments().size(), 2U);
    EXPECT_EQ(note.arguments()[0], "scale");
    EXPECT_THAT(note.arguments()[1].arguments(), ElementsAre("factor", "'fast'"));
}

TEST_F(Import, EndsOnTestsThatLoopWithoutEnd) {
    write_set();
    write("scale_accuracy.py",
          "import torch\nfrom scale_triton import scale\ndef again(n):\n    again(n)\n    "
          "again(n)\nscale(torch.randn(2, 3))\n"
          "for a in range(10**15):\n    for b in range(10**15):\n        again(a)\nx = 9**9**9**9\n");
    const auto set = read_python_set(folder / "set");
    ASSERT_TRUE(set) << to_string(set.error());
    EXPECT_THAT(names_of_all(set->project.cases), ElementsAre("2x3 f32"));
}

}  // namespace
}  // namespace kernelgen
