// SPDX-License-Identifier: Apache-2.0
// The tunables of traced files.
#include <gmock/gmock.h>

#include "tests/cli/traced_file.h"

namespace kernelgen {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::Ran;
using testing::TracedFile;

class NightlyTracedTunables : public TracedFile {};

/// A kernel that doubles, with decorators; its third parameter is called `size`.
std::string doubled_kernel(const std::string& decorators = "", const std::string& size = "n",
                           const std::string& first_line = "pass") {
    return "\n\n" + decorators + "@triton.jit\ndef doubled_kernel(x, out, " + size + ", BLOCK: tl.constexpr):\n    " +
           first_line +
           "\n    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)\n    tl.store(out + at, tl.load(x + at, mask=at "
           "< " +
           size + ") * 2, mask=at < " + size + ")\n";
}

/// What launches it with the block that is tuned.
const char* const doubled = R"(

def doubled(x):
    out = torch.empty_like(x)
    doubled_kernel[lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)](x, out, x.numel())
    return out


)";

TEST_F(TracedFile, MakesTunablesOfLiteralsThatALaunchUses) {
    write(doubled_kernel() + R"(

WIDE_BLOCK = 128


def doubled(x):
    out = torch.empty_like(x)
    doubled_kernel[(triton.cdiv(x.numel(), WIDE_BLOCK),)](x, out, x.numel(), WIDE_BLOCK)
    return out


doubled(torch.randn(1000, device="cuda"))
)");
    const Ran ran = trace("lambda x: x * 2");
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    EXPECT_THAT(ran.output, HasSubstr("tunables: WIDE_BLOCK=128"));
    EXPECT_EQ(kernelgen({"verify", "made", "--set", "WIDE_BLOCK=64"}).exit.status, 0);
}

TEST_F(TracedFile, MakesTunablesOfAutotunedConfigurations) {
    write("test_scaled()\n");
    const Ran ran = trace("torch_scaled");
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    EXPECT_THAT(ran.output,
                HasSubstr("line 10: the configurations of `scaled_kernel` are tunables now: BLOCK, num_warps"));
    EXPECT_THAT(made("solution.py"), HasSubstr(R"(

BLOCK = 64
num_warps = 2
@triton.autotune(configs=[triton.Config({"BLOCK": BLOCK}, num_warps=num_warps)], key=["n"])
@triton.heuristics({"EVEN":)"));
    const json variant = json::parse(made("project.json")).at("variants").at(0);
    EXPECT_EQ(variant.at("tunables"), json::parse(R"([{"name": "BLOCK", "values": [64, 128], "value": 64},
                                                      {"name": "num_warps", "values": [2, 4], "value": 2}])"));
    EXPECT_EQ(variant.at("restrictions"),
              json::array({"BLOCK == 64 and num_warps == 2 or BLOCK == 128 and num_warps == 4"}));
    EXPECT_EQ(kernelgen({"verify", "made", "--set", "BLOCK=128", "--set", "num_warps=4"}).exit.status, 0);
    EXPECT_THAT(kernelgen({"verify", "made", "--set", "BLOCK=128"}).output,
                HasSubstr("BLOCK == 64 and num_warps == 2"));
}

const char* const two_tuned = R"(

def computed(blocks):
    return [triton.Config({"BLOCK": block}, num_warps=warps) for block in blocks for warps in (1, 2)]


@triton.autotune(computed([16, 32]), key=["n"])
@triton.jit
def times_block(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n) * BLOCK, mask=at < n)


@triton.autotune([triton.Config({"BLOCK": 8, "ADDS": True}), triton.Config({"BLOCK": 4, "ADDS": False})], key=["n"])
@triton.jit
def plus_one(x, n, BLOCK: tl.constexpr, ADDS: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + at, tl.load(x + at, mask=at < n) + (1 if ADDS else 0), mask=at < n)


@triton.autotune(configs=[triton.Config({"BLOCK": size}, pre_hook=lambda _: None) for size in (4, 8)], key=["n"])
@triton.jit
def hooked(x, n, BLOCK: tl.constexpr):
    pass


class Both(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        num_warps, out = x.numel(), torch.empty_like(x)
        times_block[lambda meta: (triton.cdiv(num_warps, meta["BLOCK"]),)](x, out, num_warps)
        plus_one[lambda meta: (triton.cdiv(num_warps, meta["BLOCK"]),)](out, num_warps)
        hooked[(1,)](out, num_warps)
        return out


Both.apply(torch.randn(40, device="cuda"))
)";

/// And classes made of Triton's own tuner take the first one too.
TEST_F(TracedFile, TakesTheFirstConfigurationThatPruningLeaves) {
    const std::string configs = R"(
from triton.runtime.autotuner import Autotuner


class OwnTuner(Autotuner):
    pass


def few(configs, named, **_):
    return [each for each in configs if each.kwargs["BLOCK"] <= named["n"]]


configs = [triton.Config({"BLOCK": 256}, num_warps=8), triton.Config({"BLOCK": 64}), triton.Config({"BLOCK": 32})]


@lambda kernel: OwnTuner(kernel, kernel.arg_names, configs[1:], ["n"], None, None)
@triton.jit
def copy_kernel(x, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, tl.load(x + at, mask=at < n), mask=at < n)
)";
    const std::string pruned = "@triton.autotune(configs, key=['n'], prune_configs_by={'early_config_prune': few})\n";
    write(configs + doubled_kernel(pruned, "n", "tl.static_assert(BLOCK <= 100)") + R"(

def doubled(x):
    made, out = torch.empty_like(x), torch.empty_like(x)
    doubled_kernel[lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)](x, made, x.numel())
    copy_kernel[lambda meta: (triton.cdiv(x.numel(), meta["BLOCK"]),)](made, out, x.numel())
    return out


doubled(torch.randn(100, device="cuda"))
)");
    const Ran ran = trace("lambda x: 2 * x");
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    EXPECT_THAT(ran.output, HasSubstr("BLOCK=64"));
    const Ran verified = kernelgen({"verify", "made"});
    EXPECT_EQ(verified.exit.status, 0) << verified.output << verified.errors;
}

TEST_F(NightlyTracedTunables, GivesTheTunablesOfSeveralKernelsNamesOfTheirOwn) {
    write(two_tuned);
    const Ran ran = trace("lambda x: x * 16 + 1");
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    EXPECT_THAT(ran.output, HasSubstr("ADDS=1 plus_one_BLOCK=8 times_block_BLOCK=16 times_block_num_warps=1"));
    EXPECT_THAT(ran.output, HasSubstr("the configurations of `hooked` stay Triton's own choice"));
    EXPECT_THAT(made("solution.py"), HasSubstr(R"([triton.Config({"BLOCK": plus_one_BLOCK, "ADDS": bool(ADDS)})])"));
    EXPECT_EQ(kernelgen({"verify", "made"}).exit.status, 0) << kernelgen({"verify", "made"}).output;
    const Ran other = kernelgen({"verify", "made", "--set", "times_block_BLOCK=32"});
    EXPECT_THAT(other.output, HasSubstr("mismatch")) << other.errors;
}

TEST_F(NightlyTracedTunables, KeepsConfigurationsWhereTestsAreMadeSmaller) {
    const std::string configurations =
        "\n\ndef configurations():\n    return [triton.Config({'BLOCK': block}) for block in (128, 256)]\n";
    write(configurations + doubled_kernel("@triton.autotune(configurations(), key=['n'])\n") + doubled +
          "doubled(torch.randn(33554432, device='cuda'))\n");
    const Ran ran = trace("lambda x: x * 2", {"--timeout", "4s"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    EXPECT_THAT(ran.output, HasSubstr("integers over 64 were made smaller"));
    EXPECT_THAT(ran.output, HasSubstr("tunables: BLOCK=128"));
}

/// Calls by whose size, the key `key`, a configuration is chosen.
std::string chosen_by(const std::string& key) {
    const std::string fitting =
        "\n\ndef fitting(configs, named, **_):\n    return [each for each in configs if each.kwargs['BLOCK'] <= "
        "named['" +
        key + "']]\n";
    const std::string tuned = "@triton.autotune([triton.Config({'BLOCK': 64}), triton.Config({'BLOCK': 32})], key=['" +
                              key + "'],\n                 prune_configs_by={'early_config_prune': fitting})\n";
    return fitting + doubled_kernel(tuned, key) + doubled +
           "doubled(torch.randn(100, device='cuda'))\ndoubled(torch.randn(4, 25, device='cuda'))\n"
           "doubled(torch.randn(40, device='cuda'))\n";
}

TEST_F(TracedFile, HasRulesByTheKeyOfAutotune) {
    write(chosen_by("n"));
    const Ran ran = trace("lambda x: 2 * x");
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    const json project = json::parse(made("project.json"));
    EXPECT_EQ(project["operator"]["symbols"], json::array({"n"}));
    EXPECT_EQ(project["cases"][2]["n"], 40);
    EXPECT_EQ(project["variants"][0]["configurations"],
              json::array({{{"when", "n == 100"}, {"values", {{"BLOCK", 64}}}}}));
    EXPECT_THAT(ran.output,
                HasSubstr("by `n` Triton chooses: these are sizes of the cases, and sizes that the tests do not "
                          "have are not tried"));
    EXPECT_THAT(made("definition.py"), HasSubstr("only_cases = True"));
    const Ran verified = kernelgen({"verify", "made"});
    EXPECT_EQ(verified.exit.status, 0) << verified.output << verified.errors;
    EXPECT_THAT(verified.output, Not(HasSubstr("awkward sizes"))) << "the import has told it";
}

/// A key may be a word of the operator language, or begin with an underscore.
TEST_F(TracedFile, LeavesKeysThatNoSizeCanBeCalledOutOfTheRules) {
    for (const char* const key : {"exp", "_n", "kg_n", "size_t"}) {
        write(chosen_by(key));
        std::filesystem::remove_all(folder / "made");
        const Ran ran = trace("lambda x: 2 * x");
        ASSERT_EQ(ran.exit.status, 0) << key << ran.errors;
        EXPECT_THAT(ran.output, HasSubstr(std::string("`") + key +
                                          "`, a key of the autotuned `doubled_kernel`, is left out of the rules by "
                                          "case: a size cannot have this name"));
        EXPECT_FALSE(json::parse(made("project.json"))["operator"].contains("symbols"));
    }
}

}  // namespace
}  // namespace kernelgen
