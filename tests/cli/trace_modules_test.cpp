// SPDX-License-Identifier: Apache-2.0
// Triton files that import modules of their own folder or package, from the file to a verified project.
#include <gmock/gmock.h>

#include "tests/cli/program.h"
#include "tests/core_python/needs.h"

namespace kernelgen {
namespace {

using ::testing::HasSubstr;
using testing::Ran;

const char* const plus_kernel = R"(import torch
import triton
import triton.language as tl


@triton.jit
def plus(a, b):
    return a + b


@triton.jit
def plus_kernel(x, y, out, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + at, plus(tl.load(x + at, mask=at < n), tl.load(y + at, mask=at < n)), mask=at < n)
)";

const char* const plus_wrapper = R"(

def added(x, y):
    out = torch.empty_like(x)
    plus_kernel[(blocks(x.numel(), BLOCK),)](x, y, out, x.numel(), BLOCK=BLOCK)
    return out


added(torch.randn(100, device=device()), torch.randn(100, device=device()))
)";

class TracedModules : public testing::ProgramTest {
protected:
    void SetUp() override {
        ProgramTest::SetUp();
        NEEDS(Language::triton);
    }
    void write(const std::string& file, const std::string& text) {
        std::filesystem::create_directories((folder / file).parent_path());
        ASSERT_TRUE(write_file_atomic(folder / file, text));
    }
    Ran trace(const std::string& file) {
        return kernelgen({"import", file, "--trace", "--reference", "lambda x, y: x + y", "-o", "made"});
    }
    void expect_verified() {
        const Ran verified = kernelgen({"verify", "made"});
        EXPECT_EQ(verified.exit.status, 0) << verified.output << verified.errors;
    }
    bool is_made(const std::string& file) { return std::filesystem::exists(folder / "made" / file); }
};

class NightlyTracedModules : public TracedModules {};

TEST_F(NightlyTracedModules, OfThePackageComeAlongWhereTheyAre) {
    write("fla/__init__.py", "import not_installed_anywhere\n");
    write("fla/ops/__init__.py", "from fla.ops.add import added\n");
    write("fla/ops/kernels.py", plus_kernel);
    write("fla/ops/unused.py", "");
    write("fla/utils.py", "from .sizes import blocks\nfrom fla.ops import kernels\nBLOCK = 64\n");
    write("fla/sizes.py",
          "import fla.utils\nimport torch\ndef blocks(n, block):\n    return -(-n // block)\n"
          "def device():\n    return \"cuda\" if torch.cuda.is_available() else \"cpu\"\n");
    write("fla/ops/add.py",
          "import torch\n\nfrom fla.utils import BLOCK\nfrom ..sizes import blocks, device\nfrom .kernels import "
          "plus_kernel\n" +
              std::string(plus_wrapper));
    const Ran ran = trace("fla/ops/add.py");
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    for (const char* each : {"fla/ops/add.py", "fla/ops/kernels.py", "fla/utils.py", "fla/sizes.py", "definition.py"})
        EXPECT_TRUE(is_made(each)) << each;
    for (const char* each : {"fla/__init__.py", "fla/ops/__init__.py", "fla/ops/unused.py", "solution.py"})
        EXPECT_FALSE(is_made(each)) << each;
    std::filesystem::remove_all(folder / "fla");
    expect_verified();
}

TEST_F(TracedModules, BesideTheFileComeAlong) {
    write("helpers/__init__.py", "from .plus import plus_kernel\nBLOCK = 32\n");
    write("helpers/plus.py", plus_kernel);
    write("sizes.py", "def blocks(n, block):\n    return -(-n // block)\ndef device():\n    return \"cpu\"\n");
    write("add.py",
          "import torch\n\nfrom helpers import BLOCK, plus_kernel\nfrom sizes import *\n" + std::string(plus_wrapper));
    const Ran ran = trace("add.py");
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    for (const char* each : {"solution.py", "helpers/__init__.py", "helpers/plus.py", "sizes.py"})
        EXPECT_TRUE(is_made(each)) << each;
    expect_verified();
}

TEST_F(NightlyTracedModules, OfASolutionComeAlongToo) {
    write("new/__init__.py", "");
    write("new/helper.py", "import torch\ndef twice(x):\n    return x + x\n");
    write("new/fast.py", "from .helper import twice\ndef solution(x):\n    return twice(x)\n");
    write("twofold.py",
          "import torch\ndef reference(x):\n    return 2 * x\n"
          "def inputs(case, generator, device):\n    return [torch.randn(30, 40, generator=generator)]\n");
    const Ran ran = kernelgen({"import", "twofold.py", "--solution", "new/fast.py", "-o", "made"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    EXPECT_TRUE(is_made("new/fast.py") && is_made("new/helper.py"));
    expect_verified();
}

TEST_F(TracedModules, OfAProblemComeAlongToo) {
    write("problems/__init__.py", "");
    write("problems/shared.py", "from .sizes import ROWS\ndef twice(x):\n    return 2 * x\n");
    write("problems/sizes.py", "ROWS = 30\n");
    write("problems/twofold.py",
          "import torch\nfrom .shared import ROWS, twice\ndef reference(x):\n    return twice(x)\n"
          "def inputs(case, generator, device):\n    return [torch.randn(ROWS, 40, generator=generator)]\n");
    write("fast.py", "from helper import add\ndef solution(x):\n    return add(x, x)\n");
    write("helper.py", "def add(a, b):\n    return a + b\n");
    const Ran ran = kernelgen({"import", "problems/twofold.py", "--solution", "fast.py", "-o", "made"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    for (const char* each :
         {"problems/twofold.py", "problems/shared.py", "problems/sizes.py", "solution.py", "helper.py"})
        EXPECT_TRUE(is_made(each)) << each;
    expect_verified();
    write("alone.py",
          "import torch\nfrom helper import add\ndef reference(x):\n    return add(x, x)\n"
          "def inputs(case, generator, device):\n    return [torch.randn(30, 40, generator=generator)]\n");
    std::filesystem::remove_all(folder / "made");
    ASSERT_EQ(kernelgen({"import", "alone.py", "--solution", "fast.py", "-o", "made"}).exit.status, 0);
    EXPECT_TRUE(is_made("helper.py") && is_made("definition.py"));
    expect_verified();
    write("other/fast.py", "from helper import add\ndef solution(x):\n    return add(x, x)\n");
    write("other/helper.py", "def add(a, b):\n    return b + a\n");
    EXPECT_THAT(kernelgen({"import", "alone.py", "--solution", "other/fast.py", "-o", "two"}).errors,
                HasSubstr("it imports `helper.py`, which is the name of a file of the project; rename it"));
}

TEST_F(NightlyTracedModules, MayAskForTheDriverOfAGpuWhenTheyAreImported) {
    write("target.py",
          std::string(plus_kernel) +
              "TARGET = triton.runtime.driver.active.get_current_target()\n"
              "BLOCK = 64 if TARGET.backend == \"cuda\" else 32\n"
              "COUNT = triton.runtime.driver.active.utils.get_device_properties(0)[\"multiprocessor_count\"]\n"
              "blocks, device = triton.cdiv, lambda: \"cuda\"\n");
    write("add.py",
          "import torch\nfrom target import BLOCK, blocks, device, plus_kernel\n" + std::string(plus_wrapper));
    const Ran ran = trace("add.py");
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    expect_verified();
}

TEST_F(TracedModules, ThatCannotBeTakenAreNamed) {
    write("add.py", "import torch\n\nimport helper\n" + std::string(plus_wrapper));
    EXPECT_THAT(trace("add.py").errors, HasSubstr("No module named 'helper'"));
    std::filesystem::create_symlink("/etc/hostname", folder / "helper.py");
    EXPECT_THAT(trace("add.py").errors, HasSubstr("`helper.py` is a link that leads out of"));
    std::filesystem::remove(folder / "helper.py");
    write("helper.py", "# caf\xe9\n");
    EXPECT_THAT(trace("add.py").errors, HasSubstr("UTF-8"));
    write("definition.py", "");
    write("named.py", std::string(plus_kernel) +
                          "import definition\nBLOCK = 64\nblocks, device = triton.cdiv, lambda: \"cpu\"\n" +
                          plus_wrapper);
    EXPECT_THAT(trace("named.py").errors,
                HasSubstr("it imports `definition.py`, which is the name of a file of the project"));
    for (int i = 0; i < 201; ++i) write(std::format("m{}.py", i), std::format("import m{}\n", i + 1));
    write("helper.py", "import m0\n");
    EXPECT_THAT(trace("add.py").errors, HasSubstr("it imports more than 200 files or 4 MiB of its own"));
}

}  // namespace
}  // namespace kernelgen
