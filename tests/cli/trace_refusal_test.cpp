// SPDX-License-Identifier: Apache-2.0
// Traced files that are refused, and such that crash or do not end.
#include <gmock/gmock.h>
#include <unistd.h>

#include "tests/cli/traced_file.h"

namespace kernelgen {
namespace {

using ::testing::HasSubstr;
using testing::Ran;
using testing::TracedFile;

TEST_F(TracedFile, NamesTheReadBeyondATensorThatCrashes) {
    const std::string text = R"(import torch
import triton
import triton.language as tl


@triton.jit
def picked_kernel(x, out, starts, n):
    row = tl.program_id(0)
    first = tl.load(starts + row + 1)  # the last row has none
    tl.store(out + row, tl.load(x + first * 0 + row.to(tl.int64) // 2 * 1000000000000))


def picked(x, starts):
    out = torch.empty_like(starts, dtype=x.dtype)
    picked_kernel[(starts.numel(),)](x, out, starts, x.numel())
    return out


picked(torch.randn(100, device="cuda"), torch.tensor([0, 0, 0], device="cuda"))
)";
    ASSERT_TRUE(write_file_atomic(folder / "scaled.py", text));
    const Ran ran = trace("lambda x, starts: x[starts]");
    EXPECT_EQ(ran.exit.status, 4);
    EXPECT_THAT(ran.errors, HasSubstr("scaled.py: line 9: "));
    EXPECT_THAT(ran.errors, HasSubstr("accesses element 3 of `starts`, which has 3 elements"));
}

bool runs(const std::string& argument) {
    std::error_code error;
    for (const auto& each : std::filesystem::directory_iterator("/proc", error)) {
        if (read_file(each.path() / "cmdline").value_or("").contains(argument)) return true;
    }
    return false;
}

TEST_F(TracedFile, EndsWithAllThatItStartedWhenItIsInterrupted) {
    const std::string seconds = "7" + std::to_string(::getpid());
    write("import subprocess\nsubprocess.Popen(['sleep', '" + seconds + "'], start_new_session=True)\n" + "open('" +
          (folder / "begun").string() + "', 'w').close()\nwhile True: pass\n");
    Command command{.arguments = {"timeout", "--preserve-status", "-s", "INT", "10", KERNELGEN_PROGRAM, "import",
                                  "scaled.py", "--trace"},
                    .folder = folder.string()};
    const Result<Finished> finished = run_to_end(command);
    ASSERT_TRUE(finished);
    EXPECT_EQ(finished->exit.status, 130) << finished->output;
    EXPECT_TRUE(std::filesystem::exists(folder / "begun"));
    EXPECT_FALSE(runs(seconds));
}

struct Refusal {
    std::string tests, reference, said;
    int status = 1;
    std::string timeout = "3s";
};

class TracedFileRefusal : public TracedFile, public ::testing::WithParamInterface<Refusal> {};

TEST_P(TracedFileRefusal, NamesTheCause) {
    write(GetParam().tests);
    const Ran ran = trace(GetParam().reference, {"--timeout", GetParam().timeout});
    EXPECT_EQ(ran.exit.status, GetParam().status);
    EXPECT_THAT(ran.errors, HasSubstr(GetParam().said));
    EXPECT_FALSE(std::filesystem::exists(folder / "made"));
}

const std::string called = "scaled(torch.randn(10, device='cuda'))\n";
const std::string right_reference = "lambda x: torch.tanh(x) * 2";

INSTANTIATE_TEST_SUITE_P(
    All, TracedFileRefusal,
    ::testing::Values(
        Refusal{"test_scaled = None\n", right_reference,
                "nothing in the file calls a function that launches a Triton kernel"},
        Refusal{"scaled(torch.randn(10), mode='other')\n", right_reference,
                "line 17: its test calls fail: AssertionError"},
        Refusal{"while True: pass\n", right_reference, "ended within 3 s", 4},
        Refusal{"import os\nos._exit(7)\n", right_reference, "ended the process with status 7", 4},
        Refusal{"import os\nos.kill(os.getpid(), 11)\n", right_reference, "SIGSEGV", 4},
        Refusal{"import os, signal\nos.kill(os.getpid(), signal.SIGRTMIN + 2)\n", right_reference, "SIGRTMIN+2", 4},
        Refusal{"import os, time\nfor _ in range(600):\n    if os.fork() == 0: time.sleep(99)\n"
                "time.sleep(99)\n",
                right_reference, "more than 512 processes", 4, "30s"},
        Refusal{"import numpy\nfree = next(int(each.split()[1]) for each in open('/proc/meminfo') if "
                "each.startswith('MemAvailable'))\n"
                "scaled(torch.from_numpy(numpy.zeros(free * 180, 'f4')))  # 0.7 of it, never written\n",
                right_reference, "`scaled` cannot be judged: no memory is left to copy its arguments and results"},
        Refusal{"import os\nif os.fork() == 0:\n    while True: pass\nexit(1)\n", right_reference,
                "calls fail: SystemExit"}));
INSTANTIATE_TEST_SUITE_P(
    NightlyAll, TracedFileRefusal,
    ::testing::Values(
        Refusal{"import not_there\n", right_reference, "No module named 'not_there'"},
        Refusal{"torch.empty(1 << 50)\n", right_reference, "its test calls fail: RuntimeError"},
        Refusal{"scaled(torch.randn(10, device='cuda'), bias=type('Bias', (), {'__radd__': lambda *_: 0})())\n",
                right_reference, "argument `bias` is a Bias"},
        Refusal{std::string("class Many(torch.nn.Module):\n    def forward(self, *x):\n") +
                    "        scaled_kernel[(1,)](*x, x[0].numel(), 1.0)\n\n\n" +
                    "Many()(torch.randn(9).cuda(), torch.randn(9).cuda())\n",
                right_reference, "`Many` cannot be judged: it takes `*x`: these arguments have no names"},
        Refusal{called, "lambda x: torch.tanh(x", "does not parse"},
        Refusal{called, "lambda x: torch.tan_h(x)", "fails: AttributeError"},
        Refusal{called, "lambda x: torch.tanh(x).sum()", "the reference gives float32[] where scaled(x: float32[10]"},
        Refusal{called, "lambda x: (torch.tanh(x) * 2, None)",
                "the reference gives float32[10] in the form (tensor, None), not tensor, where scaled("},
        Refusal{called, "", "there is no reference"}, Refusal{"def (:\n", right_reference, "syntax error"}));

}  // namespace
}  // namespace kernelgen
